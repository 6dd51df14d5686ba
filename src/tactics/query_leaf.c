// Queries inside decisions: a leaf, a condition and a number; described in ploy/tactics/query.h.
#include <string.h>

#include "query_internal.h"

typedef struct query_leaf {
    ploy_env env;
    const ploy_query_leaf *of;
    ploy_query *query;
    bool waits;   // for the claim in commit
    bool claimed; // commit got it
    bool refused; // another agent was faster
    ploy_tactical_id id;
    ploy_vec3 spot;
} query_leaf;

static ploy_result query_leaf_ask(const ploy_query_leaf *leaf, ploy_step_context *step,
                                  ploy_query_context *context) {
    *context = ploy_query_context_make(ploy_vec3_zero());
    context->agent = step->agent;
    context->now = step->now;
    context->tick = step->tick;
    context->key = step->key;
    context->step = step;
    return leaf->ask(leaf->user, step, context);
}

static void query_leaf_write(const ploy_query_leaf *leaf, ploy_step_context *step,
                             ploy_vec3 position, ploy_tactical_id id) {
    const float place[3] = {position.x, position.y, position.z};
    if (step->blackboard == NULL) return;
    if (!ploy_slot_is_none(leaf->spot)) {
        (void)ploy_blackboard_set_vec(step->blackboard, leaf->spot, place);
    }
    if (!ploy_slot_is_none(leaf->point)) {
        (void)ploy_blackboard_set_id(step->blackboard, leaf->point, id.id);
    }
}

static ploy_result query_leaf_begin(query_leaf *leaf, ploy_step_context *step) {
    ploy_query_context context;
    ploy_result result = query_leaf_ask(leaf->of, step, &context);
    if (result == PLOY_OK) result = ploy_query_begin(leaf->query, &context);
    leaf->waits = false;
    leaf->claimed = false;
    leaf->refused = false;
    return result;
}

static ploy_result query_leaf_enter(void *self, ploy_step_context *step) {
    return query_leaf_begin(self, step);
}

static ploy_result query_leaf_step(void *self, ploy_step_context *step, ploy_status *status) {
    query_leaf *leaf = self;
    ploy_result result = PLOY_OK;
    *status = PLOY_STATUS_RUNNING;
    if (leaf->waits) {
        if (!leaf->claimed && !leaf->refused) return PLOY_OK;
        if (leaf->claimed) {
            query_leaf_write(leaf->of, step, leaf->spot, leaf->id);
            *status = PLOY_STATUS_SUCCESS;
            return PLOY_OK;
        }
        result = query_leaf_begin(leaf, step);
        if (result != PLOY_OK) return result;
    }
    leaf->query->context.step = step; // of this step, for keys in texts
    result = ploy_query_step(leaf->query, step->budget);
    if (result == PLOY_IN_PROGRESS) return PLOY_OK;
    if (result != PLOY_OK) return result;
    ploy_query_trace(leaf->query, step->trace);
    ploy_query_result found;
    ploy_query_get(leaf->query, &found);
    leaf->query->context.step = NULL;
    if (found.outcome != PLOY_QUERY_FOUND) {
        *status = PLOY_STATUS_FAILURE;
        return PLOY_OK;
    }
    leaf->spot = found.spots[0].position;
    leaf->id = found.spots[0].id;
    leaf->waits =
        leaf->of->claim > 0.0f && leaf->of->points != NULL && !ploy_id_is_none(leaf->id.id);
    if (leaf->waits) return PLOY_OK;
    query_leaf_write(leaf->of, step, leaf->spot, leaf->id);
    *status = PLOY_STATUS_SUCCESS;
    return PLOY_OK;
}

static ploy_result query_leaf_commit(void *self, ploy_step_context *step) {
    query_leaf *leaf = self;
    if (!leaf->waits || leaf->claimed) return PLOY_OK;
    ploy_result result = ploy_tactical_points_claim(leaf->of->points, leaf->id, step->agent,
                                                    step->now, step->now + leaf->of->claim);
    leaf->claimed = result == PLOY_OK;
    leaf->refused = !leaf->claimed;
    return PLOY_OK;
}

static void query_leaf_exit(void *self, ploy_step_context *step, ploy_exit_reason reason) {
    query_leaf *leaf = self;
    // A claim that never became a place on the blackboard is given back.
    if (leaf->claimed && reason != PLOY_EXIT_FINISHED) {
        (void)ploy_tactical_points_release(leaf->of->points, leaf->id, step->agent);
    }
    ploy_query_cancel(leaf->query);
    leaf->waits = false;
    leaf->claimed = false;
    leaf->refused = false;
}

static void query_leaf_destroy(void *self) {
    query_leaf *leaf = self;
    ploy_env env = leaf->env;
    ploy_query_destroy(leaf->query);
    ploy_env_free(&env, leaf, sizeof *leaf);
}

static void query_leaf_draw(const void *self, ploy_draw *out) {
    ploy_query_draw(((const query_leaf *)self)->query, out);
}

static void query_leaf_visit(ploy_visit *v, void *self) {
    query_leaf *leaf = self;
    ploy_visit_object(v, "query_leaf", leaf, sizeof *leaf);
    PLOY_VISIT_SCRATCH(v, leaf->env);
    PLOY_VISIT_SCRATCH(v, leaf->of);
    PLOY_VISIT_SCRATCH(v, leaf->query);
    ploy_visit_bool(v, "waits", PLOY_STATE, &leaf->waits);
    ploy_visit_bool(v, "claimed", PLOY_STATE, &leaf->claimed);
    ploy_visit_bool(v, "refused", PLOY_STATE, &leaf->refused);
    ploy_visit_id(v, "id", PLOY_STATE, &leaf->id.id);
    ploy_visit_vec3(v, "spot", PLOY_STATE, &leaf->spot.x, &leaf->spot.y, &leaf->spot.z);
    // In place of enter: ask again, then go on where the saved query was.
    if (ploy_visit_loads(v) && v->context != NULL) {
        ploy_query_context context;
        ploy_result result = query_leaf_ask(leaf->of, v->context, &context);
        if (result == PLOY_OK) result = ploy_query_begin(leaf->query, &context);
        if (!ploy_visit_result(v, result)) return;
    }
    ploy_visit_begin(v, "query", PLOY_STATE);
    ployi_query_visit_fields(v, leaf->query);
    ploy_visit_end(v);
    if (ploy_visit_loads(v)) ployi_query_rebuild(leaf->query); // a behavior's load is never undone
}

static const ploy_behavior_type query_leaf_type = {
    "query", query_leaf_enter,   query_leaf_step, query_leaf_exit, query_leaf_commit,
    NULL,    query_leaf_destroy, query_leaf_draw, query_leaf_visit};

static ploy_result query_leaf_make(void *user, const ploy_env *env, ploy_behavior *out) {
    const ploy_query_leaf *of = user;
    query_leaf *leaf = ploy_env_alloc_zero(env, sizeof *leaf);
    if (leaf == NULL) return PLOY_ERR_MEMORY;
    leaf->env = *env;
    leaf->of = of;
    ploy_result result = ploy_query_create(of->type, env, &leaf->query);
    if (result != PLOY_OK) {
        ploy_env_free(env, leaf, sizeof *leaf);
        return result;
    }
    out->type = &query_leaf_type;
    out->self = leaf;
    return PLOY_OK;
}

ploy_maker ploy_query_leaf_maker(const ploy_query_leaf *leaf) {
    ploy_maker maker = ploy_maker_of(query_leaf_make, (void *)(uintptr_t)leaf);
    maker.name = leaf->name;
    return maker;
}

// ---- facts

struct ploy_query_fact {
    ploy_env env;
    const ploy_query_leaf *of;
    ploy_query *query;
    bool known;
    ploy_agent_id agent;
    uint64_t tick;
    ploy_query_result result;
};

ploy_result ploy_query_fact_create(const ploy_query_leaf *leaf, const ploy_env *env,
                                   ploy_query_fact **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (leaf == NULL || leaf->ask == NULL || env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_query_fact *fact = ploy_env_alloc_zero(env, sizeof *fact);
    if (fact == NULL) return PLOY_ERR_MEMORY;
    fact->env = *env;
    fact->of = leaf;
    fact->result.outcome = PLOY_QUERY_NONE;
    ploy_result result = ploy_query_create(leaf->type, env, &fact->query);
    if (result != PLOY_OK) {
        ploy_env_free(env, fact, sizeof *fact);
        return result;
    }
    *out = fact;
    return PLOY_OK;
}

void ploy_query_fact_destroy(ploy_query_fact *fact) {
    if (fact == NULL) return;
    ploy_env env = fact->env;
    ploy_query_destroy(fact->query);
    ploy_env_free(&env, fact, sizeof *fact);
}

// Runs the query unless it ran for this agent in this tick. @return whether there is a place.
static bool query_fact_run(ploy_query_fact *fact, ploy_step_context *step) {
    if (step == NULL) return false;
    bool same =
        fact->known && fact->tick == step->tick && ploy_id_equal(fact->agent.id, step->agent.id);
    if (!same) {
        ploy_query_context context;
        fact->known = true;
        fact->agent = step->agent;
        fact->tick = step->tick;
        fact->result.outcome = PLOY_QUERY_NONE;
        fact->result.count = 0;
        if (query_leaf_ask(fact->of, step, &context) != PLOY_OK ||
            ploy_query_run(fact->query, &context, &fact->result) != PLOY_OK) {
            return false;
        }
        ploy_query_trace(fact->query, step->trace);
    }
    if (fact->result.outcome != PLOY_QUERY_FOUND) return false;
    query_leaf_write(fact->of, step, fact->result.spots[0].position, fact->result.spots[0].id);
    return true;
}

static bool query_fact_test(void *user, const ploy_moment *moment, const float *args) {
    (void)args;
    return query_fact_run(user, moment->context);
}

static float query_fact_number(void *user, const ploy_moment *moment, const float *args) {
    (void)args;
    return ploy_query_fact_score(user, moment->context);
}

int32_t ploy_query_fact_words(ploy_query_fact *fact, const char *name, const char *score_name,
                              ploy_word *out) {
    int32_t count = 0;
    memset(out, 0, 2 * sizeof *out);
    if (name != NULL) {
        out[count].name = name;
        out[count].test = query_fact_test;
        out[count++].user = fact;
    }
    if (score_name != NULL) {
        out[count].name = score_name;
        out[count].score = query_fact_number;
        out[count++].user = fact;
    }
    return count;
}

float ploy_query_fact_score(ploy_query_fact *fact, ploy_step_context *step) {
    if (!query_fact_run(fact, step)) return 0.0f;
    float score = fact->result.spots[0].score;
    return score > 0.0f ? score : 0.0f;
}

const ploy_query_result *ploy_query_fact_result(const ploy_query_fact *fact) {
    return &fact->result;
}
