// Saved games by stable ids: telegrams, planners, senses, memories, crowds and minds go on; edited
// trees restart where they must and say so; what cannot be loaded changes nothing.
#include "ploy/data/save.h"

#include <stdio.h>
#include <string.h>

#include "ploy/data/bt_file.h"
#include "ploy/data/character.h"
#include "ploy/data/tiles_text.h"
#include "ploy/path/finders.h"
#include "ploy/path/outlines.h"
#include "ploy/world/telegram.h"
#include "tests/test.h"

static const char save_level[] = "############\n"
                                 "#..........#\n"
                                 "#..######..#\n"
                                 "#..........#\n"
                                 "############\n";

static const char save_tree[] = "<root BTCPP_format=\"4\"><BehaviorTree ID=\"Guard\">"
                                "<Sequence name=\"round\">"
                                "<Walk name=\"out\" ticks=\"20\"/>"
                                "<Walk name=\"rest\" ticks=\"1000\"/>"
                                "</Sequence></BehaviorTree></root>";
// The number was edited, and a node was added before.
static const char save_tree_longer[] = "<root BTCPP_format=\"4\"><BehaviorTree ID=\"Guard\">"
                                       "<Sequence name=\"round\">"
                                       "<Walk name=\"out\" ticks=\"25\"/>"
                                       "<AlwaysSuccess name=\"salute\"/>"
                                       "<Walk name=\"rest\" ticks=\"2000\"/>"
                                       "</Sequence></BehaviorTree></root>";
// The node that runs is gone.
static const char save_tree_other[] = "<root BTCPP_format=\"4\"><BehaviorTree ID=\"Guard\">"
                                      "<Sequence name=\"round\">"
                                      "<Walk name=\"out\" ticks=\"20\"/>"
                                      "<Walk name=\"sleep\" ticks=\"1000\"/>"
                                      "</Sequence></BehaviorTree></root>";

typedef struct save_game {
    ploy_env env;
    ploy_rings *walls, *floor;
    ploy_tiles *tiles;
    ploy_navmesh *mesh;
    ploy_planners *planners;
    ploy_path_service service;
    ploy_engine *engine;
    ploy_telegrams *telegrams;
    ploy_modalities *modalities;
    ploy_senses *senses;
    ploy_cast *cast;
    ploy_bt_file *tree;
    ploy_agent_id guard, other;
    int64_t score;
} save_game;

static ploy_result save_walk_step(ploy_bt_call *call, ploy_status *status) {
    ploy_value ticks;
    ploy_result result = ploy_bt_port_get(call, 0, &ticks);
    if (result != PLOY_OK) return result;
    int64_t *done = call->state;
    *status = ++*done >= ticks.as.i64 ? PLOY_STATUS_SUCCESS : PLOY_STATUS_RUNNING;
    return PLOY_OK;
}

static const ploy_bt_port save_ports[] = {{"ticks", PLOY_VALUE_I64, false}};
static const ploy_bt_leaf save_walk = {.name = "Walk",
                                       .step = save_walk_step,
                                       .ports = save_ports,
                                       .port_count = 1,
                                       .state_size = sizeof(int64_t)};

static void save_close(save_game *g) {
    ploy_engine_destroy(g->engine);
    ploy_cast_destroy(g->cast);
    ploy_bt_file_destroy(g->tree);
    ploy_senses_destroy(g->senses);
    ploy_modalities_destroy(g->modalities);
    ploy_telegrams_destroy(g->telegrams);
    ploy_planners_destroy(g->planners);
    ploy_navmesh_destroy(g->mesh);
    ploy_tiles_destroy(g->tiles);
    ploy_rings_destroy(g->floor);
    ploy_rings_destroy(g->walls);
}

#define SAVE_TRY(call)                          \
    do {                                        \
        if (result == PLOY_OK) result = (call); \
    } while (0)

static ploy_result save_open_game(save_game *g, const char *tree, const ploy_env *env) {
    memset(g, 0, sizeof *g);
    g->env = *env;
    ploy_result result = PLOY_OK;
    SAVE_TRY(ploy_tiles_from_text(save_level, sizeof save_level - 1, "#", "level", env, NULL,
                                  &g->tiles));
    SAVE_TRY(ploy_rings_create(env, &g->walls));
    SAVE_TRY(ploy_rings_create(env, &g->floor));
    SAVE_TRY(ploy_rings_from_tiles(g->tiles, env, g->walls, g->floor));
    ploy_navmesh_def mesh = ploy_navmesh_def_default();
    SAVE_TRY(ploy_navmesh_create_rings(&mesh, g->floor, PLOY_FILL_NON_ZERO, NULL, 0, env, NULL,
                                       &g->mesh));
    ploy_planners_def planners = ploy_planners_def_default();
    SAVE_TRY(ploy_planners_create(&planners, env, &g->planners));
    ploy_navmesh_finder_def search = ploy_navmesh_finder_def_default();
    search.mesh = g->mesh;
    ploy_finder_factory finder = ploy_navmesh_finder(&search);
    SAVE_TRY(ploy_planners_add_finder(g->planners, (ploy_name){0}, &finder));
    if (result == PLOY_OK) g->service = ploy_planners_service(g->planners);
    ploy_engine_def engine = ploy_engine_def_default();
    SAVE_TRY(ploy_engine_create(&engine, env, &g->engine));
    ploy_telegrams_def telegrams = ploy_telegrams_def_default();
    SAVE_TRY(ploy_telegrams_create(&telegrams, env, &g->telegrams));
    ploy_cast_def cast = ploy_cast_def_default();
    cast.crowd.capacity = 4;
    ploy_cast_place place = {g->service, NULL, g->walls, g->engine};
    SAVE_TRY(ploy_cast_create(&cast, &place, env, &g->cast));
    ploy_modality sound = ploy_modality_of(PLOY_SENSE_SOUND);
    SAVE_TRY(ploy_modalities_create(&sound, 1, env, &g->modalities));
    ploy_senses_def senses = ploy_senses_def_default();
    senses.modalities = g->modalities;
    if (result == PLOY_OK) senses.poses = ploy_cast_poses(g->cast);
    SAVE_TRY(ploy_senses_create(&senses, env, &g->senses));
    SAVE_TRY(ploy_cast_connect_senses(g->cast, g->senses));
    const ploy_bt_file_leaf leaves[] = {{&save_walk, g, false}};
    ploy_bt_file_def file = ploy_bt_file_def_default();
    file.leaves = leaves;
    file.leaf_count = 1;
    SAVE_TRY(ploy_bt_file_load(tree, strlen(tree), "guard.xml", &file, env, NULL, &g->tree));
    ploy_character_def character = ploy_character_def_default();
    character.think_every = 1;
    ploy_behavior mind = {NULL, NULL}, none = {NULL, NULL};
    SAVE_TRY(ploy_maker_make(ploy_bt_maker(ploy_bt_file_main(g->tree)), env, &mind));
    ploy_blackboard *board = NULL;
    if (result == PLOY_OK) {
        const ploy_bt *bt = ploy_bt_file_main(g->tree);
        result = ploy_blackboard_create(ploy_bt_file_layout(g->tree, bt), env, &board);
        if (result != PLOY_OK) ploy_behavior_destroy(mind);
    }
    ploy_result before = result;
    SAVE_TRY(
        ploy_cast_add(g->cast, &character, board, mind, ploy_vec2_make(1.5f, 1.5f), 0, &g->guard));
    if (before == PLOY_OK && result != PLOY_OK) {
        ploy_behavior_destroy(mind);
        ploy_blackboard_destroy(board);
    }
    SAVE_TRY(
        ploy_cast_add(g->cast, &character, NULL, none, ploy_vec2_make(9.5f, 3.5f), 0, &g->other));
    return result;
}

static void save_visit(ploy_visit *v, void *object) {
    save_game *g = object;
    ploy_visit_i64(v, "score", PLOY_STATE, &g->score);
    ploy_visit_begin(v, "telegrams", PLOY_STATE);
    ploy_telegrams_visit(v, g->telegrams);
    ploy_visit_end(v);
    ploy_visit_begin(v, "planners", PLOY_STATE);
    ploy_planners_visit(v, g->planners);
    ploy_visit_end(v);
    ploy_visit_begin(v, "senses", PLOY_STATE);
    ploy_senses_visit(v, g->senses);
    ploy_visit_end(v);
    ploy_visit_begin(v, "cast", PLOY_STATE);
    ploy_cast_visit(v, g->cast);
    ploy_visit_end(v);
}

static ploy_save save_of(save_game *g) {
    ploy_save save = ploy_save_make("guards", 2);
    save.visit = save_visit;
    save.object = g;
    save.engine = g->engine;
    return save;
}

static uint64_t save_hash(save_game *g) {
    return ploy_visit_hash(save_visit, g, NULL) ^
           ploy_visit_hash(ploy_engine_visit, g->engine, NULL);
}

static void save_run(test_context *t, save_game *g, int32_t ticks) {
    for (int32_t i = 0; i < ticks; i++) {
        double now = ploy_engine_now(g->engine);
        CHECK_OK(ploy_engine_step(g->engine, 1.0f / 60, NULL, NULL));
        CHECK_OK(ploy_telegrams_step(g->telegrams, now, NULL, NULL, NULL));
        CHECK_OK(ploy_senses_step(g->senses, now, NULL, NULL, NULL));
        (void)ploy_cast_look(g->cast, g->guard, g->other, now, NULL);
        ploy_budget budget = ploy_budget_units(1); // a search takes several ticks
        (void)ploy_path_service_step(&g->service, &budget);
        CHECK_OK(ploy_cast_step(g->cast, 1.0f / 60, NULL));
        g->score++;
    }
}

// A game in the middle of everything: a telegram and a sound on their way, a path asked for.
static void save_begin(test_context *t, save_game *g, const ploy_env *env) {
    CHECK_OK(save_open_game(g, save_tree, env));
    CHECK_OK(ploy_telegrams_remind(g->telegrams, g->guard, ploy_name_of("lunch"), 9, NULL));
    CHECK_OK(ploy_cast_go(g->cast, g->guard, ploy_vec2_make(9.5f, 1.5f), 1.5f, NULL));
    save_run(t, g, 40);
    CHECK_OK(ploy_cast_go(g->cast, g->other, ploy_vec2_make(1.5f, 3.5f), 1.5f, NULL));
    ploy_signal noise = ploy_signal_make(0, 9, ploy_vec3_make(9, 3, 0), ploy_name_of("step"));
    CHECK_OK(ploy_senses_add_signal(g->senses, &noise, ploy_engine_now(g->engine)));
    save_run(t, g, 1);
}

static void save_text(test_context *t, save_game *g, ploy_buffer *text) {
    ploy_buffer_init(text, 0, &g->env);
    ploy_writer writer = ploy_buffer_writer(text);
    ploy_save save = save_of(g);
    CHECK_OK(ploy_save_write(&save, &writer));
}

TEST(a_save_goes_on_as_the_game_does) {
    ploy_env env = ploy_env_default();
    save_game g, copy;
    save_begin(t, &g, &env);
    ploy_buffer text;
    save_text(t, &g, &text);
    CHECK_OK(save_open_game(&copy, save_tree, &env));
    ploy_save save = save_of(&copy);
    CHECK_OK(ploy_save_load(&save, text.bytes, text.size, "slot1.json", &env, NULL));
    CHECK_UINT(save_hash(&copy), save_hash(&g));
    CHECK_INT(ploy_telegrams_waiting(copy.telegrams), 1);
    save_run(t, &g, 300);
    save_run(t, &copy, 300);
    CHECK_UINT(save_hash(&copy), save_hash(&g));
    ploy_buffer_fini(&text);
    save_close(&g);
    save_close(&copy);
}

TEST(an_edited_tree_goes_on_and_reports_what_restarted) {
    static const struct {
        const char *row, *tree;
        const char *lost; // in a warning; NULL: none
    } rows[] = {
        {"the same tree", save_tree, NULL},
        {"a number and a node more", save_tree_longer, NULL},
        {"the node that ran is gone", save_tree_other, "rest"},
    };
    ploy_env env = ploy_env_default();
    save_game g;
    save_begin(t, &g, &env);
    ploy_buffer text;
    save_text(t, &g, &text);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_diags *diags = NULL;
        CHECK_OK(ploy_diags_create(16, &env, &diags));
        save_game copy;
        CHECK_OK(save_open_game(&copy, rows[i].tree, &env));
        ploy_save save = save_of(&copy);
        CHECK_OK(ploy_save_load(&save, text.bytes, text.size, "slot1.json", &env, diags));
        bool told = false;
        for (int32_t k = 0; k < ploy_diags_count(diags); k++) {
            char line[512];
            ploy_diag_print(ploy_diags_get(diags, k), line, sizeof line);
            told = told || (rows[i].lost != NULL && strstr(line, rows[i].lost) != NULL);
            CHECK_INT(ploy_diags_get(diags, k)->severity, PLOY_SEVERITY_WARNING);
        }
        CHECK_INT(told, rows[i].lost != NULL);
        if (rows[i].lost == NULL) CHECK_INT(ploy_diags_count(diags), 0);
        CHECK_INT(copy.score, g.score);
        save_run(t, &copy, 60); // and it goes on
        CHECK_OK(ploy_engine_failure(copy.engine, NULL));
        ploy_diags_destroy(diags);
        save_close(&copy);
    }
    t->row = NULL;
    ploy_buffer_fini(&text);
    save_close(&g);
}

TEST(truncated_and_foreign_saves_are_refused_and_change_nothing) {
    ploy_env env = ploy_env_default();
    save_game g, copy;
    save_begin(t, &g, &env);
    ploy_buffer text;
    save_text(t, &g, &text);
    CHECK_OK(save_open_game(&copy, save_tree, &env));
    ploy_save save = save_of(&copy);
    uint64_t before = save_hash(&copy);
    ploy_diags *diags = NULL;
    CHECK_OK(ploy_diags_create(16, &env, &diags));
    for (size_t size = 0; size + 2 < text.size; size += 1 + text.size / 97) {
        ploy_diags_clear(diags);
        CHECK(ploy_save_load(&save, text.bytes, size, "slot1.json", &env, diags) < 0);
        CHECK(ploy_diags_count(diags) > 0);
        CHECK_UINT(save_hash(&copy), before);
    }
    static const struct {
        const char *row, *text;
        ploy_result want;
    } rows[] = {
        {"no save", "{\"a\": 1}", PLOY_ERR_FORMAT},
        {"not even JSON", "ploy-recording 1\n", PLOY_ERR_FORMAT},
        {"another game", "{\"save\": \"ploy\", \"format\": 1, \"game\": \"chess\", \"version\": 1}",
         PLOY_ERR_FORMAT},
        {"a newer format",
         "{\"save\": \"ploy\", \"format\": 9, \"game\": \"guards\", \"version\": 1}",
         PLOY_ERR_VERSION},
        {"a newer game",
         "{\"save\": \"ploy\", \"format\": 1, \"game\": \"guards\", \"version\": 3}",
         PLOY_ERR_VERSION},
        {"no state", "{\"save\": \"ploy\", \"format\": 1, \"game\": \"guards\", \"version\": 1}",
         PLOY_ERR_FORMAT},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_diags_clear(diags);
        CHECK_INT(
            ploy_save_load(&save, rows[i].text, strlen(rows[i].text), "slot1.json", &env, diags),
            rows[i].want);
        CHECK(ploy_diags_count(diags) > 0);
        CHECK_UINT(save_hash(&copy), before);
    }
    t->row = "a state that is right and an engine that is not";
    char *engine = strstr(text.bytes, "\"engine\"");
    CHECK(engine != NULL);
    char *tick = strstr(engine, "\"tick\"");
    CHECK(tick != NULL);
    tick[1] = 'T';
    CHECK(ploy_save_load(&save, text.bytes, text.size, "slot1.json", &env, diags) < 0);
    CHECK_UINT(save_hash(&copy), before);
    t->row = NULL;
    ploy_diags_destroy(diags);
    ploy_buffer_fini(&text);
    save_close(&g);
    save_close(&copy);
}
