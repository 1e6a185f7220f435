/* SPDX-License-Identifier: MIT */

#include "session/value.h"

#include "game/game.h"

/* "; a guess: +3 (88 % of such guesses were right)" */
static const char *guess_add(holos_report *r, const holos_guess *guess)
{
    double precision = holos_guess_precision(guess);
    report_open(r, "guess", NULL, HOLOS_FIELD_GROUP);
    report_integer(r, "value", NULL, guess->value);
    report_text(r, "by", NULL, holos_source_name(guess->source));
    if (precision >= 0)
        report_real(r, "precision", NULL, precision);
    report_close_field(r);
    const char *sign = guess->value > 0 ? "+" : "";
    if (precision < 0)
        return report_words(r, "; a guess: %s%d", sign, guess->value);
    return report_words(r, "; a guess: %s%d (of such guesses, %.0f %% were right)", sign, guess->value,
                        100 * precision);
}

void report_value(holos_report *r, const holos_variant *v, const holos_position *p, holos_value proved,
                  const holos_guess *guess)
{
    char words[128];
    text shown;
    text_init(&shown);
    v->game->format(v, p, &shown);
    holos_format_value(v, proved, words, sizeof words);
    report_open(r, NULL, NULL, HOLOS_FIELD_GROUP);
    report_text(r, "position", NULL, shown.data);
    report_text(r, "status", NULL, holos_value_is_solved(proved) ? "solved" : "bounded");
    report_integer(r, "lo", NULL, proved.lo);
    report_integer(r, "hi", NULL, proved.hi);
    report_text(r, "source", NULL, holos_source_name(proved.source));
    const char *guessed = guess != NULL ? guess_add(r, guess) : "";
    /* Connect four's empty board is written as nothing. */
    report_line(r, "", "%s: %s%s", shown.length > 0 ? shown.data : "start", words, guessed);
    report_close_field(r);
    text_free(&shown);
}

void report_precision(holos_report *r, uint64_t confirmed, uint64_t refuted)
{
    holos_guess all = {.confirmed = confirmed, .refuted = refuted};
    double precision = holos_guess_precision(&all);
    if (precision < 0)
        return;
    report_real(r, "equiv_precision", NULL, precision);
    report_line(r, "precision", "%.1f %% of the %llu conjectures that a proof has decided were right",
                100 * precision, (unsigned long long)confirmed + refuted);
}
