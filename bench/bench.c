/* SPDX-License-Identifier: MIT */

#include "bench.h"

#define BENCH(name) extern const bench name;
#include "benches.def"
#undef BENCH

static const bench *const benches[] = {
#define BENCH(name) &name,
#include "benches.def"
#undef BENCH
};

const bench *bench_at(size_t index)
{
    return index < sizeof benches / sizeof *benches ? benches[index] : NULL;
}
