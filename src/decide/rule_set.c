// One character's rule set: see the header.
//
// Invariants: (1) `order` is a permutation of the entries, which only the least-recent arbiter
// changes; (2) at most one set of a tree of sets has a behavior that runs, and `busy` of the
// outermost one is that set.
#include <math.h>
#include <string.h>

#include "ploy/base/hash.h"

#include "decide/decide_internal.h"
#include "ploy/base/rng.h"
#include "rule_set_internal.h"

typedef struct rule_set_state {
    ploy_rule_set *set; // inside, of an entry that is a set
    uint64_t seen;      // the ground on which it fired
    int32_t order;
    bool suspended;
} rule_set_state;

struct ploy_rule_set {
    ploy_env env;
    const ploy_rule_set_type *type;
    size_t size;
    ploy_rule_set *outer, *root;
    int32_t place; // of this one among the entries of the outer one
    bool active;
    ploy_rng rng;
    ployi_choice choice; // behaviors of the rules
    // of the outermost one alone:
    ploy_rule_tree *items;
    ploy_rule_set *busy;
    uint64_t changes;
    uint64_t ground; // of until-change, at the end of the last step
    rule_set_state states[];
};

// A rule that may fire.
typedef struct rule_set_choice {
    ploy_rule_set *set;
    int32_t entry;
    ploy_rule_bindings bindings;
} rule_set_choice;

static ploy_maker rule_set_maker_at(const void *user, int32_t index) {
    return ployi_set_entry_at(user, index)->rule.maker;
}

static void rule_set_restart(ploy_rule_set *set, uint64_t seed) {
    set->rng = ploy_rng_make(seed);
    for (int32_t i = 0; i < set->type->entries.count; i++) {
        rule_set_state *state = &set->states[i];
        state->seen = 0;
        state->suspended = false;
        state->order = i;
        if (state->set == NULL) continue;
        state->set->active = ployi_set_entry_at(set->type, i)->active;
        rule_set_restart(state->set, seed + state->set->type->def.seed);
    }
}

static ploy_result rule_set_make(const ploy_rule_set_type *type, ploy_rule_set *outer,
                                 int32_t place, const ploy_env *env, ploy_rule_set **out) {
    size_t size = 0;
    if (!ploy_size_add_array(sizeof(ploy_rule_set), type->entries.count, sizeof(rule_set_state),
                             &size)) {
        return PLOY_ERR_ARGUMENT;
    }
    ploy_rule_set *set = ploy_env_alloc_zero(env, size);
    if (set == NULL) return PLOY_ERR_MEMORY;
    set->env = *env;
    set->type = type;
    set->size = size;
    set->outer = outer;
    set->root = outer != NULL ? outer->root : set;
    set->place = place;
    set->active = true;
    set->choice.running = -1;
    ploy_result result = PLOY_OK;
    if (outer == NULL) result = ployi_rule_tree_copy(type->items, env, &set->items);
    if (result == PLOY_OK) {
        result = ployi_choice_init(&set->choice, type->entries.count, rule_set_maker_at, type, env);
    }
    for (int32_t i = 0; i < type->entries.count && result == PLOY_OK; i++) {
        const ployi_set_entry *entry = ployi_set_entry_at(type, i);
        if (entry->set == NULL) continue;
        result = rule_set_make(entry->set, set, i, env, &set->states[i].set);
    }
    if (result != PLOY_OK) {
        ploy_rule_set_destroy(set);
        return result;
    }
    *out = set;
    return PLOY_OK;
}

ploy_result ploy_rule_set_create(const ploy_rule_set_type *type, const ploy_env *env,
                                 ploy_rule_set **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (type == NULL || env == NULL) return PLOY_ERR_ARGUMENT;
    if (!type->build.finished) return PLOY_ERR_STATE;
    ploy_result result = rule_set_make(type, NULL, 0, env, out);
    if (result == PLOY_OK) rule_set_restart(*out, type->def.seed);
    return result;
}

void ploy_rule_set_destroy(ploy_rule_set *set) {
    if (set == NULL) return;
    ploy_env env = set->env;
    for (int32_t i = set->type->entries.count - 1; i >= 0; i--) {
        ploy_rule_set_destroy(set->states[i].set);
    }
    ployi_choice_fini(&set->choice);
    ploy_rule_tree_destroy(set->items);
    ploy_env_free(&env, set, set->size);
}

// The set inside of that name; this one for NULL.
static ploy_rule_set *rule_set_find(ploy_rule_set *set, const char *name) {
    if (name == NULL) return set;
    for (int32_t i = 0; i < set->type->entries.count; i++) {
        ploy_rule_set *inner = set->states[i].set;
        if (inner == NULL) continue;
        if (strcmp(ployi_set_entry_at(set->type, i)->rule.name, name) == 0) return inner;
        ploy_rule_set *found = rule_set_find(inner, name);
        if (found != NULL) return found;
    }
    return NULL;
}

ploy_result ploy_rule_set_activate(ploy_rule_set *set, const char *name, bool active) {
    ploy_rule_set *found = rule_set_find(set, name);
    if (found == NULL) return PLOY_ERR_NOT_FOUND;
    found->active = active;
    return PLOY_OK;
}

bool ploy_rule_set_active(const ploy_rule_set *set, const char *name) {
    const ploy_rule_set *found = rule_set_find((ploy_rule_set *)(uintptr_t)set, name); // looks only
    return found != NULL && found->active;
}

void ploy_rule_set_changed(ploy_rule_set *set) {
    set->root->changes++;
}

ploy_rule_tree *ploy_rule_set_items(ploy_rule_set *set) {
    return set->root->items;
}

// ---- choosing ----

static ploy_set_turn rule_set_turn(const rule_set_choice *choice, const ploy_moment *moment) {
    const ployi_set_entry *entry = ployi_set_entry_at(choice->set->type, choice->entry);
    ploy_set_turn turn = {choice->set->root, moment,
                          entry->pattern != NULL ? &choice->bindings : NULL,
                          choice->set->type->def.user, entry->rule.data};
    return turn;
}

static uint64_t rule_set_bindings_hash(const ploy_rule_bindings *bindings) {
    uint64_t hash = 1;
    for (int32_t i = 0; i < bindings->count; i++) {
        const char *text = bindings->texts[i];
        hash =
            ploy_hash_combine(hash, text != NULL ? ploy_hash_bytes(text, strlen(text), 0)
                                                 : ploy_hash_bytes(&bindings->numbers[i],
                                                                   sizeof bindings->numbers[i], 1));
    }
    return hash;
}

// Changes with everything that the rules look at.
static uint64_t rule_set_all(const ploy_rule_set *root, const ploy_blackboard *board) {
    uint64_t hash = ploy_hash_combine(root->changes, ployi_rule_tree_changes(root->items));
    bool watched = board != NULL && root->type->layout != NULL &&
                   ploy_blackboard_layout_of(board) == root->type->layout;
    return watched ? ploy_hash_combine(hash, ploy_blackboard_changes(board)) : hash;
}

// What a suspended rule waits for a change of.
static uint64_t rule_set_ground(const rule_set_choice *choice, const ploy_moment *moment) {
    const ployi_set_entry *entry = ployi_set_entry_at(choice->set->type, choice->entry);
    if (choice->set->type->def.suspension == PLOY_SUSPEND_UNTIL_CHANGE) {
        return rule_set_all(choice->set->root, moment->context->blackboard);
    }
    ploy_set_turn turn = rule_set_turn(choice, moment);
    if (entry->rule.matched != NULL) return entry->rule.matched(&turn);
    return entry->pattern != NULL ? rule_set_bindings_hash(&choice->bindings) : 0;
}

static bool rule_set_runs(const ploy_rule_set *set, int32_t entry) {
    return set->choice.running == entry;
}

static bool rule_set_triggered(rule_set_choice *choice, const ploy_moment *moment,
                               const char **why) {
    const ploy_rule_set *set = choice->set;
    const rule_set_state *state = &set->states[choice->entry];
    if (!ployi_set_rule_holds(set->type, ployi_set_entry_at(set->type, choice->entry),
                              set->root->items, moment, &choice->bindings)) {
        return false;
    }
    bool fresh = set->type->def.suspension == PLOY_SUSPEND_NEVER || !state->suspended ||
                 rule_set_runs(set, choice->entry) ||
                 state->seen != rule_set_ground(choice, moment);
    if (!fresh) *why = "it fired and nothing changed since";
    return fresh;
}

static bool rule_set_choose(ploy_rule_set *set, const ploy_moment *moment, rule_set_choice *out);

// The rule that an entry offers: itself, or what the set's own arbiter picks.
// @param why  the reason if it offers none.
static bool rule_set_offer(ploy_rule_set *set, int32_t index, const ploy_moment *moment,
                           rule_set_choice *out, const char **why) {
    ploy_rule_set *inner = set->states[index].set;
    if (inner != NULL) {
        *why = inner->active ? "none of its rules applies" : "the set is off";
        return inner->active && rule_set_choose(inner, moment, out);
    }
    out->set = set;
    out->entry = index;
    return rule_set_triggered(out, moment, why);
}

static const char *rule_set_name_of(const rule_set_choice *choice) {
    return ployi_set_entry_at(choice->set->type, choice->entry)->rule.name;
}

// Reports an entry that was not taken. Nested sets have a name, too.
static void rule_set_untaken(const ploy_rule_set *set, int32_t index, const ploy_moment *moment,
                             ploy_outcome outcome, const char *why) {
    if (moment->context->trace == NULL) return;
    const char *name = ployi_set_entry_at(set->type, index)->rule.name;
    ploy_trace_option(moment->context->trace, name != NULL ? name : "rules", outcome, (double)NAN,
                      why);
}

static bool rule_set_choose(ploy_rule_set *set, const ploy_moment *moment, rule_set_choice *out) {
    bool found = false;
    int32_t offers = 0;
    double best = 0.0;
    int32_t arbiter = set->type->def.arbiter;
    bool all = arbiter >= PLOY_RULE_ARBITER_RANDOM;
    for (int32_t place = 0; place < set->type->entries.count; place++) {
        int32_t index = set->states[place].order;
        if (found && !all) {
            if (moment->context->trace == NULL) break;
            rule_set_untaken(set, index, moment, PLOY_OUTCOME_SKIPPED, "a rule before it fires");
            continue;
        }
        rule_set_choice choice;
        const char *why = "its condition does not hold";
        if (!rule_set_offer(set, index, moment, &choice, &why)) {
            rule_set_untaken(set, index, moment, PLOY_OUTCOME_REJECTED, why);
            continue;
        }
        ploy_set_turn turn = rule_set_turn(&choice, moment);
        double score = ployi_set_rule_score(
            set->type, ployi_set_entry_at(choice.set->type, choice.entry), &turn);
        offers++;
        bool takes = !found || score > best;
        // One of n at random without a list: the n-th replaces the choice with probability 1/n.
        if (arbiter == PLOY_RULE_ARBITER_RANDOM) {
            takes = ploy_rng_below(&set->rng, (uint64_t)offers) == 0;
        }
        ploy_trace_option(moment->context->trace, rule_set_name_of(&choice),
                          takes ? PLOY_OUTCOME_WON : PLOY_OUTCOME_LOST, score,
                          takes ? "best so far" : "another is better");
        if (!takes) continue;
        found = true;
        best = score;
        *out = choice;
    }
    return found;
}

// ---- firing ----

// Moves an entry to the end of the order, if the arbiter is so.
static void rule_set_to_end(ploy_rule_set *set, int32_t index) {
    if (set->type->def.arbiter != PLOY_RULE_ARBITER_LEAST_RECENT) return;
    int32_t place = 0, count = set->type->entries.count;
    while (set->states[place].order != index) place++;
    for (; place + 1 < count; place++) set->states[place].order = set->states[place + 1].order;
    set->states[count - 1].order = index;
}

// A text of the rule with its variables filled in; the caller's buffer.
static ploy_result rule_set_fill(const rule_set_choice *choice, const char *text,
                                 ploy_buffer *buffer) {
    ploy_writer writer = ploy_buffer_writer(buffer);
    return ploy_rule_bindings_apply(&choice->bindings, text, &writer);
}

// Changes the items as the rule says. Both texts are filled in before the first change.
static ploy_result rule_set_rewrite(const rule_set_choice *choice, const ploy_set_rule *rule) {
    ploy_rule_tree *items = choice->set->root->items;
    if (rule->remove == NULL && rule->add == NULL) return PLOY_OK;
    ploy_buffer out, in;
    ploy_buffer_init(&out, 0, &choice->set->env);
    ploy_buffer_init(&in, 0, &choice->set->env);
    ploy_result result = PLOY_OK;
    if (rule->remove != NULL) result = rule_set_fill(choice, rule->remove, &out);
    if (result == PLOY_OK && rule->add != NULL) result = rule_set_fill(choice, rule->add, &in);
    if (result == PLOY_OK && rule->remove != NULL) {
        result = ploy_rule_tree_remove(items, ploy_buffer_text(&out));
        if (result == PLOY_ERR_NOT_FOUND) result = PLOY_OK; // it is gone, as it should be
    }
    if (result == PLOY_OK && rule->add != NULL) {
        result = ploy_rule_tree_add(items, ploy_buffer_text(&in));
    }
    ploy_buffer_fini(&out);
    ploy_buffer_fini(&in);
    return result;
}

static ploy_result rule_set_fire(const rule_set_choice *choice, const ploy_moment *moment) {
    ploy_rule_set *set = choice->set;
    const ploy_set_rule *rule = &ployi_set_entry_at(set->type, choice->entry)->rule;
    rule_set_state *state = &set->states[choice->entry];
    state->suspended = true;
    state->seen = rule_set_ground(choice, moment);
    rule_set_to_end(set, choice->entry);
    for (const ploy_rule_set *at = set; at->outer != NULL; at = at->outer) {
        rule_set_to_end(at->outer, at->place); // the sets on the way to it count too
    }
    ploy_result result = PLOY_OK;
    if (rule->fire != NULL) {
        ploy_set_turn turn = rule_set_turn(choice, moment);
        result = rule->fire(&turn);
        if (result > PLOY_OK) result = PLOY_ERR_CALLBACK;
    }
    if (result == PLOY_OK) result = rule_set_rewrite(choice, rule);
    if (result == PLOY_OK && rule->off != NULL) {
        (void)ploy_rule_set_activate(set->root, rule->off, false); // the maker's check reported it
    }
    if (result == PLOY_OK && rule->on != NULL) {
        (void)ploy_rule_set_activate(set->root, rule->on, true);
    }
    return result;
}

static void rule_set_leave(ploy_rule_set *root, ploy_step_context *context,
                           ploy_exit_reason reason) {
    ploy_rule_set *busy = root->busy;
    root->busy = NULL;
    if (busy != NULL) ployi_choice_leave(&busy->choice, context, reason);
}

// Continues the behavior of an entry, or begins it.
static ploy_status rule_set_run(ploy_rule_set *set, ploy_step_context *context, int32_t entry) {
    ploy_rule_set *root = set->root;
    root->busy = set;
    ploy_status status = ployi_choice_step(&set->choice, context, entry,
                                           ployi_set_entry_at(set->type, entry)->rule.name);
    if (set->choice.running < 0 && root->busy == set) root->busy = NULL; // keeps (2)
    return status;
}

ploy_result ploy_rule_set_step(ploy_rule_set *set, ploy_step_context *context, const char **fired,
                               ploy_status *status) {
    static const char *const arbiters[] = {"first", "least-recent", "random", "specific",
                                           "priority"};
    ploy_step_context nothing;
    memset(&nothing, 0, sizeof nothing);
    if (context == NULL) context = &nothing;
    const char *name = NULL;
    ploy_status own = PLOY_STATUS_FAILURE;
    ploy_result result = PLOY_OK;
    ploy_rule_set *root = set->root, *busy = root->busy;
    int32_t arbiter = root->type->def.arbiter;
    bool keeps = arbiter == PLOY_RULE_ARBITER_LEAST_RECENT || arbiter == PLOY_RULE_ARBITER_RANDOM;
    if (busy != NULL && keeps) {
        int32_t entry = busy->choice.running;
        name = ployi_set_entry_at(busy->type, entry)->rule.name;
        own = rule_set_run(busy, context, entry);
    } else {
        rule_set_choice choice;
        ploy_moment moment = ploy_moment_make(context);
        ploy_trace_begin(context->trace, context->agent, "rule", arbiters[arbiter]);
        bool found = root->active && rule_set_choose(root, &moment, &choice);
        ploy_trace_end(context->trace);
        bool continues = found && choice.set == busy && rule_set_runs(busy, choice.entry);
        if (!continues) rule_set_leave(root, context, PLOY_EXIT_INTERRUPTED);
        if (found && !continues) result = rule_set_fire(&choice, &moment);
        if (found && result == PLOY_OK) {
            name = rule_set_name_of(&choice);
            own = rule_set_run(choice.set, context, choice.entry);
        }
    }
    root->ground = rule_set_all(root, context->blackboard);
    if (fired != NULL) *fired = name;
    if (status != NULL) *status = own;
    return result;
}

// ---- the behavior ----

static ploy_result rule_set_behavior_enter(void *self, ploy_step_context *context) {
    ploy_rule_set *set = self;
    uint64_t agent = ((uint64_t)context->agent.id.generation << 32) + context->agent.id.index;
    rule_set_restart(set, set->type->def.seed + agent * UINT64_C(0x9E3779B97F4A7C15));
    set->active = true;
    return ployi_rule_tree_assign(set->items, set->type->items);
}

static ploy_result rule_set_behavior_step(void *self, ploy_step_context *context,
                                          ploy_status *status) {
    return ploy_rule_set_step(self, context, NULL, status);
}

static void rule_set_behavior_exit(void *self, ploy_step_context *context,
                                   ploy_exit_reason reason) {
    rule_set_leave(self, context, reason);
}

// The name of the rule whose behavior runs; "" if none does.
static const char *rule_set_running(const ploy_rule_set *set) {
    if (set->busy == NULL || set->busy->choice.running < 0) return "";
    return ployi_set_entry_at(set->busy->type, set->busy->choice.running)->rule.name;
}

static ploy_result rule_set_behavior_commit(void *self, ploy_step_context *context) {
    ploy_rule_set *set = self;
    if (set->busy == NULL) return PLOY_OK;
    ployi_choice_commit(&set->busy->choice, context, rule_set_running(set));
    if (set->busy != NULL && set->busy->choice.running < 0) set->busy = NULL;
    return PLOY_OK;
}

static ploy_result rule_set_behavior_message(void *self, ploy_step_context *context,
                                             const ploy_message *message, bool *handled) {
    ploy_rule_set *set = self;
    if (set->busy == NULL) return PLOY_OK;
    *handled = ployi_choice_message(&set->busy->choice, context, message, rule_set_running(set));
    if (set->busy != NULL && set->busy->choice.running < 0) set->busy = NULL;
    return PLOY_OK;
}

static void rule_set_behavior_destroy(void *self) {
    ploy_rule_set_destroy(self);
}

static void rule_set_behavior_draw(const void *self, ploy_draw *out) {
    const ploy_rule_set *set = self;
    if (set->busy != NULL) ployi_choice_draw(&set->busy->choice, out);
}

// As of the end of the last step: one whose ground has changed since is not suspended any more.
static bool rule_set_suspended(const ploy_rule_set *set, int32_t entry) {
    const rule_set_state *state = &set->states[entry];
    if (set->type->def.suspension != PLOY_SUSPEND_UNTIL_CHANGE) return state->suspended;
    return state->suspended && state->seen == set->root->ground;
}

// ---- in a file ----
//
//     { "active": true, "changes": 3, "items": [["Radio", [["held-by", "Sale"]]]],
//       "rules": { "swap": { "suspended": true }, "weapons": { "active": false, "rules": { } } },
//       "rule": { "id": "swap", "behavior": { ... } } }
//
// Rules are in the order in which the least-recent arbiter looks at them. "suspended" is only of
// rules whose ground has not changed since they fired; so the ground itself need not be saved.

// Puts the entries that the file names first, in its order, and the others behind them as they are.
static void rule_set_visit_order(ploy_visit *v, ploy_rule_set *set) {
    if (set->type->def.arbiter != PLOY_RULE_ARBITER_LEAST_RECENT) return;
    int32_t front = 0, count = set->type->entries.count;
    const char *name = NULL;
    for (int32_t i = 0; (name = ploy_visit_member(v, i)) != NULL; i++) {
        for (int32_t place = front; place < count; place++) {
            int32_t index = set->states[place].order;
            if (strcmp(ployi_set_entry_at(set->type, index)->rule.name, name) != 0) continue;
            for (; place > front; place--) {
                PLOY_VISIT_WRITE(v, set->states[place].order, set->states[place - 1].order);
            }
            PLOY_VISIT_WRITE(v, set->states[front].order, index); // keeps (1)
            front++;
            break;
        }
    }
}

static const char *rule_set_visit_text(const void *user, uint32_t number) {
    const ploy_rule_set_type *type = user;
    bool there = number < (uint32_t)type->entries.count;
    return there ? ployi_set_entry_at(type, (int32_t)number)->rule.name : "";
}

static ploy_visit_table rule_set_table(const ploy_rule_set *set, const char *what,
                                       const char *lost) {
    ploy_visit_table table = {
        rule_set_visit_text, NULL, set->type, (uint32_t)set->type->entries.count, what, lost};
    return table;
}

static void rule_set_visit_one(ploy_visit *v, ploy_rule_set *set);

// A rule of this set, or a set in it.
static void rule_set_visit_entry(ploy_visit *v, ploy_rule_set *set, int32_t index) {
    rule_set_state *state = &set->states[index];
    const char *name = ployi_set_entry_at(set->type, index)->rule.name;
    ploy_describe_text(v->describe, "rule", PLOY_STATE, name);
    PLOY_VISIT_SCRATCH(v, state->set);
    PLOY_VISIT_SCRATCH(v, state->seen);
    PLOY_VISIT_SCRATCH(v, state->suspended);
    if (state->set != NULL) {
        rule_set_visit_one(v, state->set);
        return;
    }
    bool suspended = rule_set_suspended(set, index), no = false;
    if (ploy_visit_optional(v, "suspended", suspended)) {
        ploy_visit_bool(v, "suspended", PLOY_STATE, &state->suspended);
    } else {
        ploy_describe_bool(v->describe, "suspended", PLOY_STATE, false);
        PLOY_VISIT_WRITE(v, state->suspended, no);
    }
    bool matches = set->type->def.suspension == PLOY_SUSPEND_UNTIL_MATCH;
    if (ploy_visit_optional(v, "seen", state->suspended && matches)) {
        ploy_visit_hex64(v, "seen", PLOY_SAVED, &state->seen);
    } else {
        PLOY_VISIT_WRITE(v, state->seen, set->root->ground);
    }
}

// The set and the sets in it, without items and, in a description, without what runs.
static void rule_set_visit_one(ploy_visit *v, ploy_rule_set *set) {
    ploy_visit_table rules = rule_set_table(set, "rule", NULL);
    ploy_visit_table running =
        rule_set_table(set, "the behavior of rule", "no longer exists: it restarts");
    ploy_visit_object(v, "rule set", set, set->size);
    PLOY_VISIT_SCRATCH(v, set->env);
    PLOY_VISIT_SCRATCH(v, set->type);
    PLOY_VISIT_SCRATCH(v, set->size);
    PLOY_VISIT_SCRATCH(v, set->outer);
    PLOY_VISIT_SCRATCH(v, set->root);
    PLOY_VISIT_SCRATCH(v, set->place);
    PLOY_VISIT_SCRATCH(v, set->items);
    PLOY_VISIT_SCRATCH(v, set->busy);    // which of the sets has a behavior that runs
    PLOY_VISIT_SCRATCH(v, set->changes); // of the outermost one
    PLOY_VISIT_SCRATCH(v, set->ground);  // is taken again from the board
    ploy_visit_bool(v, "active", PLOY_STATE, &set->active);
    ployi_visit_rng(v, "rng", &set->rng);
    ploy_visit_begin(v, "rules", PLOY_SAVED);
    rule_set_visit_order(v, set);
    for (int32_t place = 0; place < set->type->entries.count; place++) {
        int32_t index = set->states[place].order;
        PLOY_VISIT_SCRATCH(v, set->states[place].order);
        ploy_visit_begin_item(v, place, PLOY_DERIVED);
        ploy_visit_begin(v, ployi_set_entry_at(set->type, index)->rule.name, PLOY_SAVED);
        rule_set_visit_entry(v, set, index);
        ploy_visit_end(v);
        ploy_visit_end(v);
    }
    ploy_visit_gone(v, &rules);
    ploy_visit_end(v);
    if (v->mode == PLOY_VISIT_DESCRIBE) return;
    if (ploy_visit_loads(v) && set->root->busy != NULL && set->root->busy != set) return;
    ployi_choice_visit(v, &set->choice, "rule", &running);
    if (ploy_visit_loads(v) && set->choice.running >= 0) set->root->busy = set;
}

static void rule_set_visit(ploy_visit *v, void *object) {
    ploy_rule_set *set = object;
    const ploy_step_context *context = v->context;
    ploy_visit_begin(v, "rule_set", PLOY_DERIVED);
    if (ploy_visit_tolerates(v)) {
        // Which rules are suspended depends on the ground, and that on the items.
        ploy_visit_result(v, rule_set_behavior_enter(set, v->context));
        if (set->items != NULL) ployi_rule_tree_visit(v, "items", set->items);
        if (ploy_visit_is_ok(v)) set->ground = rule_set_all(set, context->blackboard);
    }
    rule_set_visit_one(v, set);
    if (set->items != NULL) {
        ploy_visit_u64(v, "changes", PLOY_STATE, &set->changes);
        if (!ploy_visit_tolerates(v)) ployi_rule_tree_visit(v, "items", set->items);
    }
    if (v->mode == PLOY_VISIT_DESCRIBE && set->busy != NULL) {
        ploy_visit_table running = rule_set_table(set->busy, "", NULL);
        ployi_choice_visit(v, &set->busy->choice, "rule", &running);
    }
    ploy_visit_end(v);
}

void ploy_rule_set_describe(const ploy_rule_set *set, ploy_describe *out) {
    ploy_visit_describe(rule_set_visit, set, NULL, out);
}

ploy_behavior ploy_rule_set_behavior(ploy_rule_set *set) {
    static const ploy_behavior_type type = {.name = "rule set",
                                            .enter = rule_set_behavior_enter,
                                            .step = rule_set_behavior_step,
                                            .exit = rule_set_behavior_exit,
                                            .commit = rule_set_behavior_commit,
                                            .message = rule_set_behavior_message,
                                            .destroy = rule_set_behavior_destroy,
                                            .draw = rule_set_behavior_draw,
                                            .visit = rule_set_visit};
    ploy_behavior behavior = {set != NULL ? &type : NULL, set};
    return behavior;
}
