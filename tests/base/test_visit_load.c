#include "tests/state.h"

#include "tests/base/visit_example.h"

TEST(broken_files_change_nothing) {
    ploy_env env = ploy_env_default();
    example *e = NULL;
    CHECK_OK(example_create(&env, &e));
    state_check s = {example_visit, e, NULL, NULL, NULL};
    state_check_files(t, &s);
    example_destroy(e);
}

TEST(a_copy_is_equal) {
    ploy_env env = ploy_env_default();
    example *e = NULL, *other = NULL;
    CHECK_OK(example_create(&env, &e));
    CHECK_OK(example_create(&env, &other));
    e->since = 0.1;
    e->ratio = 0.3f;
    e->bits = UINT64_MAX;
    e->big = INT64_MIN;
    e->depth = 4;
    e->has_extra = true;
    e->extra = -2.5;
    (void)ploy_rng_u32(&e->rng);
    CHECK_OK(ploy_array_resize(&e->items, 7));
    state_check s = {example_visit, e, NULL, NULL, NULL};
    state_check_copy(t, &s, other);
    CHECK_INT(other->rebuilt, 1);
    CHECK_UINT(ploy_rng_u64(&other->rng), ploy_rng_u64(&e->rng));
    CHECK_OK(ploy_array_resize(&e->items, 1));
    e->depth = 0;
    state_check_copy(t, &s, other);
    example_destroy(e);
    example_destroy(other);
}

TEST(faults_say_where_and_what) {
    static const struct {
        const char *row, *from, *to, *message, *expected;
    } rows[] = {
        {"too large", "\"level\":0", "\"level\":4", "value is out of range", "-3 to 3"},
        {"not a number", "\"level\":0", "\"level\":\"a\"", "wrong type", "a whole number"},
        {"missing", "\"word\":0,", "", "missing 'word'", ""},
        {"unknown", "\"word\":0,", "\"word\":0,\"wrod\":1,", "unknown member 'wrod'", ""},
        {"not a number", "\"ratio\":0", "\"ratio\":\"nan\"", "value is out of range", "0 to 1"},
        {"infinite", "\"since\":0", "\"since\":\"inf\"", "value is out of range", NULL},
        {"a slip", "\"calm\"", "\"clam\"", "unknown choice", "calm"},
        {"gone", "\"idle\"", "\"idel\"", "state 'idel' no longer exists", ""},
        {"too long", "[5,6]", "[5,6,7,8,9]", "list is too long", ""},
        {"no list", "[5,6]", "{}", "wrong type", "a list"},
        {"text too long", "\"north\"", "\"north by northwest\"", "text is too long", "a text"},
        {"half a byte", "\"616263\"", "\"61626\"", "invalid payload", NULL},
        {"checked", "\"level\":0", "\"level\":2", "level 2 asleep", ""},
    };
    ploy_env env = ploy_env_default();
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        example *e = NULL;
        CHECK_OK(example_create(&env, &e));
        e->awake = false;
        e->rebuilt = 0;
        state_check s = {example_visit, e, NULL, NULL, NULL};
        uint64_t hash = state_hash(&s);
        char *good = state_save(t, &s);
        char *at = strstr(good, rows[i].from);
        CHECK(at != NULL);
        char bad[4096];
        snprintf(bad, sizeof bad, "%.*s%s%s", (int)(at - good), good, rows[i].to,
                 at + strlen(rows[i].from));
        ploy_json *doc = NULL;
        ploy_diags *diags = NULL;
        CHECK_OK(ploy_diags_create(4, &env, &diags));
        CHECK_OK(ploy_json_load(bad, strlen(bad), "save", NULL, &env, diags, &doc));
        CHECK_INT(ploy_visit_load(example_visit, e, NULL, doc, ploy_json_root(doc), &env, diags),
                  PLOY_ERR_FORMAT);
        CHECK_INT(ploy_diags_count(diags), 1);
        const ploy_diag *diag = ploy_diags_get(diags, 0);
        CHECK_TEXT(diag->message, rows[i].message);
        if (rows[i].expected != NULL) CHECK_TEXT(diag->expected, rows[i].expected);
        CHECK_INT(diag->line, 1);
        CHECK(diag->column > 0);
        CHECK_UINT(state_hash(&s), hash);
        CHECK_INT(e->rebuilt, 1); // derived parts are rebuilt after an undo too
        ploy_json_destroy(doc);
        ploy_diags_destroy(diags);
        free(good);
        example_destroy(e);
    }
}

TEST(several_faults_are_reported) {
    ploy_env env = ploy_env_default();
    example *e = NULL;
    CHECK_OK(example_create(&env, &e));
    state_check s = {example_visit, e, NULL, NULL, NULL};
    int64_t faults = 0;
    CHECK_INT(state_load(&s, "{\"awake\":1,\"level\":9}", &env, &faults), PLOY_ERR_FORMAT);
    CHECK(faults > 10);
    CHECK_INT(state_load(&s, "[]", &env, &faults), PLOY_ERR_FORMAT);
    CHECK_INT(faults, 1);
    example_destroy(e);
}

TEST(known_members_load_and_the_rest_stays) {
    ploy_env env = ploy_env_default();
    example *e = NULL;
    CHECK_OK(example_create(&env, &e));
    e->since = 3.0;
    const char *text = "{\"awake\":false,\"level\":9,\"mind\":{\"place\":\"gone\"},\"more\":1}";
    ploy_json *doc = NULL;
    ploy_diags *diags = NULL;
    CHECK_OK(ploy_diags_create(8, &env, &diags));
    CHECK_OK(ploy_json_load(text, strlen(text), "save", NULL, &env, diags, &doc));
    CHECK_OK(ploy_visit_load_known(example_visit, e, NULL, doc, ploy_json_root(doc), &env, diags));
    CHECK(!e->awake);
    CHECK_INT(e->level, 0);
    CHECK_INT(e->state, 1);
    CHECK_SAME(e->since, 3.0);
    CHECK_INT(ploy_diags_total(diags, PLOY_SEVERITY_ERROR), 0);
    CHECK_INT(ploy_diags_count(diags), 2);
    ploy_json_destroy(doc);
    ploy_diags_destroy(diags);
    example_destroy(e);
}

static ploy_result load_with(const ploy_env *env, void *arg) {
    const char *text = arg;
    example *e = NULL;
    ploy_result result = example_create(env, &e);
    if (result == PLOY_OK) {
        state_check s = {example_visit, e, NULL, NULL, NULL};
        uint64_t before = state_hash(&s);
        result = state_load(&s, text, env, NULL);
        if (result != PLOY_OK && state_hash(&s) != before) result = PLOY_ERR_STATE;
    }
    example_destroy(e);
    return result;
}

TEST(a_load_without_memory_changes_nothing) {
    ploy_env env = ploy_env_default();
    example *e = NULL;
    CHECK_OK(example_create(&env, &e));
    CHECK_OK(ploy_array_resize(&e->items, 8));
    e->since = 4.0;
    state_check s = {example_visit, e, NULL, NULL, NULL};
    char *text = state_save(t, &s);
    CHECK_FAIL_NTH(load_with, text);
    free(text);
    example_destroy(e);
}
