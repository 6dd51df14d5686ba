// Lines of an OBJ file, shared by the writers of plants and of other content.
#pragma once

#include "ploy/base/writer.h"
#include "ploy/geom/adapt.h"

static inline void ployi_obj_vertex(ploy_writer *writer, ploy_adapter adapter, ploy_vec3 point) {
    ploy_vec3 host = ploy_adapter_point_to_host(adapter, point);
    const float values[3] = {host.x, host.y, host.z};
    ploy_write_text(writer, "v");
    for (int32_t i = 0; i < 3; i++) {
        ploy_write_char(writer, ' ');
        ploy_write_f32(writer, values[i]);
    }
    ploy_write_char(writer, '\n');
}

// `f` or `l` with vertices counted from 0.
static inline void ployi_obj_line(ploy_writer *writer, char kind, const int64_t *vertices,
                                  int32_t count) {
    ploy_write_char(writer, kind);
    for (int32_t i = 0; i < count; i++) {
        ploy_write_char(writer, ' ');
        ploy_write_i64(writer, vertices[i] + 1);
    }
    ploy_write_char(writer, '\n');
}

// A face with its corners counter-clockwise. A mirror image turns it inside out: the order is reversed.
static inline void ployi_obj_face(ploy_writer *writer, ploy_adapter adapter,
                                  const int64_t *vertices, int32_t count) {
    int64_t corners[4];
    bool mirrors = ploy_adapter_mirrors(adapter);
    for (int32_t i = 0; i < count; i++) {
        corners[i] = vertices[mirrors && i > 0 ? count - i : i];
    }
    ployi_obj_line(writer, 'f', corners, count);
}
