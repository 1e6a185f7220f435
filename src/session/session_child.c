/* SPDX-License-Identifier: MIT */

/* Tasks of sessions in processes of their own: the caller's program, called again (holos_job_options.child), does what a request
 * says. The request is a file beside the session's hologram, and so is the answer. A process that ends without an answer has died, and
 * has changed nothing: what it writes appears whole or not at all. */

#include "core/file.h"
#include "core/json.h"
#include "session/session.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define REQUEST_MOST ((size_t)16 << 20)
#define WORDS_MOST   1024 /* of the command */
#define POLL_SECONDS 0.02
#define STOP_SECONDS 10.0               /* from a request to stop to the end of patience */
#define OWN_MEMORY   ((size_t)64 << 20) /* of a process, beside its waves */
#define PLACE        "{}"

/* ---- Requests ---------------------------------------------------------------------------------- */

static void lines_put(json *w, const char *name, const char *const *lines, size_t count)
{
    json_open(w, name, '[');
    for (size_t i = 0; i < count; i++)
        json_put_string(w, NULL, lines[i]);
    json_close(w);
}

void session_task_put(json *w, const session_task *task)
{
    json_open(w, NULL, '{');
    json_put_int(w, "parent", getpid());
    json_put_bool(w, "settles", task->settles);
    json_put_uint(w, "round", task->round);
    json_put_uint(w, "phase", task->phase);
    char session[24];
    snprintf(session, sizeof session, "%016llx", (unsigned long long)task->session);
    json_put_string(w, "session", session);
    json_put_uint(w, "mode", task->mode);
    json_put_uint(w, "nodes", task->nodes);
    json_put_uint(w, "memory", task->memory);
    json_put_uint(w, "batches", task->batches);
    json_put_uint(w, "lost", task->lost);
    json_put_string(w, "path", task->path);
    json_put_string(w, "out", task->out != NULL ? task->out : "");
    json_put_uint(w, "first", task->first);
    lines_put(w, "seeds", task->seeds, task->seed_count);
    lines_put(w, "parts", task->parts, task->part_count);
    json_close(w);
}

static holos_status request_write(const session_task *task, const char *path, holos_error *err)
{
    text t;
    text_init(&t);
    json w = json_begin(&t);
    session_task_put(&w, task);
    holos_status status = t.failed ? error_system(err, "the request") : file_put(path, t.data, t.length, err);
    text_free(&t);
    return status;
}

/* The strings of a list; they live as long as the document. NULL: no memory. */
static const char **lines_read(const json_t *list, size_t *count)
{
    *count = json_array_size(list);
    const char **lines = calloc(*count + 1, sizeof *lines);
    for (size_t i = 0; lines != NULL && i < *count; i++) {
        const char *line = json_string_value(json_array_get(list, i));
        lines[i] = line != NULL ? line : "";
    }
    return lines;
}

static uint64_t number(const json_t *from, const char *key)
{
    return (uint64_t)json_integer_value(json_object_get(from, key));
}

static const char *word(const json_t *from, const char *key)
{
    const char *s = json_string_value(json_object_get(from, key));
    return s != NULL ? s : "";
}

holos_status session_task_get(const json_t *from, session_task *out, holos_error *err)
{
    *out = (session_task){.settles = json_is_true(json_object_get(from, "settles")),
                          .round = number(from, "round"),
                          .phase = (holos_phase)number(from, "phase"),
                          .session = strtoull(word(from, "session"), NULL, 16),
                          .mode = (holos_wave_mode)number(from, "mode"),
                          .nodes = number(from, "nodes"),
                          .memory = number(from, "memory"),
                          .batches = number(from, "batches"),
                          .lost = number(from, "lost"),
                          .path = word(from, "path"),
                          .out = word(from, "out"),
                          .first = number(from, "first")};
    out->seeds = lines_read(json_object_get(from, "seeds"), &out->seed_count);
    out->parts = lines_read(json_object_get(from, "parts"), &out->part_count);
    if (out->seeds == NULL || out->parts == NULL)
        return error_system(err, "the request");
    if (out->phase > HOLOS_PHASE_COMPLETE || out->mode > HOLOS_WAVE_OSMOSIS)
        return error_set(err, HOLOS_BAD_FILE, HOLOS_NOWHERE, "this is not a task of a session");
    return HOLOS_OK;
}

void session_task_forget(session_task *task)
{
    free((void *)(uintptr_t)task->seeds);
    free((void *)(uintptr_t)task->parts);
    task->seeds = task->parts = NULL;
}

static holos_status request_read(const char *path, json_t **document, holos_error *err)
{
    text t;
    text_init(&t);
    holos_status status = file_read(path, REQUEST_MOST, &t, err);
    *document = status == HOLOS_OK ? json_read(t.data, t.length, err) : NULL;
    text_free(&t);
    if (status == HOLOS_OK && !json_is_object(*document))
        status = error_set(err, HOLOS_BAD_FILE, HOLOS_NOWHERE, "%s is not a request of a session", path);
    return status;
}

static void answer_write(const char *request, holos_status code, const char *message)
{
    text path, t;
    text_init(&path);
    text_init(&t);
    text_printf(&path, "%s.answer", request);
    json w = json_begin(&t);
    json_open(&w, NULL, '{');
    json_put_uint(&w, "status", code);
    json_put_string(&w, "message", message);
    json_close(&w);
    if (!path.failed && !t.failed)
        (void)file_put(path.data, t.data, t.length, NULL);
    text_free(&path);
    text_free(&t);
}

/* ---- In the child ------------------------------------------------------------------------------ */

/* Ends with its parent, and cannot take more memory than it was given. */
static holos_status child_begin(const job *j, const json_t *request, holos_error *err)
{
    const session_settings *asked = j->settings;
    uint64_t memory = number(request, "memory");
    struct rlimit limit = {.rlim_cur = memory + memory / 4 + OWN_MEMORY, .rlim_max = RLIM_INFINITY};
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if ((uint64_t)getppid() != number(request, "parent"))
        return error_set(err, HOLOS_INTERRUPTED, HOLOS_NOWHERE, "the session that asked for this has ended");
    if (asked->batch_memory > 0 && json_is_false(json_object_get(request, "settles")))
        (void)setrlimit(RLIMIT_DATA, &limit);
    return HOLOS_OK;
}

holos_status session_batch(job *j, const char *path, holos_error *err)
{
    json_t *request = NULL;
    holos_error own = {0};
    err = err != NULL ? err : &own;
    holos_status status = request_read(path, &request, err);
    if (status == HOLOS_OK)
        status = child_begin(j, request, err);
    session_task task = {0};
    if (status == HOLOS_OK && session_task_get(request, &task, err) != HOLOS_OK)
        status = error_prefix(err, "%s: ", path);
    task.stop = j->o->limits.stop;
    if (status == HOLOS_OK)
        status = session_task_run(j, &task, err);
    if (request != NULL)
        answer_write(path, status, status != HOLOS_OK ? err->message : "");
    session_task_forget(&task);
    json_decref(request);
    return status;
}

/* ---- In the parent ----------------------------------------------------------------------------- */

static holos_status command_make(const job *j, const char *request, char **words, holos_error *err)
{
    size_t count = 0;
    for (; j->o->child[count] != NULL; count++) {
        if (count + 1 == WORDS_MOST)
            return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "the command for batches has too many words");
        const char *said = strcmp(j->o->child[count], PLACE) == 0 ? request : j->o->child[count];
        words[count] = (char *)(uintptr_t)said;
    }
    words[count] = NULL;
    return count > 0 ? HOLOS_OK
                     : error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "the command for batches is empty");
}

static holos_status child_start(const job *j, const char *request, pid_t *pid, holos_error *err)
{
    char *words[WORDS_MOST];
    posix_spawn_file_actions_t actions;
    holos_status status = command_make(j, request, words, err);
    if (status != HOLOS_OK)
        return status;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    int code = posix_spawnp(pid, words[0], &actions, NULL, words, environ);
    posix_spawn_file_actions_destroy(&actions);
    errno = code;
    return code == 0 ? HOLOS_OK : error_system(err, "cannot start %s for a batch", words[0]);
}

/* The memory of a process, in bytes. */
static size_t memory_of(pid_t pid)
{
    char path[64];
    unsigned long long pages = 0, all;
    snprintf(path, sizeof path, "/proc/%d/statm", (int)pid);
    FILE *f = fopen(path, "re");
    if (f == NULL)
        return 0;
    if (fscanf(f, "%llu %llu", &all, &pages) != 2)
        pages = 0;
    fclose(f);
    return (size_t)pages * (size_t)sysconf(_SC_PAGESIZE);
}

/* Waits for its end; passes a request to stop on. Returns what wait says. */
static int child_wait(job *j, const holos_stop *stop, pid_t pid)
{
    int status = 0;
    double asked = 0;
    while (waitpid(pid, &status, WNOHANG) == 0) {
        struct timespec pause = {.tv_nsec = (long)(1e9 * POLL_SECONDS)};
        nanosleep(&pause, NULL);
        if (progress_is_due(j->progress)) {
            progress_wave shown = {.memory = memory_of(pid)};
            progress_set_wave(j->progress, atomic_load(&j->progress->done), &shown);
        }
        if (asked == 0 && holos_stop_asked(stop)) {
            asked = clock_wall();
            kill(pid, SIGTERM);
        } else if (asked > 0 && clock_wall() > asked + STOP_SECONDS) {
            kill(pid, SIGKILL);
        }
    }
    return status;
}

/* What the process says of its work. False: nothing. */
static bool answer_read(const char *path, holos_status *status, holos_error *err)
{
    json_t *answer = NULL;
    bool there = access(path, F_OK) == 0 && request_read(path, &answer, NULL) == HOLOS_OK;
    if (there) {
        *status = (holos_status)number(answer, "status");
        if (*status != HOLOS_OK)
            error_set(err, *status, HOLOS_NOWHERE, "%s", word(answer, "message"));
    }
    json_decref(answer);
    (void)unlink(path);
    return there;
}

holos_status session_task_spawn(job *j, const session_task *task, bool *died, holos_error *err)
{
    text request, answer;
    pid_t pid;
    *died = false;
    text_init(&request);
    text_init(&answer);
    /* Ranks of a cluster have requests at the same time, of different batches. */
    text_printf(&request, "%s.request", task->settles ? task->path : task->out);
    text_printf(&answer, "%s.answer", request.data);
    holos_status status = request.failed || answer.failed ? error_system(err, "the request")
                                                          : request_write(task, request.data, err);
    (void)unlink(answer.data);
    if (status == HOLOS_OK)
        status = child_start(j, request.data, &pid, err);
    if (status == HOLOS_OK) {
        int ended = child_wait(j, task->stop, pid);
        if (!answer_read(answer.data, &status, err)) {
            *died = !holos_stop_asked(task->stop);
            status = !*died ? error_set(err, HOLOS_INTERRUPTED, HOLOS_NOWHERE, "interrupted")
                     : WIFSIGNALED(ended)
                         ? error_set(err, HOLOS_IO, HOLOS_NOWHERE, "killed by signal %d", WTERMSIG(ended))
                         : error_set(err, HOLOS_IO, HOLOS_NOWHERE, "ended with status %d and no answer",
                                     WEXITSTATUS(ended));
        } else if (status == HOLOS_NO_MEMORY) {
            *died = true;
        }
    }
    (void)unlink(request.data);
    text_free(&request);
    text_free(&answer);
    return status;
}
