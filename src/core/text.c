/* SPDX-License-Identifier: MIT */

#include "core/text.h"

#include "core/wide.h"

#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* What an empty text without memory points to. Never written: its capacity is 0. */
static const char text_nothing[1] = "";

static char *text_without_memory(void)
{
    return (char *)(uintptr_t)text_nothing;
}

void text_init(text *t)
{
    *t = (text){.data = text_without_memory()};
}

void text_init_fixed(text *t, char *buffer, size_t size)
{
    *t = (text){.data = size > 0 ? buffer : text_without_memory(), .capacity = size, .fixed = true};
    if (size > 0)
        buffer[0] = '\0';
}

void text_free(text *t)
{
    if (!t->fixed && t->capacity > 0)
        free(t->data);
    text_init(t);
}

void text_clear(text *t)
{
    t->length = 0;
    t->failed = false;
    if (t->capacity > 0)
        t->data[0] = '\0';
}

void text_cut(text *t, size_t length)
{
    if (length >= t->length)
        return;
    t->length = length;
    if (length < t->capacity)
        t->data[length] = '\0';
}

/* ---- Appending --------------------------------------------------------------------------------- */

/* Makes room for `count` more bytes and the final 0. */
static bool text_reserve(text *t, size_t count)
{
    if (t->failed)
        return false;
    if (count < t->capacity - t->length && t->capacity > 0)
        return true;
    size_t need = t->length + count + 1;
    size_t capacity = t->capacity < 32 ? 64 : 2 * t->capacity;
    if (capacity < need)
        capacity = need;
    char *data =
        need > count && capacity >= t->capacity ? realloc(t->capacity > 0 ? t->data : NULL, capacity) : NULL;
    if (data == NULL) {
        t->failed = true;
        return false;
    }
    t->data = data;
    t->capacity = capacity;
    t->data[t->length] = '\0'; /* nothing may follow: a text stays terminated even so */
    return true;
}

char *text_room(text *t, size_t count)
{
    if (t->fixed || !text_reserve(t, count)) {
        t->failed = true;
        return NULL;
    }
    char *room = t->data + t->length;
    t->length += count;
    t->data[t->length] = '\0';
    return room;
}

/* How many of `count` more bytes a fixed text has room for. */
static size_t text_fixed_room(const text *t, size_t count)
{
    size_t room = t->capacity > 0 && t->length < t->capacity - 1 ? t->capacity - 1 - t->length : 0;
    return count < room ? count : room;
}

/* Where `count` bytes go, how many of them in *keep; the caller fills them. */
static char *text_extend(text *t, size_t count, size_t *keep)
{
    *keep = count;
    if (t->fixed)
        *keep = text_fixed_room(t, count);
    else if (!text_reserve(t, count))
        *keep = 0;
    char *end = t->data + t->length;
    if (*keep > 0)
        end[*keep] = '\0';
    if (t->fixed || !t->failed)
        t->length += count;
    return end;
}

void text_char(text *t, char c)
{
    size_t keep;
    char *end = text_extend(t, 1, &keep);
    if (keep > 0)
        *end = c;
}

void text_repeat(text *t, char c, size_t count)
{
    size_t keep;
    char *end = text_extend(t, count, &keep);
    if (keep > 0)
        memset(end, c, keep);
}

void text_bytes(text *t, const char *bytes, size_t count)
{
    size_t keep;
    char *end = text_extend(t, count, &keep);
    if (keep > 0)
        memcpy(end, bytes, keep);
}

void text_string(text *t, const char *s)
{
    text_bytes(t, s, strlen(s));
}

#define DIGITS 20 /* of UINT64_MAX */

/* The digits of `value`, at the end of `out`; returns their start. */
static char *digits_of(uint64_t value, char out[static DIGITS + 1])
{
    char *p = out + DIGITS;
    *p = '\0';
    do
        *--p = (char)('0' + value % 10);
    while ((value /= 10) != 0);
    return p;
}

void text_uint(text *t, uint64_t value)
{
    char buffer[DIGITS + 1];
    char *digits = digits_of(value, buffer);
    text_bytes(t, digits, (size_t)(buffer + DIGITS - digits));
}

void text_int(text *t, int64_t value)
{
    if (value < 0)
        text_char(t, '-');
    text_uint(t, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
}

/* ---- Real numbers ------------------------------------------------------------------------------ */

#define QUICK_DIGITS 9 /* at most so many are made here, of numbers from 1e-9 up to 1e15 */

static const double powers_of_ten[] = {1e0, 1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,
                                       1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17};

/* The exponent of a number between 1e-9 and 1e15; next to a power of ten it may be off by one. */
static int exponent_of(double value)
{
    int exponent = 0;
    if (value >= 1)
        while (value >= powers_of_ten[exponent + 1])
            exponent++;
    else
        while (value * powers_of_ten[-exponent] < 1)
            exponent--;
    return exponent;
}

/* The significant digits of a number as an integer. False: so near to a half that multiplying may have decided it. */
static bool digits_round(double value, int digits, int *exponent, uint64_t *out)
{
    *exponent = exponent_of(value);
    int shift = digits - 1 - *exponent;
    double scaled = shift >= 0 ? value * powers_of_ten[shift] : value / powers_of_ten[-shift];
    double whole = floor(scaled), rest = scaled - whole;
    *out = (uint64_t)whole + (rest > 0.5);
    if (*out >= (uint64_t)powers_of_ten[digits]) {
        *out /= 10;
        ++*exponent;
    }
    return fabs(rest - 0.5) > 1e-3;
}

/* As %g writes it, from its digits and where the point is. */
static void digits_put(text *t, const char *digits, int count, int exponent)
{
    if (exponent < -4) {
        text_char(t, digits[0]);
        if (count > 1)
            text_char(t, '.');
        text_bytes(t, digits + 1, (size_t)count - 1);
        text_string(t, exponent > -10 ? "e-0" : "e-");
        text_uint(t, (uint64_t)-exponent);
        return;
    }
    if (exponent < 0) {
        text_string(t, "0.");
        text_repeat(t, '0', (size_t)(-exponent - 1));
        text_bytes(t, digits, (size_t)count);
        return;
    }
    int before = exponent + 1 < count ? exponent + 1 : count;
    text_bytes(t, digits, (size_t)before);
    text_repeat(t, '0', (size_t)(exponent + 1 - before));
    if (before < count)
        text_char(t, '.');
    text_bytes(t, digits + before, (size_t)(count - before));
}

/* False: this number is for the C library, which takes ten times as long. */
static bool double_put(text *t, double value, int digits)
{
    double size = fabs(value);
    uint64_t number;
    int exponent;
    if (!(size >= 1e-9 && size < 1e15) || digits < 1 || digits > QUICK_DIGITS ||
        !digits_round(size, digits, &exponent, &number) || exponent >= digits)
        return false;
    char buffer[DIGITS + 1], *first = digits_of(number, buffer);
    int count = (int)(buffer + DIGITS - first);
    while (count > 1 && first[count - 1] == '0')
        count--;
    if (value < 0)
        text_char(t, '-');
    digits_put(t, first, count, exponent);
    return true;
}

void text_double(text *t, double value, int digits)
{
    if (double_put(t, value, digits))
        return;
    char buffer[64];
    locale_t c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0), before = uselocale(c_locale);
    snprintf(buffer, sizeof buffer, "%.*g", digits < 17 ? digits : 17, value);
    uselocale(before);
    if (c_locale != (locale_t)0)
        freelocale(c_locale);
    text_string(t, buffer);
}

void text_printf(text *t, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    size_t room = t->fixed ? (t->length < t->capacity ? t->capacity - t->length : 0) : 0;
    char small[256];
    int length = room > 0 ? vsnprintf(t->data + t->length, room, format, args)
                          : vsnprintf(small, sizeof small, format, args);
    if (length < 0)
        t->failed = true;
    else if (t->fixed)
        t->length += (size_t)length;
    else if ((size_t)length < sizeof small)
        text_bytes(t, small, (size_t)length);
    else if (text_reserve(t, (size_t)length))
        t->length += (size_t)vsnprintf(t->data + t->length, (size_t)length + 1, format, again);
    va_end(again);
    va_end(args);
}

/* ---- For people -------------------------------------------------------------------------------- */

void text_count(text *t, uint64_t value)
{
    char buffer[DIGITS + 1];
    char *digits = digits_of(value, buffer);
    size_t count = (size_t)(buffer + DIGITS - digits);
    for (size_t i = 0; i < count; i++) {
        if (i > 0 && (count - i) % 3 == 0)
            text_char(t, ',');
        text_char(t, digits[i]);
    }
}

/* Tenths as "3.1"; from 100 on as "100". */
static void text_tenths(text *t, uint64_t tenths)
{
    if (tenths >= 1000) {
        text_uint(t, (tenths + 5) / 10);
        return;
    }
    text_uint(t, tenths / 10);
    text_char(t, '.');
    text_uint(t, tenths % 10);
}

void text_size(text *t, uint64_t bytes)
{
    static const char units[] = "KMGTPE";
    if (bytes < 1024) {
        text_uint(t, bytes);
        text_string(t, " B");
        return;
    }
    unsigned unit = 0;
    while (unit < 5 && bytes >> (10 * unit + 10) >= 1024)
        unit++;
    uint64_t one = UINT64_C(1) << (10 * unit + 10);
    uint64_t tenths = bytes / one * 10 + (uint64_t)(((u128)(bytes % one) * 10 + one / 2) / one);
    if (tenths >= 10235 && unit < 5) { /* 1023.96 MiB is 1.0 GiB, not 1024 MiB */
        tenths = 10;
        unit++;
    }
    text_tenths(t, tenths);
    text_printf(t, " %ciB", units[unit]);
}

void text_moment(text *t, int64_t seconds)
{
    time_t at = (time_t)seconds;
    struct tm parts;
    char words[32];
    if (gmtime_r(&at, &parts) != NULL && strftime(words, sizeof words, "%Y-%m-%dT%H:%M:%SZ", &parts) > 0)
        text_string(t, words);
}

void text_rough(text *t, uint64_t value)
{
    static const char units[] = "kMGTPE";
    if (value < 1000) {
        text_uint(t, value);
        return;
    }
    unsigned unit = 0;
    uint64_t one = 1000;
    for (; unit < 5 && value / one >= 1000; unit++)
        one *= 1000;
    uint64_t tenths = value / (one / 10); /* cut, not rounded: 999,999 is 999 k, not 1000 k */
    if (tenths >= 1000)
        tenths -= tenths % 10;
    text_tenths(t, tenths);
    text_printf(t, " %c", units[unit]);
}

void text_clock(text *t, double seconds)
{
    if (!isfinite(seconds) || fabs(seconds) > 1e15) {
        text_char(t, '?');
        return;
    }
    if (seconds < 0)
        text_char(t, '-');
    uint64_t s = (uint64_t)(fabs(seconds));
    if (s >= 3600)
        text_printf(t, "%llu:%02u:%02u", (unsigned long long)(s / 3600), (unsigned)(s / 60 % 60),
                    (unsigned)(s % 60));
    else
        text_printf(t, "%u:%02u", (unsigned)(s / 60), (unsigned)(s % 60));
}

void text_duration(text *t, double seconds)
{
    double absolute = fabs(seconds);
    if (!isfinite(seconds) || absolute >= 59.95) { /* 59.96 is 1:00, not 60.0 s */
        text_clock(t, absolute < 60 ? copysign(60, seconds) : seconds);
        return;
    }
    if (seconds < 0)
        text_char(t, '-');
    if (absolute >= 0.9995) {
        text_tenths(t, (uint64_t)(absolute * 10 + 0.5));
        text_string(t, " s");
    } else if (absolute >= 0.9995e-3) {
        text_uint(t, (uint64_t)(absolute * 1e3 + 0.5));
        text_string(t, " ms");
    } else {
        text_uint(t, (uint64_t)(absolute * 1e6 + 0.5));
        text_string(t, " µs");
    }
}

const char *text_show_char(unsigned char c, char out[8])
{
    if (c >= 0x20 && c < 0x7F)
        snprintf(out, 8, "%c", c);
    else
        snprintf(out, 8, "\\x%02X", c);
    return out;
}

/* ---- Reading numbers --------------------------------------------------------------------------- */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

bool text_to_int(const char *s, int64_t min, int64_t max, int64_t *out)
{
    bool negative = *s == '-';
    s += negative;
    if (!is_digit(*s))
        return false;
    int64_t value = 0; /* kept negative: there is one more number on that side */
    for (; is_digit(*s); s++)
        if (__builtin_mul_overflow(value, 10, &value) || __builtin_sub_overflow(value, *s - '0', &value))
            return false;
    if (*s != '\0' || (!negative && value == INT64_MIN))
        return false;
    if (!negative)
        value = -value;
    if (value < min || value > max)
        return false;
    *out = value;
    return true;
}

/* Reads a decimal number (no hexadecimal, no "inf") at the start of s, whatever the locale; NULL if
 * there is none. */
static const char *read_decimal(const char *s, double *out)
{
    const char *first = s + (*s == '-');
    if (!is_digit(*first) && !(*first == '.' && is_digit(first[1])))
        return NULL;
    if (first[0] == '0' && (first[1] == 'x' || first[1] == 'X'))
        return NULL;
    locale_t c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (c_locale == (locale_t)0)
        return NULL;
    char *end;
    *out = strtod_l(s, &end, c_locale);
    freelocale(c_locale);
    return end;
}

bool text_to_double(const char *s, double min, double max, double *out)
{
    double value;
    const char *end = read_decimal(s, &value);
    if (end == NULL || *end != '\0' || !(value >= min && value <= max))
        return false;
    *out = value;
    return true;
}

/* A number as whole part and fraction, digits of the fraction counted. */
typedef struct decimal {
    uint64_t whole, fraction, scale; /* fraction / scale */
} decimal;

static bool read_digits(const char **s, uint64_t *value, uint64_t *scale)
{
    for (; is_digit(**s); ++*s)
        if (__builtin_mul_overflow(*value, 10, value) ||
            __builtin_add_overflow(*value, (uint64_t)(**s - '0'), value) ||
            (scale != NULL && __builtin_mul_overflow(*scale, 10, scale)))
            return false;
    return true;
}

static bool decimal_read(const char **s, decimal *out)
{
    *out = (decimal){.scale = 1};
    if (!is_digit(**s) || !read_digits(s, &out->whole, NULL))
        return false;
    if (**s != '.')
        return true;
    ++*s;
    return is_digit(**s) && read_digits(s, &out->fraction, &out->scale);
}

/* number * unit; *exact tells whether nothing was cut off. */
static bool decimal_scale(const decimal *number, uint64_t unit, uint64_t *out, bool *exact)
{
    uint64_t whole;
    u128 part = (u128)number->fraction * unit;
    *exact = part % number->scale == 0;
    return !__builtin_mul_overflow(number->whole, unit, &whole) &&
           !__builtin_add_overflow(whole, (uint64_t)(part / number->scale), out);
}

/* base^n for the letter n of "kmgtpe"; 1 for none, 0 for another letter. Steps over the letter. */
static uint64_t read_unit(const char **s, uint64_t base)
{
    static const char letters[] = "kmgtpe";
    if (**s == '\0')
        return 1;
    const char *letter = strchr(letters, **s | 0x20);
    if (letter == NULL)
        return 0;
    ++*s;
    uint64_t unit = base;
    for (; letter > letters; letter--)
        unit *= base;
    return unit;
}

bool text_to_size(const char *s, uint64_t *out)
{
    decimal number;
    bool exact;
    if (!decimal_read(&s, &number))
        return false;
    if (strcmp(s, "B") == 0)
        s++;
    uint64_t unit = read_unit(&s, 1024), value;
    if (unit > 1 && (*s | 0x20) == 'i' && (s[1] | 0x20) == 'b')
        s += 2;
    else if (unit > 1 && (*s | 0x20) == 'b')
        s++;
    if (unit == 0 || *s != '\0' || !decimal_scale(&number, unit, &value, &exact) || (unit == 1 && !exact))
        return false;
    *out = value;
    return true;
}

bool text_to_count(const char *s, uint64_t *out)
{
    decimal number;
    bool exact;
    if (!decimal_read(&s, &number))
        return false;
    uint64_t unit = read_unit(&s, 1000), value;
    if (unit == 0 || *s != '\0' || !decimal_scale(&number, unit, &value, &exact) || !exact)
        return false;
    *out = value;
    return true;
}

bool text_to_duration(const char *s, double *out)
{
    static const struct {
        const char *name;
        double seconds;
    } units[] = {{"", 1}, {"s", 1}, {"ms", 1e-3}, {"m", 60}, {"h", 3600}, {"d", 86400}};
    double value;
    const char *end = read_decimal(s, &value);
    if (end == NULL || *s == '-' || !isfinite(value))
        return false;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strcmp(end, units[i].name) == 0) {
            *out = value * units[i].seconds;
            return true;
        }
    return false;
}

size_t text_mark(const char *bytes, size_t size)
{
    return size >= 3 && memcmp(bytes, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
}
