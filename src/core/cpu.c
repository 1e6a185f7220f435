/* SPDX-License-Identifier: MIT */

#include "core/cpu.h"

#include <stdlib.h>
#include <string.h>

static cpu_features cpu_hardware(void)
{
    cpu_features has = {0};
#ifdef __x86_64__
    __builtin_cpu_init();
    has.ssse3 = __builtin_cpu_supports("ssse3");
    has.sse41 = __builtin_cpu_supports("sse4.1");
    has.popcnt = __builtin_cpu_supports("popcnt");
    has.bmi1 = __builtin_cpu_supports("bmi");
    has.bmi2 = __builtin_cpu_supports("bmi2");
    has.pext = has.bmi2 && !__builtin_cpu_is("amdfam17h");
    has.fma = __builtin_cpu_supports("fma");
    has.avx2 = __builtin_cpu_supports("avx2");
    has.avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                 __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq");
#endif
    return has;
}

static bool list_has(const char *list, const char *name)
{
    size_t length = strlen(name);
    for (const char *word = list; word != NULL; word = strchr(word, ',')) {
        word += *word == ',';
        if (strncmp(word, name, length) == 0 && (word[length] == ',' || word[length] == '\0'))
            return true;
    }
    return false;
}

cpu_features cpu_allow(cpu_features has, const char *allowed)
{
    if (allowed == NULL || *allowed == '\0')
        return has;
#define FEATURE(name, meaning) has.name = has.name && list_has(allowed, #name);
    CPU_FEATURES(FEATURE)
#undef FEATURE
    return has;
}

cpu_features cpu_detect(void)
{
    return cpu_allow(cpu_hardware(), getenv("HOLOS_CPU"));
}

void cpu_format(cpu_features features, text *out)
{
    size_t start = out->length;
#define FEATURE(name, meaning)                                                                               \
    if (features.name)                                                                                       \
        text_printf(out, "%s%s", out->length > start ? "," : "", #name);
    CPU_FEATURES(FEATURE)
#undef FEATURE
    if (out->length == start)
        text_string(out, "portable");
}
