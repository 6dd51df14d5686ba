// The lab of patterns: moves that are written down and played back. On the left a map of tiles,
// where a guard plays a patrol of lines, a walker takes random branches of a track, and a hunter
// intercepts the guard tile by tile. On the right craft play control instructions (square,
// zigzag, eights), and a swooper a list of moves. Break a pattern off, and it goes on later
// where it was.
//
// All state is in the one block patterns_lab.
#include "labs/lab_input.h"
#include "labs/labs.h"
#include "ploy/geom/angle.h"
#include "ploy/move/craft.h"
#include "ploy/move/moves.h"

enum { ROWS = 20, COLS = 18, PATROL_MAX = 128, CRAFT = 3, TRAIL = 240, TRAIL_EVERY = 4 };

static const float tile_size = 1.0f;                  // m
static const ploy_vec2 map_corner = {-19.5f, -10.0f}; // m, of row 0, column 0

static const char *const patterns_lab_ends[] = {"stop", "loop", "ping-pong"};

typedef struct patterns_lab_def {
    uint32_t cookie;
    float tile_period;
    ploy_moves_end end;
    int32_t hunter_pace;
    float floor;
    float thrust;
    ploy_craft_def craft;
} patterns_lab_def;

static const ploy_field patterns_lab_fields[] = {
    PLOY_FIELD_F32(patterns_lab_def, tile_period, 0.2, 0.02, 5, "s", "time of a turn on the tiles"),
    PLOY_FIELD_ENUM(patterns_lab_def, end, PLOY_MOVES_LOOP, patterns_lab_ends,
                    "what comes after the patrol's last tile"),
    PLOY_FIELD_I32(patterns_lab_def, hunter_pace, 1, 1, 20, "", "turns between the hunter's steps"),
    PLOY_FIELD_F32(patterns_lab_def, floor, 0.05, 0.001, 1, "",
                   "least part of the steering near a limit"),
    PLOY_FIELD_F32(patterns_lab_def, thrust, 0.7, 0, 1, "", "of the craft"),
    PLOY_FIELD_DEF(patterns_lab_def, craft, ploy_craft_fields, "the craft"),
};

static ploy_fields patterns_lab_get_fields(void) {
    return PLOY_FIELDS(patterns_lab_def, patterns_lab_fields);
}

typedef struct patterns_lab {
    patterns_lab_def def;
    float wait; // s until the next turn
    int32_t turn, caught;
    uint32_t broken_off; // patterns stand still
    ploy_tile patrol[PATROL_MAX];
    int32_t patrol_count;
    ploy_moves_state patrol_state;
    ploy_tile guard, guard_step, walker, walker_from, hunter, hunter_step, meeting;
    uint8_t track[ROWS * COLS];
    ploy_kinematic craft[CRAFT];
    ploy_maneuver_state maneuver[CRAFT];
    ploy_maneuver_output output[CRAFT];
    int32_t done[CRAFT]; // instructions
    ploy_kinematic swooper;
    ploy_moves_state swoop;
    int32_t bombs;
    ploy_vec2 trail[CRAFT][TRAIL];
    int32_t trail_count;
} patterns_lab;

// Control instructions: straight so far, then turned so much.
static const ploy_maneuver square[] = {{0, 1, 0, 5}, {-1, 0.7f, PLOY_HALF_PI_F, 0}};
static const ploy_maneuver zigzag[] = {
    {0, 1, 0, 3.5f}, {-1, 0.7f, 1.05f, 0}, {0, 1, 0, 3.5f}, {1, 0.7f, 1.05f, 0}};
static const ploy_maneuver eights[] = {{1, 1, PLOY_HALF_PI_F, 0},  {1, 1, PLOY_HALF_PI_F, 0},
                                       {1, 1, PLOY_HALF_PI_F, 0},  {1, 1, PLOY_HALF_PI_F, 0},
                                       {-1, 1, PLOY_HALF_PI_F, 0}, {-1, 1, PLOY_HALF_PI_F, 0},
                                       {-1, 1, PLOY_HALF_PI_F, 0}, {-1, 1, PLOY_HALF_PI_F, 0}};
static const char *const craft_names[CRAFT] = {"square", "zigzag", "eights"};

static ploy_maneuvers maneuvers_of(const patterns_lab *lab, int32_t i) {
    static const ploy_maneuver *const lists[CRAFT] = {square, zigzag, eights};
    static const int32_t counts[CRAFT] = {2, 4, 8};
    ploy_maneuvers out = {lists[i], counts[i], 0, lab->def.floor};
    return out;
}

// Down in a curve, drop something, and up again.
static ploy_moves swoop_moves(void) {
    enum { STEPS = 9 };
    static const ploy_move list[STEPS] = {
        {0.35f, 0.8f, {0}}, {0.35f, 0.8f, {0}}, {0.35f, 0.8f, {0}},
        {0, 0.8f, {1}},     {0, 0.8f, {0}},     {0.35f, 0.8f, {0}},
        {0.35f, 0.8f, {0}}, {0.35f, 0.8f, {0}}, {-0.1f, 0.8f, {0}}};
    ploy_moves moves = {list, STEPS, PLOY_MOVES_LOOP};
    return moves;
}

static ploy_track track_of(patterns_lab *lab) {
    ploy_track track = {lab->track, ROWS, COLS, false};
    return track;
}

static ploy_vec2 tile_middle(ploy_tile tile) {
    return ploy_vec2_make(map_corner.x + ((float)tile.col + 0.5f) * tile_size,
                          map_corner.y + ((float)tile.row + 0.5f) * tile_size);
}

static ploy_result make_map(patterns_lab *lab) {
    static const ploy_tile corners[] = {{3, 3}, {3, 14}, {9, 14}, {16, 6}, {16, 2}, {3, 3}};
    static const ploy_tile lines[][2] = {{{1, 1}, {1, 16}},   {{1, 16}, {18, 16}},
                                         {{18, 16}, {18, 1}}, {{18, 1}, {1, 1}},
                                         {{1, 8}, {18, 8}},   {{12, 1}, {12, 16}}};
    ploy_track track = track_of(lab);
    ploy_result result = PLOY_OK;
    for (size_t i = 0; i + 1 < sizeof corners / sizeof corners[0] && result == PLOY_OK; i++) {
        result = ploy_tile_line_append(PLOY_TILE_LINE_EXACT, corners[i], corners[i + 1], i > 0,
                                       lab->patrol, PATROL_MAX, &lab->patrol_count);
    }
    for (size_t i = 0; i < sizeof lines / sizeof lines[0] && result == PLOY_OK; i++) {
        result = ploy_track_line(&track, lines[i][0], lines[i][1]);
    }
    // The last tile is the first: going round, no agent pauses there.
    if (result == PLOY_OK) lab->patrol_count--;
    return result;
}

static ploy_result patterns_lab_create(const void *params, ploy_rng_key key, const ploy_env *env,
                                       void **out) {
    patterns_lab *lab = ploy_env_alloc_zero(env, sizeof *lab);
    if (lab == NULL) return PLOY_ERR_MEMORY;
    memcpy(&lab->def, params, sizeof lab->def);
    ploy_result result = make_map(lab);
    if (result != PLOY_OK) return result;
    lab->guard = lab->patrol[0];
    lab->walker.row = lab->walker.col = lab->walker_from.row = lab->walker_from.col = 1;
    lab->hunter.row = ploy_rng_int_at(key, 0, 0, 0, 0, ROWS - 1);
    lab->hunter.col = COLS - 1;
    static const ploy_vec2 starts[CRAFT] = {{1, 2}, {1, -6}, {15, -3}};
    for (int32_t i = 0; i < CRAFT; i++) {
        lab->craft[i] = ploy_kinematic_make(starts[i], i == 0 ? PLOY_HALF_PI_F : 0.0f);
        lab->craft[i].velocity = ploy_angle_heading(lab->craft[i].orientation);
        lab->maneuver[i] = ploy_maneuver_begin(lab->craft[i]);
    }
    lab->swooper = ploy_kinematic_make(ploy_vec2_make(12.0f, 6.0f), 0.0f);
    *out = lab;
    return PLOY_OK;
}

// ---- step ----

static ploy_tile tile_minus(ploy_tile a, ploy_tile b) {
    ploy_tile out = {a.row - b.row, a.col - b.col};
    return out;
}

static bool tile_same(ploy_tile a, ploy_tile b) {
    return a.row == b.row && a.col == b.col;
}

static void tell_guard(const patterns_lab *lab, ploy_trace *trace) {
    bool stays = lab->guard_step.row == 0 && lab->guard_step.col == 0;
    ploy_trace_begin(trace, ploy_agent_id_make(1, 1), "steer", "tile pattern");
    ploy_trace_i64(trace, "next of the list", lab->patrol_state.next);
    ploy_trace_option(trace, "next tile", stays ? PLOY_OUTCOME_REJECTED : PLOY_OUTCOME_WON, NAN,
                      stays ? "the list has ended" : "it follows in the list");
    ploy_trace_option(trace, "stay", stays ? PLOY_OUTCOME_WON : PLOY_OUTCOME_REJECTED, NAN,
                      stays ? "the list has ended" : "the list goes on");
    ploy_trace_end(trace);
}

// Every tile it could have gone to from where it was.
static void tell_walker(patterns_lab *lab, ploy_tile was, ploy_trace *trace) {
    if (trace == NULL) return;
    static const char *const ways[3][3] = {{"down left", "down", "down right"},
                                           {"left", "stay", "right"},
                                           {"up left", "up", "up right"}};
    ploy_track track = track_of(lab);
    ploy_tile around[8];
    int32_t count = ploy_track_neighbours(&track, was, around);
    ploy_trace_begin(trace, ploy_agent_id_make(2, 1), "steer", "track");
    for (int32_t i = 0; i < count; i++) {
        ploy_tile step = tile_minus(around[i], was);
        bool taken = tile_same(around[i], lab->walker);
        bool back = tile_same(around[i], lab->walker_from);
        ploy_trace_option(trace, ways[step.row + 1][step.col + 1],
                          taken  ? PLOY_OUTCOME_WON
                          : back ? PLOY_OUTCOME_REJECTED
                                 : PLOY_OUTCOME_LOST,
                          NAN,
                          taken  ? "drawn, or the only one"
                          : back ? "it came from there"
                                 : "not drawn");
    }
    ploy_trace_end(trace);
}

// What a craft plays of its list, and how much of that is left.
static void tell_craft(const patterns_lab *lab, int32_t i, const ploy_maneuvers *maneuvers,
                       int32_t played, ploy_trace *trace) {
    if (trace == NULL) return;
    const ploy_maneuver_state *state = &lab->maneuver[i];
    ploy_trace_begin(trace, ploy_agent_id_make((uint32_t)(4 + i), 1), "steer",
                     "control instructions");
    for (int32_t k = 0; k < maneuvers->count; k++) {
        float steer = maneuvers->list[k].steer;
        ploy_trace_option(trace,
                          steer > 0.0f   ? "left"
                          : steer < 0.0f ? "right"
                                         : "straight",
                          k == played ? PLOY_OUTCOME_WON : PLOY_OUTCOME_LOST, NAN,
                          k == played ? "it is this one's turn" : "another one's turn");
    }
    ploy_trace_f32(trace, "turned so far", state->turned);
    ploy_trace_f32(trace, "distance so far",
                   ploy_vec2_distance(state->start, lab->craft[i].position));
    ploy_trace_f32(trace, "steer", lab->output[i].steer);
    if (lab->broken_off != 0) ploy_trace_note(trace, "Broken off: nothing is played.");
    ploy_trace_end(trace);
}

static void take_turn(patterns_lab *lab, const ploy_sim_context *context) {
    ploy_track track = track_of(lab);
    ploy_tile origin = {0, 0}, before = lab->guard, next = before;
    if (ploy_tile_line_step(lab->patrol, lab->patrol_count, lab->def.end, origin,
                            &lab->patrol_state, &next)) {
        lab->guard = next;
    }
    lab->guard_step = tile_minus(lab->guard, before);
    tell_guard(lab, context->trace);
    ploy_tile was = lab->walker;
    lab->walker = ploy_track_step(&track, lab->walker, lab->walker_from, context->key, 1,
                                  (uint64_t)lab->turn);
    tell_walker(lab, was, context->trace);
    lab->walker_from = was;
    if (lab->turn % lab->def.hunter_pace == 0) {
        ploy_tile from = lab->hunter;
        lab->hunter = ploy_tile_intercept(from, lab->hunter_step, lab->guard, lab->guard_step, ROWS,
                                          COLS, &lab->meeting);
        lab->hunter_step = tile_minus(lab->hunter, from);
    }
    if (tile_same(lab->hunter, lab->guard)) {
        lab->caught++;
        lab->hunter.row = ploy_rng_int_at(context->key, 2, context->tick, 0, 0, ROWS - 1);
        lab->hunter.col = COLS - 1;
        lab->hunter_step = origin;
    }
    ploy_moves moves = swoop_moves();
    ploy_name action = {0};
    ploy_moves_step(&moves, &lab->swoop, &lab->swooper, &action);
    if (action.hash != 0) lab->bombs++;
    ploy_trace_begin(context->trace, ploy_agent_id_make(7, 1), "steer", "moves");
    ploy_trace_i64(context->trace, "next of the list", lab->swoop.next);
    bool drops = action.hash != 0;
    ploy_trace_option(context->trace, "drop", drops ? PLOY_OUTCOME_WON : PLOY_OUTCOME_REJECTED, NAN,
                      drops ? "the move that follows in the list" : "another move follows");
    ploy_trace_option(context->trace, "fly on", drops ? PLOY_OUTCOME_REJECTED : PLOY_OUTCOME_WON,
                      NAN, drops ? "another move follows" : "the move that follows in the list");
    ploy_trace_end(context->trace);
    lab->turn++;
    ploy_trace_begin(context->trace, ploy_agent_id_make(3, 1), "steer", "tile interception");
    ploy_trace_i64(context->trace, "row of the meeting", lab->meeting.row);
    ploy_trace_i64(context->trace, "column of the meeting", lab->meeting.col);
    ploy_trace_option(context->trace, "meeting", PLOY_OUTCOME_WON, NAN,
                      "where the guard will be if it keeps its step");
    ploy_trace_option(context->trace, "the guard's tile", PLOY_OUTCOME_LOST, NAN,
                      "the guard will have left it");
    ploy_trace_end(context->trace);
}

// Patterns advance forever: who leaves the right half comes in at its other side, and what the
// pattern counts from with it.
static void keep_in_picture(ploy_kinematic *craft, ploy_maneuver_state *maneuver) {
    static const ploy_vec2 low = {0.5f, -11.5f}, high = {19.5f, 11.5f};
    ploy_vec2 shift = {0.0f, 0.0f};
    if (craft->position.x > high.x) shift.x = low.x - high.x;
    if (craft->position.x < low.x) shift.x = high.x - low.x;
    if (craft->position.y > high.y) shift.y = low.y - high.y;
    if (craft->position.y < low.y) shift.y = high.y - low.y;
    craft->position = ploy_vec2_add(craft->position, shift);
    maneuver->start = ploy_vec2_add(maneuver->start, shift);
}

static ploy_result patterns_lab_step(void *state, const ploy_sim_context *context) {
    patterns_lab *lab = state;
    memcpy(&lab->def, context->params, sizeof lab->def);
    for (int32_t i = 0; i < context->input_count; i++) {
        const ploy_input *input = &context->inputs[i];
        if (lab_input_is(input, "break off")) lab->broken_off ^= 1u;
        if (lab_input_is(input, "begin")) {
            memset(&lab->patrol_state, 0, sizeof lab->patrol_state);
            for (int32_t k = 0; k < CRAFT; k++) {
                lab->maneuver[k] = ploy_maneuver_begin(lab->craft[k]);
            }
        }
        if (lab_input_is(input, "hunter")) {
            ploy_vec2 at = ploy_vec2_sub(lab_input_point(input), map_corner);
            lab->hunter.row = ploy_mini(ploy_maxi((int32_t)(at.y / tile_size), 0), ROWS - 1);
            lab->hunter.col = ploy_mini(ploy_maxi((int32_t)(at.x / tile_size), 0), COLS - 1);
        }
    }
    lab->wait -= context->dt;
    if (lab->wait <= 0.0f && lab->broken_off == 0) {
        lab->wait += lab->def.tile_period;
        take_turn(lab, context);
    }
    lab->wait = ploy_maxf(lab->wait, 0.0f);
    for (int32_t i = 0; i < CRAFT; i++) {
        ploy_maneuvers maneuvers = maneuvers_of(lab, i);
        ploy_maneuver_output output = {0.0f, 0.0f};
        int32_t before = lab->maneuver[i].index;
        if (lab->broken_off == 0) {
            ploy_maneuver_step(&maneuvers, &lab->maneuver[i], lab->craft[i], &output);
        }
        lab->done[i] += lab->maneuver[i].index != before;
        lab->output[i] = output;
        tell_craft(lab, i, &maneuvers, before, context->trace);
        ploy_craft_controls controls = {output.thrust * lab->def.thrust, output.steer};
        lab->craft[i] = ploy_craft_step(&lab->def.craft, lab->craft[i], controls, context->dt);
        keep_in_picture(&lab->craft[i], &lab->maneuver[i]);
        if (context->tick % TRAIL_EVERY == 0) {
            lab->trail[i][lab->trail_count % TRAIL] = lab->craft[i].position;
        }
    }
    if (context->tick % TRAIL_EVERY == 0) lab->trail_count++;
    return PLOY_OK;
}

// ---- sight ----

static void draw_tile(ploy_tile tile, ploy_style style, ploy_agent_id id, ploy_draw *out) {
    ploy_draw_disc(out, PLOY_LAYER_AGENTS, style, id, tile_middle(tile), 0.4f * tile_size, 1.0f);
}

static void patterns_lab_draw(const void *state, ploy_draw *out) {
    const patterns_lab *lab = state;
    ploy_draw_key(out, PLOY_STYLE_AGENT_A, "guard on its patrol");
    ploy_draw_key(out, PLOY_STYLE_AGENT_B, "hunter and swooper");
    ploy_draw_key(out, PLOY_STYLE_AGENT_C, "craft with patterns");
    ploy_draw_key(out, PLOY_STYLE_AGENT_D, "walker on the track");
    ploy_draw_key(out, PLOY_STYLE_WARNING, "meeting point of the hunter");
    ploy_draw_key(out, PLOY_STYLE_PATH, "patrol");
    ploy_draw_key(out, PLOY_STYLE_WALL, "track");
    ploy_draw_key(out, PLOY_STYLE_FORCE, "rudder");
    ploy_draw_key(out, PLOY_STYLE_GHOST, "trails");
    ploy_agent_id nobody = ploy_agent_id_none();
    float half = 0.5f * tile_size;
    for (int32_t i = 0; i < ROWS * COLS; i++) {
        ploy_tile tile = {i / COLS, i % COLS};
        ploy_vec2 at = tile_middle(tile);
        ploy_vec2 box[4] = {{at.x - half, at.y - half},
                            {at.x + half, at.y - half},
                            {at.x + half, at.y + half},
                            {at.x - half, at.y + half}};
        ploy_draw_polygon(out, PLOY_LAYER_WORLD,
                          lab->track[i] != 0 ? PLOY_STYLE_WALL : PLOY_STYLE_FLOOR, nobody, box, 4,
                          lab->track[i] != 0 ? 0.2f : 0.5f);
    }
    for (int32_t i = 0; i < lab->patrol_count; i++) {
        ploy_draw_point(out, PLOY_LAYER_PATHS, PLOY_STYLE_PATH, nobody,
                        tile_middle(lab->patrol[i]));
    }
    ploy_draw_line(out, PLOY_LAYER_PATHS, PLOY_STYLE_WARNING, ploy_agent_id_make(3, 1),
                   tile_middle(lab->hunter), tile_middle(lab->meeting));
    draw_tile(lab->guard, PLOY_STYLE_AGENT_A, ploy_agent_id_make(1, 1), out);
    draw_tile(lab->walker, PLOY_STYLE_AGENT_D, ploy_agent_id_make(2, 1), out);
    draw_tile(lab->hunter, PLOY_STYLE_AGENT_B, ploy_agent_id_make(3, 1), out);
    for (int32_t i = 0; i < CRAFT; i++) {
        ploy_agent_id id = ploy_agent_id_make((uint32_t)i + 4, 1);
        int32_t count = ploy_mini(lab->trail_count, TRAIL);
        for (int32_t k = 0; k < count; k++) {
            ploy_draw_point(out, PLOY_LAYER_PATHS, PLOY_STYLE_GHOST, id, lab->trail[i][k]);
        }
        const ploy_kinematic *craft = &lab->craft[i];
        ploy_kinematic_draw(craft, 0.4f, PLOY_STYLE_AGENT_C, id, out);
        ploy_vec2 heading = ploy_angle_heading(craft->orientation);
        ploy_vec2 bow = ploy_vec2_add_scaled(craft->position, heading, 0.4f);
        ploy_draw_arrow(out, PLOY_LAYER_FORCES, PLOY_STYLE_FORCE, id, bow,
                        ploy_vec2_add_scaled(bow, ploy_vec2_perp(heading), lab->output[i].steer));
        // Held within the view.
        ploy_draw_text(
            out, id, ploy_vec2_make(ploy_minf(craft->position.x, 17.0f), craft->position.y + 0.8f),
            craft_names[i]);
    }
    ploy_kinematic_draw(&lab->swooper, 0.35f, PLOY_STYLE_AGENT_B, ploy_agent_id_make(7, 1), out);
    ploy_draw_text(out, ploy_agent_id_make(7, 1),
                   ploy_vec2_make(lab->swooper.position.x, lab->swooper.position.y + 0.8f),
                   "swooper");
}

static void describe_tile(const char *name, ploy_tile tile, ploy_describe *out) {
    ploy_describe_vec2(out, name, PLOY_STATE, (float)tile.row, (float)tile.col);
}

static void patterns_lab_describe(const void *state, ploy_describe *out) {
    const patterns_lab *lab = state;
    ploy_describe_i64(out, "turn", PLOY_STATE, lab->turn);
    ploy_describe_f32(out, "wait", PLOY_STATE, lab->wait);
    ploy_describe_bool(out, "broken off", PLOY_STATE, lab->broken_off != 0);
    ploy_describe_i64(out, "caught", PLOY_STATE, lab->caught);
    ploy_describe_i64(out, "bombs", PLOY_STATE, lab->bombs);
    ploy_describe_i64(out, "place in the patrol", PLOY_STATE, lab->patrol_state.next);
    ploy_describe_bool(out, "patrol goes back", PLOY_STATE, lab->patrol_state.backward);
    ploy_describe_bool(out, "patrol finished", PLOY_STATE, lab->patrol_state.finished);
    ploy_describe_i64(out, "place in the swoop", PLOY_STATE, lab->swoop.next);
    describe_tile("guard", lab->guard, out);
    describe_tile("guard's step", lab->guard_step, out);
    describe_tile("walker", lab->walker, out);
    describe_tile("walker came from", lab->walker_from, out);
    describe_tile("hunter", lab->hunter, out);
    describe_tile("hunter's step", lab->hunter_step, out);
    describe_tile("meeting", lab->meeting, out);
    for (int32_t i = 0; i < CRAFT; i++) {
        ploy_describe_begin_agent(out, craft_names[i], ploy_agent_id_make((uint32_t)i + 4, 1));
        ploy_kinematic_describe(&lab->craft[i], PLOY_STATE, out);
        ploy_maneuver_describe(&lab->maneuver[i], out);
        ploy_describe_i64(out, "instructions done", PLOY_STATE, lab->done[i]);
        ploy_describe_end(out);
    }
    ploy_describe_begin_agent(out, "swooper", ploy_agent_id_make(7, 1));
    ploy_kinematic_describe(&lab->swooper, PLOY_STATE, out);
    ploy_describe_end(out);
}

static const ploy_command patterns_lab_commands[] = {
    {"hunter", "put the hunter there", PLOY_VALUE_VEC2, false, "Pointer"},
    {"break off", "break the patterns off, or go on", PLOY_VALUE_NONE, false, "b"},
    {"begin", "restart patrol and instructions", PLOY_VALUE_NONE, false, "r"},
};

extern const ploy_sim_type ploy_lab_patterns; // in labs.c
const ploy_sim_type ploy_lab_patterns = {
    .name = "patterns",
    .title = "Patterns of movement",
    .help = "Tile patrols, a track with random branches and an interception on tiles; control "
            "instructions for craft, and a list of moves. Click to put the hunter somewhere.",
    .version = 1,
    .capabilities = PLOY_SIM_INTERACTIVE,
    .dt = 1.0f / 60.0f,
    .view = {-20.0f, -12.0f, 20.0f, 12.0f},
    .fields = patterns_lab_get_fields,
    .commands = patterns_lab_commands,
    .command_count = sizeof patterns_lab_commands / sizeof patterns_lab_commands[0],
    .create = patterns_lab_create,
    .destroy = NULL, // the region goes with the simulation
    .step = patterns_lab_step,
    .draw = patterns_lab_draw,
    .describe = patterns_lab_describe,
};
