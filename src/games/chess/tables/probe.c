/* SPDX-License-Identifier: MIT */

#include "games/chess/tables/probe.h"

#include "games/chess/tables/layout.h"
#include "games/chess/tables/syzygy.h"

#include <dirent.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- The folders ------------------------------------------------------------------------------- */

enum { FILE_CLOSED, FILE_OPEN, FILE_BAD };

/* A table that is there. */
typedef struct tb_file {
    char *path;
    _Atomic int state;    /* a FILE_…, changed under the lock */
    _Atomic bool spoiled; /* a block of it does not say what a table can say */
    syzygy table;
    holos_error why; /* FILE_BAD */
} tb_file;

typedef struct tb_entry {
    tb_key key;
    tb_file files[SYZYGY_KINDS]; /* path NULL: not there */
} tb_entry;

#define SLOTS 8192 /* of the hash table of keys: both colours of all tables fill a third of it */

struct tablebase {
    index_maps maps;
    tb_entry *entries;
    size_t count, room;
    unsigned pieces;
    uint16_t slots[SLOTS]; /* an entry + 1 */
    tb_key slot_keys[SLOTS];
    pthread_mutex_t lock;
};

static inline unsigned slot_of(tb_key key)
{
    return (unsigned)((key * UINT64_C(0x9E3779B97F4A7C15)) >> 51);
}

static tb_entry *entry_find(const tablebase *t, tb_key key)
{
    unsigned slot = slot_of(key);
    while (t->slots[slot] != 0) {
        if (t->slot_keys[slot] == key)
            return &t->entries[t->slots[slot] - 1];
        slot = (slot + 1) % SLOTS;
    }
    return NULL;
}

static void slot_set(tablebase *t, tb_key key, size_t entry)
{
    unsigned slot = slot_of(key);
    while (t->slots[slot] != 0 && t->slot_keys[slot] != key)
        slot = (slot + 1) % SLOTS;
    t->slots[slot] = (uint16_t)(entry + 1);
    t->slot_keys[slot] = key;
}

static tb_entry *entry_make(tablebase *t, tb_key key)
{
    tb_entry *found = entry_find(t, key);
    if (found != NULL)
        return found;
    if (t->count == t->room) {
        size_t room = t->room == 0 ? 64 : 2 * t->room;
        tb_entry *more = room > TB_TABLES_MOST ? NULL : realloc(t->entries, room * sizeof *more);
        if (more == NULL)
            return NULL;
        memset(more + t->room, 0, (room - t->room) * sizeof *more);
        t->entries = more;
        t->room = room;
    }
    t->entries[t->count].key = key;
    slot_set(t, key, t->count);
    slot_set(t, key_flip(key), t->count);
    return &t->entries[t->count++];
}

/* Notes a file if its name is that of a table. False: out of memory. */
static bool file_note(tablebase *t, const char *folder, const char *name)
{
    char material[TB_NAME_SIZE], usual[TB_NAME_SIZE];
    const char *dot = strrchr(name, '.');
    tb_key key;
    if (dot == NULL || dot - name >= TB_NAME_SIZE)
        return true;
    syzygy_kind kind = SYZYGY_WDL;
    while (kind < SYZYGY_DTM && strcmp(dot, syzygy_suffix(kind)) != 0)
        kind++;
    snprintf(material, sizeof material, "%.*s", (int)(dot - name), name);
    if (strcmp(dot, syzygy_suffix(kind)) != 0 || key_parse(material, &key, NULL) != HOLOS_OK ||
        strcmp(key_name(key, usual), material) != 0)
        return true;
    tb_entry *entry = entry_make(t, key);
    if (entry == NULL)
        return false;
    if (entry->files[kind].path != NULL) /* of an earlier folder */
        return true;
    text path;
    text_init(&path);
    text_printf(&path, "%s/%s", folder, name);
    entry->files[kind].path = path.failed ? NULL : strdup(path.data);
    text_free(&path);
    if (kind == SYZYGY_WDL && key_pieces(key) > t->pieces)
        t->pieces = key_pieces(key);
    return entry->files[kind].path != NULL;
}

static holos_status folder_scan(tablebase *t, const char *folder, holos_error *err)
{
    DIR *d = opendir(folder);
    struct dirent *e;
    bool fine = true;
    if (d == NULL)
        return error_system(err, "the tables in %s", folder);
    while (fine && (e = readdir(d)) != NULL)
        fine = file_note(t, folder, e->d_name);
    closedir(d);
    return fine ? HOLOS_OK : error_system(err, "the tables in %s", folder);
}

static bool folder_has_tables(const char *folder)
{
    DIR *d = opendir(folder);
    struct dirent *e;
    bool found = false;
    while (d != NULL && !found && (e = readdir(d)) != NULL) {
        const char *dot = strrchr(e->d_name, '.');
        found = dot != NULL && strcmp(dot, syzygy_suffix(SYZYGY_WDL)) == 0;
    }
    if (d != NULL)
        closedir(d);
    return found;
}

bool tablebase_is_at(const char *path)
{
    char *folders = strdup(path), *rest = folders;
    bool found = false;
    for (char *folder; !found && (folder = strsep(&rest, ":")) != NULL;)
        found = *folder != 0 && folder_has_tables(folder);
    free(folders);
    return found;
}

holos_status tablebase_open(const char *path, tablebase **out, holos_error *err)
{
    tablebase *t = calloc(1, sizeof *t);
    char *folders = strdup(path), *rest = folders;
    holos_status status = HOLOS_OK;
    *out = NULL;
    if (t == NULL || folders == NULL) {
        free(t);
        free(folders);
        return error_system(err, "the tables in %s", path);
    }
    index_maps_init(&t->maps);
    pthread_mutex_init(&t->lock, NULL);
    for (char *folder; status == HOLOS_OK && (folder = strsep(&rest, ":")) != NULL;)
        if (*folder != 0)
            status = folder_scan(t, folder, err);
    free(folders);
    if (status != HOLOS_OK) {
        tablebase_close(t);
        return status;
    }
    *out = t;
    return HOLOS_OK;
}

void tablebase_close(tablebase *t)
{
    if (t == NULL)
        return;
    for (size_t i = 0; i < t->count; i++) {
        for (unsigned kind = 0; kind < SYZYGY_KINDS; kind++) {
            if (atomic_load(&t->entries[i].files[kind].state) == FILE_OPEN)
                syzygy_close(&t->entries[i].files[kind].table);
            free(t->entries[i].files[kind].path);
        }
    }
    pthread_mutex_destroy(&t->lock);
    free(t->entries);
    free(t);
}

unsigned tablebase_pieces(const tablebase *t)
{
    return t->pieces;
}

bool tablebase_has(const tablebase *t, tb_key key, bool dtz)
{
    const tb_entry *entry = entry_find(t, key);
    return key == TB_BARE_KINGS || (entry != NULL && entry->files[SYZYGY_WDL].path != NULL &&
                                    (!dtz || entry->files[SYZYGY_DTZ].path != NULL));
}

bool tablebase_has_closure(const tablebase *t, tb_key key, bool dtz)
{
    tb_key keys[512];
    size_t count = key_pieces(key) > TB_PIECES_MOST ? 0 : key_closure(key, keys, 512);
    for (size_t i = 0; i < count; i++)
        if (!tablebase_has(t, keys[i], dtz))
            return false;
    return count > 0;
}

/* The table, opened now if it was not; NULL and the reason in *answer. */
static const syzygy *table_get(tablebase *t, tb_key key, syzygy_kind kind, tb_answer *answer)
{
    tb_entry *entry = entry_find(t, key);
    tb_file *file = entry != NULL ? &entry->files[kind] : NULL;
    if (file == NULL || file->path == NULL) {
        *answer = TB_MISSING;
        return NULL;
    }
    int state = atomic_load_explicit(&file->state, memory_order_acquire);
    if (state == FILE_CLOSED) {
        pthread_mutex_lock(&t->lock);
        state = atomic_load(&file->state);
        if (state == FILE_CLOSED) {
            holos_status status =
                syzygy_open(&file->table, &t->maps, entry->key, kind, file->path, &file->why);
            state = status == HOLOS_OK ? FILE_OPEN : FILE_BAD;
            atomic_store_explicit(&file->state, state, memory_order_release);
        }
        pthread_mutex_unlock(&t->lock);
    }
    *answer = state == FILE_OPEN ? TB_FOUND : TB_DAMAGED;
    return state == FILE_OPEN ? &file->table : NULL;
}

/* Remembers which table it was. */
static tb_answer table_spoiled(const syzygy *table)
{
    tb_file *file = (tb_file *)((uintptr_t)table - offsetof(tb_file, table));
    atomic_store(&file->spoiled, true);
    return TB_DAMAGED;
}

/* ---- Errors ------------------------------------------------------------------------------------ */

void tablebase_missing(const tablebase *t, tb_key key, bool dtz, text *out)
{
    tb_key keys[512];
    char name[TB_NAME_SIZE];
    size_t count = key_closure(key, keys, 512), listed = 0;
    if (count == 512) /* from so many pieces, play comes to more than anybody would read */
        return;
    for (size_t i = 0; i < count; i++) {
        const tb_entry *entry = entry_find(t, keys[i]);
        if (key_pieces(keys[i]) > TB_PIECES_MOST)
            continue;
        for (unsigned kind = 0; kind <= (dtz ? 1 : 0); kind++)
            if (entry == NULL || entry->files[kind].path == NULL)
                text_printf(out, "%s%s%s", listed++ > 0 ? ", " : "", key_name(keys[i], name),
                            syzygy_suffix(kind));
    }
}

/* What is wrong with a table of a material; false: nothing that was seen. */
static bool damage_name(const tablebase *t, tb_key key, text *out)
{
    const tb_entry *entry = entry_find(t, key);
    for (unsigned kind = 0; entry != NULL && kind < SYZYGY_KINDS; kind++) {
        const tb_file *file = &entry->files[kind];
        bool bad = file->path != NULL && atomic_load(&file->state) == FILE_BAD;
        if (bad)
            text_string(out, file->why.message);
        else if (atomic_load(&file->spoiled))
            text_printf(out, "%s: a block is damaged: it has impossible values", file->path);
        if (bad || atomic_load(&file->spoiled))
            return true;
    }
    return false;
}

void tablebase_damage(const tablebase *t, tb_key key, text *out)
{
    tb_key keys[512];
    size_t count = key_closure(key, keys, 512); /* captures lead to other tables */
    if (damage_name(t, key, out))
        return;
    for (size_t i = 0; i < count; i++)
        if (damage_name(t, keys[i], out))
            return;
    text_string(out, "a table has impossible values");
}

holos_status tablebase_error(const tablebase *t, const chess_position *p, tb_answer answer, bool dtz,
                             holos_error *err)
{
    tb_key key = key_of(p);
    text words;
    text_init(&words);
    holos_status status;
    if (answer == TB_CASTLING) {
        status = error_set(err, HOLOS_UNSUPPORTED, HOLOS_NOWHERE,
                           "tables know no positions where a side may still castle");
    } else if (set_count(p->kinds[CHESS_ANY]) > TB_PIECES_MOST) {
        tablebase_missing(t, key, dtz, &words);
        bool some = words.length > 0;
        status = error_set(
            err, some ? HOLOS_UNSUPPORTED : HOLOS_LIMIT, HOLOS_NOWHERE,
            "tables go up to %d pieces, here are %u%s%s", TB_PIECES_MOST, set_count(p->kinds[CHESS_ANY]),
            some ? "; missing below it ('explore --kinds' lists all): " : "", some ? words.data : "");
    } else if (answer == TB_MISSING) {
        tablebase_missing(t, key, dtz, &words);
        status = error_set(err, HOLOS_UNSUPPORTED, HOLOS_NOWHERE, "missing tables: %s", words.data);
    } else {
        tablebase_damage(t, key, &words);
        status = error_set(err, HOLOS_BAD_FILE, HOLOS_NOWHERE, "%s", words.data);
    }
    text_free(&words);
    return status;
}

/* ---- Captures ---------------------------------------------------------------------------------- */

#define CAPTURES_MOST 128

static unsigned add_pawn_move(chess_move *out, unsigned count, unsigned from, unsigned to)
{
    if (chess_rank_of(to) != 0 && chess_rank_of(to) != 7) {
        out[count++] = move_make(from, to, CHESS_PAWN, CHESS_ANY);
        return count;
    }
    for (unsigned kind = CHESS_QUEEN; kind >= CHESS_KNIGHT; kind--)
        out[count++] = move_make(from, to, CHESS_PAWN, kind);
    return count;
}

/* All captures but en passant, without asking whether the king is left in check. */
static inline unsigned captures_find(const chess_position *p, chess_move *out)
{
    unsigned us = p->side, count = 0;
    chess_set enemies = p->sides[1 - us] & ~p->kinds[CHESS_KING], occupied = p->kinds[CHESS_ANY];
    for (unsigned kind = CHESS_PAWN; kind <= CHESS_KING; kind++) {
        SET_EACH (from, position_set(p, us, kind)) {
            chess_set seen = kind == CHESS_PAWN ? set_pawn_attacks(chess_bit((unsigned)from), us)
                                                : kind_attacks(kind, (unsigned)from, occupied);
            SET_EACH (to, seen & enemies) {
                if (kind == CHESS_PAWN)
                    count = add_pawn_move(out, count, (unsigned)from, (unsigned)to);
                else
                    out[count++] = move_make((unsigned)from, (unsigned)to, kind, CHESS_ANY);
            }
        }
    }
    return count;
}

static inline bool capture_make(const chess_position *p, chess_move move, chess_position *out)
{
    position_make(p, move, out);
    return !position_in_check(out, p->side);
}

/* ---- WDL --------------------------------------------------------------------------------------- */

/* Where the WDL of a position is stored. */
typedef struct wdl_place {
    const syzygy *table; /* NULL: two kings alone */
    syzygy_place place;
} wdl_place;

static inline tb_answer wdl_locate(tablebase *t, const chess_position *p, wdl_place *out)
{
    tb_key key = key_of(p);
    tb_answer answer = TB_FOUND;
    out->table = NULL;
    if (key == TB_BARE_KINGS)
        return TB_FOUND;
    out->table = table_get(t, key, SYZYGY_WDL, &answer);
    if (answer == TB_FOUND)
        syzygy_locate(out->table, &t->maps, p, key, &out->place);
    return answer;
}

static inline tb_answer wdl_read(const wdl_place *w, int *wdl)
{
    *wdl = 0;
    if (w->table == NULL)
        return TB_FOUND;
    return syzygy_read(w->table, &w->place, 0, wdl) == SYZYGY_FOUND ? TB_FOUND : table_spoiled(w->table);
}

tb_answer tablebase_wdl_stored(tablebase *t, const chess_position *p, int *wdl)
{
    wdl_place place;
    tb_answer answer = wdl_locate(t, p, &place);
    return answer == TB_FOUND ? wdl_read(&place, wdl) : answer;
}

static tb_answer wdl_search(tablebase *t, const chess_position *p, int alpha, int beta, int *wdl);

/* The best capture: *best rises from what it was. */
static tb_answer wdl_captures(tablebase *t, const chess_position *p, int beta, int *best)
{
    chess_move moves[CAPTURES_MOST];
    unsigned count = captures_find(p, moves);
    for (unsigned i = 0; i < count && *best < beta; i++) {
        chess_position next;
        int value;
        if (!capture_make(p, moves[i], &next))
            continue;
        tb_answer answer = wdl_search(t, &next, -beta, -*best, &value);
        if (answer != TB_FOUND)
            return answer;
        if (-value > *best)
            *best = -value;
    }
    return TB_FOUND;
}

/* Without en passant: the better one of the best capture and what is stored. A stored value may be anything where a
 * capture is as good or better. Exact within [alpha, beta]. What is stored is fetched while captures are looked at. */
static tb_answer wdl_search(tablebase *t, const chess_position *p, int alpha, int beta, int *wdl)
{
    int best = alpha, stored;
    wdl_place place;
    tb_answer there = wdl_locate(t, p, &place);
    tb_answer answer = wdl_captures(t, p, beta, &best);
    if (answer == TB_FOUND && best < beta) {
        answer = there == TB_FOUND ? wdl_read(&place, &stored) : there;
        best = answer == TB_FOUND && stored > best ? stored : best;
    }
    *wdl = best;
    return answer;
}

/* The best capture en passant: -3 if none is legal. */
static tb_answer wdl_en_passant(tablebase *t, const chess_position *p, int *best)
{
    *best = -3;
    SET_EACH (from, en_passant_pawns(p, p->side, p->en_passant)) {
        chess_position next;
        int value;
        position_make(p, move_make((unsigned)from, p->en_passant, CHESS_PAWN, CHESS_ANY), &next);
        tb_answer answer = wdl_search(t, &next, -2, 2, &value);
        if (answer != TB_FOUND)
            return answer;
        *best = -value > *best ? -value : *best;
    }
    return TB_FOUND;
}

static bool position_is_probable(const chess_position *p, tb_answer *answer)
{
    *answer = p->castling != 0 ? TB_CASTLING : TB_MISSING;
    return p->castling == 0 && set_count(p->kinds[CHESS_ANY]) <= TB_PIECES_MOST;
}

tb_answer tablebase_wdl(tablebase *t, const chess_position *p, int *wdl)
{
    tb_answer answer;
    if (!position_is_probable(p, &answer))
        return answer;
    if (p->en_passant == 0)
        return wdl_search(t, p, -2, 2, wdl);
    /* Tables know nothing of en passant. Where there is no other move, the stored stalemate or mate is none. */
    int passing, others;
    chess_move moves[CHESS_MOVES_MOST];
    chess_position plain = *p;
    plain.en_passant = 0;
    answer = wdl_en_passant(t, p, &passing);
    if (answer == TB_FOUND)
        answer = wdl_search(t, &plain, -2, 2, &others);
    if (answer == TB_FOUND)
        *wdl = passing >= others || (passing >= -2 && position_moves(&plain, moves) == 0) ? passing : others;
    return answer;
}

/* ---- DTZ --------------------------------------------------------------------------------------- */

/* What it counts if the next move zeroes the count. */
static int dtz_zeroing(int wdl)
{
    static const int distances[] = {-1, -101, 0, 101, 1};
    return distances[wdl + 2];
}

/* Looks at the moves that zero the count: *is_best if the best of them is as good as anything. */
static tb_answer zeroing_search(tablebase *t, const chess_position *p, int wdl, bool *is_best)
{
    chess_move moves[CHESS_MOVES_MOST];
    unsigned count = position_moves(p, moves), zeroing = 0;
    int best = -3;
    for (unsigned i = 0; i < count; i++) {
        chess_position next;
        int value;
        if (!move_is_zeroing(p, moves[i]))
            continue;
        zeroing++;
        position_make(p, moves[i], &next);
        tb_answer answer = tablebase_wdl(t, &next, &value);
        if (answer != TB_FOUND)
            return answer;
        best = -value > best ? -value : best;
    }
    /* A loser zeroes the count only if nothing else is left. */
    *is_best = best == wdl && (wdl > 0 || (zeroing > 0 && zeroing == count));
    return TB_FOUND;
}

/* DTZ, and whether it is exact: the files may be one ply short. */
typedef struct dtz_found {
    int plies;
    bool exact;
} dtz_found;

static tb_answer dtz_search(tablebase *t, const chess_position *p, int wdl, dtz_found *out);

/* The table is about the other side to move: look one ply ahead. */
static tb_answer dtz_ahead(tablebase *t, const chess_position *p, int wdl, dtz_found *out)
{
    chess_move moves[CHESS_MOVES_MOST], replies[CHESS_MOVES_MOST];
    unsigned count = position_moves(p, moves);
    int best = 0;
    out->exact = true;
    for (unsigned i = 0; i < count; i++) {
        chess_position next;
        dtz_found after;
        int value;
        if (move_is_zeroing(p, moves[i]))
            continue; /* for a winner they are not best, or zeroing_search would have said so; a loser avoids them */
        position_make(p, moves[i], &next);
        tb_answer answer = tablebase_wdl(t, &next, &value);
        if (answer != TB_FOUND)
            return answer;
        if ((value < 0) != (wdl > 0) || value == 0)
            continue; /* the sign decides: a win in 101 plies, which the rule spoils, is a plain win one ply later */
        answer = dtz_search(t, &next, value, &after);
        if (answer != TB_FOUND)
            return answer;
        out->exact &= after.exact;
        int distance = -after.plies + (after.plies < 0 ? 1 : -1);
        if (distance == 2 && position_in_check(&next, next.side) && position_moves(&next, replies) == 0)
            distance = 1;
        if (best == 0 || distance < best) /* the shortest win, the longest loss */
            best = distance;
    }
    out->plies = best != 0 ? best : dtz_zeroing(wdl); /* no moves: mate */
    return TB_FOUND;
}

/* DTZ of a position whose WDL is known. */
static tb_answer dtz_search(tablebase *t, const chess_position *p, int wdl, dtz_found *out)
{
    bool zeroing;
    *out = (dtz_found){.exact = true};
    if (wdl == 0)
        return TB_FOUND;
    tb_answer answer = zeroing_search(t, p, wdl, &zeroing);
    if (answer != TB_FOUND)
        return answer;
    if (zeroing) {
        out->plies = dtz_zeroing(wdl);
        return TB_FOUND;
    }
    tb_key key = key_of(p);
    const syzygy *table = table_get(t, key, SYZYGY_DTZ, &answer);
    if (table == NULL)
        return answer;
    int stored = 0;
    syzygy_place place;
    syzygy_answer there = syzygy_locate(table, &t->maps, p, key, &place);
    if (there == SYZYGY_FOUND)
        there = syzygy_read(table, &place, wdl, &stored);
    switch (there) {
    case SYZYGY_OTHER_SIDE:
        return dtz_ahead(t, p, wdl, out);
    case SYZYGY_DAMAGED:
        return table_spoiled(table);
    default:
        stored += wdl == 1 || wdl == -1 ? 100 : 0;
        out->plies = wdl > 0 ? stored : -stored;
        out->exact = syzygy_has_plies(&place, wdl);
        return TB_FOUND;
    }
}

tb_answer tablebase_dtz(tablebase *t, const chess_position *p, int *dtz)
{
    bool exact;
    return tablebase_dtz_exact(t, p, dtz, &exact);
}

tb_answer tablebase_dtz_exact(tablebase *t, const chess_position *p, int *dtz, bool *exact)
{
    int wdl;
    dtz_found found = {0};
    tb_answer answer = tablebase_wdl(t, p, &wdl);
    if (answer == TB_FOUND)
        answer = dtz_search(t, p, wdl, &found);
    *dtz = found.plies;
    *exact = found.exact;
    return answer;
}

/* ---- DTM --------------------------------------------------------------------------------------- */

tb_answer tablebase_dtm(tablebase *t, const chess_position *p, unsigned *mate)
{
    tb_answer answer;
    tb_key key = key_of(p);
    int stored;
    if (!position_is_probable(p, &answer))
        return answer;
    *mate = MATE_DRAW;
    if (key == TB_BARE_KINGS)
        return TB_FOUND;
    const syzygy *table = table_get(t, key, SYZYGY_DTM, &answer);
    if (table == NULL)
        return answer;
    if (syzygy_get(table, &t->maps, p, key, 0, &stored) != SYZYGY_FOUND)
        return table_spoiled(table);
    *mate = (unsigned)stored;
    if (p->en_passant == 0)
        return TB_FOUND;
    chess_position plain = *p;
    plain.en_passant = 0;
    bool must = position_count_moves(&plain) == 0;
    SET_EACH (from, en_passant_pawns(p, p->side, p->en_passant)) {
        chess_position next;
        unsigned value;
        position_make(p, move_make((unsigned)from, p->en_passant, CHESS_PAWN, CHESS_ANY), &next);
        answer = tablebase_dtm(t, &next, &value);
        if (answer != TB_FOUND)
            return answer;
        value = mate_negate(value);
        *mate = must || value > *mate ? value : *mate;
        must = false;
    }
    return TB_FOUND;
}
