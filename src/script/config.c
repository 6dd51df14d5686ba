// Configuration scripts: tables read into defs through their field tables.
#include <stdio.h>
#include <string.h>

#include "script/script_internal.h"

typedef struct config_read {
    ploy_lua *lua;
    ploy_lua_ref from;
    const char *path;
    ploy_fields fields;
    void *def;
    const char *name;
    const char *source; // to find the place of a name; NULL: unknown
    size_t source_size;
    ploy_diags *diags;
    int32_t faults;
    ploy_result result;
} config_read;

static bool config_is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// Line and column of the first `name =` in the source.
static void config_place(const config_read *read, const char *name, int32_t *line,
                         int32_t *column) {
    size_t size = strlen(name);
    int32_t at_line = 1, at_column = 1;
    *line = *column = 0;
    for (size_t i = 0; read->source != NULL && i + size <= read->source_size; i++) {
        const char *text = read->source + i;
        bool starts = i == 0 || !config_is_word(text[-1]);
        if (starts && memcmp(text, name, size) == 0) {
            size_t j = i + size;
            while (j < read->source_size && (read->source[j] == ' ' || read->source[j] == '\t'))
                j++;
            if (j < read->source_size && read->source[j] == '=') {
                *line = at_line;
                *column = at_column;
                return;
            }
        }
        at_column++;
        if (*text == '\n') {
            at_line++;
            at_column = 1;
        }
    }
}

static void config_fault(config_read *read, const char *path, ploy_result code, const char *message,
                         const char *expected, const char *nearest) {
    const char *last = strrchr(path, '.');
    int32_t line, column;
    config_place(read, last != NULL ? last + 1 : path, &line, &column);
    ploy_diags_add(read->diags, PLOY_SEVERITY_ERROR, code, read->name, line, column, message,
                   expected, nearest);
    read->faults++;
}

// A vector from a table {x, y} or {x = 1, y = 2}.
static bool config_vector(lua_State *L, int32_t width, ploy_value *out) {
    static const char *const names[] = {"x", "y", "z"};
    float parts[3] = {0, 0, 0};
    for (int32_t i = 0; i < width; i++) {
        if (lua_rawgeti(L, -1, i + 1) == LUA_TNIL) {
            lua_pop(L, 1);
            lua_pushstring(L, names[i]);
            lua_rawget(L, -2);
        }
        bool number = lua_type(L, -1) == LUA_TNUMBER;
        if (number) parts[i] = (float)lua_tonumber(L, -1);
        lua_pop(L, 1);
        if (!number) return false;
    }
    *out = width == 2 ? ploy_value_vec2(parts[0], parts[1])
                      : ploy_value_vec3(parts[0], parts[1], parts[2]);
    return true;
}

static void config_table(config_read *read, lua_State *L, const char *prefix, int32_t depth);

// Sets the field `path` from the value on top.
static void config_value(config_read *read, lua_State *L, const char *path, int32_t depth) {
    char message[PLOY_DIAG_TEXT_MAX], nearest[PLOY_FIELD_PATH_MAX];
    const ploy_field *field = ploy_fields_find(read->fields, path, NULL);
    if (field == NULL) {
        (void)ploy_fields_nearest(read->fields, path, nearest);
        snprintf(message, sizeof message, "unknown setting '%.100s'", path);
        config_fault(read, path, PLOY_ERR_NOT_FOUND, message, NULL, nearest);
        return;
    }
    if (field->type == PLOY_FIELD_TYPE_DEF) {
        if (lua_istable(L, -1) && depth < PLOY_FIELD_DEPTH_MAX) {
            config_table(read, L, path, depth + 1);
        } else {
            snprintf(message, sizeof message, "expected a table for '%.80s', found a %s", path,
                     luaL_typename(L, -1));
            config_fault(read, path, PLOY_ERR_FORMAT, message, NULL, NULL);
        }
        return;
    }
    ploy_value value = ploy_value_none();
    bool vector = field->type == PLOY_FIELD_TYPE_VEC2 || field->type == PLOY_FIELD_TYPE_VEC3;
    bool good = vector && lua_istable(L, -1)
                    ? config_vector(L, field->type == PLOY_FIELD_TYPE_VEC2 ? 2 : 3, &value)
                    : ployi_script_read(L, -1, &value);
    if (good) {
        ploy_diags *diags = NULL;
        const ploy_env env = ploy_env_default();
        if (ploy_diags_create(4, &env, &diags) != PLOY_OK) luaL_error(L, "not enough memory");
        ploy_result result = ploy_fields_set(read->fields, read->def, path, &value, diags);
        const ploy_diag *diag = ploy_diags_get(diags, 0);
        if (result != PLOY_OK) {
            config_fault(read, path, result, diag != NULL ? diag->message : "invalid value",
                         diag != NULL ? diag->expected : NULL, diag != NULL ? diag->nearest : NULL);
        }
        ploy_diags_destroy(diags);
        return;
    }
    snprintf(message, sizeof message, "expected %s for '%.80s', found a %s",
             ploy_field_type_text(field->type), path, luaL_typename(L, -1));
    config_fault(read, path, PLOY_ERR_FORMAT, message, NULL, NULL);
}

// All names of the table on top, in order.
static void config_table(config_read *read, lua_State *L, const char *prefix, int32_t depth) {
    luaL_checkstack(L, 12, "settings");
    int table = lua_gettop(L);
    lua_pushnil(L);
    while (ployi_script_next(L, table)) {
        char path[PLOY_FIELD_PATH_MAX];
        if (lua_type(L, -2) != LUA_TSTRING) {
            config_fault(read, prefix, PLOY_ERR_FORMAT,
                         "expected names of settings, found a list element", NULL, NULL);
        } else {
            snprintf(path, sizeof path, "%.120s%s%.120s", prefix, prefix[0] != 0 ? "." : "",
                     lua_tostring(L, -2));
            config_value(read, L, path, depth);
        }
        lua_settop(L, table + 1);
    }
}

static int config_do(lua_State *L) {
    config_read *read = lua_touserdata(L, 1);
    read->result = ployi_script_push_ref(read->lua, L, read->from);
    if (read->result != PLOY_OK) return 0;
    if (!ployi_script_walk(read->lua, L, read->path)) {
        read->result = PLOY_ERR_NOT_FOUND;
    } else if (!lua_istable(L, -1)) {
        read->result = PLOY_ERR_ARGUMENT;
        ployi_script_fail(read->lua, "expected a table of settings");
    } else {
        config_table(read, L, "", 0);
    }
    return 0;
}

static ploy_result config_run(config_read *read) {
    // Set in a copy, so that a fault changes nothing.
    ploy_result result = ploy_fields_check_diags(read->fields, read->def, read->name, read->diags);
    if (result != PLOY_OK) return PLOY_ERR_ARGUMENT;
    ploy_env env = ploy_env_default();
    void *def = read->def, *copy = ploy_env_alloc(&env, read->fields.size);
    if (copy == NULL) return PLOY_ERR_MEMORY;
    memcpy(copy, def, read->fields.size);
    read->def = copy;
    result = ployi_script_protect(read->lua, config_do, read);
    if (result == PLOY_OK) result = read->result;
    if (result == PLOY_OK && read->faults > 0) result = PLOY_ERR_FORMAT;
    if (result == PLOY_OK) memcpy(def, copy, read->fields.size);
    ploy_env_free(&env, copy, read->fields.size);
    read->def = def;
    return result;
}

ploy_result ploy_lua_read_fields(ploy_lua *lua, ploy_lua_ref from, const char *path,
                                 ploy_fields fields, void *def, const char *name,
                                 ploy_diags *diags) {
    config_read read = {.lua = lua,
                        .from = from,
                        .path = path != NULL ? path : "",
                        .fields = fields,
                        .def = def,
                        .name = name,
                        .diags = diags};
    return config_run(&read);
}

// Gives the chunk a new table of globals, which can read the libraries.
static int config_isolate(lua_State *L) {
    config_read *read = lua_touserdata(L, 1);
    read->result = ployi_script_push_ref(read->lua, L, read->from); // the chunk
    if (read->result != PLOY_OK) return 0;
    lua_createtable(L, 0, 0);
    lua_createtable(L, 0, 1);
    lua_rawgeti(L, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
    lua_setfield(L, -2, "__index");
    lua_setmetatable(L, -2);
    lua_pushvalue(L, -1);
    if (lua_setupvalue(L, -3, 1) == NULL) lua_pop(L, 1);
    read->result = ployi_script_ref(read->lua, L, &read->from); // the new globals
    return 0;
}

ploy_result ploy_lua_load_fields(ploy_fields fields, void *def, const void *bytes, size_t size,
                                 const char *name, const ploy_env *env, ploy_diags *diags) {
    ploy_lua_def settings = ploy_lua_def_default();
    settings.memory_kb = 12288;
    ploy_lua *lua = NULL;
    ploy_result result = ploy_lua_create(&settings, env, &lua);
    if (result != PLOY_OK) return result;
    ploy_lua_ref chunk;
    result = ploy_lua_load(lua, bytes, size, name, diags, &chunk);
    config_read read = {.lua = lua,
                        .from = chunk,
                        .path = "",
                        .fields = fields,
                        .def = def,
                        .name = name,
                        .source = bytes,
                        .source_size = size,
                        .diags = diags};
    if (result == PLOY_OK) result = ployi_script_protect(lua, config_isolate, &read);
    if (result == PLOY_OK) result = read.result;
    if (result == PLOY_OK) {
        result = ploy_lua_call(lua, chunk, ploy_lua_globals(), NULL, 0, NULL, 0);
        if (result != PLOY_OK) ployi_script_diagnose(lua, name, result, diags);
    }
    if (result == PLOY_OK) {
        ploy_lua_ref returned;
        if (ploy_lua_result(lua, 0, &returned) == PLOY_OK &&
            ploy_lua_kind_of(lua, returned) == PLOY_LUA_TABLE) {
            read.from = returned;
        }
        result = config_run(&read);
    }
    ploy_lua_destroy(lua);
    return result;
}
