// Driving through traffic; see the header.
//
// Invariants while a search is under way:
//   (1) a state's bytes are a lanes_key; equal ones are equal to the last bit;
//   (2) an edge's label is the index of its piece in `pieces`;
//   (3) no piece comes closer to another car than car_length, at any time.
#include "ploy/path/lanes.h"

#include "path/path_internal.h"

#include <math.h>
#include <string.h>

#include "ploy/base/array.h"
#include "ploy/base/math.h"
#include "ploy/search/states.h"

static const ploy_field lanes_fields[] = {
    PLOY_FIELD_I32(ploy_lanes_def, lanes, 3, 1, 64, "", "beside each other"),
    PLOY_FIELD_F64(ploy_lanes_def, max_speed, 30, 1e-3, 1e3, "m/s", "one's own"),
    PLOY_FIELD_F64(ploy_lanes_def, accel, 3, 1e-3, 1e3, "m/s^2", "speeding up"),
    PLOY_FIELD_F64(ploy_lanes_def, brake, 6, 1e-3, 1e3, "m/s^2", "slowing down"),
    PLOY_FIELD_F64(ploy_lanes_def, car_length, 6, 1e-3, 1e3, "m", "between two middles"),
    PLOY_FIELD_F64(ploy_lanes_def, change_seconds, 1, 1e-3, 1e3, "s", "of a change of lanes"),
    PLOY_FIELD_F64(ploy_lanes_def, horizon, 60, 0, 1e5, "s", "nothing is planned beyond"),
    PLOY_FIELD_BOOL(ploy_lanes_def, unsafe, false, "also drive on without room to brake"),
    PLOY_FIELD_F64(ploy_lanes_def, miss_distance, 5, 1e-3, 1e3, "m", "nearer is a near miss"),
    PLOY_FIELD_F64(ploy_lanes_def, miss_cost, 0, 0, 1e3, "s", "of a miss without any room"),
    PLOY_FIELD_I32_FIXED(ploy_lanes_def, max_states, 1 << 16, 1, 1 << 26, "", "of the search"),
};

typedef struct lanes_key {
    double position, time, speed;
    int32_t lane, reserved;
} lanes_key;

struct ploy_lanes {
    ploy_env env;
    ploy_lanes_def def;
    ploy_states *states;
    ploy_search *search;
    ploy_space space;
    ploy_array cars;   // ploy_lane_car
    ploy_array pieces; // ploy_lane_piece
    double goal;
};

ploy_fields ploy_lanes_fields(void) {
    return PLOY_FIELDS(ploy_lanes_def, lanes_fields);
}

ploy_lanes_def ploy_lanes_def_default(void) {
    ploy_lanes_def def;
    ploy_fields_default(ploy_lanes_fields(), &def);
    return def;
}

// ---- profiles ----

// The free road: up to full speed, and on.
static ploy_lane_profile lanes_free(double speed, double max_speed, double accel) {
    ploy_lane_profile profile = {
        speed,    (max_speed - speed) / accel, (double)INFINITY, 0.0, accel, 0.0, max_speed,
        max_speed};
    if (profile.rise < 0.0) profile.rise = 0.0;
    if (speed > max_speed) profile.peak = profile.after = speed;
    return profile;
}

bool ployi_lane_follow(double gap, double speed, double lead, double max_speed, double accel,
                       double brake, ploy_lane_profile *out) {
    double faster = speed - lead;
    if (!(gap >= 0.0) || (faster > 0.0 && faster * faster / (2.0 * brake) > gap + 1e-9)) {
        return false;
    }
    if (max_speed <= lead) { // it is never caught up with
        *out = lanes_free(speed, max_speed, accel);
        return true;
    }
    double u = sqrt((2.0 * accel * brake * gap + brake * faster * faster) / (accel + brake));
    double hold = 0.0;
    if (u < faster) u = faster; // by rounding
    if (lead + u > max_speed) {
        u = max_speed - lead;
        double left = gap - (u * u - faster * faster) / (2.0 * accel) - u * u / (2.0 * brake);
        hold = left > 0.0 ? left / u : 0.0;
    }
    ploy_lane_profile profile = {
        speed, (u - faster) / accel, hold, u / brake, accel, brake, lead + u, lead};
    *out = profile;
    return true;
}

double ploy_lane_profile_at(const ploy_lane_profile *profile, double seconds, double *speed) {
    double t = seconds < profile->rise ? seconds : profile->rise;
    double at = profile->speed * t + 0.5 * profile->accel * t * t, left = seconds - t;
    double v = seconds < profile->rise ? profile->speed + profile->accel * t : profile->peak;
    if (left > 0.0) {
        t = left < profile->hold ? left : profile->hold;
        at += profile->peak * t;
        left -= t;
    }
    if (left > 0.0) {
        t = left < profile->fall ? left : profile->fall;
        at += profile->peak * t - 0.5 * profile->brake * t * t;
        v = left < profile->fall ? profile->peak - profile->brake * t : profile->after;
        left -= t;
    }
    if (left > 0.0) at += profile->after * left;
    if (speed != NULL) *speed = v;
    return at;
}

// The first time in (0, until] when it is `ahead` metres from where a car with this speed is now,
// coming from either side; INFINITY: never. Between the changes of the profile it is a parabola.
static double lanes_meet(const ploy_lane_profile *profile, double ahead, double car_speed,
                         double until) {
    double marks[5] = {0.0, profile->rise, profile->rise + profile->hold,
                       profile->rise + profile->hold + profile->fall, until};
    double accels[4] = {profile->accel, 0.0, -profile->brake, 0.0};
    for (int32_t i = 0; i < 4; i++) {
        double begin = marks[i], end = marks[i + 1] < until && i < 3 ? marks[i + 1] : until;
        if (!(begin < end)) continue;
        double v = 0.0, x = ploy_lane_profile_at(profile, begin, &v);
        double c = x - car_speed * begin - ahead, b = v - car_speed, a = 0.5 * accels[i];
        double roots[2] = {(double)INFINITY, (double)INFINITY};
        if (fabs(a) < 1e-12) {
            if (fabs(b) > 1e-12) roots[0] = -c / b;
        } else {
            double under = b * b - 4.0 * a * c;
            if (under >= 0.0) {
                roots[0] = (-b - sqrt(under)) / (2.0 * a);
                roots[1] = (-b + sqrt(under)) / (2.0 * a);
            }
        }
        if (roots[1] < roots[0]) {
            double other = roots[0];
            roots[0] = roots[1];
            roots[1] = other;
        }
        for (int32_t k = 0; k < 2; k++) {
            if (begin + roots[k] > 1e-6 && roots[k] >= 0.0 && begin + roots[k] <= end) {
                return begin + roots[k];
            }
        }
    }
    return (double)INFINITY;
}

// ---- create ----

ploy_result ploy_lanes_create(const ploy_lanes_def *def, const ploy_env *env, ploy_lanes **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_lanes_fields(), def, env);
    if (result != PLOY_OK) return result;
    ploy_lanes *lanes = ploy_env_alloc_zero(env, sizeof *lanes);
    if (lanes == NULL) return PLOY_ERR_MEMORY;
    lanes->env = *env;
    lanes->def = *def;
    ploy_array_init(&lanes->cars, sizeof(ploy_lane_car), env);
    ploy_array_init(&lanes->pieces, sizeof(ploy_lane_piece), env);
    ploy_states_def states = ploy_states_def_default();
    states.size = (int32_t)sizeof(lanes_key);
    states.capacity = def->max_states;
    states.merge = true;
    ploy_search_def search = ploy_search_def_default();
    search.storage = PLOY_SEARCH_PAGES;
    result = ploy_states_create(&states, env, &lanes->states);
    if (result == PLOY_OK) result = ploy_search_create(&search, env, &lanes->search);
    if (result != PLOY_OK) {
        ploy_lanes_destroy(lanes);
        return result;
    }
    *out = lanes;
    return PLOY_OK;
}

void ploy_lanes_destroy(ploy_lanes *lanes) {
    if (lanes == NULL) return;
    ploy_env env = lanes->env;
    ploy_search_destroy(lanes->search);
    ploy_states_destroy(lanes->states);
    ploy_array_fini(&lanes->cars);
    ploy_array_fini(&lanes->pieces);
    ploy_env_free(&env, lanes, sizeof *lanes);
}

// ---- the space ----

static lanes_key lanes_get(const ploy_lanes *lanes, int32_t state) {
    lanes_key key;
    memcpy(&key, ploy_states_get(lanes->states, state), sizeof key);
    return key;
}

// How far another car is ahead at a time, and the nearest one ahead in a lane; NULL: none.
static double lanes_ahead(const ploy_lane_car *car, const lanes_key *from) {
    return car->position + car->speed * from->time - from->position;
}

static const ploy_lane_car *lanes_lead(const ploy_lanes *lanes, const lanes_key *from,
                                       int32_t lane) {
    const ploy_lane_car *cars = PLOY_ARRAY_ITEMS(&lanes->cars, ploy_lane_car), *lead = NULL;
    for (int32_t i = 0; i < lanes->cars.count; i++) {
        double ahead = lanes_ahead(&cars[i], from);
        if (cars[i].lane != lane || ahead < 0.0) continue;
        if (lead == NULL || ahead < lanes_ahead(lead, from)) lead = &cars[i];
    }
    return lead;
}

// The least distance to another car in the lanes of a piece, less car_length. Cars never pass
// through each other, so it is least at an end, where the acceleration changes, or where both are
// equally fast.
static double lanes_gap(const ploy_lanes *lanes, const ploy_lane_piece *piece) {
    const ploy_lane_car *cars = PLOY_ARRAY_ITEMS(&lanes->cars, ploy_lane_car);
    const ploy_lane_profile *profile = &piece->profile;
    double least = (double)INFINITY, seconds = piece->end - piece->begin;
    double top = profile->rise + profile->hold;
    for (int32_t i = 0; i < lanes->cars.count; i++) {
        const ploy_lane_car *car = &cars[i];
        if (car->lane != piece->from_lane && car->lane != piece->to_lane) continue;
        double times[6] = {0.0, seconds, profile->rise, top, 0.0, 0.0};
        if (profile->accel > 0.0) times[4] = (car->speed - profile->speed) / profile->accel;
        if (profile->brake > 0.0) times[5] = top + (profile->peak - car->speed) / profile->brake;
        for (int32_t k = 0; k < 6; k++) {
            if (!(times[k] >= 0.0 && times[k] <= seconds)) continue;
            double me = piece->position + ploy_lane_profile_at(profile, times[k], NULL);
            double other = car->position + car->speed * (piece->begin + times[k]);
            double room = fabs(other - me) - lanes->def.car_length;
            if (room < least) least = room;
        }
    }
    return least > 0.0 ? least : 0.0;
}

static ploy_result lanes_add(ploy_lanes *lanes, const lanes_key *to, ploy_lane_piece *piece,
                             ploy_edges *out) {
    int32_t next = 0, label = lanes->pieces.count;
    if (to->time > lanes->def.horizon) return PLOY_OK;
    piece->gap = lanes_gap(lanes, piece);
    piece->cost = piece->end - piece->begin;
    if (piece->gap < lanes->def.miss_distance) {
        piece->cost += lanes->def.miss_cost * (1.0 - piece->gap / lanes->def.miss_distance);
    }
    ploy_result result = ploy_states_find(lanes->states, to, &next);
    if (result == PLOY_ERR_LIMIT) return PLOY_OK; // the outcome is pruned then
    if (result == PLOY_OK) result = ploy_array_push(&lanes->pieces, piece);
    if (result != PLOY_OK) return result;
    return ploy_edges_add(out, next, piece->cost, label);
}

// A change of lanes: both lanes are free beside it all the while. Speeds stay, so the distance to
// another is linear in time and looking at both ends is enough.
static ploy_result lanes_change(ploy_lanes *lanes, const lanes_key *from, int32_t lane,
                                ploy_edges *out) {
    if (lane < 0 || lane >= lanes->def.lanes) return PLOY_OK;
    const ploy_lane_car *cars = PLOY_ARRAY_ITEMS(&lanes->cars, ploy_lane_car);
    double seconds = lanes->def.change_seconds, room = lanes->def.car_length - 1e-6;
    for (int32_t i = 0; i < lanes->cars.count; i++) {
        if (cars[i].lane != lane && cars[i].lane != from->lane) continue;
        double now = lanes_ahead(&cars[i], from),
               then = now + (cars[i].speed - from->speed) * seconds;
        if (!(now >= room && then >= room) && !(now <= -room && then <= -room)) return PLOY_OK;
    }
    lanes_key to = {from->position + from->speed * seconds, from->time + seconds, from->speed, lane,
                    0};
    ploy_lane_piece piece;
    memset(&piece, 0, sizeof piece);
    piece.action = PLOY_LANE_CHANGE;
    piece.from_lane = from->lane;
    piece.to_lane = lane;
    piece.begin = from->time;
    piece.end = to.time;
    piece.position = from->position;
    piece.profile = lanes_free(from->speed, from->speed, 1.0);
    return lanes_add(lanes, &to, &piece, out);
}

// Does it touch another car of its lane before the time?
static bool lanes_is_hit(const ploy_lanes *lanes, const lanes_key *from,
                         const ploy_lane_profile *profile, double seconds) {
    const ploy_lane_car *cars = PLOY_ARRAY_ITEMS(&lanes->cars, ploy_lane_car);
    double room = lanes->def.car_length - 1e-6;
    for (int32_t i = 0; i < lanes->cars.count; i++) {
        if (cars[i].lane != from->lane) continue;
        double ahead = lanes_ahead(&cars[i], from);
        if (fabs(ahead) < room) return true;
        double touch = ahead >= 0.0 ? ahead - room : ahead + room; // m driven when they touch
        if (lanes_meet(profile, touch, cars[i].speed, seconds) < seconds) return true;
    }
    return false;
}

static ploy_result lanes_drive(ploy_lanes *lanes, const lanes_key *from,
                               const ploy_lane_profile *profile, double seconds,
                               ploy_lane_action action, ploy_edges *out) {
    if (!(seconds > 1e-6) || !(seconds < (double)INFINITY)) return PLOY_OK;
    if (lanes_is_hit(lanes, from, profile, seconds)) return PLOY_OK;
    lanes_key to = *from;
    to.position += ploy_lane_profile_at(profile, seconds, &to.speed);
    to.time += seconds;
    ploy_lane_piece piece;
    memset(&piece, 0, sizeof piece);
    piece.action = action;
    piece.from_lane = piece.to_lane = from->lane;
    piece.begin = from->time;
    piece.end = to.time;
    piece.position = from->position;
    piece.profile = *profile;
    return lanes_add(lanes, &to, &piece, out);
}

// All that driving on in the lane offers, along one profile, until it touches a car.
static ploy_result lanes_along(ploy_lanes *lanes, const lanes_key *from,
                               const ploy_lane_profile *profile, ploy_edges *out) {
    const ploy_lane_car *cars = PLOY_ARRAY_ITEMS(&lanes->cars, ploy_lane_car);
    double until = lanes->def.horizon - from->time, length = lanes->def.car_length;
    double arrive = lanes_meet(profile, lanes->goal - from->position, 0.0, until);
    ploy_result result = lanes_drive(lanes, from, profile, arrive, PLOY_LANE_ARRIVE, out);
    if (arrive < until) until = arrive;
    double caught = profile->rise + profile->hold + profile->fall;
    if (result == PLOY_OK && caught < until) {
        result = lanes_drive(lanes, from, profile, caught, PLOY_LANE_DRIVE, out);
    }
    for (int32_t i = 0; i < 2 * lanes->cars.count && result == PLOY_OK; i++) {
        const ploy_lane_car *car = &cars[i / 2];
        int32_t beside = car->lane - from->lane;
        if (beside != 1 && beside != -1) continue;
        // Just past it, or just past by it.
        double ahead = lanes_ahead(car, from) + (i % 2 == 0 ? length : -length);
        double meet = lanes_meet(profile, ahead, car->speed, until);
        if (meet < until) {
            result = lanes_drive(lanes, from, profile, meet, PLOY_LANE_DRIVE, out);
        }
    }
    return result;
}

static ploy_result lanes_expand(void *user, int32_t state, ploy_edges *out) {
    ploy_lanes *lanes = user;
    lanes_key from = lanes_get(lanes, state);
    const ploy_lanes_def *def = &lanes->def;
    ploy_result result = lanes_change(lanes, &from, from.lane - 1, out);
    if (result == PLOY_OK) result = lanes_change(lanes, &from, from.lane + 1, out);
    const ploy_lane_car *lead = lanes_lead(lanes, &from, from.lane);
    ploy_lane_profile profile = lanes_free(from.speed, def->max_speed, def->accel);
    // No car can follow an oncoming car: drive on as long as the lane is clear, then leave it.
    bool oncoming = lead != NULL && lead->speed < 0.0;
    if (result == PLOY_OK && lead != NULL && (def->unsafe || oncoming)) {
        result = lanes_along(lanes, &from, &profile, out);
    }
    if (oncoming) return result;
    if (lead != NULL) {
        double gap = lanes_ahead(lead, &from) - def->car_length;
        if (gap < 0.0 && gap > -1e-6) gap = 0.0; // it is right behind
        if (!ployi_lane_follow(gap, from.speed, lead->speed, def->max_speed, def->accel, def->brake,
                               &profile)) {
            return result; // a collision that only a change avoids
        }
    }
    return result == PLOY_OK ? lanes_along(lanes, &from, &profile, out) : result;
}

static double lanes_estimate(void *user, int32_t state, int32_t goal) {
    const ploy_lanes *lanes = user;
    (void)goal;
    lanes_key key = lanes_get(lanes, state);
    double fastest = key.speed > lanes->def.max_speed ? key.speed : lanes->def.max_speed;
    double left = (lanes->goal - key.position) / fastest;
    return left > 0.0 ? left : 0.0;
}

static bool lanes_is_goal(void *user, int32_t state) {
    const ploy_lanes *lanes = user;
    return lanes_get(lanes, state).position >= lanes->goal - 1e-6;
}

static bool lanes_car_is(const ploy_lanes *lanes, const ploy_lane_car *car) {
    return car->lane >= 0 && car->lane < lanes->def.lanes && ploy_is_finite_d(car->position) &&
           fabs(car->position) <= 1e9 && fabs(car->speed) <= 1e3;
}

ploy_result ploy_lanes_begin(ploy_lanes *lanes, const ploy_lane_car *cars, int32_t count,
                             const ploy_lane_car *me, double goal) {
    ploy_search_cancel(lanes->search);
    if (me == NULL || count < 0 || (cars == NULL && count > 0) || !lanes_car_is(lanes, me) ||
        me->speed < 0.0 || !ploy_is_finite_d(goal)) {
        return PLOY_ERR_ARGUMENT;
    }
    for (int32_t i = 0; i < count; i++) {
        if (!lanes_car_is(lanes, &cars[i])) return PLOY_ERR_ARGUMENT;
    }
    ploy_states_clear(lanes->states);
    ploy_array_clear(&lanes->pieces);
    ploy_array_clear(&lanes->cars);
    ploy_result result = PLOY_OK;
    if (count > 0) result = ploy_array_push_many(&lanes->cars, cars, count);
    lanes->goal = goal;
    memset(&lanes->space, 0, sizeof lanes->space);
    lanes->space.expand = lanes_expand;
    lanes->space.estimate = lanes_estimate;
    lanes->space.user = lanes;
    lanes_key key = {me->position, 0.0, me->speed, me->lane, 0};
    ploy_search_start start = {0, 0.0};
    if (result == PLOY_OK) result = ploy_states_find(lanes->states, &key, &start.state);
    if (result != PLOY_OK) return result;
    ploy_search_query query = ploy_search_query_make(&lanes->space, &start, PLOY_STATE_NONE);
    query.is_goal = lanes_is_goal;
    query.user = lanes;
    return ploy_search_begin(lanes->search, &query);
}

ploy_result ploy_lanes_step(ploy_lanes *lanes, ploy_budget *budget) {
    return ploy_search_step(lanes->search, budget);
}

ploy_search_outcome ployi_lanes_outcome(const ploy_lanes *lanes) {
    ploy_search_outcome outcome = ploy_search_outcome_of(lanes->search);
    bool full = ploy_states_count(lanes->states) >= lanes->def.max_states;
    return outcome == PLOY_SEARCH_NONE && full ? PLOY_SEARCH_PRUNED : outcome;
}

int32_t ploy_lanes_plan(const ploy_lanes *lanes, ploy_lane_piece *out, int32_t capacity,
                        double *seconds) {
    int32_t at = ploy_search_goal(lanes->search);
    if (at < 0) return -1;
    int32_t count = ploy_search_path(lanes->search, at, NULL, 0, NULL);
    if (seconds != NULL) *seconds = lanes_get(lanes, at).time;
    const ploy_lane_piece *pieces = PLOY_ARRAY_ITEMS(&lanes->pieces, ploy_lane_piece);
    for (int32_t i = count - 1; i >= 0; i--) {
        ploy_search_node node;
        if (!ploy_search_get(lanes->search, at, &node)) return -1;
        if (i < capacity) out[i] = pieces[node.label];
        at = node.parent;
    }
    return count;
}

// ---- sight ----

static ploy_vec2 lanes_place(double time, double position, double lane, float width) {
    return ploy_vec2_make((float)time * width, (float)(position + 0.1 * lane));
}

void ploy_lanes_draw(const ploy_lanes *lanes, float width, ploy_draw *out) {
    const ploy_lane_car *cars = PLOY_ARRAY_ITEMS(&lanes->cars, ploy_lane_car);
    ploy_agent_id nobody = ploy_agent_id_none();
    ploy_lane_piece plan[64];
    double seconds = 0.0;
    int32_t count = ploy_lanes_plan(lanes, plan, 64, &seconds);
    if (count < 0) seconds = lanes->def.horizon;
    for (int32_t i = 0; i < lanes->cars.count; i++) {
        const ploy_lane_car *car = &cars[i];
        ploy_draw_line(
            out, PLOY_LAYER_WORLD, (ploy_style)(PLOY_STYLE_AGENT_A + car->lane % 4), nobody,
            lanes_place(0.0, car->position, car->lane, width),
            lanes_place(seconds, car->position + car->speed * seconds, car->lane, width));
    }
    for (int32_t i = 0; i < count && i < 64; i++) {
        const ploy_lane_piece *piece = &plan[i];
        ploy_vec2 before = lanes_place(piece->begin, piece->position, piece->from_lane, width);
        for (int32_t k = 1; k <= 16; k++) {
            double t = (piece->end - piece->begin) * k / 16.0;
            double at = piece->position + ploy_lane_profile_at(&piece->profile, t, NULL);
            ploy_vec2 after = lanes_place(piece->begin + t, at, piece->to_lane, width);
            ploy_draw_line(out, PLOY_LAYER_PATHS,
                           piece->action == PLOY_LANE_CHANGE ? PLOY_STYLE_WARNING : PLOY_STYLE_PATH,
                           nobody, before, after);
            before = after;
        }
    }
}

void ploy_lanes_memory(const ploy_lanes *lanes, ploy_memory_fn fn, void *user) {
    ploy_memory_item item = {"lanes", sizeof *lanes, 1};
    fn(user, &item);
    ploy_array_memory(&lanes->cars, fn, user);
    ploy_array_memory(&lanes->pieces, fn, user);
    ploy_states_memory(lanes->states, fn, user);
    ploy_search_memory(lanes->search, fn, user);
}
