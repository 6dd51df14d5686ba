// Shared by the files of learners and of actors; defined in learner_file.c.
#pragma once

#include "ploy/base/diags.h"
#include "ploy/base/json.h"
#include "ploy/base/writer.h"

// The document of a file of either form, text or CBOR; NULL after a fault.
ploy_result ployi_learned_read(const void *bytes, size_t size, const char *name,
                               const ploy_env *env, ploy_diags *diags, ploy_json **out);
// Whether the document is of that format, version 1; `fault` is the message if it is not.
bool ployi_learned_is(const ploy_json *doc, const char *format, const char *fault,
                      ploy_diags *diags);
// Writes a text of JSON as CBOR.
ploy_result ployi_learned_compact(const ploy_buffer *text, const ploy_env *env,
                                  ploy_writer *writer);
