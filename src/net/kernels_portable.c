/* SPDX-License-Identifier: MIT */

/* Vectors of four, which every compiler can make. */

#include "core/cpu.h"

#define LANES        4
#define ROWS         3
#define KERNELS      net_kernels_portable
#define KERNELS_NAME "portable"
#include "net/kernels.tpl.h"

const net_kernels *net_kernels_pick(void)
{
#ifdef __x86_64__
    cpu_features cpu = cpu_detect();
    if (cpu.avx2 && cpu.fma)
        return &net_kernels_avx2;
#endif
    return &net_kernels_portable;
}
