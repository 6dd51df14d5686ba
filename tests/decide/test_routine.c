// Routines: states as functions that stop and go on (SMC-07).
#include "decide/decide_internal.h"
#include "ploy/decide/routine.h"
#include "tests/decide/saved.h"

enum { PATROL, CHASE, SLEEP, LOST };

typedef struct guard {
    char log[128];
    int32_t length, post;
    bool arrived, sees, fails, endless, lost;
} guard;

static void guard_note(guard *owner, char what) {
    if (owner->length < (int32_t)sizeof owner->log - 1) owner->log[owner->length++] = what;
}

static ploy_result guard_patrol(ploy_routine *routine, void *self) {
    guard *owner = self;
    PLOY_ROUTINE_BEGIN(routine);
    for (owner->post = 0; owner->post < 2; owner->post++) {
        guard_note(owner, (char)('0' + owner->post));
        PLOY_ROUTINE_YIELD(routine);
        PLOY_ROUTINE_UNTIL(routine, owner->arrived);
        guard_note(owner, 'a');
        PLOY_ROUTINE_WAIT(routine, 0.25);
        if (owner->fails) return PLOY_ERR_STATE;
        if (owner->lost) PLOY_ROUTINE_GO(routine, LOST);
    }
    PLOY_ROUTINE_GO(routine, SLEEP);
    PLOY_ROUTINE_END(routine);
}

static ploy_result guard_chase(ploy_routine *routine, void *self) {
    guard *owner = self;
    PLOY_ROUTINE_BEGIN(routine);
    guard_note(owner, 'c');
    PLOY_ROUTINE_UNTIL(routine, !owner->sees);
    PLOY_ROUTINE_GO(routine, PATROL);
    PLOY_ROUTINE_END(routine);
}

static ploy_result guard_sleep(ploy_routine *routine, void *self) {
    guard *owner = self;
    if (owner->endless) PLOY_ROUTINE_GO(routine, SLEEP);
    PLOY_ROUTINE_BEGIN(routine);
    guard_note(owner, 'z');
    PLOY_ROUTINE_YIELD(routine);
    PLOY_ROUTINE_END(routine);
}

static void guard_leave(void *self, ploy_exit_reason reason) {
    guard_note(self, reason == PLOY_EXIT_FINISHED      ? '.'
                     : reason == PLOY_EXIT_INTERRUPTED ? '!'
                     : reason == PLOY_EXIT_ERROR       ? 'E'
                                                       : '-');
}

static void guard_watch(ploy_routine *routine, void *self) {
    const guard *owner = self;
    if (owner->sees && routine->state != CHASE) ploy_routine_go(routine, CHASE);
}

static const ploy_routine_state guard_states[] = {{"patrol", guard_patrol, guard_leave},
                                                  {"chase", guard_chase, guard_leave},
                                                  {"sleep", guard_sleep, guard_leave}};
static const ploy_routine_def guard_def = {"guard", guard_states, 3, guard_watch, 0, 0};

// Steps a tenth of a second each, one for each letter: 'a' arrived, 's' sees, '-' neither. Tells
// what each step came to.
static void guard_run(ploy_routine *routine, guard *owner, double *now, const char *letters,
                      char out[32]) {
    int32_t count = 0;
    for (; letters[count] != 0 && count < 31; count++) {
        ploy_step_context context;
        memset(&context, 0, sizeof context);
        context.now = *now;
        owner->arrived = letters[count] == 'a';
        owner->sees = letters[count] == 's';
        ploy_status status = PLOY_STATUS_FAILURE;
        ploy_result result = ploy_routine_step(routine, &guard_def, owner, &context, &status);
        out[count] = result == PLOY_OK ? "RSFK"[status] : 'E';
        *now += 0.1;
    }
    out[count] = 0;
}

TEST(a_state_goes_on_where_it_stopped) {
    static const struct {
        const char *row, *letters, *want, *log;
        bool fails, lost;
    } rows[] = {
        {"from post to post, and asleep", "-aaaa-aaaa--", "RRRRRRRRRRSR", "0a1a.z.0", false, false},
        {"it waits until it has arrived", "----a", "RRRRR", "0a", false, false},
        {"a sight interrupts; afterwards the patrol begins anew", "-ss-", "RRRR", "0!c.0", false,
         false},
        {"an interruption while it waits", "-as-", "RRRR", "0a!c.0", false, false},
        {"an error leaves the state; the next step begins anew", "-aaaa-", "RRRRER", "0aE0", true,
         false},
        {"a state that is not there", "-aaaa", "RRRRE", "0aE", false, true},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        guard owner;
        memset(&owner, 0, sizeof owner);
        owner.fails = rows[i].fails;
        owner.lost = rows[i].lost;
        ploy_routine routine = ploy_routine_make();
        double now = 0.0;
        char got[32];
        guard_run(&routine, &owner, &now, rows[i].letters, got);
        CHECK_TEXT(got, rows[i].want);
        CHECK_TEXT(owner.log, rows[i].log);
    }
}

TEST(states_that_go_to_each_other_without_end_are_stopped) {
    guard owner;
    memset(&owner, 0, sizeof owner);
    owner.endless = true;
    ploy_routine routine = ploy_routine_make();
    ploy_routine_go(&routine, SLEEP);
    ploy_step_context context;
    memset(&context, 0, sizeof context);
    ploy_status status;
    CHECK_INT(ploy_routine_step(&routine, &guard_def, &owner, &context, &status), PLOY_ERR_LIMIT);
    CHECK_INT(routine.state, -1);
    owner.endless = false;
    CHECK_OK(ploy_routine_step(&routine, &guard_def, &owner, &context, &status));
    CHECK_INT(routine.state, PATROL);
}

TEST(every_beginning_is_left_once) {
    for (int64_t round = 0; round < test_rounds(300); round++) {
        TEST_SEED(round);
        ploy_rng rng = ploy_rng_make((uint64_t)round);
        guard owner;
        memset(&owner, 0, sizeof owner);
        ploy_routine routine = ploy_routine_make();
        double now = 0.0;
        for (int32_t step = 0; step < 20; step++) {
            char letter[2] = {"-as"[ploy_rng_int(&rng, 0, 2)], 0}, got[32];
            owner.length = 0;
            memset(owner.log, 0, sizeof owner.log);
            uint32_t before = routine.changes;
            bool was_in = routine.state >= 0;
            guard_run(&routine, &owner, &now, letter, got);
            if (ploy_rng_chance(&rng, 0.1f)) {
                ployi_routine_halt(&routine, &guard_def, &owner, PLOY_EXIT_REMOVED);
            }
            int32_t left = 0;
            for (int32_t i = 0; i < owner.length; i++) {
                left += strchr(".!E-", owner.log[i]) != NULL;
            }
            int32_t begun = (int32_t)(routine.changes - before);
            CHECK_INT((was_in ? 1 : 0) + begun - left, routine.state >= 0 ? 1 : 0);
        }
    }
}

static ploy_result routine_body(const ploy_env *env, void *arg) {
    ploy_behavior behavior;
    ploy_result result = ploy_routine_behavior(&guard_def, arg, env, &behavior);
    if (result == PLOY_OK) ploy_behavior_destroy(behavior);
    return result;
}

TEST(a_routine_is_a_behavior_that_is_saved_by_its_state) {
    ploy_env env = ploy_env_default();
    guard owner, other;
    memset(&owner, 0, sizeof owner);
    memset(&other, 0, sizeof other);
    ploy_step_context context;
    memset(&context, 0, sizeof context);
    ploy_behavior first, second;
    ploy_status status;
    CHECK_OK(ploy_routine_behavior(&guard_def, &owner, &env, &first));
    CHECK_OK(ploy_routine_behavior(&guard_def, &other, &env, &second));
    CHECK_OK(ploy_behavior_enter(first, &context));
    owner.sees = true;
    CHECK_OK(ploy_behavior_step(first, &context, &status));
    CHECK_OK(ploy_behavior_step(first, &context, &status));
    CHECK_TEXT(owner.log, "0!c");
    other.sees = true;
    CHECK_INT(saved_give(t, second, &context, saved_take(t, first, &env), &env),
              1); // its state begins again
    CHECK_OK(ploy_behavior_step(second, &context, &status));
    CHECK_TEXT(other.log, "c"); // chases at once
    ploy_behavior_exit(second, &context, PLOY_EXIT_REMOVED);
    CHECK_INT(
        saved_give(t, second, &context,
                   saved_read(t, "{\"type\": \"routine\", \"state\": {\"state\": \"gone\"}}", &env),
                   &env),
        1);
    ploy_behavior_exit(first, &context, PLOY_EXIT_REMOVED);
    CHECK_TEXT(owner.log, "0!c-");
    ploy_behavior_destroy(first);
    ploy_behavior_destroy(second);
    CHECK_FAIL_NTH(routine_body, &owner);
    ploy_routine_def none = {"none", NULL, 0, NULL, 0, 0};
    ploy_routine routine = ploy_routine_make();
    CHECK_INT(ploy_routine_behavior(&none, NULL, &env, &first), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_routine_step(&routine, &none, NULL, &context, &status), PLOY_ERR_ARGUMENT);
}
