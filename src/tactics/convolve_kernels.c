// Kernels of filters; see the header.
#include "ploy/base/math.h"
#include "ploy/base/number.h"
#include "ploy/tactics/convolve.h"

#include <math.h>
#include <string.h>

static ploy_convolve_kernel convolve_kernel_none(void) {
    ploy_convolve_kernel kernel;
    memset(&kernel, 0, sizeof kernel);
    return kernel;
}

ploy_result ploy_convolve_kernel_full(const float *weights, int32_t side, float divide,
                                      ploy_convolve_kernel *out) {
    if (weights == NULL || out == NULL || side < 1 || side > PLOY_CONVOLVE_SIDE || side % 2 == 0 ||
        !ploy_is_finite(divide) || divide == 0.0f) {
        return PLOY_ERR_ARGUMENT;
    }
    ploy_convolve_kernel kernel = convolve_kernel_none();
    kernel.size = side / 2;
    for (int32_t i = 0; i < side * side; i++) {
        kernel.full[i] = weights[i] / divide;
        if (!ploy_is_finite(kernel.full[i])) return PLOY_ERR_ARGUMENT;
    }
    *out = kernel;
    return PLOY_OK;
}

ploy_result ploy_convolve_kernel_separable(const float *across, const float *along, int32_t side,
                                           ploy_convolve_kernel *out) {
    if (across == NULL || along == NULL || out == NULL || side < 1 || side > PLOY_CONVOLVE_SIDE ||
        side % 2 == 0) {
        return PLOY_ERR_ARGUMENT;
    }
    ploy_convolve_kernel kernel = convolve_kernel_none();
    kernel.size = side / 2;
    kernel.separable = true;
    for (int32_t i = 0; i < side; i++) {
        if (!ploy_is_finite(across[i]) || !ploy_is_finite(along[i])) return PLOY_ERR_ARGUMENT;
        kernel.across[i] = across[i];
        kernel.along[i] = along[i];
    }
    *out = kernel;
    return PLOY_OK;
}

// If a kernel is exactly a column times a row of it, divided by where they meet, uses those.
static void convolve_kernel_factor(ploy_convolve_kernel *kernel) {
    int32_t side = 2 * kernel->size + 1, peak = 0;
    for (int32_t i = 1; i < side * side; i++) {
        if (fabsf(kernel->full[i]) > fabsf(kernel->full[peak])) peak = i;
    }
    float meet = kernel->full[peak], across[PLOY_CONVOLVE_SIDE], along[PLOY_CONVOLVE_SIDE];
    if (meet == 0.0f) return;
    for (int32_t i = 0; i < side; i++) {
        across[i] = kernel->full[peak / side * side + i];
        along[i] = kernel->full[i * side + peak % side] / meet;
    }
    for (int32_t y = 0; y < side; y++) {
        for (int32_t x = 0; x < side; x++) {
            if (across[x] * along[y] != kernel->full[y * side + x]) return;
        }
    }
    kernel->separable = true;
    memcpy(kernel->across, across, (size_t)side * sizeof(float));
    memcpy(kernel->along, along, (size_t)side * sizeof(float));
}

static ploy_result convolve_fault(ploy_diags *diags, size_t at, const char *message,
                                  const char *expected) {
    ploy_diags_add(diags, PLOY_SEVERITY_ERROR, PLOY_ERR_FORMAT, "kernel", 1, (int32_t)at + 1,
                   message, expected, NULL);
    return PLOY_ERR_FORMAT;
}

ploy_result ploy_convolve_kernel_read(const char *text, float divide, ploy_diags *diags,
                                      ploy_convolve_kernel *out) {
    float weights[PLOY_CONVOLVE_SIDE * PLOY_CONVOLVE_SIDE];
    int32_t rows = 0, columns = 0, count = 0, here = 0;
    if (text == NULL || out == NULL) return PLOY_ERR_ARGUMENT;
    size_t size = strlen(text);
    for (size_t at = 0;;) {
        while (at < size && (text[at] == ' ' || text[at] == '\t')) at++;
        if (at == size || text[at] == ';') {
            if (here == 0) return convolve_fault(diags, at, "empty row", "a number");
            if (rows == 0) columns = here;
            if (here != columns) {
                return convolve_fault(diags, at, "rows have different lengths",
                                      "as many numbers as in the first row");
            }
            rows++;
            here = 0;
            if (at == size) break;
            at++;
            continue;
        }
        size_t end = at;
        while (end < size && text[end] != ' ' && text[end] != '\t' && text[end] != ';') end++;
        double value = 0.0;
        if (ploy_parse_f64(text + at, end - at, NULL, &value) != PLOY_OK ||
            !ploy_is_finite((float)value)) {
            return convolve_fault(diags, at, "invalid number", "a number");
        }
        if (here == PLOY_CONVOLVE_SIDE || rows == PLOY_CONVOLVE_SIDE) {
            return convolve_fault(diags, at, "kernel is too large", "at most 15 x 15 numbers");
        }
        weights[count++] = (float)value;
        here++;
        at = end;
    }
    if (rows != columns || rows % 2 == 0) {
        return convolve_fault(diags, 0, "kernel has no centre",
                              "as many rows as columns, an odd number");
    }
    ploy_convolve_kernel kernel;
    ploy_result result = ploy_convolve_kernel_full(weights, rows, divide, &kernel);
    if (result != PLOY_OK) return result;
    convolve_kernel_factor(&kernel);
    *out = kernel;
    return PLOY_OK;
}

static int32_t convolve_size(int32_t size) {
    size = size < 0 ? 0 : size;
    return size > PLOY_CONVOLVE_SIZE ? PLOY_CONVOLVE_SIZE : size;
}

ploy_convolve_kernel ploy_convolve_kernel_gaussian(int32_t size) {
    ploy_convolve_kernel kernel = convolve_kernel_none();
    kernel.size = convolve_size(size);
    kernel.separable = true;
    // Row 2 s of Pascal's triangle over its sum, 4^s: exact in floats.
    float weight = 1.0f, sum = 1.0f;
    for (int32_t i = 0; i < kernel.size; i++) sum *= 4.0f;
    for (int32_t i = 0; i <= 2 * kernel.size; i++) {
        kernel.across[i] = kernel.along[i] = weight / sum;
        weight = weight * (float)(2 * kernel.size - i) / (float)(i + 1);
    }
    return kernel;
}

ploy_convolve_kernel ploy_convolve_kernel_box(int32_t size) {
    ploy_convolve_kernel kernel = convolve_kernel_none();
    kernel.size = convolve_size(size);
    kernel.separable = true;
    for (int32_t i = 0; i <= 2 * kernel.size; i++) {
        kernel.across[i] = kernel.along[i] = 1.0f / (float)(2 * kernel.size + 1);
    }
    return kernel;
}

ploy_result ploy_convolve_kernel_sharpen(float a, float b, float c, bool printed,
                                         ploy_convolve_kernel *out) {
    if (!(a > 0.0f && b > 0.0f && c > 0.0f) || !ploy_is_finite(a) || !ploy_is_finite(b) ||
        !ploy_is_finite(c)) {
        return PLOY_ERR_ARGUMENT;
    }
    float around = 4.0f * b + 4.0f * c;
    float centre = printed ? a * (around + 1.0f) : a + around;
    float weights[9] = {-b, -c, -b, -c, centre, -c, -b, -c, -b};
    return ploy_convolve_kernel_full(weights, 3, a, out);
}
