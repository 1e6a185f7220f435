/* SPDX-License-Identifier: MIT */

#include "store/patience.h"

#include "core/clock.h"
#include "core/limits.h"
#include "core/text.h"

#include <string.h>
#include <time.h>

#define PAUSE_FIRST 0.05
#define PAUSE_MOST  1.0
#define PAUSE_STEP  0.05 /* how often a request to stop is looked at */

patience patience_begin(double seconds, const holos_stop *stop)
{
    return (patience){.until = clock_wall() + seconds, .pause = PAUSE_FIRST, .stop = stop};
}

bool patience_wait(patience *p)
{
    double end = clock_wall() + p->pause;
    p->pause = p->pause * 2 < PAUSE_MOST ? p->pause * 2 : PAUSE_MOST;
    while (clock_wall() < end) {
        if (clock_wall() >= p->until || holos_stop_asked(p->stop))
            return false;
        nanosleep(&(struct timespec){.tv_nsec = (long)(PAUSE_STEP * 1e9)}, NULL);
    }
    return true;
}

bool query_value(const char *url, const char *name, char *out, size_t size)
{
    const char *at = strchr(url, '?');
    size_t length = strlen(name);
    while (at != NULL) {
        at++;
        const char *end = at + strcspn(at, "&");
        if (strncmp(at, name, length) == 0 && at[length] == '=') {
            size_t bytes = (size_t)(end - at) - length - 1;
            if (bytes >= size)
                return false;
            memcpy(out, at + length + 1, bytes);
            out[bytes] = 0;
            return true;
        }
        at = *end == '&' ? end : NULL;
    }
    return false;
}

bool query_wait(const char *url, double *out)
{
    char words[32];
    *out = PATIENCE_SECONDS;
    return !query_value(url, "wait", words, sizeof words) || text_to_duration(words, out);
}
