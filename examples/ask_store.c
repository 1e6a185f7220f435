/* SPDX-License-Identifier: MIT */

/* The types of stores, and a question in SQL to one of them.
 *
 *     cc ask_store.c $(pkg-config --cflags --libs holos) -o ask_store
 *
 *     $ ./ask_store
 *     file:DIR: databases, graphs, books
 *     sqlite:FILE: databases, graphs; SQL
 *     postgres://HOST/DATABASE: databases, graphs; SQL; on a server
 *     parquet:DIR: databases, graphs; SQL
 *     bigtable://PROJECT/INSTANCE/TABLE: databases, graphs; on a server
 *
 *     $ ./ask_store sqlite:graph.db "SELECT depth, count(*) AS positions FROM positions GROUP BY depth"
 *     sqlite:graph.db: only parquet:DIR answers SQL here; its own program (sqlite3, psql) asks this one
 */

#include <holos/holos.h>

#include <stdio.h>
#include <stdlib.h>

static void list_types(void)
{
    holos_store_type t;
    for (size_t i = 0; holos_store_type_at(i, &t); i++)
        printf("%s: databases, graphs%s%s%s\n", t.form, t.books ? ", books" : "", t.sql ? "; SQL" : "",
               t.remote ? "; on a server" : "");
}

/* Every row as JSON, with the names of the columns. */
static int ask(const char *url, const char *question)
{
    holos_error err;
    holos_report *answer;
    if (holos_store_sql(url, question, &answer, &err) != HOLOS_OK) {
        printf("%s\n", err.message);
        return 1;
    }
    size_t length = holos_report_json(answer, NULL, 0);
    char *text = malloc(length + 1);
    if (text != NULL) {
        holos_report_json(answer, text, length + 1);
        printf("%s\n", text);
    }
    free(text);
    holos_report_close(answer);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc >= 3)
        return ask(argv[1], argv[2]);
    list_types();
    return 0;
}
