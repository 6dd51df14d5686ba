#include "base/base_internal.h"
#include "tests/test.h"

#include "ploy/base/describe.h"
#include "ploy/base/message.h"

TEST(a_new_message_sets_every_byte) {
    ploy_message a, b;
    memset(&a, 0xaa, sizeof a);
    memset(&b, 0x55, sizeof b);
    ploy_message made = ploy_message_make(ploy_agent_id_make(1, 2), ploy_agent_id_make(3, 4),
                                          ploy_name_of("ball_kicked"));
    memcpy(&a, &made, sizeof a);
    made = ploy_message_make(ploy_agent_id_make(1, 2), ploy_agent_id_make(3, 4),
                             ploy_name_of("ball_kicked"));
    memcpy(&b, &made, sizeof b);
    CHECK_BYTES(&a, &b, sizeof a);
    CHECK_UINT(a.sender.id.index, 1);
    CHECK_UINT(a.receiver.id.generation, 4);
    CHECK(ploy_name_equal(a.kind, ploy_name_of("ball_kicked")));
    CHECK_SAME(a.due, 0.0);
    CHECK_UINT(a.order, 0);
    CHECK_UINT(a.size, 0);
    // Nothing but the members: padding would make equal messages differ.
    CHECK_UINT(sizeof(ploy_message), 8 + 8 + 8 + 8 + 8 + 4 + 4 + PLOY_MESSAGE_PAYLOAD);
}

TEST(a_payload_replaces_the_one_before) {
    ploy_message message =
        ploy_message_make(ploy_agent_id_none(), ploy_agent_id_none(), ploy_name_of("x"));
    unsigned char full[PLOY_MESSAGE_PAYLOAD];
    memset(full, 0xee, sizeof full);
    CHECK_OK(ploy_message_set_payload(&message, full, sizeof full));
    CHECK_UINT(message.size, PLOY_MESSAGE_PAYLOAD);
    CHECK_BYTES(message.payload, full, sizeof full);
    CHECK_OK(ploy_message_set_payload(&message, "abc", 3));
    CHECK_UINT(message.size, 3);
    CHECK_BYTES(message.payload, "abc", 3);
    for (int i = 3; i < PLOY_MESSAGE_PAYLOAD; i++) CHECK_INT(message.payload[i], 0);
    CHECK_OK(ploy_message_set_payload(&message, NULL, 0));
    CHECK_UINT(message.size, 0);
    CHECK_INT(message.payload[0], 0);
}

TEST(a_payload_that_does_not_fit_changes_nothing) {
    ploy_message message =
        ploy_message_make(ploy_agent_id_none(), ploy_agent_id_none(), ploy_name_of("x"));
    CHECK_OK(ploy_message_set_payload(&message, "abc", 3));
    ploy_message before = message;
    unsigned char big[PLOY_MESSAGE_PAYLOAD + 1] = {0};
    CHECK_INT(ploy_message_set_payload(&message, big, sizeof big), PLOY_ERR_CAPACITY);
    CHECK_INT(ploy_message_set_payload(&message, NULL, 4), PLOY_ERR_ARGUMENT);
    CHECK_BYTES(&message, &before, sizeof before);
}

TEST(messages_are_delivered_by_due_then_by_order) {
    static const struct {
        const char *row;
        double due_a, due_b;
        uint64_t order_a, order_b;
        int want;
    } rows[] = {
        {"earlier", 1.0, 2.0, 9, 1, -1},
        {"later", 2.0, 1.0, 1, 9, 1},
        {"same time, sent first", 1.0, 1.0, 1, 2, -1},
        {"same time, sent second", 1.0, 1.0, 2, 1, 1},
        {"same", 1.0, 1.0, 3, 3, 0},
        {"orders beyond 32 bits", 1.0, 1.0, UINT64_C(1) << 40, 1, 1},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_message a =
            ploy_message_make(ploy_agent_id_none(), ploy_agent_id_none(), ploy_name_of("x"));
        ploy_message b = a;
        a.due = rows[i].due_a;
        b.due = rows[i].due_b;
        a.order = rows[i].order_a;
        b.order = rows[i].order_b;
        int got = ployi_message_compare(&a, &b);
        CHECK_INT((got > 0) - (got < 0), rows[i].want);
        got = ployi_message_compare(&b, &a);
        CHECK_INT((got > 0) - (got < 0), -rows[i].want);
    }
}

// A sink that writes what it hears into one line.
typedef struct line_sink {
    char text[512];
} line_sink;

static void line_add(line_sink *sink, const char *text) {
    size_t length = strlen(sink->text);
    snprintf(sink->text + length, sizeof sink->text - length, "%s", text);
}

static void line_begin(void *user, const char *name, ploy_id owner) {
    (void)owner;
    line_add(user, name);
    line_add(user, "{");
}

static void line_end(void *user) {
    line_add(user, "}");
}

static void line_value(void *user, const char *name, ploy_mark mark, const ploy_value *value) {
    char text[128];
    ploy_value_print(value, text, sizeof text);
    line_add(user, name);
    line_add(user, mark == PLOY_STATE ? "=" : "~");
    line_add(user, value->type == PLOY_VALUE_NAME ? "name" : text);
    line_add(user, ";");
}

TEST(describe_tells_all_of_a_message) {
    ploy_message message = ploy_message_make(ploy_agent_id_make(1, 2), ploy_agent_id_make(3, 4),
                                             ploy_name_of("ball_kicked"));
    message.due = 1.5;
    message.order = 12;
    CHECK_OK(ploy_message_set_payload(&message, "\x01\xab", 2));
    line_sink sink = {{0}};
    ploy_describe out = {line_begin, line_end, line_value, &sink};
    ploy_message_describe(&message, "message", PLOY_STATE, &out);
    CHECK_TEXT(sink.text, "message{sender=1:2;receiver=3:4;kind=name;due=1.5;order=12;"
                          "payload=01ab;}");
}

TEST(the_state_hash_sees_each_part_of_a_message) {
    ploy_message base = ploy_message_make(ploy_agent_id_make(1, 2), ploy_agent_id_make(3, 4),
                                          ploy_name_of("ball_kicked"));
    CHECK_OK(ploy_message_set_payload(&base, "abc", 3));
    ploy_message variants[8];
    for (size_t i = 0; i < COUNT_OF(variants); i++) variants[i] = base;
    variants[1].sender = ploy_agent_id_make(1, 3);
    variants[2].receiver = ploy_agent_id_none();
    variants[3].kind = ploy_name_of("ball_lost");
    variants[4].due = 0.25;
    variants[5].order = 1;
    CHECK_OK(ploy_message_set_payload(&variants[6], "abd", 3));
    CHECK_OK(ploy_message_set_payload(&variants[7], "ab", 2));
    uint64_t hashes[COUNT_OF(variants)];
    for (size_t i = 0; i < COUNT_OF(variants); i++) {
        ploy_hash_sink sink;
        ploy_hash_sink_init(&sink);
        ploy_describe out = ploy_hash_sink_describe(&sink);
        ploy_message_describe(&variants[i], "message", PLOY_STATE, &out);
        hashes[i] = ploy_hash_sink_result(&sink);
        for (size_t j = 0; j < i; j++) CHECK(hashes[i] != hashes[j]);
    }
}
