/* SPDX-License-Identifier: Apache-2.0
 *
 * Names of the cache's files (cache_names.h). */
#define _GNU_SOURCE
#include "rtc/cache/cache_names.h"

#include "base/hash.h"
#include "base/str.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { RANDOM_DIGITS = 8 };
static const char digits[] = "0123456789", hex[] = "0123456789abcdef";

const char qn__cache_serials[] = "serials";

bool qn__cache_is_key(const char *name)
{
    return strlen(name) == QN__HASH_HEX - 1 && strspn(name, hex) == QN__HASH_HEX - 1;
}

static bool is_number(const char *text, size_t n)
{
    return n > 0 && strspn(text, digits) == n;
}

void qn__cache_temporary(char *out, size_t capacity, unsigned serial, unsigned random)
{
    snprintf(out, capacity, "tmp/%ld-%u-%08x", (long)getpid(), serial, random);
}

bool qn__cache_is_temporary(const char *name)
{
    static const char totals[] = "totals-";
    if (qn__starts_with(name, totals))
        return is_number(name + sizeof totals - 1, strlen(name) - (sizeof totals - 1));
    for (int part = 0; part < 2; part++) { /* process, serial */
        const size_t n = strcspn(name, "-");
        if (!name[n] || !is_number(name, n))
            return false;
        name += n + 1;
    }
    return strlen(name) == RANDOM_DIGITS && strspn(name, hex) == RANDOM_DIGITS;
}

bool qn__cache_is_ours(const char *folder, const char *name)
{
    if (strcmp(folder, "tmp") == 0)
        return qn__cache_is_temporary(name);
    if (strcmp(folder, "compilers") == 0)
        return name[0] != '.'; /* a compiler's name */
    return qn__cache_is_key(name) ||
           (strcmp(folder, "locks") == 0 && qn__starts_with(name, "compile-"));
}

static bool is_in_root(const char *name)
{
    /* models: what `make model-...` fetches lies beside the cache's own; a disk has lost+found */
    static const char *const names[] = {"images",     "compilers",      "probes", "headers",
                                        "drivers",    "builds",         "locks",  "tmp",
                                        "quarantine", "on-a-network",   "totals", "models",
                                        "lost+found", qn__cache_serials};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return name[0] == '.';
}

bool qn__cache_is_own(char *out, size_t capacity, int root)
{
    bool is_own = true;
    if (faccessat(root, "totals", F_OK, 0) == 0) /* every process that stores something writes it */
        return true;
    const int fd = openat(root, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *d = fd >= 0 ? fdopendir(fd) : NULL;
    const struct dirent *e;
    while (d && is_own && (e = readdir(d)))
        if (!is_in_root(e->d_name)) {
            snprintf(out, capacity, "%s", e->d_name);
            is_own = false;
        }
    if (d)
        closedir(d);
    else if (fd >= 0)
        close(fd);
    return is_own;
}
