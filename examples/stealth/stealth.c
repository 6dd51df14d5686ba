// A small stealth game: six guards with eyes, ears, a radio and one behavior tree, and an intruder
// on its route through a level of tiles.
//
//     stealth [--ticks N] [--window] [--serve] [--png F] [--save F] [--load F] [--record F]
//             [--replay F]
//
// Run it in the folder of its data files. --window shows it with SDL2, --serve in a browser with
// pause, rewind and why; --png writes a picture of every second: F001.png, F002.png, ... Without
// --ticks it runs until it is stopped. At the end it prints the level.
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

enum { GUARDS = 6, STOPS = 4, PIXELS = 24 }; // pixels a metre
enum { LEVEL, TREE, CHARACTERS, SAVED, RECORDED, FILES };

#define TRY(call)                           \
    do {                                    \
        ploy_result tried = (call);         \
        if (tried != PLOY_OK) return tried; \
    } while (0)

// Keys of the guards' boards; guard.xml reads them.
enum { MODE, QUARRY, NOISE, NEAR, FAR, KEYS };
static const ploy_blackboard_key keys[KEYS] = {
    {"mode", PLOY_VALUE_TEXT, {PLOY_VALUE_NONE, {0}}, "patrol, search or chase"},
    {"quarry", PLOY_VALUE_VEC2, {PLOY_VALUE_NONE, {0}}, "where the intruder was last"},
    {"noise", PLOY_VALUE_VEC2, {PLOY_VALUE_NONE, {0}}, "where something was heard"},
    {"near", PLOY_VALUE_VEC2, {PLOY_VALUE_NONE, {0}}, "one end of the patrol"},
    {"far", PLOY_VALUE_VEC2, {PLOY_VALUE_NONE, {0}}, "the other end"},
};

typedef struct game {
    ploy_tiles *tiles;
    ploy_site *site; // walls, mesh, paths, engine, telegrams, senses and the cast of characters
    ploy_bt_file *tree;
    ploy_slot key[KEYS];
    ploy_agent_id guards[GUARDS], player;
    ploy_vec2 posts[GUARDS], route[STOPS];
    int32_t stop, caught, escapes; // what changes, besides the site
} game;

typedef struct game_def {
    uint32_t cookie;
    float player_speed;
} game_def;

static ploy_fields game_fields(void) {
    static const ploy_field fields[] = {
        PLOY_FIELD_F32(game_def, player_speed, 4.5f, 1, 5, "m/s", "of the intruder when it runs"),
    };
    return PLOY_FIELDS(game_def, fields);
}

// ---- the guards: what eyes, ears and radio put on their boards

static ploy_blackboard *board_of(const game *g, ploy_agent_id id) {
    return ploy_cast_get(g->site->cast, id)->board;
}

static const char *mode_of(const game *g, ploy_agent_id id) {
    return ploy_blackboard_get_text(board_of(g, id), g->key[MODE]);
}

static void search_at(const game *g, ploy_agent_id id, ploy_vec2 where) {
    if (strcmp(mode_of(g, id), "chase") == 0) return; // it knows better
    (void)ploy_blackboard_set_vec2(board_of(g, id), g->key[NOISE], where);
    (void)ploy_blackboard_set_text(board_of(g, id), g->key[MODE], "search");
}

static void hear(void *user, const ploy_percept *percept) {
    search_at(user, percept->sensor, ploy_vec2_from_vec3(percept->from));
}

static ploy_result radio(void *user, const ploy_message *message, bool *handled) {
    ploy_vec2 where;
    memcpy(&where, message->payload, sizeof where);
    search_at(user, message->receiver, where);
    *handled = true;
    return PLOY_OK;
}

// Eyes to memory, memory to board. A guard that begins to see the intruder calls the others, and
// one that has lost it searches where it was last.
static void look(game *g, ploy_agent_id id, ploy_trace *trace) {
    const ploy_character *guard = ploy_cast_get(g->site->cast, id);
    double now = ploy_site_now(g->site);
    ploy_vec3 at = {0, 0, 0};
    ploy_cast_look(g->site->cast, id, g->player, now, trace);
    bool before = strcmp(mode_of(g, id), "chase") == 0;
    bool now_seen = ploy_sense_memory_time_out_of_view(guard->memory, g->player, now) < 2.5 &&
                    ploy_sense_memory_position(guard->memory, g->player, &at);
    ploy_vec2 seen = ploy_vec2_from_vec3(at);
    if (now_seen) {
        (void)ploy_blackboard_set_text(guard->board, g->key[MODE], "chase");
        (void)ploy_blackboard_set_vec2(guard->board, g->key[QUARRY], seen);
    }
    if (now_seen && !before) { // the radio takes half a second
        ploy_message call = ploy_message_make(id, ploy_agent_id_none(), ploy_name_of("seen"));
        (void)ploy_message_set_payload(&call, &seen, sizeof seen);
        (void)ploy_telegrams_send_each(g->site->telegrams, &call, 0.5, g->guards, GUARDS, NULL);
    }
    if (before && !now_seen) {
        (void)ploy_blackboard_set_text(guard->board, g->key[MODE], "lost");
        search_at(g, id, ploy_blackboard_get_vec2(guard->board, g->key[QUARRY]));
    }
}

// ---- the simulation

static void game_visit(ploy_visit *v, void *state) { // all state: for describe, hash and save
    game *g = state;
    ploy_visit_i32_in(v, "stop", PLOY_STATE, &g->stop, 0, STOPS - 1);
    ploy_visit_i32(v, "caught", PLOY_STATE, &g->caught);
    ploy_visit_i32(v, "escapes", PLOY_STATE, &g->escapes);
    ploy_site_visit(v, g->site);
}

static ploy_save game_save(game *g) {
    ploy_save save = ploy_save_make("stealth", 2);
    save.visit = game_visit, save.object = g, save.engine = g->site->engine;
    return save;
}

// Makes the game of its data files. diags receives what is wrong with them.
static ploy_result load(game *g, const ploy_buffer *files, const ploy_env *env, ploy_diags *diags) {
    TRY(ploy_tiles_from_text(files[LEVEL].bytes, files[LEVEL].size, "#", "level.txt", env, diags,
                             &g->tiles));
    for (int i = 0; i < STOPS; i++) {
        ploy_tiles_find_kind(g->tiles, (uint8_t)('1' + i), &g->route[i]);
    }
    ploy_site_def def = ploy_site_def_default();
    def.cast.crowd.capacity = GUARDS + 1;
    TRY(ploy_site_from_tiles(&def, g->tiles, env, &g->site));
    ploy_telegrams_set_receiver(g->site->telegrams, radio, g);
    ploy_bt_file_def file = ploy_bt_file_def_default();
    file.find = ploy_character_leaf, file.find_user = g->site->cast; // Go and LookAround
    file.keys = keys, file.key_count = KEYS;
    TRY(ploy_bt_file_load(files[TREE].bytes, files[TREE].size, "guard.xml", &file, env, diags,
                          &g->tree));
    const ploy_bt *bt = ploy_bt_file_main(g->tree);
    const ploy_blackboard_layout *layout = ploy_bt_file_layout(g->tree, bt);
    for (int i = 0; i < KEYS; i++) {
        g->key[i] = ploy_blackboard_layout_find(layout, keys[i].name);
    }
    ploy_setup_layout layouts[] = {{"guard", layout}};
    ploy_character_mind minds[] = {{"guard", ploy_bt_maker(bt)}};
    ploy_character_section sections[] = {{"character", ploy_character_fields}};
    ploy_characters *kinds = NULL;
    ploy_character_source source = {layouts, 1, minds, 1, sections, 1};
    TRY(ploy_characters_load(files[CHARACTERS].bytes, files[CHARACTERS].size, "characters.json",
                             &source, env, diags, &kinds));
    int32_t guard = ploy_characters_find(kinds, "guard");
    int32_t intruder = ploy_characters_find(kinds, "intruder");
    for (int32_t i = 0; i < GUARDS; i++) { // from the small letter to the large one
        ploy_vec2 far = {0, 0};
        ploy_tiles_find_kind(g->tiles, (uint8_t)('a' + i), &g->posts[i]);
        ploy_tiles_find_kind(g->tiles, (uint8_t)('A' + i), &far);
        TRY(ploy_cast_add_kind(g->site->cast, kinds, guard, g->posts[i], 0, &g->guards[i]));
        TRY(ploy_blackboard_set_vec2(board_of(g, g->guards[i]), g->key[NEAR], g->posts[i]));
        TRY(ploy_blackboard_set_vec2(board_of(g, g->guards[i]), g->key[FAR], far));
    }
    TRY(ploy_cast_add_kind(g->site->cast, kinds, intruder, g->route[0], 0, &g->player));
    ploy_save save = game_save(g);
    if (files[SAVED].size == 0) return PLOY_OK;
    return ploy_save_load(&save, files[SAVED].bytes, files[SAVED].size, "save", env, diags);
}

static ploy_result game_create(const void *params, ploy_rng_key key, const ploy_env *env,
                               void **out) {
    (void)params, (void)key;
    const ploy_buffer *files = env->user; // the data files, read once
    ploy_diags *diags = NULL;
    game *g = ploy_env_alloc_zero(env, sizeof *g);
    if (g == NULL) return PLOY_ERR_MEMORY;
    *out = g;
    TRY(ploy_diags_create(16, env, &diags));
    ploy_result result = load(g, files, env, diags);
    ploy_diags_log(diags, env); // with line, column and the nearest name
    return result;
}

// The intruder goes from digit to digit. It runs every other leg, and then it is heard.
static ploy_result player_step(game *g, const game_def *def) {
    ploy_character *me = ploy_cast_get(g->site->cast, g->player);
    ploy_navigator_state state = ploy_navigator_state_of(me->navigator);
    if (state == PLOY_NAVIGATOR_IDLE || state == PLOY_NAVIGATOR_ARRIVED) {
        g->escapes += g->stop == STOPS - 1;
        g->stop = g->stop % (STOPS - 1) + 1;
        TRY(ploy_cast_go(g->site->cast, g->player, g->route[g->stop], 3, NULL));
    }
    me->speed = g->stop % 2 == 0 ? def->player_speed : 3;
    return PLOY_OK;
}

// Caught: all begin again, and the guards forget.
static ploy_result player_caught(game *g) {
    g->caught++, g->stop = 0;
    for (int32_t i = 0; i < GUARDS; i++) {
        TRY(ploy_cast_move_to(g->site->cast, g->guards[i], g->posts[i]));
        ploy_sense_memory_clear(ploy_cast_get(g->site->cast, g->guards[i])->memory);
        TRY(ploy_blackboard_set_text(board_of(g, g->guards[i]), g->key[MODE], "patrol"));
    }
    return ploy_cast_move_to(g->site->cast, g->player, g->route[0]);
}

static ploy_result game_step(void *state, const ploy_sim_context *c) {
    game *g = state;
    for (int32_t i = 0; i < c->input_count; i++) { // the only command: a coin is thrown
        const float *at = c->inputs[i].value.as.vec;
        if (c->inputs[i].kind == PLOY_INPUT_COMMAND)
            TRY(ploy_site_noise(g->site, ploy_vec2_make(at[0], at[1]), 2, ploy_name_of("coin")));
    }
    TRY(player_step(g, c->params));
    for (int32_t i = 0; i < GUARDS; i++) look(g, g->guards[i], c->trace);
    ploy_engine_frame frame = {NULL, c->scratch, c->trace, g, g};
    TRY(ploy_site_step(g->site, c->dt, &frame, hear, g));
    ploy_vec2 player = ploy_cast_position(g->site->cast, g->player);
    for (int32_t i = 0; i < GUARDS; i++) {
        ploy_vec2 at = ploy_cast_position(g->site->cast, g->guards[i]);
        if (ploy_vec2_distance(at, player) < 0.8f) return player_caught(g);
    }
    return PLOY_OK;
}

static void game_draw(const void *state, ploy_draw *out) {
    const game *g = state;
    ploy_site_draw(g->site, out);
    for (int32_t i = 0; i < GUARDS; i++) {
        ploy_vec2 at = ploy_cast_position(g->site->cast, g->guards[i]);
        ploy_draw_text(out, g->guards[i], ploy_vec2_make(at.x, at.y + 0.6f),
                       mode_of(g, g->guards[i]));
    }
    ploy_draw_circle(out, PLOY_LAYER_REGIONS, PLOY_STYLE_TARGET, g->player, g->route[g->stop],
                     0.5f);
}

static void game_describe(const void *state, ploy_describe *out) {
    ploy_visit_describe(game_visit, state, NULL, out);
}

static const ploy_command game_commands[] = {
    {"coin", "throw a coin there", PLOY_VALUE_VEC2, false, "Pointer"}};
static const ploy_sim_type stealth = {.name = "stealth",
                                      .title = "Stealth",
                                      .help = "Six guards and an intruder. Click to throw a coin.",
                                      .version = 2,
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

// The level with all characters: p, s or c for a guard that patrols, searches or chases, @ for the
// intruder.
static ploy_result print_level(const game *g, const ploy_env *env) {
    ploy_tiles_mark marks[GUARDS + 1];
    for (int32_t i = 0; i <= GUARDS; i++) {
        ploy_agent_id id = i < GUARDS ? g->guards[i] : g->player;
        marks[i].at = ploy_cast_position(g->site->cast, id);
        marks[i].mark = i < GUARDS ? mode_of(g, id)[0] : '@';
    }
    ploy_buffer text;
    ploy_buffer_init(&text, 0, env);
    ploy_writer writer = ploy_buffer_writer(&text);
    TRY(ploy_tiles_write_text(g->tiles, marks, GUARDS + 1, &writer));
    printf("%scaught %d times, escaped %d times\n", ploy_buffer_text(&text), (int)g->caught,
           (int)g->escapes);
    ploy_buffer_fini(&text);
    return PLOY_OK;
}

#ifdef STEALTH_SDL
// Shows the picture; a click throws a coin. False when the window is closed.
static bool window_step(SDL_Window *window, const ploy_canvas *canvas, ploy_recorder *recorder) {
    int width = ploy_canvas_width(canvas), height = ploy_canvas_height(canvas);
    SDL_Surface *picture = SDL_CreateRGBSurfaceWithFormatFrom(
        (void *)ploy_canvas_pixels(canvas), width, height, 24, 3 * width, SDL_PIXELFORMAT_RGB24);
    SDL_BlitSurface(picture, NULL, SDL_GetWindowSurface(window), NULL);
    SDL_UpdateWindowSurface(window);
    SDL_FreeSurface(picture);
    SDL_Delay(16);
    for (SDL_Event event; SDL_PollEvent(&event);) {
        if (event.type == SDL_QUIT) return false;
        if (event.type != SDL_MOUSEBUTTONDOWN) continue;
        ploy_input coin = {.kind = PLOY_INPUT_COMMAND, .name = "coin"};
        coin.value = ploy_value_vec2((float)event.button.x / PIXELS,
                                     (float)(height - event.button.y) / PIXELS);
        (void)ploy_recorder_input(recorder, &coin, NULL);
    }
    return true;
}
#endif

enum { TICKS, PNG, SAVE, LOAD, RECORD, REPLAY, WINDOW, SERVE, OPTIONS };

static ploy_result play(const char **option, ploy_recorder *recorder, const ploy_env *env) {
    ploy_canvas *canvas = NULL;
    ploy_inspect_server *server = NULL;
    TRY(ploy_canvas_create(stealth.view, 44 * PIXELS, env, &canvas));
    if (option[SERVE] != NULL) {
        TRY(ploy_inspect_attach_recorder(recorder, env, &server));
        printf("open %s\n", ploy_inspect_server_url(server));
        fflush(stdout);
    }
#ifdef STEALTH_SDL
    SDL_Window *window = NULL;
    if (option[WINDOW] != NULL && SDL_Init(SDL_INIT_VIDEO) == 0)
        window = SDL_CreateWindow("stealth", 0, 0, ploy_canvas_width(canvas),
                                  ploy_canvas_height(canvas), 0);
#endif
    long ticks = option[TICKS] != NULL ? atol(option[TICKS]) : -1;
    for (long i = 1; ticks < 0 || i <= ticks; i++) {
        bool held = ploy_inspect_server_holds(server, recorder); // the page has paused it
        if (!held) TRY(ploy_recorder_step(recorder));
        if (server != NULL) TRY(ploy_inspect_server_step(server, option[WINDOW] == NULL ? 16 : 0));
        bool picture = option[PNG] != NULL && i % 60 == 0;
        if (!picture && option[WINDOW] == NULL) continue;
        ploy_canvas_clear(canvas);
        ploy_draw sink = ploy_canvas_draw(canvas);
        ploy_sim_draw(ploy_recorder_sim(recorder), &sink);
#ifdef STEALTH_SDL
        if (window != NULL && !window_step(window, canvas, recorder)) break;
#endif
#ifdef STEALTH_PNG
        char path[512];
        snprintf(path, sizeof path, "%s%03ld.png", option[PNG], i / 60);
        if (picture) TRY(ploy_canvas_save_png(canvas, path, env));
#endif
    }
    ploy_inspect_server_destroy(server);
    ploy_canvas_destroy(canvas);
    return PLOY_OK;
}

static ploy_result run(const char **option, ploy_env *env) {
    const char *names[FILES] = {"level.txt", "guard.xml", "characters.json", option[LOAD],
                                option[REPLAY]};
    ploy_buffer files[FILES];
    for (int i = 0; i < FILES; i++) {
        ploy_buffer_init(&files[i], 0, env);
        if (names[i] == NULL || ploy_os_read_file(names[i], 0, env, &files[i]) == PLOY_OK) continue;
        fprintf(stderr, "stealth: cannot read '%s'\n", names[i]);
        return PLOY_ERR_NOT_FOUND;
    }
    env->user = files;
    const ploy_sim_type *types[] = {&stealth, NULL};
    ploy_recorder_def def = ploy_recorder_def_default();
    ploy_recorder *recorder = NULL;
    if (option[REPLAY] != NULL) { // executes the recording again and compares every hash
        TRY(ploy_recorder_load(files[RECORDED].bytes, files[RECORDED].size, option[REPLAY], types,
                               &def, NULL, env, NULL, &recorder));
        TRY(ploy_recorder_seek(recorder, ploy_recorder_end(recorder), NULL));
    } else {
        TRY(ploy_recorder_create(&def, &stealth, NULL, NULL, env, &recorder));
        TRY(play(option, recorder, env));
    }
    const game *g = ploy_sim_state(ploy_recorder_sim(recorder));
    TRY(print_level(g, env));
    ploy_save save = game_save((game *)g); // a save only reads
    if (option[SAVE] != NULL) TRY(ploy_save_write_file(&save, option[SAVE], env));
    if (option[RECORD] != NULL) TRY(ploy_recorder_save_file(recorder, option[RECORD], env));
    ploy_recorder_destroy(recorder);
    for (int i = 0; i < FILES; i++) ploy_buffer_fini(&files[i]);
    return PLOY_OK;
}

int main(int argc, char **argv) {
    static const char *const names[OPTIONS] = {"--ticks",  "--png",    "--save",   "--load",
                                               "--record", "--replay", "--window", "--serve"};
    const char *option[OPTIONS] = {NULL};
    for (int i = 1; i < argc; i++) {
        int k = 0;
        while (k < OPTIONS && strcmp(argv[i], names[k]) != 0) k++;
        if (k == OPTIONS || (k < WINDOW && i + 1 == argc))
            return fprintf(stderr, "stealth: unknown option or no value: '%s'\n", argv[i]), 2;
        option[k] = k < WINDOW ? argv[++i] : "yes";
    }
    ploy_env env = ploy_env_default();
    env.log = ploy_log_stderr;
    ploy_result result = run(option, &env);
    if (result != PLOY_OK) fprintf(stderr, "stealth: %s\n", ploy_result_text(result));
    return result == PLOY_OK ? 0 : 1;
}
