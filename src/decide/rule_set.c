// One character's rule set: see the header.
//
// Invariants: (1) `order` is a permutation of the entries, which only the least-recent arbiter
// changes; (2) at most one set of a tree of sets has a behavior that runs, and `busy` of the
// outermost one is that set.
#include <string.h>

#include "ploy/base/hash.h"
#include "ploy/base/rng.h"
#include "rule_set_internal.h"

typedef struct rule_set_state {
    ploy_rule_set *set; // inside, of an entry that is a set
    uint64_t seen;      // the ground on which it fired
    int32_t suspended, order;
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
        state->suspended = 0;
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
    uint64_t hash = ploy_hash_combine(root->changes, ploy_rule_tree_changes(root->items));
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

static bool rule_set_triggered(rule_set_choice *choice, const ploy_moment *moment) {
    const ploy_rule_set *set = choice->set;
    const rule_set_state *state = &set->states[choice->entry];
    if (!ployi_set_rule_holds(set->type, ployi_set_entry_at(set->type, choice->entry),
                              set->root->items, moment, &choice->bindings)) {
        return false;
    }
    return set->type->def.suspension == PLOY_SUSPEND_NEVER || !state->suspended ||
           rule_set_runs(set, choice->entry) || state->seen != rule_set_ground(choice, moment);
}

static bool rule_set_choose(ploy_rule_set *set, const ploy_moment *moment, rule_set_choice *out);

// The rule that an entry offers: itself, or what the set's own arbiter picks.
static bool rule_set_offer(ploy_rule_set *set, int32_t index, const ploy_moment *moment,
                           rule_set_choice *out) {
    ploy_rule_set *inner = set->states[index].set;
    if (inner != NULL) return inner->active && rule_set_choose(inner, moment, out);
    out->set = set;
    out->entry = index;
    return rule_set_triggered(out, moment);
}

static const char *rule_set_name_of(const rule_set_choice *choice) {
    return ployi_set_entry_at(choice->set->type, choice->entry)->rule.name;
}

static bool rule_set_choose(ploy_rule_set *set, const ploy_moment *moment, rule_set_choice *out) {
    bool found = false;
    int32_t offers = 0;
    double best = 0.0;
    int32_t arbiter = set->type->def.arbiter;
    bool all = arbiter >= PLOY_RULE_ARBITER_RANDOM;
    for (int32_t place = 0; place < set->type->entries.count && (all || !found); place++) {
        rule_set_choice choice;
        if (!rule_set_offer(set, set->states[place].order, moment, &choice)) continue;
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
    state->suspended = 1;
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
        (void)ploy_rule_set_activate(set->root, rule->off, false); // the maker's check told of it
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

static void rule_set_behavior_describe(const void *self, ploy_describe *out) {
    ploy_rule_set_describe(self, out);
}

static void rule_set_behavior_draw(const void *self, ploy_draw *out) {
    const ploy_rule_set *set = self;
    if (set->busy != NULL) ployi_choice_draw(&set->busy->choice, out);
}

// As of the end of the last step: one whose ground has changed since is not suspended any more.
static bool rule_set_suspended(const ploy_rule_set *set, int32_t entry) {
    const rule_set_state *state = &set->states[entry];
    if (set->type->def.suspension != PLOY_SUSPEND_UNTIL_CHANGE) return state->suspended != 0;
    return state->suspended != 0 && state->seen == set->root->ground;
}

static void rule_set_describe_one(const ploy_rule_set *set, ploy_describe *out) {
    ploy_describe_bool(out, "active", PLOY_STATE, set->active);
    for (int32_t place = 0; place < set->type->entries.count; place++) {
        int32_t index = set->states[place].order;
        const rule_set_state *state = &set->states[index];
        ploy_describe_begin_item(out, place);
        ploy_describe_text(out, "rule", PLOY_STATE,
                           ployi_set_entry_at(set->type, index)->rule.name);
        if (state->set != NULL) {
            rule_set_describe_one(state->set, out);
        } else {
            ploy_describe_bool(out, "suspended", PLOY_STATE, rule_set_suspended(set, index));
        }
        ploy_describe_end(out);
    }
}

void ploy_rule_set_describe(const ploy_rule_set *set, ploy_describe *out) {
    ploy_describe_begin(out, "rule_set");
    rule_set_describe_one(set, out);
    if (set->items != NULL) {
        ploy_describe_u64(out, "changes", PLOY_STATE, set->changes);
        ploy_describe_begin(out, "items");
        ployi_rule_tree_describe(set->items, out);
        ploy_describe_end(out);
    }
    if (set->busy != NULL) {
        ployi_choice_describe(&set->busy->choice, out, rule_set_running(set));
    }
    ploy_describe_end(out);
}

// ---- in a file ----
//
//     { "active": true, "changes": 3, "items": [["Radio", [["held-by", "Sale"]]]],
//       "rules": { "swap": { "suspended": true }, "weapons": { "active": false, "rules": { } } },
//       "rule": { "id": "swap", "behavior": { ... } } }
//
// Rules stand in the order in which the least-recent arbiter looks at them. "suspended" is only of
// rules whose ground has not changed since they fired; so the ground itself need not be saved.

static void rule_set_save_one(const ploy_rule_set *set, ploy_json_writer *out) {
    ployi_save_bool(out, "active", set->active);
    ploy_json_write_key(out, "rng");
    ployi_save_bytes(out, &set->rng, sizeof set->rng);
    ploy_json_write_key(out, "rules");
    ploy_json_write_begin_object(out);
    for (int32_t place = 0; place < set->type->entries.count; place++) {
        int32_t index = set->states[place].order;
        const rule_set_state *state = &set->states[index];
        ploy_json_write_key(out, ployi_set_entry_at(set->type, index)->rule.name);
        ploy_json_write_begin_object(out);
        if (rule_set_suspended(set, index)) ployi_save_bool(out, "suspended", true);
        if (state->suspended && set->type->def.suspension == PLOY_SUSPEND_UNTIL_MATCH) {
            char id[PLOYI_SAVE_ID_SIZE];
            ployi_save_id(state->seen, id);
            ployi_save_text(out, "seen", id);
        }
        if (state->set != NULL) rule_set_save_one(state->set, out);
        ploy_json_write_end_object(out);
    }
    ploy_json_write_end_object(out);
    if (set->choice.running >= 0) {
        ployi_choice_save(&set->choice, out, "rule",
                          ployi_set_entry_at(set->type, set->choice.running)->rule.name);
    }
}

static void rule_set_behavior_save(const void *self, ploy_json_writer *out) {
    const ploy_rule_set *set = self;
    ploy_json_write_begin_object(out);
    ployi_save_u64(out, "changes", set->changes);
    ploy_json_write_key(out, "items");
    ployi_rule_tree_save(set->items, out);
    rule_set_save_one(set, out);
    ploy_json_write_end_object(out);
}

// Puts the entries that the file names first, in its order, and the others behind them as they are.
static void rule_set_load_order(ploy_rule_set *set, const ploy_json *doc, ploy_json_node rules) {
    if (set->type->def.arbiter != PLOY_RULE_ARBITER_LEAST_RECENT) return;
    int32_t front = 0, count = set->type->entries.count;
    for (int32_t i = 0; i < ploy_json_count(doc, rules); i++) {
        const char *name = ploy_json_key(doc, ploy_json_at(doc, rules, i), NULL);
        for (int32_t place = front; place < count; place++) {
            int32_t index = set->states[place].order;
            if (strcmp(ployi_set_entry_at(set->type, index)->rule.name, name) != 0) continue;
            for (; place > front; place--) set->states[place].order = set->states[place - 1].order;
            set->states[front++].order = index; // keeps (1)
            break;
        }
    }
}

static int32_t rule_set_load_find(const ploy_rule_set *set, const char *name) {
    for (int32_t i = 0; i < set->type->entries.count; i++) {
        if (strcmp(ployi_set_entry_at(set->type, i)->rule.name, name) == 0) return i;
    }
    return -1;
}

static ploy_result rule_set_load_one(ploy_rule_set *set, ploy_step_context *context,
                                     const ploy_json *doc, ploy_json_node saved,
                                     ploy_diags *diags) {
    ploy_json_node active = ploy_json_member(doc, saved, "active");
    if (!ploy_json_is_none(active)) set->active = ployi_load_bool(doc, saved, "active");
    ploy_rng rng;
    if (ployi_load_bytes(doc, ploy_json_member(doc, saved, "rng"), &rng, sizeof rng) &&
        rng.left <= 4) {
        set->rng = rng;
    }
    ploy_json_node rules = ploy_json_member(doc, saved, "rules");
    ploy_result result = PLOY_OK;
    for (int32_t i = 0; i < ploy_json_count(doc, rules) && result == PLOY_OK; i++) {
        ploy_json_node item = ploy_json_at(doc, rules, i);
        const char *name = ploy_json_key(doc, item, NULL);
        int32_t index = rule_set_load_find(set, name);
        if (index < 0) {
            ploy_behavior_lost(doc, item, diags, "rule", name, "is gone");
            continue;
        }
        rule_set_state *state = &set->states[index];
        if (state->set != NULL) {
            result = rule_set_load_one(state->set, context, doc, item, diags);
            continue;
        }
        state->suspended = ployi_load_bool(doc, item, "suspended") ? 1 : 0;
        if (!ployi_load_id(doc, ploy_json_member(doc, item, "seen"), &state->seen)) {
            state->seen = set->root->ground;
        }
    }
    if (result != PLOY_OK) return result;
    rule_set_load_order(set, doc, rules);
    const char *id = ployi_choice_saved(doc, saved, "rule");
    if (id == NULL || set->root->busy != NULL) return PLOY_OK;
    int32_t index = rule_set_load_find(set, id);
    if (!ployi_choice_has(&set->choice, index)) {
        ployi_choice_lose(doc, saved, "rule", "the behavior of rule", diags);
        return PLOY_OK;
    }
    result = ployi_choice_load(&set->choice, context, doc, saved, "rule", index,
                               ployi_set_entry_at(set->type, index)->rule.name, diags);
    if (set->choice.running >= 0) set->root->busy = set;
    return result;
}

static ploy_result rule_set_behavior_load(void *self, ploy_step_context *context,
                                          const ploy_json *doc, ploy_json_node state,
                                          ploy_diags *diags) {
    ploy_rule_set *set = self;
    ploy_result result = rule_set_behavior_enter(self, context);
    if (result != PLOY_OK) return result;
    ployi_load_u64(doc, state, "changes", &set->changes);
    ploy_json_node items = ploy_json_member(doc, state, "items");
    if (!ploy_json_is_none(items)) {
        result = ployi_rule_tree_load(set->items, doc, items);
        if (result == PLOY_ERR_FORMAT || result == PLOY_ERR_LIMIT) {
            ploy_behavior_lost(doc, items, diags, "the", "items", "do not read: they restart");
            result = PLOY_OK;
        }
    }
    if (result != PLOY_OK) return result;
    set->ground = rule_set_all(set, context->blackboard);
    return rule_set_load_one(set, context, doc, state, diags);
}

ploy_behavior ploy_rule_set_behavior(ploy_rule_set *set) {
    static const ploy_behavior_type type = {.name = "rule set",
                                            .enter = rule_set_behavior_enter,
                                            .step = rule_set_behavior_step,
                                            .exit = rule_set_behavior_exit,
                                            .commit = rule_set_behavior_commit,
                                            .message = rule_set_behavior_message,
                                            .destroy = rule_set_behavior_destroy,
                                            .describe = rule_set_behavior_describe,
                                            .draw = rule_set_behavior_draw,
                                            .save = rule_set_behavior_save,
                                            .load = rule_set_behavior_load};
    ploy_behavior behavior = {set != NULL ? &type : NULL, set};
    return behavior;
}
