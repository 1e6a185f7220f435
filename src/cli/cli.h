/* SPDX-License-Identifier: MIT */

/* The program: verbs, and what they share.
 *
 * A verb is one file in verbs/ and one line in verbs.def. Its cli_verb is data: parsing, help, man page
 * and completions are made from it. Results go to stdout through `out`, remarks to stderr through `log`,
 * and what ends a run through cli_error. It returns its exit status and never exits by itself. */

#ifndef HOLOS_CLI_CLI_H
#define HOLOS_CLI_CLI_H

#include "cli/output.h"
#include "cli/shared.h"
#include "core/config.h"
#include "core/option.h"
#include "core/progress.h"
#include "core/screen.h"

#include <holos/holos.h>

/* Exit statuses. Where several answers meet in one run, the worst one is the run's: cli_worse. */
typedef enum cli_status {
    CLI_DONE = 0,
    CLI_NO = 1,            /* the answer is no: unsolvable, a mismatch */
    CLI_USAGE = 2,         /* the command line or a configuration file is wrong */
    CLI_INPUT = 3,         /* a position or a file that cannot be read */
    CLI_LIMIT = 4,         /* a limit was reached; what is known was printed */
    CLI_SYSTEM = 5,        /* the system refused: the disk is full, a file cannot be written */
    CLI_INTERRUPTED = 130, /* Ctrl-C; what is known was printed */
    CLI_CLOSED = 141,      /* the reader of the output is gone (128 + SIGPIPE) */
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

#define USE(name) (1u << HOLOS_USE_##name)

typedef struct cli_verb {
    const char *name;
    const char *operands;    /* "GAME[:VARIANT] [POSITION…]"; "" if there are none */
    const char *summary;     /* for the list of verbs: a few words */
    const char *description; /* paragraphs, with "\n" between them */
    size_t operands_min, operands_max;
    const char *(*complete)(size_t index); /* words for the first operand, NULL past the end; may be NULL */
    uint32_t shared;                       /* which of the shared options it takes */
    const holos_option *options;           /* its own, ended by {0}; may be NULL */
    size_t settings_size;                  /* of the struct that takes the values of its own options */
    uint32_t uses; /* USE(SOLVE) | …: options of games, engines, jobs and experiments for these, too */
    const char *const *purposes; /* of USE(JOB): these kinds, ended by NULL; NULL: all */
    const char *const *defaults; /* "time", "2s", …, NULL: defaults of shared options; may be NULL */
    const cli_example *examples; /* ended by {0}; may be NULL */
    bool answers_once; /* at the end: a progress line is not in the way of answers on the same screen */
    cli_status (*run)(cli *c);
} cli_verb;

/* One run of the program. */
struct cli {
    const cli_verb *verb;
    shared_settings shared;
    void *settings; /* the verb's own, of verb->settings_size */
    holos_settings
        *others; /* of options that belong to games, engines, jobs and experiments: for the library */
    holos_settings *given; /* the verb's own options and shared ones that were asked for, not the defaults */
    const char **operands;
    size_t operand_count;
    char **words; /* all arguments after the verb, as they were given */
    size_t word_count;
    config config; /* owns the strings that came from a configuration file */
    bool has_config;
    output *out;
    screen screen;     /* stderr */
    progress progress; /* shown there, as --progress asks */
    logger log;        /* on stderr, as --quiet and --verbose ask; never in the way of the progress line */
    holos_cluster *cluster; /* with --cluster; NULL: this process alone */
};

/* ---- Verbs (verb.c) ---------------------------------------------------------------------------- */

const cli_verb *verb_at(size_t index); /* NULL past the end */
const cli_verb *verb_find(const char *name);
cli_status verb_unknown(const char *name); /* says so, with a suggestion; CLI_USAGE */
const char *verb_word(size_t index);       /* for cli_verb.complete: the names of verbs */
const char *game_word(size_t index);       /* the names of games */

/* An option as a verb takes it. */
typedef enum verb_option_source { OPTION_OWN, OPTION_SHARED, OPTION_OTHERS } verb_option_source;

typedef struct verb_option {
    const holos_option *option;
    verb_option_source source;
    holos_option_group group; /* of OPTION_OTHERS: whose it is */
    const char *fallback;     /* the default as this verb has it, or NULL */
} verb_option;

/* The options of a verb: its own, the shared ones, then those of others, group by group. False past the end. */
bool verb_option_at(const cli_verb *verb, size_t index, verb_option *out);
/* The first one of this name; several owners may have one, with different words. */
bool verb_option_find(const cli_verb *verb, const char *name, size_t length, verb_option *out);
bool verb_option_letter(const cli_verb *verb, char letter, verb_option *out);
/* Whether an option at an earlier index has the same name: lists of names have it already. */
bool verb_option_is_again(const cli_verb *verb, size_t index);

/* The examples of a verb: its own, then those of the games. False past the end. */
bool verb_example_at(const cli_verb *verb, size_t index, cli_example *out);

/* ---- Parsing (parse.c) ------------------------------------------------------------------------- */

/* Reads the arguments after the verb, and the configuration file if they name one. HOLOS_USAGE for
 * what the verb does not know, HOLOS_BAD_FILE or HOLOS_IO for the configuration file. With --help the
 * rest is not checked. */
holos_status cli_parse(cli *c, int argc, char **argv, holos_error *err);
void cli_parse_free(cli *c);

/* Whether an option of the verb's own, or a shared one, was asked for. */
bool cli_given(const cli *c, const char *name);
/* True if one of these (ended by NULL) was asked for: then an error has said that `what` takes no such option. */
bool cli_refuses(const cli *c, const char *const *names, const char *what);
/* The same for the options of games, engines, jobs and experiments: any of them. */
bool cli_refuses_others(const cli *c, const char *what);

/* The word nearest to `wrong` among those that `words` gives, or NULL if none is near. */
const char *suggest(const char *wrong, const char *(*words)(const void *context, size_t index),
                    const void *context);

/* ---- Messages ---------------------------------------------------------------------------------- */

/* "holos: …" on stderr. */
__attribute__((format(printf, 1, 2))) void cli_error(const char *format, ...);
/* Says what went wrong and returns the exit status for it; with --json there is an object that says so, too. The processes of a cluster fail
 * together, and rank 0 says it. */
cli_status cli_fail(const holos_error *err);
/* The same for words that make no sense, of which all processes have the same. */
__attribute__((format(printf, 1, 2))) cli_status cli_usage(const char *format, ...);

#endif
