// What depends on the compiler: forced inlining, numbers of bits, hints, and kernels compiled for the processor at
// hand. Everything here has a form in plain C11, which PLOY_PLAIN_C chooses; both give the same results.
//
// A kernel is written once, as a loop over packed arrays without branches, and compilers turn it
// into vector instructions:
//
//     static PLOYI_INLINE void seek_kernel_body(int32_t n, law l, const float *restrict x, ...);
//     PLOYI_KERNEL(seek_kernel, (int32_t n, law l, const float *restrict x, ...), (n, l, x, ...))
//
// The second line makes `seek_kernel`, which runs the body compiled for the processor at hand. The
// arithmetic is element by element and never contracted, so both versions give the same bits.
//
// Every module may include this file; it is the only header of src/base that others see.
#pragma once

#include <stdint.h>

#if defined(__GNUC__) && !defined(PLOY_PLAIN_C)
#define PLOYI_GNU 1
#else
#define PLOYI_GNU 0
#endif

// Bodies must be inlined into the kernels, or they would not be compiled for their processor. The rare
// case of a short function is kept out of it, so that the usual one saves no registers.
#if PLOYI_GNU
#define PLOYI_INLINE static inline __attribute__((always_inline))
#define PLOYI_OUTLINE static __attribute__((noinline))
#else
#define PLOYI_INLINE static inline
#define PLOYI_OUTLINE static
#endif

// Numbers of the lowest and the highest bit of a word that is not 0.
static inline int32_t ployi_highest_bit(uint64_t word) {
#if PLOYI_GNU
    return 63 - __builtin_clzll(word);
#else
    int32_t bit = 0;
    for (int32_t step = 32; step > 0; step /= 2) {
        if (word >> step != 0) {
            word >>= step;
            bit += step;
        }
    }
    return bit;
#endif
}
static inline int32_t ployi_lowest_bit(uint64_t word) {
#if PLOYI_GNU
    return __builtin_ctzll(word);
#else
    return ployi_highest_bit(word & (~word + 1));
#endif
}

// Number of bits that are set. ployi_popcount counts by additions where the build's processor lacks the
// instruction, because the compiler would call a function; ployi_popcount_kernel is for bodies of kernels,
// which are compiled for processors that have it.
#if PLOYI_GNU
#define ployi_popcount_kernel(word) __builtin_popcountll(word)
#else
#define ployi_popcount_kernel(word) ployi_popcount(word)
#endif
static inline int32_t ployi_popcount(uint64_t word) {
#if PLOYI_GNU && (defined(__POPCNT__) || defined(__wasm__) || defined(__aarch64__))
    return __builtin_popcountll(word);
#else
    word -= (word >> 1) & UINT64_C(0x5555555555555555);
    word = (word & UINT64_C(0x3333333333333333)) + ((word >> 2) & UINT64_C(0x3333333333333333));
    word = (word + (word >> 4)) & UINT64_C(0x0F0F0F0F0F0F0F0F);
    return (int32_t)((word * UINT64_C(0x0101010101010101)) >> 56);
#endif
}

// Begins to bring memory near that will be read soon. Changes nothing but the time it takes.
#if PLOYI_GNU
#define PLOYI_PREFETCH(address) __builtin_prefetch(address)
#else
#define PLOYI_PREFETCH(address) ((void)(address))
#endif

// Leaves the core to its other thread for a moment, in a loop that waits.
#if PLOYI_GNU && (defined(__x86_64__) || defined(__i386__))
#define PLOYI_PAUSE() __builtin_ia32_pause()
#else
#define PLOYI_PAUSE() ((void)0)
#endif

// Before a loop of eight: gcc would unroll it before it looks for vectors, and then finds only pieces of them.
#if PLOYI_GNU && !defined(__clang__)
#define PLOYI_ROLLED _Pragma("GCC unroll 1")
#else
#define PLOYI_ROLLED
#endif

// Keeps a float apart from its neighbours in memory. A struct that is passed by value is written to the
// stack in pieces of 16 and 8 bytes; two floats that are read as one word across two such pieces stall
// for a dozen cycles, several times what a steering behavior costs.
#if PLOYI_GNU && defined(__x86_64__)
#define PLOYI_SCALAR(value) __asm__("" : "+x"(value))
#else
#define PLOYI_SCALAR(value) ((void)0)
#endif

// gcc vectorises loops of unknown length from -O3 on only, and a user who compiles the two amalgamated
// files at -O2 shall have the fast kernels too. (Only where no fused products exist: the attribute
// is not to be trusted with -ffp-contract.)
#if PLOYI_GNU && !defined(__clang__) && defined(__x86_64__) && !defined(__FMA__)
#define PLOYI_VECTORISE __attribute__((optimize("tree-vectorize", "vect-cost-model=dynamic")))
#else
#define PLOYI_VECTORISE
#endif

// AVX2 without FMA: a fused product would round once instead of twice. Every processor with AVX2 and
// BMI2 has the other instructions for bits. Not on Windows, where gcc aligns the stack to 16 bytes
// only and spills of 32-byte registers crash. Not needed where the whole build is for AVX2 already,
// and left out with PLOY_NO_AVX2 (to compare the two).
#if PLOYI_GNU && defined(__x86_64__) && !defined(_WIN32) && !defined(__AVX2__) && \
    !defined(PLOY_NO_AVX2)
#define PLOYI_CHOOSES_AVX2 1
#define PLOYI_HAS_AVX2() __builtin_cpu_supports("avx2")
#define PLOYI_TARGET_AVX2 __attribute__((target("avx2")))
#define PLOYI_TARGET __attribute__((target("avx2,bmi,bmi2,lzcnt,popcnt")))
#define PLOYI_KERNEL_OF(name, body, params, args)                 \
    PLOYI_VECTORISE static void name##_plain params {             \
        body args;                                                \
    }                                                             \
    PLOYI_VECTORISE PLOYI_TARGET static void name##_avx2 params { \
        body args;                                                \
    }                                                             \
    static void name params {                                     \
        if (PLOYI_HAS_AVX2() && __builtin_cpu_supports("bmi2")) { \
            name##_avx2 args;                                     \
        } else {                                                  \
            name##_plain args;                                    \
        }                                                         \
    }
#else
#define PLOYI_CHOOSES_AVX2 0
#define PLOYI_KERNEL_OF(name, body, params, args) \
    PLOYI_VECTORISE static void name params {     \
        body args;                                \
    }
#endif

// AVX-512 brings fused products along, so it is used only where the compiler does not fuse: clang
// obeys the pragma of api.h, gcc its flag, or ISO C. Left out with PLOY_NO_AVX512.
#if PLOYI_GNU && defined(__x86_64__) && !defined(_WIN32) && !defined(PLOY_NO_AVX2) && \
    !defined(PLOY_NO_AVX512) &&                                                       \
    (defined(__clang__) || defined(PLOY_FP_CONTRACT_OFF) ||                           \
     (defined(__STRICT_ANSI__) && !defined(__cplusplus)))
#define PLOYI_WIDE 1
#else
#define PLOYI_WIDE 0
#endif

// A kernel `name` of `name`_body, with a third version for processors with AVX-512: vectors of
// eight as well, but twice the registers, masks and more instructions for whole numbers.
#if PLOYI_WIDE && PLOYI_CHOOSES_AVX2
#define PLOYI_TARGET_MASKED \
    __attribute__((target("avx512f,avx512vl,avx512dq,avx512bw,bmi,bmi2,lzcnt,popcnt")))
#define PLOYI_HAS_MASKED()                                                       \
    (__builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") && \
     __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("bmi2"))
#define PLOYI_KERNEL(name, params, args)                                   \
    PLOYI_KERNEL_OF(name##_narrow, name##_body, params, args)              \
    PLOYI_VECTORISE PLOYI_TARGET_MASKED static void name##_masked params { \
        name##_body args;                                                  \
    }                                                                      \
    static void name params {                                              \
        if (PLOYI_HAS_MASKED()) {                                          \
            name##_masked args;                                            \
        } else {                                                           \
            name##_narrow args;                                            \
        }                                                                  \
    }
#else
#define PLOYI_KERNEL(name, params, args) PLOYI_KERNEL_OF(name, name##_body, params, args)
#endif

// A kernel with a version for vectors of 16 floats, of which `wide` is the body. gcc takes half of
// such a vector by default.
#if PLOYI_WIDE
typedef float ployi_f16 __attribute__((vector_size(64)));
#define PLOYI_SET16(s) ((ployi_f16){s, s, s, s, s, s, s, s, s, s, s, s, s, s, s, s})
#ifdef __clang__
#define PLOYI_TARGET_WIDE __attribute__((target("avx512f,bmi,bmi2,lzcnt,popcnt")))
#else
#define PLOYI_TARGET_WIDE \
    __attribute__((target("avx512f,bmi,bmi2,lzcnt,popcnt,prefer-vector-width=512")))
#endif
#define PLOYI_KERNEL_WIDE(name, body, wide, params, args)                          \
    PLOYI_KERNEL_OF(name##_narrow, body, params, args)                             \
    PLOYI_VECTORISE PLOYI_TARGET_WIDE static void name##_wide params {             \
        wide args;                                                                 \
    }                                                                              \
    static void name params {                                                      \
        if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("bmi2")) { \
            name##_wide args;                                                      \
        } else {                                                                   \
            name##_narrow args;                                                    \
        }                                                                          \
    }
#else
#define PLOYI_KERNEL_WIDE(name, body, wide, params, args) PLOYI_KERNEL_OF(name, body, params, args)
#endif

// Four words as one vector; only where PLOYI_GNU is 1, so users have a plain form beside it.
#if PLOYI_GNU
typedef uint64_t ployi_w4 __attribute__((vector_size(32)));
#endif

// ---- eight lanes ----
//
// Eight floats and eight masks (all bits or none) for the few loops that compilers do not vectorise
// well themselves. Written as macros, because passing such a vector by value would depend on the
// processor. Every operation is lane by lane, so the bits are those of plain C. Needs <string.h>.
#if PLOYI_GNU
typedef float ployi_f8 __attribute__((vector_size(32)));
typedef int ployi_m8 __attribute__((vector_size(32)));
#define PLOYI_SET8(s) ((ployi_f8){(s), (s), (s), (s), (s), (s), (s), (s)})
#define PLOYI_SETI8(s) ((ployi_m8){(s), (s), (s), (s), (s), (s), (s), (s)})
#define PLOYI_ADD8(a, b) ((a) + (b))
#define PLOYI_SUB8(a, b) ((a) - (b))
#define PLOYI_MUL8(a, b) ((a) * (b))
#define PLOYI_DIV8(a, b) ((a) / (b))
#define PLOYI_LESS8(a, b) ((ployi_m8)((a) < (b)))
#define PLOYI_SAME8(a, b) ((ployi_m8)((a) == (b)))  // of floats
#define PLOYI_SAMEI8(a, b) ((ployi_m8)((a) == (b))) // of whole numbers
#define PLOYI_BOTH8(a, b) ((a) & (b))
#define PLOYI_EITHER8(a, b) ((a) | (b))
#define PLOYI_BUT8(a, b) ((a) & ~(b)) // a and not b
#define PLOYI_ABS8(a) ((ployi_f8)((ployi_m8)(a)&0x7fffffff))
#define PLOYI_KEEP8(m, a) ((ployi_f8)((m) & (ployi_m8)(a))) // a or 0
#define PLOYI_PICK8(m, a, b) ((ployi_f8)(((m) & (ployi_m8)(a)) | (~(m) & (ployi_m8)(b))))
#else
typedef struct ployi_f8 {
    float v[8];
} ployi_f8;
typedef struct ployi_m8 {
    int v[8];
} ployi_m8;
#define PLOYI_LANES8(type, name, params, expression)         \
    static inline type name params {                         \
        type out;                                            \
        for (int k = 0; k < 8; k++) out.v[k] = (expression); \
        return out;                                          \
    }
PLOYI_LANES8(ployi_f8, ployi_set8, (float s), s)
PLOYI_LANES8(ployi_m8, ployi_seti8, (int s), s)
PLOYI_LANES8(ployi_f8, ployi_add8, (ployi_f8 a, ployi_f8 b), a.v[k] + b.v[k])
PLOYI_LANES8(ployi_f8, ployi_sub8, (ployi_f8 a, ployi_f8 b), a.v[k] - b.v[k])
PLOYI_LANES8(ployi_f8, ployi_mul8, (ployi_f8 a, ployi_f8 b), a.v[k] * b.v[k])
PLOYI_LANES8(ployi_f8, ployi_div8, (ployi_f8 a, ployi_f8 b), a.v[k] / b.v[k])
PLOYI_LANES8(ployi_m8, ployi_less8, (ployi_f8 a, ployi_f8 b), a.v[k] < b.v[k] ? -1 : 0)
PLOYI_LANES8(ployi_m8, ployi_same8, (ployi_f8 a, ployi_f8 b), a.v[k] == b.v[k] ? -1 : 0)
PLOYI_LANES8(ployi_m8, ployi_samei8, (ployi_m8 a, ployi_m8 b), a.v[k] == b.v[k] ? -1 : 0)
PLOYI_LANES8(ployi_m8, ployi_both8, (ployi_m8 a, ployi_m8 b), a.v[k] & b.v[k])
PLOYI_LANES8(ployi_m8, ployi_either8, (ployi_m8 a, ployi_m8 b), a.v[k] | b.v[k])
PLOYI_LANES8(ployi_m8, ployi_but8, (ployi_m8 a, ployi_m8 b), a.v[k] & ~b.v[k])
PLOYI_LANES8(ployi_f8, ployi_abs8, (ployi_f8 a), a.v[k] < 0.0f ? -a.v[k] : a.v[k] + 0.0f)
PLOYI_LANES8(ployi_f8, ployi_keep8, (ployi_m8 m, ployi_f8 a), m.v[k] != 0 ? a.v[k] : 0.0f)
PLOYI_LANES8(ployi_f8, ployi_pick8, (ployi_m8 m, ployi_f8 a, ployi_f8 b),
             m.v[k] != 0 ? a.v[k] : b.v[k])
#define PLOYI_SET8(s) ployi_set8(s)
#define PLOYI_SETI8(s) ployi_seti8(s)
#define PLOYI_ADD8(a, b) ployi_add8(a, b)
#define PLOYI_SUB8(a, b) ployi_sub8(a, b)
#define PLOYI_MUL8(a, b) ployi_mul8(a, b)
#define PLOYI_DIV8(a, b) ployi_div8(a, b)
#define PLOYI_LESS8(a, b) ployi_less8(a, b)
#define PLOYI_SAME8(a, b) ployi_same8(a, b)
#define PLOYI_SAMEI8(a, b) ployi_samei8(a, b)
#define PLOYI_BOTH8(a, b) ployi_both8(a, b)
#define PLOYI_EITHER8(a, b) ployi_either8(a, b)
#define PLOYI_BUT8(a, b) ployi_but8(a, b)
#define PLOYI_ABS8(a) ployi_abs8(a)
#define PLOYI_KEEP8(m, a) ployi_keep8(m, a)
#define PLOYI_PICK8(m, a, b) ployi_pick8(m, a, b)
#endif
#define PLOYI_LOAD8(to, from) memcpy(&(to), (from), sizeof(to))
#define PLOYI_STORE8(to, from) memcpy((to), &(from), sizeof(from))
// Eight of the 16 lanes of a and b (b's are 8 to 15), by constant index.
#if !PLOYI_GNU
PLOYI_LANES8(ployi_f8, ployi_mix8, (ployi_f8 a, ployi_f8 b, ployi_m8 at),
             at.v[k] < 8 ? a.v[at.v[k]] : b.v[at.v[k] - 8])
#define PLOYI_MIX8(a, b, ...) ployi_mix8(a, b, (ployi_m8){{__VA_ARGS__}})
#elif defined __clang__ || __GNUC__ >= 12
#define PLOYI_MIX8(a, b, ...) __builtin_shufflevector((a), (b), __VA_ARGS__)
#else
#define PLOYI_MIX8(a, b, ...) __builtin_shuffle((a), (b), (ployi_m8){__VA_ARGS__})
#endif
