// The loops of networks over flat arrays. Everything a net computes with its weights happens here.
//
// A weighted sum has eight lanes: lane k adds the products of inputs k, k + 8, k + 16, ... in order; the lanes
// are then added in halves (0 and 4, 2 and 6, ...), which is short for the processor, and the bias last. rows8 does the same with eight agents in a vector and the
// lanes in eight registers, so that both give the same bits.
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
        float lanes[8][8];
        PLOYI_STORE8(lanes[0], a0);
        PLOYI_STORE8(lanes[1], a1);
        PLOYI_STORE8(lanes[2], a2);
        PLOYI_STORE8(lanes[3], a3);
        PLOYI_STORE8(lanes[4], a4);
        PLOYI_STORE8(lanes[5], a5);
        PLOYI_STORE8(lanes[6], a6);
        PLOYI_STORE8(lanes[7], a7);
        for (int32_t k = 0; k < 8; k++) z[j + k] = net_lanes(lanes[k]) + biases[j + k];
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

// One row of eight agents, its lanes in eight registers.
PLOYI_INLINE void net_row8(int32_t stride, const float *restrict w, float bias,
                           const float *restrict x, float *restrict z) {
    float lanes[8][8];
    ployi_f8 v, a;
    for (int32_t k = 0; k < 8; k++) {
        a = PLOYI_SET8(0.0f);
        for (int32_t i = k; i < stride; i += 8) {
            PLOYI_LOAD8(v, x + (int64_t)i * 8);
            a = PLOYI_ADD8(a, PLOYI_MUL8(PLOYI_SET8(w[i]), v));
        }
        PLOYI_STORE8(lanes[k], a);
    }
    for (int32_t k = 0; k < 8; k++) {
        float halves = (lanes[0][k] + lanes[4][k]) + (lanes[2][k] + lanes[6][k]);
        z[k] = (halves + ((lanes[1][k] + lanes[5][k]) + (lanes[3][k] + lanes[7][k]))) + bias;
    }
}

#define NET_ADD_ROW8(sum, row) \
    (sum) = PLOYI_ADD8((sum), PLOYI_MUL8(PLOYI_SET8(w[(int64_t)(row)*stride + i]), v))
#define NET_SUM_ROW8(to, lane) PLOYI_LOAD8(to, lanes[lane][r])

// Eight rows of eight agents: each lane passes over all inputs with the rows' sums in registers, so that an
// input is read once for eight rows.
PLOYI_INLINE void net_rows8_body(int32_t rows, int32_t stride, const float *restrict weights,
                                 const float *restrict biases, const float *restrict x,
                                 float *restrict z) {
    int32_t j = 0;
    for (; j + 8 <= rows; j += 8) {
        const float *w = weights + (int64_t)j * stride;
        float lanes[8][8][8]; // lane, row, agent
        for (int32_t k = 0; k < 8; k++) {
            ployi_f8 a0 = PLOYI_SET8(0.0f), a1 = a0, a2 = a0, a3 = a0, a4 = a0, a5 = a0, a6 = a0,
                     a7 = a0, v;
            for (int32_t i = k; i < stride; i += 8) {
                PLOYI_LOAD8(v, x + (int64_t)i * 8);
                NET_ADD_ROW8(a0, 0);
                NET_ADD_ROW8(a1, 1);
                NET_ADD_ROW8(a2, 2);
                NET_ADD_ROW8(a3, 3);
                NET_ADD_ROW8(a4, 4);
                NET_ADD_ROW8(a5, 5);
                NET_ADD_ROW8(a6, 6);
                NET_ADD_ROW8(a7, 7);
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
            NET_SUM_ROW8(a, 0);
            NET_SUM_ROW8(b, 4);
            NET_SUM_ROW8(c, 2);
            NET_SUM_ROW8(d, 6);
            ployi_f8 even = PLOYI_ADD8(PLOYI_ADD8(a, b), PLOYI_ADD8(c, d));
            NET_SUM_ROW8(a, 1);
            NET_SUM_ROW8(b, 5);
            NET_SUM_ROW8(c, 3);
            NET_SUM_ROW8(d, 7);
            ployi_f8 odd = PLOYI_ADD8(PLOYI_ADD8(a, b), PLOYI_ADD8(c, d));
            even = PLOYI_ADD8(PLOYI_ADD8(even, odd), PLOYI_SET8(biases[j + r]));
            PLOYI_STORE8(z + (int64_t)(j + r) * 8, even);
        }
    }
    for (; j < rows; j++) {
        net_row8(stride, weights + (int64_t)j * stride, biases[j], x, z + (int64_t)j * 8);
    }
}
PLOYI_KERNEL(net_rows8,
             (int32_t rows, int32_t stride, const float *restrict weights,
              const float *restrict biases, const float *restrict x, float *restrict z),
             (rows, stride, weights, biases, x, z))

void ployi_net_rows8(int32_t rows, int32_t stride, const float *weights, const float *biases,
                     const float *x, float *z) {
    net_rows8(rows, stride, weights, biases, x, z);
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
PLOYI_KERNEL(net_smooth,
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
