// Pictures of anything that draws, as SVG and PNG files.
#include <math.h>
#include <stdio.h>

#include "apps/ploy/cli.h"
#include "ploy/inspect/canvas.h"
#include "ploy/inspect/png.h"
#include "ploy/inspect/sinks.h"

enum { PICTURE_WIDTH_MIN = 16, PICTURE_SIZE_MAX = 8192 };

// The width that was requested, or less where the picture would be too high with it: a level may be
// a long street. 0 if it is no width at all, which was said.
static int32_t picture_width(const cli_picture *picture) {
    if (picture->width < PICTURE_WIDTH_MIN || picture->width > PICTURE_SIZE_MAX) {
        fprintf(stderr, "ploy: --width expects %d to %d pixels\n", (int)PICTURE_WIDTH_MIN,
                (int)PICTURE_SIZE_MAX);
        return 0;
    }
    const float *view = picture->view;
    double wide = (double)view[2] - (double)view[0], high = (double)view[3] - (double)view[1];
    // A pixel less than the limit, since the sinks round their height up.
    double fits = high > 0.0 ? (PICTURE_SIZE_MAX - 1) * wide / high : PICTURE_SIZE_MAX;
    double width = (double)picture->width;
    if (fits < PICTURE_WIDTH_MIN) {
        fprintf(stderr, "ploy: cannot draw a picture that is %.0f times as high as wide\n",
                high / wide);
        return 0;
    }
    return (int32_t)(width < fits ? width : fits);
}

// Writes what was drawn, or says why not.
static int finish_picture(const char *option, const char *path, ploy_result result,
                          ploy_buffer *buffer) {
    int status = result != PLOY_OK              ? cli_error_result(option, result)
                 : cli_write_file(path, buffer) ? -1
                                                : CLI_USAGE;
    ploy_buffer_fini(buffer);
    return status;
}

static void picture_bounds_item(void *user, const ploy_draw_item *item) {
    ploy_box2 *box = user;
    for (int32_t i = 0; i < item->count; i++) {
        ploy_circle around = {{item->points[i].x, item->points[i].y}, item->radius};
        *box = ploy_box2_merge(*box, ploy_box2_of_circle(around));
    }
}

ploy_box2 cli_drawn_box(void (*draw)(const void *subject, ploy_draw *out), const void *subject) {
    ploy_box2 box = ploy_box2_empty();
    ploy_draw out = {picture_bounds_item, &box, UINT32_MAX};
    draw(subject, &out);
    if (ploy_box2_is_empty(box)) {
        box = ploy_box2_make(ploy_vec2_make(0, 0), ploy_vec2_make(1, 1));
    }
    float margin = 0.02f * fmaxf(box.max.x - box.min.x, box.max.y - box.min.y);
    return ploy_box2_grow(box, fmaxf(margin, 0.01f));
}

int cli_write_svg(const char *path, const cli_picture *picture, const ploy_env *env) {
    int32_t width = picture_width(picture);
    if (width == 0) return CLI_USAGE;
    ploy_buffer buffer;
    ploy_buffer_init(&buffer, 0, env);
    ploy_writer writer = ploy_buffer_writer(&buffer);
    ploy_svg_sink sink;
    ploy_result result = ploy_svg_sink_init(&sink, &writer, picture->view, width);
    if (result == PLOY_OK) {
        ploy_draw draw = ploy_svg_sink_draw(&sink);
        picture->draw(picture->subject, &draw);
        result = ploy_svg_sink_finish(&sink);
    }
    return finish_picture("--svg", path, result, &buffer);
}

int cli_write_png(const char *path, const cli_picture *picture, const ploy_env *env) {
#ifdef PLOY_HAS_INSPECT_PNG
    int32_t width = picture_width(picture);
    if (width == 0) return CLI_USAGE;
    ploy_canvas *canvas = NULL;
    ploy_buffer buffer;
    ploy_buffer_init(&buffer, 0, env);
    ploy_result result = ploy_canvas_create(picture->view, width, env, &canvas);
    if (result == PLOY_OK) {
        ploy_draw draw = ploy_canvas_draw(canvas);
        picture->draw(picture->subject, &draw);
        ploy_writer writer = ploy_buffer_writer(&buffer);
        result = ploy_canvas_write_png(canvas, &writer);
    }
    ploy_canvas_destroy(canvas);
    return finish_picture("--png", path, result, &buffer);
#else
    (void)path;
    (void)picture;
    (void)env;
    return cli_error("--png is not available: built without libpng (use --svg)", NULL);
#endif
}
