// SCXML: reading and writing statechart documents.
#include <string.h>

#include "machine_file.h"
#include "ploy/data/xml.h"

// The elements, their attributes, and what they are for.
typedef enum machine_scxml_role {
    MACHINE_SCXML_STATE, // state, parallel, final, history
    MACHINE_SCXML_PART,  // of a state
    MACHINE_SCXML_STEP,  // of a content
    MACHINE_SCXML_DATA   // what we do not have
} machine_scxml_role;

typedef struct machine_scxml_element {
    const char *name;
    machine_scxml_role role;
    int32_t kind;           // of a state or a step
    const char *attributes; // divided by blanks
} machine_scxml_element;

static const machine_scxml_element machine_scxml_elements[] = {
    {"state", MACHINE_SCXML_STATE, PLOY_HSM_STATE, "id initial"},
    {"parallel", MACHINE_SCXML_STATE, PLOY_HSM_PARALLEL, "id"},
    {"final", MACHINE_SCXML_STATE, PLOY_HSM_FINAL, "id"},
    {"history", MACHINE_SCXML_STATE, PLOY_HSM_HISTORY, "id type"},
    {"initial", MACHINE_SCXML_PART, 0, "id"},
    {"transition", MACHINE_SCXML_PART, 0, "id event cond target type"},
    {"onentry", MACHINE_SCXML_PART, 0, ""},
    {"onexit", MACHINE_SCXML_PART, 0, ""},
    {"run", MACHINE_SCXML_PART, 0, "name"},
    {"raise", MACHINE_SCXML_STEP, PLOY_HSM_OP_RAISE, "event"},
    {"send", MACHINE_SCXML_STEP, PLOY_HSM_OP_SEND, "event id delay delayexpr target type"},
    {"cancel", MACHINE_SCXML_STEP, PLOY_HSM_OP_CANCEL, "sendid"},
    {"log", MACHINE_SCXML_STEP, PLOY_HSM_OP_LOG, "label expr"},
    {"call", MACHINE_SCXML_STEP, PLOY_HSM_OP_CALL, "name"},
    {"if", MACHINE_SCXML_STEP, PLOY_HSM_OP_IF, "cond"},
    {"elseif", MACHINE_SCXML_STEP, PLOY_HSM_OP_ELSE_IF, "cond"},
    {"else", MACHINE_SCXML_STEP, PLOY_HSM_OP_ELSE, ""},
    {"datamodel", MACHINE_SCXML_DATA, 0, ""},
    {"data", MACHINE_SCXML_DATA, 0, ""},
    {"script", MACHINE_SCXML_DATA, 0, ""},
    {"assign", MACHINE_SCXML_DATA, 0, ""},
    {"foreach", MACHINE_SCXML_DATA, 0, ""},
    {"invoke", MACHINE_SCXML_DATA, 0, ""},
    {"finalize", MACHINE_SCXML_DATA, 0, ""},
    {"donedata", MACHINE_SCXML_DATA, 0, ""},
    {"param", MACHINE_SCXML_DATA, 0, ""},
    {"content", MACHINE_SCXML_DATA, 0, ""},
};
enum { MACHINE_SCXML_ELEMENTS = sizeof machine_scxml_elements / sizeof machine_scxml_elements[0] };

typedef struct machine_scxml {
    ployi_machine_reader reader;
    const ploy_xml *doc;
} machine_scxml;

static ployi_machine_place machine_scxml_place(ploy_xml_position position) {
    ployi_machine_place place = {position.line, position.column};
    return place;
}

static ployi_machine_place machine_scxml_at(const machine_scxml *file, ploy_xml_node node) {
    return machine_scxml_place(ploy_xml_position_of(file->doc, node));
}

static void machine_scxml_wrong(machine_scxml *file, ploy_xml_node node, const char *message,
                                const char *word, const char *expected, const char *nearest) {
    ployi_machine_wrong(&file->reader, machine_scxml_at(file, node), PLOY_ERR_FORMAT, message, word,
                        expected, nearest);
}

// Every attribute without a prefix must be one of the list.
static void machine_scxml_check_attributes(machine_scxml *file, ploy_xml_node node,
                                           const char *known) {
    for (int32_t i = 0; i < ploy_xml_attribute_count(file->doc, node); i++) {
        ploy_xml_attribute attribute = ploy_xml_attribute_at(file->doc, node, i);
        if (strchr(attribute.name, ':') != NULL || strcmp(attribute.name, "xmlns") == 0) continue;
        const char *list = known, *word;
        char text[32], best[32] = "";
        size_t size;
        bool found = false;
        ploy_nearest nearest = ploy_nearest_make(attribute.name);
        while (!found && ployi_machine_word(&list, &word, &size)) {
            memcpy(text, word, size); // the lists are our own, and their words short
            text[size] = '\0';
            found = strcmp(text, attribute.name) == 0;
            int32_t before = nearest.distance;
            ploy_nearest_offer(&nearest, text);
            if (nearest.distance < before) memcpy(best, text, sizeof best);
        }
        if (found) continue;
        ployi_machine_wrong(&file->reader, machine_scxml_place(attribute.position), PLOY_ERR_FORMAT,
                            "unknown attribute", attribute.name, NULL,
                            best[0] != '\0' ? best : NULL);
    }
}

// What the element is, or NULL: then it is foreign, or a fault was reported.
static const machine_scxml_element *machine_scxml_know(machine_scxml *file, ploy_xml_node node) {
    const char *local = ploy_xml_local(file->doc, node), *name = ploy_xml_name(file->doc, node);
    ploy_nearest nearest = ploy_nearest_make(local);
    for (int32_t i = 0; i < MACHINE_SCXML_ELEMENTS; i++) {
        const machine_scxml_element *element = &machine_scxml_elements[i];
        if (element->role != MACHINE_SCXML_DATA) ploy_nearest_offer(&nearest, element->name);
        if (strcmp(element->name, local) != 0) continue;
        bool empty = strcmp(local, "datamodel") == 0 && ploy_xml_count(file->doc, node) == 0;
        if (element->role == MACHINE_SCXML_DATA) {
            if (empty) return NULL;
            machine_scxml_wrong(file, node,
                                "unsupported element, needs a scripting data model:", local, NULL,
                                NULL);
            return NULL;
        }
        machine_scxml_check_attributes(file, node, element->attributes);
        return element;
    }
    if (strchr(name, ':') == NULL) {
        machine_scxml_wrong(file, node, "unknown element", local, NULL, nearest.best);
    }
    return NULL;
}

static uint32_t machine_scxml_keep(machine_scxml *file, ploy_xml_node node, const char *attribute) {
    return ployi_machine_keep(&file->reader, ploy_xml_get(file->doc, node, attribute));
}

static bool machine_scxml_stopped(const machine_scxml *file) {
    return file->reader.result == PLOY_ERR_MEMORY || file->reader.result == PLOY_ERR_LIMIT;
}

// Where the value of a cond begins, if it is written without blanks around '='.
static ployi_machine_place machine_scxml_cond(const machine_scxml *file, ploy_xml_node node) {
    for (int32_t i = 0; i < ploy_xml_attribute_count(file->doc, node); i++) {
        ploy_xml_attribute attribute = ploy_xml_attribute_at(file->doc, node, i);
        if (strcmp(attribute.name, "cond") != 0) continue;
        ployi_machine_place place = machine_scxml_place(attribute.position);
        place.column += (int32_t)sizeof "cond=";
        return place;
    }
    return machine_scxml_at(file, node);
}

// What a send would hand over: events carry no data here.
static void machine_scxml_data(machine_scxml *file, ploy_xml_node send) {
    for (ploy_xml_node node = ploy_xml_first(file->doc, send); !ploy_xml_is_none(node);
         node = ploy_xml_next(file->doc, node)) {
        const char *local = ploy_xml_local(file->doc, node);
        if (strcmp(local, "param") != 0 && strcmp(local, "content") != 0) {
            (void)machine_scxml_know(file, node);
            continue;
        }
        char text[64] = "ignored data of a send: ";
        strcat(text, local); // one of the two
        ployi_machine_place place = machine_scxml_at(file, node);
        ploy_diags_add(file->reader.diags, PLOY_SEVERITY_WARNING, PLOY_OK,
                       ployi_machine_text(file->reader.machine, file->reader.machine->source),
                       place.line, place.column, text, NULL, NULL);
    }
}

// The steps directly inside an element.
static void machine_scxml_steps(machine_scxml *file, ploy_xml_node around, bool in_if) {
    ploy_xml_node node = ploy_xml_first(file->doc, around);
    bool last = false; // an else was there
    for (; !ploy_xml_is_none(node) && !machine_scxml_stopped(file);
         node = ploy_xml_next(file->doc, node)) {
        const machine_scxml_element *element = machine_scxml_know(file, node);
        if (element == NULL) continue;
        bool branch = element->kind == PLOY_HSM_OP_ELSE_IF || element->kind == PLOY_HSM_OP_ELSE;
        if (element->role != MACHINE_SCXML_STEP || (branch && (!in_if || last))) {
            machine_scxml_wrong(file, node, "unexpected element", element->name, NULL, NULL);
            continue;
        }
        ployi_machine_op op;
        memset(&op, 0, sizeof op);
        op.kind = (ploy_hsm_op_kind)element->kind;
        op.place = machine_scxml_at(file, node);
        static const char *const texts[] = {"event", "name", "label", "sendid"};
        for (size_t i = 0; i < sizeof texts / sizeof texts[0] && op.text == 0; i++) {
            op.text = machine_scxml_keep(file, node, texts[i]);
        }
        op.when = machine_scxml_keep(file, node, "cond");
        op.when_place = machine_scxml_cond(file, node);
        op.value = machine_scxml_keep(file, node, "expr");
        op.id = machine_scxml_keep(file, node, "id");
        op.target = machine_scxml_keep(file, node, "target");
        op.type = machine_scxml_keep(file, node, "type");
        op.delay = machine_scxml_keep(file, node, "delay");
        if (op.delay == 0) op.delay = machine_scxml_keep(file, node, "delayexpr");
        ployi_machine_add_op(&file->reader, &op);
        if (element->kind == PLOY_HSM_OP_SEND) machine_scxml_data(file, node);
        last = last || element->kind == PLOY_HSM_OP_ELSE;
        if (element->kind != PLOY_HSM_OP_IF) continue;
        machine_scxml_steps(file, node, true);
        memset(&op, 0, sizeof op);
        op.kind = PLOY_HSM_OP_END;
        ployi_machine_add_op(&file->reader, &op);
    }
}

// All elements of that name in a state, one after the other, as one content.
static ployi_machine_block machine_scxml_content(machine_scxml *file, ploy_xml_node state,
                                                 const char *name) {
    ployi_machine_block block = {file->reader.machine->ops.count, 0};
    for (ploy_xml_node node = ploy_xml_find(file->doc, state, name); !ploy_xml_is_none(node);
         node = ploy_xml_find_next(file->doc, node, name)) {
        machine_scxml_steps(file, node, false);
    }
    block.count = file->reader.machine->ops.count - block.first;
    return block;
}

static ployi_machine_block machine_scxml_inside(machine_scxml *file, ploy_xml_node node) {
    ployi_machine_block block = {file->reader.machine->ops.count, 0};
    machine_scxml_steps(file, node, false);
    block.count = file->reader.machine->ops.count - block.first;
    return block;
}

static void machine_scxml_rule(machine_scxml *file, ploy_xml_node node, uint32_t from) {
    ployi_machine_rule rule;
    memset(&rule, 0, sizeof rule);
    const char *type = ploy_xml_get(file->doc, node, "type");
    const char *event = ploy_xml_get(file->doc, node, "event");
    rule.from = from;
    rule.place = machine_scxml_at(file, node);
    rule.id = machine_scxml_keep(file, node, "id");
    rule.on = machine_scxml_keep(file, node, "event");
    rule.when = machine_scxml_keep(file, node, "cond");
    rule.when_place = machine_scxml_cond(file, node);
    rule.targets = machine_scxml_keep(file, node, "target");
    rule.internal = type != NULL && strcmp(type, "internal") == 0;
    if (type != NULL && !rule.internal && strcmp(type, "external") != 0) {
        machine_scxml_wrong(file, node, "unknown type", type, "internal or external", NULL);
    }
    if (event != NULL && event[strspn(event, " ")] == '\0') {
        machine_scxml_wrong(file, node, "missing event name", "", NULL, NULL);
    }
    rule.content = machine_scxml_inside(file, node);
    ployi_machine_add_rule(&file->reader, &rule);
}

// <initial> with its transition.
static void machine_scxml_initial(machine_scxml *file, ploy_xml_node node, uint32_t number) {
    ploy_xml_node rule = ploy_xml_find(file->doc, node, "transition");
    if (ploy_xml_is_none(rule) || ploy_xml_get(file->doc, rule, "target") == NULL ||
        ploy_xml_get(file->doc, rule, "event") != NULL ||
        ploy_xml_get(file->doc, rule, "cond") != NULL) {
        machine_scxml_wrong(file, node, "expected one transition with only a target in", "initial",
                            NULL, NULL);
        return;
    }
    machine_scxml_check_attributes(file, rule, "target type");
    uint32_t initial = machine_scxml_keep(file, rule, "target");
    ployi_machine_block content = machine_scxml_inside(file, rule);
    ployi_machine_node *state = ployi_machine_node_at(file->reader.machine, number);
    if (state->initial != 0) {
        machine_scxml_wrong(file, node, "duplicate initial state", "", NULL, NULL);
    }
    state->initial = initial;
    state->on_initial = content;
}

static void machine_scxml_state(machine_scxml *file, ploy_xml_node xml, uint32_t number);

// A state and all that is in it. History's type decides its kind.
static void machine_scxml_add(machine_scxml *file, ploy_xml_node node, uint32_t parent,
                              const machine_scxml_element *element) {
    ploy_hsm_kind kind = (ploy_hsm_kind)element->kind;
    const char *type = ploy_xml_get(file->doc, node, "type");
    if (kind == PLOY_HSM_HISTORY && type != NULL) {
        if (strcmp(type, "deep") == 0) {
            kind = PLOY_HSM_DEEP_HISTORY;
        } else if (strcmp(type, "shallow") != 0) {
            machine_scxml_wrong(file, node, "unknown type", type, "shallow or deep", NULL);
        }
    }
    uint32_t number =
        ployi_machine_add_node(&file->reader, parent, kind, ploy_xml_get(file->doc, node, "id"),
                               machine_scxml_at(file, node));
    if (number == 0) return;
    ployi_machine_node_at(file->reader.machine, number)->initial =
        machine_scxml_keep(file, node, "initial");
    machine_scxml_state(file, node, number);
}

static void machine_scxml_state(machine_scxml *file, ploy_xml_node xml, uint32_t number) {
    ploy_machine *machine = file->reader.machine;
    ployi_machine_block enter = machine_scxml_content(file, xml, "onentry");
    ployi_machine_block leave = machine_scxml_content(file, xml, "onexit");
    ployi_machine_node_at(machine, number)->enter = enter;
    ployi_machine_node_at(machine, number)->exit = leave;
    if (number == 0 && enter.count + leave.count > 0) {
        machine_scxml_wrong(file, xml, "unexpected onentry or onexit outside a state", "", NULL,
                            NULL);
    }
    ploy_xml_node node = ploy_xml_first(file->doc, xml);
    // Its own rules first, so that those of a state lie together; then what is inside.
    for (int32_t pass = 0; pass < 2; pass++) {
        for (ploy_xml_node at = node; !ploy_xml_is_none(at) && !machine_scxml_stopped(file);
             at = ploy_xml_next(file->doc, at)) {
            const machine_scxml_element *element = NULL;
            for (int32_t i = 0; i < MACHINE_SCXML_ELEMENTS && element == NULL; i++) {
                if (ploy_xml_is(file->doc, at, machine_scxml_elements[i].name)) {
                    element = &machine_scxml_elements[i];
                }
            }
            bool state = element != NULL && element->role == MACHINE_SCXML_STATE;
            if (state != (pass == 1)) continue;
            if (machine_scxml_know(file, at) == NULL) continue;
            const char *name = element->name;
            if (state) {
                machine_scxml_add(file, at, number, element);
            } else if (strcmp(name, "transition") == 0) {
                machine_scxml_rule(file, at, number);
            } else if (strcmp(name, "initial") == 0) {
                machine_scxml_initial(file, at, number);
            } else if (strcmp(name, "run") == 0 && number != 0) {
                ployi_machine_node_at(machine, number)->run = machine_scxml_keep(file, at, "name");
            } else if (element->role != MACHINE_SCXML_PART) {
                machine_scxml_wrong(file, at, "unexpected element", name, NULL, NULL);
            }
        }
    }
}

ploy_result ploy_machine_load_scxml(const void *bytes, size_t size, const char *name,
                                    const ploy_env *env, ploy_diags *diags, ploy_machine **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL || (bytes == NULL && size > 0)) return PLOY_ERR_ARGUMENT;
    ploy_xml *doc = NULL;
    ploy_result result = ploy_xml_load(bytes, size, name, NULL, env, diags, &doc);
    if (result != PLOY_OK) return result;
    machine_scxml file;
    result = ployi_machine_begin(&file.reader, name, env, diags);
    if (result == PLOY_OK) {
        file.doc = doc;
        ploy_xml_node root = ploy_xml_root(doc);
        ployi_machine_node_at(file.reader.machine, 0)->place = machine_scxml_at(&file, root);
        if (ploy_xml_is(doc, root, "scxml")) {
            machine_scxml_check_attributes(&file, root,
                                           "name initial version datamodel binding exmode profile");
            const char *version = ploy_xml_get(doc, root, "version");
            if (version != NULL && strcmp(version, "1.0") != 0) {
                machine_scxml_wrong(&file, root, "unsupported version", version, "1.0", NULL);
            }
            uint32_t id = machine_scxml_keep(&file, root, "name");
            uint32_t initial = machine_scxml_keep(&file, root, "initial");
            ployi_machine_node_at(file.reader.machine, 0)->id = id;
            ployi_machine_node_at(file.reader.machine, 0)->initial = initial;
            machine_scxml_state(&file, root, 0);
        } else {
            machine_scxml_wrong(&file, root, "invalid statechart, unexpected root element",
                                ploy_xml_local(doc, root), "<scxml>", NULL);
        }
        result = ployi_machine_end(&file.reader, out);
    }
    ploy_xml_destroy(doc);
    return result;
}

// ---- writing

static void machine_scxml_indent(ploy_writer *writer, int32_t depth) {
    for (int32_t i = 0; i < depth; i++) ploy_write_text(writer, "  ");
}

static void machine_scxml_attribute(const ploy_machine *machine, const char *name, uint32_t text,
                                    ploy_writer *writer) {
    if (text == 0) return;
    const char *value = ployi_machine_text(machine, text);
    ploy_write_char(writer, ' ');
    ploy_write_text(writer, name);
    ploy_write_text(writer, "=\"");
    ploy_xml_write_text(writer, value, strlen(value));
    ploy_write_char(writer, '"');
}

static void machine_scxml_write_block(const ploy_machine *machine, ployi_machine_block block,
                                      int32_t depth, ploy_writer *writer) {
    static const char *const names[] = {"raise", "send", "cancel", "log",  "ploy:call",
                                        "",      "if",   "elseif", "else", ""};
    static const char *const texts[] = {"event", "event", "sendid", "label", "name",
                                        "",      "",      "",       "",      ""};
    for (int32_t i = 0; i < block.count; i++) {
        const ployi_machine_op *op =
            &PLOY_ARRAY_ITEMS(&machine->ops, ployi_machine_op)[block.first + i];
        bool branch = op->kind == PLOY_HSM_OP_ELSE_IF || op->kind == PLOY_HSM_OP_ELSE;
        if (op->kind == PLOY_HSM_OP_END) {
            machine_scxml_indent(writer, --depth);
            ploy_write_text(writer, "</if>\n");
            continue;
        }
        machine_scxml_indent(writer, branch ? depth - 1 : depth);
        ploy_write_char(writer, '<');
        ploy_write_text(writer, names[op->kind]);
        machine_scxml_attribute(machine, texts[op->kind], op->text, writer);
        machine_scxml_attribute(machine, "expr", op->value, writer);
        machine_scxml_attribute(machine, "id", op->id, writer);
        machine_scxml_attribute(machine, "delay", op->delay, writer);
        machine_scxml_attribute(machine, "target", op->target, writer);
        machine_scxml_attribute(machine, "type", op->type, writer);
        machine_scxml_attribute(machine, "cond", op->when, writer);
        ploy_write_text(writer, op->kind == PLOY_HSM_OP_IF ? ">\n" : "/>\n");
        if (op->kind == PLOY_HSM_OP_IF) depth++;
    }
}

// <tag> with a block inside, if there is one.
static void machine_scxml_write_part(const ploy_machine *machine, const char *tag,
                                     ployi_machine_block block, int32_t depth,
                                     ploy_writer *writer) {
    if (block.count == 0) return;
    const char *const ends[] = {"<", "</"};
    for (int32_t i = 0; i < 2; i++) {
        machine_scxml_indent(writer, depth);
        ploy_write_text(writer, ends[i]);
        ploy_write_text(writer, tag);
        ploy_write_text(writer, ">\n");
        if (i == 0) machine_scxml_write_block(machine, block, depth + 1, writer);
    }
}

static void machine_scxml_write_rule(const ploy_machine *machine, const ployi_machine_rule *rule,
                                     int32_t depth, ploy_writer *writer) {
    machine_scxml_indent(writer, depth);
    ploy_write_text(writer, "<transition");
    if (rule->named) machine_scxml_attribute(machine, "id", rule->id, writer);
    machine_scxml_attribute(machine, "event", rule->on, writer);
    machine_scxml_attribute(machine, "cond", rule->when, writer);
    machine_scxml_attribute(machine, "target", rule->targets, writer);
    if (rule->internal) ploy_write_text(writer, " type=\"internal\"");
    ploy_write_text(writer, rule->content.count > 0 ? ">\n" : "/>\n");
    machine_scxml_write_block(machine, rule->content, depth + 1, writer);
    if (rule->content.count == 0) return;
    machine_scxml_indent(writer, depth);
    ploy_write_text(writer, "</transition>\n");
}

// What lies in a state, and its states.
static void machine_scxml_write_inside(const ploy_machine *machine, uint32_t number, int32_t depth,
                                       ploy_writer *writer);

static void machine_scxml_write_state(const ploy_machine *machine, uint32_t number, int32_t depth,
                                      ploy_writer *writer) {
    static const char *const tags[] = {"state", "parallel", "final", "history", "history"};
    const ployi_machine_node *node = ployi_machine_node_at(machine, number);
    machine_scxml_indent(writer, depth);
    ploy_write_char(writer, '<');
    ploy_write_text(writer, tags[node->kind]);
    if (node->named) machine_scxml_attribute(machine, "id", node->id, writer);
    if (node->on_initial.count == 0) {
        machine_scxml_attribute(machine, "initial", node->initial, writer);
    }
    if (node->kind == PLOY_HSM_DEEP_HISTORY) ploy_write_text(writer, " type=\"deep\"");
    ploy_write_text(writer, ">\n");
    machine_scxml_write_inside(machine, number, depth + 1, writer);
    machine_scxml_indent(writer, depth);
    ploy_write_text(writer, "</");
    ploy_write_text(writer, tags[node->kind]);
    ploy_write_text(writer, ">\n");
}

static void machine_scxml_write_inside(const ploy_machine *machine, uint32_t number, int32_t depth,
                                       ploy_writer *writer) {
    const ployi_machine_node *node = ployi_machine_node_at(machine, number);
    if (node->run != 0) {
        machine_scxml_indent(writer, depth);
        ploy_write_text(writer, "<ploy:run");
        machine_scxml_attribute(machine, "name", node->run, writer);
        ploy_write_text(writer, "/>\n");
    }
    if (node->on_initial.count > 0) {
        machine_scxml_indent(writer, depth);
        ploy_write_text(writer, "<initial>\n");
        ployi_machine_rule rule;
        memset(&rule, 0, sizeof rule);
        rule.targets = node->initial;
        rule.content = node->on_initial;
        machine_scxml_write_rule(machine, &rule, depth + 1, writer);
        machine_scxml_indent(writer, depth);
        ploy_write_text(writer, "</initial>\n");
    }
    machine_scxml_write_part(machine, "onentry", node->enter, depth, writer);
    machine_scxml_write_part(machine, "onexit", node->exit, depth, writer);
    for (int32_t i = 0; i < machine->rules.count; i++) {
        const ployi_machine_rule *rule = &PLOY_ARRAY_ITEMS(&machine->rules, ployi_machine_rule)[i];
        if (rule->from == number) machine_scxml_write_rule(machine, rule, depth, writer);
    }
    for (uint32_t child = number + 1; child <= node->last;
         child = ployi_machine_node_at(machine, child)->last + 1) {
        machine_scxml_write_state(machine, child, depth, writer);
    }
}

ploy_result ploy_machine_save_scxml(const ploy_machine *machine, ploy_writer *writer) {
    if (machine == NULL || writer == NULL) return PLOY_ERR_ARGUMENT;
    if (machine->flat) return PLOY_ERR_UNSUPPORTED; // SCXML knows no stack
    const ployi_machine_node *root = ployi_machine_node_at(machine, 0);
    ploy_write_text(writer, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                            "<scxml xmlns=\"http://www.w3.org/2005/07/scxml\" "
                            "xmlns:ploy=\"ploy\" version=\"1.0\" datamodel=\"null\"");
    machine_scxml_attribute(machine, "name", root->id, writer);
    if (root->on_initial.count == 0) {
        machine_scxml_attribute(machine, "initial", root->initial, writer);
    }
    ploy_write_text(writer, ">\n");
    machine_scxml_write_inside(machine, 0, 1, writer);
    ploy_write_text(writer, "</scxml>\n");
    return ploy_writer_result(writer);
}
