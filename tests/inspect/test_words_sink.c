// The texts and tables of a picture, and tables in every sink.
#include "inspect/inspect_internal.h"
#include "ploy/inspect/sinks.h"
#include "tests/inspect/sink_example.h"
#include "tests/test.h"

static const char words_table[] =
    "lrc\nsearch\tlength\tmore\nastar\t84.9\t\njps\t5\t+1 %\textra\ntheta";

static void words_picture(ploy_draw *out) {
    ploy_agent_id none = ploy_agent_id_none();
    ploy_draw_disc(out, PLOY_LAYER_WORLD, PLOY_STYLE_WALL, none, ploy_vec2_make(1, 2), 1, 1);
    ploy_draw_text(out, none, ploy_vec2_make(1, 2), "two\nlines");
    ploy_draw_table(out, none, ploy_vec2_make(3, 4), words_table);
    ploy_draw_key(out, PLOY_STYLE_AGENT_B, "red team");
}

TEST(columns_of_a_table_line_up_as_text) {
    sink_out out;
    sink_out_begin(&out);
    ploy_words_sink sink;
    ploy_words_sink_init(&sink, &out.writer, false);
    ploy_draw draw = ploy_words_sink_draw(&sink);
    words_picture(&draw);
    CHECK_OK(ploy_words_sink_finish(&sink));
    CHECK_TEXT(sink_out_text(&out), "two lines\n"
                                    "search  length  more\n"
                                    "astar     84.9\n"
                                    "jps          5  +1 %\n"
                                    "theta\n"
                                    "agent_b: red team\n");
    sink_out_end(&out);
}

TEST(a_table_is_an_array_of_rows_as_json) {
    sink_out out;
    sink_out_begin(&out);
    ploy_words_sink sink;
    ploy_words_sink_init(&sink, &out.writer, true);
    ploy_draw draw = ploy_words_sink_draw(&sink);
    words_picture(&draw);
    CHECK_OK(ploy_words_sink_finish(&sink));
    CHECK_TEXT(sink_out_text(&out),
               "[{\"text\":\"two\\nlines\",\"at\":[1,2]},{\"table\":true,\"at\":[3,4],\"columns\":["
               "\"left\",\"right\",\"centre\"],\"rows\":[[\"search\",\"length\",\"more\"],["
               "\"astar\",\"84.9\",\"\"],[\"jps\",\"5\",\"+1 %\"],[\"theta\",\"\",\"\"]]},"
               "{\"style\":\"agent_b\",\"means\":\"red team\"}]");
    sink_out_end(&out);
}

TEST(what_is_no_table_is_refused_and_cells_are_counted_in_letters) {
    static const struct {
        const char *row, *text;
        bool ok;
        int32_t rows, columns, letters;
    } rows[] = {
        {"nothing", "", false, 0, 0, 0},
        {"columns without rows", "lr", false, 0, 0, 0},
        {"no columns", "\na\tb", false, 0, 0, 0},
        {"another letter", "lx\na\tb", false, 0, 0, 0},
        {"too many columns", "lllllllllllllllll\na", false, 0, 0, 0},
        {"one cell", "l\nabc", true, 1, 1, 3},
        {"a line end at the end", "l\nabc\n", true, 1, 1, 3},
        {"an empty row", "ll\na\tb\n\nc\td", true, 3, 2, 1},
        {"letters, not bytes", "l\n\xC3\xA9\xC3\xA9", true, 1, 1, 2},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ployi_table table;
        CHECK_INT(ployi_table_begin(rows[i].text, &table), rows[i].ok);
        if (!rows[i].ok) continue;
        CHECK_INT(table.rows, rows[i].rows);
        CHECK_INT(table.columns, rows[i].columns);
        CHECK_INT(table.letters[0], rows[i].letters);
        ployi_table_cell cell;
        int32_t cells = 0;
        while (ployi_table_next(&table, &cell)) cells++;
        CHECK_INT(cells, rows[i].rows * rows[i].columns);
    }
    ployi_table none;
    CHECK(!ployi_table_begin(NULL, &none));
}
