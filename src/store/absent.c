/* SPDX-License-Identifier: MIT */

/* Backends that this build does not have: they say what would be needed. */

#include "holos_features.h"
#include "store/store.h"

#if !HOLOS_HAS_POSTGRES
extern const store_backend store_postgres;
const store_backend store_postgres = {
    .scheme = "postgres",
    .summary = "postgres://HOST/DATABASE",
    .can = STORE_REMOTE,
    .missing = "this program was built without libpq (scripts/setup --with postgres)",
};
#endif

#if !HOLOS_HAS_BIGTABLE
extern const store_backend store_bigtable;
const store_backend store_bigtable = {
    .scheme = "bigtable",
    .summary = "bigtable://PROJECT/INSTANCE/TABLE",
    .can = STORE_REMOTE,
    .missing = "this program was built without gRPC and protobuf-c (scripts/setup --with bigtable)",
};
#endif
