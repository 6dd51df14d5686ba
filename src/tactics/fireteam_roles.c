// The roles of a fire team: reading the text and building a state machine for each role.
#include <string.h>

#include "fireteam_internal.h"
#include "ploy/base/name.h"

static const ploy_blackboard_key roles_keys[PLOYI_FIRETEAM_KEYS] = {
    {"sees", PLOY_VALUE_BOOL, {PLOY_VALUE_NONE, {0}}, "an enemy is in sight"},
    {"reached", PLOY_VALUE_BOOL, {PLOY_VALUE_NONE, {0}}, "the cover that it went to"},
    {"urgent", PLOY_VALUE_BOOL, {PLOY_VALUE_NONE, {0}}, "does not wait for its dwell"},
    {"light_cover", PLOY_VALUE_BOOL, {PLOY_VALUE_NONE, {0}}, "the enemy's cover is light"},
    {"heavy", PLOY_VALUE_BOOL, {PLOY_VALUE_NONE, {0}}, "the enemy has heavy weapons"},
    {"ammo", PLOY_VALUE_I64, {PLOY_VALUE_NONE, {0}}, "rounds left"},
    {"supplies", PLOY_VALUE_I64, {PLOY_VALUE_NONE, {0}}, "grenades, bandages or calls left"},
    {"enemies", PLOY_VALUE_I64, {PLOY_VALUE_NONE, {0}}, "in sight"},
    {"enemy_distance", PLOY_VALUE_F32, {PLOY_VALUE_NONE, {0}}, "m, to the nearest enemy"},
    {"fallen_distance", PLOY_VALUE_F32, {PLOY_VALUE_NONE, {0}}, "m, to the nearest fallen"},
    {"advancing", PLOY_VALUE_I64, {PLOY_VALUE_NONE, {0}}, "team-mates that advance"},
    {"suppressing", PLOY_VALUE_I64, {PLOY_VALUE_NONE, {0}}, "team-mates that suppress"},
    {"others", PLOY_VALUE_I64, {PLOY_VALUE_NONE, {0}}, "live team-mates"},
    {"team_distance", PLOY_VALUE_F32, {PLOY_VALUE_NONE, {0}}, "m, to the middle of the team"},
    {"mode", PLOY_VALUE_NAME, {PLOY_VALUE_NONE, {0}}, "its own mode"},
    {"oscillating", PLOY_VALUE_BOOL, {PLOY_VALUE_NONE, {0}}, "its mode swings"},
};

static const char roles_text[] =
    "# A fire team without a leader: each member looks at what the others do.\n"
    "role rifleman\n"
    "    in-cover -> suppress : sees && ammo > 0 && suppressing < 3\n"
    "    in-cover -> advance  : (!sees || suppressing >= 2 || others < 2) && advancing == 0\n"
    "    advance -> in-cover  : reached\n"
    "    suppress -> in-cover : ammo == 0 || !sees\n"
    "    suppress -> advance  : suppressing >= 2 && advancing == 0 && after(2)\n"
    "    any -> regroup       : team_distance > 18\n"
    "    regroup -> in-cover  : team_distance < 10 || reached\n"
    "\n"
    "role grenadier like rifleman\n"
    "    in-cover -> grenade  : light_cover && supplies > 0 && enemy_distance < 22\n"
    "    suppress -> grenade  : light_cover && supplies > 0 && enemy_distance < 22\n"
    "    grenade -> in-cover  : supplies == 0 || !light_cover || after(1.5)\n"
    "\n"
    "role medic like rifleman\n"
    "    in-cover -> aid      : supplies > 0 && fallen_distance < 15\n"
    "    suppress -> aid      : supplies > 0 && fallen_distance < 15\n"
    "    aid -> in-cover      : supplies == 0 || fallen_distance >= 15\n"
    "\n"
    "role radio like rifleman\n"
    "    in-cover -> call     : heavy && supplies > 0 && enemies >= 2\n"
    "    call -> in-cover     : supplies == 0 || after(4)\n";

const char *ploy_fireteam_text(void) {
    return roles_text;
}

typedef struct roles_reader {
    ploy_fireteam_roles *roles;
    const char *text, *name;
    size_t end, at; // of the present line
    size_t begin;   // of the line
    int32_t line;
    ploy_diags *diags;
    ploy_result result;
} roles_reader;

static void roles_fault(roles_reader *reader, ploy_result code, size_t at, const char *message,
                        const char *expected, const char *nearest) {
    if (reader->result == PLOY_OK) reader->result = code;
    ploy_diags_add(reader->diags, PLOY_SEVERITY_ERROR, code, reader->name, reader->line,
                   (int32_t)(at - reader->begin) + 1, message, expected, nearest);
}

static void roles_memory(roles_reader *reader, ploy_result result) {
    if (result == PLOY_OK) return;
    if (reader->result == PLOY_OK || result == PLOY_ERR_MEMORY) reader->result = result;
}

static void roles_blanks(roles_reader *reader) {
    while (reader->at < reader->end &&
           (reader->text[reader->at] == ' ' || reader->text[reader->at] == '\t' ||
            reader->text[reader->at] == '\r')) {
        reader->at++;
    }
}

// The next word: letters, digits, '-', '_' and '.', but not the arrow. False after a fault.
static bool roles_word(roles_reader *reader, char out[PLOY_FIRETEAM_NAME_MAX],
                       const char *expected) {
    roles_blanks(reader);
    size_t from = reader->at;
    while (reader->at < reader->end) {
        char c = reader->text[reader->at];
        bool arrow =
            c == '-' && reader->at + 1 < reader->end && reader->text[reader->at + 1] == '>';
        bool fits = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                    c == '_' || c == '-' || c == '.';
        if (!fits || arrow) break;
        reader->at++;
    }
    size_t size = reader->at - from;
    if (size == 0 || size >= PLOY_FIRETEAM_NAME_MAX) {
        roles_fault(reader, PLOY_ERR_FORMAT, from, size == 0 ? "missing word" : "too long word",
                    expected, NULL);
        return false;
    }
    memcpy(out, reader->text + from, size);
    out[size] = 0;
    return true;
}

static bool roles_symbol(roles_reader *reader, const char *symbol, const char *expected) {
    roles_blanks(reader);
    size_t size = strlen(symbol);
    if (reader->end - reader->at >= size && memcmp(reader->text + reader->at, symbol, size) == 0) {
        reader->at += size;
        return true;
    }
    if (expected != NULL) {
        roles_fault(reader, PLOY_ERR_FORMAT, reader->at, "unexpected text", expected, NULL);
    }
    return false;
}

static int32_t roles_mode(roles_reader *reader, const char *name) {
    ploy_fireteam_roles *roles = reader->roles;
    for (int32_t i = 0; i < roles->modes.count; i++) {
        if (strcmp(PLOY_ARRAY_ITEMS(&roles->modes, ployi_fireteam_mode)[i].name, name) == 0) {
            return i;
        }
    }
    ployi_fireteam_mode mode;
    memset(&mode, 0, sizeof mode);
    memcpy(mode.name, name, strlen(name) + 1);
    mode.hash = ploy_name_of(name);
    mode.slot = roles->keys[PLOYI_FIRETEAM_MODE];
    ploy_result result = ploy_array_push(&roles->modes, &mode);
    roles_memory(reader, result);
    return result == PLOY_OK ? roles->modes.count - 1 : -1;
}

static void roles_read_role(roles_reader *reader) {
    ploy_fireteam_roles *roles = reader->roles;
    ployi_fireteam_role role;
    char word[PLOY_FIRETEAM_NAME_MAX];
    memset(&role, 0, sizeof role);
    role.line = reader->line;
    role.like = -1;
    role.first_rule = roles->rules.count;
    if (!roles_word(reader, role.name, "the role's name")) return;
    if (ploy_fireteam_roles_find(roles, role.name) >= 0) {
        roles_fault(reader, PLOY_ERR_FORMAT, reader->begin, "duplicate role", NULL, NULL);
    }
    roles_blanks(reader);
    if (reader->at < reader->end) {
        if (!roles_word(reader, word, "'like'")) return;
        if (strcmp(word, "like") != 0) {
            roles_fault(reader, PLOY_ERR_FORMAT, reader->at, "unexpected word", "'like'", NULL);
            return;
        }
        if (!roles_word(reader, word, "an earlier role")) return;
        role.like = ploy_fireteam_roles_find(roles, word);
        if (role.like < 0) {
            ploy_nearest nearest = ploy_nearest_make(word);
            for (int32_t i = 0; i < roles->roles.count; i++) {
                ploy_nearest_offer(&nearest, ploy_fireteam_roles_name(roles, i));
            }
            roles_fault(reader, PLOY_ERR_FORMAT, reader->at - strlen(word), "no such role",
                        "an earlier role", nearest.best);
        }
    }
    if (roles->roles.count == PLOY_FIRETEAM_ROLES_MAX) {
        roles_fault(reader, PLOY_ERR_LIMIT, reader->begin, "too many roles", "at most 32", NULL);
        return;
    }
    roles_memory(reader, ploy_array_push(&roles->roles, &role));
}

// FROM -> TO : CONDITION
static void roles_read_rule(roles_reader *reader, const char *from) {
    ploy_fireteam_roles *roles = reader->roles;
    ployi_fireteam_rule rule;
    char to[PLOY_FIRETEAM_NAME_MAX];
    if (roles->roles.count == 0) {
        roles_fault(reader, PLOY_ERR_FORMAT, reader->begin, "unexpected rule before the first role",
                    "'role'", NULL);
        return;
    }
    if (!roles_symbol(reader, "->", "'->'") || !roles_word(reader, to, "the mode to go to") ||
        !roles_symbol(reader, ":", "':' and a condition")) {
        return;
    }
    if (strcmp(to, "any") == 0) {
        roles_fault(reader, PLOY_ERR_FORMAT, reader->at, "invalid mode 'any' behind the arrow",
                    NULL, NULL);
        return;
    }
    if (roles->rules.count == PLOY_FIRETEAM_RULES_MAX) {
        roles_fault(reader, PLOY_ERR_LIMIT, reader->begin, "too many rules", "at most 512", NULL);
        return;
    }
    roles_blanks(reader);
    size_t end = reader->end;
    while (end > reader->at && (reader->text[end - 1] == ' ' || reader->text[end - 1] == '\r' ||
                                reader->text[end - 1] == '\t')) {
        end--;
    }
    rule.line = reader->line;
    rule.column = (int32_t)(reader->at - reader->begin) + 1;
    rule.text = roles->texts.count;
    rule.from = strcmp(from, "any") == 0 ? -1 : roles_mode(reader, from);
    rule.to = roles_mode(reader, to);
    if (reader->result == PLOY_ERR_MEMORY) return;
    if (end == reader->at) {
        roles_fault(reader, PLOY_ERR_FORMAT, reader->at, "missing condition", NULL, NULL);
        return;
    }
    ploy_result result =
        ploy_array_push_many(&roles->texts, reader->text + reader->at, (int32_t)(end - reader->at));
    if (result == PLOY_OK) result = ploy_array_push(&roles->texts, "");
    if (result == PLOY_OK) result = ploy_array_push(&roles->rules, &rule);
    roles_memory(reader, result);
    if (result != PLOY_OK) return;
    PLOY_ARRAY_ITEMS(&roles->roles, ployi_fireteam_role)[roles->roles.count - 1].rule_count++;
}

static void roles_read_line(roles_reader *reader) {
    char word[PLOY_FIRETEAM_NAME_MAX];
    roles_blanks(reader);
    if (reader->at == reader->end) return;
    if (!roles_word(reader, word, "'role' or a mode")) return;
    roles_blanks(reader);
    bool rule = reader->end - reader->at >= 2 && memcmp(reader->text + reader->at, "->", 2) == 0;
    if (strcmp(word, "role") == 0 && !rule) {
        roles_read_role(reader);
    } else {
        roles_read_rule(reader, word);
    }
}

static void roles_read(roles_reader *reader, size_t size) {
    for (size_t at = 0; at < size && reader->result != PLOY_ERR_MEMORY;) {
        size_t end = at, stop;
        while (end < size && reader->text[end] != '\n') end++;
        for (stop = at; stop < end && reader->text[stop] != '#';) stop++;
        reader->line++;
        reader->begin = reader->at = at;
        reader->end = stop;
        roles_read_line(reader);
        at = end + 1;
    }
}

// ---- building

static ploy_result roles_enter(void *user, const ploy_fsm_turn *turn) {
    const ployi_fireteam_mode *mode = user;
    return ploy_blackboard_set_name(turn->context->blackboard, mode->slot, mode->hash);
}

// Adds a state and returns it; states are known by their mode's number.
static ploy_fsm_state roles_state(const ploy_fireteam_roles *roles, ploy_fsm_type *type,
                                  int32_t mode) {
    ployi_fireteam_mode *at = &PLOY_ARRAY_ITEMS(&roles->modes, ployi_fireteam_mode)[mode];
    ploy_fsm_state found = ploy_fsm_type_find(type, at->name);
    if (found.number != 0) return found;
    ploy_fsm_hooks hooks;
    memset(&hooks, 0, sizeof hooks);
    hooks.enter = roles_enter;
    hooks.user = at;
    return ploy_fsm_type_state(type, at->name, &hooks, ploy_maker_none());
}

// The rules of a role, then those of the role that it is like. @param first  its initial state.
static void roles_add_rules(roles_reader *reader, ploy_fsm_type *type,
                            const ployi_fireteam_role *role, ploy_fsm_state *first,
                            int32_t *number) {
    const ploy_fireteam_roles *roles = reader->roles;
    for (int32_t i = 0; i < role->rule_count && reader->result == PLOY_OK; i++) {
        const ployi_fireteam_rule *rule =
            &PLOY_ARRAY_ITEMS(&roles->rules, ployi_fireteam_rule)[role->first_rule + i];
        ploy_fsm_state from = ploy_fsm_state_none(), to;
        if (rule->from >= 0) from = roles_state(roles, type, rule->from);
        to = roles_state(roles, type, rule->to);
        // The base role's first state begins, so that variants start like all others.
        if (role->like < 0 && first->number == 0) *first = from.number != 0 ? from : to;
        ploy_condition when;
        ploy_result result = ploy_condition_read(
            ploy_fsm_type_conditions(type), PLOY_ARRAY_ITEMS(&roles->texts, char) + rule->text,
            reader->name, rule->line, rule->column, reader->diags, &when);
        if (result != PLOY_OK) {
            roles_memory(reader, result == PLOY_ERR_MEMORY ? result : PLOY_ERR_FORMAT);
            return;
        }
        char id[16] = "r000";
        id[1] = (char)('0' + *number / 100 % 10);
        id[2] = (char)('0' + *number / 10 % 10);
        id[3] = (char)('0' + *number % 10);
        (*number)++;
        ploy_fsm_rule made = ploy_fsm_rule_make(id, from, when, to);
        roles_memory(reader, ploy_fsm_type_add(type, &made));
    }
    if (role->like < 0 || reader->result != PLOY_OK) return;
    roles_add_rules(reader, type, &PLOY_ARRAY_ITEMS(&roles->roles, ployi_fireteam_role)[role->like],
                    first, number);
}

static void roles_build(roles_reader *reader) {
    ploy_fireteam_roles *roles = reader->roles;
    for (int32_t i = 0; i < roles->roles.count && reader->result == PLOY_OK; i++) {
        ployi_fireteam_role *role = &PLOY_ARRAY_ITEMS(&roles->roles, ployi_fireteam_role)[i];
        ploy_fsm_def def = ploy_fsm_def_default();
        ploy_fsm_state first = ploy_fsm_state_none();
        int32_t number = 0;
        reader->line = role->line;
        if (role->rule_count == 0 && role->like < 0) {
            reader->begin = 0;
            roles_fault(reader, PLOY_ERR_FORMAT, 0, "the role has no rules", NULL, NULL);
            return;
        }
        ploy_result result = ploy_fsm_type_create(&def, roles->layout, &roles->env, &role->type);
        roles_memory(reader, result);
        if (result != PLOY_OK) return;
        roles_add_rules(reader, role->type, role, &first, &number);
        if (reader->result == PLOY_OK) {
            roles_memory(reader, ploy_fsm_type_finish(role->type, first));
        }
    }
}

ploy_result ploy_fireteam_roles_load(const void *bytes, size_t size, const char *name,
                                     const ploy_env *env, ploy_diags *diags,
                                     ploy_fireteam_roles **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL || name == NULL || (bytes == NULL && size > 0)) return PLOY_ERR_ARGUMENT;
    if (size > (size_t)1 << 24) return PLOY_ERR_LIMIT;
    ploy_fireteam_roles *roles = ploy_env_alloc_zero(env, sizeof *roles);
    if (roles == NULL) return PLOY_ERR_MEMORY;
    roles->env = *env;
    ploy_array_init(&roles->roles, sizeof(ployi_fireteam_role), env);
    ploy_array_init(&roles->rules, sizeof(ployi_fireteam_rule), env);
    ploy_array_init(&roles->modes, sizeof(ployi_fireteam_mode), env);
    ploy_array_init(&roles->texts, 1, env);
    roles_reader reader;
    memset(&reader, 0, sizeof reader);
    reader.roles = roles;
    reader.text = bytes;
    reader.name = name;
    reader.diags = diags;
    reader.result = ploy_blackboard_layout_create(roles_keys, PLOYI_FIRETEAM_KEYS, "fireteam", env,
                                                  NULL, &roles->layout);
    for (int32_t i = 0; i < PLOYI_FIRETEAM_KEYS && reader.result == PLOY_OK; i++) {
        roles->keys[i] = ploy_blackboard_layout_find(roles->layout, roles_keys[i].name);
    }
    if (reader.result == PLOY_OK) roles_read(&reader, size);
    if (reader.result == PLOY_OK && roles->roles.count == 0) {
        reader.line = 1;
        reader.begin = 0;
        roles_fault(&reader, PLOY_ERR_FORMAT, 0, "the file has no role", "'role'", NULL);
    }
    // Modes do not move any more: the machines' hooks point to them.
    if (reader.result == PLOY_OK) roles_build(&reader);
    if (reader.result != PLOY_OK) {
        ploy_fireteam_roles_destroy(roles);
        return reader.result;
    }
    *out = roles;
    return PLOY_OK;
}

void ploy_fireteam_roles_destroy(ploy_fireteam_roles *roles) {
    if (roles == NULL) return;
    ploy_env env = roles->env;
    for (int32_t i = 0; i < roles->roles.count; i++) {
        ploy_fsm_type_destroy(PLOY_ARRAY_ITEMS(&roles->roles, ployi_fireteam_role)[i].type);
    }
    ploy_array_fini(&roles->roles);
    ploy_array_fini(&roles->rules);
    ploy_array_fini(&roles->modes);
    ploy_array_fini(&roles->texts);
    ploy_blackboard_layout_destroy(roles->layout);
    ploy_env_free(&env, roles, sizeof *roles);
}

int32_t ploy_fireteam_roles_count(const ploy_fireteam_roles *roles) {
    return roles != NULL ? roles->roles.count : 0;
}

const char *ploy_fireteam_roles_name(const ploy_fireteam_roles *roles, int32_t role) {
    if (role < 0 || role >= ploy_fireteam_roles_count(roles)) return NULL;
    return PLOY_ARRAY_ITEMS(&roles->roles, ployi_fireteam_role)[role].name;
}

int32_t ploy_fireteam_roles_find(const ploy_fireteam_roles *roles, const char *name) {
    for (int32_t i = 0; i < ploy_fireteam_roles_count(roles); i++) {
        if (strcmp(ploy_fireteam_roles_name(roles, i), name) == 0) return i;
    }
    return -1;
}

const char *ploy_fireteam_roles_mode(const ploy_fireteam_roles *roles, ploy_name mode) {
    for (int32_t i = 0; roles != NULL && i < roles->modes.count; i++) {
        const ployi_fireteam_mode *at = &PLOY_ARRAY_ITEMS(&roles->modes, ployi_fireteam_mode)[i];
        if (ploy_name_equal(at->hash, mode)) return at->name;
    }
    return NULL;
}
