/* SPDX-License-Identifier: MIT */

#include "session/ablation.h"

#include "core/json.h"

#include <math.h>
#include <stdlib.h>

#define STREAM_OPENINGS (UINT64_C(4) << 60)
#define STEP_PAIRS      4 /* for each thread: some pairs take three times as long as others */

/* ---- Configurations ---------------------------------------------------------------------------- */

enum { LAYER_GLANCE = 1, LAYER_CONTROL = 2, LAYER_EXPLORE = 4, LAYER_STOP = 8, LAYER_REST = 16 };

/* Those of the source document, then the controls it lacks: as many simulations as all layers need on average, and lc0's gain stopper. */
static const struct {
    const char *name;
    unsigned layers;
    bool gain;
    bool same_mean;
} configurations[] = {
    {"baseline", 0, false, false},
    {"+L2", LAYER_GLANCE, false, false},
    {"+L2+L4", LAYER_GLANCE | LAYER_CONTROL, false, false},
    {"+L2+L4+L5", LAYER_GLANCE | LAYER_CONTROL | LAYER_EXPLORE, false, false},
    {"+L2+L4+L5+L6", LAYER_GLANCE | LAYER_CONTROL | LAYER_EXPLORE | LAYER_STOP, false, false},
    {"all", LAYER_GLANCE | LAYER_CONTROL | LAYER_EXPLORE | LAYER_STOP | LAYER_REST, false, false},
    {"fixed, as many as all", 0, false, true},
    {"gain stopper", 0, true, false},
};
enum { CONFIGURATION_ALL = 5 };
_Static_assert(sizeof configurations / sizeof *configurations == ABLATION_MOST,
               "room for every configuration");

size_t ablation_size(void)
{
    return ABLATION_MOST;
}

const char *ablation_name(size_t which)
{
    return configurations[which].name;
}

static double mean_of(const duel_side *s)
{
    return s->searched > 0 ? (double)s->simulations / (double)s->searched : 0;
}

static zeno_options options_of(const ablation *a, size_t which)
{
    unsigned layers = configurations[which].layers;
    zeno_options o = zeno_options_plain(a->v);
    o.simulations = a->simulations;
    o.reuse = false;
    o.thresholds = a->thresholds;
    o.glance = (layers & LAYER_GLANCE) != 0;
    o.control = (layers & LAYER_CONTROL) != 0;
    o.explore = (layers & LAYER_EXPLORE) != 0;
    o.stop = (layers & LAYER_STOP) != 0;
    o.gain = configurations[which].gain;
    if ((layers & LAYER_REST) != 0) {
        o.tactics = o.prune = o.budget = true;
        o.most = a->simulations;
        o.least = a->simulations * 3 / 16; /* 150 of 800 */
        o.simulations = a->simulations * 5 / 8;
    }
    if (configurations[which].same_mean) {
        double mean = mean_of(&a->counts[CONFIGURATION_ALL].own);
        o.simulations = mean >= 1 ? (uint32_t)(mean + 0.5) : a->simulations;
    }
    return o;
}

/* ---- Games ------------------------------------------------------------------------------------- */

typedef struct pairing {
    const ablation *a;
    zeno_options own, other;
    uint64_t first;
    bool logs;
    zeno_until until;
    ablation_count *found; /* of each pair */
    text *lines;
    holos_status *statuses;
} pairing;

/* A game's lines, each with its outcome. */
static void lines_add(text *out, const text *game, int outcome)
{
    for (const char *s = game->data; *s != 0;) {
        size_t length = strcspn(s, "\n");
        text_bytes(out, s, length);
        text_printf(out, ",%d\n", outcome);
        s += length + 1;
    }
}

static void pair_play(void *context, uint64_t index, unsigned worker)
{
    (void)worker;
    pairing *p = context;
    const ablation *a = p->a;
    ablation_count *c = &p->found[index];
    zeno_thinker own = {0}, other = {0}, *players[2] = {&own, &other};
    net_cache said = {0};
    duel_side sides[2] = {0};
    holos_error err;
    holos_status status = zeno_thinker_init(&own, a->v, &p->own, a->model, a->seed, 0, &err);
    if (status == HOLOS_OK)
        status = zeno_thinker_init(&other, a->v, &p->other, a->model, a->seed, 1, &err);
    if (status == HOLOS_OK)
        status = net_cache_init(&said, a->model, ABLATION_CACHE, &err);
    own.cache = other.cache = &said;
    for (int swapped = 0; status == HOLOS_OK && swapped < 2; swapped++) {
        int score = 0;
        text game;
        text_init(&game);
        status = duel_play(a->v, players, a->opening, a->seed, STREAM_OPENINGS + p->first + index,
                           swapped != 0, p->until, sides, p->logs ? &game : NULL, &score, &err);
        c->wins += score > 0;
        c->draws += score == 0;
        c->losses += score < 0;
        lines_add(&p->lines[index], &game, score);
        text_free(&game);
    }
    c->pairs = 1;
    c->own = sides[0];
    c->other = sides[1];
    p->statuses[index] = status;
    zeno_thinker_free(&own);
    zeno_thinker_free(&other);
    net_cache_free(&said);
}

static void side_add(duel_side *to, const duel_side *s)
{
    to->moves += s->moves;
    to->tactical += s->tactical;
    to->early += s->early;
    to->searched += s->searched;
    to->simulations += s->simulations;
    to->lambda += s->lambda;
    to->entropy += s->entropy;
}

static void count_add(ablation_count *to, const ablation_count *c)
{
    to->pairs += c->pairs;
    to->wins += c->wins;
    to->draws += c->draws;
    to->losses += c->losses;
    side_add(&to->own, &c->own);
    side_add(&to->other, &c->other);
}

/* Adds the pairs that were played to the end, up to the first that was not; that one's status. */
static holos_status pairs_add(ablation *a, ablation_count *c, const pairing *p, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        if (p->statuses[i] != HOLOS_OK)
            return p->statuses[i];
        count_add(c, &p->found[i]);
        text_string(&a->log, p->lines[i].data);
    }
    return HOLOS_OK;
}

holos_status ablation_step(ablation *a, size_t which, zeno_until until, holos_error *err)
{
    ablation_count *c = &a->counts[which];
    uint64_t count = (uint64_t)STEP_PAIRS * pool_threads(a->threads), left = a->pairs - c->pairs;
    count = count < left ? count : left;
    pairing p = {.a = a,
                 .own = options_of(a, which),
                 .other = options_of(a, 0),
                 .first = c->pairs,
                 .logs = which == CONFIGURATION_ALL,
                 .until = until,
                 .found = calloc(count, sizeof *p.found),
                 .lines = calloc(count, sizeof *p.lines),
                 .statuses = calloc(count, sizeof *p.statuses)};
    holos_status status = HOLOS_OK;
    if (p.found == NULL || p.lines == NULL || p.statuses == NULL) {
        status = error_system(err, "games");
    } else {
        for (uint64_t i = 0; i < count; i++)
            text_init(&p.lines[i]);
        pool_run(a->threads, count, pair_play, &p);
        status = pairs_add(a, c, &p, count);
        if (status == HOLOS_INTERRUPTED)
            error_set(err, status, HOLOS_NOWHERE, "interrupted");
        else if (status != HOLOS_OK)
            error_set(err, status, HOLOS_NOWHERE, "no memory for games");
        for (uint64_t i = 0; i < count; i++)
            text_free(&p.lines[i]);
    }
    free(p.found);
    free(p.lines);
    free(p.statuses);
    return status;
}

/* ---- What it says ------------------------------------------------------------------------------ */

/* The chance that fair coins fall at least so unevenly. */
static double binomial(uint64_t wins, uint64_t losses)
{
    uint64_t n = wins + losses, few = wins < losses ? wins : losses;
    double tail = 0, term = -(double)n * log(2);
    for (uint64_t k = 0; k <= few; k++) {
        tail += exp(term);
        term += log((double)(n - k)) - log((double)(k + 1));
    }
    return 2 * tail < 1 ? 2 * tail : 1;
}

static double elo_of(double score)
{
    score = score < 1e-3 ? 1e-3 : score > 1 - 1e-3 ? 1 - 1e-3 : score;
    return 400 * log10(score / (1 - score));
}

ablation_row ablation_row_of(const ablation_count *c)
{
    double games = (double)(2 * c->pairs);
    ablation_row r = {0};
    if (games <= 0)
        return r;
    r.score = ((double)c->wins + 0.5 * (double)c->draws) / games;
    double variance = ((double)c->wins + 0.25 * (double)c->draws) / games - r.score * r.score;
    r.spread = 1.96 * sqrt((variance > 0 ? variance : 0.25) / games);
    r.elo = elo_of(r.score);
    r.error = (elo_of(r.score + r.spread) - elo_of(r.score - r.spread)) / 2;
    r.probability = binomial(c->wins, c->losses);
    r.simulations = (double)c->own.simulations / games;
    r.saved = c->other.simulations > 0 ? 1 - (double)c->own.simulations / (double)c->other.simulations : 0;
    r.tactical = c->own.moves > 0 ? (double)c->own.tactical / (double)c->own.moves : 0;
    if (c->own.searched > 0) {
        r.early = (double)c->own.early / (double)c->own.searched;
        r.lambda = c->own.lambda / (double)c->own.searched;
        r.entropy = c->own.entropy / (double)c->own.searched;
    }
    return r;
}

void ablation_csv(const ablation *a, text *out)
{
    text_string(
        out,
        "configuration,games,wins,draws,losses,score,elo,error,p,simulations_a_game,saved,tactical,early,"
        "lambda,entropy\n");
    for (size_t i = 0; i < ABLATION_MOST; i++) {
        const ablation_count *c = &a->counts[i];
        ablation_row r = ablation_row_of(c);
        text_printf(out, "\"%s\",%llu,%llu,%llu,%llu,%.4f,%.1f,%.1f,%.4f,%.1f,%.4f,%.4f,%.4f,%.4f,%.4f\n",
                    configurations[i].name, 2 * (unsigned long long)c->pairs, (unsigned long long)c->wins,
                    (unsigned long long)c->draws, (unsigned long long)c->losses, r.score, r.elo, r.error,
                    r.probability, r.simulations, r.saved, r.tactical, r.early, r.lambda, r.entropy);
    }
}

enum { PLOT_WIDTH = 720, PLOT_LEFT = 190, PLOT_RIGHT = 60, PLOT_ROW = 38, PLOT_TOP = 70 };

static double plot_x(double share)
{
    share = share < 0 ? 0 : share > 1 ? 1 : share;
    return PLOT_LEFT + share * (PLOT_WIDTH - PLOT_LEFT - PLOT_RIGHT);
}

static void plot_frame(text *out)
{
    const int bottom = PLOT_TOP + PLOT_ROW * ABLATION_MOST;
    text_printf(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" "
        "font-size=\"12\">\n<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n"
        "<text x=\"20\" y=\"24\" font-size=\"15\" font-weight=\"bold\">Configurations of zeno against the "
        "plain search</text>\n"
        "<rect x=\"%d\" y=\"38\" width=\"12\" height=\"12\" fill=\"#2a6fbb\"/>"
        "<text x=\"%d\" y=\"48\">points, with their 95 %% error</text>"
        "<rect x=\"%d\" y=\"38\" width=\"12\" height=\"12\" fill=\"#c9c9c9\"/>"
        "<text x=\"%d\" y=\"48\">simulations, of those of the plain search</text>\n",
        PLOT_WIDTH, bottom + 30, PLOT_LEFT, PLOT_LEFT + 18, PLOT_LEFT + 200, PLOT_LEFT + 218);
    for (int i = 0; i <= 100; i += 25)
        text_printf(out,
                    "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" stroke=\"#ddd\"/>"
                    "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\" fill=\"#666\">%d %%</text>\n",
                    plot_x(i / 100.0), PLOT_TOP - 8, plot_x(i / 100.0), bottom, plot_x(i / 100.0),
                    bottom + 18, i);
}

static void plot_row(text *out, double y, const char *name, const ablation_row *r)
{
    text_printf(out,
                "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>"
                "<rect x=\"%d\" y=\"%.1f\" width=\"%.1f\" height=\"12\" fill=\"#2a6fbb\"/>"
                "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#111\" stroke-width=\"1.5\"/>"
                "<rect x=\"%d\" y=\"%.1f\" width=\"%.1f\" height=\"8\" fill=\"#c9c9c9\"/>"
                "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.1f %%</text>\n",
                PLOT_LEFT - 8, y + 14, name, PLOT_LEFT, y, plot_x(r->score) - PLOT_LEFT,
                plot_x(r->score - r->spread), y + 6, plot_x(r->score + r->spread), y + 6, PLOT_LEFT, y + 14,
                plot_x(1 - r->saved) - PLOT_LEFT, PLOT_WIDTH - 8, y + 11, 100 * r->score);
}

void ablation_svg(const ablation *a, text *out)
{
    plot_frame(out);
    for (size_t i = 0; i < ABLATION_MOST; i++) {
        ablation_row r = ablation_row_of(&a->counts[i]);
        plot_row(out, PLOT_TOP + (double)(PLOT_ROW * i), configurations[i].name, &r);
    }
    text_string(out, "</svg>\n");
}

/* ---- Checkpoints ------------------------------------------------------------------------------- */

/* The numbers of a count, for both directions. */
#define COUNT_FIELDS(FIELD)                                                                                  \
    FIELD(pairs)                                                                                             \
    FIELD(wins)                                                                                              \
    FIELD(draws)                                                                                             \
    FIELD(losses)                                                                                            \
    FIELD(own.moves)                                                                                         \
    FIELD(own.tactical)                                                                                      \
    FIELD(own.early)                                                                                         \
    FIELD(own.searched)                                                                                      \
    FIELD(own.simulations) FIELD(other.moves) FIELD(other.searched) FIELD(other.simulations)

void ablation_write(const ablation *a, text *out)
{
    char exact[40];
    json j = json_begin(out);
    json_open(&j, NULL, '{');
    json_put_string(&j, "game", a->v->name);
    json_put_uint(&j, "seed", a->seed);
    json_put_uint(&j, "simulations", a->simulations);
    json_put_uint(&j, "opening", a->opening);
    json_open(&j, "counts", '[');
    for (size_t i = 0; i < ABLATION_MOST; i++) {
        const ablation_count *c = &a->counts[i];
        json_open(&j, NULL, '{');
#define FIELD(name) json_put_uint(&j, #name, c->name);
        COUNT_FIELDS(FIELD)
#undef FIELD
        snprintf(exact, sizeof exact, "%a", c->own.lambda);
        json_put_string(&j, "own.lambda", exact);
        snprintf(exact, sizeof exact, "%a", c->own.entropy);
        json_put_string(&j, "own.entropy", exact);
        json_close(&j);
    }
    json_close(&j);
    json_put_string(&j, "log", a->log.data);
    json_close(&j);
}

bool ablation_read(ablation *a, const char *bytes, size_t size)
{
    json_t *said = json_read(bytes, size, NULL), *counts = json_object_get(said, "counts");
    const char *game = json_string_value(json_object_get(said, "game"));
    const char *log = json_string_value(json_object_get(said, "log"));
#define WORD(from, name) ((uint64_t)json_integer_value(json_object_get(from, name)))
    bool fits = game != NULL && strcmp(game, a->v->name) == 0 && json_array_size(counts) == ABLATION_MOST &&
                WORD(said, "seed") == a->seed && WORD(said, "simulations") == a->simulations &&
                WORD(said, "opening") == a->opening && log != NULL;
    for (size_t i = 0; fits && i < ABLATION_MOST; i++) {
        const json_t *c = json_array_get(counts, i);
        const char *lambda = json_string_value(json_object_get(c, "own.lambda"));
        const char *entropy = json_string_value(json_object_get(c, "own.entropy"));
#define FIELD(name) a->counts[i].name = WORD(c, #name);
        COUNT_FIELDS(FIELD)
#undef FIELD
        a->counts[i].own.lambda = lambda != NULL ? strtod(lambda, NULL) : 0;
        a->counts[i].own.entropy = entropy != NULL ? strtod(entropy, NULL) : 0;
    }
#undef WORD
    if (fits)
        text_string(&a->log, log);
    json_decref(said);
    return fits;
}
