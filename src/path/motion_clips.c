// Movement planning and footfalls; see the header.
//
// A state of the search is one exact pose with the clip that led to it, so a plan can be played as
// it was planned. Bins detect duplicates only.
//
// Invariants while a search is under way:
//   (1) every state but the first has exactly one parent, and its pose is its clip applied there;
//   (2) bins numbers the bins that came up; best[bin] is the cheapest state in it. A state that is
//       no longer the best of its bin is not expanded.
#include "ploy/path/motion_clips.h"

#include "path/path_internal.h"

#include <math.h>
#include <string.h>

#include "ploy/base/array.h"
#include "ploy/base/math.h"
#include "ploy/geom/angle.h"
#include "ploy/search/states.h"

#define CLIPS_CHOICES_MAX 64
#define CLIPS_SPEED_ANY 1e6f

static const ploy_field clip_plan_fields[] = {
    PLOY_FIELD_F32(ploy_clip_planner_def, lattice, 0.05, 1e-4f, 1e3f, "m", "size of a bin"),
    PLOY_FIELD_I32_FIXED(ploy_clip_planner_def, headings, 72, 1, 4096, "", "bins of a full circle"),
    PLOY_FIELD_F32(ploy_clip_planner_def, speed_step, 0.25, 1e-3f, 1e3f, "m/s",
                   "size of a bin of velocity"),
    PLOY_FIELD_I32_FIXED(ploy_clip_planner_def, scales, 3, 1, CLIPS_CHOICES_MAX, "",
                         "values of each range of scale"),
    PLOY_FIELD_I32_FIXED(ploy_clip_planner_def, turns, 3, 1, CLIPS_CHOICES_MAX, "",
                         "values of each range of rotation"),
    PLOY_FIELD_I32_FIXED(ploy_clip_planner_def, rates, 3, 1, CLIPS_CHOICES_MAX, "",
                         "values of each range of playback rate"),
    PLOY_FIELD_I32_FIXED(ploy_clip_planner_def, refine, 0, 0, 32, "",
                         "rounds of sampling around the best choice; 0: all choices"),
    PLOY_FIELD_I32_FIXED(ploy_clip_planner_def, max_states, 100000, 1, 1 << 26, "", "poses"),
    PLOY_FIELD_F32(ploy_clip_planner_def, goal_radius, 0.25, 0, 1e6f, "m", "near enough"),
    PLOY_FIELD_F32(ploy_clip_planner_def, goal_angle, 3.2, 0, 4, "rad", "likewise"),
    PLOY_FIELD_F32(ploy_clip_planner_def, goal_velocity, 1e6, 0, CLIPS_SPEED_ANY, "m/s",
                   "likewise; 1e6: any"),
    PLOY_FIELD_F32(ploy_clip_planner_def, top_speed, 0, 0, 1e6f, "m/s", "0: of the clips"),
};

typedef struct clips_bin {
    int64_t x, y;
    int32_t heading, posture, forward, sideways;
} clips_bin;

typedef struct clips_state {
    double seconds; // since the start
    ploy_clip_pose pose;
    ploy_clip_choice choice;
    int32_t clip, bin;
} clips_state;

struct ploy_clip_planner {
    ploy_env env;
    ploy_clip_planner_def def;
    ploy_scene scene;
    ploy_clip_clear_fn clear;
    void *user;
    ploy_states *bins;
    ploy_array best;   // int32_t, a state for each bin
    ploy_array states; // clips_state
    ploy_search *search;
    ploy_space space;
    ploy_clip_pose goal;
    double speed, lattice, circle, shortest;
    bool speeds; // velocity matters: a clip or the goal asks for one
    bool full;
    int32_t posture, count;
    size_t size;
    ploy_clip clips[];
};

ploy_clip_pose ploy_clip_pose_make(ploy_vec2 position, float orientation) {
    ploy_clip_pose pose = {position, orientation, 0, {0.0f, 0.0f}};
    return pose;
}

ploy_clip ploy_clip_make(ploy_name name, ploy_vec2 shift, float turn, float duration) {
    ploy_clip clip = {name, 0,    0,    shift,           1.0f, 1.0f, turn, turn, duration,
                      1.0f, 1.0f, 0.0f, CLIPS_SPEED_ANY, 0.0f};
    return clip;
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

bool ploy_clip_fits(const ploy_clip *clip, float speed, float rotation, float tolerance) {
    float shift = ploy_vec2_length(clip->shift) / clip->duration;
    float slow = shift * clip->scale_min * clip->rate_min;
    float fast = shift * clip->scale_max * clip->rate_max;
    // The slowest rotation to the right is the least turn, played slowly if it is to the left.
    float least = clip->turn_min * (clip->turn_min < 0.0f ? clip->rate_max : clip->rate_min);
    float most = clip->turn_max * (clip->turn_max < 0.0f ? clip->rate_min : clip->rate_max);
    return speed >= slow - tolerance && speed <= fast + tolerance &&
           rotation >= least / clip->duration - tolerance &&
           rotation <= most / clip->duration + tolerance;
}

ploy_clip_pose ployi_clip_apply(const ploy_clip *clip, ploy_clip_choice choice,
                                ploy_clip_pose pose) {
    ploy_vec2 shift = ploy_vec2_scale(clip->shift, choice.scale);
    pose.position = ploy_vec2_add(pose.position,
                                  ploy_vec2_rotate_by(shift, ploy_angle_heading(pose.orientation)));
    pose.orientation = ploy_angle_wrap(pose.orientation + choice.turn);
    pose.velocity = ploy_vec2_rotate_by(ploy_vec2_scale(shift, choice.rate / clip->duration),
                                        ploy_angle_heading(pose.orientation));
    pose.posture = clip->to_posture;
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

static bool clips_is(const ploy_clip *clip) {
    return ploy_vec2_is_finite(clip->shift) && ploy_in_range(clip->turn_min, -1e3f, 1e3f) &&
           ploy_in_range(clip->turn_max, clip->turn_min, 1e3f) &&
           ploy_in_range(clip->duration, 1e-6f, 1e6f) &&
           ploy_in_range(clip->rate_min, 1e-3f, 1e3f) &&
           ploy_in_range(clip->rate_max, clip->rate_min, 1e3f) &&
           ploy_in_range(clip->scale_min, 0.0f, 1e3f) &&
           ploy_in_range(clip->scale_max, clip->scale_min, 1e3f) &&
           ploy_in_range(clip->speed_min, 0.0f, CLIPS_SPEED_ANY) &&
           ploy_in_range(clip->speed_max, clip->speed_min, CLIPS_SPEED_ANY) &&
           ploy_in_range(clip->radius, 0.0f, 1e6f);
}

// The values of one range; one value if the range is a point.
static int32_t clips_values(float least, float most, int32_t count, float *out) {
    if (least == most) count = 1;
    (void)ploy_clip_choices(least, most, count, out);
    return count;
}

// Bins that every clip leaves: a square's diagonal is 1.42 sides long.
static void clips_fit_bins(ploy_clip_planner *planner, const ploy_clip *clip) {
    float scales[CLIPS_CHOICES_MAX], turns[CLIPS_CHOICES_MAX];
    int32_t scale_count =
        clips_values(clip->scale_min, clip->scale_max, planner->def.scales, scales);
    int32_t turn_count = clips_values(clip->turn_min, clip->turn_max, planner->def.turns, turns);
    for (int32_t i = 0; i < scale_count * turn_count; i++) {
        double shift = (double)(ploy_vec2_length(clip->shift) * scales[i % scale_count]);
        double turn = fabs((double)turns[i / scale_count]);
        bool leaves =
            shift > 1.42 * planner->lattice || turn * planner->circle > (double)PLOY_TWO_PI_F;
        if (leaves || (shift < 1e-6 && turn < 1e-6)) continue;
        if (shift >= 1e-6) {
            planner->lattice = shift / 1.43;
        } else {
            planner->circle = ceil((double)PLOY_TWO_PI_F / turn) + 1.0;
        }
    }
}

static void clips_enter(ploy_clip_planner *planner, const ploy_clip *clip, int32_t index) {
    double far = (double)(ploy_vec2_length(clip->shift) * clip->scale_max);
    double seconds = (double)clip->duration / (double)clip->rate_max;
    planner->clips[index] = *clip;
    if (!(planner->def.top_speed > 0.0f) && far / seconds > planner->speed) {
        planner->speed = far / seconds;
    }
    if (index == 0 || seconds < planner->shortest) planner->shortest = seconds;
    if (clip->speed_min > 0.0f || clip->speed_max < CLIPS_SPEED_ANY) planner->speeds = true;
    clips_fit_bins(planner, clip);
}

static ploy_result clips_parts(ploy_clip_planner *planner) {
    ploy_states_def bins = ploy_states_def_default();
    bins.size = (int32_t)sizeof(clips_bin);
    bins.capacity = planner->def.max_states;
    bins.merge = true;
    ploy_search_def search = ploy_search_def_default();
    search.storage = PLOY_SEARCH_PAGES;
    ploy_result result = ploy_states_create(&bins, &planner->env, &planner->bins);
    if (result != PLOY_OK) return result;
    return ploy_search_create(&search, &planner->env, &planner->search);
}

ploy_result ploy_clip_planner_create(const ploy_clip_planner_def *def, const ploy_clip *clips,
                                     int32_t count, const ploy_scene *scene,
                                     ploy_clip_clear_fn clear, void *user, const ploy_env *env,
                                     ploy_clip_planner **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_clip_planner_fields(), def, env);
    if (result != PLOY_OK) return result;
    size_t size = 0;
    if (clips == NULL || count < 1 ||
        !ploy_size_add_array(sizeof(ploy_clip_planner), count, sizeof(ploy_clip), &size)) {
        return PLOY_ERR_ARGUMENT;
    }
    for (int32_t i = 0; i < count; i++) {
        if (!clips_is(&clips[i])) return PLOY_ERR_ARGUMENT;
    }
    ploy_clip_planner *planner = ploy_env_alloc_zero(env, size);
    if (planner == NULL) return PLOY_ERR_MEMORY;
    planner->env = *env;
    planner->def = *def;
    if (scene != NULL) planner->scene = *scene;
    planner->clear = clear;
    planner->user = user;
    planner->size = size;
    planner->count = count;
    planner->speed = (double)def->top_speed;
    planner->lattice = (double)def->lattice;
    planner->circle = def->headings;
    planner->speeds = def->goal_velocity < CLIPS_SPEED_ANY;
    ploy_array_init(&planner->best, sizeof(int32_t), env);
    ploy_array_init(&planner->states, sizeof(clips_state), env);
    for (int32_t i = 0; i < count; i++) clips_enter(planner, &clips[i], i);
    result = clips_parts(planner);
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
    ploy_states_destroy(planner->bins);
    ploy_array_fini(&planner->best);
    ploy_array_fini(&planner->states);
    ploy_env_free(&env, planner, planner->size);
}

static clips_bin clips_bin_of(const ploy_clip_planner *planner, const ploy_clip_pose *pose) {
    double turns = (double)pose->orientation / (double)PLOY_TWO_PI_F;
    clips_bin bin = {0, 0, 0, pose->posture, 0, 0};
    bin.x = (int64_t)floor((double)pose->position.x / planner->lattice + 0.5);
    bin.y = (int64_t)floor((double)pose->position.y / planner->lattice + 0.5);
    bin.heading = (int32_t)floor((turns - floor(turns)) * planner->circle + 0.5);
    if ((double)bin.heading >= planner->circle) bin.heading = 0;
    if (planner->speeds) {
        double step = (double)planner->def.speed_step;
        bin.forward = (int32_t)floor((double)pose->velocity.x / step + 0.5);
        bin.sideways = (int32_t)floor((double)pose->velocity.y / step + 0.5);
    }
    return bin;
}

static clips_state *clips_at(const ploy_clip_planner *planner, int32_t state) {
    return PLOY_ARRAY_AT(&planner->states, clips_state, state);
}

// Positions that floats and bins can hold; velocities follow from the clips.
static bool clips_pose_is(const ploy_clip_planner *planner, const ploy_clip_pose *pose) {
    float most = (float)(planner->lattice * 1e9), fast = planner->def.speed_step * 1e9f;
    return ploy_in_range(pose->position.x, -most, most) &&
           ploy_in_range(pose->position.y, -most, most) && ploy_is_finite(pose->orientation) &&
           ploy_in_range(pose->velocity.x, -fast, fast) &&
           ploy_in_range(pose->velocity.y, -fast, fast);
}

// Enters a state unless its bin holds one that is as early. @param out  -1: a duplicate.
static ploy_result clips_reach(ploy_clip_planner *planner, clips_state *state, int32_t *out) {
    clips_bin bin = clips_bin_of(planner, &state->pose);
    int32_t index = planner->states.count;
    *out = -1;
    if (index >= planner->def.max_states) {
        planner->full = true;
        return PLOY_OK;
    }
    // Not above the states, of which there is at least one in every bin: never a limit.
    ploy_result result = ploy_states_find(planner->bins, &bin, &state->bin);
    if (result != PLOY_OK) return result;
    int32_t *best = NULL;
    if (state->bin < planner->best.count) {
        best = PLOY_ARRAY_AT(&planner->best, int32_t, state->bin);
        if (clips_at(planner, *best)->seconds <= state->seconds) return PLOY_OK;
    }
    result = ploy_array_push(&planner->states, state);
    if (result != PLOY_OK) return result;
    if (best != NULL) {
        *best = index; // keeps (2)
    } else {
        result = ploy_array_push(&planner->best, &index);
        if (result != PLOY_OK) return result;
    }
    *out = index;
    return PLOY_OK;
}

// Applies a variant of a clip. @return false if something is in the way.
static bool clips_play(const ploy_clip_planner *planner, const clips_state *from, int32_t clip,
                       ploy_clip_choice choice, clips_state *to) {
    const ploy_clip *played = &planner->clips[clip];
    to->seconds = from->seconds + (double)played->duration / (double)choice.rate;
    to->pose = ployi_clip_apply(played, choice, from->pose);
    to->choice = choice;
    to->clip = clip;
    to->bin = -1;
    if (!clips_pose_is(planner, &to->pose)) return false;
    if (ploy_scene_sweep2(&planner->scene, from->pose.position, to->pose.position, played->radius,
                          PLOY_SCENE_ALL, NULL)) {
        return false;
    }
    return planner->clear == NULL || planner->clear(planner->user, played, from->pose, to->pose);
}

static ploy_result clips_enter_state(ploy_clip_planner *planner, clips_state *to, ploy_edges *out) {
    double seconds = (double)planner->clips[to->clip].duration / (double)to->choice.rate;
    int32_t next = 0;
    ploy_result result = clips_reach(planner, to, &next);
    if (result != PLOY_OK || next < 0) return result;
    return ploy_edges_add(out, next, seconds, to->clip);
}

static ploy_result clips_try(ploy_clip_planner *planner, const clips_state *from, int32_t clip,
                             ploy_clip_choice choice, ploy_edges *out) {
    clips_state to;
    if (!clips_play(planner, from, clip, choice, &to)) return PLOY_OK;
    return clips_enter_state(planner, &to, out);
}

// ---- sampling around the best ----

// The ranges that a clip's choices are taken from.
typedef struct clips_ranges {
    float least[3], most[3]; // scale, turn, rate
} clips_ranges;

static float clips_part(const ploy_clip_choice *choice, int32_t part) {
    return part == 0 ? choice->scale : part == 1 ? choice->turn : choice->rate;
}

// Halves a range around a value, within the range itself.
static void clips_narrow(clips_ranges *ranges, const ploy_clip_choice *around) {
    for (int32_t i = 0; i < 3; i++) {
        float quarter = 0.25f * (ranges->most[i] - ranges->least[i]);
        float middle = clips_part(around, i);
        float least = ploy_maxf(ranges->least[i], middle - quarter);
        ranges->most[i] = ploy_minf(ranges->most[i], middle + quarter);
        ranges->least[i] = ploy_minf(least, ranges->most[i]);
    }
}

// When the goal would be reached through a state, as far as the estimate knows. A clip turns after
// it has moved, so its turn counts for the next one: towards the goal, at a tenth of a second a
// radian; at the goal, towards its orientation.
static double clips_rating(const ploy_clip_planner *planner, const clips_state *to) {
    ploy_vec2 gap = ploy_vec2_sub(planner->goal.position, to->pose.position);
    double away = (double)ploy_vec2_length(gap);
    float facing =
        away > (double)planner->def.goal_radius ? ploy_angle_of(gap) : planner->goal.orientation;
    float turn = ploy_angle_difference(to->pose.orientation, facing);
    double speed = planner->speed > 0.0 ? planner->speed : 1.0;
    return to->seconds + away / speed + 0.1 * (double)fabsf(turn);
}

// Adds the variant of a clip within ranges that promises most: the ranges are sampled, then halved around the
// best sample, round after round.
static ploy_result clips_refine(ploy_clip_planner *planner, const clips_state *from, int32_t clip,
                                clips_ranges ranges, ploy_edges *out) {
    double best = (double)INFINITY;
    clips_state chosen;
    for (int32_t round = 0; round <= planner->def.refine; round++) {
        float values[3][CLIPS_CHOICES_MAX];
        const int32_t wanted[3] = {planner->def.scales, planner->def.turns, planner->def.rates};
        int32_t counts[3];
        for (int32_t i = 0; i < 3; i++) {
            counts[i] = clips_values(ranges.least[i], ranges.most[i], wanted[i], values[i]);
        }
        for (int32_t k = 0; k < counts[0] * counts[1] * counts[2]; k++) {
            ploy_clip_choice choice = {values[0][k % counts[0]],
                                       values[1][k / counts[0] % counts[1]],
                                       values[2][k / counts[0] / counts[1]]};
            clips_state to;
            if (!clips_play(planner, from, clip, choice, &to)) continue;
            double rating = clips_rating(planner, &to);
            if (rating >= best) continue;
            best = rating;
            chosen = to;
        }
        if (best == (double)INFINITY) return PLOY_OK; // everything is blocked
        clips_narrow(&ranges, &chosen.choice);
    }
    return clips_enter_state(planner, &chosen, out);
}

// One variant for each part of the range of scale: where a long step leads past the goal, the
// search can go back to a shorter one.
static ploy_result clips_refine_all(ploy_clip_planner *planner, const clips_state *from,
                                    int32_t clip, clips_ranges ranges, ploy_edges *out) {
    float least = ranges.least[0];
    int32_t parts = ranges.most[0] > least ? planner->def.scales : 1;
    float part = (ranges.most[0] - least) / (float)parts;
    for (int32_t i = 0; i < parts; i++) {
        ranges.least[0] = least + part * (float)i;
        ranges.most[0] = ranges.least[0] + part;
        ploy_result result = clips_refine(planner, from, clip, ranges, out);
        if (result != PLOY_OK) return result;
    }
    return PLOY_OK;
}

static ploy_result clips_expand(void *user, int32_t state, ploy_edges *out) {
    ploy_clip_planner *planner = user;
    clips_state from = *clips_at(planner, state);
    if (*PLOY_ARRAY_AT(&planner->best, int32_t, from.bin) != state) return PLOY_OK;
    float speed = ploy_vec2_length(from.pose.velocity);
    for (int32_t i = 0; i < planner->count; i++) {
        const ploy_clip *clip = &planner->clips[i];
        if (clip->from_posture != from.pose.posture) continue;
        if (speed < clip->speed_min - 1e-4f || speed > clip->speed_max + 1e-4f) continue;
        float scales[CLIPS_CHOICES_MAX], turns[CLIPS_CHOICES_MAX], rates[CLIPS_CHOICES_MAX];
        // Where velocity does not matter, a slower playback leads to the same pose, only later.
        float slowest = planner->speeds ? clip->rate_min : clip->rate_max;
        if (planner->def.refine > 0) {
            clips_ranges ranges = {{clip->scale_min, clip->turn_min, slowest},
                                   {clip->scale_max, clip->turn_max, clip->rate_max}};
            ploy_result result = clips_refine_all(planner, &from, i, ranges, out);
            if (result != PLOY_OK) return result;
            continue;
        }
        int32_t scale_count =
            clips_values(clip->scale_min, clip->scale_max, planner->def.scales, scales);
        int32_t turn_count =
            clips_values(clip->turn_min, clip->turn_max, planner->def.turns, turns);
        int32_t rate_count = clips_values(slowest, clip->rate_max, planner->def.rates, rates);
        for (int32_t k = 0; k < scale_count * turn_count * rate_count; k++) {
            ploy_clip_choice choice = {scales[k % scale_count], turns[k / scale_count % turn_count],
                                       rates[k / scale_count / turn_count]};
            ploy_result result = clips_try(planner, &from, i, choice, out);
            if (result != PLOY_OK) return result;
        }
    }
    return PLOY_OK;
}

static bool clips_is_fast_enough(const ploy_clip_planner *planner, const ploy_clip_pose *pose) {
    return planner->def.goal_velocity >= CLIPS_SPEED_ANY ||
           ploy_vec2_distance(pose->velocity, planner->goal.velocity) <= planner->def.goal_velocity;
}

// The distance at top speed; at least one clip more while the velocity is not the goal's.
static double clips_estimate(void *user, int32_t state, int32_t goal) {
    const ploy_clip_planner *planner = user;
    const ploy_clip_pose *pose = &clips_at(planner, state)->pose;
    (void)goal;
    double away = (double)ploy_vec2_distance(pose->position, planner->goal.position) -
                  (double)planner->def.goal_radius;
    double least = clips_is_fast_enough(planner, pose) ? 0.0 : planner->shortest;
    double seconds = away > 0.0 && planner->speed > 0.0 ? away / planner->speed : 0.0;
    return seconds > least ? seconds : least;
}

static bool clips_is_goal(void *user, int32_t state) {
    const ploy_clip_planner *planner = user;
    const ploy_clip_pose *pose = &clips_at(planner, state)->pose;
    float turn = ploy_angle_difference(pose->orientation, planner->goal.orientation);
    return ploy_vec2_distance(pose->position, planner->goal.position) <= planner->def.goal_radius &&
           fabsf(turn) <= planner->def.goal_angle && clips_is_fast_enough(planner, pose) &&
           (planner->posture < 0 || planner->posture == pose->posture);
}

ploy_result ploy_clip_planner_begin(ploy_clip_planner *planner, ploy_clip_pose from,
                                    ploy_clip_pose to, int32_t posture) {
    ploy_search_cancel(planner->search);
    if (!clips_pose_is(planner, &from) || !clips_pose_is(planner, &to)) return PLOY_ERR_ARGUMENT;
    ploy_states_clear(planner->bins);
    ploy_array_clear(&planner->best);
    ploy_array_clear(&planner->states);
    planner->full = false;
    planner->goal = to;
    planner->posture = posture;
    memset(&planner->space, 0, sizeof planner->space);
    planner->space.expand = clips_expand;
    planner->space.estimate = clips_estimate;
    planner->space.user = planner;
    clips_state first = {0.0, from, {1.0f, 0.0f, 1.0f}, -1, -1};
    ploy_search_start start = {0, 0.0};
    ploy_result result = clips_reach(planner, &first, &start.state);
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
    return outcome == PLOY_SEARCH_NONE && planner->full ? PLOY_SEARCH_PRUNED : outcome;
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
            const clips_state *state = clips_at(planner, goal);
            out[i].clip = state->clip;
            out[i].choice = state->choice;
            out[i].seconds = planner->clips[state->clip].duration / state->choice.rate;
            out[i].to = state->pose;
        }
        goal = node.parent;
    }
    return count;
}

void ploy_clip_planner_memory(const ploy_clip_planner *planner, ploy_memory_fn fn, void *user) {
    ploy_memory_item item = {"clip planner", planner->size, 1};
    fn(user, &item);
    ploy_array_memory(&planner->best, fn, user);
    ploy_array_memory(&planner->states, fn, user);
    ploy_states_memory(planner->bins, fn, user);
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
