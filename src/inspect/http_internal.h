// Shared between the files of the component inspect_http; nothing here is public.
//
//   http_parse.c     bytes to a request's head, without allocating
//   websocket.c      bytes to messages, and a frame's head; websocket_key.c the handshake's answer
//   http_socket.c    the operating system's sockets
//   http_answer.c    what is said to a request
//   http_connection.c  one client: its requests, its socket, its bounded buffers
//   http.c           the server: listening, time, the loop
#pragma once

#include "ploy/base/writer.h"
#include "ploy/inspect/http.h"

// ---------------------------------------------------------------------------------------------
// http_parse.c

// A piece of the request's bytes; no zero behind it.
typedef struct ployi_slice {
    const char *bytes; // NULL: the header was not there
    size_t size;
} ployi_slice;

bool ployi_slice_equal(ployi_slice slice, const char *text);
// Without regard to the case of ASCII letters.
bool ployi_slice_equal_caseless(ployi_slice slice, const char *text);

typedef struct ployi_http_request {
    bool head;        // HEAD, otherwise GET
    bool keep;        // the client may send another request on this connection
    bool upgrade;     // requests a WebSocket
    bool protocol;    // "ploy.inspector.1" is among the subprotocols offered
    bool protocols;   // some subprotocol was offered
    int32_t minor;    // of HTTP/1.x
    ployi_slice path; // without the query
    ployi_slice host;
    ployi_slice origin;
    ployi_slice ws_key;
    ployi_slice ws_version;
    ployi_slice none_match;
} ployi_http_request;

// Looks for the end of a request's head. @param from  where to go on looking; 0 at first, updated.
// @return the head's size with the empty line, or 0 if its end is not there yet.
size_t ployi_http_head_end(const char *bytes, size_t size, size_t *from);

// Parses one whole head, as found by ployi_http_head_end. The slices point into it.
// @return 0, or the status to answer with (400, 405, 413, 414, 431, 505); out is untouched then.
int32_t ployi_http_parse(const char *bytes, size_t size, ployi_http_request *out);

// True if a Host header names this machine's loopback and the port.
bool ployi_http_host_is_loopback(ployi_slice host, int32_t port);
// True if an Origin header is that of a page which this server handed out under this Host.
bool ployi_http_origin_is_same(ployi_slice origin, ployi_slice host);

// ---------------------------------------------------------------------------------------------
// websocket_key.c

// Room for the answer to a key, with its zero.
#define PLOYI_WS_ACCEPT_SIZE 29

// A key is 16 bytes in base64: 22 characters and "==".
bool ployi_ws_key_valid(const char *key, size_t size);
void ployi_ws_accept(const char *key, size_t size, char out[PLOYI_WS_ACCEPT_SIZE]);
void ployi_sha1(const void *bytes, size_t size, uint8_t out[20]);

// ---------------------------------------------------------------------------------------------
// websocket.c

typedef enum ployi_ws_opcode {
    PLOYI_WS_CONTINUATION = 0,
    PLOYI_WS_TEXT = 1,
    PLOYI_WS_BINARY = 2,
    PLOYI_WS_CLOSE = 8,
    PLOYI_WS_PING = 9,
    PLOYI_WS_PONG = 10
} ployi_ws_opcode;

// Codes of a close frame (RFC 6455, 7.4.1).
enum {
    PLOYI_WS_CLOSE_NORMAL = 1000,
    PLOYI_WS_CLOSE_GOING = 1001,
    PLOYI_WS_CLOSE_PROTOCOL = 1002,
    PLOYI_WS_CLOSE_NOT_UTF8 = 1007,
    PLOYI_WS_CLOSE_POLICY = 1008,
    PLOYI_WS_CLOSE_TOO_BIG = 1009,
    PLOYI_WS_CLOSE_TROUBLE = 1011
};

#define PLOYI_WS_CONTROL_MAX 125
#define PLOYI_WS_HEAD_MAX 10 // of frames to a client, which carry no mask

typedef enum ployi_ws_event {
    PLOYI_WS_NOTHING, // all bytes are used up and nothing is complete
    PLOYI_WS_MESSAGE, // text or binary in `message`
    PLOYI_WS_CONTROL, // close, ping or pong in `control`
    PLOYI_WS_FAILED   // close_code says why; nothing more can be read
} ployi_ws_event;

// Turns bytes into messages, however they are cut.
typedef struct ployi_ws_reader {
    ploy_buffer message;    // limit: largest message
    uint8_t head[14];       // of the frame being read
    int32_t head_size;      // bytes of it that are there
    int32_t head_need;      // bytes it has; 2 until those are there
    uint64_t payload_left;  // of the frame being read, once its head is whole
    uint32_t mask_at;       // next byte of the mask
    ployi_ws_opcode opcode; // of the frame being read
    ployi_ws_opcode kind;   // of the message being put together; CONTINUATION: none
    bool fin;
    bool delivered; // the message was returned; forget it before reading on
    uint8_t control[PLOYI_WS_CONTROL_MAX];
    int32_t control_size;
    ployi_ws_opcode control_kind; // of the last control frame returned
    int32_t close_code;           // after PLOYI_WS_FAILED
} ployi_ws_reader;

void ployi_ws_reader_init(ployi_ws_reader *reader, size_t limit, const ploy_env *env);
void ployi_ws_reader_fini(ployi_ws_reader *reader);
// Reads up to the next event. *used is how many bytes were taken; call again with the rest.
ployi_ws_event ployi_ws_reader_feed(ployi_ws_reader *reader, const uint8_t *bytes, size_t size,
                                    size_t *used);

// Writes the head of a whole, unmasked frame; returns its size.
size_t ployi_ws_head(uint8_t out[PLOYI_WS_HEAD_MAX], ployi_ws_opcode opcode, uint64_t size);
// The code in a close frame's payload: 1005 if it has none, 0 if it is not a valid one.
int32_t ployi_ws_close_code(const uint8_t *payload, int32_t size);

// ---------------------------------------------------------------------------------------------
// http_socket.c

typedef struct ployi_socket {
    intptr_t handle; // -1: none
} ployi_socket;

typedef struct ployi_poll {
    ployi_socket socket;
    bool want_read, want_write;     // in
    bool can_read, can_write, hurt; // out
} ployi_poll;

// Once for each server; matched by ployi_socket_stop.
ploy_result ployi_socket_start(void);
void ployi_socket_stop(void);
ployi_socket ployi_socket_none(void);
bool ployi_socket_is_none(ployi_socket socket);
// Listens without blocking. @param port  0: any free one; the one taken comes back.
ploy_result ployi_socket_listen(int32_t *port, bool any_address, int32_t backlog,
                                ployi_socket *out);
// PLOY_ERR_NOT_FOUND if no client waits; PLOY_ERR_CAPACITY if the system has no handle left for it.
ploy_result ployi_socket_accept(ployi_socket listening, ployi_socket *out);
void ployi_socket_close(ployi_socket *socket);
// Ends our side; the other one hears that nothing more comes.
void ployi_socket_shutdown(ployi_socket socket);
// *done is 0 with PLOY_IN_PROGRESS if it would have to wait, PLOY_ERR_SYSTEM when broken. A read
// of 0 bytes with PLOY_OK is the other side's end.
ploy_result ployi_socket_read(ployi_socket socket, void *bytes, size_t size, size_t *done);
ploy_result ployi_socket_write(ployi_socket socket, const void *bytes, size_t size, size_t *done);
// Waits for the first of them. @param items  filled. @param scratch  bytes for the system's own
// table, ployi_socket_poll_size(count) of them.
ploy_result ployi_socket_poll(ployi_poll *items, int32_t count, int32_t wait_ms, void *scratch);
size_t ployi_socket_poll_size(int32_t count);

// ---------------------------------------------------------------------------------------------
// http_answer.c

typedef struct ployi_http_site {
    const ploy_asset *assets;
    const uint64_t *hashes; // of the assets' bytes, in the same order
    int32_t port;
    bool any_address;
} ployi_http_site;

typedef struct ployi_http_body {
    const unsigned char *bytes; // borrowed from an asset or a constant
    size_t size;
} ployi_http_body;

// Writes the head of the answer to a request for a file, and returns which bytes follow.
// @return the status.
int32_t ployi_http_answer(const ployi_http_site *site, const ployi_http_request *request,
                          ploy_writer *out, ployi_http_body *body);
// Writes a whole short answer: a refusal, after which the connection is closed.
void ployi_http_refuse(int32_t status, bool head, ploy_writer *out);
// Checks a request for a socket. @return 0 and the whole answer written, or the status to refuse
// with.
int32_t ployi_http_upgrade(const ployi_http_site *site, const ployi_http_request *request,
                           ploy_writer *out);

// ---------------------------------------------------------------------------------------------
// http_connection.c

typedef enum ployi_http_state {
    PLOYI_HTTP_FREE,
    PLOYI_HTTP_REQUEST, // reads heads and answers them
    PLOYI_HTTP_SOCKET,  // a WebSocket, a client of the inspector
    PLOYI_HTTP_CLOSING, // our close frame is said, the other side's is awaited
    PLOYI_HTTP_LINGER   // all is said; what still comes is thrown away
} ployi_http_state;

typedef struct ployi_http_connection {
    ployi_http_state state;
    ployi_socket socket;
    uint64_t opened_ns;   // accepted, or made a socket
    ploy_buffer in;       // of a request's head, or of frames not looked at; limit max_header_kib
    size_t in_from;       // where to go on looking for its end
    ploy_buffer out;      // limit: the largest message and a little
    size_t out_at;        // bytes of it that are written
    ployi_http_body body; // follows out
    bool last;            // nothing more will be said; linger when all is written
    uint64_t deadline_ns; // for the request, for the answer's next bytes, for the end
    ployi_ws_reader reader;
    ploy_id client;
    uint64_t heard_ns; // a socket's last byte
    bool pinged;       // since then
    uint64_t pinged_ns;
    bool pong_due; // the last ping is to be answered
    int32_t pong_size;
    uint8_t pong[PLOYI_WS_CONTROL_MAX];
    size_t lingered; // bytes thrown away
} ployi_http_connection;

// What connections share.
typedef struct ployi_http_host {
    ploy_env env;
    ploy_inspect_server_def def;
    ployi_http_site site;
    ploy_inspector *inspector;
    size_t message_limit; // bytes a client may send in one message
    size_t out_limit;     // bytes that may wait for one client
    uint64_t now_ns;      // of this step
    uint64_t end_ns;      // of this step's work
    double guest_ns; // what clients without the token may still take; below 0: taken in advance
    bool served;     // something was done for a client in this step
    ployi_http_connection *connections; // def.max_connections
    uint8_t bytes[16384];               // what was read last
} ployi_http_host;

// Drops the oldest connection that is not a client which said hello; false if there is none.
bool ployi_http_evict(ployi_http_host *host, bool only_sockets);

void ployi_http_connection_open(ployi_http_connection *connection, ployi_http_host *host,
                                ployi_socket socket);
// Frees everything and closes the socket; the place is free then.
void ployi_http_connection_drop(ployi_http_connection *connection, ployi_http_host *host);
bool ployi_http_connection_wants_read(const ployi_http_connection *connection);
bool ployi_http_connection_wants_write(const ployi_http_connection *connection);
// Reads what is there, up to a limit, and acts on it.
void ployi_http_connection_read(ployi_http_connection *connection, ployi_http_host *host);
// Acts on messages that were read, until an answer waits or the step's time is over.
void ployi_http_connection_hear(ployi_http_connection *connection, ployi_http_host *host);
// Writes what waits, acts on what was read, fetches more from the inspector while the step's time
// lasts, and enforces the times.
void ployi_http_connection_write(ployi_http_connection *connection, ployi_http_host *host);
// Nanoseconds of the clock at which the connection wants to be looked at even if nothing happens.
uint64_t ployi_http_connection_deadline(const ployi_http_connection *connection,
                                        const ployi_http_host *host);
// Notifies a socket that the server goes away; best effort, no waiting.
void ployi_http_connection_farewell(ployi_http_connection *connection, ployi_http_host *host);
