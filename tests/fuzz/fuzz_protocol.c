/* SPDX-License-Identifier: MIT */

/* Whatever another program says, line by line, the engine answers, and never crashes. FUZZ_PROTOCOL is the protocol. Everything is stopped
 * at once (an interrupt is asked for), so that nothing takes long; and no line names a file. */

#include "cli/interrupt.h"
#include "cli/protocol.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What opens or writes a file, or asks for much memory, is not for a fuzzer. */
static bool is_harmless(const char *line)
{
    static const char *const words[] = {"Path", "path",    "checkpoint", "network", "memory",
                                        "Hash", "Threads", "hash",       "threads"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcasestr(line, words[i]) != NULL)
            return false;
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static int null = -1;
    pthread_mutex_t speaking = PTHREAD_MUTEX_INITIALIZER;
    engine_settings settings = {.no_book = true};
    cli c = {.settings = &settings,
             .shared = {.nodes = 50, .mem = FUZZ_PROTOCOL.thinks ? 1 << 20 : 16 << 20, .threads = 1}};
    output out;
    holos_error err;
    null = null >= 0 ? null : open("/dev/null", O_WRONLY);
    output_init(&out, null);
    c.out = &out;
    interrupt_request();
    session s = {.c = &c, .p = &FUZZ_PROTOCOL, .out = &out.text, .speaking = &speaking};
    holos_status status = s.p->plain ? HOLOS_OK : session_game(&s, FUZZ_GAME, &err);
    if (status == HOLOS_OK && s.p->open != NULL)
        status = s.p->open(&s, &err);
    if (status != HOLOS_OK)
        abort();
    char *copy = strndup((const char *)data, size), *rest = copy;
    for (char *line; rest != NULL && !s.quit && (line = strsep(&rest, "\n")) != NULL;) {
        if (is_harmless(line))
            s.p->obey(&s, line);
        pthread_mutex_lock(&speaking);
        output_flush(&out);
        pthread_mutex_unlock(&speaking);
    }
    free(copy);
    if (s.p->close != NULL)
        s.p->close(&s);
    session_close(&s);
    output_free(&out);
    return 0;
}
