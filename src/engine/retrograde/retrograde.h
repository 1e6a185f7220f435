/* SPDX-License-Identifier: MIT */

/* The retrograde engine: the values of all positions up to a tier, in dense arrays of one byte each, over
 * the `index` of any game.
 *
 * Tiers are solved in order; the parts of a tier are independent and shared out over the threads, large ones in pieces
 * where the game's kernel can do that. A game
 * that cannot repeat a position needs one pass. One that can (HOLOS_TRAIT_CYCLIC) is solved by counting
 * successors: a position is lost when the last of its moves is known to lose, won when the first is known
 * to win, and whatever is left when nothing changes any more is a draw. A game's own kernel takes the
 * place of both where there is one.
 *
 * Finished parts go to a store as soon as they are done, and come from there when the work is resumed:
 * they are the checkpoint. */

#ifndef HOLOS_RETROGRADE_H
#define HOLOS_RETROGRADE_H

#include "core/mem.h"
#include "core/progress.h"
#include "game/game.h"

/* Where finished parts go to and come from. Called by several threads at once, for different parts. */
typedef struct retro_keeper {
    void *context;
    bool (*has)(void *context, uint32_t tier, uint32_t part);
    holos_status (*load)(void *context, uint32_t tier, uint32_t part, uint8_t *bytes, uint64_t size,
                         holos_error *err);
    holos_status (*save)(void *context, uint32_t tier, uint32_t part, const uint8_t *bytes, uint64_t size,
                         holos_error *err);
    uint64_t (*written)(void *context); /* bytes on the disk so far; may be NULL */
} retro_keeper;

/* Other processes that build the same tables at the same time: each solves some parts of a tier, and gets the bytes of the
 * others. All processes call `begin` and `end` for every tier, `next` as often as they like. */
typedef struct retro_company {
    void *context;
    unsigned ranks;
    bool loads; /* this process loads what its keeper has, for all */
    bool whole; /* the last tier, too, is needed everywhere */
    /* Processes of one machine may have one copy of the tables (`together` below). The first of them makes a file without a name, and `hand`
     * gives it to the others: a descriptor of their own, -1 if they get none. It stays open until `agree`, which all processes
     * call: a failure of one is then that of all. */
    bool leads;
    int (*hand)(void *context, int fd);
    holos_status (*agree)(void *context, holos_status status, holos_error *err);
    bool keeps; /* each process keeps the parts that it has solved; otherwise the one that loads keeps all */
    /* A tier of so many parts begins, the largest first; there[i]: the one that loads has it, and after this all know. The sizes
     * stay where they are until the tier ends. */
    holos_status (*begin)(void *context, bool *there, const uint64_t *sizes, uint32_t count,
                          holos_status status, holos_error *err);
    /* The place of the next part for this process in that list; false: there is none any more. */
    bool (*next)(void *context, uint32_t *at);
    /* This process has failed: nobody needs to begin another part. */
    void (*stop)(void *context);
    /* The tier ends. Without a failure anywhere, all parts are everywhere after it, if `spread`; mine[i]: was solved here. */
    holos_status (*end)(void *context, uint8_t *const *parts, const uint64_t *sizes, bool *mine,
                        uint32_t count, bool spread, holos_status status, holos_error *err);
} retro_company;

typedef struct retro_options {
    uint32_t top;        /* the last tier */
    unsigned threads;    /* 0: all processors */
    bool no_hot;         /* position by position even where the game has a kernel */
    uint64_t split_from; /* parts of so many positions are solved by several threads; 0: as seems good */
    const char *scratch; /* NULL, or a folder for tables that do not fit into memory */
    unsigned together;   /* processes of this machine that have one copy of the tables; 0: one */
    mem_budget *budget;  /* not NULL; outlives the tables */
    progress *progress;  /* may be NULL */
    const logger *log;   /* may be NULL: a remark on each tier */
    holos_limits limits; /* nodes are positions; memory is the budget's affair */
    const retro_keeper *keeper;   /* may be NULL */
    const retro_company *company; /* may be NULL */
} retro_options;

/* What a build will need, before it begins. */
typedef struct retro_plan {
    uint64_t positions;
    uint64_t parts;
    uint64_t largest; /* positions of the largest part */
    uint64_t memory; /* bytes, with what the threads need: this process's share where several have one copy */
    uint64_t disk;   /* bytes that a store will take, about */
    double seconds;  /* of processor time, about: what `holos bench kalah` measured when this was written */
} retro_plan;

typedef struct retro retro;

/* HOLOS_UNSUPPORTED if the game or its variant has no index, HOLOS_USAGE if it has no such tier. */
holos_status retro_supports(const holos_variant *v, holos_error *err);
holos_status retro_make_plan(const holos_variant *v, const retro_options *o, retro_plan *out,
                             holos_error *err);

/* Solves everything up to o->top. HOLOS_INTERRUPTED, HOLOS_LIMIT: finished parts have been kept. On failure *out is
 * NULL. */
holos_status retro_build(const holos_variant *v, const retro_options *o, retro **out, holos_error *err);
void retro_close(retro *r);

uint32_t retro_top(const retro *r);
const uint8_t *retro_part(const retro *r, uint32_t tier, uint32_t part);
/* What this build has computed itself: positions, and the processor seconds spent on that alone. */
void retro_work(const retro *r, uint64_t *positions, double *seconds);

/* The value of p (of what is still to come); false if p lies beyond the tables. */
bool retro_probe(const retro *r, const holos_position *p, int32_t *value);

/* ---- Solving one part (part.c, cyclic.c) ------------------------------------------------------- */

/* A thread's working space for solving positions one by one. */
typedef struct retro_worker {
    const holos_variant *v;
    const holos_tables *tables;
    struct limits limits; /* its share */
    holos_edges successors, predecessors;
    holos_position *here;
    void *scratch; /* the kernel's */
    uint64_t *stack;
    size_t stack_room;
} retro_worker;

/* The byte at a place, which must be in a tier that is there. */
static inline uint8_t *tables_at(const holos_tables *t, holos_place place)
{
    return &t->parts[place.tier][place.part][place.index];
}

/* Adds to the worker's stack of indices; false: out of memory. */
bool retro_push(retro_worker *w, size_t *depth, uint64_t index);

/* HOLOS_LIMIT, HOLOS_INTERRUPTED: w->limits says which, and the part means nothing. */
holos_status retro_solve_acyclic(retro_worker *w, uint32_t tier, uint32_t part, holos_error *err);
holos_status retro_solve_cyclic(retro_worker *w, uint32_t tier, uint32_t part, holos_error *err);

#endif
