/// @file ploy/inspect/inspector.h
/// The inspector: what a page or tool asks and hears, as messages. Knows nothing of sockets.
///
/// docs/inspector-protocol.md writes the protocol down. Control messages are JSON text; pictures
/// and recordings are compact binary messages. What a client has not fetched is not made:
/// pictures, states, trees and traces are built when the client takes its next message, always of
/// the newest tick, so a slow page never slows the game and never costs more memory. Only answers
/// wait in a queue, and that has a limit.
///
/// Three kinds of thing can be watched: simulations of a list, opened by the client (with rewind,
/// parameters, why); the recorder of a running game, which the game steps itself (with all of
/// these too); and live programs that draw and describe themselves.
///
/// Threads: one caller at a time.
#pragma once

#include "ploy/base/env.h"
#include "ploy/inspect/recorder.h"

/// Version of the protocol, in hello, in binary messages and in the subprotocol's name.
#define PLOY_INSPECTOR_PROTOCOL 1

typedef struct ploy_inspector ploy_inspector;

/// What a client may do.
typedef enum ploy_inspect_access {
    PLOY_INSPECT_NONE, ///< say hello, and nothing else until the token came with it
    PLOY_INSPECT_LOOK, ///< watch what is there
    PLOY_INSPECT_WRITE ///< open, drive and change things too
} ploy_inspect_access;

/// "none", "look", "write".
PLOY_API const char *ploy_inspect_access_text(ploy_inspect_access access);

/// Something that runs by itself and lets itself be watched; every function may be NULL. They are
/// called from ploy_inspector_receive and ploy_inspector_send only.
typedef struct ploy_inspect_source {
    const char *name;  ///< "mygame"
    const char *title; ///< "My game"; NULL: as name
    float view[4];     ///< what to show at first: min x, min y, max x, max y in metres
    void (*draw)(void *user, ploy_draw *out);
    void (*describe)(void *user, ploy_describe *out);
    /// Settings that a client with the token may change while it runs.
    ploy_fields fields; ///< items NULL: none
    void *params;       ///< the def itself; written by ploy_inspector_receive
    void *user;
    /// What a client with the token may make it do: keys, clicks, events fired by hand, its
    /// own pause.
    const ploy_command *commands;
    int32_t command_count;
    /// Takes a command whose name, agent and value fit. What it returns is the client's answer.
    ploy_result (*command)(void *user, const ploy_input *input);
} ploy_inspect_source;

typedef struct ploy_inspector_def {
    uint32_t cookie;
    int32_t max_clients;
    int32_t kept_clients;       ///< places that only clients with the token get; at most a quarter
    int32_t max_sessions;       ///< simulations open at once, all clients together
    int32_t max_sources;        ///< live programs and recorders of games
    int32_t max_watches;        ///< sessions that one client watches at once
    int32_t max_message_kib;    ///< KiB, largest message a client may send
    int32_t max_queue_kib;      ///< KiB, answers kept for one client
    int32_t max_picture_kib;    ///< KiB, largest picture; further items are left out and counted
    int32_t max_tree_kib;       ///< KiB, largest tree or trace; the rest is left out
    int32_t max_marks;          ///< marks on one session's timeline; then the oldest go
    float frame_rate;           ///< 1/s, most pictures a second for each client
    float keep_s;               ///< s until an unwatched simulation is closed
    ploy_recorder_def recorder; ///< of every simulation opened; its seed is the default one
} ploy_inspector_def;

PLOY_API ploy_inspector_def ploy_inspector_def_default(void);
PLOY_API ploy_fields ploy_inspector_fields(void);

/// @param types   NULL-ended list of simulations that clients may open, or NULL. Kept.
PLOY_API ploy_result ploy_inspector_create(const ploy_inspector_def *def,
                                           const ploy_sim_type *const *types, const ploy_env *env,
                                           ploy_inspector **out);
PLOY_API void ploy_inspector_destroy(ploy_inspector *inspector);

/// The settings in use.
PLOY_API const ploy_inspector_def *ploy_inspector_def_of(const ploy_inspector *inspector);

/// Sets the secret that a client may send in hello, and what it may do then. Copied; compared in
/// constant time. Clients that are already there keep what they have.
/// @param token  1 to 64 characters, or NULL: no token is right.
PLOY_API ploy_result ploy_inspector_set_token(ploy_inspector *inspector, const char *token,
                                              ploy_inspect_access grants);

/// Adds a live program's view. The source is copied; what it points to must stay, its texts too.
/// @return PLOY_ERR_ARGUMENT without a name, if params do not pass its table or if there are
///         commands without names or without a function that takes them; PLOY_ERR_CAPACITY.
PLOY_API ploy_result ploy_inspector_add_source(ploy_inspector *inspector,
                                               const ploy_inspect_source *source);

/// Adds the recorder of a running game: clients see it as a simulation with rewind, fork, why,
/// parameters and commands. The game goes on stepping it, except while ploy_inspector_holds.
/// @param recorder  borrowed; it must stay until the inspector is destroyed.
/// @return PLOY_ERR_EXISTS if it is there already; PLOY_ERR_CAPACITY for more than max_sources;
///         PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_inspector_add_recorder(ploy_inspector *inspector,
                                                 ploy_recorder *recorder);
/// True while a client has paused the recorder or goes through its past: the game must not step it
/// or give it inputs then. False for unknown recorders and as soon as no client watches.
PLOY_API bool ploy_inspector_holds(const ploy_inspector *inspector, const ploy_recorder *recorder);

/// A client came. @param access  what it may do once it said hello without a token.
/// @return PLOY_ERR_CAPACITY if there are max_clients already.
PLOY_API ploy_result ploy_inspector_connect(ploy_inspector *inspector, ploy_inspect_access access,
                                            ploy_id *client);
/// The client is gone. An id that is gone already is ignored.
PLOY_API void ploy_inspector_disconnect(ploy_inspector *inspector, ploy_id client);

/// One whole message from a client. Bad ones are answered with an error message, never a crash.
/// @return PLOY_ERR_NOT_FOUND if there is no such client; PLOY_OK otherwise, whatever the answer.
PLOY_API ploy_result ploy_inspector_receive(ploy_inspector *inspector, ploy_id client,
                                            const void *bytes, size_t size, bool is_text);

/// The next message for a client, valid until the next call on the inspector. Answers come first;
/// then what is due is made here and now, of the newest tick. Reasons ("why") are found by
/// executing ticks again, in slices.
/// @param budget  counts those ticks; NULL: no limit.
/// @return PLOY_ERR_NOT_FOUND if there is none; PLOY_IN_PROGRESS if only reasons that need more
///         budget are left; PLOY_ERR_CANCELLED if the inspector is through with this client (it
///         said goodbye before): disconnect it.
PLOY_API ploy_result ploy_inspector_send(ploy_inspector *inspector, ploy_id client,
                                         ploy_budget *budget, const void **bytes, size_t *size,
                                         bool *is_text);
/// True while an answer for the client waits or is being made. A server that reads no further
/// request before that keeps one client from taking more than its share.
PLOY_API bool ploy_inspector_waits(const ploy_inspector *inspector, ploy_id client);
/// What the client may do: PLOY_INSPECT_NONE until it said hello.
PLOY_API ploy_inspect_access ploy_inspector_access(const ploy_inspector *inspector, ploy_id client);
/// True if the client said hello with the token.
PLOY_API bool ploy_inspector_trusts(const ploy_inspector *inspector, ploy_id client);

/// Advances playing simulations by that much time and those that seek as far as the budget goes.
/// @param seconds  of the wall clock since the last call; below 0 and NaN count as 0.
/// @param budget  counts ticks executed; NULL: no limit.
PLOY_API ploy_result ploy_inspector_step(ploy_inspector *inspector, double seconds,
                                         ploy_budget *budget);

/// True while some simulation plays or seeks.
PLOY_API bool ploy_inspector_busy(const ploy_inspector *inspector);
/// Seconds until there will be something to step or to send, if no message comes before: how long
/// a server may sleep. At most 1; 0 while a simulation seeks.
PLOY_API double ploy_inspector_due_s(const ploy_inspector *inspector);
PLOY_API int32_t ploy_inspector_client_count(const ploy_inspector *inspector);
/// Simulations open and live programs.
PLOY_API int32_t ploy_inspector_session_count(const ploy_inspector *inspector);
PLOY_API void ploy_inspector_memory(const ploy_inspector *inspector, ploy_memory_fn fn, void *user);
