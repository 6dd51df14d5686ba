// One connection of the inspector's server.
//
//     REQUEST ──upgrade──► SOCKET ──close said──► CLOSING ──close heard──┐
//        └──── refused, or the last answer ────────────────────────────► LINGER ──► FREE
//
// Invariants, while the connection is not FREE:
//   (1) in.size <= max_header_kib and out.size <= out_limit, whatever the other side does;
//   (2) nothing is fetched from the inspector while something waits in out, and no frame is looked
//       at while an answer waits or is being made: one message and a few control frames are all
//       that ever waits here, and one client costs one request at a time;
//   (3) client is known to the inspector exactly while state is SOCKET;
//   (4) every state has a deadline that the other side cannot put off by sending single bytes.
//
// The end lingers, because closing a TCP socket with unread input makes the system throw away the
// answer that is still on its way.
#include "inspect/http_internal.h"

#include <string.h>

#define HTTP_CONNECTION_LINGER_NS 1000000000u
#define HTTP_CONNECTION_LINGER_BYTES 262144u
#define HTTP_CONNECTION_READS 8       // of host.bytes a step, so that one client cannot take all
#define HTTP_CONNECTION_MESSAGES 64   // fetched or looked at in a step
#define HTTP_CONNECTION_KEEP 1048576u // bytes of out's memory kept between messages

static uint64_t http_seconds_ns(float seconds) {
    return (uint64_t)((double)seconds * 1e9);
}

static bool http_connection_waits(const ployi_http_connection *connection) {
    return connection->out_at < connection->out.size || connection->body.size > 0;
}

// All is said: the other side hears the end, and has a moment to read it.
static void http_connection_linger(ployi_http_connection *connection, ployi_http_host *host) {
    ployi_socket_shutdown(connection->socket);
    connection->state = PLOYI_HTTP_LINGER;
    connection->deadline_ns = host->now_ns + HTTP_CONNECTION_LINGER_NS;
    connection->lingered = 0;
}

static void http_connection_leave_inspector(ployi_http_connection *connection,
                                            ployi_http_host *host) {
    if (connection->state != PLOYI_HTTP_SOCKET) return;
    ploy_inspector_disconnect(host->inspector, connection->client);
    connection->client = ploy_id_none();
}

// Appends a frame; false if there is no memory for it, and then nothing was appended.
static bool http_connection_frame(ployi_http_connection *connection, ployi_ws_opcode opcode,
                                  const void *payload, size_t size) {
    uint8_t head[PLOYI_WS_HEAD_MAX];
    size_t head_size = ployi_ws_head(head, opcode, size);
    if (ploy_buffer_reserve(&connection->out, head_size + size) != PLOY_OK) return false;
    (void)ploy_buffer_append(&connection->out, head, head_size);
    if (size > 0) (void)ploy_buffer_append(&connection->out, payload, size);
    return true;
}

// Says the close frame and waits for the other side's.
static void http_connection_close(ployi_http_connection *connection, ployi_http_host *host,
                                  int32_t code, const char *reason) {
    http_connection_leave_inspector(connection, host); // keeps (3)
    uint8_t payload[PLOYI_WS_CONTROL_MAX];
    size_t size = strlen(reason);
    if (size > sizeof payload - 2) size = sizeof payload - 2;
    payload[0] = (uint8_t)(code >> 8);
    payload[1] = (uint8_t)code;
    memcpy(payload + 2, reason, size);
    if (!http_connection_frame(connection, PLOYI_WS_CLOSE, payload, size + 2)) {
        ployi_http_connection_drop(connection, host);
        return;
    }
    connection->state = PLOYI_HTTP_CLOSING;
    connection->deadline_ns = host->now_ns + 2 * (uint64_t)HTTP_CONNECTION_LINGER_NS;
}

// ---- requests

static void http_connection_refuse(ployi_http_connection *connection, ployi_http_host *host,
                                   int32_t status, bool head) {
    ploy_buffer_clear(&connection->out);
    connection->out_at = 0;
    ploy_writer writer = ploy_buffer_writer(&connection->out);
    ployi_http_refuse(status, head, &writer);
    if (ploy_writer_result(&writer) != PLOY_OK) {
        ployi_http_connection_drop(connection, host);
        return;
    }
    connection->last = true;
}

static void http_connection_upgrade(ployi_http_connection *connection, ployi_http_host *host,
                                    const ployi_http_request *request) {
    ploy_writer writer = ploy_buffer_writer(&connection->out);
    int32_t status = ployi_http_upgrade(&host->site, request, &writer);
    ploy_id client = ploy_id_none();
    if (status == 0 && ploy_writer_result(&writer) != PLOY_OK) status = 500;
    if (status == 0) {
        // Beyond loopback even looking needs the token.
        ploy_result result = ploy_inspector_connect(
            host->inspector, host->def.any_address ? PLOY_INSPECT_NONE : PLOY_INSPECT_LOOK,
            &client);
        if (result == PLOY_ERR_CAPACITY && ployi_http_evict(host, true)) {
            result = ploy_inspector_connect(
                host->inspector, host->def.any_address ? PLOY_INSPECT_NONE : PLOY_INSPECT_LOOK,
                &client);
        }
        if (result != PLOY_OK) status = result == PLOY_ERR_CAPACITY ? 503 : 500;
    }
    if (status != 0) {
        http_connection_refuse(connection, host, status, request->head);
        return;
    }
    connection->client = client;
    connection->state = PLOYI_HTTP_SOCKET;
    connection->opened_ns = host->now_ns;
    connection->heard_ns = host->now_ns;
    connection->deadline_ns = 0;
}

static void http_connection_request(ployi_http_connection *connection, ployi_http_host *host,
                                    size_t head_size) {
    ployi_http_request request;
    int32_t status = ployi_http_parse(connection->in.bytes, head_size, &request);
    if (status != 0) {
        http_connection_refuse(connection, host, status, false);
        return;
    }
    if (request.upgrade) {
        http_connection_upgrade(connection, host, &request);
    } else if (ployi_slice_equal(request.path, "/socket")) {
        http_connection_refuse(connection, host, 426, request.head);
    } else {
        ploy_writer writer = ploy_buffer_writer(&connection->out);
        status = ployi_http_answer(&host->site, &request, &writer, &connection->body);
        if (ploy_writer_result(&writer) != PLOY_OK) {
            ployi_http_connection_drop(connection, host);
            return;
        }
        connection->last = !request.keep || (status != 200 && status != 304);
        connection->deadline_ns = host->now_ns + http_seconds_ns(host->def.idle_s);
    }
    // The request's slices are not used any more.
    if (connection->state == PLOYI_HTTP_FREE) return;
    ploy_buffer_consume(&connection->in, head_size);
    connection->in_from = 0;
}

// ---- sockets

static void http_connection_control(ployi_http_connection *connection, ployi_http_host *host) {
    ployi_ws_reader *reader = &connection->reader;
    if (reader->control_kind == PLOYI_WS_PING) {
        // Only the newest ping needs an answer (RFC 6455, 5.5.3), so a flood of them costs nothing.
        connection->pong_due = true;
        connection->pong_size = reader->control_size;
        memcpy(connection->pong, reader->control, (size_t)reader->control_size);
    } else if (reader->control_kind == PLOYI_WS_CLOSE) {
        if (connection->state == PLOYI_HTTP_SOCKET) {
            int32_t code = ployi_ws_close_code(reader->control, reader->control_size);
            if (code == 1005) code = PLOYI_WS_CLOSE_NORMAL;
            http_connection_close(connection, host, code == 0 ? PLOYI_WS_CLOSE_PROTOCOL : code, "");
        }
        connection->last = true;
    }
}

// Feeds bytes to the socket's reader up to the next event and acts on that.
// @return the bytes used.
static size_t http_connection_feed(ployi_http_connection *connection, ployi_http_host *host,
                                   const uint8_t *bytes, size_t size) {
    size_t used = 0;
    ployi_ws_event event = ployi_ws_reader_feed(&connection->reader, bytes, size, &used);
    switch (event) {
    case PLOYI_WS_NOTHING: break;
    case PLOYI_WS_CONTROL: http_connection_control(connection, host); break;
    case PLOYI_WS_MESSAGE:
        if (connection->state == PLOYI_HTTP_SOCKET) {
            const ploy_buffer *message = &connection->reader.message;
            (void)ploy_inspector_receive(host->inspector, connection->client,
                                         ploy_buffer_text(message), message->size,
                                         connection->reader.kind == PLOYI_WS_TEXT);
        }
        break;
    case PLOYI_WS_FAILED: {
        int32_t code = connection->reader.close_code;
        const char *reason = code == PLOYI_WS_CLOSE_TOO_BIG    ? "the message is too large"
                             : code == PLOYI_WS_CLOSE_NOT_UTF8 ? "the text is not UTF-8"
                             : code == PLOYI_WS_CLOSE_TROUBLE  ? "out of memory"
                                                               : "not a valid frame";
        if (connection->state == PLOYI_HTTP_SOCKET) {
            http_connection_close(connection, host, code, reason);
        }
        // No close frame can be read after nonsense; all that is left is to linger.
        connection->last = true;
        break;
    }
    }
    return used;
}

// Looks at the next of the bytes that were read; false if there are none, or nothing more counts.
static bool http_connection_look(ployi_http_connection *connection, ployi_http_host *host) {
    if (connection->in.size == 0 || connection->last) return false;
    size_t used = http_connection_feed(connection, host, (const uint8_t *)connection->in.bytes,
                                       connection->in.size);
    if (connection->state == PLOYI_HTTP_FREE) return false; // dropped
    ploy_buffer_consume(&connection->in, used);
    return true;
}

// Requests that are whole, one after the other while nothing waits to be written.
static void http_connection_requests(ployi_http_connection *connection, ployi_http_host *host) {
    while (connection->state == PLOYI_HTTP_REQUEST && !connection->last &&
           !http_connection_waits(connection) && connection->in.size > 0) {
        size_t head =
            ployi_http_head_end(connection->in.bytes, connection->in.size, &connection->in_from);
        if (head == 0) {
            if (connection->in.size < connection->in.limit) return;
            http_connection_refuse(connection, host, 431, false);
            return;
        }
        http_connection_request(connection, host, head);
    }
    // What came right behind an upgrade are frames already; they wait in `in`.
}

// What was read, in the state that the connection is in.
static void http_connection_take(ployi_http_connection *connection, ployi_http_host *host,
                                 size_t size) {
    switch (connection->state) {
    case PLOYI_HTTP_FREE: break;
    case PLOYI_HTTP_REQUEST:
        if (ploy_buffer_append(&connection->in, host->bytes, size) != PLOY_OK) {
            ployi_http_connection_drop(connection, host);
            return;
        }
        http_connection_requests(connection, host);
        break;
    case PLOYI_HTTP_SOCKET:
    case PLOYI_HTTP_CLOSING:
        connection->heard_ns = host->now_ns;
        connection->pinged = false;
        if (ploy_buffer_append(&connection->in, host->bytes, size) != PLOY_OK) {
            ployi_http_connection_drop(connection, host);
            return;
        }
        // All that is left to hear is the other side's close.
        while (connection->state == PLOYI_HTTP_CLOSING && http_connection_look(connection, host)) {
        }
        break;
    case PLOYI_HTTP_LINGER:
        connection->lingered += size;
        if (connection->lingered > HTTP_CONNECTION_LINGER_BYTES) {
            ployi_http_connection_drop(connection, host);
        }
        break;
    }
}

// ---- writing

// Writes what waits. False if the connection is broken and was dropped.
static bool http_connection_flush(ployi_http_connection *connection, ployi_http_host *host) {
    while (http_connection_waits(connection)) {
        bool head = connection->out_at < connection->out.size;
        const void *bytes = head ? (const void *)(connection->out.bytes + connection->out_at)
                                 : (const void *)connection->body.bytes;
        size_t size = head ? connection->out.size - connection->out_at : connection->body.size;
        size_t done = 0;
        ploy_result result = ployi_socket_write(connection->socket, bytes, size, &done);
        if (result < 0) {
            ployi_http_connection_drop(connection, host);
            return false;
        }
        if (result == PLOY_IN_PROGRESS || done == 0) return true;
        if (head) {
            connection->out_at += done;
        } else {
            connection->body.bytes += done;
            connection->body.size -= done;
        }
        if (connection->state == PLOYI_HTTP_REQUEST) {
            connection->deadline_ns = host->now_ns + http_seconds_ns(host->def.idle_s);
        } else if (connection->state == PLOYI_HTTP_SOCKET) {
            connection->deadline_ns = 0; // set again below if it stalls
        }
    }
    connection->out_at = 0;
    if (connection->out.capacity > HTTP_CONNECTION_KEEP) {
        ploy_buffer_fini(&connection->out);
        ploy_buffer_init(&connection->out, host->out_limit, &host->env);
    } else {
        ploy_buffer_clear(&connection->out);
    }
    return true;
}

// Whether the step's time allows one more thing for this client. The first in a step is always
// allowed, so that a slow simulation cannot silence the page.
static bool http_connection_may(const ployi_http_connection *connection, ployi_http_host *host,
                                uint64_t now) {
    if (now >= host->end_ns && host->served) return false;
    if (host->guest_ns <= 0.0 && !ploy_inspector_trusts(host->inspector, connection->client)) {
        return false;
    }
    host->served = true;
    return true;
}

// Puts the next thing to say into out, which is empty. False if there is nothing.
static bool http_connection_next(ployi_http_connection *connection, ployi_http_host *host,
                                 uint64_t now) {
    if (connection->pong_due) {
        connection->pong_due = false;
        return http_connection_frame(connection, PLOYI_WS_PONG, connection->pong,
                                     (size_t)connection->pong_size);
    }
    const void *bytes = NULL;
    size_t size = 0;
    bool is_text = false;
    double left = now < host->end_ns ? (double)(host->end_ns - now) : 0.0;
    bool guest = !ploy_inspector_trusts(host->inspector, connection->client);
    if (guest && host->guest_ns < left) left = host->guest_ns > 0.0 ? host->guest_ns : 0.0;
    ploy_budget budget = ploy_budget_deadline(PLOY_BUDGET_UNLIMITED, (uint64_t)left, 1, &host->env);
    ploy_result result =
        ploy_inspector_send(host->inspector, connection->client, &budget, &bytes, &size, &is_text);
    if (result == PLOY_OK) {
        ployi_ws_opcode opcode = is_text ? PLOYI_WS_TEXT : PLOYI_WS_BINARY;
        if (http_connection_frame(connection, opcode, bytes, size)) return true;
        http_connection_close(connection, host, PLOYI_WS_CLOSE_TROUBLE, "out of memory");
        return false;
    }
    if (result == PLOY_ERR_CANCELLED) {
        http_connection_close(connection, host, PLOYI_WS_CLOSE_POLICY, "goodbye");
    }
    return false;
}

static void http_connection_write_socket(ployi_http_connection *connection, ployi_http_host *host) {
    uint64_t ping_ns = http_seconds_ns(host->def.ping_s);
    // Silence counts from the ping on, so that a program which stood still for minutes (in a
    // debugger, say) does not take its own silence for the client's.
    if (connection->pinged && host->now_ns - connection->pinged_ns > 2 * ping_ns) {
        http_connection_close(connection, host, PLOYI_WS_CLOSE_POLICY, "silent for too long");
        return;
    }
    if (!connection->pinged && host->now_ns - connection->heard_ns > ping_ns &&
        !http_connection_waits(connection)) {
        connection->pinged = http_connection_frame(connection, PLOYI_WS_PING, NULL, 0);
        connection->pinged_ns = host->now_ns;
    }
    if (ploy_inspector_access(host->inspector, connection->client) == PLOY_INSPECT_NONE &&
        host->now_ns - connection->opened_ns > http_seconds_ns(host->def.hello_s)) {
        http_connection_close(connection, host, PLOYI_WS_CLOSE_POLICY, "no hello");
        return;
    }
    for (int32_t i = 0; i < HTTP_CONNECTION_MESSAGES; i++) {
        if (!http_connection_flush(connection, host)) return;
        if (http_connection_waits(connection)) {
            if (connection->deadline_ns == 0) {
                connection->deadline_ns = host->now_ns + 3 * ping_ns;
            } else if (host->now_ns > connection->deadline_ns) {
                // It reads nothing: a close frame would not arrive either.
                ployi_http_connection_drop(connection, host);
            }
            return;
        }
        uint64_t before = ploy_env_clock(&host->env);
        bool guest = !ploy_inspector_trusts(host->inspector, connection->client);
        if (!http_connection_may(connection, host, before)) return;
        bool more = http_connection_next(connection, host, before);
        if (!more && connection->state == PLOYI_HTTP_SOCKET &&
            !ploy_inspector_waits(host->inspector, connection->client)) {
            more = http_connection_look(connection, host); // keeps (2)
        }
        if (guest) host->guest_ns -= (double)(ploy_env_clock(&host->env) - before);
        if (!more || connection->state != PLOYI_HTTP_SOCKET) return;
    }
}

// ---- shared with http.c

void ployi_http_connection_open(ployi_http_connection *connection, ployi_http_host *host,
                                ployi_socket socket) {
    memset(connection, 0, sizeof *connection);
    connection->socket = socket;
    connection->state = PLOYI_HTTP_REQUEST;
    connection->opened_ns = host->now_ns;
    connection->deadline_ns = host->now_ns + http_seconds_ns(host->def.idle_s);
    ploy_buffer_init(&connection->in, (size_t)host->def.max_header_kib * 1024, &host->env);
    ploy_buffer_init(&connection->out, host->out_limit, &host->env);
    ployi_ws_reader_init(&connection->reader, host->message_limit, &host->env);
}

void ployi_http_connection_drop(ployi_http_connection *connection, ployi_http_host *host) {
    if (connection->state == PLOYI_HTTP_FREE) return;
    http_connection_leave_inspector(connection, host);
    ployi_socket_close(&connection->socket);
    ploy_buffer_fini(&connection->in);
    ploy_buffer_fini(&connection->out);
    ployi_ws_reader_fini(&connection->reader);
    memset(connection, 0, sizeof *connection);
    connection->socket = ployi_socket_none();
}

bool ployi_http_connection_wants_read(const ployi_http_connection *connection) {
    if (connection->state == PLOYI_HTTP_FREE) return false;
    if (connection->state == PLOYI_HTTP_LINGER) return true;
    if (connection->last) return false;
    // The next request waits until this one's answer is on its way.
    if (connection->state == PLOYI_HTTP_REQUEST) return !http_connection_waits(connection);
    // Nor does a socket's next message get read while one is not answered.
    if (connection->state == PLOYI_HTTP_SOCKET) {
        return connection->in.size == 0 && !http_connection_waits(connection);
    }
    return true;
}

bool ployi_http_connection_wants_write(const ployi_http_connection *connection) {
    return connection->state != PLOYI_HTTP_FREE && http_connection_waits(connection);
}

void ployi_http_connection_read(ployi_http_connection *connection, ployi_http_host *host) {
    for (int32_t i = 0; i < HTTP_CONNECTION_READS; i++) {
        if (!ployi_http_connection_wants_read(connection)) return;
        size_t room = sizeof host->bytes;
        if (connection->state != PLOYI_HTTP_LINGER) {
            size_t left = connection->in.limit - connection->in.size; // keeps (1)
            if (room > left) room = left;
            if (room == 0) return;
        }
        size_t size = 0;
        ploy_result result = ployi_socket_read(connection->socket, host->bytes, room, &size);
        if (result == PLOY_IN_PROGRESS) return;
        if (result != PLOY_OK || size == 0) {
            // The other side is gone, or says that nothing more will come. A client that closes its
            // writing side early loses its answers; no browser does that.
            ployi_http_connection_drop(connection, host);
            return;
        }
        http_connection_take(connection, host, size);
        if (size < room) return;
    }
}

void ployi_http_connection_hear(ployi_http_connection *connection, ployi_http_host *host) {
    for (int32_t i = 0; i < HTTP_CONNECTION_MESSAGES; i++) {
        if (connection->state != PLOYI_HTTP_SOCKET || connection->in.size == 0) return;
        if (http_connection_waits(connection)) return;
        if (ploy_inspector_waits(host->inspector, connection->client)) return; // keeps (2)
        uint64_t before = ploy_env_clock(&host->env);
        bool guest = !ploy_inspector_trusts(host->inspector, connection->client);
        if (!http_connection_may(connection, host, before)) return;
        bool more = http_connection_look(connection, host);
        if (guest) host->guest_ns -= (double)(ploy_env_clock(&host->env) - before);
        if (!more) return;
    }
}

void ployi_http_connection_write(ployi_http_connection *connection, ployi_http_host *host) {
    if (connection->state == PLOYI_HTTP_SOCKET) http_connection_write_socket(connection, host);
    switch (connection->state) {
    case PLOYI_HTTP_FREE: return;
    case PLOYI_HTTP_SOCKET: return;
    case PLOYI_HTTP_REQUEST:
        // Requests that came in one piece are answered in one step, as far as the socket takes it.
        for (;;) {
            if (!http_connection_flush(connection, host)) return;
            if (http_connection_waits(connection) || connection->last) break;
            size_t before = connection->in.size;
            http_connection_requests(connection, host);
            if (connection->state != PLOYI_HTTP_REQUEST) return;
            if (connection->in.size == before && !connection->last) break;
        }
        if (connection->last && !http_connection_waits(connection)) {
            http_connection_linger(connection, host);
            return;
        }
        if (host->now_ns > connection->deadline_ns) {
            if (http_connection_waits(connection) || connection->in.size == 0) {
                ployi_http_connection_drop(connection, host);
            } else {
                http_connection_refuse(connection, host, 408, false);
                if (connection->state != PLOYI_HTTP_FREE) {
                    connection->deadline_ns = host->now_ns + HTTP_CONNECTION_LINGER_NS;
                }
            }
        }
        return;
    case PLOYI_HTTP_CLOSING:
        if (!http_connection_flush(connection, host)) return;
        if (connection->last && !http_connection_waits(connection)) {
            http_connection_linger(connection, host);
            return;
        }
        break;
    case PLOYI_HTTP_LINGER: break;
    }
    if (host->now_ns > connection->deadline_ns) ployi_http_connection_drop(connection, host);
}

uint64_t ployi_http_connection_deadline(const ployi_http_connection *connection,
                                        const ployi_http_host *host) {
    if (connection->state == PLOYI_HTTP_FREE) return UINT64_MAX;
    if (connection->state != PLOYI_HTTP_SOCKET) return connection->deadline_ns;
    uint64_t ping_ns = http_seconds_ns(host->def.ping_s);
    uint64_t next =
        connection->pinged ? connection->pinged_ns + 2 * ping_ns : connection->heard_ns + ping_ns;
    // A ping that is due waits for what is being written.
    if (!connection->pinged && http_connection_waits(connection)) next = UINT64_MAX;
    if (connection->deadline_ns != 0 && connection->deadline_ns < next) {
        next = connection->deadline_ns;
    }
    if (ploy_inspector_access(host->inspector, connection->client) == PLOY_INSPECT_NONE) {
        uint64_t hello = connection->opened_ns + http_seconds_ns(host->def.hello_s);
        if (hello < next) next = hello;
    }
    // Frames that wait for their turn.
    if (connection->in.size > 0 && !http_connection_waits(connection)) next = host->now_ns;
    return next;
}

void ployi_http_connection_farewell(ployi_http_connection *connection, ployi_http_host *host) {
    if (connection->state != PLOYI_HTTP_SOCKET) return;
    static const char goodbye[] =
        "{\"event\":\"goodbye\",\"code\":\"cancelled\",\"message\":\"the program ends\"}";
    if (!http_connection_waits(connection)) {
        (void)http_connection_frame(connection, PLOYI_WS_TEXT, goodbye, sizeof goodbye - 1);
    }
    http_connection_close(connection, host, PLOYI_WS_CLOSE_GOING, "the program ends");
    if (connection->state != PLOYI_HTTP_FREE) (void)http_connection_flush(connection, host);
}

#undef HTTP_CONNECTION_LINGER_NS
#undef HTTP_CONNECTION_LINGER_BYTES
#undef HTTP_CONNECTION_READS
#undef HTTP_CONNECTION_MESSAGES
#undef HTTP_CONNECTION_KEEP
