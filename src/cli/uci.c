/* SPDX-License-Identifier: MIT */

/* The Universal Chess Interface. It thinks on a thread of its own, so that it hears "stop" meanwhile. What tables know is played
 * from them; the rest is looked ahead for (holos/play.h). */

#include "cli/interrupt.h"
#include "cli/known.h"
#include "cli/protocol.h"

#include "core/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
    HASH_DEFAULT = 64,
    HASH_MOST = 1 << 16,
    THREADS_MOST = 256,
    OVERHEAD_MOST = 5000,
    SEARCHMOVES_MOST = 256
};

/* What "go" asks for. */
typedef struct errand {
    double seconds, enough; /* 0: no limit */
    uint64_t nodes;
    unsigned depth, mate; /* mate: in so many moves */
    bool forever;         /* no answer before "stop" */
    holos_move only[SEARCHMOVES_MOST];
    size_t only_count;
} errand;

typedef struct uci {
    session *s;
    int64_t hash, threads, overhead; /* MiB, threads, milliseconds */
    holos_thinker *thinker;          /* NULL: to be opened */
    holos_solver *tables;            /* NULL: there are none */
    bool lost;                       /* the last "position" was wrong: there is nothing to think about */
    errand go;
    pthread_t thread;
    bool thinking; /* the thread is to be joined */
    holos_stop stop;
    pthread_mutex_t lock;
    pthread_cond_t stopped;
} uci;

static uci *uci_of(session *s)
{
    return s->state;
}

__attribute__((format(printf, 2, 3))) static void say(uci *u, const char *format, ...)
{
    char line[4096];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    text words = {.data = line, .length = length < (int)sizeof line ? (size_t)length : sizeof line - 1};
    session_say(u->s, &words);
}

static void complain(uci *u, const holos_error *err)
{
    say(u, "info string error: %s\n", err->message);
}

/* ---- Thinking ---------------------------------------------------------------------------------- */

/* "cp 35", "mate 3", "mate -2". */
static void score_write(int32_t score, text *out)
{
    int32_t plies = HOLOS_THOUGHT_WIN - abs(score);
    if (plies <= 1000)
        text_printf(out, "mate %d", (int)(score > 0 ? (plies + 1) / 2 : -(plies / 2)));
    else
        text_printf(out, "cp %d", (int)score);
}

static void line_write(const uci *u, const holos_move *line, size_t length, text *out)
{
    const holos_variant *v = u->s->v;
    holos_position *p = holos_position_new(v);
    if (p == NULL)
        return;
    memcpy(p, session_now(u->s), holos_position_size(v));
    for (size_t i = 0; i < length; i++) {
        text_char(out, ' ');
        text_take(out, holos_spell_move, v, p, line[i]);
        if (holos_play(v, p, line[i], p, NULL) != HOLOS_OK)
            break;
    }
    holos_position_free(p);
}

static void report(void *context, const holos_thought *thought)
{
    uci *u = context;
    text t;
    text_init(&t);
    text_printf(&t, "info depth %u seldepth %u score ", thought->depth, thought->deepest);
    score_write(thought->score, &t);
    double seconds = thought->seconds > 1e-3 ? thought->seconds : 1e-3;
    text_printf(&t, " nodes %llu nps %llu tbhits %llu time %llu pv", (unsigned long long)thought->nodes,
                (unsigned long long)((double)thought->nodes / seconds), (unsigned long long)thought->known,
                (unsigned long long)(thought->seconds * 1e3));
    line_write(u, thought->line, thought->line_length, &t);
    text_char(&t, '\n');
    session_say(u->s, &t);
    text_free(&t);
}

static int sign(int32_t x)
{
    return (x > 0) - (x < 0);
}

/* What tables say of the position, if they know it: a best move by the distance. */
static bool tables_answer(uci *u, const errand *go, holos_move *move)
{
    holos_result r;
    holos_error err;
    if (u->tables == NULL || go->only_count > 0)
        return false;
    holos_status status = holos_solver_solve(u->tables, session_now(u->s), &r, &err);
    if (status != HOLOS_OK || r.best_count == 0) {
        if (status != HOLOS_OK && status != HOLOS_LIMIT && status != HOLOS_INTERRUPTED)
            complain(u, &err);
        return false;
    }
    int32_t min, max;
    holos_score_range(u->s->v, &min, &max);
    bool decided = r.value.lo == min || r.value.lo == max;
    int32_t score = !decided ? 10 * sign(r.value.lo)
                    : r.value.distance != HOLOS_NO_DISTANCE
                        ? sign(r.value.lo) * (HOLOS_THOUGHT_WIN - r.value.distance)
                        : sign(r.value.lo) * HOLOS_THOUGHT_KNOWN;
    *move = r.best[0];
    bool follows = r.line_length > 0 && r.line[0] == *move;
    holos_thought thought = {.depth = follows ? (unsigned)r.line_length : 1,
                             .deepest = follows ? (unsigned)r.line_length : 1,
                             .score = score,
                             .line = follows ? r.line : move,
                             .line_length = follows ? r.line_length : 1,
                             .nodes = r.nodes,
                             .known = 1,
                             .seconds = r.seconds};
    report(u, &thought);
    return true;
}

static holos_status thinker_open(uci *u, holos_error *err)
{
    holos_thinker_options options = {.memory = (size_t)u->hash << 20,
                                     .threads = (unsigned)u->threads,
                                     .boundary = holos_knowledge_boundary(u->s->known)};
    return u->thinker != NULL ? HOLOS_OK : holos_thinker_open(u->s->v, &options, &u->thinker, err);
}

static bool think(uci *u, const errand *go, holos_move *move)
{
    holos_error err;
    holos_thought thought;
    holos_think_options options = {
        .limits = {.seconds = go->seconds, .nodes = go->nodes, .stop = &u->stop},
        .depth = go->mate > 0 ? 2 * go->mate - 1 : go->depth,
        .enough = go->enough,
        .whole = go->mate > 0,
        .only = go->only_count > 0 ? go->only : NULL,
        .only_count = go->only_count,
        .played = (const holos_position *)u->s->game.positions,
        .played_count = u->s->game.now,
        .report = report,
        .context = u,
    };
    holos_status status = thinker_open(u, &err);
    if (status == HOLOS_OK)
        status = holos_thinker_think(u->thinker, session_now(u->s), &options, &thought, &err);
    if (status != HOLOS_OK) {
        complain(u, &err);
        return holos_moves(u->s->v, session_now(u->s), move, 1) > 0;
    }
    *move = thought.line[0];
    return true;
}

/* "go infinite" is answered when it is stopped, however soon everything is seen. */
static void stop_await(uci *u)
{
    pthread_mutex_lock(&u->lock);
    while (!holos_stop_asked(&u->stop))
        pthread_cond_wait(&u->stopped, &u->lock);
    pthread_mutex_unlock(&u->lock);
}

static void *think_thread(void *context)
{
    uci *u = context;
    const errand *go = &u->go;
    holos_move move;
    char name[16] = "(none)";
    holos_value over;
    if (u->lost) {
        say(u, "info string error: there is no position to think about\n");
    } else if (holos_terminal(u->s->v, session_now(u->s), &over)) {
        say(u, "info depth 0 score %s 0\n", over.lo < 0 ? "mate" : "cp");
    } else if (tables_answer(u, go, &move) || think(u, go, &move)) {
        holos_spell_move(u->s->v, session_now(u->s), move, name, sizeof name);
    }
    if (go->forever)
        stop_await(u);
    say(u, "bestmove %s\n", name);
    return NULL;
}

/* Ends the thinking; its answer is out when this returns. */
static void think_stop(uci *u)
{
    if (!u->thinking)
        return;
    pthread_mutex_lock(&u->lock);
    holos_stop_set(&u->stop);
    pthread_cond_signal(&u->stopped);
    pthread_mutex_unlock(&u->lock);
    pthread_join(u->thread, NULL);
    u->thinking = false;
}

/* Before something changes: what has a limit of its own is answered first, so that a file of commands is as good as a program that
 * waits for each answer; what goes on forever is stopped. */
static void think_end(uci *u)
{
    if (u->thinking && !u->go.forever) {
        pthread_join(u->thread, NULL);
        u->thinking = false;
    }
    think_stop(u);
}

/* ---- Commands ---------------------------------------------------------------------------------- */

static void uci_uci(uci *u, char *rest)
{
    (void)rest;
    say(u,
        "id name holos %s\nid author the holos authors\n"
        "option name Hash type spin default %d min 1 max %d\n"
        "option name Threads type spin default %d min 1 max %d\n"
        "option name SyzygyPath type string default <empty>\n"
        "option name Move Overhead type spin default %d min 0 max %d\n"
        "option name Clear Hash type button\n"
        "uciok\n",
        holos_version(), (int)u->hash, HASH_MOST, (int)u->threads, THREADS_MOST, (int)u->overhead,
        OVERHEAD_MOST);
}

static void uci_ready(uci *u, char *rest)
{
    (void)rest;
    say(u, "readyok\n");
}

static void uci_new_game(uci *u, char *rest)
{
    (void)rest;
    think_end(u);
    holos_thinker_forget(u->thinker);
}

static void thinker_close(uci *u)
{
    holos_thinker_close(u->thinker);
    u->thinker = NULL;
}

/* Tables for positions that they know: values, distances and lines come from nothing else. */
static holos_status tables_open(uci *u, holos_error *err)
{
    holos_solver_close(u->tables);
    u->tables = NULL;
    if (u->s->known == NULL)
        return HOLOS_OK;
    holos_solver_options options = {.engine = "lookup",
                                    .boundary = holos_knowledge_boundary(u->s->known),
                                    .line = true,
                                    .limits = {.stop = &u->stop}};
    return holos_solver_open(u->s->v, &options, &u->tables, err);
}

static holos_status set_tables(uci *u, const char *path, holos_error *err)
{
    holos_knowledge *known = NULL;
    bool none = path[0] == 0 || strcmp(path, "<empty>") == 0;
    holos_status status = none ? HOLOS_OK : known_open(path, false, u->s->v, 0, &known, err);
    if (status != HOLOS_OK)
        return status;
    thinker_close(u);
    holos_solver_close(u->tables);
    u->tables = NULL;
    holos_knowledge_close(u->s->known);
    u->s->known = known;
    return tables_open(u, err);
}

static holos_status set_number(const char *name, const char *value, int64_t min, int64_t max, int64_t *out,
                               holos_error *err)
{
    if (text_to_int(value, min, max, out))
        return HOLOS_OK;
    return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "%s is a number from %lld to %lld, not \"%.40s\"", name,
                     (long long)min, (long long)max, value);
}

static holos_status option_take(uci *u, const char *name, const char *value, holos_error *err)
{
    holos_status status;
    if (strcasecmp(name, "SyzygyPath") == 0)
        return set_tables(u, value, err);
    if (strcasecmp(name, "Move Overhead") == 0)
        return set_number(name, value, 0, OVERHEAD_MOST, &u->overhead, err);
    if (strcasecmp(name, "Clear Hash") == 0) {
        holos_thinker_forget(u->thinker);
        return HOLOS_OK;
    }
    if (strcasecmp(name, "Hash") == 0)
        status = set_number(name, value, 1, HASH_MOST, &u->hash, err);
    else if (strcasecmp(name, "Threads") == 0)
        status = set_number(name, value, 1, THREADS_MOST, &u->threads, err);
    else
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "there is no option %.60s", name);
    thinker_close(u);
    return status;
}

/* setoption name NAME WITH SPACES [value VALUE WITH SPACES] */
static void uci_option(uci *u, char *rest)
{
    holos_error err;
    think_end(u);
    if (strcmp(word_take(&rest), "name") != 0) {
        say(u, "info string error: setoption name NAME value VALUE\n");
        return;
    }
    char *value = strstr(rest, " value");
    const char *given = "";
    if (value != NULL && (value[6] == ' ' || value[6] == 0)) {
        given = value[6] == ' ' ? value + 7 : "";
        *value = 0;
    }
    if (option_take(u, rest, given, &err) != HOLOS_OK)
        complain(u, &err);
}

/* position startpos|fen FEN [moves MOVE…] */
static void uci_position(uci *u, char *rest)
{
    holos_error err;
    think_end(u);
    char *moves = strstr(rest, " moves"), *list = NULL;
    if (moves != NULL && (moves[6] == ' ' || moves[6] == 0)) {
        list = moves + 6;
        *moves = 0;
    }
    char *kind = word_take(&rest);
    bool from_start = strcmp(kind, "startpos") == 0;
    holos_status status = HOLOS_OK;
    if (!from_start && strcmp(kind, "fen") != 0)
        status = error_set(&err, HOLOS_USAGE, HOLOS_NOWHERE,
                           "position startpos or position fen FEN, not \"%.40s\"", kind);
    if (status == HOLOS_OK)
        status = session_begin(u->s, from_start ? NULL : rest, &err);
    while (status == HOLOS_OK && list != NULL && *list != 0) {
        const char *move = word_take(&list);
        if (move[0] != 0)
            status = session_play(u->s, move, &err);
    }
    u->lost = status != HOLOS_OK;
    if (u->lost)
        complain(u, &err);
}

/* A move's share of the clock. What the look after the share costs is bounded by the rest. */
static void clock_share(const uci *u, errand *go, double left, double increment, int64_t moves)
{
    double overhead = (double)u->overhead / 1e3;
    left = left > overhead ? left - overhead : 0;
    double share = left / (double)(moves > 0 ? moves + 1 : 30) + 0.8 * increment;
    double most = left * (moves == 1 ? 0.9 : 0.4);
    go->seconds = 3 * share < most ? 3 * share : most;
    go->seconds = go->seconds > 0.001 ? go->seconds : 0.001;
    go->enough = 0.6 * share < go->seconds ? 0.6 * share : go->seconds;
}

static void only_add(const uci *u, errand *go, const char *word)
{
    holos_move move;
    if (go->only_count < SEARCHMOVES_MOST &&
        holos_parse_move(u->s->v, session_now(u->s), word, &move, NULL) == HOLOS_OK)
        go->only[go->only_count++] = move;
}

/* The numbers that "go" may name; times are in milliseconds. */
enum {
    GO_WTIME,
    GO_BTIME,
    GO_WINC,
    GO_BINC,
    GO_MOVESTOGO,
    GO_MOVETIME,
    GO_DEPTH,
    GO_NODES,
    GO_MATE,
    GO_COUNT
};
static const char *const go_words[] = {"wtime",    "btime", "winc",  "binc", "movestogo",
                                       "movetime", "depth", "nodes", "mate"};

static int go_word(const char *word)
{
    for (int i = 0; i < GO_COUNT; i++)
        if (strcmp(go_words[i], word) == 0)
            return i;
    return -1;
}

static bool is_flag(const char *word)
{
    return strcmp(word, "infinite") == 0 || strcmp(word, "ponder") == 0 || strcmp(word, "searchmoves") == 0;
}

static void go_read(uci *u, char *rest, errand *go)
{
    int64_t numbers[GO_COUNT] = {0};
    bool given[GO_COUNT] = {false}, choosing = false;
    for (char *word = word_take(&rest); word[0] != 0; word = word_take(&rest)) {
        int which = go_word(word);
        if (which >= 0) {
            choosing = false;
            given[which] = text_to_int(word_take(&rest), INT32_MIN, INT64_MAX / 4, &numbers[which]);
        } else if (is_flag(word)) {
            choosing = word[0] == 's';
            go->forever = go->forever || !choosing;
        } else if (choosing) {
            only_add(u, go, word);
        }
    }
    unsigned side = u->lost ? 0 : holos_side_to_move(u->s->v, session_now(u->s));
    if (given[GO_WTIME + side])
        clock_share(u, go, (double)numbers[GO_WTIME + side] / 1e3, (double)numbers[GO_WINC + side] / 1e3,
                    numbers[GO_MOVESTOGO]);
    if (given[GO_MOVETIME]) {
        go->seconds = (double)(numbers[GO_MOVETIME] > 1 ? numbers[GO_MOVETIME] : 1) / 1e3;
        go->enough = 0;
    }
    go->depth = given[GO_DEPTH] && numbers[GO_DEPTH] > 0
                    ? (unsigned)(numbers[GO_DEPTH] < 100 ? numbers[GO_DEPTH] : 100)
                    : 0;
    go->nodes = given[GO_NODES] && numbers[GO_NODES] > 0 ? (uint64_t)numbers[GO_NODES] : 0;
    go->mate = given[GO_MATE] && numbers[GO_MATE] > 0
                   ? (unsigned)(numbers[GO_MATE] < 50 ? numbers[GO_MATE] : 50)
                   : 0;
    bool limited = go->seconds > 0 || go->depth > 0 || go->nodes > 0 || go->mate > 0;
    const shared_settings *shared = &u->s->c->shared;
    if (!limited && !go->forever) { /* "go" alone: as the command line says */
        go->seconds = shared->time;
        go->nodes = shared->nodes;
    }
    if (go->forever)
        go->seconds = go->enough = 0;
}

static void uci_go(uci *u, char *rest)
{
    think_end(u);
    u->go = (errand){0};
    go_read(u, rest, &u->go);
    u->stop = (holos_stop){.also = interrupt_flag()};
    if (pthread_create(&u->thread, NULL, think_thread, u) != 0)
        say(u, "info string error: no thread to think on\nbestmove (none)\n");
    else
        u->thinking = true;
}

static void uci_stop(uci *u, char *rest)
{
    (void)rest;
    think_stop(u);
}

static void uci_show(uci *u, char *rest)
{
    (void)rest;
    text t;
    if (u->thinking || u->lost)
        return;
    text_init(&t);
    text_take(&t, holos_draw, u->s->v, session_now(u->s));
    text_take(&t, holos_format, u->s->v, session_now(u->s));
    text_char(&t, '\n');
    session_say(u->s, &t);
    text_free(&t);
}

static void uci_quit(uci *u, char *rest)
{
    (void)rest;
    think_stop(u);
    u->s->quit = true;
}

static void uci_nothing(uci *u, char *rest)
{
    (void)u;
    (void)rest;
}

static const struct {
    const char *name;
    void (*run)(uci *u, char *rest);
} commands[] = {
    {"uci", uci_uci}, {"isready", uci_ready}, {"ucinewgame", uci_new_game}, {"position", uci_position},
    {"go", uci_go},   {"stop", uci_stop},     {"ponderhit", uci_stop},      {"setoption", uci_option},
    {"d", uci_show},  {"quit", uci_quit},     {"debug", uci_nothing},       {"register", uci_nothing},
};

/* Words before a command that it knows are passed over, as the protocol asks. */
static void uci_obey(session *s, char *line)
{
    const char *first = NULL;
    for (char *rest = line, *word = word_take(&rest); word[0] != 0; word = word_take(&rest)) {
        for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
            if (strcmp(commands[i].name, word) == 0) {
                commands[i].run(uci_of(s), rest);
                return;
            }
        first = first != NULL ? first : word;
    }
    if (first != NULL)
        say(uci_of(s), "info string unknown command: %.60s\n", first);
}

static void uci_close(session *s)
{
    uci *u = s->state;
    if (!s->quit && !interrupted())
        think_end(u);
    think_stop(u);
    holos_thinker_close(u->thinker);
    holos_solver_close(u->tables);
    pthread_cond_destroy(&u->stopped);
    pthread_mutex_destroy(&u->lock);
    free(u);
}

static holos_status uci_open(session *s, holos_error *err)
{
    const shared_settings *shared = &s->c->shared;
    uci *u = s->state = calloc(1, sizeof *u);
    if (u == NULL)
        return error_system(err, "the engine");
    u->s = s;
    u->hash = shared->mem > 0 ? (int64_t)(shared->mem >> 20) : HASH_DEFAULT;
    u->hash = u->hash < 1 ? 1 : u->hash > HASH_MOST ? HASH_MOST : u->hash;
    u->threads = session_threads(s) < THREADS_MOST ? session_threads(s) : THREADS_MOST;
    u->overhead = 20;
    pthread_mutex_init(&u->lock, NULL);
    pthread_cond_init(&u->stopped, NULL);
    holos_status status = tables_open(u, err);
    if (status != HOLOS_OK)
        uci_close(s);
    return status;
}

static const char *const refuses[] = {"engine", "seed", NULL};

const protocol protocol_uci = {.name = "uci",
                               .refuses = refuses,
                               .refuses_others = true,
                               .thinks = true,
                               .open = uci_open,
                               .close = uci_close,
                               .obey = uci_obey};
