// Growth of plants by rules on branches; see plant.h.
//
// A branch waits in `waiting` until it is taken, joins the plant, and its rule adds its children.
// Breadth first takes from the front, which moves along the array and is closed up now and then;
// depth first takes from the back. Every waiting branch has its own key.
#include <float.h>
#include <string.h>

#include "generate/generate_internal.h"
#include "generate/plant_internal.h"
#include "ploy/base/math.h"
#include "ploy/geom/angle.h"

static const char *const growth_orders[] = {"breadth", "depth"};
static const char *const growth_choices[] = {"first", "weighted"};
static const char *const growth_presets[PLOY_GROWTH_PRESETS] = {
    "even", "uneven", "random", "upright", "tree", "fir", "bush"};

static const ploy_field growth_fields[] = {
    PLOY_FIELD_ENUM(ploy_growth_def, preset, PLOY_GROWTH_TREE, growth_presets, "kind of plant"),
    PLOY_FIELD_ENUM(ploy_growth_def, order, PLOY_GROWTH_BREADTH, growth_orders,
                    "which branch is taken next"),
    PLOY_FIELD_ENUM(ploy_growth_def, choice, PLOY_GROWTH_WEIGHTED, growth_choices,
                    "which of several rules is taken"),
    PLOY_FIELD_F32(ploy_growth_def, length, 1, 1e-3f, 1e3f, "m", "length of the root"),
    PLOY_FIELD_F32(ploy_growth_def, min_length, 0.1f, 0, 1e3f, "m", "shorter branches are tips"),
    PLOY_FIELD_I32(ploy_growth_def, max_level, 12, 0, 64, "", "branches of this level are tips"),
    PLOY_FIELD_I32(ploy_growth_def, max_branches, 20000, 1, 1 << 22, "", "then the plant ends"),
    PLOY_FIELD_BOOL(ploy_growth_def, space, false, "grows in space; some presets always do"),
    PLOY_FIELD_F32(ploy_growth_def, curve, 0.3f, -4, 4, "", "how much branches bow upward"),
    PLOY_FIELD_F32(ploy_growth_def, twig_radius, 0.006f, 1e-4f, 10, "m", "radius of a tip"),
    PLOY_FIELD_F32(ploy_growth_def, thickening, 2.2f, 1, 10, "",
                   "exponent with which radii add up; 2 keeps the cross-section"),
    PLOY_FIELD_I32(ploy_growth_def, leaves, 5, 0, 100, "", "leaves on every tip"),
    PLOY_FIELD_F32(ploy_growth_def, leaf_size, 0.08f, 1e-3f, 10, "m", "length of a leaf"),
    PLOY_FIELD_F32(ploy_growth_def, leaf_angle, 0.9f, 0, 3.1415927f, "rad",
                   "between leaf and branch"),
    PLOY_FIELD_F32(ploy_growth_def, leaf_jitter, 0.1f, 0, 3.1415927f, "rad",
                   "largest random turn of a leaf"),
};

ploy_fields ploy_growth_fields(void) {
    return PLOY_FIELDS(ploy_growth_def, growth_fields);
}

ploy_growth_def ploy_growth_def_default(void) {
    ploy_growth_def def;
    ploy_fields_default(ploy_growth_fields(), &def);
    return def;
}

// ---- rules

ploy_growth_rule ploy_growth_rule_make(const ploy_growth_child *children, int32_t count) {
    ploy_growth_rule rule = {0,    INT32_MAX, 0.0f,  FLT_MAX, -PLOY_PI_F, PLOY_PI_F,
                             1.0f, children,  count, NULL,    NULL};
    return rule;
}

#define GROWTH_DEGREES(d) ((d)*0.017453292519943295f)
#define GROWTH_CHILD(a0, a1, r0, r1, l0, l1) \
    { GROWTH_DEGREES(a0), GROWTH_DEGREES(a1), GROWTH_DEGREES(r0), GROWTH_DEGREES(r1), l0, l1 }
#define GROWTH_RULE(level0, level1, lean0, lean1, weight, children)                          \
    {                                                                                        \
        level0, level1, 0.0f, FLT_MAX, GROWTH_DEGREES(lean0), GROWTH_DEGREES(lean1), weight, \
            children, (int32_t)(sizeof(children) / sizeof((children)[0])), NULL, NULL        \
    }

static const ploy_growth_child growth_even[] = {
    GROWTH_CHILD(-50, -50, 0, 0, 2.0f / 3.0f, 2.0f / 3.0f),
    GROWTH_CHILD(50, 50, 0, 0, 2.0f / 3.0f, 2.0f / 3.0f),
};
static const ploy_growth_child growth_uneven[] = {
    GROWTH_CHILD(-25, -25, 0, 0, 2.0f / 3.0f, 2.0f / 3.0f),
    GROWTH_CHILD(55, 55, 0, 0, 0.5f, 0.5f),
};
static const ploy_growth_child growth_uneven_mirrored[] = {
    GROWTH_CHILD(25, 25, 0, 0, 2.0f / 3.0f, 2.0f / 3.0f),
    GROWTH_CHILD(-55, -55, 0, 0, 0.5f, 0.5f),
};
static const ploy_growth_child growth_random[] = {
    GROWTH_CHILD(-55, -25, 0, 0, 0.4f, 0.8f),
    GROWTH_CHILD(25, 55, 0, 0, 0.4f, 0.8f),
};
static const ploy_growth_child growth_trunk[] = {
    GROWTH_CHILD(0, 12, 0, 360, 0.7f, 0.85f),
    GROWTH_CHILD(35, 55, 0, 60, 0.6f, 0.75f),
    GROWTH_CHILD(35, 55, 120, 180, 0.6f, 0.75f),
    GROWTH_CHILD(35, 55, 240, 300, 0.6f, 0.75f),
};
static const ploy_growth_child growth_bough[] = {
    GROWTH_CHILD(5, 20, 0, 360, 0.65f, 0.8f),
    GROWTH_CHILD(30, 50, 0, 90, 0.5f, 0.7f),
    GROWTH_CHILD(30, 50, 180, 270, 0.5f, 0.7f),
};
static const ploy_growth_child growth_fork[] = {
    GROWTH_CHILD(15, 35, 0, 180, 0.6f, 0.75f),
    GROWTH_CHILD(25, 45, 180, 360, 0.5f, 0.7f),
};
static const ploy_growth_child growth_twig[] = {
    GROWTH_CHILD(10, 40, 0, 360, 0.6f, 0.8f),
};
static const ploy_growth_child growth_leader[] = {
    GROWTH_CHILD(0, 3, 0, 360, 0.84f, 0.9f),    GROWTH_CHILD(80, 95, 0, 20, 0.5f, 0.6f),
    GROWTH_CHILD(80, 95, 72, 92, 0.5f, 0.6f),   GROWTH_CHILD(80, 95, 144, 164, 0.5f, 0.6f),
    GROWTH_CHILD(80, 95, 216, 236, 0.5f, 0.6f), GROWTH_CHILD(80, 95, 288, 308, 0.5f, 0.6f),
};
static const ploy_growth_child growth_needle[] = {
    GROWTH_CHILD(0, 6, 0, 360, 0.6f, 0.7f),
    GROWTH_CHILD(35, 45, 0, 0, 0.4f, 0.5f),
    GROWTH_CHILD(-45, -35, 0, 0, 0.4f, 0.5f),
};
static const ploy_growth_child growth_stems[] = {
    GROWTH_CHILD(5, 25, 0, 50, 1.2f, 1.8f),     GROWTH_CHILD(20, 50, 60, 110, 1.0f, 1.6f),
    GROWTH_CHILD(10, 30, 120, 170, 1.2f, 1.8f), GROWTH_CHILD(20, 50, 180, 230, 1.0f, 1.6f),
    GROWTH_CHILD(10, 30, 240, 290, 1.2f, 1.8f), GROWTH_CHILD(20, 50, 300, 350, 1.0f, 1.6f),
};

static const ploy_growth_rule growth_even_rules[] = {
    GROWTH_RULE(0, INT32_MAX, -180, 180, 1, growth_even)};
static const ploy_growth_rule growth_uneven_rules[] = {
    GROWTH_RULE(0, INT32_MAX, -180, 180, 1, growth_uneven)};
static const ploy_growth_rule growth_random_rules[] = {
    GROWTH_RULE(0, INT32_MAX, -180, 180, 1, growth_random)};
// A branch that leans to the left grows its longer child to the right, and the other way round.
static const ploy_growth_rule growth_upright_rules[] = {
    GROWTH_RULE(0, INT32_MAX, 0, 180, 1, growth_uneven),
    GROWTH_RULE(0, INT32_MAX, -180, 0, 1, growth_uneven_mirrored),
};
static const ploy_growth_rule growth_tree_rules[] = {
    GROWTH_RULE(0, 1, -180, 180, 1, growth_trunk),
    GROWTH_RULE(2, 3, -180, 180, 1, growth_bough),
    GROWTH_RULE(4, 12, -180, 180, 2, growth_fork),
    GROWTH_RULE(4, 12, -180, 180, 1, growth_twig),
};
static const ploy_growth_rule growth_fir_rules[] = {
    GROWTH_RULE(0, 12, 0, 25, 1, growth_leader),
    GROWTH_RULE(1, 12, 25, 180, 1, growth_needle),
};
static const ploy_growth_rule growth_bush_rules[] = {
    GROWTH_RULE(0, 0, -180, 180, 1, growth_stems),
    GROWTH_RULE(1, 12, -180, 180, 2, growth_fork),
    GROWTH_RULE(1, 12, -180, 180, 1, growth_bough),
};

#define GROWTH_RULES(array) \
    { array, (int32_t)(sizeof(array) / sizeof((array)[0])), NULL, NULL }

ploy_growth_rules ploy_growth_preset_rules(ploy_growth_preset preset) {
    static const ploy_growth_rules rules[PLOY_GROWTH_PRESETS] = {
        GROWTH_RULES(growth_even_rules),   GROWTH_RULES(growth_uneven_rules),
        GROWTH_RULES(growth_random_rules), GROWTH_RULES(growth_upright_rules),
        GROWTH_RULES(growth_tree_rules),   GROWTH_RULES(growth_fir_rules),
        GROWTH_RULES(growth_bush_rules),
    };
    return rules[(uint32_t)preset < PLOY_GROWTH_PRESETS ? preset : PLOY_GROWTH_EVEN];
}

// ---- growth

typedef struct growth_waiting {
    ploy_plant_branch branch;
    ploy_rng_key key;
} growth_waiting;

struct ploy_growth {
    ploy_env env;
    ploy_growth_def def;
    ploy_growth_rules rules;
    ploy_trace *trace;
    ploy_rng_key leaf_key;
    ploy_plant plant;
    ploy_array waiting; // growth_waiting
    int32_t front;      // of waiting, breadth first
    int32_t peak;
    ploy_generate_outcome outcome;
};

static bool growth_range_good(float min, float max) {
    return min <= max && ploy_is_finite(min) && ploy_is_finite(max); // false for NaN
}

static bool growth_rules_good(const ploy_growth_rules *rules, const ploy_env *env) {
    if (rules->count < 0 || (rules->count > 0 && rules->items == NULL)) return false;
    for (int32_t i = 0; i < rules->count; i++) {
        const ploy_growth_rule *rule = &rules->items[i];
        bool good = rule->weight >= 0.0f && ploy_is_finite(rule->weight) &&
                    rule->child_count >= 0 && (rule->child_count == 0 || rule->children != NULL);
        for (int32_t k = 0; good && k < rule->child_count; k++) {
            const ploy_growth_child *child = &rule->children[k];
            good = growth_range_good(child->angle_min, child->angle_max) &&
                   growth_range_good(child->roll_min, child->roll_max) &&
                   growth_range_good(child->length_min, child->length_max) &&
                   child->length_min >= 0.0f;
        }
        if (good) continue;
        ploy_env_log(env, PLOY_SEVERITY_ERROR,
                     "growth: a rule has a reversed range or a number that is not finite");
        return false;
    }
    return true;
}

static ploy_result growth_push(ploy_growth *growth, const growth_waiting *item) {
    ploy_result result = ploy_array_push(&growth->waiting, item);
    growth->peak = ploy_maxi(growth->peak, growth->waiting.count - growth->front);
    return result;
}

ploy_result ploy_growth_begin(const ploy_growth_def *def, ploy_rng_key key,
                              const ploy_growth_rules *rules, ploy_trace *trace,
                              const ploy_env *env, ploy_growth **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    ploy_result result = ploy_fields_check(ploy_growth_fields(), def, env);
    if (result != PLOY_OK) return result;
    if (rules != NULL && !growth_rules_good(rules, env)) return PLOY_ERR_ARGUMENT;
    ploy_growth *growth = ploy_env_alloc_zero(env, sizeof *growth);
    if (growth == NULL) return PLOY_ERR_MEMORY;
    growth->env = *env;
    growth->def = *def;
    growth->rules = rules != NULL ? *rules : ploy_growth_preset_rules(def->preset);
    growth->trace = trace;
    growth->leaf_key = ploy_generate_stream(key, "leaves");
    growth->outcome.limit = "";
    bool space = def->space || (rules == NULL && def->preset >= PLOY_GROWTH_TREE);
    ployi_plant_init(&growth->plant, !space, def->curve, env);
    ploy_array_init(&growth->waiting, sizeof(growth_waiting), env);
    growth_waiting root;
    memset(&root, 0, sizeof root);
    root.branch.orientation = ployi_plant_upright(!space);
    root.branch.length = def->length;
    root.branch.parent = root.branch.rule = -1;
    root.key = ploy_generate_stream(key, "branches");
    result = growth_push(growth, &root);
    if (result != PLOY_OK) {
        ploy_growth_cancel(growth);
        return result;
    }
    *out = growth;
    return PLOY_OK;
}

// Angle from up; on the plane above 0 to the left.
static float growth_lean(const ploy_plant *plant, const ploy_plant_branch *branch) {
    ploy_vec3 along = ploy_quat_forward(branch->orientation);
    if (plant->flat) return ploy_angle_wrap(ploy_atan2f(along.y, along.x) - PLOY_HALF_PI_F);
    return ploy_acosf(ploy_clampf(along.z, -1.0f, 1.0f));
}

static bool growth_matches(const ploy_growth_rule *rule, const ploy_plant_branch *branch,
                           float lean) {
    return branch->level >= rule->level_min && branch->level <= rule->level_max &&
           branch->length >= rule->length_min && branch->length < rule->length_max &&
           lean >= rule->lean_min && lean <= rule->lean_max &&
           (rule->matches == NULL || rule->matches(rule->user, branch));
}

// The rule for a branch; -1 if it is a tip.
static int32_t growth_choose(const ploy_growth *growth, const ploy_plant_branch *branch,
                             ploy_rng *rng) {
    if (branch->length < growth->def.min_length || branch->level >= growth->def.max_level)
        return -1;
    float lean = growth_lean(&growth->plant, branch), total = 0.0f;
    int32_t chosen = -1;
    for (int32_t i = 0; i < growth->rules.count; i++) {
        if (!growth_matches(&growth->rules.items[i], branch, lean)) continue;
        if (growth->def.choice == PLOY_GROWTH_FIRST) return i;
        // Reservoir: each rule replaces the one chosen before with its share of the weights so far.
        float weight = growth->rules.items[i].weight;
        total += weight;
        if (weight > 0.0f && ploy_rng_float(rng) * total < weight) chosen = i;
    }
    return chosen;
}

static growth_waiting growth_take(ploy_growth *growth) {
    growth_waiting *items = growth->waiting.items, taken;
    if (growth->def.order == PLOY_GROWTH_DEPTH) {
        ploy_array_pop(&growth->waiting, &taken);
        return taken;
    }
    taken = items[growth->front++];
    if (growth->front * 2 > growth->waiting.count) {
        int32_t left = growth->waiting.count - growth->front;
        memmove(items, items + growth->front, (size_t)left * sizeof *items);
        ploy_array_resize(&growth->waiting, left); // only shrinks
        growth->front = 0;
    }
    return taken;
}

static ploy_result growth_add_children(ploy_growth *growth, const growth_waiting *parent,
                                       int32_t parent_index) {
    const ploy_growth_rule *rule = &growth->rules.items[parent->branch.rule];
    // Depth first takes the last one first: pushed in reverse, children grow in the rule's order.
    bool reverse = growth->def.order == PLOY_GROWTH_DEPTH;
    for (int32_t i = 0; i < rule->child_count; i++) {
        int32_t index = reverse ? rule->child_count - 1 - i : i;
        const ploy_growth_child *child = &rule->children[index];
        // A stream for each child, so that the order of pushing does not matter.
        ploy_rng draws = ploy_rng_from_key(parent->key, (uint64_t)index + 1);
        float angle = ploy_rng_range(&draws, child->angle_min, child->angle_max);
        float roll = ploy_rng_range(&draws, child->roll_min, child->roll_max);
        float factor = ploy_rng_range(&draws, child->length_min, child->length_max);
        growth->outcome.draws += 3;
        growth_waiting next;
        memset(&next, 0, sizeof next);
        next.branch.position = ploy_plant_end(&parent->branch);
        next.branch.orientation = ployi_plant_turn(parent->branch.orientation, roll, angle);
        next.branch.length = parent->branch.length * factor;
        next.branch.parent = parent_index;
        next.branch.level = parent->branch.level + 1;
        next.branch.rule = -1;
        next.key = ploy_rng_key_split(parent->key, (uint64_t)index);
        ploy_result result = growth_push(growth, &next);
        if (result != PLOY_OK) return result;
    }
    return PLOY_OK;
}

static void growth_trace(const ploy_growth *growth, const ploy_plant_branch *branch,
                         const char *why) {
    if (growth->trace == NULL) return;
    ploy_trace_begin(growth->trace, ploy_agent_id_none(), "branch", "growth");
    ploy_trace_i64(growth->trace, "level", branch->level);
    ploy_trace_f32(growth->trace, "length", branch->length);
    ploy_trace_i64(growth->trace, "rule", branch->rule);
    if (why != NULL) ploy_trace_option(growth->trace, "branch", PLOY_OUTCOME_REJECTED, NAN, why);
    ploy_trace_end(growth->trace);
}

// Takes the next branch; sets outcome.limit to stop.
static ploy_result growth_one(ploy_growth *growth) {
    if (growth->plant.branches.count == growth->def.max_branches) {
        growth->outcome.limit = "max_branches";
        return PLOY_OK;
    }
    growth_waiting taken = growth_take(growth);
    growth->outcome.attempts++;
    if (growth->rules.check != NULL) {
        ploy_growth_check check =
            growth->rules.check(growth->rules.user, &growth->plant, &taken.branch);
        if (check != PLOY_GROWTH_GO_ON) {
            growth->outcome.rejected++;
            growth_trace(growth, &taken.branch, check == PLOY_GROWTH_STOP ? "stopped" : "pruned");
            if (check == PLOY_GROWTH_STOP) growth->outcome.limit = "check";
            return PLOY_OK;
        }
    }
    ploy_rng rng = ploy_rng_from_key(taken.key, 0);
    taken.branch.rule = growth_choose(growth, &taken.branch, &rng);
    growth->outcome.draws += ploy_generate_draws(&rng);
    // A rule without children makes a tip.
    bool tip = taken.branch.rule < 0 || growth->rules.items[taken.branch.rule].child_count == 0;
    if (tip) taken.branch.rule = -1;
    growth_trace(growth, &taken.branch, NULL);
    ploy_result result = ploy_array_push(&growth->plant.branches, &taken.branch);
    if (result != PLOY_OK || tip) return result;
    return growth_add_children(growth, &taken, growth->plant.branches.count - 1);
}

ploy_result ploy_growth_step(ploy_growth *growth, ploy_budget *budget) {
    if (growth == NULL) return PLOY_ERR_ARGUMENT;
    if (growth->outcome.done) return PLOY_OK;
    while (growth->waiting.count > growth->front && growth->outcome.limit[0] == '\0') {
        if (!ploy_budget_spend(budget, 1)) return PLOY_IN_PROGRESS;
        growth->outcome.units++;
        ploy_result result = growth_one(growth);
        if (result != PLOY_OK) return result;
    }
    ploy_array_clear(&growth->waiting);
    growth->front = 0;
    const ploy_growth_def *def = &growth->def;
    ployi_plant_thicken(&growth->plant, def->twig_radius, def->thickening);
    ploy_result result =
        ployi_plant_add_leaves(&growth->plant, def->leaves, def->leaf_size, def->leaf_angle,
                               def->leaf_jitter, growth->leaf_key);
    if (result != PLOY_OK) return result;
    growth->outcome.draws += (uint64_t)growth->plant.leaves.count;
    growth->outcome.done = true;
    growth->outcome.partial = growth->outcome.limit[0] != '\0';
    return PLOY_OK;
}

ploy_generate_outcome ploy_growth_outcome(const ploy_growth *growth) {
    ploy_generate_outcome outcome = growth->outcome;
    outcome.count = growth->plant.branches.count;
    return outcome;
}

const ploy_plant *ploy_growth_plant(const ploy_growth *growth) {
    return &growth->plant;
}

int32_t ploy_growth_peak(const ploy_growth *growth) {
    return growth->peak;
}

void ploy_growth_cancel(ploy_growth *growth) {
    if (growth == NULL) return;
    ployi_plant_fini(&growth->plant);
    ploy_array_fini(&growth->waiting);
    ploy_env env = growth->env;
    ploy_env_free(&env, growth, sizeof *growth);
}

void ploy_growth_describe(const ploy_growth *growth, ploy_describe *out) {
    ploy_plant_describe(&growth->plant, out);
    ploy_describe_begin(out, "statistics");
    ploy_describe_i64(out, "peak", PLOY_NOTE, growth->peak);
    ploy_describe_i64(out, "pruned", PLOY_NOTE, growth->outcome.rejected);
    ploy_describe_end(out);
}

void ploy_growth_draw(const ploy_growth *growth, ploy_draw *out) {
    ploy_plant_draw(&growth->plant, out);
}

void ploy_growth_memory(const ploy_growth *growth, ploy_memory_fn fn, void *user) {
    ploy_memory_item self = {"growth", sizeof *growth, 1};
    fn(user, &self);
    ploy_plant_memory(&growth->plant, fn, user);
    ploy_array_memory(&growth->waiting, fn, user);
}

// ---- the front

static ploy_content growth_content(const ploy_growth *growth) {
    ploy_content content = ploy_content_none();
    content.kinds = PLOY_CONTENT_PLANT;
    content.plant = &growth->plant;
    content.area = ployi_plant_area(&growth->plant);
    return content;
}

PLOYI_GENERATOR_CALLS(growth)

static ploy_result growth_front_begin(const void *def, ploy_rng_key key, const ploy_content *input,
                                      ploy_trace *trace, const ploy_env *env, void **out) {
    (void)input;
    ploy_growth *growth = NULL;
    ploy_result result = ploy_growth_begin(def, key, NULL, trace, env, &growth);
    *out = growth;
    return result;
}

const ploy_generator_type *ploy_growth_generator(void) {
    static const ploy_generator_type type = {
        "growth",
        "trees and bushes, by rules that turn one branch into several",
        "one branch",
        0,
        0,
        PLOY_CONTENT_PLANT,
        PLOYI_GENERATOR_TABLE(growth),
    };
    return &type;
}
