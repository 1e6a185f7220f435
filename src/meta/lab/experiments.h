/* SPDX-License-Identifier: MIT */

#ifndef HOLOS_META_LAB_EXPERIMENTS_H
#define HOLOS_META_LAB_EXPERIMENTS_H

#include "meta/lab/lab.h"

extern const holos_experiment lab_modes, lab_iterations, lab_compression, lab_tactics, lab_strategy,
    lab_transfer, lab_goal;

#endif
