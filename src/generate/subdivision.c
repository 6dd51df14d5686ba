// Recursive subdivision; see the header.
//
// The recursion is a stack of frames, so that it can stop anywhere. Spaces of a sub-tree are always the
// last ones of the array, and a sub-tree that fails its test is cut off by shortening the array:
//
//     spaces:  0 | 1 2 | 3 4 (below 1) ... | ... (below 2)
//
// Phases: 0 splits, 1 rooms, 2 corridors, 3 finishing, 4 done.
#include "ploy/generate/subdivision.h"

#include "generate/corridor_internal.h"
#include "generate/plan_internal.h"
#include "generate/room_links_internal.h"

static const char *const subdivision_joins[] = {"nearest", "first", "spanning"};

static const ploy_field subdivision_fields[] = {
    PLOY_FIELD_I32(ploy_subdivision_def, width, 64, 3, 512, "", "cells along x"),
    PLOY_FIELD_I32(ploy_subdivision_def, height, 48, 3, 512, "", "cells along y"),
    PLOY_FIELD_I32(ploy_subdivision_def, space_min, 8, 3, 128, "", "shortest side of a space"),
    PLOY_FIELD_I32(ploy_subdivision_def, space_max, 20, 3, 512, "", "longest side of a leaf"),
    PLOY_FIELD_F32(ploy_subdivision_def, stop, 0.2f, 0, 1, "", "chance that a space stays whole"),
    PLOY_FIELD_I32(ploy_subdivision_def, border, 1, 1, 8, "", "cells between space and room"),
    PLOY_FIELD_I32(ploy_subdivision_def, room_min, 3, 1, 64, "", "shortest side of a room"),
    PLOY_FIELD_ENUM(ploy_subdivision_def, join, 0, subdivision_joins, "how rooms are joined"),
    PLOY_FIELD_F32(ploy_subdivision_def, hard, 0.3f, 0, 1, "", "share of hard rooms"),
    PLOY_FIELD_I32(ploy_subdivision_def, min_rooms, 1, 1, 4096, "", "rooms of the whole, at least"),
    PLOY_FIELD_F32(ploy_subdivision_def, max_tall, 1, 0, 1, "", "share of tall leaves"),
    PLOY_FIELD_F32(ploy_subdivision_def, max_hard, 1, 0, 1, "", "share of hard leaves"),
    PLOY_FIELD_I32(ploy_subdivision_def, max_tries, 16, 1, 1000, "", "splits of one space"),
    PLOY_FIELD_I32(ploy_subdivision_def, max_attempts, 200000, 1, 10000000, "", "limit of tries"),
    PLOY_FIELD_DEF(ploy_subdivision_def, roles, ploy_plan_roles_fields,
                   "roles of rooms, locks and keys"),
};

typedef struct subdivision_frame {
    int32_t space;
    int32_t tries;
    int32_t stage; // 0 split, 1 the first part is done, 2 both are
} subdivision_frame;

struct ploy_subdivision {
    ployi_level level;
    ploy_subdivision_def def;
    int32_t phase, cursor;
    int32_t least; // shortest side of a space that holds a room and its borders
    ploy_rng rng, room_rng;
    ploy_subdivision_test test;
    void *user;
    ploy_array spaces; // ploy_subdivision_space
    ploy_array frames; // subdivision_frame
    ploy_array leaves; // int32_t rooms, scratch of joining
    ploy_array links;  // ploy_spanning_link
    ploy_array chosen; // int32_t
    int32_t rebuilds, too_small, too_narrow;
};

ploy_fields ploy_subdivision_fields(void) {
    return PLOY_FIELDS(ploy_subdivision_def, subdivision_fields);
}

PLOYI_LEVEL_FUNCTIONS(subdivision)

static ploy_subdivision_space *subdivision_at(const ploy_subdivision *self, int32_t space) {
    return &PLOY_ARRAY_ITEMS(&self->spaces, ploy_subdivision_space)[space];
}

static ploy_result subdivision_add(ploy_subdivision *self, int32_t parent, int32_t x, int32_t y,
                                   int32_t width, int32_t height) {
    int32_t depth = parent < 0 ? 0 : subdivision_at(self, parent)->depth + 1;
    ploy_subdivision_space space = {x, y, width, height, parent, {-1, -1}, depth, 0, 0, 0, -1};
    return ploy_array_push(&self->spaces, &space);
}

ploy_result ploy_subdivision_begin(const ploy_subdivision_def *def, ploy_rng_key key,
                                   ploy_subdivision_test test, void *user, ploy_trace *trace,
                                   const ploy_env *env, ploy_subdivision **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    ploy_result result = ploy_fields_check(ploy_subdivision_fields(), def, env);
    if (result != PLOY_OK) return result;
    ploy_subdivision *self = ploy_env_alloc_zero(env, sizeof *self);
    if (self == NULL) return PLOY_ERR_MEMORY;
    self->def = *def;
    self->test = test;
    self->user = user;
    self->least = 2 * def->border + def->room_min;
    if (self->least < def->space_min) self->least = def->space_min;
    ploy_array_init(&self->spaces, sizeof(ploy_subdivision_space), env);
    ploy_array_init(&self->frames, sizeof(subdivision_frame), env);
    ploy_array_init(&self->leaves, sizeof(int32_t), env);
    ploy_array_init(&self->links, sizeof(ploy_spanning_link), env);
    ploy_array_init(&self->chosen, sizeof(int32_t), env);
    self->rng = ploy_rng_from_key(ploy_generate_stream(key, "splits"), 0);
    self->room_rng = ploy_rng_from_key(ploy_generate_stream(key, "rooms"), 0);
    self->level.env = *env;
    result = ployi_level_init(&self->level, "subdivision", def->width, def->height, false, key,
                              trace, env);
    if (result == PLOY_OK) result = subdivision_add(self, -1, 0, 0, def->width, def->height);
    if (result == PLOY_OK) {
        subdivision_frame frame = {0, 0, 0};
        result = ploy_array_push(&self->frames, &frame);
    }
    if (result != PLOY_OK) {
        ploy_subdivision_cancel(self);
        return result;
    }
    *out = self;
    return PLOY_OK;
}

void ploy_subdivision_cancel(ploy_subdivision *self) {
    if (self == NULL) return;
    ploy_env env = self->level.env;
    ploy_array_fini(&self->spaces);
    ploy_array_fini(&self->frames);
    ploy_array_fini(&self->leaves);
    ploy_array_fini(&self->links);
    ploy_array_fini(&self->chosen);
    ployi_level_fini(&self->level);
    ploy_env_free(&env, self, sizeof *self);
}

// ---- splitting

static void subdivision_make_leaf(ploy_subdivision *self, int32_t number) {
    ploy_subdivision_space *space = subdivision_at(self, number);
    space->child[0] = space->child[1] = -1;
    space->leaves = 1;
    space->tall = space->height > space->width;
    space->hard = ploy_rng_chance(&self->room_rng, self->def.hard);
    self->frames.count--;
}

// One try: a random axis and place. Returns why it failed, or NULL with the parts.
static const char *subdivision_split(ploy_subdivision *self, const ploy_subdivision_space *space,
                                     int32_t parts[2][4]) {
    bool along_x = ploy_rng_chance(&self->rng, 0.5f);
    int32_t side = along_x ? space->width : space->height;
    if (side < 2 * self->least) {
        self->too_small++;
        return "too small along this axis";
    }
    int32_t at = ploy_rng_int(&self->rng, self->least, side - self->least);
    for (int32_t i = 0; i < 2; i++) {
        parts[i][0] = space->x + (along_x && i == 1 ? at : 0);
        parts[i][1] = space->y + (!along_x && i == 1 ? at : 0);
        parts[i][2] = along_x ? (i == 0 ? at : side - at) : space->width;
        parts[i][3] = along_x ? space->height : (i == 0 ? at : side - at);
        if (parts[i][2] > 4 * parts[i][3] || parts[i][3] > 4 * parts[i][2]) {
            self->too_narrow++;
            return "a part is too narrow";
        }
    }
    return NULL;
}

// The test of a whole sub-tree.
static bool subdivision_passes(const ploy_subdivision *self, int32_t number) {
    const ploy_subdivision_space *space = subdivision_at(self, number);
    if (number == 0 && space->leaves < self->def.min_rooms) return false;
    if (space->leaves >= 4) {
        if ((float)space->tall > self->def.max_tall * (float)space->leaves) return false;
        if ((float)space->hard > self->def.max_hard * (float)space->leaves) return false;
    }
    return self->test == NULL ||
           self->test(self->user, self->spaces.items, self->spaces.count, number);
}

static void subdivision_sum(ploy_subdivision *self, int32_t number) {
    ploy_subdivision_space *space = subdivision_at(self, number);
    const ploy_subdivision_space *a = subdivision_at(self, space->child[0]);
    const ploy_subdivision_space *b = subdivision_at(self, space->child[1]);
    space->leaves = a->leaves + b->leaves;
    space->tall = a->tall + b->tall;
    space->hard = a->hard + b->hard;
}

static ploy_result subdivision_push(ploy_subdivision *self, int32_t space) {
    subdivision_frame frame = {space, 0, 0};
    return ploy_array_push(&self->frames, &frame);
}

static ploy_result subdivision_try(ploy_subdivision *self, subdivision_frame *frame) {
    const ploy_subdivision_space *space = subdivision_at(self, frame->space);
    bool splits = space->width >= 2 * self->least || space->height >= 2 * self->least;
    bool small = space->width <= self->def.space_max && space->height <= self->def.space_max;
    bool out_of_tries = self->level.outcome.attempts >= self->def.max_attempts;
    if (splits && out_of_tries) ployi_level_limit(&self->level, "max_attempts");
    if (!splits || out_of_tries || frame->tries >= self->def.max_tries ||
        (small && frame->space > 0 && ploy_rng_chance(&self->rng, self->def.stop))) {
        if (frame->space == 0 && self->def.min_rooms > 1) {
            ployi_level_limit(&self->level, splits ? "max_tries" : "min_rooms");
        }
        subdivision_make_leaf(self, frame->space);
        return PLOY_OK;
    }
    int32_t parts[2][4] = {{0}};
    const char *reason = subdivision_split(self, space, parts);
    ployi_level_attempt(&self->level, "split", frame->space, reason);
    if (reason != NULL) {
        frame->tries++;
        return PLOY_OK;
    }
    int32_t first = self->spaces.count, number = frame->space;
    frame->stage = 1;
    for (int32_t i = 0; i < 2; i++) {
        ploy_result result =
            subdivision_add(self, number, parts[i][0], parts[i][1], parts[i][2], parts[i][3]);
        if (result != PLOY_OK) return result;
        subdivision_at(self, number)->child[i] = first + i;
    }
    return subdivision_push(self, first);
}

static ploy_result subdivision_splits(ploy_subdivision *self, ploy_budget *budget) {
    while (self->frames.count > 0) {
        if (!ployi_level_spend(&self->level, budget, 1)) return PLOY_IN_PROGRESS;
        subdivision_frame *frame =
            &PLOY_ARRAY_ITEMS(&self->frames, subdivision_frame)[self->frames.count - 1];
        ploy_result result = PLOY_OK;
        if (frame->stage == 0) {
            result = subdivision_try(self, frame);
        } else if (frame->stage == 1) {
            frame->stage = 2;
            result = subdivision_push(self, subdivision_at(self, frame->space)->child[1]);
        } else {
            subdivision_sum(self, frame->space);
            bool passes = subdivision_passes(self, frame->space);
            bool last = frame->space == 0 && frame->tries + 1 >= self->def.max_tries;
            bool over = self->level.outcome.attempts >= self->def.max_attempts;
            if (!passes && last) ployi_level_limit(&self->level, "max_tries");
            if (!passes && over) ployi_level_limit(&self->level, "max_attempts");
            if (passes || last || over) {
                self->frames.count--;
                continue;
            }
            self->rebuilds++;
            frame->tries++;
            frame->stage = 0;
            self->spaces.count = subdivision_at(self, frame->space)->child[0];
        }
        if (result != PLOY_OK) return result;
    }
    return PLOY_OK;
}

// ---- rooms and corridors

// A room's place along one axis: within the space, inset by the border where there is space for it.
static void subdivision_inset(ploy_subdivision *self, int32_t at, int32_t side, int32_t *place,
                              int32_t *length) {
    int32_t border = self->def.border;
    if (side - 2 * border < 1) border = (side - 1) / 2;
    int32_t most = side - 2 * border, least = self->def.room_min < most ? self->def.room_min : most;
    *length = ploy_rng_int(&self->room_rng, least, most);
    *place = at + border + ploy_rng_int(&self->room_rng, 0, most - *length);
}

static ploy_result subdivision_make_rooms(ploy_subdivision *self) {
    for (int32_t i = 0; i < self->spaces.count; i++) {
        ploy_subdivision_space *space = subdivision_at(self, i);
        if (space->child[0] >= 0) continue;
        int32_t x, y, width, height;
        subdivision_inset(self, space->x, space->width, &x, &width);
        subdivision_inset(self, space->y, space->height, &y, &height);
        space->room = ployi_plan_add_rectangle(self->level.plan, x, y, width, height);
        if (space->room < 0) return PLOY_ERR_MEMORY;
        ployi_plan_rooms(self->level.plan)[space->room].value = space->hard;
    }
    return PLOY_OK;
}

// Appends the rooms below a space. Spaces in the array are replaced in place: a leaf by its room, an
// inner space by its first part, while the second part goes to the end.
static ploy_result subdivision_gather(ploy_subdivision *self, int32_t space) {
    int32_t first = self->leaves.count;
    ploy_result result = ploy_array_push(&self->leaves, &space);
    for (int32_t i = first; i < self->leaves.count && result == PLOY_OK;) {
        int32_t *item = &PLOY_ARRAY_ITEMS(&self->leaves, int32_t)[i];
        const ploy_subdivision_space *at = subdivision_at(self, *item);
        if (at->child[0] < 0) {
            *item = at->room;
            i++;
        } else {
            int32_t second = at->child[1];
            *item = at->child[0];
            result = ploy_array_push(&self->leaves, &second);
        }
    }
    return result;
}

static ploy_result subdivision_join_parts(ploy_subdivision *self, int32_t number) {
    const ploy_plan_room *rooms = ployi_plan_rooms(self->level.plan);
    const ploy_subdivision_space *space = subdivision_at(self, number);
    ploy_array_clear(&self->leaves);
    ploy_result result = subdivision_gather(self, space->child[0]);
    int32_t middle = self->leaves.count;
    if (result == PLOY_OK) result = subdivision_gather(self, space->child[1]);
    if (result != PLOY_OK) return result;
    const int32_t *all = PLOY_ARRAY_ITEMS(&self->leaves, int32_t);
    int32_t a = all[0], b = all[middle], least = INT32_MAX;
    for (int32_t i = 0; i < middle && self->def.join == PLOY_SUBDIVISION_NEAREST; i++) {
        for (int32_t k = middle; k < self->leaves.count; k++) {
            int32_t apart = ployi_rooms_apart(&rooms[all[i]], &rooms[all[k]]);
            if (apart >= least) continue;
            least = apart;
            a = all[i];
            b = all[k];
        }
    }
    return ployi_corridor_dig(self->level.plan, a, b, false, &self->room_rng, NULL);
}

static ploy_result subdivision_span(ploy_subdivision *self) {
    ploy_floor_plan *plan = self->level.plan;
    ploy_result result =
        ployi_room_links(plan, PLOYI_ROOMS_DELAUNAY, 0, 1.0f, &self->level.env, &self->links);
    if (result == PLOY_OK) result = ploy_array_resize(&self->chosen, plan->rooms.count);
    if (result != PLOY_OK) return result;
    int32_t count = 0;
    result = ploy_spanning_prim(self->links.items, self->links.count, plan->rooms.count, 0,
                                &self->level.env, self->chosen.items, &count);
    self->chosen.count = count;
    return result;
}

static ploy_result subdivision_corridors(ploy_subdivision *self, ploy_budget *budget) {
    bool spanning = self->def.join == PLOY_SUBDIVISION_SPANNING;
    int32_t count = spanning ? self->chosen.count : self->spaces.count;
    for (; self->cursor < count; self->cursor++) {
        // From the last space to the first: parts before the space that they are parts of.
        int32_t space = self->spaces.count - 1 - self->cursor;
        if (!spanning && subdivision_at(self, space)->child[0] < 0) continue;
        if (!ployi_level_spend(&self->level, budget, 1)) return PLOY_IN_PROGRESS;
        ploy_result result = PLOY_OK;
        if (spanning) {
            int32_t number = PLOY_ARRAY_ITEMS(&self->chosen, int32_t)[self->cursor];
            const ploy_spanning_link *link =
                &PLOY_ARRAY_ITEMS(&self->links, ploy_spanning_link)[number];
            result = ployi_corridor_dig(self->level.plan, link->a, link->b, false, &self->room_rng,
                                        NULL);
        } else {
            result = subdivision_join_parts(self, space);
        }
        if (result != PLOY_OK) return result;
    }
    return PLOY_OK;
}

ploy_result ploy_subdivision_step(ploy_subdivision *self, ploy_budget *budget) {
    ploy_result result = PLOY_OK;
    if (self->phase == 0) {
        result = subdivision_splits(self, budget);
        if (result != PLOY_OK) return result;
        self->phase = 1;
    }
    if (self->phase == 1) {
        if (!ployi_level_spend(&self->level, budget, 1)) return PLOY_IN_PROGRESS;
        result = subdivision_make_rooms(self);
        if (result == PLOY_OK && self->def.join == PLOY_SUBDIVISION_SPANNING) {
            result = subdivision_span(self);
        }
        if (result != PLOY_OK) return result;
        self->phase = 2;
    }
    if (self->phase == 2) {
        result = subdivision_corridors(self, budget);
        if (result != PLOY_OK) return result;
        self->phase = 3;
    }
    if (self->phase == 3) {
        self->level.outcome.draws =
            ploy_generate_draws(&self->rng) + ploy_generate_draws(&self->room_rng);
        result = ployi_level_finish(&self->level, &self->def.roles, self->level.plan->rooms.count,
                                    budget);
        if (result != PLOY_OK) return result;
        self->phase = 4;
    }
    return PLOY_OK;
}

const ploy_subdivision_space *ploy_subdivision_spaces(const ploy_subdivision *self,
                                                      int32_t *count) {
    *count = self->spaces.count;
    return PLOY_ARRAY_ITEMS(&self->spaces, ploy_subdivision_space);
}

int32_t ploy_subdivision_rebuilds(const ploy_subdivision *self) {
    return self->rebuilds;
}

void ploy_subdivision_describe(const ploy_subdivision *self, ploy_describe *out) {
    ploy_floor_plan_describe(self->level.plan, out);
    ploy_describe_i64(out, "spaces", PLOY_STATE, self->spaces.count);
    ploy_describe_i64(out, "rebuilds", PLOY_DERIVED, self->rebuilds);
    ploy_describe_i64(out, "too_small", PLOY_DERIVED, self->too_small);
    ploy_describe_i64(out, "too_narrow", PLOY_DERIVED, self->too_narrow);
}

void ploy_subdivision_draw(const ploy_subdivision *self, ploy_draw *out) {
    ploy_floor_plan_draw(self->level.plan, out);
    for (int32_t i = 0; i < self->spaces.count; i++) {
        const ploy_subdivision_space *space = subdivision_at(self, i);
        float x = (float)space->x, y = (float)space->y;
        float right = x + (float)space->width, top = y + (float)space->height;
        ploy_vec2 corners[5] = {{x, y}, {right, y}, {right, top}, {x, top}, {x, y}};
        ploy_draw_polyline(out, PLOY_LAYER_REGIONS, PLOY_STYLE_GHOST, ploy_agent_id_none(), corners,
                           5);
    }
}

void ploy_subdivision_memory(const ploy_subdivision *self, ploy_memory_fn fn, void *user) {
    ploy_memory_item item = {"subdivision", sizeof *self, 1};
    fn(user, &item);
    ploy_floor_plan_memory(self->level.plan, fn, user);
    ploy_array_memory(&self->spaces, fn, user);
    ploy_array_memory(&self->frames, fn, user);
    ploy_array_memory(&self->leaves, fn, user);
    ploy_array_memory(&self->links, fn, user);
    ploy_array_memory(&self->chosen, fn, user);
}

// ---- the front

static ploy_result subdivision_front_begin(const void *def, ploy_rng_key key,
                                           const ploy_content *input, ploy_trace *trace,
                                           const ploy_env *env, void **out) {
    (void)input;
    ploy_subdivision *self = NULL;
    ploy_result result = ploy_subdivision_begin(def, key, NULL, NULL, trace, env, &self);
    *out = self;
    return result;
}

const ploy_generator_type *ploy_subdivision_generator(void) {
    static const ploy_generator_type type = {
        "subdivision",
        "rooms in a space that is split in two again and again",
        "one try for a split, or one corridor",
        0,
        0,
        PLOY_CONTENT_PLAN,
        PLOYI_GENERATOR_TABLE(subdivision),
    };
    return &type;
}
