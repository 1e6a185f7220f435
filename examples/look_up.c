/* SPDX-License-Identifier: MIT */

/* Looks positions up in whatever knows values: a database, a graph, a book, a hologram, a folder of Syzygy tables.
 *
 *     $ cc look_up.c $(pkg-config --cflags --libs holos) -o look_up
 *     $ ./look_up shipped connect4 start 44 12345671234567
 *     a book of connect4:7x6
 *     start: from 1 to 1, 41 plies to the end
 *     44: from 1 to 1, 39 plies to the end
 *     12345671234567: not here
 *
 * The first word may also be a URL or a path: ./look_up file:kalah6 '0,0,1,0,0,2,20/0,1,0,0,3,1,20 1'
 */

#include <holos/holos.h>

#include <stdio.h>
#include <string.h>

static int show(holos_knowledge *k, holos_position *p, const char *text)
{
    const holos_variant *v = holos_knowledge_variant(k);
    holos_error err;
    holos_value value;
    if (holos_parse(v, text, p, &err) != HOLOS_OK || holos_knowledge_find(k, p, &value, &err) != HOLOS_OK) {
        fprintf(stderr, "%s: %s\n", text, err.message);
        return 1;
    }
    if (value.source == HOLOS_SOURCE_NONE) {
        printf("%s: not here\n", text);
        return 0;
    }
    printf("%s: from %d to %d", text, value.lo, value.hi);
    if (value.distance != HOLOS_NO_DISTANCE)
        printf(", %u plies to the end", value.distance);
    if (value.conversion != HOLOS_NO_DISTANCE)
        printf(", %u plies to the next move that cannot be taken back", value.conversion);
    printf("\n");
    return 0;
}

int main(int argc, char **argv)
{
    holos_error err;
    holos_variant *v = NULL;
    holos_knowledge *k = NULL;
    bool shipped = argc > 2 && strcmp(argv[1], "shipped") == 0;
    int first = shipped ? 3 : 2;
    if (argc <= first) {
        fprintf(stderr, "usage: %s URL POSITION...\n       %s shipped GAME[:VARIANT] POSITION...\n", argv[0],
                argv[0]);
        return 2;
    }
    holos_status status = shipped ? holos_open(argv[2], &v, &err) : HOLOS_OK;
    if (status == HOLOS_OK && shipped)
        status = holos_knowledge_open_shipped(v, NULL, &k, &err);
    else if (status == HOLOS_OK)
        status = holos_knowledge_open(argv[1], NULL, NULL, &k, &err);
    if (status != HOLOS_OK || k == NULL) {
        fprintf(stderr, "%s\n", status != HOLOS_OK ? err.message : "nothing comes with holos for this game");
        holos_close(v);
        return 2;
    }
    int failed = 0;
    holos_position *p = holos_position_new(holos_knowledge_variant(k));
    printf("a %s of %s\n", holos_knowledge_kind(k), holos_variant_name(holos_knowledge_variant(k)));
    for (int i = first; i < argc && p != NULL; i++)
        failed |= show(k, p, argv[i]);
    holos_position_free(p);
    holos_knowledge_close(k);
    holos_close(v);
    return failed;
}
