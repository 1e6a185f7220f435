/* SPDX-License-Identifier: MIT */

/* The hologram as a file. All numbers are little-endian; sections begin at multiples of 8.
 *
 *     header
 *     blocks     entries in the order of their keys, compressed; each block by itself
 *     index      for each block its first key, place, sizes and checksum
 *     sections   spines, paths, steps, meetings, classes, seeds, mappings, the seeds of these; of a session its rounds, their
 *                seeds, how seeds turned out, and those that come next; statistics: plain records, sorted, so that they are
 *                used where they lie
 *
 * A block holds, one column after the other: the differences between keys as varints (the first one is in the
 * index), lo, hi, depth, source, flags; and for games whose positions cannot be made from keys the positions
 * as text, each ended by 0. Opening a file reads the header, the index and the sections; a lookup unpacks one
 * block. Everything is checksummed (XXH3), and nothing in a file is trusted before it has been checked. */

#ifndef HOLOS_WAVE_HOLOGRAM_FORMAT_H
#define HOLOS_WAVE_HOLOGRAM_FORMAT_H

#include "core/file.h"
#include "engine/wave/wave.h"

#define HOLOGRAM_MAGIC   "HOLOGRAM"
#define HOLOGRAM_VERSION 3

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
               "files are little-endian, and so must the machine be");

enum {
    HOLOGRAM_UNFOLDED = 1 << 0,  /* keys are identities */
    HOLOGRAM_POSITIONS = 1 << 1, /* blocks hold positions */
    HOLOGRAM_KNOWN = 1 << 2,     /* values may rest on tables that are not in the file */
};

enum {
    HOLOGRAM_BLOCK = 2048,     /* entries */
    HOLOGRAM_GROUP = 16,       /* of them that are fetched together in a search */
    HOLOGRAM_TEXT_MOST = 1024, /* bytes of a position as text */
};

/* The sections and the bytes of their records. */
#define HOLOGRAM_SECTIONS(X)                                                                                 \
    X(SPINES, hologram_spine)                                                                                \
    X(PATHS, hologram_path)                                                                                  \
    X(STEPS, hologram_step)                                                                                  \
    X(MEETINGS, holos_key)                                                                                   \
    X(CLASSES, hologram_class)                                                                               \
    X(SEEDS, hologram_seed)                                                                                  \
    X(MAPPINGS, hologram_mapping)                                                                            \
    X(MAPPED, hologram_seed)                                                                                 \
    X(ROUNDS, hologram_round)                                                                                \
    X(ROUND_SEEDS, hologram_seed)                                                                            \
    X(OUTCOMES, hologram_outcome)                                                                            \
    X(PENDING, hologram_seed)                                                                                \
    X(COUNTERS, uint64_t)

typedef enum hologram_section {
#define SECTION(name, type) HOLOGRAM_##name,
    HOLOGRAM_SECTIONS(SECTION)
#undef SECTION
        HOLOGRAM_SECTION_COUNT
} hologram_section;

typedef struct hologram_spine {
    uint64_t first;  /* path */
    uint32_t length; /* moves; a spine has one path more */
    int16_t lo, hi;  /* of its end */
} hologram_spine;

typedef struct hologram_path {
    holos_key key;
    uint32_t move; /* from the position of this key to the next path's; UINT32_MAX at the end of a spine */
    uint32_t spine;
} hologram_path;

typedef struct hologram_step { /* sorted by key: where a position is on a spine */
    holos_key key;
    uint64_t path;
} hologram_step;

typedef struct hologram_class {
    uint64_t features;
    uint32_t count;
    int16_t value;
    uint16_t broken;
} hologram_class;

typedef struct hologram_seed {
    holos_key key;
    int32_t priority;
    uint32_t depth;
    uint32_t direction, mode;
} hologram_seed;

/* Some seeds, expanded breadth first with these options to this depth, give a frontier of so many positions,
 * whose digest this is: so it need not be kept. Mappings stand in the order of their bytes, `first` left out. */
typedef struct hologram_mapping {
    uint64_t count, digest;
    uint64_t seed, boundary_seeds;
    uint32_t depth, backward_depth;
    uint32_t flags; /* MAPPING_… */
    uint32_t reach; /* the wave's limit of depth, from which depths of seeds are counted; 0: none */
    uint64_t seeds_digest;
    uint64_t seed_count;
    uint64_t first; /* of the section MAPPED: the seeds, in their order */
} hologram_mapping;

enum {
    MAPPING_GRAPH = 1 << 0,
    MAPPING_ALL_MOVES = 1 << 1,
    MAPPING_NO_BACKWARD = 1 << 2,
    MAPPING_KNOWN = 1 << 3, /* with tables as a boundary */
};

/* A round of a session. Rounds stand in the order of their bytes, `first` left out: by session, then by number. */
typedef struct hologram_round {
    uint64_t session, number;
    uint64_t phase;                             /* a holos_phase */
    uint64_t seed_count, batches, lost;         /* lost: batches that were given up */
    uint64_t expanded;                          /* by all of its batches */
    uint64_t reached, solved, spines, meetings; /* how many more there were after it */
    uint64_t positions, all_solved;             /* how many there were then */
    uint64_t first;                             /* of the section ROUND_SEEDS */
} hologram_round;

/* How seeds with these features did in a mode. */
typedef struct hologram_outcome {
    uint64_t features, mode;
    uint64_t tries, wins; /* wins: the seed was solved */
    uint64_t gain, cost;  /* positions solved, and positions expanded for that */
} hologram_outcome;

typedef struct hologram_place {
    uint64_t offset, count, checksum;
} hologram_place;

typedef struct hologram_block {
    holos_key first;
    uint64_t offset, checksum;
    uint32_t stored, size; /* bytes, as they lie there and unpacked */
    uint32_t count;        /* entries */
    uint32_t reserved;
} hologram_block;

typedef struct hologram_header {
    char magic[8];
    uint32_t version, flags;
    char variant[64];
    uint64_t entries, solved, file_size;
    int32_t score_min, score_max;
    hologram_place index;
    hologram_place sections[HOLOGRAM_SECTION_COUNT];
    uint64_t checksum; /* of all before it */
} hologram_header;

/* What a wave notes for its own goals says nothing to others: neither a file nor who reads one has it. */
#define NODE_OWN ((unsigned)NODE_MISSED)

/* An entry, as it is read and written. */
typedef struct hologram_entry {
    holos_key key;
    wave_node node;
    const char *position; /* text, or NULL */
} hologram_entry;

/* ---- Writing (hologram_write.c) ---------------------------------------------------------------- */

typedef struct hologram_writer hologram_writer;

holos_status hologram_create(const char *path, const holos_variant *v, uint32_t flags, hologram_writer **out,
                             holos_error *err);
/* Entries come in the order of their keys. False: it has failed, and hologram_finish says why. */
bool hologram_add(hologram_writer *w, const hologram_entry *entry);
/* Records of a section, in their final order; each section once, after the entries. */
bool hologram_add_section(hologram_writer *w, hologram_section section, const void *records, uint64_t count);
/* True if something has failed already: hologram_finish says what. */
bool hologram_failed(const hologram_writer *w);
/* How many entries have been added, and how many of them are solved. */
void hologram_written(const hologram_writer *w, uint64_t *entries, uint64_t *solved);
/* The file takes its name; or the error, and nothing has changed. Frees the writer. */
holos_status hologram_finish(hologram_writer *w, holos_error *err);
void hologram_discard(hologram_writer *w);

/* How long writing may go on after a request to stop. */
typedef struct save_patience {
    double seconds; /* negative: until the end */
    double
        deadline; /* a request from then on is the end of the time, for which saving was planned: it does not count */
    double asked;   /* when the request was seen; 0: not yet */
    unsigned whole; /* layers before this one have been expanded, though their nodes do not say so */
} save_patience;

bool save_is_late(const holos_wave *w, save_patience *p);

/* One node of a wave: its words as nodes_sorted gives them (sorted.h), and where positions are kept its position. False: the writer
 * has failed, and hologram_finish says why. */
bool wave_entry_write(const holos_wave *w, const uint64_t *words, const void *position, unsigned whole,
                      hologram_writer *out);
/* All nodes of a wave, in the order of their keys (entries.c). HOLOS_INTERRUPTED: patience is at its end. Another error: no
 * memory, or the writer has failed. */
holos_status wave_entries_write(const holos_wave *w, hologram_writer *out, save_patience *patience,
                                holos_error *err);

/* The classes of a wave that has some, in the order of their features; the caller frees them. NULL: no memory (save.c). */
hologram_class *hologram_classes_of(const holos_wave *w, size_t *count);

/* ---- Merging (merge.c) ------------------------------------------------------------------------- */

/* holos_hologram_merge, which can be asked to stop: then nothing has changed. `path` may be one of the two. */
holos_status hologram_merge(const char *a, const char *b, const char *path, const holos_stop *stop,
                            holos_error *err);

/* ---- Reading (hologram.c) ---------------------------------------------------------------------- */

/* Entries that lie together, so that a search fetches all of them at once: four lines of a processor's memory. */
typedef struct hologram_group {
    uint64_t lo[HOLOGRAM_GROUP];
    wave_node nodes[HOLOGRAM_GROUP];
} hologram_group;

/* The entries of a block as questions need them. */
typedef struct hologram_cells {
    hologram_group *groups;
    uint64_t *hi; /* NULL: it is `upper` for all */
    uint64_t upper;
    size_t bytes;                                   /* of all of it */
    uint64_t tops[HOLOGRAM_BLOCK / HOLOGRAM_GROUP]; /* the first key of each group */
} hologram_cells;

/* Unpacked blocks that are kept for the next question; see hologram_cells_of. */
typedef struct hologram_cache {
    hologram_cells **blocks; /* NULL: not in memory */
    uint8_t *used;           /* since the hand passed */
    size_t held, limit;      /* bytes */
    uint64_t hand;
} hologram_cache;

struct holos_hologram {
    file_view view;
    char *path;
    const hologram_header *header;
    const hologram_block *blocks;
    uint64_t block_count;
    const void *sections[HOLOGRAM_SECTION_COUNT];
    holos_variant *v;
    /* The block that was unpacked last. */
    uint64_t unpacked; /* UINT64_MAX: none */
    hologram_entry *entries;
    unsigned char *bytes;
    size_t bytes_room;
    struct ZSTD_DCtx_s *zstd;
    hologram_cache cache;
    uint64_t asked; /* the block that the last question was about */
};

/* The entries of a block, kept in memory as long as there is room. Valid until the next call. */
holos_status hologram_cells_of(holos_hologram *h, uint64_t block, const hologram_cells **out,
                               holos_error *err);
/* How much memory unpacked blocks may take; at least one of them is kept. */
void hologram_cache_limit(holos_hologram *h, size_t bytes);
void hologram_cache_free(hologram_cache *c, uint64_t block_count);

/* Unpacks a block into h->entries; *count is their number. */
holos_status hologram_unpack(holos_hologram *h, uint64_t block, uint32_t *count, holos_error *err);
uint64_t hologram_record_size(hologram_section section);
static inline uint64_t hologram_count(const holos_hologram *h, hologram_section section)
{
    return h->header->sections[section].count;
}

/* The key of a position as this file has it. */
holos_key hologram_key(const holos_hologram *h, const holos_position *p);
/* The position of a key that is in the file, or that leads to one; false if it does not (contents.c). */
bool hologram_position(holos_hologram *h, holos_key key, holos_position *out);

/* Whether blocks are in order, and as many entries as the header says. */
holos_status hologram_counts_check(holos_hologram *h, holos_error *err);
/* Whether the position of an entry is one that could have been read; it is written to `p` (verify.c). */
bool hologram_position_check(const holos_wave *w, const hologram_entry *entry, holos_position *p);

#endif
