/* SPDX-License-Identifier: MIT */

#include "meta/lab/experiments.h"

static const holos_experiment *const list[] = {&lab_modes,    &lab_iterations, &lab_compression, &lab_tactics,
                                               &lab_strategy, &lab_transfer,   &lab_goal};

const holos_experiment *lab_experiment_at(size_t index)
{
    return index < sizeof list / sizeof *list ? list[index] : NULL;
}
