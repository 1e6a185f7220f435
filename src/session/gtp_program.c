/* SPDX-License-Identifier: MIT */

/* The program has one socket for its input and output: writing to one that is closed is then an error, not a signal. */

#include "session/gtp_program.h"

#include "core/clock.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define PATIENCE     300.0     /* seconds for an answer */
#define QUIT_SECONDS 2.0       /* to end by itself */
#define LOOK_MS      100       /* between two looks at a request to stop */
#define ANSWER_MOST  (1 << 20) /* bytes */

struct gtp_program {
    char *command;
    const holos_stop *stop;
    pid_t process;
    int socket;
    text heard; /* what follows the last answer */
};

/* ---- Starting and ending ----------------------------------------------------------------------- */

static int spawn(gtp_program *g, int end)
{
    char shell[] = "/bin/sh", flag[] = "-c";
    text line;
    text_init(&line);
    text_printf(&line, "exec %s", g->command);
    posix_spawn_file_actions_t files;
    posix_spawnattr_t how;
    posix_spawn_file_actions_init(&files);
    posix_spawnattr_init(&how);
    posix_spawn_file_actions_adddup2(&files, end, 0);
    posix_spawn_file_actions_adddup2(&files, end, 1);
    posix_spawn_file_actions_addopen(&files, 2, "/dev/null", O_WRONLY, 0);
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(&how, &none);
    posix_spawnattr_setsigdefault(&how, &all);
    posix_spawnattr_setpgroup(&how, 0);
    posix_spawnattr_setflags(&how, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
    char *words[] = {shell, flag, line.data, NULL};
    int code = line.failed ? ENOMEM : posix_spawn(&g->process, shell, &files, &how, words, environ);
    posix_spawnattr_destroy(&how);
    posix_spawn_file_actions_destroy(&files);
    text_free(&line);
    return code;
}

holos_status gtp_open(const char *command, const holos_stop *stop, gtp_program **out, holos_error *err)
{
    int ends[2];
    gtp_program *g = *out = calloc(1, sizeof *g);
    if (g == NULL)
        return error_system(err, "a program");
    g->socket = -1;
    g->process = -1;
    g->stop = stop;
    g->command = strdup(command);
    text_init(&g->heard);
    if (g->command == NULL || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return error_system(err, "cannot start %s", command);
    g->socket = ends[0];
    errno = spawn(g, ends[1]);
    holos_status status = errno != 0 ? error_system(err, "cannot start %s", command) : HOLOS_OK;
    if (status != HOLOS_OK)
        g->process = -1;
    close(ends[1]);
    return status;
}

/* Whether the program has ended; *state says how. */
static bool has_ended(gtp_program *g, double seconds, int *state)
{
    double until = clock_wall() + seconds;
    while (waitpid(g->process, state, WNOHANG) == 0) {
        if (clock_wall() >= until)
            return false;
        poll(NULL, 0, 10);
    }
    g->process = -1;
    return true;
}

void gtp_close(gtp_program *g)
{
    int state;
    if (g == NULL)
        return;
    if (g->process > 0) {
        send(g->socket, "quit\n", 5, MSG_NOSIGNAL);
        shutdown(g->socket, SHUT_WR);
        pid_t process = g->process;
        if (!has_ended(g, QUIT_SECONDS, &state)) {
            kill(-process, SIGKILL);
            waitpid(process, &state, 0);
        }
    }
    if (g->socket >= 0)
        close(g->socket);
    text_free(&g->heard);
    free(g->command);
    free(g);
}

/* ---- Talking ----------------------------------------------------------------------------------- */

static holos_status ended(gtp_program *g, holos_error *err)
{
    int state = 0;
    if (g->process > 0 && has_ended(g, QUIT_SECONDS, &state) && WIFEXITED(state) && WEXITSTATUS(state) == 127)
        return error_set(err, HOLOS_IO, HOLOS_NOWHERE, "cannot start %s: there is no such program",
                         g->command);
    return error_set(err, HOLOS_IO, HOLOS_NOWHERE, "%s has ended in the middle of a match", g->command);
}

/* Waits until there is more to read. */
static holos_status wait_more(gtp_program *g, double until, holos_error *err)
{
    struct pollfd look = {.fd = g->socket, .events = POLLIN};
    for (;;) {
        if (holos_stop_asked(g->stop))
            return error_set(err, HOLOS_INTERRUPTED, HOLOS_NOWHERE, "interrupted");
        if (clock_wall() >= until)
            return error_set(err, HOLOS_IO, HOLOS_NOWHERE, "%s has not answered for %.0f s", g->command,
                             PATIENCE);
        if (poll(&look, 1, LOOK_MS) > 0)
            return HOLOS_OK;
    }
}

/* The end of an answer in what was heard: an empty line after it. 0: not yet. */
static size_t answer_end(const text *heard)
{
    const char *end = heard->length > 0 ? strstr(heard->data, "\n\n") : NULL;
    return end != NULL ? (size_t)(end - heard->data) + 2 : 0;
}

static holos_status listen_for(gtp_program *g, size_t *length, holos_error *err)
{
    double until = clock_wall() + PATIENCE;
    while ((*length = answer_end(&g->heard)) == 0) {
        char bytes[4096];
        holos_status status = wait_more(g, until, err);
        if (status != HOLOS_OK)
            return status;
        ssize_t count = read(g->socket, bytes, sizeof bytes);
        if (count <= 0 || g->heard.length > ANSWER_MOST)
            return ended(g, err);
        for (ssize_t i = 0; i < count; i++)
            if (bytes[i] != '\r' && bytes[i] != 0 && (bytes[i] != '\n' || g->heard.length > 0))
                text_char(&g->heard, bytes[i]);
        if (g->heard.failed)
            return error_system(err, "an answer of %s", g->command);
        if (g->heard.length > 0 && g->heard.data[0] != '=' && g->heard.data[0] != '?')
            return error_set(err, HOLOS_IO, HOLOS_NOWHERE, "%s does not speak the Go Text Protocol",
                             g->command);
    }
    return HOLOS_OK;
}

/* Takes an answer without its sign and blanks out of what was heard. */
static bool answer_take(gtp_program *g, size_t length, text *answer)
{
    const char *from = g->heard.data, *end = from + length;
    bool good = *from == '=';
    from++; /* there is no number after it: commands have none */
    while (from < end && isspace((unsigned char)*from))
        from++;
    while (end > from && isspace((unsigned char)end[-1]))
        end--;
    text_clear(answer);
    text_bytes(answer, from, (size_t)(end - from));
    size_t rest = g->heard.length - length;
    memmove(g->heard.data, g->heard.data + length, rest);
    g->heard.length = rest;
    g->heard.data[rest] = 0;
    return good;
}

static void send_all(int socket, const char *bytes, size_t length)
{
    while (length > 0) {
        ssize_t sent = send(socket, bytes, length, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent <= 0)
            return;
        bytes += sent;
        length -= (size_t)sent;
    }
}

holos_status gtp_ask(gtp_program *g, text *answer, holos_error *err, const char *format, ...)
{
    char command[256];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(command, sizeof command - 1, format, arguments);
    va_end(arguments);
    size_t heard;
    if (length < 0 || (size_t)length >= sizeof command - 1)
        return error_set(err, HOLOS_IO, HOLOS_NOWHERE, "a command for %s is too long", g->command);
    command[length] = '\n';
    if (g->process <= 0)
        return ended(g, err);
    send_all(g->socket, command, (size_t)length + 1); /* whether one listens is seen by the answer */
    holos_status status = listen_for(g, &heard, err);
    if (status != HOLOS_OK)
        return status;
    command[length] = 0;
    if (!answer_take(g, heard, answer))
        return error_set(err, HOLOS_BAD_MOVE, HOLOS_NOWHERE, "%s refuses \"%s\": %s", g->command, command,
                         answer->data);
    return HOLOS_OK;
}
