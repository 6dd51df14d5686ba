#include "tests/geom/geom_test.h"

#include "ploy/geom/draw.h"

typedef struct drawn {
    ploy_draw_item last;
    ploy_vec3 first_point, last_point;
    int32_t items, points, longest;
    double length; // m, of all lines
    char text[16];
} drawn;

static void draw_keep(void *user, const ploy_draw_item *item) {
    drawn *seen = user;
    seen->last = *item;
    if (seen->items++ == 0) seen->first_point = item->points[0];
    seen->points += item->count;
    if (item->count > seen->longest) seen->longest = item->count;
    seen->last_point = item->points[item->count - 1];
    for (int32_t i = 1; i < item->count; i++) {
        seen->length += (double)ploy_vec3_distance(item->points[i - 1], item->points[i]);
    }
    if (item->text != NULL) snprintf(seen->text, sizeof seen->text, "%s", item->text);
}

static float draw_number(const void *user, int32_t cell) {
    return *(const float *)user + (float)cell;
}

TEST(values_go_only_to_receivers_that_take_maps) {
    float first = 2.0f;
    ploy_draw_map map = {.name = "danger",
                         .unit = "m",
                         .origin = {1, 2},
                         .size = 0.5f,
                         .columns = 3,
                         .rows = 2,
                         .value = draw_number,
                         .user = &first};
    drawn seen = {0};
    ploy_draw out = {draw_keep, &seen, UINT32_MAX};
    ploy_draw_values(&out, PLOY_LAYER_INFLUENCE, &map);
    CHECK_INT(seen.items, 0); // every layer, but no maps
    out.layers = PLOY_DRAW_MAPS | 1u << PLOY_LAYER_WORLD;
    ploy_draw_values(&out, PLOY_LAYER_INFLUENCE, &map);
    CHECK_INT(seen.items, 0); // maps, but not this layer
    out.layers |= 1u << PLOY_LAYER_INFLUENCE;
    ploy_draw_values(&out, PLOY_LAYER_INFLUENCE, NULL);
    CHECK_INT(seen.items, 0);
    ploy_draw_values(&out, PLOY_LAYER_INFLUENCE, &map);
    CHECK_INT(seen.items, 1);
    CHECK_INT(seen.last.shape, PLOY_SHAPE_MAP);
    CHECK_SAME(seen.first_point.y, 2.0f);
    CHECK_SAME(seen.last.map->value(seen.last.map->user, 5), 7.0f);
    CHECK_TEXT(seen.text, "danger");
}

TEST(layers_and_styles_have_names_and_colours) {
    static const char *const layers[] = {"world",  "regions", "influence", "paths",
                                         "senses", "forces",  "agents",    "labels"};
    CHECK_INT(COUNT_OF(layers), PLOY_LAYER_COUNT);
    for (int32_t i = 0; i < PLOY_LAYER_COUNT; i++) {
        CHECK_TEXT(ploy_layer_text((ploy_layer)i), layers[i]);
    }
    CHECK_TEXT(ploy_style_text(PLOY_STYLE_PLAIN), "plain");
    CHECK_TEXT(ploy_style_text(PLOY_STYLE_AGENT_D), "agent_d");
    CHECK_TEXT(ploy_style_text(PLOY_STYLE_TEXT), "text");
    for (int32_t i = 0; i < PLOY_STYLE_COUNT; i++) {
        TEST_SEED(i);
        const char *text = ploy_style_text((ploy_style)i);
        CHECK(text != NULL && text[0] >= 'a' && text[0] <= 'z');
        CHECK(ploy_style_color((ploy_style)i) <= 0xffffffu);
        for (int32_t j = 0; j < i; j++) CHECK(strcmp(text, ploy_style_text((ploy_style)j)) != 0);
    }
    CHECK_TEXT(ploy_layer_text((ploy_layer)-1), "?");
    CHECK_TEXT(ploy_layer_text(PLOY_LAYER_COUNT), "?");
    CHECK_TEXT(ploy_style_text((ploy_style)99), "?");
    CHECK_UINT(ploy_style_color((ploy_style)99), ploy_style_color(PLOY_STYLE_PLAIN));
}

// What an eye without one kind of cone sees of a colour (Viénot, Brettel and Mollon 1999 for the
// first two, in linear light), as lightness and two opponents.
static void seen_as(uint32_t color, int32_t kind, double out[3]) {
    double rgb[3];
    for (int32_t i = 0; i < 3; i++) {
        rgb[i] = pow((double)(color >> (16 - 8 * i) & 255u) / 255, 2.2);
    }
    double r = rgb[0], g = rgb[1], b = rgb[2];
    if (kind == 1) { // no long-wave cones
        rgb[0] = rgb[1] = 0.11238 * r + 0.88762 * g;
        rgb[2] = 0.00401 * r - 0.00401 * g + b;
    } else if (kind == 2) { // no middle-wave cones
        rgb[0] = rgb[1] = 0.29275 * r + 0.70725 * g;
        rgb[2] = -0.02234 * r + 0.02234 * g + b;
    }
    for (int32_t i = 0; i < 3; i++) rgb[i] = pow(fmax(rgb[i], 0), 1 / 2.2);
    out[0] = 0.3 * rgb[0] + 0.59 * rgb[1] + 0.11 * rgb[2];
    out[1] = rgb[0] - rgb[1];
    out[2] = (rgb[0] + rgb[1]) / 2 - rgb[2];
}

TEST(teams_and_meanings_are_told_apart_by_colour_blind_eyes_too) {
    static const ploy_style groups[][4] = {
        {PLOY_STYLE_AGENT_A, PLOY_STYLE_AGENT_B, PLOY_STYLE_AGENT_C, PLOY_STYLE_AGENT_D},
        {PLOY_STYLE_GOOD, PLOY_STYLE_WARNING, PLOY_STYLE_BAD, PLOY_STYLE_WALL},
        {PLOY_STYLE_OPEN, PLOY_STYLE_CLOSED, PLOY_STYLE_WALL, PLOY_STYLE_FLOOR},
        {PLOY_STYLE_VELOCITY, PLOY_STYLE_FORCE, PLOY_STYLE_TARGET, PLOY_STYLE_PATH},
    };
    for (size_t g = 0; g < COUNT_OF(groups); g++) {
        for (int32_t kind = 0; kind < 3; kind++) {
            for (int32_t i = 0; i < 4; i++) {
                for (int32_t j = 0; j < i; j++) {
                    TEST_SEED(g * 1000 + (size_t)(kind * 100 + i * 10 + j));
                    double a[3], b[3];
                    seen_as(ploy_style_color(groups[g][i]), kind, a);
                    seen_as(ploy_style_color(groups[g][j]), kind, b);
                    double apart =
                        sqrt(pow(a[0] - b[0], 2) + pow(a[1] - b[1], 2) + pow(a[2] - b[2], 2));
                    CHECK(apart > 0.12);
                }
            }
        }
    }
}

TEST(each_call_fills_in_its_shape) {
    drawn seen = {0};
    ploy_draw out = {draw_keep, &seen, ~0u};
    ploy_agent_id owner = ploy_agent_id_make(4, 2);
    ploy_draw_point(&out, PLOY_LAYER_PATHS, PLOY_STYLE_TARGET, owner, test_v2(1, 2));
    CHECK_INT(seen.last.shape, PLOY_SHAPE_POINT);
    CHECK_INT(seen.last.layer, PLOY_LAYER_PATHS);
    CHECK_INT(seen.last.style, PLOY_STYLE_TARGET);
    CHECK(ploy_id_equal(seen.last.owner, owner.id));
    CHECK_VEC3(seen.first_point, 1, 2, 0, 0);
    ploy_draw_line(&out, PLOY_LAYER_WORLD, PLOY_STYLE_WALL, owner, test_v2(1, 2), test_v2(3, 4));
    CHECK_INT(seen.last.shape, PLOY_SHAPE_LINE);
    CHECK_INT(seen.last.count, 2);
    CHECK_VEC3(seen.last_point, 3, 4, 0, 0);
    ploy_draw_circle(&out, PLOY_LAYER_WORLD, PLOY_STYLE_WALL, owner, test_v2(1, 2), 5);
    CHECK_INT(seen.last.shape, PLOY_SHAPE_CIRCLE);
    CHECK_SAME(seen.last.radius, 5);
    CHECK_SAME(seen.last.alpha, 1);
    ploy_draw_disc(&out, PLOY_LAYER_WORLD, PLOY_STYLE_WALL, owner, test_v2(1, 2), 5, 0.25f);
    CHECK_INT(seen.last.shape, PLOY_SHAPE_DISC);
    CHECK_SAME(seen.last.alpha, 0.25);
    ploy_draw_arrow(&out, PLOY_LAYER_FORCES, PLOY_STYLE_FORCE, owner, test_v2(1, 2), test_v2(5, 6));
    CHECK_INT(seen.last.shape, PLOY_SHAPE_ARROW);
    CHECK_VEC3(seen.last_point, 5, 6, 0, 0);
    ploy_draw_agent(&out, PLOY_STYLE_AGENT_B, owner, test_v2(7, 8), 1.5f, 0.5f);
    CHECK_INT(seen.last.shape, PLOY_SHAPE_AGENT);
    CHECK_INT(seen.last.layer, PLOY_LAYER_AGENTS);
    CHECK_SAME(seen.last.angle, 1.5);
    CHECK_SAME(seen.last.radius, 0.5);
    ploy_draw_text(&out, owner, test_v2(1, 2), "hello");
    CHECK_INT(seen.last.shape, PLOY_SHAPE_TEXT);
    CHECK_INT(seen.last.layer, PLOY_LAYER_LABELS);
    CHECK_TEXT(seen.text, "hello");
    ploy_draw_table(&out, owner, test_v2(3, 4), "l\ncell");
    CHECK_INT(seen.last.shape, PLOY_SHAPE_TABLE);
    CHECK_TEXT(seen.text, "l\ncell");
    out.layers = 0;
    ploy_draw_key(&out, PLOY_STYLE_GOOD, "open door"); // of no layer
    out.layers = UINT32_MAX;
    CHECK_INT(seen.last.shape, PLOY_SHAPE_KEY);
    CHECK_INT(seen.last.style, PLOY_STYLE_GOOD);
    CHECK_TEXT(seen.text, "open door");
    CHECK(!ploy_draw_space(&out) && !ploy_draw_space(NULL)); // all layers, flat
    CHECK(!ploy_draw_takes_maps(&out) && !ploy_draw_takes_maps(NULL));
    out.layers = PLOY_DRAW_SPACE | 1u << PLOY_LAYER_WORLD;
    CHECK(ploy_draw_space(&out) && !ploy_draw_takes_maps(&out));
    out.layers = 1u << PLOY_LAYER_WORLD;
    CHECK(!ploy_draw_space(&out));
    ploy_vec3 space[3] = {{0, 0, 1}, {1, 0, 2}, {0, 1, 3}};
    ploy_draw_line3(&out, PLOY_LAYER_WORLD, PLOY_STYLE_WALL, owner, space, 3);
    CHECK_INT(seen.last.shape, PLOY_SHAPE_LINE);
    CHECK_VEC3(seen.last_point, 0, 1, 3, 0);
    ploy_draw_polygon3(&out, PLOY_LAYER_WORLD, PLOY_STYLE_WALL, owner, space, 3, 0.5f);
    CHECK_INT(seen.last.shape, PLOY_SHAPE_POLYGON);
    CHECK_SAME(seen.last.alpha, 0.5);
    ploy_draw_polygon3(&out, PLOY_LAYER_WORLD, PLOY_STYLE_WALL, owner, space, 2, 0.5f); // no area
    out.layers = UINT32_MAX;
    CHECK_TEXT(ploy_style_meaning(PLOY_STYLE_WALL), "walls");
    CHECK_TEXT(ploy_style_meaning(PLOY_STYLE_COUNT), "?");
    ploy_vec2 corners[3] = {{0, 0}, {1, 0}, {0, 1}};
    ploy_draw_polygon(&out, PLOY_LAYER_REGIONS, PLOY_STYLE_FLOOR, owner, corners, 3, 0.5f);
    CHECK_INT(seen.last.shape, PLOY_SHAPE_POLYGON);
    CHECK_INT(seen.last.count, 3);
    CHECK_SAME(seen.last.alpha, 0.5);
    CHECK_INT(seen.items, 12);
}

TEST(only_wanted_layers_are_passed_on) {
    for (int32_t layer = 0; layer < PLOY_LAYER_COUNT; layer++) {
        TEST_SEED(layer);
        drawn seen = {0};
        ploy_draw out = {draw_keep, &seen, 1u << layer};
        ploy_vec2 corners[3] = {{0, 0}, {1, 0}, {0, 1}};
        for (int32_t i = 0; i < PLOY_LAYER_COUNT; i++) {
            ploy_layer asked = (ploy_layer)i;
            CHECK(ploy_draw_wants(&out, asked) == (i == layer));
            ploy_draw_polygon(&out, asked, PLOY_STYLE_FLOOR, ploy_agent_id_none(), corners, 3, 1);
            ploy_draw_polyline(&out, asked, PLOY_STYLE_FLOOR, ploy_agent_id_none(), corners, 3);
        }
        CHECK_INT(seen.items, 2);
        CHECK_INT(seen.last.layer, layer);
    }
    // Nobody listens.
    ploy_draw deaf = {NULL, NULL, ~0u};
    ploy_draw_text(&deaf, ploy_agent_id_none(), test_v2(0, 0), "x");
    ploy_draw_text(NULL, ploy_agent_id_none(), test_v2(0, 0), "x");
    ploy_draw_item_out(NULL, NULL);
    CHECK(!ploy_draw_wants(NULL, PLOY_LAYER_WORLD) && !ploy_draw_wants(&deaf, PLOY_LAYER_WORLD));
    CHECK(!ploy_draw_wants(&deaf, (ploy_layer)-1) && !ploy_draw_wants(&deaf, PLOY_LAYER_COUNT));
}

TEST(lines_and_polygons_of_any_length_go_out_whole) {
    enum { MOST = 3 * PLOY_DRAW_POINTS + 7 };
    static ploy_vec2 points[MOST];
    for (int32_t i = 0; i < MOST; i++) points[i] = test_v2(i, 0);
    static const int32_t counts[] = {0,
                                     1,
                                     2,
                                     3,
                                     PLOY_DRAW_POINTS - 1,
                                     PLOY_DRAW_POINTS,
                                     PLOY_DRAW_POINTS + 1,
                                     2 * PLOY_DRAW_POINTS - 1,
                                     2 * PLOY_DRAW_POINTS,
                                     MOST};
    for (size_t i = 0; i < COUNT_OF(counts); i++) {
        TEST_SEED(counts[i]);
        int32_t count = counts[i];
        drawn seen = {0};
        ploy_draw out = {draw_keep, &seen, ~0u};
        ploy_draw_polyline(&out, PLOY_LAYER_PATHS, PLOY_STYLE_PATH, ploy_agent_id_none(), points,
                           count);
        CHECK_SAME(seen.length, count < 2 ? 0 : count - 1); // no gap, nothing twice
        CHECK(seen.longest <= PLOY_DRAW_POINTS);
        if (count >= 2) CHECK_VEC3(seen.last_point, count - 1, 0, 0, 0);
        drawn polygon = {0};
        out.user = &polygon;
        ploy_draw_polygon(&out, PLOY_LAYER_PATHS, PLOY_STYLE_PATH, ploy_agent_id_none(), points,
                          count, 1);
        if (count < 3) {
            CHECK_INT(polygon.items, 0);
        } else if (count <= PLOY_DRAW_POINTS) {
            CHECK_INT(polygon.items, 1);
            CHECK_INT(polygon.last.count, count);
        } else { // too long to fill: its outline
            CHECK_SAME(polygon.length, 2 * (count - 1));
            CHECK_VEC3(polygon.last_point, 0, 0, 0, 0);
        }
    }
    drawn seen = {0};
    ploy_draw out = {draw_keep, &seen, ~0u};
    ploy_draw_polyline(&out, PLOY_LAYER_PATHS, PLOY_STYLE_PATH, ploy_agent_id_none(), NULL, 5);
    ploy_draw_polygon(&out, PLOY_LAYER_PATHS, PLOY_STYLE_PATH, ploy_agent_id_none(), NULL, 5, 1);
    ploy_draw_text(&out, ploy_agent_id_none(), test_v2(0, 0), NULL);
    CHECK_INT(seen.items, 0);
}
