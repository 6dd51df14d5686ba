// Fog of war: which unseen parts of a map are dangerous? In every game an enemy follows one of a few
// plans, two scouts cross the map and see what is around them, and a Hebbian grid fills in the rest
// from the complete maps of earlier games. Beside it: a rule that continues the nearest seen tile.
#include <stdio.h>
#include <string.h>

#include "labs/lab_input.h"
#include "labs/labs.h"
#include "ploy/learn/hebb.h"
#include "ploy/tactics/influence.h"

enum {
    FOG_WIDTH = 24, // tiles; divisible by the sides of all nodes, as is the height
    FOG_HEIGHT = 18,
    FOG_TILES = FOG_WIDTH * FOG_HEIGHT,
    FOG_UNITS = 7,
    FOG_SCOUTS = 2,
    FOG_PLANS = 4,
    FOG_SCORED = 20 // games in the moving average
};

static const char *const fog_nodes[] = {"1 tile", "4 tiles", "9 tiles"};
static const char *const fog_links[] = {"neighbours", "all"};
typedef enum fog_node { FOG_NODE_1, FOG_NODE_4, FOG_NODE_9 } fog_node;
typedef enum fog_link { FOG_NEIGHBOURS, FOG_ALL } fog_link;

typedef struct fog_def {
    uint32_t cookie;
    fog_node node;
    fog_link links;
    int32_t length;
    float sight, habit, danger;
    bool centred, learn;
} fog_def;

static const ploy_field fog_items[] = {
    PLOY_FIELD_ENUM(fog_def, node, FOG_NODE_4, fog_nodes, "size of a node of the grid"),
    PLOY_FIELD_ENUM(fog_def, links, FOG_ALL, fog_links, "which nodes are linked"),
    PLOY_FIELD_I32(fog_def, length, 12, 2, 24, "", "ticks of a game; a scout walks a tile in each"),
    PLOY_FIELD_F32(fog_def, sight, 3, 0, 20, "tiles", "how far a scout sees"),
    PLOY_FIELD_F32(fog_def, habit, 0.9, 0, 1, "",
                   "share of games in which the enemy keeps to a plan"),
    PLOY_FIELD_F32(fog_def, danger, 1, 0.1, 100, "", "influence above which a tile is dangerous"),
    PLOY_FIELD_BOOL(fog_def, centred, true, "count only what goes beyond the nodes' habits"),
    PLOY_FIELD_BOOL(fog_def, learn, true, "learn each map when its game ends"),
};

static ploy_fields fog_fields(void) {
    return PLOY_FIELDS(fog_def, fog_items);
}

typedef struct fog_score {
    int64_t right, count; // predicted tiles that were not seen, in all games
} fog_score;

typedef struct fog_lab {
    fog_def def;
    ploy_env env;
    ploy_rng_key key;
    ploy_places places;
    ploy_influence *influence;
    ploy_hebb *hebb;
    int32_t width, height, side; // nodes, and tiles along a node
    int64_t game;
    int32_t age;               // ticks of this game
    bool dangerous[FOG_TILES]; // the truth
    bool seen[FOG_TILES];
    ploy_vec2 scouts[FOG_SCOUTS];
    float known[FOG_TILES], filled[FOG_TILES]; // one value per node
    int32_t sweeps;
    fog_score learned, nearest, safe; // of the grid, of the rule, of calling everything safe
    float recent[FOG_SCORED][3];      // shares of the last games
    fog_score game_scores[3];         // of this one
} fog_lab;

// ---- the enemy

// Where the units of each plan are, in tiles: a western line, two camps, a ring, the southern shore.
static const float fog_plans[FOG_PLANS][FOG_UNITS][2] = {
    {{4, 2}, {4, 5}, {4, 8}, {4, 11}, {4, 14}, {7, 4}, {7, 12}},
    {{18, 14}, {20, 12}, {19, 16}, {21, 14}, {4, 3}, {6, 2}, {5, 5}},
    {{12, 3}, {17, 6}, {17, 11}, {12, 14}, {7, 11}, {7, 6}, {12, 4}},
    {{3, 2}, {7, 2}, {11, 2}, {15, 2}, {19, 2}, {21, 3}, {13, 4}},
};

static float fog_draw_number(const fog_lab *lab, uint32_t who, uint32_t draw) {
    return ploy_rng_float_at(lab->key, who, (uint64_t)lab->game, draw);
}

static ploy_result fog_begin_game(fog_lab *lab) {
    bool plans = fog_draw_number(lab, 100, 0) < lab->def.habit;
    int32_t plan = (int32_t)(fog_draw_number(lab, 100, 1) * FOG_PLANS) % FOG_PLANS;
    ploy_influence_clear(lab->influence);
    ploy_result result = PLOY_OK;
    for (uint32_t i = 0; i < FOG_UNITS && result == PLOY_OK; i++) {
        float x = fog_draw_number(lab, i, 0), y = fog_draw_number(lab, i, 1);
        float px = plans ? fog_plans[plan][i][0] + 3.0f * x - 1.5f : x * FOG_WIDTH;
        float py = plans ? fog_plans[plan][i][1] + 3.0f * y - 1.5f : y * FOG_HEIGHT;
        int32_t place =
            ploy_places_cell(&lab->places, (int32_t)ploy_clampf(px, 0.0f, FOG_WIDTH - 1),
                             (int32_t)ploy_clampf(py, 0.0f, FOG_HEIGHT - 1));
        result = ploy_influence_add(lab->influence, 0, 0, place, 2.0f, NULL);
    }
    for (int32_t i = 0; i < FOG_TILES; i++) {
        lab->dangerous[i] = ploy_influence_at(lab->influence, 0, i) > lab->def.danger;
        lab->seen[i] = false;
    }
    // Scouts enter from the east, at two heights, and walk west.
    for (uint32_t i = 0; i < FOG_SCOUTS; i++) {
        float height = ((float)i + 0.2f + 0.6f * fog_draw_number(lab, 50 + i, 0)) / FOG_SCOUTS;
        lab->scouts[i] = ploy_vec2_make(FOG_WIDTH - 0.5f, height * FOG_HEIGHT);
    }
    memset(lab->game_scores, 0, sizeof lab->game_scores);
    lab->age = 0;
    return result;
}

// ---- the grid

static ploy_result fog_begin(fog_lab *lab) {
    ploy_hebb_def def = ploy_hebb_def_default();
    lab->side = (int32_t)lab->def.node + 1;
    lab->width = def.width = FOG_WIDTH / lab->side;
    lab->height = def.height = FOG_HEIGHT / lab->side;
    def.all = lab->def.links == FOG_ALL;
    def.centred = lab->def.centred;
    ploy_hebb_destroy(lab->hebb);
    lab->hebb = NULL;
    lab->game = 0;
    lab->sweeps = 0;
    memset(&lab->learned, 0, sizeof lab->learned);
    memset(&lab->nearest, 0, sizeof lab->nearest);
    memset(&lab->safe, 0, sizeof lab->safe);
    memset(lab->recent, 0, sizeof lab->recent);
    memset(lab->known, 0, sizeof lab->known);
    memset(lab->filled, 0, sizeof lab->filled);
    ploy_result result = ploy_hebb_create(&def, &lab->env, &lab->hebb);
    return result == PLOY_OK ? fog_begin_game(lab) : result;
}

static int32_t fog_node_of(const fog_lab *lab, int32_t tile) {
    int32_t x = tile % FOG_WIDTH / lab->side, y = tile / FOG_WIDTH / lab->side;
    return y * lab->width + x;
}

// A node's value from its tiles: +1 if most are dangerous, -1 otherwise, 0 if none counts.
static void fog_pattern(const fog_lab *lab, bool seen_only, float *out) {
    for (int32_t i = 0; i < lab->width * lab->height; i++) out[i] = 0.0f;
    for (int32_t i = 0; i < FOG_TILES; i++) {
        if (seen_only && !lab->seen[i]) continue;
        out[fog_node_of(lab, i)] += lab->dangerous[i] ? 1.0f : -1.001f; // a draw is safe
    }
}

static bool fog_nearest_seen(const fog_lab *lab, int32_t tile) {
    int32_t best = INT32_MAX;
    bool answer = false;
    for (int32_t i = 0; i < FOG_TILES; i++) {
        if (!lab->seen[i]) continue;
        int32_t dx = i % FOG_WIDTH - tile % FOG_WIDTH, dy = i / FOG_WIDTH - tile / FOG_WIDTH;
        int32_t distance = dx * dx + dy * dy;
        if (distance >= best) continue;
        best = distance;
        answer = lab->dangerous[i];
    }
    return answer;
}

static void fog_look(fog_lab *lab) {
    for (int32_t i = 0; i < FOG_TILES; i++) {
        ploy_vec2 middle =
            ploy_vec2_make((float)(i % FOG_WIDTH) + 0.5f, (float)(i / FOG_WIDTH) + 0.5f);
        for (int32_t k = 0; k < FOG_SCOUTS; k++) {
            float far = ploy_vec2_distance_sq(middle, lab->scouts[k]);
            lab->seen[i] = lab->seen[i] || far <= lab->def.sight * lab->def.sight;
        }
    }
    fog_pattern(lab, true, lab->known);
    lab->sweeps = ploy_hebb_recall(lab->hebb, lab->known, lab->filled);
}

static void fog_count(fog_lab *lab) {
    for (int32_t i = 0; i < FOG_TILES; i++) {
        if (lab->seen[i]) continue;
        const bool answers[3] = {lab->filled[fog_node_of(lab, i)] > 0.0f, fog_nearest_seen(lab, i),
                                 false};
        fog_score *all[3] = {&lab->learned, &lab->nearest, &lab->safe};
        for (int32_t k = 0; k < 3; k++) {
            int64_t right = answers[k] == lab->dangerous[i] ? 1 : 0;
            all[k]->right += right;
            all[k]->count++;
            lab->game_scores[k].right += right;
            lab->game_scores[k].count++;
        }
    }
}

static void fog_end_game(fog_lab *lab) {
    for (int32_t k = 0; k < 3; k++) {
        const fog_score *score = &lab->game_scores[k];
        lab->recent[lab->game % FOG_SCORED][k] =
            score->count > 0 ? (float)((double)score->right / (double)score->count) : 1.0f;
    }
    float pattern[FOG_TILES];
    fog_pattern(lab, false, pattern);
    if (lab->def.learn) ploy_hebb_learn(lab->hebb, pattern);
    lab->game++;
}

// The mean share of the last games.
static float fog_share(const fog_lab *lab, int32_t who) {
    int64_t count = lab->game < FOG_SCORED ? lab->game : FOG_SCORED;
    float sum = 0.0f;
    for (int64_t i = 0; i < count; i++) sum += lab->recent[i][who];
    return count > 0 ? sum / (float)count : 0.0f;
}

static ploy_result fog_create(const void *params, ploy_rng_key key, const ploy_env *env,
                              void **out) {
    fog_lab *lab = ploy_env_alloc_zero(env, sizeof *lab);
    if (lab == NULL) return PLOY_ERR_MEMORY; // the region goes, and all that is in it
    memcpy(&lab->def, params, sizeof lab->def);
    lab->env = *env;
    lab->key = key;
    lab->places = ploy_places_grid(FOG_WIDTH, FOG_HEIGHT, ploy_vec2_make(0, 0), 1.0f);
    ploy_influence_def def = ploy_influence_def_default();
    ploy_influence_type type = ploy_influence_type_default();
    def.sides = 1;
    def.capacity = FOG_UNITS;
    type.drop = PLOY_INFLUENCE_RAMP;
    type.range = 4.0f;
    type.plateau = 1.0f;
    type.radius = 4.0f;
    ploy_result result = ploy_influence_create(&def, &lab->places, env, &lab->influence);
    if (result == PLOY_OK) result = ploy_influence_add_type(lab->influence, &type, NULL);
    if (result == PLOY_OK) result = fog_begin(lab);
    if (result == PLOY_OK) *out = lab;
    return result;
}

static ploy_result fog_step(void *state, const ploy_sim_context *context) {
    fog_lab *lab = state;
    fog_node node = lab->def.node;
    fog_link links = lab->def.links;
    bool centred = lab->def.centred;
    memcpy(&lab->def, context->params, sizeof lab->def);
    bool again = lab->def.node != node || lab->def.links != links || lab->def.centred != centred;
    if (again || lab_input_count(context, "again") > 0) return fog_begin(lab);
    if (lab->age >= lab->def.length) {
        fog_end_game(lab);
        return fog_begin_game(lab);
    }
    for (int32_t i = 0; i < FOG_SCOUTS; i++) lab->scouts[i].x -= 1.0f;
    lab->age++;
    fog_look(lab);
    fog_count(lab);
    return PLOY_OK;
}

// ---- sight

static void fog_draw(const void *state, ploy_draw *out) {
    const fog_lab *lab = state;
    ploy_draw_key(out, PLOY_STYLE_BAD, "seen or predicted as dangerous");
    ploy_draw_key(out, PLOY_STYLE_GOOD, "seen or predicted as safe");
    ploy_draw_key(out, PLOY_STYLE_WARNING, "unseen and predicted wrongly");
    ploy_draw_key(out, PLOY_STYLE_AGENT_A, "scout");
    ploy_agent_id none = ploy_agent_id_none();
    for (int32_t i = 0; i < FOG_TILES; i++) {
        float x = (float)(i % FOG_WIDTH), y = (float)(i / FOG_WIDTH);
        bool predicted = lab->filled[fog_node_of(lab, i)] > 0.0f;
        bool bad = lab->seen[i] ? lab->dangerous[i] : predicted;
        ploy_vec2 tile[4] = {{x, y}, {x + 1, y}, {x + 1, y + 1}, {x, y + 1}};
        ploy_draw_polygon(out, PLOY_LAYER_INFLUENCE, bad ? PLOY_STYLE_BAD : PLOY_STYLE_GOOD, none,
                          tile, 4, lab->seen[i] ? 0.85f : 0.35f);
        if (!lab->seen[i] && predicted != lab->dangerous[i]) {
            ploy_draw_disc(out, PLOY_LAYER_AGENTS, PLOY_STYLE_WARNING, none,
                           ploy_vec2_make(x + 0.5f, y + 0.5f), 0.15f, 1.0f);
        }
    }
    for (uint32_t i = 0; i < FOG_SCOUTS; i++) {
        ploy_draw_agent(out, PLOY_STYLE_AGENT_A, none, lab->scouts[i], -3.1415927f, 0.4f);
    }
    char text[160];
    snprintf(text, sizeof text,
             "game %lld; unseen tiles right: learned %.0f %%, nearest %.0f %%, safe %.0f %%",
             (long long)lab->game + 1, 100.0 * (double)fog_share(lab, 0),
             100.0 * (double)fog_share(lab, 1), 100.0 * (double)fog_share(lab, 2));
    ploy_draw_text(out, none, ploy_vec2_make(0.0f, FOG_HEIGHT + 0.6f), text);
}

static void fog_describe_score(const char *name, const fog_lab *lab, const fog_score *score,
                               int32_t who, ploy_describe *out) {
    ploy_describe_begin(out, name);
    ploy_describe_f64(out, "share", PLOY_DERIVED, (double)fog_share(lab, who));
    ploy_describe_i64(out, "right", PLOY_STATE, score->right);
    ploy_describe_i64(out, "count", PLOY_STATE, score->count);
    ploy_describe_i64(out, "right in this game", PLOY_STATE, lab->game_scores[who].right);
    ploy_describe_end(out);
}

static void fog_describe(const void *state, ploy_describe *out) {
    const fog_lab *lab = state;
    ploy_describe_u64(out, "key", PLOY_STATE, lab->key.bits);
    ploy_describe_i64(out, "game", PLOY_STATE, lab->game);
    ploy_describe_i64(out, "age", PLOY_STATE, lab->age);
    ploy_describe_i64(out, "sweeps", PLOY_STATE, lab->sweeps);
    fog_describe_score("learned", lab, &lab->learned, 0, out);
    fog_describe_score("nearest seen", lab, &lab->nearest, 1, out);
    fog_describe_score("all safe", lab, &lab->safe, 2, out);
    ploy_describe_begin(out, "recent");
    for (int32_t i = 0; i < FOG_SCORED; i++) {
        for (int32_t k = 0; k < 3; k++) {
            ploy_describe_f32(out, "share of a game", PLOY_STATE, lab->recent[i][k]);
        }
    }
    ploy_describe_end(out);
    ploy_describe_begin(out, "scouts");
    for (uint32_t i = 0; i < FOG_SCOUTS; i++) {
        ploy_describe_begin_item(out, (int32_t)i);
        ploy_describe_vec2(out, "at", PLOY_STATE, lab->scouts[i].x, lab->scouts[i].y);
        ploy_describe_end(out);
    }
    ploy_describe_end(out);
    ploy_describe_begin(out, "map"); // rows of letters: d and s were seen, D and S were not
    for (int32_t y = FOG_HEIGHT - 1; y >= 0; y--) {
        char row[FOG_WIDTH + 1];
        for (int32_t x = 0; x < FOG_WIDTH; x++) {
            int32_t tile = y * FOG_WIDTH + x;
            row[x] = lab->dangerous[tile] ? (lab->seen[tile] ? 'd' : 'D')
                     : lab->seen[tile]    ? 's'
                                          : 'S';
        }
        row[FOG_WIDTH] = 0;
        ploy_describe_text(out, "row", PLOY_STATE, row);
    }
    ploy_describe_end(out);
    ploy_describe_i64(out, "maps learned", PLOY_DERIVED, ploy_hebb_patterns(lab->hebb));
    ploy_describe_u64(out, "links", PLOY_STATE, ploy_visit_hash(ploy_hebb_visit, lab->hebb, NULL));
}

static const ploy_command fog_commands[] = {
    {"again", "forget everything", PLOY_VALUE_NONE, false, "r"},
};

extern const ploy_sim_type ploy_lab_fog; // in labs.c
const ploy_sim_type ploy_lab_fog = {
    .name = "fog",
    .title = "Fog of war",
    .help = "Scouts see a part of the map; a Hebbian grid predicts where the rest is dangerous. It "
            "learns the whole map when a game ends, and soon recognises the enemy's plan from what "
            "is seen. The rule beside it continues the nearest seen tile.",
    .version = 1,
    .capabilities = PLOY_SIM_INTERACTIVE,
    .dt = 1.0f / 10.0f,
    .view = {-0.5f, -0.5f, 24.5f, 20.0f},
    .fields = fog_fields,
    .commands = fog_commands,
    .command_count = sizeof fog_commands / sizeof fog_commands[0],
    .create = fog_create,
    .destroy = NULL, // the region goes with the simulation
    .step = fog_step,
    .draw = fog_draw,
    .describe = fog_describe,
};
