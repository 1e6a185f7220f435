/* SPDX-License-Identifier: MIT */

/* Options as data. A verb lists its options in a const array; each says its type and the member of a
 * struct that takes its value. Parsing, configuration files, help, man page and completions all read
 * the same array.
 *
 *     typedef struct solve_settings { bool moves; uint64_t solutions; } solve_settings;
 *     static const cli_option options[] = {
 *         {OPTION(FLAG, solve_settings, moves), .name = "moves", .help = "..."},
 *         {OPTION(COUNT, solve_settings, solutions), .name = "solutions", .value = "N", .help = "..."},
 *         {0},
 *     };
 */

#ifndef HOLOS_CLI_OPTION_H
#define HOLOS_CLI_OPTION_H

#include "core/error.h"

typedef enum option_type {
    OPTION_FLAG,     /* --name, or --name=yes|no */
    OPTION_INT,      /* in [min, max] */
    OPTION_COUNT,    /* 20M */
    OPTION_SIZE,     /* 2G: bytes */
    OPTION_DURATION, /* 5s, 1m: seconds */
    OPTION_STRING,
    OPTION_FILE,   /* a string that completions take for a path */
    OPTION_CHOICE, /* one of the words of `value`, "auto|none|json": its index */
} option_type;

typedef bool OPTION_TYPE_FLAG;
typedef int64_t OPTION_TYPE_INT;
typedef uint64_t OPTION_TYPE_COUNT;
typedef uint64_t OPTION_TYPE_SIZE;
typedef double OPTION_TYPE_DURATION;
typedef const char *OPTION_TYPE_STRING;
typedef const char *OPTION_TYPE_FILE;
typedef unsigned OPTION_TYPE_CHOICE;

/* The type and the place of an option's value; the compiler checks that they go together. */
#define OPTION(kind, owner, member)                                                                          \
    .type = OPTION_##kind,                                                                                   \
    .offset = offsetof(owner, member) +                                                                      \
              0 * sizeof(struct {                                                                            \
                  _Static_assert(_Generic(&((owner *)0)->member, OPTION_TYPE_##kind * : 1, default : 0),     \
                                 "the member's type is not that of the option");                             \
                  int unused;                                                                                \
              })

typedef struct cli_option {
    const char *name; /* "moves": what follows the two dashes */
    char letter;      /* 'm', or 0 */
    option_type type;
    size_t offset;
    int64_t min, max;     /* of an OPTION_INT */
    const char *value;    /* what stands for the value in the help: "N"; the words of a choice */
    const char *fallback; /* the default, read as if it had been typed; NULL: no, 0 or nothing */
    const char *help;     /* a sentence without its final full stop */
    uint32_t shared;      /* the bit of an option that several verbs share (shared.h); 0: the verb's own */
} cli_option;

/* Reads `value` (NULL: the option stood alone) into the option's member of the struct at `base`.
 * Strings are not copied. The message begins with the option's name. */
holos_status option_set(const cli_option *option, void *base, const char *value, holos_error *err);

/* True if the option takes a value that must be given. */
bool option_needs_value(const cli_option *option);

/* The words of a choice: their number, and the one at `index` (its length in *length). */
size_t option_choice_count(const cli_option *option);
const char *option_choice(const cli_option *option, size_t index, size_t *length);

#endif
