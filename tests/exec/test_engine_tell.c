// What the engine tells: loads of ticks, tables, and how policies reach behaviors.
#include "exec/exec_internal.h"
#include "ploy/exec/engine.h"

#include "tests/exec/engine_probe.h"
#include "tests/test.h"

TEST(the_load_of_each_tick_is_remembered_for_a_while) { // EXE-09
    for (int32_t parallel = 0; parallel < 2; parallel++) {
        ploy_env env = ploy_env_default();
        ploy_engine_def def = ploy_engine_def_default();
        def.parallel = parallel == 1;
        def.history = 4;
        ploy_engine *engine = NULL;
        CHECK_OK(ploy_engine_create(&def, &env, &engine));
        probe p[3] = {0};
        for (int32_t i = 0; i < 3; i++) {
            p[i].spends = 4 * (i + 1);
            add(t, engine, &p[i], i + 1);
        }
        ploy_workload load;
        CHECK_INT(ploy_engine_workload(engine, 0, &load), PLOY_ERR_NOT_FOUND);
        for (int32_t i = 0; i < 6; i++) {
            ploy_budget budget = ploy_budget_units(18);
            CHECK_OK(ploy_engine_step(engine, 0.1f, &budget, NULL));
        }
        CHECK_OK(ploy_engine_workload(engine, 0, &load));
        CHECK_UINT(load.tick, 5);
        CHECK_INT(load.units, 18);
        CHECK_INT(load.due, 3);
        CHECK_INT(load.ran + load.put_off, 3);
        CHECK_INT(load.ran, 3);
        CHECK_INT(load.spent, 24); // 4 + 8 + 12: an overrun is said as it is
        CHECK_INT(load.top_count, 3);
        CHECK_INT(load.top[0].units, 12);
        CHECK_UINT(load.top[0].agent.id.index, 3);
        CHECK_TEXT(load.top[0].name, "probe");
        CHECK_OK(ploy_engine_workload(engine, 3, &load));
        CHECK_UINT(load.tick, 2);
        CHECK_INT(ploy_engine_workload(engine, 4, &load), PLOY_ERR_NOT_FOUND);
        CHECK_INT(ploy_engine_workload(engine, -1, &load), PLOY_ERR_NOT_FOUND);
        CHECK_INT(ploy_engine_workload(engine, 0, NULL), PLOY_ERR_ARGUMENT);
        step(t, engine, 1); // no budget
        CHECK_OK(ploy_engine_workload(engine, 0, &load));
        CHECK_INT(load.units, PLOY_BUDGET_UNLIMITED);
        CHECK_INT(load.allowed, PLOY_BUDGET_UNLIMITED);
        ploy_engine_destroy(engine);
    }
}

TEST(tables_can_be_written) { // EXE-09
    ploy_env env = ploy_env_default();
    ploy_engine *engine = engine_of(t, false);
    ploy_behavior_type odd = probe_type;
    odd.name = "a \"b\", c";
    probe p[2] = {{.spends = 3}, {.spends = 1}};
    ploy_engine_entry entry = ploy_engine_entry_default();
    entry.behavior.type = &odd;
    entry.behavior.self = &p[0];
    entry.agent = agent(7);
    entry.schedule.priority = 2;
    CHECK_OK(ploy_engine_register(engine, &entry, NULL));
    CHECK_OK(set_schedule(engine, add(t, engine, &p[1], 8), 2, 1, 1));
    for (int32_t i = 0; i < 2; i++) {
        ploy_budget budget = ploy_budget_units(9);
        CHECK_OK(ploy_engine_step(engine, 0.1f, &budget, NULL));
    }
    ploy_buffer buffer;
    ploy_buffer_init(&buffer, 0, &env);
    ploy_writer writer = ploy_buffer_writer(&buffer);
    ploy_engine_write_services(engine, &writer);
    CHECK_TEXT(ploy_buffer_text(&buffer),
               "id,agent,behavior,turn,period,phase,priority,turns,waits,overruns,spent,"
               "most_spent,worst_interval,mean,share\n"
               "0:1,7:1,\"a \"\"b\"\", c\",ran,1,0,2,2,0,0,6,3,1,3,0.8571428571428571\n"
               "1:1,8:1,\"probe\",ran,2,1,1,1,0,0,1,1,1,1,0.14285714285714285\n");
    ploy_buffer_clear(&buffer);
    ploy_engine_write_workloads(engine, &writer);
    CHECK_TEXT(ploy_buffer_text(&buffer),
               "tick,units,allowed,spent,due,ran,put_off,dearest,dearest_agent,dearest_units\n"
               "0,9,9,3,1,1,0,\"a \"\"b\"\", c\",7:1,3\n"
               "1,9,12,4,2,2,0,\"a \"\"b\"\", c\",7:1,3\n");
    CHECK_OK(ploy_writer_result(&writer));
    ploy_buffer_fini(&buffer);
    ploy_engine_destroy(engine);
}

TEST(an_engine_has_the_policies_of_its_scheduler) { // EXE-13
    for (int32_t parallel = 0; parallel < 2; parallel++) {
        ploy_engine *engine = engine_of(t, parallel == 1);
        CHECK_OK(ploy_engine_set_policy(engine, PLOY_POLICY_REQUEST, NULL, NULL));
        CHECK_INT(ploy_engine_set_policy(engine, PLOY_POLICY_CUSTOM, NULL, NULL),
                  PLOY_ERR_ARGUMENT);
        probe p[3] = {{.spends = 6}, {.spends = 6}, {.spends = 3}};
        ploy_engine_id ids[3];
        for (int32_t i = 0; i < 3; i++) {
            ids[i] = add(t, engine, &p[i], i + 1);
            CHECK_OK(set_schedule(engine, ids[i], 1, 0, 3 - i));
            CHECK_OK(ployi_engine_set_request(engine, ids[i], (int32_t)p[i].spends));
        }
        ploy_schedule schedule;
        CHECK_OK(ploy_engine_schedule(engine, ids[1], &schedule));
        CHECK_INT(schedule.request, 6);
        schedule.indivisible = true;
        CHECK_OK(ploy_engine_set_schedule(engine, ids[1], &schedule));
        ploy_budget budget = ploy_budget_units(10);
        CHECK_OK(ploy_engine_step(engine, 0.1f, &budget, NULL));
        CHECK_INT(p[0].allowed, 6);
        CHECK_INT(p[1].steps, 0);
        CHECK_INT(p[2].allowed, 3);
        CHECK_INT(turn_of(t, engine, ids[1]), PLOY_ENGINE_TURN_WAITS);
        CHECK_INT(ployi_scheduler_waiting(ploy_engine_scheduler(engine), 0), 1);
        ploy_engine_id wrong = {{9, 9}};
        CHECK_INT(ployi_engine_set_request(engine, wrong, 1), PLOY_ERR_NOT_FOUND);
        CHECK_INT(ploy_engine_schedule(engine, wrong, &schedule), PLOY_ERR_NOT_FOUND);
        ploy_engine_destroy(engine);
    }
}

TEST(those_registered_together_with_automatic_phases_are_spread) { // EXE-06
    ploy_engine *engine = engine_of(t, true);
    probe p[40] = {0};
    for (int32_t i = 0; i < 40; i++) {
        ploy_engine_entry entry = ploy_engine_entry_default();
        entry.behavior.type = &probe_type;
        entry.behavior.self = &p[i];
        entry.agent = agent(i);
        entry.schedule.period = 10;
        entry.schedule.auto_phase = true;
        CHECK_OK(ploy_engine_register(engine, &entry, NULL));
    }
    for (int32_t tick = 0; tick < 30; tick++) {
        step(t, engine, 1);
        ploy_workload load;
        CHECK_OK(ploy_engine_workload(engine, 0, &load));
        CHECK_INT(load.ran, 4);
    }
    ploy_engine_destroy(engine);
}

// ---- the slices that a budget cuts

static void use_slice(probe *self, ploy_step_context *context) {
    while (ploy_budget_spend(context->budget, 1)) self->draw++;
}

TEST(a_slice_is_a_limit_even_without_a_budget) {
    ploy_engine *engine = engine_of(t, false);
    probe p = {.on_step = use_slice};
    ploy_engine_id id = add(t, engine, &p, 1);
    ploy_schedule schedule = ploy_schedule_default();
    schedule.max_slice = 7;
    CHECK_OK(ploy_engine_set_schedule(engine, id, &schedule));
    step(t, engine, 1);
    CHECK_INT(p.allowed, 7);
    ploy_engine_info info;
    CHECK_OK(ploy_engine_get(engine, id, &info));
    CHECK_INT(info.service.last_spent, 7);
    ploy_engine_destroy(engine);
}
