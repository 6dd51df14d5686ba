#include "ploy/base/diags.h"
#include "tests/test.h"

// A log that keeps its last line and counts.
typedef struct test_log {
    char last[1024];
    int count;
} test_log;

static void keep_log(void *user, ploy_severity severity, const char *text) {
    test_log *log = user;
    (void)severity;
    snprintf(log->last, sizeof log->last, "%s", text);
    log->count++;
}

static const char *printed(const ploy_diag *diag) {
    static char text[1024];
    ploy_diag_print(diag, text, sizeof text);
    return text;
}

TEST(a_diagnostic_prints_as_compilers_do) {
    static const struct {
        const char *row, *name;
        int32_t line, column;
        const char *expected, *nearest, *want;
    } rows[] = {
        {"everything", "guard.xml", 12, 9, "a node", "Sequence",
         "guard.xml:12:9: error: unknown node; expected a node (did you mean 'Sequence'?)"},
        {"no column", "guard.xml", 12, 0, NULL, NULL, "guard.xml:12: error: unknown node"},
        {"no line", "guard.xml", 0, 7, NULL, "", "guard.xml: error: unknown node"},
        {"no name", NULL, 0, 0, "", NULL, "error: unknown node"},
        {"a line without a name", "", 3, 4, NULL, NULL, "3:4: error: unknown node"},
        {"negative places", "f", -3, -4, NULL, NULL, "f: error: unknown node"},
    };
    ploy_env env = ploy_env_default();
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_diags *diags = NULL;
        CHECK_OK(ploy_diags_create(4, &env, &diags));
        ploy_diags_add(diags, PLOY_SEVERITY_ERROR, PLOY_ERR_FORMAT, rows[i].name, rows[i].line,
                       rows[i].column, "unknown node", rows[i].expected, rows[i].nearest);
        const ploy_diag *diag = ploy_diags_get(diags, 0);
        CHECK(diag != NULL);
        CHECK_TEXT(printed(diag), rows[i].want);
        CHECK_INT(diag->code, PLOY_ERR_FORMAT);
        ploy_diags_destroy(diags);
    }
}

TEST(past_the_limit_diagnostics_are_counted_and_not_kept) {
    ploy_env env = ploy_env_default();
    test_log log = {{0}, 0};
    env.log = keep_log;
    env.log_user = &log;
    ploy_diags *diags = NULL;
    CHECK_OK(ploy_diags_create(2, &env, &diags));
    for (int i = 0; i < 3; i++) {
        ploy_diags_add(diags, PLOY_SEVERITY_ERROR, PLOY_ERR_FORMAT, "f", i + 1, 1, "m", NULL, NULL);
    }
    ploy_diags_add(diags, PLOY_SEVERITY_WARNING, PLOY_OK, "f", 9, 1, "w", NULL, NULL);
    CHECK_INT(ploy_diags_count(diags), 2);
    CHECK_INT(ploy_diags_total(diags, PLOY_SEVERITY_DEBUG), 4);
    CHECK_INT(ploy_diags_total(diags, PLOY_SEVERITY_WARNING), 4);
    CHECK_INT(ploy_diags_total(diags, PLOY_SEVERITY_ERROR), 3);
    CHECK_INT(ploy_diags_get(diags, 1)->line, 2);
    CHECK(ploy_diags_get(diags, 2) == NULL);
    CHECK(ploy_diags_get(diags, -1) == NULL);
    ploy_diags_log(diags, &env);
    CHECK_INT(log.count, 3);
    CHECK_TEXT(log.last, "2 more messages were left out");
    ploy_diags_clear(diags);
    CHECK_INT(ploy_diags_count(diags), 0);
    CHECK_INT(ploy_diags_total(diags, PLOY_SEVERITY_DEBUG), 0);
    log.count = 0;
    ploy_diags_log(diags, &env);
    CHECK_INT(log.count, 0);
    ploy_diags_destroy(diags);
}

TEST(nobody_listening_is_fine) {
    ploy_diags_add(NULL, PLOY_SEVERITY_ERROR, PLOY_ERR_FORMAT, "f", 1, 1, "m", NULL, NULL);
    CHECK_INT(ploy_diags_count(NULL), 0);
    CHECK_INT(ploy_diags_total(NULL, PLOY_SEVERITY_DEBUG), 0);
    CHECK(ploy_diags_get(NULL, 0) == NULL);
    ploy_diags_clear(NULL);
    ploy_diags_log(NULL, NULL);
    ploy_diags_destroy(NULL);
    char text[4] = "xyz";
    CHECK_UINT(ploy_diag_print(NULL, text, sizeof text), 0);
    CHECK_TEXT(text, "");
}

TEST(long_texts_are_cut_between_characters) {
    ploy_env env = ploy_env_default();
    ploy_diags *diags = NULL;
    CHECK_OK(ploy_diags_create(1, &env, &diags));
    // 159 bytes fit; the two-, three- and four-byte characters all straddle that edge.
    static const char *const characters[] = {"\xC3\xA9", "\xE2\x82\xAC", "\xF0\x9F\x99\x82"};
    for (size_t c = 0; c < COUNT_OF(characters); c++) {
        for (int before = 150; before < 162; before++) {
            char text[400];
            memset(text, 'a', sizeof text);
            snprintf(text + before, sizeof text - (size_t)before, "%s%s", characters[c],
                     "bbbbbbbbbbbbbb");
            ploy_diags_clear(diags);
            ploy_diags_add(diags, PLOY_SEVERITY_ERROR, PLOY_OK, text, 0, 0, text, text, text);
            const char *kept = ploy_diags_get(diags, 0)->message;
            size_t length = strlen(kept);
            size_t size = strlen(characters[c]);
            CHECK(memcmp(kept, text, length) == 0);
            CHECK(length <= PLOY_DIAG_TEXT_MAX - 1 && length + size > PLOY_DIAG_TEXT_MAX - 1);
            // The character is there whole or not at all.
            if (length > (size_t)before) CHECK(length >= (size_t)before + size);
        }
    }
    ploy_diags_destroy(diags);
}

TEST(a_message_stays_one_line) {
    ploy_env env = ploy_env_default();
    ploy_diags *diags = NULL;
    CHECK_OK(ploy_diags_create(1, &env, &diags));
    ploy_diags_add(diags, PLOY_SEVERITY_ERROR, PLOY_OK, "a\nb", 0, 0, "c\r\nd\te\x7F", NULL, NULL);
    CHECK_TEXT(printed(ploy_diags_get(diags, 0)), "a b: error: c  d e ");
    ploy_diags_destroy(diags);
}

TEST(printing_tells_the_whole_length_and_cuts_to_the_buffer) {
    ploy_env env = ploy_env_default();
    ploy_diags *diags = NULL;
    CHECK_OK(ploy_diags_create(1, &env, &diags));
    ploy_diags_add(diags, PLOY_SEVERITY_ERROR, PLOY_OK, "f", 1, 2, "m", NULL, NULL);
    const ploy_diag *diag = ploy_diags_get(diags, 0);
    char text[8];
    size_t whole = strlen("f:1:2: error: m");
    CHECK_UINT(ploy_diag_print(diag, NULL, 0), whole);
    CHECK_UINT(ploy_diag_print(diag, text, sizeof text), whole);
    CHECK_TEXT(text, "f:1:2: ");
    CHECK_UINT(ploy_diag_print(diag, text, 1), whole);
    CHECK_TEXT(text, "");
    ploy_diags_destroy(diags);
}

TEST(create_refuses_limits_out_of_range) {
    ploy_env env = ploy_env_default();
    ploy_diags *diags = (ploy_diags *)&env;
    CHECK_INT(ploy_diags_create(0, &env, &diags), PLOY_ERR_ARGUMENT);
    CHECK(diags == NULL);
    CHECK_INT(ploy_diags_create(10001, &env, &diags), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_diags_create(1, NULL, &diags), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_diags_create(1, &env, NULL), PLOY_ERR_ARGUMENT);
}

static ploy_result make_diags(const ploy_env *env, void *arg) {
    (void)arg;
    ploy_diags *diags = NULL;
    ploy_result result = ploy_diags_create(3, env, &diags);
    ploy_diags_add(diags, PLOY_SEVERITY_ERROR, PLOY_OK, "f", 1, 2, "m", NULL, NULL);
    ploy_diags_destroy(diags);
    return result;
}

TEST(create_survives_every_failing_allocation) {
    CHECK_FAIL_NTH(make_diags, NULL);
}
