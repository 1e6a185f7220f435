/* SPDX-License-Identifier: MIT */

/* Where the program shows progress and remarks: stderr. On a terminal, progress is one line that is drawn over and erases itself:
 *
 *     build: 1.2 M of 5.3 M positions, part 12 of 91, 22 %, 4.1 M/s, 0:31 left, 310 MiB, 1.1 MiB on disk
 *     explore: 3.1 M positions, layer 14, 41 % solved, 1.2 M/s, 0:31 left, 310 MiB, seed -3..+4
 *
 * In a log it is the same words as lines of their own: after a second, and then whenever half as much time again has passed, or ten minutes.
 *
 * For programs it is one JSON object a line, and the same with "event":"done" when the work ends; a field that is not known is
 * left out:
 *
 *     {"event":"progress","label":"explore","done":1200000,"total":5300000,"unit":"positions",
 *      "parts_done":12,"parts":91,"rate":4.1e+06,"seconds":0.3,"left":31,"memory":325058560,"disk":1153434}
 *
 * Remarks are lines of their own, never in the way of the progress line. */

#ifndef HOLOS_CORE_SCREEN_H
#define HOLOS_CORE_SCREEN_H

#include "core/log.h"
#include "core/text.h"

#include <holos/progress.h>

#include <pthread.h>
#include <stdio.h>

typedef enum screen_mode {
    SCREEN_NONE, /* remarks only */
    SCREEN_LINE, /* a terminal */
    SCREEN_LOG,
    SCREEN_JSON,
} screen_mode;

typedef struct screen {
    FILE *out;
    screen_mode mode;
    bool drawn;         /* a line is there */
    double begun, next; /* in a log: when it began, and when the next line is due */
    pthread_mutex_t lock;
} screen;

void screen_init(screen *s, FILE *out, screen_mode mode);
void screen_free(screen *s); /* erases the line */
/* Seconds between two drawings. */
double screen_interval(const screen *s);

/* Shows how far something is: a progress_sink, whose context is the screen. */
void screen_show(void *context, const holos_progress *state);
/* A sink for a logger whose context is the screen: "warning: …"; in JSON
 * {"event":"log","level":"warning","message":"…"}. */
void screen_log(void *context, log_level level, const char *message);

/* How progress looks, without the ends of lines. */
void screen_format_line(const holos_progress *p, text *out);
void screen_format_json(const holos_progress *p, text *out);

#endif
