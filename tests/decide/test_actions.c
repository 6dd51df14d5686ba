#include "decide/decide_internal.h"
#include "ploy/decide/actions.h"

#include "ploy/base/hash.h"
#include "ploy/base/rng.h"
#include "tests/state.h"

// A body whose actions take as many frames as the first parameter of their request says (a frame at
// least), that writes down who acted in which frame, and fails what has a negative number.
typedef struct body {
    ploy_env env;
    ploy_actions *actions;
    ploy_action_book *book;
    ploy_action_manager *manager;
    char log[512]; // a letter for each frame of each part, frames divided by blanks
    int32_t cancelled;
    int32_t steps[64]; // of each live action, by index
    double now;
} body;

enum { LEGS = 1, ARMS = 2, VOICE = 4 };

static ploy_result body_begin(void *user, ploy_action_id id, const ploy_action_request *request) {
    body *it = user;
    (void)request;
    it->steps[id.id.index % 64] = 0;
    return PLOY_OK;
}

static int32_t body_frames(const ploy_action_request *request) {
    // Parts are named by a letter and the number of frames that they take: "b3".
    static const char *const kinds[] = {"a1", "b3", "c1", "A9", "B9", "C9", "D9", "x0", "y2"};
    static const int32_t frames[] = {1, 3, 1, 9, 9, 9, 9, -1, 2};
    for (size_t i = 0; i < COUNT_OF(kinds); i++) {
        if (ploy_name_equal(request->kind, ploy_name_of(kinds[i])))
            return frames[i] * 256 + kinds[i][0];
    }
    return 256 + '?';
}

static ploy_result body_step(void *user, ploy_action_id id, const ploy_action_request *request,
                             float dt, ploy_status *status) {
    body *it = user;
    (void)dt;
    int32_t frames = body_frames(request);
    size_t used = strlen(it->log);
    if (used + 2 < sizeof it->log) it->log[used] = (char)(frames & 255);
    it->log[used + 1] = '\0';
    if (frames < 0) {
        *status = PLOY_STATUS_FAILURE;
        return PLOY_OK;
    }
    it->steps[id.id.index % 64]++;
    *status =
        it->steps[id.id.index % 64] >= frames / 256 ? PLOY_STATUS_SUCCESS : PLOY_STATUS_RUNNING;
    return PLOY_OK;
}

static void body_cancel(void *user, ploy_action_id id, const ploy_action_request *request) {
    body *it = user;
    (void)id;
    (void)request;
    it->cancelled++;
}

static void body_open(test_context *t, body *it) {
    memset(it, 0, sizeof *it);
    it->env = ploy_env_default();
    ploy_action_controller all = {body_begin, body_step, body_cancel, it};
    ploy_action_host host = {
        .move = all, .animate = all, .change = all, .think = all, .present = all};
    ploy_actions_def def = ploy_actions_def_default();
    def.capacity = 64;
    CHECK_OK(ploy_actions_create(&def, &host, &it->env, &it->actions));
    CHECK_OK(ploy_action_book_create(&it->env, &it->book));
}

static void body_add(body *it, const char *name, uint32_t resources, bool interrupts) {
    ploy_action_part part = ploy_action_part_make(name, PLOY_ACTION_ANIMATE, resources);
    part.interrupts = interrupts;
    (void)ploy_action_book_add(it->book, &part);
}

static void body_ready(test_context *t, body *it, const ploy_action_manager_def *def) {
    CHECK_OK(ploy_action_book_finish(it->book));
    CHECK_OK(ploy_action_manager_create(def, it->book, ploy_agent_id_make(1, 1), &it->env,
                                        &it->manager));
}

static void body_close(body *it) {
    ploy_action_manager_destroy(it->manager);
    ploy_action_book_destroy(it->book);
    ploy_actions_destroy(it->actions);
}

static ploy_result body_ask(body *it, const char *kind, float priority, float patience,
                            ploy_action_entry_id *out) {
    ploy_action_request request =
        ploy_action_request_make(ploy_agent_id_make(1, 1), ploy_name_of(kind), PLOY_ACTION_ANIMATE);
    ploy_action_terms terms = {priority, patience, ploy_name_of("test")};
    return ploy_action_manager_request(it->manager, &request, &terms, it->now, out);
}

static void body_frame(test_context *t, body *it, double now) {
    it->now = now;
    CHECK_OK(ploy_action_manager_step(it->manager, it->actions, now, 0.1f, NULL));
    CHECK_OK(ploy_actions_step(it->actions, 0.1f));
    size_t used = strlen(it->log);
    if (used + 2 < sizeof it->log) memcpy(it->log + used, " ", 2);
}

// The first letters of what runs and of what waits, in order: "AB|C".
static const char *body_sets(const body *it) {
    static char text[64];
    char *at = text;
    for (int32_t i = 0; i < ployi_action_manager_active_count(it->manager); i++) {
        const ploy_action_request *request =
            ploy_action_manager_get(it->manager, ploy_action_manager_active(it->manager, i));
        *at++ = ploy_action_book_name(it->book, ploy_action_book_find(it->book, request->kind))[0];
    }
    *at++ = '|';
    for (int32_t i = 0; i < ployi_action_manager_queue_count(it->manager); i++) {
        const ploy_action_request *request =
            ploy_action_manager_get(it->manager, ploy_action_manager_queued(it->manager, i));
        *at++ = ploy_action_book_name(it->book, ploy_action_book_find(it->book, request->kind))[0];
    }
    *at = '\0';
    return text;
}

// A and B can be done at once, C needs what A needs; D pushes others aside.
static void body_quartet(test_context *t, body *it, ploy_action_mode mode, bool requeue) {
    body_open(t, it);
    body_add(it, "A9", LEGS, false);
    body_add(it, "B9", ARMS, false);
    body_add(it, "C9", LEGS, false);
    body_add(it, "D9", LEGS | ARMS, true);
    ploy_action_manager_def def = ploy_action_manager_def_default();
    def.mode = mode;
    def.requeue = requeue;
    body_ready(t, it, &def);
}

// ACT-04, N41: A p5, B p3 compatible, C p1 not: the text runs {A, B}, the listing {A}.
TEST(as_many_run_together_as_can) {
    static const struct {
        const char *row;
        ploy_action_mode mode;
        const char *want;
    } rows[] = {
        {"combine", PLOY_ACTION_COMBINE, "AB|C"},
        {"strict", PLOY_ACTION_STRICT, "A|BC"},
        {"single", PLOY_ACTION_SINGLE, "A|BC"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        body it;
        body_quartet(t, &it, rows[i].mode, false);
        CHECK_OK(body_ask(&it, "C9", 1, 0, NULL));
        CHECK_OK(body_ask(&it, "B9", 3, 0, NULL));
        CHECK_OK(body_ask(&it, "A9", 5, 0, NULL));
        body_frame(t, &it, 0);
        CHECK_TEXT(body_sets(&it), rows[i].want);
        state_check s = {ploy_action_manager_visit, it.manager, NULL, NULL, NULL};
        state_check_cover(t, &s);
        // A and B take nine frames; the tenth notices, the next lets C in.
        for (int32_t f = 1; f < 25; f++) body_frame(t, &it, f);
        CHECK_TEXT(body_sets(&it), rows[i].mode == PLOY_ACTION_COMBINE ? "|" : "C|");
        body_close(&it);
    }
}

// ACT-04: what expires at 10 is kept at 10 and dropped at 10.1.
TEST(what_waits_too_long_is_dropped) {
    body it;
    body_quartet(t, &it, PLOY_ACTION_COMBINE, false);
    CHECK_OK(body_ask(&it, "A9", 5, 0, NULL));
    CHECK_OK(body_ask(&it, "C9", 1, 10, NULL));
    body_frame(t, &it, 0);
    body_frame(t, &it, 10);
    CHECK_TEXT(body_sets(&it), "A|C");
    body_frame(t, &it, 10.1);
    CHECK_TEXT(body_sets(&it), "A|");
    ploy_action_event event;
    CHECK(ploy_action_manager_event(it.manager, ploy_action_manager_event_count(it.manager) - 1,
                                    &event));
    CHECK_INT(event.kind, PLOY_ACTION_EXPIRED);
    CHECK_SAME(event.now, 10.1);
    CHECK_SAME(event.queued, 0);
    body_close(&it);
}

// ACT-05: active {A p5}: D p9 that interrupts leaves {D} and A cancelled; D p4 waits.
TEST(the_urgent_push_the_rest_aside) {
    static const struct {
        const char *row;
        float priority;
        bool requeue;
        const char *want;
        int32_t cancelled;
    } rows[] = {
        {"more urgent", 9, false, "D|", 1},
        {"less urgent", 4, false, "A|D", 0},
        {"as urgent", 5, false, "A|D", 0},
        {"and the other waits again", 9, true, "D|A", 1},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        body it;
        body_quartet(t, &it, PLOY_ACTION_COMBINE, rows[i].requeue);
        CHECK_OK(body_ask(&it, "A9", 5, 0, NULL));
        body_frame(t, &it, 0);
        CHECK_OK(body_ask(&it, "D9", rows[i].priority, 0, NULL));
        body_frame(t, &it, 1);
        CHECK_TEXT(body_sets(&it), rows[i].want);
        CHECK_INT(it.cancelled, rows[i].cancelled);
        body_close(&it);
    }
}

// ACT-04, 13.4: after an interrupt what is compatible with the interrupter still joins at once.
TEST(after_an_interrupt_the_compatible_still_join) {
    body it;
    body_open(t, &it);
    body_add(&it, "A9", LEGS, false);
    body_add(&it, "B9", VOICE, false);
    body_add(&it, "D9", LEGS | ARMS, true);
    ploy_action_manager_def def = ploy_action_manager_def_default();
    body_ready(t, &it, &def);
    CHECK_OK(body_ask(&it, "A9", 5, 0, NULL));
    body_frame(t, &it, 0);
    CHECK_OK(body_ask(&it, "D9", 9, 0, NULL));
    CHECK_OK(body_ask(&it, "B9", 1, 0, NULL));
    body_frame(t, &it, 1);
    CHECK_TEXT(body_sets(&it), "DB|");
    body_close(&it);
}

// ACT-07: seq[instant, 3 frames, instant]: frame 1 a, frames 2 to 4 b, frame 5 c, complete in 6.
TEST(a_sequence_takes_the_frames_of_its_parts) {
    body it;
    body_open(t, &it);
    ploy_action_book_open(it.book, "script", PLOY_ACTION_SEQUENCE);
    body_add(&it, "a1", LEGS, false);
    body_add(&it, "b3", LEGS, false);
    body_add(&it, "c1", LEGS, false);
    ploy_action_book_close(it.book);
    ploy_action_manager_def def = ploy_action_manager_def_default();
    body_ready(t, &it, &def);
    CHECK_OK(body_ask(&it, "script", 1, 0, NULL));
    for (int32_t f = 1; f <= 5; f++) {
        body_frame(t, &it, f);
        CHECK_INT(ployi_action_manager_active_count(it.manager), 1);
    }
    body_frame(t, &it, 6);
    CHECK_INT(ployi_action_manager_active_count(it.manager), 0);
    CHECK_TEXT(it.log, "a b b b c  ");
    body_close(&it);
}

// ACT-06: all at once, finished parts are not executed again; nested both ways; ACT-08 abandoning.
TEST(compounds_nest) {
    body it;
    body_open(t, &it);
    ploy_action_book_open(it.book, "both", PLOY_ACTION_TOGETHER);
    body_add(&it, "a1", LEGS, false);
    ploy_action_book_open(it.book, "inner", PLOY_ACTION_SEQUENCE);
    body_add(&it, "b3", ARMS, false);
    body_add(&it, "c1", ARMS, false);
    ploy_action_book_close(it.book);
    body_add(&it, "y2", VOICE, false);
    ploy_action_book_close(it.book);
    ploy_action_book_open(it.book, "broken", PLOY_ACTION_TOGETHER);
    body_add(&it, "B9", ARMS, false);
    body_add(&it, "x0", LEGS, false);
    ploy_action_book_close(it.book);
    ploy_action_manager_def def = ploy_action_manager_def_default();
    body_ready(t, &it, &def);
    CHECK_INT(ployi_action_book_parts(it.book, 0), 6);
    CHECK_INT(ployi_action_book_count(it.book), 2);
    CHECK_OK(body_ask(&it, "both", 1, 0, NULL));
    for (int32_t f = 1; f <= 5; f++) body_frame(t, &it, f);
    CHECK_TEXT(it.log, "aby by b c  ");
    CHECK_INT(ployi_action_manager_active_count(it.manager), 0);
    it.log[0] = '\0';
    CHECK_OK(body_ask(&it, "broken", 1, 0, NULL));
    body_frame(t, &it, 6);
    body_frame(t, &it, 7);
    CHECK_INT(it.cancelled, 1);
    ploy_action_event event;
    CHECK(ploy_action_manager_event(it.manager, ploy_action_manager_event_count(it.manager) - 1,
                                    &event));
    CHECK_INT(event.kind, PLOY_ACTION_BROKEN);
    CHECK_TEXT(it.log, "Bx  "); // what was cancelled does not act any more
    ploy_action_entry_id script;
    CHECK_OK(body_ask(&it, "both", 1, 0, &script));
    body_frame(t, &it, 8);
    CHECK_INT(ployi_action_manager_state(it.manager, script), PLOY_ACTION_ACTING);
    CHECK_OK(ploy_action_manager_cancel(it.manager, it.actions, script, 8));
    CHECK_INT(ployi_action_manager_state(it.manager, script), PLOY_ACTION_UNKNOWN);
    CHECK_INT(ploy_action_manager_cancel(it.manager, it.actions, script, 8), PLOY_ERR_NOT_FOUND);
    body_frame(t, &it, 9);
    CHECK_INT(ploy_actions_live_count(it.actions), 0);
    body_close(&it);
}

// ACT-06, 07: a combination interrupts if any part does, a sequence if its first does; two
// compounds go together if all their parts do.
TEST(compounds_interrupt_and_go_together_as_their_parts_do) {
    body it;
    body_open(t, &it);
    static const char *const names[] = {"any", "first", "later"};
    for (size_t i = 0; i < 3; i++) {
        ploy_action_book_open(it.book, names[i],
                              i == 0 ? PLOY_ACTION_TOGETHER : PLOY_ACTION_SEQUENCE);
        body_add(&it, "a1", LEGS, i == 1);
        body_add(&it, "b3", ARMS, i != 1);
        ploy_action_book_close(it.book);
    }
    body_add(&it, "y2", ARMS, false);
    body_add(&it, "c1", VOICE, false);
    CHECK_OK(ploy_action_book_finish(it.book));
    CHECK(ployi_action_book_interrupts(it.book, 0));
    CHECK(ployi_action_book_interrupts(it.book, 1));
    CHECK(!ployi_action_book_interrupts(it.book, 2));
    CHECK(!ployi_action_book_interrupts(it.book, 9));
    CHECK(!ployi_action_book_both(it.book, 1, 3)); // its second part needs the arms
    CHECK(!ployi_action_book_both(it.book, 3, 1));
    CHECK(ployi_action_book_both(it.book, 1, 4));
    CHECK(!ployi_action_book_both(it.book, 1, 9));
    body_close(&it);
}

static bool only_one_way(void *user, const ploy_action_part *a, const ploy_action_part *b) {
    (void)user;
    return strcmp(a->name, b->name) <= 0;
}

static bool always(void *user, const ploy_action_part *a, const ploy_action_part *b) {
    (void)user;
    (void)a;
    (void)b;
    return true;
}

TEST(a_test_of_ones_own_is_asked_both_ways) {
    static const struct {
        const char *row;
        ploy_action_both_fn both;
        bool want;
    } rows[] = {
        {"both need the legs", NULL, false},
        {"it says yes", always, true},
        {"it says yes one way only", only_one_way, false},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        body it;
        body_open(t, &it);
        body_add(&it, "A9", LEGS, false);
        body_add(&it, "B9", LEGS, false);
        CHECK_OK(ploy_action_book_set_both(it.book, rows[i].both, NULL));
        CHECK_OK(ploy_action_book_finish(it.book));
        CHECK_INT(ployi_action_book_both(it.book, 0, 1), rows[i].want);
        CHECK_INT(ployi_action_book_both(it.book, 1, 0), rows[i].want);
        body_close(&it);
    }
}

// ACT-10, N42: limit 3, priorities 5, 4, 3, then 6 leaves {6, 5, 4}; then 1 is refused.
TEST(a_full_queue_keeps_what_matters_most) {
    body it;
    body_open(t, &it);
    body_add(&it, "A9", LEGS, false);
    ploy_action_manager_def def = ploy_action_manager_def_default();
    def.queue = 3;
    body_ready(t, &it, &def);
    static const float priorities[] = {5, 4, 3, 6};
    for (size_t i = 0; i < COUNT_OF(priorities); i++) {
        CHECK_OK(body_ask(&it, "A9", priorities[i], 0, NULL));
    }
    CHECK_INT(body_ask(&it, "A9", 1, 0, NULL), PLOY_ERR_CAPACITY);
    CHECK_INT(ployi_action_manager_queue_count(it.manager), 3);
    static const ploy_action_event_kind kinds[] = {PLOY_ACTION_QUEUED, PLOY_ACTION_QUEUED,
                                                   PLOY_ACTION_QUEUED,
                                                   PLOY_ACTION_DROPPED, // the 3
                                                   PLOY_ACTION_QUEUED};
    CHECK_INT(ploy_action_manager_event_count(it.manager), COUNT_OF(kinds));
    for (int32_t i = 0; i < (int32_t)COUNT_OF(kinds); i++) {
        ploy_action_event event;
        CHECK(ploy_action_manager_event(it.manager, i, &event));
        CHECK_INT(event.kind, kinds[i]);
        if (kinds[i] == PLOY_ACTION_DROPPED) CHECK_SAME(event.priority, 3);
        CHECK(ploy_name_equal(event.source, ploy_name_of("test")));
    }
    body_frame(t, &it, 0);
    ploy_action_event event;
    CHECK(ploy_action_manager_event(it.manager, 5, &event));
    CHECK_INT(event.kind, PLOY_ACTION_STARTED);
    CHECK_SAME(event.priority, 6);
    body_close(&it);
}

// ACT-03: a part may end after a time of its own; a machine with it needs no states in between.
// N40: one for each ordered pair would be n(n-1), 2 for two states and 20 for five.
TEST(a_part_may_end_after_a_time) {
    body it;
    body_open(t, &it);
    ploy_action_part guard = ploy_action_part_make("A9", PLOY_ACTION_ANIMATE, LEGS);
    guard.seconds = 0.35f;
    CHECK_OK(ploy_action_book_add(it.book, &guard));
    ploy_action_manager_def def = ploy_action_manager_def_default();
    body_ready(t, &it, &def);
    CHECK_OK(body_ask(&it, "A9", 1, 0, NULL));
    for (int32_t f = 0; f < 10; f++) body_frame(t, &it, f);
    CHECK_TEXT(it.log, "A A A A       ");
    CHECK_INT(it.cancelled, 1);
    body_close(&it);
}

// A manager that is stepped rarely hears the ends of actions from the host's `done`.
TEST(a_report_stands_in_for_a_look) {
    body it;
    body_open(t, &it);
    body_add(&it, "a1", LEGS, false);
    ploy_action_manager_def def = ploy_action_manager_def_default();
    body_ready(t, &it, &def);
    for (int32_t told = 0; told < 2; told++) {
        CHECK_OK(body_ask(&it, "a1", 1, 0, NULL));
        body_frame(t, &it, 0);
        ploy_action_report report;
        CHECK(ploy_actions_finished(it.actions, 0, &report));
        if (told == 1) ployi_action_manager_note(it.manager, &report);
        CHECK_OK(ploy_actions_step(it.actions, 0.1f)); // the body forgets it
        body_frame(t, &it, 1);
        ploy_action_event event;
        CHECK(ploy_action_manager_event(it.manager, ploy_action_manager_event_count(it.manager) - 1,
                                        &event));
        CHECK_INT(event.kind, told == 1 ? PLOY_ACTION_COMPLETED : PLOY_ACTION_BROKEN);
    }
    body_close(&it);
}

TEST(a_book_refuses_what_is_wrong) {
    for (int32_t i = 0; i < 12; i++) {
        body it;
        body_open(t, &it);
        ploy_action_part part = ploy_action_part_make("walk", PLOY_ACTION_MOVE, LEGS);
        ploy_action_terms terms = ploy_action_terms_default();
        ploy_result want = PLOY_ERR_ARGUMENT;
        if (i == 0) part.name = NULL;
        if (i == 1) part.effect = PLOY_ACTION_EFFECT_COUNT;
        if (i == 2) part.flags = PLOY_ACTION_NOW;
        if (i == 3) part.seconds = NAN;
        if (i == 4) part.position.x = INFINITY;
        if (i == 5) part.reach = -1;
        if (i == 6) want = PLOY_ERR_EXISTS, ploy_action_book_add(it.book, &part);
        if (i == 7) want = PLOY_ERR_STATE, ploy_action_book_close(it.book);
        if (i == 8)
            want = PLOY_ERR_STATE, ploy_action_book_open(it.book, "x", PLOY_ACTION_SEQUENCE);
        if (i == 9) terms.priority = NAN;
        if (i == 10) {
            want = PLOY_ERR_LIMIT;
            for (int32_t j = 0; j <= PLOY_ACTION_DEPTH_MAX; j++) {
                ploy_action_book_open(it.book, "deep", PLOY_ACTION_SEQUENCE);
            }
        }
        if (i == 11) want = PLOY_OK;
        ploy_action_book_add(it.book, &part);
        ployi_action_book_set_terms(it.book, &terms);
        CHECK_INT(ploy_action_book_finish(it.book), want);
        CHECK_INT(ploy_action_book_add(it.book, &part), want == PLOY_OK ? PLOY_ERR_STATE : want);
        ploy_action_manager_def def = ploy_action_manager_def_default();
        if (want != PLOY_OK) want = PLOY_ERR_STATE;
        CHECK_INT(ploy_action_manager_create(&def, it.book, ploy_agent_id_make(1, 1), &it.env,
                                             &it.manager),
                  want);
        body_close(&it);
    }
}

TEST(a_manager_refuses_what_is_wrong) {
    body it;
    body_quartet(t, &it, PLOY_ACTION_COMBINE, false);
    CHECK_INT(body_ask(&it, "dance", 1, 0, NULL), PLOY_ERR_NOT_FOUND);
    CHECK_INT(body_ask(&it, "A9", NAN, 0, NULL), PLOY_ERR_ARGUMENT);
    CHECK_INT(body_ask(&it, "A9", 1, NAN, NULL), PLOY_ERR_ARGUMENT);
    it.now = NAN;
    CHECK_INT(body_ask(&it, "A9", 1, 0, NULL), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_action_manager_step(it.manager, it.actions, 0, -1, NULL), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_action_manager_step(it.manager, NULL, 0, 0, NULL), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_action_manager_event_count(it.manager), 0);
    body_close(&it);
}

// Random requests, cancels and frames: every entry ends once, what runs together can, nothing of
// less priority runs while something compatible of more waits, the body does nothing unasked.
TEST(random_days_keep_the_rules) {
    for (int64_t seed = 0; seed < test_rounds(60); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        body it;
        body_quartet(t, &it, (ploy_action_mode)ploy_rng_below(&rng, 3),
                     ploy_rng_below(&rng, 2) == 1);
        static const char *const kinds[] = {"A9", "B9", "C9", "D9"};
        int32_t queued = 0, seen = 0;
        for (int32_t f = 0; f < 120; f++) {
            for (int32_t k = (int32_t)ploy_rng_below(&rng, 3); k > 0; k--) {
                if (body_ask(&it, kinds[ploy_rng_below(&rng, 4)], (float)ploy_rng_below(&rng, 5),
                             (float)ploy_rng_below(&rng, 9), NULL) == PLOY_OK) {
                    queued++;
                }
            }
            body_frame(t, &it, f);
            int32_t active = ployi_action_manager_active_count(it.manager);
            for (int32_t i = 0; i < active; i++) {
                ploy_action_entry_id a = ploy_action_manager_active(it.manager, i);
                int32_t one =
                    ploy_action_book_find(it.book, ploy_action_manager_get(it.manager, a)->kind);
                for (int32_t j = 0; j < i; j++) {
                    ploy_action_entry_id b = ploy_action_manager_active(it.manager, j);
                    int32_t two = ploy_action_book_find(
                        it.book, ploy_action_manager_get(it.manager, b)->kind);
                    CHECK(ployi_action_book_both(it.book, one, two));
                }
            }
            CHECK_INT(ploy_actions_live_count(it.actions) <= active, true);
            seen = active > seen ? active : seen;
            it.log[0] = '\0';
        }
        for (int32_t f = 120; f < 600 && (ployi_action_manager_queue_count(it.manager) > 0 ||
                                          ployi_action_manager_active_count(it.manager) > 0);
             f++) {
            body_frame(t, &it, f);
            it.log[0] = '\0';
        }
        CHECK(queued > 60);
        CHECK(seen >= 1);
        CHECK_TEXT(body_sets(&it), "|");
        CHECK_OK(ploy_actions_step(it.actions, 0));
        CHECK_INT(ploy_actions_live_count(it.actions), 0);
        body_close(&it);
    }
}

static ploy_result actions_make(const ploy_env *env, void *arg) {
    (void)arg;
    ploy_action_book *book = NULL;
    ploy_action_manager *manager = NULL;
    ploy_result result = ploy_action_book_create(env, &book);
    if (result != PLOY_OK) return result;
    ploy_action_part part = ploy_action_part_make("walk", PLOY_ACTION_MOVE, LEGS);
    part.style = "slowly";
    ploy_action_book_open(book, "go", PLOY_ACTION_SEQUENCE);
    ploy_action_book_add(book, &part);
    ploy_action_book_close(book);
    result = ploy_action_book_finish(book);
    ploy_action_manager_def def = ploy_action_manager_def_default();
    if (result == PLOY_OK) {
        result = ploy_action_manager_create(&def, book, ploy_agent_id_make(1, 1), env, &manager);
    }
    ploy_action_manager_destroy(manager);
    ploy_action_book_destroy(book);
    return result;
}

TEST(every_failing_allocation_is_survived) {
    CHECK_FAIL_NTH(actions_make, NULL);
}

TEST(the_tables_are_right_and_nothing_is_allocated_in_a_step) {
    CHECK_OK(ploy_fields_check_table(ploy_action_manager_fields(), NULL));
    CHECK_TEXT(ploy_action_event_text(PLOY_ACTION_PUSHED), "pushed aside");
    CHECK_TEXT(ploy_action_event_text((ploy_action_event_kind)99), "?");
    test_counts counts;
    body it;
    body_open(t, &it);
    body_add(&it, "A9", LEGS, false);
    CHECK_OK(ploy_action_book_finish(it.book));
    ploy_env env = test_counting_env(&counts);
    ploy_action_manager_def def = ploy_action_manager_def_default();
    CHECK_OK(
        ploy_action_manager_create(&def, it.book, ploy_agent_id_make(1, 1), &env, &it.manager));
    int64_t bytes = 0, calls = counts.calls;
    ploy_visit_memory(ploy_action_manager_visit, it.manager, test_sum_memory, &bytes);
    CHECK_INT(bytes, counts.bytes);
    for (int32_t f = 0; f < 40; f++) {
        (void)body_ask(&it, "A9", 1, 0, NULL); // refused when the queue is full
        body_frame(t, &it, f);
        it.log[0] = '\0';
    }
    CHECK_INT(counts.calls, calls);
    ploy_action_manager_destroy(it.manager);
    it.manager = NULL;
    CHECK_INT(counts.bytes, 0);
    body_close(&it);
}
