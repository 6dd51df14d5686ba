// Nodes and mesh inside a level's block: the graph as text, the mesh's bytes as hexadecimal text,
// so that both use the readers and the checks that they have as files.
#include <string.h>

#include "level_internal.h"
#include "ploy/path/graph_text.h"

static ploy_result level_store_add(ploy_level_builder *builder, const char *type, const char *key,
                                   const ploy_buffer *text) {
    ploy_result result = ploy_level_builder_add(builder, "", type, ploy_vec3_make(0, 0, 0));
    if (result != PLOY_OK) return result;
    return ploy_level_builder_set(builder, key, ploy_value_text(ploy_buffer_text(text)));
}

ploy_result ployi_level_store_nodes(const ploy_graph *graph, const ploy_env *env,
                                    ploy_level_builder *builder) {
    ploy_buffer text;
    ploy_buffer_init(&text, 0, env);
    ploy_writer writer = ploy_buffer_writer(&text);
    ploy_result result = ploy_graph_save(graph, &writer);
    if (result == PLOY_OK) result = level_store_add(builder, "nodes", "graph", &text);
    ploy_buffer_fini(&text);
    return result;
}

ploy_result ployi_level_store_mesh(const ploy_navmesh *mesh, const ploy_env *env,
                                   ploy_level_builder *builder) {
    static const char digits[] = "0123456789abcdef";
    ploy_buffer bytes, text;
    ploy_buffer_init(&bytes, 0, env);
    ploy_buffer_init(&text, 0, env);
    ploy_writer writer = ploy_buffer_writer(&bytes), out = ploy_buffer_writer(&text);
    ploy_result result = ploy_navmesh_save(mesh, &writer);
    const unsigned char *byte = (const unsigned char *)bytes.bytes;
    for (size_t i = 0; result == PLOY_OK && i < bytes.size; i++) {
        ploy_write_char(&out, digits[byte[i] >> 4]);
        ploy_write_char(&out, digits[byte[i] & 15]);
        result = ploy_writer_result(&out);
    }
    if (result == PLOY_OK) result = level_store_add(builder, "mesh", "bytes", &text);
    ploy_buffer_fini(&text);
    ploy_buffer_fini(&bytes);
    return result;
}

ploy_result ployi_level_load_nodes(const ploy_level *level, const ploy_env *env, ploy_graph **out) {
    int32_t object = ploy_level_next(level, -1, "nodes");
    const char *text = ploy_level_word(level, object, "graph", NULL);
    if (object < 0 || text == NULL) return PLOY_ERR_NOT_FOUND;
    return ploy_graph_load(text, strlen(text), "nodes", env, NULL, out);
}

static int32_t level_store_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

ploy_result ployi_level_load_mesh(const ploy_level *level, const ploy_env *env, ploy_diags *diags,
                                  ploy_navmesh **out) {
    int32_t object = ploy_level_next(level, -1, "mesh");
    const char *text = ploy_level_word(level, object, "bytes", NULL);
    if (object < 0 || text == NULL) return PLOY_ERR_NOT_FOUND;
    ploy_buffer bytes;
    ploy_buffer_init(&bytes, 0, env);
    ploy_result result = ploy_buffer_reserve(&bytes, strlen(text) / 2 + 1);
    for (; result == PLOY_OK && *text != 0; text += 2) {
        int32_t high = level_store_digit(text[0]);
        int32_t low = high < 0 ? -1 : level_store_digit(text[1]);
        unsigned char byte = (unsigned char)(low < 0 ? 0 : high * 16 + low);
        result = low < 0 ? PLOY_ERR_FORMAT : ploy_buffer_append(&bytes, &byte, 1);
        if (low < 0) break;
    }
    if (result == PLOY_OK) {
        result = ploy_navmesh_load(bytes.bytes, bytes.size, "mesh", env, diags, out);
    }
    ploy_buffer_fini(&bytes);
    return result;
}
