// The lab of schedules: minds with different periods and costs share a budget. Above, the load of
// the last ticks as bars beside the budget, and how evenly the schedules spread their turns: min,
// mean, max, deviation and a histogram over one whole cycle. Below, who will be due in the ticks to
// come, one row a mind. A click in a row moves that mind's turns to the tick under the pointer.
//
// All state is in the one block scheduler_lab and in its engine.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "labs/lab_input.h"
#include "labs/labs.h"
#include "ploy/base/math.h"
#include "ploy/exec/engine.h"
#include "ploy/exec/phase.h"

enum { SCHEDULER_MINDS_MAX = 40, SCHEDULER_TICKS = 60 };

static const float scheduler_rows = -2.0f;  // m, where the rows begin, downwards
static const float scheduler_left = -30.0f; // m, where the first tick is; each is 1 m wide
static const float scheduler_top = 11.0f;   // m, height that the tallest bar has

static const char *const scheduler_lab_policies[] = {"priority", "even", "priority_only", "request",
                                                     "adaptive"};
static const int32_t scheduler_periods[] = {2, 4, 6, 8, 12, 24};

typedef struct scheduler_lab_def {
    uint32_t cookie;
    int32_t minds;
    ploy_policy policy;
    int32_t budget;
    bool auto_phase;
    int32_t cost;
    float overrun;
} scheduler_lab_def;

static const ploy_field scheduler_lab_fields[] = {
    PLOY_FIELD_I32_FIXED(scheduler_lab_def, minds, 24, 1, SCHEDULER_MINDS_MAX, "", "who think"),
    PLOY_FIELD_ENUM(scheduler_lab_def, policy, PLOY_POLICY_PRIORITY, scheduler_lab_policies,
                    "how the budget is divided"),
    PLOY_FIELD_I32(scheduler_lab_def, budget, 30, 1, 200, "units", "of a tick"),
    PLOY_FIELD_BOOL(scheduler_lab_def, auto_phase, false,
                    "spread the turns by automatic phases; off puts all phases to 0"),
    PLOY_FIELD_I32(scheduler_lab_def, cost, 6, 1, 40, "units", "most that a thought takes"),
    PLOY_FIELD_F32(scheduler_lab_def, overrun, 0.1f, 0, 1, "",
                   "share of thoughts that cost twice the most and cannot be cut short"),
};

static ploy_fields scheduler_lab_get_fields(void) {
    return PLOY_FIELDS(scheduler_lab_def, scheduler_lab_fields);
}

typedef struct scheduler_mind {
    const scheduler_lab_def *def; // of the lab, in the same region
    int64_t left;                 // units of the thought under way
    int64_t thoughts;
} scheduler_mind;

typedef struct scheduler_lab {
    scheduler_lab_def def; // as of the last step: drawing needs it
    ploy_engine *engine;
    ploy_engine_id ids[SCHEDULER_MINDS_MAX];
    scheduler_mind minds[SCHEDULER_MINDS_MAX];
} scheduler_lab;

static ploy_result scheduler_mind_step(void *self, ploy_step_context *context,
                                       ploy_status *status) {
    scheduler_mind *mind = self;
    uint32_t id = context->agent.id.index;
    uint64_t tick = context->tick;
    *status = PLOY_STATUS_RUNNING;
    if (mind->left == 0) {
        // A few minds are expensive, most are cheap.
        float most = (float)mind->def->cost * (id % 4 == 0 ? 1.0f : 0.4f);
        mind->left = 1 + (int64_t)ploy_rng_range_at(context->key, id, tick, 0, 0.0f, most);
    }
    if (ploy_rng_range_at(context->key, id, tick, 1, 0.0f, 1.0f) < mind->def->overrun) {
        ploy_budget_spend(context->budget, 2 * (int64_t)mind->def->cost); // cannot be cut short
        mind->left = 0;
    }
    while (mind->left > 0 && ploy_budget_spend(context->budget, 1)) mind->left--;
    if (mind->left == 0) mind->thoughts++;
    bool done = mind->left == 0;
    ploy_trace_begin(context->trace, context->agent, "turn", "budget");
    ploy_trace_option(context->trace, "finish the thought",
                      done ? PLOY_OUTCOME_WON : PLOY_OUTCOME_REJECTED, (double)NAN,
                      done ? "the budget was enough" : "the budget of this turn is spent");
    ploy_trace_option(context->trace, "continue in its next turn",
                      done ? PLOY_OUTCOME_REJECTED : PLOY_OUTCOME_WON, (double)NAN,
                      done ? "nothing is left to do" : "units of work are left");
    ploy_trace_i64(context->trace, "units left", mind->left);
    ploy_trace_end(context->trace);
    return PLOY_OK;
}

static void scheduler_mind_visit(ploy_visit *v, void *object) {
    scheduler_mind *mind = object;
    ploy_visit_i64(v, "left", PLOY_STATE, &mind->left);
    ploy_visit_i64(v, "thoughts", PLOY_STATE, &mind->thoughts);
}

static const ploy_behavior_type scheduler_mind_type = {
    .name = "mind", .step = scheduler_mind_step, .visit = scheduler_mind_visit};

static ploy_agent_id scheduler_agent(int32_t index) {
    return ploy_agent_id_make((uint32_t)index + 1, 1);
}

static ploy_schedule scheduler_lab_schedule(const scheduler_lab_def *def, int32_t index) {
    size_t kinds = sizeof scheduler_periods / sizeof scheduler_periods[0];
    ploy_schedule schedule = ploy_schedule_default();
    schedule.period = scheduler_periods[(size_t)index % kinds];
    schedule.priority = index % 4 == 0 ? 3 : 1;
    schedule.auto_phase = def->auto_phase;
    schedule.request = def->cost;
    return schedule;
}

// Schedules all agents again, one after the other, so that each is phased beside the rest.
static ploy_result scheduler_lab_rephase(scheduler_lab *lab) {
    ploy_result result = PLOY_OK;
    for (int32_t pass = 0; pass < 2 && result == PLOY_OK; pass++) {
        for (int32_t i = 0; i < lab->def.minds && result == PLOY_OK; i++) {
            ploy_schedule schedule = scheduler_lab_schedule(&lab->def, i);
            result = ploy_engine_set_schedule(lab->engine, lab->ids[i], &schedule);
        }
    }
    return result;
}

static ploy_result scheduler_lab_create(const void *params, ploy_rng_key key, const ploy_env *env,
                                        void **out) {
    scheduler_lab *lab = ploy_env_alloc_zero(env, sizeof *lab);
    if (lab == NULL) return PLOY_ERR_MEMORY;
    memcpy(&lab->def, params, sizeof lab->def);
    ploy_engine_def def = ploy_engine_def_default();
    def.seed = key.bits;
    def.history = SCHEDULER_TICKS;
    def.scheduler.policy = lab->def.policy;
    ploy_result result = ploy_engine_create(&def, env, &lab->engine);
    for (int32_t i = 0; i < lab->def.minds && result == PLOY_OK; i++) {
        lab->minds[i].def = &lab->def;
        ploy_engine_entry entry = ploy_engine_entry_default();
        entry.behavior.type = &scheduler_mind_type;
        entry.behavior.self = &lab->minds[i];
        entry.agent = scheduler_agent(i);
        entry.schedule = scheduler_lab_schedule(&lab->def, i);
        result = ploy_engine_register(lab->engine, &entry, &lab->ids[i]);
    }
    *out = lab;
    return result;
}

// Height of a mind's row in metres: all fit below the bars.
static float scheduler_row(const scheduler_lab *lab) {
    return lab->def.minds <= 24 ? 0.5f : 12.0f / (float)lab->def.minds;
}

// Moves a mind's turns to the tick under the pointer.
static ploy_result scheduler_lab_click(scheduler_lab *lab, float x, float y) {
    float line = floorf((scheduler_rows - y) / scheduler_row(lab));
    float column = floorf(x - scheduler_left);
    bool inside = line >= 0.0f && line < (float)lab->def.minds && column >= 0.0f &&
                  column < (float)SCHEDULER_TICKS;
    if (!inside) return PLOY_OK;
    int32_t row = (int32_t)line;
    ploy_schedule schedule;
    ploy_result result = ploy_engine_schedule(lab->engine, lab->ids[row], &schedule);
    if (result != PLOY_OK) return result;
    uint64_t tick = ploy_engine_tick(lab->engine) + (uint64_t)column;
    schedule.auto_phase = false;
    schedule.phase = -(int32_t)(tick % (uint64_t)schedule.period);
    return ploy_engine_set_schedule(lab->engine, lab->ids[row], &schedule);
}

static ploy_result scheduler_lab_step(void *state, const ploy_sim_context *context) {
    scheduler_lab *lab = state;
    scheduler_lab_def before = lab->def;
    memcpy(&lab->def, context->params, sizeof lab->def);
    ploy_result result = PLOY_OK;
    if (lab->def.policy != before.policy) {
        result = ploy_engine_set_policy(lab->engine, lab->def.policy, NULL, NULL);
    }
    bool again = lab->def.auto_phase != before.auto_phase;
    for (int32_t i = 0; i < context->input_count && result == PLOY_OK; i++) {
        const ploy_input *input = &context->inputs[i];
        if (lab_input_is(input, "click")) {
            result = scheduler_lab_click(lab, input->value.as.vec[0], input->value.as.vec[1]);
        } else if (lab_input_is(input, "rephase")) {
            again = true;
        }
    }
    if (again && result == PLOY_OK) result = scheduler_lab_rephase(lab);
    if (result != PLOY_OK) return result;
    ploy_engine_frame frame = {
        .jobs = context->jobs, .scratch = context->scratch, .trace = context->trace};
    ploy_budget budget = ploy_budget_units(lab->def.budget);
    return ploy_engine_step(lab->engine, context->dt, &budget, &frame);
}

// ---- sight ----

static void scheduler_draw_box(ploy_draw *out, ploy_style style, float x, float y, float width,
                               float height, float alpha) {
    ploy_vec2 corners[4] = {{x, y}, {x + width, y}, {x + width, y + height}, {x, y + height}};
    ploy_draw_polygon(out, PLOY_LAYER_INFLUENCE, style, ploy_agent_id_none(), corners, 4, alpha);
}

static void scheduler_draw_loads(const scheduler_lab *lab, ploy_draw *out) {
    ploy_agent_id nobody = ploy_agent_id_none();
    int64_t most = lab->def.budget;
    ploy_workload load;
    for (int32_t ago = 0; ploy_engine_workload(lab->engine, ago, &load) == PLOY_OK; ago++) {
        if (load.spent > most) most = load.spent;
    }
    float unit = scheduler_top / (float)most;
    float right = scheduler_left + SCHEDULER_TICKS;
    for (int32_t ago = 0; ploy_engine_workload(lab->engine, ago, &load) == PLOY_OK; ago++) {
        float x = right - 1.0f - (float)ago;
        bool over = load.spent > load.units;
        float within = unit * (float)(over ? load.units : load.spent);
        scheduler_draw_box(out, PLOY_STYLE_GOOD, x + 0.1f, 0.0f, 0.8f, within, 0.8f);
        if (over) {
            float above = unit * (float)(load.spent - load.units);
            scheduler_draw_box(out, PLOY_STYLE_BAD, x + 0.1f, within, 0.8f, above, 0.9f);
        }
        // One mark for each turn that was put off.
        for (int32_t i = 0; i < load.put_off; i++) {
            ploy_draw_disc(out, PLOY_LAYER_SENSES, PLOY_STYLE_WARNING, nobody,
                           ploy_vec2_make(x + 0.5f, scheduler_top + 0.7f + 0.35f * (float)i), 0.14f,
                           1.0f);
        }
    }
    float line = unit * (float)lab->def.budget;
    ploy_draw_line(out, PLOY_LAYER_WORLD, PLOY_STYLE_WALL, nobody,
                   ploy_vec2_make(scheduler_left, line), ploy_vec2_make(right, line));
    ploy_draw_text(out, nobody, ploy_vec2_make(scheduler_left, line + 0.3f), "budget");
    ploy_draw_text(out, nobody, ploy_vec2_make(scheduler_left, -1.5f),
                   "turns to come, a row a mind; click to move them");
}

static void scheduler_draw_rows(const scheduler_lab *lab, ploy_draw *out) {
    static const ploy_style styles[] = {PLOY_STYLE_AGENT_A, PLOY_STYLE_AGENT_B, PLOY_STYLE_AGENT_C,
                                        PLOY_STYLE_AGENT_D};
    uint64_t tick = ploy_engine_tick(lab->engine);
    for (int32_t i = 0; i < lab->def.minds; i++) {
        ploy_schedule schedule;
        ploy_engine_info info;
        if (ploy_engine_schedule(lab->engine, lab->ids[i], &schedule) != PLOY_OK) continue;
        if (ploy_engine_get(lab->engine, lab->ids[i], &info) != PLOY_OK) continue;
        float y = scheduler_rows - scheduler_row(lab) * ((float)i + 0.5f);
        float right = scheduler_left + SCHEDULER_TICKS;
        ploy_draw_line(out, PLOY_LAYER_REGIONS, PLOY_STYLE_GHOST, scheduler_agent(i),
                       ploy_vec2_make(scheduler_left, y), ploy_vec2_make(right, y));
        if (info.turn == PLOY_ENGINE_TURN_WAITS) {
            ploy_draw_disc(out, PLOY_LAYER_SENSES, PLOY_STYLE_WARNING, scheduler_agent(i),
                           ploy_vec2_make(scheduler_left - 0.5f, y), 0.2f, 1.0f);
        }
        for (int32_t k = 0; k < SCHEDULER_TICKS; k++) {
            if (!ploy_schedule_due(&schedule, tick + (uint64_t)k)) continue;
            float x = scheduler_left + (float)k + 0.5f;
            ploy_draw_disc(out, PLOY_LAYER_AGENTS, styles[i % 4], scheduler_agent(i),
                           ploy_vec2_make(x, y), schedule.priority > 1 ? 0.24f : 0.16f, 1.0f);
        }
    }
}

// How evenly the turns are spread, by the schedules alone. The periods have a cycle of 24 ticks.
static bool scheduler_lab_clumping(const scheduler_lab *lab, ploy_clumping *out) {
    return ploy_scheduler_clumping(ploy_engine_scheduler(lab->engine), false, 1024,
                                   ploy_rng_key_make(1), out) == PLOY_OK;
}

// A histogram of turns a tick to the right of the bars, and its numbers.
static void scheduler_draw_clumping(const scheduler_lab *lab, ploy_draw *out) {
    ploy_clumping clumping;
    if (!scheduler_lab_clumping(lab, &clumping)) return;
    const float left = 12.0f, width = 0.5f, height = 3.0f, bottom = 13.2f; // m
    int64_t most = 1;
    for (int32_t i = 0; i < PLOY_CLUMPING_BARS; i++) {
        if (clumping.histogram[i] > most) most = clumping.histogram[i];
    }
    for (int32_t i = 0; i < PLOY_CLUMPING_BARS; i++) {
        float share = (float)clumping.histogram[i] / (float)most;
        if (share == 0.0f) continue;
        scheduler_draw_box(out, PLOY_STYLE_AGENT_B, left + width * (float)i, bottom, 0.8f * width,
                           height * share, 0.8f);
    }
    char text[96];
    snprintf(text, sizeof text, "turns a tick: min %.0f, mean %.1f, max %.0f, deviation %.1f",
             clumping.min, clumping.mean, clumping.max, clumping.sd);
    ploy_draw_text(out, ploy_agent_id_none(), ploy_vec2_make(-30.0f, 15.5f), text);
}

static void scheduler_lab_draw(const void *state, ploy_draw *out) {
    ploy_draw_key(out, PLOY_STYLE_AGENT_A, "turns of every fourth agent");
    ploy_draw_key(out, PLOY_STYLE_AGENT_B, "turns of agents, and turns a tick");
    ploy_draw_key(out, PLOY_STYLE_AGENT_C, "turns of agents");
    ploy_draw_key(out, PLOY_STYLE_AGENT_D, "turns of agents");
    ploy_draw_key(out, PLOY_STYLE_GOOD, "units spent within the budget");
    ploy_draw_key(out, PLOY_STYLE_BAD, "units over the budget");
    ploy_draw_key(out, PLOY_STYLE_WARNING, "turn that was put off");
    scheduler_draw_loads(state, out);
    scheduler_draw_clumping(state, out);
    scheduler_draw_rows(state, out);
}

static void scheduler_lab_describe(const void *state, ploy_describe *out) {
    const scheduler_lab *lab = state;
    ploy_workload load;
    if (ploy_engine_workload(lab->engine, 0, &load) == PLOY_OK) {
        ploy_describe_i64(out, "due", PLOY_DERIVED, load.due);
        ploy_describe_i64(out, "ran", PLOY_DERIVED, load.ran);
        ploy_describe_i64(out, "put_off", PLOY_DERIVED, load.put_off);
        ploy_describe_i64(out, "spent", PLOY_DERIVED, load.spent);
    }
    ploy_clumping clumping;
    if (scheduler_lab_clumping(lab, &clumping)) {
        ploy_describe_begin(out, "clumping");
        ploy_describe_f64(out, "min", PLOY_DERIVED, clumping.min);
        ploy_describe_f64(out, "mean", PLOY_DERIVED, clumping.mean);
        ploy_describe_f64(out, "max", PLOY_DERIVED, clumping.max);
        ploy_describe_f64(out, "deviation", PLOY_DERIVED, clumping.sd);
        ploy_describe_bool(out, "exact", PLOY_DERIVED, clumping.exact);
        ploy_describe_end(out);
    }
    ploy_engine_describe(lab->engine, out);
}

static bool scheduler_lab_load(const void *state, ploy_workload *out) {
    return ploy_engine_workload(((const scheduler_lab *)state)->engine, 0, out) == PLOY_OK;
}

static const ploy_command scheduler_lab_commands[] = {
    {"click", "in a mind's row: move its turns to that tick", PLOY_VALUE_VEC2, false, "Pointer"},
    {"rephase", "choose all phases again, as auto_phase says", PLOY_VALUE_NONE, false, "r"},
};

extern const ploy_sim_type ploy_lab_scheduler; // in labs.c
const ploy_sim_type ploy_lab_scheduler = {
    .name = "scheduler",
    .title = "Scheduler",
    .help = "Minds share a budget. Bars are the load of the last ticks, dots above them turns that "
            "were put off. Below, the turns to come: click in a row to move them, or let "
            "auto_phase spread them.",
    .version = 1,
    .capabilities = PLOY_SIM_INTERACTIVE | PLOY_SIM_DIAGRAM,
    .dt = 1.0f / 30.0f,
    .view = {-32.0f, -15.0f, 32.0f, 17.0f},
    .fields = scheduler_lab_get_fields,
    .commands = scheduler_lab_commands,
    .command_count = sizeof scheduler_lab_commands / sizeof scheduler_lab_commands[0],
    .create = scheduler_lab_create,
    .destroy = NULL, // the region goes with the simulation
    .step = scheduler_lab_step,
    .draw = scheduler_lab_draw,
    .describe = scheduler_lab_describe,
    .load = scheduler_lab_load,
};
