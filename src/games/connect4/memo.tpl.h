/* SPDX-License-Identifier: MIT */

/* The search's table: what is known of the positions it has been to. A cache of buckets, each one or
 * two lines of the processor's cache, shared by all threads of a search without locks. Whoever
 * includes this has chosen the word (rules.h) and may define
 *
 *   MEMO_COMPACT   entries of 16 bytes instead of 24, for boards of at most 49 bits
 *
 * An entry holds the whole key, not a part of a hash: what is found is true. The words of an
 * entry are written one after the other; the last is mixed with the others, so that a reader who catches
 * words of different entries sees a key that fits nothing. */

#include "core/mem.h"
#include "games/connect4/rules.h"

#include <string.h>

/* What positions have in common that are worth the same: the heights of the columns and the stones that
 * can still be part of a four of their side. A stone that cannot is dead: all that is left of it is that it
 * fills its cell (12 to 25 % fewer nodes than telling dead stones apart). */
typedef struct memo_key {
    c4_word packed; /* as c4_pack, with the side to move's living stones */
    c4_word dead;
    uint64_t hash;
} memo_key;

typedef struct memo_value {
    int lo, hi;
    unsigned column; /* the best move known, MEMO_NO_COLUMN if none is */
    unsigned work;   /* about how much it took: the logarithm of the nodes */
} memo_value;

#define MEMO_NO_COLUMN 15

#ifdef MEMO_COMPACT
/* First 49 bits of `packed`, 6 of lo, 6 of hi; then 49 bits of `dead`, 4 of column, 6 of work. */
typedef struct memo_entry {
    uint64_t words[2];
} memo_entry;
#define MEMO_WAYS     4
#define MEMO_KEY_MASK ((UINT64_C(1) << 49) - 1)
#define MEMO_BIAS     32
#else
/* The words of `packed`, then of `dead`, then a byte each of lo, hi, column and work, and 32 bits that are 0
 * once they are unmixed. */
#define MEMO_KEY_WORDS (sizeof(c4_word) / sizeof(uint64_t))
typedef struct memo_entry {
    uint64_t words[2 * MEMO_KEY_WORDS + 1];
} memo_entry;
#define MEMO_WAYS      5
#define MEMO_BIAS      128
#endif

/* The last way takes what came last; the others keep what took the most work. */
typedef struct memo_bucket {
    memo_entry way[MEMO_WAYS];
} __attribute__((aligned(64))) memo_bucket;

typedef struct memo {
    memo_bucket *buckets;
    uint64_t count; /* buckets */
    mem_budget *budget;
} memo;

static inline uint64_t memo_mix(uint64_t x)
{
    return x * UINT64_C(0x9e3779b97f4a7c15);
}

static inline uint64_t memo_load(const uint64_t *word)
{
    return __atomic_load_n(word, __ATOMIC_RELAXED);
}

static inline void memo_save(uint64_t *word, uint64_t value)
{
    __atomic_store_n(word, value, __ATOMIC_RELAXED);
}

/* The hash is only as good as it needs to be: its highest bits choose the bucket. */
static inline uint64_t memo_hash(c4_word packed, c4_word dead)
{
    uint64_t low = (uint64_t)packed + memo_mix((uint64_t)dead);
    uint64_t high = (uint64_t)(packed >> 32 >> 32) + memo_mix((uint64_t)(dead >> 32 >> 32));
    uint64_t h = memo_mix(low ^ memo_mix(high));
    return memo_mix(h ^ h >> 32);
}

static inline memo_bucket *memo_bucket_of(const memo *m, uint64_t hash)
{
    return &m->buckets[wide_scale(hash, m->count)];
}

#ifdef MEMO_COMPACT

static inline bool memo_read(const memo_entry *e, const memo_key *key, memo_value *out)
{
    uint64_t first = memo_load(&e->words[0]);
    if ((first & MEMO_KEY_MASK) != key->packed)
        return false;
    uint64_t second = memo_load(&e->words[1]) ^ memo_mix(first);
    if ((second & MEMO_KEY_MASK) != key->dead)
        return false;
    out->lo = (int)(first >> 49 & 63) - MEMO_BIAS;
    out->hi = (int)(first >> 55 & 63) - MEMO_BIAS;
    out->column = (unsigned)(second >> 49 & 15);
    out->work = (unsigned)(second >> 53 & 63);
    return true;
}

static inline void memo_write(memo_entry *e, const memo_key *key, memo_value value)
{
    uint64_t first =
        key->packed | (uint64_t)(value.lo + MEMO_BIAS) << 49 | (uint64_t)(value.hi + MEMO_BIAS) << 55;
    uint64_t second = key->dead | (uint64_t)value.column << 49 | (uint64_t)value.work << 53;
    memo_save(&e->words[0], first);
    memo_save(&e->words[1], second ^ memo_mix(first));
}

static inline unsigned memo_work(const memo_entry *e)
{
    return (unsigned)((memo_load(&e->words[1]) ^ memo_mix(memo_load(&e->words[0]))) >> 53 & 63);
}

static inline bool memo_is_empty(const memo_entry *e)
{
    return memo_load(&e->words[0]) == 0;
}

static inline void memo_key_of(const memo_entry *e, memo_key *key)
{
    uint64_t first = memo_load(&e->words[0]);
    key->packed = first & MEMO_KEY_MASK;
    key->dead = (memo_load(&e->words[1]) ^ memo_mix(first)) & MEMO_KEY_MASK;
}

#else

static inline uint64_t memo_seal(const memo_key *key)
{
    uint64_t low = (uint64_t)key->packed ^ memo_mix((uint64_t)key->dead);
    uint64_t high = (uint64_t)(key->packed >> 32 >> 32) ^ memo_mix((uint64_t)(key->dead >> 32 >> 32));
    return memo_mix(low ^ memo_mix(high ^ high >> 32));
}

static inline c4_word memo_load_word(const uint64_t *words)
{
    c4_word word = memo_load(words);
    if (MEMO_KEY_WORDS > 1)
        word |= (c4_word)memo_load(words + MEMO_KEY_WORDS - 1) << 32 << 32;
    return word;
}

static inline void memo_save_word(uint64_t *words, c4_word word)
{
    memo_save(words, (uint64_t)word);
    if (MEMO_KEY_WORDS > 1)
        memo_save(words + MEMO_KEY_WORDS - 1, (uint64_t)(word >> 32 >> 32));
}

static inline void memo_key_of(const memo_entry *e, memo_key *key)
{
    key->packed = memo_load_word(e->words);
    key->dead = memo_load_word(e->words + MEMO_KEY_WORDS);
}

static inline uint64_t memo_data(const memo_entry *e, const memo_key *key)
{
    return memo_load(&e->words[2 * MEMO_KEY_WORDS]) ^ memo_seal(key);
}

static inline bool memo_read(const memo_entry *e, const memo_key *key, memo_value *out)
{
    memo_key found;
    memo_key_of(e, &found);
    if (found.packed != key->packed || found.dead != key->dead)
        return false;
    uint64_t data = memo_data(e, key);
    if (data >> 32 != 0)
        return false;
    out->lo = (int)(data & 255) - MEMO_BIAS;
    out->hi = (int)(data >> 8 & 255) - MEMO_BIAS;
    out->column = (unsigned)(data >> 16 & 255);
    out->work = (unsigned)(data >> 24 & 255);
    return true;
}

static inline void memo_write(memo_entry *e, const memo_key *key, memo_value value)
{
    uint64_t data = (uint64_t)(value.lo + MEMO_BIAS) | (uint64_t)(value.hi + MEMO_BIAS) << 8 |
                    (uint64_t)value.column << 16 | (uint64_t)value.work << 24;
    memo_save_word(e->words, key->packed);
    memo_save_word(e->words + MEMO_KEY_WORDS, key->dead);
    memo_save(&e->words[2 * MEMO_KEY_WORDS], data ^ memo_seal(key));
}

static inline unsigned memo_work(const memo_entry *e)
{
    memo_key key;
    memo_key_of(e, &key);
    return (unsigned)(memo_data(e, &key) >> 24 & 255);
}

static inline bool memo_is_empty(const memo_entry *e)
{
    return memo_load_word(e->words) == 0;
}

#endif

static inline bool memo_find(const memo *m, const memo_key *key, memo_value *out)
{
    const memo_bucket *bucket = memo_bucket_of(m, key->hash);
    for (unsigned i = 0; i < MEMO_WAYS; i++)
        if (memo_read(&bucket->way[i], key, out))
            return true;
    return false;
}

static inline void memo_copy(memo_entry *to, const memo_entry *from)
{
    for (unsigned i = 0; i < sizeof to->words / sizeof *to->words; i++)
        memo_save(&to->words[i], memo_load(&from->words[i]));
}

/* Returns true if nothing was known of the position before. */
static inline bool memo_store(memo *m, const memo_key *key, memo_value value)
{
    memo_bucket *bucket = memo_bucket_of(m, key->hash);
    memo_value old;
    memo_entry *least = &bucket->way[0], *last = &bucket->way[MEMO_WAYS - 1];
    unsigned least_work = UINT32_MAX;
    for (unsigned i = 0; i < MEMO_WAYS; i++) {
        memo_entry *e = &bucket->way[i];
        if (memo_is_empty(e) || memo_read(e, key, &old)) {
            bool fresh = memo_is_empty(e);
            memo_write(e, key, value);
            return fresh;
        }
        unsigned work = memo_work(e);
        if (e != last && work < least_work) {
            least_work = work;
            least = e;
        }
    }
    if (value.work >= least_work) {
        memo_copy(last, least);
        memo_write(least, key, value);
    } else {
        memo_write(last, key, value);
    }
    return true;
}

static inline bool memo_open(memo *m, mem_budget *budget, size_t bytes)
{
    m->budget = budget;
    m->count = bytes / sizeof(memo_bucket) + 1;
    m->buckets = mem_alloc(budget, m->count * sizeof(memo_bucket));
    return m->buckets != NULL;
}

static inline void memo_close(memo *m)
{
    if (m->buckets != NULL)
        mem_free(m->budget, m->buckets, m->count * sizeof(memo_bucket));
    m->buckets = NULL;
}

/* Moves everything to a table of `bytes`; false if there is no memory for it, and nothing has changed. */
static inline bool memo_resize(memo *m, size_t bytes)
{
    memo wide;
    if (!memo_open(&wide, m->budget, bytes))
        return false;
    for (uint64_t i = 0; i < m->count; i++)
        for (unsigned j = 0; j < MEMO_WAYS; j++) {
            const memo_entry *e = &m->buckets[i].way[j];
            memo_key key;
            memo_value value;
            if (memo_is_empty(e))
                continue;
            memo_key_of(e, &key);
            key.hash = memo_hash(key.packed, key.dead);
            if (memo_read(e, &key, &value))
                memo_store(&wide, &key, value);
        }
    memo_close(m);
    *m = wide;
    return true;
}
