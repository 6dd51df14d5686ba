#include "ploy/inspect/canvas.h"
#include "ploy/inspect/legend.h"
#include "ploy/inspect/sinks.h"
#include "tests/inspect/sink_example.h"
#include "tests/test.h"

static void draw_scene(bool keys, ploy_draw *out) {
    ploy_agent_id none = ploy_agent_id_none();
    if (keys) {
        ploy_draw_key(out, PLOY_STYLE_AGENT_B, "red team");
        ploy_draw_key(out, PLOY_STYLE_FLOOR, "pitch");
        ploy_draw_key(out, PLOY_STYLE_BAD, "never drawn");
    }
    ploy_vec2 pitch[4] = {{0, -2}, {10, -2}, {10, 5}, {0, 5}}; // reaches below the view
    ploy_draw_polygon(out, PLOY_LAYER_WORLD, PLOY_STYLE_FLOOR, none, pitch, 4, 1.0f);
    ploy_draw_line(out, PLOY_LAYER_WORLD, PLOY_STYLE_WALL, none, pitch[0], pitch[2]);
    ploy_draw_agent(out, PLOY_STYLE_AGENT_B, none, ploy_vec2_make(5, 2), 0.0f, 0.5f);
    ploy_draw_text(out, none, ploy_vec2_make(1, 1), "kick-off");
}

static ploy_legend legend_of(bool keys, int32_t letter) {
    ploy_legend legend;
    ploy_legend_init(&legend, letter);
    ploy_draw draw = ploy_legend_sink(&legend);
    draw_scene(keys, &draw);
    return legend;
}

TEST(a_legend_has_the_meanings_of_the_styles_that_are_drawn) {
    ploy_legend legend = legend_of(true, PLOY_LEGEND_SVG_LETTER);
    float view[4] = {0, 0, 10, 5};
    CHECK_INT(ploy_legend_count(&legend), 3); // walls with their usual meaning; no texts
    ploy_legend_extend(&legend, 400, view);
    CHECK(view[1] < -0.3f && view[1] > -2.0f && view[3] == 5.0f);
    sink_out out;
    sink_out_begin(&out);
    ploy_svg_sink sink;
    CHECK_OK(ploy_svg_sink_init(&sink, &out.writer, view, 400));
    ploy_draw draw = ploy_svg_sink_draw(&sink);
    draw_scene(true, &draw);
    ploy_legend_draw(&legend, 400, view, &draw);
    CHECK_OK(ploy_svg_sink_finish(&sink));
    const char *svg = sink_out_text(&out);
    CHECK(strstr(svg, ">red team</text>") != NULL);
    CHECK(strstr(svg, ">pitch</text>") != NULL);
    CHECK(strstr(svg, ">walls</text>") != NULL);
    CHECK(strstr(svg, "never drawn") == NULL);
    CHECK(strstr(svg, ">texts</text>") == NULL);
    sink_out_end(&out);
}

TEST(a_picture_without_meanings_has_no_legend) {
    ploy_legend legend = legend_of(false, 7);
    float view[4] = {0, 0, 10, 5};
    ploy_legend_extend(&legend, 400, view);
    CHECK_INT(ploy_legend_count(&legend), 0);
    CHECK(view[1] == 0.0f);
    ploy_legend drawn = legend_of(true, 7);
    ploy_draw into = ploy_legend_sink(&drawn);
    drawn.drawn = 0;
    ploy_legend_draw(&legend, 400, view, &into);
    CHECK_UINT(drawn.drawn, 0);
}

// The strip covers what the scene draws below its view, and each mark has the colour of its style.
TEST(a_legend_is_below_the_picture) {
    ploy_env env = ploy_env_default();
    for (int32_t width = 120; width <= 1200; width *= 3) {
        ploy_legend legend = legend_of(true, ploy_canvas_letter(width));
        float view[4] = {0, 0, 10, 5};
        ploy_legend_extend(&legend, width, view);
        ploy_canvas *canvas = NULL;
        CHECK_OK(ploy_canvas_create(view, width, &env, &canvas));
        ploy_draw draw = ploy_canvas_draw(canvas);
        draw_scene(true, &draw);
        ploy_legend_draw(&legend, width, view, &draw);
        int32_t high = ploy_canvas_height(canvas), picture = width / 2, marks = 0, lines = 0;
        CHECK(high > picture);
        uint32_t red = ploy_style_color(PLOY_STYLE_AGENT_B),
                 floor_color = ploy_style_color(PLOY_STYLE_FLOOR);
        const uint8_t *rgb = ploy_canvas_pixels(canvas);
        for (int32_t i = (picture + 1) * width; i < high * width; i++) {
            uint32_t color =
                (uint32_t)rgb[3 * i] << 16 | (uint32_t)rgb[3 * i + 1] << 8 | rgb[3 * i + 2];
            marks += color == red;
            lines += color != red && color != floor_color && i % width > width - 4;
        }
        CHECK(marks > 4);
        CHECK_INT(lines, 0); // of the wall that goes on below
        ploy_canvas_destroy(canvas);
    }
}

TEST(long_meanings_are_cut_at_a_character) {
    ploy_legend legend;
    ploy_legend_init(&legend, 0);
    CHECK_INT(legend.letter, 1);
    char text[PLOY_LEGEND_TEXT + 8];
    memset(text, 'x', sizeof text);
    memcpy(text + PLOY_LEGEND_TEXT - 2, "\xC3\xBC",
           3); // one character of two bytes, across the limit
    ploy_draw draw = ploy_legend_sink(&legend);
    ploy_draw_key(&draw, PLOY_STYLE_GOOD, text);
    CHECK_UINT(strlen(legend.meanings[PLOY_STYLE_GOOD]), PLOY_LEGEND_TEXT - 2);
    ploy_draw_item bad = {.shape = PLOY_SHAPE_KEY, .style = (ploy_style)99, .text = "?"};
    draw.item(draw.user, &bad);
    draw.item(draw.user, NULL);
    bad.style = PLOY_STYLE_BAD;
    bad.text = NULL;
    draw.item(draw.user, &bad);
    CHECK_UINT(legend.given, 1u << PLOY_STYLE_GOOD);
}
