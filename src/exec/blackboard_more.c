// What lies around a blackboard: watching its keys, standing in for keys of other names, and
// keeping its values in a file.
//
// Everything here goes through the public calls, so that the board's own file alone knows its bytes.
#include <string.h>

#include "exec_internal.h"

#include "exec/exec_internal.h"

ploy_result ploy_blackboard_watch_init(ploy_blackboard_watch *watch, const ploy_blackboard *board,
                                       const ploy_slot *slots, int32_t count, uint32_t *seen) {
    if (watch == NULL || board == NULL || count < 0) return PLOY_ERR_ARGUMENT;
    if (count > 0 && (slots == NULL || seen == NULL)) return PLOY_ERR_ARGUMENT;
    const ploy_blackboard_layout *layout = ploy_blackboard_layout_of(board);
    for (int32_t i = 0; i < count; i++) {
        if (ploy_blackboard_layout_name(layout, slots[i]) == NULL) return PLOY_ERR_ARGUMENT;
    }
    for (int32_t i = 0; i < count; i++) seen[i] = ploy_blackboard_slot_changes(board, slots[i]);
    watch->slots = slots;
    watch->count = count;
    watch->seen = seen;
    return PLOY_OK;
}

int32_t ploy_blackboard_watch_next(ploy_blackboard_watch *watch, const ploy_blackboard *board,
                                   int32_t from) {
    for (int32_t i = from > 0 ? from : 0; i < watch->count; i++) {
        uint32_t changes = ploy_blackboard_slot_changes(board, watch->slots[i]);
        if (changes == watch->seen[i]) continue;
        watch->seen[i] = changes;
        return i;
    }
    return -1;
}

// The name on the outer board for a key of the inner layout.
static const char *blackboard_more_outer(const char *inner, const ploy_blackboard_remap *remaps,
                                         int32_t count) {
    for (int32_t i = 0; i < count; i++) {
        if (strcmp(remaps[i].inner, inner) == 0) return remaps[i].outer;
    }
    return inner;
}

ploy_result ployi_blackboard_layout_remap(const ploy_blackboard_layout *inner,
                                          const ploy_blackboard_layout *outer,
                                          const ploy_blackboard_remap *remaps, int32_t count,
                                          ploy_diags *diags, ploy_slot *out) {
    if (inner == NULL || outer == NULL || count < 0 || (count > 0 && remaps == NULL)) {
        return PLOY_ERR_ARGUMENT;
    }
    int32_t keys = ploy_blackboard_layout_count(inner);
    if (keys > 0 && out == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result first = PLOY_OK;
    for (int32_t i = 0; i < count; i++) {
        if (remaps[i].inner == NULL || remaps[i].outer == NULL) return PLOY_ERR_ARGUMENT;
        ploy_slot slot = ploy_blackboard_layout_find(inner, remaps[i].inner);
        ploy_result result = PLOY_OK;
        if (ploy_slot_is_none(slot)) {
            // Resolving reports the nearest name; the type does not matter then.
            result = ploy_blackboard_layout_resolve(inner, remaps[i].inner, PLOY_VALUE_BOOL, diags,
                                                    &slot);
        }
        if (first == PLOY_OK) first = result;
    }
    // Twice: nothing is written unless all of it can be.
    for (int32_t pass = 0; pass < 2 && first == PLOY_OK; pass++) {
        for (int32_t i = 0; i < keys; i++) {
            ploy_slot key = {(uint32_t)i + 1}, slot = {0};
            const char *name =
                blackboard_more_outer(ploy_blackboard_layout_name(inner, key), remaps, count);
            ploy_result result =
                ploy_blackboard_layout_resolve(outer, name, ploy_blackboard_layout_type(inner, key),
                                               pass == 0 ? diags : NULL, &slot);
            if (first == PLOY_OK) first = result;
            if (pass == 1) out[i] = slot;
        }
    }
    return first;
}

void ploy_blackboard_save(const ploy_blackboard *board, ploy_json_writer *out) {
    if (board == NULL || out == NULL) return;
    const ploy_blackboard_layout *layout = ploy_blackboard_layout_of(board);
    ploy_json_write_begin_object(out);
    for (int32_t i = 0; i < ploy_blackboard_layout_count(layout); i++) {
        ploy_slot slot = {(uint32_t)i + 1};
        ploy_value value;
        if (ploy_blackboard_get(board, slot, &value) != PLOY_OK) continue;
        ploy_json_write_key(out, ploy_blackboard_layout_name(layout, slot));
        ploy_json_write_value(out, &value);
    }
    ploy_json_write_end_object(out);
}

static ploy_result blackboard_more_vec(const ploy_json *doc, ploy_json_node node, int32_t count,
                                       ploy_value *out) {
    if (ploy_json_type_of(doc, node) != PLOY_JSON_ARRAY || ploy_json_count(doc, node) != count) {
        return PLOY_ERR_FORMAT;
    }
    float vec[4] = {0, 0, 0, 0};
    for (int32_t i = 0; i < count; i++) {
        ploy_result result = ploy_json_f32(doc, ploy_json_at(doc, node, i), &vec[i]);
        if (result != PLOY_OK) return result;
        if (vec[i] != vec[i]) return PLOY_ERR_FORMAT; // a board refuses NaN
    }
    *out = ploy_value_vec4(vec[0], vec[1], vec[2], vec[3]);
    out->type = (ploy_value_type)(PLOY_VALUE_VEC2 + count - 2);
    return PLOY_OK;
}

// A value of that type as ploy_json_write_value writes it.
ploy_result ployi_blackboard_read(const ploy_json *doc, ploy_json_node node, ploy_value_type type,
                                  ploy_value *out) {
    ploy_result result = PLOY_OK;
    *out = ploy_value_none();
    switch (type) {
    case PLOY_VALUE_BOOL: result = ploy_json_bool(doc, node, &out->as.b); break;
    case PLOY_VALUE_I64: result = ploy_json_i64(doc, node, &out->as.i64); break;
    case PLOY_VALUE_U64: result = ploy_json_u64(doc, node, &out->as.u64); break;
    case PLOY_VALUE_F32: result = ploy_json_f32(doc, node, &out->as.f32); break;
    case PLOY_VALUE_F64: result = ploy_json_f64(doc, node, &out->as.f64); break;
    case PLOY_VALUE_VEC2: return blackboard_more_vec(doc, node, 2, out);
    case PLOY_VALUE_VEC3: return blackboard_more_vec(doc, node, 3, out);
    case PLOY_VALUE_VEC4: return blackboard_more_vec(doc, node, 4, out);
    case PLOY_VALUE_ID:
    case PLOY_VALUE_NAME:
    case PLOY_VALUE_TEXT: {
        const char *text = ploy_json_text(doc, node, NULL);
        ploy_json_type kind = ploy_json_type_of(doc, node);
        if (kind == PLOY_JSON_NULL && type != PLOY_VALUE_TEXT) {
            *out = type == PLOY_VALUE_ID ? ploy_value_id(ploy_id_none())
                                         : ploy_value_name(ploy_name_of(NULL));
            return PLOY_OK;
        }
        if (kind != PLOY_JSON_TEXT) return PLOY_ERR_FORMAT;
        if (type == PLOY_VALUE_TEXT) {
            *out = ploy_value_text(text);
            return PLOY_OK;
        }
        return ploy_value_parse(type, text, out);
    }
    case PLOY_VALUE_NONE: return PLOY_ERR_FORMAT;
    }
    out->type = type;
    return result;
}

static ploy_result blackboard_more_load(ploy_blackboard *board, const ploy_json *doc,
                                        ploy_json_node node, bool write, ploy_diags *diags) {
    const ploy_blackboard_layout *layout = ploy_blackboard_layout_of(board);
    ploy_result first = PLOY_OK;
    for (int32_t i = 0; i < ploy_json_count(doc, node); i++) {
        ploy_json_node item = ploy_json_at(doc, node, i);
        const char *key = ploy_json_key(doc, item, NULL);
        ploy_slot slot = ploy_blackboard_layout_find(layout, key);
        if (ploy_slot_is_none(slot)) {
            ploy_json_position at = ploy_json_key_position(doc, item);
            ploy_diags_add(diags, PLOY_SEVERITY_WARNING, PLOY_OK, ploy_json_name(doc), at.line,
                           at.column, "unknown blackboard key", NULL, NULL);
            continue;
        }
        ploy_value value;
        ploy_value_type type = ploy_blackboard_layout_type(layout, slot);
        bool fits = ployi_blackboard_read(doc, item, type, &value) == PLOY_OK;
        double number = 0.0;
        if (fits && ploy_value_number(&value, &number)) fits = number == number;
        if (fits && type == PLOY_VALUE_TEXT) {
            fits = strlen(value.as.text) <= PLOY_BLACKBOARD_TEXT_MAX;
        }
        if (fits && write) fits = ploy_blackboard_set(board, slot, &value) == PLOY_OK;
        if (!fits) {
            ploy_json_fault(doc, item, diags, "wrong type for this key", ploy_value_type_text(type),
                            NULL);
            first = PLOY_ERR_FORMAT;
        }
    }
    return first;
}

ploy_result ploy_blackboard_load(ploy_blackboard *board, const ploy_json *doc, ploy_json_node node,
                                 ploy_diags *diags) {
    if (board == NULL || doc == NULL) return PLOY_ERR_ARGUMENT;
    if (ploy_json_type_of(doc, node) != PLOY_JSON_OBJECT) {
        ploy_json_fault(doc, node, diags, "expected an object for the blackboard's values", NULL,
                        NULL);
        return PLOY_ERR_FORMAT;
    }
    // First everything is looked at, then everything is written: a bad file changes nothing.
    ploy_result result = blackboard_more_load(board, doc, node, false, diags);
    return result == PLOY_OK ? blackboard_more_load(board, doc, node, true, NULL) : result;
}
