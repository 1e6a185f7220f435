/* SPDX-License-Identifier: MIT */

/* "Did you mean …?" */

#include "cli/cli.h"

#include <string.h>

enum { SUGGEST_LONGEST = 32 };

static unsigned min3(unsigned a, unsigned b, unsigned c)
{
    unsigned ab = a < b ? a : b;
    return ab < c ? ab : c;
}

/* How many letters must be inserted, deleted, changed or swapped with their neighbour. */
static unsigned typing_distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
    unsigned row[3][SUGGEST_LONGEST + 1];
    unsigned *before = row[0], *last = row[1], *now = row[2];
    for (unsigned j = 0; j <= b_length; j++)
        last[j] = j;
    for (size_t i = 1; i <= a_length; i++) {
        now[0] = (unsigned)i;
        for (size_t j = 1; j <= b_length; j++) {
            now[j] = min3(last[j] + 1, now[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] && before[j - 2] + 1 < now[j])
                now[j] = before[j - 2] + 1;
        }
        unsigned *spare = before;
        before = last;
        last = now;
        now = spare;
    }
    return last[b_length];
}

const char *suggest(const char *wrong, const char *(*words)(const void *context, size_t index),
                    const void *context)
{
    size_t length = strlen(wrong);
    if (length == 0 || length > SUGGEST_LONGEST)
        return NULL;
    const char *best = NULL, *word;
    unsigned best_distance = 1 + (unsigned)(length < 5 ? 1 : length < 9 ? 2 : 3);
    for (size_t i = 0; (word = words(context, i)) != NULL; i++) {
        size_t word_length = strlen(word);
        if (word_length > SUGGEST_LONGEST)
            continue;
        unsigned distance = typing_distance(wrong, length, word, word_length);
        /* The beginning of a word is a good guess, too: "sol" for "solve". */
        if (length >= 2 && distance > 1 && strncmp(wrong, word, length) == 0)
            distance = 1;
        if (distance < best_distance && distance < word_length) {
            best = word;
            best_distance = distance;
        }
    }
    return best;
}
