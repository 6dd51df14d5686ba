// The minds of the games on their engines: the same hashes for any number of workers, telegrams only
// when nobody thinks, reasons that name at least two options and change nothing.
#include "games/ghosts/ghosts.h"
#include "ploy/base/jobs.h"
#include "tests/games/game_test.h"
#include "tests/games/soccer_test.h"
#include "tests/labs/lab_why.h"
#include "world/world_internal.h"

static const char *const minds_games[] = {"soccer", "ghosts", "westworld", "raven", "squad"};

static ploy_sim *minds_start(test_context *t, const char *game, uint64_t seed,
                             const ploy_jobs *jobs) {
    ploy_env env = ploy_env_default();
    ploy_sim_def def = ploy_sim_def_default();
    def.seed = seed;
    ploy_sim *sim = NULL;
    const ploy_sim_type *type = ploy_sim_type_find(ploy_games(), game, NULL);
    CHECK_OK(ploy_sim_create(&def, type, NULL, jobs, &env, &sim));
    return sim;
}

TEST(games_have_the_same_hashes_with_any_number_of_workers) {
    static const int32_t workers[] = {1, 2, 4};
    ploy_env env = ploy_env_default();
    for (size_t g = 0; g < COUNT_OF(minds_games); g++) {
        t->row = minds_games[g];
        for (uint64_t seed = 1; seed <= 3; seed++) {
            uint64_t want[8] = {0};
            for (size_t w = 0; w <= COUNT_OF(workers); w++) { // the last time without jobs
                ploy_job_pool *pool = NULL;
                if (w < COUNT_OF(workers)) {
                    CHECK_OK(ploy_job_pool_create(workers[w], &env, &pool));
                }
                ploy_sim *sim = minds_start(t, minds_games[g], seed,
                                            pool == NULL ? NULL : ploy_job_pool_jobs(pool));
                for (size_t i = 0; i < COUNT_OF(want); i++) {
                    lab_run(t, sim, 150);
                    if (w == 0) want[i] = ploy_sim_hash(sim);
                    CHECK_UINT(ploy_sim_hash(sim), want[i]);
                }
                ploy_sim_destroy(sim);
                ploy_job_pool_destroy(pool);
            }
        }
    }
}

// A trace is called in the middle of thoughts. This one tries to send a telegram from there, straight
// to another player's machine.
typedef struct minds_intruder {
    soccer_match *match;
    int32_t tries, refused;
    bool inside; // a telegram that was let in is traced too
} minds_intruder;

static void intruder_begin(void *user, ploy_id agent, const char *topic, const char *technique) {
    minds_intruder *intruder = user;
    (void)topic;
    // Of a player's thought: these come from step hooks only.
    if (strcmp(technique, "state machine") != 0 || agent.index > SOCCER_PLAYERS) return;
    if (intruder->inside) return;
    int32_t other = (int32_t)(agent.index % SOCCER_PLAYERS);
    soccer_player before, *player = &intruder->match->players[other];
    memcpy(&before, player, sizeof before);
    ploy_message message =
        ploy_message_make(ploy_agent_id_none(), soccer_id(other), ploy_name_of("go_home"));
    intruder->inside = true;
    ploy_result result = ploy_engine_send(intruder->match->engine, &message, NULL, NULL);
    intruder->inside = false;
    intruder->tries++;
    if (result == PLOY_ERR_STATE && memcmp(&before, player, sizeof before) == 0) {
        intruder->refused++;
    }
}
static void intruder_option(void *user, const char *name, ploy_outcome outcome, double score,
                            const char *reason) {
    (void)user, (void)name, (void)outcome, (void)score, (void)reason;
}
static void intruder_value(void *user, const char *name, const ploy_value *value) {
    (void)user, (void)name, (void)value;
}
static void intruder_note(void *user, const char *text) {
    (void)user, (void)text;
}
static void intruder_end(void *user) {
    (void)user;
}

TEST(no_telegram_reaches_a_player_that_thinks) {
    soccer_scene scene;
    soccer_scene_begin(t, &scene, 4, NULL);
    minds_intruder intruder = {scene.match, 0, 0, false};
    ploy_trace trace = {intruder_begin, intruder_option, intruder_value,
                        intruder_note,  intruder_end,    &intruder};
    for (int32_t i = 0; i < 600; i++) {
        int64_t sent = ployi_telegrams_counts_of(scene.match->telegrams).sent;
        int32_t tries = intruder.tries, refused = intruder.refused;
        soccer_scene_tick(t, &scene, NULL, 0, &trace);
        // One try in each player's thought. A change of state by a telegram is traced too, but when
        // nobody thinks: in a tick without telegrams all tries are refused.
        bool quiet = ployi_telegrams_counts_of(scene.match->telegrams).sent == sent;
        if (quiet) CHECK_INT(intruder.refused - refused, intruder.tries - tries);
        CHECK(intruder.refused - refused >= SOCCER_PLAYERS);
    }
    soccer_scene_end(&scene);
}

// What was said while thinking arrives in the same tick, after all have thought.
TEST(a_call_for_the_ball_arrives_in_its_tick) {
    soccer_scene scene;
    soccer_scene_begin(t, &scene, 4, NULL);
    ploy_name call = ploy_name_of("pass_to_me");
    int32_t calls = 0, passes = 0;
    for (int32_t i = 0; i < 6000; i++) {
        int64_t sent = ployi_telegrams_counts_of(scene.match->telegrams).sent;
        soccer_scene_run(t, &scene, 1);
        int64_t fresh = ployi_telegrams_counts_of(scene.match->telegrams).sent - sent;
        double now = (double)scene.match->tick * (double)scene.match->dt;
        for (int32_t age = 0; age < fresh; age++) {
            ploy_telegram_life life;
            CHECK(ploy_telegrams_life(scene.match->telegrams, age, &life));
            CHECK_SAME(life.sent, now);
            CHECK_SAME(life.ended, now);
            CHECK(life.fate == PLOY_TELEGRAM_HANDLED || life.fate == PLOY_TELEGRAM_UNHANDLED);
            calls += ploy_name_equal(life.kind, call) ? 1 : 0;
            passes += ploy_name_equal(life.kind, ploy_name_of("receive_ball")) ? 1 : 0;
        }
    }
    CHECK(calls > 0 && passes > 0);
    soccer_scene_end(&scene);
}

TEST(games_give_their_reasons) {
    lab_why soccer = lab_check_why(t, "soccer", NULL, 1500);
    for (int32_t i = 0; i < SOCCER_PLAYERS; i++) {
        CHECK(soccer.of[soccer_id(i).id.index] >= 1500); // everybody, in every tick
    }
    lab_why ghosts = lab_check_why(t, "ghosts", NULL, 1500);
    for (int32_t i = -1; i < GHOSTS_COUNT; i++) CHECK(ghosts.of[ghosts_id(i).id.index] > 50);
    lab_why west = lab_check_why(t, "westworld", NULL, 300);
    CHECK(west.of[1] >= 100 && west.of[2] >= 300 && west.of[3] >= 300);
}

typedef struct minds_frightened {
    bool inside, named;
    int32_t junctions, false_reasons;
} minds_frightened;

static void frightened_begin(void *user, ploy_id agent, const char *topic, const char *technique) {
    minds_frightened *seen = user;
    (void)agent;
    seen->inside =
        strcmp(topic, "junction") == 0 && strcmp(technique, "frightened: drawn at random") == 0;
    seen->junctions += seen->inside ? 1 : 0;
}
static void frightened_option(void *user, const char *name, ploy_outcome outcome, double score,
                              const char *reason) {
    minds_frightened *seen = user;
    (void)name, (void)outcome;
    if (!seen->inside) return;
    if (!isnan(score) || strstr(reason, "draw") == NULL) seen->false_reasons++;
}

TEST(a_frightened_ghost_says_that_it_drew_its_way) {
    minds_frightened seen = {false, false, 0, 0};
    ploy_trace trace = {frightened_begin, frightened_option, intruder_value,
                        intruder_note,    intruder_end,      &seen};
    ploy_env env = ploy_env_default();
    ploy_sim *sim = lab_start(t, "ghosts", NULL, &env);
    for (int32_t i = 0; i < 6000; i++) CHECK_OK(ploy_sim_step(sim, NULL, 0, &trace));
    CHECK(seen.junctions > 5);
    CHECK_INT(seen.false_reasons, 0);
    ploy_sim_destroy(sim);
}

TEST(no_option_of_any_game_lost_without_a_true_reason) {
    for (const ploy_sim_type *const *type = ploy_games(); *type != NULL; type++) {
        lab_check_reasons(t, *type, 3000);
    }
}
