// The lab `seek`: what a simulation promises (same bits with and without a trace, for any number
// of workers, and after a rewind; nothing allocated in a step), and what its agents do.
#include "base/base_internal.h"
#include "labs/labs.h"
#include "ploy/base/jobs.h"
#include "tests/labs/lab_test.h"

static const ploy_sim_type *seek_type(void) {
    return ploy_sim_type_find(ploy_labs(), "seek", NULL);
}

// A run with parameters given as "name=value" texts, ended by NULL.
static ploy_sim *seek_start(test_context *t, const char *const *settings, uint64_t seed,
                            const ploy_jobs *jobs, const ploy_env *env) {
    const ploy_sim_type *type = seek_type();
    static unsigned char params[4096];
    CHECK(type->fields().size <= sizeof params);
    ploy_fields_default(type->fields(), params);
    for (; settings != NULL && *settings != NULL; settings++) {
        char path[64];
        const char *equals = strchr(*settings, '=');
        snprintf(path, sizeof path, "%.*s", (int)(equals - *settings), *settings);
        CHECK_OK(ploy_fields_set_text(type->fields(), params, path, equals + 1, NULL));
    }
    ploy_sim_def def = ploy_sim_def_default();
    def.seed = seed;
    ploy_sim *sim = NULL;
    CHECK_OK(ploy_sim_create(&def, type, params, jobs, env, &sim));
    return sim;
}

static void seek_run(test_context *t, ploy_sim *sim, uint64_t until, ploy_trace *trace) {
    while (ploy_sim_tick(sim) < until) CHECK_OK(ploy_sim_step(sim, NULL, 0, trace));
}

// Collects what is described: the values of one agent's group by name.
typedef struct seen_agent {
    ploy_id want;
    int depth, inside; // depth at which the agent's group was opened, 0 if outside
    int groups;        // of any agent
    ploy_vec2 position, velocity;
    char phase[32];
} seen_agent;

static void seen_begin(void *user, const char *name, ploy_id owner) {
    seen_agent *seen = user;
    (void)name;
    seen->depth++;
    seen->groups += !ploy_id_is_none(owner);
    if (seen->inside == 0 && !ploy_id_is_none(owner) && ploy_id_equal(owner, seen->want)) {
        seen->inside = seen->depth;
    }
}
static void seen_end(void *user) {
    seen_agent *seen = user;
    if (seen->depth == seen->inside) seen->inside = 0;
    seen->depth--;
}
static void seen_value(void *user, const char *name, ploy_mark mark, const ploy_value *value) {
    seen_agent *seen = user;
    (void)mark;
    if (seen->inside != seen->depth) return;
    ploy_vec2 v = {value->as.vec[0], value->as.vec[1]};
    if (strcmp(name, "position") == 0) seen->position = v;
    if (strcmp(name, "velocity") == 0) seen->velocity = v;
    if (strcmp(name, "phase") == 0) snprintf(seen->phase, sizeof seen->phase, "%s", value->as.text);
}

static seen_agent seek_look(const ploy_sim *sim, uint32_t index) {
    seen_agent seen;
    memset(&seen, 0, sizeof seen);
    seen.want = ploy_id_make(index, 1);
    ploy_describe out = {seen_begin, seen_end, seen_value, &seen};
    ploy_sim_describe(sim, &out);
    return seen;
}

// Counts what is traced: decisions by agent.
typedef struct seen_why {
    int open, agents[8], won;
} seen_why;

static void why_begin(void *user, ploy_id agent, const char *topic, const char *technique) {
    seen_why *seen = user;
    (void)technique;
    seen->open++;
    if (strcmp(topic, "steer") == 0 && agent.index < 8) seen->agents[agent.index]++;
}
static void why_option(void *user, const char *name, ploy_outcome outcome, double score,
                       const char *reason) {
    seen_why *seen = user;
    (void)name, (void)score, (void)reason;
    seen->won += outcome == PLOY_OUTCOME_WON;
}
static void why_value(void *user, const char *name, const ploy_value *value) {
    (void)user, (void)name, (void)value;
}
static void why_note(void *user, const char *text) {
    (void)user, (void)text;
}
static void why_end(void *user) {
    ((seen_why *)user)->open--;
}

TEST(the_labs_are_listed_and_valid) {
    int32_t count = 0;
    ploy_env env = ploy_env_default();
    for (const ploy_sim_type *const *type = ploy_labs(); *type != NULL; type++, count++) {
        t->row = (*type)->name;
        ploy_sim_def def = ploy_sim_def_default();
        ploy_sim *sim = NULL;
        CHECK_OK(ploy_sim_create(&def, *type, NULL, NULL, &env, &sim));
        seek_run(t, sim, 10, NULL);
        ploy_sim_destroy(sim);
        CHECK((*type)->view[0] < (*type)->view[2] && (*type)->view[1] < (*type)->view[3]);
    }
    CHECK(count >= 1);
    CHECK(seek_type() != NULL);
}

TEST(tracing_changes_no_bit_and_tells_about_every_agent) {
    static const char *const crowd[] = {"followers=4", NULL};
    ploy_env env = ploy_env_default();
    for (uint64_t seed = 1; seed <= 3; seed++) {
        TEST_SEED(seed);
        ploy_sim *quiet = seek_start(t, crowd, seed, NULL, &env);
        ploy_sim *traced = seek_start(t, crowd, seed, NULL, &env);
        seen_why seen;
        memset(&seen, 0, sizeof seen);
        ploy_trace trace = {why_begin, why_option, why_value, why_note, why_end, &seen};
        seek_run(t, quiet, 200, NULL);
        seek_run(t, traced, 200, &trace);
        CHECK_UINT(ploy_sim_hash(traced), ploy_sim_hash(quiet));
        CHECK_INT(seen.open, 0);
        for (int agent = 1; agent <= 7; agent++) CHECK_INT(seen.agents[agent], 200);
        CHECK(seen.won >= 7 * 200);
        ploy_sim_destroy(quiet);
        ploy_sim_destroy(traced);
    }
}

TEST(any_number_of_workers_gives_the_same_hash) {
    static const char *const crowd[] = {"followers=3001", "integrate.max_speed=4",
                                        "bounds.edge=wall", NULL};
    ploy_env env = ploy_env_default();
    uint64_t want = 0;
    static const int32_t workers[] = {0, 1, 2, 4}; // 0: no jobs at all
    for (size_t i = 0; i < COUNT_OF(workers); i++) {
        ploy_job_pool *pool = NULL;
        if (workers[i] > 0) CHECK_OK(ploy_job_pool_create(workers[i], &env, &pool));
        ploy_sim *sim =
            seek_start(t, crowd, 7, pool == NULL ? NULL : ploy_job_pool_jobs(pool), &env);
        seek_run(t, sim, 120, NULL);
        uint64_t hash = ploy_sim_hash(sim);
        if (i == 0) want = hash;
        CHECK_UINT(hash, want);
        ploy_sim_destroy(sim);
        ploy_job_pool_destroy(pool);
    }
    ploy_sim *other = seek_start(t, crowd, 8, NULL, &env);
    seek_run(t, other, 120, NULL);
    CHECK(ploy_sim_hash(other) != want);
    ploy_sim_destroy(other);
}

TEST(a_rewind_runs_to_the_same_hash_and_the_same_bytes) {
    static const char *const crowd[] = {"followers=300", NULL};
    ploy_env env = ploy_env_default();
    for (int i = 0; i < 2; i++) {
        t->row = i == 0 ? "three agents" : "with followers";
        ploy_sim *sim = seek_start(t, i == 0 ? NULL : crowd, 7, NULL, &env);
        ploy_snapshot *early = NULL, *late = NULL, *again = NULL;
        seek_run(t, sim, 300, NULL);
        CHECK_OK(ploy_sim_snapshot(sim, &early));
        seek_run(t, sim, 1000, NULL);
        CHECK_OK(ploy_sim_snapshot(sim, &late));
        uint64_t hash = ploy_sim_hash(sim);
        CHECK_OK(ploy_sim_restore(sim, early));
        CHECK(ploy_sim_hash(sim) != hash);
        seek_run(t, sim, 1000, NULL);
        CHECK_UINT(ploy_sim_hash(sim), hash);
        CHECK_OK(ploy_sim_snapshot(sim, &again));
        CHECK_INT(ployi_snapshot_difference(late, again), -1);
        ploy_snapshot_destroy(again);
        ploy_snapshot_destroy(late);
        ploy_snapshot_destroy(early);
        ploy_sim_destroy(sim);
    }
}

TEST(a_step_allocates_nothing) {
    static const char *const crowd[] = {"followers=2000", NULL};
    test_counts counts = {0, 0, 0};
    ploy_env env = test_counting_env(&counts);
    ploy_sim *sim = seek_start(t, crowd, 7, NULL, &env);
    seek_run(t, sim, 3, NULL); // the scratch arena grows to its size
    int64_t blocks = 0, blocks_after = 0;
    size_t bytes = ployi_region_allocated(ploy_sim_region(sim), &blocks);
    int64_t calls = counts.calls;
    seek_run(t, sim, 100, NULL);
    CHECK_INT(counts.calls, calls);
    CHECK_INT(ployi_region_allocated(ploy_sim_region(sim), &blocks_after), bytes);
    CHECK_INT(blocks_after, blocks);
    ploy_sim_destroy(sim);
    CHECK_INT(counts.bytes, 0);
}

TEST(create_survives_every_failing_allocation) {
    static char name[] = "seek";
    CHECK_FAIL_NTH(lab_create, name);
}

TEST(the_seeker_overshoots_the_arriver_stops_and_the_wanderer_goes_on) {
    static const char *const still[] = {"moving=false", NULL};
    ploy_env env = ploy_env_default();
    ploy_sim *sim = seek_start(t, still, 7, NULL, &env);
    seek_run(t, sim, 1500, NULL);
    seen_agent seeker = seek_look(sim, 1), arriver = seek_look(sim, 2),
               wanderer = seek_look(sim, 3);
    CHECK_INT(seeker.groups, 3);
    CHECK_INT(seeker.depth, 0);
    CHECK_TEXT(arriver.phase, "there");
    CHECK(ploy_vec2_length(arriver.velocity) < 1e-3f);
    CHECK(ploy_vec2_length(seeker.velocity) > 0.1f);
    CHECK(ploy_vec2_distance(seeker.position, arriver.position) < 3.0f);
    CHECK(ploy_vec2_length(wanderer.velocity) > 1.0f);
    ploy_sim_destroy(sim);
}

TEST(a_click_moves_the_target_and_scatter_throws_everybody) {
    static const char *const still[] = {"moving=false", NULL};
    ploy_env env = ploy_env_default();
    ploy_sim *sim = seek_start(t, still, 7, NULL, &env);
    ploy_input click = {PLOY_INPUT_COMMAND,           "target", ploy_agent_id_none(),
                        ploy_value_vec2(-9.0f, 5.0f), NULL,     0};
    CHECK_OK(ploy_sim_step(sim, &click, 1, NULL));
    seek_run(t, sim, 1000, NULL);
    seen_agent arriver = seek_look(sim, 2);
    CHECK_NEAR(arriver.position.x, -9.0, 0.11);
    CHECK_NEAR(arriver.position.y, 5.0, 0.11);
    ploy_input scatter = {PLOY_INPUT_COMMAND, "scatter", ploy_agent_id_none(),
                          ploy_value_none(),  NULL,      0};
    CHECK_OK(ploy_sim_step(sim, &scatter, 1, NULL));
    CHECK(ploy_vec2_distance(seek_look(sim, 2).position, arriver.position) > 0.5f);
    // A click outside the world, or nowhere at all, lands on its edge.
    click.value = ploy_value_vec2(NAN, 1e30f);
    ploy_result result = ploy_sim_step(sim, &click, 1, NULL);
    CHECK(result == PLOY_OK || result == PLOY_ERR_ARGUMENT);
    seek_run(t, sim, ploy_sim_tick(sim) + 10, NULL);
    ploy_sim_destroy(sim);
}

TEST(parameters_change_the_run_while_it_runs) {
    ploy_env env = ploy_env_default();
    ploy_sim *plain = seek_start(t, NULL, 7, NULL, &env);
    ploy_sim *changed = seek_start(t, NULL, 7, NULL, &env);
    seek_run(t, plain, 100, NULL);
    seek_run(t, changed, 100, NULL);
    CHECK_UINT(ploy_sim_hash(plain), ploy_sim_hash(changed));
    static const char *const names[] = {"seek.max_speed", "wander.drift_rate", "target_speed"};
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        ploy_input input = {PLOY_INPUT_PARAMETER, names[i], ploy_agent_id_none(),
                            ploy_value_f32(2.0f), NULL,     0};
        CHECK_OK(ploy_sim_step(changed, &input, 1, NULL));
    }
    ploy_input fixed = {PLOY_INPUT_PARAMETER, "followers", ploy_agent_id_none(),
                        ploy_value_i64(3),    NULL,        0};
    CHECK_INT(ploy_sim_step(changed, &fixed, 1, NULL), PLOY_ERR_DENIED);
    seek_run(t, plain, 160, NULL);
    seek_run(t, changed, 160, NULL);
    CHECK(ploy_vec2_length(seek_look(changed, 1).velocity) <= 2.01f);
    CHECK(ploy_vec2_distance(seek_look(changed, 3).position, seek_look(plain, 3).position) > 0.0f);
    ploy_sim_destroy(plain);
    ploy_sim_destroy(changed);
}

TEST(every_form_of_wander_and_seek_stays_in_the_world) {
    static const char *const rows[][4] = {
        {"wander.form=face", "bounds.edge=wrap", NULL, NULL},
        {"wander.form=jitter", "bounds.edge=wall", NULL, NULL},
        {"seek.mode=full", "integrate.facing=smooth", NULL, NULL},
        {"seek.mode=full", "integrate.facing=free", "integrate.integrator=newton-euler", NULL},
    };
    ploy_env env = ploy_env_default();
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i][0];
        ploy_sim *sim = seek_start(t, rows[i], 3, NULL, &env);
        seek_run(t, sim, 1000, NULL);
        for (uint32_t agent = 1; agent <= 3; agent++) {
            seen_agent seen = seek_look(sim, agent);
            CHECK(seen.position.x >= -20.0f && seen.position.x <= 20.0f);
            CHECK(seen.position.y >= -12.0f && seen.position.y <= 12.0f);
            CHECK(ploy_vec2_length(seen.velocity) <= 5.01f);
        }
        ploy_sim_destroy(sim);
    }
}

typedef struct seen_shapes {
    int32_t agents, arrows, texts, owners[16];
} seen_shapes;

static void shapes_item(void *user, const ploy_draw_item *item) {
    seen_shapes *seen = user;
    seen->agents += item->shape == PLOY_SHAPE_AGENT;
    seen->arrows += item->shape == PLOY_SHAPE_ARROW;
    seen->texts += item->shape == PLOY_SHAPE_TEXT;
    if (item->layer == PLOY_LAYER_AGENTS && item->owner.index < 16) {
        seen->owners[item->owner.index]++;
    }
}

TEST(agents_forces_and_labels_are_drawn_with_their_owners) {
    static const char *const few[] = {"followers=10", NULL};
    static const char *const many[] = {"followers=900", NULL};
    ploy_env env = ploy_env_default();
    for (int i = 0; i < 2; i++) {
        t->row = i == 0 ? "few" : "many";
        ploy_sim *sim = seek_start(t, i == 0 ? few : many, 7, NULL, &env);
        seek_run(t, sim, 50, NULL);
        seen_shapes seen;
        memset(&seen, 0, sizeof seen);
        ploy_draw out = {shapes_item, &seen, UINT32_MAX};
        uint64_t hash = ploy_sim_hash(sim);
        ploy_sim_draw(sim, &out);
        CHECK_UINT(ploy_sim_hash(sim), hash); // drawing changes nothing
        CHECK_INT(seen.agents, i == 0 ? 13 : 3);
        CHECK(seen.arrows >= 5);
        CHECK_INT(seen.texts, 3);
        for (int agent = 1; agent <= 13; agent++) CHECK(seen.owners[agent] >= 1);
        // Layers that nobody wants are left out.
        memset(&seen, 0, sizeof seen);
        out.layers = 1u << PLOY_LAYER_FORCES;
        ploy_sim_draw(sim, &out);
        CHECK_INT(seen.agents, 0);
        CHECK(seen.arrows >= 5);
        ploy_sim_destroy(sim);
    }
}
