/* SPDX-License-Identifier: MIT */

#ifndef HOLOS_SESSION_ABLATION_LAB_H
#define HOLOS_SESSION_ABLATION_LAB_H

#include "game/experiment.h"

extern const holos_experiment ablation_lab;

#endif
