// The picture of a statechart: boxes lie in boxes, beside one another, and are found again.
#include "ploy/base/rng.h"
#include "ploy/decide/hsm_chart.h"
#include "tests/test.h"

typedef struct chart_counts {
    int items, arrows, lit;
} chart_counts;

static void chart_count(void *user, const ploy_draw_item *item) {
    chart_counts *counts = user;
    counts->items++;
    counts->arrows += item->shape == PLOY_SHAPE_ARROW;
    counts->lit += item->style == PLOY_STYLE_GOOD && item->shape == PLOY_SHAPE_POLYGON;
}

static bool chart_inside(ploy_box2 a, ploy_box2 b) {
    return a.min.x > b.min.x && a.max.x < b.max.x && a.min.y > b.min.y && a.max.y < b.max.y;
}

static bool chart_apart(ploy_box2 a, ploy_box2 b) {
    return a.min.x > b.max.x || b.min.x > a.max.x || a.min.y > b.max.y || b.min.y > a.max.y;
}

TEST(boxes_nest_as_states_do) {
    for (int64_t round = 0; round < test_rounds(100); round++) {
        TEST_SEED(round);
        ploy_rng rng = ploy_rng_make((uint64_t)round);
        ploy_env env = ploy_env_default();
        ploy_hsm_def def = ploy_hsm_def_default();
        ploy_hsm_type *type = NULL;
        ploy_hsm_chart *chart = NULL;
        CHECK_OK(ploy_hsm_type_create(&def, NULL, &env, &type));
        ploy_hsm_state last = ploy_hsm_root();
        for (int i = 1; i <= 20; i++) {
            char id[24];
            snprintf(id, sizeof id, "state number %d", i);
            ploy_hsm_kind kind = ploy_rng_chance(&rng, 0.3f) ? PLOY_HSM_PARALLEL : PLOY_HSM_STATE;
            ploy_hsm_state parent = last;
            while (parent.number != 0 && ploy_rng_chance(&rng, 0.5f)) {
                parent = ploy_hsm_type_parent(type, parent);
            }
            last = ploy_hsm_type_state(type, id, parent, kind, NULL, ploy_maker_none());
            CHECK_UINT(last.number, (uint32_t)i);
        }
        CHECK_OK(ploy_hsm_type_finish(type));
        CHECK_OK(ploy_hsm_chart_create(type, &env, &chart));
        for (uint32_t i = 1; i <= 20; i++) {
            ploy_hsm_state a = {i}, parent = ploy_hsm_type_parent(type, a);
            ploy_box2 box = ploy_hsm_chart_box(chart, a);
            CHECK(chart_inside(box, ploy_hsm_chart_box(chart, parent)));
            for (uint32_t k = 1; k < i; k++) {
                ploy_hsm_state b = {k};
                if (ploy_hsm_type_parent(type, b).number != parent.number) continue;
                CHECK(chart_apart(box, ploy_hsm_chart_box(chart, b)));
            }
            // The corner of a box belongs to nobody inside.
            ploy_vec2 corner = ploy_vec2_make(box.min.x + 0.01f, box.min.y + 0.01f);
            CHECK_UINT(ploy_hsm_chart_at(chart, corner).number, i);
        }
        ploy_hsm_chart_destroy(chart);
        ploy_hsm_type_destroy(type);
    }
}

TEST(active_states_are_lit_and_every_rule_is_an_arrow) {
    ploy_env env = ploy_env_default();
    ploy_hsm_def def = ploy_hsm_def_default();
    ploy_hsm_type *type = NULL;
    ploy_hsm_chart *chart = NULL;
    ploy_hsm *hsm = NULL;
    ploy_step_context context = {0};
    CHECK_OK(ploy_hsm_type_create(&def, NULL, &env, &type));
    ploy_hsm_state root = ploy_hsm_root();
    ploy_hsm_state a =
        ploy_hsm_type_state(type, "a", root, PLOY_HSM_STATE, NULL, ploy_maker_none());
    ploy_hsm_state b = ploy_hsm_type_state(type, "b", a, PLOY_HSM_STATE, NULL, ploy_maker_none());
    ploy_hsm_state c =
        ploy_hsm_type_state(type, "c", root, PLOY_HSM_FINAL, NULL, ploy_maker_none());
    ploy_hsm_rule rules[] = {
        ploy_hsm_rule_make("1", a, "e", &b), ploy_hsm_rule_make("2", b, "f", &c),
        ploy_hsm_rule_make("3", b, "g", NULL), ploy_hsm_rule_make("4", b, "h", &a)};
    for (size_t i = 0; i < COUNT_OF(rules); i++) CHECK_OK(ploy_hsm_type_add(type, &rules[i]));
    CHECK_INT(ploy_hsm_chart_create(type, &env, &chart), PLOY_ERR_STATE);
    CHECK_OK(ploy_hsm_type_finish(type));
    CHECK_OK(ploy_hsm_chart_create(type, &env, &chart));
    CHECK_OK(ploy_hsm_create(type, NULL, &env, &hsm));
    CHECK_OK(ploy_behavior_enter(ploy_hsm_behavior(hsm), &context));
    chart_counts counts = {0, 0, 0};
    ploy_draw draw = {chart_count, &counts, UINT32_MAX};
    ploy_hsm_chart_draw(chart, hsm, ploy_vec2_make(1.0f, 2.0f), ploy_agent_id_none(), &draw);
    CHECK_INT(counts.arrows, 4 + 2); // and one to each initial state
    CHECK_INT(counts.lit, 2);
    ploy_hsm_destroy(hsm);
    ploy_hsm_chart_destroy(chart);
    ploy_hsm_type_destroy(type);
}

static ploy_result chart_body(const ploy_env *env, void *arg) {
    ploy_hsm_chart *chart = NULL;
    ploy_result result = ploy_hsm_chart_create(arg, env, &chart);
    ploy_hsm_chart_destroy(chart);
    return result;
}

TEST(a_chart_without_memory_is_none) {
    ploy_env env = ploy_env_default();
    ploy_hsm_def def = ploy_hsm_def_default();
    ploy_hsm_type *type = NULL;
    CHECK_OK(ploy_hsm_type_create(&def, NULL, &env, &type));
    (void)ploy_hsm_type_state(type, "a", ploy_hsm_root(), PLOY_HSM_STATE, NULL, ploy_maker_none());
    CHECK_OK(ploy_hsm_type_finish(type));
    CHECK_FAIL_NTH(chart_body, type);
    ploy_hsm_type_destroy(type);
}
