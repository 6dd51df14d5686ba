/// @file ploy/inspect/inspector.h
/// The inspector: the messages that a page or tool exchanges with a program. Independent of
/// sockets.
///
/// docs/inspector-protocol.md specifies the protocol. Control messages are JSON text; pictures and
/// recordings are compact binary messages. Pictures, states, trees and traces are built only when
/// the client fetches its next message, always for the newest tick, so a slow page never slows the
/// game and never costs more memory. Only answers wait in a queue, which has a limit.
///
/// A client can watch three kinds of object: simulations from a list, opened by the client (with
/// rewind, parameters, why); the recorder of a running game, which the game steps itself (with the
/// same features); and live programs that draw and describe themselves.
///
/// Threads: one caller at a time.
#pragma once

#include "ploy/base/env.h"
#include "ploy/inspect/recorder.h"

/// Version of the protocol. Used in hello, in binary messages and in the subprotocol's name.
#define PLOY_INSPECTOR_PROTOCOL 1
/// Counts additions within the protocol that older clients ignore.
#define PLOY_INSPECTOR_REVISION 3

typedef struct ploy_inspector ploy_inspector;

/// What a client may do.
typedef enum ploy_inspect_access {
    PLOY_INSPECT_NONE, ///< only say hello, until it sends the token
    PLOY_INSPECT_LOOK, ///< watch existing sessions
    PLOY_INSPECT_WRITE ///< also open, control and change sessions
} ploy_inspect_access;

/// "none", "look", "write".
PLOY_API const char *ploy_inspect_access_text(ploy_inspect_access access);

/// A program that runs by itself and can be watched. Every function may be NULL. They are called
/// only from ploy_inspector_receive and ploy_inspector_send.
typedef struct ploy_inspect_source {
    const char *name;  ///< "mygame"
    const char *title; ///< "My game"; NULL: same as name
    float view[4];     ///< the initial view: min x, min y, max x, max y in metres
    void (*draw)(void *user, ploy_draw *out);
    void (*describe)(void *user, ploy_describe *out);
    /// Settings that a client with the token may change while the program runs.
    ploy_fields fields; ///< items NULL: none
    void *params;       ///< the def itself; written by ploy_inspector_receive
    void *user;
    /// Commands that a client with the token may send: keys, clicks, manually fired events, the
    /// program's own pause.
    const ploy_command *commands;
    int32_t command_count;
    /// Executes a command whose name, agent and value were checked. The result is sent to the
    /// client.
    ploy_result (*command)(void *user, const ploy_input *input);
} ploy_inspect_source;

typedef struct ploy_inspector_def {
    uint32_t cookie;
    int32_t max_clients;
    int32_t kept_clients;    ///< places reserved for clients with the token; at most a quarter
    int32_t max_sessions;    ///< most simulations open at once, over all clients
    int32_t max_sources;     ///< live programs and recorders of games
    int32_t max_watches;     ///< most sessions that one client watches at once
    int32_t max_message_kib; ///< KiB, largest message a client may send
    int32_t max_queue_kib;   ///< KiB, answers kept for one client
    int32_t max_picture_kib; ///< KiB, largest picture; further items are left out and counted
    int32_t max_tree_kib;    ///< KiB, largest tree or trace; the rest is left out
    int32_t max_marks; ///< most marks on one session's timeline; beyond that the oldest are dropped
    float frame_rate;  ///< 1/s, most pictures per second for each client
    float keep_s;      ///< s until an unwatched simulation is closed
    ploy_recorder_def recorder; ///< for every simulation opened; its seed is the default seed
} ploy_inspector_def;

PLOY_API ploy_inspector_def ploy_inspector_def_default(void);
PLOY_API ploy_fields ploy_inspector_fields(void);

/// @param types   NULL-terminated list of simulations that clients may open, or NULL. Borrowed.
PLOY_API ploy_result ploy_inspector_create(const ploy_inspector_def *def,
                                           const ploy_sim_type *const *types, const ploy_env *env,
                                           ploy_inspector **out);
PLOY_API void ploy_inspector_destroy(ploy_inspector *inspector);

/// Sets the secret that a client may send in hello, and the access it grants. The token is copied,
/// and compared in constant time. Connected clients keep their access.
/// @param token  1 to 64 characters; NULL: no token is accepted.
PLOY_API ploy_result ploy_inspector_set_token(ploy_inspector *inspector, const char *token,
                                              ploy_inspect_access grants);

/// Adds a live program's view. The source is copied; everything it points to, including its texts,
/// must stay valid.
/// @return PLOY_ERR_ARGUMENT if the name is missing, params fail the check of their table, or there
///         are commands without names or without a command function; PLOY_ERR_CAPACITY.
PLOY_API ploy_result ploy_inspector_add_source(ploy_inspector *inspector,
                                               const ploy_inspect_source *source);

/// Adds the recorder of a running game: clients see it as a simulation with rewind, fork, why,
/// parameters and commands. The game continues to step it, except while ploy_inspector_holds
/// returns true.
/// @param recorder  borrowed; it must stay valid until the inspector is destroyed.
/// @return PLOY_ERR_EXISTS if it was already added; PLOY_ERR_CAPACITY for more than max_sources;
///         PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_inspector_add_recorder(ploy_inspector *inspector,
                                                 ploy_recorder *recorder);
/// Returns true while a client has paused the recorder or is looking at its past: the game must
/// then not step it or give it inputs. False for unknown recorders and as soon as no client is
/// watching.
PLOY_API bool ploy_inspector_holds(const ploy_inspector *inspector, const ploy_recorder *recorder);

/// Adds a client that has connected. @param access  what the client may do after it has said hello
/// without a token.
/// @return PLOY_ERR_CAPACITY if there are max_clients already.
PLOY_API ploy_result ploy_inspector_connect(ploy_inspector *inspector, ploy_inspect_access access,
                                            ploy_id *client);
/// Removes a client. A stale id is ignored.
PLOY_API void ploy_inspector_disconnect(ploy_inspector *inspector, ploy_id client);

/// Handles one whole message from a client. An invalid message is answered with an error message.
/// @return PLOY_ERR_NOT_FOUND if there is no such client; PLOY_OK otherwise, whatever the answer.
PLOY_API ploy_result ploy_inspector_receive(ploy_inspector *inspector, ploy_id client,
                                            const void *bytes, size_t size, bool is_text);

/// Returns the next message for a client, valid until the next call on the inspector. Answers come
/// first; whatever else is due is then built during this call, for the newest tick. Reasons ("why")
/// are found by executing ticks again, in slices.
/// @param budget  counts those ticks; NULL: no limit.
/// @return PLOY_ERR_NOT_FOUND if there is none; PLOY_IN_PROGRESS if only reasons that need more
///         budget are left; PLOY_ERR_CANCELLED if the inspector has ended the conversation (after a
///         goodbye message): disconnect the client.
PLOY_API ploy_result ploy_inspector_send(ploy_inspector *inspector, ploy_id client,
                                         ploy_budget *budget, const void **bytes, size_t *size,
                                         bool *is_text);
/// Returns true while an answer for the client is waiting or being built. A server that reads no
/// further request until then keeps one client from taking more than its share.
PLOY_API bool ploy_inspector_waits(const ploy_inspector *inspector, ploy_id client);
/// Returns what the client may do: PLOY_INSPECT_NONE until it has said hello.
PLOY_API ploy_inspect_access ploy_inspector_access(const ploy_inspector *inspector, ploy_id client);
/// Returns true if the client said hello with the token.
PLOY_API bool ploy_inspector_trusts(const ploy_inspector *inspector, ploy_id client);

/// Advances playing simulations by the given time, and seeking simulations as far as the budget
/// allows.
/// @param seconds  wall-clock time since the last call; below 0 and NaN count as 0.
/// @param budget  counts ticks executed; NULL: no limit.
PLOY_API ploy_result ploy_inspector_step(ploy_inspector *inspector, double seconds,
                                         ploy_budget *budget);

/// Returns the seconds until there is something to step or send, unless a message arrives first.
/// This is how long a server may sleep. At most 1; 0 while a simulation is seeking.
PLOY_API double ploy_inspector_due_s(const ploy_inspector *inspector);
PLOY_API int32_t ploy_inspector_client_count(const ploy_inspector *inspector);
/// Returns the number of open simulations and live programs.
PLOY_API int32_t ploy_inspector_session_count(const ploy_inspector *inspector);
PLOY_API void ploy_inspector_memory(const ploy_inspector *inspector, ploy_memory_fn fn, void *user);
