// Random machines against the printed algorithm (hsm_w3c.h). Where the two differ, the machine is
// wrong.
#include "ploy/base/rng.h"
#include "ploy/decide/hsm.h"
#include "tests/decide/hsm_w3c.h"
#include "tests/test.h"

// ---- random charts

// Machines that go round and round end at a limit and say little. So what a machine does by itself
// goes forward, with few exceptions: rules without an event, those for events that contents raise
// (i) and those for any event lead to states further down in the document.
static const char *const w3c_events[] = {"a", "a.b", "a.b.c", "b", "b.x", "c"};
static const char *const w3c_own_events[] = {"i", "i.j"};
static const char *const w3c_descriptors[] = {"a",     "a.b",   "a.b.*", "b",
                                              "b.x c", "c a.b", "a b",   "b.*"};
static const char *const w3c_own_descriptors[] = {"i", "*", "i.j c", "i.*"};

static bool w3c_chance(ploy_rng *rng, float share) {
    return ploy_rng_chance(rng, share);
}

static int w3c_pick(ploy_rng *rng, int first, int last) {
    return ploy_rng_int(rng, first, last);
}

static int w3c_grow(w3c_chart *c, ploy_rng *rng, int parent, int depth) {
    int me = c->states++;
    w3c_state *s = &c->state[me];
    s->parent = parent;
    s->kind = PLOY_HSM_STATE;
    snprintf(s->name, sizeof s->name, "s%d", me);
    if (depth >= 4 || c->states > W3C_STATES - 7 || w3c_chance(rng, 0.35f)) {
        bool fin = me > 1 && c->state[parent].kind == PLOY_HSM_STATE && w3c_chance(rng, 0.25f);
        if (fin) s->kind = PLOY_HSM_FINAL;
        return me;
    }
    if (w3c_chance(rng, 0.4f)) s->kind = PLOY_HSM_PARALLEL;
    int children = w3c_pick(rng, 2, 3);
    for (int i = 0; i < children && c->states < W3C_STATES - 4; i++) {
        (void)w3c_grow(c, rng, me, depth + 1);
    }
    if (w3c_chance(rng, 0.5f)) {
        int h = c->states++;
        c->state[h].parent = me;
        c->state[h].kind = w3c_chance(rng, 0.5f) ? PLOY_HSM_HISTORY : PLOY_HSM_DEEP_HISTORY;
        snprintf(c->state[h].name, sizeof c->state[h].name, "h%d", h);
    }
    return me;
}

// A state that lies in another and is, if wanted, no history state.
static int w3c_inner(const w3c_chart *c, ploy_rng *rng, int around, bool real) {
    for (;;) {
        int s = w3c_pick(rng, 1, c->states - 1);
        if (w3c_is_descendant(c, s, around) && !(real && w3c_is_history(c, s))) return s;
    }
}

// One target in a state, or two in different regions of a parallel one in it.
static w3c_set w3c_targets(const w3c_chart *c, ploy_rng *rng, int around, bool real) {
    w3c_set out = {{0}, 0};
    int first = w3c_inner(c, rng, around, real);
    w3c_add(&out, first);
    if (!w3c_chance(rng, 0.4f)) return out;
    for (int p = c->state[first].parent, region = first; p != 0 && p != around;
         region = p, p = c->state[p].parent) {
        if (!w3c_is_parallel(c, p) || w3c_is_history(c, region)) continue;
        int other = w3c_inner(c, rng, p, real);
        if (other == region || w3c_is_descendant(c, other, region)) return out;
        if (c->state[other].parent == p && w3c_is_history(c, other)) return out;
        w3c_add(&out, other);
        return out;
    }
    return out;
}

static w3c_cond w3c_random_cond(const w3c_chart *c, ploy_rng *rng, float share) {
    w3c_cond cond = {0, false};
    if (!w3c_chance(rng, share)) return cond;
    cond.state = w3c_inner(c, rng, 0, true);
    cond.negated = w3c_chance(rng, 0.5f);
    return cond;
}

static w3c_content w3c_random_content(const w3c_chart *c, ploy_rng *rng, float share) {
    w3c_content content = {NULL, false, {0, false}};
    if (!w3c_chance(rng, share)) return content;
    content.event = w3c_own_events[w3c_pick(rng, 0, (int)COUNT_OF(w3c_own_events) - 1)];
    if (w3c_chance(rng, 0.02f)) {
        content.event = w3c_events[w3c_pick(rng, 0, (int)COUNT_OF(w3c_events) - 1)];
    }
    content.send = w3c_chance(rng, 0.3f);
    content.cond = w3c_random_cond(c, rng, 0.5f);
    return content;
}

// A state further down that a rule from the source reaches without entering the source again, or 0.
static int w3c_forward(const w3c_chart *c, ploy_rng *rng, int source) {
    for (int tries = 0; tries < 30; tries++) {
        int target = w3c_inner(c, rng, 0, true), above = c->state[source].parent;
        if (target <= source || w3c_is_descendant(c, target, source)) continue;
        while (above != 0 && !w3c_is_descendant(c, target, above)) above = c->state[above].parent;
        if (!w3c_is_parallel(c, above)) return target;
    }
    return 0;
}

static void w3c_random(w3c_chart *c, ploy_rng *rng) {
    memset(c, 0, sizeof *c);
    c->states = 1;
    snprintf(c->state[0].name, sizeof c->state[0].name, "scxml");
    while (c->states < 8) (void)w3c_grow(c, rng, 0, 1);
    for (int i = 0; i < c->states; i++) {
        w3c_state *s = &c->state[i];
        if (i == 0 || w3c_is_compound(c, i)) s->initial = w3c_targets(c, rng, i, true);
        if (i > 0 && w3c_is_compound(c, i)) s->oninitial = w3c_random_content(c, rng, 0.1f);
        if (w3c_is_history(c, i)) {
            s->transition.source = i;
            s->transition.target = w3c_targets(c, rng, s->parent, true);
            s->transition.content = w3c_random_content(c, rng, 0.3f);
        } else if (i > 0) {
            s->onentry = w3c_random_content(c, rng, 0.1f);
            s->onexit = w3c_random_content(c, rng, 0.1f);
        }
    }
    c->rules = w3c_pick(rng, 8, W3C_RULES - 1);
    for (int i = 0; i < c->rules; i++) {
        w3c_transition *t = &c->rule[i];
        do {
            t->source = w3c_inner(c, rng, 0, true);
        } while (c->state[t->source].kind == PLOY_HSM_FINAL);
        const char *on = w3c_descriptors[w3c_pick(rng, 0, (int)COUNT_OF(w3c_descriptors) - 1)];
        snprintf(t->event, sizeof t->event, "%s", on);
        t->cond = w3c_random_cond(c, rng, 0.4f);
        if (!w3c_chance(rng, 0.1f)) t->target = w3c_targets(c, rng, 0, false);
        int forward = w3c_chance(rng, 0.4f) ? w3c_forward(c, rng, t->source) : 0;
        int done = c->state[w3c_inner(c, rng, 0, true)].parent;
        if (forward != 0) {
            bool own = w3c_chance(rng, 0.5f);
            on = w3c_own_descriptors[w3c_pick(rng, 0, (int)COUNT_OF(w3c_own_descriptors) - 1)];
            snprintf(t->event, sizeof t->event, "%s", own ? on : "");
            if (own && done != 0 && w3c_chance(rng, 0.4f)) {
                snprintf(t->event, sizeof t->event, "done.state.%s", c->state[done].name);
            }
            if (!w3c_chance(rng, 0.02f)) { // else backward, as it was
                t->target.count = 0;
                w3c_add(&t->target, forward);
            }
        }
        t->internal = w3c_chance(rng, 0.3f);
        t->content = w3c_random_content(c, rng, 0.15f);
        snprintf(t->name, sizeof t->name, "r%d", i);
    }
}

// ---- the same as a type

typedef struct w3c_log_owner {
    char text[8192];
    size_t used;
} w3c_log_owner;

static void w3c_note(const ploy_hsm_turn *turn, const char *what, const char *suffix) {
    w3c_log_owner *log = turn->owner;
    int n = snprintf(log->text + log->used, sizeof log->text - log->used, "%s%s ", what, suffix);
    if (n > 0 && log->used + (size_t)n < sizeof log->text) log->used += (size_t)n;
}

static ploy_result w3c_note_enter(void *user, const ploy_hsm_turn *turn) {
    w3c_note(turn, user, "-entry");
    return PLOY_OK;
}

static void w3c_note_exit(void *user, const ploy_hsm_turn *turn) {
    w3c_note(turn, user, "-exit");
}

static ploy_result w3c_note_rule(void *user, const ploy_hsm_turn *turn) {
    w3c_note(turn, user, "");
    return PLOY_OK;
}

// The state's number in a type that begins with so many others, which are never entered. With them
// sets of states take more than one word.
static uint32_t w3c_padding;
static ploy_hsm_state w3c_state_of(int number) {
    ploy_hsm_state state = {number == 0 ? 0 : (uint32_t)number + w3c_padding};
    return state;
}

static ploy_condition w3c_make_cond(ploy_hsm_type *type, w3c_cond cond) {
    if (cond.state == 0) return ploy_condition_none();
    ploy_hsm_state state = w3c_state_of(cond.state);
    ploy_condition in = ploy_hsm_type_in(type, state);
    return cond.negated ? ploy_condition_not(ploy_hsm_type_conditions(type), in) : in;
}

static ploy_hsm_content w3c_make_content(ploy_hsm_type *type, const w3c_content *content) {
    ploy_hsm_content none = {0};
    if (content->event == NULL) return none;
    ploy_hsm_op ops[3];
    memset(ops, 0, sizeof ops);
    ops[0].kind = PLOY_HSM_OP_IF;
    ops[0].when = w3c_make_cond(type, content->cond);
    ops[1].kind = content->send ? PLOY_HSM_OP_SEND : PLOY_HSM_OP_RAISE;
    ops[1].text = content->event;
    ops[2].kind = PLOY_HSM_OP_END;
    return ploy_hsm_type_content(type, ops, 3);
}

static int32_t w3c_states_of(const w3c_set *set, ploy_hsm_state out[4]) {
    for (int i = 0; i < set->count; i++) out[i] = w3c_state_of(set->item[i]);
    return set->count;
}

// @param quiet  without hooks and actions: nothing is noted.
static ploy_hsm_type *w3c_build(test_context *t, const w3c_chart *c, const ploy_env *env,
                                bool quiet) {
    ploy_hsm_def def = ploy_hsm_def_default();
    ploy_hsm_type *type = NULL;
    ploy_hsm_state targets[4];
    def.queue = W3C_QUEUE;
    def.changes = W3C_CHANGES;
    CHECK_OK(ploy_hsm_type_create(&def, NULL, env, &type));
    for (uint32_t i = 0; i < w3c_padding; i++) {
        char id[24];
        snprintf(id, sizeof id, "pad %d", (int)i);
        (void)ploy_hsm_type_state(type, id, ploy_hsm_root(), PLOY_HSM_STATE, NULL,
                                  ploy_maker_none());
    }
    for (int i = 1; i < c->states; i++) {
        ploy_hsm_hooks hooks = {w3c_note_enter, NULL, w3c_note_exit,
                                (void *)(uintptr_t)c->state[i].name};
        ploy_hsm_state parent = w3c_state_of(c->state[i].parent);
        CHECK_UINT(ploy_hsm_type_state(type, c->state[i].name, parent, c->state[i].kind,
                                       quiet ? NULL : &hooks, ploy_maker_none())
                       .number,
                   w3c_state_of(i).number);
    }
    for (int i = 0; i < c->states; i++) {
        const w3c_state *s = &c->state[i];
        ploy_hsm_state state = w3c_state_of(i);
        const w3c_content *contents[] = {&s->onentry, &s->onexit, &s->oninitial};
        for (int k = 0; k < 3; k++) {
            ploy_hsm_content made = w3c_make_content(type, contents[k]);
            if (made.number != 0) {
                CHECK_OK(ploy_hsm_type_set_content(type, state, (ploy_hsm_when)k, made));
            }
        }
        int32_t count = w3c_states_of(&s->initial, targets);
        if (count > 0) {
            CHECK_OK(ploy_hsm_type_set_initial(type, state, targets, count, NULL, NULL));
        }
    }
    for (int i = 0; i < c->rules + c->states; i++) {
        bool history = i >= c->rules;
        const w3c_transition *rule = history ? &c->state[i - c->rules].transition : &c->rule[i];
        if (history && !w3c_is_history(c, i - c->rules)) continue;
        char id[24];
        snprintf(id, sizeof id, "rule %d", i);
        ploy_hsm_rule made = {.id = id,
                              .from = w3c_state_of(rule->source),
                              .on = rule->event[0] != '\0' ? rule->event : NULL,
                              .when = w3c_make_cond(type, rule->cond),
                              .targets = targets,
                              .target_count = w3c_states_of(&rule->target, targets),
                              .internal = rule->internal,
                              .action = history || quiet ? NULL : w3c_note_rule,
                              .user = (void *)(uintptr_t)rule->name,
                              .content = w3c_make_content(type, &rule->content)};
        CHECK_OK(ploy_hsm_type_add(type, &made));
    }
    CHECK_OK(ploy_hsm_type_finish(type));
    return type;
}

TEST(random_machines_do_what_the_printed_algorithm_does) {
    int64_t moved = 0, finished = 0, runaways = 0, rounds = test_rounds(1500);
    static w3c_chart chart;
    static w3c_run run;
    static w3c_log_owner log;
    for (int64_t round = 0; round < rounds; round++) {
        TEST_SEED(round);
        ploy_rng rng = ploy_rng_make((uint64_t)round);
        ploy_env env = ploy_env_default();
        ploy_step_context context = {0};
        ploy_hsm *hsm = NULL, *quiet = NULL;
        ploy_status status = PLOY_STATUS_RUNNING;
        w3c_random(&chart, &rng);
        w3c_padding = round % 3 == 0 ? 0 : round % 3 == 1 ? 55 : 130;
        ploy_hsm_type *type = w3c_build(t, &chart, &env, false);
        ploy_hsm_type *silent = w3c_build(t, &chart, &env, true);
        memset(&log, 0, sizeof log);
        CHECK_OK(ploy_hsm_create(type, &log, &env, &hsm));
        CHECK_OK(ploy_hsm_create(silent, NULL, &env, &quiet));
        CHECK_OK(ploy_behavior_enter(ploy_hsm_behavior(quiet), &context));
        w3c_start(&run, &chart);
        CHECK_OK(ploy_behavior_enter(ploy_hsm_behavior(hsm), &context));
        for (int i = 0; i < 25; i++) {
            bool settled = w3c_main_loop(&run);
            ploy_result result = ploy_behavior_step(ploy_hsm_behavior(hsm), &context, &status);
            CHECK_INT(ploy_behavior_step(ploy_hsm_behavior(quiet), &context, &status), result);
            size_t same = 0; // logs are long: only what follows the last equal words is printed
            while (log.text[same] != '\0' && log.text[same] == run.log[same]) same++;
            same = same > 80 ? same - 80 : 0;
            char got[240], want[240];
            snprintf(got, sizeof got, "%.200s", log.text + same);
            snprintf(want, sizeof want, "%.200s", run.log + same);
            CHECK_TEXT(got, want);
            for (int k = 1; k < chart.states; k++) {
                CHECK_INT(ploy_hsm_is_in(hsm, chart.state[k].name),
                          w3c_member(&run.configuration, k));
                CHECK_INT(ploy_hsm_is_in(quiet, chart.state[k].name),
                          w3c_member(&run.configuration, k));
            }
            if (!settled) {
                CHECK(result == PLOY_ERR_LIMIT || result == PLOY_ERR_CAPACITY);
                runaways++;
                break;
            }
            CHECK_OK(result);
            CHECK_INT(status == PLOY_STATUS_RUNNING, run.running);
            moved += log.used > 0;
            if (!run.running) {
                finished++;
                break;
            }
            memset(&log, 0, sizeof log);
            run.used = 0;
            run.log[0] = '\0';
            const char *name = w3c_events[w3c_pick(&rng, 0, (int)COUNT_OF(w3c_events) - 1)];
            ploy_hsm_event event = ploy_hsm_event_make(name);
            CHECK_OK(ploy_hsm_send(hsm, &event));
            CHECK_OK(ploy_hsm_send(quiet, &event));
            w3c_enqueue(&run, &run.external, name);
        }
        ploy_hsm_destroy(hsm);
        ploy_hsm_destroy(quiet);
        ploy_hsm_type_destroy(type);
        ploy_hsm_type_destroy(silent);
    }
    // Nearly all machines moved in most of their steps; some ended, and few ran away.
    CHECK(moved > rounds * 15);
    CHECK(finished > rounds / 200);
    CHECK(runaways > rounds / 200 && runaways < rounds / 20);
}
