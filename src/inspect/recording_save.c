// Writing recording files: one JSON object a line, so that they diff, grep and stream, and a
// checksum over everything, so that a changed byte is noticed. docs/recording-format.md is the
// specification; recording.c reads.
//
// The order of lines is fixed, which keeps the reader's checks simple and the file canonical: by
// tick, and within a tick its hash before its inputs.
#include "ploy/inspect/recorder.h"

#include "inspect/recorder_internal.h"
#include "ploy/base/hash.h"
#include "ploy/base/json_writer.h"
#include "ploy/base/number.h"
#include "ploy/base/os.h"
#include "ploy/base/version.h"

// Passes bytes on and folds them into the checksum.
static ploy_result recording_write(void *user, const void *bytes, size_t size) {
    ploy_recording_stream *stream = user;
    ploy_hasher_add(&stream->hasher, bytes, size);
    ploy_write_bytes(stream->to, bytes, size);
    return ploy_writer_result(stream->to);
}

static void recording_write_hex(ploy_json_writer *json, uint64_t value) {
    char text[PLOY_PRINT_HEX64_SIZE];
    ploy_print_hex64(value, text);
    ploy_json_write_text(json, text);
}

static void recording_write_value(ploy_json_writer *json, const ploy_value *value) {
    char text[48];
    int32_t count = 2 + (int32_t)value->type - (int32_t)PLOY_VALUE_VEC2;
    switch (value->type) {
    case PLOY_VALUE_NONE: ploy_json_write_null(json); break;
    case PLOY_VALUE_BOOL: ploy_json_write_bool(json, value->as.b); break;
    case PLOY_VALUE_I64: ploy_json_write_i64(json, value->as.i64); break;
    case PLOY_VALUE_U64: ploy_json_write_u64(json, value->as.u64); break;
    case PLOY_VALUE_F32: ploy_json_write_f32(json, value->as.f32); break;
    case PLOY_VALUE_F64: ploy_json_write_f64(json, value->as.f64); break;
    case PLOY_VALUE_VEC2:
    case PLOY_VALUE_VEC3:
    case PLOY_VALUE_VEC4:
        ploy_json_write_begin_array(json);
        for (int32_t i = 0; i < count; i++) ploy_json_write_f32(json, value->as.vec[i]);
        ploy_json_write_end_array(json);
        break;
    case PLOY_VALUE_ID:
        ploy_value_print(value, text, sizeof text);
        ploy_json_write_text(json, text);
        break;
    case PLOY_VALUE_NAME: recording_write_hex(json, value->as.name.hash); break;
    case PLOY_VALUE_TEXT: ploy_json_write_text(json, value->as.text); break;
    }
}

typedef struct recording_params {
    const ploy_recorder *recorder;
    ploy_json_writer *json;
} recording_params;

static void recording_write_param(void *user, const char *path, const ploy_field *field,
                                  uint32_t offset) {
    (void)field;
    (void)offset;
    recording_params *params = user;
    ploy_value value;
    ploy_result result =
        ploy_fields_get(params->recorder->fields, params->recorder->params, path, &value);
    PLOY_ASSERT(result == PLOY_OK);
    if (result != PLOY_OK) return;
    ploy_json_write_key(params->json, path);
    recording_write_value(params->json, &value);
}

static void recording_write_header(const ploy_recorder *recorder, ploy_writer *writer) {
    ploy_json_writer json;
    ploy_json_writer_init(&json, writer, 0);
    ploy_json_write_begin_object(&json);
    ploy_json_write_key(&json, "ploy_recording");
    ploy_json_write_i64(&json, PLOYI_RECORDING_FORMAT);
    ploy_json_write_key(&json, "ploy");
    ploy_json_write_text(&json, ploy_version_text());
    ploy_json_write_key(&json, "sim");
    ploy_json_write_text(&json, recorder->type->name);
    ploy_json_write_key(&json, "type_hash");
    recording_write_hex(&json, ploy_sim_type_hash(recorder->type));
    if (recorder->type->runtime != NULL) {
        ploy_json_write_key(&json, "runtime");
        ploy_json_write_text(&json, recorder->type->runtime());
    }
    ploy_json_write_key(&json, "seed");
    ploy_json_write_u64(&json, recorder->def.sim.seed);
    ploy_json_write_key(&json, "hash_every");
    ploy_json_write_i64(&json, recorder->def.hash_every);
    ploy_json_write_key(&json, "params");
    ploy_json_write_begin_object(&json);
    recording_params params = {recorder, &json};
    ploy_fields_each(recorder->fields, recording_write_param, &params);
    ploy_json_write_end_object(&json);
    ploy_json_write_end_object(&json);
    ploy_json_writer_finish(&json);
    ploy_write_char(writer, '\n');
}

static void recording_write_input(uint64_t tick, const ploy_input *input, ploy_writer *writer) {
    ploy_json_writer json;
    ploy_json_writer_init(&json, writer, 0);
    ploy_json_write_begin_object(&json);
    ploy_json_write_key(&json, "t");
    ploy_json_write_u64(&json, tick);
    ploy_json_write_key(&json, "kind");
    ploy_json_write_text(&json, ploy_input_kind_text(input->kind));
    ploy_json_write_key(&json, "name");
    ploy_json_write_text(&json, input->name);
    if (!ploy_id_is_none(input->agent.id)) {
        ploy_value agent = ploy_value_id(input->agent.id);
        ploy_json_write_key(&json, "agent");
        recording_write_value(&json, &agent);
    }
    if (input->value.type != PLOY_VALUE_NONE) {
        ploy_json_write_key(&json, "type");
        ploy_json_write_text(&json, ploy_value_type_text(input->value.type));
        ploy_json_write_key(&json, "value");
        recording_write_value(&json, &input->value);
    }
    if (input->kind == PLOY_INPUT_RELOAD) {
        ploy_json_write_key(&json, "bytes");
        // Written past the JSON writer in pieces: a definition may be large.
        ploy_json_write_raw(&json, "\"");
        const unsigned char *bytes = input->bytes;
        for (size_t i = 0; i < input->size; i++) {
            static const char digits[] = "0123456789abcdef";
            ploy_write_char(writer, digits[bytes[i] >> 4]);
            ploy_write_char(writer, digits[bytes[i] & 15]);
        }
        ploy_write_char(writer, '"');
    }
    ploy_json_write_end_object(&json);
    ploy_json_writer_finish(&json);
    ploy_write_char(writer, '\n');
}

static void recording_write_hash(uint64_t tick, uint64_t hash, ploy_writer *writer) {
    ploy_write_text(writer, "{\"t\":");
    ploy_write_u64(writer, tick);
    ploy_write_text(writer, ",\"hash\":\"");
    ploy_write_hex64(writer, hash);
    ploy_write_text(writer, "\"}\n");
}

ploy_result ploy_recording_stream_begin(ploy_recording_stream *stream,
                                        const ploy_recorder *recorder, ploy_writer *writer) {
    if (stream == NULL || recorder == NULL || writer == NULL) return PLOY_ERR_ARGUMENT;
    stream->to = writer;
    ploy_hasher_init(&stream->hasher, 0);
    stream->hashes = stream->inputs = 0;
    ploy_writer out = ploy_writer_make(recording_write, stream);
    recording_write_header(recorder, &out);
    return ploy_recording_stream_step(stream, recorder);
}

ploy_result ploy_recording_stream_step(ploy_recording_stream *stream,
                                       const ploy_recorder *recorder) {
    if (stream == NULL || recorder == NULL || stream->to == NULL) return PLOY_ERR_ARGUMENT;
    if (stream->hashes > recorder->hash_count || stream->inputs > recorder->input_count) {
        return PLOY_ERR_STATE;
    }
    ploy_writer out = ploy_writer_make(recording_write, stream);
    while (stream->hashes < recorder->hash_count || stream->inputs < recorder->input_count) {
        uint64_t tick = (uint64_t)stream->hashes * (uint64_t)recorder->def.hash_every;
        bool is_hash = stream->hashes < recorder->hash_count &&
                       (stream->inputs == recorder->input_count ||
                        tick <= recorder->input_ticks[stream->inputs]);
        if (is_hash) {
            recording_write_hash(tick, recorder->hashes[stream->hashes++], &out);
        } else {
            recording_write_input(recorder->input_ticks[stream->inputs],
                                  &recorder->inputs[stream->inputs], &out);
            stream->inputs++;
        }
    }
    return ploy_writer_result(stream->to);
}

ploy_result ploy_recording_stream_end(ploy_recording_stream *stream,
                                      const ploy_recorder *recorder) {
    if (stream == NULL || recorder == NULL) return PLOY_ERR_ARGUMENT;
    uint64_t end_hash = recorder->end_hash;
    if (!recorder->end_hash_known) {
        if (ploy_sim_stopped(recorder->sim) || ploy_sim_tick(recorder->sim) != recorder->end) {
            return PLOY_ERR_STATE;
        }
        end_hash = ploy_sim_hash(recorder->sim);
    }
    ploy_result result = ploy_recording_stream_step(stream, recorder);
    if (result != PLOY_OK) return result;
    ploy_writer out = ploy_writer_make(recording_write, stream);
    ploy_write_text(&out, "{\"end\":");
    ploy_write_u64(&out, recorder->end);
    ploy_write_text(&out, ",\"hash\":\"");
    ploy_write_hex64(&out, end_hash);
    ploy_write_text(&out, "\",\"lines\":");
    ploy_write_i64(&out, 1 + stream->hashes + stream->inputs);
    ploy_write_text(&out, ",");
    uint64_t checksum = ploy_hasher_result(&stream->hasher);
    ploy_write_text(&out, "\"checksum\":\"");
    ploy_write_hex64(&out, checksum);
    ploy_write_text(&out, "\"}\n");
    return ploy_writer_result(&out);
}

ploy_result ploy_recorder_save(const ploy_recorder *recorder, ploy_writer *writer) {
    if (recorder == NULL || writer == NULL) return PLOY_ERR_ARGUMENT;
    // Before anything is written: a recorder that cannot say how it ends.
    if (!recorder->end_hash_known &&
        (ploy_sim_stopped(recorder->sim) || ploy_sim_tick(recorder->sim) != recorder->end)) {
        return PLOY_ERR_STATE;
    }
    ploy_recording_stream stream;
    ploy_result result = ploy_recording_stream_begin(&stream, recorder, writer);
    return result == PLOY_OK ? ploy_recording_stream_end(&stream, recorder) : result;
}

ploy_result ploy_recorder_save_file(const ploy_recorder *recorder, const char *path,
                                    const ploy_env *env) {
    if (path == NULL || env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_buffer bytes;
    ploy_buffer_init(&bytes, 0, env);
    ploy_writer writer = ploy_buffer_writer(&bytes);
    ploy_result result = ploy_recorder_save(recorder, &writer);
    if (result == PLOY_OK) result = ploy_os_write_file(path, bytes.bytes, bytes.size, env);
    ploy_buffer_fini(&bytes);
    return result;
}
