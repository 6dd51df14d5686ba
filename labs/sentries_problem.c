// The rules of the sentries.
//
// A step is 8 ticks. The intruder walks one tile a tick along a random detour to the entrance. Guards see along straight
// lines; a guard that sees an enemy shoots. A guard that moves sees nothing and is not seen.
#include <string.h>

#include "labs/sentries.h"

enum { COLUMNS = 24, ROWS = 11, TILES = COLUMNS * ROWS, SIGHT = 7, STARTS = 3, TICKS = 8 };

static const char sentries_map[] = "########################"
                                   "#S....#...a....#..b....#"
                                   "#..#..#..##..#.#..##...#"
                                   "#..#..c..##..#.d..##.e.#"
                                   "#..####......#.....#...#"
                                   "#S....f..##..g..#..h...E"
                                   "#..####..##..#.....#...#"
                                   "#..#..i......#.j..##.k.#"
                                   "#..#..#..##..#.#..##...#"
                                   "#S....#...l....#..m.n.o#"
                                   "########################";

typedef struct sentries {
    ploy_env env;
    int32_t places[SENTRIES_PLACES]; // tiles
    int32_t starts[STARTS];
    int32_t floors[TILES], floor_count, entrance;
    int16_t home[TILES]; // steps to the entrance; -1 for walls
    int16_t via[TILES];  // steps to the detour's tile, if there is one
    bool scattered;      // guards wait at random places
    // The state of an episode.
    int32_t guard[SENTRIES_GUARDS];  // place, SENTRIES_MOVING or SENTRIES_DEAD
    int32_t target[SENTRIES_GUARDS]; // place of one that moves
    int32_t left[SENTRIES_GUARDS];   // steps until it is there
    int32_t player, detour;          // tiles; the detour is -1 once it was passed
    bool seen, over;
} sentries;

static void sentries_fill(int16_t *steps, int32_t from) {
    int32_t queue[TILES], head = 0, tail = 0;
    for (int32_t i = 0; i < TILES; i++) steps[i] = -1;
    steps[from] = 0;
    queue[tail++] = from;
    static const int32_t around[4] = {-COLUMNS, -1, 1, COLUMNS};
    while (head < tail) {
        int32_t at = queue[head++];
        for (int32_t k = 0; k < 4; k++) {
            int32_t next = at + around[k];
            if (next < 0 || next >= TILES || sentries_map[next] == '#' || steps[next] >= 0)
                continue;
            steps[next] = (int16_t)(steps[at] + 1);
            queue[tail++] = next;
        }
    }
}

// A straight line over floor, at most SIGHT tiles long (Bresenham).
static bool sentries_sees(int32_t from, int32_t to) {
    int32_t x = from % COLUMNS, y = from / COLUMNS, tx = to % COLUMNS, ty = to / COLUMNS;
    int32_t dx = tx > x ? tx - x : x - tx, dy = ty > y ? ty - y : y - ty;
    if (dx > SIGHT || dy > SIGHT) return false;
    int32_t sx = tx > x ? 1 : -1, sy = ty > y ? 1 : -1, error = dx - dy;
    while (x != tx || y != ty) {
        if (sentries_map[y * COLUMNS + x] == '#') return false;
        int32_t twice = 2 * error;
        if (twice > -dy) {
            error -= dy;
            x += sx;
        }
        if (twice < dx) {
            error += dx;
            y += sy;
        }
    }
    return true;
}

static ploy_result sentries_create(const ploy_problem_type *type, const ploy_env *env, void **out) {
    sentries *s = ploy_env_alloc_zero(env, sizeof *s);
    if (s == NULL) return PLOY_ERR_MEMORY;
    s->env = *env;
    s->scattered = type == sentries_scattered();
    int32_t starts = 0;
    for (int32_t i = 0; i < TILES; i++) {
        char c = sentries_map[i];
        if (c == '#') continue;
        s->floors[s->floor_count++] = i;
        if (c == 'E') s->entrance = i;
        if (c == 'S') s->starts[starts++] = i;
        if (c >= 'a' && c <= 'o') s->places[c - 'a'] = i;
    }
    sentries_fill(s->home, s->entrance);
    *out = s;
    return PLOY_OK;
}

static void sentries_destroy(void *self) {
    sentries *s = self;
    ploy_env env = s->env;
    ploy_env_free(&env, s, sizeof *s);
}

static void sentries_look(sentries *s) {
    s->seen = false;
    for (int32_t g = 0; g < SENTRIES_GUARDS; g++) {
        if (s->guard[g] >= SENTRIES_PLACES) continue;
        s->seen = s->seen || sentries_sees(s->places[s->guard[g]], s->player);
    }
}

static void sentries_reset(void *self, ploy_rng *rng, int64_t state) {
    sentries *s = self;
    (void)state; // every episode starts in the same state
    static const int32_t first[SENTRIES_GUARDS] = {4, 7, 10}; // around the entrance
    int32_t places[SENTRIES_PLACES];
    for (int32_t p = 0; p < SENTRIES_PLACES; p++) places[p] = p;
    if (s->scattered) ploy_rng_shuffle(rng, places, SENTRIES_PLACES, sizeof places[0]);
    for (int32_t g = 0; g < SENTRIES_GUARDS; g++) {
        s->guard[g] = s->scattered ? places[g] : first[g];
        s->target[g] = s->left[g] = 0;
    }
    s->over = false;
    s->player = s->starts[ploy_rng_below(rng, STARTS)];
    s->detour = s->floors[ploy_rng_below(rng, (uint64_t)s->floor_count)];
    if (s->detour == s->entrance) s->detour = s->player;
    sentries_fill(s->via, s->detour);
    sentries_look(s);
}

static void sentries_walk(sentries *s, ploy_rng *rng) {
    if (s->player == s->detour) s->detour = -1;
    const int16_t *steps = s->detour >= 0 ? s->via : s->home;
    static const int32_t around[4] = {-COLUMNS, -1, 1, COLUMNS};
    int32_t options[4], count = 0;
    for (int32_t k = 0; k < 4; k++) {
        int32_t next = s->player + around[k];
        if (next < 0 || next >= TILES || steps[next] < 0) continue;
        if (next == s->entrance && s->detour >= 0) continue; // not before the detour
        if (steps[next] < steps[s->player]) options[count++] = next;
    }
    if (count > 0) s->player = options[ploy_rng_below(rng, (uint64_t)count)];
}

static bool sentries_anyone_moves(const sentries *s) {
    for (int32_t g = 0; g < SENTRIES_GUARDS; g++) {
        if (s->guard[g] == SENTRIES_MOVING) return true;
    }
    return false;
}

static void sentries_arrive(sentries *s) {
    for (int32_t g = 0; g < SENTRIES_GUARDS; g++) {
        if (s->guard[g] == SENTRIES_MOVING && --s->left[g] <= 0) s->guard[g] = s->target[g];
    }
}

static void sentries_move(sentries *s, int32_t action) {
    if (action >= SENTRIES_STAY) return;
    int32_t g = action / SENTRIES_PLACES, place = action % SENTRIES_PLACES;
    int16_t steps[TILES];
    sentries_fill(steps, s->places[place]);
    s->left[g] = (steps[s->places[s->guard[g]]] + 1) / 2; // guards run
    s->target[g] = place;
    s->guard[g] = SENTRIES_MOVING;
}

static ploy_problem_result sentries_tick(sentries *s, ploy_rng *rng) {
    ploy_problem_result result = {0.0f, false, false};
    sentries_arrive(s);
    sentries_walk(s, rng);
    // All shoot at once. The intruder shoots at the nearest guard.
    bool dead = false;
    int32_t nearest = -1, nearest_steps = TILES;
    for (int32_t g = 0; g < SENTRIES_GUARDS; g++) {
        if (s->guard[g] >= SENTRIES_PLACES) continue;
        int32_t at = s->places[s->guard[g]];
        if (!sentries_sees(at, s->player)) continue;
        bool hit = ploy_rng_chance(rng, 0.3f);
        dead = dead || hit;
        int32_t dx = at % COLUMNS - s->player % COLUMNS, dy = at / COLUMNS - s->player / COLUMNS;
        int32_t away = dx * dx + dy * dy;
        if (away < nearest_steps) {
            nearest = g;
            nearest_steps = away;
        }
    }
    bool shot = ploy_rng_chance(rng, 0.25f);
    if (nearest >= 0 && shot) {
        s->guard[nearest] = SENTRIES_DEAD;
        result.reward -= 1.0f;
    }
    if (dead) result.reward += 1.0f;
    if (!dead && s->player == s->entrance) result.reward -= 1.0f;
    result.terminated = s->over = dead || s->player == s->entrance;
    sentries_look(s);
    return result;
}

static ploy_problem_result sentries_step(void *self, ploy_rng *rng, int32_t action) {
    sentries *s = self;
    ploy_problem_result result = {0.0f, s->over, false};
    if (!s->over) sentries_move(s, action);
    for (int32_t i = 0; i < TICKS && !result.terminated; i++) {
        ploy_problem_result one = sentries_tick(s, rng);
        result.reward += one.reward;
        result.terminated = one.terminated;
    }
    return result;
}

static int64_t sentries_state(const void *self) {
    const sentries *s = self;
    int64_t state = 0;
    for (int32_t g = 0; g < SENTRIES_GUARDS; g++) state = state * SENTRIES_VALUES + s->guard[g];
    return state * 2 + (s->seen ? 1 : 0);
}

static void sentries_allowed(const void *self, bool *out) {
    const sentries *s = self;
    bool moves = s->scattered || sentries_anyone_moves(s);
    for (int32_t g = 0; g < SENTRIES_GUARDS; g++) {
        for (int32_t place = 0; place < SENTRIES_PLACES; place++) {
            bool allowed = !moves && s->guard[g] < SENTRIES_PLACES;
            for (int32_t k = 0; k < SENTRIES_GUARDS; k++) {
                allowed = allowed && s->guard[k] != place;
            }
            out[g * SENTRIES_PLACES + place] = allowed;
        }
    }
}

static void sentries_restore(void *object) {
    sentries *s = object;
    if (s->detour >= 0) sentries_fill(s->via, s->detour);
}

static void sentries_visit(ploy_visit *v, void *object) {
    sentries *s = object;
    ploy_visit_object(v, "sentries", s, sizeof *s);
    PLOY_VISIT_SCRATCH(v, s->env);
    PLOY_VISIT_SCRATCH(v, s->places);
    PLOY_VISIT_SCRATCH(v, s->starts);
    PLOY_VISIT_SCRATCH(v, s->floors);
    PLOY_VISIT_SCRATCH(v, s->floor_count);
    PLOY_VISIT_SCRATCH(v, s->entrance);
    PLOY_VISIT_SCRATCH(v, s->home);
    PLOY_VISIT_SCRATCH(v, s->via);
    PLOY_VISIT_SCRATCH(v, s->scattered);
    ploy_visit_after(v, sentries_restore, s);
    ploy_visit_fixed(v, "guards", PLOY_STATE, SENTRIES_GUARDS);
    for (int32_t g = 0; g < SENTRIES_GUARDS; g++) {
        ploy_visit_begin_item(v, g, PLOY_STATE);
        ploy_visit_i32_in(v, "at", PLOY_STATE, &s->guard[g], 0, SENTRIES_VALUES - 1);
        ploy_visit_i32_in(v, "target", PLOY_STATE, &s->target[g], 0, SENTRIES_PLACES - 1);
        ploy_visit_i32_in(v, "left", PLOY_STATE, &s->left[g], 0, TILES);
        ploy_visit_end(v);
    }
    ploy_visit_end(v);
    ploy_visit_i32_in(v, "player", PLOY_STATE, &s->player, COLUMNS, TILES - COLUMNS - 1);
    ploy_visit_i32_in(v, "detour", PLOY_STATE, &s->detour, -1, TILES - 1);
    ploy_visit_bool(v, "seen", PLOY_STATE, &s->seen);
    ploy_visit_bool(v, "over", PLOY_STATE, &s->over);
    if (ploy_visit_loads(v) && ploy_visit_is_ok(v)) {
        ploy_visit_check(v, sentries_map[s->player] != '#', "the intruder is in a wall", NULL);
    }
}

static ploy_vec2 sentries_at(int32_t tile) {
    return ploy_vec2_make((float)(tile % COLUMNS) + 0.5f,
                          (float)(ROWS - 1 - tile / COLUMNS) + 0.5f);
}

static void sentries_draw(const void *self, ploy_draw *out) {
    const sentries *s = self;
    ploy_agent_id none = ploy_agent_id_none();
    for (int32_t i = 0; i < TILES; i++) {
        if (sentries_map[i] != '#') continue;
        ploy_vec2 at = sentries_at(i);
        ploy_vec2 corners[4] = {{at.x - 0.5f, at.y - 0.5f},
                                {at.x + 0.5f, at.y - 0.5f},
                                {at.x + 0.5f, at.y + 0.5f},
                                {at.x - 0.5f, at.y + 0.5f}};
        ploy_draw_polygon(out, PLOY_LAYER_WORLD, PLOY_STYLE_WALL, none, corners, 4, 1.0f);
    }
    for (int32_t p = 0; p < SENTRIES_PLACES; p++) {
        ploy_draw_circle(out, PLOY_LAYER_WORLD, PLOY_STYLE_GHOST, none, sentries_at(s->places[p]),
                         0.3f);
    }
    ploy_draw_disc(out, PLOY_LAYER_REGIONS, PLOY_STYLE_TARGET, none, sentries_at(s->entrance), 0.4f,
                   0.5f);
    for (int32_t g = 0; g < SENTRIES_GUARDS; g++) {
        if (s->guard[g] == SENTRIES_DEAD) continue;
        bool moving = s->guard[g] == SENTRIES_MOVING;
        ploy_vec2 at = sentries_at(s->places[moving ? s->target[g] : s->guard[g]]);
        ploy_draw_disc(out, PLOY_LAYER_AGENTS, PLOY_STYLE_GOOD, none, at, 0.35f,
                       moving ? 0.3f : 1.0f);
        if (!moving && sentries_sees(s->places[s->guard[g]], s->player)) {
            ploy_draw_arrow(out, PLOY_LAYER_SENSES, PLOY_STYLE_BAD, none, at,
                            sentries_at(s->player));
        }
    }
    ploy_draw_disc(out, PLOY_LAYER_AGENTS, PLOY_STYLE_BAD, none, sentries_at(s->player), 0.35f,
                   1.0f);
}

#define SENTRIES_TYPE(problem_name, problem_help)                                        \
    {                                                                                    \
        .name = problem_name, .help = problem_help,                                      \
        .space = {.states = SENTRIES_VALUES * SENTRIES_VALUES * SENTRIES_VALUES * 2,     \
                  .actions = SENTRIES_ACTIONS,                                           \
                  .step_limit = 200,                                                     \
                  .discount = 0.7f},                                                     \
        .create = sentries_create, .destroy = sentries_destroy, .reset = sentries_reset, \
        .step = sentries_step, .state = sentries_state, .allowed = sentries_allowed,     \
        .visit = sentries_visit, .draw = sentries_draw,                                  \
    }

const ploy_problem_type *sentries_problem(void) {
    static const ploy_problem_type type =
        SENTRIES_TYPE("sentries", "three guards choose where to wait for an intruder");
    return &type;
}

const ploy_problem_type *sentries_scattered(void) {
    static const ploy_problem_type type =
        SENTRIES_TYPE("scattered", "three guards wait at random places");
    return &type;
}
