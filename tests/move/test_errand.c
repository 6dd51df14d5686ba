// Errands inside blending, and groups of movers: WAY-13, WAY-25; WAY-14's table through both.
#include "ploy/move/errand.h"

#include "ploy/move/collision.h"
#include "tests/move/scene.h"
#include "tests/move/vectors.h"
#include "tests/test.h"

static const float tick = 0.033f; // s, of the text

static ploy_errand_def text_errand(void) {
    ploy_errand_def def = ploy_errand_def_default();
    def.pull = 0.2f / tick; // a turn rate of 0.2 each tick
    def.agitate.inwards = false;
    return def;
}

static ploy_movers_def text_movers(float speed) {
    ploy_movers_def def = ploy_movers_def_default();
    def.max_acceleration = 1.0f / tick;
    def.max_speed = 5.0f;
    def.cruise_speed = speed;
    def.cruise_time = 0.0f;
    return def;
}

static ploy_steering_context context_of(ploy_kinematic agent) {
    ploy_steering_context context = scene_context(agent);
    context.dt = tick;
    return context;
}

TEST(stops_are_taken_in_order_and_the_goal_ends_it) {
    ploy_errand_def def = text_errand();
    static const ploy_errand_stop stops[] = {{{5, 0}, 1}, {{5, 5}, 1}, {{5.5f, 5}, 1}};
    ploy_errand errand = ploy_errand_begin(&def, stops, 3, ploy_vec2_make(0, 5));
    ploy_kinematic agent = mover(0, 0, 0, 0);
    ploy_steering_context context = context_of(agent);
    // Straight to the first, with the whole pull.
    CHECK_VEC2(ploy_errand_steer(&errand, &context).linear, def.pull, 0.0f, 1e-4);
    CHECK_NEAR(errand.waited, (double)tick, 1e-6);
    context.agent = mover(4.5f, 0, 2, 0); // within its radius: on to the next at once
    ploy_vec2 way = ploy_vec2_with_length(ploy_vec2_make(0.5f, 5), def.pull);
    CHECK_VEC2(ploy_errand_steer(&errand, &context).linear, way.x, way.y, 1e-4);
    CHECK_INT(errand.next, 1);
    CHECK_NEAR(errand.waited, (double)tick, 1e-6); // counted anew
    context.agent = mover(5, 5, 2, 0);             // within two of them: one each step
    ploy_errand_steer(&errand, &context);
    CHECK_INT(errand.next, 2);
    ploy_errand_steer(&errand, &context);
    CHECK_INT(errand.next, 3);
    CHECK(!errand.arrived);
    context.agent = mover(0.5f, 5, -2, 1); // there: the brake, and nothing counted
    CHECK_VEC2(ploy_errand_steer(&errand, &context).linear, 2.0f / tick, -1.0f / tick, 1e-3);
    CHECK(errand.arrived);
    CHECK_SAME(errand.waited, 0.0f);
    context.agent = mover(0.5f, 5, 0, 0);
    CHECK_UINT(ploy_errand_steer(&errand, &context).requested, 0);
    // On the goal itself there is no direction, and no harm.
    ploy_errand direct = ploy_errand_begin(&def, NULL, 7, ploy_vec2_zero());
    def.goal_radius = 0.0f;
    context.agent = mover(0, 0, 1, 0);
    CHECK(ploy_vec2_is_zero(ploy_errand_steer(&direct, &context).linear));
    def.pull = NAN;
    CHECK_UINT(ploy_errand_steer(&direct, &context).requested, PLOY_STEERING_INVALID);
    ploy_steering_source source;
    CHECK_INT(ploy_errand_source(&direct, NULL, &source), PLOY_ERR_ARGUMENT);
}

TEST(a_mover_that_orbits_a_stop_is_kicked_out_of_it) {
    // WAY-14's table: constant speed, the stop at the centre of the turning circle.
    static const struct {
        const char *row;
        float speed, side, radius;
        double arrives; // s, with agitation
    } rows[] = {
        {"fast, left", 5, 1, 1.0f, 19.6},
        {"fast, right", 5, -1, 1.0f, 5.6},
        {"slow, left", 2, 1, 0.5f, 9.3},
        {"slow, right", 2, -1, 0.5f, 5.1},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        for (int patient = 0; patient < 2; patient++) {
            ploy_errand_def def = text_errand();
            def.agitate.patience = patient ? 0.0f : 5.0f;
            ploy_movers_def movers = text_movers(rows[i].speed);
            movers.max_acceleration = 1e6f; // the table's mover turns as far as it wants
            float turning = rows[i].speed * rows[i].speed * tick / 0.2f;
            ploy_errand_stop stop = {{0, rows[i].side * turning}, rows[i].radius};
            ploy_errand errand = ploy_errand_begin(&def, &stop, 1, ploy_vec2_make(1e6f, 0));
            ploy_kinematic agent = mover(0, 0, rows[i].speed, 0);
            int steps = 0;
            for (; steps < 1818 && errand.next == 0; steps++) {
                ploy_steering_context context = context_of(agent);
                ploy_steering steering = ploy_errand_steer(&errand, &context);
                agent = ploy_mover_step(&movers, agent, steering, tick);
            }
            if (patient) CHECK_INT(errand.next, 0); // a minute, and never there
            if (!patient) CHECK_NEAR((double)steps * (double)tick, rows[i].arrives, 0.15);
        }
    }
}

TEST(a_mover_keeps_its_limits) {
    ploy_movers_def def = ploy_movers_def_default();
    def.cruise_speed = 0.0f;
    ploy_steering steering = ploy_steering_make(ploy_vec2_make(1000, 0), 0);
    ploy_kinematic agent = ploy_mover_step(&def, mover(0, 0, 0, 0), steering, 0.1f);
    CHECK_NEAR(agent.velocity.x, 3.0, 1e-5); // 30 m/s^2 for a tenth
    agent = ploy_mover_step(&def, agent, steering, 0.1f);
    CHECK_NEAR(agent.velocity.x, 5.0, 1e-5);
    def.scale = ploy_vec2_make(1, 0); // on a rail
    steering.linear = ploy_vec2_make(3, 4);
    agent = ploy_mover_step(&def, mover(0, 0, 0, 0), steering, 0.1f);
    CHECK_NEAR(agent.velocity.x, 0.3, 1e-6);
    CHECK_SAME(agent.velocity.y, 0.0f);
    // By itself it goes to the cruising speed, from above and from below; from a stand nowhere.
    def = ploy_movers_def_default();
    for (int from = 0; from <= 4; from += 2) {
        ploy_kinematic one = mover(0, 0, 0, (float)from);
        for (int i = 0; i < 300; i++) one = ploy_mover_step(&def, one, ploy_steering_none(), 0.02f);
        CHECK_NEAR(one.velocity.y, from == 0 ? 0.0 : 2.0, 1e-3);
    }
    // Braking is not undone by it.
    ploy_kinematic one = mover(0, 0, 4, 0);
    for (int i = 0; i < 20; i++) {
        ploy_vec2 brake = ploy_vec2_scale(one.velocity, -1.0f / 0.02f);
        one = ploy_mover_step(&def, one, ploy_steering_make(brake, 0), 0.02f);
    }
    CHECK_NEAR(one.velocity.x, 0.0, 1e-5);
    ploy_kinematic still = mover(1, 2, 3, 4), same = ploy_mover_step(&def, still, steering, NAN);
    CHECK_BYTES(&same, &still, sizeof same);
    same = ploy_mover_step(&def, still, steering, 0.0f);
    CHECK_VEC2(same.velocity, 3.0f, 4.0f, 0.0);
}

// Passing others at the side, as one more source with a gain.
typedef struct passer {
    const ploy_kinematics *all;
    int32_t self;
} passer;

static ploy_steering pass(const ploy_steering_source *source,
                          const ploy_steering_context *context) {
    const passer *it = source->state;
    ploy_vec2 steering = context->earlier.linear;
    for (int32_t i = 0; i < it->all->count; i++) {
        if (i == it->self) continue;
        ploy_vec2 other = ploy_kinematics_get(it->all, i).position;
        steering = ploy_pass_by(context->agent.position, steering, other, 0.5f, 1.5f);
    }
    return ploy_steering_make(steering, 0.0f);
}

TEST(a_group_with_gains_gets_where_it_is_sent) {
    enum { SQUAD = 4 };
    ploy_errand_def def = ploy_errand_def_default();
    ploy_movers_def movers = ploy_movers_def_default();
    static const ploy_errand_stop stops[] = {{{10, 0}, 1.5f}, {{10, 10}, 1.5f}};
    ploy_kinematic agents[SQUAD];
    ploy_errand errands[SQUAD];
    passer passers[SQUAD];
    static const ploy_steering_type pass_type = {"pass", pass, NULL, NULL, 0, false, true};
    ploy_combine_def combine = ploy_combine_def_default();
    combine.mode = PLOY_COMBINE_COOPERATE;
    combine.max_acceleration = 30.0f;
    ploy_combination minds[SQUAD];
    ploy_steering steerings[SQUAD];
    ploy_kinematics view = ploy_kinematics_of(agents, SQUAD);
    ploy_steerings out = ploy_steerings_of(steerings, SQUAD);
    for (int32_t i = 0; i < SQUAD; i++) {
        agents[i] = mover(0, (float)i, 0, 0);
        ploy_vec2 goal = ploy_vec2_make(2.5f * (float)i - 4.0f, 16);
        errands[i] = ploy_errand_begin(&def, stops, 2, goal);
        passers[i].all = &view;
        passers[i].self = i;
        ploy_steering_source passing = ploy_steering_source_make(&pass_type, &passers[i]);
        ploy_steering_source going;
        CHECK_OK(ploy_errand_source(&errands[i], NULL, &going));
        CHECK_OK(ploy_combination_init(&minds[i], &combine, NULL));
        CHECK_OK(ploy_combination_add(&minds[i], "errand", going, 1.0f));
        CHECK_OK(ploy_combination_add(&minds[i], "pass", passing, 1.0f));
    }
    ploy_steering_context context = scene_context(agents[0]);
    int steps = 0;
    for (bool all = false; !all && steps < 3000; steps++) {
        CHECK_OK(ploy_movers_think(&view, 0, SQUAD, minds, SQUAD, &context, &out));
        CHECK_OK(ploy_movers_move(&movers, &view, 0, SQUAD, &out, context.dt));
        all = true;
        for (int32_t i = 0; i < SQUAD; i++) {
            all = all && errands[i].arrived && ploy_vec2_length(agents[i].velocity) < 1e-3f;
        }
    }
    CHECK(steps < 3000);
    for (int32_t i = 0; i < SQUAD; i++) CHECK_INT(errands[i].next, 2);
    // Bad views, ranges and numbers of minds.
    CHECK_INT(ploy_movers_think(&view, 0, SQUAD, minds, 2, &context, &out), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_movers_think(&view, 1, SQUAD, minds, 1, &context, &out), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_movers_think(&view, 0, SQUAD, NULL, 1, &context, &out), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_movers_move(&movers, &view, 0, SQUAD + 1, &out, 0.1f), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_movers_move(&movers, &view, 0, SQUAD, &out, 2.0f), PLOY_ERR_ARGUMENT);
    movers.max_speed = NAN;
    CHECK_INT(ploy_movers_move(&movers, &view, 0, SQUAD, &out, 0.1f), PLOY_ERR_ARGUMENT);
    CHECK_OK(ploy_fields_check_table(ploy_errand_fields(), NULL));
    CHECK_OK(ploy_fields_check_table(ploy_movers_fields(), NULL));
    scene_told told;
    ploy_draw draw = scene_draw(&told);
    errands[0].next = 0;
    ploy_errand_draw(&errands[0], agents[0].position, ploy_agent_id_make(1, 1), &draw);
    CHECK_INT(told.items, 5); // two stops with their circles, and the rest to the goal
}
