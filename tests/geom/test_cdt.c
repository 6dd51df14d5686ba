#include "geom/geom_internal.h"
#include "tests/geom/cdt_test.h"

TEST(create_refuses_what_did_not_start_from_the_default) {
    ploy_env env = ploy_env_default();
    ploy_cdt *cdt = NULL;
    ploy_cdt_def def = ploy_cdt_def_default(), zero = {0, 0};
    CHECK_INT(ploy_cdt_create(&zero, &env, &cdt), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_cdt_create(NULL, &env, &cdt), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_cdt_create(&def, NULL, &cdt), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_cdt_create(&def, &env, NULL), PLOY_ERR_ARGUMENT);
    def.capacity = -1;
    CHECK_INT(ploy_cdt_create(&def, &env, &cdt), PLOY_ERR_ARGUMENT);
    CHECK(cdt == NULL);
    CHECK_OK(ploy_fields_check_table(ploy_cdt_fields(), NULL));
    ploy_cdt_destroy(NULL);
}

TEST(the_fan_of_a_vertex_is_every_triangle_that_has_it) {
    ploy_cdt *cdt = cdt_test_make(t);
    static cdt_test_input in;
    for (int64_t round = 0; round < test_rounds(300); round++) {
        TEST_SEED(round);
        ploy_rng rng = ploy_rng_make((uint64_t)round);
        cdt_test_random(&rng, &in);
        CHECK_OK(ploy_cdt_build(cdt, in.points, in.count, in.edges, in.edge_count, NULL));
        ploy_cdt_view view = ploy_cdt_get(cdt);
        int32_t sum = 0;
        for (int32_t v = 0; v < view.point_count; v++) {
            int32_t last = -1;
            for (ploy_cdt_fan fan = ploy_cdt_fan_begin(cdt, v); fan.triangle >= 0;
                 ploy_cdt_fan_next(cdt, &fan)) {
                const ploy_cdt_triangle *tri = &view.triangles[fan.triangle];
                CHECK_INT(tri->corner[fan.corner], v);
                // Counter-clockwise, each beside the one before.
                if (last >= 0) CHECK_INT(tri->neighbour[(fan.corner + 2) % 3], last);
                last = fan.triangle;
                CHECK(++sum <= 3 * view.triangle_count);
            }
        }
        CHECK_INT(sum, 3 * view.triangle_count);
    }
    ploy_cdt_destroy(cdt);
}

TEST(the_hull_goes_round_from_the_least_point) {
    static const ploy_vec2 points[] = {{2, 0}, {4, 4}, {0, 4}, {0, 0}, {4, 0}, {1, 2}, {0, 2}};
    static const int32_t want[] = {3, 0, 4, 1, 2, 6};
    ploy_cdt *cdt = cdt_test_make(t);
    CHECK_INT(ployi_cdt_hull(cdt, NULL, 0), 0);
    CHECK_OK(ploy_cdt_build(cdt, points, 7, NULL, 0, NULL));
    int32_t hull[6] = {0};
    CHECK_INT(ployi_cdt_hull(cdt, hull, 2), 6);
    CHECK_INT(hull[2], 0);
    CHECK_INT(ployi_cdt_hull(cdt, hull, 6), 6);
    for (int32_t i = 0; i < 6; i++) CHECK_INT(hull[i], want[i]);
    ploy_cdt_destroy(cdt);
}

TEST(edges_are_found_from_either_end) {
    static const ploy_vec2 points[] = {{0, 0}, {4, 0}, {4, 4}, {0, 4}, {1, 3}};
    ploy_cdt *cdt = cdt_test_make(t);
    CHECK_OK(ploy_cdt_build(cdt, points, 5, NULL, 0, NULL));
    ploy_cdt_view view = ploy_cdt_get(cdt);
    for (int32_t k = 0; k < view.triangle_count; k++) {
        for (int32_t i = 0; i < 3; i++) {
            int32_t from = view.triangles[k].corner[(i + 1) % 3];
            int32_t to = view.triangles[k].corner[(i + 2) % 3], triangle = -1, index = -1;
            CHECK(ploy_cdt_find_edge(cdt, from, to, &triangle, &index)); // k lies to its left
            CHECK_INT(triangle, k);
            CHECK_INT(index, i);
            CHECK(ploy_cdt_find_edge(cdt, to, from, &triangle, NULL));
            CHECK_INT(triangle,
                      view.triangles[k].neighbour[i] < 0 ? k : view.triangles[k].neighbour[i]);
        }
    }
    CHECK(!ploy_cdt_find_edge(cdt, 0, 99, NULL, NULL));
    CHECK(!ploy_cdt_find_edge(cdt, -1, 0, NULL, NULL));
    ploy_cdt_destroy(cdt);
}

TEST(nothing_is_found_out_of_range) {
    ploy_cdt *cdt = cdt_test_make(t);
    CHECK_INT(ployi_cdt_vertex_triangle(cdt, 0), -1);
    CHECK_INT(ploy_cdt_input_vertex(cdt, 0), -1);
    CHECK(!ploy_cdt_has_vertex(cdt, -1));
    CHECK_SAME(ploy_cdt_point(cdt, 3).x, 0.0);
    ploy_cdt_fan fan = ploy_cdt_fan_begin(cdt, 5);
    CHECK_INT(fan.triangle, -1);
    ploy_cdt_fan_next(cdt, &fan);
    CHECK_INT(fan.triangle, -1);
    CHECK_INT(ploy_cdt_get(cdt).triangle_count, 0);
    ploy_cdt_destroy(cdt);
}

static uint64_t cdt_hash(const ploy_cdt *cdt) {
    ploy_hash_sink sink;
    ploy_hash_sink_init(&sink);
    ploy_describe out = ploy_hash_sink_describe(&sink);
    ploy_cdt_describe(cdt, &out);
    return ploy_hash_sink_result(&sink);
}

TEST(describe_hashes_every_change) {
    static const ploy_vec2 points[] = {{0, 0}, {4, 0}, {5, 5}, {0, 4}};
    ploy_cdt *cdt = cdt_test_make(t);
    uint64_t seen[8];
    int32_t count = 0;
    seen[count++] = cdt_hash(cdt);
    CHECK_OK(ploy_cdt_build(cdt, points, 4, NULL, 0, NULL));
    seen[count++] = cdt_hash(cdt);
    CHECK_OK(ploy_cdt_insert_edge(cdt, 1, 3, NULL));
    seen[count++] = cdt_hash(cdt);
    CHECK_OK(ploy_cdt_insert_edge(cdt, 1, 3, NULL)); // counted
    seen[count++] = cdt_hash(cdt);
    ployi_cdt_fill_all(cdt, false);
    seen[count++] = cdt_hash(cdt);
    CHECK_OK(ploy_cdt_insert_point(cdt, ploy_vec2_make(1, 1), NULL));
    seen[count++] = cdt_hash(cdt);
    for (int32_t i = 0; i < count; i++) {
        for (int32_t k = 0; k < i; k++) CHECK(seen[i] != seen[k]);
    }
    ploy_cdt_clear(cdt);
    CHECK_UINT(cdt_hash(cdt), seen[0]);
    ploy_cdt_destroy(cdt);
}

TEST(every_build_of_ploy_gives_the_same_bits) {
    ploy_cdt *cdt = cdt_test_make(t);
    static cdt_test_input in;
    uint64_t hash = 0;
    for (int32_t seed = 0; seed < 200; seed++) {
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        cdt_test_random(&rng, &in);
        CHECK_OK(ploy_cdt_build(cdt, in.points, in.count, in.edges, in.edge_count, NULL));
        CHECK_OK(ploy_cdt_fill(cdt, PLOY_FILL_EVEN_ODD));
        for (int32_t i = 0; i < 8; i++) {
            CHECK_OK(ploy_cdt_insert_point(cdt, cdt_test_point(&rng, i), NULL));
            (void)ploy_cdt_remove_point(cdt, i * 3);
            (void)ploy_cdt_insert_edge(cdt, i, 2 * i + 1, NULL);
            ploy_cdt_location at = ploy_cdt_locate(cdt, cdt_test_point(&rng, i), -1);
            hash = ploy_hash_combine(hash, (uint64_t)at.place << 32 | (uint32_t)at.triangle);
        }
        hash = ploy_hash_combine(hash, cdt_hash(cdt));
    }
    ploy_cdt_destroy(cdt);
    CHECK_UINT(hash, 0x9680d3f1ca228bebu);
}

typedef struct cdt_drawn {
    int32_t polygons, walls, lines;
} cdt_drawn;

static void cdt_draw_item(void *user, const ploy_draw_item *item) {
    cdt_drawn *drawn = user;
    if (item->shape == PLOY_SHAPE_POLYGON) drawn->polygons++;
    if (item->shape != PLOY_SHAPE_LINE) return;
    if (item->style == PLOY_STYLE_WALL) drawn->walls++;
    if (item->style == PLOY_STYLE_GHOST) drawn->lines++;
}

TEST(every_edge_is_drawn_once) {
    static const ploy_vec2 points[] = {{0, 0}, {4, 0}, {5, 5}, {0, 4}};
    ploy_cdt *cdt = cdt_test_make(t);
    CHECK_OK(ploy_cdt_build(cdt, points, 4, NULL, 0, NULL));
    CHECK_OK(ploy_cdt_insert_edge(cdt, 0, 2, NULL));
    cdt_drawn drawn = {0, 0, 0};
    ploy_draw out = {cdt_draw_item, &drawn, ~0u};
    ploy_cdt_draw(cdt, &out);
    CHECK_INT(drawn.polygons, 2);
    CHECK_INT(drawn.walls, 1);
    CHECK_INT(drawn.lines, 4);
    ploy_cdt_draw(cdt, NULL);
    ploy_cdt_destroy(cdt);
}

static void cdt_memory_sum(void *user, const ploy_memory_item *item) {
    test_counts *sum = user;
    sum->bytes += (int64_t)item->bytes;
    sum->blocks += item->blocks;
}

TEST(memory_tells_every_byte) {
    test_counts counts = {0, 0, 0}, told = {0, 0, 0};
    ploy_env env = test_counting_env(&counts);
    ploy_cdt_def def = ploy_cdt_def_default();
    ploy_cdt *cdt = NULL;
    static const ploy_vec2 points[] = {{0, 0}, {4, 0}, {5, 5}, {0, 4}, {1, 1}};
    static const ploy_cdt_edge edges[] = {{0, 2}};
    CHECK_OK(ploy_cdt_create(&def, &env, &cdt));
    CHECK_OK(ploy_cdt_build(cdt, points, 5, edges, 1, NULL));
    CHECK_OK(ploy_cdt_fill(cdt, PLOY_FILL_EVEN_ODD));
    ploy_cdt_memory(cdt, cdt_memory_sum, &told);
    CHECK_INT(told.bytes, counts.bytes);
    CHECK_INT(told.blocks, counts.blocks);
    ploy_cdt_destroy(cdt);
}
