/* SPDX-License-Identifier: MIT */

/* Holograms, opened and asked. */

#include "engine/wave/classes.h"
#include "engine/wave/hologram_format.h"

#include <stdlib.h>
#include <xxhash.h>
#include <zstd.h>

#define CACHE_BYTES ((size_t)64 << 20) /* of unpacked blocks, unless somebody says more */

uint64_t hologram_record_size(hologram_section section)
{
    static const uint64_t sizes[] = {
#define SECTION(name, type) sizeof(type),
        HOLOGRAM_SECTIONS(SECTION)
#undef SECTION
    };
    return sizes[section];
}

/* ---- Opening: nothing is believed before it is checked ----------------------------------------- */

static holos_status bad(const holos_hologram *h, holos_error *err, const char *what)
{
    return error_set(err, HOLOS_BAD_FILE, HOLOS_NOWHERE, "%s: %s", h->path, what);
}

static holos_status header_check(holos_hologram *h, holos_error *err)
{
    const hologram_header *header = (const void *)h->view.data;
    if (h->view.size < sizeof *header || memcmp(header->magic, HOLOGRAM_MAGIC, sizeof header->magic) != 0)
        return bad(h, err, "this is not a hologram");
    if (header->version != HOLOGRAM_VERSION)
        return error_set(err, HOLOS_BAD_FILE, HOLOS_NOWHERE,
                         "%s: a hologram of version %u; this program reads version %d", h->path,
                         header->version, HOLOGRAM_VERSION);
    if (header->checksum != XXH3_64bits(header, offsetof(hologram_header, checksum)))
        return bad(h, err, "the header is damaged");
    if (header->file_size != h->view.size)
        return bad(h, err, "the file is truncated, or has extra data");
    if (memchr(header->variant, 0, sizeof header->variant) == NULL)
        return bad(h, err, "the name of the game does not end");
    h->header = header;
    return HOLOS_OK;
}

/* The bytes of a place, if they lie within the file and are what they were. */
static const void *place_check(const holos_hologram *h, const hologram_place *place, uint64_t record)
{
    if (place->offset % 8 != 0 || place->offset > h->view.size ||
        place->count > (h->view.size - place->offset) / record)
        return NULL;
    const unsigned char *bytes = h->view.data + place->offset;
    return XXH3_64bits(bytes, place->count * record) == place->checksum ? bytes : NULL;
}

static holos_status index_check(holos_hologram *h, holos_error *err)
{
    h->blocks = place_check(h, &h->header->index, sizeof *h->blocks);
    h->block_count = h->header->index.count;
    if (h->blocks == NULL)
        return bad(h, err, "the index is damaged");
    uint64_t entries = 0;
    for (uint64_t i = 0; i < h->block_count; i++) {
        const hologram_block *b = &h->blocks[i];
        if (b->offset > h->view.size || b->stored > h->view.size - b->offset || b->count == 0 ||
            b->count > HOLOGRAM_BLOCK || b->size > (uint64_t)b->count * (19 + 8 + HOLOGRAM_TEXT_MOST + 1) ||
            (i > 0 && !holos_key_less(h->blocks[i - 1].first, b->first)))
            return bad(h, err, "the index makes no sense");
        entries += b->count;
    }
    return entries == h->header->entries ? HOLOS_OK : bad(h, err, "the index makes no sense");
}

static bool spines_check(const holos_hologram *h)
{
    const hologram_spine *spines = h->sections[HOLOGRAM_SPINES];
    const hologram_path *paths = h->sections[HOLOGRAM_PATHS];
    const hologram_step *steps = h->sections[HOLOGRAM_STEPS];
    uint64_t path_count = hologram_count(h, HOLOGRAM_PATHS);
    for (uint64_t i = 0; i < hologram_count(h, HOLOGRAM_SPINES); i++)
        if (spines[i].first >= path_count || spines[i].length >= path_count - spines[i].first)
            return false;
    for (uint64_t i = 0; i < path_count; i++)
        if (paths[i].spine >= hologram_count(h, HOLOGRAM_SPINES) || i < spines[paths[i].spine].first ||
            i - spines[paths[i].spine].first > spines[paths[i].spine].length)
            return false;
    for (uint64_t i = 0; i < hologram_count(h, HOLOGRAM_STEPS); i++)
        if (steps[i].path >= path_count || (i > 0 && holos_key_less(steps[i].key, steps[i - 1].key)))
            return false;
    return true;
}

static bool classes_check(const holos_hologram *h)
{
    const hologram_class *classes = h->sections[HOLOGRAM_CLASSES];
    for (uint64_t i = 1; i < hologram_count(h, HOLOGRAM_CLASSES); i++)
        if (classes[i].features <= classes[i - 1].features)
            return false;
    return true;
}

static bool seeds_are_sane(const holos_hologram *h, hologram_section section)
{
    const hologram_seed *seeds = h->sections[section];
    for (uint64_t i = 0; i < hologram_count(h, section); i++)
        if (seeds[i].direction > HOLOS_WAVE_BACKWARD || seeds[i].mode > HOLOS_WAVE_OSMOSIS)
            return false;
    return true;
}

static bool rounds_check(const holos_hologram *h)
{
    const hologram_round *rounds = h->sections[HOLOGRAM_ROUNDS];
    uint64_t seed_count = hologram_count(h, HOLOGRAM_ROUND_SEEDS);
    for (uint64_t i = 0; i < hologram_count(h, HOLOGRAM_ROUNDS); i++)
        if (rounds[i].first > seed_count || rounds[i].seed_count > seed_count - rounds[i].first ||
            rounds[i].phase > HOLOS_PHASE_COMPLETE)
            return false;
    const hologram_outcome *outcomes = h->sections[HOLOGRAM_OUTCOMES];
    for (uint64_t i = 0; i < hologram_count(h, HOLOGRAM_OUTCOMES); i++)
        if (outcomes[i].mode > HOLOS_WAVE_OSMOSIS)
            return false;
    return seeds_are_sane(h, HOLOGRAM_ROUND_SEEDS) && seeds_are_sane(h, HOLOGRAM_PENDING);
}

static bool mappings_check(const holos_hologram *h)
{
    const hologram_mapping *mappings = h->sections[HOLOGRAM_MAPPINGS];
    uint64_t seed_count = hologram_count(h, HOLOGRAM_MAPPED);
    for (uint64_t i = 0; i < hologram_count(h, HOLOGRAM_MAPPINGS); i++)
        if (mappings[i].first > seed_count || mappings[i].seed_count > seed_count - mappings[i].first)
            return false;
    return seeds_are_sane(h, HOLOGRAM_MAPPED);
}

static holos_status sections_check(holos_hologram *h, holos_error *err)
{
    for (unsigned i = 0; i < HOLOGRAM_SECTION_COUNT; i++) {
        h->sections[i] = place_check(h, &h->header->sections[i], hologram_record_size(i));
        if (h->sections[i] == NULL)
            return bad(h, err, "a section is damaged");
    }
    return spines_check(h) && classes_check(h) && seeds_are_sane(h, HOLOGRAM_SEEDS) && mappings_check(h) &&
                   rounds_check(h)
               ? HOLOS_OK
               : bad(h, err, "a section makes no sense");
}

static holos_status variant_check(holos_hologram *h, holos_error *err)
{
    holos_error reason;
    if (holos_open(h->header->variant, &h->v, &reason) != HOLOS_OK)
        return error_set(err, HOLOS_BAD_FILE, HOLOS_NOWHERE, "%s: a hologram of an unknown game: %s", h->path,
                         reason.message);
    if (strcmp(h->v->name, h->header->variant) != 0 || h->v->score_min != h->header->score_min ||
        h->v->score_max != h->header->score_max)
        return bad(h, err, "it was made for other rules than this program has");
    return HOLOS_OK;
}

bool holos_hologram_is_at(const char *path)
{
    return path != NULL && file_begins(path, HOLOGRAM_MAGIC, sizeof((hologram_header *)NULL)->magic);
}

holos_status holos_hologram_open(const char *path, holos_hologram **out, holos_error *err)
{
    if (path == NULL || out == NULL)
        return error_null(err, __func__);
    *out = NULL;
    holos_hologram *h = calloc(1, sizeof *h);
    if (h == NULL || (h->path = strdup(path)) == NULL) {
        free(h);
        return error_system(err, "a hologram");
    }
    h->unpacked = UINT64_MAX;
    h->cache.limit = CACHE_BYTES;
    holos_status status = file_view_open(&h->view, path, err);
    if (status == HOLOS_OK)
        status = header_check(h, err);
    if (status == HOLOS_OK)
        status = variant_check(h, err);
    if (status == HOLOS_OK)
        status = index_check(h, err);
    if (status == HOLOS_OK)
        status = sections_check(h, err);
    if (status != HOLOS_OK) {
        holos_hologram_close(h);
        return status;
    }
    *out = h;
    return HOLOS_OK;
}

void holos_hologram_close(holos_hologram *h)
{
    if (h == NULL)
        return;
    if (h->view.data != NULL)
        file_view_close(&h->view);
    holos_close(h->v);
    hologram_cache_free(&h->cache, h->block_count);
    ZSTD_freeDCtx(h->zstd);
    free(h->entries);
    free(h->bytes);
    free(h->path);
    free(h);
}

void holos_hologram_keep(holos_hologram *h, size_t bytes)
{
    if (h != NULL)
        hologram_cache_limit(h, bytes);
}

const holos_variant *holos_hologram_variant(const holos_hologram *h)
{
    if (h == NULL)
        return NULL;
    return h->v;
}

/* ---- Blocks ------------------------------------------------------------------------------------ */

typedef struct cursor {
    const unsigned char *at, *end;
} cursor;

static bool varint_read(cursor *c, u128 *out)
{
    *out = 0;
    for (unsigned shift = 0; shift < 128 && c->at < c->end; shift += 7) {
        unsigned char byte = *c->at++;
        *out |= (u128)(byte & 127) << shift;
        if (byte < 128)
            return true;
    }
    return false;
}

static bool keys_read(cursor *c, holos_key first, hologram_entry *entries, uint32_t count)
{
    u128 key = key_number(first);
    for (uint32_t i = 0; i < count; i++) {
        u128 step = 0;
        if (i > 0 && (!varint_read(c, &step) || step == 0 || key + step < key))
            return false;
        key += step;
        entries[i].key = (holos_key){.hi = (uint64_t)(key >> 64), .lo = (uint64_t)key};
    }
    return true;
}

static bool node_is_sane(const holos_hologram *h, wave_node n)
{
    return n.flags != 0 && n.lo <= n.hi && n.lo >= h->v->score_min && n.hi <= h->v->score_max &&
           (n.source == HOLOS_SOURCE_NONE || holos_source_is_proof(n.source));
}

static bool columns_read(const holos_hologram *h, cursor *c, hologram_entry *entries, uint32_t count)
{
    if ((size_t)(c->end - c->at) < (size_t)count * 8)
        return false;
    const unsigned char *lo = c->at, *hi = lo + 2 * count, *depth = hi + 2 * count;
    const unsigned char *source = depth + 2 * count, *flags = source + count;
    for (uint32_t i = 0; i < count; i++) {
        wave_node n = {.source = source[i], .flags = flags[i] & (uint8_t)~NODE_OWN};
        memcpy(&n.lo, lo + 2 * i, 2);
        memcpy(&n.hi, hi + 2 * i, 2);
        memcpy(&n.depth, depth + 2 * i, 2);
        if (!node_is_sane(h, n))
            return false;
        entries[i].node = n;
        entries[i].position = NULL;
    }
    c->at = flags + count;
    return true;
}

static bool texts_read(cursor *c, hologram_entry *entries, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const unsigned char *end = memchr(c->at, 0, (size_t)(c->end - c->at));
        if (end == NULL)
            return false;
        entries[i].position = (const char *)c->at;
        c->at = end + 1;
    }
    return true;
}

static bool unpack_reserve(holos_hologram *h, size_t size)
{
    if (h->entries == NULL)
        h->entries = malloc(HOLOGRAM_BLOCK * sizeof *h->entries);
    if (h->bytes_room < size) {
        free(h->bytes);
        h->bytes = malloc(size);
        h->bytes_room = h->bytes != NULL ? size : 0;
    }
    if (h->zstd == NULL)
        h->zstd = ZSTD_createDCtx();
    return h->entries != NULL && h->bytes != NULL && h->zstd != NULL;
}

holos_status hologram_unpack(holos_hologram *h, uint64_t block, uint32_t *count, holos_error *err)
{
    const hologram_block *b = &h->blocks[block];
    *count = b->count;
    if (h->unpacked == block)
        return HOLOS_OK;
    h->unpacked = UINT64_MAX;
    if (!unpack_reserve(h, b->size > 0 ? b->size : 1))
        return error_system(err, "a block of a hologram");
    const unsigned char *stored = h->view.data + b->offset;
    if (XXH3_64bits(stored, b->stored) != b->checksum)
        return bad(h, err, "a block is damaged");
    size_t size = ZSTD_decompressDCtx(h->zstd, h->bytes, b->size, stored, b->stored);
    cursor c = {h->bytes, h->bytes + b->size};
    bool texts = (h->header->flags & HOLOGRAM_POSITIONS) != 0;
    if (ZSTD_isError(size) || size != b->size || !keys_read(&c, b->first, h->entries, b->count) ||
        !columns_read(h, &c, h->entries, b->count) || (texts && !texts_read(&c, h->entries, b->count)) ||
        c.at != c.end)
        return bad(h, err, "a block makes no sense");
    h->unpacked = block;
    return HOLOS_OK;
}

/* The last block that does not begin behind a key; UINT64_MAX: all do. The last one that was asked for is tried first. */
static uint64_t block_find(holos_hologram *h, holos_key key)
{
    uint64_t low = 0, high = h->block_count, last = h->asked;
    if (last < high && !holos_key_less(key, h->blocks[last].first) &&
        (last + 1 == high || holos_key_less(key, h->blocks[last + 1].first)))
        return last;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (holos_key_less(key, h->blocks[middle].first))
            high = middle;
        else
            low = middle + 1;
    }
    return h->asked = low - 1;
}

/* The last of some keys that is not above this one, or the first: without branches, which could not be foreseen. */
static uint32_t place_among(const uint64_t *keys, uint32_t count, uint64_t key)
{
    uint32_t at = 0;
    for (uint32_t half = count / 2; count > 1; half = count / 2) {
        at += keys[at + half] > key ? 0 : half;
        count -= half;
    }
    return at;
}

/* First among the tops, then in the group that follows, with what belongs to its keys: most of it is far from the processor. */
static uint32_t place_find(const hologram_cells *cells, uint32_t count, holos_key key)
{
    uint32_t at = 0;
    if (cells->hi == NULL) {
        uint32_t top = place_among(cells->tops, (count + HOLOGRAM_GROUP - 1) / HOLOGRAM_GROUP, key.lo);
        uint32_t first = top * HOLOGRAM_GROUP, left = count - first;
        const hologram_group *group = &cells->groups[top];
        for (size_t i = 0; i < sizeof *group; i += 64)
            __builtin_prefetch((const char *)group + i);
        return first + place_among(group->lo, left < HOLOGRAM_GROUP ? left : HOLOGRAM_GROUP, key.lo);
    }
    for (uint32_t half = count / 2; count > 1; half = count / 2) {
        uint32_t i = at + half;
        holos_key middle = {.hi = cells->hi[i],
                            .lo = cells->groups[i / HOLOGRAM_GROUP].lo[i % HOLOGRAM_GROUP]};
        at += holos_key_less(key, middle) ? 0 : half;
        count -= half;
    }
    return at;
}

/* The node of a key; *found says whether there is one. */
static holos_status node_find(holos_hologram *h, holos_key key, wave_node *out, bool *found, holos_error *err)
{
    const hologram_cells *cells;
    uint64_t block = block_find(h, key);
    *found = false;
    if (block == UINT64_MAX)
        return HOLOS_OK;
    holos_status status = hologram_cells_of(h, block, &cells, err);
    if (status != HOLOS_OK || (cells->hi == NULL && cells->upper != key.hi))
        return status;
    uint32_t at = place_find(cells, h->blocks[block].count, key);
    const hologram_group *group = &cells->groups[at / HOLOGRAM_GROUP];
    *found = group->lo[at % HOLOGRAM_GROUP] == key.lo && (cells->hi == NULL || cells->hi[at] == key.hi);
    *out = group->nodes[at % HOLOGRAM_GROUP];
    return HOLOS_OK;
}

/* ---- Questions --------------------------------------------------------------------------------- */

holos_key hologram_key(const holos_hologram *h, const holos_position *p)
{
    bool unfolded = (h->header->flags & HOLOGRAM_UNFOLDED) != 0;
    return unfolded ? h->v->game->identity(h->v, p) : h->v->game->key(h->v, p);
}

holos_status holos_hologram_query(holos_hologram *h, const holos_position *position, holos_value *out,
                                  holos_error *err)
{
    if (h == NULL || position == NULL || out == NULL)
        return error_null(err, __func__);
    int32_t banked = game_banked(h->v, position);
    *out = game_value_unknown(h->v);
    wave_node n;
    bool found;
    holos_status status = node_find(h, hologram_key(h, position), &n, &found, err);
    if (status != HOLOS_OK || !found)
        return status;
    out->lo = n.lo + banked;
    out->hi = n.hi + banked;
    out->source = n.source;
    const holos_search *search = h->v->game->search;
    if (n.source == HOLOS_SOURCE_RULES)
        out->distance = 0;
    else if (node_is_solved(n) && search != NULL && search->distance != NULL)
        out->distance = search->distance(h->v, position, out->lo);
    return HOLOS_OK;
}

/* The path that begins at a position, or NULL. */
static const hologram_path *path_find(const holos_hologram *h, holos_key key)
{
    const hologram_step *steps = h->sections[HOLOGRAM_STEPS];
    uint64_t low = 0, high = hologram_count(h, HOLOGRAM_STEPS);
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (holos_key_less(steps[middle].key, key))
            low = middle + 1;
        else
            high = middle;
    }
    if (low == hologram_count(h, HOLOGRAM_STEPS) || !holos_key_equal(steps[low].key, key))
        return NULL;
    return (const hologram_path *)h->sections[HOLOGRAM_PATHS] + steps[low].path;
}

typedef struct moves_view {
    holos_edge *edges;
    holos_position *children;
    uint32_t count;
} moves_view;

static bool moves_make(const holos_hologram *h, const holos_position *p, moves_view *m)
{
    m->edges = calloc(h->v->max_successors, sizeof *m->edges);
    m->children = aligned_alloc(16, h->v->max_successors * h->v->position_size);
    if (m->edges == NULL || m->children == NULL)
        return false;
    m->count = h->v->game->expand(h->v, p, (holos_edges){.edges = m->edges, .positions = m->children});
    return true;
}

static void moves_free(moves_view *m)
{
    free(m->edges);
    free(m->children);
}

/* The move of this position that leads to a position of that key: a spine passes through the position, or
 * through one that is symmetric to it. */
static bool move_towards(const holos_hologram *h, const moves_view *m, holos_key key, uint32_t *out)
{
    for (*out = 0; *out < m->count; ++*out)
        if (holos_key_equal(hologram_key(h, position_at(h->v, m->children, *out)), key))
            return true;
    return false;
}

size_t holos_hologram_spine(holos_hologram *h, const holos_position *position, holos_move *out, size_t most)
{
    if (h == NULL || position == NULL)
        return 0;
    size_t length = 0;
    holos_position *p = holos_position_new(h->v);
    const hologram_path *path = p != NULL ? path_find(h, hologram_key(h, position)) : NULL;
    if (path != NULL)
        memcpy(p, position, h->v->position_size);
    for (bool going = path != NULL; going && path->move != UINT32_MAX; path++) {
        moves_view m = {0};
        uint32_t index;
        going = moves_make(h, p, &m) && move_towards(h, &m, path[1].key, &index);
        if (going) {
            if (length < most)
                out[length] = m.edges[index].move;
            length++;
            memcpy(p, position_at(h->v, m.children, index), h->v->position_size);
        }
        moves_free(&m);
    }
    holos_position_free(p);
    return length;
}

/* What a move is sure to give, by the value behind it: as the file has it, as the rules say, and by what the game knows
 * without search. */
static holos_status move_least(holos_hologram *h, const holos_position *child, holos_edge edge,
                               int32_t *least, holos_error *err)
{
    holos_value value;
    const holos_search *search = h->v->game->search;
    if (!holos_terminal(h->v, child, &value)) {
        holos_status status = holos_hologram_query(h, child, &value, err);
        if (status != HOLOS_OK)
            return status;
        if (search != NULL && search->bounds != NULL) {
            int32_t banked = game_banked(h->v, child);
            value.lo -= banked;
            value.hi -= banked;
            search->bounds(h->v, child, &value.lo, &value.hi);
            value.lo += banked;
            value.hi += banked;
        }
    }
    *least = (edge.flags & HOLOS_EDGE_SAME_SIDE) != 0 ? value.lo : -value.hi;
    return HOLOS_OK;
}

holos_status holos_hologram_best(holos_hologram *h, const holos_position *position, holos_move *out,
                                 bool *found, holos_error *err)
{
    if (h == NULL || position == NULL || out == NULL || found == NULL)
        return error_null(err, __func__);
    *found = false;
    moves_view m = {0};
    holos_value value;
    holos_status status = holos_hologram_query(h, position, &value, err);
    if (status == HOLOS_OK && !moves_make(h, position, &m))
        status = error_system(err, "the moves of a position");
    for (uint32_t i = 0; status == HOLOS_OK && !*found && i < m.count && holos_value_is_solved(value); i++) {
        int32_t least = INT32_MIN;
        status = move_least(h, position_at(h->v, m.children, i), m.edges[i], &least, err);
        *found = status == HOLOS_OK && least >= value.hi;
        if (*found)
            *out = m.edges[i].move;
    }
    moves_free(&m);
    return status;
}

/* ---- Guesses ----------------------------------------------------------------------------------- */

static const hologram_class *class_find(const holos_hologram *h, uint64_t features)
{
    const hologram_class *classes = h->sections[HOLOGRAM_CLASSES];
    uint64_t low = 0, high = hologram_count(h, HOLOGRAM_CLASSES);
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (classes[middle].features < features)
            low = middle + 1;
        else
            high = middle;
    }
    bool there = low < hologram_count(h, HOLOGRAM_CLASSES) && classes[low].features == features;
    return there ? &classes[low] : NULL;
}

holos_status holos_hologram_guess(holos_hologram *h, const holos_position *position, holos_guess *out,
                                  bool *found, holos_error *err)
{
    if (h == NULL || position == NULL || out == NULL || found == NULL)
        return error_null(err, __func__);
    *found = false;
    *out = (holos_guess){0};
    const holos_hints *hints = h->v->game->hints;
    wave_node n;
    bool there;
    holos_status status = node_find(h, hologram_key(h, position), &n, &there, err);
    if (status != HOLOS_OK || !there || node_is_solved(n) || hints == NULL || hints->features == NULL)
        return status;
    const hologram_class *c = class_find(h, hints->features(h->v, position));
    if (c == NULL || c->broken != 0 || c->count < CLASS_QUORUM || c->value < n.lo || c->value > n.hi)
        return HOLOS_OK;
    holos_hologram_summary summary;
    holos_hologram_summary_get(h, &summary);
    *out = (holos_guess){.value = c->value + game_banked(h->v, position),
                         .source = HOLOS_SOURCE_CONJECTURE,
                         .confirmed = summary.statistics.equiv_confirmed,
                         .refuted = summary.statistics.equiv_refuted};
    *found = true;
    return HOLOS_OK;
}

void holos_hologram_summary_get(const holos_hologram *h, holos_hologram_summary *out)
{
    if (h == NULL || out == NULL)
        return;
    *out = (holos_hologram_summary){
        .entries = h->header->entries,
        .solved = h->header->solved,
        .spines = hologram_count(h, HOLOGRAM_SPINES),
        .meetings = hologram_count(h, HOLOGRAM_MEETINGS),
        .classes = hologram_count(h, HOLOGRAM_CLASSES),
        .seeds = hologram_count(h, HOLOGRAM_SEEDS),
        .mappings = hologram_count(h, HOLOGRAM_MAPPINGS),
        .rounds = hologram_count(h, HOLOGRAM_ROUNDS),
        .bytes = h->view.size,
    };
    const uint64_t *counters = h->sections[HOLOGRAM_COUNTERS];
    uint64_t count = hologram_count(h, HOLOGRAM_COUNTERS), i = 0;
#define COUNTER(name) out->statistics.name = i < count ? counters[i] : 0, i++;
    HOLOS_WAVE_COUNTERS(COUNTER)
#undef COUNTER
}

holos_status hologram_counts_check(holos_hologram *h, holos_error *err)
{
    uint64_t entries = 0, solved = 0;
    for (uint64_t block = 0; block < h->block_count; block++) {
        uint32_t count = 0;
        holos_status status = hologram_unpack(h, block, &count, err);
        if (status != HOLOS_OK)
            return status;
        entries += count;
        for (uint32_t i = 0; i < count; i++)
            solved += node_is_solved(h->entries[i].node);
        bool last = block + 1 == h->block_count;
        if (!last && count > 0 && !holos_key_less(h->entries[count - 1].key, h->blocks[block + 1].first))
            return bad(h, err, "blocks are out of order");
    }
    if (entries != h->header->entries || solved != h->header->solved)
        return bad(h, err, "the counts in the header do not match the entries");
    return HOLOS_OK;
}
