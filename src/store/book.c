/* SPDX-License-Identifier: MIT */

#include "store/book.h"

#include "core/list.h"
#include "core/wide.h"

#include <stdlib.h>

#define HEADER 8

void book_init(book *b, mem_budget *budget)
{
    *b = (book){.budget = budget};
}

static void ply_free(const book *b, book_ply *ply)
{
    if (ply->keys != NULL)
        mem_free(b->budget, ply->keys, ply->count * sizeof *ply->keys);
    if (ply->values != NULL)
        mem_free(b->budget, ply->values, ply->count);
}

void book_free(book *b)
{
    for (uint32_t i = 0; i < b->count; i++)
        ply_free(b, &b->plies[i]);
    free(b->plies);
    *b = (book){0};
}

book_ply *book_add(book *b, uint64_t count)
{
    if (!LIST_RESERVE(b->plies, b->room, (size_t)b->count + 1))
        return NULL;
    book_ply *ply = &b->plies[b->count];
    *ply = (book_ply){.count = count,
                      .keys = mem_alloc(b->budget, count * sizeof *ply->keys),
                      .values = mem_alloc(b->budget, count)};
    if (ply->keys == NULL || ply->values == NULL) {
        ply_free(b, ply);
        return NULL;
    }
    b->count++;
    return ply;
}

static uint8_t ply_find(const book_ply *ply, holos_key key)
{
    uint64_t from = 0, to = ply->count;
    while (from < to) {
        uint64_t middle = from + (to - from) / 2;
        if (holos_key_less(ply->keys[middle], key))
            from = middle + 1;
        else
            to = middle;
    }
    return from < ply->count && holos_key_equal(ply->keys[from], key) ? ply->values[from]
                                                                      : HOLOS_BYTE_UNKNOWN;
}

uint8_t book_find(const book *b, holos_key key)
{
    uint8_t value = HOLOS_BYTE_UNKNOWN;
    for (uint32_t i = 0; i < b->count && value == HOLOS_BYTE_UNKNOWN; i++)
        value = ply_find(&b->plies[i], key);
    return value;
}

uint64_t book_positions(const book *b)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < b->count; i++)
        count += b->plies[i].count;
    return count;
}

/* ---- Bytes ------------------------------------------------------------------------------------- */

void book_ply_encode(const book_ply *ply, text *out)
{
    u128 last = 0;
    for (int i = 0; i < HEADER; i++)
        text_char(out, (char)(ply->count >> 8 * i));
    for (uint64_t i = 0; i < ply->count; i++) {
        u128 number = key_number(ply->keys[i]), step = number - last;
        for (; step >= 128; step >>= 7)
            text_char(out, (char)((step & 127) | 128));
        text_char(out, (char)step);
        last = number;
    }
    text_bytes(out, (const char *)ply->values, ply->count);
}

/* Reads one difference; false if it is cut off, or does not fit 128 bits. */
static bool step_read(const uint8_t **at, const uint8_t *end, u128 *step)
{
    *step = 0;
    for (unsigned shift = 0; *at < end && shift < 128; shift += 7) {
        uint8_t byte = *(*at)++;
        *step |= (u128)(byte & 127) << shift;
        if (byte < 128)
            return shift < 126 || byte < 4;
    }
    return false;
}

static bool keys_read(book_ply *ply, const uint8_t *at, const uint8_t *end)
{
    u128 number = 0, step;
    for (uint64_t i = 0; i < ply->count; i++) {
        if (!step_read(&at, end, &step) || (i > 0 && step == 0) || number + step < number)
            return false;
        number += step;
        ply->keys[i] = (holos_key){.hi = (uint64_t)(number >> 64), .lo = (uint64_t)number};
    }
    return at == end;
}

holos_status book_ply_decode(book *b, const uint8_t *bytes, size_t size, const char *name, holos_error *err)
{
    uint64_t count = 0;
    for (int i = 0; i < HEADER && size >= HEADER; i++)
        count |= (uint64_t)bytes[i] << 8 * i;
    /* A position takes two bytes at least. */
    if (size < HEADER || count == 0 || count > (size - HEADER) / 2)
        return error_set(err, HOLOS_BAD_FILE, HOLOS_NOWHERE, "%s is not a ply of a book", name);
    book_ply *ply = book_add(b, count);
    if (ply == NULL)
        return mem_error(err, b->budget, count * (sizeof(holos_key) + 1), "the book");
    if (!keys_read(ply, bytes + HEADER, bytes + size - count))
        return error_set(err, HOLOS_BAD_FILE, HOLOS_NOWHERE, "%s: its keys cannot be read", name);
    for (uint64_t i = 0; i < count; i++) {
        ply->values[i] = bytes[size - count + i];
        if (ply->values[i] == HOLOS_BYTE_UNKNOWN)
            return error_set(err, HOLOS_BAD_FILE, HOLOS_NOWHERE, "%s: a value is missing", name);
    }
    return HOLOS_OK;
}
