// PNG through libpng, whose errors are long jumps: everything that is set after setjmp and read after a
// jump lies in one struct behind a pointer, so that no compiler keeps it in a register.
#include "ploy/data/png.h"

#include <png.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

typedef struct image_job {
    png_structp png;
    png_infop info;
    const uint8_t *bytes; // still to read
    size_t size;
    ploy_writer *writer;
    ploy_image *image;
    uint8_t *rows;  // decoded, highest first
    char text[128]; // libpng's last error
    ploy_result result;
} image_job;

static void image_job_read(png_structp png, png_bytep out, size_t size) {
    image_job *job = png_get_io_ptr(png);
    if (size > job->size) png_error(png, "the file is truncated");
    memcpy(out, job->bytes, size);
    job->bytes += size;
    job->size -= size;
}

static void image_job_write(png_structp png, png_bytep bytes, size_t size) {
    image_job *job = png_get_io_ptr(png);
    ploy_write_bytes(job->writer, bytes, size);
    if (ploy_writer_result(job->writer) != PLOY_OK) png_error(png, "the writer failed");
}

static void image_job_flush(png_structp png) {
    (void)png;
}

static void image_job_error(png_structp png, png_const_charp message) {
    image_job *job = png_get_error_ptr(png);
    size_t length = strlen(message);
    if (length >= sizeof job->text) length = sizeof job->text - 1;
    memcpy(job->text, message, length);
    job->text[length] = '\0';
    if (job->text[0] >= 'A' && job->text[0] <= 'Z' && job->text[1] >= 'a') {
        job->text[0] = (char)(job->text[0] - 'A' + 'a'); // libpng begins with a capital
    }
    png_longjmp(png, 1);
}

static void image_job_warning(png_structp png, png_const_charp message) {
    (void)png;
    (void)message;
}

// Decodes into job->rows and makes the picture. May jump.
static void image_job_decode(image_job *job, const ploy_env *env) {
    png_set_read_fn(job->png, job, image_job_read);
    png_set_user_limits(job->png, PLOY_IMAGE_SIDE_MAX, PLOY_IMAGE_SIDE_MAX);
    png_read_info(job->png, job->info);
    uint32_t width = png_get_image_width(job->png, job->info);
    uint32_t height = png_get_image_height(job->png, job->info);
    int type = png_get_color_type(job->png, job->info);
    bool deep = png_get_bit_depth(job->png, job->info) == 16 && type == PNG_COLOR_TYPE_GRAY;
    if (deep) {
        png_set_swap(job->png); // to little-endian; read byte by byte below
    } else {
        png_set_expand(job->png);
        png_set_strip_16(job->png);
        png_set_gray_to_rgb(job->png);
        png_set_add_alpha(job->png, 0xff, PNG_FILLER_AFTER);
    }
    (void)png_set_interlace_handling(job->png);
    png_read_update_info(job->png, job->info);
    size_t stride = png_get_rowbytes(job->png, job->info);
    job->result = ploy_image_create((int32_t)width, (int32_t)height, deep, env, &job->image);
    job->rows = malloc(stride * height + height * sizeof(png_bytep));
    if (job->image == NULL || job->rows == NULL) {
        job->result = PLOY_ERR_MEMORY;
        return;
    }
    png_bytepp pointers = (png_bytepp)(void *)job->rows;
    uint8_t *pixels = job->rows + height * sizeof(png_bytep);
    for (uint32_t y = 0; y < height; y++) pointers[y] = pixels + (size_t)y * stride;
    png_read_image(job->png, pointers);
    for (uint32_t y = 0; y < height; y++) {
        const uint8_t *from = pointers[y];
        size_t to = (size_t)(height - 1 - y) * width;
        for (uint32_t x = 0; x < width; x++, to++) {
            if (deep) {
                uint32_t grey = (uint32_t)from[2 * x] | (uint32_t)from[2 * x + 1] << 8;
                job->image->grey[to] = (uint16_t)grey;
                job->image->pixels[to] = (grey >> 8) * 0x01010100u | 0xffu;
            } else {
                const uint8_t *rgba = from + 4 * (size_t)x;
                job->image->pixels[to] = (uint32_t)rgba[0] << 24 | (uint32_t)rgba[1] << 16 |
                                         (uint32_t)rgba[2] << 8 | rgba[3];
            }
        }
    }
    job->result = PLOY_OK;
}

ploy_result ploy_image_load_png(const void *bytes, size_t size, const char *name,
                                const ploy_env *env, ploy_diags *diags, ploy_image **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (bytes == NULL) return PLOY_ERR_ARGUMENT;
    image_job *job = calloc(1, sizeof *job);
    if (job == NULL) return PLOY_ERR_MEMORY;
    job->bytes = bytes;
    job->size = size;
    job->result = PLOY_ERR_MEMORY;
    job->png =
        png_create_read_struct(PNG_LIBPNG_VER_STRING, job, image_job_error, image_job_warning);
    if (job->png != NULL && setjmp(png_jmpbuf(job->png)) == 0) {
        job->info = png_create_info_struct(job->png);
        if (job->info != NULL) {
            job->result = PLOY_ERR_FORMAT;
            image_job_decode(job, env);
        }
    } else if (job->png != NULL && job->result == PLOY_OK) {
        job->result = PLOY_ERR_FORMAT; // a jump out of reading the rows
    }
    if (job->png != NULL) png_destroy_read_struct(&job->png, &job->info, NULL);
    free(job->rows);
    ploy_result result = job->result;
    if (result == PLOY_OK) {
        *out = job->image;
    } else {
        ploy_image_destroy(job->image);
    }
    if (result == PLOY_ERR_FORMAT) {
        ploy_diags_add(diags, PLOY_SEVERITY_ERROR, result, name, 1, 1, job->text, "a PNG file",
                       NULL);
    }
    free(job);
    return result;
}

// Encodes. May jump.
static void image_job_encode(image_job *job, const ploy_image *image) {
    uint32_t width = (uint32_t)image->columns, height = (uint32_t)image->rows;
    bool deep = image->grey != NULL;
    png_set_write_fn(job->png, job, image_job_write, image_job_flush);
    png_set_IHDR(job->png, job->info, width, height, deep ? 16 : 8,
                 deep ? PNG_COLOR_TYPE_GRAY : PNG_COLOR_TYPE_RGB_ALPHA, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_write_info(job->png, job->info);
    for (uint32_t y = height; y-- > 0;) {
        for (uint32_t x = 0; x < width; x++) {
            size_t at = (size_t)y * width + x;
            if (deep) {
                job->rows[2 * x] = (uint8_t)(image->grey[at] >> 8);
                job->rows[2 * x + 1] = (uint8_t)(image->grey[at] & 0xff);
                continue;
            }
            for (int32_t k = 0; k < 4; k++) {
                job->rows[4 * (size_t)x + (size_t)k] =
                    (uint8_t)(image->pixels[at] >> (24 - 8 * k) & 0xff);
            }
        }
        png_write_row(job->png, job->rows);
    }
    png_write_end(job->png, NULL);
}

ploy_result ploy_image_write_png(const ploy_image *image, ploy_writer *writer) {
    if (image == NULL || writer == NULL) return PLOY_ERR_ARGUMENT;
    image_job *job = calloc(1, sizeof *job);
    if (job == NULL) return PLOY_ERR_MEMORY;
    job->writer = writer;
    job->result = PLOY_ERR_MEMORY;
    job->rows = malloc(4 * (size_t)image->columns);
    job->png =
        png_create_write_struct(PNG_LIBPNG_VER_STRING, job, image_job_error, image_job_warning);
    if (job->rows != NULL && job->png != NULL && setjmp(png_jmpbuf(job->png)) == 0) {
        job->info = png_create_info_struct(job->png);
        if (job->info != NULL) {
            job->result = PLOY_ERR_SYSTEM; // until the last byte is out
            image_job_encode(job, image);
            job->result = PLOY_OK;
        }
    }
    if (job->png != NULL) png_destroy_write_struct(&job->png, &job->info);
    ploy_result result = job->result;
    free(job->rows);
    free(job);
    ploy_result written = ploy_writer_result(writer);
    return written != PLOY_OK ? written : result;
}
