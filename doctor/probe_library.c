/* SPDX-License-Identifier: Apache-2.0
 *
 * Opening a library in a child: see probe_library.h. */
#define _GNU_SOURCE
#include "doctor/probe_library.h"

#include "doctor/facts.h"
#include "doctor/probe_process.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The file to open: malloc'd. Of this machine a bare name, which the system's loader searches. */
static char *file_to_open(const struct qn__library_place *place, const char *name)
{
    struct qn__names found = {0};
    char *file = NULL;
    if (place->file)
        return strchr(place->file, '/') ? qn__root_path(place->root, place->file)
                                        : strdup(place->file);
    if (!*place->root->prefix)
        return strdup(name);
    qn__root_libraries(&found, place->root, name,
                       "/opt/rocm/lib /opt/rocm-*/lib /opt/rocm/core*/lib");
    if (found.n)
        file = qn__root_path(place->root, found.items[0]);
    qn__names_release(&found);
    return file;
}

bool qn__library_open(struct qn__library *lib, json_t *out, const struct qn__library_place *place,
                      const char *name)
{
    struct link_map *map = NULL;
    char *file = file_to_open(place, name);
    struct qn__str step = {0};
    *lib = (struct qn__library){0};
    if (!file) {
        qn__facts_set_text(out, "error", "not found");
        return false;
    }
    const char *const shown =
        qn__starts_with(file, place->root->prefix) ? file + strlen(place->root->prefix) : file;
    qn__str_printf(&step, "while %s was loaded", shown);
    qn__child_step(step.text ? step.text : "");
    qn__str_release(&step);
    lib->handle = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (!lib->handle) {
        qn__facts_set_text(out, "error", dlerror());
    } else if (dlinfo(lib->handle, RTLD_DI_LINKMAP, &map) == 0 && map->l_name) {
        const struct qn__root here = {""};
        char *real = qn__root_real(&here, map->l_name);
        char *prefix = *place->root->prefix ? realpath(place->root->prefix, NULL) : NULL;
        const size_t n = prefix ? strlen(prefix) : 0;
        if (real)
            qn__facts_set_text(out, "file", n && strncmp(real, prefix, n) == 0 ? real + n : real);
        free(prefix);
        free(real);
    }
    free(file);
    return lib->handle != NULL;
}

void *qn__library_symbol(const struct qn__library *lib, const char *name)
{
    return lib->handle ? dlsym(lib->handle, name) : NULL;
}
