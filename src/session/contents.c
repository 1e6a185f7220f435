/* SPDX-License-Identifier: MIT */

/* What a hologram holds besides values, as `store info` tells it. Programs get all of it, people the first few of each. */

#include "session/care.h"
#include "session/value.h"

#include <stdlib.h>

#define SHOWN      5 /* things of a kind that people see */
#define SPINE_MOST 4096

static void more_put(holos_report *r, uint64_t count, const char *what)
{
    if (count > SHOWN)
        report_line(r, " ", "… and %llu more %s (--json lists all)", (unsigned long long)(count - SHOWN),
                    what);
}

/* A seed as a line: "4453 3 wave forward". */
static void seed_words(const holos_variant *v, const holos_wave_seed *seed, text *out)
{
    text_clear(out);
    text_take(out, holos_seed_format, v, seed);
}

static void seed_put(holos_report *r, const holos_variant *v, const holos_wave_seed *seed)
{
    text t;
    text_init(&t);
    text_take(&t, holos_format, v, seed->position);
    report_open(r, NULL, NULL, HOLOS_FIELD_GROUP);
    report_text(r, "position", NULL, t.data);
    report_count(r, "depth", NULL, seed->depth);
    report_text(r, "mode", NULL, holos_wave_mode_name(seed->mode));
    report_text(r, "direction", NULL, holos_wave_direction_name(seed->direction));
    report_close_field(r);
    text_free(&t);
}

static void seeds_put(holos_report *r, holos_hologram *h, holos_position *p, uint64_t count)
{
    const holos_variant *v = holos_hologram_variant(h);
    holos_wave_seed seed;
    text t;
    report_open(r, "seeds", NULL, HOLOS_FIELD_LIST);
    for (uint64_t i = 0; i < count; i++)
        if (holos_hologram_seed_at(h, i, &seed, p))
            seed_put(r, v, &seed);
    report_close_field(r);
    text_init(&t);
    for (uint64_t i = 0; i < count && i < SHOWN; i++)
        if (holos_hologram_seed_at(h, i, &seed, p)) {
            seed_words(v, &seed, &t);
            report_line(r, i == 0 ? "seed" : " ", "%s", t.data);
        }
    text_free(&t);
    more_put(r, count, "seeds");
}

static void frontiers_put(holos_report *r, holos_hologram *h, holos_position *p, uint64_t count)
{
    const holos_variant *v = holos_hologram_variant(h);
    holos_frontier f;
    holos_wave_seed seed;
    text t;
    report_open(r, "mappings", NULL, HOLOS_FIELD_LIST);
    for (uint64_t i = 0; holos_hologram_frontier_at(h, i, &f); i++) {
        report_open(r, NULL, NULL, HOLOS_FIELD_GROUP);
        report_count(r, "depth", NULL, f.depth);
        report_text(r, "mode", NULL, holos_wave_mode_name(HOLOS_WAVE_WAVE));
        report_count(r, "positions", NULL, f.positions);
        report_text(r, "digest", NULL, report_words(r, "%016llx", (unsigned long long)f.digest));
        report_truth(r, "tables", NULL, f.known);
        report_open(r, "seeds", NULL, HOLOS_FIELD_LIST);
        for (uint64_t k = 0; holos_hologram_frontier_seed_at(h, i, k, &seed, p); k++)
            seed_put(r, v, &seed);
        report_close_field(r);
        report_close_field(r);
    }
    report_close_field(r);
    text_init(&t);
    for (uint64_t i = 0; i < SHOWN && holos_hologram_frontier_at(h, i, &f); i++) {
        text_clear(&t);
        text_count(&t, f.positions);
        report_line(r, i == 0 ? "mapping" : " ",
                    "%llu seed%s, depth %u, mode wave -> a frontier of %s, digest %016llx%s",
                    (unsigned long long)f.seeds, f.seeds == 1 ? "" : "s", f.depth, t.data,
                    (unsigned long long)f.digest, f.known ? ", with tables" : "");
    }
    text_free(&t);
    more_put(r, count, "mappings");
}

static void spines_put(holos_report *r, holos_hologram *h, holos_position *p, uint64_t count)
{
    const holos_variant *v = holos_hologram_variant(h);
    holos_move *moves = malloc(SPINE_MOST * sizeof *moves);
    text begin, line;
    if (moves == NULL) {
        r->failed = true;
        return;
    }
    text_init(&begin);
    text_init(&line);
    report_open(r, "spine_list", NULL, HOLOS_FIELD_LIST);
    for (uint64_t i = 0; i < count; i++) {
        size_t length = holos_hologram_spine_at(h, i, p, moves, SPINE_MOST);
        if (length == 0 || length > SPINE_MOST)
            continue;
        text_clear(&begin);
        text_clear(&line);
        text_take(&begin, holos_format, v, p);
        text_take(&line, holos_format_line, v, p, moves, length);
        report_open(r, NULL, NULL, HOLOS_FIELD_GROUP);
        report_text(r, "position", NULL, begin.data);
        report_text(r, "line", NULL, line.data);
        report_count(r, "plies", NULL, length);
        report_close_field(r);
    }
    report_close_field(r);
    for (uint64_t i = 0; i < count && i < SHOWN; i++) {
        size_t length = holos_hologram_spine_at(h, i, p, moves, SPINE_MOST);
        if (length == 0 || length > SPINE_MOST)
            continue;
        text_clear(&begin);
        text_clear(&line);
        text_take(&begin, holos_format, v, p);
        text_take(&line, holos_format_line, v, p, moves, length);
        report_line(r, i == 0 ? "spine" : " ", "%s: %s", begin.length > 0 ? begin.data : "start", line.data);
    }
    text_free(&begin);
    text_free(&line);
    free(moves);
    more_put(r, count, "spines");
}

static void rounds_put(holos_report *r, holos_hologram *h, uint64_t count)
{
    holos_round round = {.phase = HOLOS_PHASE_INIT};
    if (count == 0)
        return;
    report_open(r, "rounds", "rounds", HOLOS_FIELD_ROWS);
    for (uint64_t i = 0; holos_hologram_round_at(h, i, &round); i++) {
        report_open(r, NULL, NULL, HOLOS_FIELD_GROUP);
        report_count(r, "round", "round", round.number);
        report_text(r, "phase", "phase", holos_phase_name(round.phase));
        report_count(r, "seeds", "seeds", round.seeds);
        report_count(r, "batches", NULL, round.batches);
        report_count(r, "lost", "lost", round.lost);
        report_count(r, "expanded", "expanded", round.expanded);
        report_count(r, "reached", "reached", round.reached);
        report_count(r, "solved", "solved", round.solved);
        report_count(r, "spines", "spines", round.spines);
        report_count(r, "meetings", "meetings", round.meetings);
        report_count(r, "positions", NULL, round.positions);
        report_text(r, "session", NULL, report_words(r, "%016llx", (unsigned long long)round.session));
        report_close_field(r);
    }
    report_close_field(r);
    report_text(r, "phase", "phase", holos_phase_name(round.phase));
}

/* What sessions learned about modes. */
static void modes_put(holos_report *r, const holos_hologram *h)
{
    holos_mode_success s;
    report_open(r, "modes", "modes", HOLOS_FIELD_ROWS);
    for (holos_wave_mode mode = HOLOS_WAVE_AUTO; mode <= HOLOS_WAVE_OSMOSIS; mode++) {
        if (!holos_hologram_mode_success(h, mode, &s))
            continue;
        report_open(r, NULL, NULL, HOLOS_FIELD_GROUP);
        report_text(r, "mode", "mode", holos_wave_mode_name(mode));
        report_count(r, "tries", "seeds", s.tries);
        report_count(r, "wins", "solved", s.wins);
        report_count(r, "gain", "gain", s.gain);
        report_count(r, "cost", "cost", s.cost);
        report_count(r, "features", "features", s.features);
        report_close_field(r);
    }
    report_close_field(r);
}

void contents_put(holos_report *r, holos_hologram *h, const holos_hologram_summary *s)
{
    holos_position *p = holos_position_new(holos_hologram_variant(h));
    if (p == NULL) {
        r->failed = true;
        return;
    }
    report_precision(r, s->statistics.equiv_confirmed, s->statistics.equiv_refuted);
    seeds_put(r, h, p, s->seeds);
    frontiers_put(r, h, p, s->mappings);
    spines_put(r, h, p, s->spines);
    rounds_put(r, h, s->rounds);
    if (s->rounds > 0)
        modes_put(r, h);
    holos_position_free(p);
}
