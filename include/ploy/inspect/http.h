/// @file ploy/inspect/http.h
/// The inspector over HTTP and WebSocket: attach it to any program with two calls. Component
/// `inspect_http`.
///
///     ploy_inspect_server *server;
///     ploy_inspect_attach(&source, &env, &server);            // once
///     while (running) { ...; ploy_inspect_server_step(server, 0); }   // every frame
///
/// The server listens on loopback only and is read-only for clients without the token. Writing
/// requires the token, which is printed in the page's address after '#' (a browser never sends that
/// part to a server) and sent in the socket's first message. The Host and Origin headers are
/// checked, so that a page from another site cannot connect. Memory is bounded before a frame is
/// read: a frame that announces too large a size is refused, and nothing is allocated for it. No
/// thread is started, and no call waits unless asked to. All work of a step has one time budget,
/// clients without the token share a tenth of the time, a client's next request is read only after
/// its last one is answered, and places are reserved for clients with the token: a hostile page can
/// neither stall the game nor lock other clients out.
///
/// Protocols: HTTP/1.1 (RFC 9112; GET and HEAD), WebSocket (RFC 6455).
/// Threads: one caller at a time.
#pragma once

#include "ploy/inspect/inspector.h"

/// The port that is tried first.
#define PLOY_INSPECT_PORT 7373

typedef struct ploy_inspect_server ploy_inspect_server;

/// A file that the server delivers.
typedef struct ploy_asset {
    const char *path; ///< "/app.js"; "/index.html" is also delivered for "/"
    const char *type; ///< "text/javascript; charset=utf-8"
    const unsigned char *bytes;
    size_t size;
} ploy_asset;

typedef struct ploy_inspect_server_def {
    uint32_t cookie;
    int32_t port;            ///< 0: any free port
    bool any_port;           ///< use any free port if that port is taken
    bool any_address;        ///< listen beyond loopback; watching then requires the token too
    bool writable;           ///< clients that send the token may change things
    int32_t max_connections; ///< beyond that, a new one replaces the oldest that has not said hello
    int32_t max_header_kib;  ///< KiB, largest request head
    float idle_s;            ///< s that a client may take for a request, or stall an answer
    float hello_s;           ///< s that a new socket may take until it says hello
    float ping_s; ///< s until a silent socket is pinged; twice that without an answer closes it
    /// ms of work per step: simulations first, then requests and pictures, which get at least a
    /// quarter.
    float work_ms;
    float guest_share; ///< share of the time for all clients without the token together
    /// ms between two polls of the sockets; a step with wait_ms 0 in between only reads the clock,
    /// so that a game may step the server at any rate.
    float rest_ms;
    ploy_inspector_def inspector;
} ploy_inspect_server_def;

PLOY_API ploy_inspect_server_def ploy_inspect_server_def_default(void);
PLOY_API ploy_fields ploy_inspect_server_fields(void);

/// Opens the listening socket. @param types  as in ploy_inspector_create.
/// @param assets  the page, terminated by an entry whose path is NULL; NULL for the built-in page.
///                Borrowed.
/// @return PLOY_ERR_SYSTEM if the port is taken; the log names it.
PLOY_API ploy_result ploy_inspect_server_create(const ploy_inspect_server_def *def,
                                                const ploy_sim_type *const *types,
                                                const ploy_asset *assets, const ploy_env *env,
                                                ploy_inspect_server **out);

/// One call for a game: creates a server with the defaults (PLOY_INSPECT_PORT, or any free port if
/// that is taken) that shows one live source, and logs its address.
PLOY_API ploy_result ploy_inspect_attach(const ploy_inspect_source *source, const ploy_env *env,
                                         ploy_inspect_server **out);

/// The same for a game that runs in a recorder: the page can pause it, rewind it, fork it, ask why,
/// change parameters and send commands.
///
///     ploy_inspect_attach_recorder(recorder, &env, &server);
///     while (running) {
///         if (!ploy_inspect_server_holds(server, recorder)) {
///             ...ploy_recorder_input(recorder, ...);
///             ploy_recorder_step(recorder);
///         }
///         ploy_inspect_server_step(server, 0);
///     }
///
/// If played from the past, the recorder executes its record again up to the end and then
/// continues; an input before the end starts a new future. Forks receive env's user pointer, as
/// create did.
/// @param recorder  borrowed; destroy the server first.
PLOY_API ploy_result ploy_inspect_attach_recorder(ploy_recorder *recorder, const ploy_env *env,
                                                  ploy_inspect_server **out);

/// As ploy_inspector_holds: true while the page has paused or rewound the recorder.
PLOY_API bool ploy_inspect_server_holds(const ploy_inspect_server *server,
                                        const ploy_recorder *recorder);

/// Closes everything. NULL is allowed.
PLOY_API void ploy_inspect_server_destroy(ploy_inspect_server *server);

/// Reads, answers and writes whatever is possible without waiting, and steps the inspector by the
/// time since the last call. Work stops after work_ms, whatever the clients send; one request is
/// the smallest unit. @param wait_ms  longest time to sleep while nothing happens; 0 in a game's
/// frame.
/// @return PLOY_ERR_SYSTEM if the listening socket is broken; PLOY_ERR_STATE if called from one of
///         the server's callbacks. Errors of single clients are not returned.
PLOY_API ploy_result ploy_inspect_server_step(ploy_inspect_server *server, int32_t wait_ms);

/// Returns the port that the server listens on.
PLOY_API int32_t ploy_inspect_server_port(const ploy_inspect_server *server);
/// Returns the address to open: "http://127.0.0.1:7373/#token=...".
PLOY_API const char *ploy_inspect_server_url(const ploy_inspect_server *server);
/// Returns the number of open connections, HTTP and WebSocket.
PLOY_API int32_t ploy_inspect_server_connection_count(const ploy_inspect_server *server);
PLOY_API ploy_inspector *ploy_inspect_server_inspector(ploy_inspect_server *server);
PLOY_API void ploy_inspect_server_memory(const ploy_inspect_server *server, ploy_memory_fn fn,
                                         void *user);

/// Returns the built-in page, terminated by an entry whose path is NULL.
PLOY_API const ploy_asset *ploy_studio_assets(void);
