#include "ploy/exec/outbox.h"

#include "exec/exec_internal.h"
#include "tests/state.h"

static ploy_outbox *outbox_of(test_context *t, int32_t messages, int32_t actions) {
    ploy_env env = ploy_env_default();
    ploy_outbox *outbox = NULL;
    CHECK_OK(ploy_outbox_create(ploy_agent_id_make(5, 1), messages, actions, &env, &outbox));
    return outbox;
}

static ploy_message message_of(const char *kind) {
    return ploy_message_make(ploy_agent_id_none(), ploy_agent_id_make(6, 1), ploy_name_of(kind));
}

static ploy_action_request action_of(const char *kind) {
    return ploy_action_request_make(ploy_agent_id_none(), ploy_name_of(kind), PLOY_ACTION_CHANGE);
}

TEST(items_wait_in_order_with_the_owner_filled_in) {
    ploy_outbox *outbox = outbox_of(t, 3, 2);
    ploy_message a = message_of("a"), b = message_of("b");
    b.sender = ploy_agent_id_make(9, 9);
    ploy_action_request c = action_of("c"), d = action_of("d");
    d.agent = ploy_agent_id_make(9, 9);
    CHECK_OK(ploy_outbox_message(outbox, &a));
    CHECK_OK(ploy_outbox_message(outbox, &b));
    CHECK_OK(ploy_outbox_action(outbox, &c));
    CHECK_OK(ploy_outbox_action(outbox, &d));
    CHECK_INT(ploy_outbox_message_count(outbox), 2);
    CHECK_INT(ploy_outbox_action_count(outbox), 2);
    CHECK(ploy_name_equal(ploy_outbox_message_at(outbox, 0)->kind, ploy_name_of("a")));
    CHECK_UINT(ploy_outbox_message_at(outbox, 0)->sender.id.index, 5);
    CHECK_UINT(ploy_outbox_message_at(outbox, 1)->sender.id.index, 9);
    CHECK_UINT(ploy_outbox_action_at(outbox, 0)->agent.id.index, 5);
    CHECK_UINT(ploy_outbox_action_at(outbox, 1)->agent.id.index, 9);
    CHECK(ploy_outbox_message_at(outbox, 2) == NULL);
    CHECK(ploy_outbox_message_at(outbox, -1) == NULL);
    CHECK(ploy_outbox_action_at(outbox, 2) == NULL);
    ploy_outbox_clear(outbox);
    CHECK_INT(ploy_outbox_message_count(outbox) + ploy_outbox_action_count(outbox), 0);
    ploy_outbox_destroy(outbox);
    ploy_outbox_destroy(NULL);
}

TEST(a_full_outbox_and_wrong_items_are_refused) {
    ploy_outbox *outbox = outbox_of(t, 1, 0);
    ploy_message a = message_of("a");
    ploy_action_request c = action_of("c");
    CHECK_OK(ploy_outbox_message(outbox, &a));
    CHECK_INT(ploy_outbox_message(outbox, &a), PLOY_ERR_CAPACITY);
    CHECK_INT(ploy_outbox_action(outbox, &c), PLOY_ERR_CAPACITY);
    ploy_outbox_clear(outbox);
    a.due = NAN;
    CHECK_INT(ploy_outbox_message(outbox, &a), PLOY_ERR_ARGUMENT);
    a.due = 0;
    a.size = PLOY_MESSAGE_PAYLOAD + 1;
    CHECK_INT(ploy_outbox_message(outbox, &a), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_outbox_message(outbox, NULL), PLOY_ERR_ARGUMENT);
    c.reach = -1;
    CHECK_INT(ploy_outbox_action(outbox, &c), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_outbox_action(outbox, NULL), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_outbox_message_count(outbox), 0);
    ploy_outbox_destroy(outbox);
    ploy_env env = ploy_env_default();
    CHECK_INT(ploy_outbox_create(ploy_agent_id_none(), -1, 0, &env, &outbox), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_outbox_create(ploy_agent_id_none(), 0, 65536, &env, &outbox), PLOY_ERR_ARGUMENT);
    CHECK(outbox == NULL);
}

TEST(without_an_outbox_nobody_listens) {
    ploy_message a = message_of("a");
    ploy_action_request c = action_of("c");
    CHECK_OK(ploy_outbox_message(NULL, &a));
    CHECK_OK(ploy_outbox_action(NULL, &c));
    CHECK_INT(ploy_outbox_message_count(NULL), 0);
    CHECK_INT(ploy_outbox_action_count(NULL), 0);
    CHECK(ploy_outbox_message_at(NULL, 0) == NULL);
    ploy_outbox_clear(NULL);
}

TEST(parts_can_be_dropped_from_either_end) {
    ploy_outbox *outbox = outbox_of(t, 4, 4);
    static const char *const kinds[] = {"a", "b", "c", "d"};
    for (int32_t i = 0; i < 4; i++) {
        ploy_message message = message_of(kinds[i]);
        ploy_action_request action = action_of(kinds[i]);
        CHECK_OK(ploy_outbox_message(outbox, &message));
        CHECK_OK(ploy_outbox_action(outbox, &action));
    }
    ployi_outbox_drop(outbox, 1, 2);
    CHECK_INT(ploy_outbox_message_count(outbox), 3);
    CHECK_INT(ploy_outbox_action_count(outbox), 2);
    CHECK(ploy_name_equal(ploy_outbox_message_at(outbox, 0)->kind, ploy_name_of("b")));
    CHECK(ploy_name_equal(ploy_outbox_action_at(outbox, 0)->kind, ploy_name_of("c")));
    ployi_outbox_cut(outbox, 1, 1);
    CHECK_INT(ploy_outbox_message_count(outbox), 1);
    CHECK(ploy_name_equal(ploy_outbox_message_at(outbox, 0)->kind, ploy_name_of("b")));
    ployi_outbox_assign(outbox, ploy_agent_id_make(8, 1));
    CHECK_INT(ploy_outbox_message_count(outbox), 0);
    ploy_message message = message_of("e");
    CHECK_OK(ploy_outbox_message(outbox, &message));
    CHECK_UINT(ploy_outbox_message_at(outbox, 0)->sender.id.index, 8);
    ploy_outbox_destroy(outbox);
}

static uint64_t hash_of(const ploy_outbox *outbox) {
    ploy_hash_sink sink;
    ploy_hash_sink_init(&sink);
    ploy_describe out = ploy_hash_sink_describe(&sink);
    ploy_outbox_describe(outbox, &out);
    return ploy_hash_sink_result(&sink);
}

TEST(describe_tells_what_waits) {
    ploy_outbox *outbox = outbox_of(t, 4, 4);
    uint64_t empty = hash_of(outbox);
    ploy_message message = message_of("a");
    ploy_action_request action = action_of("a");
    CHECK_OK(ploy_outbox_message(outbox, &message));
    uint64_t one = hash_of(outbox);
    CHECK_OK(ploy_outbox_action(outbox, &action));
    uint64_t two = hash_of(outbox);
    CHECK(empty != one && one != two && empty != two);
    ploy_outbox_clear(outbox);
    CHECK_UINT(hash_of(outbox), empty);
    ploy_outbox_destroy(outbox);
}

static ploy_result make_outbox(const ploy_env *env, void *arg) {
    (void)arg;
    ploy_outbox *outbox = NULL;
    ploy_result result = ploy_outbox_create(ploy_agent_id_none(), 4, 4, env, &outbox);
    ploy_outbox_destroy(outbox);
    return result;
}

TEST(every_failing_allocation_is_survived) {
    CHECK_FAIL_NTH(make_outbox, NULL);
}

TEST(an_outbox_saves_and_loads) {
    static const char *const refused[] = {"kind", "flags", NULL};
    ploy_env env = ploy_env_default();
    ploy_outbox *a = NULL, *b = NULL;
    CHECK_OK(ploy_outbox_create(ploy_agent_id_make(4, 1), 3, 3, &env, &a));
    CHECK_OK(ploy_outbox_create(ploy_agent_id_make(4, 1), 3, 3, &env, &b));
    for (int32_t i = 0; i < 2; i++) {
        ploy_message message =
            ploy_message_make(ploy_agent_id_none(), ploy_agent_id_make(9, 1), ploy_name_of("hi"));
        CHECK_OK(ploy_message_set_payload(&message, &i, sizeof i));
        CHECK_OK(ploy_outbox_message(a, &message));
        ploy_action_request request =
            ploy_action_request_make(ploy_agent_id_none(), ploy_name_of("walk"), PLOY_ACTION_MOVE);
        request.reach = 1.0f;
        request.flags = PLOY_ACTION_MOVE_FIRST;
        CHECK_OK(ploy_outbox_action(a, &request));
        CHECK_OK(ploy_outbox_action(b, &request));
    }
    CHECK_OK(ploy_outbox_action(b, ploy_outbox_action_at(b, 0)));
    state_check s = {ploy_outbox_visit, a, NULL, refused, NULL};
    state_check_all(t, &s);
    state_check_copy(t, &s, b);
    CHECK_INT(ploy_outbox_action_count(b), 2);
    CHECK_INT(ploy_outbox_message_count(b), 2);
    ploy_outbox_destroy(a);
    ploy_outbox_destroy(b);
}
