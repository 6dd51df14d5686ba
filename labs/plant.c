// The plant lab: one plant grown by rules on branches, or by letters and a turtle.
//
// All state is in the one block plant_lab and what it owns, in the region.
#include <stdio.h>
#include <string.h>

#include "labs/lab_seed.h"
#include "labs/labs.h"
#include "ploy/generate/lsystem.h"

typedef enum plant_lab_kind { PLANT_LAB_GROWTH, PLANT_LAB_LETTERS } plant_lab_kind;

static const char *const plant_lab_kinds[] = {"growth", "letters"};

typedef struct plant_lab_def {
    uint32_t cookie;
    plant_lab_kind kind;
    int32_t slice;
    ploy_growth_def growth;
    ploy_lsystem_def letters;
} plant_lab_def;

static const ploy_field plant_lab_fields[] = {
    PLOY_FIELD_ENUM(plant_lab_def, kind, PLANT_LAB_GROWTH, plant_lab_kinds,
                    "rules on branches, or letters and a turtle"),
    PLOY_FIELD_I32(plant_lab_def, slice, 8, 1, 100000, "", "branches or letters in a tick"),
    PLOY_FIELD_DEF(plant_lab_def, growth, ploy_growth_fields, "growth by rules on branches"),
    PLOY_FIELD_DEF(plant_lab_def, letters, ploy_lsystem_fields, "letters and a turtle"),
};

static ploy_fields plant_lab_get_fields(void) {
    return PLOY_FIELDS(plant_lab_def, plant_lab_fields);
}

typedef struct plant_lab {
    lab_seed base;
    plant_lab_def def;
    ploy_growth *growth; // one of the two, the other is NULL
    ploy_lsystem *letters;
} plant_lab;

static ploy_result plant_lab_begin(plant_lab *lab) {
    ploy_growth_cancel(lab->growth);
    ploy_lsystem_cancel(lab->letters);
    lab->growth = NULL;
    lab->letters = NULL;
    ploy_rng_key key = ploy_rng_key_split(lab->base.key, lab->base.seed);
    if (lab->def.kind == PLANT_LAB_GROWTH) {
        return ploy_growth_begin(&lab->def.growth, key, NULL, NULL, &lab->base.env, &lab->growth);
    }
    return ploy_lsystem_begin(&lab->def.letters, key, NULL, NULL, &lab->base.env, &lab->letters);
}

static ploy_result plant_lab_create(const void *params, ploy_rng_key key, const ploy_env *env,
                                    void **out) {
    plant_lab *lab = lab_seed_alloc(sizeof *lab, offsetof(plant_lab, def), params, sizeof lab->def,
                                    ploy_rng_key_split(key, 1), env);
    if (lab == NULL) return PLOY_ERR_MEMORY;
    ploy_result result = plant_lab_begin(lab);
    if (result == PLOY_OK) *out = lab;
    return result;
}

static ploy_result plant_lab_step(void *state, const ploy_sim_context *context) {
    plant_lab *lab = state;
    static const size_t kept[] = {offsetof(plant_lab_def, slice)};
    bool again = lab_seed_again(&lab->base, "seed", kept, (int32_t)(sizeof kept / sizeof kept[0]),
                                &lab->def, sizeof lab->def, context);
    if (again) {
        ploy_result result = plant_lab_begin(lab);
        if (result != PLOY_OK) return result;
    }
    ploy_budget budget = ploy_budget_units(lab->def.slice);
    ploy_result result = lab->growth != NULL ? ploy_growth_step(lab->growth, &budget)
                                             : ploy_lsystem_step(lab->letters, &budget);
    return result == PLOY_IN_PROGRESS ? PLOY_OK : result;
}

static const ploy_plant *plant_lab_plant(const plant_lab *lab) {
    return lab->growth != NULL ? ploy_growth_plant(lab->growth) : ploy_lsystem_plant(lab->letters);
}

// Passes items on, moved and scaled so that the plant fills the picture.
typedef struct plant_lab_fit {
    ploy_draw *out;
    ploy_vec2 from;
    float scale;
} plant_lab_fit;

enum { PLANT_LAB_POINTS = 16 };

static void plant_lab_item(void *user, const ploy_draw_item *item) {
    const plant_lab_fit *fit = user;
    ploy_vec3 points[PLANT_LAB_POINTS];
    ploy_draw_item moved = *item;
    moved.count = ploy_mini(item->count, PLANT_LAB_POINTS);
    for (int32_t i = 0; i < moved.count; i++) {
        points[i] = ploy_vec3_make((item->points[i].x - fit->from.x) * fit->scale,
                                   (item->points[i].y - fit->from.y) * fit->scale, 0.0f);
    }
    moved.points = points;
    ploy_draw_item_out(fit->out, &moved);
}

static void plant_lab_draw(const void *state, ploy_draw *out) {
    const plant_lab *lab = state;
    const ploy_plant *plant = plant_lab_plant(lab);
    int32_t count = 0, leaves = 0, letters = 0;
    const ploy_plant_branch *branches = ploy_plant_branches(plant, &count);
    ploy_plant_leaves(plant, &leaves);
    bool flat = ploy_plant_flat(plant);
    ploy_box2 box = ploy_box2_make(ploy_vec2_make(-0.1f, 0.0f), ploy_vec2_make(0.1f, 0.2f));
    for (int32_t i = 0; i < count; i++) {
        ploy_vec3 end = ploy_plant_end(&branches[i]);
        ploy_vec2 at = {end.x, flat ? end.y : end.z};
        box = ploy_box2_merge(box, ploy_box2_make(at, at));
    }
    float width = box.max.x - box.min.x, height = box.max.y - box.min.y;
    plant_lab_fit fit = {out, {0.5f * (box.min.x + box.max.x), box.min.y}, 0.0f};
    fit.scale = 9.0f / ploy_maxf(width, height);
    ploy_draw scaled = {plant_lab_item, &fit, out->layers};
    ploy_plant_draw(plant, &scaled);
    ploy_generate_outcome outcome =
        lab->growth != NULL ? ploy_growth_outcome(lab->growth) : ploy_lsystem_outcome(lab->letters);
    char text[160];
    int32_t peak = lab->growth != NULL ? ploy_growth_peak(lab->growth) : 0;
    if (lab->letters != NULL) ploy_lsystem_string(lab->letters, &letters);
    snprintf(text, sizeof text, "%d branches, %d leaves, %s %d%s%s", (int)count, (int)leaves,
             lab->growth != NULL ? "most waiting" : "letters",
             (int)(lab->growth != NULL ? peak : letters), outcome.partial ? ", stopped by " : "",
             outcome.partial ? outcome.limit : "");
    ploy_draw_text(out, ploy_agent_id_none(), ploy_vec2_make(-5.0f, -0.6f), text);
}

static void plant_lab_describe(const void *state, ploy_describe *out) {
    const plant_lab *lab = state;
    ploy_describe_u64(out, "seed", PLOY_STATE, lab->base.seed);
    ploy_describe_begin(out, lab->growth != NULL ? "growth" : "letters");
    if (lab->growth != NULL) {
        ploy_growth_describe(lab->growth, out);
    } else {
        ploy_lsystem_describe(lab->letters, out);
    }
    ploy_describe_end(out);
}

static const ploy_command plant_lab_commands[] = {
    {"seed", "grow another plant", PLOY_VALUE_NONE, false, "r"},
};

extern const ploy_sim_type ploy_lab_plant; // in labs.c
const ploy_sim_type ploy_lab_plant = {
    .name = "plant",
    .title = "Plants",
    .help = "One plant, grown branch by branch: fixed, random and staged rules, or letters and a "
            "turtle. Compare breadth first with depth first under a small limit of branches.",
    .version = 1,
    .capabilities = PLOY_SIM_INTERACTIVE | PLOY_SIM_DIAGRAM,
    .dt = 1.0f / 60.0f,
    .view = {-5.5f, -1.0f, 5.5f, 9.5f},
    .fields = plant_lab_get_fields,
    .commands = plant_lab_commands,
    .command_count = sizeof plant_lab_commands / sizeof plant_lab_commands[0],
    .create = plant_lab_create,
    .destroy = NULL, // the region goes with the simulation
    .step = plant_lab_step,
    .draw = plant_lab_draw,
    .describe = plant_lab_describe,
};
