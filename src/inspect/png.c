// PNG through libpng, whose errors are long jumps: everything that is set after setjmp and read
// after a jump lies in one struct behind a pointer, so that no compiler keeps it in a register.
#include "ploy/inspect/png.h"

#include <png.h>
#include <setjmp.h>
#include <stdlib.h>

#include "ploy/base/os.h"

typedef struct png_job {
    png_structp png;
    png_infop info;
    ploy_writer *writer;
} png_job;

static void png_job_write(png_structp png, png_bytep bytes, size_t size) {
    png_job *job = png_get_io_ptr(png);
    ploy_write_bytes(job->writer, bytes, size);
    // There is no point in encoding on for a writer that has failed.
    if (ploy_writer_result(job->writer) != PLOY_OK) png_error(png, "the writer failed");
}

static void png_job_flush(png_structp png) {
    (void)png; // the writer keeps nothing back
}

// Both stay silent: a library does not print, and the result says what there is to say.
static void png_job_error(png_structp png, png_const_charp message) {
    (void)message;
    png_longjmp(png, 1);
}

static void png_job_warning(png_structp png, png_const_charp message) {
    (void)png;
    (void)message;
}

// Encodes. May jump.
static void png_job_encode(png_job *job, const ploy_canvas *canvas) {
    uint32_t width = (uint32_t)ploy_canvas_width(canvas);
    uint32_t height = (uint32_t)ploy_canvas_height(canvas);
    png_set_write_fn(job->png, job, png_job_write, png_job_flush);
    png_set_IHDR(job->png, job->info, width, height, 8, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_write_info(job->png, job->info);
    const uint8_t *row = ploy_canvas_pixels(canvas);
    for (uint32_t y = 0; y < height; y++, row += (size_t)width * 3) png_write_row(job->png, row);
    png_write_end(job->png, NULL);
}

ploy_result ploy_canvas_write_png(const ploy_canvas *canvas, ploy_writer *writer) {
    if (canvas == NULL || writer == NULL) return PLOY_ERR_ARGUMENT;
    png_job *job = calloc(1, sizeof *job);
    if (job == NULL) return PLOY_ERR_MEMORY;
    job->writer = writer;
    volatile ploy_result result = PLOY_ERR_MEMORY; // until libpng has made its structs
    job->png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, png_job_error, png_job_warning);
    if (job->png != NULL && setjmp(png_jmpbuf(job->png)) == 0) {
        job->info = png_create_info_struct(job->png);
        if (job->info != NULL) {
            result = PLOY_ERR_SYSTEM; // until the last byte is out
            png_job_encode(job, canvas);
            result = PLOY_OK;
        }
    }
    if (job->png != NULL) png_destroy_write_struct(&job->png, &job->info);
    free(job);
    ploy_result written = ploy_writer_result(writer);
    return written != PLOY_OK ? written : result;
}

ploy_result ploy_canvas_save_png(const ploy_canvas *canvas, const char *path, const ploy_env *env) {
    if (path == NULL || env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_buffer bytes;
    ploy_buffer_init(&bytes, 0, env);
    ploy_writer writer = ploy_buffer_writer(&bytes);
    ploy_result result = ploy_canvas_write_png(canvas, &writer);
    if (result == PLOY_OK) result = ploy_os_write_file(path, bytes.bytes, bytes.size, env);
    ploy_buffer_fini(&bytes);
    return result;
}
