// The loops of networks over flat arrays. Everything a net computes with its weights happens here.
//
// A weighted sum has eight lanes: lane k adds the products of inputs k, k + 8, k + 16, ... in order; the lanes
// are then added in halves (0 and 4, 2 and 6, ...), which is short for the processor, and the bias last. rows16
// does the same for 16 agents side by side, a lane after the other, so that both give the same bits.
#include "learn/net_internal.h"

#include <math.h>
#include <string.h>

#include "base/compiler.h"
#include "ploy/base/math.h"

PLOYI_INLINE float net_lanes(const float *lane) {
    return ((lane[0] + lane[4]) + (lane[2] + lane[6])) +
           ((lane[1] + lane[5]) + (lane[3] + lane[7]));
}

// One more product for the sum of a row.
#define NET_ADD_ROW(sum, row)                                 \
    do {                                                      \
        PLOYI_LOAD8(weight, w + (int64_t)(row)*stride + i);   \
        (sum) = PLOYI_ADD8((sum), PLOYI_MUL8(weight, value)); \
    } while (0)

// The additions of net_lanes for several rows at once: lanes 0 and 4, 1 and 5, 2 and 6, 3 and 7 of two rows; then
// of four rows the sums with 0 and 2, 1 and 3; then of eight rows both.
#define NET_ADD_HALVES(a, b)                               \
    PLOYI_ADD8(PLOYI_MIX8(a, b, 0, 1, 2, 3, 8, 9, 10, 11), \
               PLOYI_MIX8(a, b, 4, 5, 6, 7, 12, 13, 14, 15))
#define NET_ADD_QUARTERS(a, b)                             \
    PLOYI_ADD8(PLOYI_MIX8(a, b, 0, 1, 8, 9, 4, 5, 12, 13), \
               PLOYI_MIX8(a, b, 2, 3, 10, 11, 6, 7, 14, 15))
#define NET_ADD_PAIRS(a, b)                                 \
    PLOYI_ADD8(PLOYI_MIX8(a, b, 0, 2, 8, 10, 4, 6, 12, 14), \
               PLOYI_MIX8(a, b, 1, 3, 9, 11, 5, 7, 13, 15))

// Eight rows at a time, because a sum waits for the one before it.
PLOYI_INLINE void net_rows_body(int32_t rows, int32_t stride, const float *restrict weights,
                                const float *restrict biases, const float *restrict x,
                                float *restrict z) {
    int32_t j = 0;
    for (; j + 8 <= rows; j += 8) {
        const float *w = weights + (int64_t)j * stride;
        ployi_f8 a0 = PLOYI_SET8(0.0f), a1 = a0, a2 = a0, a3 = a0, a4 = a0, a5 = a0, a6 = a0,
                 a7 = a0, value, weight;
        for (int32_t i = 0; i < stride; i += 8) {
            PLOYI_LOAD8(value, x + i);
            NET_ADD_ROW(a0, 0);
            NET_ADD_ROW(a1, 1);
            NET_ADD_ROW(a2, 2);
            NET_ADD_ROW(a3, 3);
            NET_ADD_ROW(a4, 4);
            NET_ADD_ROW(a5, 5);
            NET_ADD_ROW(a6, 6);
            NET_ADD_ROW(a7, 7);
        }
        ployi_f8 low = NET_ADD_QUARTERS(NET_ADD_HALVES(a0, a1), NET_ADD_HALVES(a2, a3));
        ployi_f8 high = NET_ADD_QUARTERS(NET_ADD_HALVES(a4, a5), NET_ADD_HALVES(a6, a7));
        ployi_f8 sums = NET_ADD_PAIRS(low, high); // of rows 0, 2, 4, 6, 1, 3, 5, 7
        PLOYI_LOAD8(value, biases + j);
        sums = PLOYI_ADD8(PLOYI_MIX8(sums, sums, 0, 4, 1, 5, 2, 6, 3, 7), value);
        PLOYI_STORE8(z + j, sums);
    }
    for (; j < rows; j++) {
        const float *w = weights + (int64_t)j * stride;
        ployi_f8 a0 = PLOYI_SET8(0.0f), value, weight;
        for (int32_t i = 0; i < stride; i += 8) {
            PLOYI_LOAD8(value, x + i);
            NET_ADD_ROW(a0, 0);
        }
        float lanes[8];
        PLOYI_STORE8(lanes, a0);
        z[j] = net_lanes(lanes) + biases[j];
    }
}
PLOYI_KERNEL(net_rows,
             (int32_t rows, int32_t stride, const float *restrict weights,
              const float *restrict biases, const float *restrict x, float *restrict z),
             (rows, stride, weights, biases, x, z))

void ployi_net_rows(int32_t rows, int32_t stride, const float *weights, const float *biases,
                    const float *x, float *z) {
    net_rows(rows, stride, weights, biases, x, z);
}

// One row of 16 agents, a lane after the other.
PLOYI_INLINE void net_row16(int32_t stride, const float *restrict w, float bias,
                            const float *restrict x, float *restrict z) {
    for (int32_t half = 0; half < 16; half += 8) {
        float lanes[8][8]; // agent, lane
        ployi_f8 v, sum;
        for (int32_t k = 0; k < 8; k++) {
            sum = PLOYI_SET8(0.0f);
            for (int32_t i = k; i < stride; i += 8) {
                PLOYI_LOAD8(v, x + (int64_t)i * 16 + half);
                sum = PLOYI_ADD8(sum, PLOYI_MUL8(PLOYI_SET8(w[i]), v));
            }
            float each[8];
            PLOYI_STORE8(each, sum);
            for (int32_t a = 0; a < 8; a++) lanes[a][k] = each[a];
        }
        for (int32_t a = 0; a < 8; a++) z[half + a] = net_lanes(lanes[a]) + bias;
    }
}

#define NET_ADD_ROW16(sum, row) \
    (sum) = PLOYI_ADD8((sum), PLOYI_MUL8(PLOYI_SET8(w[(int64_t)(row)*stride + i]), v))
#define NET_LANE16(to, lane) PLOYI_LOAD8(to, lanes[lane][r])

// Eight rows of eight agents: each lane passes over all inputs with the rows' sums in registers, so that an
// input is read once for eight rows.
PLOYI_INLINE void net_rows16_half(int32_t stride, const float *restrict w,
                                  const float *restrict biases, const float *restrict x,
                                  float *restrict z) {
    float lanes[8][8][8]; // lane, row, agent
    for (int32_t k = 0; k < 8; k++) {
        ployi_f8 a0 = PLOYI_SET8(0.0f), a1 = a0, a2 = a0, a3 = a0, a4 = a0, a5 = a0, a6 = a0,
                 a7 = a0, v;
        for (int32_t i = k; i < stride; i += 8) {
            PLOYI_LOAD8(v, x + (int64_t)i * 16);
            NET_ADD_ROW16(a0, 0);
            NET_ADD_ROW16(a1, 1);
            NET_ADD_ROW16(a2, 2);
            NET_ADD_ROW16(a3, 3);
            NET_ADD_ROW16(a4, 4);
            NET_ADD_ROW16(a5, 5);
            NET_ADD_ROW16(a6, 6);
            NET_ADD_ROW16(a7, 7);
        }
        PLOYI_STORE8(lanes[k][0], a0);
        PLOYI_STORE8(lanes[k][1], a1);
        PLOYI_STORE8(lanes[k][2], a2);
        PLOYI_STORE8(lanes[k][3], a3);
        PLOYI_STORE8(lanes[k][4], a4);
        PLOYI_STORE8(lanes[k][5], a5);
        PLOYI_STORE8(lanes[k][6], a6);
        PLOYI_STORE8(lanes[k][7], a7);
    }
    for (int32_t r = 0; r < 8; r++) {
        ployi_f8 a, b, c, d;
        NET_LANE16(a, 0);
        NET_LANE16(b, 4);
        NET_LANE16(c, 2);
        NET_LANE16(d, 6);
        ployi_f8 even = PLOYI_ADD8(PLOYI_ADD8(a, b), PLOYI_ADD8(c, d));
        NET_LANE16(a, 1);
        NET_LANE16(b, 5);
        NET_LANE16(c, 3);
        NET_LANE16(d, 7);
        ployi_f8 odd = PLOYI_ADD8(PLOYI_ADD8(a, b), PLOYI_ADD8(c, d));
        even = PLOYI_ADD8(PLOYI_ADD8(even, odd), PLOYI_SET8(biases[r]));
        PLOYI_STORE8(z + (int64_t)r * 16, even);
    }
}

PLOYI_INLINE void net_rows16_body(int32_t rows, int32_t stride, const float *restrict weights,
                                  const float *restrict biases, const float *restrict x,
                                  float *restrict z) {
    int32_t j = 0;
    for (; j + 8 <= rows; j += 8) {
        const float *w = weights + (int64_t)j * stride;
        for (int32_t half = 0; half < 16; half += 8) {
            net_rows16_half(stride, w, biases + j, x + half, z + (int64_t)j * 16 + half);
        }
    }
    for (; j < rows; j++) {
        net_row16(stride, weights + (int64_t)j * stride, biases[j], x, z + (int64_t)j * 16);
    }
}

#if PLOYI_WIDE
#define NET_ADD_WIDE(row)                                                                      \
    do {                                                                                       \
        float weight = w[(int64_t)(row)*stride + i], other = w[(int64_t)(row)*stride + i + 4]; \
        a##row += PLOYI_SET16(weight) * v;                                                     \
        b##row += PLOYI_SET16(other) * u;                                                      \
    } while (0)
#define NET_KEEP_WIDE(row)                              \
    do {                                                \
        a##row += b##row;                               \
        memcpy(halves[k][row], &a##row, sizeof a##row); \
    } while (0)

// Eight rows of 16 agents, two lanes at a time: those that are added first.
PLOYI_INLINE void net_rows16_wide_body(int32_t rows, int32_t stride, const float *restrict weights,
                                       const float *restrict biases, const float *restrict x,
                                       float *restrict z) {
    int32_t j = 0;
    for (; j + 8 <= rows; j += 8) {
        const float *w = weights + (int64_t)j * stride;
        float halves[4][8][16]; // lanes k and k + 4, row, agent
        for (int32_t k = 0; k < 4; k++) {
            ployi_f16 a0 = PLOYI_SET16(0.0f), a1 = a0, a2 = a0, a3 = a0, a4 = a0, a5 = a0, a6 = a0,
                      a7 = a0, b0 = a0, b1 = a0, b2 = a0, b3 = a0, b4 = a0, b5 = a0, b6 = a0,
                      b7 = a0, v, u;
            for (int32_t i = k; i < stride; i += 8) {
                memcpy(&v, x + (int64_t)i * 16, sizeof v);
                memcpy(&u, x + (int64_t)i * 16 + 64, sizeof u);
                NET_ADD_WIDE(0);
                NET_ADD_WIDE(1);
                NET_ADD_WIDE(2);
                NET_ADD_WIDE(3);
                NET_ADD_WIDE(4);
                NET_ADD_WIDE(5);
                NET_ADD_WIDE(6);
                NET_ADD_WIDE(7);
            }
            NET_KEEP_WIDE(0);
            NET_KEEP_WIDE(1);
            NET_KEEP_WIDE(2);
            NET_KEEP_WIDE(3);
            NET_KEEP_WIDE(4);
            NET_KEEP_WIDE(5);
            NET_KEEP_WIDE(6);
            NET_KEEP_WIDE(7);
        }
        for (int32_t r = 0; r < 8; r++) {
            ployi_f16 h0, h1, h2, h3;
            memcpy(&h0, halves[0][r], sizeof h0);
            memcpy(&h1, halves[1][r], sizeof h1);
            memcpy(&h2, halves[2][r], sizeof h2);
            memcpy(&h3, halves[3][r], sizeof h3);
            h0 = ((h0 + h2) + (h1 + h3)) + PLOYI_SET16(biases[j + r]);
            memcpy(z + (int64_t)(j + r) * 16, &h0, sizeof h0);
        }
    }
    for (; j < rows; j++) {
        net_row16(stride, weights + (int64_t)j * stride, biases[j], x, z + (int64_t)j * 16);
    }
}
#endif
PLOYI_KERNEL_WIDE(net_rows16, net_rows16_body, net_rows16_wide_body,
                  (int32_t rows, int32_t stride, const float *restrict weights,
                   const float *restrict biases, const float *restrict x, float *restrict z),
                  (rows, stride, weights, biases, x, z))

void ployi_net_rows16(int32_t rows, int32_t stride, const float *weights, const float *biases,
                      const float *x, float *z) {
    net_rows16(rows, stride, weights, biases, x, z);
}

// Columns in blocks of 32, so that a block's sums stay in registers while all rows pass.
PLOYI_INLINE void net_back_body(int32_t rows, int32_t stride, const float *restrict weights,
                                const float *restrict delta, float *restrict back) {
    int32_t i = 0;
    for (; i + 32 <= stride; i += 32) {
        ployi_f8 a0 = PLOYI_SET8(0.0f), a1 = a0, a2 = a0, a3 = a0, w;
        for (int32_t j = 0; j < rows; j++) {
            const float *at = weights + (int64_t)j * stride + i;
            PLOYI_LOAD8(w, at);
            a0 = PLOYI_ADD8(a0, PLOYI_MUL8(w, PLOYI_SET8(delta[j])));
            PLOYI_LOAD8(w, at + 8);
            a1 = PLOYI_ADD8(a1, PLOYI_MUL8(w, PLOYI_SET8(delta[j])));
            PLOYI_LOAD8(w, at + 16);
            a2 = PLOYI_ADD8(a2, PLOYI_MUL8(w, PLOYI_SET8(delta[j])));
            PLOYI_LOAD8(w, at + 24);
            a3 = PLOYI_ADD8(a3, PLOYI_MUL8(w, PLOYI_SET8(delta[j])));
        }
        PLOYI_STORE8(back + i, a0);
        PLOYI_STORE8(back + i + 8, a1);
        PLOYI_STORE8(back + i + 16, a2);
        PLOYI_STORE8(back + i + 24, a3);
    }
    for (; i < stride; i += 8) {
        ployi_f8 a0 = PLOYI_SET8(0.0f), w;
        for (int32_t j = 0; j < rows; j++) {
            PLOYI_LOAD8(w, weights + (int64_t)j * stride + i);
            a0 = PLOYI_ADD8(a0, PLOYI_MUL8(w, PLOYI_SET8(delta[j])));
        }
        PLOYI_STORE8(back + i, a0);
    }
}
PLOYI_KERNEL(net_back,
             (int32_t rows, int32_t stride, const float *restrict weights,
              const float *restrict delta, float *restrict back),
             (rows, stride, weights, delta, back))

void ployi_net_back(int32_t rows, int32_t stride, const float *weights, const float *delta,
                    float *back) {
    net_back(rows, stride, weights, delta, back);
}

PLOYI_INLINE void net_add_body(int32_t rows, int32_t stride, float rate,
                               const float *restrict delta, const float *restrict x,
                               float *restrict weights, float *restrict biases) {
    for (int32_t j = 0; j < rows; j++) {
        float change = rate * delta[j];
        float *w = weights + (int64_t)j * stride;
        for (int32_t i = 0; i < stride; i++) w[i] += change * x[i];
        biases[j] += change;
    }
}
PLOYI_KERNEL(net_add,
             (int32_t rows, int32_t stride, float rate, const float *restrict delta,
              const float *restrict x, float *restrict weights, float *restrict biases),
             (rows, stride, rate, delta, x, weights, biases))

void ployi_net_add(int32_t rows, int32_t stride, float rate, const float *delta, const float *x,
                   float *weights, float *biases) {
    net_add(rows, stride, rate, delta, x, weights, biases);
}

// ---- activations

// e^x to about 2^-22, without branches and without a conversion: see base/math_inline.h for the trick. Ours
// and not ploy_expf, because a loop over this one becomes vectors.
PLOYI_INLINE float net_exp(float x) {
    x = x < -87.0f ? -87.0f : x;
    x = x > 88.0f ? 88.0f : x;
    float shifted = x * 1.44269504f + 12582912.0f;
    float n = shifted - 12582912.0f;
    float r = (x - n * 0.693359375f) - n * -2.12194440e-4f;
    float p = 1.9875691500e-4f;
    p = p * r + 1.3981999507e-3f;
    p = p * r + 8.3334519073e-3f;
    p = p * r + 4.1665795894e-2f;
    p = p * r + 1.6666665459e-1f;
    p = p * r + 5.0000001201e-1f;
    uint32_t bits;
    memcpy(&bits, &shifted, sizeof bits);
    bits = (bits + 127u) << 23;
    float scale;
    memcpy(&scale, &bits, sizeof scale);
    return (p * r * r + r + 1.0f) * scale;
}

PLOYI_INLINE float net_sigmoid(float x) {
    return 1.0f / (1.0f + net_exp(-x));
}

PLOYI_INLINE float net_tanh(float x) {
    return 1.0f - 2.0f / (net_exp(2.0f * x) + 1.0f);
}

// The mirrored pair; top makes its value at 0 one.
PLOYI_INLINE float net_radial(float h, float top, float x) {
    return (net_sigmoid(h * (x + 1.0f)) - net_sigmoid(h * (x - 1.0f))) / top;
}

static float net_radial_top(float h) {
    return 2.0f * net_sigmoid(h) - 1.0f;
}

#define NET_LN_2 0.693147181f

// FANN's straight pieces: corners, and values of the sigmoid there. tanh is twice the sigmoid minus 1, the
// table's rounding included.
static const float net_corners[6] = {-2.64665293693542f, -1.47221934795380f, -0.549306154251099f,
                                     0.549306154251099f, 1.47221934795380f,  2.64665293693542f};
static const float net_corner_values[6] = {0.005f, 0.05f, 0.25f, 0.75f, 0.95f, 0.995f};

static float net_steps(float x, bool tanh, float *slope) {
    float scale = tanh ? 2.0f : 1.0f, offset = tanh ? -1.0f : 0.0f;
    *slope = 0.0f;
    if (x < net_corners[0]) return offset;
    for (int32_t i = 0; i < 5; i++) {
        if (!(x < net_corners[i + 1])) continue;
        float from = net_corner_values[i] * scale + offset;
        float to = net_corner_values[i + 1] * scale + offset;
        *slope = (to - from) / (net_corners[i + 1] - net_corners[i]);
        return from + (x - net_corners[i]) * *slope;
    }
    return scale + offset;
}

static float net_softplus(float h, float x) {
    float z = h * x;
    double rest = ploy_log(1.0 + (double)net_exp(-fabsf(z)));
    return ((z > 0.0f ? z : 0.0f) + (float)rest) / h;
}

// In place, because a loop over two pointers that may be equal does not become vectors.
PLOYI_INLINE void net_smooth_body(ploy_net_activation kind, float h, float top, int32_t count,
                                  float *values) {
    if (kind == PLOY_NET_SIGMOID) {
        for (int32_t i = 0; i < count; i++) values[i] = net_sigmoid(h * values[i]);
    } else if (kind == PLOY_NET_TANH) {
        for (int32_t i = 0; i < count; i++) values[i] = net_tanh(h * values[i]);
    } else if (kind == PLOY_NET_RADIAL) {
        for (int32_t i = 0; i < count; i++) values[i] = net_radial(h, top, values[i]);
    } else if (kind == PLOY_NET_GAUSSIAN) {
        for (int32_t i = 0; i < count; i++) {
            float z = h * values[i];
            values[i] = net_exp(-NET_LN_2 * z * z);
        }
    } else if (kind == PLOY_NET_RELU) {
        for (int32_t i = 0; i < count; i++) values[i] = values[i] > 0.0f ? h * values[i] : 0.0f;
    } else if (kind == PLOY_NET_LEAKY) {
        for (int32_t i = 0; i < count; i++) {
            values[i] = values[i] > 0.0f ? h * values[i] : 0.01f * h * values[i];
        }
    } else if (kind == PLOY_NET_LINEAR) {
        for (int32_t i = 0; i < count; i++) values[i] = h * values[i];
    } else { // softmax before the shares
        for (int32_t i = 0; i < count; i++) values[i] = net_exp(h * values[i] - top);
    }
}
PLOYI_KERNEL_WIDE(net_smooth, net_smooth_body, net_smooth_body,
                  (ploy_net_activation kind, float h, float top, int32_t count, float *values),
                  (kind, h, top, count, values))

void ployi_net_activate_all(ploy_net_activation activation, float shape, int32_t count,
                            const float *sums, float *values) {
    float slope;
    switch (activation) {
    case PLOY_NET_STEP:
        for (int32_t i = 0; i < count; i++) values[i] = sums[i] < 0.0f ? 0.0f : 1.0f;
        break;
    case PLOY_NET_SIGN:
        for (int32_t i = 0; i < count; i++) values[i] = sums[i] < 0.0f ? -1.0f : 1.0f;
        break;
    case PLOY_NET_SOFTPLUS:
        for (int32_t i = 0; i < count; i++) values[i] = net_softplus(shape, sums[i]);
        break;
    case PLOY_NET_SIGMOID_STEPS:
    case PLOY_NET_TANH_STEPS:
        for (int32_t i = 0; i < count; i++) {
            values[i] = net_steps(shape * sums[i], activation == PLOY_NET_TANH_STEPS, &slope);
        }
        break;
    case PLOY_NET_SOFTMAX: {
        float largest = -INFINITY, sum = 0.0f;
        for (int32_t i = 0; i < count; i++) {
            largest = shape * sums[i] > largest ? shape * sums[i] : largest;
        }
        if (values != sums) memcpy(values, sums, (size_t)count * sizeof(float));
        net_smooth(activation, shape, largest, count, values);
        for (int32_t i = 0; i < count; i++) sum += values[i];
        for (int32_t i = 0; i < count; i++) values[i] /= sum;
        break;
    }
    default:
        if (values != sums) memcpy(values, sums, (size_t)count * sizeof(float));
        net_smooth(activation, shape, activation == PLOY_NET_RADIAL ? net_radial_top(shape) : 0.0f,
                   count, values);
        break;
    }
}

// Derivative at x, whose value is o.
PLOYI_INLINE float net_slope(ploy_net_activation kind, float h, float x, float o) {
    float slope = 0.0f;
    switch (kind) {
    case PLOY_NET_LINEAR: return h;
    case PLOY_NET_RELU: return x > 0.0f ? h : 0.0f;
    case PLOY_NET_LEAKY: return x > 0.0f ? h : 0.01f * h;
    case PLOY_NET_SOFTPLUS: return net_sigmoid(h * x);
    case PLOY_NET_SIGMOID: return h * o * (1.0f - o);
    case PLOY_NET_TANH: return h * (1.0f - o * o);
    case PLOY_NET_RADIAL: {
        float left = net_sigmoid(h * (x + 1.0f)), right = net_sigmoid(h * (x - 1.0f));
        return h * (left * (1.0f - left) - right * (1.0f - right)) / net_radial_top(h);
    }
    case PLOY_NET_GAUSSIAN: return -2.0f * NET_LN_2 * h * h * x * o;
    case PLOY_NET_SIGMOID_STEPS:
    case PLOY_NET_TANH_STEPS: {
        (void)net_steps(h * x, kind == PLOY_NET_TANH_STEPS, &slope);
        return h * slope;
    }
    case PLOY_NET_SOFTMAX: return h * o;
    default: return 0.0f;
    }
}

// The two that hidden layers use most, as vectors.
PLOYI_INLINE void net_fast_slopes_body(bool tanh, float h, int32_t count,
                                       const float *restrict values, float *restrict delta) {
    if (tanh) {
        for (int32_t i = 0; i < count; i++) delta[i] *= h * (1.0f - values[i] * values[i]);
    } else {
        for (int32_t i = 0; i < count; i++) delta[i] *= values[i] > 0.0f ? h : 0.0f;
    }
}
PLOYI_KERNEL(net_fast_slopes,
             (bool tanh, float h, int32_t count, const float *restrict values,
              float *restrict delta),
             (tanh, h, count, values, delta))

void ployi_net_derive_all(ploy_net_activation activation, float shape, int32_t count,
                          const float *sums, const float *values, float *delta) {
    if (activation == PLOY_NET_TANH || activation == PLOY_NET_RELU) {
        net_fast_slopes(activation == PLOY_NET_TANH, shape, count, values, delta);
        return;
    }
    for (int32_t i = 0; i < count; i++)
        delta[i] *= net_slope(activation, shape, sums[i], values[i]);
}

float ploy_net_activate(ploy_net_activation activation, float shape, float x) {
    if (activation == PLOY_NET_SOFTMAX) return net_exp(shape * x);
    float value = 0.0f;
    ployi_net_activate_all(activation, shape, 1, &x, &value);
    return value;
}

float ploy_net_derive(ploy_net_activation activation, float shape, float x) {
    return net_slope(activation, shape, x, ploy_net_activate(activation, shape, x));
}

// ---- optimisers

PLOYI_INLINE void net_momentum_body(int64_t count, float rate, float momentum, float decay,
                                    float *restrict params, float *restrict gradients,
                                    float *restrict moment) {
    for (int64_t i = 0; i < count; i++) {
        moment[i] = momentum * moment[i] + rate * (gradients[i] - decay * params[i]);
        params[i] += moment[i];
        gradients[i] = 0.0f;
    }
}
PLOYI_KERNEL(net_momentum,
             (int64_t count, float rate, float momentum, float decay, float *restrict params,
              float *restrict gradients, float *restrict moment),
             (count, rate, momentum, decay, params, gradients, moment))

void ployi_net_momentum(int64_t count, float rate, float momentum, float decay, float *params,
                        float *gradients, float *moment) {
    net_momentum(count, rate, momentum, decay, params, gradients, moment);
}

PLOYI_INLINE void net_adam_body(int64_t count, ployi_net_adam_law law, float *restrict params,
                                float *restrict gradients, float *restrict moment1,
                                float *restrict moment2) {
    for (int64_t i = 0; i < count; i++) {
        float g = gradients[i];
        moment1[i] = law.beta1 * moment1[i] + (1.0f - law.beta1) * g;
        moment2[i] = law.beta2 * moment2[i] + (1.0f - law.beta2) * g * g;
        float step = (moment1[i] * law.scale1) / (sqrtf(moment2[i] * law.scale2) + law.epsilon);
        params[i] += law.rate * (step - law.decay * params[i]);
        gradients[i] = 0.0f;
    }
}
PLOYI_KERNEL(net_adam,
             (int64_t count, ployi_net_adam_law law, float *restrict params,
              float *restrict gradients, float *restrict moment1, float *restrict moment2),
             (count, law, params, gradients, moment1, moment2))

void ployi_net_adam(int64_t count, ployi_net_adam_law law, float *params, float *gradients,
                    float *moment1, float *moment2) {
    net_adam(count, law, params, gradients, moment1, moment2);
}
