// What is said to a request: a file, a refusal, or the first words of a WebSocket.
//
// Files are sent straight from the memory they lie in; only the head is written to a buffer. Each
// has an ETag (its 64-bit hash), so that a reload costs a few bytes. The security headers allow the
// page its own files and its own socket and nothing else: no inline script, no frame around it.
#include "inspect/http_internal.h"

#include <string.h>

#include "ploy/base/number.h"

static const char *http_answer_reason(int32_t status) {
    switch (status) {
    case 101: return "Switching Protocols";
    case 200: return "OK";
    case 304: return "Not Modified";
    case 400: return "Bad Request";
    case 403: return "Forbidden";
    case 404: return "Not Found";
    case 405: return "Method Not Allowed";
    case 408: return "Request Timeout";
    case 413: return "Content Too Large";
    case 414: return "URI Too Long";
    case 426: return "Upgrade Required";
    case 431: return "Request Header Fields Too Large";
    case 503: return "Service Unavailable";
    case 505: return "HTTP Version Not Supported";
    default: return "Internal Server Error";
    }
}

// What a person reads who came here by hand.
static const char *http_answer_sentence(int32_t status) {
    switch (status) {
    case 400: return "This is not a request that the inspector understands.\n";
    case 403: return "The Host or Origin of this request is not the inspector's own address.\n";
    case 404: return "There is no such file here.\n";
    case 405: return "Only GET and HEAD are answered here.\n";
    case 408: return "The request took too long.\n";
    case 413: return "Requests with a body are not taken here.\n";
    case 414: return "The address is too long.\n";
    case 426: return "The socket speaks WebSocket version 13.\n";
    case 431: return "The request's head is too large.\n";
    case 503: return "There are as many clients as the inspector takes.\n";
    case 505: return "The inspector speaks HTTP/1.1.\n";
    default: return "The inspector is out of memory.\n";
    }
}

static void http_answer_status(int32_t status, ploy_writer *out) {
    ploy_write_text(out, "HTTP/1.1 ");
    ploy_write_i64(out, status);
    ploy_write_char(out, ' ');
    ploy_write_text(out, http_answer_reason(status));
    ploy_write_text(out, "\r\n");
}

// Two loopback names reach the same server; the page may have come by either.
static void http_answer_security(const ployi_http_site *site, ploy_writer *out) {
    ploy_write_text(out, "Content-Security-Policy: default-src 'none'; "
                         "script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; "
                         "img-src 'self' data: blob:; font-src 'self'; worker-src 'self' blob:; "
                         "manifest-src 'self'; connect-src 'self'");
    if (!site->any_address) {
        static const char *const names[] = {" ws://127.0.0.1:", " ws://localhost:"};
        for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
            ploy_write_text(out, names[i]);
            ploy_write_i64(out, site->port);
        }
    }
    ploy_write_text(out, "; base-uri 'none'; form-action 'none'; frame-ancestors 'none'\r\n"
                         "X-Content-Type-Options: nosniff\r\n"
                         "Referrer-Policy: no-referrer\r\n"
                         "Cross-Origin-Opener-Policy: same-origin\r\n"
                         "Cross-Origin-Resource-Policy: same-origin\r\n");
}

static int32_t http_answer_find(const ployi_http_site *site, ployi_slice path) {
    for (int32_t i = 0; site->assets[i].path != NULL; i++) {
        if (ployi_slice_equal(path, site->assets[i].path)) return i;
        if (path.size == 1 && strcmp(site->assets[i].path, "/index.html") == 0) return i;
    }
    return -1;
}

// True if the tag is in the header's list, weak or strong, or the list is "*".
static bool http_answer_matches(ployi_slice list, const char *tag) {
    if (list.bytes == NULL) return false;
    if (ployi_slice_equal(list, "*")) return true;
    size_t size = strlen(tag);
    for (size_t at = 0; at + size <= list.size; at++) {
        if (memcmp(list.bytes + at, tag, size) == 0) return true;
    }
    return false;
}

static bool http_answer_trusted(const ployi_http_site *site, const ployi_http_request *request) {
    return site->any_address || ployi_http_host_is_loopback(request->host, site->port);
}

void ployi_http_refuse(int32_t status, bool head, ploy_writer *out) {
    const char *sentence = http_answer_sentence(status);
    http_answer_status(status, out);
    if (status == 405) ploy_write_text(out, "Allow: GET, HEAD\r\n");
    if (status == 426) {
        ploy_write_text(out, "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n");
    }
    ploy_write_text(out, "Content-Type: text/plain; charset=utf-8\r\n"
                         "X-Content-Type-Options: nosniff\r\n"
                         "Cache-Control: no-store\r\n"
                         "Connection: close\r\nContent-Length: ");
    ploy_write_u64(out, strlen(sentence));
    ploy_write_text(out, "\r\n\r\n");
    if (!head) ploy_write_text(out, sentence);
}

int32_t ployi_http_answer(const ployi_http_site *site, const ployi_http_request *request,
                          ploy_writer *out, ployi_http_body *body) {
    body->bytes = NULL;
    body->size = 0;
    int32_t index = -1;
    int32_t status = 403;
    if (http_answer_trusted(site, request)) {
        index = http_answer_find(site, request->path);
        status = index < 0 ? 404 : 200;
    }
    if (status != 200) {
        ployi_http_refuse(status, request->head, out);
        return status;
    }
    const ploy_asset *asset = &site->assets[index];
    char tag[PLOY_PRINT_HEX64_SIZE + 2];
    tag[0] = '"';
    size_t digits = ploy_print_hex64(site->hashes[index], tag + 1);
    tag[1 + digits] = '"';
    tag[2 + digits] = 0;
    if (http_answer_matches(request->none_match, tag)) status = 304;
    http_answer_status(status, out);
    ploy_write_text(out, "ETag: ");
    ploy_write_text(out, tag);
    // The page must ask again each time, because the next program on this port is another one.
    ploy_write_text(out, "\r\nCache-Control: no-cache\r\n");
    http_answer_security(site, out);
    if (!request->keep) ploy_write_text(out, "Connection: close\r\n");
    if (status == 200) {
        ploy_write_text(out, "Content-Type: ");
        ploy_write_text(out, asset->type);
        ploy_write_text(out, "\r\nContent-Length: ");
        ploy_write_u64(out, asset->size);
        ploy_write_text(out, "\r\n");
        if (!request->head) {
            body->bytes = asset->bytes;
            body->size = asset->size;
        }
    }
    ploy_write_text(out, "\r\n");
    return status;
}

int32_t ployi_http_upgrade(const ployi_http_site *site, const ployi_http_request *request,
                           ploy_writer *out) {
    if (!http_answer_trusted(site, request)) return 403;
    if (!ployi_slice_equal(request->path, "/socket")) return 404;
    if (request->head || request->minor < 1) return 400;
    // A browser always says where a page came from; programs may leave it out.
    if (request->origin.bytes != NULL &&
        !ployi_http_origin_is_same(request->origin, request->host)) {
        return 403;
    }
    if (!ployi_slice_equal(request->ws_version, "13")) return 426;
    if (!ployi_ws_key_valid(request->ws_key.bytes, request->ws_key.size)) return 400;
    if (request->protocols && !request->protocol) return 400;
    char accept[PLOYI_WS_ACCEPT_SIZE];
    ployi_ws_accept(request->ws_key.bytes, request->ws_key.size, accept);
    http_answer_status(101, out);
    ploy_write_text(out, "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ");
    ploy_write_text(out, accept);
    if (request->protocol) {
        ploy_write_text(out, "\r\nSec-WebSocket-Protocol: ploy.inspector.1");
    }
    ploy_write_text(out, "\r\n\r\n");
    return 0;
}
