/* SPDX-License-Identifier: MIT */

/* The nodes of a wave in the order of their keys, as a hologram has them. */

#include "engine/wave/hologram_format.h"
#include "engine/wave/sorted.h"

#define SORT_LEAST ((size_t)32 << 20) /* bytes to sort with, however full the memory is */

typedef struct entry_writer {
    const holos_wave *w;
    hologram_writer *out;
    save_patience *patience;
} entry_writer;

bool wave_entry_write(const holos_wave *w, const uint64_t *words, const void *position, unsigned whole,
                      hologram_writer *out)
{
    unsigned count = sorted_words(&w->nodes);
    char shown[HOLOGRAM_TEXT_MOST];
    hologram_entry entry = {.key = sorted_key(words, count), .node = node_load(words + count - 1)};
    if (w->edges != NULL) { /* numbers are nobody else's business */
        entry.node.lo = (int16_t)w->v->score_min;
        entry.node.hi = (int16_t)w->v->score_max;
    }
    if (w->classes == NULL)
        entry.node.flags &= (uint8_t) ~(NODE_CONJECTURE | NODE_IN_CLASS);
    if (entry.node.depth < whole)
        entry.node.flags |= NODE_EXPANDED;
    if (w->nodes.position_size > 0) {
        holos_format(w->v, position, shown, sizeof shown);
        entry.position = shown;
    }
    return hologram_add(out, &entry);
}

static bool entries_are_late(void *context)
{
    const entry_writer *e = context;
    return save_is_late(e->w, e->patience);
}

static holos_status entries_write(void *context, const uint64_t *entries, size_t count, holos_error *err)
{
    const entry_writer *e = context;
    const holos_wave *w = e->w;
    unsigned words = sorted_words(&w->nodes);
    for (size_t i = 0; i < count; i++, entries += words) {
        const void *position =
            w->nodes.position_size > 0 ? nodes_position(&w->nodes, sorted_key(entries, words)) : NULL;
        if (!wave_entry_write(w, entries, position, e->patience->whole, e->out))
            return HOLOS_IO; /* the writer knows more */
    }
    return entries_are_late(context) ? error_set(err, HOLOS_INTERRUPTED, HOLOS_NOWHERE, "interrupted")
                                     : HOLOS_OK;
}

holos_status wave_entries_write(const holos_wave *w, hologram_writer *out, save_patience *patience,
                                holos_error *err)
{
    entry_writer e = {.w = w, .out = out, .patience = patience};
    sorted_request q = {.nodes = &w->nodes,
                        .threads = w->threads,
                        .least = SORT_LEAST,
                        .take = entries_write,
                        .late = entries_are_late,
                        .context = &e};
    return nodes_sorted(&q, err);
}
