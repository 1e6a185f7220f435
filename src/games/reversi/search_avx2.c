/* SPDX-License-Identifier: MIT */
#define RV(name) reversi_##name##_avx2
#include "games/reversi/search.tpl.h"
