/// @file ploy/base/api.h
/// What every header of ploy needs: linkage, the compiler checks that repeatable
/// results depend on, and the assertion for ploy's own invariants.
///
/// Define PLOY_SHARED when ploy is used as a shared library on Windows, and PLOY_BUILD while
/// building it. Define PLOY_DEBUG_CHECKS to 1 to check per-step arrays too (debug builds do).
#pragma once

#include <float.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#define PLOY_EXTERN_C extern "C"
#else
#define PLOY_EXTERN_C extern
#endif

/// Marks every public function. Carries C linkage, so headers can be included from C++.
#if defined(_WIN32) && defined(PLOY_SHARED) && defined(PLOY_BUILD)
#define PLOY_API PLOY_EXTERN_C __declspec(dllexport)
#elif defined(_WIN32) && defined(PLOY_SHARED)
#define PLOY_API PLOY_EXTERN_C __declspec(dllimport)
#elif defined(__GNUC__) && !defined(PLOY_PLAIN_C)
#define PLOY_API PLOY_EXTERN_C __attribute__((visibility("default")))
#else
#define PLOY_API PLOY_EXTERN_C
#endif

/// Before a static function in a header or macro: an unused one causes no warning.
#if defined(__GNUC__) && !defined(PLOY_PLAIN_C)
#define PLOY_UNUSED __attribute__((unused))
#else
#define PLOY_UNUSED
#endif

// ploy guarantees the same bits on every machine. A compiler that keeps excess precision,
// reassociates sums or fuses a product with a sum breaks this silently, so such flags are refused
// here, or turned off where a pragma can do that. Functions in headers are compiled with the
// program's own flags, so this holds for every file that includes one.
#if defined(FLT_EVAL_METHOD) && FLT_EVAL_METHOD != 0
#error \
    "ploy needs FLT_EVAL_METHOD 0: 32-bit x86: -msse2 -mfpmath=sse; s390x: -fexcess-precision=fast"
#endif
#ifdef __FAST_MATH__
#error "ploy gives the same bits on every build and cannot be compiled with -ffast-math"
#elif defined(__ASSOCIATIVE_MATH__) || defined(__RECIPROCAL_MATH__)
#error "ploy gives the same bits on every build: remove -funsafe-math-optimizations and its parts"
#elif defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__
#error "ploy checks for NaN and cannot be compiled with -ffinite-math-only"
#endif
// Fused products round once instead of twice. clang obeys the pragma, including in the code after
// this header. gcc fuses by default where the processor can, except in ISO C (-std=c11).
#if defined(__clang__)
#pragma clang fp contract(off) reassociate(off)
#elif defined(__GNUC__) && defined(__FP_FAST_FMAF) && !defined(PLOY_FP_CONTRACT_OFF) && \
    (defined(__cplusplus) || !defined(__STRICT_ANSI__))
#error \
    "ploy needs -ffp-contract=off on this processor: add it with -DPLOY_FP_CONTRACT_OFF, or use the flags of pkg-config ploy or the target ploy::ploy"
#endif

#ifndef PLOY_DEBUG_CHECKS
#ifdef NDEBUG
#define PLOY_DEBUG_CHECKS 0
#else
#define PLOY_DEBUG_CHECKS 1
#endif
#endif

/// A test build shrinks capacities to 2 or 3, so that growth and overflow are exercised constantly:
/// PLOY_CAPACITY(256) is 256 in a normal build and 2 in that one. Results never depend on it.
#ifdef PLOY_SMALL_CAPACITIES
#define PLOY_CAPACITY(normal) (2)
#else
#define PLOY_CAPACITY(normal) (normal)
#endif

/// Called when one of ploy's own invariants does not hold: a bug in ploy, never bad input.
typedef void (*ploy_assert_fn)(void *user, const char *condition, const char *file, int32_t line);

/// Sets the handler for broken invariants; NULL restores the default, which aborts. This is the
/// only per-process setting, because an assertion may fire where no env is available.
PLOY_API void ploy_set_assert_handler(ploy_assert_fn handler, void *user);

/// Reports a broken invariant to the handler. Called by PLOY_ASSERT; other languages may call it
/// too.
PLOY_API void ploy_assert_failed(const char *condition, const char *file, int32_t line);

/// Checks one of ploy's own invariants, in debug builds only.
#if PLOY_DEBUG_CHECKS
#define PLOY_ASSERT(condition) \
    ((condition) ? (void)0 : ploy_assert_failed(#condition, __FILE__, __LINE__))
#else
#define PLOY_ASSERT(condition) ((void)sizeof(condition))
#endif
