// Characters in a cast: one id and one position for body, path, senses, memory and mind.
#include "ploy/data/character.h"

#include <string.h>

#include "ploy/base/math.h"
#include "ploy/data/tiles_text.h"
#include "ploy/geom/scene.h"
#include "ploy/path/finders.h"
#include "ploy/path/outlines.h"
#include "tests/state.h"
#include "tests/test.h"

static const char cast_level[] = "############\n"
                                 "#a....#....#\n"
                                 "#.....#....#\n"
                                 "#.....#..b.#\n"
                                 "#..........#\n"
                                 "############\n";

typedef struct cast_world {
    ploy_env env;
    ploy_tiles *tiles;
    ploy_rings *walls, *floor;
    ploy_navmesh *mesh;
    ploy_plain_scene *plain;
    ploy_scene scene;
    ploy_planners *planners;
    ploy_path_service service;
    ploy_engine *engine;
    ploy_modalities *modalities;
    ploy_senses *senses;
    ploy_cast *cast;
    ploy_agent_id first, second;
    int32_t heard;
} cast_world;

static void cast_close(cast_world *w) {
    ploy_engine_destroy(w->engine);
    ploy_cast_destroy(w->cast);
    ploy_senses_destroy(w->senses);
    ploy_modalities_destroy(w->modalities);
    ploy_planners_destroy(w->planners);
    ploy_plain_scene_destroy(w->plain);
    ploy_navmesh_destroy(w->mesh);
    ploy_rings_destroy(w->floor);
    ploy_rings_destroy(w->walls);
    ploy_tiles_destroy(w->tiles);
}

// A mind that walks to the place on its board.
typedef struct cast_mind {
    ploy_cast *const *cast;
    uint32_t trip;
} cast_mind;

static ploy_result cast_mind_step(void *self, ploy_step_context *context, ploy_status *status) {
    cast_mind *mind = self;
    *status = PLOY_STATUS_RUNNING;
    if (mind->trip != 0) return PLOY_OK;
    float to[4];
    ploy_slot slot = {1};
    ploy_blackboard_get_vec(context->blackboard, slot, to);
    return ploy_cast_go(*mind->cast, context->agent, ploy_vec2_make(to[0], to[1]), 2, &mind->trip);
}

static void cast_mind_visit(ploy_visit *v, void *self) {
    ploy_visit_u32(v, "trip", PLOY_STATE, &((cast_mind *)self)->trip);
}

static const ploy_behavior_type cast_mind_type = {
    .name = "walker", .step = cast_mind_step, .visit = cast_mind_visit};

#define CAST_TRY(call)                          \
    do {                                        \
        if (result == PLOY_OK) result = (call); \
    } while (0)

static ploy_result cast_open(cast_world *w, const ploy_env *env) {
    memset(w, 0, sizeof *w);
    w->env = *env;
    ploy_result result = PLOY_OK;
    CAST_TRY(ploy_tiles_from_text(cast_level, sizeof cast_level - 1, "#", "level.txt", env, NULL,
                                  &w->tiles));
    CAST_TRY(ploy_rings_create(env, &w->walls));
    CAST_TRY(ploy_rings_create(env, &w->floor));
    CAST_TRY(ploy_rings_from_tiles(w->tiles, env, w->walls, w->floor));
    ploy_navmesh_def mesh = ploy_navmesh_def_default();
    mesh.radius = 0.4f;
    CAST_TRY(ploy_navmesh_create_rings(&mesh, w->floor, PLOY_FILL_NON_ZERO, NULL, 0, env, NULL,
                                       &w->mesh));
    ploy_plain_scene_def plain = ploy_plain_scene_def_default();
    CAST_TRY(ploy_plain_scene_create(&plain, env, &w->plain));
    CAST_TRY(ploy_plain_scene_add_rings(w->plain, w->walls, 0, 1, NULL));
    if (result == PLOY_OK) w->scene = ploy_plain_scene_interface(w->plain);
    ploy_planners_def planners = ploy_planners_def_default();
    CAST_TRY(ploy_planners_create(&planners, env, &w->planners));
    ploy_navmesh_finder_def search = ploy_navmesh_finder_def_default();
    search.mesh = w->mesh;
    ploy_finder_factory finder = ploy_navmesh_finder(&search);
    CAST_TRY(ploy_planners_add_finder(w->planners, (ploy_name){0}, &finder));
    if (result == PLOY_OK) w->service = ploy_planners_service(w->planners);
    ploy_engine_def engine = ploy_engine_def_default();
    CAST_TRY(ploy_engine_create(&engine, env, &w->engine));
    ploy_cast_def def = ploy_cast_def_default();
    def.crowd.capacity = 4;
    ploy_cast_place place = {w->service, &w->scene, w->walls, w->engine};
    CAST_TRY(ploy_cast_create(&def, &place, env, &w->cast));
    ploy_modality sound = ploy_modality_of(PLOY_SENSE_SOUND);
    CAST_TRY(ploy_modalities_create(&sound, 1, env, &w->modalities));
    ploy_senses_def senses = ploy_senses_def_default();
    senses.modalities = w->modalities;
    if (result == PLOY_OK) senses.poses = ploy_cast_poses(w->cast);
    CAST_TRY(ploy_senses_create(&senses, env, &w->senses));
    CAST_TRY(ploy_cast_connect_senses(w->cast, w->senses));
    ploy_character_def character = ploy_character_def_default();
    ploy_behavior none = {NULL, NULL};
    ploy_vec2 a = {0, 0}, b = {0, 0};
    if (result == PLOY_OK) {
        (void)ploy_tiles_find_kind(w->tiles, 'a', &a);
        (void)ploy_tiles_find_kind(w->tiles, 'b', &b);
    }
    CAST_TRY(ploy_cast_add(w->cast, &character, NULL, none, a, 0, &w->first));
    CAST_TRY(ploy_cast_add(w->cast, &character, NULL, none, b, 3.14159f, &w->second));
    return result;
}

static void cast_run(test_context *t, cast_world *w, int32_t ticks) {
    for (int32_t i = 0; i < ticks; i++) {
        CHECK_OK(ploy_engine_step(w->engine, 1.0f / 60, NULL, NULL));
        CHECK_OK(ploy_path_service_step(&w->service, NULL));
        CHECK_OK(ploy_cast_step(w->cast, 1.0f / 60, NULL));
    }
}

TEST(a_character_walks_round_the_wall_at_its_speed_and_looks_where_it_goes) {
    ploy_env env = ploy_env_default();
    cast_world w;
    CHECK_OK(cast_open(&w, &env));
    ploy_vec2 goal = ploy_cast_position(w.cast, w.second);
    goal.y += 1;
    uint32_t trip = 0;
    CHECK_OK(ploy_cast_go(w.cast, w.first, goal, 1.5f, &trip));
    CHECK_UINT(trip, 1);
    float fastest = 0;
    for (int32_t i = 0; i < 900; i++) {
        cast_run(t, &w, 1);
        ploy_orca_agent body;
        CHECK_OK(ploy_crowd_get(ploy_cast_crowd(w.cast), w.first, &body));
        fastest = ploy_maxf(fastest, ploy_vec2_length(body.velocity));
    }
    CHECK(ploy_vec2_distance(ploy_cast_position(w.cast, w.first), goal) < 0.3f);
    CHECK(fastest < 1.55f && fastest > 1.4f);
    CHECK_INT(ploy_navigator_state_of(ploy_cast_get(w.cast, w.first)->navigator),
              PLOY_NAVIGATOR_ARRIVED);
    CHECK(ploy_cast_get(w.cast, w.first)->orientation > 0.3f); // it came from below
    cast_close(&w);
}

TEST(positions_have_one_owner) {
    ploy_env env = ploy_env_default();
    cast_world w;
    CHECK_OK(cast_open(&w, &env));
    CHECK_OK(ploy_cast_move_to(w.cast, w.first, ploy_vec2_make(3.5f, 1.5f)));
    ploy_pose_source poses = ploy_cast_poses(w.cast);
    ploy_pose pose;
    CHECK(ploy_pose_source_get(&poses, w.first, &pose));
    CHECK_SAME(pose.frame.position.x, 3.5f);
    ploy_kinematics view = ploy_crowd_agents(ploy_cast_crowd(w.cast));
    CHECK_SAME(ploy_kinematics_get(&view, (int32_t)w.first.id.index).position.x, 3.5f);
    CHECK(!ploy_pose_source_get(&poses, ploy_agent_id_make(3, 1), &pose));
    CHECK_INT(ploy_cast_move_to(w.cast, ploy_agent_id_none(), ploy_vec2_make(0, 0)),
              PLOY_ERR_NOT_FOUND);
    cast_close(&w);
}

static void cast_ear(void *user, const ploy_percept *percept) {
    cast_world *w = user;
    if (ploy_id_equal(percept->sensor.id, w->first.id)) w->heard++;
}

TEST(it_sees_what_no_wall_hides_remembers_and_hears) {
    ploy_env env = ploy_env_default();
    cast_world w;
    CHECK_OK(cast_open(&w, &env));
    CHECK_INT(ploy_cast_look(w.cast, w.first, w.second, 0, NULL).reason, PLOY_SIGHT_BLOCKED);
    CHECK_OK(ploy_cast_move_to(w.cast, w.first, ploy_vec2_make(2.5f, 1.5f)));
    CHECK_OK(ploy_cast_move_to(w.cast, w.second, ploy_vec2_make(7.5f, 1.5f)));
    CHECK_INT(ploy_cast_look(w.cast, w.first, w.second, 1, NULL).reason, PLOY_SIGHT_SEEN);
    ploy_vec3 last;
    CHECK(ploy_sense_memory_position(ploy_cast_get(w.cast, w.first)->memory, w.second, &last));
    CHECK_SAME(last.x, 7.5f);
    CHECK_INT(ploy_cast_look(w.cast, w.first, ploy_agent_id_none(), 1, NULL).reason,
              PLOY_SIGHT_SELF);
    ploy_signal noise = ploy_signal_make(0, 5, ploy_vec3_make(4, 1.5f, 0), ploy_name_of("step"));
    CHECK_OK(ploy_senses_add_signal(w.senses, &noise, 1));
    CHECK_OK(ploy_senses_step(w.senses, 2, NULL, cast_ear, &w));
    CHECK_INT(w.heard, 1);
    cast_close(&w);
}

TEST(a_trip_that_was_taken_over_cannot_be_stopped) {
    ploy_env env = ploy_env_default();
    cast_world w;
    CHECK_OK(cast_open(&w, &env));
    uint32_t patrol = 0, chase = 0;
    CHECK_OK(ploy_cast_go(w.cast, w.first, ploy_vec2_make(4, 2), 1, &patrol));
    CHECK_OK(ploy_cast_go(w.cast, w.first, ploy_vec2_make(2, 2), 3, &chase));
    CHECK(!ploy_cast_stop(w.cast, w.first, patrol)); // the halted leaf's stop comes later
    cast_run(t, &w, 120);
    CHECK(ploy_vec2_distance(ploy_cast_position(w.cast, w.first), ploy_vec2_make(2, 2)) < 0.3f);
    CHECK_OK(ploy_cast_go(w.cast, w.first, ploy_vec2_make(4, 2), 1, &chase));
    CHECK(ploy_cast_stop(w.cast, w.first, chase));
    cast_close(&w);
}

static const ploy_blackboard_key cast_keys[] = {
    {"post", PLOY_VALUE_VEC2, {PLOY_VALUE_NONE, {0}}, "where to"},
};

static ploy_result cast_mind_make(void *user, const ploy_env *env, ploy_behavior *out) {
    static cast_mind minds[4]; // one for each test's character is enough
    static int32_t used;
    (void)env;
    cast_mind *mind = &minds[used++ % 4];
    mind->cast = user;
    mind->trip = 0;
    out->type = &cast_mind_type;
    out->self = mind;
    return PLOY_OK;
}

TEST(a_kind_from_a_file_becomes_a_character) {
    static const char file[] =
        "{ \"characters\": { \"walker\": { \"layout\": \"walker\", \"values\": { \"post\": [4, 3] "
        "},"
        " \"mind\": \"walker\", \"settings\": { \"character\": { \"max_speed\": 2.5,"
        " \"sight\": { \"range\": 9 }, \"navigator\": { \"arrive\": 0.2 } } } } } }";
    ploy_env env = ploy_env_default();
    cast_world w;
    CHECK_OK(cast_open(&w, &env));
    ploy_blackboard_layout *layout = NULL;
    CHECK_OK(ploy_blackboard_layout_create(cast_keys, 1, "walker", &env, NULL, &layout));
    ploy_setup_layout layouts[] = {{"walker", layout}};
    ploy_character_mind minds[] = {{"walker", ploy_maker_of(cast_mind_make, &w.cast)}};
    ploy_character_section sections[] = {{"character", ploy_character_fields}};
    ploy_character_source source = {layouts, 1, minds, 1, sections, 1};
    ploy_characters *kinds = NULL;
    CHECK_OK(
        ploy_characters_load(file, sizeof file - 1, "walkers.json", &source, &env, NULL, &kinds));
    ploy_agent_id id;
    CHECK_OK(ploy_cast_add_kind(w.cast, kinds, 0, ploy_vec2_make(1.5f, 1.5f), 0, &id));
    CHECK_INT(ploy_cast_add_kind(w.cast, kinds, 7, ploy_vec2_make(1.5f, 1.5f), 0, NULL),
              PLOY_ERR_NOT_FOUND);
    const ploy_character *walker = ploy_cast_get(w.cast, id);
    CHECK_SAME(walker->def.max_speed, 2.5f);
    CHECK_SAME(walker->def.sight.range, 9.0f);
    CHECK_SAME(walker->def.navigator.arrive, 0.2f);
    cast_run(t, &w, 300); // its mind sends it there
    CHECK(ploy_vec2_distance(ploy_cast_position(w.cast, id), ploy_vec2_make(4, 3)) < 0.3f);
    CHECK_OK(ploy_cast_remove(w.cast, id));
    CHECK_INT(ploy_cast_remove(w.cast, id), PLOY_ERR_NOT_FOUND);
    CHECK(ploy_cast_get(w.cast, id) == NULL);
    CHECK_INT(ploy_engine_count(w.engine), 0);
    ploy_characters_destroy(kinds);
    ploy_engine_destroy(w.engine);
    w.engine = NULL;
    cast_close(&w);
    ploy_blackboard_layout_destroy(layout);
}

TEST(bad_characters_are_refused) {
    ploy_env env = ploy_env_default();
    env.log = NULL;
    cast_world w;
    CHECK_OK(cast_open(&w, &env));
    ploy_behavior none = {NULL, NULL};
    ploy_character_def def = ploy_character_def_default();
    def.radius = 0;
    CHECK_INT(ploy_cast_add(w.cast, &def, NULL, none, ploy_vec2_make(2, 2), 0, NULL),
              PLOY_ERR_ARGUMENT);
    def = ploy_character_def_default();
    CHECK_INT(ploy_cast_add(w.cast, &def, NULL, none, ploy_vec2_make(NAN, 2), 0, NULL),
              PLOY_ERR_ARGUMENT);
    CHECK_OK(ploy_cast_add(w.cast, &def, NULL, none, ploy_vec2_make(2, 2), 0, NULL));
    CHECK_OK(ploy_cast_add(w.cast, &def, NULL, none, ploy_vec2_make(3, 2), 0, NULL));
    CHECK_INT(ploy_cast_add(w.cast, &def, NULL, none, ploy_vec2_make(4, 2), 0, NULL),
              PLOY_ERR_CAPACITY);
    CHECK_INT(ploy_cast_go(w.cast, ploy_agent_id_none(), ploy_vec2_make(2, 2), 1, NULL),
              PLOY_ERR_NOT_FOUND);
    CHECK_INT(ploy_cast_step(w.cast, NAN, NULL), PLOY_ERR_ARGUMENT);
    cast_close(&w);
}

static ploy_result cast_try(const ploy_env *env, void *user) {
    (void)user;
    cast_world w;
    ploy_result result = cast_open(&w, env);
    cast_close(&w);
    return result;
}

TEST(creating_survives_every_failing_allocation) {
    CHECK_FAIL_NTH(cast_try, NULL);
}

TEST(a_cast_is_saved_and_loaded_whole) {
    ploy_env env = ploy_env_default();
    cast_world w, other;
    CHECK_OK(cast_open(&w, &env));
    CHECK_OK(cast_open(&other, &env));
    CHECK_OK(ploy_cast_go(w.cast, w.first, ploy_vec2_make(9.5f, 4.5f), 1.5f, NULL));
    cast_run(t, &w, 100);
    (void)ploy_cast_look(w.cast, w.first, w.second, 1.5, NULL);
    state_check s = {ploy_cast_visit, w.cast, NULL, NULL, NULL};
    state_check_cover(t, &s);
    state_check_files(t, &s);
    state_check_copy(t, &s, other.cast);
    cast_close(&w);
    cast_close(&other);
}

TEST(a_cast_reports_the_memory_of_its_characters) {
    test_counts counts = {0, 0, 0};
    ploy_env env = ploy_env_default(), counting = test_counting_env(&counts);
    cast_world w;
    CHECK_OK(cast_open(&w, &env));
    ploy_cast_def def = ploy_cast_def_default();
    def.crowd.capacity = 4;
    ploy_cast_place place = {w.service, &w.scene, w.walls, w.engine};
    ploy_cast *cast = NULL;
    ploy_agent_id id;
    ploy_behavior none = {NULL, NULL};
    CHECK_OK(ploy_cast_create(&def, &place, &counting, &cast));
    ploy_character_def character = ploy_character_def_default();
    for (int32_t i = 0; i < 3; i++) {
        CHECK_OK(ploy_cast_add(cast, &character, NULL, none, ploy_vec2_make(2.5f, 2.5f), 0, &id));
    }
    int64_t reported = 0;
    ploy_cast_memory(cast, test_sum_memory, &reported);
    CHECK_INT(reported, counts.bytes);
    ploy_cast_destroy(cast);
    CHECK_INT(counts.bytes, 0);
    cast_close(&w);
}

TEST(a_cleared_cast_leaves_its_engine_alone) {
    ploy_env env = ploy_env_default();
    cast_world w;
    CHECK_OK(cast_open(&w, &env));
    CHECK(ploy_cast_get(w.cast, w.first) != NULL && ploy_cast_get(w.cast, w.second) != NULL);
    CHECK_OK(ploy_cast_clear(w.cast));
    CHECK(ploy_cast_get(w.cast, w.first) == NULL && ploy_cast_get(w.cast, w.second) == NULL);
    CHECK_OK(ploy_cast_clear(w.cast));
    CHECK_INT(ploy_cast_clear(NULL), PLOY_ERR_ARGUMENT);
    cast_close(&w);
}
