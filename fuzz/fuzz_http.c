// Bytes of an HTTP request: finding its end, parsing it, answering it. The first byte says how the
// rest is cut.
#include <stdlib.h>
#include <string.h>

#include "inspect/http_internal.h"
#include "ploy/inspect/http.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool condition) {
    if (!condition) abort();
}

static void check_slice(ployi_slice slice, const char *bytes, size_t size) {
    if (slice.bytes == NULL) return;
    check(slice.bytes >= bytes && slice.bytes + slice.size <= bytes + size);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 1) return 0;
    size_t step = 1 + (size_t)data[0];
    const char *bytes = (const char *)data + 1;
    size--;
    // However it comes in, the end is found at the same place.
    size_t from = 0, have = 0, head = 0;
    while (head == 0 && have < size) {
        have = size - have < step ? size : have + step;
        head = ployi_http_head_end(bytes, have, &from);
    }
    size_t whole = 0;
    check(ployi_http_head_end(bytes, have, &whole) == head);
    ployi_http_request request;
    int32_t status = ployi_http_parse(bytes, head != 0 ? head : size, &request);
    if (status != 0) {
        check(status >= 400 && status < 600);
        return 0;
    }
    const ployi_slice slices[] = {request.path,   request.host,       request.origin,
                                  request.ws_key, request.ws_version, request.none_match};
    for (size_t i = 0; i < sizeof slices / sizeof slices[0]; i++) {
        check_slice(slices[i], bytes, size);
    }
    static const ploy_asset assets[] = {
        {"/index.html", "text/html", (const unsigned char *)"hi", 2}, {NULL, NULL, NULL, 0}};
    static const uint64_t hashes[] = {0x1234567890abcdefu};
    ployi_http_site site = {assets, hashes, 7373, size % 2 == 1};
    ploy_env env = ploy_env_default();
    ploy_buffer out;
    ploy_buffer_init(&out, 4096, &env);
    ploy_writer writer = ploy_buffer_writer(&out);
    ployi_http_body body;
    status = ployi_http_answer(&site, &request, &writer, &body);
    check(status == 200 || status == 304 || status == 403 || status == 404);
    check(ploy_writer_result(&writer) == PLOY_OK);
    ploy_buffer_clear(&out);
    status = ployi_http_upgrade(&site, &request, &writer);
    check(status == 0 || (status >= 400 && status < 500));
    // No part of the request may appear in the head of the answer.
    check(status != 0 || out.size < 256);
    ploy_buffer_fini(&out);
    return 0;
}
