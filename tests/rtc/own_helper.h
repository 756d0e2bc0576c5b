/* SPDX-License-Identifier: Apache-2.0
 *
 * For tests that look for the helpers of their own: these are not among a program's children, but
 * have its environment, and in it the test's folder. */
#ifndef QN_TESTS_OWN_HELPER_H
#define QN_TESTS_OWN_HELPER_H

#include "tests/rtc_fixture.h"

#include <dirent.h>

/* A file of /proc, whose size is not known; free() it. */
static inline char *read_proc(size_t *n, const char *process, const char *name)
{
    enum { LIMIT_BYTES = 1 << 20 };
    char path[300];
    snprintf(path, sizeof path, "/proc/%.200s/%s", process, name);
    char *bytes = malloc(LIMIT_BYTES);
    FILE *f = fopen(path, "r");
    *n = f && bytes ? fread(bytes, 1, LIMIT_BYTES, f) : 0;
    if (f)
        fclose(f);
    return bytes;
}

static inline bool proc_has(const char *process, const char *name, const char *word)
{
    size_t n;
    char *bytes = read_proc(&n, process, name);
    const bool has = bytes && memmem(bytes, n, word, strlen(word)) != NULL;
    free(bytes);
    return has;
}

/* A process with that word in its environment and that one in its command line (NULL: any), but not
 * this one; 0: none. */
static inline pid_t process_with(const char *word, const char *argument)
{
    pid_t found = 0;
    DIR *d = opendir("/proc");
    const struct dirent *e;
    while (d && (e = readdir(d))) {
        const pid_t pid = (pid_t)strtol(e->d_name, NULL, 10);
        if (pid > 0 && pid != getpid() && (!argument || proc_has(e->d_name, "cmdline", argument)) &&
            proc_has(e->d_name, "environ", word))
            found = pid;
    }
    if (d)
        closedir(d);
    return found;
}

static inline pid_t own_helper(const char *argument)
{
    return process_with(scratch, argument);
}

#endif
