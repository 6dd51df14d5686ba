// Learners as JSON files; the format is in the header.
#include "ploy/data/learner_file.h"

#include "ploy/base/fields_json.h"
#include "ploy/base/json.h"
#include "ploy/base/name.h"
#include "ploy/data/cbor.h"

#include "data/learned_internal.h"

#include <string.h>

static const char learner_file_format[] = "ploy learner";

ploy_result ploy_learner_save(ploy_learner learner, ploy_writer *writer) {
    if (learner.type == NULL || writer == NULL) return PLOY_ERR_ARGUMENT;
    if (ploy_learner_trains(learner)) return PLOY_ERR_STATE;
    ploy_json_writer json;
    ploy_json_writer_init(&json, writer, 1);
    ploy_json_write_begin_object(&json);
    ploy_json_write_key(&json, "format");
    ploy_json_write_text(&json, learner_file_format);
    ploy_json_write_key(&json, "version");
    ploy_json_write_i64(&json, PLOY_LEARNER_FILE_VERSION);
    ploy_json_write_key(&json, "learner");
    ploy_json_write_text(&json, learner.type->name);
    ploy_json_write_key(&json, "schema");
    ploy_visit_save(ploy_schema_visit, ploy_learner_schema(learner), NULL, &json);
    ploy_json_write_key(&json, "settings");
    ploy_fields_save_json(learner.type->fields(), ploy_learner_def(learner), &json);
    ploy_json_write_key(&json, "state");
    ploy_visit_save(ploy_learner_visit, &learner, NULL, &json);
    ploy_json_write_end_object(&json);
    return ploy_json_writer_finish(&json);
}

ploy_result ployi_learned_compact(const ploy_buffer *text, const ploy_env *env,
                                  ploy_writer *writer) {
    ploy_json *doc = NULL;
    ploy_result result = ploy_json_load(text->bytes, text->size, "learner", NULL, env, NULL, &doc);
    if (result == PLOY_OK) result = ploy_cbor_save(doc, ploy_json_root(doc), writer);
    ploy_json_destroy(doc);
    return result;
}

ploy_result ploy_learner_save_compact(ploy_learner learner, const ploy_env *env,
                                      ploy_writer *writer) {
    if (env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_buffer text;
    ploy_buffer_init(&text, 0, env);
    ploy_writer to_text = ploy_buffer_writer(&text);
    ploy_result result = ploy_learner_save(learner, &to_text);
    if (result == PLOY_OK) result = ployi_learned_compact(&text, env, writer);
    ploy_buffer_fini(&text);
    return result;
}

bool ployi_learned_is(const ploy_json *doc, const char *format, const char *fault,
                      ploy_diags *diags) {
    ploy_json_node root = ploy_json_root(doc), node = ploy_json_member(doc, root, "format");
    if (strcmp(ploy_json_text(doc, node, NULL), format) != 0) {
        ploy_json_fault(doc, ploy_json_is_none(node) ? root : node, diags, fault, format, NULL);
        return false;
    }
    ploy_json_node version = ploy_json_member(doc, root, "version");
    int64_t number = 0;
    if (ploy_json_i64(doc, version, &number) == PLOY_OK && number == 1) return true;
    ploy_json_fault(doc, version, diags, "unknown version of the format", "1", NULL);
    return false;
}

// The learner that the file names; NULL after a fault.
static const ploy_learner_type *learner_file_type(const ploy_json *doc, ploy_diags *diags) {
    if (!ployi_learned_is(doc, learner_file_format, "file is not a saved learner", diags)) {
        return NULL;
    }
    ploy_json_node name = ploy_json_member(doc, ploy_json_root(doc), "learner");
    const char *text = ploy_json_text(doc, name, NULL);
    const ploy_learner_type *type = ploy_learners_find(text);
    if (type != NULL) return type;
    ploy_nearest nearest = ploy_nearest_make(text);
    for (int32_t i = 0; ploy_learners_at(i) != NULL; i++) {
        ploy_nearest_offer(&nearest, ploy_learners_at(i)->name);
    }
    ploy_json_fault(doc, name, diags, "unknown learner", "a name in `ploy learn list`",
                    nearest.best);
    return NULL;
}

static ploy_result learner_file_read(const ploy_json *doc, const ploy_learner_type *type,
                                     ploy_schema *schema, void *def, const ploy_env *env,
                                     ploy_diags *diags, ploy_learner *out) {
    ploy_json_node root = ploy_json_root(doc);
    ploy_fields_default(type->fields(), def);
    ploy_result result = ploy_visit_load(ploy_schema_visit, schema, NULL, doc,
                                         ploy_json_member(doc, root, "schema"), env, diags);
    if (result == PLOY_OK) {
        result = ploy_fields_load_json(type->fields(), def, doc,
                                       ploy_json_member(doc, root, "settings"), diags);
    }
    if (result == PLOY_OK) result = ploy_learner_create(type, def, schema, env, out);
    if (result == PLOY_ERR_ARGUMENT) {
        ploy_json_fault(doc, ploy_json_member(doc, root, "schema"), diags,
                        "the learner cannot take this schema", NULL, NULL);
        return PLOY_ERR_FORMAT;
    }
    if (result != PLOY_OK) return result;
    result = ploy_visit_load(ploy_learner_visit, out, NULL, doc,
                             ploy_json_member(doc, root, "state"), env, diags);
    if (result == PLOY_OK) return PLOY_OK;
    ploy_learner_destroy(*out);
    out->type = NULL;
    out->self = NULL;
    return result;
}

ploy_result ployi_learned_read(const void *bytes, size_t size, const char *name,
                               const ploy_env *env, ploy_diags *diags, ploy_json **out) {
    *out = NULL;
    ploy_buffer text;
    ploy_buffer_init(&text, (size_t)1 << 30, env);
    ploy_result result = PLOY_OK;
    if (ploy_cbor_is(bytes, size)) {
        ploy_writer to_text = ploy_buffer_writer(&text);
        result = ploy_cbor_load(bytes, size, name, diags, &to_text);
        bytes = text.bytes;
        size = text.size;
    }
    if (result == PLOY_OK) result = ploy_json_load(bytes, size, name, NULL, env, diags, out);
    ploy_buffer_fini(&text);
    return result == PLOY_ERR_UNSUPPORTED ? PLOY_ERR_FORMAT : result;
}

ploy_result ploy_learner_load(const void *bytes, size_t size, const char *name, const ploy_env *env,
                              ploy_diags *diags, ploy_learner *out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    out->type = NULL;
    out->self = NULL;
    ploy_json *doc = NULL;
    ploy_result result = ployi_learned_read(bytes, size, name, env, diags, &doc);
    if (result != PLOY_OK) return result;
    const ploy_learner_type *type = learner_file_type(doc, diags);
    ploy_schema *schema = NULL;
    result = type == NULL ? PLOY_ERR_FORMAT : ploy_schema_create(env, &schema);
    if (result == PLOY_OK) {
        size_t def_size = type->fields().size;
        void *def = ploy_env_alloc(env, def_size);
        result = def == NULL ? PLOY_ERR_MEMORY
                             : learner_file_read(doc, type, schema, def, env, diags, out);
        ploy_env_free(env, def, def_size);
    }
    ploy_schema_destroy(schema);
    ploy_json_destroy(doc);
    return result;
}
