/* SPDX-License-Identifier: MIT */

/* The log: remarks on long work that are not results. The library never prints; whoever wants remarks
 * passes a logger, and NULL is a logger that is silent. The sink decides where a remark goes; it may be
 * called by several threads at once.
 *
 *     log_write(logger, LOG_LEVEL_INFO, "tier %d of %d: %s", tier, tiers, size);
 */

#ifndef HOLOS_CORE_LOG_H
#define HOLOS_CORE_LOG_H

#include <stdbool.h>
#include <stddef.h>

typedef enum log_level {
    LOG_LEVEL_ERROR, /* something failed; the work goes on without it */
    LOG_LEVEL_WARNING,
    LOG_LEVEL_INFO,
    LOG_LEVEL_DEBUG,
} log_level;

typedef struct logger {
    log_level level; /* remarks above this level are dropped */
    void (*write)(void *context, log_level level, const char *message); /* one line, without its end */
    void *context;
} logger;

/* "error", "warning", "info", "debug"; the reader takes the same words. */
const char *log_level_name(log_level level);
bool log_level_read(const char *name, log_level *out);

/* True if somebody listens; for remarks that cost something to make. */
static inline bool log_wants(const logger *l, log_level level)
{
    return l != NULL && l->write != NULL && level <= l->level;
}

/* A message that is too long is cut. */
__attribute__((format(printf, 3, 4))) void log_write(const logger *l, log_level level, const char *format,
                                                     ...);

#endif
