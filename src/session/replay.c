/* SPDX-License-Identifier: MIT */

#include "session/replay.h"

#include "core/list.h"

#include <stdlib.h>

/* A slot: the position, then this, then the numbers of the moves, then their shares. */
typedef struct slot_head {
    float value;
    uint32_t count;
} slot_head;

static size_t slot_moves(const replay *r)
{
    return r->v->position_size + sizeof(slot_head);
}

static size_t slot_shares(const replay *r)
{
    return slot_moves(r) + r->v->max_successors * sizeof(uint32_t);
}

bool replay_init(replay *r, const holos_variant *v, size_t capacity)
{
    *r = (replay){.v = v, .capacity = capacity};
    size_t size = slot_shares(r) + v->max_successors * sizeof(float);
    r->slot_size = (size + 15) & ~(size_t)15;
    if (capacity == 0)
        return true;
    r->slots = calloc(capacity, r->slot_size);
    return r->slots != NULL;
}

void replay_free(replay *r)
{
    free(r->slots);
    *r = (replay){0};
}

static unsigned char *slot_at(const replay *r, size_t index)
{
    return r->slots + index * r->slot_size;
}

/* The slot for the next sample. */
static unsigned char *slot_next(replay *r)
{
    size_t capacity = r->capacity;
    if (capacity == 0) {
        if (!LIST_RESERVE(r->slots, r->room, (r->count + 1) * r->slot_size))
            return NULL;
        return slot_at(r, r->count++);
    }
    unsigned char *slot = slot_at(r, r->next);
    r->next = (r->next + 1) % capacity;
    r->count += r->count < capacity;
    return slot;
}

bool replay_add(replay *r, const zeno_sample *sample)
{
    unsigned char *slot = slot_next(r);
    if (slot == NULL)
        return false;
    slot_head head = {.value = sample->value, .count = sample->count};
    memset(slot, 0, r->slot_size);
    memcpy(slot, sample->position, r->v->position_size);
    memcpy(slot + r->v->position_size, &head, sizeof head);
    memcpy(slot + slot_moves(r), sample->moves, sample->count * sizeof *sample->moves);
    memcpy(slot + slot_shares(r), sample->shares, sample->count * sizeof *sample->shares);
    return true;
}

void replay_add_all(replay *r, const replay *from)
{
    for (size_t i = 0; i < from->count; i++) {
        unsigned char *slot = slot_next(r);
        if (slot != NULL)
            memcpy(slot, slot_at(from, i), r->slot_size);
    }
}

/* ---- Files ------------------------------------------------------------------------------------- */

void replay_write(const replay *r, text *out)
{
    uint64_t count = r->count;
    text_bytes(out, (const char *)&count, sizeof count);
    for (size_t i = 0; i < r->count; i++) {
        const unsigned char *slot = slot_at(r, i);
        slot_head head;
        memcpy(&head, slot + r->v->position_size, sizeof head);
        text_bytes(out, (const char *)slot, slot_moves(r));
        text_bytes(out, (const char *)slot + slot_moves(r), head.count * sizeof(uint32_t));
        text_bytes(out, (const char *)slot + slot_shares(r), head.count * sizeof(float));
    }
}

static bool sample_read(replay *r, uint32_t policy, const unsigned char **at, const unsigned char *end)
{
    slot_head head;
    if ((size_t)(end - *at) < slot_moves(r))
        return false;
    memcpy(&head, *at + r->v->position_size, sizeof head);
    size_t moves = head.count * sizeof(uint32_t), shares = head.count * sizeof(float);
    if (head.count > r->v->max_successors || (size_t)(end - *at) < slot_moves(r) + moves + shares)
        return false;
    unsigned char *slot = slot_next(r);
    if (slot == NULL)
        return false;
    memset(slot, 0, r->slot_size);
    memcpy(slot, *at, slot_moves(r));
    memcpy(slot + slot_moves(r), *at + slot_moves(r), moves);
    memcpy(slot + slot_shares(r), *at + slot_moves(r) + moves, shares);
    *at += slot_moves(r) + moves + shares;
    for (uint32_t i = 0; i < head.count; i++) {
        uint32_t move;
        memcpy(&move, slot + slot_moves(r) + i * sizeof move, sizeof move);
        if (move >= policy)
            return false;
    }
    return true;
}

bool replay_read(replay *r, const unsigned char **at, const unsigned char *end)
{
    holos_net_shape shape;
    uint64_t count;
    r->v->game->net->shape(r->v, &shape);
    if ((size_t)(end - *at) < sizeof count)
        return false;
    memcpy(&count, *at, sizeof count);
    *at += sizeof count;
    if (r->capacity > 0 && count > r->capacity)
        return false;
    r->count = r->next = 0;
    for (uint64_t i = 0; i < count; i++)
        if (!sample_read(r, shape.policy, at, end))
            return false;
    return true;
}

/* ---- Batches ----------------------------------------------------------------------------------- */

static void board_write(const replay *r, const unsigned char *slot, uint32_t symmetry, size_t stride,
                        holos_position *turned, float *planes, float *policy, float *value)
{
    const holos_net *view = r->v->game->net;
    slot_head head;
    memcpy(&head, slot + r->v->position_size, sizeof head);
    memcpy(turned, slot, r->v->position_size);
    if (symmetry > 0)
        view->image(r->v, symmetry, (const holos_position *)slot, turned);
    view->planes(r->v, turned, planes, stride);
    for (uint32_t i = 0; i < head.count; i++) {
        uint32_t move;
        float share;
        memcpy(&move, slot + slot_moves(r) + i * sizeof move, sizeof move);
        memcpy(&share, slot + slot_shares(r) + i * sizeof share, sizeof share);
        policy[symmetry > 0 ? view->image_policy(r->v, symmetry, move) : move] = share;
    }
    *value = head.value;
}

void replay_draw(const replay *r, rng *random, size_t count, const net_layout *at, float *planes,
                 float *policy, float *values)
{
    holos_net_shape shape;
    r->v->game->net->shape(r->v, &shape);
    size_t board = (size_t)shape.height * shape.width * at->planes;
    _Alignas(16) unsigned char turned[4096];
    memset(planes, 0, count * board * sizeof *planes);
    memset(policy, 0, count * at->logits * sizeof *policy);
    for (size_t i = 0; i < count; i++) {
        const unsigned char *slot = slot_at(r, rng_below(random, r->count));
        uint32_t symmetry = (uint32_t)rng_below(random, shape.symmetries);
        board_write(r, slot, symmetry, at->planes, (holos_position *)turned, planes + i * board,
                    policy + i * at->logits, values + i);
    }
}
