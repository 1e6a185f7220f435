/* SPDX-License-Identifier: MIT */

/* Thresholds of the early stop that fit a network. A stronger one gathers its visits sooner, so thresholds that stay the same go stale. */

#ifndef HOLOS_ZENO_CALIBRATE_H
#define HOLOS_ZENO_CALIBRATE_H

#include "core/text.h"
#include "engine/zeno/zeno.h"

#define CALIBRATE_POSITIONS 300
#define CALIBRATE_DRIFT     50 /* positions that tell whether it is time again */
#define CALIBRATE_AIM       25 /* per cent of the positions on the clear side of each threshold */

typedef struct zeno_calibration {
    uint32_t positions;
    zeno_thresholds thresholds; /* the 25th percentile of entropy and variance, the 75th of the gap */
    zeno_shape mean, deviation;
    double stops; /* the share of these positions that would stop: all three signals have to agree */
} zeno_calibration;

/* Probes `positions` positions of random games, those with an obvious move left out, with ZENO_PROBE simulations each. HOLOS_INTERRUPTED. */
holos_status zeno_calibrate(const holos_variant *v, const zeno_options *o, const net_model *model,
                            uint32_t positions, uint64_t seed, zeno_until until, zeno_calibration *out,
                            holos_error *err);
/* By how many deviations a mean has moved since; the largest of the three. */
double zeno_calibration_drift(const zeno_calibration *then, const zeno_calibration *now);

void zeno_calibration_write(const zeno_calibration *c, text *out); /* JSON */
/* HOLOS_BAD_FILE with the reason. */
holos_status zeno_calibration_load(zeno_calibration *c, const char *path, holos_error *err);

#endif
