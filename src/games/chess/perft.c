/* SPDX-License-Identifier: MIT */

#include "games/chess/perft.h"

#include "core/cpu.h"

uint64_t chess_perft(const chess_position *p, unsigned depth)
{
#ifdef __x86_64__
    cpu_features cpu = cpu_detect();
    if (cpu.popcnt && cpu.bmi1 && cpu.bmi2)
        return chess_perft_bmi2(p, depth);
#endif
    return chess_perft_portable(p, depth);
}
