// Statechart documents: what both file forms become, the checks they share, and building.
//
// Invariants of a document that was handed out:
//   (1) states are in the order of the file, `last` ends each one's descendants;
//   (2) every target and initial names a state that may stand there; ids differ;
//   (3) in each block every IF has its END.
#include "data/data_internal.h"
#include "machine_file.h"

#include <stdlib.h>
#include <string.h>

#include "ploy/base/hash.h"
#include "ploy/base/number.h"

const char *ployi_machine_text(const ploy_machine *machine, uint32_t text) {
    return machine->texts.count == 0 ? "" : PLOY_ARRAY_ITEMS(&machine->texts, char) + text;
}

ployi_machine_node *ployi_machine_node_at(const ploy_machine *machine, uint32_t number) {
    return &PLOY_ARRAY_ITEMS(&machine->nodes, ployi_machine_node)[number];
}

static void machine_note(ployi_machine_reader *reader, ploy_result result) {
    if (reader->result == PLOY_OK) reader->result = result;
}

uint32_t ployi_machine_keep_bytes(ployi_machine_reader *reader, const char *text, size_t size) {
    ploy_array *texts = &reader->machine->texts;
    if (size == 0) return 0;
    if (size > (size_t)INT32_MAX - 2 - (size_t)texts->count) {
        machine_note(reader, PLOY_ERR_LIMIT);
        return 0;
    }
    uint32_t at = (uint32_t)texts->count;
    ploy_result result = ploy_array_reserve(texts, texts->count + (int32_t)size + 1);
    if (result == PLOY_OK) result = ploy_array_push_many(texts, text, (int32_t)size);
    if (result == PLOY_OK) result = ploy_array_push(texts, "");
    machine_note(reader, result);
    return result == PLOY_OK ? at : 0;
}

uint32_t ployi_machine_keep(ployi_machine_reader *reader, const char *text) {
    return text != NULL ? ployi_machine_keep_bytes(reader, text, strlen(text)) : 0;
}

ploy_result ployi_machine_begin(ployi_machine_reader *reader, const char *name, const ploy_env *env,
                                ploy_diags *diags) {
    memset(reader, 0, sizeof *reader);
    reader->diags = diags;
    ploy_machine *machine = ploy_env_alloc_zero(env, sizeof *machine);
    if (machine == NULL) return PLOY_ERR_MEMORY;
    machine->env = *env;
    ploy_array_init(&machine->texts, 1, env);
    ploy_array_init(&machine->nodes, sizeof(ployi_machine_node), env);
    ploy_array_init(&machine->rules, sizeof(ployi_machine_rule), env);
    ploy_array_init(&machine->ops, sizeof(ployi_machine_op), env);
    ploy_map_init(&machine->ids, sizeof(uint32_t), env);
    reader->machine = machine;
    ployi_machine_node root;
    memset(&root, 0, sizeof root);
    reader->result = ploy_array_push(&machine->texts, "");
    if (reader->result == PLOY_OK) reader->result = ploy_array_push(&machine->nodes, &root);
    if (reader->result == PLOY_OK) machine->source = ployi_machine_keep(reader, name);
    if (reader->result == PLOY_OK) return PLOY_OK;
    ploy_machine_destroy(machine);
    reader->machine = NULL;
    return reader->result;
}

void ploy_machine_destroy(ploy_machine *machine) {
    if (machine == NULL) return;
    ploy_env env = machine->env;
    ploy_array *arrays[] = {&machine->texts, &machine->nodes, &machine->rules, &machine->ops};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) ploy_array_fini(arrays[i]);
    ploy_map_fini(&machine->ids);
    ploy_env_free(&env, machine, sizeof *machine);
}

bool ploy_machine_is_flat(const ploy_machine *machine) {
    return machine->flat;
}

const char *ployi_machine_name(const ploy_machine *machine) {
    return ployi_machine_text(machine, ployi_machine_node_at(machine, 0)->id);
}

void ployi_machine_wrong(ployi_machine_reader *reader, ployi_machine_place place, ploy_result code,
                         const char *message, const char *word, const char *expected,
                         const char *nearest) {
    char text[2 * PLOY_DIAG_TEXT_MAX];
    size_t used = 0;
    const char *parts[] = {message, word[0] != '\0' ? " '" : "", word, word[0] != '\0' ? "'" : ""};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        for (const char *c = parts[i]; *c != '\0' && used + 1 < sizeof text; c++) text[used++] = *c;
    }
    text[used] = '\0';
    machine_note(reader, code);
    ploy_diags_add(reader->diags, PLOY_SEVERITY_ERROR, code,
                   ployi_machine_text(reader->machine, reader->machine->source), place.line,
                   place.column, text, expected, nearest);
}

uint32_t ployi_machine_add_node(ployi_machine_reader *reader, uint32_t parent, ploy_hsm_kind kind,
                                const char *id, ployi_machine_place place) {
    ploy_machine *machine = reader->machine;
    uint32_t number = (uint32_t)machine->nodes.count;
    if (reader->result == PLOY_ERR_MEMORY || reader->result == PLOY_ERR_LIMIT) return 0;
    if (number > PLOY_HSM_STATES_MAX) {
        ployi_machine_wrong(reader, place, PLOY_ERR_LIMIT, "too many states", "", NULL, NULL);
        return 0;
    }
    char made[32] = "state#";
    ployi_machine_node node;
    memset(&node, 0, sizeof node);
    node.named = id != NULL && id[0] != '\0';
    if (!node.named) {
        (void)ploy_print_u64(number, made + 6);
        id = made;
    } else if (strlen(id) > 200) {
        ployi_machine_wrong(reader, place, PLOY_ERR_FORMAT, "id is too long:", id, NULL, NULL);
        id = made; // and goes on
    }
    node.id = ployi_machine_keep(reader, id);
    node.kind = kind;
    node.parent = parent;
    node.last = number;
    node.place = place;
    ploy_result result = ploy_array_push(&machine->nodes, &node);
    uint64_t hash = ploy_hash_bytes(id, strlen(id), 0);
    if (result == PLOY_OK && !ploy_map_has(&machine->ids, hash)) {
        result = ploy_map_put(&machine->ids, hash, &number);
    }
    machine_note(reader, result);
    if (result != PLOY_OK) return 0;
    for (uint32_t above = parent;; above = ployi_machine_node_at(machine, above)->parent) {
        ployi_machine_node_at(machine, above)->last = number; // keeps (1)
        if (above == 0) break;
    }
    return number;
}

void ployi_machine_add_rule(ployi_machine_reader *reader, const ployi_machine_rule *rule) {
    const ploy_machine *machine = reader->machine;
    const ployi_machine_rule *rules = PLOY_ARRAY_ITEMS(&machine->rules, ployi_machine_rule);
    ployi_machine_rule copy = *rule;
    copy.named = rule->id != 0;
    if (!copy.named) {
        int32_t count = machine->rules.count, before = 0;
        while (before < count && rules[count - 1 - before].from == rule->from) before++;
        char text[256];
        const char *id =
            ployi_machine_text(machine, ployi_machine_node_at(machine, rule->from)->id);
        size_t size = strlen(id);
        if (size > 200) size = 200;
        memcpy(text, id, size);
        text[size] = '#';
        (void)ploy_print_u64((uint64_t)before, text + size + 1);
        copy.id = ployi_machine_keep(reader, text);
    }
    machine_note(reader, ploy_array_push(&reader->machine->rules, &copy));
}

// "label: value", the value if it is nothing but a text in quotes.
static void machine_log_text(const ploy_machine *machine, const ployi_machine_op *op,
                             char text[PLOY_DIAG_TEXT_MAX]) {
    const char *value = ployi_machine_text(machine, op->value);
    size_t size = strlen(value);
    bool quoted = size >= 2 && (value[0] == '\'' || value[0] == '"') &&
                  strchr(value + 1, value[0]) == value + size - 1;
    size_t used = 0;
    for (const char *c = ployi_machine_text(machine, op->text); *c != '\0'; c++) {
        if (used + 4 < PLOY_DIAG_TEXT_MAX) text[used++] = *c;
    }
    if (quoted && used > 0) {
        text[used++] = ':';
        text[used++] = ' ';
    }
    for (size_t i = 1; quoted && i + 1 < size && used + 1 < PLOY_DIAG_TEXT_MAX; i++) {
        text[used++] = value[i];
    }
    text[used] = '\0';
}

void ployi_machine_add_op(ployi_machine_reader *reader, const ployi_machine_op *op) {
    ployi_machine_op copy = *op;
    if (op->kind == PLOY_HSM_OP_LOG) {
        char text[PLOY_DIAG_TEXT_MAX];
        machine_log_text(reader->machine, op, text);
        copy.shown = ployi_machine_keep(reader, text);
    }
    machine_note(reader, ploy_array_push(&reader->machine->ops, &copy));
}

uint32_t ployi_machine_find(const ploy_machine *machine, const char *id, size_t size) {
    const uint32_t *known = ploy_map_get(&machine->ids, ploy_hash_bytes(id, size, 0));
    if (known == NULL) return 0;
    const char *first = ployi_machine_text(machine, ployi_machine_node_at(machine, *known)->id);
    if (strncmp(first, id, size) == 0 && first[size] == '\0') return *known;
    // Two ids with one hash: look at all.
    for (uint32_t i = 1; i < (uint32_t)machine->nodes.count; i++) {
        const char *text = ployi_machine_text(machine, ployi_machine_node_at(machine, i)->id);
        if (strncmp(text, id, size) == 0 && text[size] == '\0') return i;
    }
    return 0;
}

bool ployi_machine_word(const char **list, const char **word, size_t *size) {
    const char *at = *list;
    while (*at == ' ' || *at == '\t' || *at == '\n' || *at == '\r') at++;
    *word = at;
    while (*at != '\0' && *at != ' ' && *at != '\t' && *at != '\n' && *at != '\r') at++;
    *size = (size_t)(at - *word);
    *list = at;
    return *size > 0;
}

bool ployi_machine_delay(const char *text, double *seconds) {
    size_t size = strlen(text), used = 0;
    // An expression that is nothing but a text in quotes is that text.
    if (size >= 2 && (text[0] == '\'' || text[0] == '"') && text[size - 1] == text[0]) {
        text++;
        size -= 2;
    }
    double value = 0.0;
    if (ploy_parse_f64(text, size, &used, &value) != PLOY_OK || !(value >= 0.0 && value <= 1e9)) {
        return false;
    }
    bool s = size - used == 1 && text[used] == 's';
    bool ms = size == used || (size - used == 2 && text[used] == 'm' && text[used + 1] == 's');
    *seconds = s ? value : value / 1000.0;
    return s || ms;
}

ployi_machine_way ployi_machine_send_way(const ploy_machine *machine, const ployi_machine_op *op) {
    const char *target = ployi_machine_text(machine, op->target);
    const char *type = ployi_machine_text(machine, op->type);
    bool known = type[0] == '\0' || strcmp(type, "scxml") == 0 ||
                 strcmp(type, "http://www.w3.org/TR/scxml/#SCXMLEventProcessor") == 0;
    if (!known) return PLOYI_MACHINE_BAD;
    if (target[0] == '\0') return PLOYI_MACHINE_OUTER;
    if (strcmp(target, "#_internal") == 0) return PLOYI_MACHINE_INNER;
    return strncmp(target, "#_", 2) == 0 ? PLOYI_MACHINE_LOST : PLOYI_MACHINE_BAD;
}

// ---- checks

static bool machine_within(const ploy_machine *machine, uint32_t a, uint32_t b) {
    return a > b && a <= ployi_machine_node_at(machine, b)->last;
}

// True if both may be active at once.
static bool machine_together(const ploy_machine *machine, uint32_t a, uint32_t b) {
    if (a == b || machine_within(machine, a, b) || machine_within(machine, b, a)) return true;
    while (a != 0 && !machine_within(machine, b, a)) a = ployi_machine_node_at(machine, a)->parent;
    return ployi_machine_node_at(machine, a)->kind == PLOY_HSM_PARALLEL;
}

// Copies a word for a message.
static const char *machine_copy(const char *word, size_t size, char text[PLOY_DIAG_TEXT_MAX]) {
    if (size > PLOY_DIAG_TEXT_MAX - 1) size = PLOY_DIAG_TEXT_MAX - 1;
    memcpy(text, word, size);
    text[size] = '\0';
    return text;
}

bool ployi_machine_looks(ployi_machine_reader *reader) {
    enum { MACHINE_LOOKS = 100 };
    return reader->unknown++ < MACHINE_LOOKS;
}

static void machine_unknown_state(ployi_machine_reader *reader, ployi_machine_place place,
                                  const char *word, size_t size) {
    char text[PLOY_DIAG_TEXT_MAX];
    ploy_nearest nearest = ploy_nearest_make(machine_copy(word, size, text));
    const ploy_machine *machine = reader->machine;
    bool looks = ployi_machine_looks(reader);
    for (uint32_t i = 1; looks && i < (uint32_t)machine->nodes.count; i++) {
        const ployi_machine_node *node = ployi_machine_node_at(machine, i);
        if (node->named) ploy_nearest_offer(&nearest, ployi_machine_text(machine, node->id));
    }
    ployi_machine_wrong(reader, place, PLOY_ERR_FORMAT, "unknown state", text, NULL, nearest.best);
}

enum { MACHINE_FEW = 32 }; // targets of which all pairs are looked at

// Shell's sort: qsort is not the same everywhere, and the lists are short.
static void machine_sort(uint32_t *numbers, int32_t count) {
    int32_t gap = 1;
    while (gap < count / 3) gap = 3 * gap + 1;
    for (; gap > 0; gap /= 3) {
        for (int32_t i = gap; i < count; i++) {
            uint32_t number = numbers[i];
            int32_t at = i;
            for (; at >= gap && numbers[at - gap] > number; at -= gap) {
                numbers[at] = numbers[at - gap];
            }
            numbers[at] = number;
        }
    }
}

// The same for a long list. In the order of the document it is enough to look at neighbours: for
// a < b < c the state that joins a and c joins one of the neighbouring pairs, too, or a holds c.
static void machine_check_many(ployi_machine_reader *reader, const char *list,
                               ployi_machine_place place) {
    const ploy_machine *machine = reader->machine;
    ploy_array numbers;
    const char *word;
    ploy_array_init(&numbers, sizeof(uint32_t), &machine->env);
    for (size_t size; ployi_machine_word(&list, &word, &size);) {
        uint32_t number = ployi_machine_find(machine, word, size);
        if (number == 0) continue;
        ploy_result result = ploy_array_push(&numbers, &number);
        if (result != PLOY_OK) {
            machine_note(reader, result);
            break;
        }
    }
    uint32_t *sorted = PLOY_ARRAY_ITEMS(&numbers, uint32_t);
    machine_sort(sorted, numbers.count);
    for (int32_t i = 1; i < numbers.count; i++) {
        if (machine_together(machine, sorted[i - 1], sorted[i])) continue;
        ployi_machine_wrong(
            reader, place, PLOY_ERR_FORMAT, "conflicting target, cannot be active with the others:",
            ployi_machine_text(machine, ployi_machine_node_at(machine, sorted[i])->id), NULL, NULL);
        break;
    }
    ploy_array_fini(&numbers);
}

// Checks a list of targets, all of them within `around`.
static void machine_check_targets(ployi_machine_reader *reader, uint32_t list, uint32_t around,
                                  ployi_machine_place place, bool history) {
    const ploy_machine *machine = reader->machine;
    const char *words = ployi_machine_text(machine, list), *begin = words, *word, *other;
    size_t size, other_size;
    char text[PLOY_DIAG_TEXT_MAX];
    int32_t targets = 0;
    while (ployi_machine_word(&words, &word, &size)) {
        uint32_t target = ployi_machine_find(machine, word, size);
        if (target == 0) {
            machine_unknown_state(reader, place, word, size);
            continue;
        }
        if (!machine_within(machine, target, around)) {
            ployi_machine_wrong(reader, place, PLOY_ERR_FORMAT,
                                "target is outside its state:", machine_copy(word, size, text),
                                NULL, NULL);
        }
        if (history && ployi_machine_node_at(machine, target)->kind >= PLOY_HSM_HISTORY) {
            ployi_machine_wrong(reader, place, PLOY_ERR_FORMAT,
                                "history state targets another history state:",
                                machine_copy(word, size, text), NULL, NULL);
        }
        targets++;
        for (const char *rest = begin;
             targets <= MACHINE_FEW && ployi_machine_word(&rest, &other, &other_size);) {
            if (other == word) break;
            uint32_t before = ployi_machine_find(machine, other, other_size);
            if (before == 0 || machine_together(machine, before, target)) continue;
            ployi_machine_wrong(reader, place, PLOY_ERR_FORMAT,
                                "conflicting initial state, cannot be active with the others:",
                                machine_copy(word, size, text), NULL, NULL);
            break;
        }
    }
    if (targets > MACHINE_FEW) machine_check_many(reader, begin, place);
}

static void machine_check_node(ployi_machine_reader *reader, uint32_t number) {
    const ploy_machine *machine = reader->machine;
    const ployi_machine_node *node = ployi_machine_node_at(machine, number);
    const char *id = ployi_machine_text(machine, node->id);
    machine_check_targets(reader, node->initial, number, node->place, false);
    if (number == 0) {
        if (machine->nodes.count == 1 && reader->result == PLOY_OK) {
            ployi_machine_wrong(reader, node->place, PLOY_ERR_FORMAT, "machine has no states", "",
                                NULL, NULL);
        }
        return;
    }
    ploy_hsm_kind parent = ployi_machine_node_at(machine, node->parent)->kind;
    if (parent >= PLOY_HSM_FINAL) {
        ployi_machine_wrong(reader, node->place, PLOY_ERR_FORMAT,
                            "final or history state has child states:", id, NULL, NULL);
    }
    if (node->kind >= PLOY_HSM_HISTORY && node->parent == 0) {
        ployi_machine_wrong(reader, node->place, PLOY_ERR_FORMAT,
                            "history state is outside any state:", id, NULL, NULL);
    }
    if (node->kind == PLOY_HSM_FINAL && parent == PLOY_HSM_PARALLEL) {
        ployi_machine_wrong(reader, node->place, PLOY_ERR_FORMAT, "region is a final state:", id,
                            NULL, NULL);
    }
    if (node->initial != 0 && node->kind != PLOY_HSM_STATE) {
        ployi_machine_wrong(reader, node->place, PLOY_ERR_FORMAT,
                            "initial state in a state that is not compound:", id, NULL, NULL);
    }
}

static void machine_check_ids(ployi_machine_reader *reader) {
    const ploy_machine *machine = reader->machine;
    for (uint32_t i = 1; i < (uint32_t)machine->nodes.count; i++) {
        const ployi_machine_node *node = ployi_machine_node_at(machine, i);
        const char *id = ployi_machine_text(machine, node->id);
        if (ployi_machine_find(machine, id, strlen(id)) == i) continue;
        ployi_machine_wrong(reader, node->place, PLOY_ERR_FORMAT, "duplicate state id", id, NULL,
                            NULL);
    }
    const ployi_machine_rule *rules = PLOY_ARRAY_ITEMS(&machine->rules, ployi_machine_rule);
    ploy_map ids;
    ploy_map_init(&ids, 0, &machine->env);
    for (int32_t i = 0; i < machine->rules.count; i++) {
        const char *id = ployi_machine_text(machine, rules[i].id);
        void *value;
        bool added = true;
        if (!rules[i].named) continue;
        machine_note(reader, ploy_map_ensure(&ids, ploy_hash_text(id), &value, &added));
        if (added) continue;
        ployi_machine_wrong(reader, rules[i].place, PLOY_ERR_FORMAT, "duplicate rule id", id, NULL,
                            NULL);
    }
    ploy_map_fini(&ids);
}

static void machine_check_rule(ployi_machine_reader *reader, const ployi_machine_rule *rule,
                               bool again) {
    const ploy_machine *machine = reader->machine;
    const ployi_machine_node *from = ployi_machine_node_at(machine, rule->from);
    const char *id = ployi_machine_text(machine, from->id);
    bool history = from->kind >= PLOY_HSM_HISTORY;
    machine_check_targets(reader, rule->targets, history ? from->parent : 0, rule->place, history);
    if ((rule->from == 0 && !machine->flat) || from->kind == PLOY_HSM_FINAL) {
        ployi_machine_wrong(reader, rule->place, PLOY_ERR_FORMAT,
                            "unexpected transition out of the machine or a final state", "", NULL,
                            NULL);
    }
    if (history && (rule->on != 0 || rule->when != 0 || rule->targets == 0 || again)) {
        ployi_machine_wrong(reader, rule->place, PLOY_ERR_FORMAT,
                            "expected one transition with only a target in the history state", id,
                            NULL, NULL);
    }
    const char *list = ployi_machine_text(machine, rule->on), *word;
    for (size_t size; ployi_machine_word(&list, &word, &size);) {
        if (size < 200) continue;
        ployi_machine_wrong(reader, rule->place, PLOY_ERR_FORMAT, "event name is too long", "",
                            NULL, NULL);
    }
    if (rule->when == 0) return;
    (void)ployi_machine_condition(reader, ployi_machine_text(machine, rule->when), rule->when_place,
                                  NULL, NULL);
}

static void machine_check_op(ployi_machine_reader *reader, const ployi_machine_op *op) {
    const ploy_machine *machine = reader->machine;
    double seconds;
    if ((op->kind == PLOY_HSM_OP_RAISE || op->kind == PLOY_HSM_OP_SEND ||
         op->kind == PLOY_HSM_OP_CANCEL || op->kind == PLOY_HSM_OP_CALL) &&
        op->text == 0) {
        ployi_machine_wrong(reader, op->place, PLOY_ERR_FORMAT, "missing name", "", NULL, NULL);
    }
    if (op->delay != 0 && !ployi_machine_delay(ployi_machine_text(machine, op->delay), &seconds)) {
        ployi_machine_wrong(reader, op->place, PLOY_ERR_FORMAT, "invalid delay",
                            ployi_machine_text(machine, op->delay), "1s or 100ms", NULL);
    }
    if (op->kind == PLOY_HSM_OP_IF || op->kind == PLOY_HSM_OP_ELSE_IF) {
        (void)ployi_machine_condition(reader, ployi_machine_text(machine, op->when), op->when_place,
                                      NULL, NULL);
    }
}

ploy_result ployi_machine_end(ployi_machine_reader *reader, ploy_machine **out) {
    ploy_machine *machine = reader->machine;
    if (reader->result != PLOY_ERR_MEMORY && reader->result != PLOY_ERR_LIMIT) {
        machine_check_ids(reader);
        for (uint32_t i = 0; i < (uint32_t)machine->nodes.count; i++) machine_check_node(reader, i);
        const ployi_machine_rule *rules = PLOY_ARRAY_ITEMS(&machine->rules, ployi_machine_rule);
        for (int32_t i = 0; i < machine->rules.count; i++) {
            machine_check_rule(reader, &rules[i], i > 0 && rules[i - 1].from == rules[i].from);
        }
        const ployi_machine_op *ops = PLOY_ARRAY_ITEMS(&machine->ops, ployi_machine_op);
        for (int32_t i = 0; i < machine->ops.count; i++) machine_check_op(reader, &ops[i]);
    }
    if (reader->result == PLOY_OK) {
        *out = machine;
    } else {
        ploy_machine_destroy(machine);
    }
    reader->machine = NULL;
    return reader->result;
}
