/* SPDX-License-Identifier: MIT */

#include "core/json.h"

#include "core/assert.h"

#include <math.h>
#include <string.h>

/* ---- Writing ----------------------------------------------------------------------------------- */

json json_begin(text *out)
{
    return (json){.out = out};
}

/* How many bytes at s are one valid UTF-8 character; negative: how many belong to a broken one. */
static int utf8_length(const unsigned char *s, size_t room)
{
    unsigned char c = s[0];
    if (c < 0x80)
        return 1;
    int length = c >= 0xC2 && c <= 0xDF ? 2 : c >= 0xE0 && c <= 0xEF ? 3 : c >= 0xF0 && c <= 0xF4 ? 4 : 0;
    if (length == 0)
        return -1;
    /* The second byte also rules out overlong forms, surrogates and what is past U+10FFFF. */
    unsigned char low = c == 0xE0 ? 0xA0 : c == 0xF0 ? 0x90 : 0x80;
    unsigned char high = c == 0xED ? 0x9F : c == 0xF4 ? 0x8F : 0xBF;
    for (int i = 1; i < length; i++) {
        if ((size_t)i >= room || s[i] < low || s[i] > high)
            return -i;
        low = 0x80;
        high = 0xBF;
    }
    return length;
}

static bool is_plain(unsigned char c)
{
    return c >= 0x20 && c < 0x80 && c != '"' && c != '\\';
}

/* The top bit of each byte that is not plain: below 0x20, above 0x7f, or zero after an exclusive or with one of the two characters. */
static uint64_t specials_of(uint64_t x)
{
    const uint64_t ones = UINT64_C(0x0101010101010101);
    uint64_t quote = x ^ ones * '"', slash = x ^ ones * '\\';
    return (x | ((x - ones * ' ') & ~x) | ((quote - ones) & ~quote) | ((slash - ones) & ~slash)) & ones << 7;
}

/* Whether all bytes are plain: eight at a time, the last eight perhaps a second time. */
static bool are_plain(const char *value, size_t length)
{
    uint64_t x, special = 0;
    if (length < sizeof x) {
        for (size_t i = 0; i < length; i++)
            special |= !is_plain((unsigned char)value[i]);
        return special == 0;
    }
    for (size_t i = 0; i + sizeof x <= length; i += sizeof x) {
        memcpy(&x, value + i, sizeof x);
        special |= specials_of(x);
    }
    memcpy(&x, value + length - sizeof x, sizeof x);
    return (special | specials_of(x)) == 0;
}

static void quote_special(text *out, unsigned char c)
{
    static const char letters[][3] = {['\b'] = "\\b", ['\t'] = "\\t", ['\n'] = "\\n", ['\f'] = "\\f",
                                      ['\r'] = "\\r", ['"'] = "\\\"", ['\\'] = "\\\\"};
    if (c < sizeof letters / sizeof *letters && letters[c][0] != '\0')
        text_string(out, letters[c]);
    else
        text_printf(out, "\\u%04x", c);
}

/* Most words are short and plain: then they are appended at once with what stands before and behind them, a character each, or 0 for none.
 * False: this one is not. */
static bool quote_plain(text *out, char before, const char *value, size_t length, char after)
{
    char quoted[68], *at = quoted;
    if (length > 64 || !are_plain(value, length))
        return false;
    *at = before;
    at += before != 0;
    *at++ = '"';
    memcpy(at, value, length);
    at += length;
    *at++ = '"';
    *at = after;
    at += after != 0;
    text_bytes(out, quoted, (size_t)(at - quoted));
    return true;
}

static void json_quote(text *out, const char *value)
{
    size_t size = strlen(value);
    if (quote_plain(out, 0, value, size, 0))
        return;
    const unsigned char *s = (const unsigned char *)value, *end = s + size;
    text_char(out, '"');
    while (s < end) {
        const unsigned char *run = s;
        while (s < end && is_plain(*s))
            s++;
        text_bytes(out, (const char *)run, (size_t)(s - run));
        if (s == end)
            break;
        int length = utf8_length(s, (size_t)(end - s));
        if (length < 0)
            text_string(out, "\xEF\xBF\xBD"); /* U+FFFD */
        else if (length == 1)
            quote_special(out, *s);
        else
            text_bytes(out, (const char *)s, (size_t)length);
        s += length < 0 ? -length : length;
    }
    text_char(out, '"');
}

/* What comes before a value: a comma, and its name. */
static void json_lead(json *j, const char *name)
{
    bool comma = j->comma[j->depth], in_object = j->depth > 0 && j->closer[j->depth] == '}';
    assert(in_object == (name != NULL));
    j->comma[j->depth] = true;
    if (name != NULL && quote_plain(j->out, comma ? ',' : 0, name, strlen(name), ':'))
        return;
    if (comma)
        text_char(j->out, ',');
    if (name != NULL) {
        json_quote(j->out, name);
        text_char(j->out, ':');
    }
}

void json_open(json *j, const char *name, char bracket)
{
    assert(bracket == '{' || bracket == '[');
    assert(j->depth + 1 < JSON_DEPTH);
    json_lead(j, name);
    text_char(j->out, bracket);
    j->depth++;
    j->comma[j->depth] = false;
    j->closer[j->depth] = bracket == '{' ? '}' : ']';
}

void json_close(json *j)
{
    assert(j->depth > 0);
    text_char(j->out, j->closer[j->depth--]);
}

void json_put_string(json *j, const char *name, const char *value)
{
    json_lead(j, name);
    json_quote(j->out, value);
}

void json_put_int(json *j, const char *name, int64_t value)
{
    json_lead(j, name);
    text_int(j->out, value);
}

void json_put_uint(json *j, const char *name, uint64_t value)
{
    json_lead(j, name);
    text_uint(j->out, value);
}

void json_put_double(json *j, const char *name, double value)
{
    json_lead(j, name);
    if (isfinite(value))
        text_double(j->out, value, 6);
    else
        text_string(j->out, "null");
}

void json_put_bool(json *j, const char *name, bool value)
{
    json_lead(j, name);
    text_string(j->out, value ? "true" : "false");
}

void json_put_null(json *j, const char *name)
{
    json_lead(j, name);
    text_string(j->out, "null");
}

/* ---- Reading ----------------------------------------------------------------------------------- */

json_t *json_read(const char *s, size_t length, holos_error *err)
{
    json_error_t why;
    json_t *value = json_loadb(s, length, JSON_DECODE_ANY | JSON_REJECT_DUPLICATES, &why);
    if (value == NULL)
        error_set(err, json_error_code(&why) == json_error_out_of_memory ? HOLOS_NO_MEMORY : HOLOS_BAD_FILE,
                  why.position, "line %d, column %d: this is not JSON: %s", why.line, why.column, why.text);
    return value;
}
