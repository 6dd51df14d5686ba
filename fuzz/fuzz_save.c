// Any bytes as a saved game: refused with a message while the game stays as it was, or loaded, and then the game goes on
// and its next save is loaded into a second game of the same state. The game is a site with a guard whose tree comes from a
// file, and another character; in the corpus a telegram, a sound and a path search are under way.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "ploy/data/character_leaves.h"
#include "ploy/data/save.h"
#include "ploy/data/site.h"
#include "ploy/data/tiles_text.h"

static const char fuzz_level[] = "############\n"
                                 "#a....#....#\n"
                                 "#.....#....#\n"
                                 "#..........#\n"
                                 "############\n";
static const char fuzz_tree[] =
    "<root BTCPP_format=\"4\"><BehaviorTree ID=\"Guard\"><Fallback name=\"guard\">"
    "<Go name=\"chase\" _while=\"mode == 'chase'\" place=\"{there}\" speed=\"3\"/>"
    "<Sequence name=\"patrol\"><Go name=\"walk\" place=\"{there}\" speed=\"1\"/>"
    "<LookAround name=\"look\" seconds=\"1.5\"/></Sequence></Fallback></BehaviorTree></root>";

enum { FUZZ_MODE, FUZZ_THERE, FUZZ_KEYS };
static const ploy_blackboard_key fuzz_keys[FUZZ_KEYS] = {
    {"mode", PLOY_VALUE_TEXT, {PLOY_VALUE_NONE, {0}}, ""},
    {"there", PLOY_VALUE_VEC2, {PLOY_VALUE_NONE, {0}}, ""},
};

typedef struct fuzz_game {
    ploy_tiles *tiles;
    ploy_site *site;
    ploy_bt_file *tree;
    ploy_slot key[FUZZ_KEYS];
    ploy_agent_id guard, other;
    int64_t score;
} fuzz_game;

static void must(bool condition) {
    if (!condition) abort();
}

static void fuzz_open(fuzz_game *g, const ploy_env *env) {
    memset(g, 0, sizeof *g);
    must(ploy_tiles_from_text(fuzz_level, sizeof fuzz_level - 1, "#", "level", env, NULL,
                              &g->tiles) == PLOY_OK);
    ploy_site_def def = ploy_site_def_default();
    def.cast.crowd.capacity = 4;
    must(ploy_site_from_tiles(&def, g->tiles, env, &g->site) == PLOY_OK);
    ploy_bt_file_def file = ploy_bt_file_def_default();
    file.find = ploy_character_leaf;
    file.find_user = g->site->cast;
    file.keys = fuzz_keys;
    file.key_count = FUZZ_KEYS;
    must(ploy_bt_file_load(fuzz_tree, sizeof fuzz_tree - 1, "guard.xml", &file, env, NULL,
                           &g->tree) == PLOY_OK);
    const ploy_bt *bt = ploy_bt_file_main(g->tree);
    const ploy_blackboard_layout *layout = ploy_bt_file_layout(g->tree, bt);
    for (int i = 0; i < FUZZ_KEYS; i++) {
        g->key[i] = ploy_blackboard_layout_find(layout, fuzz_keys[i].name);
    }
    ploy_character_def character = ploy_character_def_default();
    ploy_behavior mind = {NULL, NULL}, none = {NULL, NULL};
    ploy_blackboard *board = NULL;
    must(ploy_blackboard_create(layout, env, &board) == PLOY_OK);
    must(ploy_maker_make(ploy_bt_maker(bt), env, &mind) == PLOY_OK);
    ploy_vec2 from = {1.5f, 3.5f}, to = {9.5f, 1.5f};
    must(ploy_cast_add(g->site->cast, &character, board, mind, from, 0, &g->guard) == PLOY_OK);
    must(ploy_cast_add(g->site->cast, &character, NULL, none, to, 0, &g->other) == PLOY_OK);
    must(ploy_blackboard_set_text(board, g->key[FUZZ_MODE], "patrol") == PLOY_OK);
    must(ploy_blackboard_set_vec2(board, g->key[FUZZ_THERE], to) == PLOY_OK);
}

static void fuzz_close(fuzz_game *g) {
    ploy_site_destroy(g->site);
    ploy_bt_file_destroy(g->tree);
    ploy_tiles_destroy(g->tiles);
}

// What a loaded game does may fail, for instance because a saved place is not on the floor; it must do so cleanly.
static void fuzz_run(fuzz_game *g, int32_t ticks) {
    for (int32_t i = 0; i < ticks; i++) {
        if (ploy_site_step(g->site, 1.0f / 60, NULL, NULL, NULL) != PLOY_OK) return;
        (void)ploy_cast_look(g->site->cast, g->guard, g->other, ploy_site_now(g->site), NULL);
        g->score++;
    }
}

static void fuzz_visit(ploy_visit *v, void *object) {
    fuzz_game *g = object;
    ploy_visit_i64(v, "score", PLOY_STATE, &g->score);
    ploy_site_visit(v, g->site);
}

static ploy_save fuzz_save_of(fuzz_game *g) {
    ploy_save save = ploy_save_make("fuzz", 1);
    save.visit = fuzz_visit;
    save.object = g;
    save.engine = g->site->engine;
    return save;
}

static uint64_t fuzz_hash(fuzz_game *g) {
    return ploy_visit_hash(fuzz_visit, g, NULL) ^
           ploy_visit_hash(ploy_engine_visit, g->site->engine, NULL);
}

static ploy_result fuzz_write(fuzz_game *g, const ploy_env *env, ploy_buffer *out) {
    ploy_buffer_init(out, 0, env);
    ploy_writer writer = ploy_buffer_writer(out);
    ploy_save save = fuzz_save_of(g);
    return ploy_save_write(&save, &writer);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    ploy_env env = ploy_env_default();
    env.log = NULL;
    ploy_diags *diags = NULL;
    must(ploy_diags_create(4, &env, &diags) == PLOY_OK);
    fuzz_game g;
    fuzz_open(&g, &env);
    uint64_t before = fuzz_hash(&g);
    ploy_save save = fuzz_save_of(&g);
    ploy_result result = ploy_save_load(&save, bytes, size, "fuzz", &env, diags);
    if (result != PLOY_OK) {
        must(ploy_diags_total(diags, PLOY_SEVERITY_ERROR) > 0);
        must(fuzz_hash(&g) == before);
    } else {
        ploy_buffer text;
        must(fuzz_write(&g, &env, &text) == PLOY_OK);
        fuzz_game again;
        fuzz_open(&again, &env);
        save = fuzz_save_of(&again);
        must(ploy_save_load(&save, text.bytes, text.size, "again", &env, NULL) == PLOY_OK);
        must(fuzz_hash(&again) == fuzz_hash(&g));
        fuzz_close(&again);
        ploy_buffer_fini(&text);
    }
    fuzz_run(&g, 30); // whether loaded or not
    fuzz_close(&g);
    ploy_diags_destroy(diags);
    return 0;
}
