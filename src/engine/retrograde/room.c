/* SPDX-License-Identifier: MIT */

#include "engine/retrograde/room.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define PART_ALIGNMENT 64

uint64_t part_room(const holos_variant *v, uint32_t tier, uint32_t part)
{
    uint64_t size = v->game->index->size(v, tier, part);
    return (size + PART_ALIGNMENT - 1) & ~(uint64_t)(PART_ALIGNMENT - 1);
}

uint64_t tier_room(const holos_variant *v, uint32_t tier)
{
    uint64_t room = 0;
    for (uint32_t part = 0; part < v->game->index->parts(v, tier); part++)
        room += part_room(v, tier, part);
    return room;
}

static unsigned together(const retro_options *o)
{
    return o->together > 1 ? o->together : 1;
}

uint64_t tier_share(const holos_variant *v, const retro_options *o, uint32_t tier)
{
    return o->scratch != NULL ? 0 : (tier_room(v, tier) + together(o) - 1) / together(o);
}

/* ---- Files without a name ---------------------------------------------------------------------- */

/* In a folder, whose room is taken up front, or in memory. -1: err says why. */
static int file_make(const char *folder, uint64_t size, holos_error *err)
{
    int fd = folder != NULL ? open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600)
                            : memfd_create("holos tables", MFD_CLOEXEC);
    if (fd < 0) {
        error_system(err, "cannot create a file for tables in %s", folder != NULL ? folder : "memory");
        return -1;
    }
    if (folder != NULL)
        errno = posix_fallocate(fd, 0, (off_t)size);
    else if (ftruncate(fd, (off_t)size) == 0)
        errno = 0;
    if (errno == 0)
        return fd;
    error_system(err, "cannot make room for %llu bytes of tables in %s", (unsigned long long)size,
                 folder != NULL ? folder : "memory");
    close(fd);
    return -1;
}

static uint8_t *file_map(int fd, uint64_t size, holos_error *err)
{
    void *place = mem_place(size);
    if (place != NULL &&
        mmap(place, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 0) != MAP_FAILED)
        return place;
    error_system(err, "cannot map %llu bytes of tables", (unsigned long long)size);
    if (place != NULL)
        munmap(place, size);
    return NULL;
}

/* A file of this process alone. */
static uint8_t *file_take(const char *folder, uint64_t size, holos_error *err)
{
    int fd = file_make(folder, size, err);
    uint8_t *block = fd >= 0 ? file_map(fd, size, err) : NULL;
    if (fd >= 0)
        close(fd);
    return block;
}

/* ---- Together ---------------------------------------------------------------------------------- */

static holos_status share_take(table_room *room, holos_error *err)
{
    const retro_options *o = room->o;
    const retro_company *company = o->company;
    holos_status status = HOLOS_OK;
    int fd = -1;
    for (uint32_t tier = 0; tier <= o->top; tier++)
        room->total += tier_room(room->v, tier);
    if (company->leads)
        fd = file_make(o->scratch, room->total, err);
    if (company->leads && fd < 0)
        status = o->scratch != NULL ? HOLOS_IO : HOLOS_NO_MEMORY;
    fd = company->hand(company->context, fd);
    if (fd < 0 && !company->leads)
        status = error_system(err, "cannot open the tables of another rank");
    room->all = fd >= 0 ? file_map(fd, room->total, err) : NULL;
    if (fd >= 0 && room->all == NULL)
        status = HOLOS_NO_MEMORY;
    status = company->agree(company->context, status, err);
    if (fd >= 0)
        close(fd);
    return status;
}

holos_status room_open(table_room *room, const holos_variant *v, const retro_options *o, holos_status status,
                       holos_error *err)
{
    const retro_company *company = o->company;
    *room = (table_room){.v = v, .o = o, .blocks = calloc(o->top + 1, sizeof *room->blocks)};
    if (status == HOLOS_OK && room->blocks == NULL)
        status = error_system(err, "the tables");
    if (company == NULL)
        return status;
    status = company->agree(company->context, status, err);
    if (status != HOLOS_OK)
        return status;
    return o->together > 1 ? share_take(room, err) : company->agree(company->context, status, err);
}

void room_close(table_room *room)
{
    for (uint32_t tier = 0; room->blocks != NULL && tier <= room->o->top; tier++) {
        if (room->blocks[tier] == NULL)
            continue;
        if (room->all != NULL)
            mem_unclaim(room->o->budget, tier_share(room->v, room->o, tier));
        else if (room->o->scratch != NULL)
            munmap(room->blocks[tier], tier_room(room->v, tier));
        else
            mem_free(room->o->budget, room->blocks[tier], tier_room(room->v, tier));
    }
    if (room->all != NULL)
        munmap(room->all, room->total);
    free(room->blocks);
    *room = (table_room){0};
}

uint8_t *room_take(table_room *room, uint32_t tier, holos_error *err)
{
    const retro_options *o = room->o;
    uint64_t size = tier_room(room->v, tier), share = tier_share(room->v, o, tier);
    uint8_t *block = NULL;
    if (room->all != NULL && mem_claim(o->budget, share)) {
        block = room->all;
        for (uint32_t below = 0; below < tier; below++)
            block += tier_room(room->v, below);
    } else if (room->all == NULL && o->scratch != NULL) {
        return room->blocks[tier] = file_take(o->scratch, size, err);
    } else if (room->all == NULL) {
        block = mem_alloc(o->budget, size);
    }
    if (block == NULL)
        mem_error(err, o->budget, share, "a tier of the tables");
    return room->blocks[tier] = block;
}

void room_prepare(table_room *room, const uint8_t *bytes, uint64_t size)
{
    if (room->all != NULL && room->o->scratch == NULL)
        mem_enlarge_pages(room->all, (size_t)(bytes - room->all), size);
}
