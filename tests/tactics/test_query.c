// Queries: TAC-05, TAC-06 and TAC-09, equality with testing everything, slices, picks, reasons, state.
#include "ploy/tactics/query.h"

#include "ploy/path/finders.h"
#include "query_world.h"
#include "tests/state.h"

TEST(offsets_are_the_tiles_within_a_radius_by_distance) {
    // TAC-09: radius 1: 5 tiles, radius 2: 13.
    int32_t out[500][2];
    CHECK_INT(ploy_query_offsets(0, out, 500), 1);
    CHECK_INT(ploy_query_offsets(1, out, 500), 5);
    CHECK_INT(ploy_query_offsets(2, NULL, 0), 13);
    for (int32_t radius = 0; radius <= 11; radius++) {
        int32_t count = ploy_query_offsets(radius, out, 500), want = 0, before = 0;
        for (int32_t y = -radius; y <= radius; y++) {
            for (int32_t x = -radius; x <= radius; x++) want += x * x + y * y <= radius * radius;
        }
        CHECK_INT(count, want);
        for (int32_t i = 0; i < count; i++) {
            int32_t square = out[i][0] * out[i][0] + out[i][1] * out[i][1];
            CHECK(square >= before && square <= radius * radius);
            before = square;
        }
    }
}

TEST(cover_by_states_by_rays_and_by_both_chooses_b) {
    // TAC-05, Fig. 6.5: enemies south and east; A is covered from one, B from both.
    field f;
    field_open(t, &f, 1, 2);
    ploy_plain_scene_clear(f.plain);
    ploy_tactical_points_clear(f.points);
    const ploy_vec3 places[] = {{0, 0, 0}, {6, 0, 0}};
    const ploy_tactical_threat enemies[] = {{{3, -30, 0}, 0}, {{40, 1, 0}, 0}};
    f.context.enemies = enemies;
    f.context.enemy_count = 2;
    f.context.self = ploy_vec3_make(2, 1, 0);
    f.context.posture = 1;
    ploy_tactical_id ids[2];
    for (int32_t i = 0; i < 2; i++) {
        ploy_tactical_point point = ploy_tactical_point_make(places[i]);
        CHECK_OK(ploy_tactical_points_add(f.points, &point, &ids[i]));
        CHECK_OK(ploy_tactical_points_set_value(f.points, ids[i], PLOY_TACTICAL_COVER, 1));
        CHECK_OK(ploy_tactical_points_set_state(f.points, ids[i], PLOY_TACTICAL_COVER, 3, 1, 0, 1));
        CHECK_OK(ploy_tactical_points_set_state(f.points, ids[i], PLOY_TACTICAL_COVER, 0, 1, 0,
                                                i == 0 ? 0 : 1));
        CHECK_OK(ploy_plain_scene_add_segment(f.plain, ploy_vec2_make(places[i].x - 1, -1),
                                              ploy_vec2_make(places[i].x + 1, -1), 1, NULL));
    }
    CHECK_OK(ploy_plain_scene_add_segment(f.plain, ploy_vec2_make(7.5f, -2),
                                          ploy_vec2_make(7.5f, 0.5f), 1, NULL));
    CHECK_OK(ploy_plain_scene_add_segment(f.plain, ploy_vec2_make(-2, -2), ploy_vec2_make(2, -2), 1,
                                          NULL));
    static const struct {
        const char *row, *text;
        bool rays;
    } rows[] = {
        {"method A", "from points cover\ntest against cover in 1..1\n", false},
        {"method B", "from points cover\ntest hidden in 1..1\n", true},
        {"method C", "from points cover\ntest against cover in 1..1\ntest hidden in 1..1\n", true},
    };
    CHECK_OK(ploy_plain_scene_add_segment(f.plain, ploy_vec2_make(7, 0.2f), ploy_vec2_make(7, 4), 1,
                                          NULL));
    int64_t rays[3];
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_query_type *type = field_type(t, f.points, rows[i].text);
        ploy_query *query = field_query(t, type);
        ploy_query_result result;
        f.context.enemies = enemies;
        ploy_query_context context = f.context;
        if (rows[i].rays) { // A is seen from the east only if nothing of B is in between
            static const ploy_tactical_threat high[] = {{{3, -30, 0}, 0}, {{30, 18, 0}, 0}};
            context.enemies = high;
        }
        CHECK_OK(ploy_query_run(query, &context, &result));
        CHECK_INT(result.outcome, PLOY_QUERY_FOUND);
        CHECK(ploy_tactical_id_equal(result.spots[0].id, ids[1]));
        rays[i] = result.rays;
        ploy_query_destroy(query);
        ploy_query_type_destroy(type);
    }
    CHECK_INT(rays[0], 0);
    CHECK(rays[2] <= rays[1]); // states filter, rays only for those that are left
    field_close(&f);
}

// What the generators list, path and places take.
typedef struct query_lists {
    ploy_vec3 list[40], path[6];
    ploy_places places;
} query_lists;

static void query_give_lists(field *f, query_lists *lists, uint64_t seed) {
    ploy_rng rng = ploy_rng_make(seed + 77);
    for (int32_t i = 0; i < 40; i++) lists->list[i] = field_place(&rng);
    for (int32_t i = 0; i < 6; i++) lists->path[i] = field_place(&rng);
    lists->places = ploy_places_grid(20, 20, ploy_vec2_make(0, 0), 2.0f);
    f->context.list = lists->list;
    f->context.list_count = 40;
    f->context.path = lists->path;
    f->context.path_count = 6;
    f->context.places = &lists->places;
}

// Random queries of every generator and pick, with weights of both signs and all curves.
static void query_random_text(uint64_t seed, char *text, size_t size) {
    static const char *const from[] = {"points cover",
                                       "points within 25",
                                       "ring 8 count 24",
                                       "grid 6 spacing 2",
                                       "cone 12 spacing 2 arc 2",
                                       "path spacing 2",
                                       "places within 9",
                                       "list"};
    static const char *const picks[] = {"best", "best", "best",     "best",
                                        "best", "best", "random 3", "apart 4 5"};
    static const char *const curves[] = {"", "curve linear -1 1", "curve power 2.5",
                                         "curve logistic 9 0.4",
                                         "curve table 0 1 0.3 0.2 0.6 0.9 1 0"};
    ploy_rng rng = ploy_rng_make(seed);
    int32_t a = ploy_rng_int(&rng, 0, 7), b = ploy_rng_int(&rng, 0, 7);
    int32_t c[5];
    for (int32_t i = 0; i < 5; i++) c[i] = ploy_rng_int(&rng, 0, 4);
    float w[5];
    for (int32_t i = 0; i < 5; i++) w[i] = ploy_rng_range(&rng, -0.5f, 3);
    int32_t need = ploy_rng_int(&rng, 0, 3), sight = ploy_rng_int(&rng, 0, 2);
    snprintf(text, size,
             "pick %s\nmargin 0.1\nfrom %s\ntest hidden %s weight %.2f %s\n"
             "test distance self weight %.2f from 0 to 40 %s\n"
             "test distance enemy weight %.2f from 0 to 40 %s\n"
             "test \"max(cover, 0.2) * 0.5 + near(shadow, 6) * 0.5\" weight %.2f %s\n"
             "test sight %s weight %.2f %s\n",
             picks[b], from[a],
             need == 0   ? "in 1..1"
             : need == 1 ? "in 0.6..1"
                         : "",
             (double)w[0], curves[c[0]], (double)w[1], curves[c[1]], (double)w[2], curves[c[2]],
             (double)w[3], curves[c[3]], sight == 0 ? "in 1..1" : "", (double)w[4], curves[c[4]]);
}

TEST(random_queries_find_what_testing_everything_finds_with_a_quarter_of_the_rays) {
    int64_t rays = 0, all = 0, found = 0;
    ploy_env env = ploy_env_default();
    // 10,000 in make soak; the suite takes a part.
    for (uint64_t seed = 1; seed <= (uint64_t)test_rounds(600); seed++) {
        TEST_SEED(seed);
        field f;
        char text[1024];
        field_open(t, &f, seed, FIELD_POINTS);
        query_lists lists;
        query_give_lists(&f, &lists, seed);
        f.context.holds = seed % 2 == 0;
        f.context.held = ploy_tactical_points_at(f.points, (int32_t)(seed % FIELD_POINTS));
        query_random_text(seed, text, sizeof text);
        ploy_query_def def = ploy_query_def_default();
        ploy_query_type *lazy = NULL, *whole = NULL;
        CHECK_OK(
            ploy_query_type_load(text, strlen(text), "q", &def, f.points, NULL, &env, NULL, &lazy));
        def.exhaustive = true;
        CHECK_OK(ploy_query_type_load(text, strlen(text), "q", &def, f.points, NULL, &env, NULL,
                                      &whole));
        ploy_query *a = field_query(t, lazy), *b = field_query(t, whole);
        ploy_query_result x, y;
        CHECK_OK(ploy_query_run(a, &f.context, &x));
        CHECK_OK(ploy_query_run(b, &f.context, &y));
        CHECK_INT(x.outcome, y.outcome);
        CHECK_INT(x.count, y.count);
        CHECK_INT(x.candidates, y.candidates);
        CHECK_INT(x.rejected, y.rejected * (x.outcome == PLOY_QUERY_NONE));
        for (int32_t i = 0; i < x.count; i++) {
            CHECK_INT(x.spots[i].candidate, y.spots[i].candidate);
            CHECK_SAME(x.spots[i].score, y.spots[i].score);
        }
        CHECK(x.rays <= y.rays);
        if (x.outcome == PLOY_QUERY_FOUND) {
            rays += x.rays;
            all += y.rays;
            found++;
        }
        ploy_query_destroy(a);
        ploy_query_destroy(b);
        ploy_query_type_destroy(lazy);
        ploy_query_type_destroy(whole);
        field_close(&f);
    }
    CHECK(found > test_rounds(600) / 4);
    if (rays * 4 > all)
        printf("rays %lld of %lld in %lld queries\n", (long long)rays, (long long)all,
               (long long)found);
    CHECK(rays * 4 <= all);
}

TEST(slices_change_nothing_and_cancelling_leaks_nothing) {
    for (uint64_t seed = 1; seed <= (uint64_t)test_rounds(20); seed++) {
        TEST_SEED(seed);
        field f;
        char text[1024];
        query_lists lists;
        field_open(t, &f, seed, FIELD_POINTS);
        query_give_lists(&f, &lists, seed);
        query_random_text(seed, text, sizeof text);
        ploy_query_type *type = field_type(t, f.points, text);
        test_counts counts = {0, 0, 0};
        ploy_env env = test_counting_env(&counts);
        ploy_query *whole = field_query(t, type), *sliced = NULL;
        ploy_query_result x, y;
        CHECK_OK(ploy_query_create(type, &env, &sliced));
        CHECK_OK(ploy_query_run(whole, &f.context, &x));
        CHECK_OK(ploy_query_begin(sliced, &f.context));
        ploy_result result = PLOY_IN_PROGRESS;
        int32_t steps = 0;
        while (result == PLOY_IN_PROGRESS) {
            ploy_budget budget = ploy_budget_units(1);
            result = ploy_query_step(sliced, &budget);
            ploy_query_get(sliced, &y);
            if (result == PLOY_IN_PROGRESS) CHECK_INT(y.outcome, PLOY_QUERY_PENDING);
            if (result == PLOY_IN_PROGRESS) CHECK(y.partial);
            steps++;
        }
        CHECK_OK(result);
        CHECK_UINT(ploy_visit_hash(ploy_query_visit, whole, NULL),
                   ploy_visit_hash(ploy_query_visit, sliced, NULL));
        CHECK_INT(x.units, y.units);
        int64_t warm = counts.bytes;
        for (int32_t stop = 0; stop < steps; stop++) { // after every unit
            CHECK_OK(ploy_query_begin(sliced, &f.context));
            ploy_budget budget = ploy_budget_units(stop);
            (void)ploy_query_step(sliced, &budget);
            ploy_query_cancel(sliced);
            CHECK_INT(ploy_query_step(sliced, NULL), PLOY_ERR_STATE);
            CHECK_INT(counts.bytes, warm);
        }
        CHECK_OK(ploy_query_run(sliced, &f.context, &y));
        CHECK_INT(x.count, y.count);
        CHECK_INT(x.rays, y.rays);
        ploy_query_destroy(whole);
        ploy_query_destroy(sliced);
        CHECK_INT(counts.blocks, 0);
        ploy_query_type_destroy(type);
        field_close(&f);
    }
}

TEST(nothing_is_allocated_once_warm) {
    field f;
    field_open(t, &f, 9, FIELD_POINTS);
    ploy_query_type *type = field_type(
        t, f.points, "from points cover\ntest hidden in 0.5..1\ntest \"cover\" weight 1\n");
    test_counts counts = {0, 0, 0};
    ploy_env env = test_counting_env(&counts);
    ploy_query *query = NULL;
    CHECK_OK(ploy_query_create(type, &env, &query));
    CHECK_OK(ploy_query_run(query, &f.context, NULL));
    int64_t before = counts.calls;
    for (int32_t i = 0; i < 20; i++) CHECK_OK(ploy_query_run(query, &f.context, NULL));
    CHECK_INT(counts.calls, before);
    int64_t reported = 0;
    ploy_query_memory(query, test_sum_memory, &reported);
    CHECK_INT(reported, counts.bytes);
    ploy_query_destroy(query);
    ploy_query_type_destroy(type);
    field_close(&f);
}

TEST(a_fallback_is_tried_and_none_names_the_row_that_rejected_most) {
    field f;
    field_open(t, &f, 3, FIELD_POINTS);
    static const char two[] = "from points cover\ntest quality cover in 2..3\nelse\nfrom ring 5 "
                              "count 8\ntest distance self in ..6 weight 1\n";
    ploy_query_type *type = field_type(t, f.points, two);
    ploy_query *query = field_query(t, type);
    ploy_query_result result;
    CHECK_INT(ploy_query_type_options(type), 2);
    CHECK_OK(ploy_query_run(query, &f.context, &result));
    CHECK_INT(result.outcome, PLOY_QUERY_FOUND);
    CHECK_INT(result.option, 1);
    CHECK_INT(result.candidates, 8);
    ploy_query_destroy(query);
    ploy_query_type_destroy(type);
    type = field_type(t, f.points,
                      "from points cover\ntest \"cover > 0.9\" in 1..1\ntest quality shadow in "
                      "2..3\ntest hidden in 1..1\n");
    query = field_query(t, type);
    CHECK_OK(ploy_query_run(query, &f.context, &result));
    CHECK_INT(result.outcome, PLOY_QUERY_NONE);
    CHECK_INT(result.row, 0);
    CHECK_TEXT(result.reason, "cover > 0.9");
    CHECK(result.rejected > FIELD_POINTS / 2);
    CHECK_INT(result.rays, 0);
    f.context.self = ploy_vec3_make(1e5f, 0, 0);
    ploy_query_destroy(query);
    ploy_query_type_destroy(type);
    type = field_type(t, f.points, "from points cover within 3\n");
    query = field_query(t, type);
    CHECK_OK(ploy_query_run(query, &f.context, &result));
    CHECK_INT(result.row, -1);
    CHECK_TEXT(result.reason, "no candidates");
    ploy_query_destroy(query);
    ploy_query_type_destroy(type);
    field_close(&f);
}

TEST(a_squad_gets_places_apart_and_claims_are_respected) {
    for (uint64_t seed = 1; seed <= (uint64_t)test_rounds(20); seed++) {
        TEST_SEED(seed);
        field f;
        field_open(t, &f, seed, FIELD_POINTS);
        ploy_query_type *type = field_type(t, f.points,
                                           "pick apart 5 6\nfrom points cover\ntest quality cover "
                                           "weight 1\ntest hidden weight 1\n");
        ploy_query *query = field_query(t, type);
        ploy_query_result result;
        for (int32_t round = 0; round < 4; round++) {
            f.context.agent = ploy_agent_id_make((uint32_t)round + 1, 1);
            CHECK_OK(ploy_query_run(query, &f.context, &result));
            CHECK_INT(result.count, 5);
            for (int32_t i = 0; i < result.count; i++) {
                for (int32_t j = 0; j < i; j++) {
                    CHECK(ploy_vec3_distance(result.spots[i].position, result.spots[j].position) >=
                          6);
                }
                if (i > 0) CHECK(result.spots[i].score <= result.spots[i - 1].score);
                // Never the place of another squad.
                CHECK_OK(ploy_tactical_points_claim(f.points, result.spots[i].id, f.context.agent,
                                                    0, 10));
            }
        }
        ploy_query_destroy(query);
        ploy_query_type_destroy(type);
        field_close(&f);
    }
}

TEST(a_batch_gives_each_agent_a_place_of_its_own) {
    enum { AGENTS = 12 };
    field f;
    field_open(t, &f, 6, FIELD_POINTS);
    static const char text[] = "from points cover\ntest quality cover weight 2\ntest hidden weight "
                               "1\ntest distance self weight -1 from 0 to 60\n";
    ploy_query_type *type = field_type(t, f.points, text);
    ploy_query *query = field_query(t, type), *single = field_query(t, type);
    ploy_query_context contexts[AGENTS];
    ploy_query_result out[AGENTS], alone[AGENTS];
    ploy_rng rng = ploy_rng_make(3);
    for (int32_t i = 0; i < AGENTS; i++) {
        contexts[i] = f.context;
        contexts[i].agent = ploy_agent_id_make((uint32_t)i + 1, 1);
        contexts[i].self = field_place(&rng);
        contexts[i].now = 5.0;
    }
    // Without claims: what each finds alone, and some find the same.
    CHECK_OK(ploy_query_batch(query, contexts, AGENTS, NULL, 0, out));
    int32_t shared = 0;
    for (int32_t i = 0; i < AGENTS; i++) {
        CHECK_OK(ploy_query_run(single, &contexts[i], &alone[i]));
        CHECK_INT(out[i].spots[0].candidate, alone[i].spots[0].candidate);
        CHECK_INT(out[i].rays, alone[i].rays);
        for (int32_t k = 0; k < i; k++) {
            shared += ploy_tactical_id_equal(out[i].spots[0].id, out[k].spots[0].id);
        }
    }
    CHECK(shared > 0);
    // With claims the first has its choice, and no two have the same.
    CHECK_OK(ploy_query_batch(query, contexts, AGENTS, f.points, 2.0f, out));
    CHECK(ploy_tactical_id_equal(out[0].spots[0].id, alone[0].spots[0].id));
    for (int32_t i = 0; i < AGENTS; i++) {
        ploy_tactical_id id = out[i].spots[0].id;
        CHECK(
            ploy_id_equal(ploy_tactical_points_owner(f.points, id, 6.9).id, contexts[i].agent.id));
        CHECK(ploy_id_is_none(ploy_tactical_points_owner(f.points, id, 7.1).id));
    }
    // Asked again, each finds its own.
    CHECK_OK(ploy_query_batch(query, contexts, AGENTS, f.points, 2.0f, alone));
    for (int32_t i = 0; i < AGENTS; i++) {
        CHECK(ploy_tactical_id_equal(out[i].spots[0].id, alone[i].spots[0].id));
    }
    CHECK_OK(ploy_query_batch(query, NULL, 0, NULL, 0, NULL));
    CHECK_INT(ploy_query_batch(query, NULL, 1, NULL, 0, out), PLOY_ERR_ARGUMENT);
    contexts[0].points = NULL;
    CHECK_INT(ploy_query_batch(query, contexts, 1, f.points, 2.0f, out), PLOY_ERR_ARGUMENT);
    ploy_query_destroy(single);
    ploy_query_destroy(query);
    ploy_query_type_destroy(type);
    field_close(&f);
}

// Agents that look for a better place now and then while enemies walk: how often they change, and
// the mean score of what they hold, without a margin or with the default one. With more agents than points, all points are held and hardly anybody can
// change; with `turns` each agent is on the field for a fifth of the time.
static void query_restless(test_context *t, bool margin, int32_t agents, bool turns, int32_t ticks,
                           int64_t *changes, double *score) {
    field f;
    field_open(t, &f, 11, 300);
    char text[256];
    snprintf(text, sizeof text,
             "%sfrom points cover within 20\ntest quality cover weight 1\ntest hidden "
             "weight 2\ntest distance self weight 1 from 0 to 20 curve linear -1 1\n",
             margin ? "" : "margin 0\n");
    ploy_query_type *type = field_type(t, f.points, text);
    ploy_query *query = field_query(t, type);
    ploy_tactical_id *held = calloc((size_t)agents, sizeof *held);
    int64_t samples = 0;
    *changes = 0;
    *score = 0;
    for (int32_t tick = 0; tick < ticks; tick++) {
        double now = tick * 0.1;
        for (int32_t i = 0; i < FIELD_ENEMIES; i++) {
            float angle = (float)(now * 0.2 + i);
            f.enemies[i].position = ploy_vec3_make(20 + 18 * cosf(angle), 20 + 18 * sinf(angle), 0);
        }
        for (int32_t i = tick % 10; i < agents; i += 10) {
            ploy_query_context context = f.context;
            ploy_query_result result;
            if (turns && (tick + i * 37) % 600 >= 120) { // away
                ploy_agent_id agent = ploy_agent_id_make((uint32_t)i + 1, 1);
                if (!ploy_id_is_none(held[i].id)) {
                    (void)ploy_tactical_points_release(f.points, held[i], agent);
                }
                held[i].id = ploy_id_none();
                continue;
            }
            ploy_rng home = ploy_rng_make((uint64_t)i + 1);
            context.self = field_place(&home);
            context.agent = ploy_agent_id_make((uint32_t)i + 1, 1);
            context.now = now;
            context.holds = !ploy_id_is_none(held[i].id);
            context.held = held[i];
            CHECK_OK(ploy_query_run(query, &context, &result));
            if (result.outcome != PLOY_QUERY_FOUND) continue;
            if (!ploy_tactical_id_equal(result.spots[0].id, held[i])) {
                if (context.holds) {
                    (void)ploy_tactical_points_release(f.points, held[i], context.agent);
                    ++*changes;
                }
                held[i] = result.spots[0].id;
            }
            CHECK_OK(ploy_tactical_points_claim(f.points, held[i], context.agent, now,
                                                now + 2)); // never taken
            *score += (double)result.spots[0].score;
            samples++;
        }
        for (int32_t i = 0; i < agents && tick % 50 == 49; i++) { // never two at one point
            for (int32_t j = 0; j < i; j++)
                CHECK(ploy_id_is_none(held[i].id) || !ploy_tactical_id_equal(held[i], held[j]));
        }
    }
    *score /= (double)samples;
    free(held);
    ploy_query_destroy(query);
    ploy_query_type_destroy(type);
    field_close(&f);
}

TEST(a_margin_halves_the_changes_and_costs_little) {
    // 1,000 agents, 300 points and 10,000 ticks in the soak; the suite takes a part.
    bool soak = test_rounds(1) > 1;
    int32_t agents = soak ? 1000 : 60, ticks = soak ? 10000 : 300;
    int64_t restless = 0, calm = 0;
    double free_score = 0, held_score = 0;
    query_restless(t, false, agents, soak, ticks, &restless, &free_score);
    query_restless(t, true, agents, soak, ticks, &calm, &held_score);
    CHECK(restless > 50);
    CHECK(calm * 2 <= restless);
    CHECK(held_score >= 0.95 * free_score);
}

// All at once: 700 of 1,000 wait for a place, and nobody can change; the test above is of changes.
TEST(a_crowd_never_claims_a_point_twice) {
    int32_t ticks = test_rounds(1) > 1 ? 10000 : 60;
    int64_t restless = 0, calm = 0;
    double free_score = 0, held_score = 0;
    query_restless(t, false, 1000, false, ticks, &restless, &free_score);
    query_restless(t, true, 1000, false, ticks, &calm, &held_score);
    CHECK(calm * 2 <= restless);
    CHECK(held_score >= 0.95 * free_score);
}

TEST(reasons_say_why_here_and_why_not_there) {
    field f;
    field_open(t, &f, 21, FIELD_POINTS);
    ploy_query_type *type = field_type(t, f.points,
                                       "from points cover\ntest quality cover in 0.3.. weight "
                                       "2\ntest hidden in 0.6..1 weight 1\n");
    ploy_query *query = field_query(t, type);
    ploy_query_result result;
    CHECK_OK(ploy_query_run(query, &f.context, &result));
    CHECK_INT(result.outcome, PLOY_QUERY_FOUND);
    ploy_query_reason reasons[4];
    float score = 0;
    CHECK_INT(ploy_query_explain(query, result.spots[0].candidate, reasons, 4, &score), 2);
    CHECK_SAME(score, result.spots[0].score);
    CHECK(reasons[0].passed && reasons[1].passed);
    CHECK_NEAR(reasons[0].share + reasons[1].share, score, 1e-6);
    int32_t rejected = 0;
    for (int32_t i = 0; i < ploy_query_candidate_count(query); i++) {
        CHECK_INT(ploy_query_explain(query, i, reasons, 4, &score), 2);
        bool passed = reasons[0].passed && reasons[1].passed;
        rejected += !passed;
        CHECK(!passed || score <= result.spots[0].score);
    }
    CHECK(rejected > 0);
    ploy_env env = ploy_env_default();
    ploy_buffer buffer;
    ploy_buffer_init(&buffer, 0, &env);
    ploy_writer writer = ploy_buffer_writer(&buffer);
    ploy_query_why(query, result.spots[0].candidate, &writer);
    CHECK(strstr(ploy_buffer_text(&buffer), "chosen, score ") != NULL);
    CHECK(strstr(ploy_buffer_text(&buffer), "  hidden: ") != NULL);
    ploy_query_why(query, -1, &writer);
    CHECK(strstr(ploy_buffer_text(&buffer), "not a candidate") != NULL);
    ploy_tactical_point point;
    ploy_tactical_id id = ploy_tactical_points_at(f.points, 0);
    CHECK(ploy_tactical_points_get(f.points, id, &point));
    CHECK(ploy_query_candidate(query, id) >= 0);
    // A place names the candidate nearest to it.
    ploy_vec3 near = ploy_vec3_add(result.spots[0].position, ploy_vec3_make(1e-3f, 0, 0)), at;
    CHECK_INT(ploy_query_candidate_near(query, near, &at), result.spots[0].candidate);
    CHECK_SAME(at.x, result.spots[0].position.x);
    ploy_buffer_fini(&buffer);
    ploy_query_destroy(query);
    ploy_query_type_destroy(type);
    field_close(&f);
}

// What a query reported of its candidates.
typedef struct query_told {
    int32_t won, lost, skipped;
    double worst_won, best_lost;
    char held[320]; // the reason of the winner
    int32_t drawn, apart, more;
} query_told;

static void query_told_begin(void *user, ploy_id agent, const char *topic, const char *technique) {
    (void)user, (void)agent, (void)topic, (void)technique;
}

static void query_told_option(void *user, const char *name, ploy_outcome outcome, double score,
                              const char *reason) {
    query_told *to = user;
    (void)name;
    if (outcome == PLOY_OUTCOME_WON) {
        to->won++;
        if (score < to->worst_won) to->worst_won = score;
        snprintf(to->held, sizeof to->held, "%s", reason);
    } else if (outcome == PLOY_OUTCOME_LOST) {
        to->lost++;
        bool more = strstr(reason, "another place scores more") != NULL;
        to->more += more;
        to->drawn += strstr(reason, "was drawn") != NULL;
        to->apart += strstr(reason, "from a place that was taken") != NULL;
        if (more && score > to->best_lost) to->best_lost = score;
    }
}

static void query_told_value(void *user, const char *name, const ploy_value *value) {
    (void)user, (void)name, (void)value;
}

static void query_told_note(void *user, const char *text) {
    (void)user, (void)text;
}

static void query_told_end(void *user) {
    (void)user;
}

// The reasons of a trace are those by which the place was chosen: score, margin, chance or distance.
TEST(reasons_of_a_trace_are_true_for_each_way_to_pick) {
    static const struct {
        const char *pick, *won;
    } rows[] = {{"pick best\nmargin 0.5\n", "the best score"},
                {"pick random 5\n", "drawn among the best 5"},
                {"pick apart 4 6\n", "one of the best that are 6 m apart"}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].pick;
        int32_t held = 0, drawn = 0, apart = 0, more = 0;
        for (uint64_t seed = 1; seed <= 40; seed++) {
            char text[160];
            field f;
            field_open(t, &f, seed, FIELD_POINTS);
            snprintf(text, sizeof text, "from points cover\ntest quality cover weight 1\n%s",
                     rows[i].pick);
            ploy_query_type *type = field_type(t, f.points, text);
            ploy_query *query = field_query(t, type);
            ploy_query_result result;
            // Another place is held each time, so that some stay for their margin.
            f.context.holds = seed % 2 == 0;
            f.context.held = ploy_tactical_points_at(f.points, (int32_t)seed);
            f.context.tick = seed;
            CHECK_OK(ploy_query_run(query, &f.context, &result));
            CHECK_INT(result.outcome, PLOY_QUERY_FOUND);
            query_told to;
            memset(&to, 0, sizeof to);
            to.worst_won = 1e9, to.best_lost = -1e9;
            ploy_trace trace = {query_told_begin, query_told_option, query_told_value,
                                query_told_note,  query_told_end,    &to};
            ploy_query_trace(query, &trace);
            CHECK_INT(to.won, result.count);
            CHECK(strncmp(to.held, rows[i].won, strlen(rows[i].won)) == 0);
            CHECK(to.best_lost <= to.worst_won); // whom "more" is said of
            held += strstr(to.held, "its present place, which adds 0.5") != NULL;
            drawn += to.drawn, apart += to.apart, more += to.more;
            ploy_query_destroy(query);
            ploy_query_type_destroy(type);
            field_close(&f);
        }
        CHECK_INT(held > 0, i == 0);
        CHECK_INT(drawn > 0, i == 1);
        CHECK_INT(apart > 0, i == 2);
        CHECK(more + drawn + apart > 0 || i == 0);
    }
    t->row = NULL;
}

// Two rooms on tiles: the nearest cover is behind a thin wall (TAC-09, Fig. 6.7).
static ploy_tiles *query_rooms(test_context *t) {
    ploy_env env = ploy_env_default();
    ploy_tiles_def def = ploy_tiles_def_default();
    def.width = 20;
    def.height = 10;
    ploy_tiles *tiles = NULL;
    CHECK_OK(ploy_tiles_create(&def, &env, &tiles));
    for (int32_t y = 0; y < 9; y++)
        CHECK_OK(ploy_tiles_set(tiles, ploy_tiles_cell(tiles, 10, y), 0));
    return tiles;
}

TEST(a_thin_wall_does_not_deceive_paths) {
    ploy_env env = ploy_env_default();
    ploy_tiles *tiles = query_rooms(t);
    field f;
    field_open(t, &f, 2, 4);
    ploy_tactical_points_clear(f.points);
    const ploy_vec3 places[] = {{11.5f, 2.5f, 0}, {4.5f, 2.5f, 0}, {2.5f, 8.5f, 0}};
    ploy_tactical_id ids[3];
    for (int32_t i = 0; i < 3; i++) {
        ploy_tactical_point point = ploy_tactical_point_make(places[i]);
        CHECK_OK(ploy_tactical_points_add(f.points, &point, &ids[i]));
        CHECK_OK(ploy_tactical_points_set_value(f.points, ids[i], PLOY_TACTICAL_COVER, 1));
    }
    ploy_tiles_walker walker = ploy_tiles_walker_make(tiles, NULL);
    ploy_representation view = ploy_tiles_representation(&walker);
    ploy_finder_factory factory = ploy_representation_finder(&view, PLOY_SPACE_ASTAR);
    CHECK_OK(ploy_finder_make(&factory, &env, &f.context.finder));
    f.context.self = ploy_vec3_make(9.5f, 2.5f, 0);
    f.context.enemy_count = 0;
    static const struct {
        const char *row, *text;
        int32_t want;
    } rows[] = {
        {"straight",
         "from points cover\ntest distance self weight 1 from 0 to 40 curve linear -1 1\n", 0},
        {"along the path", "from points cover\ntest path weight 1 from 0 to 40 curve linear -1 1\n",
         1},
        {"at most so far",
         "from points cover\ntest path in 6..20 weight 1 from 0 to 40 curve linear -1 1\n", 2},
        {"open goal", "pick shortest\nfrom points cover\n", 1},
        {"open goal with a requirement",
         "pick shortest\nfrom points cover\ntest distance self in 6..\n", 2},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_query_type *type = field_type(t, f.points, rows[i].text);
        ploy_query *query = field_query(t, type), *sliced = field_query(t, type);
        ploy_query_result result, other;
        CHECK_OK(ploy_query_run(query, &f.context, &result));
        CHECK_INT(result.outcome, PLOY_QUERY_FOUND);
        CHECK_INT(result.spots[0].id.id.index, ids[rows[i].want].id.index);
        if (i >= 3) {
            ploy_path_def path_def = ploy_path_def_default();
            ploy_path *path = NULL;
            CHECK_OK(ploy_path_create(&path_def, &env, &path));
            CHECK_OK(ploy_query_path(query, path));
            ploy_vec2 end = ploy_path_point(path, ploy_path_count(path) - 1);
            CHECK_NEAR(end.x, places[rows[i].want].x, 0.51);
            CHECK_NEAR(end.y, places[rows[i].want].y, 0.51);
            ploy_path_destroy(path);
        }
        CHECK_OK(ploy_query_begin(sliced, &f.context));
        ploy_result stepped = PLOY_IN_PROGRESS;
        while (stepped == PLOY_IN_PROGRESS) {
            ploy_budget budget = ploy_budget_units(1);
            stepped = ploy_query_step(sliced, &budget);
        }
        CHECK_OK(stepped);
        ploy_query_get(sliced, &other);
        CHECK_INT(other.spots[0].candidate, result.spots[0].candidate);
        CHECK_INT(other.units, result.units);
        ploy_query_destroy(query);
        ploy_query_destroy(sliced);
        ploy_query_type_destroy(type);
    }
    ploy_finder_destroy(f.context.finder);
    field_close(&f);
    ploy_tiles_destroy(tiles);
}

TEST(places_of_a_map_and_points_of_a_path_are_candidates) {
    ploy_tiles *tiles = query_rooms(t);
    ploy_places places = ploy_places_tiles(tiles);
    field f;
    field_open(t, &f, 2, 4);
    f.context.places = &places;
    f.context.self = ploy_vec3_make(5, 5, 0);
    const ploy_vec3 path[] = {{0, 0, 0}, {3, 0, 0}, {3, 4, 0}};
    f.context.path = path;
    f.context.path_count = 3;
    static const struct {
        const char *row, *text;
        int32_t want;
    } rows[] = {{"all places", "from places within 100\n", 191},
                {"near places", "from places within 0.8\n", 4},
                {"path", "from path spacing 2\n", 4},
                {"path, one metre", "from path\n", 7}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_query_type *type = field_type(t, f.points, rows[i].text);
        ploy_query *query = field_query(t, type);
        ploy_query_result result;
        CHECK_OK(ploy_query_run(query, &f.context, &result));
        CHECK_INT(result.candidates, rows[i].want);
        ploy_query_destroy(query);
        ploy_query_type_destroy(type);
    }
    field_close(&f);
    ploy_tiles_destroy(tiles);
}

TEST(a_query_in_the_middle_is_visited_completely) {
    field f;
    field_open(t, &f, 5, 20);
    ploy_query_type *type = field_type(
        t, f.points,
        "from points cover\ntest hidden in 0.4..1 weight 1\ntest quality cover weight 1\n");
    ploy_query *query = field_query(t, type), *other = field_query(t, type);
    CHECK_OK(ploy_query_begin(query, &f.context));
    CHECK_OK(ploy_query_begin(other, &f.context));
    ploy_budget budget = ploy_budget_units(23);
    CHECK_INT(ploy_query_step(query, &budget), PLOY_IN_PROGRESS);
    static const char *const skip[] = {"candidate", "candidates", "terms", "heap",
                                       "taken",     "option",     NULL};
    state_check s = {ploy_query_visit, query, NULL, skip, NULL};
    state_check_all(t, &s);
    state_check_copy(t, &s, other);
    CHECK_OK(ploy_query_step(query, NULL));
    CHECK_OK(ploy_query_step(other, NULL));
    CHECK_UINT(ploy_visit_hash(ploy_query_visit, query, NULL),
               ploy_visit_hash(ploy_query_visit, other, NULL));
    ploy_query_destroy(query);
    ploy_query_destroy(other);
    ploy_query_type_destroy(type);
    field_close(&f);
}

typedef struct query_memory {
    field *f;
    const char *text;
} query_memory;

static ploy_result query_body(const ploy_env *env, void *arg) {
    const query_memory *with = arg;
    ploy_query_type *type = NULL;
    ploy_query *query = NULL;
    ploy_result result = ploy_query_type_load(with->text, strlen(with->text), "q", NULL,
                                              with->f->points, NULL, env, NULL, &type);
    if (result == PLOY_OK) result = ploy_query_create(type, env, &query);
    if (result == PLOY_OK) result = ploy_query_run(query, &with->f->context, NULL);
    ploy_query_destroy(query);
    ploy_query_type_destroy(type);
    return result;
}

TEST(a_lack_of_memory_leaves_no_query_behind) {
    field f;
    field_open(t, &f, 5, 8);
    query_memory with = {&f, "from points cover\ntest hidden in 0.4..1 weight 1\ntest "
                             "\"near(cover, 3)\" weight 1\nelse\nfrom ring 4 count 6\n"};
    CHECK_FAIL_NTH(query_body, &with);
    field_close(&f);
}

TEST(a_context_that_lacks_something_is_refused) {
    field f;
    field_open(t, &f, 5, 8);
    static const char *const texts[] = {"from points\n", "from places\n",
                                        "from ring 3\ntest path in ..9\n",
                                        "pick shortest\nfrom ring 3\n"};
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        t->row = texts[i];
        ploy_query_type *type = field_type(t, f.points, texts[i]);
        ploy_query *query = field_query(t, type);
        ploy_query_context context = f.context;
        context.points = NULL;
        CHECK_INT(ploy_query_begin(query, &context), PLOY_ERR_ARGUMENT);
        context = f.context;
        context.self.x = NAN;
        CHECK_INT(ploy_query_begin(query, &context), PLOY_ERR_ARGUMENT);
        ploy_query_destroy(query);
        ploy_query_type_destroy(type);
    }
    field_close(&f);
}
