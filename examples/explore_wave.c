/* SPDX-License-Identifier: MIT */

/* Explores from a position, keeps what the waves found in a hologram, and asks that.
 *
 *     cc explore_wave.c $(pkg-config --cflags --libs holos) -o explore_wave
 *
 *     $ ./explore_wave nim:3,4,5 "3,4,4 2" found
 *     the wave reached something new
 *     3,4,4 2 is worth 1, as the hologram says
 *
 *     $ ./explore_wave connect4:4x4 start found4
 *     the wave reached something new
 *     start is worth 0, as the hologram says
 */

#include <holos/holos.h>

#include <stdio.h>

static holos_status explore(const holos_variant *v, const holos_position *p, const char *path,
                            holos_error *err)
{
    holos_wave *w;
    holos_wave_statistics found;
    holos_status status = holos_wave_open(v, NULL, &w, err);
    if (status != HOLOS_OK)
        return status;
    status = holos_wave_add(w, &(holos_wave_seed){.position = p}, err);
    if (status == HOLOS_OK)
        status = holos_wave_run(w, HOLOS_WAVE_AUTO, err);
    if (status == HOLOS_OK) {
        holos_wave_statistics_get(w, &found);
        printf("the wave reached %s\n", found.positions > 1 ? "something new" : "nothing");
        status = holos_wave_save(w, path, err);
    }
    holos_wave_close(w);
    return status;
}

static holos_status ask(const holos_position *p, const char *word, const char *path, holos_error *err)
{
    holos_hologram *h;
    holos_value value;
    holos_status status = holos_hologram_open(path, &h, err);
    if (status != HOLOS_OK)
        return status;
    status = holos_hologram_query(h, p, &value, err);
    if (status == HOLOS_OK && holos_value_is_solved(value))
        printf("%s is worth %d, as the hologram says\n", word, value.lo);
    else if (status == HOLOS_OK)
        printf("%s is worth between %d and %d\n", word, value.lo, value.hi);
    holos_hologram_close(h);
    return status;
}

int main(int argc, char **argv)
{
    holos_error err;
    holos_variant *v;
    if (argc < 4) {
        fprintf(stderr, "usage: %s GAME[:VARIANT] POSITION FILE\n", argv[0]);
        return 2;
    }
    if (holos_open(argv[1], &v, &err) != HOLOS_OK) {
        fprintf(stderr, "%s\n", err.message);
        return 2;
    }
    holos_position *p = holos_position_new(v);
    holos_status status = holos_parse(v, argv[2], p, &err);
    if (status == HOLOS_OK)
        status = explore(v, p, argv[3], &err);
    if (status == HOLOS_OK)
        status = ask(p, argv[2], argv[3], &err);
    if (status != HOLOS_OK)
        fprintf(stderr, "%s\n", err.message);
    holos_position_free(p);
    holos_close(v);
    return status == HOLOS_OK ? 0 : 1;
}
