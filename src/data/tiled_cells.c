// The cells of a Tiled layer: CSV, base64, compressed, as elements, in chunks.
#include <stdlib.h>
#include <string.h>

#include "data/tiled_internal.h"

// ---- base64

static int32_t base64_value(char c) {
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return c - 'a' + 26;
    if (c >= '0' && c <= '9') return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

ploy_result ployi_base64_decode(const char *text, size_t size, ploy_buffer *out) {
    ploy_result result = ploy_buffer_reserve(out, size / 4 * 3 + 3);
    uint32_t group = 0;
    int32_t digits = 0, padding = 0;
    for (size_t i = 0; i < size && result == PLOY_OK; i++) {
        if (text[i] == ' ' || (text[i] >= '\t' && text[i] <= '\r')) continue;
        if (text[i] == '=') {
            if (++padding > 2) return PLOY_ERR_FORMAT;
            continue;
        }
        int32_t value = base64_value(text[i]);
        if (value < 0 || padding > 0) return PLOY_ERR_FORMAT;
        group = group << 6 | (uint32_t)value;
        if (++digits < 4) continue;
        const uint8_t bytes[3] = {(uint8_t)(group >> 16), (uint8_t)(group >> 8), (uint8_t)group};
        result = ploy_buffer_append(out, bytes, 3);
        digits = 0;
        group = 0;
    }
    if (result != PLOY_OK || digits == 0) return result;
    if (digits == 1) return PLOY_ERR_FORMAT;
    const uint8_t rest[2] = {(uint8_t)(digits == 2 ? group >> 4 : group >> 10),
                             (uint8_t)(group >> 2)};
    return ploy_buffer_append(out, rest, (size_t)digits - 1);
}

void ployi_base64_write(const void *bytes, size_t size, ploy_writer *out) {
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const uint8_t *at = bytes;
    for (size_t i = 0; i < size; i += 3) {
        size_t left = size - i < 3 ? size - i : 3;
        uint32_t group = (uint32_t)at[i] << 16;
        if (left > 1) group |= (uint32_t)at[i + 1] << 8;
        if (left > 2) group |= at[i + 2];
        char text[4];
        for (size_t k = 0; k < 4; k++) {
            text[k] = k <= left ? letters[(group >> (18 - 6 * k)) & 63] : '=';
        }
        ploy_write_bytes(out, text, 4);
    }
}

// ---- one block of cells

static void cells_wrong_count(ployi_tiled_reader *reader, ployi_tiled_node node, int64_t found,
                              int64_t expected) {
    char message[96] = "the layer has ", want[32] = "";
    size_t used = strlen(message);
    ploy_buffer buffer;
    ploy_buffer_init(&buffer, 0, &reader->map->env);
    ploy_writer writer = ploy_buffer_writer(&buffer);
    ploy_write_i64(&writer, found);
    (void)strncat(message + used, ploy_buffer_text(&buffer), 24);
    (void)strncat(message, " cells", 8);
    ploy_buffer_clear(&buffer);
    ploy_write_i64(&writer, expected);
    (void)strncat(want, ploy_buffer_text(&buffer), 24);
    ploy_buffer_fini(&buffer);
    ployi_tiled_fault(reader, node, "data", message, want, NULL);
}

static void cells_push(ployi_tiled_reader *reader, const void *cells, int32_t count) {
    ploy_result result = ploy_array_push_many(&reader->map->cells, cells, count);
    if (result != PLOY_OK) ployi_tiled_fail(reader, result);
}

static void cells_csv(ployi_tiled_reader *reader, ployi_tiled_node node, const char *text,
                      size_t size, int32_t count) {
    if (size / 2 + 1 < (size_t)count) { // also guards the allocation
        cells_wrong_count(reader, node, (int64_t)(size / 2 + 1), count);
        return;
    }
    int32_t first = reader->map->cells.count, found = 0;
    ploy_result result = ploy_array_resize(&reader->map->cells, first + count);
    if (result != PLOY_OK) {
        ployi_tiled_fail(reader, result);
        return;
    }
    uint32_t *cells = PLOY_ARRAY_ITEMS(&reader->map->cells, uint32_t);
    if (count > 0) cells += first; // without cells there may be no memory
    for (size_t i = 0; i < size;) {
        uint64_t value = 0;
        size_t start = i;
        while (i < size && text[i] >= '0' && text[i] <= '9' && value <= UINT32_MAX) {
            value = value * 10 + (uint64_t)(text[i++] - '0');
        }
        if (i > start && value <= UINT32_MAX) {
            if (found < count) cells[found] = (uint32_t)value;
            found++;
        } else if (text[i] == ',' || text[i] == ' ' || (text[i] >= '\t' && text[i] <= '\r')) {
            i++;
        } else {
            ployi_tiled_fault(reader, node, "data", "the cells are not a list of tile ids",
                              "numbers and commas", NULL);
            return;
        }
    }
    if (found != count) cells_wrong_count(reader, node, found, count);
}

static void cells_base64(ployi_tiled_reader *reader, ployi_tiled_node node, const char *text,
                         size_t size, ploy_tiled_compression compression, int32_t count) {
    size_t bytes = (size_t)count * 4;
    ploy_buffer decoded, plain;
    ploy_buffer_init(&decoded, 0, &reader->map->env);
    ploy_buffer_init(&plain, 0, &reader->map->env);
    ploy_result result = ployi_base64_decode(text, size, &decoded);
    const ploy_buffer *source = &decoded;
    if (result == PLOY_ERR_FORMAT) {
        ployi_tiled_fault(reader, node, "data", "the cells are not base64", NULL, NULL);
    } else if (result == PLOY_OK && compression != PLOY_TILED_PLAIN) {
        const ploy_compression_service *service = reader->options->compression;
        result = ploy_buffer_reserve(&plain, bytes + 1);
        if (result == PLOY_OK) {
            result = service->decompress(service->user, compression, decoded.bytes, decoded.size,
                                         plain.bytes, bytes);
            plain.size = bytes;
            source = &plain;
        }
        if (result == PLOY_ERR_FORMAT) {
            ployi_tiled_fault(reader, node, "data",
                              "the compressed cells are damaged or of another number", NULL, NULL);
        }
    } else if (result == PLOY_OK && decoded.size != bytes) {
        cells_wrong_count(reader, node, (int64_t)(decoded.size / 4), count);
        result = PLOY_ERR_FORMAT;
    }
    if (result != PLOY_OK) {
        ployi_tiled_fail(reader, result);
    } else if (count > 0) {
        const uint8_t *at = (const uint8_t *)source->bytes;
        int32_t first = reader->map->cells.count;
        result = ploy_array_resize(&reader->map->cells, first + count);
        if (result != PLOY_OK) ployi_tiled_fail(reader, result);
        uint32_t *cells = PLOY_ARRAY_ITEMS(&reader->map->cells, uint32_t);
        for (int32_t i = 0; result == PLOY_OK && i < count; i++, at += 4) {
            cells[first + i] = (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 |
                               (uint32_t)at[3] << 24;
        }
    }
    ploy_buffer_fini(&decoded);
    ploy_buffer_fini(&plain);
}

static void cells_elements(ployi_tiled_reader *reader, ployi_tiled_node node, int32_t count) {
    ployi_tiled_each each = ployi_tiled_each_make(&reader->doc, node, NULL, "tile", NULL);
    int32_t found = 0;
    for (; ployi_tiled_each_next(&each) && !ployi_tiled_broken(reader); found++) {
        uint32_t gid = ployi_tiled_gid(reader, each.at, "gid");
        if (found < count) cells_push(reader, &gid, 1);
    }
    if (found != count) cells_wrong_count(reader, node, found, count);
}

static void cells_numbers(ployi_tiled_reader *reader, ployi_tiled_node node, int32_t count) {
    const ploy_json *json = reader->doc.json;
    ploy_json_node object = {node.index};
    ploy_json_node list = ploy_json_member(json, object, "data");
    int32_t found = ploy_json_count(json, list);
    if (found != count) {
        cells_wrong_count(reader, node, found, count);
        return;
    }
    for (int32_t i = 0; i < count && !ployi_tiled_broken(reader); i++) {
        uint64_t value = 0;
        if (ploy_json_u64(json, ploy_json_at(json, list, i), &value) != PLOY_OK ||
            value > UINT32_MAX) {
            ployi_tiled_fault(reader, node, "data", "the cells are not a list of tile ids",
                              "whole numbers of 32 bits", NULL);
            return;
        }
        uint32_t gid = (uint32_t)value;
        cells_push(reader, &gid, 1);
    }
}

// The rectangle and the cells of a layer or a chunk.
static void cells_chunk(ployi_tiled_reader *reader, ployi_tiled_node node,
                        const ploy_tiled_layer *layer, ploy_tiled_chunk chunk) {
    int64_t count = (int64_t)chunk.width * chunk.height;
    chunk.cells = reader->map->cells.count;
    if (count > PLOY_TILED_CELLS_MAX - chunk.cells) {
        ployi_tiled_fault(reader, node, NULL, "the map has more than 16,777,216 cells", NULL, NULL);
        ployi_tiled_fail(reader, PLOY_ERR_LIMIT);
        return;
    }
    const char *text = NULL;
    size_t size = 0;
    if (reader->doc.xml != NULL) {
        ploy_xml_node element = {node.index};
        text = ploy_xml_text(reader->doc.xml, element, &size);
    } else if (layer->encoding == PLOY_TILED_BASE64) {
        ploy_json_node object = {node.index};
        text = ploy_json_text(reader->doc.json, ploy_json_member(reader->doc.json, object, "data"),
                              &size);
    }
    if (layer->encoding == PLOY_TILED_BASE64) {
        cells_base64(reader, node, text, size, layer->compression, (int32_t)count);
    } else if (reader->doc.json != NULL) {
        cells_numbers(reader, node, (int32_t)count);
    } else if (layer->encoding == PLOY_TILED_CSV) {
        cells_csv(reader, node, text, size, (int32_t)count);
    } else {
        cells_elements(reader, node, (int32_t)count);
    }
    if (reader->result != PLOY_OK) {
        // Keeps the ranges of what follows valid.
        ploy_result result = ploy_array_resize(&reader->map->cells, chunk.cells);
        if (result != PLOY_OK) ployi_tiled_fail(reader, result);
        return;
    }
    ploy_result result = ploy_array_push(&reader->map->chunks, &chunk);
    if (result != PLOY_OK) ployi_tiled_fail(reader, result);
}

// Of an infinite layer, XML has the size of the map and JSON that of its chunks.
static void cells_extent(const ploy_tiled *map, ploy_tiled_layer *layer) {
    const ploy_tiled_chunk *chunks = PLOY_ARRAY_ITEMS(&map->chunks, ploy_tiled_chunk);
    int32_t low[2] = {0, 0}, high[2] = {0, 0};
    for (int32_t i = 0; i < layer->chunks.count; i++) {
        const ploy_tiled_chunk *one = &chunks[layer->chunks.first + i];
        if (i == 0 || one->x < low[0]) low[0] = one->x;
        if (i == 0 || one->y < low[1]) low[1] = one->y;
        if (i == 0 || one->x + one->width > high[0]) high[0] = one->x + one->width;
        if (i == 0 || one->y + one->height > high[1]) high[1] = one->y + one->height;
    }
    int32_t width = high[0] - low[0], height = high[1] - low[1];
    layer->width = width < PLOY_TILED_SIDE_MAX ? width : PLOY_TILED_SIDE_MAX;
    layer->height = height < PLOY_TILED_SIDE_MAX ? height : PLOY_TILED_SIDE_MAX;
}

void ployi_tiled_cells(ployi_tiled_reader *reader, ployi_tiled_node node, ploy_tiled_layer *layer) {
    static const char *const encodings[] = {"csv", "base64"};
    const int32_t far = 1 << 28;
    bool xml = reader->doc.xml != NULL;
    ployi_tiled_node data = xml ? ployi_tiled_child(&reader->doc, node, "data") : node;
    layer->chunks.first = reader->map->chunks.count;
    if (xml && data.index == 0) return; // a layer without cells
    layer->encoding = (ploy_tiled_encoding)ployi_tiled_word(
        reader, data, "encoding", encodings, 2, xml ? PLOY_TILED_ELEMENTS : PLOY_TILED_CSV);
    layer->compression = (ploy_tiled_compression)ployi_tiled_word(
        reader, data, "compression", ployi_tiled_compression_words, PLOY_TILED_COMPRESSIONS, 0);
    if (reader->result != PLOY_OK) return;
    if (layer->compression != PLOY_TILED_PLAIN && reader->options->compression == NULL) {
        char message[96] = "compression '";
        (void)strncat(message, ployi_tiled_compression_words[layer->compression], 8);
        (void)strncat(message, "' needs the component data_compression", 60);
        ployi_tiled_fault(reader, data, "compression", message, NULL, NULL);
        ployi_tiled_fail(reader, PLOY_ERR_UNSUPPORTED);
        return;
    }
    ployi_tiled_each each = ployi_tiled_each_make(&reader->doc, data, NULL, "chunk", "chunks");
    bool chunked = false;
    while (ployi_tiled_each_next(&each) && reader->result == PLOY_OK) {
        chunked = true;
        if (!reader->map->view.infinite) { // its place could be anywhere
            ployi_tiled_fault(reader, each.at, NULL, "a chunk in a map that is not infinite",
                              "the map's attribute infinite", NULL);
            return;
        }
        ploy_tiled_chunk chunk = {
            ployi_tiled_i32(reader, each.at, "x", 0, -far, far),
            ployi_tiled_i32(reader, each.at, "y", 0, -far, far),
            ployi_tiled_i32(reader, each.at, "width", 0, 0, PLOY_TILED_SIDE_MAX),
            ployi_tiled_i32(reader, each.at, "height", 0, 0, PLOY_TILED_SIDE_MAX), 0};
        cells_chunk(reader, each.at, layer, chunk);
    }
    // An infinite layer may have no chunk at all.
    if (!chunked && !reader->map->view.infinite && reader->result == PLOY_OK) {
        ploy_tiled_chunk chunk = {0, 0, layer->width, layer->height, 0};
        cells_chunk(reader, data, layer, chunk);
    }
    layer->chunks.count = reader->map->chunks.count - layer->chunks.first;
    if (reader->map->view.infinite) cells_extent(reader->map, layer);
}
