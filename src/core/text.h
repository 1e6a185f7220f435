/* SPDX-License-Identifier: MIT */

/* A growing string. Out of memory is remembered, not reported at every call: `failed` stays set, the
 * text stays valid and 0-terminated, and whoever hands it on checks once. */

#ifndef HOLOS_CORE_TEXT_H
#define HOLOS_CORE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct text {
    char *data; /* never NULL after text_init; 0-terminated */
    size_t length, capacity;
    bool failed;
    bool fixed; /* writes into a caller's buffer; what does not fit is counted but not kept */
} text;

void text_init(text *t);
/* Writes into `buffer` (`size` bytes with the final 0; may be NULL if size is 0) like snprintf:
 * `length` is what it would have needed. Needs no text_free. */
void text_init_fixed(text *t, char *buffer, size_t size);
void text_free(text *t);
void text_clear(text *t);              /* empty again, and not failed: check before */
void text_cut(text *t, size_t length); /* takes back what was written after the first `length` bytes */

void text_char(text *t, char c);
void text_repeat(text *t, char c, size_t count);
void text_bytes(text *t, const char *bytes, size_t count);
void text_string(text *t, const char *s);
void text_int(text *t, int64_t value);
void text_uint(text *t, uint64_t value);
/* At most `digits` significant digits, as short as that allows; a decimal point in every locale. */
void text_double(text *t, double value, int digits);
__attribute__((format(printf, 2, 3))) void text_printf(text *t, const char *format, ...);

/* `count` more bytes, which the caller fills with just as many and a final 0. NULL: out of memory, or no text
 * that grows. */
char *text_room(text *t, size_t count);
/* Appends what a function in the manner of snprintf writes: text_take(&t, holos_format, v, position). */
#define text_take(t, function, ...)                                                                          \
    do {                                                                                                     \
        size_t text_take_length = function(__VA_ARGS__, NULL, 0);                                            \
        char *text_take_room = text_room((t), text_take_length);                                             \
        if (text_take_room != NULL)                                                                          \
            function(__VA_ARGS__, text_take_room, text_take_length + 1);                                     \
    } while (0)

/* 1234567 as "1,234,567"; 1536 bytes as "1.5 KiB"; 75.2 seconds as "1:15", 5.31 as "5.3 s", 0.0123 as
 * "12 ms". text_clock is 31 seconds as "0:31". */
void text_count(text *t, uint64_t value);
void text_size(text *t, uint64_t bytes);
void text_duration(text *t, double seconds);
void text_clock(text *t, double seconds);
/* Seconds since 1970 as "2026-03-01T12:03:00Z". */
void text_moment(text *t, int64_t seconds);
/* 1234567 as "1.2 M": a quantity that moves too fast to be read in full. */
void text_rough(text *t, uint64_t value);

/* The size of the byte-order mark that some editors put at the beginning of UTF-8; 0 without one. */
size_t text_mark(const char *bytes, size_t size);

/* Reads the whole of `s` as a number in [min, max]; false if it is anything else. */
bool text_to_int(const char *s, int64_t min, int64_t max, int64_t *out);
bool text_to_double(const char *s, double min, double max, double *out);
/* "512M", "2GiB", "1.5g", "4096": bytes; units are powers of 1024. */
bool text_to_size(const char *s, uint64_t *out);
/* "90", "1.5", "90s", "5m", "2h", "1d", "250ms": seconds. "10k", "20M", "1.5G": a count. */
bool text_to_duration(const char *s, double *out);
bool text_to_count(const char *s, uint64_t *out);

/* What to print for one byte of input in a message: the character itself if it is printable, else \xNN.
 * `out` has room for 8. Returns `out`. */
const char *text_show_char(unsigned char c, char out[8]);

#endif
