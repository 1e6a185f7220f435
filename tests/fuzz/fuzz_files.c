/* SPDX-License-Identifier: MIT */

/* Whatever a file holds, reading it as a network, an evaluation, the checkpoint of a search or of a training, the table of a match, an
 * ablation, or a line of seeds, options or names does no harm. The first byte of the input chooses. Checksums would stop nearly
 * everything at the door, so an input is also tried with them put right. */

#include "core/bytes.h"
#include "core/file.h"
#include "core/hash.h"
#include "core/option.h"
#include "core/url.h"
#include "engine/alphabeta/checkpoint.h"
#include "games/reversi/evaluation.h"
#include "net/net.h"
#include "session/ablation.h"
#include "session/match.h"
#include "session/training.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static holos_variant *variant(const char *name)
{
    holos_variant *v;
    if (holos_open(name, &v, NULL) != HOLOS_OK)
        abort();
    return v;
}

/* ---- Files ------------------------------------------------------------------------------------- */

static void network_try(const char *path)
{
    net n;
    holos_error err;
    net_load(&n, path, NULL, &err);
    net_free(&n);
}

static void network_repair(uint8_t *data, size_t size)
{
    if (size < 192)
        return;
    memcpy(data, "HOLOSNET", 8);
    memset(data + 176, 0, 16);
    holos_key sum = hash_bytes(data, size);
    put64(data + 176, sum.lo);
    put64(data + 184, sum.hi);
}

static void evaluation_try(const char *path)
{
    reversi_evaluation *e;
    holos_error err;
    if (evaluation_read(path, 4, &e, &err) == HOLOS_OK)
        evaluation_close(e);
}

/* The sum of all that is before it, at the end. */
static void tail_repair(uint8_t *data, size_t size)
{
    if (size >= 8)
        put64(data + size - 8, hash_bytes(data, size - 8).lo);
}

static void entry_ignore(void *context, holos_key key, const ab_entry *entry)
{
    (void)key;
    *(uint64_t *)context += entry->work;
}

static void checkpoint_try(const char *path)
{
    holos_variant *v = variant("connect4");
    holos_error err;
    uint64_t work = 0;
    checkpoint_is_at(path);
    checkpoint_read(path, v, entry_ignore, &work, &err);
    holos_close(v);
}

static void checkpoint_repair(uint8_t *data, size_t size)
{
    if (size < 88)
        return;
    memcpy(data, "HOLOSAB1", 8);
    put64(data + 80, hash_bytes(data, 80).lo);
    tail_repair(data + 88, size - 88); /* a single block */
}

/* ---- Trainings, which are folders -------------------------------------------------------------- */

static const char *training_folder(void)
{
    static char folder[] = "/tmp/holos-fuzz-XXXXXX";
    static bool made;
    if (!made && mkdtemp(folder) == NULL)
        abort();
    made = true;
    return folder;
}

static void training_folder_try(const char *folder)
{
    holos_variant *v = variant("reversi:4");
    holos_error err;
    holos_settings *words = holos_settings_new();
    train_settings settings;
    training t;
    uint64_t seed;
    if (training_load_settings(folder, v, words, &seed, &err) == HOLOS_OK &&
        option_read(train_options, words, &settings, &err) == HOLOS_OK &&
        training_memory(v, &settings, 1) < (uint64_t)8 << 20) {
        memset(&t, 0, sizeof t);
        if (training_init(&t, v, &settings, seed, &err) == HOLOS_OK)
            training_load(&t, folder, &err);
        training_free(&t);
    }
    holos_settings_free(words);
    holos_close(v);
}

static void training_bytes_try(const uint8_t *data, size_t size)
{
    char path[128];
    holos_error err;
    snprintf(path, sizeof path, "%s/%s", training_folder(), TRAINING_CHECKPOINT);
    FILE *file = fopen(path, "wb");
    if (file == NULL)
        return;
    fwrite(data, 1, size, file);
    fclose(file);
    training_folder_try(training_folder());
    (void)err;
}

static void training_repair(uint8_t *data, size_t size)
{
    if (size < 40)
        return;
    memcpy(data, "HOLOSTRN", 8);
    holos_key sum = hash_bytes(data, size - 16);
    put64(data + size - 16, sum.lo);
    put64(data + size - 8, sum.hi);
}

/* ---- Text -------------------------------------------------------------------------------------- */

static void match_try(const char *s, size_t size)
{
    holos_variant *v = variant("nim");
    match_setup setup = {.v = v, .names = {"random", "alphabeta:depth=2"}};
    match_game *games = NULL;
    uint64_t count = 0;
    holos_error err;
    text table;
    text_init(&table);
    text_bytes(&table, s, size);
    if (match_read_table(&setup, "fuzz.csv", &table, &games, &count, &err) == HOLOS_OK) {
        holos_score score;
        text out;
        text_init(&out);
        match_count(games, count, &score);
        match_write_table(&setup, games, count, &out);
        match_draw(&setup, games, count, &out);
        text_free(&out);
        for (uint64_t i = 0; i < count; i++)
            match_game_free(&games[i]);
    }
    free(games);
    text_free(&table);
    holos_close(v);
}

static void ablation_try(const char *s, size_t size)
{
    holos_variant *v = variant("reversi:4");
    ablation *a = calloc(1, sizeof *a);
    text out;
    if (a == NULL)
        abort();
    a->v = v;
    text_init(&a->log);
    text_init(&out);
    if (ablation_read(a, s, size)) {
        ablation_csv(a, &out);
        ablation_svg(a, &out);
        ablation_write(a, &out);
    }
    text_free(&out);
    text_free(&a->log);
    free(a);
    holos_close(v);
}

/* A seed, a kind of positions and a place, for a game that is named first: "chess KQvK". */
static void words_try(const char *s, size_t size)
{
    (void)size;
    char *copy = strdup(s), *rest = copy;
    const char *game = copy != NULL ? strsep(&rest, " ") : "";
    holos_variant *v;
    holos_error err;
    holos_kind kind;
    holos_wave_seed seed;
    url_parse(s);
    if (holos_open(game, &v, &err) == HOLOS_OK) {
        holos_position *p = holos_position_new(v);
        if (p != NULL && rest != NULL) {
            holos_seed_parse(v, rest, p, &seed, &err);
            if (holos_kind_parse(v, rest, &kind, &err) == HOLOS_OK) {
                char name[64];
                holos_kind_format(v, kind, name, sizeof name);
                holos_kind_position(v, kind, 1, 0, p, &err);
            }
        }
        holos_position_free(p);
        holos_close(v);
    }
    free(copy);
}

/* "GAME NAME=VALUE NAME=VALUE …": options of engines and games; none that names a file. */
static void options_try(const char *s, size_t size)
{
    (void)size;
    char *copy = strdup(s), *rest = copy;
    const char *game = copy != NULL ? strsep(&rest, " ") : "";
    holos_variant *v;
    holos_error err;
    holos_settings *words = holos_settings_new();
    for (char *word; rest != NULL && (word = strsep(&rest, " ")) != NULL;) {
        const char *name = strsep(&word, "=");
        if (strcmp(name, "checkpoint") != 0 && strcmp(name, "network") != 0)
            holos_settings_set(words, name, word, &err);
    }
    if (holos_open(game, &v, &err) == HOLOS_OK) {
        holos_solver *solver;
        holos_stop stop = {.asked = 1};
        holos_solver_options options = {.settings = words,
                                        .limits = {.memory = (size_t)32 << 20, .stop = &stop}};
        if (holos_solver_open(v, &options, &solver, &err) == HOLOS_OK)
            holos_solver_close(solver);
        holos_close(v);
    }
    holos_settings_free(words);
    free(copy);
}

/* ---- All of them ------------------------------------------------------------------------------- */

/* A file that is nowhere but in memory. */
static void file_try(const uint8_t *data, size_t size, void (*try)(const char *path))
{
    char path[64];
    int fd = memfd_create("fuzz", MFD_CLOEXEC);
    if (fd < 0)
        return;
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    if (write(fd, data, size) == (ssize_t)size)
        try(path);
    close(fd);
}

static const struct {
    char letter;
    void (*path)(const char *path);
    void (*bytes)(const uint8_t *data, size_t size);
    void (*repair)(uint8_t *data, size_t size);
    void (*text)(const char *s, size_t size);
} kinds[] = {
    {.letter = 'n', .path = network_try, .repair = network_repair},
    {.letter = 'e', .path = evaluation_try, .repair = tail_repair},
    {.letter = 'c', .path = checkpoint_try, .repair = checkpoint_repair},
    {.letter = 't', .bytes = training_bytes_try, .repair = training_repair},
    {.letter = 'm', .text = match_try},
    {.letter = 'a', .text = ablation_try},
    {.letter = 'w', .text = words_try},
    {.letter = 'o', .text = options_try},
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t i = 0, count = sizeof kinds / sizeof *kinds;
    while (size > 0 && i < count && kinds[i].letter != (char)data[0])
        i++;
    uint8_t *copy = size > 0 && i < count ? calloc(size, 1) : NULL; /* one byte less, and a final 0 */
    if (copy == NULL)
        return 0;
    memcpy(copy, data + 1, size - 1);
    for (int pass = 0; pass < 2; pass++) {
        if (kinds[i].path != NULL)
            file_try(copy, size - 1, kinds[i].path);
        if (kinds[i].bytes != NULL)
            kinds[i].bytes(copy, size - 1);
        if (kinds[i].text != NULL)
            kinds[i].text((const char *)copy, size - 1);
        if (kinds[i].repair == NULL)
            break;
        kinds[i].repair(copy, size - 1);
    }
    free(copy);
    return 0;
}
