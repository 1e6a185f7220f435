/* SPDX-License-Identifier: MIT */

#include "wire/step.h"

#include <string.h>

double wire_rating_of(unsigned rating)
{
    return rating / 10.0;
}

/* Where to look, without saying for what: the house of the step, or else a cell of its pattern. */
void wire_where(text *t, const holos_variant *v, const holos_step *step)
{
    char name[64];
    if (step->house_count > 0) {
        holos_format_house(v, step->houses[0], name, sizeof name);
    } else {
        holos_candidate seen = step->mark_count > 0        ? step->marks[0].candidate
                               : step->placement_count > 0 ? step->placements[0]
                                                           : step->eliminations[0];
        holos_format_candidate(v, seen, true, name, sizeof name);
        name[strcspn(name, "=")] = 0;
    }
    text_string(t, name);
}

static void put_candidates(json *j, const char *name, const holos_variant *v, const holos_candidate *list,
                           size_t count, bool holds)
{
    char s[64];
    json_open(j, name, '[');
    for (size_t i = 0; i < count; i++) {
        holos_format_candidate(v, list[i], holds, s, sizeof s);
        json_put_string(j, NULL, s);
    }
    json_close(j);
}

static void put_pattern(json *j, const holos_variant *v, const holos_step *step)
{
    char s[64];
    json_open(j, "pattern", '[');
    for (size_t i = 0; i < step->mark_count; i++) {
        holos_format_candidate(v, step->marks[i].candidate, true, s, sizeof s);
        json_put_string(j, NULL, s);
    }
    json_close(j);
    json_open(j, "houses", '[');
    for (size_t i = 0; i < step->house_count; i++) {
        holos_format_house(v, step->houses[i], s, sizeof s);
        json_put_string(j, NULL, s);
    }
    json_close(j);
}

void wire_step(json *j, const holos_variant *v, const holos_step *step, step_stage stage)
{
    char where[64];
    text t;
    text_init_fixed(&t, where, sizeof where);
    wire_where(&t, v, step);
    json_put_string(j, "level", holos_level_name(step->technique->level));
    json_put_string(j, "where", where);
    if (stage >= STAGE_TECHNIQUE) {
        json_put_string(j, "technique", step->technique->name);
        json_put_string(j, "title", step->technique->title);
        json_put_double(j, "rating", wire_rating_of(step->rating));
        json_put_uint(j, "score", step->technique->score);
    }
    if (stage < STAGE_STEP)
        return;
    put_candidates(j, "placements", v, step->placements, step->placement_count, true);
    put_candidates(j, "eliminations", v, step->eliminations, step->elimination_count, false);
    put_pattern(j, v, step);
    json_put_string(j, "explanation", step->explanation);
}

holos_status wire_steps(json *j, const char *name, const holos_variant *v, const holos_position *position,
                        const holos_limits *limits)
{
    holos_logic *l;
    holos_step step;
    json_open(j, name, '[');
    holos_status status = holos_logic_open(v, position, limits, &l, NULL);
    if (status == HOLOS_OK) {
        while (holos_logic_find(l, &step)) {
            json_open(j, NULL, '{');
            wire_step(j, v, &step, STAGE_STEP);
            json_close(j);
            holos_logic_apply(l, &step);
        }
        status = holos_logic_status(l, NULL);
        holos_logic_close(l);
    }
    json_close(j);
    if (status == HOLOS_LIMIT || status == HOLOS_INTERRUPTED)
        json_put_bool(j, "steps_complete", false);
    return status;
}

/* ---- Hints ------------------------------------------------------------------------------------- */

hint_outcome wire_hint(holos_logic *logic, holos_step *step)
{
    return holos_logic_is_done(logic)          ? HINT_DONE
           : holos_logic_solutions(logic) == 0 ? HINT_UNSOLVABLE
           : holos_logic_find(logic, step)     ? HINT_STEP
                                               : HINT_STUCK;
}

const char *wire_hint_name(hint_outcome outcome)
{
    static const char *const names[] = {
        [HINT_STEP] = "hint", [HINT_DONE] = "done", [HINT_UNSOLVABLE] = "unsolvable", [HINT_STUCK] = "stuck"};
    return names[outcome];
}

/* ---- Ratings ----------------------------------------------------------------------------------- */

const char *wire_rating_status(const holos_logic *l, const holos_rating *rating)
{
    unsigned solutions = holos_logic_solutions(l);
    return solutions == 0 ? "unsolvable" : rating->solved ? "rated" : solutions > 1 ? "several" : "stuck";
}

void wire_rating(json *j, const holos_variant *v, const holos_rating *rating)
{
    const holos_technique *technique;
    json_put_string(j, "level", holos_level_name(rating->level));
    json_put_double(j, "rating", rating->rating / 10.0);
    json_put_uint(j, "score", rating->score);
    if (rating->hardest != NULL)
        json_put_string(j, "hardest", rating->hardest->name);
    else
        json_put_null(j, "hardest");
    json_put_uint(j, "steps", rating->steps);
    json_open(j, "techniques", '{');
    for (size_t i = 0; (technique = holos_technique_at(holos_variant_game(v), i)) != NULL; i++)
        if (rating->counts[i] > 0)
            json_put_uint(j, technique->name, rating->counts[i]);
    json_close(j);
}

void wire_technique(json *j, const holos_technique *technique)
{
    json_open(j, NULL, '{');
    json_put_string(j, "technique", technique->name);
    json_put_string(j, "title", technique->title);
    json_put_double(j, "rating", technique->rating / 10.0);
    json_put_uint(j, "score", technique->score);
    json_put_string(j, "level", holos_level_name(technique->level));
    json_put_bool(j, "by_uniqueness", technique->by_uniqueness);
    json_put_string(j, "summary", technique->summary);
    json_close(j);
}
