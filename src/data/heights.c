// Raw heights; see the header. Bytes are put together by hand: files are little-endian everywhere.
#include "ploy/data/heights.h"

#include <stdio.h>
#include <string.h>

#include "ploy/base/math.h"

static float heights_float(const unsigned char *at) {
    uint32_t bits =
        (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
    float value = 0.0f;
    memcpy(&value, &bits, sizeof value);
    return value;
}

ploy_result ploy_heights_load(const void *bytes, size_t size, ploy_height_type type, float low,
                              float high, const ploy_heightmap_def *def, const char *name,
                              const ploy_env *env, ploy_diags *diags, ploy_heightmap **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if ((bytes == NULL && size > 0) || !ploy_is_finite(low) || !ploy_is_finite(high)) {
        return PLOY_ERR_ARGUMENT;
    }
    ploy_result result = ploy_fields_check(ploy_heightmap_fields(), def, env);
    if (result != PLOY_OK) return result;
    if (name == NULL) name = "";
    size_t width = type == PLOY_HEIGHT_U16 ? 2 : 4;
    size_t count = (size_t)def->columns * (size_t)def->rows;
    if (size != count * width) {
        char message[96];
        snprintf(message, sizeof message, "file has %llu bytes; expected %llu",
                 (unsigned long long)size, (unsigned long long)(count * width));
        ploy_diags_add(diags, PLOY_SEVERITY_ERROR, PLOY_ERR_FORMAT, name, 0, 0, message, NULL,
                       NULL);
        return PLOY_ERR_FORMAT;
    }
    ploy_heightmap *map = NULL;
    result = ploy_heightmap_create(def, env, &map);
    if (result != PLOY_OK) return result;
    float *elevation = ploy_heightmap_elevation(map);
    const unsigned char *at = bytes;
    for (size_t i = 0; i < count; i++, at += width) {
        if (type == PLOY_HEIGHT_U16) {
            double share = (double)(at[0] | at[1] << 8) / 65535.0;
            elevation[i] = (float)((double)low + ((double)high - (double)low) * share);
            continue;
        }
        elevation[i] = heights_float(at);
        if (ploy_is_finite(elevation[i])) continue;
        char message[96];
        snprintf(message, sizeof message, "sample %llu is not finite", (unsigned long long)i);
        ploy_diags_add(diags, PLOY_SEVERITY_ERROR, PLOY_ERR_FORMAT, name, 0, 0, message, NULL,
                       NULL);
        ploy_heightmap_destroy(map);
        return PLOY_ERR_FORMAT;
    }
    *out = map;
    return PLOY_OK;
}

ploy_result ploy_heights_save(const ploy_heightmap *map, ploy_height_type type, float low,
                              float high, ploy_writer *writer) {
    if (map == NULL || writer == NULL || (type == PLOY_HEIGHT_U16 && !(high > low))) {
        return PLOY_ERR_ARGUMENT;
    }
    const float *elevation = ploy_heightmap_elevation(map);
    int32_t count = ploy_heightmap_cells(map);
    for (int32_t i = 0; i < count; i++) {
        unsigned char bytes[4];
        uint32_t bits = 0;
        memcpy(&bits, &elevation[i], sizeof bits);
        if (type == PLOY_HEIGHT_U16) {
            double share = ((double)elevation[i] - (double)low) / ((double)high - (double)low);
            share = share > 0.0 ? (share < 1.0 ? share : 1.0) : 0.0; // NaN gives 0
            bits = (uint32_t)(share * 65535.0 + 0.5);
        }
        for (int32_t k = 0; k < 4; k++) bytes[k] = (unsigned char)(bits >> (8 * k) & 255u);
        ploy_write_bytes(writer, bytes, type == PLOY_HEIGHT_U16 ? 2 : 4);
    }
    return ploy_writer_result(writer);
}
