// Open lists: every kind gives the same order, whatever is added, changed and taken out.
#include "ploy/base/rng.h"
#include "ploy/search/open_list.h"
#include "search/search_internal.h"
#include "tests/test.h"

enum { STATES = 40 };

// The slow, obvious one: keys by state, looked through every time.
typedef struct model {
    ploy_open_key keys[STATES];
    bool in[STATES];
    int32_t count;
} model;

static int32_t model_extreme(const model *m, int32_t sign) {
    int32_t best = -1;
    for (int32_t i = 0; i < STATES; i++) {
        if (!m->in[i]) continue;
        if (best < 0 || ployi_open_key_compare(m->keys[i], i, m->keys[best], best) * sign < 0) {
            best = i;
        }
    }
    return best;
}

static ploy_open_key random_key(ploy_rng *rng) {
    static const double odd[] = {-INFINITY, INFINITY, 0.0, 1e300, -5.0, 1e-300};
    ploy_open_key key = {0.0, 0.0};
    uint32_t kind = ploy_rng_u32(rng) % 10;
    if (kind == 0) {
        key.first = odd[ploy_rng_u32(rng) % 6];
    } else if (kind < 4) {
        key.first = (double)(ploy_rng_u32(rng) % 5); // many ties
    } else {
        key.first = (double)(ploy_rng_u32(rng) % 100000) * 0.37;
    }
    key.second = -(double)(ploy_rng_u32(rng) % 3);
    return key;
}

static void check_first(test_context *t, ploy_open_list *list, const model *m) {
    ploy_open_entry entry = {{0, 0}, -1, 0};
    int32_t first = model_extreme(m, 1), last = model_extreme(m, -1);
    CHECK_INT(ployi_open_list_peek(list, &entry), first >= 0);
    CHECK_INT(entry.state, first);
    entry.state = -1;
    CHECK_INT(ployi_open_list_worst(list, &entry), last >= 0);
    CHECK_INT(entry.state, last);
    CHECK_INT(ploy_open_list_count(list), m->count);
    CHECK(ployi_open_list_valid(list));
}

TEST(every_ordered_kind_equals_the_slow_list) {
    ploy_env env = ploy_env_default();
    for (int64_t seed = 0; seed < test_rounds(60); seed++) {
        TEST_SEED(seed);
        ploy_open_kind kind = (ploy_open_kind)(seed % PLOY_OPEN_ORDERED);
        t->row = ployi_open_kind_text(kind);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        ploy_open_list *list = NULL;
        CHECK_OK(ploy_open_list_create(kind, seed % 4 == 0 ? 1000.0 : 0.5, &env, &list));
        model m;
        memset(&m, 0, sizeof m);
        for (int32_t turn = 0; turn < 400; turn++) {
            int32_t state = (int32_t)(ploy_rng_u32(&rng) % STATES);
            ploy_open_key key = random_key(&rng);
            ploy_open_entry entry;
            switch (ploy_rng_u32(&rng) % 8) {
            case 0:
            case 1:
            case 2:
                CHECK_INT(ploy_open_list_add(list, state, key),
                          m.in[state] ? PLOY_ERR_EXISTS : PLOY_OK);
                if (m.in[state]) break;
                m.in[state] = true;
                m.keys[state] = key;
                m.count++;
                break;
            case 3:
            case 4:
                CHECK_INT(ploy_open_list_update(list, state, key),
                          m.in[state] ? PLOY_OK : PLOY_ERR_NOT_FOUND);
                if (m.in[state]) m.keys[state] = key;
                break;
            case 5:
                CHECK_INT(ploy_open_list_remove(list, state), m.in[state]);
                m.count -= m.in[state];
                m.in[state] = false;
                break;
            case 6:
                state = model_extreme(&m, 1);
                CHECK_INT(ploy_open_list_pop(list, &entry), state >= 0);
                if (state < 0) break;
                CHECK_INT(entry.state, state);
                m.in[state] = false;
                m.count--;
                break;
            default:
                CHECK_INT(ployi_open_list_has(list, state), m.in[state]);
                if (turn % 97 != 0) break;
                ploy_open_list_clear(list);
                memset(&m, 0, sizeof m);
                break;
            }
            check_first(t, list, &m);
        }
        ploy_open_list_destroy(list);
    }
}

TEST(queues_and_stacks_go_by_the_order_of_adding) {
    ploy_env env = ploy_env_default();
    ploy_open_key key = {0.0, 0.0};
    for (int32_t stack = 0; stack < 2; stack++) {
        ploy_open_list *list = NULL;
        CHECK_OK(ploy_open_list_create(stack ? PLOY_OPEN_STACK : PLOY_OPEN_QUEUE, 0, &env, &list));
        for (int32_t i = 0; i < 5; i++) CHECK_OK(ploy_open_list_add(list, 4 - i, key));
        CHECK_OK(ploy_open_list_update(list, 2, key)); // to the top of a stack; stays in a queue
        static const int32_t want[2][5] = {{4, 3, 2, 1, 0}, {2, 0, 1, 3, 4}};
        for (int32_t i = 0; i < 5; i++) {
            ploy_open_entry entry;
            CHECK(ployi_open_list_valid(list));
            CHECK(ploy_open_list_pop(list, &entry));
            CHECK_INT(entry.state, want[stack][i]);
        }
        CHECK(!ploy_open_list_pop(list, NULL));
        ploy_open_list_destroy(list);
    }
}

TEST(a_fringe_takes_nothing_above_the_least_that_the_last_pass_left) {
    ploy_env env = ploy_env_default();
    for (int64_t seed = 0; seed < test_rounds(50); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        ploy_open_list *list = NULL;
        CHECK_OK(ploy_open_list_create(PLOY_OPEN_FRINGE, 0, &env, &list));
        model m;
        memset(&m, 0, sizeof m);
        double limit = -INFINITY; // the largest key taken: as large as some pass's limit
        for (int32_t turn = 0; turn < 500; turn++) {
            int32_t state = (int32_t)ploy_rng_below(&rng, STATES);
            ploy_open_key key = random_key(&rng);
            ploy_open_entry entry;
            if (ploy_rng_below(&rng, 3) > 0) {
                if (key.first < limit) key.first = limit; // as with estimates that are consistent
                ploy_result result = m.in[state] ? ploy_open_list_update(list, state, key)
                                                 : ploy_open_list_add(list, state, key);
                CHECK_OK(result);
                m.count += !m.in[state];
                m.in[state] = true;
                m.keys[state] = key;
            } else if (ploy_open_list_pop(list, &entry)) {
                int32_t least = model_extreme(&m, 1);
                CHECK(m.in[entry.state]);
                CHECK_SAME(entry.key.first, m.keys[least].first);
                limit = entry.key.first > limit ? entry.key.first : limit;
                m.in[entry.state] = false;
                m.count--;
            }
            CHECK_INT(ploy_open_list_count(list), m.count);
            CHECK(ployi_open_list_valid(list));
        }
        ploy_open_list_destroy(list);
    }
}

TEST(bad_arguments_are_refused) {
    ploy_env env = ploy_env_default();
    ploy_open_list *list = NULL;
    CHECK_INT(ploy_open_list_create(PLOY_OPEN_BUCKETS, 0.0, &env, &list), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_open_list_create(PLOY_OPEN_BUCKETS, NAN, &env, &list), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_open_list_create((ploy_open_kind)10, 1.0, &env, &list), PLOY_ERR_ARGUMENT);
    CHECK_OK(ploy_open_list_create(PLOY_OPEN_HEAP, 0.0, &env, &list));
    ploy_open_key key = {NAN, 0.0}, fine = {1.0, 1.0};
    CHECK_INT(ploy_open_list_add(list, 0, key), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_open_list_add(list, -1, fine), PLOY_ERR_ARGUMENT);
    CHECK_OK(ploy_open_list_add(list, 0, fine));
    CHECK_INT(ploy_open_list_update(list, 0, key), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_open_list_update(list, 7, fine), PLOY_ERR_NOT_FOUND);
    CHECK(!ploy_open_list_remove(list, -1));
    CHECK_TEXT(ployi_open_kind_text((ploy_open_kind)99), "?");
    ploy_open_list_destroy(list);
}

static ploy_result open_list_made(const ploy_env *env, void *arg) {
    ploy_open_list *list = NULL;
    ploy_result result = ploy_open_list_create(*(ploy_open_kind *)arg, 1.0, env, &list);
    ploy_open_key key = {0.0, 0.0};
    for (int32_t i = 0; i < 200 && result == PLOY_OK; i++) {
        result = ploy_open_list_add(list, i, key);
        if (result != PLOY_OK && !ployi_open_list_valid(list)) result = PLOY_ERR_STATE;
    }
    TEST_REPORT(result, env, list, ploy_open_list_memory);
    ploy_open_list_destroy(list);
    return result;
}

TEST(memory_may_run_out_at_any_moment) {
    for (int32_t kind = 0; kind <= (int32_t)PLOY_OPEN_STACK; kind++) {
        ploy_open_kind arg = (ploy_open_kind)kind;
        CHECK_FAIL_NTH(open_list_made, &arg);
    }
}
