/// @file ploy/base/fields_json.h
/// Loads a def from a JSON object and saves it as one, driven by its field table.
///
///     { "max_speed": 5, "mode": "full", "spawn": [0, 10], "wander": { "drift_rate": 4 } }
///
/// Members are named as in the table. Nested defs are objects, vectors are arrays, and enums are
/// the names of their choices. Missing members keep the value in the def.
#pragma once

#include "ploy/base/fields.h"
#include "ploy/base/json.h"

/// Sets every value that the object names. All faults are reported, each with its position: unknown
/// names (with the nearest valid name), values of the wrong type, values out of range. If there is
/// any fault, the def is unchanged. A u64 may also be a string, for writers that cannot represent
/// integers beyond 2^53.
/// @return PLOY_ERR_FORMAT if the node is not an object or anything in it is invalid;
///         PLOY_ERR_ARGUMENT if the def did not start from its default.
PLOY_API ploy_result ploy_fields_load_json(ploy_fields fields, void *def, const ploy_json *doc,
                                           ploy_json_node node, ploy_diags *diags);

/// Writes every value as one object, in the order of the table. An enum that holds no choice is
/// written as its number.
PLOY_API void ploy_fields_save_json(ploy_fields fields, const void *def, ploy_json_writer *json);
