/// @file ploy/data/cbor.h
/// CBOR: JSON values in compact binary form (RFC 8949).
///
/// Data saved as JSON, for people to read and compare, can be stored as CBOR where space matters: a
/// third to a half of the bytes, the same values, always big-endian. Files begin with the tag of
/// self-described CBOR (d9 d9 f7). The reader accepts what JSON can hold: 64-bit integers, floats
/// of 16, 32 and 64 bits, texts, arrays, maps with texts as keys, true, false and null; everything
/// else, including indefinite lengths, is refused. Cost: linear. Threads: pure.
#pragma once

#include "ploy/base/diags.h"
#include "ploy/base/json.h"
#include "ploy/base/json_writer.h"
#include "ploy/base/writer.h"

/// True if the bytes begin with the tag.
PLOY_API bool ploy_cbor_is(const void *bytes, size_t size);
/// Writes a value of a document and everything in it, with the tag. @return the writer's error.
PLOY_API ploy_result ploy_cbor_save(const ploy_json *doc, ploy_json_node node, ploy_writer *writer);
/// Converts CBOR bytes to JSON text for ploy_json_load. The tag is optional.
/// @param diags  may be NULL; columns are byte positions in the file.
/// @return PLOY_ERR_FORMAT, PLOY_ERR_UNSUPPORTED for values that JSON does not have, PLOY_ERR_LIMIT
///         for nesting beyond 128 levels, or the writer's error.
PLOY_API ploy_result ploy_cbor_load(const void *bytes, size_t size, const char *name,
                                    ploy_diags *diags, ploy_writer *writer);
