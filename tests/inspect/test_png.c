#include "ploy/base/rng.h"
#include "ploy/inspect/png.h"
#include "tests/test.h"

#include <png.h>
#include <stdlib.h>

static ploy_canvas *make_picture(test_context *t, int32_t width, uint64_t seed) {
    float view[4] = {0.0f, 0.0f, 20.0f, 10.0f};
    ploy_env env = ploy_env_default();
    ploy_canvas *canvas = NULL;
    CHECK_OK(ploy_canvas_create(view, width, &env, &canvas));
    ploy_draw draw = ploy_canvas_draw(canvas);
    ploy_rng rng = ploy_rng_make(seed);
    for (int i = 0; i < 30; i++) {
        ploy_vec2 at = {ploy_rng_range(&rng, 0, 20), ploy_rng_range(&rng, 0, 10)};
        ploy_draw_agent(&draw, (ploy_style)ploy_rng_int(&rng, 0, PLOY_STYLE_COUNT - 1),
                        ploy_agent_id_none(), at, ploy_rng_range(&rng, -3, 3),
                        ploy_rng_range(&rng, 0, 2));
    }
    return canvas;
}

TEST(a_decoder_finds_the_same_pixels) {
    ploy_env env = ploy_env_default();
    static const int32_t widths[] = {16, 17, 100, 640};
    for (size_t i = 0; i < COUNT_OF(widths); i++) {
        TEST_SEED(widths[i]);
        ploy_canvas *canvas = make_picture(t, widths[i], (uint64_t)widths[i]);
        ploy_buffer buffer;
        ploy_buffer_init(&buffer, 0, &env);
        ploy_writer writer = ploy_buffer_writer(&buffer);
        CHECK_OK(ploy_canvas_write_png(canvas, &writer));
        png_image image;
        memset(&image, 0, sizeof image);
        image.version = PNG_IMAGE_VERSION;
        CHECK(png_image_begin_read_from_memory(&image, buffer.bytes, buffer.size) != 0);
        CHECK_INT(image.width, ploy_canvas_width(canvas));
        CHECK_INT(image.height, ploy_canvas_height(canvas));
        CHECK_INT(image.format, PNG_FORMAT_RGB);
        size_t size = PNG_IMAGE_SIZE(image);
        uint8_t *pixels = malloc(size);
        CHECK(pixels != NULL);
        CHECK(png_image_finish_read(&image, NULL, pixels, 0, NULL) != 0);
        CHECK_BYTES(pixels, ploy_canvas_pixels(canvas), size);
        free(pixels);
        ploy_buffer_fini(&buffer);
        ploy_canvas_destroy(canvas);
    }
}

TEST(the_same_picture_gives_the_same_bytes) {
    ploy_env env = ploy_env_default();
    ploy_buffer buffers[2];
    for (int i = 0; i < 2; i++) {
        ploy_canvas *canvas = make_picture(t, 100, 7);
        ploy_buffer_init(&buffers[i], 0, &env);
        ploy_writer writer = ploy_buffer_writer(&buffers[i]);
        CHECK_OK(ploy_canvas_write_png(canvas, &writer));
        ploy_canvas_destroy(canvas);
    }
    CHECK_UINT(buffers[0].size, buffers[1].size);
    CHECK_BYTES(buffers[0].bytes, buffers[1].bytes, buffers[0].size);
    for (int i = 0; i < 2; i++) ploy_buffer_fini(&buffers[i]);
}

TEST(a_writer_that_fails_anywhere_ends_the_encoding) {
    ploy_env env = ploy_env_default();
    ploy_canvas *canvas = make_picture(t, 64, 3);
    ploy_buffer whole;
    ploy_buffer_init(&whole, 0, &env);
    ploy_writer writer = ploy_buffer_writer(&whole);
    CHECK_OK(ploy_canvas_write_png(canvas, &writer));
    for (size_t limit = 1; limit < whole.size; limit += 7) {
        TEST_SEED(limit);
        ploy_buffer buffer;
        ploy_buffer_init(&buffer, limit, &env);
        writer = ploy_buffer_writer(&buffer);
        CHECK_INT(ploy_canvas_write_png(canvas, &writer), PLOY_ERR_LIMIT);
        ploy_buffer_fini(&buffer);
    }
    ploy_buffer_fini(&whole);
    CHECK_INT(ploy_canvas_write_png(NULL, &writer), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_canvas_write_png(canvas, NULL), PLOY_ERR_ARGUMENT);
    ploy_canvas_destroy(canvas);
}
