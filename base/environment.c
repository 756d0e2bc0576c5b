/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernel says whether the program got rights when it was started (AT_SECURE). */
#define _GNU_SOURCE
#include "base/environment.h"

#include "base/configuration.h"
#include "base/str.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>
#include <xxhash.h>

bool qn__is_privileged(void)
{
    enum { UNKNOWN, NO, YES };
    static atomic_int is; /* asked with every variable that is read */
    int answer = atomic_load_explicit(&is, memory_order_relaxed);
    if (answer == UNKNOWN) {
        answer = getauxval(AT_SECURE) ? YES : NO;
        atomic_store_explicit(&is, answer, memory_order_relaxed);
    }
    return answer == YES;
}

/* ---- with the files that stand for variables ---- */

static struct qn__conf config; /* read once a process, then never changed */

static void read_config(void)
{
    qn__conf_read(&config, getenv("QUERN_CONFIG"), getenv("XDG_CONFIG_HOME"), getenv("HOME"));
}

const struct qn__conf *qn__configuration(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    static const struct qn__conf none;
    if (qn__is_privileged())
        return &none;
    pthread_once(&once, read_config);
    return &config;
}

const char *qn__getenv(const char *name)
{
    if (qn__is_privileged())
        return NULL;
    const char *value = getenv(name);
    if (value || !qn__starts_with(name, "QUERN_"))
        return value;
    const struct qn__conf_entry *e = qn__conf_find(qn__configuration(), name);
    return e ? e->value : NULL;
}

bool qn__is_in_environment(const char *name)
{
    return !qn__is_privileged() && getenv(name);
}

/* What the files say, as a number; 0 where they say nothing. */
static uint64_t config_digest(void)
{
    const struct qn__conf *c = qn__configuration();
    uint64_t digest = 0;
    for (uint32_t i = 0; i < c->n_entries; i++) {
        const struct qn__conf_entry *e = &c->entries[i];
        digest = XXH3_64bits_withSeed(e->variable->name, strlen(e->variable->name) + 1, digest);
        digest = XXH3_64bits_withSeed(e->value, strlen(e->value) + 1, digest);
    }
    return digest;
}

/* ---- as numbers ---- */

const char *qn__program_path(void)
{
    return qn__is_privileged() ? "/usr/local/bin:/usr/bin:/bin" : getenv("PATH");
}

uint64_t qn__environment_now(void)
{
    uint64_t digest = 0;
    if (!qn__is_privileged() && environ)
        for (char **p = environ; *p; p++)
            digest = XXH3_64bits_withSeed(*p, strlen(*p) + 1, digest);
    return digest + config_digest();
}

/* On the way of every hit: names are told by their first letters. */
static bool is_of_search(const char *variable)
{
    switch (variable[0]) {
    case 'C': return qn__starts_with(variable, "CUDA_");
    case 'H': return qn__starts_with(variable, "HIP_PATH=");
    case 'L': return qn__starts_with(variable, "LD_LIBRARY_PATH=");
    case 'P': return qn__starts_with(variable, "PATH=");
    case 'Q': return qn__starts_with(variable, "QUERN_");
    case 'R': return qn__starts_with(variable, "ROCM_PATH=");
    case 'V': return qn__starts_with(variable, "VIRTUAL_ENV=");
    default: return false;
    }
}

uint64_t qn__environment_of_search(void)
{
    uint64_t digest = 0;
    if (!qn__is_privileged() && environ)
        for (char **p = environ; *p; p++)
            if (is_of_search(*p))
                digest = 31 * digest + XXH3_64bits(*p, strlen(*p) + 1);
    return digest + config_digest();
}

static bool is_of_shell(const char *variable)
{
    static const char *const names[] = {"_=", "PWD=", "OLDPWD=", "SHLVL=", "QUERN_"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (qn__starts_with(variable, names[i]))
            return true;
    return false;
}

/* In whatever order they are: a shell sorts them. */
uint64_t qn__environment_of_programs(void)
{
    uint64_t digest = 0;
    if (!qn__is_privileged() && environ)
        for (char **p = environ; *p; p++)
            if (!is_of_shell(*p))
                digest += XXH3_64bits(*p, strlen(*p) + 1);
    return digest;
}
