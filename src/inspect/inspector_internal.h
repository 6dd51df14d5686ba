// Shared between the files of the inspector; nothing here is public.
//
//   inspector.c          clients, what is said to them and when
//   inspector_request.c  a message in: which request, from whom, with what arguments
//   inspector_ask.c      requests that only look
//   inspector_drive.c    requests that change something
//   inspector_session.c  simulations and live programs: opening, time, closing
//   inspector_attach.c   what a game shows of itself: a live program, or its recorder
//   inspector_objects.c  sessions, fields, states as JSON
//   inspector_loads.c    what every tick cost
//   inspector_journal.c  what happened when: decisions, states, events as marks on a timeline
//   inspector_compare.c  two sessions side by side, to the first decision that differs
//   inspector_scan.c     a whole recording gone through for marks and numbers over time
//   inspector_tree.c     describe and trace as JSON with a limit
//   inspector_why.c      why and debug, in slices: ticks executed again with a trace
//   inspector_debug.c    a query of the debugger, read
//   inspector_picture.c  draw as bytes
#pragma once

#include "ploy/base/json.h"
#include "ploy/base/map.h"
#include "ploy/inspect/debugger.h"
#include "ploy/inspect/inspector.h"

#define PLOYI_TOKEN_MAX 64

// How often a running session's state and a long run's progress are sent, s.
#define PLOYI_INSPECT_STATE_EVERY 0.1

typedef enum ployi_inspect_describe {
    PLOYI_DESCRIBE_NONE,
    PLOYI_DESCRIBE_AGENT,
    PLOYI_DESCRIBE_ALL
} ployi_inspect_describe;

// One client's view of one session. `*_at` are times of ploy_inspector.now before which the next
// thing of that kind is not made; `*_seen` are the session's counters when it was made last.
typedef struct ployi_inspect_watch {
    uint32_t session; // 0: this place is free
    float rate;
    uint32_t layers;
    bool acknowledge;
    bool awaiting; // a picture was sent and not acknowledged
    ploy_agent_id agent;
    ployi_inspect_describe describe;
    bool why;
    bool why_looked; // back, for why_of, while the session runs
    ploy_agent_id why_of;
    bool marks;
    bool space; // pictures with heights
    bool maps;  // values of maps in place of shaded cells
    float describe_rate;
    uint32_t pictures;
    double picture_at, state_at, tree_at, why_at, progress_at, marks_at, loads_at;
    int64_t marks_seen; // marks of the journal that the client has
    int64_t loads_seen; // likewise, of what ticks cost
    bool marks_cut;     // it has some that are no more; the next message says so
    bool loads_cut;
    uint64_t picture_seen, state_seen, params_seen, tree_seen, why_seen;
} ployi_inspect_watch;

// A "why" that is being made for a client, in slices; see inspector_why.c.
typedef struct ployi_inspect_why ployi_inspect_why;

typedef struct ployi_inspect_client {
    bool used;
    bool trusted;           // it sent the token
    ployi_inspect_why *why; // NULL: none
    uint32_t generation;
    ploy_inspect_access base; // without a token
    ploy_inspect_access access;
    bool greeted;
    int32_t wrong_tokens;
    ploy_buffer queue; // entries: size (u32), is_text (u32), bytes, zeros up to a multiple of 8
    size_t queue_at;   // the first entry that was not fetched
    bool sessions_due; // the list of sessions changed
    bool doomed;       // goodbye is to be said, then nothing more
    bool said_goodbye;
    ploy_result doom_code;
    const char *doom_message; // a constant
    int32_t turn;             // the watch that is asked first
    ployi_inspect_watch *watches;
} ployi_inspect_client;

typedef enum ployi_inspect_way {
    PLOYI_WAY_NONE,
    PLOYI_WAY_SEEK,    // within the record
    PLOYI_WAY_STEP,    // forth, recording past the end
    PLOYI_WAY_FORK,    // as seek; the answer is a session
    PLOYI_WAY_COMPARE, // beside its partner, see inspector_compare.c
    PLOYI_WAY_PARTNER, // driven by the session that compares
    PLOYI_WAY_SCAN     // through the record and back, see inspector_scan.c
} ployi_inspect_way;

// What a mark on the timeline means.
typedef enum ployi_inspect_mark_kind {
    PLOYI_MARK_EVENT,    // the simulation's own group "events"
    PLOYI_MARK_STATE,    // a described state of an agent is another
    PLOYI_MARK_DECISION, // an agent decided otherwise than the time before
    PLOYI_MARK_FAILED,   // nothing that was considered was possible
    PLOYI_MARK_OVERRUN,  // a tick's budget began to put turns off
    PLOYI_MARK_INPUT,    // something came from outside
    PLOYI_MARK_KINDS
} ployi_inspect_mark_kind;

#define PLOYI_MARK_TEXT 48

typedef struct ployi_inspect_mark {
    uint64_t tick; // the first one that shows it
    uint64_t key;  // of what is followed: who and what, hashed
    uint64_t value;
    ploy_id agent;
    ployi_inspect_mark_kind kind;
    char text[PLOYI_MARK_TEXT];
} ployi_inspect_mark;

// One decision of a tick: what won, hashed, and in words.
typedef struct ployi_inspect_choice {
    ploy_id agent;
    uint64_t value;
    int32_t options, won;
    char text[PLOYI_MARK_TEXT];
} ployi_inspect_choice;

// What thinking cost in `every` ticks.
typedef struct ployi_inspect_cost {
    int32_t least, most; // units spent in a tick
    int32_t units;       // the smallest budget; -1: none
    int32_t put_off;     // most turns put off in a tick
} ployi_inspect_cost;

// What every tick cost; see inspector_loads.c.
typedef struct ployi_inspect_loads {
    uint64_t from;  // tick of the first
    uint64_t every; // ticks in one item
    ployi_inspect_cost *items;
    int64_t count, capacity;
} ployi_inspect_loads;

// What happened when; see inspector_journal.c.
typedef struct ployi_inspect_journal {
    bool on;
    ploy_env env;
    ploy_inspector *inspector; // whose clients are notified
    uint32_t session;
    int64_t max_marks;
    uint64_t scanned;  // marks are known up to this tick
    uint64_t event_at; // the newest stamp of an event that has its mark
    ployi_inspect_mark *marks;
    int64_t count, capacity;
    ployi_inspect_loads loads;
    ploy_map known;   // key: value of the mark before
    ploy_map choices; // of the tick that ran last; key: ployi_inspect_choice
    ploy_map decided; // agents for whom something won in that tick; the value means nothing
    ploy_map grouped; // agents that had a group in the description of that tick; likewise
    uint64_t open_key;
    int32_t depth; // decisions that are open
    ployi_inspect_choice open;
} ployi_inspect_journal;

// Numbers over time that a client waits for; see inspector_scan.c.
typedef struct ployi_inspect_scan ployi_inspect_scan;

typedef struct ployi_inspect_session {
    uint32_t number; // 0: this place is free
    bool live;
    ploy_inspect_source source; // of a live one
    bool attached;              // the recorder is a game's, which steps it; borrowed
    uint64_t known_tick;        // of an attached recorder, when it was looked at last
    ploy_recorder *recorder;    // of a simulation
    const ploy_sim_type *type;
    unsigned char *params;      // see inspector_session.c
    unsigned char *next_params; // the parameters with the changes that the next tick takes over
    bool playing;
    double speed;
    double owed; // ticks to run, kept between two steps
    ployi_inspect_way way;
    uint64_t target;
    ploy_id asker; // whose request the run is, and its number
    uint64_t asker_request;
    uint64_t differ_tick; // of a comparison: the first tick whose states differ; 0: none so far
    const char *asker_do; // "seek", "step", "fork", "compare" or "scan"
    uint32_t partner;     // the other session of a comparison
    uint64_t from;        // where a comparison begins
    bool begun;           // both of a comparison are there
    ployi_inspect_scan *scan;
    ployi_inspect_journal journal;
    ploy_result failed;
    uint64_t moved;   // raised when the simulation's state is another
    uint64_t changed; // raised when anything that a state event contains has changed
    uint64_t params_changed;
    uint64_t hash; // of the state when `moved` was hash_moved
    uint64_t hash_moved;
    bool hash_known;
    int32_t watchers;
    double unwatched_s;
} ployi_inspect_session;

struct ploy_inspector {
    ploy_env env;
    ploy_inspector_def def;
    const ploy_sim_type *const *types;
    char token[PLOYI_TOKEN_MAX]; // zeros behind it
    size_t token_size;           // 0: none is right
    ploy_inspect_access grants;
    double now; // s, sum of all steps
    ployi_inspect_client *clients;
    ployi_inspect_watch *watches; // max_watches for each client
    int32_t session_places;       // max_sources, then max_sessions
    ployi_inspect_session *sessions;
    uint32_t last_session;
    int32_t turn;         // the session that is stepped first
    ploy_buffer scratch;  // what was made last for ploy_inspector_send
    int32_t guest_places; // clients that may stay without the token
    ploy_diags *diags;
};

// ---- inspector.c

// The client of an id, or NULL.
ployi_inspect_client *ployi_inspect_client_find(ploy_inspector *inspector, ploy_id id);
ploy_id ployi_inspect_client_id(const ploy_inspector *inspector,
                                const ployi_inspect_client *client);
// Disconnects after a last word. @param message  a constant.
void ployi_inspect_doom(ployi_inspect_client *client, ploy_result code, const char *message);
// Notifies all clients that the list of sessions changed.
void ployi_inspect_sessions_changed(ploy_inspector *inspector);
ployi_inspect_watch *ployi_inspect_watch_find(ploy_inspector *inspector,
                                              ployi_inspect_client *client, uint32_t session);
// Finds or makes the watch, with the defaults; NULL if all are taken.
ployi_inspect_watch *ployi_inspect_watch_begin(ploy_inspector *inspector,
                                               ployi_inspect_client *client,
                                               ployi_inspect_session *session);
void ployi_inspect_watch_end(ploy_inspector *inspector, ployi_inspect_watch *watch);
// Makes picture, tree and trace due at once.
void ployi_inspect_watch_refresh(const ploy_inspector *inspector, ployi_inspect_watch *watch);

// An entry of a client's queue that is being written.
typedef struct ployi_inspect_entry {
    ployi_inspect_client *client;
    size_t start;
    ploy_writer writer;
    ploy_json_writer json;
} ployi_inspect_entry;

void ployi_inspect_entry_begin(ployi_inspect_entry *entry, ployi_inspect_client *client);
// Publishes it. On failure the queue is as it was before begin.
ploy_result ployi_inspect_entry_end(ployi_inspect_entry *entry, bool is_text);

// ---- inspector_request.c

typedef struct ployi_inspect_request {
    ploy_inspector *inspector;
    ployi_inspect_client *client;
    const ploy_json *doc;
    ploy_json_node root;
    bool has_id;
    uint64_t id;
    const char *name; // of the request, zero-terminated, at most 31 characters
} ployi_inspect_request;

void ployi_inspect_request_text(ploy_inspector *inspector, ployi_inspect_client *client,
                                const void *bytes, size_t size);
void ployi_inspect_request_binary(ploy_inspector *inspector, ployi_inspect_client *client,
                                  const void *bytes, size_t size);

// Begins `{"id":..,"do":..,"ok":true`; the handler adds members, then calls end.
void ployi_inspect_answer_begin(ployi_inspect_entry *entry, const ployi_inspect_request *request);
// Closes the object. If it did not fit, an error is answered instead, or the client is doomed.
// @return what entry_end said.
ploy_result ployi_inspect_answer_end(ployi_inspect_entry *entry,
                                     const ployi_inspect_request *request);
// `{"id","do","ok":true,"session":n}`.
void ployi_inspect_answer_plain(const ployi_inspect_request *request, uint32_t session);
// path, and the inspector's first diagnostic if it has one, go along. path may be NULL.
void ployi_inspect_answer_error(const ployi_inspect_request *request, ploy_result code,
                                const char *message, const char *path);

// `"faults":[...]`: all that a checker found.
void ployi_inspect_write_faults(ploy_json_writer *json, const ploy_diags *diags);

// The session that a request names; NULL after an error was answered.
ployi_inspect_session *ployi_inspect_request_session(const ployi_inspect_request *request);
// The same, but only a simulation that is not in a long run.
ployi_inspect_session *ployi_inspect_request_still(const ployi_inspect_request *request);
// The simulation that a request names; NULL after an error was answered.
const ploy_sim_type *ployi_inspect_request_type(const ployi_inspect_request *request);
// An optional agent: none if it is missing or null. False after an error was answered.
bool ployi_inspect_request_agent(const ployi_inspect_request *request, ploy_agent_id *agent);
// A number from an integer or a decimal text.
ploy_result ployi_inspect_json_u64(const ploy_json *doc, ploy_json_node node, uint64_t *out);
// A JSON value read as a field or as an input needs it; text is borrowed from the document.
ploy_result ployi_inspect_json_field(const ploy_json *doc, ploy_json_node node,
                                     const ploy_field *field, ploy_value *out);
ploy_result ployi_inspect_json_value(const ploy_json *doc, ploy_json_node node,
                                     ploy_value_type type, ploy_value *out);

// ---- inspector_ask.c and inspector_drive.c

typedef void (*ployi_inspect_handler)(const ployi_inspect_request *request);
void ployi_ask_hello(const ployi_inspect_request *request);
void ployi_ask_list(const ployi_inspect_request *request);
void ployi_ask_schema(const ployi_inspect_request *request);
void ployi_ask_watch(const ployi_inspect_request *request);
void ployi_ask_unwatch(const ployi_inspect_request *request);
void ployi_ask_describe(const ployi_inspect_request *request);
void ployi_ask_why(const ployi_inspect_request *request);
void ployi_ask_debug(const ployi_inspect_request *request); // inspector_debug.c
void ployi_ask_log(const ployi_inspect_request *request);
void ployi_ask_save(const ployi_inspect_request *request);
void ployi_drive_open(const ployi_inspect_request *request);
void ployi_drive_load(const ployi_inspect_request *request, const void *bytes, size_t size);
void ployi_drive_close(const ployi_inspect_request *request);
void ployi_drive_play(const ployi_inspect_request *request);
void ployi_drive_pause(const ployi_inspect_request *request);
void ployi_drive_speed(const ployi_inspect_request *request);
void ployi_drive_step(const ployi_inspect_request *request);
void ployi_drive_seek(const ployi_inspect_request *request);
void ployi_drive_set(const ployi_inspect_request *request);
void ployi_drive_reset(const ployi_inspect_request *request);
void ployi_drive_command(const ployi_inspect_request *request);
void ployi_drive_fork(const ployi_inspect_request *request);
void ployi_edit_definition(const ployi_inspect_request *request); // inspector_edit.c
void ployi_edit_parts(const ployi_inspect_request *request);
void ployi_edit_reload(const ployi_inspect_request *request);
void ployi_drive_compare(const ployi_inspect_request *request);
void ployi_drive_scan(const ployi_inspect_request *request);
// The session if it can take parameters now; NULL after an error was answered.
ployi_inspect_session *ployi_drive_settable(const ployi_inspect_request *request);
// A copy of the parameters as they will be, to try changes on; NULL after an error was answered.
void *ployi_drive_scratch(const ployi_inspect_request *request,
                          const ployi_inspect_session *session, ploy_fields fields);
// Sets every live field that is not as requested. False after an error was answered.
bool ployi_drive_bring(const ployi_inspect_request *request, ployi_inspect_session *session,
                       ploy_fields fields, const void *wanted);
// After parameters or inputs changed.
void ployi_drive_changed(ployi_inspect_session *session);
// Queues a command or a reload, or hands it to the program that the session shows, and answers.
void ployi_drive_input(const ployi_inspect_request *request, ployi_inspect_session *session,
                       const ploy_input *input);
// A simulation, in a long run or not; NULL after an error was answered.
ployi_inspect_session *ployi_drive_simulation(const ployi_inspect_request *request);
// An optional whole number; false after an error was answered.
bool ployi_drive_read_u64(const ployi_inspect_request *request, const char *name, uint64_t *out);

// ---- inspector_session.c

ployi_inspect_session *ployi_inspect_session_find(ploy_inspector *inspector, uint32_t number);
// Takes over a recorder; on failure it is still the caller's.
ploy_result ployi_inspect_session_add(ploy_inspector *inspector, ploy_recorder *recorder,
                                      ployi_inspect_session **out);
// The same for a recorder that stays the caller's, in a place that is free.
ploy_result ployi_inspect_session_take(ploy_inspector *inspector, ployi_inspect_session *session,
                                       ploy_recorder *recorder);
// Notices what a game did with its recorder since the last call.
void ployi_inspect_attached_sync(ploy_inspector *inspector);
// Makes sure that one more can be added, closing one without watchers if need be.
ploy_result ployi_inspect_session_room(ploy_inspector *inspector);
// Notifies its watchers and frees it. @param reason  a sentence.
void ployi_inspect_session_close(ploy_inspector *inspector, ployi_inspect_session *session,
                                 const char *reason);
// Frees it without a word.
void ployi_inspect_session_free(ploy_inspector *inspector, ployi_inspect_session *session);
ploy_fields ployi_inspect_session_fields(const ployi_inspect_session *session);
// The commands it accepts.
const ploy_command *ployi_inspect_session_commands(const ployi_inspect_session *session,
                                                   int32_t *count);
// The parameters as they are now; NULL if there are none.
const void *ployi_inspect_session_params(const ployi_inspect_session *session);
uint64_t ployi_inspect_session_tick(const ployi_inspect_session *session);
uint64_t ployi_inspect_session_hash(ployi_inspect_session *session);
bool ployi_inspect_session_runs(const ployi_inspect_session *session);
// Ends a long run before its arrival; the requester is informed.
void ployi_inspect_session_cancel(ploy_inspector *inspector, ployi_inspect_session *session);
// Begins one; answered on arrival.
void ployi_inspect_session_go(ployi_inspect_session *session, ployi_inspect_way way,
                              uint64_t target, const ployi_inspect_request *request,
                              const char *name);
// One tick; false if the simulation cannot go on.
bool ployi_inspect_session_advance(ployi_inspect_session *session);
// Towards a tick of the record, with marks for what is met for the first time.
ploy_result ployi_inspect_session_seek(ployi_inspect_session *session, uint64_t tick,
                                       ploy_budget *budget);
// Ends a run: the requester gets a failure. @return the requester, to be sent a success;
// NULL if there is nothing left to send.
ployi_inspect_client *ployi_inspect_session_arrive(ploy_inspector *inspector,
                                                   ployi_inspect_session *session,
                                                   ploy_result result, const char *message);
// Finds out what the next tick takes over, after the tick or the log changed.
void ployi_inspect_session_refresh(ployi_inspect_session *session);
// Seconds of the wall clock go by.
void ployi_inspect_session_step(ploy_inspector *inspector, ployi_inspect_session *session,
                                double seconds, ploy_budget *budget);

// ---- inspector_objects.c

void ployi_inspect_write_simulation(ploy_json_writer *json, const ploy_sim_type *type);
void ployi_inspect_write_sessions(ploy_json_writer *json, const ploy_inspector *inspector);
// Everything about one session.
void ployi_inspect_write_session(ploy_json_writer *json, const ploy_inspector *inspector,
                                 ployi_inspect_session *session);
void ployi_inspect_write_fields(ploy_json_writer *json, const ploy_inspector *inspector,
                                ploy_fields fields);
// The texts that can be edited: the parameters, and what the type names.
void ployi_inspect_write_definitions(ploy_json_writer *json, const ployi_inspect_session *session);
void ployi_inspect_write_commands(ploy_json_writer *json, const ploy_command *commands,
                                  int32_t count);
// Members of an object: path: value. With `other`, only those that differ from it.
void ployi_inspect_write_params(ploy_json_writer *json, ploy_fields fields, const void *params,
                                const void *other);
void ployi_inspect_write_state(ploy_json_writer *json, ployi_inspect_session *session,
                               bool with_params);
void ployi_inspect_write_value(ploy_json_writer *json, const ploy_value *value);
void ployi_inspect_write_id(ploy_json_writer *json, ploy_id id); // null for none
void ployi_inspect_write_hex(ploy_json_writer *json, uint64_t bits);
// "denied" for PLOY_ERR_DENIED.
const char *ployi_inspect_code(ploy_result result);

// ---- inspector_journal.c

// Begins to keep marks, from the present tick on. A second call changes nothing.
void ployi_inspect_journal_begin(ploy_inspector *inspector, ployi_inspect_session *session);
void ployi_inspect_journal_end(ployi_inspect_session *session);
// Before and after a tick is executed.
void ployi_inspect_journal_before(ployi_inspect_session *session);
void ployi_inspect_journal_after(ployi_inspect_session *session);
// The record ends at that tick now: what came after never happened.
void ployi_inspect_journal_cut(ployi_inspect_session *session, uint64_t tick);
// Forgets everything, to be kept again from tick 0.
void ployi_inspect_journal_restart(ployi_inspect_session *session);

// ---- inspector_loads.c

// Notes what a tick cost; of ticks that follow each other.
void ployi_inspect_loads_add(ployi_inspect_journal *journal, uint64_t tick,
                             const ploy_workload *load);
// Forgets what comes after a tick; its clients are notified.
void ployi_inspect_loads_cut(ployi_inspect_journal *journal, uint64_t tick);
void ployi_inspect_loads_fini(ployi_inspect_journal *journal);
// The members of a `loads` event, from *seen on; *seen moves on.
void ployi_inspect_write_loads(ploy_json_writer *json, const ployi_inspect_session *session,
                               int64_t *seen);
// Members `session`, `from`, `count`, `marks` of an event; raises *seen by what it sent.
void ployi_inspect_write_marks(ploy_json_writer *json, const ployi_inspect_session *session,
                               int64_t *seen);
const char *ployi_inspect_mark_text(ployi_inspect_mark_kind kind);

// ---- inspector_compare.c and inspector_scan.c

void ployi_inspect_compare_step(ploy_inspector *inspector, ployi_inspect_session *session,
                                ploy_budget *budget);
void ployi_inspect_scan_step(ploy_inspector *inspector, ployi_inspect_session *session,
                             ploy_budget *budget);
void ployi_inspect_scan_free(const ploy_inspector *inspector, ployi_inspect_session *session);

// ---- inspector_tree.c

// Writes the members `session`, `tick`, `agent`, `truncated` and `tree` or `decisions`.
void ployi_inspect_write_tree(ploy_json_writer *json, const ploy_inspector *inspector,
                              const ployi_inspect_session *session, ploy_agent_id agent);

// What a trace writes its decisions into.
typedef struct ployi_inspect_tree {
    ploy_json_writer *json;
    uint64_t limit; // bytes of the writer after which nothing more is begun
    ploy_agent_id only;
    int32_t open;    // nodes that are written and not ended
    int32_t hidden;  // nodes inside them that are not written
    int32_t outside; // of a filtered tree: nodes around what is requested, not written either
    bool truncated;
} ployi_inspect_tree;

// Writes the members before the decisions and begins their array; the trace fills it.
ploy_trace ployi_inspect_decisions_begin(ployi_inspect_tree *tree, ploy_json_writer *json,
                                         const ploy_inspector *inspector,
                                         const ployi_inspect_session *session, ploy_agent_id agent);
// Begins a further array of the same message, within what the limit of the first one left.
ploy_trace ployi_inspect_decisions_more(ployi_inspect_tree *tree, ploy_json_writer *json,
                                        const ploy_inspector *inspector, ploy_agent_id agent);
// Ends the array and writes whether something was left out.
void ployi_inspect_decisions_end(ployi_inspect_tree *tree);

// ---- inspector_why.c

// Begins one. An event that is not done gives way to a request.
// @return PLOY_ERR_STATE if the client has one already; PLOY_ERR_MEMORY.
// @param look_back  also the last decisions, if there are none in this tick, and those before.
// @param request    whose answer it is; NULL: an event of a watch.
ploy_result ployi_inspect_why_begin(ploy_inspector *inspector, ployi_inspect_client *client,
                                    ployi_inspect_session *session, ploy_agent_id agent,
                                    bool look_back, const ployi_inspect_request *request);
// The same for a query of the debugger.
ploy_result ployi_inspect_debug_begin(ploy_inspector *inspector, ployi_inspect_client *client,
                                      const ployi_inspect_session *session,
                                      const ploy_debug_query *query,
                                      const ployi_inspect_request *request);
// Continues. @return PLOY_OK with the message, valid until the next call for this client;
// PLOY_IN_PROGRESS; PLOY_ERR_NOT_FOUND if there is no request, or if it failed: then its answer is in
// the queue.
ploy_result ployi_inspect_why_step(ploy_inspector *inspector, ployi_inspect_client *client,
                                   ploy_budget *budget, const void **bytes, size_t *size);
// Frees one whose message was taken; one that is not done stays.
void ployi_inspect_why_collect(ploy_inspector *inspector, ployi_inspect_client *client);
// Drops an event that is not done; it is made again when the client has no other.
void ployi_inspect_why_yield(ploy_inspector *inspector, ployi_inspect_client *client);
// Whether a request waits for one.
bool ployi_inspect_why_asked(const ployi_inspect_client *client);
// Frees it, done or not.
void ployi_inspect_why_end(ploy_inspector *inspector, ployi_inspect_client *client);
// Those that ask a session which is closed now; requests are answered.
void ployi_inspect_why_forget(ploy_inspector *inspector, const ployi_inspect_session *session);

// ---- inspector_picture.c

// Writes a picture into the buffer, which is cleared first.
ploy_result ployi_inspect_picture(const ploy_inspector *inspector,
                                  const ployi_inspect_session *session, ployi_inspect_watch *watch,
                                  ploy_buffer *out);
