/* SPDX-License-Identifier: MIT */

/* holos: options as data. A game, an engine, a kind of job or an experiment declares the options it reads in
 * a table. Command lines, configuration files, help and forms come from these tables, and values reach their
 * owner as text:
 *
 *     holos_settings *s = holos_settings_new();
 *     holos_settings_set(s, "mode", "v3", &err);
 *     holos_solver_options options = {.settings = s};
 *
 * A function that takes settings checks them against the game, engine and so on that take part. If none of
 * them has declared an option, it returns HOLOS_USAGE, and the message says whose option it is. */

#ifndef HOLOS_OPTION_H
#define HOLOS_OPTION_H

#include <holos/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum holos_option_type {
    HOLOS_OPTION_FLAG = 0, /* "yes" or "no"; true and false, on and off, 1 and 0 mean the same */
    HOLOS_OPTION_INT,      /* in [min, max] */
    HOLOS_OPTION_COUNT,    /* "20M" */
    HOLOS_OPTION_SIZE,     /* "2G": bytes */
    HOLOS_OPTION_DURATION, /* "5s", "1m": seconds */
    HOLOS_OPTION_STRING,
    HOLOS_OPTION_FILE,   /* a string that shells complete as a path */
    HOLOS_OPTION_CHOICE, /* one of the words in `value`: "auto|none|json" */
} holos_option_type;

/* The name of a type as programs see it: "flag", "int", … Never NULL. */
HOLOS_API const char *holos_option_type_name(holos_option_type type);

typedef struct holos_option {
    const char *name; /* "moves": what follows the two dashes */
    char letter;      /* 'm', or 0 */
    holos_option_type type;
    size_t offset;        /* for the owner's use */
    int64_t min, max;     /* for HOLOS_OPTION_INT */
    const char *value;    /* the placeholder in help texts: "N"; for a choice, its words */
    const char *fallback; /* the default, as text; NULL: no, 0 or nothing */
    const char *help;     /* a sentence without the final full stop */
} holos_option;

/* ---- Who has which options -------------------------------------------------------------------- */

/* What options are for. */
typedef enum holos_use {
    HOLOS_USE_SOLVE = 0,  /* holos_solver_open */
    HOLOS_USE_GENERATE,   /* holos_generator_open */
    HOLOS_USE_JOB,        /* long work */
    HOLOS_USE_EXPERIMENT, /* `holos lab` */
    HOLOS_USE_PLAY,       /* holos_player_open: engines that choose moves themselves */
} holos_use;

#define HOLOS_USE_COUNT 5

HOLOS_API const char *holos_use_name(holos_use use); /* "solve", … Never NULL. */

typedef enum holos_owner {
    HOLOS_OWNER_GAME = 0,
    HOLOS_OWNER_ENGINE,
    HOLOS_OWNER_JOB,
    HOLOS_OWNER_EXPERIMENT,
} holos_owner;

HOLOS_API const char *holos_owner_name(holos_owner kind); /* "game", … Never NULL. */

/* Options that belong together. */
typedef struct holos_option_group {
    const char *owner; /* the name of the game, engine, kind of job or experiment */
    holos_owner kind;
    holos_use use;
    const char *purpose;         /* for a game's options: the kind of job that takes them; or NULL */
    const holos_option *options; /* ended by one without a name */
} holos_option_group;

/* The groups for a use, one by one. False past the end. Two groups may have an option with the same name and
 * different words, but it takes a value in both or in neither. */
HOLOS_API bool holos_option_group_at(holos_use use, size_t index, holos_option_group *out);
/* The owner in words: "the wave engine". Like snprintf. */
HOLOS_API size_t holos_option_group_format(const holos_option_group *group, char *out, size_t size);

/* ---- Values ------------------------------------------------------------------------------------ */

/* Values of options, by name, as text. */
typedef struct holos_settings holos_settings;

HOLOS_API holos_settings *holos_settings_new(void); /* empty; NULL: out of memory */
HOLOS_API void holos_settings_free(holos_settings *settings);
/* Sets an option, or changes it. A NULL `value` means "yes", as for a flag given without a value. Copies
 * both strings. Does not check them: the function that takes the settings does. */
HOLOS_API holos_status holos_settings_set(holos_settings *settings, const char *name, const char *value,
                                          holos_error *err);
/* The value of an option, or NULL if it was not set. */
HOLOS_API const char *holos_settings_get(const holos_settings *settings, const char *name);
/* Forgets all values. */
HOLOS_API void holos_settings_clear(holos_settings *settings);

#ifdef __cplusplus
}
#endif

#endif
