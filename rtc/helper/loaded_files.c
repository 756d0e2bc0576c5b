/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads /proc/self/maps; a system without it has no further files to report. */
#define _XOPEN_SOURCE 700
#include "rtc/helper/loaded_files.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FILES_MAX = 32 };

bool qn__is_compiler_library(const char *path)
{
    static const char *const words[] = {"libLLVM", "libclang", "libamd_comgr", "libamdhip64",
                                        "libhiprtc"};
    const char *name = strrchr(path, '/');
    for (size_t i = 0; name && i < sizeof words / sizeof words[0]; i++)
        if (strncmp(name + 1, words[i], strlen(words[i])) == 0)
            return true;
    return false;
}

static int by_text(const void *a, const void *b)
{
    const char *const *x = a, *const *y = b;
    return strcmp(*x, *y);
}

qn_status qn__loaded_files(const char *const **files, uint32_t *n, struct qn__arena *arena)
{
    const char **list = QN__ARENA_ARRAY(arena, const char *, FILES_MAX);
    *files = NULL;
    *n = 0;
    if (!list)
        return qn__fail(QN_E_MEMORY, "no memory for a list of files");
    FILE *maps = fopen("/proc/self/maps", "re");
    char *line = NULL;
    size_t capacity = 0;
    while (maps && *n < FILES_MAX && getline(&line, &capacity, maps) > 0) {
        char *path = strchr(line, '/');
        if (!path)
            continue;
        path[strcspn(path, "\n")] = 0;
        if (!qn__is_compiler_library(path) || (*n && strcmp(list[*n - 1], path) == 0))
            continue;
        list[*n] = qn__arena_strdup(arena, path);
        *n += list[*n] != NULL;
    }
    free(line);
    if (maps)
        fclose(maps);
    qsort(list, *n, sizeof *list, by_text);
    uint32_t unique = 0;
    for (uint32_t i = 0; i < *n; i++)
        if (!unique || strcmp(list[unique - 1], list[i]) != 0)
            list[unique++] = list[i];
    *n = unique;
    *files = list;
    return QN_OK;
}
