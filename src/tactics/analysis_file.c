// Static layers as bytes.
//
//     8 bytes   "PLOYTAC1", the version in its last letter
//     4 bytes   places          4 bytes   layers
//     layers:   8 bytes hash of the name, then 4 bytes a place
//     8 bytes   hash of everything before
//
// Numbers are little-endian; values are the bits of floats.
#include "ploy/base/hash.h"
#include "tactics/analysis_internal.h"

#include <math.h>
#include <string.h>

enum { ANALYSIS_HEAD = 16 };

static const char analysis_magic[9] = "PLOYTAC1";

typedef struct analysis_out {
    ploy_writer *writer;
    ploy_hasher hasher;
} analysis_out;

static void analysis_put(analysis_out *out, uint64_t value, int32_t bytes) {
    unsigned char text[8];
    for (int32_t i = 0; i < bytes; i++) text[i] = (unsigned char)(value >> (8 * i));
    ploy_hasher_add(&out->hasher, text, (size_t)bytes);
    ploy_write_bytes(out->writer, text, (size_t)bytes);
}

static uint64_t analysis_get(const unsigned char *at, int32_t bytes) {
    uint64_t value = 0;
    for (int32_t i = 0; i < bytes; i++) value |= (uint64_t)at[i] << (8 * i);
    return value;
}

static bool analysis_saves(const analysis_entry *entry) {
    return entry->level == PLOY_ANALYSIS_STATIC && entry->complete && entry->valid;
}

ploy_result ploy_analysis_server_save(const ploy_analysis_server *server, ploy_writer *writer) {
    if (server == NULL || writer == NULL) return PLOY_ERR_ARGUMENT;
    analysis_out out = {.writer = writer};
    uint32_t layers = 0;
    ploy_hasher_init(&out.hasher, 0);
    for (int32_t i = 0; i < server->count; i++) layers += analysis_saves(server->entries[i]);
    for (int32_t i = 0; i < 8; i++) analysis_put(&out, (unsigned char)analysis_magic[i], 1);
    analysis_put(&out, (uint32_t)server->places.count, 4);
    analysis_put(&out, layers, 4);
    for (int32_t i = 0; i < server->count; i++) {
        const analysis_entry *entry = server->entries[i];
        if (!analysis_saves(entry)) continue;
        analysis_put(&out, ploy_hash_text(entry->name), 8);
        for (int32_t k = 0; k < server->places.count; k++) {
            float value = ploy_tactics_layer_at(entry->layers[entry->front], k);
            uint32_t bits;
            memcpy(&bits, &value, sizeof bits);
            analysis_put(&out, bits, 4);
        }
    }
    analysis_put(&out, ploy_hasher_result(&out.hasher), 8);
    return ploy_writer_result(writer);
}

static ploy_result analysis_refuse(ploy_diags *diags, const char *name, const char *message,
                                   const char *expected) {
    ploy_diags_add(diags, PLOY_SEVERITY_ERROR, PLOY_ERR_FORMAT, name, 1, 1, message, expected,
                   NULL);
    return PLOY_ERR_FORMAT;
}

static analysis_entry *analysis_hashed(const ploy_analysis_server *server, uint64_t hash) {
    for (int32_t i = 0; i < server->count; i++) {
        analysis_entry *entry = server->entries[i];
        bool fits = entry->level == PLOY_ANALYSIS_STATIC && ploy_hash_text(entry->name) == hash;
        if (fits) return entry;
    }
    return NULL;
}

ploy_result ploy_analysis_server_load(ploy_analysis_server *server, const void *bytes, size_t size,
                                      const char *name, ploy_diags *diags) {
    if (server == NULL || bytes == NULL || name == NULL) return PLOY_ERR_ARGUMENT;
    const unsigned char *at = bytes;
    if (size < ANALYSIS_HEAD + 8 || memcmp(at, analysis_magic, 7) != 0) {
        return analysis_refuse(diags, name, "invalid file of layers", "PLOYTAC1");
    }
    if (at[7] != (unsigned char)analysis_magic[7]) {
        return analysis_refuse(diags, name, "unknown version", "version 1");
    }
    uint64_t places = analysis_get(at + 8, 4), layers = analysis_get(at + 12, 4);
    if (places != (uint64_t)server->places.count) {
        return analysis_refuse(diags, name, "file has another number of places",
                               "as many places as this level has");
    }
    uint64_t one = 8 + 4 * places;
    if (layers > PLOY_ANALYSES_MAX || size != ANALYSIS_HEAD + layers * one + 8) {
        return analysis_refuse(diags, name, "file is damaged: wrong size", "all layers");
    }
    ploy_hasher hasher;
    ploy_hasher_init(&hasher, 0);
    ploy_hasher_add(&hasher, at, size - 8);
    if (ploy_hasher_result(&hasher) != analysis_get(at + size - 8, 8)) {
        return analysis_refuse(diags, name, "file is damaged: wrong checksum", "the file as saved");
    }
    for (uint64_t i = 0; i < layers; i++) {
        const unsigned char *from = at + ANALYSIS_HEAD + i * one;
        analysis_entry *entry = analysis_hashed(server, analysis_get(from, 8));
        if (entry == NULL) {
            ploy_diags_add(diags, PLOY_SEVERITY_WARNING, PLOY_OK, name, 1, 1,
                           "a layer in the file is not a static layer here", NULL, NULL);
            continue;
        }
        for (int32_t k = 0; k < server->places.count; k++) {
            uint32_t bits = (uint32_t)analysis_get(from + 8 + 4 * (size_t)k, 4);
            float value;
            memcpy(&value, &bits, sizeof value);
            ploy_tactics_layer_set(entry->layers[entry->front], k, value);
        }
        entry->complete = entry->valid = true;
        entry->begun = false;
        entry->age = 0;
    }
    return PLOY_OK;
}
