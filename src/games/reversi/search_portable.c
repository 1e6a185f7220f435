/* SPDX-License-Identifier: MIT */
#define RV(name) reversi_##name##_portable
#include "games/reversi/search.tpl.h"
