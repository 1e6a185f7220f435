/* SPDX-License-Identifier: MIT */

/* The shapes of an evaluation, and its file: a header, then for each stage the numbers and the weights, those that equal an earlier
 * one left out, then a checksum of all that. */

#include "games/reversi/evaluation.h"

#include "core/file.h"
#include "core/hash.h"

#include <stdlib.h>
#include <string.h>

#define MAGIC "HOLOSRE1"

/* Cells by rank, each a set of files: two digits of base 16. Ended by one without cells. */
static const uint64_t shapes_of_8[] = {
    0x42ff,   /* the edge, and the two cells beside its corners */
    0x070707, /* a corner */
    0xff00,   /* ranks */
    0xff0000,
    0xff000000,
    0x8040201008040201, /* diagonals of eight, seven, … four cells */
    0x0080402010080402,
    0x0000804020100804,
    0x0000008040201008,
    0x0000000080402010,
    0,
};

static const uint64_t shapes_of_6[] = {
    0x123f, 0x070707, 0x0f0f, 0x3f00, 0x3f0000, 0x201008040201, 0x002010080402, 0x000020100804, 0,
};

typedef struct header {
    char magic[8];
    uint32_t size, stages, weights; /* of a stage, in the file */
    uint32_t unused;
} header;

_Static_assert(sizeof(header) == 24, "what the format says");

/* ---- Shapes ------------------------------------------------------------------------------------ */

/* Where an image has the cells of a set: the set whose image it is. */
static uint64_t cells_behind(uint64_t cells, unsigned image, unsigned size)
{
    uint64_t behind = 0;
    for (unsigned cell = 0; cell < 64; cell++) {
        reversi_board one = {.mine = UINT64_C(1) << cell};
        if ((reversi_cells(size) >> cell & 1) != 0 && (reversi_image(one, image, size).mine & cells) != 0)
            behind |= one.mine;
    }
    return behind;
}

/* Chooses the images that show the shape in each of its places once. */
static void shape_init(reversi_evaluation *e, evaluation_shape *shape, uint64_t cells)
{
    uint64_t seen[REVERSI_SYMMETRIES] = {0};
    *shape = (evaluation_shape){.cells = cells, .first = e->weight_count, .fillings = 1};
    for (unsigned i = 0; i < reversi_count(cells); i++)
        shape->fillings *= 3;
    e->weight_count += shape->fillings;
    for (unsigned image = 0; image < REVERSI_SYMMETRIES; image++) {
        uint64_t behind = cells_behind(cells, image, e->size);
        bool again = false;
        for (unsigned i = 0; i < shape->image_count; i++)
            again = again || seen[i] == behind;
        if (again)
            continue;
        seen[shape->image_count] = behind;
        shape->images[shape->image_count++] = (uint8_t)image;
        e->image_count = image >= e->image_count ? image + 1 : e->image_count;
    }
}

/* A board on which a shape is filled as this number says. */
static reversi_board filling_board(const evaluation_shape *shape, uint32_t filling)
{
    reversi_board b = {0};
    for (uint64_t left = shape->cells; left != 0; left &= left - 1, filling /= 3) {
        uint64_t cell = left & -left;
        b.mine |= filling % 3 == 1 ? cell : 0;
        b.theirs |= filling % 3 == 2 ? cell : 0;
    }
    return b;
}

/* A shape that is its own image under a symmetry has equal weights for fillings that are images of each other. */
static void shape_find_kin(reversi_evaluation *e, const evaluation_shape *shape)
{
    unsigned images[REVERSI_SYMMETRIES], count = 0;
    for (unsigned image = 1; image < REVERSI_SYMMETRIES; image++)
        if (cells_behind(shape->cells, image, e->size) == shape->cells)
            images[count++] = image;
    for (uint32_t filling = 0; filling < shape->fillings; filling++) {
        reversi_board b = filling_board(shape, filling);
        uint32_t least = shape->first + filling;
        for (unsigned i = 0; i < count; i++) {
            uint32_t other = evaluation_index(e, shape, reversi_image(b, images[i], e->size));
            least = other < least ? other : least;
        }
        e->kin[shape->first + filling] = least;
    }
}

static bool weights_make(reversi_evaluation *e)
{
    bool made = (e->kin = calloc(e->weight_count, sizeof *e->kin)) != NULL;
    for (unsigned stage = 0; stage < EVALUATION_STAGES; stage++)
        made = (e->weights[stage] = calloc(e->weight_count, 1)) != NULL && made;
    return made;
}

holos_status evaluation_new(unsigned size, reversi_evaluation **out, holos_error *err)
{
    reversi_evaluation *e = *out = calloc(1, sizeof *e);
    if (e == NULL)
        return error_system(err, "an evaluation");
    e->size = size;
    for (unsigned set = 0; set < sizeof e->ternary / sizeof *e->ternary; set++)
        for (unsigned i = EVALUATION_CELLS; i-- > 0;)
            e->ternary[set] = (uint16_t)(3 * e->ternary[set] + (set >> i & 1));
    for (const uint64_t *cells = size == 8 ? shapes_of_8 : shapes_of_6; *cells != 0; cells++)
        shape_init(e, &e->shapes[e->shape_count++], *cells);
    if (!weights_make(e))
        return error_system(err, "an evaluation");
    for (unsigned s = 0; s < e->shape_count; s++)
        shape_find_kin(e, &e->shapes[s]);
    return HOLOS_OK;
}

void evaluation_close(reversi_evaluation *e)
{
    if (e == NULL)
        return;
    for (unsigned stage = 0; stage < EVALUATION_STAGES; stage++)
        free(e->weights[stage]);
    free(e->kin);
    free(e);
}

/* ---- Files ------------------------------------------------------------------------------------- */

static header header_of(const reversi_evaluation *e)
{
    header h = {.size = e->size, .stages = EVALUATION_STAGES};
    memcpy(h.magic, MAGIC, sizeof h.magic);
    for (uint32_t i = 0; i < e->weight_count; i++)
        h.weights += e->kin[i] == i;
    return h;
}

static size_t file_bytes(const header *h)
{
    return sizeof *h + h->stages * (sizeof(int16_t[EVALUATION_NUMBERS]) + h->weights) + sizeof(uint64_t);
}

holos_status evaluation_write(const reversi_evaluation *e, const char *path, holos_error *err)
{
    text t;
    header h = header_of(e);
    text_init(&t);
    text_bytes(&t, (const char *)&h, sizeof h);
    for (unsigned stage = 0; stage < EVALUATION_STAGES; stage++) {
        text_bytes(&t, (const char *)e->numbers[stage], sizeof e->numbers[stage]);
        for (uint32_t i = 0; i < e->weight_count; i++)
            if (e->kin[i] == i)
                text_char(&t, (char)e->weights[stage][i]);
    }
    uint64_t sum = hash_bytes(t.data, t.length).lo;
    text_bytes(&t, (const char *)&sum, sizeof sum);
    holos_status status =
        t.failed ? error_system(err, "an evaluation") : file_put(path, t.data, t.length, err);
    text_free(&t);
    return status;
}

static holos_status file_check(const char *path, const text *t, const header *expected, holos_error *err)
{
    header h = {0};
    uint64_t sum;
    if (t->length < sizeof h || memcmp(t->data, MAGIC, sizeof h.magic) != 0)
        return error_set(err, HOLOS_BAD_FILE, HOLOS_NOWHERE, "%s is not an evaluation of reversi", path);
    memcpy(&h, t->data, sizeof h);
    if (h.size != expected->size)
        return error_set(err, HOLOS_BAD_FILE, HOLOS_NOWHERE, "%s is for boards of %ux%u cells, not %ux%u",
                         path, h.size, h.size, expected->size, expected->size);
    memcpy(&sum, t->data + t->length - sizeof sum, sizeof sum);
    if (memcmp(&h, expected, sizeof h) != 0 || t->length != file_bytes(expected) ||
        hash_bytes(t->data, t->length - sizeof sum).lo != sum)
        return error_set(err, HOLOS_BAD_FILE, HOLOS_NOWHERE, "%s is damaged", path);
    return HOLOS_OK;
}

static void weights_read(reversi_evaluation *e, const char *next)
{
    for (unsigned stage = 0; stage < EVALUATION_STAGES; stage++) {
        memcpy(e->numbers[stage], next, sizeof e->numbers[stage]);
        next += sizeof e->numbers[stage];
        for (uint32_t i = 0; i < e->weight_count; i++)
            e->weights[stage][i] = e->kin[i] == i ? (int8_t)*next++ : e->weights[stage][e->kin[i]];
    }
}

holos_status evaluation_read(const char *path, unsigned size, reversi_evaluation **out, holos_error *err)
{
    text t;
    text_init(&t);
    *out = NULL;
    holos_status status = file_read(path, (size_t)16 << 20, &t, err);
    if (status == HOLOS_OK)
        status = evaluation_new(size, out, err);
    if (status == HOLOS_OK) {
        header expected = header_of(*out);
        status = file_check(path, &t, &expected, err);
    }
    if (status == HOLOS_OK)
        weights_read(*out, t.data + sizeof(header));
    text_free(&t);
    if (status != HOLOS_OK) {
        evaluation_close(*out);
        *out = NULL;
    }
    return status;
}
