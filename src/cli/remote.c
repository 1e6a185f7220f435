/* SPDX-License-Identifier: MIT */

/* Questions of rank 0 that other ranks answer, as messages: a count, then each question or answer with its length. */

#include "cli/batch_slot.h"

#include <stdlib.h>
#include <string.h>

/* What comes before the bytes of a question or an answer. */
typedef struct letter {
    uint64_t length;
    uint32_t status;
    uint8_t cut, failed;
} letter;

static holos_status message_send(holos_cluster *c, unsigned rank, text *t, holos_error *err)
{
    holos_status status = t->failed
                              ? error_set(err, HOLOS_NO_MEMORY, HOLOS_NOWHERE, "no memory for a message")
                              : holos_cluster_send(c, rank, t->data, t->length, err);
    text_free(t);
    return status;
}

static void count_put(text *t, uint64_t count)
{
    text_bytes(t, (const char *)&count, sizeof count);
}

static void letter_put(text *t, const letter *l, const char *bytes)
{
    text_bytes(t, (const char *)l, sizeof *l);
    text_bytes(t, bytes, l->length);
}

/* Takes bytes from the front of a message; NULL: it is shorter. */
static const char *message_take(const char **at, const char *end, uint64_t size)
{
    const char *found = *at;
    if ((uint64_t)(end - *at) < size)
        return NULL;
    *at += size;
    return found;
}

static bool count_take(const char **at, const char *end, uint64_t *count)
{
    const char *found = message_take(at, end, sizeof *count);
    if (found != NULL)
        memcpy(count, found, sizeof *count);
    return found != NULL;
}

static const char *letter_take(const char **at, const char *end, letter *l)
{
    const char *found = message_take(at, end, sizeof *l);
    if (found == NULL)
        return NULL;
    memcpy(l, found, sizeof *l);
    return message_take(at, end, l->length);
}

static holos_status message_bad(holos_error *err)
{
    return error_set(err, HOLOS_IO, HOLOS_NOWHERE, "a message between ranks is damaged");
}

/* ---- Rank 0 ------------------------------------------------------------------------------------ */

static holos_status answers_take(const char *at, const char *end, slot *slots, size_t count, uint64_t *nodes,
                                 holos_error *err)
{
    if (!count_take(&at, end, nodes))
        return message_bad(err);
    for (size_t i = 0; i < count; i++) {
        letter l;
        const char *bytes = letter_take(&at, end, &l);
        if (bytes == NULL)
            return message_bad(err);
        text_clear(&slots[i].answer);
        text_bytes(&slots[i].answer, bytes, l.length);
        slots[i].failed = l.failed != 0;
        slots[i].status = (cli_status)l.status;
    }
    return HOLOS_OK;
}

holos_status remote_ask(holos_cluster *c, unsigned rank, slot *slots, size_t count, uint64_t *nodes,
                        holos_error *err)
{
    text t;
    void *bytes = NULL;
    size_t size = 0;
    text_init(&t);
    count_put(&t, count);
    for (size_t i = 0; i < count; i++)
        letter_put(&t, &(letter){.length = slots[i].length, .cut = slots[i].cut}, slots[i].question.data);
    holos_status status = message_send(c, rank, &t, err);
    if (status == HOLOS_OK)
        status = holos_cluster_receive(c, rank, &bytes, &size, err);
    if (status == HOLOS_OK)
        status = answers_take(bytes, (const char *)bytes + size, slots, count, nodes, err);
    free(bytes);
    return status;
}

holos_status remote_dismiss(holos_cluster *c, unsigned rank, holos_error *err)
{
    text t;
    text_init(&t);
    count_put(&t, 0);
    return message_send(c, rank, &t, err);
}

/* ---- The others -------------------------------------------------------------------------------- */

holos_status remote_questions(holos_cluster *c, slot *slots, size_t most, size_t *count, holos_error *err)
{
    void *bytes = NULL;
    size_t size = 0;
    uint64_t asked = 0;
    *count = 0;
    holos_status status = holos_cluster_receive(c, 0, &bytes, &size, err);
    const char *at = bytes, *end = at + size;
    if (status == HOLOS_OK && (!count_take(&at, end, &asked) || asked > most))
        status = message_bad(err);
    for (size_t i = 0; status == HOLOS_OK && i < asked; i++) {
        letter l;
        const char *words = letter_take(&at, end, &l);
        if (words == NULL)
            status = message_bad(err);
        else
            slot_ask(&slots[i], words, l.length, l.cut != 0);
    }
    free(bytes);
    *count = status == HOLOS_OK ? asked : 0;
    return status;
}

holos_status remote_answer(holos_cluster *c, const slot *slots, size_t count, uint64_t nodes,
                           holos_error *err)
{
    text t;
    text_init(&t);
    count_put(&t, nodes);
    for (size_t i = 0; i < count; i++)
        letter_put(&t,
                   &(letter){.length = slots[i].answer.length,
                             .status = (uint32_t)slots[i].status,
                             .failed = slots[i].failed},
                   slots[i].answer.data);
    return message_send(c, 0, &t, err);
}
