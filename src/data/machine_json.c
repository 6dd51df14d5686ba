// Our JSON for machines: reading and writing statechart documents.
#include <string.h>

#include "machine_file.h"
#include "ploy/base/json.h"

static const char *const machine_json_kinds[] = {"state", "parallel", "final", "history",
                                                 "deep_history"};
enum { MACHINE_JSON_KINDS = sizeof machine_json_kinds / sizeof machine_json_kinds[0] };

// Steps that are not branches, by kind, and what a log's or send's further members are called.
static const char *const machine_json_steps[] = {"raise", "send", "cancel", "log", "call"};
enum { MACHINE_JSON_STEPS = sizeof machine_json_steps / sizeof machine_json_steps[0] };

typedef struct machine_json {
    ployi_machine_reader reader;
    const ploy_json *doc;
} machine_json;

static ployi_machine_place machine_json_at(const machine_json *file, ploy_json_node node) {
    ploy_json_position position = ploy_json_position_of(file->doc, node);
    ployi_machine_place place = {position.line, position.column};
    return place;
}

// Where the characters of a text begin, behind its quote.
static ployi_machine_place machine_json_inside(const machine_json *file, ploy_json_node node,
                                               const char *key) {
    ployi_machine_place place = machine_json_at(file, ploy_json_member(file->doc, node, key));
    place.column++;
    return place;
}

static void machine_json_wrong(machine_json *file, ploy_json_node node, const char *message,
                               const char *word, const char *expected, const char *nearest) {
    ployi_machine_wrong(&file->reader, machine_json_at(file, node), PLOY_ERR_FORMAT, message, word,
                        expected, nearest);
}

// True if it is there and of that type; a fault if it is of another.
static bool machine_json_is(machine_json *file, ploy_json_node node, ploy_json_type type) {
    ploy_json_type got = ploy_json_type_of(file->doc, node);
    if (got == type) return true;
    if (got != PLOY_JSON_NONE) {
        machine_json_wrong(file, node, "wrong type:", ploy_json_type_text(got),
                           ploy_json_type_text(type), NULL);
    }
    return false;
}

static void machine_json_check_keys(machine_json *file, ploy_json_node node,
                                    const char *const *keys, int32_t count) {
    if (ploy_json_check_keys(file->doc, node, keys, count, file->reader.diags) == 0) return;
    if (file->reader.result == PLOY_OK) file->reader.result = PLOY_ERR_FORMAT;
}

static const char *machine_json_text(machine_json *file, ploy_json_node node, const char *key) {
    ploy_json_node member = ploy_json_member(file->doc, node, key);
    if (!machine_json_is(file, member, PLOY_JSON_TEXT)) return NULL;
    size_t size = 0;
    const char *text = ploy_json_text(file->doc, member, &size);
    if (strlen(text) != size) {
        machine_json_wrong(file, member, "unexpected zero byte in text", "", NULL, NULL);
        return NULL;
    }
    return text;
}

static uint32_t machine_json_keep(machine_json *file, ploy_json_node node, const char *key) {
    return ployi_machine_keep(&file->reader, machine_json_text(file, node, key));
}

// A text or an array of texts, as one list divided by blanks.
static uint32_t machine_json_list(machine_json *file, ploy_json_node node, const char *key) {
    ploy_json_node member = ploy_json_member(file->doc, node, key);
    if (ploy_json_type_of(file->doc, member) != PLOY_JSON_ARRAY) {
        return machine_json_keep(file, node, key);
    }
    ploy_buffer list;
    ploy_buffer_init(&list, 0, &file->reader.machine->env);
    ploy_result result = PLOY_OK;
    for (int32_t i = 0; i < ploy_json_count(file->doc, member) && result == PLOY_OK; i++) {
        ploy_json_node item = ploy_json_at(file->doc, member, i);
        if (!machine_json_is(file, item, PLOY_JSON_TEXT)) continue;
        size_t size = 0;
        const char *text = ploy_json_text(file->doc, item, &size);
        if (strlen(text) != size) {
            machine_json_wrong(file, item, "unexpected zero byte in text", "", NULL, NULL);
            continue;
        }
        if (list.size > 0) result = ploy_buffer_append(&list, " ", 1);
        if (result == PLOY_OK) result = ploy_buffer_append(&list, text, size);
    }
    if (file->reader.result == PLOY_OK) file->reader.result = result;
    uint32_t kept = ployi_machine_keep_bytes(&file->reader, list.bytes, list.size);
    ploy_buffer_fini(&list);
    return kept;
}

static bool machine_json_stopped(const machine_json *file) {
    return file->reader.result == PLOY_ERR_MEMORY || file->reader.result == PLOY_ERR_LIMIT;
}

static void machine_json_ops(machine_json *file, ploy_json_node array);

static void machine_json_branch(machine_json *file, ploy_json_node node) {
    static const char *const keys[] = {"if", "then", "else"};
    machine_json_check_keys(file, node, keys, 3);
    ployi_machine_op op;
    memset(&op, 0, sizeof op);
    op.kind = PLOY_HSM_OP_IF;
    op.place = machine_json_at(file, node);
    op.when = machine_json_keep(file, node, "if");
    op.when_place = machine_json_inside(file, node, "if");
    ployi_machine_add_op(&file->reader, &op);
    machine_json_ops(file, ploy_json_member(file->doc, node, "then"));
    ploy_json_node other = ploy_json_member(file->doc, node, "else");
    if (!ploy_json_is_none(other)) {
        op.kind = PLOY_HSM_OP_ELSE;
        op.when = 0;
        ployi_machine_add_op(&file->reader, &op);
        machine_json_ops(file, other);
    }
    op.kind = PLOY_HSM_OP_END;
    op.when = 0;
    ployi_machine_add_op(&file->reader, &op);
}

static void machine_json_step(machine_json *file, ploy_json_node node) {
    static const char *const keys[] = {"raise", "send",  "cancel", "log",  "call",
                                       "id",    "delay", "target", "type", "value"};
    ployi_machine_op op;
    memset(&op, 0, sizeof op);
    int32_t found = 0;
    for (int32_t i = 0; i < MACHINE_JSON_STEPS; i++) {
        if (ploy_json_is_none(ploy_json_member(file->doc, node, machine_json_steps[i]))) continue;
        op.kind = (ploy_hsm_op_kind)i;
        found++;
    }
    machine_json_check_keys(file, node, keys, (int32_t)(sizeof keys / sizeof keys[0]));
    if (found != 1) {
        machine_json_wrong(file, node, "expected one action in a step", "",
                           "raise, send, cancel, log, call or if", NULL);
        return;
    }
    op.place = machine_json_at(file, node);
    op.text = machine_json_keep(file, node, machine_json_steps[op.kind]);
    bool send = op.kind == PLOY_HSM_OP_SEND, log = op.kind == PLOY_HSM_OP_LOG;
    for (size_t i = MACHINE_JSON_STEPS; i < sizeof keys / sizeof keys[0]; i++) {
        ploy_json_node member = ploy_json_member(file->doc, node, keys[i]);
        bool fits = strcmp(keys[i], "value") == 0 ? log : send;
        if (ploy_json_is_none(member) || fits) continue;
        machine_json_wrong(file, member, "unexpected key in this step:", keys[i], NULL, NULL);
    }
    op.id = machine_json_keep(file, node, "id");
    op.delay = machine_json_keep(file, node, "delay");
    op.target = machine_json_keep(file, node, "target");
    op.type = machine_json_keep(file, node, "type");
    op.value = machine_json_keep(file, node, "value");
    ployi_machine_add_op(&file->reader, &op);
}

static void machine_json_ops(machine_json *file, ploy_json_node array) {
    if (!machine_json_is(file, array, PLOY_JSON_ARRAY)) return;
    int32_t count = ploy_json_count(file->doc, array);
    for (int32_t i = 0; i < count && !machine_json_stopped(file); i++) {
        ploy_json_node node = ploy_json_at(file->doc, array, i);
        if (!machine_json_is(file, node, PLOY_JSON_OBJECT)) continue;
        if (!ploy_json_is_none(ploy_json_member(file->doc, node, "if"))) {
            machine_json_branch(file, node);
        } else {
            machine_json_step(file, node);
        }
    }
}

static ployi_machine_block machine_json_content(machine_json *file, ploy_json_node node,
                                                const char *key) {
    ployi_machine_block block = {file->reader.machine->ops.count, 0};
    machine_json_ops(file, ploy_json_member(file->doc, node, key));
    block.count = file->reader.machine->ops.count - block.first;
    return block;
}

static const char *const machine_json_effects[] = {"go", "push", "pop", "revert", "stay"};

// Which of some words a member is; -1 if there is none, or after a fault.
static int32_t machine_json_choice(machine_json *file, ploy_json_node node, const char *key,
                                   const char *const *words, int32_t count, const char *message) {
    const char *text = machine_json_text(file, node, key);
    if (text == NULL) return -1;
    ploy_nearest nearest = ploy_nearest_make(text);
    for (int32_t i = 0; i < count; i++) {
        if (strcmp(words[i], text) == 0) return i;
        ploy_nearest_offer(&nearest, words[i]);
    }
    machine_json_wrong(file, ploy_json_member(file->doc, node, key), message, text, NULL,
                       nearest.best);
    return -1;
}

// A word that is for flat machines alone; 0 if there is none.
static uint32_t machine_json_word(machine_json *file, ploy_json_node node, const char *key,
                                  const char *const *words, int32_t count) {
    if (!ploy_json_is_none(ploy_json_member(file->doc, node, key))) {
        file->reader.machine->flat = true;
    }
    int32_t which = machine_json_choice(file, node, key, words, count, "unknown choice");
    return which >= 0 ? ployi_machine_keep(&file->reader, words[which]) : 0;
}

static void machine_json_rule(machine_json *file, ploy_json_node node, uint32_t from) {
    static const char *const keys[] = {"id",       "on", "if",     "to",
                                       "internal", "do", "effect", "priority"};
    if (!machine_json_is(file, node, PLOY_JSON_OBJECT)) return;
    machine_json_check_keys(file, node, keys, (int32_t)(sizeof keys / sizeof keys[0]));
    ployi_machine_rule rule;
    memset(&rule, 0, sizeof rule);
    rule.from = from;
    rule.place = machine_json_at(file, node);
    rule.id = machine_json_keep(file, node, "id");
    rule.on = machine_json_list(file, node, "on");
    rule.when = machine_json_keep(file, node, "if");
    rule.when_place = machine_json_inside(file, node, "if");
    rule.targets = machine_json_list(file, node, "to");
    const char *list = ployi_machine_text(file->reader.machine, rule.on), *word;
    size_t size;
    if (!ploy_json_is_none(ploy_json_member(file->doc, node, "on")) &&
        !ployi_machine_word(&list, &word, &size)) {
        machine_json_wrong(file, node, "missing event name", "", NULL, NULL);
    }
    ploy_json_node internal = ploy_json_member(file->doc, node, "internal");
    if (machine_json_is(file, internal, PLOY_JSON_BOOL)) {
        (void)ploy_json_bool(file->doc, internal, &rule.internal);
    }
    rule.content = machine_json_content(file, node, "do");
    rule.effect = machine_json_word(file, node, "effect", machine_json_effects, 5);
    ploy_json_node priority = ploy_json_member(file->doc, node, "priority");
    int64_t value = 0;
    if (!ploy_json_is_none(priority)) {
        file->reader.machine->flat = true;
        if (ploy_json_i64(file->doc, priority, &value) != PLOY_OK || value < -1000000 ||
            value > 1000000) {
            machine_json_wrong(file, priority, "invalid priority", "", "a whole number", NULL);
            value = 0;
        }
    }
    rule.priority = (int32_t)value;
    if (from == 0) file->reader.machine->flat = true;
    ployi_machine_add_rule(&file->reader, &rule);
}

static void machine_json_rules(machine_json *file, ploy_json_node node, uint32_t from) {
    ploy_json_node rules = ploy_json_member(file->doc, node, "rules");
    if (!machine_json_is(file, rules, PLOY_JSON_ARRAY)) return;
    int32_t count = ploy_json_count(file->doc, rules);
    for (int32_t i = 0; i < count && !machine_json_stopped(file); i++) {
        machine_json_rule(file, ploy_json_at(file->doc, rules, i), from);
    }
}

static void machine_json_states(machine_json *file, ploy_json_node around, uint32_t parent);

static void machine_json_state(machine_json *file, ploy_json_node node, uint32_t parent) {
    static const char *const keys[] = {"id",   "kind", "initial", "on_initial", "enter",
                                       "exit", "run",  "rules",   "states",     "status"};
    static const char *const ends[] = {"success", "failure"};
    if (!machine_json_is(file, node, PLOY_JSON_OBJECT)) return;
    machine_json_check_keys(file, node, keys, (int32_t)(sizeof keys / sizeof keys[0]));
    int32_t kind = machine_json_choice(file, node, "kind", machine_json_kinds, MACHINE_JSON_KINDS,
                                       "unknown kind of state");
    if (kind < 0) kind = 0;
    uint32_t number =
        ployi_machine_add_node(&file->reader, parent, (ploy_hsm_kind)kind,
                               machine_json_text(file, node, "id"), machine_json_at(file, node));
    if (number == 0) return;
    ployi_machine_node copy = *ployi_machine_node_at(file->reader.machine, number);
    copy.initial = machine_json_list(file, node, "initial");
    copy.run = machine_json_keep(file, node, "run");
    copy.enter = machine_json_content(file, node, "enter");
    copy.exit = machine_json_content(file, node, "exit");
    copy.on_initial = machine_json_content(file, node, "on_initial");
    copy.status = machine_json_word(file, node, "status", ends, 2);
    *ployi_machine_node_at(file->reader.machine, number) = copy;
    if (copy.status != 0 && copy.kind != PLOY_HSM_FINAL) {
        machine_json_wrong(file, node, "unexpected status in a state that is not final:",
                           ployi_machine_text(file->reader.machine, copy.id), NULL, NULL);
    }
    if (copy.on_initial.count > 0 && copy.initial == 0) {
        machine_json_wrong(file, node, "on_initial needs", "initial", NULL, NULL);
    }
    machine_json_rules(file, node, number);
    machine_json_states(file, node, number);
}

static void machine_json_states(machine_json *file, ploy_json_node around, uint32_t parent) {
    ploy_json_node states = ploy_json_member(file->doc, around, "states");
    if (!machine_json_is(file, states, PLOY_JSON_ARRAY)) return;
    int32_t count = ploy_json_count(file->doc, states);
    for (int32_t i = 0; i < count && !machine_json_stopped(file); i++) {
        machine_json_state(file, ploy_json_at(file->doc, states, i), parent);
    }
}

ploy_result ploy_machine_load_json(const void *bytes, size_t size, const char *name,
                                   const ploy_env *env, ploy_diags *diags, ploy_machine **out) {
    static const char *const keys[] = {"name", "initial", "on_initial", "states",
                                       "run",  "rules",   "idle"};
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL || (bytes == NULL && size > 0)) return PLOY_ERR_ARGUMENT;
    ploy_json_def def = ploy_json_def_default();
    def.relaxed = true;
    ploy_json *doc = NULL;
    ploy_result result = ploy_json_load(bytes, size, name, &def, env, diags, &doc);
    if (result != PLOY_OK) return result;
    machine_json file;
    result = ployi_machine_begin(&file.reader, name, env, diags);
    if (result == PLOY_OK) {
        file.doc = doc;
        ploy_json_node root = ploy_json_root(doc);
        ployi_machine_node copy = *ployi_machine_node_at(file.reader.machine, 0);
        copy.place = machine_json_at(&file, root);
        if (machine_json_is(&file, root, PLOY_JSON_OBJECT)) {
            machine_json_check_keys(&file, root, keys, (int32_t)(sizeof keys / sizeof keys[0]));
            copy.id = machine_json_keep(&file, root, "name");
            copy.initial = machine_json_list(&file, root, "initial");
            copy.on_initial = machine_json_content(&file, root, "on_initial");
            if (copy.on_initial.count > 0 && copy.initial == 0) {
                machine_json_wrong(&file, root, "on_initial needs", "initial", NULL, NULL);
            }
            copy.run = machine_json_keep(&file, root, "run");
            file.reader.machine->idle = machine_json_keep(&file, root, "idle");
            file.reader.machine->flat = copy.run != 0 || file.reader.machine->idle != 0;
            *ployi_machine_node_at(file.reader.machine, 0) = copy;
            machine_json_rules(&file, root, 0);
            machine_json_states(&file, root, 0);
        }
        result = ployi_machine_end(&file.reader, out);
    }
    ploy_json_destroy(doc);
    return result;
}

// ---- writing

static void machine_json_member(const ploy_machine *machine, const char *key, uint32_t text,
                                ploy_json_writer *json) {
    if (text == 0) return;
    ploy_json_write_key(json, key);
    ploy_json_write_text(json, ployi_machine_text(machine, text));
}

// Writes the steps up to the end of a branch; returns where that is.
static int32_t machine_json_write_ops(const ploy_machine *machine, int32_t at, int32_t end,
                                      ploy_json_writer *json) {
    const ployi_machine_op *ops = PLOY_ARRAY_ITEMS(&machine->ops, ployi_machine_op);
    ploy_json_write_begin_array(json);
    while (at < end && ops[at].kind < PLOY_HSM_OP_ELSE_IF) {
        const ployi_machine_op *op = &ops[at++];
        ploy_json_write_begin_object(json);
        if (op->kind == PLOY_HSM_OP_IF) {
            // An else-if is an if in the else; `open` counts what has to be closed.
            int32_t open = 0;
            for (;;) {
                machine_json_member(machine, "if", op->when, json);
                ploy_json_write_key(json, "then");
                at = machine_json_write_ops(machine, at, end, json);
                op = &ops[at++];
                if (op->kind == PLOY_HSM_OP_END) break;
                ploy_json_write_key(json, "else");
                if (op->kind == PLOY_HSM_OP_ELSE) {
                    at = machine_json_write_ops(machine, at, end, json) + 1;
                    break;
                }
                ploy_json_write_begin_array(json);
                ploy_json_write_begin_object(json);
                open++;
            }
            for (; open > 0; open--) {
                ploy_json_write_end_object(json);
                ploy_json_write_end_array(json);
            }
        } else {
            ploy_json_write_key(json, machine_json_steps[op->kind]);
            ploy_json_write_text(json, ployi_machine_text(machine, op->text));
            machine_json_member(machine, "value", op->value, json);
            machine_json_member(machine, "id", op->id, json);
            machine_json_member(machine, "delay", op->delay, json);
            machine_json_member(machine, "target", op->target, json);
            machine_json_member(machine, "type", op->type, json);
        }
        ploy_json_write_end_object(json);
    }
    ploy_json_write_end_array(json);
    return at;
}

static void machine_json_write_block(const ploy_machine *machine, const char *key,
                                     ployi_machine_block block, ploy_json_writer *json) {
    if (block.count == 0) return;
    ploy_json_write_key(json, key);
    (void)machine_json_write_ops(machine, block.first, block.first + block.count, json);
}

static void machine_json_write_state(const ploy_machine *machine, uint32_t number,
                                     ploy_json_writer *json) {
    const ployi_machine_node *node = ployi_machine_node_at(machine, number);
    ploy_json_write_begin_object(json);
    if (number == 0) machine_json_member(machine, "name", node->id, json);
    if (number != 0 && node->named) machine_json_member(machine, "id", node->id, json);
    if (node->kind != PLOY_HSM_STATE) {
        ploy_json_write_key(json, "kind");
        ploy_json_write_text(json, machine_json_kinds[node->kind]);
    }
    machine_json_member(machine, "initial", node->initial, json);
    machine_json_write_block(machine, "on_initial", node->on_initial, json);
    machine_json_write_block(machine, "enter", node->enter, json);
    machine_json_write_block(machine, "exit", node->exit, json);
    machine_json_member(machine, "run", node->run, json);
    machine_json_member(machine, "status", node->status, json);
    if (number == 0) machine_json_member(machine, "idle", machine->idle, json);
    bool some = false;
    for (int32_t i = 0; i < machine->rules.count; i++) {
        const ployi_machine_rule *rule = &PLOY_ARRAY_ITEMS(&machine->rules, ployi_machine_rule)[i];
        if (rule->from != number) continue;
        if (!some) {
            ploy_json_write_key(json, "rules");
            ploy_json_write_begin_array(json);
        }
        some = true;
        ploy_json_write_begin_object(json);
        if (rule->named) machine_json_member(machine, "id", rule->id, json);
        machine_json_member(machine, "on", rule->on, json);
        machine_json_member(machine, "if", rule->when, json);
        machine_json_member(machine, "to", rule->targets, json);
        if (rule->internal) {
            ploy_json_write_key(json, "internal");
            ploy_json_write_bool(json, true);
        }
        machine_json_write_block(machine, "do", rule->content, json);
        machine_json_member(machine, "effect", rule->effect, json);
        if (rule->priority != 0) {
            ploy_json_write_key(json, "priority");
            ploy_json_write_i64(json, rule->priority);
        }
        ploy_json_write_end_object(json);
    }
    if (some) ploy_json_write_end_array(json);
    if (node->last > number) {
        ploy_json_write_key(json, "states");
        ploy_json_write_begin_array(json);
        for (uint32_t child = number + 1; child <= node->last;
             child = ployi_machine_node_at(machine, child)->last + 1) {
            machine_json_write_state(machine, child, json);
        }
        ploy_json_write_end_array(json);
    }
    ploy_json_write_end_object(json);
}

ploy_result ploy_machine_save_json(const ploy_machine *machine, ploy_writer *writer) {
    if (machine == NULL || writer == NULL) return PLOY_ERR_ARGUMENT;
    ploy_json_writer json;
    ploy_json_writer_init(&json, writer, 2);
    machine_json_write_state(machine, 0, &json);
    return ploy_json_writer_finish(&json);
}
