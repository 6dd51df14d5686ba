// Plants: what all methods of growing share; see the header.
#include "ploy/generate/plant.h"

#include "generate/generate_internal.h"
#include "generate/plant_internal.h"
#include "ploy/base/hash.h"
#include "ploy/base/math.h"
#include "ploy/generate/phyllotaxis.h"

void ployi_plant_init(ploy_plant *plant, bool flat, float curve, const ploy_env *env) {
    plant->env = *env;
    plant->flat = flat;
    plant->curve = curve;
    ploy_array_init(&plant->branches, sizeof(ploy_plant_branch), env);
    ploy_array_init(&plant->leaves, sizeof(ploy_plant_leaf), env);
}

void ployi_plant_fini(ploy_plant *plant) {
    ploy_array_fini(&plant->branches);
    ploy_array_fini(&plant->leaves);
}

ploy_quat ployi_plant_upright(bool flat) {
    // A quarter turn: about z it leaves the plane's x for y, about y it leaves x for z.
    const float half = 0.70710678f;
    return flat ? ploy_quat_make(half, 0.0f, 0.0f, half) : ploy_quat_make(half, 0.0f, -half, 0.0f);
}

ploy_quat ployi_plant_turn(ploy_quat orientation, float roll, float bend) {
    ploy_quat rolled = ploy_quat_multiply(
        orientation, ploy_quat_from_axis_angle(ploy_vec3_make(1.0f, 0.0f, 0.0f), roll));
    ploy_quat bent = ploy_quat_from_axis_angle(ploy_vec3_make(0.0f, 0.0f, 1.0f), bend);
    return ploy_quat_normalise(ploy_quat_multiply(rolled, bent));
}

void ployi_plant_thicken(ploy_plant *plant, float tip_radius, float exponent) {
    ploy_plant_branch *branches = plant->branches.items;
    // radius gathers the sum of powers, tip_radius the thickest child, until a branch's turn comes:
    // children have larger indices.
    for (int32_t i = 0; i < plant->branches.count; i++) {
        branches[i].radius = branches[i].tip_radius = 0.0f;
    }
    for (int32_t i = plant->branches.count - 1; i >= 0; i--) {
        ploy_plant_branch *branch = &branches[i];
        bool tip = branch->radius == 0.0f;
        branch->radius = tip ? tip_radius : ploy_powf(branch->radius, 1.0f / exponent);
        if (tip) branch->tip_radius = 0.5f * tip_radius;
        if (branch->parent < 0) continue;
        ploy_plant_branch *parent = &branches[branch->parent];
        parent->radius += ploy_powf(branch->radius, exponent);
        parent->tip_radius = ploy_maxf(parent->tip_radius, branch->radius);
    }
}

ploy_result ployi_plant_add_leaves(ploy_plant *plant, int32_t count, float size, float angle,
                                   float jitter, ploy_rng_key key) {
    const ploy_plant_branch *branches = plant->branches.items;
    float turn = (float)ploy_phyllotaxis_turn(ploy_metallic_mean(1));
    for (int32_t i = 0; i < plant->branches.count; i++) {
        if (branches[i].rule >= 0) continue;
        for (int32_t k = 0; k < count; k++) {
            ploy_plant_leaf leaf;
            float t = (float)(k + 1) / (float)count;
            float random = ploy_rng_range_at(key, (uint32_t)i, (uint64_t)k, 0, -jitter, jitter);
            // On the plane leaves alternate; in space each is turned by the golden angle.
            float roll = plant->flat ? 0.0f : (float)k * turn + random;
            float bend = plant->flat ? (k % 2 == 0 ? angle : -angle) + random : angle;
            ploy_quat orientation = ployi_plant_turn(branches[i].orientation, roll, bend);
            leaf.position = ploy_plant_curve(plant, i, t);
            leaf.direction = ploy_quat_forward(orientation);
            leaf.size = size;
            leaf.branch = i;
            ploy_result result = ploy_array_push(&plant->leaves, &leaf);
            if (result != PLOY_OK) return result;
        }
    }
    return PLOY_OK;
}

const ploy_plant_branch *ploy_plant_branches(const ploy_plant *plant, int32_t *count) {
    *count = plant->branches.count;
    return plant->branches.items;
}

const ploy_plant_leaf *ploy_plant_leaves(const ploy_plant *plant, int32_t *count) {
    *count = plant->leaves.count;
    return plant->leaves.items;
}

bool ploy_plant_flat(const ploy_plant *plant) {
    return plant->flat;
}

ploy_vec3 ploy_plant_end(const ploy_plant_branch *branch) {
    return ploy_vec3_add_scaled(branch->position, ploy_quat_forward(branch->orientation),
                                branch->length);
}

ploy_vec3 ploy_plant_curve(const ploy_plant *plant, int32_t branch, float t) {
    if (branch < 0 || branch >= plant->branches.count) return ploy_vec3_make(0.0f, 0.0f, 0.0f);
    const ploy_plant_branch *items = plant->branches.items, *b = &items[branch];
    ploy_vec3 along = ploy_quat_forward(b->orientation);
    ploy_vec3 point = ploy_vec3_add_scaled(b->position, along, b->length * t);
    if (plant->curve == 0.0f) return point;
    // A bow between the same two ends, away from up, so that the branch leaves its parent level and
    // turns upward. An upright branch stays straight.
    ploy_vec3 up =
        plant->flat ? ploy_vec3_make(0.0f, 1.0f, 0.0f) : ploy_vec3_make(0.0f, 0.0f, 1.0f);
    ploy_vec3 side = ploy_vec3_add_scaled(up, along, -ploy_vec3_dot(up, along));
    return ploy_vec3_add_scaled(point, side, -plant->curve * b->length * t * (1.0f - t));
}

// ---- sight

static uint64_t plant_hash(const ploy_plant *plant) {
    uint64_t hash = 0;
    const ploy_plant_branch *branches = plant->branches.items;
    for (int32_t i = 0; i < plant->branches.count; i++) {
        const ploy_plant_branch *b = &branches[i];
        const float values[] = {b->position.x,    b->position.y,    b->position.z,
                                b->orientation.w, b->orientation.x, b->orientation.y,
                                b->orientation.z, b->length,        b->radius};
        for (size_t k = 0; k < sizeof values / sizeof values[0]; k++) {
            hash = ploy_hash_combine(hash, ployi_generate_bits(values[k]));
        }
        hash = ploy_hash_combine(hash, (uint64_t)(uint32_t)b->parent);
        hash = ploy_hash_combine(hash, (uint64_t)(uint32_t)b->rule);
    }
    const ploy_plant_leaf *leaves = plant->leaves.items;
    for (int32_t i = 0; i < plant->leaves.count; i++) {
        hash = ploy_hash_combine(hash, ployi_generate_bits(leaves[i].position.x));
        hash = ploy_hash_combine(hash, ployi_generate_bits(leaves[i].position.y));
        hash = ploy_hash_combine(hash, ployi_generate_bits(leaves[i].direction.x));
    }
    return hash;
}

void ploy_plant_describe(const ploy_plant *plant, ploy_describe *out) {
    double length = 0.0;
    int32_t tips = 0, levels = 0;
    const ploy_plant_branch *branches = plant->branches.items;
    for (int32_t i = 0; i < plant->branches.count; i++) {
        length += (double)branches[i].length;
        tips += branches[i].rule < 0;
        levels = ploy_maxi(levels, branches[i].level + 1);
    }
    ploy_describe_i64(out, "branches", PLOY_STATE, plant->branches.count);
    ploy_describe_i64(out, "leaves", PLOY_STATE, plant->leaves.count);
    ploy_describe_u64(out, "hash", PLOY_STATE, plant_hash(plant));
    ploy_describe_i64(out, "tips", PLOY_DERIVED, tips);
    ploy_describe_i64(out, "levels", PLOY_DERIVED, levels);
    ploy_describe_f64(out, "length", PLOY_DERIVED, length);
}

static ploy_vec2 plant_flatten(const ploy_plant *plant, ploy_vec3 point) {
    return plant->flat ? ploy_vec2_make(point.x, point.y) : ploy_vec2_make(point.x, point.z);
}

ploy_box2 ployi_plant_area(const ploy_plant *plant) {
    ploy_box2 box = ploy_box2_empty();
    const ploy_plant_branch *branches = plant->branches.items;
    for (int32_t i = 0; i < plant->branches.count; i++) {
        ploy_vec2 ends[2] = {plant_flatten(plant, branches[i].position),
                             plant_flatten(plant, ploy_plant_end(&branches[i]))};
        box = ploy_box2_merge(box, ploy_box2_around(ends, 2));
    }
    return box;
}

// A branch as a filled outline: seen from the side, as thick as it is.
static void plant_draw_branch(const ploy_plant *plant, int32_t index, ploy_draw *out) {
    enum { STEPS = 4 };
    const ploy_plant_branch *items = plant->branches.items, *b = &items[index];
    ploy_vec2 outline[2 * (STEPS + 1)];
    ploy_vec2 from = plant_flatten(plant, ploy_plant_curve(plant, index, 0.0f));
    ploy_vec2 to = plant_flatten(plant, ploy_plant_curve(plant, index, 1.0f));
    ploy_vec2 along = ploy_vec2_sub(to, from);
    float length = ploy_vec2_length(along);
    ploy_draw_line(out, PLOY_LAYER_WORLD, PLOY_STYLE_PLAIN, ploy_agent_id_none(), from, to);
    if (!(length > 0.0f)) return;
    ploy_vec2 side = {-along.y / length, along.x / length};
    for (int32_t i = 0; i <= STEPS; i++) {
        float t = (float)i / (float)STEPS;
        ploy_vec2 middle = plant_flatten(plant, ploy_plant_curve(plant, index, t));
        float radius = ploy_lerpf(b->radius, b->tip_radius, t);
        outline[i] = ploy_vec2_add(middle, ploy_vec2_scale(side, -radius));
        outline[2 * STEPS + 1 - i] = ploy_vec2_add(middle, ploy_vec2_scale(side, radius));
    }
    ploy_draw_polygon(out, PLOY_LAYER_WORLD, PLOY_STYLE_PLAIN, ploy_agent_id_none(), outline,
                      2 * (STEPS + 1), 1.0f);
}

void ploy_plant_draw(const ploy_plant *plant, ploy_draw *out) {
    ploy_draw_key(out, PLOY_STYLE_PLAIN, "branches");
    ploy_draw_key(out, PLOY_STYLE_GOOD, "leaves");
    for (int32_t i = 0; i < plant->branches.count; i++) plant_draw_branch(plant, i, out);
    const ploy_plant_leaf *leaves = plant->leaves.items;
    for (int32_t i = 0; i < plant->leaves.count; i++) {
        const ploy_plant_leaf *leaf = &leaves[i];
        ploy_vec2 from = plant_flatten(plant, leaf->position);
        ploy_vec3 point = ploy_vec3_add_scaled(leaf->position, leaf->direction, leaf->size);
        ploy_vec2 to = plant_flatten(plant, point), along = ploy_vec2_sub(to, from);
        ploy_vec2 middle = ploy_vec2_add(from, ploy_vec2_scale(along, 0.4f));
        // A leaf seen edge on is as wide as one seen from above: pictures show them all.
        float length = ploy_maxf(ploy_vec2_length(along), 1e-9f);
        ploy_vec2 side =
            ploy_vec2_scale(ploy_vec2_make(-along.y, along.x), 0.3f * leaf->size / length);
        ploy_vec2 corners[4] = {from, ploy_vec2_sub(middle, side), to, ploy_vec2_add(middle, side)};
        ploy_draw_polygon(out, PLOY_LAYER_REGIONS, PLOY_STYLE_GOOD, ploy_agent_id_none(), corners,
                          4, 0.8f);
    }
}

void ploy_plant_memory(const ploy_plant *plant, ploy_memory_fn fn, void *user) {
    ploy_array_memory(&plant->branches, fn, user);
    ploy_array_memory(&plant->leaves, fn, user);
}
