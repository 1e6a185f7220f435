/* SPDX-License-Identifier: MIT */

/* From scores to ratings, by pairs of games. */

#include <holos/match.h>

#include <math.h>
#include <stddef.h>

#define NORMAL_95 1.959963984540054

typedef struct moments {
    double count, mean, variance; /* pairs; points of a game, between 0 and 1 */
} moments;

static moments moments_of(const holos_score *score)
{
    moments m = {0};
    double squares = 0;
    for (int i = 0; i < 5; i++) {
        double pairs = (double)score->pairs[i], points = i / 4.0;
        m.count += pairs;
        m.mean += pairs * points;
        squares += pairs * points * points;
    }
    if (m.count == 0)
        return m;
    m.mean /= m.count;
    m.variance = squares / m.count - m.mean * m.mean;
    /* Pairs that all ended alike say little about how the next one will: at least as much as one that did not. */
    double least = 0.0625 / m.count;
    m.variance = m.variance > least ? m.variance : least;
    return m;
}

static double elo_of(double points)
{
    return -400 * log10(1 / points - 1);
}

static double points_of(double elo)
{
    return 1 / (1 + pow(10, -elo / 400));
}

static double between(double x, double low, double high)
{
    return x < low ? low : x > high ? high : x;
}

holos_elo holos_score_elo(const holos_score *score)
{
    if (score == NULL)
        return (holos_elo){0};
    moments m = moments_of(score);
    if (m.count == 0)
        return (holos_elo){0};
    double edge = 0.125 / m.count, error = sqrt(m.variance / m.count);
    double mean = between(m.mean, edge, 1 - edge);
    return (holos_elo){
        .elo = elo_of(mean),
        .low = elo_of(between(m.mean - NORMAL_95 * error, edge / 4, 1 - edge)),
        .high = elo_of(between(m.mean + NORMAL_95 * error, edge, 1 - edge / 4)),
        .superiority = 0.5 * erfc((0.5 - m.mean) / (error * sqrt(2))),
    };
}

double holos_score_likelihood(const holos_score *score, double elo0, double elo1)
{
    if (score == NULL)
        return 0;
    moments m = moments_of(score);
    double s0 = points_of(elo0), s1 = points_of(elo1);
    return m.count > 0 ? m.count * (s1 - s0) * (2 * m.mean - s0 - s1) / (2 * m.variance) : 0;
}
