/* SPDX-License-Identifier: MIT */

/* The program: verbs, and what they share.
 *
 * A verb is one file in verbs/ and one line in verbs.def. Its cli_verb is data: parsing, help, man page
 * and completions are made from it. Results go to stdout through `out`, remarks to stderr through `log`,
 * and what ends a run through cli_error. It returns its exit status and never exits by itself. */

#ifndef HOLOS_CLI_CLI_H
#define HOLOS_CLI_CLI_H

#include "cli/option.h"
#include "cli/output.h"
#include "cli/shared.h"
#include "core/config.h"
#include "core/progress.h"

/* Exit statuses. Where several answers meet in one run, the worst one is the run's: cli_worse. */
typedef enum cli_status {
    CLI_DONE = 0,
    CLI_NO = 1,            /* the answer is no: unsolvable, a mismatch */
    CLI_USAGE = 2,         /* the command line or a configuration file asks for what does not exist */
    CLI_INPUT = 3,         /* a position or a file that cannot be read */
    CLI_LIMIT = 4,         /* a limit was reached; what is known was printed */
    CLI_SYSTEM = 5,        /* the system refused: the disk is full, a file cannot be written */
    CLI_INTERRUPTED = 130, /* Ctrl-C; what is known was printed */
    CLI_CLOSED = 141,      /* nobody reads the output any more (128 + SIGPIPE) */
} cli_status;

/* The worse of two, in the order 0 < 1 < 4 < 3 < 2 < 5 < 130 < 141. */
cli_status cli_worse(cli_status a, cli_status b);
/* The exit status for an error of the library. */
cli_status cli_status_of(holos_status status);

typedef struct cli cli;

typedef struct cli_example {
    const char *command; /* after "holos " */
    const char *what;
} cli_example;

typedef struct cli_verb {
    const char *name;
    const char *operands;    /* "GAME[:VARIANT] [POSITION…]"; "" if there are none */
    const char *summary;     /* for the list of verbs: a few words */
    const char *description; /* paragraphs, with "\n" between them */
    size_t operands_min, operands_max;
    const char *(*complete)(size_t index); /* words for the first operand, NULL past the end; may be NULL */
    uint32_t shared;                       /* which of the shared options it takes */
    const cli_option *options;             /* its own, ended by {0}; may be NULL */
    size_t settings_size;                  /* of the struct that takes the values of its own options */
    const char *const *defaults; /* "time", "2s", …, NULL: defaults of shared options; may be NULL */
    const cli_example *examples; /* ended by {0}; may be NULL */
    cli_status (*run)(cli *c);
} cli_verb;

/* One run of the program. */
struct cli {
    const cli_verb *verb;
    shared_settings shared;
    void *settings; /* the verb's own, of verb->settings_size */
    const char **operands;
    size_t operand_count;
    config config; /* owns the strings that came from a configuration file */
    bool has_config;
    output *out;
    progress progress; /* on stderr, as --progress asks */
    logger log;        /* on stderr, as --quiet and --verbose ask; never in the way of the progress line */
};

/* ---- Verbs (verb.c) ---------------------------------------------------------------------------- */

const cli_verb *verb_at(size_t index); /* NULL past the end */
const cli_verb *verb_find(const char *name);
cli_status verb_unknown(const char *name); /* says so, with a suggestion; CLI_USAGE */
const char *verb_word(size_t index);       /* for cli_verb.complete: the names of verbs */
const char *game_word(size_t index);       /* the names of games */

/* The options of a verb: its own, then the shared ones. NULL past the end. */
const cli_option *verb_option_at(const cli_verb *verb, size_t index);
const cli_option *verb_option_find(const cli_verb *verb, const char *name, size_t length);
const cli_option *verb_option_letter(const cli_verb *verb, char letter);
/* The default of an option as this verb has it, or NULL. */
const char *verb_option_default(const cli_verb *verb, const cli_option *option);

/* ---- Parsing (parse.c) ------------------------------------------------------------------------- */

/* Reads the arguments after the verb, and the configuration file if they name one. HOLOS_USAGE for
 * what the verb does not know, HOLOS_BAD_FILE or HOLOS_IO for the configuration file. With --help the
 * rest is not checked. */
holos_status cli_parse(cli *c, int argc, char **argv, holos_error *err);
void cli_parse_free(cli *c);

/* The word nearest to `wrong` among those that `words` gives, or NULL if none is near. */
const char *suggest(const char *wrong, const char *(*words)(const void *context, size_t index),
                    const void *context);

/* ---- Messages ---------------------------------------------------------------------------------- */

/* "holos: …" on stderr. */
__attribute__((format(printf, 1, 2))) void cli_error(const char *format, ...);
/* Says what went wrong and returns the exit status for it. */
cli_status cli_fail(const holos_error *err);

#endif
