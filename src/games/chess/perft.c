/* SPDX-License-Identifier: MIT */

#include "games/chess/perft.h"

#include "core/cpu.h"

uint64_t chess_perft(const chess_position *p, unsigned depth)
{
#ifdef __x86_64__
    cpu_features cpu = cpu_detect();
    if (cpu.popcnt && cpu.bmi1 && cpu.pext)
        return chess_perft_pext(p, depth);
#endif
    return chess_perft_portable(p, depth);
}
