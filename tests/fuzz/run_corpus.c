/* SPDX-License-Identifier: MIT */

/* Runs a fuzz target on the files of a folder: so the corpus is a test with any compiler. */

#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int run_file(const char *folder, const char *name)
{
    static uint8_t data[1 << 16];
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        perror(path);
        return 1;
    }
    size_t size = fread(data, 1, sizeof data, file);
    fclose(file);
    LLVMFuzzerTestOneInput(data, size);
    printf("%s\n", name);
    return 0;
}

int main(int argc, char **argv)
{
    DIR *folder = argc == 2 ? opendir(argv[1]) : NULL;
    if (folder == NULL) {
        fprintf(stderr, "usage: %s CORPUS_FOLDER\n", argv[0]);
        return 2;
    }
    int failures = 0, files = 0;
    for (const struct dirent *entry; (entry = readdir(folder)) != NULL;)
        if (entry->d_name[0] != '.') {
            failures += run_file(argv[1], entry->d_name);
            files++;
        }
    closedir(folder);
    return failures > 0 || files == 0;
}
