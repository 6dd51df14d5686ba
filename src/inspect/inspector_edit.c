// Texts that are edited while a simulation runs: reading them as of the present tick, checking a new
// one and handing it over.
//
// The parameters are such a text for every session, whatever it shows: what an edit changed is set as
// sliders set it, one parameter input for each. The others are the simulation's own; they go to it as
// a reload, which it checks before it is recorded, so that a recording never holds a text with faults.
#include "inspect/inspector_internal.h"

#include <string.h>

#include "ploy/base/fields_json.h"

static const ploy_definition edit_parameters = {"parameters", "json",
                                                "every parameter, as the file for --params"};

static bool edit_has_parameters(const ployi_inspect_session *session) {
    return ployi_inspect_session_fields(session).count > 0 &&
           (!session->live || session->source.params != NULL);
}

static void edit_write_one(ploy_json_writer *json, const ploy_definition *definition) {
    const char *const members[][2] = {
        {"name", definition->name}, {"format", definition->format}, {"help", definition->help}};
    ploy_json_write_begin_object(json);
    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) {
        ploy_json_write_key(json, members[i][0]);
        ploy_json_write_text(json, members[i][1] != NULL ? members[i][1] : "");
    }
    ploy_json_write_end_object(json);
}

void ployi_inspect_write_definitions(ploy_json_writer *json, const ployi_inspect_session *session) {
    ploy_json_write_begin_array(json);
    for (int32_t i = 0; !session->live && i < session->type->definition_count; i++) {
        edit_write_one(json, &session->type->definitions[i]);
    }
    if (edit_has_parameters(session)) edit_write_one(json, &edit_parameters);
    ploy_json_write_end_array(json);
}

// A text member of the request; NULL after an error was answered.
static const char *edit_text(const ployi_inspect_request *request, const char *name,
                             const char *fault) {
    ploy_value value;
    ploy_json_node at = ploy_json_member(request->doc, request->root, name);
    if (ployi_inspect_json_value(request->doc, at, PLOY_VALUE_TEXT, &value) == PLOY_OK) {
        return value.as.text;
    }
    ployi_inspect_answer_error(request, PLOY_ERR_ARGUMENT, fault, name);
    return NULL;
}

// Whether the request means the parameters; a definition of the simulation's own comes first.
static bool edit_means_parameters(const ployi_inspect_session *session, const char *name) {
    if (strcmp(name, edit_parameters.name) != 0 || !edit_has_parameters(session)) return false;
    return session->live || ploy_sim_type_find_definition(session->type, name, NULL) < 0;
}

// ---- reading

static void edit_write_parameters(const ployi_inspect_session *session, ploy_writer *out) {
    const void *now = session->live ? session->source.params : (const void *)session->next_params;
    ploy_json_writer json;
    ploy_json_writer_init(&json, out, 2);
    ploy_fields_save_json(ployi_inspect_session_fields(session), now, &json);
    (void)ploy_json_writer_finish(&json); // the writer keeps its fault
    ploy_write_char(out, '\n');
}

void ployi_edit_definition(const ployi_inspect_request *request) {
    ployi_inspect_session *session = ployi_inspect_request_session(request);
    const char *name = session == NULL ? NULL : edit_text(request, "name", "name must be a text");
    if (name == NULL) return;
    ploy_buffer text;
    ploy_buffer_init(&text, 0, &request->inspector->env);
    ploy_writer out = ploy_buffer_writer(&text);
    ploy_result result = PLOY_ERR_NOT_FOUND;
    if (edit_means_parameters(session, name)) {
        edit_write_parameters(session, &out);
        result = ploy_writer_result(&out);
    } else if (!session->live) {
        result = ploy_sim_write_definition(ploy_recorder_sim(session->recorder), name, &out);
        if (result == PLOY_OK) result = ploy_writer_result(&out);
    }
    if (result != PLOY_OK) {
        ployi_inspect_answer_error(
            request, result,
            result == PLOY_ERR_NOT_FOUND ? "unknown definition" : ploy_result_text(result), "name");
    } else {
        ployi_inspect_entry entry;
        ployi_inspect_answer_begin(&entry, request);
        ploy_json_write_key(&entry.json, "session");
        ploy_json_write_u64(&entry.json, session->number);
        ploy_json_write_key(&entry.json, "name");
        ploy_json_write_text(&entry.json, name);
        ploy_json_write_key(&entry.json, "text");
        ploy_json_write_text(&entry.json, ploy_buffer_text(&text));
        (void)ployi_inspect_answer_end(&entry, request);
    }
    ploy_buffer_fini(&text);
}

void ployi_edit_parts(const ployi_inspect_request *request) {
    ployi_inspect_session *session = ployi_inspect_request_session(request);
    const char *name = session == NULL ? NULL : edit_text(request, "name", "name must be a text");
    if (name == NULL) return;
    int32_t definition = -1;
    if (!session->live) definition = ploy_sim_type_find_definition(session->type, name, NULL);
    if (definition < 0 && !edit_means_parameters(session, name)) {
        ployi_inspect_answer_error(request, PLOY_ERR_NOT_FOUND, "unknown definition", "name");
        return;
    }
    ployi_inspect_entry entry;
    ployi_inspect_answer_begin(&entry, request);
    ploy_json_write_key(&entry.json, "session");
    ploy_json_write_u64(&entry.json, session->number);
    ploy_json_write_key(&entry.json, "name");
    ploy_json_write_text(&entry.json, name);
    ploy_json_write_key(&entry.json, "parts");
    ploy_json_write_begin_array(&entry.json);
    ploy_definition_part part;
    for (int32_t i = 0; definition >= 0 && session->type->part != NULL; i++) {
        if (!session->type->part(definition, i, &part)) break;
        ploy_json_write_begin_object(&entry.json);
        ploy_json_write_key(&entry.json, "name");
        ploy_json_write_text(&entry.json, part.name);
        ploy_json_write_key(&entry.json, "help");
        ploy_json_write_text(&entry.json, part.help);
        ploy_json_write_key(&entry.json, "fields");
        ployi_inspect_write_fields(&entry.json, request->inspector, part.fields);
        ploy_json_write_end_object(&entry.json);
    }
    ploy_json_write_end_array(&entry.json);
    (void)ployi_inspect_answer_end(&entry, request);
}

// ---- a new text

typedef struct edit_fixed {
    ploy_fields fields;
    const void *now;
    const void *wanted;
    ploy_diags *diags;
    bool good;
} edit_fixed;

// Fields that are fixed at the start may stand in the text, but must be as they are.
static void edit_check_fixed(void *user, const char *path, const ploy_field *field,
                             uint32_t offset) {
    (void)offset;
    edit_fixed *fixed = user;
    ploy_value now, wanted;
    if (field->live || ploy_fields_get(fixed->fields, fixed->now, path, &now) != PLOY_OK ||
        ploy_fields_get(fixed->fields, fixed->wanted, path, &wanted) != PLOY_OK ||
        ploy_value_equal(&now, &wanted)) {
        return;
    }
    ploy_diags_add(fixed->diags, PLOY_SEVERITY_ERROR, PLOY_ERR_DENIED, path, 0, 0,
                   "parameter cannot change after the simulation has started", NULL, path);
    fixed->good = false;
}

// Reads the text into `wanted`, which holds what the parameters are.
static ploy_result edit_read_parameters(const ployi_inspect_request *request, ploy_fields fields,
                                        const char *text, const void *now, void *wanted) {
    ploy_diags *diags = request->inspector->diags;
    ploy_json_def def = ploy_json_def_default();
    ploy_json *doc = NULL;
    ploy_result result = ploy_json_load(text, strlen(text), edit_parameters.name, &def,
                                        &request->inspector->env, diags, &doc);
    if (result != PLOY_OK) return result;
    result = ploy_fields_load_json(fields, wanted, doc, ploy_json_root(doc), diags);
    ploy_json_destroy(doc);
    edit_fixed fixed = {fields, now, wanted, diags, true};
    if (result == PLOY_OK) ploy_fields_each(fields, edit_check_fixed, &fixed);
    return fixed.good ? result : PLOY_ERR_DENIED;
}

static void edit_reload_parameters(const ployi_inspect_request *request, const char *text,
                                   bool only_check) {
    ployi_inspect_session *session = ployi_drive_settable(request);
    if (session == NULL) return;
    ploy_fields fields = ployi_inspect_session_fields(session);
    void *wanted = ployi_drive_scratch(request, session, fields);
    if (wanted == NULL) return;
    const void *now = session->live ? session->source.params : (const void *)session->next_params;
    ploy_result result = edit_read_parameters(request, fields, text, now, wanted);
    if (result != PLOY_OK) {
        ployi_inspect_answer_error(request, result, ploy_result_text(result), NULL);
    } else if (only_check || ployi_drive_bring(request, session, fields, wanted)) {
        ployi_inspect_answer_plain(request, session->number);
    }
    ploy_env_free(&request->inspector->env, wanted, fields.size);
}

void ployi_edit_reload(const ployi_inspect_request *request) {
    ployi_inspect_session *session = ployi_inspect_request_session(request);
    if (session == NULL) return;
    const char *name = edit_text(request, "name", "name must be a text");
    const char *text = name == NULL ? NULL : edit_text(request, "text", "text must be a text");
    if (text == NULL) return;
    bool only_check = false;
    (void)ploy_json_bool(request->doc, ploy_json_member(request->doc, request->root, "check"),
                         &only_check);
    if (edit_means_parameters(session, name)) {
        edit_reload_parameters(request, text, only_check);
        return;
    }
    session = ployi_inspect_request_still(request);
    if (session == NULL) return;
    ploy_input input;
    memset(&input, 0, sizeof input);
    input.kind = PLOY_INPUT_RELOAD;
    input.name = name;
    input.bytes = text;
    input.size = strlen(text);
    if (!only_check) {
        ployi_drive_input(request, session, &input);
        return;
    }
    ploy_result result = ploy_sim_check_input(ploy_recorder_sim(session->recorder), &input,
                                              request->inspector->diags);
    if (result == PLOY_OK) {
        ployi_inspect_answer_plain(request, session->number);
    } else {
        ployi_inspect_answer_error(request, result, ploy_result_text(result), NULL);
    }
}
