// The inspector's server: one listening socket, a fixed table of connections, one loop.
//
// Everything happens inside ploy_inspect_server_step, on the caller's thread: look who is ready,
// accept, read, step the inspector, write. Nothing waits except the one poll, and that only as long
// as the caller allows, the inspector has nothing due and no connection's time runs out.
//
// Invariants, from create to destroy:
//   (1) connections holds def.max_connections places, those in use have state != FREE;
//   (2) memory is bounded by the def: for each connection the head, one incoming message and the
//       larger of a picture and the queue; for the inspector what its own def says.
#include "ploy/inspect/http.h"

#include <string.h>

#include "inspect/http_internal.h"
#include "ploy/base/hash.h"
#include "ploy/base/os.h"

// Clients beyond this wait in the system's line.
#define HTTP_BACKLOG 64
#define HTTP_ACCEPTS 64 // a step
// When the system has no handle left, asking again at once would only burn time.
#define HTTP_ACCEPT_PAUSE_NS 100000000u
#define HTTP_TOKEN_BYTES 16

static const ploy_field http_fields[] = {
    PLOY_FIELD_I32_FIXED(ploy_inspect_server_def, port, PLOY_INSPECT_PORT, 0, 65535, "",
                         "port to listen on; 0 for any free one"),
    PLOY_FIELD_BOOL(ploy_inspect_server_def, any_port, false,
                    "take any free port if that one is taken"),
    PLOY_FIELD_BOOL(ploy_inspect_server_def, any_address, false,
                    "listen beyond loopback; then looking needs the token too"),
    PLOY_FIELD_BOOL(ploy_inspect_server_def, writable, true,
                    "let clients with the token change things"),
    PLOY_FIELD_I32_FIXED(ploy_inspect_server_def, max_connections, 64, 1, 1024, "",
                         "connections at once"),
    PLOY_FIELD_I32_FIXED(ploy_inspect_server_def, max_header_kib, 16, 1, 1024, "KiB",
                         "largest head of a request"),
    PLOY_FIELD_F32(ploy_inspect_server_def, idle_s, 10, 0.01f, 3600, "s",
                   "time that a request may take, or an answer may stall"),
    PLOY_FIELD_F32(ploy_inspect_server_def, hello_s, 5, 0.01f, 3600, "s",
                   "time that a new socket may take until it says hello"),
    PLOY_FIELD_F32(ploy_inspect_server_def, ping_s, 20, 0.01f, 3600, "s",
                   "silence after which a socket is pinged; no answer in twice that closes it"),
    PLOY_FIELD_F32(ploy_inspect_server_def, work_ms, 8, 0.1f, 1000, "ms",
                   "time of each step for all work"),
    PLOY_FIELD_F32(ploy_inspect_server_def, guest_share, 0.1f, 0.001f, 1, "",
                   "part of the time for all clients without the token"),
    PLOY_FIELD_F32(ploy_inspect_server_def, rest_ms, 1, 0, 100, "ms",
                   "time between two looks at the sockets; steps in between do nothing"),
    PLOY_FIELD_DEF(ploy_inspect_server_def, inspector, ploy_inspector_fields, "the inspector"),
};

struct ploy_inspect_server {
    ployi_http_host host;
    ployi_socket listening;
    bool started; // the system's sockets are in use
    uint64_t last_ns;
    uint64_t accept_ns; // not before
    uint64_t *hashes;
    int32_t asset_count;
    int32_t turn;      // the connection that is served first
    bool inside;       // a step is under way
    ployi_poll *polls; // the listening socket, then one for each connection in use
    void *poll_scratch;
    char token[2 * HTTP_TOKEN_BYTES + 1];
    char url[96];
};

static int32_t http_poll_count(const ploy_inspect_server *server) {
    return server->host.def.max_connections + 1;
}

static ploy_result http_make_token(ploy_inspect_server *server) {
    static const char digits[] = "0123456789abcdef";
    uint8_t bytes[HTTP_TOKEN_BYTES];
    ploy_result result = ploy_os_random(bytes, sizeof bytes);
    if (result != PLOY_OK) return result;
    for (size_t i = 0; i < sizeof bytes; i++) {
        server->token[2 * i] = digits[bytes[i] >> 4];
        server->token[2 * i + 1] = digits[bytes[i] & 15];
    }
    server->token[2 * sizeof bytes] = 0;
    return PLOY_OK;
}

static ploy_result http_write_fixed(void *user, const void *bytes, size_t size) {
    char **at = user;
    memcpy(*at, bytes, size);
    *at += size;
    **at = 0;
    return PLOY_OK;
}

// At most 22 + 5 + 8 + 32 characters.
static void http_make_url(ploy_inspect_server *server) {
    char *at = server->url;
    ploy_writer writer = ploy_writer_make(http_write_fixed, &at);
    ploy_write_text(&writer, "http://127.0.0.1:");
    ploy_write_i64(&writer, server->host.site.port);
    ploy_write_char(&writer, '/');
    // Where the token opens nothing it is not shown.
    if (server->host.def.writable || server->host.def.any_address) {
        ploy_write_text(&writer, "#token=");
        ploy_write_text(&writer, server->token);
    }
}

static ploy_result http_listen(ploy_inspect_server *server) {
    const ploy_inspect_server_def *def = &server->host.def;
    int32_t port = def->port;
    ploy_result result =
        ployi_socket_listen(&port, def->any_address, HTTP_BACKLOG, &server->listening);
    if (result != PLOY_OK && def->any_port && def->port != 0) {
        port = 0;
        result = ployi_socket_listen(&port, def->any_address, HTTP_BACKLOG, &server->listening);
    }
    if (result != PLOY_OK) {
        char text[96];
        char *at = text;
        ploy_writer writer = ploy_writer_make(http_write_fixed, &at);
        ploy_write_text(&writer, "inspector: cannot listen on port ");
        ploy_write_i64(&writer, def->port);
        ploy_write_text(&writer, "; is another program using it?");
        ploy_env_log(&server->host.env, PLOY_SEVERITY_ERROR, text);
        return result;
    }
    server->host.site.port = port;
    return PLOY_OK;
}

static ploy_result http_hash_assets(ploy_inspect_server *server, const ploy_asset *assets) {
    int32_t count = 0;
    while (assets[count].path != NULL) count++;
    server->host.site.assets = assets;
    if (count == 0) return PLOY_OK;
    server->hashes = ploy_env_alloc(&server->host.env, (size_t)count * sizeof(uint64_t));
    if (server->hashes == NULL) return PLOY_ERR_MEMORY;
    server->asset_count = count;
    for (int32_t i = 0; i < count; i++) {
        server->hashes[i] = ploy_hash_bytes(assets[i].bytes, assets[i].size, 0);
    }
    server->host.site.hashes = server->hashes;
    return PLOY_OK;
}

static ploy_result http_build(ploy_inspect_server *server, const ploy_sim_type *const *types,
                              const ploy_asset *assets) {
    const ploy_inspect_server_def *def = &server->host.def;
    const ploy_env *env = &server->host.env;
    ploy_result result =
        ploy_inspector_create(&def->inspector, types, env, &server->host.inspector);
    if (result != PLOY_OK) return result;
    result = http_hash_assets(server, assets != NULL ? assets : ploy_studio_assets());
    if (result != PLOY_OK) return result;
    server->host.connections =
        ploy_env_alloc_zero(env, (size_t)def->max_connections * sizeof(ployi_http_connection));
    server->polls = ploy_env_alloc_zero(env, (size_t)http_poll_count(server) * sizeof(ployi_poll));
    server->poll_scratch = ploy_env_alloc(env, ployi_socket_poll_size(http_poll_count(server)));
    if (server->host.connections == NULL || server->polls == NULL || server->poll_scratch == NULL) {
        return PLOY_ERR_MEMORY;
    }
    result = http_make_token(server);
    if (result != PLOY_OK) return result;
    result = ploy_inspector_set_token(server->host.inspector, server->token,
                                      def->writable ? PLOY_INSPECT_WRITE : PLOY_INSPECT_LOOK);
    if (result != PLOY_OK) return result;
    result = ployi_socket_start();
    if (result != PLOY_OK) return result;
    server->started = true;
    result = http_listen(server);
    if (result != PLOY_OK) return result;
    http_make_url(server);
    return PLOY_OK;
}

// The first free place; max_connections if there is none.
static int32_t http_free_place(const ployi_http_host *host) {
    int32_t place = 0;
    while (place < host->def.max_connections && host->connections[place].state != PLOYI_HTTP_FREE) {
        place++;
    }
    return place;
}

bool ployi_http_evict(ployi_http_host *host, bool only_sockets) {
    ployi_http_connection *oldest = NULL;
    for (int32_t i = 0; i < host->def.max_connections; i++) {
        ployi_http_connection *connection = &host->connections[i];
        if (connection->state == PLOYI_HTTP_FREE) continue;
        bool socket = connection->state == PLOYI_HTTP_SOCKET;
        if (only_sockets && !socket) continue;
        if (socket &&
            ploy_inspector_access(host->inspector, connection->client) > PLOY_INSPECT_NONE) {
            continue;
        }
        if (oldest == NULL || connection->opened_ns < oldest->opened_ns) oldest = connection;
    }
    if (oldest == NULL) return false;
    ployi_http_connection_drop(oldest, host);
    return true;
}

static void http_accept(ploy_inspect_server *server) {
    ployi_http_host *host = &server->host;
    for (int32_t i = 0; i < HTTP_ACCEPTS; i++) {
        ployi_socket socket;
        ploy_result result = ployi_socket_accept(server->listening, &socket);
        if (result == PLOY_ERR_CAPACITY) {
            server->accept_ns = host->now_ns + HTTP_ACCEPT_PAUSE_NS;
        }
        if (result != PLOY_OK) return;
        int32_t place = http_free_place(host);
        if (place == host->def.max_connections && ployi_http_evict(host, false)) {
            place = http_free_place(host);
        }
        if (place < host->def.max_connections) {
            ployi_http_connection_open(&server->host.connections[place], host, socket);
        } else {
            ployi_socket_close(&socket);
        }
    }
}

// How long the poll may sleep: as long as the caller says, and nothing is due.
static int32_t http_wait_ms(const ploy_inspect_server *server, int32_t wait_ms) {
    const ployi_http_host *host = &server->host;
    if (wait_ms <= 0) return 0;
    double wait = (double)wait_ms;
    double due = ploy_inspector_due_s(host->inspector) * 1000.0;
    if (due < wait) wait = due;
    for (int32_t i = 0; i < host->def.max_connections; i++) {
        uint64_t at = ployi_http_connection_deadline(&server->host.connections[i], host);
        double left = at <= host->now_ns ? 0.0 : (double)(at - host->now_ns) / 1e6 + 1.0;
        if (left < wait) wait = left;
    }
    // Rounded up, because waking a little early means waking twice; but never from 0 to 1.
    int32_t whole = (int32_t)wait;
    return wait > (double)whole ? whole + 1 : whole;
}

ploy_inspect_server_def ploy_inspect_server_def_default(void) {
    ploy_inspect_server_def def;
    ploy_fields_default(ploy_inspect_server_fields(), &def);
    return def;
}

ploy_fields ploy_inspect_server_fields(void) {
    return PLOY_FIELDS(ploy_inspect_server_def, http_fields);
}

ploy_result ploy_inspect_server_create(const ploy_inspect_server_def *def,
                                       const ploy_sim_type *const *types, const ploy_asset *assets,
                                       const ploy_env *env, ploy_inspect_server **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_inspect_server_fields(), def, env);
    if (result != PLOY_OK) return result;
    ploy_inspect_server *server = ploy_env_alloc_zero(env, sizeof *server);
    if (server == NULL) return PLOY_ERR_MEMORY;
    server->host.env = *env;
    server->host.def = *def;
    server->host.site.any_address = def->any_address;
    server->host.message_limit = (size_t)def->inspector.max_message_kib * 1024;
    int32_t out_kib = def->inspector.max_picture_kib;
    if (out_kib < def->inspector.max_queue_kib) out_kib = def->inspector.max_queue_kib;
    if (out_kib < def->inspector.max_tree_kib) out_kib = def->inspector.max_tree_kib;
    // Room for what surrounds a tree, and for the head of an answer and control frames.
    server->host.out_limit = (size_t)out_kib * 1024 + 8192;
    server->host.now_ns = ploy_env_clock(env);
    server->last_ns = server->host.now_ns;
    server->host.guest_ns = (double)def->work_ms * 1e6;
    server->listening = ployi_socket_none();
    result = http_build(server, types, assets);
    if (result != PLOY_OK) {
        ploy_inspect_server_destroy(server);
        return result;
    }
    *out = server;
    return PLOY_OK;
}

// A server with the defaults and nothing to show yet.
static ploy_result http_attach_begin(const ploy_env *env, ploy_inspect_server **out) {
    ploy_inspect_server_def def = ploy_inspect_server_def_default();
    def.any_port = true;
    return ploy_inspect_server_create(&def, NULL, NULL, env, out);
}

// Publishes the server if it has something to show.
static ploy_result http_attach_end(ploy_inspect_server *server, ploy_result result,
                                   ploy_inspect_server **out) {
    if (result != PLOY_OK) {
        ploy_inspect_server_destroy(server);
        return result;
    }
    char text[160];
    char *at = text;
    ploy_writer writer = ploy_writer_make(http_write_fixed, &at);
    ploy_write_text(&writer, "inspector: open ");
    ploy_write_text(&writer, server->url);
    ploy_env_log(&server->host.env, PLOY_SEVERITY_INFO, text);
    *out = server;
    return PLOY_OK;
}

ploy_result ploy_inspect_attach(const ploy_inspect_source *source, const ploy_env *env,
                                ploy_inspect_server **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    ploy_inspect_server *server = NULL;
    ploy_result result = http_attach_begin(env, &server);
    if (result != PLOY_OK) return result;
    return http_attach_end(server, ploy_inspector_add_source(server->host.inspector, source), out);
}

ploy_result ploy_inspect_attach_recorder(ploy_recorder *recorder, const ploy_env *env,
                                         ploy_inspect_server **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    ploy_inspect_server *server = NULL;
    ploy_result result = http_attach_begin(env, &server);
    if (result != PLOY_OK) return result;
    return http_attach_end(server, ploy_inspector_add_recorder(server->host.inspector, recorder),
                           out);
}

bool ploy_inspect_server_holds(const ploy_inspect_server *server, const ploy_recorder *recorder) {
    return server != NULL && ploy_inspector_holds(server->host.inspector, recorder);
}

void ploy_inspect_server_destroy(ploy_inspect_server *server) {
    if (server == NULL) return;
    ploy_env env = server->host.env;
    ployi_http_host *host = &server->host;
    if (server->host.connections != NULL) {
        for (int32_t i = 0; i < host->def.max_connections; i++) {
            ployi_http_connection_farewell(&server->host.connections[i], host);
            ployi_http_connection_drop(&server->host.connections[i], host);
        }
    }
    ployi_socket_close(&server->listening);
    if (server->started) ployi_socket_stop();
    ploy_inspector_destroy(host->inspector);
    ploy_env_free(&env, server->poll_scratch, ployi_socket_poll_size(http_poll_count(server)));
    ploy_env_free(&env, server->polls, (size_t)http_poll_count(server) * sizeof(ployi_poll));
    ploy_env_free(&env, server->host.connections,
                  (size_t)host->def.max_connections * sizeof(ployi_http_connection));
    ploy_env_free(&env, server->hashes, (size_t)server->asset_count * sizeof(uint64_t));
    ploy_env_free(&env, server, sizeof *server);
}

static ploy_result http_step(ploy_inspect_server *server, int32_t wait_ms) {
    ployi_http_host *host = &server->host;
    host->now_ns = ploy_env_clock(&host->env);
    // Asking the system costs a microsecond or two, which a game at a hundred thousand ticks a
    // second would feel.
    uint64_t rest_ns = (uint64_t)((double)host->def.rest_ms * 1e6);
    if (wait_ms == 0 && host->now_ns - server->last_ns < rest_ns) return PLOY_OK;
    int32_t count = 1;
    memset(&server->polls[0], 0, sizeof server->polls[0]);
    server->polls[0].socket = server->listening;
    server->polls[0].want_read = host->now_ns >= server->accept_ns;
    for (int32_t i = 0; i < host->def.max_connections; i++) {
        const ployi_http_connection *connection = &server->host.connections[i];
        if (connection->state == PLOYI_HTTP_FREE) continue;
        ployi_poll *poll = &server->polls[count++];
        memset(poll, 0, sizeof *poll);
        poll->socket = connection->socket;
        poll->want_read = ployi_http_connection_wants_read(connection);
        poll->want_write = ployi_http_connection_wants_write(connection);
    }
    ploy_result result = ployi_socket_poll(server->polls, count, http_wait_ms(server, wait_ms),
                                           server->poll_scratch);
    if (result != PLOY_OK) return result;
    host->now_ns = ploy_env_clock(&host->env);
    int32_t at = 1;
    for (int32_t i = 0; i < host->def.max_connections; i++) {
        ployi_http_connection *connection = &server->host.connections[i];
        if (connection->state == PLOYI_HTTP_FREE) continue;
        const ployi_poll *poll = &server->polls[at++];
        if (poll->hurt) {
            ployi_http_connection_drop(connection, host);
        } else if (poll->can_read) {
            ployi_http_connection_read(connection, host);
        }
    }
    if (server->polls[0].hurt) return PLOY_ERR_SYSTEM;
    // After the reading, so that the places of clients that just left can be taken.
    if (server->polls[0].can_read) http_accept(server);

    double elapsed_ns = (double)(host->now_ns - server->last_ns);
    server->last_ns = host->now_ns;
    uint64_t work_ns = (uint64_t)((double)host->def.work_ms * 1e6);
    host->guest_ns += elapsed_ns * (double)host->def.guest_share;
    if (host->guest_ns > (double)work_ns) host->guest_ns = (double)work_ns;
    host->served = false;
    // Another connection comes first each time, so that the time is shared fairly.
    int32_t places = host->def.max_connections;
    server->turn = (server->turn + 1) % places;
    // Requests first, so that what they ask of a simulation is done in this step.
    host->end_ns = host->now_ns + work_ns / 4;
    for (int32_t i = 0; i < places; i++) {
        ployi_http_connection_hear(&host->connections[(server->turn + i) % places], host);
    }
    uint64_t now = ploy_env_clock(&host->env), end_ns = host->now_ns + work_ns;
    ploy_budget budget =
        ploy_budget_deadline(PLOY_BUDGET_UNLIMITED, end_ns > now ? end_ns - now : 0, 1, &host->env);
    result = ploy_inspector_step(host->inspector, elapsed_ns / 1e9, &budget);
    // What simulations left, but a quarter at least: the page must be able to pause them.
    now = ploy_env_clock(&host->env);
    host->end_ns = end_ns > now + work_ns / 4 ? end_ns : now + work_ns / 4;
    for (int32_t i = 0; i < places; i++) {
        ployi_http_connection_write(&host->connections[(server->turn + i) % places], host);
    }
    return result;
}

ploy_result ploy_inspect_server_step(ploy_inspect_server *server, int32_t wait_ms) {
    if (server == NULL) return PLOY_ERR_ARGUMENT;
    if (server->inside) return PLOY_ERR_STATE; // from a describe, draw or command
    server->inside = true;
    ploy_result result = http_step(server, wait_ms);
    server->inside = false;
    return result;
}

int32_t ploy_inspect_server_port(const ploy_inspect_server *server) {
    return server->host.site.port;
}

const char *ploy_inspect_server_url(const ploy_inspect_server *server) {
    return server->url;
}

int32_t ploy_inspect_server_connection_count(const ploy_inspect_server *server) {
    int32_t count = 0;
    for (int32_t i = 0; i < server->host.def.max_connections; i++) {
        count += server->host.connections[i].state != PLOYI_HTTP_FREE;
    }
    return count;
}

ploy_inspector *ploy_inspect_server_inspector(ploy_inspect_server *server) {
    return server->host.inspector;
}

void ploy_inspect_server_memory(const ploy_inspect_server *server, ploy_memory_fn fn, void *user) {
    ploy_memory_item fixed = {"server", sizeof *server, 4};
    fixed.bytes += (size_t)server->host.def.max_connections * sizeof(ployi_http_connection);
    fixed.bytes += (size_t)http_poll_count(server) * sizeof(ployi_poll);
    fixed.bytes += ployi_socket_poll_size(http_poll_count(server));
    fixed.bytes += (size_t)server->asset_count * sizeof(uint64_t);
    fixed.blocks += server->asset_count > 0;
    fn(user, &fixed);
    ploy_memory_item buffers = {"connections", 0, 0};
    for (int32_t i = 0; i < server->host.def.max_connections; i++) {
        const ployi_http_connection *connection = &server->host.connections[i];
        const ploy_buffer *each[] = {&connection->in, &connection->out,
                                     &connection->reader.message};
        for (size_t k = 0; k < sizeof each / sizeof each[0]; k++) {
            buffers.bytes += each[k]->capacity;
            buffers.blocks += each[k]->bytes != NULL;
        }
    }
    fn(user, &buffers);
    ploy_inspector_memory(server->host.inspector, fn, user);
}

#undef HTTP_BACKLOG
#undef HTTP_ACCEPTS
#undef HTTP_ACCEPT_PAUSE_NS
#undef HTTP_TOKEN_BYTES
