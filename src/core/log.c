/* SPDX-License-Identifier: MIT */

#include "core/log.h"

#include "core/url.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char *const level_names[] = {
    [LOG_LEVEL_ERROR] = "error",
    [LOG_LEVEL_WARNING] = "warning",
    [LOG_LEVEL_INFO] = "info",
    [LOG_LEVEL_DEBUG] = "debug",
};

#define LEVELS (sizeof level_names / sizeof *level_names)

const char *log_level_name(log_level level)
{
    return (size_t)level < LEVELS ? level_names[level] : "unknown";
}

bool log_level_read(const char *name, log_level *out)
{
    for (size_t i = 0; i < LEVELS; i++)
        if (strcmp(name, level_names[i]) == 0) {
            *out = (log_level)i;
            return true;
        }
    return false;
}

void log_write(const logger *l, log_level level, const char *format, ...)
{
    if (!log_wants(l, level))
        return;
    char message[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    url_hide_passwords(message);
    l->write(l->context, level, message);
}
