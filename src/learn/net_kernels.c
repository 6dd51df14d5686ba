// The loops of networks over flat arrays. Everything a net computes with its weights happens here.
//
// A weighted sum has eight lanes: lane k adds the products of inputs k, k + 8, k + 16, ... in order; the lanes
// are then added from 0 to 7, and the bias last. rows8 does the same with eight agents in a vector and the
// lanes in eight registers, so that both give the same bits.
#include "learn/net_internal.h"

#include <math.h>
#include <string.h>

#include "base/compiler.h"
#include "ploy/base/math.h"

static inline float net_lanes(const float lane[8]) {
    return ((((((lane[0] + lane[1]) + lane[2]) + lane[3]) + lane[4]) + lane[5]) + lane[6]) +
           lane[7];
}

PLOYI_INLINE void net_rows_body(int32_t rows, int32_t stride, const float *restrict weights,
                                const float *restrict biases, const float *restrict x,
                                float *restrict z) {
    int32_t j = 0;
    for (; j + 4 <= rows; j += 4) {
        const float *w0 = weights + (int64_t)j * stride, *w1 = w0 + stride;
        const float *w2 = w1 + stride, *w3 = w2 + stride;
        ployi_f8 a0 = PLOYI_SET8(0.0f), a1 = a0, a2 = a0, a3 = a0, value, weight;
        for (int32_t i = 0; i < stride; i += 8) {
            PLOYI_LOAD8(value, x + i);
            PLOYI_LOAD8(weight, w0 + i);
            a0 = PLOYI_ADD8(a0, PLOYI_MUL8(weight, value));
            PLOYI_LOAD8(weight, w1 + i);
            a1 = PLOYI_ADD8(a1, PLOYI_MUL8(weight, value));
            PLOYI_LOAD8(weight, w2 + i);
            a2 = PLOYI_ADD8(a2, PLOYI_MUL8(weight, value));
            PLOYI_LOAD8(weight, w3 + i);
            a3 = PLOYI_ADD8(a3, PLOYI_MUL8(weight, value));
        }
        float lanes[4][8];
        PLOYI_STORE8(lanes[0], a0);
        PLOYI_STORE8(lanes[1], a1);
        PLOYI_STORE8(lanes[2], a2);
        PLOYI_STORE8(lanes[3], a3);
        for (int32_t k = 0; k < 4; k++) z[j + k] = net_lanes(lanes[k]) + biases[j + k];
    }
    for (; j < rows; j++) {
        const float *w0 = weights + (int64_t)j * stride;
        ployi_f8 a0 = PLOYI_SET8(0.0f), value, weight;
        for (int32_t i = 0; i < stride; i += 8) {
            PLOYI_LOAD8(value, x + i);
            PLOYI_LOAD8(weight, w0 + i);
            a0 = PLOYI_ADD8(a0, PLOYI_MUL8(weight, value));
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

PLOYI_INLINE void net_rows8_body(int32_t rows, int32_t stride, const float *restrict weights,
                                 const float *restrict biases, const float *restrict x,
                                 float *restrict z) {
    for (int32_t j = 0; j < rows; j++) {
        const float *w = weights + (int64_t)j * stride;
        ployi_f8 a0 = PLOYI_SET8(0.0f), a1 = a0, a2 = a0, a3 = a0, a4 = a0, a5 = a0, a6 = a0,
                 a7 = a0, v;
        for (int32_t i = 0; i < stride; i += 8) {
            const float *at = x + (int64_t)i * 8;
            PLOYI_LOAD8(v, at);
            a0 = PLOYI_ADD8(a0, PLOYI_MUL8(PLOYI_SET8(w[i]), v));
            PLOYI_LOAD8(v, at + 8);
            a1 = PLOYI_ADD8(a1, PLOYI_MUL8(PLOYI_SET8(w[i + 1]), v));
            PLOYI_LOAD8(v, at + 16);
            a2 = PLOYI_ADD8(a2, PLOYI_MUL8(PLOYI_SET8(w[i + 2]), v));
            PLOYI_LOAD8(v, at + 24);
            a3 = PLOYI_ADD8(a3, PLOYI_MUL8(PLOYI_SET8(w[i + 3]), v));
            PLOYI_LOAD8(v, at + 32);
            a4 = PLOYI_ADD8(a4, PLOYI_MUL8(PLOYI_SET8(w[i + 4]), v));
            PLOYI_LOAD8(v, at + 40);
            a5 = PLOYI_ADD8(a5, PLOYI_MUL8(PLOYI_SET8(w[i + 5]), v));
            PLOYI_LOAD8(v, at + 48);
            a6 = PLOYI_ADD8(a6, PLOYI_MUL8(PLOYI_SET8(w[i + 6]), v));
            PLOYI_LOAD8(v, at + 56);
            a7 = PLOYI_ADD8(a7, PLOYI_MUL8(PLOYI_SET8(w[i + 7]), v));
        }
        a0 = PLOYI_ADD8(a0, a1);
        a0 = PLOYI_ADD8(a0, a2);
        a0 = PLOYI_ADD8(a0, a3);
        a0 = PLOYI_ADD8(a0, a4);
        a0 = PLOYI_ADD8(a0, a5);
        a0 = PLOYI_ADD8(a0, a6);
        a0 = PLOYI_ADD8(a0, a7);
        a0 = PLOYI_ADD8(a0, PLOYI_SET8(biases[j]));
        PLOYI_STORE8(z + (int64_t)j * 8, a0);
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

PLOYI_INLINE void net_smooth_body(ploy_net_activation kind, float h, float top, int32_t count,
                                  const float *sums, float *values) {
    if (kind == PLOY_NET_SIGMOID) {
        for (int32_t i = 0; i < count; i++) values[i] = net_sigmoid(h * sums[i]);
    } else if (kind == PLOY_NET_TANH) {
        for (int32_t i = 0; i < count; i++) values[i] = net_tanh(h * sums[i]);
    } else if (kind == PLOY_NET_RADIAL) {
        for (int32_t i = 0; i < count; i++) values[i] = net_radial(h, top, sums[i]);
    } else if (kind == PLOY_NET_GAUSSIAN) {
        for (int32_t i = 0; i < count; i++) {
            float z = h * sums[i];
            values[i] = net_exp(-NET_LN_2 * z * z);
        }
    } else if (kind == PLOY_NET_RELU) {
        for (int32_t i = 0; i < count; i++) values[i] = sums[i] > 0.0f ? h * sums[i] : 0.0f;
    } else if (kind == PLOY_NET_LEAKY) {
        for (int32_t i = 0; i < count; i++) {
            values[i] = sums[i] > 0.0f ? h * sums[i] : 0.01f * h * sums[i];
        }
    } else if (kind == PLOY_NET_LINEAR) {
        for (int32_t i = 0; i < count; i++) values[i] = h * sums[i];
    } else { // softmax before the shares
        for (int32_t i = 0; i < count; i++) values[i] = net_exp(h * sums[i] - top);
    }
}
PLOYI_KERNEL(net_smooth,
             (ploy_net_activation kind, float h, float top, int32_t count, const float *sums,
              float *values),
             (kind, h, top, count, sums, values))

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
        net_smooth(activation, shape, largest, count, sums, values);
        for (int32_t i = 0; i < count; i++) sum += values[i];
        for (int32_t i = 0; i < count; i++) values[i] /= sum;
        break;
    }
    default:
        net_smooth(activation, shape, activation == PLOY_NET_RADIAL ? net_radial_top(shape) : 0.0f,
                   count, sums, values);
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
