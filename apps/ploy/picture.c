// Pictures of anything that draws, as SVG and PNG files.
#include "apps/ploy/cli.h"
#include "ploy/inspect/canvas.h"
#include "ploy/inspect/png.h"
#include "ploy/inspect/sinks.h"

// Writes what was drawn, or says why not.
static int finish_picture(const char *option, const char *path, ploy_result result,
                          ploy_buffer *buffer) {
    int status = result != PLOY_OK              ? cli_error_result(option, result)
                 : cli_write_file(path, buffer) ? -1
                                                : CLI_USAGE;
    ploy_buffer_fini(buffer);
    return status;
}

int cli_write_svg(const char *path, const cli_picture *picture, const ploy_env *env) {
    ploy_buffer buffer;
    ploy_buffer_init(&buffer, 0, env);
    ploy_writer writer = ploy_buffer_writer(&buffer);
    ploy_svg_sink sink;
    ploy_result result = ploy_svg_sink_init(&sink, &writer, picture->view, (int32_t)picture->width);
    if (result == PLOY_OK) {
        ploy_draw draw = ploy_svg_sink_draw(&sink);
        picture->draw(picture->subject, &draw);
        result = ploy_svg_sink_finish(&sink);
    }
    return finish_picture("--svg", path, result, &buffer);
}

int cli_write_png(const char *path, const cli_picture *picture, const ploy_env *env) {
#ifdef PLOY_HAS_INSPECT_PNG
    ploy_canvas *canvas = NULL;
    ploy_buffer buffer;
    ploy_buffer_init(&buffer, 0, env);
    ploy_result result = ploy_canvas_create(picture->view, (int32_t)picture->width, env, &canvas);
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
    return cli_error("--png needs a ploy that was built with libpng; --svg works", NULL);
#endif
}
