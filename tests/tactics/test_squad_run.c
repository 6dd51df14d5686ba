// Runs of squad scripts (TAC-50, TAC-51): football, joint actions, aborts, casualties, reloads, state.
#include "tests/state.h"
#include "tests/tactics/squad_body.h"

static const char *const football = "script touchdown\n"
                                    "actor runner\n"
                                    "    move run corner\n"
                                    "    signal in-position\n"
                                    "actor passer\n"
                                    "    wait in-position idle play jog timeout 8\n"
                                    "    play throw\n";

static ploy_squad_outcome outcome(const squad_scene *scene) {
    return ploy_squad_run_outcome_of(scene->run);
}

TEST(the_passer_throws_when_the_runner_is_there) {
    for (int64_t seed = 1; seed <= test_rounds(50); seed++) {
        TEST_SEED(seed);
        squad_scene scene;
        scene_make(t, &scene, football, (uint64_t)seed, 20);
        scene_begin(t, &scene, 0);
        bool thrown = false;
        for (int32_t i = 0; i < 100 && outcome(&scene) == PLOY_SQUAD_RUNNING; i++) {
            bool there = ploy_signals_has(scene.signals, 7, ploy_name_of("in-position"));
            (void)scene_step(&scene);
            thrown = thrown || strstr(scene.body.log, "2:throw") != NULL;
            if (thrown && !there) {
                CHECK(ploy_signals_has(scene.signals, 7, ploy_name_of("in-position")));
            }
        }
        CHECK_INT(outcome(&scene), PLOY_SQUAD_DONE);
        CHECK(thrown);
        CHECK(strstr(scene.body.log, "1:run") != NULL);
        CHECK(strstr(scene.body.log, "2:jog") != NULL); // no freezing while it waits
        CHECK_INT(scene.body.live, 0);                  // the idle action was cancelled
        scene_free(&scene);
    }
}

// Counts notes by name, and keeps the last text of each of two names.
typedef struct notes_seen {
    const char *names[2];
    int32_t counts[2];
    char last[32];
} notes_seen;

static void notes_value(void *user, const char *name, ploy_mark mark, const ploy_value *value) {
    notes_seen *seen = user;
    for (int32_t i = 0; i < 2; i++) {
        if (strcmp(name, seen->names[i]) != 0 || mark != PLOY_NOTE) continue;
        seen->counts[i]++;
        if (value->type == PLOY_VALUE_TEXT)
            (void)ploy_value_print(value, seen->last, sizeof seen->last);
    }
}

static void notes_begin(void *user, const char *name, ploy_id owner) {
    (void)user, (void)name, (void)owner;
}

static void notes_end(void *user) {
    (void)user;
}

TEST(lanes_have_the_times_of_the_steps) {
    squad_scene scene;
    scene_make(t, &scene, football, 3, 20);
    scene_begin(t, &scene, 0);
    notes_seen seen = {{"from", "to"}, {0, 0}, ""};
    ploy_describe out = {notes_begin, notes_end, notes_value, &seen};
    ploy_squad_run_describe(scene.run, &out);
    CHECK_INT(seen.counts[0], 2); // each actor is at its first step
    CHECK_INT(seen.counts[1], 0);
    for (int32_t i = 0; i < 100 && outcome(&scene) == PLOY_SQUAD_RUNNING; i++) {
        (void)scene_step(&scene);
    }
    CHECK_INT(outcome(&scene), PLOY_SQUAD_DONE);
    memset(seen.counts, 0, sizeof seen.counts);
    ploy_squad_run_describe(scene.run, &out);
    CHECK(seen.counts[0] > 2);
    CHECK_INT(seen.counts[1], seen.counts[0]); // all passed
    scene_free(&scene);
}

TEST(signals_do_not_cost_a_tick) {
    squad_scene scene;
    scene_make(t, &scene,
               "script s\nactor a\n signal x\n wait y timeout 9\n signal z\n move go\n"
               "actor b\n wait x timeout 9\n signal y\n wait z timeout 9\n",
               1, 1);
    scene_begin(t, &scene, 0);
    CHECK_INT(scene_step(&scene), PLOY_IN_PROGRESS);
    ploy_squad_actor_info a, b;
    CHECK_OK(ploy_squad_run_actor(scene.run, 0, &a));
    CHECK_OK(ploy_squad_run_actor(scene.run, 1, &b));
    CHECK_INT(a.step, 3);
    CHECK_INT(a.line, 6);
    CHECK_INT(b.step, 3);
    CHECK_INT(b.line, 0);
    CHECK_TEXT(scene.body.log, "1:go ");
    CHECK_INT(ploy_squad_run_actor(scene.run, 2, &b), PLOY_ERR_ARGUMENT);
    scene_free(&scene);
}

TEST(stale_signals_are_cleared_and_scopes_do_not_meet) {
    squad_scene scene;
    scene_make(t, &scene, football, 1, 4);
    ploy_name there = ploy_name_of("in-position");
    CHECK_OK(ploy_signals_set(scene.signals, 7, there, 0.0)); // of an earlier run
    CHECK_OK(ploy_signals_set(scene.signals, 8, there, 0.0)); // of another squad
    scene_begin(t, &scene, 0);
    CHECK(!ploy_signals_has(scene.signals, 7, there));
    CHECK_INT(scene_step(&scene), PLOY_IN_PROGRESS);
    CHECK(strstr(scene.body.log, "throw") == NULL);
    CHECK(ploy_signals_has(scene.signals, 8, there));
    scene_free(&scene);
}

TEST(an_abort_leaves_nothing_half_set) {
    static const char *const text =
        "script s\nkeep x\nshared all\nactor a\n signal x\n signal all\n "
        "wait never idle play look timeout 1\nactor b\n together\n  "
        "move go\n  show shout\n end\n";
    static const struct {
        const char *row;
        bool call, fails;
        ploy_squad_reason reason;
        int32_t line;
    } rows[] = {
        {"the caller", true, false, PLOY_SQUAD_CALLED_OFF, 0},
        {"a timeout", false, false, PLOY_SQUAD_TIMED_OUT, 7},
        {"an action that fails", false, true, PLOY_SQUAD_FAILED, 9},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        squad_scene scene;
        scene_make(t, &scene, text, 1, rows[i].fails ? 3 : 40);
        if (rows[i].fails) scene.body.fails = ploy_name_of("shout");
        scene_begin(t, &scene, 0);
        scene_steps(&scene, 2);
        CHECK_INT(ploy_signals_count(scene.signals), 2);
        if (rows[i].call) ploy_squad_run_abort(scene.run, scene.actions, scene.now);
        scene_steps(&scene, 15);
        CHECK_INT(outcome(&scene), PLOY_SQUAD_ABORTED);
        CHECK_INT(ploy_squad_run_reason_of(scene.run), rows[i].reason);
        CHECK_INT(ploy_squad_run_line(scene.run), rows[i].line);
        CHECK_INT(ploy_signals_count(scene.signals), 0);
        CHECK_INT(scene.body.live, 0);
        CHECK_INT(ploy_actions_live_count(scene.actions), 0);
        scene_begin(t, &scene, 0); // and it can begin again
        CHECK_INT(scene_step(&scene), PLOY_IN_PROGRESS);
        scene_free(&scene);
    }
}

TEST(an_abort_at_any_tick_leaves_nothing_behind) {
    static const char *const text =
        "script s\nactor a\n move go\n signal x\n joint lift play up idle play wait\n move on\n"
        "actor b\n wait x idle play look timeout 60\n joint lift play hold\n signal y\n"
        "actor c\n wait y idle play look timeout 60\n together\n  move in\n  show shout\n end\n";
    for (int64_t round = 0; round < test_rounds(60); round++) {
        TEST_SEED(round);
        squad_scene scene;
        scene_make(t, &scene, text, (uint64_t)round, 6);
        scene_begin(t, &scene, 0);
        scene_steps(&scene, (int32_t)(round % 40));
        ploy_squad_run_abort(scene.run, scene.actions, scene.now);
        if (outcome(&scene) == PLOY_SQUAD_ABORTED) CHECK_INT(ploy_signals_count(scene.signals), 0);
        CHECK_OK(ploy_actions_step(scene.actions, 0.1f));
        CHECK_INT(scene.body.live, 0);
        scene_free(&scene);
    }
}

TEST(a_joint_action_begins_for_all_at_once) {
    static const char *const wall = "script wall\n"
                                    "actor helper\n"
                                    "    move to-wall\n"
                                    "    joint leg-up play crouch idle play look timeout 30\n"
                                    "actor climber\n"
                                    "    move to-wall\n"
                                    "    joint leg-up play climb idle play look timeout 30\n"
                                    "    play pull\n";
    for (int64_t seed = 1; seed <= test_rounds(40); seed++) {
        TEST_SEED(seed);
        squad_scene scene;
        scene_make(t, &scene, wall, (uint64_t)seed, 12);
        scene_begin(t, &scene, 0);
        int32_t crouched = -1, climbed = -1;
        for (int32_t i = 0; i < 120 && outcome(&scene) == PLOY_SQUAD_RUNNING; i++) {
            (void)scene_step(&scene);
            if (crouched < 0 && strstr(scene.body.log, "crouch") != NULL) crouched = i;
            if (climbed < 0 && strstr(scene.body.log, "climb") != NULL) climbed = i;
            ploy_squad_actor_info helper, climber;
            CHECK_OK(ploy_squad_run_actor(scene.run, 0, &helper));
            CHECK_OK(ploy_squad_run_actor(scene.run, 1, &climber));
            // Neither leaves the joint before the other.
            CHECK((helper.step > 1) == (climber.step > 1));
        }
        CHECK_INT(outcome(&scene), PLOY_SQUAD_DONE);
        CHECK(crouched >= 0);
        CHECK_INT(crouched, climbed);
        scene_free(&scene);
    }
}

static const char *const variants =
    "script three\nfallback two\nkeep boom\nactor a\n signal boom\n "
    "signal more\n move in\nactor b\n wait boom timeout 9\n move in\n"
    "actor c\n wait more timeout 9\n move in\n"
    "script two\nactor a\n wait boom timeout 1\n move out\nactor b\n "
    "wait more timeout 1\n move out\n";

TEST(a_casualty_switches_to_the_smaller_script) {
    squad_scene scene;
    scene_make(t, &scene, variants, 1, 30);
    scene_begin(t, &scene, 0);
    scene_steps(&scene, 2);
    CHECK_INT(ploy_squad_run_lose(scene.run, scene.actions, ploy_agent_id_make(99, 1), scene.now),
              PLOY_ERR_NOT_FOUND);
    CHECK_OK(ploy_squad_run_lose(scene.run, scene.actions, scene.agents[0], scene.now));
    CHECK_INT(outcome(&scene), PLOY_SQUAD_RUNNING);
    CHECK_INT(ploy_squad_run_script(scene.run), 1);
    CHECK(ploy_signals_has(scene.signals, 7, ploy_name_of("boom"))); // kept
    CHECK(!ploy_signals_has(scene.signals, 7, ploy_name_of("more")));
    CHECK_INT(scene.body.live, 0); // what the three were doing was called off
    ploy_squad_actor_info info;
    CHECK_OK(ploy_squad_run_actor(scene.run, 0, &info));
    CHECK_UINT(info.agent.id.index, scene.agents[1].id.index); // in their order
    scene_steps(&scene, 2);
    CHECK(strstr(scene.body.log, "2:out") != NULL);
    CHECK(strstr(scene.body.log, "3:out") == NULL);
    // There is no script for one.
    CHECK_OK(ploy_squad_run_lose(scene.run, scene.actions, scene.agents[1], scene.now));
    CHECK_INT(outcome(&scene), PLOY_SQUAD_ABORTED);
    CHECK_INT(ploy_squad_run_reason_of(scene.run), PLOY_SQUAD_CASUALTY);
    CHECK_INT(ploy_signals_count(scene.signals), 0);
    scene_free(&scene);
}

TEST(begin_checks_its_arguments) {
    squad_scene scene;
    scene_make(t, &scene, football, 1, 4);
    CHECK_INT(ploy_squad_run_step(scene.run, scene.actions, 0.0, 0.1f, NULL), PLOY_ERR_STATE);
    CHECK_INT(ploy_squad_run_begin(scene.run, 1, scene.agents, 2, 0.0), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_squad_run_begin(scene.run, 0, scene.agents, 3, 0.0), PLOY_ERR_ARGUMENT);
    scene_begin(t, &scene, 0);
    CHECK_INT(ploy_squad_run_begin(scene.run, 0, scene.agents, 2, 0.0), PLOY_ERR_STATE);
    ploy_squad_run *other = NULL;
    CHECK_INT(ploy_squad_run_create(scene.scripts, scene.signals, 0, &scene.env, &other),
              PLOY_ERR_ARGUMENT);
    scene_free(&scene);
}

TEST(an_edited_file_goes_on_where_it_can) {
    static const struct {
        const char *row, *text;
        ploy_squad_outcome outcome;
        int32_t step; // of the passer
        int64_t warnings;
    } rows[] = {
        {"the rest changed",
         "script touchdown\nactor runner\n move run corner\n signal in-position\nactor passer\n "
         "wait in-position idle play jog timeout 8\n play throw\n play spin\n",
         PLOY_SQUAD_RUNNING, 1, 0},
        {"what was done changed",
         "script touchdown\nactor runner\n play cheer\n signal in-position\nactor passer\n "
         "wait in-position timeout 8\n play throw\n",
         PLOY_SQUAD_RUNNING, 0, 1},
        {"another script", "script other\nactor a\n move x\n", PLOY_SQUAD_ABORTED, -1, 1},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        squad_scene scene;
        scene_make(t, &scene, football, 1, 1);
        scene.body.longest = 50;
        scene_begin(t, &scene, 0);
        // The runner arrives at once, the passer throws for long.
        CHECK_OK(ploy_signals_set(scene.signals, 7, ploy_name_of("in-position"), 0.0));
        scene_steps(&scene, 2);
        ploy_squad_scripts *fresh = NULL, *old = scene.scripts;
        ploy_diags *diags = NULL;
        CHECK_OK(ploy_diags_create(4, &scene.env, &diags));
        CHECK_OK(ploy_squad_scripts_load(rows[i].text, strlen(rows[i].text), "new", &scene.env,
                                         diags, &fresh));
        CHECK_OK(ploy_squad_run_reload(scene.run, fresh, scene.actions, scene.now, diags));
        CHECK_INT(ploy_diags_total(diags, PLOY_SEVERITY_WARNING), rows[i].warnings);
        ploy_squad_scripts_destroy(old);
        scene.scripts = fresh;
        scene.body.scripts = fresh;
        ploy_squad_actor_info info;
        if (rows[i].step >= 0) {
            CHECK_INT(outcome(&scene), rows[i].outcome);
            CHECK_OK(ploy_squad_run_actor(scene.run, 1, &info));
            CHECK_INT(info.step, rows[i].step);
            scene.body.longest = 1;
            scene_steps(&scene, 80);
            CHECK_INT(outcome(&scene), PLOY_SQUAD_DONE);
        }
        CHECK_OK(ploy_actions_step(scene.actions, 0.1f));
        CHECK_INT(scene.body.live, 0);
        ploy_diags_destroy(diags);
        scene_free(&scene);
    }
}

TEST(state_of_a_run_is_visited) {
    squad_scene scene, other;
    scene_make(t, &scene, variants, 1, 30);
    scene_begin(t, &scene, 0);
    scene_steps(&scene, 3);
    static const char *const refused[] = {"script", NULL};
    static const char *const skip[] = {"script", NULL};
    state_check s = {ploy_squad_run_visit, scene.run, NULL, skip, refused};
    state_check_all(t, &s);
    scene_make(t, &other, variants, 1, 30);
    scene_begin(t, &other, 0);
    state_check_copy(t, &s, other.run);
    state_check signals = {ploy_signals_visit, scene.signals, NULL, NULL, NULL};
    state_check_copy(t, &signals, other.signals);
    // The copy goes on to the same end.
    scene.body.longest = other.body.longest = 1;
    other.now = scene.now;
    scene_steps(&scene, 60);
    scene_steps(&other, 60);
    CHECK_INT(outcome(&scene), PLOY_SQUAD_DONE);
    CHECK_INT(outcome(&other), PLOY_SQUAD_DONE);
    scene_free(&scene);
    scene_free(&other);
}

typedef struct fail_arg {
    const ploy_squad_scripts *scripts;
} fail_arg;

static ploy_result run_body(const ploy_env *env, void *arg) {
    const fail_arg *fail = arg;
    ploy_signals_def def = ploy_signals_def_default();
    def.capacity = 1;
    ploy_signals *signals = NULL;
    ploy_squad_run *run = NULL;
    ploy_actions *actions = NULL;
    squad_body body;
    ploy_agent_id agents[3];
    for (uint32_t i = 0; i < 3; i++) agents[i] = ploy_agent_id_make(i + 1, 1);
    ploy_result result = ploy_signals_create(&def, env, &signals);
    if (result == PLOY_OK) result = ploy_squad_run_create(fail->scripts, signals, 1, env, &run);
    if (result == PLOY_OK) result = ploy_squad_run_begin(run, 0, agents, 3, 0.0);
    if (result == PLOY_OK) {
        actions = body_make(&body, fail->scripts, 1, 1, env);
        result = actions != NULL ? PLOY_OK : PLOY_ERR_MEMORY;
    }
    for (int32_t i = 0; i < 10 && result == PLOY_OK; i++) {
        ploy_result step = ploy_squad_run_step(run, actions, 0.1 * i, 0.1f, NULL);
        result = step < PLOY_OK ? step : ploy_actions_step(actions, 0.1f);
    }
    if (result == PLOY_OK) result = ploy_squad_run_begin(run, 0, agents, 3, 2.0);
    if (result == PLOY_OK) result = ploy_squad_run_lose(run, actions, agents[1], 2.0);
    ploy_squad_run_destroy(run);
    ploy_actions_destroy(actions);
    ploy_signals_destroy(signals);
    return result;
}

TEST(a_run_survives_a_lack_of_memory) {
    ploy_env env = ploy_env_default();
    fail_arg arg = {NULL};
    ploy_squad_scripts *scripts = NULL;
    CHECK_OK(ploy_squad_scripts_load(variants, strlen(variants), "f", &env, NULL, &scripts));
    arg.scripts = scripts;
    CHECK_FAIL_NTH(run_body, &arg);
    ploy_squad_scripts_destroy(scripts);
}

TEST(a_warm_step_allocates_nothing) {
    test_counts counts = {0, 0, 0};
    ploy_env env = test_counting_env(&counts);
    ploy_squad_scripts *scripts = NULL;
    CHECK_OK(ploy_squad_scripts_load(football, strlen(football), "f", &env, NULL, &scripts));
    ploy_signals_def def = ploy_signals_def_default();
    ploy_signals *signals = NULL;
    ploy_squad_run *run = NULL;
    CHECK_OK(ploy_signals_create(&def, &env, &signals));
    CHECK_OK(ploy_squad_run_create(scripts, signals, 3, &env, &run));
    squad_body body;
    ploy_actions *actions = body_make(&body, scripts, 1, 5, &env);
    ploy_agent_id agents[2] = {ploy_agent_id_make(1, 1), ploy_agent_id_make(2, 1)};
    CHECK_OK(ploy_squad_run_begin(run, 0, agents, 2, 0.0));
    int64_t before = counts.calls;
    for (int32_t i = 0; i < 40; i++) {
        CHECK(ploy_squad_run_step(run, actions, 0.1 * i, 0.1f, NULL) >= PLOY_OK);
        CHECK_OK(ploy_actions_step(actions, 0.1f));
    }
    CHECK_INT(counts.calls, before);
    CHECK_INT(ploy_squad_run_outcome_of(run), PLOY_SQUAD_DONE);
    int64_t bytes = 0;
    ploy_squad_run_memory(run, test_sum_memory, &bytes);
    CHECK(bytes > 0);
    ploy_squad_run_destroy(run);
    ploy_actions_destroy(actions);
    ploy_signals_destroy(signals);
    ploy_squad_scripts_destroy(scripts);
    CHECK_INT(counts.blocks, 0);
}

// For random scripts the linter's answer is what happens, whatever the actions take.
TEST(runs_end_unless_the_linter_says_deadlock) {
    ploy_env env = ploy_env_default();
    for (int64_t round = 0; round < test_rounds(300); round++) {
        TEST_SEED(round);
        ploy_rng rng = ploy_rng_make((uint64_t)round + 1000);
        char text[1024];
        size_t at = (size_t)snprintf(text, sizeof text, "script s\n");
        int32_t actors = ploy_rng_int(&rng, 2, 5);
        for (int32_t i = 0; i < actors; i++) {
            at += (size_t)snprintf(text + at, sizeof text - at, "actor a%d\n", (int)i);
            int32_t steps = ploy_rng_int(&rng, 1, 4);
            for (int32_t k = 0; k < steps; k++) {
                static const char *const forms[] = {"move m%d", "signal s%d", "signal s%d",
                                                    "wait s%d idle play look", "joint j%d play p"};
                int32_t form = ploy_rng_int(&rng, 0, 4);
                int32_t id = ploy_rng_int(&rng, 0, 2);
                at += (size_t)snprintf(text + at, sizeof text - at, " ");
                at += (size_t)snprintf(text + at, sizeof text - at, forms[form], (int)id);
                at += (size_t)snprintf(text + at, sizeof text - at, "\n");
            }
        }
        t->row = text;
        squad_scene scene;
        scene_make(t, &scene, text, (uint64_t)round, 5);
        scene_begin(t, &scene, 0);
        scene_steps(&scene, 150);
        uint32_t blocked = ploy_squad_scripts_deadlock(scene.scripts, 0);
        CHECK_INT(outcome(&scene), blocked != 0 ? PLOY_SQUAD_RUNNING : PLOY_SQUAD_DONE);
        for (int32_t i = 0; i < actors; i++) {
            ploy_squad_actor_info info;
            CHECK_OK(ploy_squad_run_actor(scene.run, i, &info));
            CHECK_INT(info.line == 0, (blocked >> i & 1u) == 0);
        }
        scene_free(&scene);
    }
    (void)env;
}
