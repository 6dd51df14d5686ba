// Exchange of definitions while machines run.
#include "ploy/base/rng.h"
#include "ploy/decide/hsm.h"
#include "tests/test.h"

typedef struct swap_log {
    char text[512];
    size_t used;
} swap_log;

static void swap_note(const ploy_hsm_turn *turn, const char *what, const char *id) {
    swap_log *log = turn->owner;
    int n = snprintf(log->text + log->used, sizeof log->text - log->used, "%s%s ", what, id);
    if (n > 0 && log->used + (size_t)n < sizeof log->text) log->used += (size_t)n;
}

static ploy_result swap_enter(void *user, const ploy_hsm_turn *turn) {
    swap_note(turn, "+", user);
    return PLOY_OK;
}

static void swap_exit(void *user, const ploy_hsm_turn *turn) {
    swap_note(turn, "-", user);
}

// A chart as text: each state with its parent and kind.
typedef struct swap_row {
    const char *id, *parent;
    ploy_hsm_kind kind;
} swap_row;

typedef struct swap_link {
    const char *from, *on, *to;
} swap_link;

static ploy_hsm_type *swap_type(test_context *t, const ploy_env *env, const swap_row *rows,
                                size_t count, const swap_link *links, size_t link_count) {
    ploy_hsm_def def = ploy_hsm_def_default();
    ploy_hsm_type *type = NULL;
    CHECK_OK(ploy_hsm_type_create(&def, NULL, env, &type));
    for (size_t i = 0; i < count; i++) {
        ploy_hsm_hooks hooks = {swap_enter, NULL, swap_exit, (void *)(uintptr_t)rows[i].id};
        (void)ploy_hsm_type_state(type, rows[i].id, ploy_hsm_type_find(type, rows[i].parent),
                                  rows[i].kind, &hooks, ploy_maker_none());
    }
    for (size_t i = 0; i < link_count; i++) {
        char id[8];
        snprintf(id, sizeof id, "%d", (int)i);
        ploy_hsm_state to = ploy_hsm_type_find(type, links[i].to);
        ploy_hsm_rule rule =
            ploy_hsm_rule_make(id, ploy_hsm_type_find(type, links[i].from), links[i].on, &to);
        CHECK_OK(ploy_hsm_type_add(type, &rule));
    }
    CHECK_OK(ploy_hsm_type_finish(type));
    return type;
}

static const swap_row swap_before[] = {
    {"work", "", PLOY_HSM_STATE},      {"dig", "work", PLOY_HSM_STATE},
    {"carry", "work", PLOY_HSM_STATE}, {"last", "work", PLOY_HSM_HISTORY},
    {"rest", "", PLOY_HSM_STATE},
};
// One state more, one gone, and the rest has become two regions.
static const swap_row swap_after[] = {
    {"sleep", "", PLOY_HSM_STATE},      {"work", "", PLOY_HSM_STATE},
    {"sing", "work", PLOY_HSM_STATE},   {"carry", "work", PLOY_HSM_STATE},
    {"last", "work", PLOY_HSM_HISTORY}, {"rest", "", PLOY_HSM_PARALLEL},
    {"eat", "rest", PLOY_HSM_STATE},    {"drink", "rest", PLOY_HSM_STATE},
};
static const swap_link swap_links[] = {
    {"work", "next", "carry"}, {"work", "tired", "rest"}, {"rest", "fit", "last"}};

TEST(states_of_the_same_id_go_on_and_the_others_give_way) {
    static const struct {
        const char *row, *events, *log, *in;
        int32_t kept;
    } rows[] = {
        {"all of it is in the new type", "next", "", "carry", 2},
        {"the inner state is gone", "", "-dig +sing ", "sing", 1},
        {"regions that were not there", "tired", "+eat +drink ", "drink", 1},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_env env = ploy_env_default();
        ploy_hsm_type *before = swap_type(t, &env, swap_before, COUNT_OF(swap_before), swap_links,
                                          COUNT_OF(swap_links));
        ploy_hsm_type *after =
            swap_type(t, &env, swap_after, COUNT_OF(swap_after), swap_links, COUNT_OF(swap_links));
        swap_log log = {"", 0};
        ploy_hsm *hsm = NULL;
        ploy_step_context context = {0};
        ploy_status status;
        CHECK_OK(ploy_hsm_create(before, &log, &env, &hsm));
        CHECK_OK(ploy_behavior_enter(ploy_hsm_behavior(hsm), &context));
        if (rows[i].events[0] != '\0') {
            ploy_hsm_event event = ploy_hsm_event_make(rows[i].events);
            CHECK_OK(ploy_hsm_send(hsm, &event));
        }
        CHECK_OK(ploy_behavior_step(ploy_hsm_behavior(hsm), &context, &status));
        memset(&log, 0, sizeof log);
        int32_t kept = -1;
        CHECK_OK(ploy_hsm_swap(hsm, &context, after, &kept));
        CHECK_TEXT(log.text, rows[i].log);
        CHECK_INT(kept, rows[i].kept);
        CHECK(ploy_hsm_is_in(hsm, rows[i].in));
        CHECK(ploy_hsm_type_of(hsm) == after);
        ploy_hsm_type_destroy(before); // nothing holds on to it
        ploy_behavior_exit(ploy_hsm_behavior(hsm), &context, PLOY_EXIT_REMOVED);
        ploy_hsm_destroy(hsm);
        ploy_hsm_type_destroy(after);
    }
}

TEST(history_and_waiting_events_come_over) {
    ploy_env env = ploy_env_default();
    ploy_hsm_type *before =
        swap_type(t, &env, swap_before, COUNT_OF(swap_before), swap_links, COUNT_OF(swap_links));
    ploy_hsm_type *after =
        swap_type(t, &env, swap_after, COUNT_OF(swap_after), swap_links, COUNT_OF(swap_links));
    swap_log log = {"", 0};
    ploy_hsm *hsm = NULL;
    ploy_step_context context = {0};
    ploy_status status;
    CHECK_OK(ploy_hsm_create(before, &log, &env, &hsm));
    CHECK_OK(ploy_behavior_enter(ploy_hsm_behavior(hsm), &context));
    static const char *const events[] = {"next", "tired", "fit"};
    for (int i = 0; i < 3; i++) {
        ploy_hsm_event event = ploy_hsm_event_make(events[i]);
        CHECK_OK(ploy_hsm_send(hsm, &event));
        if (i < 2) CHECK_OK(ploy_behavior_step(ploy_hsm_behavior(hsm), &context, &status));
    }
    CHECK_OK(ploy_hsm_swap(hsm, &context, after, NULL)); // "fit" waits, carry is remembered
    CHECK_OK(ploy_behavior_step(ploy_hsm_behavior(hsm), &context, &status));
    CHECK(ploy_hsm_is_in(hsm, "carry"));
    ploy_behavior_exit(ploy_hsm_behavior(hsm), &context, PLOY_EXIT_REMOVED);
    CHECK_OK(ploy_hsm_swap(hsm, &context, before, NULL)); // not started: only the type changes
    CHECK(!ploy_hsm_is_in(hsm, "work"));
    ploy_hsm_destroy(hsm);
    ploy_hsm_type_destroy(before);
    ploy_hsm_type_destroy(after);
}

static ploy_result swap_body(const ploy_env *env, void *arg) {
    ploy_hsm_type **types = arg;
    swap_log log = {"", 0};
    ploy_hsm *hsm = NULL;
    ploy_step_context context = {0};
    ploy_result result = ploy_hsm_create(types[0], &log, env, &hsm);
    if (result != PLOY_OK) return result;
    result = ploy_behavior_enter(ploy_hsm_behavior(hsm), &context);
    log.used = 0;
    if (result == PLOY_OK) {
        result = ploy_hsm_swap(hsm, &context, types[1], NULL);
        // A swap that failed changed nothing and called nobody.
        if (result != PLOY_OK && (!ploy_hsm_is_in(hsm, "dig") || log.used > 0)) {
            result = PLOY_ERR_STATE;
        }
    }
    ploy_behavior_exit(ploy_hsm_behavior(hsm), &context, PLOY_EXIT_REMOVED);
    ploy_hsm_destroy(hsm);
    return result;
}

TEST(a_swap_without_memory_changes_nothing) {
    ploy_env env = ploy_env_default();
    ploy_hsm_type *types[2] = {
        swap_type(t, &env, swap_before, COUNT_OF(swap_before), swap_links, COUNT_OF(swap_links)),
        swap_type(t, &env, swap_after, COUNT_OF(swap_after), swap_links, COUNT_OF(swap_links))};
    CHECK_FAIL_NTH(swap_body, types);
    ploy_hsm_type_destroy(types[0]);
    ploy_hsm_type_destroy(types[1]);
}
