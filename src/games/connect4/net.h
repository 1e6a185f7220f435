/* SPDX-License-Identifier: MIT */

#ifndef HOLOS_CONNECT4_NET_H
#define HOLOS_CONNECT4_NET_H

#include "game/net.h"

/* Connect four as a network sees it. */
extern const holos_net c4_net;

#endif
