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

static holos_status entries_write(void *context, const uint64_t *entries, size_t count, holos_error *err)
{
    const entry_writer *e = context;
    const holos_wave *w = e->w;
    unsigned words = sorted_words(&w->nodes);
    uint8_t flags = w->classes == NULL ? (uint8_t) ~(NODE_CONJECTURE | NODE_IN_CLASS) : UINT8_MAX;
    char shown[HOLOGRAM_TEXT_MOST];
    for (size_t i = 0; i < count; i++, entries += words) {
        hologram_entry entry = {.key = sorted_key(entries, words), .node = node_load(entries + words - 1)};
        if (w->edges != NULL) { /* numbers are nobody else's business */
            entry.node.lo = (int16_t)w->v->score_min;
            entry.node.hi = (int16_t)w->v->score_max;
        }
        entry.node.flags &= flags;
        if (entry.node.depth < e->patience->whole)
            entry.node.flags |= NODE_EXPANDED;
        if (w->nodes.position_size > 0) {
            holos_format(w->v, nodes_position(&w->nodes, entry.key), shown, sizeof shown);
            entry.position = shown;
        }
        if (!hologram_add(e->out, &entry))
            return HOLOS_IO; /* the writer knows more */
    }
    return save_is_late(w, e->patience) ? error_set(err, HOLOS_INTERRUPTED, HOLOS_NOWHERE, "interrupted")
                                        : HOLOS_OK;
}

holos_status wave_entries_write(const holos_wave *w, hologram_writer *out, save_patience *patience,
                                holos_error *err)
{
    entry_writer e = {.w = w, .out = out, .patience = patience};
    return nodes_sorted(&w->nodes, w->threads, SORT_LEAST, entries_write, &e, err);
}
