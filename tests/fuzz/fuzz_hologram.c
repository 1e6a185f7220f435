/* SPDX-License-Identifier: MIT */

/* Whatever a file holds, opening it as a hologram, asking it, checking it and going on from it does no harm.
 * Checksums would stop nearly everything at the door, so an input is also tried with all of them put right. */

#include "engine/wave/hologram_format.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <xxhash.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool lies_within(uint64_t offset, uint64_t count, uint64_t record, size_t size)
{
    return offset <= size && offset % 8 == 0 && count <= (size - offset) / record;
}

/* Makes the checksums anew, as far as what they are of lies within the file. The index may lie over the header, and so
 * change while its blocks do. */
static void checksums_repair(uint8_t *bytes, size_t size)
{
    hologram_header *header = (hologram_header *)(void *)bytes;
    hologram_place index = header->index;
    memcpy(header->magic, HOLOGRAM_MAGIC, sizeof header->magic);
    header->version = HOLOGRAM_VERSION;
    header->file_size = size;
    if (lies_within(index.offset, index.count, sizeof(hologram_block), size)) {
        hologram_block *blocks = (hologram_block *)(void *)(bytes + index.offset);
        for (uint64_t i = 0; i < index.count; i++)
            if (lies_within(blocks[i].offset, blocks[i].stored, 1, size))
                blocks[i].checksum = XXH3_64bits(bytes + blocks[i].offset, blocks[i].stored);
        header->index.checksum = XXH3_64bits(blocks, index.count * sizeof *blocks);
    }
    for (unsigned i = 0; i < HOLOGRAM_SECTION_COUNT; i++) {
        hologram_place *place = &header->sections[i];
        if (lies_within(place->offset, place->count, hologram_record_size(i), size))
            place->checksum = XXH3_64bits(bytes + place->offset, place->count * hologram_record_size(i));
    }
    header->checksum = XXH3_64bits(header, offsetof(hologram_header, checksum));
}

static void wave_try(const holos_variant *v, const char *path)
{
    holos_wave *w;
    holos_error err;
    holos_wave_options options = {.limits = {.nodes = 20, .memory = (size_t)64 << 20}};
    if (holos_wave_open(v, &options, &w, &err) != HOLOS_OK)
        return;
    if (holos_wave_load(w, path, &err) == HOLOS_OK)
        holos_wave_run(w, HOLOS_WAVE_WAVE, &err);
    holos_wave_close(w);
}

static void hologram_try(const char *path)
{
    holos_hologram *h;
    holos_error err;
    holos_value value;
    holos_move moves[8];
    bool found;
    if (holos_hologram_open(path, &h, &err) != HOLOS_OK)
        return;
    const holos_variant *v = holos_hologram_variant(h);
    holos_position *p = holos_position_new(v);
    if (p != NULL) {
        holos_hologram_query(h, p, &value, &err);
        holos_hologram_best(h, p, &moves[0], &found, &err);
        holos_hologram_spine(h, p, moves, sizeof moves / sizeof *moves);
    }
    holos_position_free(p);
    holos_hologram_verify(h, &err);
    wave_try(v, path);
    holos_hologram_close(h);
}

/* A file that is nowhere but in memory. */
static void bytes_try(const uint8_t *data, size_t size)
{
    char path[64];
    int fd = memfd_create("hologram", MFD_CLOEXEC);
    if (fd < 0)
        return;
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    if (write(fd, data, size) == (ssize_t)size)
        hologram_try(path);
    close(fd);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    bytes_try(data, size);
    if (size < sizeof(hologram_header))
        return 0;
    uint8_t *copy = malloc(size);
    if (copy == NULL)
        return 0;
    memcpy(copy, data, size);
    checksums_repair(copy, size);
    bytes_try(copy, size);
    free(copy);
    return 0;
}
