/* SPDX-License-Identifier: MIT */

#include "core/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Locks of an open file, not of a process, where the system has them: then two jobs of one program exclude each other, too. */
#ifdef F_OFD_SETLK
#define SET_LOCK F_OFD_SETLK
#define GET_LOCK F_OFD_GETLK
#else
#define SET_LOCK F_SETLK
#define GET_LOCK F_GETLK
#endif

/* ---- Who has it -------------------------------------------------------------------------------- */

static bool read_all(int fd, text *out)
{
    char bytes[LOCK_MOST];
    ssize_t got = pread(fd, bytes, sizeof bytes, 0);
    if (got > 0)
        text_bytes(out, bytes, (size_t)got);
    return got > 0;
}

/* "2026-03-01T12:03:00Z" as the time of day here: "12:03", with the date if it was not today. */
static void since_words(const char *since, text *out)
{
    struct tm then = {0}, shown, today;
    char words[32];
    time_t now = time(NULL);
    if (since == NULL || strptime(since, "%Y-%m-%dT%H:%M:%SZ", &then) == NULL)
        return;
    time_t at = timegm(&then);
    localtime_r(&at, &shown);
    localtime_r(&now, &today);
    bool same_day = shown.tm_yday == today.tm_yday && shown.tm_year == today.tm_year;
    strftime(words, sizeof words, same_day ? "%H:%M" : "%Y-%m-%d %H:%M", &shown);
    text_printf(out, " since %s", words);
}

static holos_status held_error(int fd, const char *what, holos_error *err)
{
    text said, words;
    text_init(&said);
    text_init(&words);
    read_all(fd, &said);
    json_t *owner = json_read(said.data, said.length, NULL);
    char host[256] = "";
    gethostname(host, sizeof host - 1);
    const char *there = json_string_value(json_object_get(owner, "host"));
    const char *command = json_string_value(json_object_get(owner, "command"));
    if (owner != NULL) {
        text_printf(&words, "process %lld", (long long)json_integer_value(json_object_get(owner, "pid")));
        if (there != NULL && strcmp(there, host) != 0)
            text_printf(&words, " on %s", there);
        if (command != NULL)
            text_printf(&words, " (%s)", command);
        since_words(json_string_value(json_object_get(owner, "since")), &words);
    } else {
        text_string(&words, "another process");
    }
    holos_status status = error_set(err, HOLOS_IO, HOLOS_NOWHERE, "%s is locked by %s", what, words.data);
    json_decref(owner);
    text_free(&said);
    text_free(&words);
    return status;
}

void lock_put_owner(json *j, int64_t since)
{
    char host[256] = "";
    text moment;
    gethostname(host, sizeof host - 1);
    text_init(&moment);
    text_moment(&moment, since);
    json_put_int(j, "pid", getpid());
    json_put_string(j, "host", host);
    json_put_string(j, "since", moment.data);
    text_free(&moment);
}

static void owner_write(file_lock *l)
{
    text words;
    text_init(&words);
    json j = json_begin(&words);
    json_open(&j, NULL, '{');
    lock_put_owner(&j, time(NULL));
    json_close(&j);
    lock_write(l, words.data);
    text_free(&words);
}

/* ---- Taking it --------------------------------------------------------------------------------- */

/* Whether the file that was locked still has its name: its last holder may have removed it in between. */
static bool is_current(int fd, const char *path)
{
    struct stat mine, named;
    return fstat(fd, &mine) == 0 && stat(path, &named) == 0 && mine.st_ino == named.st_ino &&
           mine.st_dev == named.st_dev;
}

holos_status lock_take(file_lock *l, const char *path, const char *what, holos_error *err)
{
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    *l = (file_lock){.fd = -1, .path = strdup(path)};
    if (l->path == NULL)
        return error_system(err, "cannot lock %s", what);
    for (;;) {
        int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
        bool locked = fd >= 0 && fcntl(fd, SET_LOCK, &whole) == 0;
        if (locked && is_current(fd, path)) {
            l->fd = fd;
            owner_write(l);
            return HOLOS_OK;
        }
        holos_status status = HOLOS_OK;
        if (!locked && fd >= 0 && (errno == EAGAIN || errno == EACCES))
            status = held_error(fd, what, err);
        else if (!locked)
            status = error_system(err, "cannot lock %s", what);
        if (fd >= 0)
            close(fd);
        if (status != HOLOS_OK) {
            free(l->path);
            l->path = NULL;
            return status;
        }
    }
}

void lock_write(file_lock *l, const char *words)
{
    char bytes[LOCK_MOST]; /* always as many, in one piece: a reader sees the old words or the new ones */
    size_t length = strlen(words);
    if (l->fd < 0 || length >= sizeof bytes)
        return;
    memset(bytes, ' ', sizeof bytes);
    for (size_t i = 0; i < length; i++)
        bytes[i] = words[i];
    bytes[sizeof bytes - 1] = '\n';
    ssize_t written = pwrite(l->fd, bytes, sizeof bytes, 0);
    (void)written; /* who has it is only for people to know */
}

void lock_release(file_lock *l)
{
    if (l->fd >= 0) {
        unlink(l->path); /* while it is held: whoever waits for it finds it gone and makes a new one */
        close(l->fd);
    }
    free(l->path);
    *l = (file_lock){.fd = -1};
}

bool lock_read(const char *path, text *out, bool *held)
{
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    int fd = open(path, O_RDWR | O_CLOEXEC);
    if (fd < 0)
        fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    *held = fcntl(fd, GET_LOCK, &whole) == 0 && whole.l_type != F_UNLCK;
    bool there = read_all(fd, out);
    close(fd);
    return there;
}
