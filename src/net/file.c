/* SPDX-License-Identifier: MIT */

/* Networks in files. A header of fixed size, then the parameters, then the statistics, as 32-bit floats, lowest byte first:
 *
 *     0   "HOLOSNET"          8   the version of the format
 *     16  the shape, ten numbers of 8 bytes
 *     96  the game, 64 bytes, with zeros behind it
 *     160 how many parameters and statistics there are, 8 bytes each
 *     176 the checksum of everything else, 16 bytes
 *     192 the numbers */

#include "core/file.h"
#include "core/bytes.h"
#include "core/hash.h"
#include "core/mem.h"
#include "net/net.h"

#include <stdlib.h>
#include <string.h>

#define MAGIC     "HOLOSNET"
#define VERSION   1
#define SHAPE     16
#define GAME      96
#define COUNTS    160
#define CHECKSUM  176
#define HEADER    192
#define FILE_MOST (UINT64_C(1) << 30)

/* The members of a shape, in the order of the file. */
static size_t shape_members(net_shape *s, uint32_t *members[10])
{
    uint32_t *all[] = {&s->kind,     &s->height, &s->width,           &s->planes,         &s->policy,
                       &s->channels, &s->blocks, &s->policy_channels, &s->value_channels, &s->value_hidden};
    memcpy(members, all, sizeof all);
    return sizeof all / sizeof *all;
}

static void put_floats(unsigned char *at, const float *x, size_t count)
{
    for (size_t i = 0; i < count; i++, at += 4) {
        uint32_t word;
        memcpy(&word, x + i, sizeof word);
        for (int k = 0; k < 4; k++)
            at[k] = (unsigned char)(word >> 8 * k);
    }
}

static void get_floats(const unsigned char *at, float *x, size_t count)
{
    for (size_t i = 0; i < count; i++, at += 4) {
        uint32_t word = 0;
        for (int k = 0; k < 4; k++)
            word |= (uint32_t)at[k] << 8 * k;
        memcpy(x + i, &word, sizeof word);
    }
}

/* The checksum with zeros in its own place. */
static void checksum(unsigned char *bytes, size_t size)
{
    memset(bytes + CHECKSUM, 0, 16);
    holos_key sum = hash_bytes(bytes, size);
    put64(bytes + CHECKSUM, sum.lo);
    put64(bytes + CHECKSUM + 8, sum.hi);
}

holos_status net_save(const net *n, const char *path, holos_error *err)
{
    size_t size = HEADER + 4 * (n->at.parameters + n->at.statistics);
    unsigned char *bytes = calloc(1, size);
    if (bytes == NULL)
        return error_system(err, "a network");
    net_shape shape = n->shape;
    uint32_t *members[10];
    size_t count = shape_members(&shape, members);
    memcpy(bytes, MAGIC, sizeof MAGIC - 1);
    put64(bytes + 8, VERSION);
    for (size_t i = 0; i < count; i++)
        put64(bytes + SHAPE + 8 * i, *members[i]);
    memcpy(bytes + GAME, n->game, NET_NAME);
    put64(bytes + COUNTS, n->at.parameters);
    put64(bytes + COUNTS + 8, n->at.statistics);
    put_floats(bytes + HEADER, n->parameters, n->at.parameters);
    put_floats(bytes + HEADER + 4 * n->at.parameters, n->statistics, n->at.statistics);
    checksum(bytes, size);
    holos_status status = file_put(path, (const char *)bytes, size, err);
    free(bytes);
    return status;
}

static holos_status bad(const char *path, const char *what, holos_error *err)
{
    return error_set(err, HOLOS_BAD_FILE, HOLOS_NOWHERE, "%s: %s", path, what);
}

/* Everything in front of the numbers. */
static holos_status header_read(net *n, const unsigned char *bytes, size_t size, const char *path,
                                holos_error *err)
{
    net_shape shape;
    uint32_t *members[10];
    size_t count = shape_members(&shape, members);
    if (size < HEADER || memcmp(bytes, MAGIC, 8) != 0)
        return bad(path, "not a network of holos", err);
    if (get64(bytes + 8) != VERSION)
        return bad(path, "a network in a format that this version of holos does not know", err);
    for (size_t i = 0; i < count; i++) {
        uint64_t value = get64(bytes + SHAPE + 8 * i);
        *members[i] = value <= UINT32_MAX ? (uint32_t)value : UINT32_MAX;
    }
    if (net_shape_check(&shape, err) != HOLOS_OK) {
        error_prefix(err, "%s: ", path);
        return err != NULL ? err->code = HOLOS_BAD_FILE : HOLOS_BAD_FILE;
    }
    if (memchr(bytes + GAME, 0, NET_NAME) == NULL)
        return bad(path, "the network is damaged: its game has no end", err);
    net_layout at = net_layout_of(&shape);
    if (get64(bytes + COUNTS) != at.parameters || get64(bytes + COUNTS + 8) != at.statistics ||
        size != HEADER + 4 * (at.parameters + at.statistics))
        return bad(path, "the network is damaged: its size is not that of its shape", err);
    return net_init(n, &shape, (const char *)bytes + GAME, err);
}

static holos_status sum_check(unsigned char *bytes, size_t size, const char *path, holos_error *err)
{
    unsigned char said[16];
    memcpy(said, bytes + CHECKSUM, sizeof said);
    checksum(bytes, size);
    return memcmp(said, bytes + CHECKSUM, sizeof said) == 0
               ? HOLOS_OK
               : bad(path, "the network is damaged: its checksum is wrong", err);
}

holos_status net_load(net *n, const char *path, const char *game, holos_error *err)
{
    *n = (net){0};
    text file;
    text_init(&file);
    holos_status status = file_read(path, FILE_MOST, &file, err);
    unsigned char *bytes = (unsigned char *)file.data;
    if (status == HOLOS_OK)
        status = header_read(n, bytes, file.length, path, err);
    if (status == HOLOS_OK)
        status = sum_check(bytes, file.length, path, err);
    if (status == HOLOS_OK && game != NULL && strcmp(game, n->game) != 0)
        status =
            error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "%s is a network for %s, not %s", path, n->game, game);
    if (status == HOLOS_OK) {
        get_floats(bytes + HEADER, n->parameters, n->at.parameters);
        get_floats(bytes + HEADER + 4 * n->at.parameters, n->statistics, n->at.statistics);
    }
    text_free(&file);
    return status;
}
