/* SPDX-License-Identifier: MIT */

#include "games/chess/tables/material.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const char letters[] = ".PNBRQK";

unsigned key_pieces(tb_key key)
{
    unsigned count = 2;
    for (; key != 0; key >>= 4)
        count += (unsigned)(key & 15);
    return count;
}

unsigned key_pawns(tb_key key)
{
    return key_count(key, CHESS_WHITE, CHESS_PAWN) + key_count(key, CHESS_BLACK, CHESS_PAWN);
}

static unsigned side_pieces(tb_key key, unsigned side)
{
    unsigned count = 0;
    for (unsigned kind = CHESS_PAWN; kind <= CHESS_QUEEN; kind++)
        count += key_count(key, side, kind);
    return count;
}

tb_key key_canonical(tb_key key)
{
    unsigned white = side_pieces(key, CHESS_WHITE), black = side_pieces(key, CHESS_BLACK);
    if (white != black)
        return white > black ? key : key_flip(key);
    for (unsigned kind = CHESS_QUEEN; kind >= CHESS_PAWN; kind--) {
        white = key_count(key, CHESS_WHITE, kind);
        black = key_count(key, CHESS_BLACK, kind);
        if (white != black)
            return white > black ? key : key_flip(key);
    }
    return key;
}

const char *key_name(tb_key key, char out[TB_NAME_SIZE])
{
    char *c = out;
    for (unsigned side = 0; side < 2; side++) {
        if (side > 0)
            *c++ = 'v';
        *c++ = 'K';
        for (unsigned kind = CHESS_QUEEN; kind >= CHESS_PAWN; kind--)
            for (unsigned i = key_count(key, side, kind); i > 0 && c < out + TB_NAME_SIZE - 4; i--)
                *c++ = letters[kind];
    }
    *c = 0;
    return out;
}

/* ---- Reading names ----------------------------------------------------------------------------- */

static unsigned kind_of(char c)
{
    const char *at = strchr(letters + 1, toupper((unsigned char)c));
    return c != 0 && at != NULL ? (unsigned)(at - letters) : CHESS_ANY;
}

holos_status key_parse(const char *name, tb_key *out, holos_error *err)
{
    static const char right[] =
        "a material is written like KQvKR: a K, then pieces of Q, R, B, N, P, for each side";
    tb_key key = 0;
    unsigned side = 0, pieces = 2;
    for (const char *c = name; *c != 0; c++) {
        unsigned kind = kind_of(*c);
        bool second_king = kind == CHESS_KING && c > name && side == 0;
        if ((*c == 'v' || *c == 'V' || second_king) && side == 0) {
            side = 1;
            if (!second_king && kind_of(c[1]) == CHESS_KING)
                c++;
        } else if (kind == CHESS_KING && c == name) {
            continue;
        } else if (kind == CHESS_ANY || kind == CHESS_KING) {
            char shown[8];
            return error_set(err, HOLOS_USAGE, c - name, "\"%s\": '%s' is out of place; %s", name,
                             text_show_char((unsigned char)*c, shown), right);
        } else if (++pieces > TB_PIECES_MOST) {
            return error_set(err, HOLOS_USAGE, c - name, "\"%s\" has more than %d pieces", name,
                             TB_PIECES_MOST);
        } else {
            key += key_one(side, kind);
        }
    }
    if (side == 0 || pieces < 3)
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "\"%s\" is not a material for a table; %s", name,
                         right);
    *out = key_canonical(key);
    return HOLOS_OK;
}

/* ---- What depends on what ---------------------------------------------------------------------- */

static unsigned successor_add(tb_key key, tb_key *out, unsigned count)
{
    key = key_canonical(key);
    if (key == TB_BARE_KINGS)
        return count;
    for (unsigned i = 0; i < count; i++)
        if (out[i] == key)
            return count;
    out[count] = key;
    return count + 1;
}

unsigned key_successors(tb_key key, tb_key *out)
{
    unsigned count = 0;
    for (unsigned side = 0; side < 2; side++) {
        for (unsigned kind = CHESS_PAWN; kind <= CHESS_QUEEN; kind++)
            if (key_count(key, side, kind) > 0)
                count = successor_add(key - key_one(side, kind), out, count);
        if (key_count(key, side, CHESS_PAWN) == 0)
            continue;
        tb_key left = key - key_one(side, CHESS_PAWN);
        for (unsigned kind = CHESS_KNIGHT; kind <= CHESS_QUEEN; kind++) {
            count = successor_add(left + key_one(side, kind), out, count);
            for (unsigned taken = CHESS_KNIGHT; taken <= CHESS_QUEEN;
                 taken++) /* a pawn that takes and promotes */
                if (key_count(key, 1 - side, taken) > 0)
                    count = successor_add(left + key_one(side, kind) - key_one(1 - side, taken), out, count);
        }
    }
    return count;
}

/* Fewer pieces first, then fewer pawns: what a material depends on has one or the other. */
static int dependency_compare(const void *a, const void *b)
{
    tb_key x = *(const tb_key *)a, y = *(const tb_key *)b;
    unsigned px = key_pieces(x) * 16 + key_pawns(x), py = key_pieces(y) * 16 + key_pawns(y);
    if (px != py)
        return px < py ? -1 : 1;
    return x < y ? -1 : x > y;
}

/* Taken back: a capture gives the other side a piece, a promotion makes a piece a pawn again, or both at once. */
unsigned key_parents(tb_key key, unsigned pieces, tb_key *out)
{
    unsigned count = 0, now = key_pieces(key);
    for (unsigned side = 0; side < 2; side++) {
        for (unsigned taken = CHESS_ANY; taken <= CHESS_QUEEN; taken++) {
            tb_key before = key + (taken != CHESS_ANY ? key_one(1 - side, taken) : 0);
            if (now + (taken != CHESS_ANY) > pieces)
                continue;
            if (taken != CHESS_ANY)
                count = successor_add(before, out, count);
            for (unsigned kind = CHESS_KNIGHT; kind <= CHESS_QUEEN && taken != CHESS_PAWN; kind++)
                if (key_count(key, side, kind) > 0)
                    count =
                        successor_add(before - key_one(side, kind) + key_one(side, CHESS_PAWN), out, count);
        }
    }
    qsort(out, count, sizeof *out, dependency_compare);
    return count;
}

bool keys_contain(const tb_key *keys, size_t count, tb_key key)
{
    size_t first = 0;
    while (first < count) {
        size_t middle = first + (count - first) / 2;
        if (keys[middle] == key)
            return true;
        if (keys[middle] < key)
            first = middle + 1;
        else
            count = middle;
    }
    return false;
}

static bool keys_have(const tb_key *keys, size_t count, tb_key key)
{
    for (size_t i = 0; i < count; i++)
        if (keys[i] == key)
            return true;
    return false;
}

size_t key_closure(tb_key key, tb_key *out, size_t most)
{
    size_t count = 0;
    if (most == 0)
        return 0;
    out[count++] = key_canonical(key);
    for (size_t i = 0; i < count && count < most; i++) {
        tb_key next[KEY_SUCCESSORS_MOST];
        unsigned found = key_successors(out[i], next);
        for (unsigned k = 0; k < found; k++)
            if (count < most && !keys_have(out, count, next[k]))
                out[count++] = next[k];
    }
    qsort(out, count, sizeof *out, dependency_compare);
    return count;
}

/* Adds one piece in every way to what has been found. */
size_t key_all(unsigned pieces, tb_key *out, size_t most)
{
    size_t count = 0, from = 0;
    for (unsigned n = 3; n <= pieces; n++) {
        size_t until = count;
        for (size_t base = from; base < until || n == 3; base++) {
            tb_key smaller = n == 3 ? TB_BARE_KINGS : out[base];
            for (unsigned side = 0; side < 2; side++) {
                for (unsigned kind = CHESS_PAWN; kind <= CHESS_QUEEN; kind++) {
                    tb_key key = key_canonical(smaller + key_one(side, kind));
                    if (count < most && !keys_have(out + until, count - until, key))
                        out[count++] = key;
                }
            }
            if (n == 3)
                break;
        }
        from = until;
    }
    qsort(out, count, sizeof *out, dependency_compare);
    return count;
}
