/* SPDX-License-Identifier: MIT */

#include "core/progress.h"
#include "meta/lab/lab.h"

#include <stdio.h>
#include <stdlib.h>

static holos_status place_open(lab_place *p, holos_error *err)
{
    const holos_subject *s = p->subject;
    holos_status status = holos_open(s->variant, &p->v, err);
    if (status != HOLOS_OK)
        return status;
    snprintf(p->label, sizeof p->label, "%s", holos_variant_name(p->v));
    p->position = holos_position_new(p->v);
    if (p->position == NULL)
        return error_system(err, "a position");
    status = holos_parse(p->v, s->position, p->position, err);
    bool tables = p->task->tables != NULL && (p->task->game != NULL || p->v->game->knowledge != NULL);
    if (status == HOLOS_OK && tables)
        status = holos_knowledge_open(p->task->tables, p->v, NULL, &p->known, err);
    return status;
}

static holos_status place_visit(lab_place *p, holos_status (*visit)(lab_place *place, holos_error *err),
                                holos_error *err)
{
    const holos_subject *s = p->subject;
    holos_status status = lab_go_on(p, err);
    if (status == HOLOS_OK)
        status = place_open(p, err);
    if (status == HOLOS_OK)
        status = visit(p, err);
    if (status == HOLOS_OK && s->document != NULL)
        text_printf(&p->sheet->documents, "%s: %s\n", p->label, s->document);
    holos_knowledge_close(p->known);
    holos_position_free(p->position);
    holos_close(p->v);
    progress_add(p->task->progress, 1);
    return status;
}

holos_status lab_visit(const experiment_task *task, const char *experiment, lab_sheet *sheet,
                       lab_visitor *visit, holos_error *err)
{
    const holos_game *game;
    holos_status status = HOLOS_OK;
    size_t visited = 0;
    bool own = task->game != NULL && !task->own_subjects;
    if (own || task->position != NULL) {
        holos_subject asked = {.experiment = experiment,
                               .variant = task->game,
                               .position = task->position != NULL ? task->position : "start"};
        lab_place p = {.task = task, .sheet = sheet, .subject = &asked};
        if (task->game == NULL)
            return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE,
                             "--position needs --game: whose position it is");
        return place_visit(&p, visit, err);
    }
    for (size_t g = 0; status == HOLOS_OK && (game = holos_game_at(g)) != NULL; g++)
        for (const holos_subject *s = game->subjects;
             status == HOLOS_OK && s != NULL && s->experiment != NULL; s++) {
            lab_place p = {.task = task, .sheet = sheet, .subject = s};
            if (strcmp(s->experiment, experiment) != 0 || (s->full && task->quick) ||
                (task->own_subjects && task->game != NULL && strcmp(game->name, task->game) != 0))
                continue;
            status = place_visit(&p, visit, err);
            visited++;
        }
    if (status == HOLOS_OK && visited == 0)
        status = error_set(err, HOLOS_UNSUPPORTED, HOLOS_NOWHERE,
                           "no game names a position for this experiment: give one with --game");
    return status;
}

holos_status lab_run(const experiment_task *task, const char *experiment, lab_sheet *sheet,
                     lab_visitor *visit, const char *last, text *out, holos_experiment_result *result,
                     holos_error *err)
{
    holos_status status = lab_visit(task, experiment, sheet, visit, err);
    if (status == HOLOS_OK) {
        text_string(&sheet->finding, last != NULL ? last : "");
        status = lab_sheet_end(sheet, task, out, err);
    }
    result->compared = sheet->compared;
    result->mismatches = sheet->mismatches;
    lab_sheet_free(sheet);
    return status;
}

holos_status lab_go_on(const lab_place *p, holos_error *err)
{
    return limits_check(p->task->limits) ? HOLOS_OK : limits_error(p->task->limits, "steps", err);
}

holos_wave_options lab_wave_options(const lab_place *p, uint64_t nodes)
{
    return (holos_wave_options){.limits = {.nodes = nodes, .stop = p->task->limits->stop},
                                .seed = p->task->seed,
                                .boundary = holos_knowledge_boundary(p->known)};
}
