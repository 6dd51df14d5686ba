// Artillery: where should a shell come down, and how must the gun be aimed? Every round has other
// enemies and friends. Three searches look for the best point, beside the rule "at the enemy whose
// surroundings are worth most"; a fourth one climbs to the angles of the gun, beside the formula.
#include <stdio.h>
#include <string.h>

#include "labs/lab_input.h"
#include "labs/labs.h"
#include "ploy/base/math.h"
#include "ploy/geom/angle.h"
#include "ploy/learn/tune.h"
#include "ploy/move/flight.h"
#include "ploy/move/trajectory.h"

enum { BARRAGE_ENEMIES = 14, BARRAGE_FRIENDS = 6, BARRAGE_GROUPS = 3, BARRAGE_TRAIL = 512 };

#define BARRAGE_WIDTH 40.0f // m
#define BARRAGE_HEIGHT 24.0f

typedef enum barrage_method {
    BARRAGE_RULE,
    BARRAGE_CLIMB,     // one climb from the middle of the field
    BARRAGE_STARTS,    // climbs from 36 places
    BARRAGE_ANNEALING, // worse points are taken while it is hot
    BARRAGE_METHODS
} barrage_method;

static const char *const barrage_names[BARRAGE_METHODS] = {"rule", "climb", "starts", "annealing"};
static const ploy_style barrage_styles[BARRAGE_METHODS] = {PLOY_STYLE_GHOST, PLOY_STYLE_WARNING,
                                                           PLOY_STYLE_GOOD, PLOY_STYLE_AGENT_A};

typedef struct barrage_def {
    uint32_t cookie;
    int32_t pause, evaluations;
    float radius, penalty, morale, muzzle;
    ploy_flight_def flight;
} barrage_def;

static const ploy_field barrage_items[] = {
    PLOY_FIELD_I32(barrage_def, pause, 20, 1, 1000, "", "ticks between two rounds"),
    PLOY_FIELD_I32(barrage_def, evaluations, 400, 10, 10000, "", "points that a search may try"),
    PLOY_FIELD_F32(barrage_def, radius, 3, 0.5, 20, "m", "of the blast"),
    PLOY_FIELD_F32(barrage_def, penalty, 4, 0, 100, "", "for each friend in the blast"),
    PLOY_FIELD_F32(barrage_def, morale, 5, 0, 100, "", "beyond that, once, if a friend is hit"),
    PLOY_FIELD_F32(barrage_def, muzzle, 35, 25, 200, "m/s", "speed of a shell"),
    PLOY_FIELD_DEF(barrage_def, flight, ploy_flight_fields, "the air"),
};

static ploy_fields barrage_fields(void) {
    return PLOY_FIELDS(barrage_def, barrage_items);
}

typedef struct barrage_unit {
    ploy_vec2 at;
    float value; // below 0: a friend
} barrage_unit;

typedef struct barrage_choice {
    ploy_vec2 at;
    double score, sum; // of this round, and of all
    int64_t evaluations;
} barrage_choice;

typedef struct barrage_lab {
    barrage_def def;
    ploy_env env;
    ploy_rng_key key;
    int64_t round, age;
    barrage_unit units[BARRAGE_ENEMIES + BARRAGE_FRIENDS];
    barrage_choice choices[BARRAGE_METHODS];
    double best, best_sum;          // over a grid of 0.25 m
    ploy_vec2 trail[BARRAGE_TRAIL]; // points that the climbs from 36 places tried
    int32_t trail_count;
    // Aiming at the point of the climbs from 36 places.
    double angles[2];                // elevation and bearing that were climbed to, rad
    double formula_miss, climb_miss; // m, in this round
    double formula_sum, climb_sum;   // over all
    int64_t aimed, climb_evaluations;
} barrage_lab;

static ploy_vec2 barrage_gun(void) {
    return ploy_vec2_make(-12.0f, 0.5f * BARRAGE_HEIGHT);
}

// ---- the field

static ploy_vec2 barrage_within(float x, float y) {
    return ploy_vec2_make(ploy_clampf(x, 0.0f, BARRAGE_WIDTH),
                          ploy_clampf(y, 0.0f, BARRAGE_HEIGHT));
}

// Enemies in three groups; every second friend is close to one of them.
static void barrage_place(barrage_lab *lab) {
    ploy_rng rng = ploy_rng_from_key(lab->key, (uint64_t)lab->round);
    ploy_vec2 groups[BARRAGE_GROUPS];
    for (int32_t i = 0; i < BARRAGE_GROUPS; i++) {
        float x = ploy_rng_range(&rng, 3.0f, BARRAGE_WIDTH - 3.0f);
        groups[i] = ploy_vec2_make(x, ploy_rng_range(&rng, 3.0f, BARRAGE_HEIGHT - 3.0f));
    }
    for (int32_t i = 0; i < BARRAGE_ENEMIES + BARRAGE_FRIENDS; i++) {
        bool friend = i >= BARRAGE_ENEMIES, near = friend ? i % 2 == 0 : i < BARRAGE_ENEMIES - 2;
        ploy_vec2 middle = groups[i % BARRAGE_GROUPS];
        float x = near ? middle.x + 2.5f * ploy_rng_normal(&rng)
                       : ploy_rng_range(&rng, 0.0f, BARRAGE_WIDTH);
        float y = near ? middle.y + 2.5f * ploy_rng_normal(&rng)
                       : ploy_rng_range(&rng, 0.0f, BARRAGE_HEIGHT);
        float value = (float)ploy_rng_int(&rng, 1, 5);
        lab->units[i].at = barrage_within(x, y);
        lab->units[i].value = friend ? -1.0f : value;
    }
}

// Worth of the enemies in the blast, less the friends in it.
static double barrage_score(const barrage_lab *lab, ploy_vec2 at) {
    double score = 0.0;
    bool hurt = false;
    for (int32_t i = 0; i < BARRAGE_ENEMIES + BARRAGE_FRIENDS; i++) {
        const barrage_unit *unit = &lab->units[i];
        float away = ploy_vec2_distance_sq(unit->at, at);
        if (away > lab->def.radius * lab->def.radius) continue;
        score += unit->value > 0.0f ? (double)unit->value : -(double)lab->def.penalty;
        hurt = hurt || unit->value < 0.0f;
    }
    return hurt ? score - (double)lab->def.morale : score;
}

static double barrage_evaluate(void *user, const double *point, int32_t parameters) {
    (void)parameters;
    return barrage_score(user, ploy_vec2_make((float)point[0], (float)point[1]));
}

static double barrage_evaluate_and_mark(void *user, const double *point, int32_t parameters) {
    barrage_lab *lab = user;
    if (lab->trail_count < BARRAGE_TRAIL) {
        lab->trail[lab->trail_count++] = ploy_vec2_make((float)point[0], (float)point[1]);
    }
    return barrage_evaluate(user, point, parameters);
}

// ---- choosing a point

static void barrage_choose_by_rule(barrage_lab *lab, barrage_choice *choice) {
    for (int32_t i = 0; i < BARRAGE_ENEMIES; i++) {
        double score = barrage_score(lab, lab->units[i].at);
        if (i > 0 && score <= choice->score) continue;
        choice->score = score;
        choice->at = lab->units[i].at;
    }
    choice->evaluations += BARRAGE_ENEMIES;
}

static ploy_result barrage_choose(barrage_lab *lab, barrage_method method, barrage_choice *choice) {
    ploy_tune_def def = ploy_tune_def_default();
    def.max_evaluations = lab->def.evaluations;
    def.seed = ploy_rng_u64_at(lab->key, (uint32_t)method, (uint64_t)lab->round, 0);
    double step = 0.5 * (double)lab->def.radius; // shorter ones stay where all scores are equal
    if (method == BARRAGE_STARTS) {
        def.starts = 36;
        def.spread = PLOY_TUNE_HALTON;
    } else if (method == BARRAGE_ANNEALING) {
        def.method = PLOY_TUNE_BOLTZMANN;
        def.random_order = true;
        def.starts = 9;
        def.spread = PLOY_TUNE_HALTON;
        def.temperature = 2.0;
        def.min_temperature = 0.1;
        def.cooling = 0.9;
    }
    const ploy_tune_range ranges[2] = {
        {0.0, (double)BARRAGE_WIDTH, step, 0.5 * (double)BARRAGE_WIDTH},
        {0.0, (double)BARRAGE_HEIGHT, step, 0.5 * (double)BARRAGE_HEIGHT}};
    ploy_tune *tune = NULL;
    ploy_result result = ploy_tune_create(&def, ranges, 2, &lab->env, &tune);
    if (result != PLOY_OK) return result;
    bool marks = method == BARRAGE_STARTS;
    result = ploy_tune_step(tune, marks ? barrage_evaluate_and_mark : barrage_evaluate, lab, NULL);
    const double *best = ploy_tune_best(tune);
    choice->at = ploy_vec2_make((float)best[0], (float)best[1]);
    choice->score = barrage_score(lab, choice->at);
    choice->evaluations += ploy_tune_outcome_of(tune).evaluations;
    ploy_tune_destroy(tune);
    return result;
}

// The best possible score, for comparison.
static double barrage_best(const barrage_lab *lab) {
    double best = 0.0;
    for (int32_t y = 0; y <= (int32_t)(BARRAGE_HEIGHT * 4.0f); y++) {
        for (int32_t x = 0; x <= (int32_t)(BARRAGE_WIDTH * 4.0f); x++) {
            ploy_vec2 at = ploy_vec2_make((float)x * 0.25f, (float)y * 0.25f);
            double score = barrage_score(lab, at);
            if (score > best) best = score;
        }
    }
    return best;
}

// ---- aiming

typedef struct barrage_aim {
    ploy_flight flight;
    float speed;
    ploy_vec2 target;
} barrage_aim;

static ploy_flyer barrage_shell(const barrage_aim *aim, ploy_vec3 direction) {
    ploy_vec2 gun = barrage_gun();
    ploy_flyer shell = {ploy_vec3_make(gun.x, gun.y, 0.0f), ploy_vec3_scale(direction, aim->speed),
                        0.0f};
    return shell;
}

// Distance between target and impact, m.
static double barrage_miss(const barrage_aim *aim, ploy_vec3 direction) {
    ploy_landing landing;
    ploy_flyer shell = barrage_shell(aim, direction);
    if (!ploy_flight_landing(&aim->flight, shell, 0.0f, 60.0f, &landing)) return 1000.0;
    return (double)ploy_vec2_distance(ploy_vec2_make(landing.point.x, landing.point.y),
                                      aim->target);
}

static ploy_vec3 barrage_direction(const double *angles) {
    float up = ploy_sinf((float)angles[0]), flat = ploy_cosf((float)angles[0]);
    ploy_vec2 heading = ploy_angle_heading((float)angles[1]);
    return ploy_vec3_make(flat * heading.x, flat * heading.y, up);
}

static double barrage_evaluate_angles(void *user, const double *point, int32_t parameters) {
    (void)parameters;
    return barrage_miss(user, barrage_direction(point));
}

static ploy_result barrage_aim_at(barrage_lab *lab, ploy_vec2 target) {
    barrage_aim aim = {ploy_flight_make(&lab->def.flight), lab->def.muzzle, target};
    ploy_vec2 gun = barrage_gun();
    ploy_shot shots[2];
    int32_t found = ploy_firing_find(ploy_vec3_make(gun.x, gun.y, 0.0f),
                                     ploy_vec3_make(target.x, target.y, 0.0f), lab->def.muzzle,
                                     lab->def.flight.gravity, shots);
    if (found == 0) return PLOY_OK; // out of range
    lab->formula_miss = barrage_miss(&aim, shots[PLOY_ARC_LOW].direction);
    ploy_tune_def def = ploy_tune_def_default();
    def.minimise = true;
    def.adaptive = true;
    def.min_step = 1e-4;
    def.max_evaluations = lab->def.evaluations;
    def.has_target = true;
    def.target = 0.05;
    double bearing = (double)ploy_angle_of(ploy_vec2_sub(target, gun));
    const ploy_tune_range ranges[2] = {{0.0, 0.9, 0.1, 0.3},
                                       {bearing - 1.0, bearing + 1.0, 0.05, bearing}};
    ploy_tune *tune = NULL;
    ploy_result result = ploy_tune_create(&def, ranges, 2, &lab->env, &tune);
    if (result != PLOY_OK) return result;
    result = ploy_tune_step(tune, barrage_evaluate_angles, &aim, NULL);
    memcpy(lab->angles, ploy_tune_best(tune), sizeof lab->angles);
    lab->climb_miss = ploy_tune_outcome_of(tune).best;
    lab->climb_evaluations += ploy_tune_outcome_of(tune).evaluations;
    lab->formula_sum += lab->formula_miss;
    lab->climb_sum += lab->climb_miss;
    lab->aimed++;
    ploy_tune_destroy(tune);
    return result;
}

// ---- rounds

static ploy_agent_id barrage_id(void) {
    return ploy_agent_id_make(1, 1);
}

// The gun fires where the climbs from 36 places end; the others are for comparison.
static void barrage_explain(const barrage_lab *lab, ploy_trace *trace) {
    static const char *const reasons[BARRAGE_METHODS] = {
        "for comparison only: the enemy whose surroundings are worth most",
        "for comparison only: where a climb from the middle ends",
        "the gun fires at the best end of 36 climbs",
        "for comparison only: the best point while it cooled"};
    if (trace == NULL) return;
    ploy_trace_begin(trace, barrage_id(), "where to fire", "parameter search");
    for (int32_t i = 0; i < BARRAGE_METHODS; i++) {
        ploy_trace_option(trace, barrage_names[i],
                          i == BARRAGE_STARTS ? PLOY_OUTCOME_WON : PLOY_OUTCOME_LOST,
                          lab->choices[i].score, reasons[i]);
    }
    ploy_trace_f32(trace, "best score there is", (float)lab->best);
    ploy_trace_end(trace);
}

static ploy_result barrage_play(barrage_lab *lab) {
    barrage_place(lab);
    lab->trail_count = 0;
    lab->best = barrage_best(lab);
    lab->best_sum += lab->best;
    barrage_choose_by_rule(lab, &lab->choices[BARRAGE_RULE]);
    ploy_result result = PLOY_OK;
    for (int32_t i = BARRAGE_CLIMB; i < BARRAGE_METHODS && result == PLOY_OK; i++) {
        result = barrage_choose(lab, (barrage_method)i, &lab->choices[i]);
    }
    // Nothing is fired at a point that would do more harm than good.
    for (int32_t i = 0; i < BARRAGE_METHODS; i++) {
        barrage_choice *choice = &lab->choices[i];
        choice->sum += choice->score > 0.0 ? choice->score : 0.0;
    }
    if (result == PLOY_OK) result = barrage_aim_at(lab, lab->choices[BARRAGE_STARTS].at);
    lab->round++;
    lab->age = 0;
    return result;
}

static ploy_result barrage_begin(barrage_lab *lab) {
    lab->round = 0;
    memset(lab->choices, 0, sizeof lab->choices);
    lab->best_sum = lab->formula_sum = lab->climb_sum = 0.0;
    lab->aimed = lab->climb_evaluations = 0;
    return barrage_play(lab);
}

static ploy_result barrage_create(const void *params, ploy_rng_key key, const ploy_env *env,
                                  void **out) {
    barrage_lab *lab = ploy_env_alloc_zero(env, sizeof *lab);
    if (lab == NULL) return PLOY_ERR_MEMORY; // the region goes, and all that is in it
    memcpy(&lab->def, params, sizeof lab->def);
    lab->env = *env;
    lab->key = key;
    ploy_result result = barrage_begin(lab);
    if (result == PLOY_OK) *out = lab;
    return result;
}

static ploy_result barrage_step(void *state, const ploy_sim_context *context) {
    barrage_lab *lab = state;
    memcpy(&lab->def, context->params, sizeof lab->def);
    if (lab_input_count(context, "again") > 0) return barrage_begin(lab);
    lab->age++;
    if (lab->age < lab->def.pause) return PLOY_OK;
    ploy_result result = barrage_play(lab);
    if (result == PLOY_OK) barrage_explain(lab, context->trace);
    return result;
}

// ---- sight

// Share of the best possible scores so far.
static double barrage_share(const barrage_lab *lab, int32_t method) {
    return lab->best_sum > 0.0 ? lab->choices[method].sum / lab->best_sum : 1.0;
}

static void barrage_draw_table(const barrage_lab *lab, ploy_draw *out) {
    char text[400];
    int used =
        snprintf(text, sizeof text, "lrrr\nsearch\tthis round\tshare of the best\tpoints tried");
    for (int32_t i = 0; i < BARRAGE_METHODS && used < (int)sizeof text - 64; i++) {
        const barrage_choice *choice = &lab->choices[i];
        used +=
            snprintf(text + used, sizeof text - (size_t)used, "\n%s\t%.0f of %.0f\t%.0f %%\t%.0f",
                     barrage_names[i], choice->score, lab->best, 100.0 * barrage_share(lab, i),
                     (double)choice->evaluations / (double)lab->round);
    }
    ploy_draw_table(out, ploy_agent_id_none(), ploy_vec2_make(0.0f, 34.0f), text);
    snprintf(text, sizeof text,
             "round %lld; the shell lands %.2f m off by the formula, %.2f m off by climbing",
             (long long)lab->round, lab->formula_miss, lab->climb_miss);
    ploy_draw_text(out, ploy_agent_id_none(), ploy_vec2_make(-12.0f, BARRAGE_HEIGHT + 1.0f), text);
}

static void barrage_draw(const void *state, ploy_draw *out) {
    static const char *const keys[BARRAGE_METHODS] = {"rule: at the best enemy", "one climb",
                                                      "climbs from 36 places", "annealing"};
    const barrage_lab *lab = state;
    ploy_agent_id none = ploy_agent_id_none();
    ploy_draw_key(out, PLOY_STYLE_BAD, "enemy, larger if worth more");
    ploy_draw_key(out, PLOY_STYLE_AGENT_B, "friend");
    const ploy_vec2 field[4] = {{0.0f, 0.0f},
                                {BARRAGE_WIDTH, 0.0f},
                                {BARRAGE_WIDTH, BARRAGE_HEIGHT},
                                {0.0f, BARRAGE_HEIGHT}};
    for (int32_t i = 0; i < 4; i++) {
        ploy_draw_line(out, PLOY_LAYER_WORLD, PLOY_STYLE_WALL, none, field[i], field[(i + 1) % 4]);
    }
    for (int32_t i = 0; i < lab->trail_count; i++) {
        ploy_draw_disc(out, PLOY_LAYER_WORLD, PLOY_STYLE_GOOD, none, lab->trail[i], 0.12f, 0.4f);
    }
    for (int32_t i = 0; i < BARRAGE_ENEMIES + BARRAGE_FRIENDS; i++) {
        const barrage_unit *unit = &lab->units[i];
        bool friend = unit->value < 0.0f;
        ploy_draw_disc(out, PLOY_LAYER_AGENTS, friend ? PLOY_STYLE_AGENT_B : PLOY_STYLE_BAD, none,
                       unit->at, friend ? 0.4f : 0.2f + 0.1f * unit->value, 1.0f);
    }
    for (int32_t i = 0; i < BARRAGE_METHODS; i++) {
        ploy_draw_key(out, barrage_styles[i], keys[i]);
        ploy_draw_circle(out, PLOY_LAYER_PATHS, barrage_styles[i], none, lab->choices[i].at,
                         lab->def.radius);
    }
    barrage_aim aim = {ploy_flight_make(&lab->def.flight), lab->def.muzzle, {0.0f, 0.0f}};
    ploy_landing landing;
    ploy_flyer shell = barrage_shell(&aim, barrage_direction(lab->angles));
    if (ploy_flight_landing(&aim.flight, shell, 0.0f, 60.0f, &landing)) {
        ploy_draw_line(out, PLOY_LAYER_PATHS, PLOY_STYLE_GOOD, none, barrage_gun(),
                       ploy_vec2_make(landing.point.x, landing.point.y));
    }
    ploy_draw_agent(out, PLOY_STYLE_AGENT_A, barrage_id(), barrage_gun(), (float)lab->angles[1],
                    0.8f);
    barrage_draw_table(lab, out);
}

static void barrage_describe(const void *state, ploy_describe *out) {
    const barrage_lab *lab = state;
    ploy_describe_u64(out, "key", PLOY_STATE, lab->key.bits);
    ploy_describe_i64(out, "round", PLOY_STATE, lab->round);
    ploy_describe_i64(out, "age", PLOY_STATE, lab->age);
    ploy_describe_f64(out, "best", PLOY_STATE, lab->best);
    ploy_describe_f64(out, "best sum", PLOY_STATE, lab->best_sum);
    for (int32_t i = 0; i < BARRAGE_METHODS; i++) {
        const barrage_choice *choice = &lab->choices[i];
        ploy_describe_begin(out, barrage_names[i]);
        ploy_describe_f64(out, "share", PLOY_DERIVED, barrage_share(lab, i));
        ploy_describe_vec2(out, "at", PLOY_STATE, choice->at.x, choice->at.y);
        ploy_describe_f64(out, "score", PLOY_STATE, choice->score);
        ploy_describe_f64(out, "sum", PLOY_STATE, choice->sum);
        ploy_describe_i64(out, "evaluations", PLOY_STATE, choice->evaluations);
        ploy_describe_end(out);
    }
    double aimed = lab->aimed > 0 ? (double)lab->aimed : 1.0;
    ploy_describe_begin_agent(out, "aiming", barrage_id());
    ploy_describe_i64(out, "aimed", PLOY_STATE, lab->aimed);
    ploy_describe_f64(out, "elevation", PLOY_STATE, lab->angles[0]);
    ploy_describe_f64(out, "bearing", PLOY_STATE, lab->angles[1]);
    ploy_describe_f64(out, "formula miss", PLOY_STATE, lab->formula_miss);
    ploy_describe_f64(out, "climb miss", PLOY_STATE, lab->climb_miss);
    ploy_describe_f64(out, "formula sum", PLOY_STATE, lab->formula_sum);
    ploy_describe_f64(out, "climb sum", PLOY_STATE, lab->climb_sum);
    ploy_describe_f64(out, "mean formula miss", PLOY_DERIVED, lab->formula_sum / aimed);
    ploy_describe_f64(out, "mean climb miss", PLOY_DERIVED, lab->climb_sum / aimed);
    ploy_describe_f64(out, "mean trials", PLOY_DERIVED, (double)lab->climb_evaluations / aimed);
    ploy_describe_i64(out, "trials", PLOY_STATE, lab->climb_evaluations);
    ploy_describe_end(out);
}

static const ploy_command barrage_commands[] = {
    {"again", "count again from the first round", PLOY_VALUE_NONE, false, "r"},
};

extern const ploy_sim_type ploy_lab_barrage; // in labs.c
const ploy_sim_type ploy_lab_barrage = {
    .name = "barrage",
    .title = "Where artillery should fire",
    .help = "In every round a gun looks for the point where a shell hits the most valuable enemies "
            "and no friends: by a rule, by one climb, by climbs from 36 places and by annealing. "
            "The table compares them with the best point there is. The gun's angles are climbed "
            "to as well; with drag or wind, the formula for a vacuum misses.",
    .version = 1,
    .capabilities = PLOY_SIM_INTERACTIVE,
    .dt = 1.0f / 10.0f,
    .view = {-13.0f, -1.0f, 41.0f, 35.0f},
    .fields = barrage_fields,
    .commands = barrage_commands,
    .command_count = sizeof barrage_commands / sizeof barrage_commands[0],
    .create = barrage_create,
    .destroy = NULL, // the region goes with the simulation
    .step = barrage_step,
    .draw = barrage_draw,
    .describe = barrage_describe,
};
