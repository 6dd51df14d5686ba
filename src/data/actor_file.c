// Actors as JSON files; the format is in the header.
#include "ploy/data/actor_file.h"

#include "data/learned_internal.h"
#include "ploy/base/fields_json.h"
#include "ploy/base/json.h"
#include "ploy/base/name.h"

#include <string.h>

static const char actor_file_format[] = "ploy actor";

// More states would overflow the numbers of pairs; no table is that large.
#define ACTOR_FILE_STATES_MAX (INT64_C(1) << 40)

static void actor_file_space(ploy_visit *v, void *object) {
    ploy_problem_space *space = object;
    ploy_visit_object(v, "space", space, sizeof *space);
    ploy_visit_i64_in(v, "states", PLOY_STATE, &space->states, 0, ACTOR_FILE_STATES_MAX);
    ploy_visit_i32_in(v, "actions", PLOY_STATE, &space->actions, 1, PLOY_PROBLEM_ACTIONS_MAX);
    ploy_visit_i32_in(v, "observed", PLOY_STATE, &space->observed, 0, PLOY_PROBLEM_OBSERVED_MAX);
    ploy_visit_i32_in(v, "step_limit", PLOY_STATE, &space->step_limit, 0, INT32_MAX);
    ploy_visit_f32_in(v, "discount", PLOY_STATE, &space->discount, 0.0f, 1.0f);
    float *const limits[2] = {space->low, space->high};
    for (int32_t k = 0; k < 2; k++) {
        int32_t count =
            ploy_visit_fixed(v, k == 0 ? "low" : "high", PLOY_STATE, PLOY_PROBLEM_RANGES_MAX);
        for (int32_t i = 0; i < count; i++) ploy_visit_f32(v, "value", PLOY_STATE, &limits[k][i]);
        ploy_visit_end(v);
    }
}

ploy_result ploy_actor_save(ploy_actor actor, ploy_writer *writer) {
    if (actor.type == NULL || writer == NULL) return PLOY_ERR_ARGUMENT;
    ploy_problem_space space = *ploy_actor_space(actor);
    ploy_json_writer json;
    ploy_json_writer_init(&json, writer, 1);
    ploy_json_write_begin_object(&json);
    ploy_json_write_key(&json, "format");
    ploy_json_write_text(&json, actor_file_format);
    ploy_json_write_key(&json, "version");
    ploy_json_write_i64(&json, PLOY_ACTOR_FILE_VERSION);
    ploy_json_write_key(&json, "actor");
    ploy_json_write_text(&json, actor.type->name);
    ploy_json_write_key(&json, "seed");
    ploy_json_write_u64(&json, ((const ploy_actor_common *)actor.self)->seed);
    ploy_json_write_key(&json, "space");
    ploy_visit_save(actor_file_space, &space, NULL, &json);
    ploy_json_write_key(&json, "settings");
    ploy_fields_save_json(actor.type->fields(), ploy_actor_def(actor), &json);
    ploy_json_write_key(&json, "state");
    ploy_visit_save(ploy_actor_visit, &actor, NULL, &json);
    ploy_json_write_end_object(&json);
    return ploy_json_writer_finish(&json);
}

ploy_result ploy_actor_save_compact(ploy_actor actor, const ploy_env *env, ploy_writer *writer) {
    if (env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_buffer text;
    ploy_buffer_init(&text, 0, env);
    ploy_writer to_text = ploy_buffer_writer(&text);
    ploy_result result = ploy_actor_save(actor, &to_text);
    if (result == PLOY_OK) result = ployi_learned_compact(&text, env, writer);
    ploy_buffer_fini(&text);
    return result;
}

// The actor that the file names; NULL after a fault.
static const ploy_actor_type *actor_file_type(const ploy_json *doc, ploy_diags *diags) {
    if (!ployi_learned_is(doc, actor_file_format, "file is not a saved actor", diags)) return NULL;
    ploy_json_node name = ploy_json_member(doc, ploy_json_root(doc), "actor");
    const char *text = ploy_json_text(doc, name, NULL);
    const ploy_actor_type *type = ploy_actors_find(text);
    if (type != NULL) return type;
    ploy_nearest nearest = ploy_nearest_make(text);
    for (int32_t i = 0; ploy_actors_at(i) != NULL; i++) {
        ploy_nearest_offer(&nearest, ploy_actors_at(i)->name);
    }
    ploy_json_fault(doc, name, diags, "unknown actor", "a learner in `ploy learn play list`",
                    nearest.best);
    return NULL;
}

// Whether an actor for one space can act in the other.
static bool actor_file_suits(const ploy_problem_space *space, const ploy_problem_type *problem) {
    const ploy_problem_space *needs = problem != NULL ? &problem->space : space;
    return space->states == needs->states && space->actions == needs->actions &&
           space->observed == needs->observed;
}

static ploy_result actor_file_read(const ploy_json *doc, const ploy_actor_type *type,
                                   const ploy_problem_type *problem, void *def, const ploy_env *env,
                                   ploy_diags *diags, ploy_actor *out) {
    ploy_json_node root = ploy_json_root(doc), node = ploy_json_member(doc, root, "space");
    ploy_problem_space space;
    memset(&space, 0, sizeof space);
    ploy_fields_default(type->fields(), def);
    ploy_result result = ploy_visit_load(actor_file_space, &space, NULL, doc, node, env, diags);
    if (result == PLOY_OK && !actor_file_suits(&space, problem)) {
        ploy_json_fault(doc, node, diags, "unexpected space of an actor", problem->name, NULL);
        return PLOY_ERR_FORMAT;
    }
    if (result == PLOY_OK) {
        result = ploy_fields_load_json(type->fields(), def, doc,
                                       ploy_json_member(doc, root, "settings"), diags);
    }
    uint64_t seed = 0; // for a reset; the random stream is in the state
    ploy_json_node number = ploy_json_member(doc, root, "seed");
    if (result == PLOY_OK && ploy_json_u64(doc, number, &seed) != PLOY_OK) {
        ploy_json_fault(doc, ploy_json_is_none(number) ? root : number, diags, "invalid seed",
                        "a whole number", NULL);
        return PLOY_ERR_FORMAT;
    }
    if (problem != NULL && type == ploy_actors_find("td")) {
        ((ploy_td_def *)def)->model = problem->model;
    }
    if (result == PLOY_OK) result = ploy_actor_create(type, def, &space, seed, env, out);
    if (result == PLOY_ERR_ARGUMENT) {
        ploy_json_fault(doc, node, diags, "the actor cannot act in this space", NULL, NULL);
        return PLOY_ERR_FORMAT;
    }
    if (result != PLOY_OK) return result;
    result = ploy_visit_load(ploy_actor_visit, out, NULL, doc, ploy_json_member(doc, root, "state"),
                             env, diags);
    if (result == PLOY_OK) return PLOY_OK;
    ploy_actor_destroy(*out);
    out->type = NULL;
    out->self = NULL;
    return result;
}

ploy_result ploy_actor_load(const void *bytes, size_t size, const char *name,
                            const ploy_problem_type *problem, const ploy_env *env,
                            ploy_diags *diags, ploy_actor *out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    out->type = NULL;
    out->self = NULL;
    ploy_json *doc = NULL;
    ploy_result result = ployi_learned_read(bytes, size, name, env, diags, &doc);
    if (result != PLOY_OK) return result;
    const ploy_actor_type *type = actor_file_type(doc, diags);
    if (type == NULL) result = PLOY_ERR_FORMAT;
    if (result == PLOY_OK) {
        size_t def_size = type->fields().size;
        void *def = ploy_env_alloc(env, def_size);
        result = def == NULL ? PLOY_ERR_MEMORY
                             : actor_file_read(doc, type, problem, def, env, diags, out);
        ploy_env_free(env, def, def_size);
    }
    ploy_json_destroy(doc);
    return result;
}
