// What every tick cost: none is left out, and of a long recording no peak is lost.
#include "inspect/inspector_internal.h"
#include "tests/inspect/inspector_harness.h"

TEST(every_tick_is_told_and_a_forgotten_future_goes) {
    harness h;
    harness_begin(&h, t);
    ASK_OK(&h, "\"do\":\"open\",\"simulation\":\"drift\",\"seed\":\"7\"");
    ASK_OK(&h, "\"do\":\"watch\",\"session\":1,\"marks\":true");
    ASK_OK(&h, "\"do\":\"step\",\"session\":1,\"ticks\":4");
    ASK_OK(&h, "\"do\":\"set\",\"session\":1,\"values\":{\"scale\":2}");
    ASK_OK(&h, "\"do\":\"step\",\"session\":1,\"ticks\":2");
    ASK_OK(&h, "\"do\":\"set\",\"session\":1,\"values\":{\"scale\":1}");
    ASK_OK(&h, "\"do\":\"step\",\"session\":1,\"ticks\":1");
    ASK_OK(&h, "\"do\":\"watch\",\"session\":1,\"marks\":false");
    ASK_OK(&h, "\"do\":\"watch\",\"session\":1,\"marks\":true"); // all from the first on
    CHECK_JSON(h.event, "event", "\"loads\"");
    CHECK_JSON(h.event, "from", "1");
    CHECK_JSON(h.event, "every", "1");
    CHECK_JSON(h.event, "first", "0");
    CHECK_JSON(h.event, "count", "7");
    CHECK_JSON(h.event, "put_off", "[0,0,0,0,1,1,0]");
    char most[128];
    snprintf(most, sizeof most, "%s", harness_json(h.event, "most"));
    CHECK_JSON(h.event, "least", most);
    // Another future from tick 5 on.
    ASK_OK(&h, "\"do\":\"seek\",\"session\":1,\"tick\":5");
    ASK_OK(&h, "\"do\":\"set\",\"session\":1,\"values\":{\"scale\":1}");
    CHECK_JSON(h.event, "first", "5");
    CHECK_JSON(h.event, "count", "5");
    CHECK_JSON(h.event, "most", "[]");
    ASK_OK(&h, "\"do\":\"step\",\"session\":1,\"ticks\":1");
    CHECK_JSON(h.event, "first", "5");
    CHECK_JSON(h.event, "put_off", "[0]");
    harness_end(&h);
}

// Something that goes up and down, with a peak now and then.
static int64_t loads_spent(uint64_t tick) {
    return (int64_t)(tick * 2654435761u % 97) + (tick % 1009 == 7 ? 1000 : 0);
}

TEST(a_long_recording_loses_sharpness_and_no_peak) {
    test_counts counts = {0, 0, 0};
    ploy_inspector inspector;
    ployi_inspect_journal journal;
    memset(&inspector, 0, sizeof inspector); // nobody watches
    memset(&journal, 0, sizeof journal);
    journal.env = test_counting_env(&counts);
    journal.inspector = &inspector;
    for (uint64_t tick = 5; tick < 100000; tick++) {
        ploy_workload load;
        memset(&load, 0, sizeof load);
        load.spent = loads_spent(tick);
        load.units = tick < 50000 ? PLOY_BUDGET_UNLIMITED : 60;
        load.put_off = tick % 5003 == 0;
        ployi_inspect_loads_add(&journal, tick, &load);
        if (tick == 70000) ployi_inspect_loads_cut(&journal, 70000); // nothing comes after it
    }
    const ployi_inspect_loads *loads = &journal.loads;
    CHECK_UINT(loads->from, 5);
    CHECK_UINT(loads->every, 4);
    CHECK_INT(loads->count, (100000 - 5 + 3) / 4);
    for (int64_t i = 0; i < loads->count; i++) {
        ployi_inspect_cost want = {INT32_MAX, 0, -1, 0};
        for (uint64_t k = 0; k < loads->every; k++) {
            uint64_t tick = loads->from + (uint64_t)i * loads->every + k;
            if (tick >= 100000) continue;
            int32_t spent = (int32_t)loads_spent(tick);
            if (spent < want.least) want.least = spent;
            if (spent > want.most) want.most = spent;
            if (tick >= 50000) want.units = 60;
            if (tick % 5003 == 0) want.put_off = 1;
        }
        CHECK_INT(loads->items[i].least, want.least);
        CHECK_INT(loads->items[i].most, want.most);
        CHECK_INT(loads->items[i].units, want.units);
        CHECK_INT(loads->items[i].put_off, want.put_off);
    }
    ployi_inspect_loads_cut(&journal, 1000);
    CHECK_INT(loads->count, (1000 + 1 - 5) / 4);
    // A gap, and a tick before the first: it begins anew.
    ploy_workload load;
    memset(&load, 0, sizeof load);
    load.spent = INT64_MAX;
    ployi_inspect_loads_add(&journal, 90000, &load);
    CHECK_INT(loads->count, 1);
    CHECK_UINT(loads->from, 90000);
    CHECK_INT(loads->items[0].most, INT32_MAX);
    ployi_inspect_loads_add(&journal, 3, &load);
    CHECK_UINT(loads->from, 3);
    ployi_inspect_loads_fini(&journal);
    CHECK_INT(counts.bytes, 0);
}
