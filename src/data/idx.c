// IDX files; the format is in the header.
#include "ploy/data/idx.h"

#include "ploy/base/math.h"

#include <stdio.h>
#include <string.h>

enum { IDX_DIMENSIONS_MAX = 8 };

typedef struct idx_file {
    const uint8_t *bytes;
    size_t size, at; // at: of the numbers
    const char *name;
    ploy_diags *diags;
    uint8_t type;
    int32_t width; // bytes of a number
    int32_t dimensions;
    uint32_t count;  // first dimension
    uint64_t values; // numbers of one item
} idx_file;

static ploy_result idx_fault(const idx_file *f, size_t at, ploy_result code, const char *message,
                             const char *expected) {
    ploy_diags_add(f->diags, PLOY_SEVERITY_ERROR, code, f->name, 1, (int32_t)at + 1, message,
                   expected, NULL);
    return code;
}

static uint64_t idx_get(const uint8_t *bytes, int32_t size) {
    uint64_t value = 0;
    for (int32_t i = 0; i < size; i++) value = value << 8 | bytes[i];
    return value;
}

static int32_t idx_width(uint8_t type) {
    switch (type) {
    case 0x08:
    case 0x09: return 1;
    case 0x0B: return 2;
    case 0x0C:
    case 0x0D: return 4;
    case 0x0E: return 8;
    default: return 0;
    }
}

static double idx_number(const idx_file *f, uint64_t index) {
    const uint8_t *at = f->bytes + f->at + index * (uint64_t)f->width;
    uint64_t bits = idx_get(at, f->width);
    switch (f->type) {
    case 0x09: return (double)(int8_t)bits;
    case 0x0B: return (double)(int16_t)bits;
    case 0x0C: return (double)(int32_t)bits;
    case 0x0D: {
        uint32_t half = (uint32_t)bits;
        float value;
        memcpy(&value, &half, sizeof value);
        return (double)value;
    }
    case 0x0E: {
        double value;
        memcpy(&value, &bits, sizeof value);
        return value;
    }
    default: return (double)bits;
    }
}

static ploy_result idx_open(idx_file *f) {
    if (f->size < 8 || f->bytes[0] != 0 || f->bytes[1] != 0) {
        return idx_fault(f, 0, PLOY_ERR_FORMAT, "file is not IDX", "two zero bytes");
    }
    f->type = f->bytes[2];
    f->width = idx_width(f->type);
    if (f->width == 0) {
        return idx_fault(f, 2, PLOY_ERR_FORMAT, "unknown type of numbers",
                         "0x08, 0x09, 0x0B, 0x0C, 0x0D or 0x0E");
    }
    f->dimensions = f->bytes[3];
    f->at = 4 + 4 * (size_t)f->dimensions;
    if (f->dimensions < 1 || f->dimensions > IDX_DIMENSIONS_MAX || f->size < f->at) {
        return idx_fault(f, 3, PLOY_ERR_FORMAT, "number of dimensions is out of range", "1 to 8");
    }
    f->count = (uint32_t)idx_get(f->bytes + 4, 4);
    f->values = 1;
    for (int32_t i = 1; i < f->dimensions; i++) {
        f->values *= idx_get(f->bytes + 4 + 4 * i, 4);
        if (f->values < 1 || f->values > PLOY_SCHEMA_COLUMNS_MAX - 1) {
            return idx_fault(f, 4 + 4 * (size_t)i, PLOY_ERR_LIMIT,
                             "size of an item is out of range", "1 to 4095 numbers");
        }
    }
    uint64_t needed = (uint64_t)f->count * f->values * (uint64_t)f->width; // below 2^48
    if (f->count < 1 || f->count > INT32_MAX || needed != f->size - f->at) {
        return idx_fault(f, 4, PLOY_ERR_FORMAT, "the sizes do not match the size of the file",
                         NULL);
    }
    return PLOY_OK;
}

// Checks the labels; classes gets the largest plus 1.
static ploy_result idx_check_labels(const idx_file *images, idx_file *labels, int32_t *classes) {
    ploy_result result = idx_open(labels);
    if (result != PLOY_OK) return result;
    if (labels->values != 1 || labels->count != images->count) {
        return idx_fault(labels, 4, PLOY_ERR_FORMAT, "labels do not match the images",
                         "one number for each image");
    }
    *classes = 1;
    for (uint32_t i = 0; i < labels->count; i++) {
        double label = idx_number(labels, i);
        bool whole =
            label >= 0.0 && label < PLOY_COLUMN_VALUES_MAX && label == (double)(int32_t)label;
        if (!whole) {
            return idx_fault(labels, labels->at + (size_t)i * (size_t)labels->width, PLOY_ERR_LIMIT,
                             "label is out of range", "a small whole number");
        }
        if ((int32_t)label >= *classes) *classes = (int32_t)label + 1;
    }
    return PLOY_OK;
}

static ploy_result idx_schema(int32_t pixels, int32_t classes, const ploy_env *env,
                              ploy_schema **out) {
    ploy_result result = ploy_schema_create(env, out);
    char name[32];
    for (int32_t i = 0; i < pixels && result == PLOY_OK; i++) {
        snprintf(name, sizeof name, "p%d", (int)i);
        result = ploy_schema_add(*out, name, PLOY_COLUMN_NUMBER);
    }
    if (classes > 0 && result == PLOY_OK) {
        result = ploy_schema_add(*out, "label", PLOY_COLUMN_CATEGORY);
    }
    for (int32_t i = 0; i < classes && result == PLOY_OK; i++) {
        snprintf(name, sizeof name, "%d", (int)i);
        result = ploy_schema_add_value(*out, pixels, name);
    }
    if (result == PLOY_OK) {
        result = ploy_schema_set_target(*out, classes > 0 ? pixels : pixels - 1);
    }
    return result;
}

static ploy_result idx_fill(const idx_file *images, const idx_file *labels, double *row,
                            ploy_examples *table) {
    ploy_result result = ploy_examples_reserve(table, (int32_t)images->count);
    for (uint32_t i = 0; i < images->count && result == PLOY_OK; i++) {
        for (uint64_t k = 0; k < images->values; k++) {
            row[k] = idx_number(images, i * images->values + k);
            if (!ploy_table_accepts(row[k])) {
                size_t at =
                    images->at + (size_t)((i * images->values + k) * (uint64_t)images->width);
                return idx_fault(images, at, PLOY_ERR_FORMAT, "number is out of range",
                                 "-1e140 to 1e140");
            }
        }
        if (labels != NULL) row[images->values] = idx_number(labels, i);
        result = ploy_examples_add(table, row);
    }
    return result;
}

ploy_result ploy_idx_load(const void *images, size_t images_size, const char *images_name,
                          const void *labels, size_t labels_size, const char *labels_name,
                          const ploy_env *env, ploy_diags *diags, ploy_examples **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (images == NULL || env == NULL) return PLOY_ERR_ARGUMENT;
    idx_file a, b;
    memset(&a, 0, sizeof a);
    a.bytes = images;
    a.size = images_size;
    a.name = images_name;
    a.diags = diags;
    b = a;
    b.bytes = labels;
    b.size = labels_size;
    b.name = labels_name;
    int32_t classes = 0;
    ploy_result result = idx_open(&a);
    if (result == PLOY_OK && labels != NULL) result = idx_check_labels(&a, &b, &classes);
    if (result != PLOY_OK) return result;
    ploy_schema *schema = NULL;
    ploy_examples *table = NULL;
    size_t row_size = (size_t)(a.values + 1) * sizeof(double);
    double *row = ploy_env_alloc(env, row_size);
    if (row == NULL) return PLOY_ERR_MEMORY;
    result = idx_schema((int32_t)a.values, classes, env, &schema);
    if (result == PLOY_OK) result = ploy_examples_create(schema, env, &table);
    if (result == PLOY_OK) result = idx_fill(&a, labels != NULL ? &b : NULL, row, table);
    ploy_env_free(env, row, row_size);
    ploy_schema_destroy(schema);
    if (result != PLOY_OK) {
        ploy_examples_destroy(table);
        return result;
    }
    *out = table;
    return PLOY_OK;
}
