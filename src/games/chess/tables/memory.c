/* SPDX-License-Identifier: MIT */

#include "games/chess/tables/memory.h"

#include "games/chess/tables/generate.h"

#include <stdlib.h>
#include <string.h>

#define TABLES_MOST 256
#define SLOTS       1024 /* of the hash table of keys: both colours */
#define MANY        64   /* positions whose bytes are fetched together */

typedef struct memory_table {
    tb_layout layout;
    uint64_t size;
    uint8_t *classes[2]; /* by side to move */
} memory_table;

struct memory_tables {
    index_maps maps;
    mem_budget *budget;
    memory_table tables[TABLES_MOST];
    size_t count;
    tb_key slot_keys[SLOTS];
    uint16_t slots[SLOTS]; /* a table + 1 */
    tb_table *made;        /* while they are being made */
    size_t made_count;
};

static inline unsigned slot_of(tb_key key)
{
    return (unsigned)((key * UINT64_C(0x9E3779B97F4A7C15)) >> 54);
}

static inline const memory_table *memory_find(const memory_tables *m, tb_key key)
{
    unsigned slot = slot_of(key);
    while (m->slots[slot] != 0) {
        if (m->slot_keys[slot] == key)
            return &m->tables[m->slots[slot] - 1];
        slot = (slot + 1) % SLOTS;
    }
    return NULL;
}

static void slot_set(memory_tables *m, tb_key key, size_t table)
{
    unsigned slot = slot_of(key);
    while (m->slots[slot] != 0 && m->slot_keys[slot] != key)
        slot = (slot + 1) % SLOTS;
    m->slots[slot] = (uint16_t)(table + 1);
    m->slot_keys[slot] = key;
}

/* ---- Making them ------------------------------------------------------------------------------- */

static const tb_table *made_find(void *context, tb_key key)
{
    memory_tables *m = context;
    for (size_t i = 0; i < m->made_count; i++)
        if (m->made[i].layout.key == key)
            return &m->made[i];
    return NULL;
}

static holos_status table_keep(memory_tables *m, const tb_table *t, holos_error *err)
{
    memory_table *kept = &m->tables[m->count];
    *kept = (memory_table){.layout = t->layout, .size = t->size};
    uint8_t *block = mem_alloc(m->budget, 2 * t->size);
    if (block == NULL)
        return mem_error(err, m->budget, 2 * t->size, "a table in memory");
    for (unsigned side = 0; side < 2; side++) {
        kept->classes[side] = block + side * t->size;
        for (uint64_t i = 0; i < t->size; i++)
            kept->classes[side][i] = (uint8_t)class_of(t->mate[side][i], t->distance[side][i]);
    }
    slot_set(m, t->layout.key, m->count);
    slot_set(m, key_flip(t->layout.key), m->count);
    m->count++;
    return HOLOS_OK;
}

static holos_status tables_make(memory_tables *m, const tb_key *keys, size_t count, pool *workers,
                                holos_error *err)
{
    holos_status status = HOLOS_OK;
    for (size_t i = 0; status == HOLOS_OK && i < count; i++) {
        tb_table *t = &m->made[m->made_count];
        status = tb_table_alloc(t, &m->maps, keys[i], m->budget, err);
        if (status != HOLOS_OK)
            break;
        m->made_count++;
        status = tb_table_generate(t, &m->maps, made_find, m, workers, m->budget, NULL, err);
        if (status == HOLOS_OK)
            status = table_keep(m, t, err);
    }
    for (size_t i = 0; i < m->made_count; i++)
        tb_table_free(&m->made[i], m->budget);
    return status;
}

holos_status memory_tables_open(const tb_key *keys, size_t count, pool *workers, mem_budget *budget,
                                memory_tables **out, holos_error *err)
{
    memory_tables *m = calloc(1, sizeof *m);
    tb_key all[TABLES_MOST], one[TABLES_MOST];
    size_t total = 0;
    *out = NULL;
    if (m != NULL)
        m->made = calloc(TABLES_MOST, sizeof *m->made);
    if (m == NULL || m->made == NULL) {
        free(m);
        return error_system(err, "tables in memory");
    }
    m->budget = budget;
    index_maps_init(&m->maps);
    for (size_t i = 0; i < count; i++) {
        size_t closure = key_closure(keys[i], one, TABLES_MOST);
        for (size_t k = 0; k < closure; k++) {
            size_t at = 0;
            while (at < total && all[at] != one[k])
                at++;
            if (at == total && total < TABLES_MOST)
                all[total++] = one[k];
        }
    }
    /* Every closure is in order of dependency, so what is appended comes after what it needs. */
    holos_status status = tables_make(m, all, total, workers, err);
    free(m->made);
    m->made = NULL;
    if (status != HOLOS_OK)
        memory_tables_close(m);
    else
        *out = m;
    return status;
}

void memory_tables_close(memory_tables *m)
{
    if (m == NULL)
        return;
    for (size_t i = 0; i < m->count; i++)
        mem_free(m->budget, m->tables[i].classes[0], 2 * m->tables[i].size);
    free(m);
}

/* ---- Probing ----------------------------------------------------------------------------------- */

/* Where the byte of a position lies; NULL if its table is not there. */
static inline const uint8_t *memory_place(const memory_tables *m, const chess_position *p)
{
    tb_key key = key_of(p);
    const memory_table *t = memory_find(m, key);
    tb_placement at;
    if (t == NULL || p->castling != 0)
        return NULL;
    unsigned colour = key != t->layout.key ? 1 : 0;
    layout_place(&t->layout, p, colour, &at);
    return t->classes[p->side ^ colour] + layout_index(&t->layout, &m->maps, &at);
}

static bool class_read(const memory_tables *m, const chess_position *p, int *wdl)
{
    static const uint8_t bare = CLASS_DRAW;
    bool kings = p->kinds[CHESS_ANY] == p->kinds[CHESS_KING];
    const uint8_t *place = kings ? &bare : memory_place(m, p);
    if (place == NULL || *place == CLASS_NONE)
        return false;
    *wdl = *place - 3;
    return true;
}

bool memory_tables_wdl(const memory_tables *m, const chess_position *p, int *wdl)
{
    if (!class_read(m, p, wdl))
        return false;
    if (p->en_passant == 0)
        return true;
    chess_position plain = *p;
    plain.en_passant = 0;
    bool must = position_count_moves(&plain) == 0;
    SET_EACH (from, en_passant_pawns(p, p->side, p->en_passant)) {
        chess_position next;
        int value;
        position_make(p, move_make((unsigned)from, p->en_passant, CHESS_PAWN, CHESS_ANY), &next);
        if (!class_read(m, &next, &value))
            return false;
        *wdl = must || -value > *wdl ? -value : *wdl;
        must = false;
    }
    return true;
}

void memory_tables_wdl_many(const memory_tables *m, const chess_position *positions, size_t count,
                            int8_t *values)
{
    const uint8_t *places[MANY];
    for (size_t first = 0; first < count; first += MANY) {
        size_t some = count - first < MANY ? count - first : MANY;
        for (size_t i = 0; i < some; i++) {
            const chess_position *p = &positions[first + i];
            places[i] = p->en_passant == 0 ? memory_place(m, p) : NULL;
            if (places[i] != NULL)
                __builtin_prefetch(places[i]);
        }
        for (size_t i = 0; i < some; i++)
            values[first + i] =
                places[i] == NULL || *places[i] == CLASS_NONE ? MEMORY_UNKNOWN : (int8_t)(*places[i] - 3);
    }
}

bool memory_tables_value(const memory_tables *m, const chess_position *p, holos_value *out)
{
    int wdl;
    if (!memory_tables_wdl(m, p, &wdl))
        return false;
    *out = (holos_value){.lo = wdl,
                         .hi = wdl,
                         .distance = HOLOS_NO_DISTANCE,
                         .conversion = HOLOS_NO_DISTANCE,
                         .source = HOLOS_SOURCE_TABLE};
    return true;
}

/* ---- All of them ------------------------------------------------------------------------------- */

static bool row_visit(const memory_table *t, const row_view *v, const uint8_t *pawns, uint64_t row,
                      memory_visitor *visit, void *context)
{
    const tb_layout *l = &t->layout;
    chess_position base = {.number = 1};
    position_put(&base, piece_make(CHESS_WHITE, CHESS_KING), v->king);
    for (unsigned i = 0; i < l->mover_count; i++)
        position_put(&base, l->movers[i], v->movers[i]);
    for (unsigned i = 0; i < l->pawn_count; i++)
        position_put(&base, l->pawns[i], pawns[i]);
    for (unsigned side = 0; side < 2; side++) {
        for (unsigned lane = 0; lane < 64; lane++) {
            unsigned class = t->classes[side][row << 6 | lane];
            if (class == CLASS_NONE)
                continue;
            chess_position p = base;
            p.side = (uint8_t)side;
            position_put(&p, piece_make(CHESS_BLACK, CHESS_KING), lane);
            if (!visit(context, &p, (int)class - 3))
                return false;
        }
    }
    return true;
}

bool memory_tables_each(const memory_tables *m, tb_key key, memory_visitor *visit, void *context)
{
    const memory_table *t = memory_find(m, key);
    row_geometry g;
    if (t == NULL)
        return true;
    geometry_init(&g, &m->maps, &t->layout);
    for (uint32_t slice = 0; slice < t->layout.slices; slice++) {
        uint8_t pawns[LAYOUT_EXTRAS_MOST];
        layout_slice_pawns(&t->layout, &m->maps, slice, pawns);
        for (uint32_t row = 0; row < t->layout.rows; row++) {
            row_view v = row_look(&t->layout, &g, 0, row);
            if (!v.overlaps &&
                !row_visit(t, &v, pawns, (uint64_t)slice * t->layout.rows + row, visit, context))
                return false;
        }
    }
    return true;
}
