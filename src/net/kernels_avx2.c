/* SPDX-License-Identifier: MIT */

/* Vectors of eight, with fused multiply-add. */

#define LANES        8
#define ROWS         6
#define KERNELS      net_kernels_avx2
#define KERNELS_NAME "avx2"
#include "net/kernels.tpl.h"
