// Save a game and go on: a guard counts his rounds on an engine, a telegram is on its way. Both are
// written to one JSON text, read into a second game that was just set up, and both games go on
// alike. A damaged save is refused. Shows ploy/base/visit.h and ploy_engine_load.
#include <stdio.h>
#include <string.h>

#include "ploy/exec/engine.h"
#include "ploy/world/telegram.h"

typedef struct game {
    ploy_engine *engine;
    ploy_telegrams *telegrams;
    int64_t rounds; // of the guard
} game;

static ploy_result guard_step(void *self, ploy_step_context *context, ploy_status *status) {
    (void)context;
    ((game *)self)->rounds++;
    *status = PLOY_STATUS_RUNNING;
    return PLOY_OK;
}

// Every field of the guard, once: describing, hashing, saving and loading all use it.
static void guard_visit(ploy_visit *v, void *object) {
    ploy_visit_i64_in(v, "rounds", PLOY_STATE, &((game *)object)->rounds, 0, INT64_MAX);
}

static const ploy_behavior_type guard_type = {
    .name = "guard", .step = guard_step, .visit = guard_visit};

static ploy_result game_open(game *g, const ploy_env *env) {
    ploy_engine_def engine = ploy_engine_def_default();
    ploy_telegrams_def telegrams = ploy_telegrams_def_default();
    ploy_engine_entry entry = ploy_engine_entry_default();
    memset(g, 0, sizeof *g);
    entry.behavior.type = &guard_type;
    entry.behavior.self = g;
    entry.agent = ploy_agent_id_make(1, 1);
    ploy_result result = ploy_engine_create(&engine, env, &g->engine);
    if (result == PLOY_OK) result = ploy_telegrams_create(&telegrams, env, &g->telegrams);
    return result == PLOY_OK ? ploy_engine_register(g->engine, &entry, NULL) : result;
}

static void game_step(game *g, int ticks) {
    for (int i = 0; i < ticks; i++) {
        (void)ploy_engine_step(g->engine, 0.25f, NULL, NULL);
        (void)ploy_telegrams_step(g->telegrams, ploy_engine_now(g->engine), NULL, NULL, NULL);
    }
    printf("tick %d: %d rounds, %d telegrams wait\n", (int)ploy_engine_tick(g->engine),
           (int)g->rounds, (int)ploy_telegrams_waiting(g->telegrams));
}

static void game_save(const game *g, ploy_json_writer *json) {
    ploy_json_write_begin_object(json);
    ploy_json_write_key(json, "engine");
    ploy_visit_save(ploy_engine_visit, g->engine, NULL, json);
    ploy_json_write_key(json, "telegrams");
    ploy_visit_save(ploy_telegrams_visit, g->telegrams, NULL, json);
    ploy_json_write_end_object(json);
}

static ploy_result game_load(game *g, const char *text, const ploy_env *env, ploy_diags *diags) {
    ploy_json *doc = NULL;
    ploy_result result = ploy_json_load(text, strlen(text), "game.json", NULL, env, diags, &doc);
    ploy_json_node root = ploy_json_root(doc);
    if (result == PLOY_OK) {
        result = ploy_visit_load(ploy_telegrams_visit, g->telegrams, NULL, doc,
                                 ploy_json_member(doc, root, "telegrams"), env, diags);
    }
    if (result == PLOY_OK) {
        result =
            ploy_engine_load(g->engine, NULL, doc, ploy_json_member(doc, root, "engine"), diags);
    }
    ploy_json_destroy(doc);
    return result;
}

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_diags *diags = NULL;
    game first, second;
    if (game_open(&first, &env) != PLOY_OK || game_open(&second, &env) != PLOY_OK ||
        ploy_diags_create(4, &env, &diags) != PLOY_OK) {
        return 1;
    }
    (void)ploy_telegrams_remind(first.telegrams, ploy_agent_id_make(1, 1), ploy_name_of("eat"), 3.0,
                                NULL);
    game_step(&first, 8);
    ploy_buffer text;
    ploy_buffer_init(&text, 0, &env);
    ploy_writer writer = ploy_buffer_writer(&text);
    ploy_json_writer json;
    ploy_json_writer_init(&json, &writer, 0);
    game_save(&first, &json);
    ploy_buffer damaged;
    ploy_buffer_init(&damaged, 0, &env);
    (void)ploy_buffer_append(&damaged, text.bytes, text.size);
    char *due = strstr(damaged.bytes, "\"due\"");
    if (due != NULL) due[1] = 'D';
    printf("a damaged save: %s\n",
           ploy_result_text(game_load(&second, damaged.bytes, &env, diags)));
    printf("the save: %s\n", ploy_result_text(game_load(&second, text.bytes, &env, diags)));
    game_step(&first, 8);
    game_step(&second, 8);
    bool alike = ploy_visit_hash(ploy_engine_visit, first.engine, NULL) ==
                 ploy_visit_hash(ploy_engine_visit, second.engine, NULL);
    printf("both engines are %s\n", alike ? "alike" : "different");
    ploy_buffer_fini(&text);
    ploy_buffer_fini(&damaged);
    ploy_diags_destroy(diags);
    game *games[2] = {&first, &second};
    for (int i = 0; i < 2; i++) {
        ploy_telegrams_destroy(games[i]->telegrams);
        ploy_engine_destroy(games[i]->engine);
    }
    return alike ? 0 : 1;
}
