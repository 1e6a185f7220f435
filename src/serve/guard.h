/* SPDX-License-Identifier: MIT */

/* Who may ask: programs and pages of this machine, by the address that was printed. A page of another site cannot, even
 * if it tricks the browser into asking 127.0.0.1 (Host), sends requests from elsewhere (Origin), or guesses (token). */

#ifndef HOLOS_SERVE_GUARD_H
#define HOLOS_SERVE_GUARD_H

#include "serve/request.h"

#define GUARD_TOKEN_SIZE 33 /* 32 hex digits and the final 0 */

/* What a request says about where it comes from; NULL: it does not say. */
typedef struct guard_papers {
    const char *host, *origin, *site, *token,
        *type; /* Host, Origin, Sec-Fetch-Site, X-Holos-Token, Content-Type */
} guard_papers;

/* Random hex digits. */
holos_status guard_make_token(char out[GUARD_TOKEN_SIZE], holos_error *err);
/* Whether a request may pass; if not, the reply says why. `costs`: it needs the token. */
bool guard_passes(const guard_papers *papers, const char *method, bool costs, unsigned port,
                  const char *token, reply *out);

#endif
