/* SPDX-License-Identifier: MIT */

/* Stores: where values of positions are kept, named by URL: file:DIR, sqlite:FILE, postgres://…, parquet:DIR,
 * bigtable://PROJECT/INSTANCE/TABLE.
 *
 * A store holds one of three things. A *database* has the values of all positions up to a tier, part by
 * part, as bytes (game.h, holos_index). A *graph* has rows: the positions that can be reached, each with
 * its depth, value and best move. A *book* has the values of the positions that can be reached in so many
 * moves, symmetric ones once (book.h): its tiers are plies, part 0 of each is the ply as book_ply_encode
 * writes it, and the parts after that, of the last ply, are what a build has searched so far. A backend fulfils what it can of store_backend; what it leaves out is
 * refused in words. A store remembers for which game, variant and rules it was made, and refuses others.
 *
 * Looking up values is safe from several threads at once; writing is, for different parts. What a call of `put` or `save`
 * has confirmed stays, whatever happens later; a batch is written whole or not at all (STORE_ATOMIC), or can be written again
 * without harm. There are no transactions beyond that: a store is complete when `finish` says so. */

#ifndef HOLOS_STORE_H
#define HOLOS_STORE_H

#include "core/pool.h"
#include "core/progress.h"
#include "game/game.h"
#include "store/book.h"

#include <holos/report.h>

/* The file beside a store of a graph that is not finished, with what has been reached. */
#define STORE_REACHED "graph.reached"

typedef struct store store;
typedef struct store_backend store_backend;

typedef enum store_kind { STORE_DATABASE, STORE_GRAPH, STORE_BOOK } store_kind;

/* "database", "graph", "book" */
const char *store_kind_name(store_kind kind);

typedef enum store_mode {
    STORE_READ,
    STORE_CREATE,  /* must be new: unfinished or finished work in its place is an error */
    STORE_RESUME,  /* goes on with unfinished work for the same game, or begins */
    STORE_RESTART, /* removes what is there, if it is a store of ours, and begins */
    STORE_JOIN, /* writes parts to what another process of the same job has begun and holds (STORE_JOINS) */
} store_mode;

/* What a backend can do. */
enum {
    STORE_DATABASES = 1 << 0,
    STORE_GRAPHS = 1 << 1,
    STORE_BOOKS = 1 << 2,
    STORE_REMOTE = 1 << 3, /* on a server: what a build keeps beside its store lies elsewhere */
    STORE_SHARED = 1 << 4, /* several processes may write the same store at once, and lose nothing */
    STORE_ATOMIC = 1 << 5, /* a batch is there whole or not at all */
    STORE_SQL = 1 << 6,    /* people can ask it with SQL */
    STORE_JOINS = 1 << 7,  /* other processes of a job can write parts beside the one that holds it */
};

typedef struct store_options {
    store_mode mode;
    store_kind kind;        /* of a new one */
    const holos_variant *v; /* a new one's; when reading NULL, or what it must be good for */
    uint32_t top;           /* a new database's last tier, a new book's last ply */
    size_t cache;           /* bytes for what was read; 0: a modest default */
    const holos_stop *stop; /* ends the wait for a server; may be NULL */
} store_options;

/* What a store says of itself. */
typedef struct store_facts {
    store_kind kind;
    char variant[64]; /* what it was made for */
    char family[64];  /* what it is good for */
    uint32_t top;
    bool complete;
    uint64_t positions; /* so far */
    uint64_t bytes;     /* on the disk */
    uint64_t parts, parts_expected;
    char digest[33]; /* of a whole store: equal digests are equal values; "" if not known */
    char writer[32]; /* the program that made it: "holos 0.1.0"; "" if not known */
} store_facts;

/* Which rows of a graph: all ends are included. */
typedef struct store_range {
    holos_key first, last;
    uint32_t depth_first, depth_last;
} store_range;

#define STORE_ALL ((store_range){.last = {.hi = UINT64_MAX, .lo = UINT64_MAX}, .depth_last = UINT32_MAX})

typedef bool store_row_visit(void *context, const holos_row *row); /* false: enough */

struct store_backend {
    const char *scheme;
    const char *summary;
    unsigned can;        /* STORE_… */
    const char *missing; /* not NULL: this build does not have it; what would be needed */
    /* The library behind it, "sqlite 3.40.1"; NULL: it needs none. False: it is not there, and `out` says why. */
    bool (*library)(text *out);
    bool (*recognise)(const char *path); /* whether its store lies there; NULL: nothing tells */
    /* On failure nothing stays open. */
    holos_status (*open)(const char *location, const store_options *o, store **out, holos_error *err);
    void (*close)(store *s);
    void (*facts)(store *s, store_facts *out);
    /* Everything is written: the store is complete. */
    holos_status (*finish)(store *s, holos_error *err);
    /* Reads every byte and compares the checksums. */
    holos_status (*check)(store *s, const holos_stop *stop, holos_error *err);

    /* Databases and books. */
    bool (*has)(store *s, uint32_t tier, uint32_t part);
    holos_status (*load)(store *s, uint32_t tier, uint32_t part, uint8_t *bytes, uint64_t size,
                         holos_error *err);
    holos_status (*save)(store *s, uint32_t tier, uint32_t part, const uint8_t *bytes, uint64_t size,
                         holos_error *err);
    /* One byte; HOLOS_BYTE_UNKNOWN if the place is not there. */
    holos_status (*byte)(store *s, holos_place place, uint8_t *out, holos_error *err);

    /* Books: all of it, while the store is open; NULL if it is not complete. */
    const book *(*book)(store *s);

    /* Graphs. Rows come sorted by identity, in batches that are sorted among each other; rows that are there already may come
     * again. */
    holos_status (*put)(store *s, const holos_row *rows, size_t count, holos_error *err);
    /* Or they come in blocks that rows_pack (rows.h) has packed; *rows is how many. NULL: not packed. */
    holos_status (*put_packed)(store *s, const unsigned char *bytes, size_t size, uint64_t *rows,
                               holos_error *err);
    /* Fills out[i] if found[i]. */
    holos_status (*get)(store *s, const holos_key *identities, size_t count, holos_row *out, bool *found,
                        holos_error *err);
    /* In the order of identities. Whoever is visited may look up others. */
    holos_status (*scan)(store *s, const store_range *range, store_row_visit *visit, void *context,
                         holos_error *err);

    /* Adds the answer to a question in SQL: "rows". HOLOS_USAGE: the question is none. NULL: other programs ask it. */
    holos_status (*sql)(const char *location, const char *question, holos_report *out, holos_error *err);
};

struct store {
    const store_backend *backend;
    holos_variant *v; /* what it was made for; the store's own */
    store_kind kind;
    _Atomic uint64_t written; /* bytes that `save` has put on the disk, where the backend knows */
};

/* "file:DIR", "sqlite:FILE" and so on; or a path alone: then what lies there says what it is, and where nothing does, it is a
 * folder. */
holos_status store_open(const char *name, const store_options *o, store **out, holos_error *err);
/* Whether a URL names a store, which need not be there. */
bool store_is_named(const char *url);
void store_close(store *s);
/* Whether a URL names a store on a server. */
bool store_is_remote(const char *url);
/* The backend of a URL or of what lies at a path; NULL: none. *location points into the URL. */
const store_backend *store_backend_of(const char *url, const char **location);

/* How many rows of a graph are in a range. */
holos_status store_count(store *s, const store_range *range, uint64_t *out, holos_error *err);
/* Whether a row is in a range. */
static inline bool store_in_range(const store_range *range, const holos_row *row)
{
    return !holos_key_less(row->identity, range->first) && !holos_key_less(range->last, row->identity) &&
           row->depth >= range->depth_first && row->depth <= range->depth_last;
}

/* The score of p, for the side to move, with what is banked. *found is false if p is not in the store. */
holos_status store_score(store *s, const holos_position *p, int32_t *score, bool *found, holos_error *err);

/* How a store is to be derived again. */
typedef struct store_derivation {
    uint64_t samples; /* about so many positions; 0: all */
    uint64_t seed;
    pool *threads;          /* not NULL; a graph takes only one */
    progress *progress;     /* may be NULL */
    const holos_stop *stop; /* may be NULL */
} store_derivation;

/* Derives positions again, from the rules and the values of their successors; *done says how many.
 * HOLOS_BAD_FILE: a position is not what it should be; the message says which. */
holos_status store_derive(store *s, const store_derivation *how, uint64_t *done, holos_error *err);

/* ---- For backends ------------------------------------------------------------------------------ */

const store_backend *store_backend_at(size_t index); /* NULL past the end */
/* The family of a variant; "" if it has no index. `out` has room for 64. */
void store_family(const holos_variant *v, char *out);
/* Whether a store that is at `place` already may be gone on with, or be replaced, as the options ask. */
holos_status store_may_begin(const char *place, const store_facts *facts, const store_options *o,
                             holos_error *err);
/* HOLOS_UNSUPPORTED if a store of `family` does not fit v. */
holos_status store_fits(const char *family, const char *made_for, const holos_variant *v, holos_error *err);

#endif
