// One look at one target; the factors are explained in the header.
//
// Cheap questions come first, so that nearly all pairs of a crowd end at a dot product. A look
// ends as soon as the factors still to come cannot save it; the reason is then the factor that
// took most.
#include "ploy/world/sight.h"

#include <string.h>

#include "ploy/base/math.h"
#include "ploy/geom/angle.h"
#include "ploy/geom/quat.h"
#include "world/world_internal.h"

static const ploy_field sight_fields[] = {
    PLOY_FIELD_F32(ploy_sight_def, range, 40, 0, 1e6f, "m", "targets farther away are not noticed"),
    PLOY_FIELD_F32(ploy_sight_def, fov, 1.0471976, 0, PLOY_TWO_PI_F, "rad",
                   "whole angle of the cone on the level"),
    PLOY_FIELD_F32(ploy_sight_def, fov_vertical, 1.0471976, 0, PLOY_PI_F, "rad",
                   "whole angle up and down"),
    PLOY_FIELD_F32(ploy_sight_def, focus, 0.52359878, 0, PLOY_TWO_PI_F, "rad",
                   "whole angle of full attention"),
    PLOY_FIELD_F32(ploy_sight_def, peripheral, 0.5, 0, 1, "", "attention left at the edge"),
    PLOY_FIELD_F32(ploy_sight_def, search_widening, 1.5, 0, PLOY_TWO_PI_F, "rad",
                   "added to both angles while searching"),
    PLOY_FIELD_F32(ploy_sight_def, size_min, 0, 0, 1, "rad", "what looks smaller is not seen"),
    PLOY_FIELD_F32(ploy_sight_def, size_full, 0, 0, 1, "rad", "what looks larger is seen fully"),
    PLOY_FIELD_F32(ploy_sight_def, light_full, 0.5, 1e-3, 1, "",
                   "light from which on everything is seen fully"),
    PLOY_FIELD_F32(ploy_sight_def, night_vision, 0, 0, 1, "", "least factor for light"),
    PLOY_FIELD_F32(ploy_sight_def, threshold, 0.1, 0, 1, "",
                   "least visibility at which a target is seen"),
    PLOY_FIELD_F32(ploy_sight_def, eye_height, 0, -1000, 1000, "m", "of the eyes above the pose"),
    PLOY_FIELD_F32(ploy_sight_def, cover_transmission, 0.5, 0, 1, "1/m",
                   "share of sight that a metre of cover lets through"),
    PLOY_FIELD_F32(ploy_sight_def, background_range, 50, 0, 1e6f, "m",
                   "how far beyond the target background is looked for"),
    PLOY_FIELD_I32(ploy_sight_def, samples, 3, 1, PLOY_SIGHT_SAMPLES_MAX, "",
                   "points of the body that rays are sent to"),
    PLOY_FIELD_I32(ploy_sight_def, background_rays, 1, 0, PLOY_SIGHT_SAMPLES_MAX, "",
                   "rays that look for the background"),
};

// The reason that goes with a factor that took too much.
static const ploy_sight_reason sight_blame[PLOY_SIGHT_FACTORS] = {
    PLOY_SIGHT_INATTENTIVE, PLOY_SIGHT_TOO_SMALL, PLOY_SIGHT_FOGGED,
    PLOY_SIGHT_TOO_DARK,    PLOY_SIGHT_COVERED,   PLOY_SIGHT_CAMOUFLAGED};

const char *ployi_sight_factor_text(ploy_sight_factor factor) {
    static const char *const texts[] = {"attention", "size", "fog", "light", "cover", "contrast"};
    if ((int32_t)factor < 0 || factor >= PLOY_SIGHT_FACTORS) return "?";
    return texts[factor];
}

const char *ploy_sight_reason_text(ploy_sight_reason reason) {
    static const char *const texts[] = {
        "seen",
        "is the observer",
        "too far",
        "outside the cone",
        "above or below the cone",
        "at the edge of attention",
        "looks too small",
        "lost in fog",
        "too dark",
        "blocked",
        "too much of it is covered",
        "camouflaged",
    };
    if ((int32_t)reason < 0 || reason >= PLOY_SIGHT_REASON_COUNT) return "?";
    return texts[reason];
}

ploy_sight_def ploy_sight_def_default(void) {
    ploy_sight_def def;
    ploy_fields_default(ploy_sight_fields(), &def);
    def.blocks = PLOY_SCENE_ALL;
    return def;
}

ploy_fields ploy_sight_fields(void) {
    return PLOY_FIELDS(ploy_sight_def, sight_fields);
}

float ploy_camouflage_get(const ploy_camouflage *table, int32_t clothing, int32_t background) {
    if (table == NULL || table->factors == NULL) return 1.0f;
    if (clothing < 0 || clothing >= table->clothings) return 1.0f;
    if (background < 0 || background >= table->backgrounds) return 1.0f;
    return table->factors[(size_t)clothing * (size_t)table->backgrounds + (size_t)background];
}

ploy_sight_world ploy_sight_world_make(const ploy_scene *scene) {
    ploy_sight_world world;
    memset(&world, 0, sizeof world);
    world.scene = scene;
    world.daylight = 1.0f;
    return world;
}

ploy_result ployi_sight_def_check(const ploy_sight_def *def, const ploy_env *env) {
    ploy_result result = ploy_fields_check(ploy_sight_fields(), def, env);
    if (result != PLOY_OK) return result;
    const char *why = (def->blocks & def->covers) != 0 ? "sight: a layer both blocks and covers"
                      : def->focus > def->fov          ? "sight: the focus is wider than the cone"
                      : def->size_full < def->size_min ? "sight: size_full is below size_min"
                                                       : NULL;
    if (why == NULL) return PLOY_OK;
    ploy_env_log(env, PLOY_SEVERITY_ERROR, why);
    return PLOY_ERR_ARGUMENT;
}

// ---- the factors

// The angles come last, as most pairs of a crowd never ask for them.
static ployi_sight_view sight_view_begin(const ploy_sight_observer *observer,
                                         const ploy_sight_world *world) {
    const ploy_sight_def *def = observer->def;
    ployi_sight_view view;
    view.observer = observer;
    view.def = def;
    view.world = world;
    view.eye = observer->pose.frame.position;
    view.eye.z += def->eye_height;
    view.back = ploy_quat_conjugate(observer->pose.frame.orientation);
    view.half = view.half_cos = view.level_cos = 0.0f;
    view.range_sq = def->range * def->range;
    return view;
}

static void sight_view_aim(ployi_sight_view *view) {
    const ploy_sight_def *def = view->def;
    float widening = view->observer->searching ? def->search_widening : 0.0f;
    view->half = 0.5f * ploy_minf(def->fov + widening, PLOY_TWO_PI_F);
    view->half_cos = ploy_cosf(view->half);
    view->level_cos = ploy_cosf(0.5f * ploy_minf(def->fov_vertical + widening, PLOY_PI_F));
}

ployi_sight_view ployi_sight_view_make(const ploy_sight_observer *observer,
                                       const ploy_sight_world *world) {
    ployi_sight_view view = sight_view_begin(observer, world);
    sight_view_aim(&view);
    return view;
}

static bool sight_within_range(const ployi_sight_view *view, const ploy_sight_target *target) {
    return ploy_vec3_distance_sq(target->pose.frame.position, view->eye) <= view->range_sq;
}

static float sight_attention(const ployi_sight_view *view, ploy_vec3 local, bool touching) {
    const ploy_sight_def *def = view->def;
    if (touching || def->peripheral == 1.0f) return 1.0f;
    float angle = ploy_atan2f(fabsf(local.y), local.x);
    float inner = 0.5f * def->focus;
    if (angle <= inner || view->half <= inner) return 1.0f;
    float share = ploy_clampf((angle - inner) / (view->half - inner), 0.0f, 1.0f);
    return ploy_lerpf(1.0f, def->peripheral, share);
}

static float sight_height(const ploy_sight_target *target) {
    return target->height > 0.0f ? target->height : 2.0f * target->pose.radius;
}

// The angle under which the larger side of the body appears; small angles, so no arcus tangent.
static float sight_size(const ploy_sight_def *def, const ploy_sight_target *target,
                        float distance) {
    if (def->size_full == 0.0f) return 1.0f;
    float size = ploy_maxf(2.0f * target->pose.radius, sight_height(target));
    float angle = distance > 0.0f ? size / distance : PLOY_PI_F;
    if (angle >= def->size_full) return 1.0f;
    if (!(angle >= def->size_min)) return 0.0f;
    float span = def->size_full - def->size_min;
    return span > 0.0f ? (angle - def->size_min) / span : 1.0f;
}

static float sight_light_factor(const ploy_sight_def *def, float light) {
    return ploy_clampf(light / def->light_full, def->night_vision, 1.0f);
}

static float sight_light_on(const ploy_sight_world *world, const ploy_sight_target *target) {
    float light = world->light != NULL ? world->light(world->user, target->pose.frame.position)
                                       : world->daylight;
    return ploy_clampf(light + target->glow, 0.0f, 1.0f);
}

// The points of a body that rays go to: the middle, both sides as seen from the eye, head and feet.
// A little inside the outline, so that a target at a wall is not half in it.
static ploy_vec3 sight_sample(const ployi_sight_view *view, const ploy_sight_target *target,
                              int32_t index) {
    ploy_vec3 at = target->pose.frame.position;
    float inside = 0.9f;
    if (index == 1 || index == 2) {
        ploy_vec2 direction =
            ploy_vec2_normalise(ploy_vec2_from_vec3(ploy_vec3_sub(at, view->eye)));
        float side = (index == 1 ? inside : -inside) * target->pose.radius;
        at.x -= direction.y * side;
        at.y += direction.x * side;
    } else if (index == 3 || index == 4) {
        at.z += (index == 3 ? 0.5f : -0.5f) * inside * sight_height(target);
    }
    return at;
}

// What cover on the way lets through. The ray goes in steps: at each thing met it enters, and every
// step inside takes its share, so that the depth of a bush counts whether the scene reports the path
// out or not.
static float sight_through_cover(const ployi_sight_view *view, ploy_vec3 to) {
    enum { SIGHT_COVER_STEPS = 32 };
    const float step = 0.25f; // m
    const ploy_sight_def *def = view->def;
    if (def->covers == 0) return 1.0f;
    float each = ploy_powf(def->cover_transmission, step), left = 1.0f;
    ploy_vec3 from = view->eye, offset = ploy_vec3_sub(to, from);
    float rest = ploy_vec3_length(offset);
    if (!(rest > 0.0f)) return 1.0f;
    offset = ploy_vec3_scale(offset, 1.0f / rest);
    for (int32_t i = 0; i < SIGHT_COVER_STEPS; i++) {
        ploy_scene_hit hit;
        if (!ploy_scene_ray(view->world->scene, from, to, def->covers, &hit)) break;
        left *= each;
        float advance = hit.distance + step;
        if (!(advance < rest)) break;
        rest -= advance;
        from = ploy_vec3_add_scaled(from, offset, advance);
    }
    return left;
}

static float sight_cover(const ployi_sight_view *view, const ploy_sight_target *target) {
    float sum = 0.0f;
    int32_t samples = view->def->samples;
    // Nothing to see at the sides of a point.
    if (!(target->pose.radius > 0.0f)) samples = 1;
    for (int32_t i = 0; i < samples; i++) {
        ploy_vec3 to = sight_sample(view, target, i);
        if (ploy_scene_ray(view->world->scene, view->eye, to, view->def->blocks, NULL)) continue;
        sum += sight_through_cover(view, to);
    }
    return sum / (float)samples;
}

// Rays beyond the body: what clothes are compared with, and how bright it is there.
static float sight_contrast(const ployi_sight_view *view, const ploy_sight_target *target,
                            float light, float *light_factor) {
    const ploy_sight_def *def = view->def;
    const ploy_sight_world *world = view->world;
    int32_t rays = ploy_mini(def->background_rays, def->samples);
    if (rays == 0 || world->background == NULL) return 1.0f;
    float sum = 0.0f, seen_light = 0.0f;
    for (int32_t i = 0; i < rays; i++) {
        ploy_vec3 at = sight_sample(view, target, i);
        ploy_vec3 offset = ploy_vec3_sub(at, view->eye);
        ploy_vec3 to = ploy_vec3_add(at, ploy_vec3_with_length(offset, def->background_range));
        ploy_scene_hit hit;
        bool met = ploy_scene_ray(world->scene, at, to, def->blocks | def->covers, &hit);
        ploy_background behind = world->background(world->user, met ? &hit : NULL);
        sum += ploy_camouflage_get(world->camouflage, target->clothing, behind.pattern);
        float gap = behind.light >= 0.0f ? fabsf(behind.light - light) : 0.0f;
        seen_light += ploy_maxf(light, gap);
    }
    *light_factor = sight_light_factor(def, seen_light / (float)rays);
    return sum / (float)rays;
}

// The most that the background could still make of it.
static float sight_contrast_max(const ployi_sight_view *view, const ploy_sight_target *target) {
    const ploy_camouflage *table = view->world->camouflage;
    float most = 1.0f;
    if (view->def->background_rays == 0 || view->world->background == NULL || table == NULL) {
        return most;
    }
    for (int32_t i = 0; i < table->backgrounds; i++) {
        most = ploy_maxf(most, ploy_camouflage_get(table, target->clothing, i));
    }
    return most;
}

// Settles the matter: the product of the factors that were looked at, and whom to blame.
static void sight_settle(ploy_sight *sight, float threshold) {
    float product = 1.0f, least = 2.0f;
    int32_t weakest = 0;
    for (int32_t i = 0; i < PLOY_SIGHT_FACTORS; i++) {
        float factor = sight->factors[i];
        if (factor < 0.0f) continue;
        product *= factor;
        if (factor < least) least = factor, weakest = i;
    }
    sight->visibility = ploy_clampf(product, 0.0f, 1.0f);
    bool seen = sight->visibility > 0.0f && sight->visibility >= threshold;
    sight->reason = seen ? PLOY_SIGHT_SEEN : sight_blame[weakest];
    if (!seen && weakest == PLOY_SIGHT_COVER && least == 0.0f) sight->reason = PLOY_SIGHT_BLOCKED;
}

ploy_sight ployi_sight_examine(const ployi_sight_view *view, const ploy_sight_target *target) {
    const ploy_sight_def *def = view->def;
    const ploy_sight_world *world = view->world;
    ploy_sight sight;
    sight.visibility = 0.0f;
    for (int32_t i = 0; i < PLOY_SIGHT_FACTORS; i++) sight.factors[i] = -1.0f;
    sight.distance = 0.0f;
    if (ploy_id_equal(view->observer->agent.id, target->agent.id) &&
        !ploy_id_is_none(target->agent.id)) {
        sight.reason = PLOY_SIGHT_SELF;
        return sight;
    }
    if (!sight_within_range(view, target)) {
        sight.reason = PLOY_SIGHT_TOO_FAR;
        sight.distance = ploy_vec3_distance(target->pose.frame.position, view->eye);
        return sight;
    }
    ploy_vec3 offset = ploy_vec3_sub(target->pose.frame.position, view->eye);
    sight.distance = sqrtf(ploy_vec3_length_sq(offset));
    ploy_vec3 local = ploy_quat_rotate(view->back, offset);
    float level = sqrtf(local.x * local.x + local.y * local.y);
    // What touches the eye is in view, wherever it looks.
    bool touching = sight.distance <= target->pose.radius;
    if (!touching && !(local.x >= view->half_cos * level)) {
        sight.reason = PLOY_SIGHT_OUTSIDE;
        return sight;
    }
    if (!touching && !(level >= view->level_cos * sight.distance)) {
        sight.reason = PLOY_SIGHT_OUTSIDE_LEVEL;
        return sight;
    }
    float light = sight_light_on(world, target);
    bool silhouettes = def->background_rays > 0 && world->background != NULL;
    sight.factors[PLOY_SIGHT_ATTENTION] = sight_attention(view, local, touching);
    sight.factors[PLOY_SIGHT_SIZE] = sight_size(def, target, sight.distance);
    sight.factors[PLOY_SIGHT_FOG] =
        world->fog > 0.0f ? ploy_expf(-world->fog * sight.distance) : 1.0f;
    if (!silhouettes) sight.factors[PLOY_SIGHT_LIGHT] = sight_light_factor(def, light);
    // Cover and a background can only lower this, except by what contrast may add.
    sight_settle(&sight, 0.0f);
    if (!(sight.visibility > 0.0f) ||
        sight.visibility * sight_contrast_max(view, target) < def->threshold) {
        sight_settle(&sight, 2.0f);
        return sight;
    }
    sight.factors[PLOY_SIGHT_COVER] = sight_cover(view, target);
    if (sight.factors[PLOY_SIGHT_COVER] > 0.0f) {
        float light_factor = sight_light_factor(def, light);
        sight.factors[PLOY_SIGHT_CONTRAST] = sight_contrast(view, target, light, &light_factor);
        sight.factors[PLOY_SIGHT_LIGHT] = light_factor;
    }
    sight_settle(&sight, def->threshold);
    return sight;
}

ploy_sight ploy_sight_test(const ploy_sight_observer *observer, const ploy_sight_target *target,
                           const ploy_sight_world *world, ploy_trace *trace) {
    ployi_sight_view view = sight_view_begin(observer, world);
    if (sight_within_range(&view, target)) sight_view_aim(&view);
    ploy_sight sight = ployi_sight_examine(&view, target);
    if (trace == NULL) return sight;
    const char *why = ploy_sight_reason_text(sight.reason);
    ploy_trace_begin(trace, observer->agent, "sight", "cone, line of sight, light, camouflage");
    ploy_value subject = ploy_value_id(target->agent.id);
    ploy_trace_value(trace, "target", &subject);
    ploy_trace_f32(trace, "distance", sight.distance);
    for (int32_t i = 0; i < PLOY_SIGHT_FACTORS; i++) {
        bool skipped = sight.factors[i] < 0.0f;
        bool decided = sight.reason != PLOY_SIGHT_SEEN &&
                       (sight_blame[i] == sight.reason ||
                        (i == PLOY_SIGHT_COVER && sight.reason == PLOY_SIGHT_BLOCKED));
        ploy_outcome outcome = skipped   ? PLOY_OUTCOME_SKIPPED
                               : decided ? PLOY_OUTCOME_REJECTED
                                         : PLOY_OUTCOME_WON;
        ploy_trace_option(trace, ployi_sight_factor_text((ploy_sight_factor)i), outcome,
                          skipped ? (double)NAN : (double)sight.factors[i],
                          skipped   ? "not looked at"
                          : decided ? why
                                    : "does not prevent it");
    }
    ploy_trace_f32(trace, "visibility", sight.visibility);
    ploy_trace_text(trace, "outcome", why);
    ploy_trace_end(trace);
    return sight;
}

bool ployi_sight_check(void *user, ploy_sense_test *test) {
    const ploy_sight_checker *checker = user;
    ploy_sight_observer observer;
    memset(&observer, 0, sizeof observer);
    observer.agent = test->sensor->agent;
    observer.pose = *test->pose;
    observer.def = checker->def;
    ploy_sight_target target;
    memset(&target, 0, sizeof target);
    target.agent = test->signal->source;
    target.pose.frame.position = test->signal->position;
    target.pose.frame.orientation = ploy_quat_identity();
    target.clothing = -1;
    if (checker->target != NULL && !checker->target(checker->user, test->signal, &target)) {
        return false;
    }
    ploy_sight sight = ploy_sight_test(&observer, &target, checker->world, NULL);
    test->detail = (int32_t)sight.reason;
    test->intensity *= sight.visibility;
    return sight.reason == PLOY_SIGHT_SEEN;
}

// A fan of rays on the level of the eyes.
static void sight_draw_fan(const ploy_sight_observer *observer, const ploy_sight_world *world,
                           float half, ploy_style style, float alpha, ploy_draw *out) {
    enum { SIGHT_DRAW_RAYS = 64 };
    const ploy_sight_def *def = observer->def;
    ploy_vec3 eye = observer->pose.frame.position;
    eye.z += def->eye_height;
    float ahead = ploy_quat_to_orientation(observer->pose.frame.orientation);
    ploy_vec2 points[SIGHT_DRAW_RAYS + 2];
    points[0] = ploy_vec2_from_vec3(eye);
    for (int32_t i = 0; i <= SIGHT_DRAW_RAYS; i++) {
        float angle = ahead + half * (2.0f * (float)i / (float)SIGHT_DRAW_RAYS - 1.0f);
        ploy_vec2 reach = ploy_vec2_scale(ploy_angle_heading(angle), def->range);
        ploy_vec3 to = ploy_vec3_add(eye, ploy_vec3_from_vec2(reach, 0.0f));
        ploy_scene_hit hit;
        bool met = ploy_scene_ray(world->scene, eye, to, def->blocks, &hit);
        points[i + 1] = ploy_vec2_from_vec3(met ? hit.point : to);
    }
    ploy_draw_polygon(out, PLOY_LAYER_SENSES, style, observer->agent, points, SIGHT_DRAW_RAYS + 2,
                      alpha);
}

void ploy_sight_draw(const ploy_sight_observer *observer, const ploy_sight_world *world,
                     ploy_draw *out) {
    if (!ploy_draw_wants(out, PLOY_LAYER_SENSES)) return;
    ployi_sight_view view = ployi_sight_view_make(observer, world);
    float inner = ploy_minf(0.5f * observer->def->focus, view.half);
    sight_draw_fan(observer, world, view.half, PLOY_STYLE_GHOST, 0.15f, out);
    sight_draw_fan(observer, world, inner, PLOY_STYLE_WARNING, 0.15f, out);
}
