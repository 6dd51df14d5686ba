// Movement planning and footfalls; see the header.
//
// Invariants while a search is under way:
//   (1) a state's bytes are a clips_key: the snapped pose, which stands for itself;
//   (2) an edge's label is move x scales + choice of scale.
#include "ploy/path/motion_clips.h"

#include <math.h>
#include <string.h>

#include "ploy/base/math.h"
#include "ploy/geom/angle.h"
#include "ploy/search/states.h"

static const ploy_field clip_plan_fields[] = {
    PLOY_FIELD_F32(ploy_clip_planner_def, lattice, 0.05, 1e-4f, 1e3f, "m", "poses snap to it"),
    PLOY_FIELD_I32_FIXED(ploy_clip_planner_def, headings, 72, 1, 4096, "", "of a full circle"),
    PLOY_FIELD_I32_FIXED(ploy_clip_planner_def, scales, 3, 1, 64, "", "values of each scale"),
    PLOY_FIELD_I32_FIXED(ploy_clip_planner_def, max_states, 100000, 1, 1 << 26, "", "poses"),
    PLOY_FIELD_F32(ploy_clip_planner_def, goal_radius, 0.25, 0, 1e6f, "m", "near enough"),
    PLOY_FIELD_F32(ploy_clip_planner_def, goal_angle, 3.2, 0, 4, "rad", "likewise"),
    PLOY_FIELD_F32(ploy_clip_planner_def, top_speed, 0, 0, 1e6f, "m/s", "0: of the moves"),
};

typedef struct clips_key {
    int32_t x, y, heading, posture;
} clips_key;

struct ploy_clip_planner {
    ploy_env env;
    ploy_clip_planner_def def;
    ploy_clip_clear_fn clear;
    void *user;
    ploy_states *states;
    ploy_search *search;
    ploy_space space;
    ploy_clip_pose goal;
    double speed;
    int32_t posture, count;
    size_t size;
    ploy_clip moves[];
};

ploy_clip ploy_clip_make(ploy_name name, ploy_vec2 shift, float turn, float duration) {
    ploy_clip move = {name, 0, 0, shift, turn, duration, 1.0f, 1.0f, 1.0f, 1.0f, 0.0f};
    return move;
}

ploy_result ploy_clip_choices(float least, float most, int32_t count, float *out) {
    if (out == NULL || count < 1 || !(least <= most) || !ploy_is_finite(least) ||
        !ploy_is_finite(most)) {
        return PLOY_ERR_ARGUMENT;
    }
    for (int32_t i = 0; i < count; i++) {
        float share = count == 1 ? 0.5f : (float)i / (float)(count - 1);
        out[i] = least + (most - least) * share;
    }
    return PLOY_OK;
}

bool ploy_clip_fits(const ploy_clip *move, float speed, float rotation, float tolerance) {
    float shift = ploy_vec2_length(move->shift) / move->duration,
          turn = move->turn / move->duration;
    float slow = shift * move->scale_min * move->rate_min;
    float fast = shift * move->scale_max * move->rate_max;
    float a = turn * move->rate_min, b = turn * move->rate_max;
    return speed >= slow - tolerance && speed <= fast + tolerance &&
           rotation >= ploy_minf(a, b) - tolerance && rotation <= ploy_maxf(a, b) + tolerance;
}

ploy_clip_pose ploy_clip_apply(const ploy_clip *move, float scale, ploy_clip_pose pose) {
    ploy_vec2 shift = ploy_vec2_rotate_by(ploy_vec2_scale(move->shift, scale),
                                          ploy_angle_heading(pose.orientation));
    pose.position = ploy_vec2_add(pose.position, shift);
    pose.orientation = ploy_angle_wrap(pose.orientation + move->turn);
    pose.posture = move->to_posture;
    return pose;
}

ploy_fields ploy_clip_planner_fields(void) {
    return PLOY_FIELDS(ploy_clip_planner_def, clip_plan_fields);
}

ploy_clip_planner_def ploy_clip_planner_def_default(void) {
    ploy_clip_planner_def def;
    ploy_fields_default(ploy_clip_planner_fields(), &def);
    return def;
}

static bool clips_is(const ploy_clip *move) {
    return ploy_vec2_is_finite(move->shift) && ploy_is_finite(move->turn) &&
           ploy_in_range(move->duration, 1e-6f, 1e6f) &&
           ploy_in_range(move->rate_min, 1e-3f, 1e3f) &&
           ploy_in_range(move->rate_max, move->rate_min, 1e3f) &&
           ploy_in_range(move->scale_min, 0.0f, 1e3f) &&
           ploy_in_range(move->scale_max, move->scale_min, 1e3f);
}

ploy_result ploy_clip_planner_create(const ploy_clip_planner_def *def, const ploy_clip *moves,
                                     int32_t count, ploy_clip_clear_fn clear, void *user,
                                     const ploy_env *env, ploy_clip_planner **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_clip_planner_fields(), def, env);
    if (result != PLOY_OK) return result;
    size_t size = 0;
    if (moves == NULL || count < 1 || (int64_t)count * def->scales > INT32_MAX ||
        !ploy_size_add_array(sizeof(ploy_clip_planner), count, sizeof(ploy_clip), &size)) {
        return PLOY_ERR_ARGUMENT;
    }
    for (int32_t i = 0; i < count; i++) {
        if (!clips_is(&moves[i])) return PLOY_ERR_ARGUMENT;
    }
    ploy_clip_planner *planner = ploy_env_alloc_zero(env, size);
    if (planner == NULL) return PLOY_ERR_MEMORY;
    planner->env = *env;
    planner->def = *def;
    planner->clear = clear;
    planner->user = user;
    planner->size = size;
    planner->count = count;
    planner->speed = (double)def->top_speed;
    for (int32_t i = 0; i < count; i++) {
        const ploy_clip *move = &moves[i];
        planner->moves[i] = *move;
        // Snapping may add half a lattice's diagonal to what a move covers.
        double far =
            (double)(ploy_vec2_length(move->shift) * move->scale_max) + 0.71 * (double)def->lattice;
        double speed = far * (double)move->rate_max / (double)move->duration;
        if (!(def->top_speed > 0.0f) && speed > planner->speed) planner->speed = speed;
    }
    ploy_states_def states = ploy_states_def_default();
    states.size = (int32_t)sizeof(clips_key);
    states.capacity = def->max_states;
    states.merge = true;
    ploy_search_def search = ploy_search_def_default();
    search.storage = PLOY_SEARCH_PAGES;
    result = ploy_states_create(&states, env, &planner->states);
    if (result == PLOY_OK) result = ploy_search_create(&search, env, &planner->search);
    if (result != PLOY_OK) {
        ploy_clip_planner_destroy(planner);
        return result;
    }
    *out = planner;
    return PLOY_OK;
}

void ploy_clip_planner_destroy(ploy_clip_planner *planner) {
    if (planner == NULL) return;
    ploy_env env = planner->env;
    ploy_search_destroy(planner->search);
    ploy_states_destroy(planner->states);
    ploy_env_free(&env, planner, planner->size);
}

static clips_key clips_snap(const ploy_clip_planner *planner, ploy_clip_pose pose) {
    double lattice = (double)planner->def.lattice, circle = planner->def.headings;
    double turns = (double)pose.orientation / (double)PLOY_TWO_PI_F;
    clips_key key;
    key.x = (int32_t)floor((double)pose.position.x / lattice + 0.5);
    key.y = (int32_t)floor((double)pose.position.y / lattice + 0.5);
    key.heading = (int32_t)floor((turns - floor(turns)) * circle + 0.5) % planner->def.headings;
    key.posture = pose.posture;
    return key;
}

static ploy_clip_pose clips_pose(const ploy_clip_planner *planner, int32_t state) {
    clips_key key;
    memcpy(&key, ploy_states_get(planner->states, state), sizeof key);
    ploy_clip_pose pose;
    pose.position = ploy_vec2_make((float)((double)key.x * (double)planner->def.lattice),
                                   (float)((double)key.y * (double)planner->def.lattice));
    pose.orientation =
        ploy_angle_wrap((float)((double)PLOY_TWO_PI_F * key.heading / planner->def.headings));
    pose.posture = key.posture;
    return pose;
}

static float clips_scale(const ploy_clip_planner *planner, const ploy_clip *move, int32_t choice) {
    float scales[64];
    (void)ploy_clip_choices(move->scale_min, move->scale_max, planner->def.scales, scales);
    return scales[choice];
}

static ploy_result clips_expand(void *user, int32_t state, ploy_edges *out) {
    ploy_clip_planner *planner = user;
    ploy_clip_pose from = clips_pose(planner, state);
    for (int32_t i = 0; i < planner->count; i++) {
        const ploy_clip *move = &planner->moves[i];
        if (move->from_posture != from.posture) continue;
        int32_t choices = move->scale_min == move->scale_max ? 1 : planner->def.scales;
        for (int32_t k = 0; k < choices; k++) {
            ploy_clip_pose to = ploy_clip_apply(move, clips_scale(planner, move, k), from);
            clips_key key = clips_snap(planner, to);
            int32_t next = 0;
            if (planner->clear != NULL && !planner->clear(planner->user, move, from, to)) continue;
            ploy_result result = ploy_states_find(planner->states, &key, &next);
            if (result == PLOY_ERR_LIMIT) continue; // the search ends as pruned by its own limit
            double seconds = (double)move->duration / (double)move->rate_max;
            if (result == PLOY_OK) {
                result = ploy_edges_add(out, next, seconds, i * planner->def.scales + k);
            }
            if (result != PLOY_OK) return result;
        }
    }
    return PLOY_OK;
}

static double clips_estimate(void *user, int32_t state, int32_t goal) {
    const ploy_clip_planner *planner = user;
    (void)goal;
    double away =
        (double)ploy_vec2_distance(clips_pose(planner, state).position, planner->goal.position) -
        (double)planner->def.goal_radius;
    return away > 0.0 && planner->speed > 0.0 ? away / planner->speed : 0.0;
}

static bool clips_is_goal(void *user, int32_t state) {
    const ploy_clip_planner *planner = user;
    ploy_clip_pose pose = clips_pose(planner, state);
    float turn = ploy_angle_difference(pose.orientation, planner->goal.orientation);
    return ploy_vec2_distance(pose.position, planner->goal.position) <= planner->def.goal_radius &&
           fabsf(turn) <= planner->def.goal_angle &&
           (planner->posture < 0 || planner->posture == pose.posture);
}

static bool clips_pose_is(const ploy_clip_planner *planner, ploy_clip_pose pose) {
    float most = planner->def.lattice * 1e9f;
    return ploy_in_range(pose.position.x, -most, most) &&
           ploy_in_range(pose.position.y, -most, most) && ploy_is_finite(pose.orientation);
}

ploy_result ploy_clip_planner_begin(ploy_clip_planner *planner, ploy_clip_pose from,
                                    ploy_clip_pose to, int32_t posture) {
    ploy_search_cancel(planner->search);
    if (!clips_pose_is(planner, from) || !clips_pose_is(planner, to)) return PLOY_ERR_ARGUMENT;
    ploy_states_clear(planner->states);
    planner->goal = to;
    planner->posture = posture;
    memset(&planner->space, 0, sizeof planner->space);
    planner->space.expand = clips_expand;
    planner->space.estimate = clips_estimate;
    planner->space.user = planner;
    clips_key key = clips_snap(planner, from);
    ploy_search_start start = {0, 0.0};
    ploy_result result = ploy_states_find(planner->states, &key, &start.state);
    if (result != PLOY_OK) return result;
    ploy_search_query query = ploy_search_query_make(&planner->space, &start, PLOY_STATE_NONE);
    query.is_goal = clips_is_goal;
    query.user = planner;
    return ploy_search_begin(planner->search, &query);
}

ploy_result ploy_clip_planner_step(ploy_clip_planner *planner, ploy_budget *budget) {
    return ploy_search_step(planner->search, budget);
}

ploy_search_outcome ploy_clip_planner_outcome(const ploy_clip_planner *planner) {
    ploy_search_outcome outcome = ploy_search_outcome_of(planner->search);
    bool full = ploy_states_count(planner->states) >= planner->def.max_states;
    return outcome == PLOY_SEARCH_NONE && full ? PLOY_SEARCH_PRUNED : outcome;
}

int32_t ploy_clip_planner_plan(const ploy_clip_planner *planner, ploy_clip_step *out,
                               int32_t capacity, double *seconds) {
    int32_t goal = ploy_search_goal(planner->search);
    if (goal < 0) return -1;
    int32_t count = ploy_search_path(planner->search, goal, NULL, 0, seconds);
    // Backwards along the parents: no room for all edges is needed.
    for (int32_t i = count - 1; i >= 0; i--) {
        ploy_search_node node;
        if (!ploy_search_get(planner->search, goal, &node)) return -1;
        if (i < capacity) {
            const ploy_clip *move = &planner->moves[node.label / planner->def.scales];
            out[i].move = node.label / planner->def.scales;
            out[i].scale = clips_scale(planner, move, node.label % planner->def.scales);
            if (move->scale_min == move->scale_max) out[i].scale = move->scale_min;
            out[i].seconds = move->duration / move->rate_max;
            out[i].to = clips_pose(planner, goal);
        }
        goal = node.parent;
    }
    return count;
}

void ploy_clip_planner_memory(const ploy_clip_planner *planner, ploy_memory_fn fn, void *user) {
    ploy_memory_item item = {"clip planner", planner->size, 1};
    fn(user, &item);
    ploy_states_memory(planner->states, fn, user);
    ploy_search_memory(planner->search, fn, user);
}

// ---- feet ----

ploy_footfalls ploy_footfalls_default(void) {
    ploy_footfalls feet = {0.3f, 0.2f, 0.8f, 0.5f, 0.5f, 4, 3};
    return feet;
}

int32_t ploy_footfalls_clips(const ploy_footfalls *feet, ploy_clip *out, int32_t capacity) {
    float lengths[64], turns[64];
    if (feet->steps > 64 || feet->turns > 64 ||
        ploy_clip_choices(feet->step_min, feet->step_max, feet->steps, lengths) != PLOY_OK ||
        ploy_clip_choices(-feet->turn_max, feet->turn_max, feet->turns, turns) != PLOY_OK) {
        return 0;
    }
    int32_t count = 0;
    for (int32_t foot = PLOY_FOOT_LEFT; foot <= PLOY_FOOT_RIGHT; foot++) {
        for (int32_t i = 0; i < feet->steps * feet->turns; i++, count++) {
            if (count >= capacity) continue;
            out[count] = ploy_clip_make(ploy_name_of(foot == PLOY_FOOT_LEFT ? "right" : "left"),
                                        ploy_vec2_make(lengths[i % feet->steps], 0.0f),
                                        turns[i / feet->steps], feet->seconds);
            out[count].from_posture = foot;
            out[count].to_posture = 1 - foot;
        }
    }
    return count;
}

ploy_vec2 ploy_footfalls_place(const ploy_footfalls *feet, ploy_clip_pose pose) {
    float side = pose.posture == PLOY_FOOT_LEFT ? 0.5f : -0.5f;
    ploy_vec2 left = ploy_vec2_perp(ploy_angle_heading(pose.orientation));
    return ploy_vec2_add_scaled(pose.position, left, side * feet->width);
}

bool ploy_footfalls_snap(ploy_vec2 place, float radius, float step,
                         bool (*good)(void *user, ploy_vec2 place), void *user, ploy_vec2 *out) {
    if (good == NULL || !ploy_vec2_is_finite(place) || !(radius >= 0.0f) || !(step > 0.0f)) {
        return false;
    }
    if (good(user, place)) {
        *out = place;
        return true;
    }
    int32_t reach = (int32_t)ploy_minf(radius / step, 256.0f);
    float best = INFINITY;
    for (int32_t y = -reach; y <= reach; y++) {
        for (int32_t x = -reach; x <= reach; x++) {
            ploy_vec2 off = ploy_vec2_make((float)x * step, (float)y * step);
            float away = ploy_vec2_length_sq(off);
            if (away > radius * radius || away >= best) continue;
            if (!good(user, ploy_vec2_add(place, off))) continue;
            best = away;
            *out = ploy_vec2_add(place, off);
        }
    }
    return best < INFINITY;
}
