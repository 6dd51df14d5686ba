// Grounding: from actions over parameters to actions over objects.
//
// Atoms and ground actions are numbered by ploy_states, as rows of numbers. Reachability is a
// fixpoint: as long as atoms come up, every action is tried with all objects, parameter by
// parameter, and given up as soon as a condition whose terms are known cannot hold. Predicates that
// no action changes are looked up among the facts of the start.
//
// Invariants while grounding: (1) reached holds the start's facts first, then what actions add;
// (2) an action is in `made` at most once; (3) a negated condition counts as possible unless its
// predicate never changes, as an atom that is true may be taken away.
#include "ploy/data/pddl.h"
#include "data/data_internal.h"

#include <math.h>
#include <string.h>

#include "pddl_internal.h"
#include "ploy/search/states.h"

static const ploy_field pddl_fields[] = {
    PLOY_FIELD_I32(ploy_pddl_def, max_actions, 100000, 1, 1 << 24, "", "most grounded actions"),
    PLOY_FIELD_I32(ploy_pddl_def, max_atoms, 60000, 1, 1 << 16, "", "most atoms"),
    PLOY_FIELD_I32(ploy_pddl_def, max_work, 1000000, 1, 1 << 30, "1000",
                   "most bindings tried while grounding"),
};

enum { PDDL_ROW = PLOY_PDDL_PARAMS_MAX + 1 };

struct ploy_pddl {
    ploy_env env;
    ploy_goap_type *type;
    ploy_array world; // uint64_t
    ploy_array goal;  // ploy_goap_need
    ploy_names *names;
    ploy_name domain, problem;
    bool metric;
};

typedef struct pddl_ground {
    const ployi_pddl *pddl;
    ploy_env env;
    ploy_pddl_def def;
    ploy_states *reached; // rows: predicate, objects
    ploy_states *made;    // rows: schema, objects
    int64_t work;
    int32_t binding[PLOY_PDDL_PARAMS_MAX];
    ploy_array vars; // ploy_goap_var of each reached atom; none if it never changes
} pddl_ground;

ploy_fields ploy_pddl_fields(void) {
    return PLOY_FIELDS(ploy_pddl_def, pddl_fields);
}

ploy_pddl_def ploy_pddl_def_default(void) {
    ploy_pddl_def def;
    ploy_fields_default(ploy_pddl_fields(), &def);
    return def;
}

// ---- rows

// An atom with its parameters bound.
static void pddl_row(const pddl_ground *ground, const ployi_pddl_atom *atom,
                     int32_t row[PDDL_ROW]) {
    memset(row, 0, PDDL_ROW * sizeof *row);
    row[0] = atom->predicate + 1;
    for (int32_t i = 0; i < atom->count; i++) {
        int32_t term = atom->terms[i];
        row[i + 1] = (term >= 0 ? ground->binding[term] : ~term) + 1;
    }
}

// Could a condition hold, as far as is known by now?
static bool pddl_possible(const pddl_ground *ground, const ployi_pddl_atom *atom) {
    int32_t row[PDDL_ROW];
    pddl_row(ground, atom, row);
    if (atom->predicate < 0) return (row[1] == row[2]) != atom->negated;
    const ployi_pddl_symbol *symbol = ploy_array_at(&ground->pddl->symbols, atom->predicate);
    bool known = ploy_states_known(ground->reached, row) >= 0;
    if (atom->negated) return !(known && !symbol->changes); // (3)
    return known;
}

// Are all terms of an atom bound when the first `bound` parameters are, and not before?
static bool pddl_bound_now(const ployi_pddl_atom *atom, int32_t bound) {
    int32_t last = -1;
    for (int32_t i = 0; i < atom->count; i++) {
        if (atom->terms[i] > last) last = atom->terms[i];
    }
    return last + 1 == bound;
}

static bool pddl_needs_possible(const pddl_ground *ground, const ployi_pddl_schema *schema,
                                int32_t bound) {
    const ployi_pddl_atom *atoms = PLOY_ARRAY_ITEMS(&ground->pddl->atoms, ployi_pddl_atom);
    for (int32_t i = schema->first_need; i < schema->first_need + schema->need_count; i++) {
        if (pddl_bound_now(&atoms[i], bound) && !pddl_possible(ground, &atoms[i])) return false;
    }
    return true;
}

// A binding is complete: the action is noted, and what it adds is reached.
static ploy_result pddl_make(pddl_ground *ground, int32_t index) {
    const ployi_pddl_schema *schema = ploy_array_at(&ground->pddl->schemas, index);
    const ployi_pddl_atom *atoms = PLOY_ARRAY_ITEMS(&ground->pddl->atoms, ployi_pddl_atom);
    int32_t row[PDDL_ROW], number = 0;
    memset(row, 0, sizeof row);
    row[0] = index;
    for (int32_t i = 0; i < schema->param_count; i++) row[i + 1] = ground->binding[i];
    if (ploy_states_known(ground->made, row) >= 0) return PLOY_OK; // (2)
    ploy_result result = ploy_states_find(ground->made, row, &number);
    for (int32_t i = schema->first_gain;
         result == PLOY_OK && i < schema->first_gain + schema->gain_count; i++) {
        if (atoms[i].negated) continue;
        pddl_row(ground, &atoms[i], row);
        result = ploy_states_find(ground->reached, row, &number);
    }
    return result;
}

// Tries every object for every parameter, the first parameter slowest.
static ploy_result pddl_try(pddl_ground *ground, int32_t index) {
    const ployi_pddl *pddl = ground->pddl;
    const ployi_pddl_schema *schema = ploy_array_at(&pddl->schemas, index);
    int32_t level = 0, next[PLOY_PDDL_PARAMS_MAX + 1];
    if (!pddl_needs_possible(ground, schema, 0)) return PLOY_OK;
    next[0] = 0;
    while (level >= 0) {
        if (level == schema->param_count) {
            ploy_result result = pddl_make(ground, index);
            if (result != PLOY_OK) return result;
            level--;
            continue;
        }
        bool down = false;
        while (next[level] < pddl->objects.count && !down) {
            int32_t object = next[level]++;
            const ployi_pddl_object *item = ploy_array_at(&pddl->objects, object);
            bool fits = false;
            if (++ground->work > (int64_t)ground->def.max_work * 1000) return PLOY_ERR_LIMIT;
            for (int32_t i = 0; i < item->kind.count && !fits; i++) {
                fits = ployi_pddl_is_a(pddl, &schema->params[level], item->kind.types[i]);
            }
            if (!fits) continue;
            ground->binding[level] = object;
            down = pddl_needs_possible(ground, schema, level + 1);
        }
        if (down) {
            level++;
            next[level] = 0;
        } else {
            level--;
        }
    }
    return PLOY_OK;
}

static ploy_result pddl_fixpoint(pddl_ground *ground) {
    ploy_result result = PLOY_OK;
    for (int32_t i = 0; result == PLOY_OK && i < ground->pddl->init.count; i++) {
        int32_t row[PDDL_ROW], number = 0;
        pddl_row(ground, ploy_array_at(&ground->pddl->init, i), row);
        result = ploy_states_find(ground->reached, row, &number);
    }
    int32_t before = -1;
    while (result == PLOY_OK && ploy_states_count(ground->reached) != before) {
        before = ploy_states_count(ground->reached);
        for (int32_t i = 0; result == PLOY_OK && i < ground->pddl->schemas.count; i++) {
            result = pddl_try(ground, i);
        }
    }
    return result;
}

// ---- the planner's domain

// "(name a b)" of a row that begins with a name. Objects' numbers are `base` too large.
static ploy_result pddl_print(const pddl_ground *ground, ploy_name name, const int32_t *objects,
                              int32_t count, int32_t base, ploy_buffer *out) {
    ploy_buffer_clear(out);
    ploy_writer writer = ploy_buffer_writer(out);
    ploy_write_char(&writer, '(');
    const char *word = ploy_names_text(ground->pddl->names, name);
    ploy_write_text(&writer, word != NULL ? word : "=");
    for (int32_t i = 0; i < count; i++) {
        const ployi_pddl_object *object = ploy_array_at(&ground->pddl->objects, objects[i] - base);
        ploy_write_char(&writer, ' ');
        ploy_write_text(&writer, ploy_names_text(ground->pddl->names, object->name));
    }
    ploy_write_char(&writer, ')');
    return ploy_writer_result(&writer);
}

// A variable for each reached atom that may change, true in the world where the start says so.
static ploy_result pddl_add_vars(pddl_ground *ground, ploy_pddl *out, ploy_buffer *text) {
    ploy_result result = PLOY_OK;
    int32_t count = ploy_states_count(ground->reached);
    for (int32_t i = 0; result == PLOY_OK && i < count; i++) {
        const int32_t *row = ploy_states_get(ground->reached, i);
        const ployi_pddl_symbol *symbol = ploy_array_at(&ground->pddl->symbols, row[0] - 1);
        ploy_goap_var var = {0};
        if (symbol->changes) {
            result = pddl_print(ground, symbol->name, row + 1, symbol->arity, 1, text);
            if (result == PLOY_OK) var = ploy_goap_type_bool(out->type, ploy_buffer_text(text));
        }
        if (result == PLOY_OK) result = ploy_array_push(&ground->vars, &var);
    }
    return result;
}

static double pddl_cost_of(const pddl_ground *ground, const ployi_pddl_schema *schema) {
    const ployi_pddl *pddl = ground->pddl;
    double sum = 0.0;
    if (!pddl->metric) return 1.0;
    for (int32_t i = schema->first_cost; i < schema->first_cost + schema->cost_count; i++) {
        const ployi_pddl_cost *cost = ploy_array_at(&pddl->costs, i);
        int32_t want[PDDL_ROW], have[PDDL_ROW];
        if (cost->function.predicate == -2) {
            sum += cost->amount;
            continue;
        }
        pddl_row(ground, &cost->function, want);
        for (int32_t v = 0; v < pddl->values.count; v++) {
            const ployi_pddl_value *value = ploy_array_at(&pddl->values, v);
            pddl_row(ground, &value->function, have);
            if (memcmp(want, have, sizeof want) == 0) {
                sum += value->value;
                break;
            }
        }
    }
    return sum;
}

static ploy_goap_var pddl_var_of(const pddl_ground *ground, const ployi_pddl_atom *atom) {
    int32_t row[PDDL_ROW];
    ploy_goap_var none = {0};
    if (atom->predicate < 0) return none;
    pddl_row(ground, atom, row);
    int32_t number = ploy_states_known(ground->reached, row);
    return number >= 0 ? PLOY_ARRAY_ITEMS(&ground->vars, ploy_goap_var)[number] : none;
}

// What a ground action needs and changes. Conditions that always hold have no variable and are left
// out; of an atom that is added and deleted the adding counts.
static ploy_result pddl_add_action(pddl_ground *ground, const int32_t *row, ploy_pddl *out,
                                   ploy_array *needs, ploy_array *gains, ploy_buffer *text) {
    const ployi_pddl_schema *schema = ploy_array_at(&ground->pddl->schemas, row[0]);
    const ployi_pddl_atom *atoms = PLOY_ARRAY_ITEMS(&ground->pddl->atoms, ployi_pddl_atom);
    ploy_result result = PLOY_OK;
    ploy_array_clear(needs);
    ploy_array_clear(gains);
    for (int32_t i = 0; i < schema->param_count; i++) ground->binding[i] = row[i + 1];
    for (int32_t i = schema->first_need;
         result == PLOY_OK && i < schema->first_need + schema->need_count; i++) {
        ploy_goap_need need = ploy_goap_is(pddl_var_of(ground, &atoms[i]), !atoms[i].negated);
        if (need.var.number != 0) result = ploy_array_push(needs, &need);
    }
    for (int32_t pass = 0; pass < 2; pass++) { // what is added first
        for (int32_t i = schema->first_gain;
             result == PLOY_OK && i < schema->first_gain + schema->gain_count; i++) {
            if (atoms[i].negated != (pass == 1)) continue;
            ploy_goap_gain gain = ploy_goap_set_to(pddl_var_of(ground, &atoms[i]), pass == 0);
            bool told = gain.var.number == 0;
            for (int32_t k = 0; k < gains->count && !told; k++) {
                told = PLOY_ARRAY_ITEMS(gains, ploy_goap_gain)[k].var.number == gain.var.number;
            }
            if (!told) result = ploy_array_push(gains, &gain);
        }
    }
    if (result == PLOY_OK) {
        result = pddl_print(ground, schema->name, row + 1, schema->param_count, 0, text);
    }
    if (result != PLOY_OK || gains->count == 0) return result; // changes nothing
    ploy_goap_action action = ploy_goap_action_make(ploy_buffer_text(text), 0.0);
    action.cost = pddl_cost_of(ground, schema);
    action.needs = PLOY_ARRAY_ITEMS(needs, ploy_goap_need);
    action.need_count = needs->count;
    action.gains = PLOY_ARRAY_ITEMS(gains, ploy_goap_gain);
    action.gain_count = gains->count;
    (void)ploy_goap_type_action(out->type, &action); // finish reports the first fault
    return PLOY_OK;
}

// The goal; an atom that can never be true gets a variable, so that it can be named as the reason.
static ploy_result pddl_add_goal(pddl_ground *ground, ploy_pddl *out, ploy_buffer *text) {
    ploy_result result = PLOY_OK;
    for (int32_t i = 0; result == PLOY_OK && i < ground->pddl->goal.count; i++) {
        const ployi_pddl_atom *atom = ploy_array_at(&ground->pddl->goal, i);
        ploy_goap_need need = ploy_goap_is(pddl_var_of(ground, atom), !atom->negated);
        if (need.var.number == 0) {
            if (pddl_possible(ground, atom)) continue; // always holds
            ploy_name equal = {0};
            const ployi_pddl_symbol *symbol =
                atom->predicate >= 0 ? ploy_array_at(&ground->pddl->symbols, atom->predicate)
                                     : NULL;
            int32_t row[PDDL_ROW];
            pddl_row(ground, atom, row);
            result = pddl_print(ground, symbol != NULL ? symbol->name : equal, row + 1, atom->count,
                                1, text);
            if (result != PLOY_OK) return result;
            const char *id = ploy_buffer_text(text);
            need.var = ploy_goap_type_find(out->type, id);
            if (need.var.number == 0) need.var = ploy_goap_type_bool(out->type, id);
            need.value = 1; // what is false forever is required, or the other way round
        }
        result = ploy_array_push(&out->goal, &need);
    }
    return result;
}

static ploy_result pddl_translate(pddl_ground *ground, ploy_pddl *out) {
    ploy_array needs, gains;
    ploy_buffer text;
    ploy_array_init(&needs, sizeof(ploy_goap_need), &ground->env);
    ploy_array_init(&gains, sizeof(ploy_goap_gain), &ground->env);
    ploy_buffer_init(&text, 0, &ground->env);
    ploy_result result = pddl_add_vars(ground, out, &text);
    if (result == PLOY_OK) result = pddl_add_goal(ground, out, &text);
    for (int32_t i = 0; result == PLOY_OK && i < ploy_states_count(ground->made); i++) {
        result =
            pddl_add_action(ground, ploy_states_get(ground->made, i), out, &needs, &gains, &text);
    }
    // A domain in which nothing can change still has a variable, so that there is a world.
    if (result == PLOY_OK && ploy_goap_type_vars(out->type) == 0) {
        (void)ploy_goap_type_bool(out->type, "()");
    }
    if (result == PLOY_OK) {
        result = ploy_goap_type_finish(out->type);
        // What the planner's domain refuses is more than it can hold: the words were checked.
        if (result != PLOY_OK && result != PLOY_ERR_MEMORY) result = PLOY_ERR_LIMIT;
    }
    if (result == PLOY_OK) {
        result = ploy_array_resize(&out->world, ploy_goap_type_words(out->type));
    }
    for (int32_t i = 0; result == PLOY_OK && i < ground->pddl->init.count; i++) {
        ploy_goap_var var = pddl_var_of(ground, ploy_array_at(&ground->pddl->init, i));
        if (var.number != 0) {
            result =
                ploy_goap_world_set(out->type, PLOY_ARRAY_ITEMS(&out->world, uint64_t), var, 1);
        }
    }
    ploy_array_fini(&needs);
    ploy_array_fini(&gains);
    ploy_buffer_fini(&text);
    return result;
}

static ploy_result pddl_ground_all(const ployi_pddl *pddl, const ploy_pddl_def *def,
                                   ploy_pddl *out) {
    pddl_ground ground;
    memset(&ground, 0, sizeof ground);
    ground.pddl = pddl;
    ground.env = out->env;
    ground.def = *def;
    ploy_array_init(&ground.vars, sizeof(ploy_goap_var), &out->env);
    ploy_states_def states = ploy_states_def_default();
    states.size = PDDL_ROW * (int32_t)sizeof(int32_t);
    states.capacity = def->max_atoms;
    ploy_result result = ploy_states_create(&states, &out->env, &ground.reached);
    states.capacity = def->max_actions;
    if (result == PLOY_OK) result = ploy_states_create(&states, &out->env, &ground.made);
    if (result == PLOY_OK) result = pddl_fixpoint(&ground);
    if (result == PLOY_OK) result = pddl_translate(&ground, out);
    ploy_states_destroy(ground.reached);
    ploy_states_destroy(ground.made);
    ploy_array_fini(&ground.vars);
    return result;
}

ploy_result ploy_pddl_load(const ploy_pddl_def *def, ploy_pddl_text domain, ploy_pddl_text problem,
                           const ploy_env *env, ploy_diags *diags, ploy_pddl **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_pddl_fields(), def, env);
    if (result != PLOY_OK) return result;
    ploy_pddl *pddl = ploy_env_alloc_zero(env, sizeof *pddl);
    if (pddl == NULL) return PLOY_ERR_MEMORY;
    pddl->env = *env;
    ploy_array_init(&pddl->world, sizeof(uint64_t), env);
    ploy_array_init(&pddl->goal, sizeof(ploy_goap_need), env);
    ployi_pddl read;
    result = ployi_pddl_read(&read, domain, problem, env, diags);
    if (result == PLOY_OK) result = ploy_goap_type_create(env, &pddl->type);
    if (result == PLOY_OK) result = pddl_ground_all(&read, def, pddl);
    if (result == PLOY_ERR_LIMIT) {
        ploy_diags_add(diags, PLOY_SEVERITY_ERROR, result, problem.name, 0, 0,
                       "problem is too large to be grounded", NULL, NULL);
    }
    if (result == PLOY_OK) {
        pddl->domain = read.domain;
        pddl->problem = read.problem;
        pddl->metric = read.metric;
        pddl->names = read.names; // taken over
        read.names = NULL;
    }
    ployi_pddl_fini(&read);
    if (result != PLOY_OK) {
        ploy_pddl_destroy(pddl);
        return result;
    }
    *out = pddl;
    return PLOY_OK;
}

void ploy_pddl_destroy(ploy_pddl *pddl) {
    if (pddl == NULL) return;
    ploy_env env = pddl->env;
    ploy_goap_type_destroy(pddl->type);
    ploy_array_fini(&pddl->world);
    ploy_array_fini(&pddl->goal);
    ploy_names_destroy(pddl->names);
    ploy_env_free(&env, pddl, sizeof *pddl);
}

const ploy_goap_type *ploy_pddl_type(const ploy_pddl *pddl) {
    return pddl->type;
}

const uint64_t *ploy_pddl_world(const ploy_pddl *pddl) {
    return PLOY_ARRAY_ITEMS(&pddl->world, uint64_t);
}

const ploy_goap_need *ploy_pddl_goal(const ploy_pddl *pddl, int32_t *count) {
    *count = pddl->goal.count;
    return PLOY_ARRAY_ITEMS(&pddl->goal, ploy_goap_need);
}

const char *ploy_pddl_domain_name(const ploy_pddl *pddl) {
    const char *text = ploy_names_text(pddl->names, pddl->domain);
    return text != NULL ? text : "";
}

const char *ploy_pddl_problem_name(const ploy_pddl *pddl) {
    const char *text = ploy_names_text(pddl->names, pddl->problem);
    return text != NULL ? text : "";
}

bool ployi_pddl_has_costs(const ploy_pddl *pddl) {
    return pddl->metric;
}
