/* SPDX-License-Identifier: MIT */

#include "core/file.h"
#include "core/list.h"
#include "game/game.h"

#include <stdlib.h>
#include <string.h>

/* Millimetres. */
enum { PAGE_WIDTH = 210, PAGE_HEIGHT = 297, PAGE_MARGIN = 14, TITLE = 8, SOLUTIONS_PER_PAGE = 12 };

typedef struct entry {
    char title[64];
    text puzzle, solution; /* SVG */
} entry;

struct holos_booklet {
    const holos_variant *v;
    char *folder;
    unsigned per_page;
    entry *entries;
    size_t count, room;
};

/* ---- Puzzles -------------------------------------------------------------------------------------- */

holos_status holos_booklet_open(const holos_variant *v, const char *folder, unsigned per_page,
                                holos_booklet **out, holos_error *err)
{
    if (v == NULL || folder == NULL || out == NULL)
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE,
                         "a variant, a folder and a place for the booklet are needed");
    *out = NULL;
    if (v->game->picture == NULL || v->game->puzzle == NULL)
        return error_set(err, HOLOS_UNSUPPORTED, HOLOS_NOWHERE, "%s has no pictures of puzzles", v->name);
    if (per_page < 1 || per_page > HOLOS_BOOKLET_PER_PAGE_MOST)
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "a page has room for 1 to %d puzzles",
                         HOLOS_BOOKLET_PER_PAGE_MOST);
    holos_status status = file_make_folder(folder, err);
    if (status != HOLOS_OK)
        return status;
    holos_booklet *b = calloc(1, sizeof *b);
    if (b != NULL)
        b->folder = strdup(folder);
    if (b == NULL || b->folder == NULL) {
        free(b);
        return error_system(err, "the booklet");
    }
    b->v = v;
    b->per_page = per_page;
    *out = b;
    return HOLOS_OK;
}

void holos_booklet_close(holos_booklet *b)
{
    if (b == NULL)
        return;
    for (size_t i = 0; i < b->count; i++) {
        text_free(&b->entries[i].puzzle);
        text_free(&b->entries[i].solution);
    }
    free(b->entries);
    free(b->folder);
    free(b);
}

static entry *entry_new(holos_booklet *b)
{
    if (!LIST_RESERVE(b->entries, b->room, b->count + 1))
        return NULL;
    entry *e = &b->entries[b->count++];
    text_init(&e->puzzle);
    text_init(&e->solution);
    return e;
}

static void entry_title(const holos_booklet *b, entry *e, const holos_rating *rating)
{
    text title;
    text_init_fixed(&title, e->title, sizeof e->title);
    text_printf(&title, "%s %zu", b->v->game->title, b->count);
    if (rating != NULL && rating->solved)
        text_printf(&title, " · %s %u.%u", holos_level_name(rating->level), rating->rating / 10,
                    rating->rating % 10);
}

/* The picture of the first solution, if there is one. */
static holos_status entry_solution(const holos_booklet *b, entry *e, const holos_position *p,
                                   const holos_limits *limits, holos_error *err)
{
    holos_settings *one = holos_settings_new();
    holos_solver_options options = {.settings = one};
    holos_solver *solver = NULL;
    holos_result result;
    if (limits != NULL)
        options.limits = *limits;
    holos_status status = holos_settings_set(one, "solutions", "1", err);
    if (status == HOLOS_OK)
        status = holos_solver_open(b->v, &options, &solver, err);
    if (status == HOLOS_OK)
        status = holos_solver_solve(solver, p, &result, err);
    if (status == HOLOS_OK && result.solution != NULL)
        b->v->game->picture(b->v, result.solution, NULL, &e->solution);
    holos_solver_close(solver);
    holos_settings_free(one);
    return status;
}

holos_status holos_booklet_add(holos_booklet *b, const holos_position *p, const holos_rating *rating,
                               const holos_limits *limits, holos_error *err)
{
    if (b == NULL || p == NULL)
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "a booklet and a puzzle are needed");
    entry *e = entry_new(b);
    if (e == NULL)
        return error_system(err, "the booklet");
    entry_title(b, e, rating);
    b->v->game->picture(b->v, p, NULL, &e->puzzle);
    return entry_solution(b, e, p, limits, err);
}

/* ---- Pages ---------------------------------------------------------------------------------------- */

/* How many pictures stand side by side, and below each other. */
static void arrange(unsigned per_page, unsigned *across, unsigned *down)
{
    *across = per_page <= 2 ? 1 : per_page <= 6 ? 2 : 3;
    *down = (per_page + *across - 1) / *across;
}

/* A picture as a part of a page: its own head gives way to one with a place and a size. */
static void put_picture(text *t, const text *svg, double x, double y, double width, double height)
{
    const char *box = strstr(svg->data, "viewBox=\""), *body = strchr(svg->data, '>');
    if (box == NULL || body == NULL)
        return;
    text_printf(
        t,
        "<svg x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" %.*s\" preserveAspectRatio=\"xMidYMin\"",
        x, y, width, height, (int)(9 + strcspn(box + 9, "\"")), box);
    text_string(t, body);
}

typedef struct page {
    size_t first, count; /* of the entries */
    unsigned per_page;
    bool solutions;
    unsigned number, of;
} page;

static void put_page(const holos_booklet *b, const page *p, text *t)
{
    unsigned across, down;
    arrange(p->per_page, &across, &down);
    double width = (PAGE_WIDTH - 2.0 * PAGE_MARGIN) / across,
           height = (PAGE_HEIGHT - 2.0 * PAGE_MARGIN) / down;
    text_printf(
        t,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%dmm\" height=\"%dmm\" viewBox=\"0 0 %d %d\">\n",
        PAGE_WIDTH, PAGE_HEIGHT, PAGE_WIDTH, PAGE_HEIGHT);
    text_printf(t, "<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n", PAGE_WIDTH, PAGE_HEIGHT);
    for (size_t i = 0; i < p->count; i++) {
        const entry *e = &b->entries[p->first + i];
        size_t column = i % across, row = i / across;
        double x = PAGE_MARGIN + width * (double)column, y = PAGE_MARGIN + height * (double)row;
        text_printf(t, "<text style=\"font-size:%.1fpx;fill:#333\" x=\"%.2f\" y=\"%.2f\">%s</text>\n",
                    p->solutions ? 3.2 : 4.5, x + width / 2, y + TITLE * 0.6, e->title);
        put_picture(t, p->solutions ? &e->solution : &e->puzzle, x + 2, y + TITLE, width - 4,
                    height - TITLE - 4);
    }
    text_printf(t, "<text style=\"font-size:3px;fill:#777\" x=\"%d\" y=\"%d\">%s%u / %u</text>\n</svg>\n",
                PAGE_WIDTH / 2, PAGE_HEIGHT - PAGE_MARGIN / 2, p->solutions ? "Solutions · " : "", p->number,
                p->of);
}

static holos_status write_file(const holos_booklet *b, const char *name, const text *t, holos_error *err)
{
    text path;
    file_writer w;
    text_init(&path);
    text_printf(&path, "%s/%s", b->folder, name);
    holos_status status =
        t->failed || path.failed ? error_system(err, "the booklet") : file_create(&w, path.data, err);
    if (status == HOLOS_OK) {
        file_write(&w, t->data, t->length);
        status = file_commit(&w, err);
    }
    text_free(&path);
    return status;
}

static holos_status write_page(const holos_booklet *b, const page *p, text *index, holos_error *err)
{
    char name[32];
    text t, file;
    text_init(&t);
    text_init_fixed(&file, name, sizeof name);
    text_printf(&file, "page-%03u.svg", p->number);
    put_page(b, p, &t);
    text_printf(index, "<img src=\"%s\" alt=\"page %u\">\n", name, p->number);
    holos_status status = write_file(b, name, &t, err);
    text_free(&t);
    return status;
}

static unsigned pages_for(size_t count, unsigned per_page)
{
    return (unsigned)((count + per_page - 1) / per_page);
}

holos_status holos_booklet_write(const holos_booklet *b, unsigned *pages, holos_error *err)
{
    if (b == NULL)
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "no booklet to write");
    unsigned front = pages_for(b->count, b->per_page), back = pages_for(b->count, SOLUTIONS_PER_PAGE);
    holos_status status = HOLOS_OK;
    text index;
    text_init(&index);
    text_printf(&index,
                "<!doctype html>\n<meta charset=\"utf-8\">\n<title>%s: %zu puzzles</title>\n"
                "<style>@page{size:A4;margin:0}body{margin:0}img{display:block;width:100%%;break-after:page}<"
                "/style>\n",
                b->v->game->title, b->count);
    for (unsigned number = 1; number <= front + back && status == HOLOS_OK; number++) {
        page p = {.number = number, .of = front + back, .solutions = number > front};
        p.per_page = p.solutions ? SOLUTIONS_PER_PAGE : b->per_page;
        p.first = (size_t)(p.solutions ? number - front - 1 : number - 1) * p.per_page;
        p.count = b->count - p.first < p.per_page ? b->count - p.first : p.per_page;
        status = write_page(b, &p, &index, err);
    }
    if (status == HOLOS_OK)
        status = write_file(b, "index.html", &index, err);
    if (pages != NULL)
        *pages = front + back;
    text_free(&index);
    return status;
}
