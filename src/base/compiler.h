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

// Number of bits that are set.
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

// AVX2 without FMA: a fused product would round once instead of twice. Not on Windows, where gcc
// aligns the stack to 16 bytes only and spills of 32-byte registers crash. Not needed where the
// whole build is for AVX2 already, and left out with PLOY_NO_AVX2 (to compare the two).
#if PLOYI_GNU && defined(__x86_64__) && !defined(_WIN32) && !defined(__AVX2__) && \
    !defined(PLOY_NO_AVX2)
#define PLOYI_KERNEL(name, params, args)                                             \
    PLOYI_VECTORISE static void name##_plain params {                                \
        name##_body args;                                                            \
    }                                                                                \
    PLOYI_VECTORISE __attribute__((target("avx2"))) static void name##_avx2 params { \
        name##_body args;                                                            \
    }                                                                                \
    static void name params {                                                        \
        if (__builtin_cpu_supports("avx2")) {                                        \
            name##_avx2 args;                                                        \
        } else {                                                                     \
            name##_plain args;                                                       \
        }                                                                            \
    }
#else
#define PLOYI_KERNEL(name, params, args)      \
    PLOYI_VECTORISE static void name params { \
        name##_body args;                     \
    }
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
