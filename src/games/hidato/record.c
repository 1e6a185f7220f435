/* SPDX-License-Identifier: MIT */

/* Boards as JSON: {"rows":2,"columns":2,"grid":[[1,null],["#",3]]}, or the grid alone. */

#include "core/json.h"
#include "games/hidato/hidato.h"

#include <string.h>

static holos_status read_value(const json_t *value, unsigned row, unsigned column, uint16_t *out,
                               holos_error *err)
{
    const char *word = json_string_value(value);
    if (json_is_null(value) || (word != NULL && (strcmp(word, "") == 0 || strcmp(word, ".") == 0))) {
        *out = 0;
        return HOLOS_OK;
    }
    if (word != NULL && strcmp(word, "#") == 0) {
        *out = HIDATO_HOLE;
        return HOLOS_OK;
    }
    json_int_t number = json_integer_value(value);
    if (!json_is_integer(value) || number < 0 || number > HIDATO_PLACES)
        return error_set(
            err, HOLOS_BAD_POSITION, HOLOS_NOWHERE,
            "row %u, column %u: a cell is a number from 1, null if it is empty, or \"#\" for a hole", row + 1,
            column + 1);
    *out = (uint16_t)number;
    return HOLOS_OK;
}

static holos_status read_grid(const json_t *grid, hidato_reading *out, holos_error *err)
{
    size_t rows = json_array_size(grid), columns = json_array_size(json_array_get(grid, 0));
    if (!json_is_array(grid) || rows == 0 || columns == 0)
        return error_set(err, HOLOS_BAD_POSITION, HOLOS_NOWHERE,
                         "expected \"grid\": an array of rows, such as [[1,null],[\"#\",3]]");
    if (rows > HIDATO_SIDE || columns > HIDATO_SIDE ||
        !hidato_board_init(&out->board, (unsigned)rows, (unsigned)columns))
        return hidato_size_error(rows, columns, HOLOS_NOWHERE, err);
    for (unsigned row = 0; row < rows; row++) {
        const json_t *cells = json_array_get(grid, row);
        if (json_array_size(cells) != columns)
            return error_set(err, HOLOS_BAD_POSITION, HOLOS_NOWHERE,
                             "row %u has %zu cells, row 1 has %zu: all must be equal", row + 1,
                             json_array_size(cells), columns);
        for (unsigned column = 0; column < columns; column++) {
            unsigned place = row * (unsigned)columns + column;
            holos_status status =
                read_value(json_array_get(cells, column), row, column, &out->board.numbers[place], err);
            if (status != HOLOS_OK)
                return status;
            out->at[place] = HOLOS_NOWHERE;
        }
    }
    return HOLOS_OK;
}

/* "game" may say what kind of board it is. */
static holos_status check_game(hidato_kind kind, const json_t *record, holos_error *err)
{
    const char *game = json_string_value(json_object_get(record, "game"));
    if (game != NULL && strcmp(game, hidato_kind_name(kind)) != 0)
        return error_set(err, HOLOS_BAD_POSITION, HOLOS_NOWHERE, "this board is one of %.40s, not of %s",
                         game, hidato_kind_name(kind));
    return HOLOS_OK;
}

holos_status hidato_read_json(hidato_kind kind, const char *string, hidato_reading *out, holos_error *err)
{
    json_t *record = json_read(string, strlen(string), err);
    if (record == NULL) {
        if (err != NULL)
            err->code = HOLOS_BAD_POSITION;
        return HOLOS_BAD_POSITION;
    }
    holos_status status = check_game(kind, record, err);
    if (status == HOLOS_OK)
        status = read_grid(json_is_object(record) ? json_object_get(record, "grid") : record, out, err);
    json_decref(record);
    return status;
}

void hidato_write_json(const holos_variant *v, const holos_position *p, text *out)
{
    const hidato_board *b = hidato_board_of(p);
    json j = json_begin(out);
    json_open(&j, NULL, '{');
    json_put_string(&j, "game", hidato_kind_name(hidato_kind_of(v)));
    json_put_uint(&j, "rows", b->rows);
    json_put_uint(&j, "columns", b->columns);
    json_open(&j, "grid", '[');
    for (unsigned row = 0; row < b->rows; row++) {
        json_open(&j, NULL, '[');
        for (unsigned column = 0; column < b->columns; column++) {
            uint16_t held = b->numbers[row * b->columns + column];
            if (hidato_is_number(held))
                json_put_uint(&j, NULL, held);
            else if (held == 0)
                json_put_null(&j, NULL);
            else
                json_put_string(&j, NULL, "#");
        }
        json_close(&j);
    }
    json_close(&j);
    json_close(&j);
    text_char(out, '\n');
}
