#include "ploy/base/hash.h"
#include "ploy/base/math.h"
#include "ploy/base/rng.h"
#include "ploy/inspect/canvas.h"
#include "tests/test.h"

static ploy_canvas *make_canvas(test_context *t, float width_m, float height_m, int32_t width) {
    float view[4] = {0.0f, 0.0f, width_m, height_m};
    ploy_env env = ploy_env_default();
    ploy_canvas *canvas = NULL;
    CHECK_OK(ploy_canvas_create(view, width, &env, &canvas));
    return canvas;
}

static ploy_draw_item make_item(ploy_shape shape, const ploy_vec3 *points, int32_t count) {
    ploy_draw_item item = {
        shape, PLOY_LAYER_WORLD, PLOY_STYLE_WALL, {0, 0}, points, count, 1.0f, 0.0f, 1.0f, NULL,
        NULL};
    return item;
}

static void draw_item(ploy_canvas *canvas, const ploy_draw_item *item) {
    ploy_draw draw = ploy_canvas_draw(canvas);
    draw.item(draw.user, item);
}

static const uint8_t *pixel_at(const ploy_canvas *canvas, int32_t x, int32_t y) {
    return ploy_canvas_pixels(canvas) +
           ((size_t)y * (size_t)ploy_canvas_width(canvas) + (size_t)x) * 3;
}

// Walls are black: how much of the ground is covered, from 0 to 1.
static double darkness(const ploy_canvas *canvas, int32_t x, int32_t y, const uint8_t *ground) {
    return 1.0 - (double)pixel_at(canvas, x, y)[0] / (double)ground[0];
}

static double total_darkness(const ploy_canvas *canvas, const uint8_t *ground) {
    double sum = 0.0;
    for (int32_t y = 0; y < ploy_canvas_height(canvas); y++) {
        for (int32_t x = 0; x < ploy_canvas_width(canvas); x++) {
            sum += darkness(canvas, x, y, ground);
        }
    }
    return sum;
}

static uint64_t pixel_hash(const ploy_canvas *canvas) {
    size_t size = (size_t)ploy_canvas_width(canvas) * (size_t)ploy_canvas_height(canvas) * 3;
    return ploy_hash_bytes(ploy_canvas_pixels(canvas), size, 0);
}

static void ground_of(test_context *t, uint8_t ground[3]) {
    ploy_canvas *canvas = make_canvas(t, 1, 1, 16);
    memcpy(ground, pixel_at(canvas, 0, 0), 3);
    ploy_canvas_destroy(canvas);
}

TEST(an_empty_canvas_is_light_and_clearing_makes_it_so_again) {
    ploy_canvas *canvas = make_canvas(t, 4, 3, 40);
    CHECK_INT(ploy_canvas_width(canvas), 40);
    CHECK_INT(ploy_canvas_height(canvas), 30);
    uint64_t empty = pixel_hash(canvas);
    for (int i = 0; i < 3; i++) CHECK(pixel_at(canvas, 39, 29)[i] > 230);
    ploy_vec3 center = {2, 1.5f, 0};
    ploy_draw_item item = make_item(PLOY_SHAPE_DISC, &center, 1);
    draw_item(canvas, &item);
    CHECK(pixel_hash(canvas) != empty);
    ploy_canvas_clear(canvas);
    CHECK_UINT(pixel_hash(canvas), empty);
    ploy_canvas_destroy(canvas);
}

TEST(y_points_up_and_x_to_the_right) {
    uint8_t ground[3];
    ground_of(t, ground);
    ploy_canvas *canvas = make_canvas(t, 4, 4, 16);
    ploy_vec3 corner[] = {{2, 2, 0}, {4, 2, 0}, {4, 4, 0}, {2, 4, 0}};
    ploy_draw_item item = make_item(PLOY_SHAPE_POLYGON, corner, 4);
    draw_item(canvas, &item);
    for (int32_t y = 0; y < 16; y++) {
        for (int32_t x = 0; x < 16; x++) {
            CHECK_SAME(darkness(canvas, x, y, ground), x >= 8 && y < 8 ? 1.0 : 0.0);
        }
    }
    ploy_canvas_destroy(canvas);
}

TEST(a_disc_covers_pi_r_squared) {
    uint8_t ground[3];
    ground_of(t, ground);
    for (uint64_t seed = 1; seed <= 40; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        ploy_canvas *canvas = make_canvas(t, 100, 100, 100);
        ploy_vec3 center = {ploy_rng_range(&rng, 45, 55), ploy_rng_range(&rng, 45, 55), 0};
        ploy_draw_item item = make_item(PLOY_SHAPE_DISC, &center, 1);
        item.radius = ploy_rng_range(&rng, 2, 40);
        draw_item(canvas, &item);
        double radius = (double)item.radius;
        double area = PLOY_PI * radius * radius;
        // Samples are a quarter of a pixel apart: the error grows with the outline, not the area.
        CHECK_NEAR(total_darkness(canvas, ground), area, 0.08 * 2.0 * PLOY_PI * radius);
        ploy_canvas_destroy(canvas);
    }
}

TEST(a_circle_covers_its_outline_only) {
    uint8_t ground[3];
    ground_of(t, ground);
    ploy_canvas *canvas = make_canvas(t, 100, 100, 100);
    ploy_vec3 center = {50, 50, 0};
    ploy_draw_item item = make_item(PLOY_SHAPE_CIRCLE, &center, 1);
    item.radius = 30.0f;
    draw_item(canvas, &item);
    CHECK_NEAR(total_darkness(canvas, ground), 2.0 * PLOY_PI * 30.0 * 2.5, 5.0);
    CHECK_SAME(darkness(canvas, 50, 50, ground), 0.0);
    CHECK_SAME(darkness(canvas, 80, 50, ground), 1.0); // 50 + 30, inside the stroke
    item.radius = 0.0f;                                // a dot of the stroke's width
    ploy_canvas_clear(canvas);
    draw_item(canvas, &item);
    CHECK_NEAR(total_darkness(canvas, ground), PLOY_PI * 1.25 * 1.25, 0.7);
    ploy_canvas_destroy(canvas);
}

TEST(a_line_covers_its_length_times_its_width_in_every_direction) {
    uint8_t ground[3];
    ground_of(t, ground);
    for (uint64_t seed = 0; seed < 32; seed++) {
        TEST_SEED(seed);
        ploy_canvas *canvas = make_canvas(t, 100, 100, 100);
        float angle = (float)seed * PLOY_TWO_PI_F / 32.0f;
        ploy_vec3 ends[] = {
            {50.3f, 49.8f, 0},
            {50.3f + 40.0f * ploy_cosf(angle), 49.8f + 40.0f * ploy_sinf(angle), 0}};
        ploy_draw_item item = make_item(PLOY_SHAPE_LINE, ends, 2);
        draw_item(canvas, &item);
        // Forty pixels by two and a half, and two round ends.
        double want = 40.0 * 2.5 + PLOY_PI * 1.25 * 1.25;
        CHECK_NEAR(total_darkness(canvas, ground), want, 0.06 * want);
        ploy_canvas_destroy(canvas);
    }
}

// The winding number of a polygon around a point, by the crossings of a ray to the left; the slow
// and obvious version of what the canvas counts.
static int winding_at(const ploy_vec3 *points, int32_t count, double x, double y) {
    int winding = 0;
    for (int32_t i = 0; i < count; i++) {
        double x0 = (double)points[i].x, y0 = (double)points[i].y;
        double x1 = (double)points[(i + 1) % count].x, y1 = (double)points[(i + 1) % count].y;
        bool up = y0 <= y && y < y1, down = y1 <= y && y < y0;
        if (!up && !down) continue;
        double cross = x0 + (x1 - x0) * ((y - y0) / (y1 - y0));
        if (cross <= x) winding += up ? 1 : -1;
    }
    return winding;
}

TEST(every_pixel_agrees_with_sixteen_samples_taken_one_by_one) {
    uint8_t ground[3];
    ground_of(t, ground);
    for (uint64_t seed = 1; seed <= 120; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        enum { SIZE = 32 };
        ploy_canvas *canvas = make_canvas(t, SIZE, SIZE, SIZE);
        ploy_vec3 points[8];
        int32_t count = ploy_rng_int(&rng, 3, 8);
        for (int32_t i = 0; i < count; i++) { // may cross itself and leave the picture
            points[i].x = ploy_rng_range(&rng, -10, SIZE + 10);
            points[i].y = ploy_rng_range(&rng, -10, SIZE + 10);
            points[i].z = 0;
        }
        bool disc = seed % 3 == 0, ring = seed % 6 == 0;
        ploy_draw_item item = make_item(ring   ? PLOY_SHAPE_CIRCLE
                                        : disc ? PLOY_SHAPE_DISC
                                               : PLOY_SHAPE_POLYGON,
                                        points, count);
        item.radius = ploy_rng_range(&rng, 0.5f, 25.0f);
        draw_item(canvas, &item);
        for (int32_t py = 0; py < SIZE; py++) {
            for (int32_t px = 0; px < SIZE; px++) {
                uint32_t covered = 0;
                for (int s = 0; s < 16; s++) {
                    double x = px + (s % 4 + 0.5) / 4.0;
                    double y = SIZE - (py + (s / 4 + 0.5) / 4.0);
                    double dx = x - (double)points[0].x, dy = y - (double)points[0].y;
                    double square = dx * dx + dy * dy;
                    double outer = (double)item.radius + (ring ? 1.25 : 0.0);
                    double inner = (double)item.radius - 1.25;
                    bool inside = disc ? square < outer * outer &&
                                             !(ring && inner > 0.0 && square < inner * inner)
                                       : winding_at(points, count, x, y) != 0;
                    covered += inside;
                }
                uint32_t want = (ground[0] * (16 - covered) * 255 + 2040) / 4080;
                CHECK_INT(pixel_at(canvas, px, py)[0], want);
            }
        }
        ploy_canvas_destroy(canvas);
    }
}

TEST(the_direction_of_a_polygon_does_not_matter) {
    for (uint64_t seed = 1; seed <= 20; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        ploy_vec3 there[5], back[5];
        for (int i = 0; i < 5; i++) {
            there[i].x = ploy_rng_range(&rng, 0, 20);
            there[i].y = ploy_rng_range(&rng, 0, 20);
            there[i].z = 0;
            back[4 - i] = there[i];
        }
        ploy_canvas *a = make_canvas(t, 20, 20, 40), *b = make_canvas(t, 20, 20, 40);
        ploy_draw_item item = make_item(PLOY_SHAPE_POLYGON, there, 5);
        draw_item(a, &item);
        item.points = back;
        draw_item(b, &item);
        CHECK_UINT(pixel_hash(a), pixel_hash(b));
        ploy_canvas_destroy(a);
        ploy_canvas_destroy(b);
    }
}

TEST(polygons_that_share_an_edge_leave_no_gap_and_do_not_overlap) {
    uint8_t ground[3];
    ground_of(t, ground);
    for (uint64_t seed = 1; seed <= 20; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        ploy_canvas *canvas = make_canvas(t, 16, 16, 16);
        ploy_vec3 middle = {ploy_rng_range(&rng, 2, 14), ploy_rng_range(&rng, 2, 14), 0};
        ploy_vec3 corners[] = {{0, 0, 0}, {16, 0, 0}, {16, 16, 0}, {0, 16, 0}};
        double sum = 0.0;
        for (int i = 0; i < 4; i++) { // four triangles make up the square
            ploy_canvas_clear(canvas);
            ploy_vec3 triangle[] = {corners[i], corners[(i + 1) % 4], middle};
            ploy_draw_item item = make_item(PLOY_SHAPE_POLYGON, triangle, 3);
            draw_item(canvas, &item);
            for (int32_t y = 0; y < 16; y++) {
                for (int32_t x = 0; x < 16; x++) {
                    sum += floor(darkness(canvas, x, y, ground) * 16.0 + 0.5);
                }
            }
        }
        CHECK_SAME(sum, 16.0 * 16.0 * 16.0); // each sample belongs to one of them
        ploy_canvas_destroy(canvas);
    }
}

TEST(alpha_mixes_and_nan_counts_as_opaque) {
    uint8_t ground[3];
    ground_of(t, ground);
    ploy_vec3 all[] = {{-1, -1, 0}, {5, -1, 0}, {5, 5, 0}, {-1, 5, 0}};
    static const struct {
        float alpha, share;
    } rows[] = {{1, 1}, {0, 0}, {0.5f, 128.0f / 255.0f}, {NAN, 1}, {7, 1}, {-7, 0}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        TEST_SEED(i);
        ploy_canvas *canvas = make_canvas(t, 4, 4, 16);
        ploy_draw_item item = make_item(PLOY_SHAPE_POLYGON, all, 4);
        item.style = PLOY_STYLE_AGENT_B;
        item.alpha = rows[i].alpha;
        draw_item(canvas, &item);
        uint32_t color = ploy_style_color(PLOY_STYLE_AGENT_B);
        for (int c = 0; c < 3; c++) {
            double own = color >> (16 - 8 * c) & 255u, share = (double)rows[i].share;
            CHECK_NEAR(pixel_at(canvas, 7, 7)[c], ground[c] * (1.0 - share) + own * share, 0.501);
        }
        ploy_canvas_destroy(canvas);
    }
}

TEST(an_agent_is_a_body_with_a_nose) {
    uint8_t ground[3];
    ground_of(t, ground);
    ploy_vec3 center = {50, 50, 0};
    for (int i = 0; i < 16; i++) {
        TEST_SEED(i);
        ploy_canvas *canvas = make_canvas(t, 100, 100, 100);
        ploy_draw_item item = make_item(PLOY_SHAPE_AGENT, &center, 1);
        item.radius = 20.0f;
        item.angle = (float)i * PLOY_TWO_PI_F / 16.0f;
        draw_item(canvas, &item);
        double c = (double)ploy_cosf(item.angle), s = (double)ploy_sinf(item.angle);
        // In front, 1.5 radii out, is the nose; behind and aside at that distance is nothing.
        CHECK_SAME(darkness(canvas, (int32_t)(50 + 30 * c), (int32_t)(50 - 30 * s), ground), 1.0);
        CHECK_SAME(darkness(canvas, (int32_t)(50 - 30 * c), (int32_t)(50 + 30 * s), ground), 0.0);
        CHECK_SAME(darkness(canvas, (int32_t)(50 + 30 * s), (int32_t)(50 + 30 * c), ground), 0.0);
        CHECK_SAME(darkness(canvas, 50, 50, ground), 1.0);
        // Body and tangent triangle: pi r^2 less the sector between the feet, plus the kite.
        double along = 1.0 / 1.7, aside = sqrt(1.0 - along * along);
        double kite = 1.7 * aside, sector = ploy_acos(along);
        CHECK_NEAR(total_darkness(canvas, ground), 400.0 * (PLOY_PI - sector + kite), 12.0);
        ploy_canvas_destroy(canvas);
    }
}

TEST(an_arrow_has_its_head_at_the_far_end) {
    uint8_t ground[3];
    ground_of(t, ground);
    ploy_canvas *canvas = make_canvas(t, 100, 100, 100);
    ploy_vec3 ends[] = {{10, 50, 0}, {90, 50, 0}};
    ploy_draw_item item = make_item(PLOY_SHAPE_ARROW, ends, 2);
    draw_item(canvas, &item);
    double left = 0.0, right = 0.0;
    for (int32_t y = 0; y < 100; y++) {
        for (int32_t x = 0; x < 50; x++) {
            left += darkness(canvas, x, y, ground);
            right += darkness(canvas, x + 50, y, ground);
        }
    }
    CHECK_NEAR(left, 40.0 * 2.5 + PLOY_PI * 1.25 * 1.25 / 2.0, 3.0);
    // Eight pixels less of the shaft, but a head six wide and eight long, over the shaft's round
    // end.
    CHECK_NEAR(right, 32.0 * 2.5 + 0.5 * 6.0 * 8.0, 3.0);
    ploy_canvas_clear(canvas);
    ends[1] = ends[0]; // no direction: a dot
    draw_item(canvas, &item);
    CHECK_NEAR(total_darkness(canvas, ground), PLOY_PI, 0.7);
    ploy_canvas_destroy(canvas);
}

TEST(texts_of_agents_make_room_for_each_other) {
    uint8_t ground[3];
    ground_of(t, ground);
    ploy_canvas *canvas = make_canvas(t, 20, 20, 200);
    ploy_draw draw = ploy_canvas_draw(canvas);
    ploy_agent_id agent = ploy_agent_id_make(1, 1), nobody = ploy_agent_id_none();
    ploy_vec2 at = {2, 10};
    ploy_draw_text(&draw, agent, at, "same");
    double one = total_darkness(canvas, ground);
    CHECK(one > 10);
    for (int32_t i = 2; i <= 5; i++) { // above, below, and once more
        ploy_draw_text(&draw, agent, at, "same");
        CHECK_NEAR(total_darkness(canvas, ground), i * one, 1e-9);
    }
    ploy_draw_text(&draw, agent, at, "same"); // there is no room left
    CHECK_NEAR(total_darkness(canvas, ground), 5 * one, 1e-9);
    ploy_draw_text(&draw, nobody, at, "same"); // stays where it was put, over another
    CHECK_NEAR(total_darkness(canvas, ground), 5 * one, 1e-9);
    ploy_draw_text(&draw, agent, ploy_vec2_make(9, 10), "same"); // beside them
    CHECK_NEAR(total_darkness(canvas, ground), 6 * one, 1e-9);
    ploy_canvas_clear(canvas);
    ploy_draw_text(&draw, agent, at, "same");
    CHECK_NEAR(total_darkness(canvas, ground), one, 1e-9);
    ploy_canvas_destroy(canvas);
}

TEST(text_is_drawn_in_whole_pixels) {
    uint8_t ground[3];
    ground_of(t, ground);
    ploy_canvas *canvas = make_canvas(t, 100, 20, 100);
    ploy_vec3 at = {10, 5, 0};
    ploy_draw_item item = make_item(PLOY_SHAPE_TEXT, &at, 1);
    item.text = "I";
    draw_item(canvas, &item);
    // A capital I, its lower left corner at (10, 5) of the world: rows 8 to 14 of the picture.
    static const char *const want[] = {" ### ", "  #  ", "  #  ", "  #  ",
                                       "  #  ", "  #  ", " ### "};
    for (int32_t y = 0; y < 7; y++) {
        for (int32_t x = 0; x < 5; x++) {
            CHECK_SAME(darkness(canvas, 10 + x, 8 + y, ground), want[y][x] == '#' ? 1.0 : 0.0);
        }
    }
    CHECK_NEAR(total_darkness(canvas, ground), 11.0, 1e-9);
    ploy_canvas_destroy(canvas);
    // On a wide canvas a dot is two by two pixels.
    canvas = make_canvas(t, 640, 20, 640);
    draw_item(canvas, &item);
    CHECK_NEAR(total_darkness(canvas, ground), 44.0, 1e-9);
    ploy_canvas_destroy(canvas);
}

TEST(columns_of_a_table_are_aligned_on_the_canvas) {
    uint8_t ground[3];
    ground_of(t, ground);
    ploy_canvas *canvas = make_canvas(t, 100, 40, 100);
    ploy_vec3 at = {10, 30, 0}, below = {10, 30 - 9 - 7, 0};
    ploy_draw_item table = make_item(PLOY_SHAPE_TABLE, &at, 1);
    ploy_draw_item text = make_item(PLOY_SHAPE_TEXT, &below, 1);
    table.text = "rl\nIII\tI\nI\tI";
    draw_item(canvas, &table);
    CHECK_NEAR(total_darkness(canvas, ground), 6 * 11.0, 1e-9);
    // The second row as text is the same letters: two blanks before the first, two between them.
    uint64_t hash = pixel_hash(canvas);
    text.text = "  I  I";
    draw_item(canvas, &text);
    CHECK_UINT(pixel_hash(canvas), hash);
    ploy_canvas_destroy(canvas);
    // What does not fit in large letters is written in small ones.
    canvas = make_canvas(t, 640, 40, 640);
    table.text = "l\nI\nI\nI";
    draw_item(canvas, &table);
    CHECK_NEAR(total_darkness(canvas, ground), 3 * 11.0, 1e-9);
    ploy_canvas_destroy(canvas);
}

// A text that begins in sight and would end out of it is moved; one that begins out of sight is not.
TEST(texts_are_moved_into_sight) {
    uint64_t hashes[2];
    for (int i = 0; i < 2; i++) {
        ploy_canvas *canvas = make_canvas(t, 100, 20, 100);
        ploy_vec3 at = {i == 0 ? 100.0f - 6.0f * 4.0f : 90.0f, 8, 0}; // four letters of 6 pixels
        ploy_draw_item item = make_item(PLOY_SHAPE_TEXT, &at, 1);
        item.text = "\xC3\xA9nds";
        draw_item(canvas, &item);
        hashes[i] = pixel_hash(canvas);
        ploy_canvas_clear(canvas);
        uint64_t empty = pixel_hash(canvas);
        CHECK(hashes[i] != empty);
        at.x = 100.0f;
        draw_item(canvas, &item);
        CHECK_UINT(pixel_hash(canvas), empty);
        ploy_canvas_destroy(canvas);
    }
    CHECK_UINT(hashes[1], hashes[0]);
}

TEST(every_character_has_a_shape_of_its_own) {
    uint64_t hashes[97];
    int count = 0;
    for (int code = 32; code <= 128; code++) {
        char text[4] = {(char)code, 0, 0, 0};
        if (code == 127) memcpy(text, "\xC3\xA9", 3); // not in the font: a box
        if (code == 128) memcpy(text, "\xE2\x82\xAC", 4);
        ploy_canvas *canvas = make_canvas(t, 16, 16, 16);
        ploy_vec3 at = {2, 2, 0};
        ploy_draw_item item = make_item(PLOY_SHAPE_TEXT, &at, 1);
        item.text = text;
        draw_item(canvas, &item);
        hashes[count] = pixel_hash(canvas);
        for (int i = 0; i < count; i++) {
            TEST_SEED(code);
            CHECK_INT(hashes[i] == hashes[count], code == 128 && i == 127 - 32);
        }
        count++;
        ploy_canvas_destroy(canvas);
    }
}

TEST(absurd_items_draw_nothing_and_harm_nothing) {
    static const ploy_vec3 good[] = {{1, 1, 0}, {2, 2, 0}};
    static const ploy_vec3 bad[] = {{1, 1, 0}, {1, NAN, 0}, {INFINITY, 1, 0}};
    ploy_draw_item items[] = {
        make_item(PLOY_SHAPE_LINE, bad, 2),      make_item(PLOY_SHAPE_POLYGON, bad, 3),
        make_item(PLOY_SHAPE_POINT, bad + 2, 1), make_item(PLOY_SHAPE_LINE, good, 1),
        make_item(PLOY_SHAPE_POLYGON, good, 2),  make_item(PLOY_SHAPE_ARROW, good, 1),
        make_item(PLOY_SHAPE_POINT, NULL, 1),    make_item(PLOY_SHAPE_POINT, good, 0),
        make_item((ploy_shape)99, good, 2),      make_item(PLOY_SHAPE_TEXT, good, 1),
        make_item(PLOY_SHAPE_DISC, good, 1),     make_item(PLOY_SHAPE_DISC, good, 1),
        make_item(PLOY_SHAPE_AGENT, good, 1),
    };
    items[10].radius = NAN;
    items[11].radius = -1.0f;
    items[12].angle = INFINITY;
    ploy_canvas *canvas = make_canvas(t, 4, 4, 16);
    uint64_t empty = pixel_hash(canvas);
    for (size_t i = 0; i < COUNT_OF(items); i++) {
        TEST_SEED(i);
        draw_item(canvas, &items[i]);
        CHECK_UINT(pixel_hash(canvas), empty);
    }
    draw_item(canvas, NULL);
    CHECK_UINT(pixel_hash(canvas), empty);
    ploy_canvas_destroy(canvas);
}

TEST(shapes_as_large_as_floats_go_are_drawn_where_they_meet_the_picture) {
    uint8_t ground[3];
    ground_of(t, ground);
    const float far = 3e38f;
    ploy_canvas *canvas = make_canvas(t, 4, 4, 16);
    ploy_vec3 half[] = {{2, -far, 0}, {far, -far, 0}, {far, far, 0}, {2, far, 0}};
    ploy_draw_item item = make_item(PLOY_SHAPE_POLYGON, half, 4);
    draw_item(canvas, &item);
    CHECK_NEAR(total_darkness(canvas, ground), 128.0, 1e-9);
    ploy_canvas_clear(canvas);
    item = make_item(PLOY_SHAPE_DISC, half, 1);
    item.radius = far;
    draw_item(canvas, &item);
    ploy_vec3 across[] = {{-far, -far, 0}, {far, far, 0}};
    item = make_item(PLOY_SHAPE_LINE, across, 2);
    draw_item(canvas, &item);
    item.shape = PLOY_SHAPE_ARROW;
    draw_item(canvas, &item);
    item = make_item(PLOY_SHAPE_TEXT, across + 1, 1);
    item.text = "far";
    draw_item(canvas, &item);
    ploy_canvas_clear(canvas); // nothing is left over inside
    item = make_item(PLOY_SHAPE_POLYGON, half, 4);
    draw_item(canvas, &item);
    CHECK_NEAR(total_darkness(canvas, ground), 128.0, 1e-9);
    ploy_canvas_destroy(canvas);
}

// One of everything, for the hash.
static void draw_scene(ploy_draw *draw) {
    static const ploy_vec2 walls[] = {{1, 1}, {19, 1}, {19, 9}, {1, 9}, {1, 1}};
    static const ploy_vec2 room[] = {{2, 2}, {8, 2.5f}, {7, 8}, {2, 7}};
    ploy_draw_polygon(draw, PLOY_LAYER_REGIONS, PLOY_STYLE_FLOOR, ploy_agent_id_none(), room, 4,
                      0.8f);
    ploy_draw_polyline(draw, PLOY_LAYER_WORLD, PLOY_STYLE_WALL, ploy_agent_id_none(), walls, 5);
    for (int i = 0; i < 4; i++) {
        ploy_agent_id agent = ploy_agent_id_make((uint32_t)i, 1);
        ploy_vec2 at = {4.0f + 4.0f * (float)i, 5.0f + 0.7f * (float)i};
        ploy_vec2 ahead = {at.x + 1.5f, at.y + 0.5f * (float)i};
        ploy_draw_circle(draw, PLOY_LAYER_SENSES, PLOY_STYLE_GHOST, agent, at, 1.9f);
        ploy_draw_disc(draw, PLOY_LAYER_INFLUENCE, PLOY_STYLE_GOOD, agent, at, 1.2f, 0.3f);
        ploy_draw_agent(draw, (ploy_style)(PLOY_STYLE_AGENT_A + i), agent, at, 0.9f * (float)i,
                        0.5f);
        ploy_draw_arrow(draw, PLOY_LAYER_FORCES, PLOY_STYLE_VELOCITY, agent, at, ahead);
        ploy_draw_point(draw, PLOY_LAYER_PATHS, PLOY_STYLE_TARGET, agent, ahead);
        ploy_draw_text(draw, agent, ahead, "agent 0:1 \xC3\xA9");
    }
}

TEST(the_picture_is_the_same_on_every_machine) {
    ploy_canvas *canvas = make_canvas(t, 20, 10, 320);
    ploy_draw draw = ploy_canvas_draw(canvas);
    draw_scene(&draw);
    CHECK_UINT(pixel_hash(canvas), 0xf4866ee2c16b5bc7u);
    // Drawn again after a clear: nothing of the first picture is left.
    ploy_canvas_clear(canvas);
    draw_scene(&draw);
    CHECK_UINT(pixel_hash(canvas), 0xf4866ee2c16b5bc7u);
    ploy_canvas_destroy(canvas);
}

TEST(create_refuses_views_and_sizes_that_make_no_picture) {
    static const struct {
        const char *row;
        float view[4];
        int32_t width;
        ploy_result want;
    } rows[] = {
        {"fine", {0, 0, 10, 5}, 16, PLOY_OK},
        {"too narrow", {0, 0, 10, 5}, 15, PLOY_ERR_ARGUMENT},
        {"too wide", {0, 0, 10, 5}, 8193, PLOY_ERR_ARGUMENT},
        {"too high", {0, 0, 1, 1000}, 100, PLOY_ERR_ARGUMENT},
        {"empty", {0, 0, 0, 5}, 100, PLOY_ERR_ARGUMENT},
        {"turned around", {0, 5, 10, 0}, 100, PLOY_ERR_ARGUMENT},
        {"not a number", {NAN, 0, 10, 5}, 100, PLOY_ERR_ARGUMENT},
        {"infinite", {-INFINITY, 0, 10, 5}, 100, PLOY_ERR_ARGUMENT},
        {"a sliver", {0, 0, 1000, 1}, 100, PLOY_OK},
    };
    ploy_env env = ploy_env_default();
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_canvas *canvas = (ploy_canvas *)&env;
        CHECK_INT(ploy_canvas_create(rows[i].view, rows[i].width, &env, &canvas), rows[i].want);
        CHECK_INT(canvas != NULL, rows[i].want == PLOY_OK);
        ploy_canvas_destroy(canvas);
    }
    ploy_canvas *canvas = NULL;
    CHECK_INT(ploy_canvas_create(NULL, 100, &env, &canvas), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_canvas_create(rows[0].view, 100, NULL, &canvas), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_canvas_create(rows[0].view, 100, &env, NULL), PLOY_ERR_ARGUMENT);
}

static ploy_result make_and_draw(const ploy_env *env, void *arg) {
    (void)arg;
    static const float view[4] = {0, 0, 20, 10};
    ploy_canvas *canvas = NULL;
    ploy_result result = ploy_canvas_create(view, 64, env, &canvas);
    if (result != PLOY_OK) return result;
    ploy_draw draw = ploy_canvas_draw(canvas);
    draw_scene(&draw);
    ploy_canvas_destroy(canvas);
    return PLOY_OK;
}

TEST(create_survives_every_failing_allocation) {
    CHECK_FAIL_NTH(make_and_draw, NULL);
}
