// Orders, reports and the stuck test (TAC-43, TAC-47, WAY-16).
#include "ploy/tactics/order.h"
#include "tests/state.h"

TEST(an_order_is_checked) {
    ploy_vec2 hill = ploy_vec2_make(3.0f, 4.0f);
    ploy_order order = ploy_order_make(PLOY_ORDER_DEFEND, hill);
    CHECK_OK(ploy_order_check(&order));
    CHECK(order.expiry > 1e300);
    ploy_circle swamp = {{5, 5}, 2};
    for (int32_t i = 0; i < PLOY_ORDER_AVOID_MAX; i++)
        CHECK_OK(ploy_order_add_avoid(&order, swamp));
    CHECK_INT(ploy_order_add_avoid(&order, swamp), PLOY_ERR_CAPACITY);
    swamp.radius = -1.0f;
    CHECK_INT(ploy_order_add_avoid(&order, swamp), PLOY_ERR_ARGUMENT);
    for (int32_t i = 0; i < PLOY_ORDER_ROUTE_MAX; i++) CHECK_OK(ploy_order_add_route(&order, hill));
    CHECK_INT(ploy_order_add_route(&order, hill), PLOY_ERR_CAPACITY);
    CHECK_INT(ploy_order_add_route(&order, ploy_vec2_make(NAN, 0)), PLOY_ERR_ARGUMENT);
    CHECK_OK(ploy_order_check(&order));
    ploy_order bad = order;
    bad.kind = PLOY_ORDER_NONE;
    CHECK_INT(ploy_order_check(&bad), PLOY_ERR_ARGUMENT);
    bad = order;
    bad.route_count = PLOY_ORDER_ROUTE_MAX + 1;
    CHECK_INT(ploy_order_check(&bad), PLOY_ERR_ARGUMENT);
    bad = order;
    bad.expiry = (double)NAN;
    CHECK_INT(ploy_order_check(&bad), PLOY_ERR_ARGUMENT);
    bad = order;
    bad.id = 7;
    bad.priority = 3;
    CHECK(ploy_order_same(&order, &bad));
    bad.place.x += 1.0f;
    CHECK(!ploy_order_same(&order, &bad));
}

TEST(every_kind_has_a_text) {
    for (int32_t i = 0; i < PLOY_ORDER_KINDS; i++) {
        CHECK(strcmp(ploy_order_kind_text((ploy_order_kind)i), "?") != 0);
    }
    for (int32_t i = 0; i < PLOY_REPORT_KINDS; i++) {
        CHECK(strcmp(ploy_report_kind_text((ploy_report_kind)i), "?") != 0);
    }
    for (int32_t i = 0; i < PLOY_REASONS; i++) {
        CHECK(strcmp(ploy_report_reason_text((ploy_report_reason)i), "?") != 0);
    }
    CHECK_TEXT(ploy_order_kind_text(PLOY_ORDER_KINDS), "?");
    CHECK_TEXT(ploy_report_kind_text(PLOY_REPORT_STUCK), "stuck");
    CHECK_TEXT(ploy_report_reason_text(PLOY_REASON_NO_PATH), "no path");
}

TEST(no_headway_counts_as_stuck) {
    ploy_progress_def def = ploy_progress_def_default(); // 1 m within 3 s
    static const struct {
        const char *row;
        float speed; // m/s towards the goal
        int32_t reports;
    } rows[] = {
        {"it walks", 2.0f, 0},  {"it crawls, but gets on", 0.5f, 0}, {"too slow", 0.2f, 3},
        {"it stands", 0.0f, 3}, {"it is pushed back", -1.0f, 3},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_progress progress = ploy_progress_begin(0.0);
        int32_t reports = 0;
        for (int32_t k = 0; k <= 95; k++) { // 9.5 s
            double now = 0.1 * k;
            float left = 100.0f - rows[i].speed * (float)now;
            reports += ploy_progress_step(&def, &progress, left, now);
        }
        CHECK_INT(reports, rows[i].reports); // one for every 3 s, not one a step
    }
}

TEST(state_of_orders_and_reports_is_visited) {
    ploy_order order = ploy_order_make(PLOY_ORDER_ATTACK, ploy_vec2_make(1, 2));
    order.id = 4;
    order.unit = ploy_agent_id_make(3, 1);
    order.what = ploy_name_of("quietly");
    order.formation = ploy_name_of("wedge");
    order.expiry = 30.0;
    ploy_circle area = {{5, 6}, 2};
    CHECK_OK(ploy_order_add_avoid(&order, area));
    CHECK_OK(ploy_order_add_route(&order, ploy_vec2_make(7, 8)));
    CHECK_OK(ploy_order_add_route(&order, ploy_vec2_make(9, 8)));
    state_check s = {ploy_order_visit, &order, NULL, NULL, NULL};
    state_check_all(t, &s);
    ploy_report report = ploy_report_make(PLOY_REPORT_SEEN, 4, PLOY_REASON_NONE);
    report.unit = ploy_agent_id_make(9, 2);
    report.time = 2.0;
    state_check r = {ploy_report_visit, &report, NULL, NULL, NULL};
    state_check_all(t, &r);
}
