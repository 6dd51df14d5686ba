// Shared between the files of base, not public.
#pragma once

#include "ploy/base/alloc.h"
#include "ploy/base/arena.h"
#include "ploy/base/fields.h"
#include "ploy/base/heap.h"
#include "ploy/base/json_writer.h"
#include "ploy/base/message.h"
#include "ploy/base/name.h"
#include "ploy/base/os.h"
#include "ploy/base/pool.h"
#include "ploy/base/region.h"
#include "ploy/base/result.h"
#include "ploy/base/rng.h"
#include "ploy/base/stepper.h"
#include "ploy/base/visit.h"
#include "ploy/base/writer.h"

// Text of a bounded size: what does not fit is counted and left out, a character is never cut in
// two, and the text always ends with a zero once finished.
typedef struct ployi_text {
    char *text;    // NULL if size is 0
    size_t size;   // bytes at text, the zero counted
    size_t length; // bytes that the whole text has, without the zero
} ployi_text;

// text may be NULL: then only the length is found out.
void ployi_text_init(ployi_text *out, char *text, size_t size);
ploy_writer ployi_text_writer(ployi_text *out);
// Writes the zero. Returns the length that the whole text has.
size_t ployi_text_finish(ployi_text *out);
// Copies text as one line: control characters become blanks. NULL counts as "". Returns the length
// that the whole text has.
size_t ployi_text_copy_line(char *out, size_t size, const char *text);

// Threads, for jobs. One small shape over pthreads and Win32; WebAssembly has none of it.
#if defined(__wasm__)
#define PLOYI_THREADS 0
#else
#define PLOYI_THREADS 1
#endif

#if PLOYI_THREADS

#if defined(_WIN32)
// An SRWLOCK and a CONDITION_VARIABLE are one pointer each, so windows.h stays inside os.c.
typedef struct ployi_mutex {
    void *native;
} ployi_mutex;
typedef struct ployi_condition {
    void *native;
} ployi_condition;
typedef struct ployi_thread_id {
    unsigned long native;
} ployi_thread_id;
typedef void *ployi_thread_native;
#else
#include <pthread.h>
typedef struct ployi_mutex {
    pthread_mutex_t native;
} ployi_mutex;
typedef struct ployi_condition {
    pthread_cond_t native;
} ployi_condition;
typedef struct ployi_thread_id {
    pthread_t native;
} ployi_thread_id;
typedef pthread_t ployi_thread_native;
#endif

// Must stay where it is from start to join, because the new thread reads fn and arg from it.
typedef struct ployi_thread {
    ployi_thread_native native;
    void (*fn)(void *arg);
    void *arg;
} ployi_thread;

// PLOY_ERR_SYSTEM if the system refuses.
ploy_result ployi_thread_start(ployi_thread *thread, void (*fn)(void *arg), void *arg);
void ployi_thread_join(ployi_thread *thread);
ployi_thread_id ployi_thread_current(void);
bool ployi_thread_same(ployi_thread_id a, ployi_thread_id b);

ploy_result ployi_mutex_init(ployi_mutex *mutex);
void ployi_mutex_fini(ployi_mutex *mutex);
void ployi_mutex_lock(ployi_mutex *mutex);
void ployi_mutex_unlock(ployi_mutex *mutex);

ploy_result ployi_condition_init(ployi_condition *condition);
void ployi_condition_fini(ployi_condition *condition);
// Gives the mutex up while waiting. May wake for no reason: test what is waited for in a loop.
void ployi_condition_wait(ployi_condition *condition, ployi_mutex *mutex);
void ployi_condition_signal(ployi_condition *condition);
void ployi_condition_broadcast(ployi_condition *condition);

#endif

// ploy_names_add for a text whose hash is given: how the tests make two texts collide.
ploy_result ployi_names_add_hashed(ploy_names *names, const char *text, size_t size, ploy_name name,
                                   ploy_name *out);

// NULL counts as "".
const char *ployi_text_or_empty(const char *text);

// Where faults of a def go, and how many there were.
typedef struct ployi_fields_report {
    const char *name; // of the file or def, for the messages
    ploy_diags *diags;
    const ploy_env *env; // its log hears the faults too, unless NULL
    int32_t line, column;
    int64_t faults;
} ployi_fields_report;

void ployi_fields_fault(ployi_fields_report *report, ploy_result code, const char *message,
                        const char *expected, const char *nearest);
// "path is value; expected ..."; of_kind names the kind too, for a value that was not even that.
void ployi_fields_fault_value(ployi_fields_report *report, const ploy_field *field,
                              const char *path, const char *component, const ploy_value *value,
                              bool of_kind, const char *nearest);
// What a field takes, in words.
void ployi_fields_print_expected(const ploy_field *field, bool of_kind, char *text, size_t size);
void ployi_fields_fault_cookie(ployi_fields_report *report, const char *what);

// Bytes of a value in its def; floats in it (1 for f32, more for vectors, 0 for others).
uint32_t ployi_fields_size_of(const ploy_field *field);
int32_t ployi_fields_floats_of(const ploy_field *field);
// The nested table of a field; empty for others.
ploy_fields ployi_fields_nested(const ploy_field *field);
// The nearest float, held at FLT_MAX unless it is infinite.
float ployi_fields_f32_of(double value);
bool ployi_fields_cookie_fits(ploy_fields fields, const void *def);
// Checks the bytes of one value against its range. True if they may stay.
bool ployi_fields_judge(const ploy_field *field, const unsigned char *at, const char *path,
                        ployi_fields_report *report);
// Reads the bytes of a value. False for an enum without a choice and for a def.
bool ployi_fields_load(const ploy_field *field, const unsigned char *at, ploy_value *out);
// Sets a field that was found; `shown` is what a message calls the value.
ploy_result ployi_fields_set_found(const ploy_field *field, uint32_t offset, void *def,
                                   const char *path, const ploy_value *value,
                                   const ploy_value *shown, ployi_fields_report *report);
// ploy_fields_set_text with its faults to a report. Without `write` the value is only checked.
ploy_result ployi_fields_set_text(ploy_fields fields, void *def, const char *path, const char *text,
                                  bool write, ployi_fields_report *report);

// Sets the generation of the place of a living item and returns its new id: how the tests reach
// the last generation without four thousand million removals.
ploy_id ployi_pool_set_generation(ploy_pool *pool, ploy_id id, uint32_t generation);

size_t ployi_arena_peak(const ploy_arena *arena);

// Writes text as a JSON string with its quotes, for callers that write the rest.
void ployi_json_write_quoted(ploy_writer *writer, const char *text, size_t size);

// Checks the heap's order: for tests.
bool ployi_heap_valid(const ploy_heap *heap);

// Checks the heap's order and positions: for tests.
bool ployi_indexed_heap_valid(const ploy_indexed_heap *heap);

// Order of delivery: by due (finite), then by order. Below 0 if a comes first, 0 if neither.
int32_t ployi_message_compare(const ploy_message *a, const ploy_message *b);

// Gives the memory of [offset, offset + size), all of it committed, back to the system; it reads
// as zero when it is committed again.
void ployi_os_decommit(void *address, size_t offset, size_t size);

// A block for realloc and free, of at least this size. Where the system has pages of 2 MB it may use them: one fault
// instead of 512, and far fewer misses of the table of pages.
enum { PLOYI_OS_LARGE = 2 << 20 };
void *ployi_os_alloc_large(size_t size);

// The used part: what a snapshot copies, what a test compares. size may be NULL.
const void *ployi_region_bytes(const ploy_region *region, size_t *size);

// Bytes allocated right now, and the number of blocks (which may be NULL).
size_t ployi_region_allocated(const ploy_region *region, int64_t *blocks);

// Walks the heap and checks every invariant: for tests. True if all hold. O(used part).
bool ployi_region_valid(const ploy_region *region);

// Bytes of the state in it, and those that it shares with no other snapshot.
size_t ployi_snapshot_size(const ploy_snapshot *snapshot);

// Bytes of the state in it, and those that it shares with no other snapshot.
size_t ployi_snapshot_own_size(const ploy_snapshot *snapshot);

// Compares two snapshots of one region byte by byte; past its end a snapshot counts as zero.
// @return the first differing offset, or -1.
int64_t ployi_snapshot_difference(const ploy_snapshot *a, const ploy_snapshot *b);

// The block function itself, for tests and for callers that need it raw.
void ployi_philox4x32(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4]);

// Seconds stepped so far: ticks times dt, without the error of adding up.
double ployi_stepper_now(const ploy_stepper *stepper);

// ---- of ploy/base/fields.h, for its sources and tests

// Returns the cookie of a def with this table. It changes with the layout.
uint32_t ployi_fields_cookie(ploy_fields fields);

// ---- of ploy/base/alloc.h, for its sources and tests

// Writes a heading for the items that follow.
void ployi_memory_report_section(ploy_memory_report *report, const char *name);

// ---- of ploy/base/os.h, for its sources and tests

// Returns the number of logical processors, at least 1.
int32_t ployi_os_processors(void);

// ---- of ploy/base/rng.h, for its sources and tests

// Splits off a new stream under a separate key; the old stream advances by one ploy_rng_u64.
ploy_rng ployi_rng_split(ploy_rng *rng);

// ---- of ploy/base/visit.h, for its sources and tests

// Reports every address that the visitor touches, for tests.
void ployi_visit_cover(ploy_visitor fn, void *object, void *context, ploy_visit_cover_fn cover,
                       void *user);

// ---- of ploy/base/name.h, for its sources and tests

// Returns the added text most similar to `text` (edit distance at most a third of its length), or
// NULL. Used for "did you mean 'Sequence'?". Among equals, the one added first.
const char *ployi_names_nearest(const ploy_names *names, const char *text);
