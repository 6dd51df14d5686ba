// The texts and tables of a picture, as text or JSON.
#include <string.h>

#include "inspect/inspect_internal.h"
#include "ploy/inspect/sinks.h"

static void words_blanks(ploy_writer *writer, int32_t count) {
    for (int32_t i = 0; i < count; i++) ploy_write_char(writer, ' ');
}

// One row on a line, columns two blanks apart; nothing after the last letter.
static void words_table_text(ploy_writer *writer, ployi_table table) {
    ployi_table_cell cell;
    int32_t owed = 0; // blanks, if something follows
    while (ployi_table_next(&table, &cell)) {
        int32_t room = table.letters[cell.column] - cell.letters;
        char align = table.align[cell.column];
        int32_t before = align == 'r' ? room : align == 'c' ? room / 2 : 0;
        owed += before;
        if (cell.letters > 0) {
            words_blanks(writer, owed);
            owed = 0;
            for (size_t i = 0; i < cell.size; i++) ploy_write_char(writer, cell.text[i]);
        } else {
            owed += cell.letters;
        }
        owed += room - before + 2;
        if (cell.column + 1 < table.columns) continue;
        ploy_write_char(writer, '\n');
        owed = 0;
    }
}

static void words_place(ploy_words_sink *sink, const ploy_draw_item *item) {
    ploy_json_write_key(&sink->json, "at");
    ploy_json_write_begin_array(&sink->json);
    ploy_json_write_f32(&sink->json, item->points[0].x);
    ploy_json_write_f32(&sink->json, item->points[0].y);
    ploy_json_write_end_array(&sink->json);
}

static void words_table_json(ploy_words_sink *sink, ployi_table table) {
    ploy_json_writer *json = &sink->json;
    ploy_json_write_key(json, "columns");
    ploy_json_write_begin_array(json);
    for (int32_t i = 0; i < table.columns; i++) {
        ploy_json_write_text(json, table.align[i] == 'r'   ? "right"
                                   : table.align[i] == 'c' ? "centre"
                                                           : "left");
    }
    ploy_json_write_end_array(json);
    ploy_json_write_key(json, "rows");
    ploy_json_write_begin_array(json);
    ployi_table_cell cell;
    while (ployi_table_next(&table, &cell)) {
        if (cell.column == 0) ploy_json_write_begin_array(json);
        ploy_json_write_text_bytes(json, cell.text, cell.size);
        if (cell.column + 1 == table.columns) ploy_json_write_end_array(json);
    }
    ploy_json_write_end_array(json);
}

static void words_item(void *user, const ploy_draw_item *item) {
    ploy_words_sink *sink = user;
    bool text = item->shape == PLOY_SHAPE_TEXT, key = item->shape == PLOY_SHAPE_KEY;
    ployi_table table;
    bool rows = item->shape == PLOY_SHAPE_TABLE && ployi_table_begin(item->text, &table);
    if (item->text == NULL || (!text && !key && !rows)) return;
    if (!key && !ployi_sink_is_drawable(item)) return;
    if (!sink->as_json) {
        if (key) {
            ploy_write_text(sink->writer, ploy_style_text(item->style));
            ploy_write_text(sink->writer, ": ");
        }
        if (rows) {
            words_table_text(sink->writer, table);
            return;
        }
        ployi_sink_write_line_text(sink->writer, item->text);
        ploy_write_char(sink->writer, '\n');
        return;
    }
    ploy_json_write_begin_object(&sink->json);
    ploy_json_write_key(&sink->json, key ? "style" : rows ? "table" : "text");
    if (key) ploy_json_write_text(&sink->json, ploy_style_text(item->style));
    if (rows) ploy_json_write_bool(&sink->json, true);
    if (text) ploy_json_write_text(&sink->json, item->text);
    if (key) {
        ploy_json_write_key(&sink->json, "means");
        ploy_json_write_text(&sink->json, item->text);
    } else {
        words_place(sink, item);
    }
    if (rows) words_table_json(sink, table);
    ploy_json_write_end_object(&sink->json);
}

void ploy_words_sink_init(ploy_words_sink *sink, ploy_writer *writer, bool json) {
    memset(sink, 0, sizeof *sink);
    sink->writer = writer;
    sink->as_json = json;
    if (!json) return;
    ploy_json_writer_init(&sink->json, writer, 0);
    ploy_json_write_begin_array(&sink->json);
}

ploy_draw ploy_words_sink_draw(ploy_words_sink *sink) {
    ploy_draw draw = {words_item, sink, (1u << PLOY_LAYER_COUNT) - 1u};
    return draw;
}

ploy_result ploy_words_sink_finish(ploy_words_sink *sink) {
    if (!sink->as_json) return ploy_writer_result(sink->writer);
    ploy_json_write_end_array(&sink->json);
    return ploy_json_writer_finish(&sink->json);
}
