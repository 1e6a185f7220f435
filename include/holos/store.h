/* SPDX-License-Identifier: MIT */

/* holos: stores. Describes, checks, copies and merges databases, graphs, books, holograms and folders of
 * tables.
 *
 *     holos_store_facts facts;
 *     holos_store_look("file:kalah6", &facts, &err);              facts.kind, facts.game, facts.positions
 *     holos_store_verify("file:kalah6", NULL, &report, &err);     HOLOS_BAD_FILE: it is not sound; err says what is wrong
 *     holos_store_copy("file:kalah6", "sqlite:kalah6.db", NULL, &report, &err);
 *     holos_report_close(report);
 *
 * A URL or a path names a store, as in holos/knowledge.h. Functions that write lock the target, as a job
 * does; a second writer is told who holds the lock (HOLOS_IO). Sources are never written to: a target that
 * is also a source, under any name, is refused. */

#ifndef HOLOS_STORES_H
#define HOLOS_STORES_H

#include <holos/job.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A type of store: what can stand before the colon of a URL. */
typedef struct holos_store_type {
    const char *scheme; /* "sqlite" */
    const char *form;   /* "sqlite:FILE" */
    bool databases, graphs, books;
    bool remote;    /* on a server */
    bool shared;    /* several processes may write one store at once */
    bool sql;       /* people can query it with SQL */
    bool available; /* in this build, on this machine */
    char library
        [160]; /* what it uses, "sqlite 3.40.1"; if it is not available, what is missing; "" if it needs nothing */
} holos_store_type;

/* The types of stores, the native one first. False past the end. */
HOLOS_API bool holos_store_type_at(size_t index, holos_store_type *out);

/* Facts about a store. */
typedef struct holos_store_facts {
    const char *
        kind; /* "database", "graph", "book", "hologram"; for a game's own format, its name: "Syzygy tables" */
    char game[64];   /* the variant it was made for */
    char family[64]; /* for a database, the variants it serves; otherwise "" */
    bool complete;
    uint64_t positions;             /* so far; 0 if unknown */
    uint64_t bytes;                 /* on the disk */
    uint32_t top;                   /* a database's last tier, a book's last ply */
    uint64_t parts, parts_expected; /* for databases and books */
    char digest[33];                /* equal digests mean equal values; "" if there is none */
    char writer[32];                /* the program that made it, "holos 0.1.0"; "" if unknown */
} holos_store_facts;

/* Zero is the default everywhere. */
typedef struct holos_store_options {
    holos_job_start start;  /* copy, merge: what to do with what is there; a merge cannot resume */
    uint64_t samples;       /* verify: roughly how many positions to derive again; 0: a modest number */
    bool all;               /* verify: all of them */
    uint64_t seed;          /* verify: which ones to draw */
    unsigned threads;       /* 0: one per processor */
    size_t memory;          /* cache size in bytes; 0: half of what the system can spare */
    const holos_stop *stop; /* may be NULL */
    const char *command;    /* shown to others that want the lock; may be NULL */

    /* Called from time to time by a working thread, never by two at once; may be NULL. */
    void (*progress)(void *context, const holos_progress *progress);
    void *progress_context;
    double progress_seconds; /* how often; 0: twice a second */
} holos_store_options;

/* Describes a store. */
HOLOS_API holos_status holos_store_look(const char *url, holos_store_facts *out, holos_error *err);

/* In the functions below, `options` and `out` may be NULL. The caller closes the report. */

/* The same as a document. */
HOLOS_API holos_status holos_store_info(const char *url, holos_report **out, holos_error *err);

/* Reads everything, compares every checksum, and derives values again from the rules and the values of their
 * successors (for a book, by searching). HOLOS_OK: sound. HOLOS_BAD_FILE: not sound; there is still a
 * report. HOLOS_USAGE: unfinished. */
HOLOS_API holos_status holos_store_verify(const char *url, const holos_store_options *options,
                                          holos_report **out, holos_error *err);

/* Copies a store into another one, of the same type or another. The report is about the new one. */
HOLOS_API holos_status holos_store_copy(const char *from, const char *to, const holos_store_options *options,
                                        holos_report **out, holos_error *err);

/* Answers a question in SQL about a Parquet store: its tables are `graph` and `positions`, or `indexed`. The report has the
 * answer as "rows". HOLOS_USAGE: the question cannot be answered, or the store has a program of its own for
 * questions. */
HOLOS_API holos_status holos_store_sql(const char *url, const char *question, holos_report **out,
                                       holos_error *err);

/* Combines several stores into `into`: holograms of one game, or databases of one family, finished or not.
 * The result is finished if no part is missing. HOLOS_BAD_FILE, with the key or the position, if two of them
 * contradict each other. The report is about the new one. */
HOLOS_API holos_status holos_store_merge(const char *const *urls, size_t count, const char *into,
                                         const holos_store_options *options, holos_report **out,
                                         holos_error *err);

#ifdef __cplusplus
}
#endif

#endif
