/* SPDX-License-Identifier: MIT */

/* Looking after what long work has left: builds a small database, copies it into one that can be asked with SQL, and
 * says whether both are sound and equal.
 *
 *     cc keep_stores.c $(pkg-config --cflags --libs holos) -o keep_stores
 *
 *     $ ./keep_stores kalah:2,2 here there.db
 *     here: a database of kalah:2,2, 495 positions
 *     here is sound
 *     sqlite:there.db: a database of kalah:2,2, 495 positions
 *     sqlite:there.db is sound
 *     the same values
 *
 *     $ ./keep_stores kalah:2,2 here here
 *     here holds a finished database of kalah:2,2 up to 8; --resume extends it, --restart replaces it
 */

#include <holos/holos.h>

#include <stdio.h>
#include <string.h>

static holos_status build(const char *game, const char *store, holos_error *err)
{
    holos_variant *v;
    holos_job *job = NULL;
    holos_job_options options = {.kind = "database", .store = store};
    holos_status status = holos_open(game, &v, err);
    if (status != HOLOS_OK)
        return status;
    status = holos_job_open(v, &options, &job, err);
    if (status == HOLOS_OK)
        status = holos_job_run(job, err);
    holos_job_close(job);
    holos_close(v);
    return status;
}

/* Says what lies there, and reads all of it. */
static holos_status check(const char *url, holos_store_facts *facts, holos_error *err)
{
    holos_status status = holos_store_look(url, facts, err);
    if (status != HOLOS_OK)
        return status;
    printf("%s: a %s of %s, %llu positions\n", url, facts->kind, facts->game,
           (unsigned long long)facts->positions);
    status = holos_store_verify(url, &(holos_store_options){.all = true}, NULL, err);
    if (status == HOLOS_OK)
        printf("%s is sound\n", url);
    return status;
}

int main(int argc, char **argv)
{
    holos_error err;
    holos_store_facts first, second;
    char copy[4096];
    if (argc < 4) {
        fprintf(stderr, "usage: %s GAME[:VARIANT] FOLDER FILE\n", argv[0]);
        return 2;
    }
    snprintf(copy, sizeof copy, "sqlite:%s", argv[3]);
    if (build(argv[1], argv[2], &err) != HOLOS_OK || check(argv[2], &first, &err) != HOLOS_OK ||
        holos_store_copy(argv[2], copy, NULL, NULL, &err) != HOLOS_OK ||
        check(copy, &second, &err) != HOLOS_OK) {
        printf("%s\n", err.message);
        return 1;
    }
    printf("%s\n", strcmp(first.digest, second.digest) == 0 ? "the same values" : "other values");
    return 0;
}
