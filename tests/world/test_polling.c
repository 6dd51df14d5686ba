// Polls: caches that save work and change no answer, keys, capabilities, logs, workers.
#include "ploy/world/polling.h"
#include "world/world_internal.h"

#include <math.h>

#include "ploy/base/hash.h"
#include "ploy/base/jobs.h"
#include "tests/state.h"
#include "tests/world/world_test.h"

typedef struct flag_state {
    int64_t value;
    int64_t calls;
    ploy_result answer;
    bool text;
    ploy_topic_id other; // asked within, if not none
} flag_state;

static ploy_result flag_answer(void *user, const ploy_polls *polls, const ploy_poll *poll,
                               ploy_value *out) {
    flag_state *state = user;
    state->calls++;
    if (state->text) {
        *out = ploy_value_text("text");
        return PLOY_OK;
    }
    if (state->other.index >= 0) return ploy_polls_read(polls, state->other, poll, out, NULL);
    *out = ploy_value_i64(state->value + (int64_t)(poll->keys[0] * 100 + poll->keys[1]));
    return state->answer;
}

static ploy_polls *polls_of(test_context *t, const ploy_env *env) {
    ploy_env plain = ploy_env_default();
    ploy_polls_def def = ploy_polls_def_default();
    ploy_polls *polls = NULL;
    CHECK_OK(ploy_polls_create(&def, env != NULL ? env : &plain, &polls));
    return polls;
}

static ploy_topic topic_of(const char *name, flag_state *state, ploy_poll_cache cache) {
    ploy_topic topic;
    memset(&topic, 0, sizeof topic);
    topic.name = name;
    topic.answer = flag_answer;
    topic.user = state;
    topic.cache = cache;
    state->other.index = -1;
    return topic;
}

static int64_t ask(test_context *t, ploy_polls *polls, ploy_topic_id id, uint64_t a, uint64_t b) {
    ploy_poll poll = ploy_poll_make(ploy_agent_id_make(1, 1));
    poll.keys[0] = a;
    poll.keys[1] = b;
    ploy_value value = ploy_value_none(), read = value;
    ploy_result result = ploy_polls_read(polls, id, &poll, &read, NULL);
    CHECK_OK(ploy_polls_ask(polls, id, &poll, &value));
    CHECK_OK(result);
    CHECK(ploy_value_equal(&read, &value)); // reading says what asking says
    return value.as.i64;
}

TEST(answers_are_kept_as_long_as_the_topic_says) { // WLD-11
    static const struct {
        const char *row;
        ploy_poll_cache cache;
        int32_t ticks;
        float seconds;
        int64_t want[6]; // of a value that is the tick, asked in ticks 0 to 5 of 0.5 s
    } rows[] = {
        {"uncached", PLOY_POLL_UNCACHED, 0, 0, {0, 1, 2, 3, 4, 5}},
        {"for the tick", PLOY_POLL_TICKS, 0, 0, {0, 1, 2, 3, 4, 5}},
        {"for two more ticks", PLOY_POLL_TICKS, 2, 0, {0, 0, 0, 3, 3, 3}},
        {"for a second", PLOY_POLL_SECONDS, 0, 1, {0, 0, 0, 3, 3, 3}},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_polls *polls = polls_of(t, NULL);
        flag_state state;
        memset(&state, 0, sizeof state);
        ploy_topic topic = topic_of("flag at base", &state, rows[i].cache);
        topic.ticks = rows[i].ticks;
        topic.seconds = rows[i].seconds;
        ploy_topic_id id;
        CHECK_OK(ploy_polls_add(polls, &topic, &id));
        CHECK_INT(state.calls, 0); // no request, no computation
        for (int32_t tick = 0; tick < 6; tick++) {
            CHECK_OK(ploy_polls_step(polls, (uint64_t)tick, tick * 0.5));
            state.value = tick;
            CHECK_INT(ask(t, polls, id, 0, 0), rows[i].want[tick]);
            ploy_polls_counts before = ploy_polls_counts_of(polls, id);
            CHECK_INT(ask(t, polls, id, 0, 0), rows[i].want[tick]);
            bool uncached = rows[i].cache == PLOY_POLL_UNCACHED;
            CHECK_INT(ploy_polls_counts_of(polls, id).computed - before.computed, uncached);
        }
        ploy_polls_destroy(polls);
    }
}

TEST(a_hundred_characters_ask_and_one_answer_is_worked_out) { // WLD-01, WLD-11
    ploy_polls *polls = polls_of(t, NULL);
    flag_state cached, uncached;
    memset(&cached, 0, sizeof cached);
    uncached = cached;
    ploy_topic shared = topic_of("shared", &cached, PLOY_POLL_TICKS);
    ploy_topic each = topic_of("each", &uncached, PLOY_POLL_UNCACHED);
    ploy_topic_id one, two;
    CHECK_OK(ploy_polls_add(polls, &shared, &one));
    CHECK_OK(ploy_polls_add(polls, &each, &two));
    ploy_value value;
    // 100 characters, each about all 100: 10,000 questions.
    for (uint32_t i = 0; i < 10000; i++) {
        ploy_poll poll = ploy_poll_make(ploy_agent_id_make(i % 100, 1));
        CHECK_OK(ploy_polls_ask(polls, one, &poll, &value));
        CHECK_OK(ploy_polls_ask(polls, two, &poll, &value));
    }
    CHECK_INT(cached.calls, 1);
    CHECK_INT(uncached.calls, 10000);
    CHECK_INT(ploy_polls_counts_of(polls, one).cached, 9999);
    ploy_topic_id all = {-1};
    CHECK_INT(ploy_polls_counts_of(polls, all).asked, 20000);
    ploy_polls_destroy(polls);
}

TEST(keyed_answers_do_not_mix_and_memory_is_bounded) {
    test_counts counts = {0, 0, 0};
    ploy_env env = test_counting_env(&counts);
    ploy_polls *polls = polls_of(t, &env);
    flag_state state;
    memset(&state, 0, sizeof state);
    ploy_topic topic = topic_of("sees", &state, PLOY_POLL_TICKS);
    topic.entries = 64;
    ploy_topic_id id;
    CHECK_OK(ploy_polls_add(polls, &topic, &id));
    int64_t calls = counts.calls;
    for (int32_t round = 0; round < 3; round++) {
        for (uint64_t a = 0; a < 30; a++) {
            for (uint64_t b = 0; b < 30; b++) {
                CHECK_INT(ask(t, polls, id, a, b), (int64_t)(a * 100 + b));
            }
        }
    }
    CHECK_INT(counts.calls, calls); // 900 pairs in room for 64
    state.calls = 0;
    ployi_polls_forget(polls);
    ask(t, polls, id, 1, 2);
    CHECK_INT(state.calls, 2); // once read, once asked
    ask(t, polls, id, 1, 2);
    CHECK_INT(state.calls, 2);
    ploy_polls_destroy(polls);
    CHECK_INT(counts.bytes, 0);
}

static bool same_room(void *user, const ploy_poll *poll) {
    (void)user;
    return poll->asker.id.index < 10;
}

TEST(only_those_who_could_know_are_told) { // WLD-12, WLD-13
    ploy_polls *polls = polls_of(t, NULL);
    flag_state state;
    memset(&state, 0, sizeof state);
    ploy_topic topic = topic_of("noise", &state, PLOY_POLL_TICKS);
    topic.needs = 6;
    topic.allows = same_room;
    ploy_topic_id id;
    CHECK_OK(ploy_polls_add(polls, &topic, &id));
    static const struct {
        const char *row;
        uint64_t capabilities;
        uint32_t asker;
        ploy_result want;
    } rows[] = {
        {"all", 7, 1, PLOY_OK},
        {"deaf", 2, 1, PLOY_ERR_DENIED},
        {"nothing", 0, 1, PLOY_ERR_DENIED},
        {"in another room", 7, 11, PLOY_ERR_DENIED},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_poll poll = ploy_poll_make(ploy_agent_id_make(rows[i].asker, 1));
        poll.capabilities = rows[i].capabilities;
        ploy_value value = ploy_value_none();
        CHECK_INT(ploy_polls_ask(polls, id, &poll, &value), rows[i].want);
        CHECK((value.type == PLOY_VALUE_NONE) == (rows[i].want != PLOY_OK));
    }
    CHECK_INT(ploy_polls_counts_of(polls, id).denied, 3);
    ploy_polls_destroy(polls);
}

TEST(topics_are_found_replaced_and_logged) { // WLD-12, ENG-07
    ploy_polls *polls = polls_of(t, NULL);
    flag_state state, other;
    memset(&state, 0, sizeof state);
    other = state;
    state.value = 1;
    other.value = 2;
    other.other.index = -1;
    ploy_topic topic = topic_of("healthy", &state, PLOY_POLL_TICKS);
    ploy_topic_id id;
    CHECK_OK(ploy_polls_add(polls, &topic, &id));
    CHECK_INT(ploy_polls_add(polls, &topic, NULL), PLOY_ERR_EXISTS);
    CHECK_INT(ploy_polls_find(polls, "healthy").index, id.index);
    CHECK_INT(ploy_polls_find(polls, "wealthy").index, -1);
    CHECK_INT(ask(t, polls, id, 0, 0), 1);
    CHECK_OK(ployi_polls_replace(polls, id, flag_answer, &other)); // the asker notices nothing
    CHECK_INT(ask(t, polls, id, 0, 0), 2);
    CHECK_INT(ask(t, polls, id, 0, 0), 2);
    static const ploy_poll_source want[] = {PLOY_POLL_FROM_CACHE, PLOY_POLL_COMPUTED,
                                            PLOY_POLL_COMPUTED};
    ploy_poll_record record;
    for (int32_t age = 0; age < 3; age++) {
        CHECK(ploy_polls_record(polls, age, &record));
        CHECK_INT(record.source, want[age]);
        CHECK_INT(record.value.as.i64, age < 2 ? 2 : 1);
        CHECK_UINT(record.asker.id.index, 1);
        CHECK(strcmp(ploy_poll_source_text(record.source), "?") != 0);
    }
    CHECK(!ploy_polls_record(polls, 3, &record));
    ploy_polls_destroy(polls);
}

TEST(bad_topics_and_answers_are_refused) {
    ploy_polls *polls = polls_of(t, NULL);
    flag_state state;
    memset(&state, 0, sizeof state);
    ploy_topic good = topic_of("x", &state, PLOY_POLL_TICKS);
    for (int32_t row = 0; row < 5; row++) {
        ploy_topic topic = good;
        if (row == 0) topic.name = "";
        if (row == 1) topic.answer = NULL;
        if (row == 2) topic.seconds = NAN;
        if (row == 3) topic.entries = -1;
        if (row == 4) topic.ticks = -1;
        CHECK_INT(ploy_polls_add(polls, &topic, NULL), PLOY_ERR_ARGUMENT);
    }
    ploy_topic_id id, none = {-1};
    CHECK_OK(ploy_polls_add(polls, &good, &id));
    ploy_poll poll = ploy_poll_make(ploy_agent_id_none());
    ploy_value value = ploy_value_none();
    CHECK_INT(ploy_polls_ask(polls, none, &poll, &value), PLOY_ERR_NOT_FOUND);
    state.text = true;
    CHECK_INT(ploy_polls_ask(polls, id, &poll, &value), PLOY_ERR_CALLBACK);
    state.text = false;
    state.answer = PLOY_ERR_STATE;
    CHECK_INT(ploy_polls_ask(polls, id, &poll, &value), PLOY_ERR_STATE);
    CHECK_INT(ploy_polls_counts_of(polls, id).failed, 2);
    state.answer = PLOY_OK;
    state.other = id; // itself: a ring
    CHECK_INT(ploy_polls_ask(polls, id, &poll, &value), PLOY_ERR_LIMIT);
    CHECK_INT(value.type, PLOY_VALUE_NONE);
    CHECK_OK(ploy_polls_step(polls, 5, 1));
    CHECK_INT(ploy_polls_step(polls, 4, 1), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_polls_step(polls, 5, NAN), PLOY_ERR_ARGUMENT);
    ploy_polls_destroy(polls);
    CHECK_OK(ploy_fields_check_table(ploy_polls_fields(), NULL));
}

TEST(line_of_sight_asks_the_scene) { // ENG-07, WLD-11: can_see(from, to)
    ploy_env env = ploy_env_default();
    ploy_entities_def people = ploy_entities_def_default();
    ploy_entities *entities = NULL;
    CHECK_OK(ploy_entities_create(&people, &env, &entities));
    ploy_agent_id a = world_add_at(t, entities, "a", 0, 0);
    ploy_agent_id b = world_add_at(t, entities, "b", 10, 0);
    ploy_agent_id c = world_add_at(t, entities, "c", 0, 10);
    ploy_plain_scene_def def = ploy_plain_scene_def_default();
    ploy_plain_scene *walls = NULL;
    CHECK_OK(ploy_plain_scene_create(&def, &env, &walls));
    CHECK_OK(ploy_plain_scene_add_segment(walls, ploy_vec2_make(5, -5), ploy_vec2_make(5, 5),
                                          UINT32_MAX, NULL));
    ploy_scene scene = ploy_plain_scene_interface(walls);
    ploy_poll_sight sight = {&scene, ploy_entities_pose_source(entities), 1.7f, UINT32_MAX};
    ploy_polls *polls = polls_of(t, NULL);
    ploy_topic topic;
    memset(&topic, 0, sizeof topic);
    topic.name = "sees";
    topic.answer = ploy_poll_line_of_sight;
    topic.user = &sight;
    ploy_topic_id id;
    CHECK_OK(ploy_polls_add(polls, &topic, &id));
    ploy_value value;
    ploy_poll poll = ploy_poll_pair(a, a, b);
    CHECK_OK(ploy_polls_ask(polls, id, &poll, &value));
    CHECK(!value.as.b);
    poll = ploy_poll_pair(a, a, c);
    CHECK_OK(ploy_polls_ask(polls, id, &poll, &value));
    CHECK(value.as.b);
    poll = ploy_poll_pair(a, a, ploy_agent_id_make(99, 1));
    CHECK_INT(ploy_polls_ask(polls, id, &poll, &value), PLOY_ERR_NOT_FOUND);
    ploy_polls_destroy(polls);
    ploy_plain_scene_destroy(walls);
    ploy_entities_destroy(entities);
}

// ---- workers

typedef struct crowd {
    const ploy_polls *polls;
    ploy_topic_id id;
    int64_t answers[1000];
    int64_t sum; // of all ticks
    ploy_polls_counts counts[1000];
} crowd;

// A pure answer: it counts nothing, as workers read it at the same time.
static ploy_result crowd_answer(void *user, const ploy_polls *polls, const ploy_poll *poll,
                                ploy_value *out) {
    (void)polls;
    const int64_t *world = user;
    *out = ploy_value_i64(*world * 1000 + (int64_t)poll->keys[0]);
    return PLOY_OK;
}

static void crowd_think(void *arg, int32_t first, int32_t count, int32_t worker) {
    crowd *self = arg;
    (void)worker;
    for (int32_t i = first; i < first + count; i++) {
        ploy_poll poll = ploy_poll_make(ploy_agent_id_make((uint32_t)i, 1));
        poll.keys[0] = (uint64_t)(i % 50);
        ploy_value value = ploy_value_none();
        ploy_polls_read(self->polls, self->id, &poll, &value, &self->counts[i]);
        self->answers[i] = value.as.i64;
    }
}

// Answers live three ticks, so that whether one was kept shows in what is said.
TEST(answers_do_not_depend_on_the_number_of_workers) {
    static crowd crowds[3];
    static const int32_t workers[] = {1, 2, 4};
    for (int32_t w = 0; w < 3; w++) {
        ploy_env env = ploy_env_default();
        ploy_job_pool *pool = NULL;
        ploy_result started = ploy_job_pool_create(workers[w], &env, &pool);
        if (started == PLOY_ERR_UNSUPPORTED) test_skip(t, "no threads here");
        CHECK_OK(started);
        crowd *self = &crowds[w];
        memset(self, 0, sizeof *self);
        int64_t world = 0;
        ploy_polls *polls = polls_of(t, NULL);
        ploy_topic topic;
        memset(&topic, 0, sizeof topic);
        topic.name = "crowd";
        topic.answer = crowd_answer;
        topic.user = &world;
        topic.cache = PLOY_POLL_TICKS;
        topic.ticks = 2;
        topic.entries = 16;
        CHECK_OK(ploy_polls_add(polls, &topic, &self->id));
        self->polls = polls;
        for (int32_t tick = 0; tick < 20; tick++) {
            CHECK_OK(ploy_polls_step(polls, (uint64_t)tick, tick));
            world = tick;
            for (uint64_t key = 0; key < 10; key++) { // asked before they think
                ploy_poll poll = ploy_poll_make(ploy_agent_id_none());
                poll.keys[0] = key;
                ploy_value value;
                CHECK_OK(ploy_polls_ask(polls, self->id, &poll, &value));
            }
            ploy_jobs_run(ploy_job_pool_jobs(pool), crowd_think, self, 1000, 7);
            for (int32_t i = 0; i < 1000; i++) {
                self->sum = self->sum * 31 % 1000003 + self->answers[i];
            }
        }
        for (int32_t i = 0; i < 1000; i++) {
            CHECK_INT(self->answers[i], crowds[0].answers[i]);
            ployi_polls_add_counts(polls, self->id, &self->counts[i]);
        }
        CHECK_INT(self->sum, crowds[0].sum);
        ploy_polls_counts counts = ploy_polls_counts_of(polls, self->id);
        CHECK_INT(counts.asked, 20 * 1010);
        CHECK(counts.cached > 1000);
        ploy_polls_destroy(polls);
        ploy_job_pool_destroy(pool);
    }
}

static uint64_t polls_hash(const ploy_polls *polls) {
    ploy_hash_sink sink;
    ploy_hash_sink_init(&sink);
    ploy_describe out = ploy_hash_sink_describe(&sink);
    ploy_polls_describe(polls, &out);
    return ploy_hash_sink_result(&sink);
}

TEST(the_hash_sees_what_is_kept) {
    ploy_polls *polls = polls_of(t, NULL);
    flag_state state;
    memset(&state, 0, sizeof state);
    ploy_topic topic = topic_of("x", &state, PLOY_POLL_TICKS);
    topic.entries = 8;
    ploy_topic_id id;
    CHECK_OK(ploy_polls_add(polls, &topic, &id));
    uint64_t empty = polls_hash(polls);
    ask(t, polls, id, 1, 1);
    uint64_t one = polls_hash(polls);
    CHECK(one != empty);
    ask(t, polls, id, 1, 1); // from the cache
    CHECK_UINT(polls_hash(polls), one);
    ployi_polls_forget(polls);
    CHECK_UINT(polls_hash(polls), empty);
    ploy_polls_destroy(polls);
}

static ploy_result polls_fill(const ploy_env *env, void *arg) {
    (void)arg;
    ploy_polls_def def = ploy_polls_def_default();
    def.topics = 1;
    ploy_polls *polls = NULL;
    ploy_result result = ploy_polls_create(&def, env, &polls);
    static const char *const names[] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"};
    flag_state state;
    memset(&state, 0, sizeof state);
    for (int32_t i = 0; i < 10 && result == PLOY_OK; i++) {
        ploy_topic topic = topic_of(names[i], &state, PLOY_POLL_TICKS);
        topic.entries = i;
        result = ploy_polls_add(polls, &topic, NULL);
        int32_t want = result == PLOY_OK ? i + 1 : i;
        if (ploy_polls_count(polls) != want) result = PLOY_ERR_STATE;
    }
    ploy_polls_destroy(polls);
    return result;
}

TEST(polls_survive_every_failing_allocation) {
    CHECK_FAIL_NTH(polls_fill, NULL);
}

TEST(polls_save_and_load_their_answers) {
    static const char *const skip[] = {"stamp", "records", "asker", "topic",
                                       "from",  "to",      "tick",  NULL};
    flag_state a = {1, 0, PLOY_OK, false, {-1}}, b = {2, 0, PLOY_OK, false, {-1}};
    test_counts counts = {0, 0, 0};
    ploy_env env = test_counting_env(&counts);
    ploy_polls *polls = polls_of(t, &env), *other = NULL;
    ploy_topic_id ids[2];
    for (int32_t turn = 0; turn < 2; turn++) {
        ploy_polls *self = turn == 0 ? polls : polls_of(t, &env);
        if (turn == 1) other = self;
        ploy_topic ticks = topic_of("ticks", &a, PLOY_POLL_TICKS);
        ticks.ticks = 3;
        ticks.entries = 8;
        ploy_topic plain = topic_of("plain", &b, PLOY_POLL_UNCACHED);
        CHECK_OK(ploy_polls_add(self, &ticks, &ids[0]));
        CHECK_OK(ploy_polls_add(self, &plain, &ids[1]));
        if (turn == 1) break;
        CHECK_OK(ploy_polls_step(self, 4, 2.0));
        for (uint64_t i = 0; i < 5; i++) (void)ask(t, self, ids[0], i, 1);
        (void)ask(t, self, ids[1], 1, 1);
        state_check first = {ploy_polls_visit, self, NULL, skip, NULL};
        state_check_memory(t, &first, &counts);
    }
    state_check s = {ploy_polls_visit, polls, NULL, skip, NULL};
    state_check_all(t, &s);
    state_check_copy(t, &s, other);
    int64_t calls = a.calls;
    (void)ask(t, other, ids[0], 2, 1); // remembered
    CHECK_INT(a.calls, calls);
    ploy_polls_destroy(polls);
    ploy_polls_destroy(other);
}
