/* SPDX-License-Identifier: MIT */

#include "serve/guard.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>

holos_status guard_make_token(char out[GUARD_TOKEN_SIZE], holos_error *err)
{
    unsigned char bytes[GUARD_TOKEN_SIZE / 2];
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
        return error_system(err, "a token");
    for (size_t i = 0; i < sizeof bytes; i++)
        snprintf(out + 2 * i, 3, "%02x", bytes[i]);
    return HOLOS_OK;
}

static const char *const hosts[] = {"127.0.0.1", "localhost"};

static bool is_own_host(const char *host, const char *prefix, unsigned port)
{
    char own[64];
    for (size_t i = 0; i < sizeof hosts / sizeof *hosts; i++) {
        snprintf(own, sizeof own, "%s%s:%u", prefix, hosts[i], port);
        if (strcasecmp(own, host) == 0)
            return true;
    }
    return false;
}

/* In a time that does not tell how much of it is right. */
static bool is_same(const char *given, const char *token)
{
    unsigned different = 0;
    if (strlen(given) != strlen(token))
        return false;
    for (size_t i = 0; token[i] != 0; i++)
        different |= (unsigned)(unsigned char)(given[i] ^ token[i]);
    return different == 0;
}

bool guard_passes(const guard_papers *papers, const char *method, bool costs, unsigned port,
                  const char *token, reply *out)
{
    if (papers->host == NULL || !is_own_host(papers->host, "", port))
        reply_refuse(out, 421, "this server is for 127.0.0.1:%u and localhost:%u", port, port);
    else if ((papers->origin != NULL && !is_own_host(papers->origin, "http://", port)) ||
             (costs && papers->site != NULL && strcmp(papers->site, "same-origin") != 0 &&
              strcmp(papers->site, "none") != 0))
        reply_refuse(out, 403, "pages of other sites may not ask");
    else if (strcmp(method, "POST") == 0 &&
             (papers->type == NULL || strncasecmp(papers->type, "application/json", 16) != 0))
        reply_refuse(out, 400, "the body of a POST is application/json");
    else if (costs && (papers->token == NULL || !is_same(papers->token, token)))
        reply_refuse(out, 403, "this needs the token: open the address that holos serve printed");
    else
        return true;
    return false;
}
