/* SPDX-License-Identifier: MIT */

/* What the processor can do, for code that has a faster version for some processors. Every such code has
 * a portable version too, and a test that both agree. On other architectures than x86-64 every feature
 * is absent.
 *
 * Nothing is remembered here: whoever picks a version does it once, when it is opened. */

#ifndef HOLOS_CORE_CPU_H
#define HOLOS_CORE_CPU_H

#include "core/text.h"

/* FEATURE(name, what it means) */
#define CPU_FEATURES(FEATURE)                                                                                \
    FEATURE(ssse3, "byte shuffles of 16")                                                                    \
    FEATURE(sse41, "SSE4.1")                                                                                 \
    FEATURE(popcnt, "population count")                                                                      \
    FEATURE(bmi1, "bit manipulation: tzcnt, blsr, andn")                                                     \
    FEATURE(bmi2, "bit manipulation: pext, pdep, mulx")                                                      \
    FEATURE(pext, "bmi2 whose pext and pdep are fast: not in microcode, as in AMD's Zen 1 and 2")            \
    FEATURE(fma, "fused multiply-add")                                                                       \
    FEATURE(avx2, "256-bit vectors")                                                                         \
    FEATURE(avx512, "512-bit vectors: AVX-512 F, BW, VL and DQ")

typedef struct cpu_features {
#define FEATURE(name, meaning) bool name;
    CPU_FEATURES(FEATURE)
#undef FEATURE
} cpu_features;

/* What this processor has and the environment variable HOLOS_CPU allows (see cpu_allow). */
cpu_features cpu_detect(void);

/* The features of `has` that `allowed` names: NULL or "" all, "portable" none, otherwise a list of names
 * with commas, such as "popcnt,bmi2". Names that are not known are passed over. */
cpu_features cpu_allow(cpu_features has, const char *allowed);

/* The names of the features with commas, "portable" if there are none. */
void cpu_format(cpu_features features, text *out);

#endif
