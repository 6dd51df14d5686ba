// Dungeons of rooms and corridors; see the header.
//
// Phases: 0 rooms are placed, 1 they are pushed apart (separation), 2 they become part of the plan, 3
// possible links and the tree, 4 corridors, 5 incidental rooms, 6 finishing, 7 done.
#include "ploy/generate/dungeon.h"

#include "generate/corridor_internal.h"
#include "generate/plan_internal.h"
#include "generate/room_links_internal.h"
#include "ploy/generate/subdivision.h"

static const char *const dungeon_placings[] = {"tries", "grid", "subdivision", "separation"};
static const char *const dungeon_link_rules[] = {"delaunay", "gabriel", "distance"};
static const char *const dungeon_trees[] = {"prim", "kruskal"};

static const ploy_field dungeon_fields[] = {
    PLOY_FIELD_I32(ploy_dungeon_def, width, 64, 5, 512, "", "cells along x"),
    PLOY_FIELD_I32(ploy_dungeon_def, height, 48, 5, 512, "", "cells along y"),
    PLOY_FIELD_ENUM(ploy_dungeon_def, placing, 0, dungeon_placings, "how rooms are placed"),
    PLOY_FIELD_I32(ploy_dungeon_def, rooms, 0, 0, 1024, "", "rooms to place; 0: as many as fit"),
    PLOY_FIELD_I32(ploy_dungeon_def, room_min, 4, 1, 32, "", "shortest side of a room"),
    PLOY_FIELD_I32(ploy_dungeon_def, room_max, 10, 1, 64, "", "longest side of a room"),
    PLOY_FIELD_I32(ploy_dungeon_def, gap, 2, 1, 16, "", "cells of rock between rooms"),
    PLOY_FIELD_ENUM(ploy_dungeon_def, links, 0, dungeon_link_rules, "which rooms may be linked"),
    PLOY_FIELD_I32(ploy_dungeon_def, link_distance, 12, 1, 512, "", "reach of the distance rule"),
    PLOY_FIELD_ENUM(ploy_dungeon_def, tree, 0, dungeon_trees, "algorithm of the spanning tree"),
    PLOY_FIELD_F32(ploy_dungeon_def, loops, 0.1f, 0, 1, "", "chance of each further link"),
    PLOY_FIELD_F32(ploy_dungeon_def, hard, 0.3f, 0, 1, "", "share of hard rooms"),
    PLOY_FIELD_F32(ploy_dungeon_def, hard_bias, 2, 1, 100, "", "cost between two hard rooms"),
    PLOY_FIELD_F32(ploy_dungeon_def, incidental, 0.1f, 0, 1, "", "chance of a room on a corridor"),
    PLOY_FIELD_I32(ploy_dungeon_def, max_attempts, 400, 1, 100000, "", "limit of tries or passes"),
    PLOY_FIELD_DEF(ploy_dungeon_def, roles, ploy_plan_roles_fields,
                   "roles of rooms, locks and keys"),
};

typedef struct dungeon_rect {
    int32_t x, y, width, height;
} dungeon_rect;

struct ploy_dungeon {
    ployi_level level;
    ploy_dungeon_def def;
    int32_t phase, cursor;
    int32_t passes, fewest, stalled; // separation: passes, fewest overlaps, passes since then
    ploy_rng rng, link_rng, corridor_rng;
    ploy_array rects;   // dungeon_rect: rooms before they are part of the plan
    ploy_array links;   // ploy_spanning_link: possible links
    ploy_array chosen;  // int32_t: those that become corridors, the tree first
    ploy_array corners; // int32_t: a cell of each corridor
    int32_t tree_count; // of `chosen`
    int32_t overlaps, dropped, incidental_refused;
};

ploy_fields ploy_dungeon_fields(void) {
    return PLOY_FIELDS(ploy_dungeon_def, dungeon_fields);
}

PLOYI_LEVEL_FUNCTIONS(dungeon)

static dungeon_rect *dungeon_rects(const ploy_dungeon *dungeon) {
    return PLOY_ARRAY_ITEMS(&dungeon->rects, dungeon_rect);
}

ploy_result ploy_dungeon_begin(const ploy_dungeon_def *def, ploy_rng_key key, ploy_trace *trace,
                               const ploy_env *env, ploy_dungeon **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    ploy_result result = ploy_fields_check(ploy_dungeon_fields(), def, env);
    if (result != PLOY_OK) return result;
    ploy_dungeon *dungeon = ploy_env_alloc_zero(env, sizeof *dungeon);
    if (dungeon == NULL) return PLOY_ERR_MEMORY;
    dungeon->def = *def;
    // Rooms stay inside a rim of rock, and the longest side is no shorter than the shortest.
    int32_t most = (def->width < def->height ? def->width : def->height) - 2;
    if (dungeon->def.room_min > most) dungeon->def.room_min = most;
    if (dungeon->def.room_max > most) dungeon->def.room_max = most;
    if (dungeon->def.room_max < dungeon->def.room_min)
        dungeon->def.room_max = dungeon->def.room_min;
    ploy_array_init(&dungeon->rects, sizeof(dungeon_rect), env);
    ploy_array_init(&dungeon->links, sizeof(ploy_spanning_link), env);
    ploy_array_init(&dungeon->chosen, sizeof(int32_t), env);
    ploy_array_init(&dungeon->corners, sizeof(int32_t), env);
    dungeon->rng = ploy_rng_from_key(ploy_generate_stream(key, "rooms"), 0);
    dungeon->link_rng = ploy_rng_from_key(ploy_generate_stream(key, "links"), 0);
    dungeon->corridor_rng = ploy_rng_from_key(ploy_generate_stream(key, "corridors"), 0);
    dungeon->level.env = *env;
    result = ployi_level_init(&dungeon->level, "dungeon", def->width, def->height, false, key,
                              trace, env);
    if (result != PLOY_OK) {
        ploy_dungeon_cancel(dungeon);
        return result;
    }
    *out = dungeon;
    return PLOY_OK;
}

void ploy_dungeon_cancel(ploy_dungeon *dungeon) {
    if (dungeon == NULL) return;
    ploy_env env = dungeon->level.env;
    ploy_array_fini(&dungeon->rects);
    ploy_array_fini(&dungeon->links);
    ploy_array_fini(&dungeon->chosen);
    ploy_array_fini(&dungeon->corners);
    ployi_level_fini(&dungeon->level);
    ploy_env_free(&env, dungeon, sizeof *dungeon);
}

// ---- placing

static bool dungeon_overlap(const dungeon_rect *a, const dungeon_rect *b, int32_t gap) {
    return a->x < b->x + b->width + gap && b->x < a->x + a->width + gap &&
           a->y < b->y + b->height + gap && b->y < a->y + a->height + gap;
}

static dungeon_rect dungeon_size(ploy_dungeon *dungeon) {
    dungeon_rect rect = {0, 0, 0, 0};
    rect.width = ploy_rng_int(&dungeon->rng, dungeon->def.room_min, dungeon->def.room_max);
    rect.height = ploy_rng_int(&dungeon->rng, dungeon->def.room_min, dungeon->def.room_max);
    return rect;
}

static ploy_result dungeon_place_by_tries(ploy_dungeon *dungeon, ploy_budget *budget) {
    const ploy_dungeon_def *def = &dungeon->def;
    for (; dungeon->cursor < def->max_attempts; dungeon->cursor++) {
        if (def->rooms > 0 && dungeon->rects.count >= def->rooms) return PLOY_OK;
        if (!ployi_level_spend(&dungeon->level, budget, 1)) return PLOY_IN_PROGRESS;
        dungeon_rect rect = dungeon_size(dungeon);
        rect.x = ploy_rng_int(&dungeon->rng, 1, def->width - 1 - rect.width);
        rect.y = ploy_rng_int(&dungeon->rng, 1, def->height - 1 - rect.height);
        bool clash = false;
        for (int32_t i = 0; i < dungeon->rects.count && !clash; i++) {
            clash = dungeon_overlap(&rect, &dungeon_rects(dungeon)[i], def->gap);
        }
        dungeon->overlaps += clash;
        ployi_level_attempt(&dungeon->level, "room", dungeon->rects.count,
                            clash ? "overlaps a room" : NULL);
        if (!clash && ploy_array_push(&dungeon->rects, &rect) != PLOY_OK) return PLOY_ERR_MEMORY;
    }
    if (dungeon->rects.count < def->rooms) ployi_level_limit(&dungeon->level, "max_attempts");
    return PLOY_OK;
}

// One room in each square, at a random place in it; of more squares than rooms a random choice.
static ploy_result dungeon_place_on_grid(ploy_dungeon *dungeon, ploy_budget *budget) {
    const ploy_dungeon_def *def = &dungeon->def;
    int32_t side = def->room_max + def->gap;
    int32_t columns = (def->width - 2 + def->gap) / side,
            rows = (def->height - 2 + def->gap) / side;
    if (columns < 1) columns = 1;
    if (rows < 1) rows = 1;
    int32_t squares = columns * rows, wanted = def->rooms > 0 ? def->rooms : squares;
    if (wanted > squares) {
        ployi_level_limit(&dungeon->level, "rooms");
        wanted = squares;
    }
    for (; dungeon->cursor < squares; dungeon->cursor++) {
        if (!ployi_level_spend(&dungeon->level, budget, 1)) return PLOY_IN_PROGRESS;
        // Of the squares left, each is as likely (Knuth's selection sampling).
        int32_t left = squares - dungeon->cursor, open = wanted - dungeon->rects.count;
        if (ploy_rng_int(&dungeon->rng, 0, left - 1) >= open) continue;
        dungeon_rect rect = dungeon_size(dungeon);
        int32_t spare_x = def->room_max - rect.width, spare_y = def->room_max - rect.height;
        rect.x = 1 + dungeon->cursor % columns * side + ploy_rng_int(&dungeon->rng, 0, spare_x);
        rect.y = 1 + dungeon->cursor / columns * side + ploy_rng_int(&dungeon->rng, 0, spare_y);
        ployi_level_attempt(&dungeon->level, "room", dungeon->rects.count, NULL);
        if (ploy_array_push(&dungeon->rects, &rect) != PLOY_OK) return PLOY_ERR_MEMORY;
    }
    return PLOY_OK;
}

// The leaves of a subdivision of the same size; its own corridors are not used.
static ploy_result dungeon_place_in_leaves(ploy_dungeon *dungeon, ploy_budget *budget) {
    if (!ployi_level_spend(&dungeon->level, budget, 1)) return PLOY_IN_PROGRESS;
    const ploy_dungeon_def *def = &dungeon->def;
    ploy_subdivision_def split = ploy_subdivision_def_default();
    split.width = def->width;
    split.height = def->height;
    split.border = (def->gap + 1) / 2;
    if (split.border < 1) split.border = 1;
    split.room_min = def->room_min;
    split.space_min = def->room_min + 2 * split.border;
    if (split.space_min < 3) split.space_min = 3;
    split.space_max = def->room_max + 2 * split.border;
    if (split.space_max < split.space_min) split.space_max = split.space_min;
    split.roles.locks = 0;
    ploy_subdivision *leaves = NULL;
    ploy_result result =
        ploy_subdivision_begin(&split, ploy_generate_stream(dungeon->level.key, "leaves"), NULL,
                               NULL, NULL, &dungeon->level.env, &leaves);
    if (result == PLOY_OK) result = ploy_subdivision_step(leaves, NULL);
    if (result == PLOY_OK) {
        ploy_floor_plan_view view = ploy_floor_plan_get(ploy_subdivision_plan(leaves));
        int32_t wanted =
            def->rooms > 0 && def->rooms < view.room_count ? def->rooms : view.room_count;
        if (def->rooms > view.room_count) ployi_level_limit(&dungeon->level, "rooms");
        for (int32_t i = 0; i < view.room_count && result == PLOY_OK; i++) {
            int32_t left = view.room_count - i, open = wanted - dungeon->rects.count;
            if (ploy_rng_int(&dungeon->rng, 0, left - 1) >= open) continue;
            dungeon_rect rect = {view.rooms[i].x, view.rooms[i].y, view.rooms[i].width,
                                 view.rooms[i].height};
            ployi_level_attempt(&dungeon->level, "room", dungeon->rects.count, NULL);
            result = ploy_array_push(&dungeon->rects, &rect);
        }
    }
    ploy_subdivision_cancel(leaves);
    return result;
}

// All in the middle, as many as cover two fifths of the map if no number is requested.
static ploy_result dungeon_place_in_middle(ploy_dungeon *dungeon, ploy_budget *budget) {
    const ploy_dungeon_def *def = &dungeon->def;
    int32_t mean = (def->room_min + def->room_max) / 2 + def->gap;
    int32_t wanted = def->rooms > 0 ? def->rooms : def->width * def->height * 2 / (5 * mean * mean);
    // More than fill the map are never pushed apart.
    int32_t least = def->room_min + def->gap, most = def->width * def->height / (least * least) + 1;
    if (wanted > most) wanted = most;
    if (wanted < 1) wanted = 1;
    for (; dungeon->cursor < wanted; dungeon->cursor++) {
        if (!ployi_level_spend(&dungeon->level, budget, 1)) return PLOY_IN_PROGRESS;
        dungeon_rect rect = dungeon_size(dungeon);
        float u = ploy_rng_binomial(&dungeon->rng), v = ploy_rng_binomial(&dungeon->rng);
        rect.x = (int32_t)((float)(def->width - rect.width) * (0.5f + 0.25f * u));
        rect.y = (int32_t)((float)(def->height - rect.height) * (0.5f + 0.25f * v));
        if (ploy_array_push(&dungeon->rects, &rect) != PLOY_OK) return PLOY_ERR_MEMORY;
    }
    return PLOY_OK;
}

// ---- separation

static int32_t dungeon_clamp(int32_t value, int32_t min, int32_t max) {
    return value < min ? min : (value > max ? max : value);
}

// Pushes two overlapping rooms apart along the axis on which they overlap less, half each; what the
// rim stops, the other makes up for in later passes.
static void dungeon_push_apart(ploy_dungeon *dungeon, dungeon_rect *a, dungeon_rect *b) {
    const ploy_dungeon_def *def = &dungeon->def;
    int32_t over_x = a->x * 2 + a->width <= b->x * 2 + b->width
                         ? a->x + a->width + def->gap - b->x
                         : -(b->x + b->width + def->gap - a->x);
    int32_t over_y = a->y * 2 + a->height <= b->y * 2 + b->height
                         ? a->y + a->height + def->gap - b->y
                         : -(b->y + b->height + def->gap - a->y);
    int32_t deep_x = over_x < 0 ? -over_x : over_x, deep_y = over_y < 0 ? -over_y : over_y;
    bool along_x = deep_x < deep_y || (deep_x == deep_y && ploy_rng_chance(&dungeon->rng, 0.5f));
    int32_t over = along_x ? over_x : over_y, half = over / 2;
    if (along_x) {
        a->x = dungeon_clamp(a->x - half, 1, def->width - 1 - a->width);
        b->x = dungeon_clamp(b->x + (over - half), 1, def->width - 1 - b->width);
    } else {
        a->y = dungeon_clamp(a->y - half, 1, def->height - 1 - a->height);
        b->y = dungeon_clamp(b->y + (over - half), 1, def->height - 1 - b->height);
    }
}

static ploy_result dungeon_separate(ploy_dungeon *dungeon, ploy_budget *budget) {
    dungeon_rect *rects = dungeon_rects(dungeon);
    int32_t count = dungeon->rects.count, clashes = 1;
    // Ends when nothing overlaps, or when many passes made it no better: then they do not all fit.
    for (; dungeon->passes < dungeon->def.max_attempts && clashes > 0 && dungeon->stalled < 32;
         dungeon->passes++) {
        if (!ployi_level_spend(&dungeon->level, budget, 1)) return PLOY_IN_PROGRESS;
        clashes = 0;
        for (int32_t i = 0; i < count; i++) {
            for (int32_t k = i + 1; k < count; k++) {
                if (!dungeon_overlap(&rects[i], &rects[k], dungeon->def.gap)) continue;
                clashes++;
                dungeon_push_apart(dungeon, &rects[i], &rects[k]);
            }
        }
        bool better = dungeon->passes == 0 || clashes < dungeon->fewest;
        dungeon->stalled = better ? 0 : dungeon->stalled + 1;
        if (better) dungeon->fewest = clashes;
    }
    // What still overlaps a room before it is dropped: the map was too small for all of them.
    int32_t kept = 0;
    for (int32_t i = 0; i < count; i++) {
        bool clash = false;
        rects[i].x = dungeon_clamp(rects[i].x, 1, dungeon->def.width - 1 - rects[i].width);
        rects[i].y = dungeon_clamp(rects[i].y, 1, dungeon->def.height - 1 - rects[i].height);
        for (int32_t k = 0; k < kept && !clash; k++) {
            clash = dungeon_overlap(&rects[i], &rects[k], dungeon->def.gap);
        }
        ployi_level_attempt(&dungeon->level, "room", i, clash ? "overlaps after separation" : NULL);
        if (!clash) rects[kept++] = rects[i];
    }
    dungeon->dropped = count - kept;
    dungeon->rects.count = kept;
    if (kept < dungeon->def.rooms) {
        bool ended = dungeon->passes >= dungeon->def.max_attempts;
        ployi_level_limit(&dungeon->level, ended ? "max_attempts" : "rooms");
    }
    return PLOY_OK;
}

static ploy_result dungeon_place(ploy_dungeon *dungeon, ploy_budget *budget) {
    switch ((ploy_dungeon_placing)dungeon->def.placing) {
    case PLOY_DUNGEON_TRIES: return dungeon_place_by_tries(dungeon, budget);
    case PLOY_DUNGEON_GRID: return dungeon_place_on_grid(dungeon, budget);
    case PLOY_DUNGEON_SUBDIVISION: return dungeon_place_in_leaves(dungeon, budget);
    case PLOY_DUNGEON_SEPARATION: return dungeon_place_in_middle(dungeon, budget);
    }
    return PLOY_OK;
}

static ploy_result dungeon_make_rooms(ploy_dungeon *dungeon) {
    for (int32_t i = 0; i < dungeon->rects.count; i++) {
        const dungeon_rect *rect = &dungeon_rects(dungeon)[i];
        int32_t room = ployi_plan_add_rectangle(dungeon->level.plan, rect->x, rect->y, rect->width,
                                                rect->height);
        if (room < 0) return PLOY_ERR_MEMORY;
        ployi_plan_rooms(dungeon->level.plan)[room].value =
            ploy_rng_chance(&dungeon->link_rng, dungeon->def.hard);
    }
    return PLOY_OK;
}

// ---- links and corridors

static ploy_result dungeon_choose_links(ploy_dungeon *dungeon) {
    ploy_floor_plan *plan = dungeon->level.plan;
    const ploy_dungeon_def *def = &dungeon->def;
    // The rules of the settings and of the helper are in the same order.
    ploy_result result = ployi_room_links(plan, (ployi_room_rule)def->links, def->link_distance,
                                          def->hard_bias, &dungeon->level.env, &dungeon->links);
    if (result == PLOY_OK) result = ploy_array_resize(&dungeon->chosen, plan->rooms.count);
    if (result != PLOY_OK) return result;
    int32_t count = 0, *chosen = PLOY_ARRAY_ITEMS(&dungeon->chosen, int32_t);
    const ploy_spanning_link *links = PLOY_ARRAY_ITEMS(&dungeon->links, ploy_spanning_link);
    if (def->tree == PLOY_DUNGEON_PRIM) {
        result = ploy_spanning_prim(links, dungeon->links.count, plan->rooms.count, 0,
                                    &dungeon->level.env, chosen, &count);
    } else {
        result = ploy_spanning_kruskal(links, dungeon->links.count, plan->rooms.count,
                                       &dungeon->level.env, chosen, &count);
    }
    if (result != PLOY_OK) return result;
    dungeon->chosen.count = dungeon->tree_count = count;
    for (int32_t i = 0; i < dungeon->links.count; i++) {
        bool in_tree = false;
        for (int32_t k = 0; k < count && !in_tree; k++) {
            in_tree = PLOY_ARRAY_ITEMS(&dungeon->chosen, int32_t)[k] == i;
        }
        if (in_tree || !ploy_rng_chance(&dungeon->link_rng, def->loops)) continue;
        if (ploy_array_push(&dungeon->chosen, &i) != PLOY_OK) return PLOY_ERR_MEMORY;
    }
    return PLOY_OK;
}

static ploy_result dungeon_dig(ploy_dungeon *dungeon, ploy_budget *budget) {
    for (; dungeon->cursor < dungeon->chosen.count; dungeon->cursor++) {
        if (!ployi_level_spend(&dungeon->level, budget, 1)) return PLOY_IN_PROGRESS;
        int32_t number = PLOY_ARRAY_ITEMS(&dungeon->chosen, int32_t)[dungeon->cursor], corner = -1;
        const ploy_spanning_link *link =
            &PLOY_ARRAY_ITEMS(&dungeon->links, ploy_spanning_link)[number];
        ploy_result result = ployi_corridor_dig(dungeon->level.plan, link->a, link->b,
                                                dungeon->cursor >= dungeon->tree_count,
                                                &dungeon->corridor_rng, &corner);
        if (result == PLOY_OK) result = ploy_array_push(&dungeon->corners, &corner);
        if (result != PLOY_OK) return result;
    }
    return PLOY_OK;
}

// A room may stand on rock and corridors, with a ring of rock and corridors around it.
static bool dungeon_incidental_fits(const ploy_floor_plan *plan, const dungeon_rect *rect) {
    if (rect->x < 1 || rect->y < 1 || rect->x + rect->width > plan->width - 1 ||
        rect->y + rect->height > plan->height - 1) {
        return false;
    }
    for (int32_t y = rect->y - 1; y <= rect->y + rect->height; y++) {
        for (int32_t x = rect->x - 1; x <= rect->x + rect->width; x++) {
            uint8_t kind = plan->kinds[ployi_plan_cell(plan, x, y)];
            if (kind == PLOY_PLAN_ROOM || kind == PLOY_PLAN_DOOR) return false;
        }
    }
    return true;
}

// Puts a small room on a corridor; corridors that lead to it get doors, and the link is divided.
static ploy_result dungeon_put_incidental(ploy_dungeon *dungeon, int32_t number,
                                          const dungeon_rect *rect) {
    ploy_floor_plan *plan = dungeon->level.plan;
    int32_t room = ployi_plan_add_rectangle(plan, rect->x, rect->y, rect->width, rect->height);
    if (room < 0) return PLOY_ERR_MEMORY;
    ploy_plan_link *link = &PLOY_ARRAY_ITEMS(&plan->links, ploy_plan_link)[number];
    int32_t to = link->to;
    bool loop = link->loop;
    link->to = room;
    int32_t rest = ployi_plan_add_link(plan, room, to, loop);
    if (rest < 0) return PLOY_ERR_MEMORY;
    PLOY_ARRAY_ITEMS(&plan->links, ploy_plan_link)
    [rest].length = PLOY_ARRAY_ITEMS(&plan->links, ploy_plan_link)[number].length;
    for (int32_t y = rect->y; y < rect->y + rect->height; y++) {
        for (int32_t x = rect->x; x < rect->x + rect->width; x++) {
            for (int32_t direction = 0; direction < 4; direction++) {
                int32_t cell = ployi_plan_beside(plan, ployi_plan_cell(plan, x, y), direction);
                if (plan->kinds[cell] != PLOY_PLAN_CORRIDOR) continue;
                int32_t owner = plan->owners[cell];
                if (ployi_plan_add_door(plan, cell, 3 - direction, room, owner) < 0) {
                    return PLOY_ERR_MEMORY;
                }
            }
        }
    }
    return PLOY_OK;
}

static ploy_result dungeon_incidentals(ploy_dungeon *dungeon, ploy_budget *budget) {
    for (; dungeon->cursor < dungeon->corners.count; dungeon->cursor++) {
        if (!ployi_level_spend(&dungeon->level, budget, 1)) return PLOY_IN_PROGRESS;
        int32_t corner = PLOY_ARRAY_ITEMS(&dungeon->corners, int32_t)[dungeon->cursor];
        if (corner < 0 || !ploy_rng_chance(&dungeon->corridor_rng, dungeon->def.incidental))
            continue;
        dungeon_rect rect = {0, 0, ploy_rng_int(&dungeon->corridor_rng, 2, 4),
                             ploy_rng_int(&dungeon->corridor_rng, 2, 4)};
        rect.x =
            corner % dungeon->def.width - ploy_rng_int(&dungeon->corridor_rng, 0, rect.width - 1);
        rect.y =
            corner / dungeon->def.width - ploy_rng_int(&dungeon->corridor_rng, 0, rect.height - 1);
        bool fits = dungeon_incidental_fits(dungeon->level.plan, &rect);
        ployi_level_attempt(&dungeon->level, "incidental room", dungeon->cursor,
                            fits ? NULL : "no space at the corner");
        dungeon->incidental_refused += !fits;
        if (!fits) continue;
        ploy_result result = dungeon_put_incidental(dungeon, dungeon->cursor, &rect);
        if (result != PLOY_OK) return result;
    }
    return PLOY_OK;
}

ploy_result ploy_dungeon_step(ploy_dungeon *dungeon, ploy_budget *budget) {
    while (dungeon->phase < 7) {
        ploy_result result = PLOY_OK;
        bool whole = dungeon->phase == 2 || dungeon->phase == 3;
        if (whole && !ployi_level_spend(&dungeon->level, budget, 1)) return PLOY_IN_PROGRESS;
        switch (dungeon->phase) {
        case 0: result = dungeon_place(dungeon, budget); break;
        case 1:
            if (dungeon->def.placing == PLOY_DUNGEON_SEPARATION) {
                result = dungeon_separate(dungeon, budget);
            }
            break;
        case 2: result = dungeon_make_rooms(dungeon); break;
        case 3: result = dungeon_choose_links(dungeon); break;
        case 4: result = dungeon_dig(dungeon, budget); break;
        case 5: result = dungeon_incidentals(dungeon, budget); break;
        default:
            dungeon->level.outcome.draws = ploy_generate_draws(&dungeon->rng) +
                                           ploy_generate_draws(&dungeon->link_rng) +
                                           ploy_generate_draws(&dungeon->corridor_rng);
            result = ployi_level_finish(&dungeon->level, &dungeon->def.roles,
                                        dungeon->level.plan->rooms.count, budget);
            break;
        }
        if (result != PLOY_OK) return result;
        dungeon->phase++;
        dungeon->cursor = 0;
    }
    return PLOY_OK;
}

void ploy_dungeon_describe(const ploy_dungeon *dungeon, ploy_describe *out) {
    ploy_floor_plan_describe(dungeon->level.plan, out);
    ploy_describe_i64(out, "possible_links", PLOY_STATE, dungeon->links.count);
    ploy_describe_i64(out, "overlaps", PLOY_DERIVED, dungeon->overlaps);
    ploy_describe_i64(out, "separation_passes", PLOY_DERIVED, dungeon->passes);
    ploy_describe_i64(out, "dropped", PLOY_DERIVED, dungeon->dropped);
    ploy_describe_i64(out, "incidental_refused", PLOY_DERIVED, dungeon->incidental_refused);
}

void ploy_dungeon_draw(const ploy_dungeon *dungeon, ploy_draw *out) {
    ploy_draw_key(out, PLOY_STYLE_AGENT_A, "rooms being placed");
    ploy_agent_id none = ploy_agent_id_none();
    ploy_floor_plan_draw(dungeon->level.plan, out);
    for (int32_t i = 0; i < dungeon->rects.count && dungeon->phase < 3; i++) {
        const dungeon_rect *rect = &dungeon_rects(dungeon)[i];
        float x = (float)rect->x, y = (float)rect->y;
        float right = x + (float)rect->width, top = y + (float)rect->height;
        ploy_vec2 corners[4] = {{x, y}, {right, y}, {right, top}, {x, top}};
        ploy_draw_polygon(out, PLOY_LAYER_REGIONS, PLOY_STYLE_AGENT_A, none, corners, 4, 0.4f);
    }
    const dungeon_rect *rects = dungeon_rects(dungeon);
    for (int32_t i = 0; i < dungeon->links.count && dungeon->phase == 4; i++) {
        const ploy_spanning_link *link = &PLOY_ARRAY_ITEMS(&dungeon->links, ploy_spanning_link)[i];
        const dungeon_rect *a = &rects[link->a], *b = &rects[link->b];
        bool taken = false;
        for (int32_t k = 0; k < dungeon->chosen.count && !taken; k++) {
            taken = PLOY_ARRAY_ITEMS(&dungeon->chosen, int32_t)[k] == i;
        }
        ploy_draw_line(out, PLOY_LAYER_PATHS, taken ? PLOY_STYLE_PATH : PLOY_STYLE_GHOST, none,
                       ploy_vec2_make((float)a->x + 0.5f * (float)a->width,
                                      (float)a->y + 0.5f * (float)a->height),
                       ploy_vec2_make((float)b->x + 0.5f * (float)b->width,
                                      (float)b->y + 0.5f * (float)b->height));
    }
}

void ploy_dungeon_memory(const ploy_dungeon *dungeon, ploy_memory_fn fn, void *user) {
    ploy_memory_item item = {"dungeon", sizeof *dungeon, 1};
    fn(user, &item);
    ploy_floor_plan_memory(dungeon->level.plan, fn, user);
    ploy_array_memory(&dungeon->rects, fn, user);
    ploy_array_memory(&dungeon->links, fn, user);
    ploy_array_memory(&dungeon->chosen, fn, user);
    ploy_array_memory(&dungeon->corners, fn, user);
}

// ---- the front

PLOYI_LEVEL_FRONT(dungeon, "rooms, the links between them, and corridors with doors",
                  "one room, pass of separation, link or corridor")
