// Pictures of anything that draws, as SVG and PNG files.
#include <math.h>
#include <stdio.h>

#include "apps/ploy/cli.h"
#include "ploy/inspect/canvas.h"
#include "ploy/inspect/legend.h"
#include "ploy/inspect/png.h"
#include "ploy/inspect/sinks.h"

enum { PICTURE_WIDTH_MIN = 16, PICTURE_SIZE_MAX = 8192, PICTURE_LEGEND_MAX = 512 };

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
    // Less than the limit by the legend and a pixel, since the sinks round their height up.
    const double most = PICTURE_SIZE_MAX - PICTURE_LEGEND_MAX - 1;
    double fits = high > 0.0 ? most * wide / high : PICTURE_SIZE_MAX;
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
    if (item->shape == PLOY_SHAPE_KEY) return; // is nowhere
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

// What the picture's styles mean goes below it.
static ploy_legend picture_legend(const cli_picture *picture, int32_t width, int32_t letter,
                                  float view[4]) {
    ploy_legend legend;
    ploy_legend_init(&legend, letter);
    ploy_draw draw = ploy_legend_sink(&legend);
    picture->draw(picture->subject, &draw);
    for (int32_t i = 0; i < 4; i++) view[i] = picture->view[i];
    if (ploy_legend_count(&legend) > 0) ploy_legend_extend(&legend, width, view);
    return legend;
}

int cli_write_svg(const char *path, const cli_picture *picture, const ploy_env *env) {
    int32_t width = picture_width(picture);
    if (width == 0) return CLI_USAGE;
    ploy_buffer buffer;
    ploy_buffer_init(&buffer, 0, env);
    ploy_writer writer = ploy_buffer_writer(&buffer);
    ploy_svg_sink sink;
    float view[4];
    ploy_legend legend = picture_legend(picture, width, PLOY_LEGEND_SVG_LETTER, view);
    ploy_result result = ploy_svg_sink_init(&sink, &writer, view, width);
    if (result == PLOY_OK) {
        ploy_draw draw = ploy_svg_sink_draw(&sink);
        picture->draw(picture->subject, &draw);
        ploy_legend_draw(&legend, width, view, &draw);
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
    float view[4];
    ploy_legend legend = picture_legend(picture, width, ploy_canvas_letter(width), view);
    ploy_result result = ploy_canvas_create(view, width, env, &canvas);
    if (result == PLOY_OK) {
        ploy_draw draw = ploy_canvas_draw(canvas);
        picture->draw(picture->subject, &draw);
        ploy_legend_draw(&legend, width, view, &draw);
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
