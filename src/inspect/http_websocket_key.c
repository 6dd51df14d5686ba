// The answer to a WebSocket's key (RFC 6455, 4.2.2): base64 of the SHA-1 of the key and a fixed
// text. SHA-1 (FIPS 180-4) protects nothing here; it only shows that the server speaks WebSocket.
#include "inspect/http_internal.h"

#include <string.h>

typedef struct ws_sha1 {
    uint32_t h[5];
} ws_sha1;

static uint32_t ws_sha1_turn(uint32_t x, int32_t n) {
    return (x << n) | (x >> (32 - n));
}

static void ws_sha1_block(ws_sha1 *sha, const uint8_t block[64]) {
    uint32_t w[80];
    for (int32_t i = 0; i < 16; i++) {
        w[i] = ((uint32_t)block[4 * i] << 24) | ((uint32_t)block[4 * i + 1] << 16) |
               ((uint32_t)block[4 * i + 2] << 8) | (uint32_t)block[4 * i + 3];
    }
    for (int32_t i = 16; i < 80; i++) {
        w[i] = ws_sha1_turn(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
    }
    uint32_t a = sha->h[0], b = sha->h[1], c = sha->h[2], d = sha->h[3], e = sha->h[4];
    for (int32_t i = 0; i < 80; i++) {
        uint32_t f, k;
        if (i < 20) {
            f = (b & c) | (~b & d);
            k = 0x5a827999u;
        } else if (i < 40) {
            f = b ^ c ^ d;
            k = 0x6ed9eba1u;
        } else if (i < 60) {
            f = (b & c) | (b & d) | (c & d);
            k = 0x8f1bbcdcu;
        } else {
            f = b ^ c ^ d;
            k = 0xca62c1d6u;
        }
        uint32_t next = ws_sha1_turn(a, 5) + f + e + k + w[i];
        e = d;
        d = c;
        c = ws_sha1_turn(b, 30);
        b = a;
        a = next;
    }
    sha->h[0] += a;
    sha->h[1] += b;
    sha->h[2] += c;
    sha->h[3] += d;
    sha->h[4] += e;
}

static const char ws_base64_digits[] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

// Twenty bytes are 27 digits and one '='.
static void ws_base64_20(const uint8_t bytes[20], char out[PLOYI_WS_ACCEPT_SIZE]) {
    char *at = out;
    for (int32_t i = 0; i < 18; i += 3) {
        uint32_t group =
            ((uint32_t)bytes[i] << 16) | ((uint32_t)bytes[i + 1] << 8) | (uint32_t)bytes[i + 2];
        for (int32_t shift = 18; shift >= 0; shift -= 6) {
            *at++ = ws_base64_digits[(group >> shift) & 63];
        }
    }
    uint32_t rest = ((uint32_t)bytes[18] << 16) | ((uint32_t)bytes[19] << 8);
    for (int32_t shift = 18; shift >= 6; shift -= 6) *at++ = ws_base64_digits[(rest >> shift) & 63];
    *at++ = '=';
    *at = 0;
}

void ployi_sha1(const void *bytes, size_t size, uint8_t out[20]) {
    ws_sha1 sha = {{0x67452301u, 0xefcdab89u, 0x98badcfeu, 0x10325476u, 0xc3d2e1f0u}};
    const uint8_t *at = bytes;
    size_t left = size;
    for (; left >= 64; left -= 64, at += 64) ws_sha1_block(&sha, at);
    uint8_t tail[128] = {0};
    if (left > 0) memcpy(tail, at, left);
    tail[left] = 0x80;
    size_t blocks = left < 56 ? 1 : 2;
    uint64_t bits = (uint64_t)size * 8;
    for (size_t i = 0; i < 8; i++) tail[blocks * 64 - 1 - i] = (uint8_t)(bits >> (8 * i));
    for (size_t i = 0; i < blocks; i++) ws_sha1_block(&sha, tail + 64 * i);
    for (size_t i = 0; i < 20; i++) out[i] = (uint8_t)(sha.h[i / 4] >> (24 - 8 * (i % 4)));
}

bool ployi_ws_key_valid(const char *key, size_t size) {
    if (key == NULL || size != 24) return false;
    for (size_t i = 0; i < 22; i++) {
        if (key[i] == 0 || strchr(ws_base64_digits, key[i]) == NULL) return false;
    }
    return key[22] == '=' && key[23] == '=';
}

void ployi_ws_accept(const char *key, size_t size, char out[PLOYI_WS_ACCEPT_SIZE]) {
    static const char guid[] = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
    uint8_t text[24 + sizeof guid - 1];
    if (size > 24) size = 24; // a valid key has just that many
    memcpy(text, key, size);
    memcpy(text + size, guid, sizeof guid - 1);
    uint8_t digest[20];
    ployi_sha1(text, size + sizeof guid - 1, digest);
    ws_base64_20(digest, out);
}
