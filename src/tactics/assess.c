// Assessment by rays; the technique is described in the header.
//
// Samples are numbered through all points: sample s of point p is p * per_point + s. First come the
// attacks, then the views, then the lights. Each point has its own sums, to which its samples are
// added in order; a slice is a range of numbers, cut at points for the workers.
//
// Invariants: (1) sums of point p are those of its samples below `cursor`;
//             (2) worker calls touch the sums of separate points.
#include "ploy/tactics/assess.h"

#include <math.h>
#include <string.h>

#include "ploy/base/math.h"
#include "points_internal.h"

enum { ASSESS_CHUNK = 1 << 16, ASSESS_GRAIN = 4 };

static const ploy_field assess_fields[] = {
    PLOY_FIELD_I32(ploy_assess_def, rays, 64, 0, 1 << 16, "", "attacks on each point"),
    PLOY_FIELD_I32(ploy_assess_def, views, 16, 0, 1 << 16, "", "rays outward"),
    PLOY_FIELD_I32(ploy_assess_def, lights, 4, 0, 1 << 16, "", "samples of light"),
    PLOY_FIELD_I32(ploy_assess_def, sectors, 4, 1, PLOY_ASSESS_SECTORS_MAX, "",
                   "directions counted separately"),
    PLOY_FIELD_F32(ploy_assess_def, radius, 5, 1e-2f, 1e5f, "m", "where attacks start"),
    PLOY_FIELD_F32(ploy_assess_def, angle, 0.39269908f, 1e-4f, 1.5f, "rad", "between two attacks"),
    PLOY_FIELD_F32(ploy_assess_def, jitter, 1, 0, 1e5f, "m", "of the start of an attack"),
    PLOY_FIELD_F32(ploy_assess_def, width, 0.3f, 0, 1e3f, "m", "half the body's width"),
    PLOY_FIELD_F32(ploy_assess_def, height, 1.8f, 0, 1e3f, "m", "of the body"),
    PLOY_FIELD_F32(ploy_assess_def, eye, 1.6f, 0, 1e3f, "m", "height of the eye"),
    PLOY_FIELD_F32(ploy_assess_def, range, 30, 1e-2f, 1e5f, "m", "the farthest view that counts"),
};

typedef struct assess_sum {
    ploy_vec3 position;
    int32_t valid[PLOY_ASSESS_SECTORS_MAX], blocked[PLOY_ASSESS_SECTORS_MAX];
    int32_t views[PLOY_ASSESS_SECTORS_MAX];
    float seen[PLOY_ASSESS_SECTORS_MAX]; // m
    float light;                         // brightest
    int32_t lights;
} assess_sum;

struct ploy_assess {
    ploy_env env;
    ploy_assess_def def;
    ploy_assess_world world;
    ploy_rng_key key;
    bool begun;
    int64_t cursor; // samples done
    ploy_array sums;
};

ploy_fields ploy_assess_fields(void) {
    return PLOY_FIELDS(ploy_assess_def, assess_fields);
}

ploy_assess_def ploy_assess_def_default(void) {
    ploy_assess_def def;
    ploy_fields_default(ploy_assess_fields(), &def);
    return def;
}

ploy_result ploy_assess_create(const ploy_assess_def *def, const ploy_env *env, ploy_assess **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_assess_fields(), def, env);
    if (result != PLOY_OK) return result;
    float sine, cosine;
    ploy_sincosf(def->angle, &sine, &cosine);
    if (def->jitter > 0.0f && !(def->jitter < def->radius * sine)) {
        ploy_env_log(env, PLOY_SEVERITY_ERROR,
                     "assess: jitter must be below radius * sin(angle), or directions overlap");
        return PLOY_ERR_ARGUMENT;
    }
    ploy_assess *assess = ploy_env_alloc_zero(env, sizeof *assess);
    if (assess == NULL) return PLOY_ERR_MEMORY;
    assess->env = *env;
    assess->def = *def;
    ploy_array_init(&assess->sums, sizeof(assess_sum), env);
    *out = assess;
    return PLOY_OK;
}

void ploy_assess_destroy(ploy_assess *assess) {
    if (assess == NULL) return;
    ploy_env env = assess->env;
    ploy_array_fini(&assess->sums);
    ploy_env_free(&env, assess, sizeof *assess);
}

float ploy_assess_light(const ploy_scene *scene, uint32_t mask, const ploy_assess_lamp *lamps,
                        int32_t count, ploy_vec3 at) {
    float brightest = 0.0f;
    for (int32_t i = 0; i < count; i++) {
        if (!(lamps[i].reach > 0.0f)) continue;
        float light = 1.0f - ploy_vec3_distance(lamps[i].position, at) / lamps[i].reach;
        if (!(light > brightest)) continue; // also saves the ray
        if (!ploy_scene_ray(scene, lamps[i].position, at, mask, NULL)) brightest = light;
    }
    return brightest;
}

static int64_t assess_per_point(const ploy_assess *assess) {
    const ploy_assess_world *world = &assess->world;
    return (int64_t)assess->def.rays + assess->def.views +
           (world->light != NULL ? assess->def.lights : 0);
}

static ploy_result assess_start(ploy_assess *assess, int32_t count, const ploy_assess_world *world,
                                ploy_rng_key key) {
    bool origins = world != NULL && (world->origin_count >= 0) &&
                   (world->origin_count == 0 || world->origins != NULL);
    assess->begun = false;
    if (!origins || count < 0) return PLOY_ERR_ARGUMENT;
    ploy_array_clear(&assess->sums);
    ploy_result result = ploy_array_resize(&assess->sums, count);
    if (result != PLOY_OK) return result;
    if (count > 0) memset(assess->sums.items, 0, (size_t)count * sizeof(assess_sum));
    assess->world = *world;
    assess->key = key;
    assess->cursor = 0;
    return PLOY_OK;
}

ploy_result ploy_assess_begin(ploy_assess *assess, const ploy_vec3 *positions, int32_t count,
                              const ploy_assess_world *world, ploy_rng_key key) {
    if (assess == NULL || (positions == NULL && count > 0)) return PLOY_ERR_ARGUMENT;
    for (int32_t i = 0; i < count; i++) {
        if (!ploy_vec3_is_finite(positions[i])) return PLOY_ERR_ARGUMENT;
    }
    ploy_result result = assess_start(assess, count, world, key);
    if (result != PLOY_OK) return result;
    assess_sum *sums = PLOY_ARRAY_ITEMS(&assess->sums, assess_sum);
    for (int32_t i = 0; i < count; i++) sums[i].position = positions[i];
    assess->begun = true;
    return PLOY_OK;
}

ploy_result ploy_assess_begin_points(ploy_assess *assess, const ploy_tactical_points *points,
                                     const ploy_assess_world *world, ploy_rng_key key) {
    if (assess == NULL || points == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = assess_start(assess, ploy_tactical_points_count(points), world, key);
    if (result != PLOY_OK) return result;
    assess_sum *sums = PLOY_ARRAY_ITEMS(&assess->sums, assess_sum);
    uint32_t cursor = 0;
    ploy_tactical_id id;
    ploy_tactical_point point;
    for (int32_t i = 0; ploy_tactical_points_next(points, &cursor, &id); i++) {
        (void)ploy_tactical_points_get(points, id, &point);
        sums[i].position = point.position;
    }
    assess->begun = true;
    return PLOY_OK;
}

// ---- samples

static int32_t assess_sector(const ploy_assess *assess, float dx, float dy) {
    int32_t sectors = assess->def.sectors;
    float width = 2.0f * PLOY_PI_F / (float)sectors;
    int32_t sector = (int32_t)floorf(ploy_atan2f(dy, dx) / width + 0.5f);
    return ((sector % sectors) + sectors) % sectors;
}

static ploy_vec3 assess_body(const ploy_assess *assess, ploy_vec3 at, ploy_rng *rng) {
    float x = ploy_rng_binomial(rng) * assess->def.width;
    float y = ploy_rng_binomial(rng) * assess->def.width;
    float z = ploy_rng_float(rng) * assess->def.height;
    return ploy_vec3_add(at, ploy_vec3_make(x, y, z));
}

static void assess_attack(const ploy_assess *assess, assess_sum *sum, int32_t sample,
                          ploy_rng *rng) {
    const ploy_assess_def *def = &assess->def;
    const ploy_assess_world *world = &assess->world;
    ploy_vec3 from = sum->position;
    if (world->origins != NULL && world->origin_count > 0) {
        from = world->origins[sample % world->origin_count];
        if (!(ploy_vec3_distance(from, sum->position) <= def->range)) return;
    } else {
        float sine, cosine;
        ploy_sincosf((float)sample * def->angle, &sine, &cosine);
        from.x += def->radius * cosine;
        from.y += def->radius * sine;
    }
    float x = ploy_rng_binomial(rng) * def->jitter;
    float y = ploy_rng_binomial(rng) * def->jitter;
    float z = ploy_rng_float(rng) * 2.0f * def->jitter;
    from = ploy_vec3_add(from, ploy_vec3_make(x, y, z));
    ploy_vec3 to = assess_body(assess, sum->position, rng);
    if (world->same_room != NULL && !world->same_room(world->user, from, sum->position)) return;
    int32_t sector = assess_sector(assess, from.x - sum->position.x, from.y - sum->position.y);
    sum->valid[sector]++;
    if (ploy_scene_ray(&world->scene, from, to, world->mask, NULL)) sum->blocked[sector]++;
}

static void assess_view(const ploy_assess *assess, assess_sum *sum, int32_t sample) {
    const ploy_assess_def *def = &assess->def;
    float sine, cosine;
    ploy_sincosf((float)sample * (2.0f * PLOY_PI_F / (float)def->views), &sine, &cosine);
    ploy_vec3 eye = ploy_vec3_add(sum->position, ploy_vec3_make(0, 0, def->eye));
    ploy_vec3 to = ploy_vec3_add_scaled(eye, ploy_vec3_make(cosine, sine, 0), def->range);
    ploy_scene_hit hit;
    bool met = ploy_scene_ray(&assess->world.scene, eye, to, assess->world.mask, &hit);
    int32_t sector = assess_sector(assess, cosine, sine);
    sum->views[sector]++;
    sum->seen[sector] += met ? ploy_clampf(hit.distance, 0.0f, def->range) : def->range;
}

static void assess_sample(const ploy_assess *assess, int32_t point, assess_sum *sum,
                          int32_t sample) {
    const ploy_assess_def *def = &assess->def;
    uint64_t number = (uint64_t)point << 32 | (uint64_t)sample;
    if (sample < def->rays) {
        ploy_rng rng = ploy_rng_from_key(assess->key, number);
        assess_attack(assess, sum, sample, &rng);
    } else if (sample < def->rays + def->views) {
        assess_view(assess, sum, sample - def->rays);
    } else {
        ploy_rng rng = ploy_rng_from_key(assess->key, number);
        ploy_vec3 at = assess_body(assess, sum->position, &rng);
        float light = ploy_clampf(assess->world.light(assess->world.user, at), 0.0f, 1.0f);
        if (light > sum->light) sum->light = light;
        sum->lights++;
    }
}

typedef struct assess_slice {
    ploy_assess *assess;
    int64_t begin, end, per_point;
} assess_slice;

static void assess_run(void *arg, int32_t first, int32_t count, int32_t worker) {
    const assess_slice *slice = arg;
    (void)worker;
    int64_t point = slice->begin / slice->per_point + first;
    for (int64_t end = point + count; point < end; point++) {
        int64_t base = point * slice->per_point;
        int64_t from = slice->begin > base ? slice->begin - base : 0;
        int64_t to = slice->end < base + slice->per_point ? slice->end - base : slice->per_point;
        assess_sum *sum = &PLOY_ARRAY_ITEMS(&slice->assess->sums, assess_sum)[point];
        for (int64_t s = from; s < to; s++) {
            assess_sample(slice->assess, (int32_t)point, sum, (int32_t)s);
        }
    }
}

int64_t ploy_assess_done(const ploy_assess *assess, int64_t *total) {
    if (total != NULL) *total = assess->sums.count * assess_per_point(assess);
    return assess->cursor;
}

ploy_result ploy_assess_step(ploy_assess *assess, ploy_budget *budget, const ploy_jobs *jobs) {
    if (assess == NULL || !assess->begun) return PLOY_ERR_STATE;
    int64_t total = 0;
    (void)ploy_assess_done(assess, &total);
    while (assess->cursor < total) {
        int64_t units = total - assess->cursor;
        if (units > ASSESS_CHUNK) units = ASSESS_CHUNK;
        if (budget != NULL && units > budget->units) units = budget->units;
        if (units <= 0 || (budget != NULL && !ploy_budget_spend(budget, units))) {
            return PLOY_IN_PROGRESS;
        }
        int64_t per_point = assess_per_point(assess);
        assess_slice slice = {assess, assess->cursor, assess->cursor + units, per_point};
        int64_t points = (slice.end - 1) / per_point - slice.begin / per_point + 1;
        ploy_jobs_run(jobs, assess_run, &slice, (int32_t)points, ASSESS_GRAIN);
        assess->cursor = slice.end;
    }
    return PLOY_OK;
}

void ploy_assess_cancel(ploy_assess *assess) {
    assess->begun = false;
    assess->cursor = 0;
    ploy_array_clear(&assess->sums);
}

// ---- results

static float assess_share(float part, int32_t count, float whole) {
    return count > 0 ? part / ((float)count * whole) : NAN;
}

bool ploy_assess_result(const ploy_assess *assess, int32_t index, ploy_assessment *out) {
    const assess_sum *sum = PLOY_ARRAY_AT(&assess->sums, assess_sum, index);
    if (sum == NULL) return false;
    int32_t views = 0;
    float seen = 0.0f, range = assess->def.range;
    memset(out, 0, sizeof *out);
    for (int32_t s = 0; s < PLOY_ASSESS_SECTORS_MAX; s++) {
        out->valid += sum->valid[s];
        out->blocked += sum->blocked[s];
        views += sum->views[s];
        seen += sum->seen[s];
        out->cover_of[s] = assess_share((float)sum->blocked[s], sum->valid[s], 1.0f);
        out->visibility_of[s] = assess_share(sum->seen[s], sum->views[s], range);
    }
    out->cover = assess_share((float)out->blocked, out->valid, 1.0f);
    out->visibility = assess_share(seen, views, range);
    out->shadow = sum->lights > 0 ? 1.0f - sum->light : NAN;
    return true;
}

static ploy_result assess_store_states(const ploy_assess *assess, const ploy_assessment *found,
                                       ploy_tactical_points *points,
                                       const ploy_tactical_points_def *def, ploy_tactical_id id) {
    ploy_result result = PLOY_OK;
    for (int32_t s = 0; s < assess->def.sectors && result == PLOY_OK; s++) {
        if (isnan(found->cover_of[s])) continue;
        for (int32_t p = 0; p < def->postures && result == PLOY_OK; p++) {
            for (int32_t w = 0; w < def->weapons && result == PLOY_OK; w++) {
                result = ploy_tactical_points_set_state(points, id, PLOY_TACTICAL_COVER, s, p, w,
                                                        found->cover_of[s]);
            }
        }
    }
    return result;
}

ploy_result ploy_assess_store(const ploy_assess *assess, ploy_tactical_points *points) {
    if (assess == NULL || points == NULL) return PLOY_ERR_ARGUMENT;
    int64_t total = 0;
    if (!assess->begun || ploy_assess_done(assess, &total) != total) return PLOY_ERR_STATE;
    uint32_t cursor = 0;
    ploy_tactical_id id;
    ploy_tactical_point point;
    const assess_sum *sums = PLOY_ARRAY_ITEMS(&assess->sums, assess_sum);
    if (ploy_tactical_points_count(points) != assess->sums.count) return PLOY_ERR_CHANGED;
    for (int32_t i = 0; ploy_tactical_points_next(points, &cursor, &id); i++) {
        (void)ploy_tactical_points_get(points, id, &point);
        if (!ploy_vec3_equal(point.position, sums[i].position)) return PLOY_ERR_CHANGED;
    }
    ploy_tactical_points_def def = points->def;
    ploy_result result = PLOY_OK;
    cursor = 0;
    for (int32_t i = 0; result == PLOY_OK && ploy_tactical_points_next(points, &cursor, &id); i++) {
        ploy_assessment found;
        (void)ploy_assess_result(assess, i, &found);
        (void)ploy_tactical_points_set_value(points, id, PLOY_TACTICAL_COVER, found.cover);
        (void)ploy_tactical_points_set_value(points, id, PLOY_TACTICAL_EXPOSED, 1.0f - found.cover);
        (void)ploy_tactical_points_set_value(points, id, PLOY_TACTICAL_RECON, found.visibility);
        (void)ploy_tactical_points_set_value(points, id, PLOY_TACTICAL_SHADOW, found.shadow);
        if (def.sectors == assess->def.sectors) {
            result = assess_store_states(assess, &found, points, &def, id);
        }
    }
    return result;
}

// ---- state

static void assess_visit_sum(ploy_visit *v, const ploy_assess *assess, assess_sum *sum) {
    ploy_visit_vec3(v, "position", PLOY_STATE, &sum->position.x, &sum->position.y,
                    &sum->position.z);
    int32_t sectors = ploy_visit_fixed(v, "sectors", PLOY_STATE, assess->def.sectors);
    for (int32_t s = 0; s < sectors; s++) {
        ploy_visit_begin_item(v, s, PLOY_STATE);
        ploy_visit_i32_in(v, "valid", PLOY_STATE, &sum->valid[s], 0, INT32_MAX);
        ploy_visit_i32_in(v, "blocked", PLOY_STATE, &sum->blocked[s], 0, INT32_MAX);
        ploy_visit_i32_in(v, "views", PLOY_STATE, &sum->views[s], 0, INT32_MAX);
        ploy_visit_f32_in(v, "seen", PLOY_STATE, &sum->seen[s], 0.0f, 1e12f);
        ploy_visit_end(v);
    }
    ploy_visit_end(v);
    size_t rest = (size_t)(PLOY_ASSESS_SECTORS_MAX - assess->def.sectors) * 4;
    ploy_visit_scratch(v, sum->valid + assess->def.sectors, rest);
    ploy_visit_scratch(v, sum->blocked + assess->def.sectors, rest);
    ploy_visit_scratch(v, sum->views + assess->def.sectors, rest);
    ploy_visit_scratch(v, sum->seen + assess->def.sectors, rest);
    ploy_visit_f32_in(v, "light", PLOY_STATE, &sum->light, 0.0f, 1.0f);
    ploy_visit_i32_in(v, "lights", PLOY_STATE, &sum->lights, 0, INT32_MAX);
}

void ploy_assess_visit(ploy_visit *v, void *object) {
    ploy_assess *assess = object;
    ploy_visit_object(v, "assess", assess, sizeof *assess);
    PLOY_VISIT_SCRATCH(v, assess->env);
    PLOY_VISIT_SCRATCH(v, assess->def);
    PLOY_VISIT_SCRATCH(v, assess->world);
    PLOY_VISIT_SCRATCH(v, assess->begun); // of the caller's begin, as the world is
    ploy_visit_hex64(v, "key", PLOY_STATE, &assess->key.bits);
    int64_t total = 0;
    (void)ploy_assess_done(assess, &total);
    ploy_describe_i64(v->describe, "total", PLOY_DERIVED, total);
    ploy_visit_i64_in(v, "done", PLOY_STATE, &assess->cursor, 0, total);
    ploy_value count = ploy_value_i64(assess->sums.count);
    ploy_visit_same(v, "count", PLOY_SAVED, &count);
    int32_t points = ploy_visit_array(v, "points", PLOY_STATE, &assess->sums, assess->sums.count);
    for (int32_t i = 0; i < points; i++) {
        ploy_visit_begin_item(v, i, PLOY_STATE);
        assess_visit_sum(v, assess, PLOY_ARRAY_AT(&assess->sums, assess_sum, i));
        ploy_visit_end(v);
    }
    ploy_visit_end(v);
}

void ploy_assess_describe(const ploy_assess *assess, ploy_describe *out) {
    if (assess != NULL) ploy_visit_describe(ploy_assess_visit, assess, NULL, out);
}

void ploy_assess_memory(const ploy_assess *assess, ploy_memory_fn fn, void *user) {
    ploy_visit_memory(ploy_assess_visit, assess, fn, user);
}
