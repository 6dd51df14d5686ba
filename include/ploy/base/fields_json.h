/// @file ploy/base/fields_json.h
/// A def from a JSON object and back, driven by its field table.
///
///     { "max_speed": 5, "mode": "full", "spawn": [0, 10], "wander": { "drift_rate": 4 } }
///
/// Members are named as in the table, nested defs are objects, vectors arrays, enums the names of
/// their choices. Members that are missing keep the value the def has.
#pragma once

#include "ploy/base/fields.h"
#include "ploy/base/json.h"

/// Sets every value that the object names. All faults are reported, each at its position: unknown
/// names with the nearest, wrong kinds, values out of range. If there is one, the def is unchanged.
/// A u64 may also be a text, for writers without numbers beyond 2^53.
/// @return PLOY_ERR_FORMAT if the node is not an object or anything in it is invalid;
///         PLOY_ERR_ARGUMENT if the def did not start from its default.
PLOY_API ploy_result ploy_fields_load_json(ploy_fields fields, void *def, const ploy_json *doc,
                                           ploy_json_node node, ploy_diags *diags);

/// Writes every value as one object, in the order of the table. An enum that holds no choice is
/// written as its number.
PLOY_API void ploy_fields_save_json(ploy_fields fields, const void *def, ploy_json_writer *json);
