// A small stealth game: six guards with eyes, ears and one behavior tree, and an intruder on its way
// through a level of tiles.
//
//     stealth [--folder F] [--ticks N] [--window] [--serve] [--png F] [--save F] [--load F]
//
// --window shows it with SDL2, --serve in a browser with pause, rewind and why, --png writes the last
// picture. Without --ticks it runs until it is stopped; at the end it prints the level.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ploy/inspect/http.h"
#include "ploy/ploy.h"
#ifdef STEALTH_PNG
#include "ploy/inspect/png.h"
#endif
#ifdef STEALTH_SDL
#include <SDL.h>
#endif

enum { GUARDS = 6, STOPS = 9, SOUND = 0, PIXELS = 24 }; // pixels a metre

#define TRY(call)                           \
    do {                                    \
        ploy_result tried = (call);         \
        if (tried != PLOY_OK) return tried; \
    } while (0)

// The data files, read once; env.user points to them.
typedef struct files {
    ploy_buffer level, tree, characters, save; // save: empty for a new game
} files;

typedef struct game {
    ploy_tiles *tiles;
    ploy_rings *walls;
    ploy_navmesh *mesh;
    ploy_plain_scene *plain;
    ploy_scene scene;
    ploy_planners *planners;
    ploy_path_service service;
    ploy_engine *engine;
    ploy_modalities *modalities;
    ploy_senses *senses;
    ploy_bt_file *tree;
    ploy_characters *kinds;
    ploy_cast *cast;                             // bodies, paths, eyes, ears, memories, minds
    ploy_slot alarm, heard, quarry, noise, post; // keys of the guards' boards
    ploy_agent_id guards[GUARDS], player;
    ploy_vec2 posts[GUARDS][2], route[STOPS];
    int32_t stops;
    int32_t at_post[GUARDS], stop, caught, escapes; // what changes, besides the parts above
    float next_step;                                // s until the intruder is heard again
} game;

typedef struct game_def {
    uint32_t cookie;
    float player_speed;
    int32_t think_units;
} game_def;

static ploy_fields game_fields(void) {
    static const ploy_field fields[] = {
        PLOY_FIELD_F32(game_def, player_speed, 4.5f, 1, 5, "m/s", "of the intruder when it runs"),
        PLOY_FIELD_I32(game_def, think_units, 200, 1, 10000, "", "budget of all minds in a tick"),
    };
    return PLOY_FIELDS(game_def, fields);
}

// ---- the place: one level text becomes walls, floor, mesh, scene and crowd

static ploy_result build_place(game *g, const files *from, const ploy_env *env) {
    TRY(ploy_tiles_from_text(from->level.bytes, from->level.size, "#", "level.txt", env, NULL,
                             &g->tiles));
    for (char c = 'a'; c < 'a' + GUARDS; c++) { // from the small letter to the large one
        ploy_tiles_find_kind(g->tiles, (uint8_t)c, &g->posts[c - 'a'][0]);
        ploy_tiles_find_kind(g->tiles, (uint8_t)(c - 'a' + 'A'), &g->posts[c - 'a'][1]);
    }
    while (g->stops < STOPS &&
           ploy_tiles_find_kind(g->tiles, (uint8_t)('1' + g->stops), &g->route[g->stops])) {
        g->stops++;
    }
    ploy_rings *floor = NULL;
    TRY(ploy_rings_create(env, &g->walls));
    TRY(ploy_rings_create(env, &floor));
    TRY(ploy_rings_from_tiles(g->tiles, env, g->walls, floor));
    ploy_navmesh_def mesh = ploy_navmesh_def_default();
    mesh.radius = 0.4f;
    TRY(ploy_navmesh_create_rings(&mesh, floor, PLOY_FILL_NON_ZERO, NULL, 0, env, NULL, &g->mesh));
    ploy_rings_destroy(floor);
    ploy_plain_scene_def plain = ploy_plain_scene_def_default();
    TRY(ploy_plain_scene_create(&plain, env, &g->plain));
    TRY(ploy_plain_scene_add_rings(g->plain, g->walls, 0, 1, NULL));
    g->scene = ploy_plain_scene_interface(g->plain);
    ploy_planners_def planners = ploy_planners_def_default();
    TRY(ploy_planners_create(&planners, env, &g->planners));
    ploy_navmesh_finder_def search = ploy_navmesh_finder_def_default();
    search.mesh = g->mesh;
    ploy_finder_factory finder = ploy_navmesh_finder(&search);
    TRY(ploy_planners_add_finder(g->planners, (ploy_name){0}, &finder));
    g->service = ploy_planners_service(g->planners);

    ploy_engine_def engine = ploy_engine_def_default();
    TRY(ploy_engine_create(&engine, env, &g->engine));
    ploy_cast_def cast = ploy_cast_def_default();
    cast.crowd.capacity = GUARDS + 1;
    cast.modality = SOUND;
    ploy_cast_place place = {g->service, &g->scene, g->walls, g->engine};
    TRY(ploy_cast_create(&cast, &place, env, &g->cast));
    ploy_modality sound = ploy_modality_of(PLOY_SENSE_SOUND);
    TRY(ploy_modalities_create(&sound, 1, env, &g->modalities));
    ploy_senses_def senses = ploy_senses_def_default();
    senses.modalities = g->modalities;
    senses.poses = ploy_cast_poses(g->cast);
    TRY(ploy_senses_create(&senses, env, &g->senses));
    return ploy_cast_connect_senses(g->cast, g->senses);
}

// ---- the minds: leaves of guard.xml, and what eyes and ears put on the board

static ploy_character *me(ploy_bt_call *call) {
    return ploy_cast_get(((game *)call->user)->cast, call->context->agent);
}

static ploy_vec2 go_place(ploy_bt_call *call) {
    ploy_value v = ploy_value_none();
    (void)ploy_bt_port_get(call, 0, &v);
    return ploy_vec2_make(v.as.vec[0], v.as.vec[1]);
}

// Go: the leaf's state is the number of its trip, so that its stop ends no other leaf's path.
static ploy_result go_start(ploy_bt_call *call) {
    ploy_value speed;
    TRY(ploy_bt_port_get(call, 1, &speed));
    return ploy_cast_go(((game *)call->user)->cast, call->context->agent, go_place(call),
                        speed.as.f32, call->state);
}
static ploy_result go_step(ploy_bt_call *call, ploy_status *status) {
    ploy_navigator_set_goal(me(call)->navigator, ploy_vec3_from_vec2(go_place(call), 0));
    ploy_navigator_state state = ploy_navigator_state_of(me(call)->navigator);
    bool on_trip = state == PLOY_NAVIGATOR_WAITING || state == PLOY_NAVIGATOR_FOLLOWING;
    *status = state == PLOY_NAVIGATOR_ARRIVED ? PLOY_STATUS_SUCCESS
              : on_trip                       ? PLOY_STATUS_RUNNING
                                              : PLOY_STATUS_FAILURE;
    return PLOY_OK;
}
static void go_stop(ploy_bt_call *call, ploy_exit_reason reason) {
    (void)reason;
    ploy_cast_stop(((game *)call->user)->cast, call->context->agent, *(uint32_t *)call->state);
}

static ploy_result look_step(ploy_bt_call *call, ploy_status *status) {
    float *seconds = call->state; // zero at each start
    ploy_value most;
    TRY(ploy_bt_port_get(call, 0, &most));
    *seconds += call->context->dt;
    me(call)->turn = 1.5f;
    *status = *seconds >= most.as.f32 ? PLOY_STATUS_SUCCESS : PLOY_STATUS_RUNNING;
    return PLOY_OK;
}
static void look_stop(ploy_bt_call *call, ploy_exit_reason reason) {
    (void)reason;
    me(call)->turn = 0;
}

static ploy_result next_step(ploy_bt_call *call, ploy_status *status) {
    game *g = call->user;
    uint32_t i = call->context->agent.id.index; // guards were added first
    g->at_post[i] = 1 - g->at_post[i];
    ploy_vec2 to = g->posts[i][g->at_post[i]];
    ploy_value v = ploy_value_vec2(to.x, to.y);
    *status = PLOY_STATUS_SUCCESS;
    return ploy_bt_port_set(call, 0, &v);
}

static void search_at(const game *g, ploy_blackboard *board, const float *where) {
    (void)ploy_blackboard_set_vec(board, g->noise, where);
    (void)ploy_blackboard_set_bool(board, g->heard, true);
}

static void hear(void *user, const ploy_percept *percept) {
    const game *g = user;
    ploy_blackboard *board = ploy_cast_get(g->cast, percept->sensor)->board;
    if (!ploy_blackboard_get_bool(board, g->alarm)) search_at(g, board, &percept->from.x);
}

// Eyes to memory, memory to board.
static void look(game *g, ploy_character *guard, double now, ploy_trace *trace) {
    ploy_cast_look(g->cast, guard->id, g->player, now, trace);
    ploy_vec3 last = {0, 0, 0};
    bool before = ploy_blackboard_get_bool(guard->board, g->alarm);
    bool alarm = ploy_sense_memory_time_out_of_view(guard->memory, g->player, now) < 2.5 &&
                 ploy_sense_memory_position(guard->memory, g->player, &last);
    (void)ploy_blackboard_set_bool(guard->board, g->alarm, alarm);
    if (alarm) (void)ploy_blackboard_set_vec(guard->board, g->quarry, &last.x);
    if (!before || alarm) return;
    float quarry[4]; // lost: look where it was last
    ploy_blackboard_get_vec(guard->board, g->quarry, quarry);
    search_at(g, guard->board, quarry);
}

static ploy_result load_minds(game *g, const files *from, const ploy_env *env) {
    static const ploy_bt_port go_ports[] = {{"place", PLOY_VALUE_VEC2, false},
                                            {"speed", PLOY_VALUE_F32, false}};
    static const ploy_bt_port look_ports[] = {{"seconds", PLOY_VALUE_F32, false}};
    static const ploy_bt_port next_ports[] = {{"post", PLOY_VALUE_VEC2, false}};
    static const ploy_bt_leaf go = {.name = "Go",
                                    .start = go_start,
                                    .step = go_step,
                                    .stop = go_stop,
                                    .ports = go_ports,
                                    .port_count = 2,
                                    .state_size = sizeof(uint32_t)};
    static const ploy_bt_leaf round = {.name = "LookRound",
                                       .step = look_step,
                                       .stop = look_stop,
                                       .ports = look_ports,
                                       .port_count = 1,
                                       .state_size = sizeof(float)};
    static const ploy_bt_leaf next = {
        .name = "NextPost", .step = next_step, .ports = next_ports, .port_count = 1};
    static const ploy_blackboard_key keys[] = {
        {"alarm", PLOY_VALUE_BOOL, {PLOY_VALUE_NONE, {0}}, "sees the intruder, or just did"},
        {"heard", PLOY_VALUE_BOOL, {PLOY_VALUE_NONE, {0}}, "something to look into"},
        {"quarry", PLOY_VALUE_VEC2, {PLOY_VALUE_NONE, {0}}, "where the intruder was last"},
        {"noise", PLOY_VALUE_VEC2, {PLOY_VALUE_NONE, {0}}, "where something was heard"},
        {"post", PLOY_VALUE_VEC2, {PLOY_VALUE_NONE, {0}}, "next place of the round"},
    };
    const ploy_bt_file_leaf leaves[] = {{&go, g, false}, {&round, g, false}, {&next, g, false}};
    ploy_bt_file_def file = ploy_bt_file_def_default();
    file.leaves = leaves, file.leaf_count = 3, file.keys = keys, file.key_count = 5;
    TRY(ploy_bt_file_load(from->tree.bytes, from->tree.size, "guard.xml", &file, env, NULL,
                          &g->tree));
    const ploy_bt *bt = ploy_bt_file_main(g->tree);
    const ploy_blackboard_layout *layout = ploy_bt_file_layout(g->tree, bt);
    g->alarm = ploy_blackboard_layout_find(layout, "alarm");
    g->heard = ploy_blackboard_layout_find(layout, "heard");
    g->quarry = ploy_blackboard_layout_find(layout, "quarry");
    g->noise = ploy_blackboard_layout_find(layout, "noise");
    g->post = ploy_blackboard_layout_find(layout, "post");
    ploy_setup_layout layouts[] = {{"guard", layout}};
    ploy_character_mind minds[] = {{"guard", ploy_bt_maker(bt)}};
    ploy_character_section sections[] = {{"character", ploy_character_fields}};
    ploy_character_source source = {layouts, 1, minds, 1, sections, 1};
    TRY(ploy_characters_load(from->characters.bytes, from->characters.size, "characters.json",
                             &source, env, NULL, &g->kinds));
    int32_t guard = ploy_characters_find(g->kinds, "guard");
    for (int32_t i = 0; i < GUARDS; i++) {
        TRY(ploy_cast_add_kind(g->cast, g->kinds, guard, g->posts[i][0], 0, &g->guards[i]));
        float post[4] = {g->posts[i][0].x, g->posts[i][0].y, 0, 0};
        ploy_character *guard_of = ploy_cast_get(g->cast, g->guards[i]);
        TRY(ploy_blackboard_set_vec(guard_of->board, g->post, post));
    }
    return ploy_cast_add_kind(g->cast, g->kinds, ploy_characters_find(g->kinds, "intruder"),
                              g->route[0], 0, &g->player);
}

// ---- the simulation

// All state but the engine's (clocks, boards, minds), each part once: for describe, hash and save.
static void game_visit(ploy_visit *v, void *state) {
    game *g = state;
    ploy_visit_i32_in(v, "stop", PLOY_STATE, &g->stop, 0, STOPS - 1);
    ploy_visit_i32(v, "caught", PLOY_STATE, &g->caught);
    ploy_visit_i32(v, "escapes", PLOY_STATE, &g->escapes);
    ploy_visit_f32(v, "next step", PLOY_STATE, &g->next_step);
    ploy_visit_fixed(v, "posts", PLOY_SAVED, GUARDS);
    for (int32_t i = 0; i < GUARDS; i++)
        ploy_visit_i32_in(v, "post", PLOY_STATE, &g->at_post[i], 0, 1);
    ploy_visit_end(v);
    const struct {
        const char *name;
        ploy_visitor visit;
        void *part;
    } parts[] = {{"cast", ploy_cast_visit, g->cast},
                 {"paths", ploy_planners_visit, g->planners},
                 {"senses", ploy_senses_visit, g->senses}};
    for (int32_t i = 0; i < 3; i++) {
        ploy_visit_begin(v, parts[i].name, PLOY_STATE);
        parts[i].visit(v, parts[i].part);
        ploy_visit_end(v);
    }
}

static ploy_save game_save(game *g) {
    ploy_save save = ploy_save_make("stealth", 1);
    save.visit = game_visit, save.object = g, save.engine = g->engine;
    return save;
}

static ploy_result game_create(const void *params, ploy_rng_key key, const ploy_env *env,
                               void **out) {
    (void)params, (void)key;
    const files *from = env->user;
    game *g = ploy_env_alloc_zero(env, sizeof *g);
    if (g == NULL) return PLOY_ERR_MEMORY;
    *out = g;
    TRY(build_place(g, from, env));
    TRY(load_minds(g, from, env));
    if (from->save.size == 0) return PLOY_OK;
    ploy_save save = game_save(g);
    return ploy_save_load(&save, from->save.bytes, from->save.size, "save", env, NULL);
}

static ploy_result make_noise(game *g, ploy_vec2 at, float strength, double now) {
    ploy_signal s =
        ploy_signal_make(SOUND, strength, ploy_vec3_from_vec2(at, 0), ploy_name_of("noise"));
    return ploy_senses_add_signal(g->senses, &s, now);
}

// The intruder goes from digit to digit, and runs every other leg.
static ploy_result player_step(game *g, const game_def *def, double now, float dt) {
    ploy_character *me = ploy_cast_get(g->cast, g->player);
    ploy_navigator_state state = ploy_navigator_state_of(me->navigator);
    bool runs = g->stop % 2 == 0;
    if (state == PLOY_NAVIGATOR_IDLE || state == PLOY_NAVIGATOR_ARRIVED) {
        g->escapes += g->stop == g->stops - 1;
        g->stop = g->stop % (g->stops - 1) + 1;
        TRY(ploy_cast_go(g->cast, g->player, g->route[g->stop], 3, NULL));
    }
    me->speed = runs ? def->player_speed : 3;
    g->next_step -= dt;
    if (!runs || g->next_step > 0) return PLOY_OK;
    g->next_step = 0.4f;
    return make_noise(g, ploy_cast_position(g->cast, g->player), 0.7f, now);
}

// Caught: everybody begins again, and the guards forget.
static ploy_result player_caught(game *g) {
    g->caught++, g->stop = 0;
    for (int32_t i = 0; i < GUARDS; i++) {
        ploy_character *guard = ploy_cast_get(g->cast, g->guards[i]);
        TRY(ploy_cast_move_to(g->cast, guard->id, g->posts[i][0]));
        ploy_sense_memory_clear(guard->memory);
        TRY(ploy_blackboard_set_bool(guard->board, g->heard, false));
        TRY(ploy_blackboard_set_bool(guard->board, g->alarm, false));
    }
    return ploy_cast_move_to(g->cast, g->player, g->route[0]);
}

static ploy_result game_step(void *state, const ploy_sim_context *c) {
    game *g = state;
    const game_def *def = c->params;
    double now = ploy_engine_now(g->engine);
    for (int32_t i = 0; i < c->input_count; i++) { // the only command: a coin is thrown
        const float *at = c->inputs[i].value.as.vec;
        if (c->inputs[i].kind == PLOY_INPUT_COMMAND)
            TRY(make_noise(g, ploy_vec2_make(at[0], at[1]), 2, now));
    }
    TRY(player_step(g, def, now, c->dt));
    TRY(ploy_senses_step(g->senses, now, NULL, hear, g));
    for (int32_t i = 0; i < GUARDS; i++) look(g, ploy_cast_at(g->cast, i), now, c->trace);
    ploy_budget thinking = ploy_budget_units(def->think_units), paths = ploy_budget_units(200);
    ploy_engine_frame frame = {NULL, c->scratch, c->trace, g, g};
    TRY(ploy_engine_step(g->engine, c->dt, &thinking, &frame));
    ploy_result searched = ploy_path_service_step(&g->service, &paths);
    if (searched < 0) return searched;
    TRY(ploy_cast_step(g->cast, c->dt, NULL));
    ploy_vec2 player = ploy_cast_position(g->cast, g->player);
    for (int32_t i = 0; i < GUARDS; i++)
        if (ploy_vec2_distance(ploy_cast_position(g->cast, g->guards[i]), player) < 0.9f)
            return player_caught(g);
    return PLOY_OK;
}

static void game_draw(const void *state, ploy_draw *out) {
    const game *g = state;
    ploy_rings_draw(g->walls, PLOY_LAYER_WORLD, PLOY_STYLE_WALL, out);
    ploy_senses_draw(g->senses, out);
    ploy_cast_draw(g->cast, ploy_engine_now(g->engine), out);
    for (int32_t i = 0; i < GUARDS; i++) {
        const ploy_character *guard = ploy_cast_get(g->cast, g->guards[i]);
        ploy_vec2 at = ploy_cast_position(g->cast, g->guards[i]);
        bool alarm = ploy_blackboard_get_bool(guard->board, g->alarm);
        bool heard = ploy_blackboard_get_bool(guard->board, g->heard);
        ploy_draw_text(out, guard->id, ploy_vec2_make(at.x, at.y + 0.6f),
                       alarm   ? "chase"
                       : heard ? "search"
                               : "patrol");
    }
    ploy_draw_circle(out, PLOY_LAYER_REGIONS, PLOY_STYLE_TARGET, g->player, g->route[g->stop],
                     0.5f);
}

static void game_describe(const void *state, ploy_describe *out) {
    const game *g = state;
    ploy_visit_describe(game_visit, g, NULL, out);
    ploy_describe_begin(out, "engine");
    ploy_engine_describe(g->engine, out);
    ploy_describe_end(out);
}

static const ploy_command game_commands[] = {
    {"coin", "throw a coin there", PLOY_VALUE_VEC2, false, "Pointer"}};
static const ploy_sim_type stealth = {.name = "stealth",
                                      .title = "Stealth",
                                      .help = "Six guards and an intruder. Click to throw a coin.",
                                      .version = 1,
                                      .capabilities = PLOY_SIM_INTERACTIVE,
                                      .dt = 1.0f / 60.0f,
                                      .view = {0, 0, 44, 25},
                                      .fields = game_fields,
                                      .commands = game_commands,
                                      .command_count = 1,
                                      .create = game_create,
                                      .step = game_step,
                                      .draw = game_draw,
                                      .describe = game_describe};

// ---- the program

static ploy_result read_file(const char *folder, const char *name, const ploy_env *env,
                             ploy_buffer *out) {
    char path[512];
    snprintf(path, sizeof path, "%s%s%s", folder, folder[0] != 0 ? "/" : "", name);
    ploy_result result = ploy_os_read_file(path, 0, env, out);
    if (result != PLOY_OK) fprintf(stderr, "stealth: cannot read %s\n", path);
    return result;
}

// The level with everybody in it: G guards (! those who chase), @ the intruder.
static void print_level(const game *g) {
    int32_t width = ploy_tiles_width(g->tiles), height = ploy_tiles_height(g->tiles);
    for (int32_t row = height - 1; row >= 0; row--) {
        char line[128] = "";
        for (int32_t x = 0; x < width && x < 127; x++)
            line[x] = ploy_tiles_passable(g->tiles, row * width + x) ? '.' : '#';
        for (int32_t i = 0; i <= GUARDS; i++) {
            ploy_agent_id who = i < GUARDS ? g->guards[i] : g->player;
            ploy_vec2 at = ploy_cast_position(g->cast, who);
            bool chases = i < GUARDS &&
                          ploy_blackboard_get_bool(ploy_cast_get(g->cast, who)->board, g->alarm);
            if ((int32_t)at.y == row) line[(int32_t)at.x] = i == GUARDS ? '@' : chases ? '!' : 'G';
        }
        printf("%s\n", line);
    }
    printf("caught %d times, escaped %d times\n", (int)g->caught, (int)g->escapes);
}

#ifdef STEALTH_SDL
typedef struct window {
    SDL_Window *window;
    SDL_Renderer *renderer;
    SDL_Texture *texture;
} window;

static void window_open(window *w, const ploy_canvas *canvas) {
    int width = ploy_canvas_width(canvas), height = ploy_canvas_height(canvas);
    SDL_Init(SDL_INIT_VIDEO);
    w->window = SDL_CreateWindow("stealth", SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED, width,
                                 height, 0);
    w->renderer = SDL_CreateRenderer(w->window, -1, SDL_RENDERER_PRESENTVSYNC);
    w->texture = SDL_CreateTexture(w->renderer, SDL_PIXELFORMAT_RGB24, SDL_TEXTUREACCESS_STREAMING,
                                   width, height);
}
// Shows the picture; a click throws a coin. False when the window is closed.
static bool window_step(window *w, const ploy_canvas *canvas, ploy_recorder *recorder, bool held) {
    SDL_UpdateTexture(w->texture, NULL, ploy_canvas_pixels(canvas), 3 * ploy_canvas_width(canvas));
    SDL_RenderCopy(w->renderer, w->texture, NULL, NULL);
    SDL_RenderPresent(w->renderer);
    for (SDL_Event event; SDL_PollEvent(&event);) {
        if (event.type == SDL_QUIT) return false;
        if (event.type != SDL_MOUSEBUTTONDOWN || held) continue;
        ploy_input coin = {
            PLOY_INPUT_COMMAND,
            "coin",
            ploy_agent_id_none(),
            ploy_value_vec2((float)event.button.x / PIXELS, 25 - (float)event.button.y / PIXELS),
            NULL,
            0};
        (void)ploy_recorder_input(recorder, &coin, NULL);
    }
    return true;
}
#endif

int main(int argc, char **argv) {
    const char *folder = "", *png = NULL, *save = NULL, *load = NULL;
    long ticks = -1;
    bool serve = false, show = false;
    for (int i = 1; i < argc; i++) {
        bool more = i + 1 < argc;
        if (strcmp(argv[i], "--serve") == 0)
            serve = true;
        else if (strcmp(argv[i], "--window") == 0)
            show = true;
        else if (more && strcmp(argv[i], "--folder") == 0)
            folder = argv[++i];
        else if (more && strcmp(argv[i], "--ticks") == 0)
            ticks = atol(argv[++i]);
        else if (more && strcmp(argv[i], "--png") == 0)
            png = argv[++i];
        else if (more && strcmp(argv[i], "--save") == 0)
            save = argv[++i];
        else if (more && strcmp(argv[i], "--load") == 0)
            load = argv[++i];
        else
            return fprintf(stderr, "stealth: unknown option '%s'\n", argv[i]), 2;
    }
    ploy_env env = ploy_env_default();
    env.log = ploy_log_stderr;
    files from;
    memset(&from, 0, sizeof from);
    env.user = &from;
    TRY(read_file(folder, "level.txt", &env, &from.level));
    TRY(read_file(folder, "guard.xml", &env, &from.tree));
    TRY(read_file(folder, "characters.json", &env, &from.characters));
    if (load != NULL) TRY(read_file("", load, &env, &from.save));
    ploy_recorder_def def = ploy_recorder_def_default();
    ploy_recorder *recorder = NULL;
    TRY(ploy_recorder_create(&def, &stealth, NULL, NULL, &env, &recorder));
    ploy_canvas *canvas = NULL;
    TRY(ploy_canvas_create(stealth.view, 44 * PIXELS, &env, &canvas));
    ploy_inspect_server *server = NULL;
    if (serve) {
        TRY(ploy_inspect_attach_recorder(recorder, &env, &server));
        printf("open %s\n", ploy_inspect_server_url(server));
        fflush(stdout);
    }
#ifdef STEALTH_SDL
    window w;
    if (show) window_open(&w, canvas);
#else
    if (show) return fprintf(stderr, "stealth: built without SDL2\n"), 2;
#endif
    for (long i = 0; ticks < 0 || i < ticks; i++) {
        bool held = ploy_inspect_server_holds(server, recorder); // the page has paused it
        if (!held) TRY(ploy_recorder_step(recorder));
        if (server != NULL) TRY(ploy_inspect_server_step(server, show ? 0 : 16));
#ifdef STEALTH_SDL
        if (!show) continue;
        ploy_canvas_clear(canvas);
        ploy_draw sink = ploy_canvas_draw(canvas);
        ploy_sim_draw(ploy_recorder_sim(recorder), &sink);
        if (!window_step(&w, canvas, recorder, held)) break;
#endif
    }
    const game *g = ploy_sim_state(ploy_recorder_sim(recorder));
    print_level(g);
    ploy_buffer bytes;
    ploy_buffer_init(&bytes, 0, &env);
    ploy_writer writer = ploy_buffer_writer(&bytes);
    if (save != NULL) {
        ploy_save all = game_save((game *)g); // a save only reads
        TRY(ploy_save_write(&all, &writer));
        TRY(ploy_os_write_file(save, bytes.bytes, bytes.size, &env));
    }
#ifdef STEALTH_PNG
    if (png != NULL) {
        ploy_canvas_clear(canvas);
        ploy_draw sink = ploy_canvas_draw(canvas);
        ploy_sim_draw(ploy_recorder_sim(recorder), &sink);
        ploy_buffer_clear(&bytes);
        TRY(ploy_canvas_write_png(canvas, &writer));
        TRY(ploy_os_write_file(png, bytes.bytes, bytes.size, &env));
    }
#else
    if (png != NULL) return fprintf(stderr, "stealth: built without libpng\n"), 2;
#endif
    ploy_buffer_fini(&bytes);
    ploy_inspect_server_destroy(server);
    ploy_recorder_destroy(recorder);
    ploy_canvas_destroy(canvas);
    ploy_buffer *all[] = {&from.level, &from.tree, &from.characters, &from.save};
    for (int i = 0; i < 4; i++) ploy_buffer_fini(all[i]);
    return 0;
}
