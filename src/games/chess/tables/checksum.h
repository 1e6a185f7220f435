/* SPDX-License-Identifier: MIT */

/* The checksum at the end of a Syzygy file, as Syzygy's own checker computes it: the file without its last 16
 * bytes is cut into chunks of 16 MiB, each is hashed to 32 bytes with CityHashCrc256, and these together to 16
 * bytes with CityHashCrc128 (Pike and Alakuijala, CityHash 1.0). */

#ifndef HOLOS_CHESS_TABLES_CHECKSUM_H
#define HOLOS_CHESS_TABLES_CHECKSUM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CHECKSUM_SIZE  16
#define CHECKSUM_CHUNK ((size_t)1 << 24)

/* What is known after some chunks: chunk digests are kept, so `chunks` has room for one of 32 bytes each. */
void checksum_chunk(const unsigned char *bytes, size_t size, uint64_t out[4]);
void checksum_chunks(const uint64_t *digests, size_t count, unsigned char out[CHECKSUM_SIZE]);

/* Of bytes that lie in memory as a whole. False: out of memory. */
bool checksum_of(const unsigned char *bytes, size_t size, unsigned char out[CHECKSUM_SIZE]);

#endif
