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

// Bodies must be inlined into the kernels, or they would not be compiled for their processor.
#if PLOYI_GNU
#define PLOYI_INLINE static inline __attribute__((always_inline))
#else
#define PLOYI_INLINE static inline
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

// gcc vectorises loops of unknown length from -O3 on only, and whoever compiles the two amalgamated
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
