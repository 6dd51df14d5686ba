// Overrides as text: every kind of line, faults with line and column.
#include "ploy/data/level_overrides.h"

#include "tests/test.h"

static const char level_overrides_text[] =
    "# by hand\nadd node 3 4\nremove node 5 5\nmove node 5 6 to 5.3 6\njoin 1 1 4 1 2.5\n"
    "join 1 2 4 2\ncut 1 1 1.5 1\npoint tower 2 3 cover=0.8 note=\"high up\"\nremove point 9 9\n"
    "tag gate locked=1\n";

TEST(every_kind_of_line_is_read) {
    static const struct {
        ploy_level_override_kind kind;
        int32_t line;
        float x, to_x, cost;
        const char *name, *tags;
    } rows[] = {
        {PLOY_LEVEL_ADD_NODE, 2, 3, 0, -1, "", ""},
        {PLOY_LEVEL_REMOVE_NODE, 3, 5, 0, -1, "", ""},
        {PLOY_LEVEL_MOVE_NODE, 4, 5, 5.3f, -1, "", ""},
        {PLOY_LEVEL_JOIN, 5, 1, 4, 2.5f, "", ""},
        {PLOY_LEVEL_JOIN, 6, 1, 4, -1, "", ""},
        {PLOY_LEVEL_CUT, 7, 1, 1.5f, -1, "", ""},
        {PLOY_LEVEL_ADD_POINT, 8, 2, 0, -1, "tower", "cover=0.8\nnote=high up\n"},
        {PLOY_LEVEL_REMOVE_POINT, 9, 9, 0, -1, "", ""},
        {PLOY_LEVEL_TAG, 10, 0, 0, -1, "gate", "locked=1\n"},
    };
    ploy_env env = ploy_env_default();
    ploy_level_overrides *overrides = NULL;
    ploy_level_override one;
    CHECK_OK(ploy_level_overrides_load(level_overrides_text, sizeof level_overrides_text - 1, "o",
                                       &env, NULL, &overrides));
    CHECK_INT(ploy_level_overrides_count(overrides), (int32_t)COUNT_OF(rows));
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        CHECK(ploy_level_overrides_get(overrides, (int32_t)i, &one));
        t->row = ploy_level_override_kind_text(one.kind);
        CHECK_INT(one.kind, rows[i].kind);
        CHECK_INT(one.line, rows[i].line);
        CHECK_SAME(one.at.x, rows[i].x);
        CHECK_SAME(one.to.x, rows[i].to_x);
        CHECK_SAME(one.cost, rows[i].cost);
        CHECK_TEXT(one.name, rows[i].name);
        CHECK_TEXT(one.tags, rows[i].tags);
    }
    CHECK(!ploy_level_overrides_get(overrides, (int32_t)COUNT_OF(rows), &one));
    ploy_level_overrides_destroy(overrides);
}

TEST(a_bad_override_is_refused_with_its_place) {
    static const struct {
        const char *row, *text;
        int32_t line, column;
    } rows[] = {
        {"unknown word", "ad node 1 1\n", 1, 1},
        {"unknown thing", "cut 1 1 2 2\nadd knot 1 1\n", 2, 5},
        {"not a number", "remove node 1 one\n", 1, 15},
        {"no goal", "move node 1 1\n", 1, 14},
        {"too long", "cut 1 1 2 2 3\n", 1, 13},
        {"a cost below 0", "join 1 1 2 2 -3\n", 1, 14},
        {"no tags", "tag gate\n", 1, 9},
        {"not a tag", "tag gate locked\n", 1, 10},
    };
    ploy_env env = ploy_env_default();
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_diags *diags = NULL;
        ploy_level_overrides *overrides = NULL;
        CHECK_OK(ploy_diags_create(4, &env, &diags));
        CHECK_INT(ploy_level_overrides_load(rows[i].text, strlen(rows[i].text), "o", &env, diags,
                                            &overrides),
                  PLOY_ERR_FORMAT);
        CHECK(overrides == NULL);
        CHECK_INT(ploy_diags_get(diags, 0)->line, rows[i].line);
        CHECK_INT(ploy_diags_get(diags, 0)->column, rows[i].column);
        ploy_diags_destroy(diags);
    }
}

static ploy_result level_overrides_body(const ploy_env *env, void *arg) {
    (void)arg;
    ploy_level_overrides *overrides = NULL;
    ploy_result result = ploy_level_overrides_load(
        level_overrides_text, sizeof level_overrides_text - 1, "o", env, NULL, &overrides);
    ploy_level_overrides_destroy(overrides);
    return result;
}

TEST(reading_overrides_survives_every_failing_allocation) {
    CHECK_FAIL_NTH(level_overrides_body, NULL);
}
