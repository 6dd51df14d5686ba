// Field tables: defaults, checks, access by path, all driven by one array a def type.
//
// A def is read and written with memcpy at the table's offsets, so that neither alignment nor
// aliasing depends on how a table was made. What a def holds is checked by one function
// (ployi_fields_judge), whether it came from the game, from text or from a file.
#include "ploy/base/fields.h"

#include <math.h>
#include <string.h>

#include "base/base_internal.h"
#include "ploy/base/math.h"

// A path being built while tables nest.
typedef struct fields_path {
    char text[PLOY_FIELD_PATH_MAX];
    size_t length;
} fields_path;

ploy_fields ploy_fields_make(const char *type_name, const ploy_field *items, int32_t count,
                             uint32_t size) {
    ploy_fields fields = {type_name, items, count, size};
    return fields;
}

const char *ploy_field_type_text(ploy_field_type type) {
    switch (type) {
    case PLOY_FIELD_TYPE_BOOL: return "bool";
    case PLOY_FIELD_TYPE_I32: return "i32";
    case PLOY_FIELD_TYPE_U64: return "u64";
    case PLOY_FIELD_TYPE_F32: return "f32";
    case PLOY_FIELD_TYPE_F64: return "f64";
    case PLOY_FIELD_TYPE_ENUM: return "enum";
    case PLOY_FIELD_TYPE_VEC2: return "vec2";
    case PLOY_FIELD_TYPE_VEC3: return "vec3";
    case PLOY_FIELD_TYPE_DEF: return "def";
    }
    return "?";
}

// Bytes of a value in its def.
uint32_t ployi_fields_size_of(const ploy_field *field) {
    switch (field->type) {
    case PLOY_FIELD_TYPE_BOOL: return (uint32_t)sizeof(bool);
    case PLOY_FIELD_TYPE_I32:
    case PLOY_FIELD_TYPE_ENUM: return 4;
    case PLOY_FIELD_TYPE_U64: return 8;
    case PLOY_FIELD_TYPE_F32: return 4;
    case PLOY_FIELD_TYPE_F64: return 8;
    case PLOY_FIELD_TYPE_VEC2: return 8;
    case PLOY_FIELD_TYPE_VEC3: return 12;
    case PLOY_FIELD_TYPE_DEF: return field->def != NULL ? field->def().size : 0;
    }
    return 0;
}

// Floats of a value: 1 for f32, more for vectors, 0 for others.
int32_t ployi_fields_floats_of(const ploy_field *field) {
    switch (field->type) {
    case PLOY_FIELD_TYPE_F32: return 1;
    case PLOY_FIELD_TYPE_VEC2: return 2;
    case PLOY_FIELD_TYPE_VEC3: return 3;
    default: return 0;
    }
}

// The nested table of a field; empty for others.
ploy_fields ployi_fields_nested(const ploy_field *field) {
    ploy_fields none = {"", NULL, 0, 0};
    return field->type == PLOY_FIELD_TYPE_DEF && field->def != NULL ? field->def() : none;
}

// A bound of the table as the float it means: 0.1 written as a double must let 0.1f pass.
float ployi_fields_f32_of(double value) {
    if (value >= (double)FLT_MAX) return isinf(value) ? INFINITY : FLT_MAX;
    if (value <= -(double)FLT_MAX) return isinf(value) ? -INFINITY : -FLT_MAX;
    return (float)value;
}

const char *ployi_text_or_empty(const char *text) {
    return text != NULL ? text : "";
}

// The cookie of a table is mixed again each time a def is made or checked, since nothing may be kept
// between calls; so it is one multiplication a field. Where a field lies, its type and the beginning
// of its name distinguish layouts well enough; reading whole names was most of the cost. Cookies live
// as long as the process: files and recordings carry ploy_fields_hash, which reads everything.
static uint64_t fields_mix(uint64_t hash, uint64_t value) {
    hash = (hash ^ value) * UINT64_C(0x9E3779B97F4A7C15);
    return hash ^ (hash >> 32);
}

static uint64_t fields_mix_type(ploy_fields fields) {
    uint64_t hash = fields.size;
    for (const char *at = ployi_text_or_empty(fields.type_name); *at != '\0'; at++) {
        hash = hash * 31 + (unsigned char)*at;
    }
    return fields_mix(hash, (uint64_t)fields.count);
}

static uint64_t fields_mix_field(uint64_t hash, const ploy_field *field) {
    const char *name = ployi_text_or_empty(field->name);
    uint64_t start = (unsigned char)name[0];
    if (start != 0) start = start << 8 | (unsigned char)name[1];
    return fields_mix(hash, start << 40 | (uint64_t)field->type << 32 | field->offset);
}

static uint32_t fields_fold_cookie(uint64_t hash) {
    uint32_t cookie = (uint32_t)(hash ^ (hash >> 32));
    return cookie != 0 ? cookie : 1; // a zeroed def must never pass
}

static uint64_t fields_cookie_hash(ploy_fields fields, int32_t depth) {
    uint64_t hash = fields_mix_type(fields);
    for (int32_t i = 0; i < fields.count; i++) {
        const ploy_field *field = &fields.items[i];
        hash = fields_mix_field(hash, field);
        if (field->type == PLOY_FIELD_TYPE_DEF && depth < PLOY_FIELD_DEPTH_MAX) {
            hash = fields_mix(hash, fields_cookie_hash(ployi_fields_nested(field), depth + 1));
        }
    }
    return hash;
}

uint32_t ployi_fields_cookie(ploy_fields fields) {
    return fields_fold_cookie(fields_cookie_hash(fields, 0));
}

static void fields_set_default(const ploy_field *field, unsigned char *at) {
    int32_t floats = ployi_fields_floats_of(field);
    for (int32_t i = 0; i < floats; i++) {
        float value = ployi_fields_f32_of(field->initial[i]);
        memcpy(at + (size_t)i * sizeof value, &value, sizeof value);
    }
    switch (field->type) {
    case PLOY_FIELD_TYPE_BOOL: {
        bool value = field->initial[0] != 0.0;
        memcpy(at, &value, sizeof value);
        break;
    }
    case PLOY_FIELD_TYPE_I32:
    case PLOY_FIELD_TYPE_ENUM: {
        int32_t value = (int32_t)field->initial[0];
        memcpy(at, &value, sizeof value);
        break;
    }
    case PLOY_FIELD_TYPE_U64: {
        uint64_t value = (uint64_t)field->initial[0] + (uint64_t)field->initial[1];
        memcpy(at, &value, sizeof value);
        break;
    }
    case PLOY_FIELD_TYPE_F64: memcpy(at, &field->initial[0], sizeof(double)); break;
    default: break;
    }
}

// Returns what fields_cookie_hash would: tables that nest are walked once this way.
static uint64_t fields_default_each(ploy_fields fields, unsigned char *def, int32_t depth) {
    uint64_t hash = fields_mix_type(fields);
    for (int32_t i = 0; i < fields.count; i++) {
        const ploy_field *field = &fields.items[i];
        unsigned char *at = def + field->offset;
        hash = fields_mix_field(hash, field);
        if (field->type != PLOY_FIELD_TYPE_DEF) {
            fields_set_default(field, at);
        } else if (depth < PLOY_FIELD_DEPTH_MAX) {
            hash = fields_mix(hash, fields_default_each(ployi_fields_nested(field), at, depth + 1));
        }
    }
    uint32_t cookie = fields_fold_cookie(hash);
    memcpy(def, &cookie, sizeof cookie);
    return hash;
}

void ploy_fields_default(ploy_fields fields, void *def) {
    memset(def, 0, fields.size); // padding too, so that equal defs have equal bytes
    fields_default_each(fields, def, 0);
}

static size_t fields_path_push(fields_path *path, const char *name) {
    size_t before = path->length;
    ployi_text out;
    ployi_text_init(&out, path->text + before, sizeof path->text - before);
    ploy_writer writer = ployi_text_writer(&out);
    if (before > 0) ploy_write_char(&writer, '.');
    ploy_write_text(&writer, ployi_text_or_empty(name));
    ployi_text_finish(&out);
    path->length = before + strlen(path->text + before);
    return before;
}

static void fields_path_pop(fields_path *path, size_t before) {
    path->length = before;
    path->text[before] = '\0';
}

void ployi_fields_fault(ployi_fields_report *report, ploy_result code, const char *message,
                        const char *expected, const char *nearest) {
    report->faults++;
    ploy_diags_add(report->diags, PLOY_SEVERITY_ERROR, code, report->name, report->line,
                   report->column, message, expected, nearest);
    if (report->env == NULL || report->env->log == NULL) return;
    ploy_diag diag;
    memset(&diag, 0, sizeof diag);
    diag.severity = PLOY_SEVERITY_ERROR;
    diag.code = code;
    ployi_text_copy_line(diag.name, sizeof diag.name, report->name);
    ployi_text_copy_line(diag.message, sizeof diag.message, message);
    ployi_text_copy_line(diag.expected, sizeof diag.expected, expected);
    ployi_text_copy_line(diag.nearest, sizeof diag.nearest, nearest);
    char text[4 * PLOY_DIAG_TEXT_MAX + 96];
    ploy_diag_print(&diag, text, sizeof text);
    ploy_env_log(report->env, PLOY_SEVERITY_ERROR, text);
}

// "0 to 1000000 m/s", the bounds as the field's own type prints them.
static void fields_write_range(ploy_writer *writer, const ploy_field *field) {
    bool as_float = ployi_fields_floats_of(field) > 0;
    if (field->type == PLOY_FIELD_TYPE_U64) {
        ploy_write_text(writer, "0 to 18446744073709551615");
    } else if (as_float) {
        ploy_write_f32(writer, ployi_fields_f32_of(field->min));
        ploy_write_text(writer, " to ");
        ploy_write_f32(writer, ployi_fields_f32_of(field->max));
    } else {
        ploy_write_f64(writer, field->min);
        ploy_write_text(writer, " to ");
        ploy_write_f64(writer, field->max);
    }
    if (field->unit != NULL && field->unit[0] != '\0') {
        ploy_write_char(writer, ' ');
        ploy_write_text(writer, field->unit);
    }
}

// What a field takes, in words. `of_kind` names the kind too, for a value that was not even that.
void ployi_fields_print_expected(const ploy_field *field, bool of_kind, char *text, size_t size) {
    ployi_text out;
    ployi_text_init(&out, text, size);
    ploy_writer writer = ployi_text_writer(&out);
    switch (field->type) {
    case PLOY_FIELD_TYPE_BOOL: ploy_write_text(&writer, "true or false"); break;
    case PLOY_FIELD_TYPE_I32:
    case PLOY_FIELD_TYPE_U64:
        if (of_kind) ploy_write_text(&writer, "a whole number from ");
        fields_write_range(&writer, field);
        break;
    case PLOY_FIELD_TYPE_F32:
    case PLOY_FIELD_TYPE_F64:
        if (of_kind) ploy_write_text(&writer, "a number from ");
        fields_write_range(&writer, field);
        break;
    case PLOY_FIELD_TYPE_VEC2:
    case PLOY_FIELD_TYPE_VEC3:
        if (of_kind) {
            bool two = field->type == PLOY_FIELD_TYPE_VEC2;
            ploy_write_text(&writer, two ? "2 numbers, each from " : "3 numbers, each from ");
        }
        fields_write_range(&writer, field);
        break;
    case PLOY_FIELD_TYPE_ENUM:
        for (int32_t i = 0; i < field->choice_count; i++) {
            ploy_write_text(&writer, i == 0 ? "" : i + 1 == field->choice_count ? " or " : ", ");
            ploy_write_text(&writer, field->choices[i]);
        }
        break;
    case PLOY_FIELD_TYPE_DEF: ploy_write_text(&writer, "the name of one setting in it"); break;
    }
    ployi_text_finish(&out);
}

// Writes "path is value", or "path.y is value" for one component of a vector.
static void fields_print_fault(const char *path, const char *component, const ploy_value *value,
                               char *text, size_t size) {
    char printed[PLOY_DIAG_TEXT_MAX / 2];
    ploy_value_print(value, printed, sizeof printed);
    bool quoted = value->type == PLOY_VALUE_TEXT;
    ployi_text out;
    ployi_text_init(&out, text, size);
    ploy_writer writer = ployi_text_writer(&out);
    ploy_write_text(&writer, path);
    ploy_write_text(&writer, component);
    ploy_write_text(&writer, quoted ? " is '" : " is ");
    ploy_write_text(&writer, printed);
    if (quoted) ploy_write_char(&writer, '\'');
    ployi_text_finish(&out);
}

void ployi_fields_fault_value(ployi_fields_report *report, const ploy_field *field,
                              const char *path, const char *component, const ploy_value *value,
                              bool of_kind, const char *nearest) {
    char message[PLOY_DIAG_TEXT_MAX];
    char expected[PLOY_DIAG_TEXT_MAX];
    fields_print_fault(path, component, value, message, sizeof message);
    ployi_fields_print_expected(field, of_kind, expected, sizeof expected);
    ployi_fields_fault(report, PLOY_ERR_ARGUMENT, message, expected, nearest);
}

// Checks the bytes of one value against its range. True if they may stay. Ranges are inclusive and
// false for NaN, so bad numbers stop here and not in a replay. Without a report nothing is said.
bool ployi_fields_judge(const ploy_field *field, const unsigned char *at, const char *path,
                        ployi_fields_report *report) {
    static const char *const components[] = {".x", ".y", ".z"};
    int32_t floats = ployi_fields_floats_of(field);
    bool fine = true;
    for (int32_t i = 0; i < floats; i++) {
        float number = 0.0f;
        memcpy(&number, at + (size_t)i * sizeof number, sizeof number);
        if (ploy_in_range(number, ployi_fields_f32_of(field->min), ployi_fields_f32_of(field->max)))
            continue;
        fine = false;
        if (report == NULL) continue;
        ploy_value value = ploy_value_f32(number);
        ployi_fields_fault_value(report, field, path, floats > 1 ? components[i] : "", &value,
                                 false, NULL);
    }
    switch (field->type) {
    case PLOY_FIELD_TYPE_BOOL: {
        unsigned char byte = 0; // another bit pattern in a bool is undefined to read as one
        memcpy(&byte, at, sizeof byte);
        if (byte <= 1) break;
        if (report == NULL) return false;
        ploy_value value = ploy_value_i64(byte);
        ployi_fields_fault_value(report, field, path, "", &value, false, NULL);
        return false;
    }
    case PLOY_FIELD_TYPE_I32:
    case PLOY_FIELD_TYPE_ENUM: {
        int32_t number = 0;
        memcpy(&number, at, sizeof number);
        if ((double)number >= field->min && (double)number <= field->max) break;
        if (report == NULL) return false;
        ploy_value value = ploy_value_i64(number);
        ployi_fields_fault_value(report, field, path, "", &value, false, NULL);
        return false;
    }
    case PLOY_FIELD_TYPE_F64: {
        double number = 0.0;
        memcpy(&number, at, sizeof number);
        if (number >= field->min && number <= field->max) break;
        if (report == NULL) return false;
        ploy_value value = ploy_value_f64(number);
        ployi_fields_fault_value(report, field, path, "", &value, false, NULL);
        return false;
    }
    default: break;
    }
    return fine;
}

bool ployi_fields_cookie_fits(ploy_fields fields, const void *def) {
    uint32_t cookie = 0;
    memcpy(&cookie, def, sizeof cookie);
    return cookie == ployi_fields_cookie(fields);
}

void ployi_fields_fault_cookie(ployi_fields_report *report, const char *what) {
    char message[PLOY_DIAG_TEXT_MAX];
    ployi_text out;
    ployi_text_init(&out, message, sizeof message);
    ploy_writer writer = ployi_text_writer(&out);
    ploy_write_text(&writer, what);
    ploy_write_text(&writer, " is not initialized; start from its default in this version");
    ployi_text_finish(&out);
    ployi_fields_fault(report, PLOY_ERR_ARGUMENT, message, NULL, NULL);
}

static void fields_check_each(ploy_fields fields, const unsigned char *def, fields_path *path,
                              int32_t depth, ployi_fields_report *report) {
    if (!ployi_fields_cookie_fits(fields, def)) {
        // Whatever else is in there was laid out by another owner; one message is enough.
        ployi_fields_fault_cookie(report, path->length > 0 ? path->text
                                                           : ployi_text_or_empty(fields.type_name));
        return;
    }
    for (int32_t i = 0; i < fields.count; i++) {
        const ploy_field *field = &fields.items[i];
        size_t before = fields_path_push(path, field->name);
        if (field->type != PLOY_FIELD_TYPE_DEF) {
            ployi_fields_judge(field, def + field->offset, path->text, report);
        } else if (depth < PLOY_FIELD_DEPTH_MAX) {
            fields_check_each(ployi_fields_nested(field), def + field->offset, path, depth + 1,
                              report);
        }
        fields_path_pop(path, before);
    }
}

// The same without a word: almost every def is sound, and then no path need be put together. The
// cookie first: behind another one there may be fewer bytes than the table reads.
static bool fields_sound(ploy_fields fields, const unsigned char *def, int32_t depth) {
    if (!ployi_fields_cookie_fits(fields, def)) return false;
    for (int32_t i = 0; i < fields.count; i++) {
        const ploy_field *field = &fields.items[i];
        const unsigned char *at = def + field->offset;
        bool nested = field->type == PLOY_FIELD_TYPE_DEF;
        if (!nested && !ployi_fields_judge(field, at, NULL, NULL)) return false;
        if (!nested || depth >= PLOY_FIELD_DEPTH_MAX) continue;
        if (!fields_sound(ployi_fields_nested(field), at, depth + 1)) return false;
    }
    return true;
}

static ploy_result fields_check_reporting(ploy_fields fields, const void *def,
                                          ployi_fields_report *report) {
    if (def == NULL) {
        ployi_fields_fault(report, PLOY_ERR_ARGUMENT, "def is NULL", NULL, NULL);
        return PLOY_ERR_ARGUMENT;
    }
    if (fields_sound(fields, def, 0)) return PLOY_OK;
    fields_path path = {{0}, 0};
    fields_check_each(fields, def, &path, 0, report);
    return report->faults == 0 ? PLOY_OK : PLOY_ERR_ARGUMENT;
}

ploy_result ploy_fields_check(ploy_fields fields, const void *def, const ploy_env *env) {
    ployi_fields_report report = {fields.type_name, NULL, env, 0, 0, 0};
    return fields_check_reporting(fields, def, &report);
}

ploy_result ploy_fields_check_diags(ploy_fields fields, const void *def, const char *name,
                                    ploy_diags *diags) {
    ployi_fields_report report = {name, diags, NULL, 0, 0, 0};
    return fields_check_reporting(fields, def, &report);
}

// Says "path: what" about a table's own fault.
static void fields_fault_table(ployi_fields_report *report, const char *path, const char *what) {
    char message[PLOY_DIAG_TEXT_MAX];
    ployi_text out;
    ployi_text_init(&out, message, sizeof message);
    ploy_writer writer = ployi_text_writer(&out);
    ploy_write_text(&writer, path);
    ploy_write_text(&writer, what);
    ployi_text_finish(&out);
    ployi_fields_fault(report, PLOY_ERR_ARGUMENT, message, NULL, NULL);
}

static void fields_check_row(ploy_fields fields, int32_t index, fields_path *path, int32_t depth,
                             ployi_fields_report *report);

static void fields_check_rows(ploy_fields fields, fields_path *path, int32_t depth,
                              ployi_fields_report *report) {
    if (depth >= PLOY_FIELD_DEPTH_MAX) {
        fields_fault_table(report, path->text, " is nested too deeply");
        return;
    }
    if (fields.count < 0 || (fields.count > 0 && fields.items == NULL) ||
        fields.size < sizeof(uint32_t)) {
        fields_fault_table(report, path->text, " has no cookie or no fields");
        return;
    }
    for (int32_t i = 0; i < fields.count; i++) fields_check_row(fields, i, path, depth, report);
}

static void fields_check_row(ploy_fields fields, int32_t index, fields_path *path, int32_t depth,
                             ployi_fields_report *report) {
    const ploy_field *field = &fields.items[index];
    size_t before = fields_path_push(path, field->name);
    if (field->name == NULL || field->name[0] == '\0' || strchr(field->name, '.') != NULL) {
        fields_fault_table(report, path->text, " has an empty name or a '.' in it");
    }
    for (int32_t i = 0; i < index; i++) {
        if (strcmp(ployi_text_or_empty(fields.items[i].name), ployi_text_or_empty(field->name)) ==
            0) {
            fields_fault_table(report, path->text, " is a duplicate");
        }
    }
    uint32_t size = ployi_fields_size_of(field);
    if (size == 0 || field->offset < sizeof(uint32_t) || field->offset > fields.size ||
        size > fields.size - field->offset) {
        fields_fault_table(report, path->text, " is outside its def");
    } else if (field->type == PLOY_FIELD_TYPE_DEF) {
        fields_check_rows(ployi_fields_nested(field), path, depth + 1, report);
    } else if (field->type == PLOY_FIELD_TYPE_ENUM &&
               (field->choices == NULL || field->choice_count < 1 || field->min != 0.0 ||
                field->max != (double)field->choice_count - 1.0)) {
        fields_fault_table(report, path->text, " is an enum without choices for its range");
    } else {
        unsigned char bytes[16] = {0};
        fields_set_default(field, bytes);
        ployi_fields_judge(field, bytes, path->text, report);
    }
    fields_path_pop(path, before);
}

ploy_result ploy_fields_check_table(ploy_fields fields, ploy_diags *diags) {
    ployi_fields_report report = {fields.type_name, diags, NULL, 0, 0, 0};
    fields_path path = {{0}, 0};
    fields_check_rows(fields, &path, 0, &report);
    return report.faults == 0 ? PLOY_OK : PLOY_ERR_ARGUMENT;
}

const ploy_field *ploy_fields_find(ploy_fields fields, const char *path, uint32_t *offset) {
    if (path == NULL) return NULL;
    uint32_t at = 0;
    for (int32_t depth = 0; depth < PLOY_FIELD_DEPTH_MAX; depth++) {
        size_t length = strcspn(path, ".");
        const ploy_field *found = NULL;
        for (int32_t i = 0; i < fields.count && found == NULL; i++) {
            const char *name = ployi_text_or_empty(fields.items[i].name);
            if (strlen(name) == length && memcmp(name, path, length) == 0) found = &fields.items[i];
        }
        if (found == NULL) return NULL;
        at += found->offset;
        if (path[length] == '\0') {
            if (offset != NULL) *offset = at;
            return found;
        }
        fields = ployi_fields_nested(found); // empty unless it is a def
        path += length + 1;
    }
    return NULL;
}

static void fields_walk(ploy_fields fields, uint32_t base, fields_path *path, int32_t depth,
                        ploy_field_fn fn, void *user) {
    for (int32_t i = 0; i < fields.count; i++) {
        const ploy_field *field = &fields.items[i];
        size_t before = fields_path_push(path, field->name);
        if (field->type != PLOY_FIELD_TYPE_DEF) {
            fn(user, path->text, field, base + field->offset);
        } else if (depth < PLOY_FIELD_DEPTH_MAX) {
            fields_walk(ployi_fields_nested(field), base + field->offset, path, depth + 1, fn,
                        user);
        }
        fields_path_pop(path, before);
    }
}

void ploy_fields_each(ploy_fields fields, ploy_field_fn fn, void *user) {
    fields_path path = {{0}, 0};
    fields_walk(fields, 0, &path, 0, fn, user);
}

static void fields_count_leaf(void *user, const char *path, const ploy_field *field,
                              uint32_t offset) {
    (void)path;
    (void)field;
    (void)offset;
    (*(int32_t *)user)++;
}

int32_t ploy_fields_leaf_count(ploy_fields fields) {
    int32_t count = 0;
    ploy_fields_each(fields, fields_count_leaf, &count);
    return count;
}

// The search for the nearest path.
typedef struct fields_search {
    const char *wanted;
    char *nearest;
    int32_t distance; // of nearest
} fields_search;

static const char *fields_last_part(const char *path) {
    const char *point = strrchr(path, '.');
    return point != NULL ? point + 1 : path;
}

static void fields_try_path(void *user, const char *path, const ploy_field *field,
                            uint32_t offset) {
    (void)field;
    (void)offset;
    fields_search *search = user;
    // A third of the letters may be wrong, and one always: more is another word, not a slip.
    int32_t distance = ploy_edit_distance(search->wanted, path);
    int32_t allowed = ploy_maxi(1, (int32_t)strlen(search->wanted) / 3);
    if (distance > allowed) {
        // The right setting under a wrong prefix, or none; counts as one slip more.
        const char *wanted = fields_last_part(search->wanted);
        distance = ploy_edit_distance(wanted, fields_last_part(path));
        allowed = (int32_t)strlen(wanted) / 3;
        if (distance > allowed) return;
        distance++;
    }
    if (distance >= search->distance) return;
    search->distance = distance;
    ployi_text_copy_line(search->nearest, PLOY_FIELD_PATH_MAX, path);
}

bool ploy_fields_nearest(ploy_fields fields, const char *path, char nearest[PLOY_FIELD_PATH_MAX]) {
    nearest[0] = '\0';
    if (path == NULL || path[0] == '\0') return false;
    fields_search search = {path, nearest, INT32_MAX};
    ploy_fields_each(fields, fields_try_path, &search);
    return nearest[0] != '\0';
}

static uint64_t fields_hash_table(ploy_fields fields, int32_t depth) {
    // Offsets and sizes stay out: a recording made on one machine opens on another.
    uint64_t hash = ploy_hash_combine(0, (uint64_t)fields.count);
    for (int32_t i = 0; i < fields.count; i++) {
        const ploy_field *field = &fields.items[i];
        hash = ploy_hash_combine(hash, ploy_hash_text(ployi_text_or_empty(field->name)));
        hash = ploy_hash_combine(hash, (uint64_t)field->type);
        uint64_t bits[2] = {0, 0};
        memcpy(&bits[0], &field->min, sizeof bits[0]);
        memcpy(&bits[1], &field->max, sizeof bits[1]);
        hash = ploy_hash_combine(ploy_hash_combine(hash, bits[0]), bits[1]);
        for (int32_t c = 0; c < field->choice_count; c++) {
            hash = ploy_hash_combine(hash, ploy_hash_text(field->choices[c]));
        }
        if (field->type == PLOY_FIELD_TYPE_DEF && depth < PLOY_FIELD_DEPTH_MAX) {
            hash =
                ploy_hash_combine(hash, fields_hash_table(ployi_fields_nested(field), depth + 1));
        }
    }
    return hash;
}

uint64_t ploy_fields_hash(ploy_fields fields) {
    return fields_hash_table(fields, 0);
}
