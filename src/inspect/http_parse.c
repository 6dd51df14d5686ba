// Reads the head of an HTTP request (RFC 9112), strictly: whatever two parsers could read in two
// interpretations (a bare line feed, a blank before a colon, a folded line, two Host headers, a body) is
// refused, because each of these has been a security hole somewhere. Nothing is allocated, nothing
// is decoded, and the caller decides how many bytes there may be before this runs.
#include "inspect/http_internal.h"

#include <string.h>

// More headers than a browser sends; the size is limited elsewhere.
#define HTTP_PARSE_MAX_HEADERS 100
#define HTTP_PARSE_MAX_TARGET 2048

typedef struct http_parse {
    ployi_http_request request;
    bool connection_close, connection_keep, connection_upgrade, upgrade_websocket;
} http_parse;

static unsigned char http_parse_lower(char c) {
    unsigned char byte = (unsigned char)c;
    return byte >= 'A' && byte <= 'Z' ? (unsigned char)(byte + 32) : byte;
}

// A token's character (RFC 9110, 5.6.2).
static bool http_parse_is_token(char c) {
    unsigned char lower = http_parse_lower(c);
    if (lower >= 'a' && lower <= 'z') return true;
    if (c >= '0' && c <= '9') return true;
    return c != 0 && strchr("!#$%&'*+-.^_`|~", c) != NULL;
}

static ployi_slice http_parse_slice(const char *bytes, size_t size) {
    ployi_slice slice = {bytes, size};
    return slice;
}

static ployi_slice http_parse_trim(ployi_slice slice) {
    while (slice.size > 0 && (slice.bytes[0] == ' ' || slice.bytes[0] == '\t')) {
        slice.bytes++;
        slice.size--;
    }
    while (slice.size > 0 &&
           (slice.bytes[slice.size - 1] == ' ' || slice.bytes[slice.size - 1] == '\t')) {
        slice.size--;
    }
    return slice;
}

// Takes the next element of a comma-separated list; false at its end.
static bool http_parse_next(ployi_slice *list, ployi_slice *element) {
    if (list->size == 0) return false;
    size_t size = 0;
    while (size < list->size && list->bytes[size] != ',') size++;
    *element = http_parse_trim(http_parse_slice(list->bytes, size));
    if (size < list->size) size++; // the comma
    list->bytes += size;
    list->size -= size;
    return true;
}

static bool http_parse_has(ployi_slice list, const char *element) {
    ployi_slice each;
    while (http_parse_next(&list, &each)) {
        if (ployi_slice_equal_caseless(each, element)) return true;
    }
    return false;
}

// "GET /path?query HTTP/1.1"
static int32_t http_parse_line(ployi_slice line, http_parse *parse) {
    size_t method = 0;
    while (method < line.size && http_parse_is_token(line.bytes[method])) method++;
    if (method == 0 || method >= line.size || line.bytes[method] != ' ') return 400;
    size_t target = method + 1;
    size_t end = target;
    // Only visible ASCII: controls and blanks would be read differently by others.
    while (end < line.size && line.bytes[end] > ' ' && line.bytes[end] < 127) end++;
    if (end >= line.size || line.bytes[end] != ' ' || end == target) return 400;
    ployi_slice version = http_parse_slice(line.bytes + end + 1, line.size - end - 1);
    if (version.size != 8 || memcmp(version.bytes, "HTTP/", 5) != 0 || version.bytes[6] != '.') {
        return 400;
    }
    if (version.bytes[5] < '0' || version.bytes[5] > '9') return 400;
    if (version.bytes[7] < '0' || version.bytes[7] > '9') return 400;
    if (version.bytes[5] != '1') return 505;
    parse->request.minor = version.bytes[7] - '0';
    ployi_slice name = http_parse_slice(line.bytes, method);
    parse->request.head = ployi_slice_equal(name, "HEAD");
    if (!parse->request.head && !ployi_slice_equal(name, "GET")) return 405;
    if (end - target > HTTP_PARSE_MAX_TARGET) return 414;
    if (line.bytes[target] != '/') return 400; // a proxy's form, or an asterisk
    size_t path = target;
    while (path < end && line.bytes[path] != '?') {
        if (line.bytes[path] == '#') return 400;
        path++;
    }
    parse->request.path = http_parse_slice(line.bytes + target, path - target);
    return 0;
}

// Headers that may occur only once; a second one means that two parties disagree about the first.
static int32_t http_parse_once(ployi_slice *where, ployi_slice value) {
    if (where->bytes != NULL) return 400;
    *where = value;
    return 0;
}

static int32_t http_parse_header(ployi_slice name, ployi_slice value, http_parse *parse) {
    ployi_http_request *request = &parse->request;
    if (ployi_slice_equal_caseless(name, "host")) return http_parse_once(&request->host, value);
    if (ployi_slice_equal_caseless(name, "origin")) return http_parse_once(&request->origin, value);
    if (ployi_slice_equal_caseless(name, "sec-websocket-key")) {
        return http_parse_once(&request->ws_key, value);
    }
    if (ployi_slice_equal_caseless(name, "sec-websocket-version")) {
        return http_parse_once(&request->ws_version, value);
    }
    if (ployi_slice_equal_caseless(name, "if-none-match")) {
        return http_parse_once(&request->none_match, value);
    }
    if (ployi_slice_equal_caseless(name, "sec-websocket-protocol")) {
        request->protocols = true;
        // Names of subprotocols are compared exactly.
        ployi_slice each;
        while (http_parse_next(&value, &each)) {
            request->protocol = request->protocol || ployi_slice_equal(each, "ploy.inspector.1");
        }
        return 0;
    }
    if (ployi_slice_equal_caseless(name, "connection")) {
        parse->connection_close = parse->connection_close || http_parse_has(value, "close");
        parse->connection_keep = parse->connection_keep || http_parse_has(value, "keep-alive");
        parse->connection_upgrade = parse->connection_upgrade || http_parse_has(value, "upgrade");
        return 0;
    }
    if (ployi_slice_equal_caseless(name, "upgrade")) {
        parse->upgrade_websocket = parse->upgrade_websocket || http_parse_has(value, "websocket");
        return 0;
    }
    // No request here has a body. One that announces a body is refused and its connection closed,
    // so that the body is never taken for the next request.
    if (ployi_slice_equal_caseless(name, "transfer-encoding")) return 413;
    if (ployi_slice_equal_caseless(name, "content-length")) {
        return ployi_slice_equal(value, "0") ? 0 : 413;
    }
    return 0;
}

static int32_t http_parse_field(ployi_slice line, http_parse *parse) {
    size_t name = 0;
    while (name < line.size && http_parse_is_token(line.bytes[name])) name++;
    if (name == 0 || name >= line.size || line.bytes[name] != ':') return 400;
    ployi_slice value =
        http_parse_trim(http_parse_slice(line.bytes + name + 1, line.size - name - 1));
    for (size_t i = 0; i < value.size; i++) {
        unsigned char c = (unsigned char)value.bytes[i];
        if ((c < ' ' && c != '\t') || c == 127) return 400;
    }
    return http_parse_header(http_parse_slice(line.bytes, name), value, parse);
}

// Takes the next line, which must end with CR LF; false if it does not.
static bool http_parse_take_line(const char *bytes, size_t size, size_t *at, ployi_slice *line) {
    const char *begin = bytes + *at;
    const char *end = memchr(begin, '\n', size - *at);
    if (end == NULL || end == begin || end[-1] != '\r') return false;
    *line = http_parse_slice(begin, (size_t)(end - begin) - 1);
    *at += (size_t)(end - begin) + 1;
    return true;
}

bool ployi_slice_equal(ployi_slice slice, const char *text) {
    size_t size = strlen(text);
    return slice.size == size && (size == 0 || memcmp(slice.bytes, text, size) == 0);
}

bool ployi_slice_equal_caseless(ployi_slice slice, const char *text) {
    if (slice.size != strlen(text)) return false;
    for (size_t i = 0; i < slice.size; i++) {
        if (http_parse_lower(slice.bytes[i]) != http_parse_lower(text[i])) return false;
    }
    return true;
}

size_t ployi_http_head_end(const char *bytes, size_t size, size_t *from) {
    size_t at = *from;
    while (at + 4 <= size) {
        const char *cr = memchr(bytes + at, '\r', size - 3 - at);
        if (cr == NULL) break;
        at = (size_t)(cr - bytes);
        if (memcmp(cr, "\r\n\r\n", 4) == 0) return at + 4;
        at++;
    }
    // The end may be cut anywhere, so the last three bytes are looked at again.
    if (size >= 3 && size - 3 > *from) *from = size - 3;
    return 0;
}

int32_t ployi_http_parse(const char *bytes, size_t size, ployi_http_request *out) {
    http_parse parse;
    memset(&parse, 0, sizeof parse);
    size_t at = 0;
    ployi_slice line;
    if (!http_parse_take_line(bytes, size, &at, &line)) return 400;
    int32_t status = http_parse_line(line, &parse);
    if (status != 0) return status;
    for (int32_t count = 0;; count++) {
        if (!http_parse_take_line(bytes, size, &at, &line)) return 400;
        if (line.size == 0) break;
        if (count == HTTP_PARSE_MAX_HEADERS) return 431;
        status = http_parse_field(line, &parse);
        if (status != 0) return status;
    }
    if (at != size) return 400; // the caller's idea of the end is another one
    if (parse.request.host.bytes == NULL && parse.request.minor >= 1) return 400;
    parse.request.upgrade = parse.connection_upgrade && parse.upgrade_websocket;
    parse.request.keep = parse.request.minor >= 1 ? !parse.connection_close : parse.connection_keep;
    *out = parse.request;
    return 0;
}

bool ployi_http_host_is_loopback(ployi_slice host, int32_t port) {
    static const char *const names[] = {"127.0.0.1", "localhost", "[::1]"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        size_t size = strlen(names[i]);
        if (host.size < size) continue;
        if (!ployi_slice_equal_caseless(http_parse_slice(host.bytes, size), names[i])) continue;
        if (host.size == size) return port == 80;
        // The port's digits are compared as a number without leading zeros.
        if (host.bytes[size] != ':' || host.size - size - 1 > 5) return false;
        int32_t number = 0;
        for (size_t at = size + 1; at < host.size; at++) {
            char c = host.bytes[at];
            if (c < '0' || c > '9' || (number == 0 && c == '0')) return false;
            number = number * 10 + (c - '0');
        }
        return number == port;
    }
    return false;
}

bool ployi_http_origin_is_same(ployi_slice origin, ployi_slice host) {
    static const char scheme[] = "http://";
    const size_t size = sizeof scheme - 1;
    if (host.size == 0 || origin.size != size + host.size) return false;
    if (!ployi_slice_equal_caseless(http_parse_slice(origin.bytes, size), scheme)) return false;
    for (size_t i = 0; i < host.size; i++) {
        if (http_parse_lower(origin.bytes[size + i]) != http_parse_lower(host.bytes[i])) {
            return false;
        }
    }
    return true;
}

#undef HTTP_PARSE_MAX_HEADERS
#undef HTTP_PARSE_MAX_TARGET
