// The expressions of BehaviorTree.CPP's own tests against the values that they come to there.
#include <stdlib.h>

#include "ploy/decide/expression.h"
#include "tests/test.h"

enum { TABLE_LINES = 128 };

// A line of the table: its group, its script and what it comes to.
typedef struct table_line {
    char *group, *script, *want;
    ploy_expression *expression;
} table_line;

static int32_t table_split(char *text, table_line *lines) {
    int32_t count = 0;
    for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        char *script = strchr(line, '\t'), *want = strrchr(line, '\t');
        if (line[0] == '#' || script == NULL || want == script || count == TABLE_LINES) continue;
        *script = *want = 0;
        table_line one = {line, script + 1, want + 1, NULL};
        lines[count++] = one;
    }
    return count;
}

// The types of all names that the lines make together, as keys.
static int32_t table_keys(table_line *lines, int32_t count, ploy_blackboard_key *keys) {
    int32_t key_count = 0;
    for (bool found = true; found;) {
        found = false;
        for (int32_t i = 0; i < count; i++) {
            if (lines[i].expression == NULL) continue;
            ploy_value_type types[PLOY_EXPRESSION_NAMES_MAX] = {PLOY_VALUE_NONE};
            int32_t names = ploy_expression_name_count(lines[i].expression);
            for (int32_t pass = 0; pass < 2; pass++) {
                for (int32_t n = 0; n < names; n++) {
                    ploy_expression_use use;
                    ploy_expression_name(lines[i].expression, n, &use);
                    int32_t k = 0;
                    while (k < key_count && strcmp(keys[k].name, use.name) != 0) k++;
                    if (pass == 0 && k < key_count) types[n] = keys[k].type;
                    if (pass == 0 || k < key_count || types[n] == PLOY_VALUE_NONE) continue;
                    memset(&keys[k], 0, sizeof keys[k]);
                    keys[k].name = use.name;
                    keys[k].type = types[n];
                    key_count++;
                    found = true;
                }
                if (pass == 0) (void)ploy_expression_infer(lines[i].expression, types);
            }
        }
    }
    return key_count;
}

static void check_group(test_context *t, table_line *lines, int32_t count) {
    static ploy_blackboard_key keys[TABLE_LINES];
    ploy_env env = ploy_env_default();
    ploy_blackboard_layout *layout = NULL;
    ploy_blackboard *board = NULL;
    for (int32_t i = 0; i < count; i++) {
        (void)ploy_expression_create(lines[i].script, "table", 1, 1, NULL, 0, &env, NULL,
                                     &lines[i].expression);
    }
    int32_t key_count = table_keys(lines, count, keys);
    CHECK_OK(ploy_blackboard_layout_create(keys, key_count, "table", &env, NULL, &layout));
    CHECK_OK(ploy_blackboard_create(layout, &env, &board));
    for (int32_t i = 0; i < count; i++) {
        t->row = lines[i].script;
        ploy_expression_value value;
        bool fine = lines[i].expression != NULL &&
                    ploy_expression_bind_layout(lines[i].expression, layout, NULL) == PLOY_OK &&
                    ploy_expression_run_on(lines[i].expression, board, &value) == PLOY_OK;
        CHECK_INT(fine, strcmp(lines[i].want, "error") != 0);
        if (!fine) continue;
        char got[128];
        snprintf(got, sizeof got, "\"%s\"", value.text);
        if (value.is_text) {
            CHECK_TEXT(got, lines[i].want);
        } else {
            CHECK_NEAR(value.number, strtod(lines[i].want, NULL), 1e-12);
        }
    }
    for (int32_t i = 0; i < count; i++) ploy_expression_destroy(lines[i].expression);
    ploy_blackboard_destroy(board);
    ploy_blackboard_layout_destroy(layout);
}

TEST(published_expressions_come_to_their_published_values) {
    char path[512];
    size_t size = 0;
    snprintf(path, sizeof path, "%s/behavior_trees/btcpp/script_expressions.tsv",
             test_data_dir() != NULL ? test_data_dir() : "");
    char *text = test_read_file(path, &size);
    if (text == NULL) {
        test_skip(t, "the outside data is not there");
        return;
    }
    static table_line lines[TABLE_LINES];
    int32_t count = table_split(text, lines);
    CHECK(count >= 60);
    for (int32_t first = 0, end; first < count; first = end) {
        for (end = first + 1; end < count; end++) {
            if (strcmp(lines[end].group, lines[first].group) != 0) break;
        }
        check_group(t, &lines[first], end - first);
    }
    free(text);
}
