#include "ploy/base/rng.h"
#include "ploy/base/utf8.h"
#include "ploy/inspect/sinks.h"
#include "tests/inspect/sink_example.h"
#include "tests/test.h"

static const float unit_view[4] = {0.0f, 0.0f, 10.0f, 5.0f};

// Checks that text is well-formed XML of the kind the sink writes: tags that match, attributes in
// double quotes, no markup inside texts, only characters that XML allows.
static void check_xml(test_context *t, const char *xml, size_t size) {
    char names[16][32];
    int depth = 0, roots = 0;
    CHECK(ploy_utf8_check(xml, size, NULL));
    for (size_t at = 0; at < size;) {
        if (xml[at] != '<') {
            CHECK(xml[at] != '>' && ((unsigned char)xml[at] >= 0x20 || xml[at] == '\n'));
            if (xml[at] == '&') {
                CHECK(strncmp(xml + at, "&amp;", 5) == 0 || strncmp(xml + at, "&lt;", 4) == 0 ||
                      strncmp(xml + at, "&gt;", 4) == 0 || strncmp(xml + at, "&quot;", 6) == 0);
            }
            CHECK(depth > 0 || xml[at] == '\n');
            at++;
            continue;
        }
        bool closing = xml[at + 1] == '/';
        at += closing ? 2 : 1;
        char name[32] = "";
        size_t length = strcspn(xml + at, " />");
        CHECK(length > 0 && length < sizeof name);
        memcpy(name, xml + at, length);
        at += length;
        if (closing) {
            CHECK(depth > 0 && strcmp(names[depth - 1], name) == 0);
            CHECK(xml[at++] == '>');
            depth--;
            continue;
        }
        roots += depth == 0;
        while (xml[at] == ' ') { // attributes
            at++;
            size_t key = strcspn(xml + at, "=");
            at += key + 1;
            CHECK(key > 0 && xml[at] == '"');
            size_t value = strcspn(xml + at + 1, "\"<&");
            CHECK(xml[at + 1 + value] == '"');
            at += value + 2;
        }
        bool empty = xml[at] == '/';
        at += empty ? 1 : 0;
        CHECK(xml[at++] == '>');
        if (!empty) {
            CHECK(depth < 16);
            memcpy(names[depth++], name, sizeof name);
        }
    }
    CHECK_INT(depth, 0);
    CHECK_INT(roots, 1);
}

// Draws one item and gives the lines between the ground and the closing tag.
static const char *draw_one(test_context *t, const ploy_draw_item *item, int64_t left_out) {
    static char body[8192];
    sink_out out;
    sink_out_begin(&out);
    ploy_svg_sink sink;
    CHECK_OK(ploy_svg_sink_init(&sink, &out.writer, unit_view, 100));
    ploy_draw draw = ploy_svg_sink_draw(&sink);
    draw.item(draw.user, item);
    CHECK_INT(sink.left_out, left_out);
    CHECK_OK(ploy_svg_sink_finish(&sink));
    check_xml(t, out.buffer.bytes, out.buffer.size);
    const char *start = strstr(sink_out_text(&out), "<rect ");
    CHECK(start != NULL);
    start = strchr(start, '\n') + 1;
    const char *end = strstr(start, "</svg>\n");
    CHECK(end != NULL && end[7] == '\0');
    snprintf(body, sizeof body, "%.*s", (int)(end - start), start);
    sink_out_end(&out);
    return body;
}

static ploy_draw_item make_item(ploy_shape shape, const ploy_vec3 *points, int32_t count) {
    ploy_draw_item item = {
        shape, PLOY_LAYER_AGENTS, PLOY_STYLE_AGENT_A, {0, 0}, points, count, 1.0f, 0.0f, 1.0f, NULL,
        NULL};
    return item;
}

TEST(cells_of_a_table_are_anchored_where_their_column_is_aligned) {
    ploy_vec3 at = {0, 1, 0};
    ploy_draw_item item = make_item(PLOY_SHAPE_TABLE, &at, 1);
    item.text = "lr\na\tbb\nccc\t<4>";
    const char *svg = draw_one(t, &item, 0);
    CHECK(strstr(svg, "font-weight=\"bold\">a</text>") != NULL);
    CHECK(strstr(svg, " text-anchor=\"end\" font-weight=\"bold\">bb</text>") != NULL);
    CHECK(strstr(svg, ">ccc</text>") != NULL);
    CHECK(strstr(svg, " text-anchor=\"end\">&lt;4&gt;</text>") != NULL);
    // Both cells of the second column end at the same place.
    const char *bb = strstr(svg, ">bb<"), *four = strstr(svg, ">&lt;4");
    while (strncmp(bb, " x=", 3) != 0) bb--;
    while (strncmp(four, " x=", 3) != 0) four--;
    CHECK(strncmp(bb, four, 8) == 0);
    item.text = "no table";
    CHECK_TEXT(draw_one(t, &item, 1), "");
    item.shape = PLOY_SHAPE_KEY; // nothing to draw, and nothing left out
    CHECK_TEXT(draw_one(t, &item, 0), "");
}

TEST(the_head_has_size_palette_and_ground) {
    sink_out out;
    sink_out_begin(&out);
    ploy_svg_sink sink;
    CHECK_OK(ploy_svg_sink_init(&sink, &out.writer, unit_view, 100));
    CHECK_OK(ploy_svg_sink_finish(&sink));
    const char *svg = sink_out_text(&out);
    static const char head[] = "<svg xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\" "
                               "width=\"100\" height=\"50\" viewBox=\"0 0 100 50\">\n<style>\n";
    CHECK(strncmp(svg, head, sizeof head - 1) == 0);
    for (int i = 0; i < PLOY_STYLE_COUNT; i++) {
        char rule[64];
        snprintf(rule, sizeof rule, ".%s{fill:#%06x;stroke:#%06x;", ploy_style_text((ploy_style)i),
                 (unsigned)ploy_style_color((ploy_style)i),
                 (unsigned)ploy_style_color((ploy_style)i));
        t->row = rule;
        CHECK(strstr(svg, rule) != NULL);
    }
    check_xml(t, out.buffer.bytes, out.buffer.size);
    sink_out_end(&out);
}

TEST(every_shape_has_its_element_with_y_up) {
    static const ploy_vec3 points[] = {{1, 1, 0}, {4, 5, 0}, {10, 0, 0}};
    ploy_draw_item item = make_item(PLOY_SHAPE_POINT, points, 1);
    CHECK_TEXT(draw_one(t, &item, 0),
               "<circle class=\"agents agent_a f\" cx=\"10\" cy=\"40\" r=\"2.5\"/>\n");
    item = make_item(PLOY_SHAPE_LINE, points, 3);
    item.owner = ploy_id_make(2, 1);
    CHECK_TEXT(draw_one(t, &item, 0), "<polyline class=\"agents agent_a o\" data-owner=\"2:1\" "
                                      "points=\"10,40 40,0 100,50\"/>\n");
    item = make_item(PLOY_SHAPE_POLYGON, points, 3);
    item.alpha = 0.25f;
    CHECK_TEXT(draw_one(t, &item, 0), "<polygon class=\"agents agent_a f\" points=\"10,40 40,0 "
                                      "100,50\" fill-opacity=\"0.25\"/>\n");
    item = make_item(PLOY_SHAPE_CIRCLE, points, 1);
    item.radius = 0.123456f;
    CHECK_TEXT(draw_one(t, &item, 0),
               "<circle class=\"agents agent_a o\" cx=\"10\" cy=\"40\" r=\"1.23\"/>\n");
    item = make_item(PLOY_SHAPE_DISC, points, 1);
    item.alpha = 2.0f;
    CHECK_TEXT(draw_one(t, &item, 0),
               "<circle class=\"agents agent_a f\" cx=\"10\" cy=\"40\" r=\"10\"/>\n");
    item = make_item(PLOY_SHAPE_ARROW, points, 2);
    CHECK_TEXT(draw_one(t, &item, 0), "<path class=\"agents agent_a a\" d=\"M10 40L35.2 6.4M40 0L"
                                      "37.6 8.2L32.8 4.6Z\"/>\n");
    item = make_item(PLOY_SHAPE_TEXT, points, 1);
    item.text = "a<b>&\"c\"";
    CHECK_TEXT(draw_one(t, &item, 0), "<text class=\"agents agent_a f\" x=\"10\" y=\"40\">"
                                      "a&lt;b&gt;&amp;&quot;c&quot;</text>\n");
}

TEST(an_agent_has_its_nose_where_it_looks) {
    static const ploy_vec3 at[] = {{5, 2.5f, 0}};
    ploy_draw_item item = make_item(PLOY_SHAPE_AGENT, at, 1);
    // Radius 10 pixels around (50, 25): the nose 17 pixels out, to the right and then up.
    CHECK_TEXT(draw_one(t, &item, 0), "<path class=\"agents agent_a f\" d=\"M55.88 16.91L67 25L"
                                      "55.88 33.09A10 10 0 1 1 55.88 16.91Z\"/>\n");
    item.angle = 1.57079633f;
    CHECK_TEXT(draw_one(t, &item, 0), "<path class=\"agents agent_a f\" d=\"M41.91 19.12L50 8L"
                                      "58.09 19.12A10 10 0 1 1 41.91 19.12Z\"/>\n");
}

TEST(shapes_that_cannot_be_drawn_are_left_out_and_counted) {
    static const ploy_vec3 good[] = {{1, 1, 0}, {2, 2, 0}};
    static const ploy_vec3 bad[] = {{1, 1, 0}, {1, NAN, 0}, {INFINITY, 1, 0}};
    static const ploy_vec3 far[] = {{1e30f, 1, 0}, {1, -1e30f, 0}};
    ploy_draw_item items[] = {
        make_item(PLOY_SHAPE_LINE, bad, 2),      make_item(PLOY_SHAPE_LINE, bad + 1, 2),
        make_item(PLOY_SHAPE_POINT, bad + 2, 1), make_item(PLOY_SHAPE_LINE, good, 1),
        make_item(PLOY_SHAPE_POLYGON, good, 2),  make_item(PLOY_SHAPE_ARROW, good, 1),
        make_item(PLOY_SHAPE_POINT, NULL, 1),    make_item(PLOY_SHAPE_POINT, good, 0),
        make_item(PLOY_SHAPE_LINE, good, -5),    make_item((ploy_shape)99, good, 2),
        make_item((ploy_shape)-1, good, 2),      make_item(PLOY_SHAPE_LINE, far, 2),
        make_item(PLOY_SHAPE_DISC, good, 1),     make_item(PLOY_SHAPE_DISC, good, 1),
        make_item(PLOY_SHAPE_CIRCLE, good, 1),   make_item(PLOY_SHAPE_AGENT, good, 1),
        make_item(PLOY_SHAPE_DISC, good, 1),
    };
    items[12].radius = NAN;
    items[13].radius = -1.0f;
    items[14].radius = INFINITY;
    items[15].angle = NAN;
    items[16].radius = 1e30f;
    for (size_t i = 0; i < COUNT_OF(items); i++) {
        TEST_SEED(i);
        CHECK_TEXT(draw_one(t, &items[i], 1), "");
    }
    CHECK_TEXT(draw_one(t, NULL, 1), "");
}

TEST(odd_parts_of_a_shape_get_a_plain_form) {
    static const ploy_vec3 at[] = {{1, 1, NAN}, {1, 1, 0}};
    ploy_draw_item item = make_item(PLOY_SHAPE_DISC, at, 1);
    item.style = (ploy_style)99;
    item.layer = (ploy_layer)-3;
    item.alpha = NAN;
    CHECK_TEXT(draw_one(t, &item, 0),
               "<circle class=\"world plain f\" cx=\"10\" cy=\"40\" r=\"10\"/>\n");
    item = make_item(PLOY_SHAPE_ARROW, at, 2); // without a direction: a dot
    CHECK_TEXT(draw_one(t, &item, 0),
               "<circle class=\"agents agent_a f\" cx=\"10\" cy=\"40\" r=\"1\"/>\n");
    item = make_item(PLOY_SHAPE_TEXT, at, 1);
    CHECK_TEXT(draw_one(t, &item, 0),
               "<text class=\"agents agent_a f\" x=\"10\" y=\"40\"></text>\n");
    item.text = "\xFF\x01\t\n\xEF\xBF\xBE\xC3\xA9";
    CHECK_TEXT(draw_one(t, &item, 0),
               "<text class=\"agents agent_a f\" x=\"10\" y=\"40\">\xEF\xBF\xBD\xEF\xBF\xBD  "
               "\xEF\xBF\xBD\xC3\xA9</text>\n");
}

TEST(numbers_are_short) {
    static const struct {
        float x;
        const char *want;
    } rows[] = {
        {0.0f, "cx=\"0\""},      {-0.0001f, "cx=\"0\""},       {0.1f, "cx=\"1\""},
        {0.101f, "cx=\"1.01\""}, {0.11f, "cx=\"1.1\""},        {-0.1234f, "cx=\"-1.23\""},
        {0.0996f, "cx=\"1\""},   {123.456f, "cx=\"1234.56\""},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].want;
        ploy_vec3 at = {rows[i].x, 0, 0};
        ploy_draw_item item = make_item(PLOY_SHAPE_POINT, &at, 1);
        CHECK(strstr(draw_one(t, &item, 0), rows[i].want) != NULL);
    }
}

TEST(views_that_cannot_be_shown_are_refused) {
    static const struct {
        const char *row;
        float view[4];
        int32_t width;
        ploy_result want;
    } rows[] = {
        {"fine", {0, 0, 10, 5}, 100, PLOY_OK},
        {"narrowest", {0, 0, 10, 5}, 16, PLOY_OK},
        {"widest", {0, 0, 10, 5}, 16384, PLOY_OK},
        {"too narrow", {0, 0, 10, 5}, 15, PLOY_ERR_ARGUMENT},
        {"too wide", {0, 0, 10, 5}, 16385, PLOY_ERR_ARGUMENT},
        {"empty", {0, 0, 0, 5}, 100, PLOY_ERR_ARGUMENT},
        {"turned around", {10, 0, 0, 5}, 100, PLOY_ERR_ARGUMENT},
        {"flat", {0, 5, 10, 5}, 100, PLOY_ERR_ARGUMENT},
        {"not a number", {0, NAN, 10, 5}, 100, PLOY_ERR_ARGUMENT},
        {"infinite", {0, 0, INFINITY, 5}, 100, PLOY_ERR_ARGUMENT},
        {"too high", {0, 0, 1, 1000}, 100, PLOY_ERR_ARGUMENT},
        {"a sliver is one pixel high", {0, 0, 1000, 1}, 100, PLOY_OK},
        {"the largest numbers", {-FLT_MAX, -FLT_MAX, FLT_MAX, FLT_MAX}, 100, PLOY_OK},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        sink_out out;
        sink_out_begin(&out);
        ploy_svg_sink sink;
        CHECK_INT(ploy_svg_sink_init(&sink, &out.writer, rows[i].view, rows[i].width),
                  rows[i].want);
        CHECK_INT(out.buffer.size > 0, rows[i].want == PLOY_OK);
        sink_out_end(&out);
    }
    ploy_svg_sink sink;
    CHECK_INT(ploy_svg_sink_init(&sink, NULL, unit_view, 100), PLOY_ERR_ARGUMENT);
    ploy_writer writer = ploy_writer_make(sink_refuse, NULL);
    CHECK_INT(ploy_svg_sink_init(&sink, &writer, NULL, 100), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_svg_sink_init(&sink, &writer, unit_view, 100), PLOY_ERR_SYSTEM);
}

TEST(random_items_always_give_well_formed_xml) {
    for (uint64_t seed = 1; seed <= 60; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        sink_out out;
        sink_out_begin(&out);
        ploy_svg_sink sink;
        CHECK_OK(ploy_svg_sink_init(&sink, &out.writer, unit_view, 300));
        ploy_draw draw = ploy_svg_sink_draw(&sink);
        for (int i = 0; i < 50; i++) {
            ploy_vec3 points[6];
            uint64_t bits[3];
            for (int p = 0; p < 6; p++) {
                points[p].x = ploy_rng_range(&rng, -20, 20);
                points[p].y = ploy_rng_range(&rng, -20, 20);
                bits[0] = ploy_rng_u64(&rng);
                if (ploy_rng_below(&rng, 8) == 0) memcpy(&points[p], bits, 8); // any bits
            }
            char text[12];
            for (size_t c = 0; c < sizeof text; c++) text[c] = (char)ploy_rng_below(&rng, 256);
            text[ploy_rng_below(&rng, sizeof text)] = '\0';
            text[sizeof text - 1] = '\0';
            ploy_draw_item item = make_item((ploy_shape)ploy_rng_int(&rng, -1, PLOY_SHAPE_COUNT),
                                            points, ploy_rng_int(&rng, -1, 6));
            item.style = (ploy_style)ploy_rng_int(&rng, -1, PLOY_STYLE_COUNT);
            item.layer = (ploy_layer)ploy_rng_int(&rng, -1, PLOY_LAYER_COUNT);
            item.radius = ploy_rng_range(&rng, -1, 5);
            item.angle = ploy_rng_range(&rng, -10, 10);
            item.alpha = ploy_rng_range(&rng, -1, 2);
            item.owner = ploy_id_from_u64(ploy_rng_u64(&rng));
            item.text = text;
            draw.item(draw.user, &item);
        }
        CHECK_OK(ploy_svg_sink_finish(&sink));
        check_xml(t, out.buffer.bytes, out.buffer.size);
        CHECK(sink.left_out > 0 && sink.left_out < 50);
        sink_out_end(&out);
    }
}
