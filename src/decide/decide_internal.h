// Shared between the files of decide.
#pragma once

#include "ploy/base/array.h"
#include "ploy/base/diags.h"
#include "ploy/decide/code_fsm.h"
#include "ploy/decide/condition.h"

// What a definition under construction keeps: the texts behind its names and its first fault.
// Adding to a definition with a fault does nothing, so that a builder reads without ifs and is
// asked once, at its end.
typedef struct ployi_build {
    ploy_env env;
    ploy_names *names;
    ploy_result result; // the first fault
    bool finished;
} ployi_build;

ploy_result ployi_build_init(ployi_build *build, const ploy_env *env);
void ployi_build_fini(ployi_build *build);

// "what 'name'", cut to what a diagnostic keeps.
void ployi_build_join(const char *what, const char *name, char text[PLOY_DIAG_TEXT_MAX]);

// Notes a fault, tells the log, and returns the code.
ploy_result ployi_build_fault(ployi_build *build, ploy_result code, const char *what,
                              const char *name);

// True if something may still be added; adding to a finished definition is a fault of the call
// alone.
bool ployi_build_open(ployi_build *build);

// The name of a text, which is kept; none after a fault. `what` names the kind of thing for people.
ploy_name ployi_build_name(ployi_build *build, const char *what, const char *text);

// The text behind a name, or "".
const char *ployi_build_text(const ployi_build *build, ploy_name name);

// Tells the log of a doubtful thing and counts it.
void ployi_lint(ploy_diags *diags, int32_t *count, const char *what, const char *name);

// ---- saved states, in save.c ----

// Private bytes of a leaf or a state, as hexadecimal text.
void ployi_save_bytes(ploy_json_writer *out, const void *bytes, size_t size);
// True if the text held exactly so many bytes; nothing is written otherwise.
bool ployi_load_bytes(const ploy_json *doc, ploy_json_node node, void *bytes, size_t size);
// A 64-bit id as a key or text of sixteen digits.
#define PLOYI_SAVE_ID_SIZE 17
void ployi_save_id(uint64_t id, char text[PLOYI_SAVE_ID_SIZE]);
bool ployi_load_id(const ploy_json *doc, ploy_json_node node, uint64_t *out);
// Members of an object.
void ployi_save_text(ploy_json_writer *out, const char *key, const char *text);
void ployi_save_f64(ploy_json_writer *out, const char *key, double value);
void ployi_save_u64(ploy_json_writer *out, const char *key, uint64_t value);
void ployi_save_bool(ploy_json_writer *out, const char *key, bool value);
// Leaves *out as it stands and returns false if there is none, or none that is finite.
bool ployi_load_f64(const ploy_json *doc, ploy_json_node object, const char *key, double *out);
void ployi_load_u64(const ploy_json *doc, ploy_json_node object, const char *key, uint64_t *out);
// False if there is none.
bool ployi_load_bool(const ploy_json *doc, ploy_json_node object, const char *key);
// The status of that text; false if it is none.
bool ployi_load_status(const ploy_json *doc, ploy_json_node node, ploy_status *out);

// Whether a condition is nothing but a bool key, or (with *want false) its negation: what holders
// test without a call. In condition.c.
bool ployi_condition_is_bool(const ploy_conditions *set, ploy_condition condition, ploy_slot *slot,
                             bool *want);

// For a maker's check: the definition is not finished. Returns PLOY_ERR_STATE.
ploy_result ployi_build_unfinished(const char *what, ploy_diags *diags);

// Enters the first state of a code machine if that did not happen yet.
ploy_result ployi_code_fsm_start(ploy_code_fsm *machine, ploy_code_fsm_fn fn, void *owner,
                                 ploy_trace *trace);
