// The experience log; the format is in the header.
#include "ploy/learn/experience.h"

#include "ploy/base/hash.h"

#include <string.h>

enum { EXPERIENCE_EXAMPLE = 1, EXPERIENCE_RESET = 2, EXPERIENCE_FREEZE = 3, EXPERIENCE_THAW = 4 };
enum { EXPERIENCE_HEADER = 16 }; // the magic and a hash

static const char experience_magic[8] = {'P', 'L', 'O', 'Y', 'E', 'X', 'P', '1'};

struct ploy_experience {
    ploy_env env;
    ploy_learner learner;
    ploy_buffer buffer;
};

static void experience_write_u64(unsigned char *to, uint64_t value) {
    for (int32_t i = 0; i < 8; i++) to[i] = (unsigned char)(value >> (8 * i));
}

static uint64_t experience_read_u64(const unsigned char *from) {
    uint64_t value = 0;
    for (int32_t i = 0; i < 8; i++) value |= (uint64_t)from[i] << (8 * i);
    return value;
}

// What a learner is made of: kind, schema, settings.
static uint64_t experience_kind(ploy_learner learner) {
    ploy_hash_sink sink;
    ploy_hash_sink_init(&sink);
    ploy_describe out = ploy_hash_sink_describe(&sink);
    ploy_describe_text(&out, "learner", PLOY_STATE, learner.type->name);
    ploy_describe_u64(&out, "schema", PLOY_STATE, ploy_schema_hash(ploy_learner_schema(learner)));
    ploy_fields_describe(learner.type->fields(), ploy_learner_def(learner), PLOY_STATE, &out);
    return ploy_hash_sink_result(&sink);
}

ploy_result ploy_experience_create(ploy_learner learner, size_t max_bytes, const ploy_env *env,
                                   ploy_experience **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (learner.type == NULL || learner.type->observe == NULL || env == NULL) {
        return PLOY_ERR_ARGUMENT;
    }
    ploy_experience *log = ploy_env_alloc_zero(env, sizeof *log);
    if (log == NULL) return PLOY_ERR_MEMORY;
    log->env = *env;
    log->learner = learner;
    ploy_buffer_init(&log->buffer, max_bytes, env);
    unsigned char header[EXPERIENCE_HEADER];
    memcpy(header, experience_magic, sizeof experience_magic);
    experience_write_u64(header + 8, experience_kind(learner));
    ploy_result result = ploy_buffer_append(&log->buffer, header, sizeof header);
    if (result != PLOY_OK) {
        ploy_experience_destroy(log);
        return result;
    }
    *out = log;
    return PLOY_OK;
}

void ploy_experience_destroy(ploy_experience *log) {
    if (log == NULL) return;
    ploy_env env = log->env;
    ploy_buffer_fini(&log->buffer);
    ploy_env_free(&env, log, sizeof *log);
}

// Makes room for a record, so that noting it cannot fail.
static ploy_result experience_reserve(ploy_experience *log, size_t size) {
    if (log->buffer.limit > 0 && log->buffer.size + size > log->buffer.limit) return PLOY_ERR_LIMIT;
    return ploy_buffer_reserve(&log->buffer, size);
}

static ploy_result experience_note(ploy_experience *log, unsigned char kind) {
    return ploy_buffer_append(&log->buffer, &kind, 1);
}

ploy_result ploy_experience_observe(ploy_experience *log, const double *example) {
    if (log == NULL) return PLOY_ERR_ARGUMENT;
    int32_t columns = ploy_schema_count(ploy_learner_schema(log->learner));
    ploy_result result = experience_reserve(log, 1 + (size_t)columns * 8);
    if (result == PLOY_OK) result = ploy_learner_observe(log->learner, example);
    if (result != PLOY_OK) return result;
    (void)experience_note(log, EXPERIENCE_EXAMPLE);
    for (int32_t i = 0; i < columns; i++) {
        uint64_t bits;
        unsigned char bytes[8];
        memcpy(&bits, &example[i], sizeof bits);
        experience_write_u64(bytes, bits);
        (void)ploy_buffer_append(&log->buffer, bytes, sizeof bytes);
    }
    return PLOY_OK;
}

ploy_result ploy_experience_reset(ploy_experience *log) {
    if (log == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = experience_reserve(log, 1);
    if (result != PLOY_OK) return result;
    ploy_learner_reset(log->learner);
    return experience_note(log, EXPERIENCE_RESET);
}

ploy_result ploy_experience_freeze(ploy_experience *log, bool frozen) {
    if (log == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = experience_reserve(log, 1);
    if (result != PLOY_OK) return result;
    ploy_learner_freeze(log->learner, frozen);
    return experience_note(log, frozen ? EXPERIENCE_FREEZE : EXPERIENCE_THAW);
}

const void *ploy_experience_bytes(const ploy_experience *log, size_t *size) {
    if (size != NULL) *size = log != NULL ? log->buffer.size : 0;
    return log != NULL ? log->buffer.bytes : NULL;
}

ploy_result ploy_experience_replay(ploy_learner learner, const void *bytes, size_t size) {
    if (learner.type == NULL || bytes == NULL) return PLOY_ERR_ARGUMENT;
    const unsigned char *at = bytes, *end = at + size;
    if (size < EXPERIENCE_HEADER || memcmp(at, experience_magic, sizeof experience_magic) != 0 ||
        experience_read_u64(at + 8) != experience_kind(learner)) {
        return PLOY_ERR_FORMAT;
    }
    at += EXPERIENCE_HEADER;
    int32_t columns = ploy_schema_count(ploy_learner_schema(learner));
    double *row = NULL;
    const ploy_env *env = &((const ploy_learner_common *)learner.self)->env;
    size_t row_size = (size_t)columns * sizeof *row;
    row = ploy_env_alloc(env, row_size);
    ploy_result result = row == NULL ? PLOY_ERR_MEMORY : PLOY_OK;
    while (at < end && result == PLOY_OK) {
        unsigned char kind = *at++;
        if (kind == EXPERIENCE_EXAMPLE && (size_t)(end - at) >= (size_t)columns * 8) {
            for (int32_t i = 0; i < columns; i++, at += 8) {
                uint64_t bits = experience_read_u64(at);
                memcpy(&row[i], &bits, sizeof bits);
            }
            result = ploy_learner_observe(learner, row);
            if (result == PLOY_ERR_ARGUMENT) result = PLOY_ERR_FORMAT;
        } else if (kind == EXPERIENCE_RESET) {
            ploy_learner_reset(learner);
        } else if (kind == EXPERIENCE_FREEZE || kind == EXPERIENCE_THAW) {
            ploy_learner_freeze(learner, kind == EXPERIENCE_FREEZE);
        } else {
            result = PLOY_ERR_FORMAT;
        }
    }
    ploy_env_free(env, row, row_size);
    return result;
}
