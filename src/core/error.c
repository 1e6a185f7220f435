/* SPDX-License-Identifier: MIT */

#include "core/error.h"

#include "core/url.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define ELLIPSIS "\xE2\x80\xA6" /* … */

/* Copies `source`; what does not fit is cut before the character that would be broken. */
static void message_copy(char *out, size_t size, const char *source)
{
    size_t length = strlen(source);
    if (length < size) {
        memcpy(out, source, length + 1);
        return;
    }
    size_t keep = size - sizeof ELLIPSIS;
    while (keep > 0 && ((unsigned char)source[keep] & 0xC0) == 0x80)
        keep--;
    memcpy(out, source, keep);
    memcpy(out + keep, ELLIPSIS, sizeof ELLIPSIS);
}

/* The code of the last error that nobody wanted to hear of, for whoever puts words before it. */
static _Thread_local holos_status untold = HOLOS_USAGE;

/* A message may quote the one it replaces, so it is made aside. */
#define MESSAGE_ROOM 1024

holos_status(error_set)(holos_error *err, holos_status code, int64_t at, const char *format, ...)
{
    if (err == NULL)
        return untold = code;
    char message[MESSAGE_ROOM];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    url_hide_passwords(message);
    err->code = code;
    err->at = at;
    message_copy(err->message, sizeof err->message, message);
    return code;
}

holos_status(error_system)(holos_error *err, const char *what, ...)
{
    int number = errno;
    holos_status code = number == ENOMEM ? HOLOS_NO_MEMORY : HOLOS_IO;
    if (err == NULL)
        return untold = code;
    char message[MESSAGE_ROOM], reason[128];
    va_list args;
    va_start(args, what);
    vsnprintf(message, sizeof message, what, args);
    va_end(args);
    return error_set(err, code, HOLOS_NOWHERE, "%s: %s", message, strerror_r(number, reason, sizeof reason));
}

holos_status(error_prefix)(holos_error *err, const char *format, ...)
{
    if (err == NULL)
        return untold;
    char message[MESSAGE_ROOM];
    va_list args;
    va_start(args, format);
    int length = vsnprintf(message, sizeof message, format, args);
    va_end(args);
    if (length < 0)
        length = 0;
    if ((size_t)length < sizeof message)
        snprintf(message + length, sizeof message - (size_t)length, "%s", err->message);
    url_hide_passwords(message);
    message_copy(err->message, sizeof err->message, message);
    return err->code;
}

static const char *const status_names[] = {
    [HOLOS_OK] = "ok",
    [HOLOS_USAGE] = "usage",
    [HOLOS_BAD_VARIANT] = "bad-variant",
    [HOLOS_BAD_POSITION] = "bad-position",
    [HOLOS_BAD_MOVE] = "bad-move",
    [HOLOS_BAD_FILE] = "bad-file",
    [HOLOS_UNSUPPORTED] = "unsupported",
    [HOLOS_NO_MEMORY] = "no-memory",
    [HOLOS_LIMIT] = "limit",
    [HOLOS_INTERRUPTED] = "interrupted",
    [HOLOS_IO] = "io",
};

const char *holos_status_name(holos_status status)
{
    size_t index = (size_t)status;
    return index < sizeof status_names / sizeof *status_names ? status_names[index] : "unknown";
}

holos_status error_null(holos_error *err, const char *function)
{
    return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "%s: a required argument is NULL", function);
}
