/* SPDX-License-Identifier: MIT */

/* What a hologram holds besides values: seeds, frontiers, spines, and the history of sessions. */

#include "engine/wave/hologram_format.h"

#include <stdlib.h>

static const char *const phase_names[] = {"init", "lightning", "wave", "crystal", "complete"};

const char *holos_phase_name(holos_phase phase)
{
    return (unsigned)phase <= HOLOS_PHASE_COMPLETE ? phase_names[phase] : "";
}

/* ---- Positions --------------------------------------------------------------------------------- */

/* The text of a position that is kept with its key, or NULL. */
static const char *position_kept(holos_hologram *h, holos_key key)
{
    uint64_t low = 0, high = h->block_count;
    uint32_t count;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (holos_key_less(key, h->blocks[middle].first))
            high = middle;
        else
            low = middle + 1;
    }
    if (low == 0 || hologram_unpack(h, low - 1, &count, NULL) != HOLOS_OK)
        return NULL;
    for (uint32_t i = 0; i < count; i++)
        if (holos_key_equal(h->entries[i].key, key))
            return h->entries[i].position;
    return NULL;
}

bool hologram_position(holos_hologram *h, holos_key key, holos_position *out)
{
    const holos_game *game = h->v->game;
    bool unfolded = (h->header->flags & HOLOGRAM_UNFOLDED) != 0;
    void (*from_key)(const holos_variant *, holos_key, holos_position *) =
        unfolded ? game->from_identity : game->from_key;
    char shown[HOLOGRAM_TEXT_MOST];
    const char *read = shown;
    if (from_key == NULL) {
        read = position_kept(h, key);
    } else {
        from_key(h->v, key, out);
        if (!holos_key_equal(hologram_key(h, out), key) ||
            holos_format(h->v, out, shown, sizeof shown) >= sizeof shown)
            return false;
    }
    return read != NULL && holos_parse(h->v, read, out, NULL) == HOLOS_OK &&
           holos_key_equal(hologram_key(h, out), key);
}

/* The cursor is a block, and an entry of it. */
holos_status holos_hologram_walk(holos_hologram *h, holos_cursor *at, holos_position *positions,
                                 size_t capacity, size_t *count, holos_error *err)
{
    if (h == NULL || at == NULL || positions == NULL || count == NULL)
        return error_null(err, __func__);
    *count = 0;
    while (*count < capacity && at->at[0] < h->block_count) {
        uint32_t entries;
        holos_status status = hologram_unpack(h, at->at[0], &entries, err);
        if (status != HOLOS_OK)
            return status;
        if (at->at[1] >= entries) {
            *at = (holos_cursor){.at = {at->at[0] + 1}};
            continue;
        }
        holos_key key = h->entries[at->at[1]++].key;
        if (!hologram_position(h, key, position_at(h->v, positions, *count)))
            return error_set(err, HOLOS_BAD_FILE, HOLOS_NOWHERE, "an entry of a hologram is no position");
        ++*count;
    }
    return HOLOS_OK;
}

static bool seed_give(holos_hologram *h, const hologram_seed *seed, holos_wave_seed *out,
                      holos_position *position)
{
    *out = (holos_wave_seed){.position = position,
                             .direction = seed->direction,
                             .mode = seed->mode,
                             .priority = seed->priority,
                             .depth = seed->depth};
    return hologram_position(h, seed->key, position);
}

bool holos_hologram_seed_at(holos_hologram *h, uint64_t index, holos_wave_seed *out, holos_position *position)
{
    if (h == NULL || out == NULL || position == NULL || index >= hologram_count(h, HOLOGRAM_SEEDS))
        return false;
    return seed_give(h, (const hologram_seed *)h->sections[HOLOGRAM_SEEDS] + index, out, position);
}

/* ---- Frontiers --------------------------------------------------------------------------------- */

static const hologram_mapping *mapping_at(const holos_hologram *h, uint64_t index)
{
    return index < hologram_count(h, HOLOGRAM_MAPPINGS)
               ? (const hologram_mapping *)h->sections[HOLOGRAM_MAPPINGS] + index
               : NULL;
}

bool holos_hologram_frontier_at(const holos_hologram *h, uint64_t index, holos_frontier *out)
{
    const hologram_mapping *m = h != NULL && out != NULL ? mapping_at(h, index) : NULL;
    if (m == NULL)
        return false;
    *out = (holos_frontier){.seeds = m->seed_count,
                            .depth = m->depth,
                            .positions = m->count,
                            .digest = m->digest,
                            .known = (m->flags & MAPPING_KNOWN) != 0};
    return true;
}

bool holos_hologram_frontier_seed_at(holos_hologram *h, uint64_t frontier, uint64_t index,
                                     holos_wave_seed *out, holos_position *position)
{
    const hologram_mapping *m = h != NULL && out != NULL && position != NULL ? mapping_at(h, frontier) : NULL;
    if (m == NULL || index >= m->seed_count)
        return false;
    return seed_give(h, (const hologram_seed *)h->sections[HOLOGRAM_MAPPED] + m->first + index, out,
                     position);
}

/* ---- Spines ------------------------------------------------------------------------------------ */

size_t holos_hologram_spine_at(holos_hologram *h, uint64_t index, holos_position *begin, holos_move *out,
                               size_t most)
{
    if (h == NULL || begin == NULL || index >= hologram_count(h, HOLOGRAM_SPINES))
        return 0;
    const hologram_spine *spine = (const hologram_spine *)h->sections[HOLOGRAM_SPINES] + index;
    const hologram_path *path = (const hologram_path *)h->sections[HOLOGRAM_PATHS] + spine->first;
    if (!hologram_position(h, path->key, begin))
        return 0;
    return holos_hologram_spine(h, begin, out, most);
}

/* Follows proved moves as long as there are some; the position moves along. */
static holos_status line_follow(holos_hologram *h, holos_position *p, holos_move *out, size_t most,
                                size_t *length, holos_error *err)
{
    holos_value end;
    bool found = true;
    holos_status status = HOLOS_OK;
    while (status == HOLOS_OK && !holos_terminal(h->v, p, &end)) {
        holos_move move;
        status = holos_hologram_best(h, p, &move, &found, err);
        if (status != HOLOS_OK || !found || *length >= UINT16_MAX)
            break;
        if (*length < most)
            out[*length] = move;
        ++*length;
        h->v->game->play(h->v, p, move, p);
    }
    return status;
}

holos_status holos_hologram_line(holos_hologram *h, const holos_position *position, holos_move *out,
                                 size_t most, size_t *length, bool *recorded, holos_error *err)
{
    holos_value value;
    if (h == NULL || position == NULL || length == NULL || recorded == NULL || (out == NULL && most > 0))
        return error_null(err, __func__);
    *length = 0;
    *recorded = false;
    holos_status status = holos_hologram_query(h, position, &value, err);
    if (status != HOLOS_OK || !holos_value_is_solved(value))
        return status;
    *length = holos_hologram_spine(h, position, out, most);
    *recorded = *length > 0;
    if (*recorded)
        return HOLOS_OK;
    holos_position *p = holos_position_new(h->v);
    if (p == NULL)
        return error_system(err, "a position");
    memcpy(p, position, h->v->position_size);
    status = line_follow(h, p, out, most, length, err);
    holos_position_free(p);
    return status;
}

/* ---- Sessions ---------------------------------------------------------------------------------- */

static const hologram_round *round_at(const holos_hologram *h, uint64_t index)
{
    return index < hologram_count(h, HOLOGRAM_ROUNDS)
               ? (const hologram_round *)h->sections[HOLOGRAM_ROUNDS] + index
               : NULL;
}

bool holos_hologram_round_at(const holos_hologram *h, uint64_t index, holos_round *out)
{
    const hologram_round *r = h != NULL && out != NULL ? round_at(h, index) : NULL;
    if (r == NULL)
        return false;
    *out = (holos_round){.session = r->session,
                         .number = r->number,
                         .phase = (holos_phase)r->phase,
                         .seeds = r->seed_count,
                         .batches = r->batches,
                         .lost = r->lost,
                         .expanded = r->expanded,
                         .reached = r->reached,
                         .solved = r->solved,
                         .spines = r->spines,
                         .meetings = r->meetings,
                         .positions = r->positions,
                         .all_solved = r->all_solved};
    return true;
}

bool holos_hologram_round_seed_at(holos_hologram *h, uint64_t round, uint64_t index, holos_wave_seed *out,
                                  holos_position *position)
{
    const hologram_round *r = h != NULL && out != NULL && position != NULL ? round_at(h, round) : NULL;
    if (r == NULL || index >= r->seed_count)
        return false;
    return seed_give(h, (const hologram_seed *)h->sections[HOLOGRAM_ROUND_SEEDS] + r->first + index, out,
                     position);
}

bool holos_hologram_mode_success(const holos_hologram *h, holos_wave_mode mode, holos_mode_success *out)
{
    if (h == NULL || out == NULL)
        return false;
    const hologram_outcome *outcomes = h->sections[HOLOGRAM_OUTCOMES];
    *out = (holos_mode_success){0};
    for (uint64_t i = 0; i < hologram_count(h, HOLOGRAM_OUTCOMES); i++)
        if (outcomes[i].mode == (uint64_t)mode) {
            out->tries += outcomes[i].tries;
            out->wins += outcomes[i].wins;
            out->gain += outcomes[i].gain;
            out->cost += outcomes[i].cost;
            out->features++;
        }
    return out->tries > 0;
}
