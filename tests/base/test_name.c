#include "tests/test.h"

#include "base/base_internal.h"
#include "ploy/base/hash.h"
#include "ploy/base/name.h"
#include "ploy/base/rng.h"

TEST(a_name_is_the_hash_of_its_text) {
    CHECK_UINT(ploy_name_of("guard").hash, ploy_hash_bytes("guard", 5, 0));
    CHECK(ploy_name_equal(ploy_name_of("guard"), ploy_name_of_bytes("guards", 5)));
    CHECK(!ploy_name_equal(ploy_name_of("guard"), ploy_name_of("Guard")));
    CHECK(ploy_name_is_none(ploy_name_of(NULL)));
    CHECK(ploy_name_is_none(ploy_name_of("")));
    CHECK(ploy_name_is_none(ploy_name_of_bytes(NULL, 0)));
    CHECK(!ploy_name_is_none(ploy_name_of("a")));
}

TEST(texts_are_kept_in_the_order_of_adding_and_once_each) {
    ploy_env env = ploy_env_default();
    ploy_names *names = NULL;
    CHECK_OK(ploy_names_create(&env, &names));
    char text[32];
    for (int round = 0; round < 2; round++) { // the second time everything is there already
        for (int i = 0; i < 300; i++) {
            ploy_name name = {0};
            snprintf(text, sizeof text, "thing_%d", i * 7);
            CHECK_OK(ploy_names_add(names, text, &name));
            CHECK(ploy_name_equal(name, ploy_name_of(text)));
        }
    }
    CHECK_INT(ploy_names_count(names), 300);
    for (int i = 0; i < 300; i++) {
        snprintf(text, sizeof text, "thing_%d", i * 7);
        CHECK_TEXT(ploy_names_at(names, i), text);
        CHECK_TEXT(ploy_names_text(names, ploy_name_of(text)), text);
    }
    CHECK(ploy_names_at(names, -1) == NULL);
    CHECK(ploy_names_at(names, 300) == NULL);
    CHECK(ploy_names_text(names, ploy_name_of("thing_1")) == NULL);
    CHECK(ploy_names_text(names, ploy_name_of("")) == NULL);
    CHECK_OK(ploy_names_add(names, "without_out", NULL));
    ploy_names_destroy(names);
    ploy_names_destroy(NULL);
}

TEST(a_text_stays_where_it_is_while_the_table_grows) {
    ploy_env env = ploy_env_default();
    ploy_names *names = NULL;
    CHECK_OK(ploy_names_create(&env, &names));
    CHECK_OK(ploy_names_add(names, "first", NULL));
    const char *first = ploy_names_at(names, 0);
    char text[32];
    for (int i = 0; i < 500; i++) {
        snprintf(text, sizeof text, "later_%d", i);
        CHECK_OK(ploy_names_add(names, text, NULL));
    }
    CHECK(ploy_names_at(names, 0) == first);
    CHECK_TEXT(first, "first");
    ploy_names_destroy(names);
}

TEST(empty_texts_are_refused) {
    ploy_env env = ploy_env_default();
    ploy_names *names = NULL;
    CHECK_OK(ploy_names_create(&env, &names));
    ploy_name name = {5};
    CHECK_INT(ploy_names_add(names, "", &name), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_names_add(names, NULL, &name), PLOY_ERR_ARGUMENT);
    CHECK_UINT(name.hash, 5);
    CHECK_INT(ploy_names_count(names), 0);
    CHECK_INT(ploy_names_create(&env, NULL), PLOY_ERR_ARGUMENT);
    ploy_names_destroy(names);
}

TEST(two_texts_with_one_hash_are_refused) {
    ploy_env env = ploy_env_default();
    ploy_names *names = NULL;
    CHECK_OK(ploy_names_create(&env, &names));
    ploy_name same = {42}, got = {7};
    CHECK_OK(ployi_names_add_hashed(names, "one", 3, same, &got));
    CHECK_UINT(got.hash, 42);
    CHECK_OK(ployi_names_add_hashed(names, "one", 3, same, NULL));
    got.hash = 7;
    CHECK_INT(ployi_names_add_hashed(names, "two", 3, same, &got), PLOY_ERR_EXISTS);
    CHECK_INT(ployi_names_add_hashed(names, "on", 2, same, &got), PLOY_ERR_EXISTS);
    CHECK_INT(ployi_names_add_hashed(names, "ones", 4, same, &got), PLOY_ERR_EXISTS);
    CHECK_UINT(got.hash, 7);
    CHECK_INT(ploy_names_count(names), 1);
    CHECK_TEXT(ploy_names_text(names, same), "one");
    ploy_names_destroy(names);
}

static ploy_result add_a_few(const ploy_env *env, void *arg) {
    (void)arg;
    ploy_names *names = NULL;
    ploy_result result = ploy_names_create(env, &names);
    if (result != PLOY_OK) return names == NULL ? result : PLOY_ERR_STATE;
    char text[32];
    for (int i = 0; i < 40 && result == PLOY_OK; i++) {
        snprintf(text, sizeof text, "name_%d", i);
        int32_t before = ploy_names_count(names);
        result = ploy_names_add(names, text, NULL);
        if (result != PLOY_OK) { // nothing may have been added, and it must work the next time
            if (ploy_names_count(names) != before) result = PLOY_ERR_STATE;
            if (ploy_names_text(names, ploy_name_of(text)) != NULL) result = PLOY_ERR_STATE;
        }
    }
    ploy_names_destroy(names);
    return result;
}

TEST(names_survive_every_failing_allocation) {
    CHECK_FAIL_NTH(add_a_few, NULL);
}

TEST(nearest_finds_what_was_probably_meant) {
    static const struct {
        const char *row;
        const char *text;
        const char *want;
    } rows[] = {
        {"a letter left out", "Sequnce", "Sequence"},
        {"letters swapped", "Selcetor", "Selector"},
        {"a letter too many", "Invertter", "Inverter"},
        {"exact", "Parallel", "Parallel"},
        {"the first of two equally near", "Sleepx", "Sleep1"},
        {"the nearer one, added later", "Sleep2y", "Sleep2"},
        {"more than a third wrong", "Sxqxxnce", NULL},
        {"a third wrong exactly", "Slexx1", "Sleep1"},
        {"too short to guess", "Se", NULL},
        {"nothing", "", NULL},
        {"no text", NULL, NULL},
    };
    ploy_env env = ploy_env_default();
    ploy_names *names = NULL;
    CHECK_OK(ploy_names_create(&env, &names));
    static const char *const known[] = {"Sequence", "Selector", "Inverter",
                                        "Parallel", "Sleep1",   "Sleep2"};
    CHECK(ployi_names_nearest(names, "Sequence") == NULL);
    for (size_t i = 0; i < COUNT_OF(known); i++) CHECK_OK(ploy_names_add(names, known[i], NULL));
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        CHECK_TEXT(ployi_names_nearest(names, rows[i].text), rows[i].want);
    }
    ploy_names_destroy(names);
}

TEST(nearest_allows_one_slip_in_a_short_word_and_none_in_no_word) {
    static const struct {
        const char *row;
        const char *wanted, *offer;
        bool want;
    } rows[] = {
        {"one letter of two", "rn", "run", true}, {"two letters of two", "xy", "run", false},
        {"nothing wanted", "", "a", false},       {"no text wanted", NULL, "a", false},
        {"the same", "run", "run", true},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_nearest nearest = ploy_nearest_make(rows[i].wanted);
        ploy_nearest_offer(&nearest, rows[i].offer);
        CHECK_TEXT(nearest.best, rows[i].want ? rows[i].offer : NULL);
    }
}

TEST(edit_distance_of_known_pairs) {
    static const struct {
        const char *row;
        const char *a, *b;
        int want;
    } rows[] = {
        {"both empty", "", "", 0},
        {"one empty", "", "abc", 3},
        {"equal", "abc", "abc", 0},
        {"replace", "abc", "abd", 1},
        {"insert", "abc", "abxc", 1},
        {"delete", "abc", "ac", 1},
        {"swap", "abc", "acb", 1},
        {"swap at the front", "abc", "bac", 1},
        {"the classic", "kitten", "sitting", 3},
        {"swap, then insert between", "ca", "abc", 2},
        {"swap around a deletion", "a cat", "an act", 2},
        {"bytes above 127", "caf\xc3\xa9", "cafe", 2},
        {"no text counts as empty", NULL, "ab", 2},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        CHECK_INT(ploy_edit_distance(rows[i].a, rows[i].b), rows[i].want);
        CHECK_INT(ploy_edit_distance(rows[i].b, rows[i].a), rows[i].want);
    }
}

TEST(long_texts_count_as_different_throughout) {
    char a[100], b[100];
    memset(a, 'x', sizeof a);
    memset(b, 'x', sizeof b);
    a[63] = b[63] = 0;
    b[10] = 'y';
    CHECK_INT(ploy_edit_distance(a, b), 1);
    a[63] = 'x';
    a[64] = 0;
    CHECK_INT(ploy_edit_distance(a, b), 64);
    CHECK_INT(ploy_edit_distance(a, a), 0);
    CHECK_INT(ploy_edit_distance(a, ""), 64);
}

// The distance by its definition: breadth-first over all edits. Only for the tiniest texts.
static int slow_distance(const char *a, const char *b, int limit) {
    if (strcmp(a, b) == 0) return 0;
    if (limit == 0) return 1;
    int best = limit + 1;
    size_t n = strlen(a);
    char next[16];
    for (size_t i = 0; i < n; i++) { // delete
        memcpy(next, a, i);
        memcpy(next + i, a + i + 1, n - i);
        int d = 1 + slow_distance(next, b, limit - 1);
        if (d < best) best = d;
    }
    for (size_t i = 0; i <= n && n < 5; i++) { // insert
        for (char c = 'a'; c <= 'b'; c++) {
            memcpy(next, a, i);
            next[i] = c;
            memcpy(next + i + 1, a + i, n - i + 1);
            int d = 1 + slow_distance(next, b, limit - 1);
            if (d < best) best = d;
        }
    }
    for (size_t i = 0; i < n; i++) { // replace, swap
        memcpy(next, a, n + 1);
        next[i] = a[i] == 'a' ? 'b' : 'a';
        int d = 1 + slow_distance(next, b, limit - 1);
        if (d < best) best = d;
        if (i + 1 < n) {
            memcpy(next, a, n + 1);
            next[i] = a[i + 1];
            next[i + 1] = a[i];
            d = 1 + slow_distance(next, b, limit - 1);
            if (d < best) best = d;
        }
    }
    return best;
}

TEST(edit_distance_agrees_with_trying_all_edits) {
    for (uint64_t seed = 1; seed <= (uint64_t)test_rounds(150); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        char a[8] = {0}, b[8] = {0};
        int n = ploy_rng_int(&rng, 0, 4), m = ploy_rng_int(&rng, 0, 4);
        for (int i = 0; i < n; i++) a[i] = (char)('a' + ploy_rng_int(&rng, 0, 1));
        for (int i = 0; i < m; i++) b[i] = (char)('a' + ploy_rng_int(&rng, 0, 1));
        int got = ploy_edit_distance(a, b);
        if (got <= 3) {
            CHECK_INT(got, slow_distance(a, b, 3));
        } else {
            CHECK(slow_distance(a, b, 3) > 3);
        }
    }
}

TEST(edit_distance_is_a_metric) {
    for (uint64_t seed = 1; seed <= (uint64_t)test_rounds(500); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        char texts[3][16] = {{0}};
        for (int k = 0; k < 3; k++) {
            int n = ploy_rng_int(&rng, 0, 12);
            for (int i = 0; i < n; i++) texts[k][i] = (char)('a' + ploy_rng_int(&rng, 0, 3));
        }
        int ab = ploy_edit_distance(texts[0], texts[1]);
        int bc = ploy_edit_distance(texts[1], texts[2]);
        int ac = ploy_edit_distance(texts[0], texts[2]);
        CHECK(ac <= ab + bc);
        CHECK_INT(ab, ploy_edit_distance(texts[1], texts[0]));
        CHECK_INT(ab == 0, strcmp(texts[0], texts[1]) == 0);
    }
}

static void sum_bytes(void *user, const ploy_memory_item *item) {
    int64_t *sums = user;
    sums[0] += (int64_t)item->bytes;
    sums[1] += item->blocks;
}

TEST(the_memory_report_of_names_adds_up) {
    test_counts counts;
    ploy_env env = test_counting_env(&counts);
    ploy_names *names = NULL;
    CHECK_OK(ploy_names_create(&env, &names));
    char text[32];
    for (int i = 0; i < 100; i++) {
        snprintf(text, sizeof text, "n%d", i);
        CHECK_OK(ploy_names_add(names, text, NULL));
        int64_t sums[2] = {0, 0};
        ploy_names_memory(names, sum_bytes, sums);
        CHECK_INT(sums[0], counts.bytes);
        CHECK_INT(sums[1], counts.blocks);
    }
    ploy_names_destroy(names);
    CHECK_INT(counts.blocks, 0);
}
