/* SPDX-License-Identifier: MIT */

#include "session/keeper.h"

#define STOP_SECONDS 0.4
#define SAVE_SECONDS 5e-7 /* what a position takes, before it has been measured */

holos_status keeper_save(wave_keeper *k, const holos_wave *w, const char *path, const holos_stop *stop,
                         double deadline, holos_error *err)
{
    double begun = clock_wall(), positions = (double)w->statistics.positions + 1;
    double each = k->save_seconds > 0 ? k->save_seconds : SAVE_SECONDS;
    bool asked = holos_stop_asked(stop) && !deadline_passed(deadline);
    bool hopeless = asked && each * positions > STOP_SECONDS;
    holos_status status = hopeless ? HOLOS_INTERRUPTED : wave_save(w, path, STOP_SECONDS, deadline, err);
    k->behind = status != HOLOS_OK;
    if (status == HOLOS_OK) {
        k->saved = clock_wall();
        k->save_seconds = (k->saved - begun) / positions;
    }
    return status;
}
