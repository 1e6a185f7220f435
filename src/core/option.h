/* SPDX-License-Identifier: MIT */

/* Options as data. Whoever has options lists them in a const array; each says its type and the member of a struct that takes
 * its value. Parsing, configuration files, help, man page and completions all read the same array.
 *
 *     typedef struct solve_settings { bool moves; uint64_t solutions; } solve_settings;
 *     static const holos_option options[] = {
 *         {OPTION(FLAG, solve_settings, moves), .name = "moves", .help = "..."},
 *         {OPTION(COUNT, solve_settings, solutions), .name = "solutions", .value = "N", .help = "..."},
 *         {0},
 *     };
 */

#ifndef HOLOS_CORE_OPTION_H
#define HOLOS_CORE_OPTION_H

#include "core/error.h"

#include <holos/option.h>

typedef bool OPTION_TYPE_FLAG;
typedef int64_t OPTION_TYPE_INT;
typedef uint64_t OPTION_TYPE_COUNT;
typedef uint64_t OPTION_TYPE_SIZE;
typedef double OPTION_TYPE_DURATION;
typedef const char *OPTION_TYPE_STRING;
typedef const char *OPTION_TYPE_FILE;
typedef unsigned OPTION_TYPE_CHOICE; /* the index of the word */

/* The type and the place of an option's value; the compiler checks that they go together. */
#define OPTION(kind, owner, member)                                                                          \
    .type = HOLOS_OPTION_##kind,                                                                             \
    .offset = offsetof(owner, member) +                                                                      \
              0 * sizeof(struct {                                                                            \
                  _Static_assert(_Generic(&((owner *)0)->member, OPTION_TYPE_##kind * : 1, default : 0),     \
                                 "the member's type is not that of the option");                             \
                  int unused;                                                                                \
              })

/* ---- One option -------------------------------------------------------------------------------- */

/* Reads `value` (NULL: the option stood alone) into the option's member of the struct at `base`.
 * Strings are not copied. The message begins with the option's name. */
holos_status option_set(const holos_option *option, void *base, const char *value, holos_error *err);

/* True if the option takes a value that must be given. */
bool option_needs_value(const holos_option *option);

/* The words of a choice: their number, and the one at `index` (its length in *length). */
size_t option_choice_count(const holos_option *option);
const char *option_choice(const holos_option *option, size_t index, size_t *length);

/* ---- Tables ------------------------------------------------------------------------------------ */

/* The option of this name in a table (may be NULL), or NULL. */
const holos_option *option_find(const holos_option *table, const char *name, size_t length);

/* Fills the struct at `base`: each option of the table has the value that `settings` (may be NULL) give it, else its default.
 * Other members, and those of options without a default, are left as they are. Strings stay those of the settings. */
holos_status option_read(const holos_option *table, const holos_settings *settings, void *base,
                         holos_error *err);

/* ---- Settings ---------------------------------------------------------------------------------- */

/* The name of a setting, in the order in which they were first set; NULL past the end. */
const char *settings_name_at(const holos_settings *settings, size_t index);

/* The groups of a use, as holos_option_group_at gives them. */
typedef bool option_groups(size_t index, holos_option_group *out);

/* HOLOS_OK if each setting (`settings` may be NULL) is declared by one of the parties. Otherwise an error with its name that
 * says who takes no such option (`what`: "nim solved by alphabeta") and who of all `groups` does. */
holos_status settings_check(const holos_settings *settings, const holos_option_group *parties, size_t count,
                            option_groups *groups, const char *what, holos_error *err);

#endif
