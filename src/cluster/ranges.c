/* SPDX-License-Identifier: MIT */

#include "cluster/ranges.h"

#include "cluster/exchange.h"
#include "core/assert.h"

#include <stdlib.h>
#include <string.h>

/* Blocks of a rank in a step. A hash has spread the records, so those of rank 0 tell how all of them lie: it says where each range ends, by so many
 * of its own, and about as many come from every other rank. */
#define BLOCKS_EACH 4

/* What rank 0 says of a step, and then the two words of the last key of each range. */
enum { SAY_LAST, SAY_FAILED, SAY_BOUNDS };

typedef struct ranges {
    const ranges_request *q;
    holos_cluster *c;
    mem_budget *budget;
    exchange records, bytes; /* to those who pack, to rank 0 */
    uint64_t *said;          /* of the step that has begun */
    uint64_t *begins;        /* where each range of it begins, and the end of all */
    record_box own;          /* records of this rank for the step, in order */
    record_box *lists;       /* what has come from each rank */
    record_box spare;
    uint64_t fresh; /* rank 0: records since the last step */
    bool begun;     /* a step has */
    bool failed;    /* some rank has: all know */
    holos_status status;
    holos_error error; /* of this rank */
} ranges;

static void ranges_fail(ranges *r, holos_status status, const holos_error *err)
{
    if (r->status != HOLOS_OK || status == HOLOS_OK)
        return;
    r->status = status;
    r->error = *err;
}

static bool box_append(ranges *r, record_box *b, const void *bytes, size_t size)
{
    holos_error err;
    if (!box_reserve(r->budget, b, b->size + size)) {
        ranges_fail(r, error_system(&err, "sorted records"), &err);
        return false;
    }
    if (size > 0)
        memcpy(b->bytes + b->size, bytes, size);
    b->size += size;
    return true;
}

static holos_key key_at(const ranges *r, const record_box *b, uint64_t index)
{
    holos_key key;
    memcpy(&key, b->bytes + index * r->q->record, sizeof key);
    return key;
}

static holos_key bound_of(const ranges *r, unsigned range)
{
    const uint64_t *words = r->said + SAY_BOUNDS + (size_t)2 * range;
    return (holos_key){.hi = words[0], .lo = words[1]};
}

/* ---- A step ------------------------------------------------------------------------------------ */

/* Rank 0 says where the ranges of the next step end; all ranks together. */
static void step_begin(ranges *r, bool last)
{
    size_t ranks = r->c->ranks, words = SAY_BOUNDS + 2 * ranks;
    uint64_t count = r->own.size / r->q->record;
    memset(r->said, 0, words * sizeof *r->said);
    if (r->c->rank == 0) {
        r->said[SAY_LAST] = last;
        r->said[SAY_FAILED] = r->status != HOLOS_OK;
        for (size_t i = 0; i < ranks; i++) {
            uint64_t end = (i + 1) * count / ranks;
            holos_key bound = end > 0 ? key_at(r, &r->own, end - 1) : (holos_key){0};
            r->said[SAY_BOUNDS + 2 * i] = bound.hi;
            r->said[SAY_BOUNDS + 2 * i + 1] = bound.lo;
        }
        r->fresh = 0;
    }
    cluster_sum(r->c, r->said, words); /* the others say nothing */
    r->begun = true;
    r->failed |= r->said[SAY_FAILED] != 0 || cluster_broken(r->c);
}

/* What was put goes to where it belongs, and into r->lists: what has come from each rank, and this one's own. */
static void records_move(ranges *r, exchange *x)
{
    record_box *mine = &r->lists[r->c->rank], swap = *mine;
    for (unsigned i = 0; i < r->c->ranks; i++)
        r->lists[i].size = 0;
    *mine = x->own;
    x->own = swap;
    x->own.size = 0;
    do {
        exchange_begin(x, 0, r->status != HOLOS_OK);
        exchange_end(x);
        for (unsigned i = 0; x->in.size > 0 && i < r->c->ranks; i++)
            box_append(r, &r->lists[i], x->in.bytes + x->move.in_at[i], (size_t)x->move.in_sizes[i]);
        r->failed |= x->failed;
    } while (x->unfinished > 0 && !r->failed);
    if (x->no_memory) {
        holos_error err;
        ranges_fail(r, error_system(&err, "sorted records"), &err);
    }
}

static void own_send(ranges *r)
{
    uint64_t count = r->own.size / r->q->record;
    unsigned range = 0, last = r->c->ranks - 1;
    for (uint64_t i = 0; i < count; i++) {
        while (range < last && holos_key_less(bound_of(r, range), key_at(r, &r->own, i)))
            range++;
        exchange_put(&r->records, range, (const uint32_t *)(const void *)(r->own.bytes + i * r->q->record));
    }
    r->own.size = 0;
    records_move(r, &r->records);
}

/* Two sorted lists into the first one. */
static void lists_merge_two(ranges *r, record_box *a, record_box *b)
{
    size_t record = r->q->record;
    const unsigned char *at[] = {a->bytes, b->bytes}, *end[] = {at[0] + a->size, at[1] + b->size};
    if (b->size == 0)
        return;
    if (!box_reserve(r->budget, &r->spare, a->size + b->size)) {
        holos_error err;
        ranges_fail(r, error_system(&err, "sorted records"), &err);
        return;
    }
    unsigned char *to = r->spare.bytes;
    r->spare.size = a->size + b->size;
    while (at[0] != end[0] && at[1] != end[1]) {
        holos_key keys[2];
        memcpy(&keys[0], at[0], sizeof keys[0]);
        memcpy(&keys[1], at[1], sizeof keys[1]);
        unsigned which = holos_key_less(keys[1], keys[0]);
        memcpy(to, at[which], record);
        at[which] += record;
        to += record;
    }
    for (unsigned i = 0; i < 2; i++) {
        size_t left = (size_t)(end[i] - at[i]);
        if (left > 0)
            memcpy(to, at[i], left);
        to += left;
    }
    record_box swap = *a;
    *a = r->spare;
    r->spare = swap;
}

/* All lists into the first one. */
static void lists_merge(ranges *r)
{
    for (unsigned step = 1; step < r->c->ranks; step *= 2)
        for (unsigned i = 0; i + step < r->c->ranks; i += 2 * step)
            lists_merge_two(r, &r->lists[i], &r->lists[i + step]);
}

/* Where the ranges of all ranks begin in the step; a step begins with a block. */
static uint64_t ranges_count(ranges *r, uint64_t mine)
{
    const uint64_t *all = cluster_each(r->c, mine);
    uint64_t total = 0;
    for (unsigned i = 0; i < r->c->ranks; i++) {
        r->begins[i] = total;
        total += all[i];
    }
    return r->begins[r->c->ranks] = total;
}

/* The rank whose range has a place of the step. */
static unsigned range_of(const ranges *r, uint64_t place)
{
    unsigned range = 0;
    while (r->begins[range + 1] <= place)
        range++;
    return range;
}

/* From what has come to whole blocks: what belongs to a block that begins in an earlier range goes there, and what belongs to none that is whole waits for the
 * next step. Leaves the records to be packed in the first list, from *from on. */
static void blocks_make(ranges *r, size_t *from)
{
    record_box *got = &r->lists[0], kept;
    size_t record = r->q->record, block = r->q->block;
    uint64_t count = got->size / record, total = ranges_count(r, count);
    uint64_t whole = r->said[SAY_LAST] != 0 ? total : total - total % block, begin = r->begins[r->c->rank];
    uint64_t end = whole <= begin ? 0 : whole - begin < count ? whole - begin : count;
    uint64_t head = (block - begin % block) % block;
    head = head < end ? head : end;
    box_append(r, &r->own, got->bytes + end * record, (size_t)(count - end) * record);
    unsigned packer = head > 0 ? range_of(r, begin - begin % block) : 0;
    for (uint64_t i = 0; i < head; i++)
        exchange_put(&r->records, packer, (const uint32_t *)(const void *)(got->bytes + i * record));
    kept = *got;
    *got = (record_box){0};
    records_move(r, &r->records);
    kept.size = end * record;
    for (unsigned i = 0; i < r->c->ranks; i++) /* ranges that follow, in order */
        box_append(r, &kept, r->lists[i].bytes, r->lists[i].size);
    box_free(r->budget, got);
    *got = kept;
    *from = head * record;
}

static void blocks_pack(ranges *r, size_t from)
{
    const ranges_request *q = r->q;
    const record_box *b = &r->lists[0];
    size_t count = (b->size - from) / q->record;
    holos_error err;
    for (size_t i = 0; i < count && r->status == HOLOS_OK; i += q->block) {
        size_t some = count - i < q->block ? count - i : q->block, size = 0;
        if (!box_reserve(r->budget, &r->spare, q->room)) {
            ranges_fail(r, error_system(&err, "a packed block"), &err);
            break;
        }
        assert(some == q->block || r->said[SAY_LAST] != 0);
        ranges_fail(
            r, q->pack(q->context, b->bytes + from + i * q->record, some, r->spare.bytes, &size, &err), &err);
        for (size_t at = 0; r->status == HOLOS_OK && at < size; at += sizeof(uint32_t))
            exchange_put(&r->bytes, 0, (const uint32_t *)(const void *)(r->spare.bytes + at));
    }
}

/* All ranks together, as is all in it. */
static void step_run(ranges *r)
{
    const ranges_request *q = r->q;
    size_t from = 0;
    holos_error err;
    own_send(r);
    if (r->failed)
        return;
    lists_merge(r);
    blocks_make(r, &from);
    if (r->failed)
        return;
    if (r->status == HOLOS_OK)
        blocks_pack(r, from);
    records_move(r, &r->bytes);
    for (unsigned i = 0; r->c->rank == 0 && !r->failed && r->status == HOLOS_OK && i < r->c->ranks; i++)
        if (r->lists[i].size > 0)
            ranges_fail(r, q->take(q->context, r->lists[i].bytes, r->lists[i].size, &err), &err);
}

/* ---- All of it --------------------------------------------------------------------------------- */

static bool is_beyond(const ranges *r, const void *record)
{
    holos_key key;
    memcpy(&key, record, sizeof key);
    return r->said[SAY_LAST] == 0 && holos_key_less(bound_of(r, r->c->ranks - 1), key);
}

/* The records of this rank come; whoever has all of a step waits for the others. */
static holos_status records_take(void *context, const void *records, size_t count, holos_error *err)
{
    ranges *r = context;
    const unsigned char *at = records;
    if (r->c->rank > 0 && !r->begun) /* not before: all ranks sort at the same time */
        step_begin(r, false);
    for (size_t i = 0; i < count && !r->failed && r->status == HOLOS_OK; i++, at += r->q->record) {
        while (r->c->rank > 0 && !r->failed && is_beyond(r, at)) {
            step_run(r);
            if (!r->failed)
                step_begin(r, false);
        }
        if (r->failed || !box_append(r, &r->own, at, r->q->record) || r->c->rank > 0)
            continue;
        if (++r->fresh == BLOCKS_EACH * r->q->block) {
            step_begin(r, false);
            if (!r->failed)
                step_run(r);
        }
    }
    if (r->failed || r->status != HOLOS_OK)
        return error_set(err, HOLOS_INTERRUPTED, HOLOS_NOWHERE, "sorting was given up");
    return HOLOS_OK;
}

static void ranges_run(ranges *r)
{
    holos_error err = {0};
    holos_status status = r->q->give(r->q->from, records_take, r, &err);
    if (r->failed)
        return;
    ranges_fail(r, status, &err);
    if (r->c->rank == 0 || !r->begun)
        step_begin(r, true);
    while (!r->failed) {
        bool last = r->said[SAY_LAST] != 0;
        step_run(r);
        if (last)
            break;
        if (!r->failed)
            step_begin(r, false);
    }
}

/* What can be known is asked for before sorting takes what is left of the budget. */
static holos_status ranges_open(ranges *r, holos_error *err)
{
    unsigned n = r->c->ranks;
    size_t each = (BLOCKS_EACH + 1) * r->q->block * r->q->record;
    r->said = calloc(SAY_BOUNDS + 2 * (size_t)n, sizeof *r->said);
    r->begins = calloc((size_t)n + 1, sizeof *r->begins);
    r->lists = calloc(n, sizeof *r->lists);
    if (r->said == NULL || r->begins == NULL || r->lists == NULL || !box_reserve(r->budget, &r->own, each) ||
        !box_reserve(r->budget, &r->spare, each) || !box_reserve(r->budget, &r->lists[0], each))
        return error_system(err, "sorted records");
    holos_status status = exchange_init(&r->records, r->c, r->budget, r->q->record, err);
    return status == HOLOS_OK ? exchange_init(&r->bytes, r->c, r->budget, sizeof(uint32_t), err) : status;
}

static void ranges_close(ranges *r)
{
    exchange_free(&r->records);
    exchange_free(&r->bytes);
    for (unsigned i = 0; r->lists != NULL && i < r->c->ranks; i++)
        box_free(r->budget, &r->lists[i]);
    box_free(r->budget, &r->own);
    box_free(r->budget, &r->spare);
    free(r->lists);
    free(r->begins);
    free(r->said);
}

holos_status cluster_ranges(holos_cluster *c, mem_budget *budget, const ranges_request *q, holos_error *err)
{
    ranges r = {.q = q, .c = c, .budget = budget};
    holos_status status = holos_cluster_agree(c, ranges_open(&r, err), err);
    if (status == HOLOS_OK) {
        ranges_run(&r);
        *err = r.error;
        status = holos_cluster_agree(c, r.status, err);
    }
    ranges_close(&r);
    return status;
}
