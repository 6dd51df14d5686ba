// An interpreter of the W3C's "Algorithm for SCXML Interpretation" (2015), written down from the
// text function by function over ordered sets, with the text's names: the oracle of test_hsm_run.c.
#pragma once

#include "ploy/decide/hsm.h"
#include "tests/test.h"

enum { W3C_STATES = 26, W3C_RULES = 40, W3C_QUEUE = 64, W3C_CHANGES = 50 };

typedef struct w3c_set {
    int item[96], count;
} w3c_set;

// In(state), or not; state 0: no condition.
typedef struct w3c_cond {
    int state;
    bool negated;
} w3c_cond;

// Raises or sends an event if the condition holds. No text: nothing.
typedef struct w3c_content {
    const char *event;
    bool send;
    w3c_cond cond;
} w3c_content;

typedef struct w3c_transition {
    int source;
    char event[48]; // descriptors divided by blanks; "": none
    w3c_cond cond;
    w3c_set target;
    bool internal;
    w3c_content content;
    char name[16];
} w3c_transition;

typedef struct w3c_state {
    ploy_hsm_kind kind;
    int parent;
    w3c_set initial; // of a compound state
    w3c_content onentry, onexit, oninitial;
    w3c_transition transition; // of a history state
    char name[16];
} w3c_state;

typedef struct w3c_chart {
    w3c_state state[W3C_STATES]; // 0 is the scxml element
    int states;
    w3c_transition rule[W3C_RULES];
    int rules;
} w3c_chart;

typedef struct w3c_queue {
    char event[W3C_QUEUE][32];
    int count;
} w3c_queue;

typedef struct w3c_run {
    const w3c_chart *chart;
    w3c_set configuration, history[W3C_STATES];
    w3c_queue internal, external;
    bool running, overflow;
    int changes;
    char log[8192];
    size_t used;
} w3c_run;

// ---- sets and the tree

static inline bool w3c_member(const w3c_set *set, int item) {
    for (int i = 0; i < set->count; i++) {
        if (set->item[i] == item) return true;
    }
    return false;
}

static inline void w3c_add(w3c_set *set, int item) {
    if (!w3c_member(set, item)) set->item[set->count++] = item;
}

static inline void w3c_delete(w3c_set *set, int item) {
    int kept = 0;
    for (int i = 0; i < set->count; i++) {
        if (set->item[i] != item) set->item[kept++] = set->item[i];
    }
    set->count = kept;
}

static inline void w3c_sort(w3c_set *set, bool descending) {
    for (int i = 0; i < set->count; i++) {
        for (int k = i + 1; k < set->count; k++) {
            if ((set->item[k] < set->item[i]) == descending) continue;
            int item = set->item[i];
            set->item[i] = set->item[k];
            set->item[k] = item;
        }
    }
}

static inline bool w3c_is_history(const w3c_chart *c, int s) {
    return c->state[s].kind >= PLOY_HSM_HISTORY;
}

static inline bool w3c_is_descendant(const w3c_chart *c, int a, int b) {
    while (a != 0) {
        a = c->state[a].parent;
        if (a == b) return true;
    }
    return false;
}

static inline w3c_set w3c_child_states(const w3c_chart *c, int s) {
    w3c_set out = {{0}, 0};
    for (int i = 1; i < c->states; i++) {
        if (c->state[i].parent == s && !w3c_is_history(c, i)) w3c_add(&out, i);
    }
    return out;
}

static inline bool w3c_is_atomic(const w3c_chart *c, int s) {
    return w3c_child_states(c, s).count == 0;
}

static inline bool w3c_is_parallel(const w3c_chart *c, int s) {
    return c->state[s].kind == PLOY_HSM_PARALLEL;
}

static inline bool w3c_is_compound(const w3c_chart *c, int s) {
    return c->state[s].kind == PLOY_HSM_STATE && !w3c_is_atomic(c, s);
}

// ---- content, queues, conditions

static inline void w3c_log(w3c_run *r, const char *what, const char *suffix) {
    int n = snprintf(r->log + r->used, sizeof r->log - r->used, "%s%s ", what, suffix);
    if (n > 0 && r->used + (size_t)n < sizeof r->log) r->used += (size_t)n;
}

static inline void w3c_enqueue(w3c_run *r, w3c_queue *queue, const char *event) {
    if (queue->count == W3C_QUEUE) {
        r->overflow = true;
        return;
    }
    snprintf(queue->event[queue->count++], sizeof queue->event[0], "%s", event);
}

static inline void w3c_dequeue(w3c_queue *queue, char event[32]) {
    memcpy(event, queue->event[0], 32);
    queue->count--;
    memmove(queue->event[0], queue->event[1], (size_t)queue->count * sizeof queue->event[0]);
}

static inline bool w3c_condition_match(const w3c_run *r, w3c_cond cond) {
    return cond.state == 0 || w3c_member(&r->configuration, cond.state) != cond.negated;
}

static inline void w3c_execute(w3c_run *r, const w3c_content *content) {
    if (content->event == NULL || !w3c_condition_match(r, content->cond)) return;
    w3c_enqueue(r, content->send ? &r->external : &r->internal, content->event);
}

// "event descriptors ... match if they are equal or a prefix by whole tokens"; "*" is any.
static inline bool w3c_name_match(const char *descriptors, const char *name) {
    char list[48];
    snprintf(list, sizeof list, "%s", descriptors);
    for (char *word = list; *word != '\0';) {
        size_t size = strcspn(word, " ");
        char *next = word + size + (word[size] == ' ');
        word[size] = '\0';
        if (size > 2 && strcmp(word + size - 2, ".*") == 0) word[size -= 2] = '\0';
        if (strcmp(word, "*") == 0) return true;
        if (strncmp(name, word, size) == 0 && (name[size] == '\0' || name[size] == '.'))
            return true;
        word = next;
    }
    return false;
}

// ---- the algorithm

static inline w3c_set w3c_effective_targets(const w3c_run *r, const w3c_transition *t) {
    w3c_set targets = {{0}, 0};
    for (int i = 0; i < t->target.count; i++) {
        int s = t->target.item[i];
        if (!w3c_is_history(r->chart, s)) {
            w3c_add(&targets, s);
            continue;
        }
        w3c_set more = r->history[s].count > 0
                           ? r->history[s]
                           : w3c_effective_targets(r, &r->chart->state[s].transition);
        for (int k = 0; k < more.count; k++) w3c_add(&targets, more.item[k]);
    }
    return targets;
}

static inline int w3c_find_lcca(const w3c_chart *c, int head, const w3c_set *tail) {
    for (int anc = c->state[head].parent;; anc = c->state[anc].parent) {
        bool every = anc == 0 || w3c_is_compound(c, anc);
        for (int i = 0; i < tail->count; i++) {
            every = every && w3c_is_descendant(c, tail->item[i], anc);
        }
        if (every || anc == 0) return anc;
    }
}

static inline int w3c_transition_domain(const w3c_run *r, const w3c_transition *t) {
    w3c_set tstates = w3c_effective_targets(r, t);
    bool every = true;
    for (int i = 0; i < tstates.count; i++) {
        every = every && w3c_is_descendant(r->chart, tstates.item[i], t->source);
    }
    if (t->internal && w3c_is_compound(r->chart, t->source) && every) return t->source;
    return w3c_find_lcca(r->chart, t->source, &tstates);
}

static inline void w3c_compute_exit_set(const w3c_run *r, const w3c_transition *t, w3c_set *out) {
    if (t->target.count == 0) return;
    int domain = w3c_transition_domain(r, t);
    for (int i = 0; i < r->configuration.count; i++) {
        int s = r->configuration.item[i];
        if (w3c_is_descendant(r->chart, s, domain)) w3c_add(out, s);
    }
}

static inline w3c_set w3c_remove_conflicting(const w3c_run *r, const w3c_set *enabled) {
    const w3c_chart *c = r->chart;
    w3c_set filtered = {{0}, 0};
    for (int i = 0; i < enabled->count; i++) {
        const w3c_transition *t1 = &c->rule[enabled->item[i]];
        w3c_set remove = {{0}, 0};
        bool preempted = false;
        for (int k = 0; k < filtered.count && !preempted; k++) {
            const w3c_transition *t2 = &c->rule[filtered.item[k]];
            w3c_set a = {{0}, 0}, b = {{0}, 0};
            w3c_compute_exit_set(r, t1, &a);
            w3c_compute_exit_set(r, t2, &b);
            bool meet = false;
            for (int x = 0; x < a.count; x++) meet = meet || w3c_member(&b, a.item[x]);
            if (!meet) continue;
            if (w3c_is_descendant(c, t1->source, t2->source)) {
                w3c_add(&remove, filtered.item[k]);
            } else {
                preempted = true;
            }
        }
        if (preempted) continue;
        for (int k = 0; k < remove.count; k++) w3c_delete(&filtered, remove.item[k]);
        w3c_add(&filtered, enabled->item[i]);
    }
    return filtered;
}

// selectTransitions, and selectEventlessTransitions with NULL.
static inline w3c_set w3c_select(const w3c_run *r, const char *event) {
    const w3c_chart *c = r->chart;
    w3c_set enabled = {{0}, 0}, atomic = {{0}, 0};
    for (int i = 0; i < r->configuration.count; i++) {
        if (w3c_is_atomic(c, r->configuration.item[i])) w3c_add(&atomic, r->configuration.item[i]);
    }
    w3c_sort(&atomic, false);
    for (int i = 0; i < atomic.count; i++) {
        bool found = false;
        for (int s = atomic.item[i]; s != 0 && !found; s = c->state[s].parent) {
            for (int k = 0; k < c->rules && !found; k++) {
                const w3c_transition *t = &c->rule[k];
                if (t->source != s || (t->event[0] == '\0') != (event == NULL)) continue;
                if (event != NULL && !w3c_name_match(t->event, event)) continue;
                if (!w3c_condition_match(r, t->cond)) continue;
                w3c_add(&enabled, k);
                found = true;
            }
        }
    }
    return w3c_remove_conflicting(r, &enabled);
}

typedef struct w3c_entry {
    w3c_set states, defaults;
    const w3c_content *content[W3C_STATES]; // defaultHistoryContent
} w3c_entry;

static inline void w3c_add_descendants(const w3c_run *r, int s, w3c_entry *e);

static inline void w3c_add_regions(const w3c_run *r, int s, w3c_entry *e) {
    w3c_set children = w3c_child_states(r->chart, s);
    for (int i = 0; i < children.count; i++) {
        bool some = false;
        for (int k = 0; k < e->states.count; k++) {
            some = some || w3c_is_descendant(r->chart, e->states.item[k], children.item[i]);
        }
        if (!some) w3c_add_descendants(r, children.item[i], e);
    }
}

static inline void w3c_add_ancestors(const w3c_run *r, int s, int ancestor, w3c_entry *e) {
    // getProperAncestors: none if the ancestor is the state itself or lies in it.
    if (s == ancestor || w3c_is_descendant(r->chart, ancestor, s)) return;
    for (int anc = r->chart->state[s].parent; anc != ancestor && anc != 0;
         anc = r->chart->state[anc].parent) {
        w3c_add(&e->states, anc);
        if (w3c_is_parallel(r->chart, anc)) w3c_add_regions(r, anc, e);
    }
}

static inline void w3c_add_all(const w3c_run *r, const w3c_set *targets, int ancestor,
                               w3c_entry *e) {
    for (int i = 0; i < targets->count; i++) w3c_add_descendants(r, targets->item[i], e);
    for (int i = 0; i < targets->count; i++) w3c_add_ancestors(r, targets->item[i], ancestor, e);
}

static inline void w3c_add_descendants(const w3c_run *r, int s, w3c_entry *e) {
    const w3c_state *state = &r->chart->state[s];
    if (w3c_is_history(r->chart, s)) {
        if (r->history[s].count > 0) {
            w3c_add_all(r, &r->history[s], state->parent, e);
        } else {
            e->content[state->parent] = &state->transition.content;
            w3c_add_all(r, &state->transition.target, state->parent, e);
        }
        return;
    }
    w3c_add(&e->states, s);
    if (w3c_is_compound(r->chart, s)) {
        w3c_add(&e->defaults, s);
        w3c_add_all(r, &state->initial, s, e);
    } else if (w3c_is_parallel(r->chart, s)) {
        w3c_add_regions(r, s, e);
    }
}

static inline bool w3c_in_final(const w3c_run *r, int s) {
    w3c_set children = w3c_child_states(r->chart, s);
    bool compound = w3c_is_compound(r->chart, s), parallel = w3c_is_parallel(r->chart, s);
    bool some = false, every = true;
    for (int i = 0; i < children.count; i++) {
        int child = children.item[i];
        some = some || (r->chart->state[child].kind == PLOY_HSM_FINAL &&
                        w3c_member(&r->configuration, child));
        every = every && (!parallel || w3c_in_final(r, child));
    }
    return compound ? some : parallel && every;
}

static inline void w3c_done(w3c_run *r, int s) {
    char event[32];
    snprintf(event, sizeof event, "done.state.%s", r->chart->state[s].name);
    w3c_enqueue(r, &r->internal, event);
}

static inline void w3c_enter_states(w3c_run *r, w3c_entry *e) {
    const w3c_chart *c = r->chart;
    w3c_sort(&e->states, false);
    for (int i = 0; i < e->states.count; i++) {
        int s = e->states.item[i];
        w3c_add(&r->configuration, s);
        w3c_log(r, c->state[s].name, "-entry");
        w3c_execute(r, &c->state[s].onentry);
        if (w3c_member(&e->defaults, s)) w3c_execute(r, &c->state[s].oninitial);
        if (e->content[s] != NULL) w3c_execute(r, e->content[s]);
        if (c->state[s].kind != PLOY_HSM_FINAL) continue;
        int parent = c->state[s].parent;
        if (parent == 0) {
            r->running = false;
            continue;
        }
        w3c_done(r, parent);
        int grandparent = c->state[parent].parent;
        if (!w3c_is_parallel(c, grandparent)) continue;
        w3c_set regions = w3c_child_states(c, grandparent);
        bool every = true;
        for (int k = 0; k < regions.count; k++) every = every && w3c_in_final(r, regions.item[k]);
        if (every) w3c_done(r, grandparent);
    }
}

static inline void w3c_exit_states(w3c_run *r, const w3c_set *transitions) {
    const w3c_chart *c = r->chart;
    w3c_set exits = {{0}, 0};
    for (int i = 0; i < transitions->count; i++) {
        w3c_compute_exit_set(r, &c->rule[transitions->item[i]], &exits);
    }
    w3c_sort(&exits, true);
    for (int i = 0; i < exits.count; i++) {
        int s = exits.item[i];
        for (int h = 1; h < c->states; h++) {
            if (c->state[h].parent != s || !w3c_is_history(c, h)) continue;
            bool deep = c->state[h].kind == PLOY_HSM_DEEP_HISTORY;
            r->history[h].count = 0;
            for (int k = 0; k < r->configuration.count; k++) {
                int s0 = r->configuration.item[k];
                bool take = deep ? w3c_is_atomic(c, s0) && w3c_is_descendant(c, s0, s)
                                 : c->state[s0].parent == s;
                if (take) w3c_add(&r->history[h], s0);
            }
        }
    }
    for (int i = 0; i < exits.count; i++) {
        w3c_log(r, c->state[exits.item[i]].name, "-exit");
        w3c_execute(r, &c->state[exits.item[i]].onexit);
        w3c_delete(&r->configuration, exits.item[i]);
    }
}

static inline void w3c_microstep(w3c_run *r, const w3c_set *transitions) {
    const w3c_chart *c = r->chart;
    w3c_exit_states(r, transitions);
    for (int i = 0; i < transitions->count; i++) {
        const w3c_transition *t = &c->rule[transitions->item[i]];
        w3c_log(r, t->name, "");
        w3c_execute(r, &t->content);
    }
    w3c_entry e;
    memset(&e, 0, sizeof e);
    for (int i = 0; i < transitions->count; i++) {
        const w3c_transition *t = &c->rule[transitions->item[i]];
        if (t->target.count == 0) continue;
        for (int k = 0; k < t->target.count; k++) w3c_add_descendants(r, t->target.item[k], &e);
        int ancestor = w3c_transition_domain(r, t);
        w3c_set targets = w3c_effective_targets(r, t);
        for (int k = 0; k < targets.count; k++) {
            w3c_add_ancestors(r, targets.item[k], ancestor, &e);
        }
    }
    w3c_enter_states(r, &e);
}

static inline void w3c_start(w3c_run *r, const w3c_chart *chart) {
    memset(r, 0, sizeof *r);
    r->chart = chart;
    r->running = true;
    w3c_entry e;
    memset(&e, 0, sizeof e);
    w3c_add_all(r, &chart->state[0].initial, 0, &e);
    w3c_enter_states(r, &e);
}

// mainEventLoop, until both queues are empty. False if it goes on for too long.
static inline bool w3c_main_loop(w3c_run *r) {
    int changes = 0;
    while (r->running && !r->overflow) {
        w3c_set enabled = w3c_select(r, NULL);
        if (enabled.count == 0) {
            char event[32];
            if (r->internal.count > 0) {
                w3c_dequeue(&r->internal, event);
            } else if (r->external.count > 0) {
                w3c_dequeue(&r->external, event);
            } else {
                break;
            }
            enabled = w3c_select(r, event);
        }
        if (enabled.count == 0) continue;
        if (changes++ == W3C_CHANGES) return false;
        w3c_microstep(r, &enabled);
    }
    r->changes += changes;
    return !r->overflow;
}
