// String L-systems: rewriting and the turtle; see the header.
//
// A generation is rewritten letter by letter from `now` to `next`; when it is complete the two change
// places. Random choices are drawn by (key, letter, generation), so slices change nothing.
#include "ploy/generate/lsystem.h"

#include <string.h>

#include "generate/generate_internal.h"
#include "generate/lsystem_internal.h"
#include "generate/plant_internal.h"
#include "ploy/base/hash.h"
#include "ploy/base/math.h"

static const char *const lsystem_preset_names[PLOY_LSYSTEM_PRESETS] = {
    "weed",   "bush",    "tree",       "binary", "koch",  "snowflake",
    "dragon", "hilbert", "sierpinski", "gosper", "algae", "cantor"};

static const ploy_field lsystem_fields[] = {
    PLOY_FIELD_ENUM(ploy_lsystem_def, preset, PLOY_LSYSTEM_WEED, lsystem_preset_names,
                    "rules of the library"),
    PLOY_FIELD_I32(ploy_lsystem_def, generations, -1, -1, 100, "", "-1: as the rules say"),
    PLOY_FIELD_I32(ploy_lsystem_def, max_symbols, 100000, 1, 1 << 26, "", "longest string"),
    PLOY_FIELD_I32(ploy_lsystem_def, max_branches, 100000, 0, 1 << 24, "", "of the drawing"),
    PLOY_FIELD_F32(ploy_lsystem_def, jitter, 0, 0, 1, "", "share by which turns vary at random"),
};

ploy_fields ploy_lsystem_fields(void) {
    return PLOY_FIELDS(ploy_lsystem_def, lsystem_fields);
}

ploy_lsystem_def ploy_lsystem_def_default(void) {
    ploy_lsystem_def def;
    ploy_fields_default(ploy_lsystem_fields(), &def);
    return def;
}

typedef struct lsystem_turtle {
    ploy_vec3 position;
    ploy_quat orientation;
    float length, width;
    int32_t branch; // drawn last, or -1
} lsystem_turtle;

struct ploy_lsystem {
    ploy_env env;
    ploy_lsystem_def def;
    const ploy_lsystem_rules *rules;
    ploy_lsystem_rules *own_rules; // of a preset
    ploy_trace *trace;
    ploy_rng_key rule_key, turn_key;
    ploy_array strings[2]; // char, with a zero behind that is not counted
    int32_t now;           // which of them is the last complete generation
    int32_t generation, generations;
    int32_t cursor;
    bool drawing;
    lsystem_turtle turtle;
    ploy_array stack; // lsystem_turtle
    ploy_plant plant;
    ploy_generate_outcome outcome;
};

// Appends letters and keeps the zero behind them.
static ploy_result lsystem_append(ploy_array *string, const char *letters, int32_t count) {
    ploy_result result = PLOY_OK;
    if (count > 0) result = ploy_array_push_many(string, letters, count);
    if (result != PLOY_OK) return result;
    char zero = '\0';
    result = ploy_array_push(string, &zero);
    if (result == PLOY_OK) ploy_array_pop(string, NULL);
    return result;
}

ploy_result ploy_lsystem_begin(const ploy_lsystem_def *def, ploy_rng_key key,
                               const ploy_lsystem_rules *rules, ploy_trace *trace,
                               const ploy_env *env, ploy_lsystem **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    ploy_result result = ploy_fields_check(ploy_lsystem_fields(), def, env);
    if (result != PLOY_OK) return result;
    ploy_lsystem *lsystem = ploy_env_alloc_zero(env, sizeof *lsystem);
    if (lsystem == NULL) return PLOY_ERR_MEMORY;
    lsystem->env = *env;
    lsystem->def = *def;
    lsystem->trace = trace;
    lsystem->rule_key = ploy_generate_stream(key, "rules");
    lsystem->turn_key = ploy_generate_stream(key, "turns");
    lsystem->outcome.limit = "";
    ploy_array_init(&lsystem->strings[0], 1, env);
    ploy_array_init(&lsystem->strings[1], 1, env);
    ploy_array_init(&lsystem->stack, sizeof(lsystem_turtle), env);
    ployi_plant_init(&lsystem->plant, true, 0.0f, env);
    if (rules == NULL) {
        const char *text = ploy_lsystem_preset_text(def->preset);
        result =
            ploy_lsystem_rules_load(text, strlen(text), "preset", env, NULL, &lsystem->own_rules);
        rules = lsystem->own_rules;
    }
    if (result == PLOY_OK) {
        lsystem->rules = rules;
        lsystem->generations = def->generations >= 0 ? def->generations : rules->generations;
        lsystem->plant.flat = !rules->space;
        result =
            lsystem_append(&lsystem->strings[0], rules->text + rules->axiom, rules->axiom_count);
    }
    if (result != PLOY_OK) {
        ploy_lsystem_cancel(lsystem);
        return result;
    }
    *out = lsystem;
    return PLOY_OK;
}

// ---- rewriting

// The rule for a letter; NULL if it stays.
static const ployi_lsystem_rule *lsystem_choose(ploy_lsystem *lsystem, unsigned char letter) {
    const ploy_lsystem_rules *rules = lsystem->rules;
    int32_t head = rules->heads[letter];
    if (head < 0) return NULL;
    if (rules->rules[head].next < 0) return &rules->rules[head];
    float total = 0.0f;
    for (int32_t i = head; i >= 0; i = rules->rules[i].next) total += rules->rules[i].weight;
    float draw = total * ploy_rng_float_at(lsystem->rule_key, (uint32_t)lsystem->cursor,
                                           (uint64_t)lsystem->generation, 0);
    lsystem->outcome.draws++;
    int32_t chosen = head;
    for (int32_t i = head; i >= 0; i = rules->rules[i].next) {
        if (!(rules->rules[i].weight > 0.0f)) continue;
        chosen = i;
        draw -= rules->rules[i].weight;
        if (draw < 0.0f) break;
    }
    return &rules->rules[chosen];
}

static void lsystem_trace(const ploy_lsystem *lsystem, int32_t generation, const char *why) {
    if (lsystem->trace == NULL) return;
    ploy_trace_begin(lsystem->trace, ploy_agent_id_none(), "generation", "lsystem");
    ploy_trace_i64(lsystem->trace, "number", generation);
    ploy_trace_i64(lsystem->trace, "letters", lsystem->strings[lsystem->now].count);
    ploy_trace_option(lsystem->trace, "complete",
                      why == NULL ? PLOY_OUTCOME_WON : PLOY_OUTCOME_REJECTED, NAN,
                      why == NULL ? "" : why);
    ploy_trace_end(lsystem->trace);
}

static ploy_result lsystem_rewrite(ploy_lsystem *lsystem, ploy_budget *budget) {
    const ploy_array *now = &lsystem->strings[lsystem->now];
    ploy_array *next = &lsystem->strings[1 - lsystem->now];
    const char *letters = now->items;
    if (lsystem->cursor == 0) ploy_array_clear(next);
    for (; lsystem->cursor < now->count; lsystem->cursor++) {
        if (!ploy_budget_spend(budget, 1)) return PLOY_IN_PROGRESS;
        lsystem->outcome.units++;
        const ployi_lsystem_rule *rule =
            lsystem_choose(lsystem, (unsigned char)letters[lsystem->cursor]);
        const char *successor =
            rule != NULL ? lsystem->rules->text + rule->first : letters + lsystem->cursor;
        int32_t count = rule != NULL ? rule->count : 1;
        if (count > lsystem->def.max_symbols - next->count) {
            lsystem->outcome.limit = "max_symbols";
            lsystem_trace(lsystem, lsystem->generation + 1, "longer than max_symbols");
            return PLOY_OK;
        }
        ploy_result result = lsystem_append(next, successor, count);
        if (result != PLOY_OK) return result;
    }
    // A string without letters has no zero yet.
    ploy_result result = lsystem_append(next, NULL, 0);
    if (result != PLOY_OK) return result;
    lsystem->now = 1 - lsystem->now;
    lsystem->cursor = 0;
    lsystem->generation++;
    lsystem->outcome.attempts++;
    lsystem_trace(lsystem, lsystem->generation, NULL);
    return PLOY_OK;
}

// ---- turtle

static float lsystem_turn(ploy_lsystem *lsystem) {
    float angle = lsystem->rules->angle;
    if (!(lsystem->def.jitter > 0.0f)) return angle;
    lsystem->outcome.draws++;
    float draw =
        ploy_rng_float_at(lsystem->turn_key, (uint32_t)lsystem->cursor, 0, 0) * 2.0f - 1.0f;
    return angle * (1.0f + lsystem->def.jitter * draw);
}

static void lsystem_rotate(ploy_lsystem *lsystem, float x, float y, float z, float angle) {
    ploy_quat by = ploy_quat_from_axis_angle(ploy_vec3_make(x, y, z), angle);
    lsystem->turtle.orientation =
        ploy_quat_normalise(ploy_quat_multiply(lsystem->turtle.orientation, by));
}

static ploy_result lsystem_forward(ploy_lsystem *lsystem, bool draw) {
    lsystem_turtle *turtle = &lsystem->turtle;
    ploy_plant_branch branch;
    memset(&branch, 0, sizeof branch);
    branch.position = turtle->position;
    branch.orientation = turtle->orientation;
    branch.length = turtle->length;
    branch.radius = branch.tip_radius = 0.5f * turtle->width;
    branch.parent = turtle->branch;
    branch.rule = -1;
    turtle->position = ploy_plant_end(&branch);
    if (!draw) return PLOY_OK;
    ploy_array *branches = &lsystem->plant.branches;
    if (branches->count == lsystem->def.max_branches) {
        if (lsystem->outcome.limit[0] == '\0') lsystem->outcome.limit = "max_branches";
        lsystem->cursor = INT32_MAX - 1; // nothing more is drawn
        return PLOY_OK;
    }
    if (branch.parent >= 0) {
        ploy_plant_branch *parent = ploy_array_at(branches, branch.parent);
        branch.level = parent->level + 1;
        parent->rule = 0;
    }
    turtle->branch = branches->count;
    return ploy_array_push(branches, &branch);
}

// Keeps lengths and widths finite whatever the rules do.
static float lsystem_shrunk(const ploy_lsystem *lsystem, float value) {
    return ploy_clampf(value * lsystem->rules->shrink, 1e-6f, 1e6f);
}

static ploy_result lsystem_letter(ploy_lsystem *lsystem, char letter) {
    lsystem_turtle *turtle = &lsystem->turtle;
    bool space = lsystem->rules->space;
    if (lsystem->rules->draws[(unsigned char)letter]) return lsystem_forward(lsystem, true);
    switch (letter) {
    case 'f': return lsystem_forward(lsystem, false);
    case '+': lsystem_rotate(lsystem, 0, 0, 1, lsystem_turn(lsystem)); break;
    case '-': lsystem_rotate(lsystem, 0, 0, 1, -lsystem_turn(lsystem)); break;
    case '|': lsystem_rotate(lsystem, 0, 0, 1, PLOY_PI_F); break;
    case '&':
        if (space) lsystem_rotate(lsystem, 0, 1, 0, lsystem_turn(lsystem));
        break;
    case '^':
        if (space) lsystem_rotate(lsystem, 0, 1, 0, -lsystem_turn(lsystem));
        break;
    case '\\':
        if (space) lsystem_rotate(lsystem, 1, 0, 0, lsystem_turn(lsystem));
        break;
    case '/':
        if (space) lsystem_rotate(lsystem, 1, 0, 0, -lsystem_turn(lsystem));
        break;
    case '!': turtle->width = lsystem_shrunk(lsystem, turtle->width); break;
    case '"': turtle->length = lsystem_shrunk(lsystem, turtle->length); break;
    case '[': return ploy_array_push(&lsystem->stack, turtle);
    case ']':
        ploy_array_pop(&lsystem->stack, turtle); // one too many changes nothing
        break;
    case 'L': {
        ploy_plant_leaf leaf = {turtle->position, ploy_quat_forward(turtle->orientation),
                                2.0f * lsystem->rules->width, turtle->branch};
        return ploy_array_push(&lsystem->plant.leaves, &leaf);
    }
    default: break;
    }
    return PLOY_OK;
}

static ploy_result lsystem_draw_string(ploy_lsystem *lsystem, ploy_budget *budget) {
    const ploy_array *now = &lsystem->strings[lsystem->now];
    const char *letters = now->items;
    for (; lsystem->cursor < now->count; lsystem->cursor++) {
        if (!ploy_budget_spend(budget, 1)) return PLOY_IN_PROGRESS;
        lsystem->outcome.units++;
        ploy_result result = lsystem_letter(lsystem, letters[lsystem->cursor]);
        if (result != PLOY_OK) return result;
    }
    return PLOY_OK;
}

ploy_result ploy_lsystem_step(ploy_lsystem *lsystem, ploy_budget *budget) {
    if (lsystem == NULL) return PLOY_ERR_ARGUMENT;
    if (lsystem->outcome.done) return PLOY_OK;
    while (!lsystem->drawing && lsystem->generation < lsystem->generations &&
           lsystem->outcome.limit[0] == '\0') {
        ploy_result result = lsystem_rewrite(lsystem, budget);
        if (result != PLOY_OK) return result;
    }
    if (!lsystem->drawing) {
        lsystem->drawing = true;
        lsystem->cursor = 0;
        lsystem->turtle.orientation = ployi_plant_upright(lsystem->plant.flat);
        lsystem->turtle.length = lsystem->rules->length;
        lsystem->turtle.width = lsystem->rules->width;
        lsystem->turtle.branch = -1;
    }
    ploy_result result = lsystem_draw_string(lsystem, budget);
    if (result != PLOY_OK) return result;
    lsystem->outcome.done = true;
    lsystem->outcome.partial = lsystem->outcome.limit[0] != '\0';
    return PLOY_OK;
}

ploy_generate_outcome ploy_lsystem_outcome(const ploy_lsystem *lsystem) {
    ploy_generate_outcome outcome = lsystem->outcome;
    outcome.count = lsystem->plant.branches.count;
    return outcome;
}

const char *ploy_lsystem_string(const ploy_lsystem *lsystem, int32_t *length) {
    const ploy_array *now = &lsystem->strings[lsystem->now];
    *length = now->count;
    return now->items;
}

const ploy_plant *ploy_lsystem_plant(const ploy_lsystem *lsystem) {
    return &lsystem->plant;
}

void ploy_lsystem_cancel(ploy_lsystem *lsystem) {
    if (lsystem == NULL) return;
    ploy_array_fini(&lsystem->strings[0]);
    ploy_array_fini(&lsystem->strings[1]);
    ploy_array_fini(&lsystem->stack);
    ployi_plant_fini(&lsystem->plant);
    ploy_lsystem_rules_destroy(lsystem->own_rules);
    ploy_env env = lsystem->env;
    ploy_env_free(&env, lsystem, sizeof *lsystem);
}

void ploy_lsystem_describe(const ploy_lsystem *lsystem, ploy_describe *out) {
    int32_t length = 0;
    const char *string = ploy_lsystem_string(lsystem, &length);
    ploy_plant_describe(&lsystem->plant, out);
    ploy_describe_i64(out, "generation", PLOY_STATE, lsystem->generation);
    ploy_describe_i64(out, "letters", PLOY_STATE, length);
    ploy_describe_u64(out, "hash of the letters", PLOY_STATE,
                      ploy_hash_bytes(string, (size_t)length, 0));
}

void ploy_lsystem_draw(const ploy_lsystem *lsystem, ploy_draw *out) {
    ploy_plant_draw(&lsystem->plant, out);
}

void ploy_lsystem_memory(const ploy_lsystem *lsystem, ploy_memory_fn fn, void *user) {
    ploy_memory_item self = {"lsystem", sizeof *lsystem, 1};
    fn(user, &self);
    if (lsystem->own_rules != NULL) {
        ploy_memory_item rules = {"rules", lsystem->own_rules->size, 1};
        fn(user, &rules);
    }
    ploy_array_memory(&lsystem->strings[0], fn, user);
    ploy_array_memory(&lsystem->strings[1], fn, user);
    ploy_array_memory(&lsystem->stack, fn, user);
    ploy_plant_memory(&lsystem->plant, fn, user);
}

// ---- the front

static ploy_content lsystem_content(const ploy_lsystem *lsystem) {
    ploy_content content = ploy_content_none();
    content.kinds = PLOY_CONTENT_PLANT;
    content.plant = &lsystem->plant;
    content.area = ployi_plant_area(&lsystem->plant);
    return content;
}

PLOYI_GENERATOR_CALLS(lsystem)

static ploy_result lsystem_front_begin(const void *def, ploy_rng_key key, const ploy_content *input,
                                       ploy_trace *trace, const ploy_env *env, void **out) {
    (void)input;
    ploy_lsystem *lsystem = NULL;
    ploy_result result = ploy_lsystem_begin(def, key, NULL, trace, env, &lsystem);
    *out = lsystem;
    return result;
}

const ploy_generator_type *ploy_lsystem_generator(void) {
    static const ploy_generator_type type = {
        "lsystem",
        "plants and curves from letters that rules replace, drawn by a turtle",
        "one letter",
        0,
        0,
        PLOY_CONTENT_PLANT,
        PLOYI_GENERATOR_TABLE(lsystem),
    };
    return &type;
}
