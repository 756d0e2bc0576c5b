/* SPDX-License-Identifier: Apache-2.0
 *
 * Both programs are looked for in the same places. */
#define _GNU_SOURCE
#include "rtc/client/helper_find.h"

#include "base/environment.h"
#include "base/error.h"
#include "base/file.h"
#include "base/trust.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct program {
    const char *name, *variable, *value; /* value: of the variable, NULL where it is not set */
    const char *how;                     /* to name one that was found and is not trusted */
};

static struct program program_of(const char *compiler)
{
    struct program p =
        strcmp(compiler, "translator") == 0 || strcmp(compiler, "cpu") == 0
            ? (struct program){"quern-translate", "QUERN_TRANSLATE", qn__getenv("QUERN_TRANSLATE"),
                               "name it with QUERN_TRANSLATE"}
            : (struct program){"quern-rtc", "QUERN_RTC", qn__getenv("QUERN_RTC"),
                               "name it with QUERN_RTC"};
    if (p.value && !p.value[0])
        p.value = NULL;
    return p;
}

bool qn__helper_is_misnamed(const char *compiler)
{
    const struct program p = program_of(compiler);
    return p.value && !qn__file_is_executable(p.value);
}

/* In a build's folder, or in bin or lib of an installation wherever that was moved to. */
static const char *beside(struct qn__arena *arena, const char *folder, const struct program *p)
{
    static const char *const places[] = {"", "../libexec/quern/"};
    for (size_t i = 0; folder && i < sizeof places / sizeof places[0]; i++) {
        const char *file = qn__arena_printf(arena, "%s/%s%s", folder, places[i], p->name);
        if (file && qn__file_is_executable(file) && (!p->how || qn__trust_found(file, p->how)))
            return file;
    }
    return NULL;
}

static const char *beside_library(struct qn__arena *arena, const struct program *p)
{
    static const char here; /* an address in the library */
    Dl_info info;
    if (!dladdr(&here, &info) || !info.dli_fname)
        return NULL;
    char *folder = qn__path_dir(info.dli_fname);
    const char *file = beside(arena, folder, p);
    free(folder);
    return file;
}

static const char *in_path(struct qn__arena *arena, const struct program *p)
{
    char *found = qn__find_program(p->name, p->how);
    const char *file = found ? qn__arena_strdup(arena, found) : NULL;
    free(found);
    return file;
}

static qn_status find(const char **path, struct qn__arena *arena, const struct program *p)
{
    char folder[1024];
    if (p->value) {
        *path = qn__arena_strdup(arena, p->value);
        return *path && qn__file_is_executable(p->value)
                   ? QN_OK
                   : qn__fail(QN_E_COMPILER, "%s=%s: not an executable file", p->variable,
                              p->value);
    }
    const bool anywhere = !qn__is_privileged(); /* else only what was installed with the library */
    *path =
        anywhere && qn__path_of_program(folder, sizeof folder) ? beside(arena, folder, p) : NULL;
    if (!*path && anywhere)
        *path = beside_library(arena, p);
    if (!*path)
        *path = beside(arena, QN_LIBEXECDIR, p);
    if (!*path && anywhere)
        *path = in_path(arena, p);
    if (!*path && !anywhere)
        return qn__fail(QN_E_COMPILER,
                        "the helper program %s is not in %s, and a program that runs with the "
                        "rights of another user starts no other",
                        p->name, QN_LIBEXECDIR);
    return *path ? QN_OK
                 : qn__fail(QN_E_COMPILER,
                            "the helper program %s is neither beside the program, beside the "
                            "library, in %s nor in PATH; set %s to it",
                            p->name, QN_LIBEXECDIR, p->variable);
}

qn_status qn__helper_find(const char **path, struct qn__arena *arena, const char *compiler)
{
    const struct program p = program_of(compiler);
    return find(path, arena, &p);
}

qn_status qn__helper_find_any(const char **path, struct qn__arena *arena, const char *compiler)
{
    struct program p = program_of(compiler);
    if (!qn__is_privileged())
        p.how = NULL;
    return find(path, arena, &p);
}

/* An interpreter could not open it by a descriptor that is closed when it starts. */
static bool is_script(int fd)
{
    char head[2];
    return pread(fd, head, sizeof head, 0) == sizeof head && head[0] == '#' && head[1] == '!';
}

qn_status qn__helper_open(int *fd, const char *path, const char *compiler)
{
    const struct program p = program_of(compiler);
    *fd = -1;
    if (p.value)
        return QN_OK;
    QN_TRY(qn__trust_open(fd, path, O_RDONLY, p.how));
    if (!is_script(*fd))
        return QN_OK;
    close(*fd);
    *fd = -1;
    return QN_OK;
}

/* The loaders of glibc ("x: error while loading shared libraries: libLLVM.so.19.1: cannot open
 * ...") and of musl ("Error loading shared library libLLVM.so.19.1: No such file ..."). */
bool qn__helper_lacks_library(struct qn__str *out, const char *said)
{
    static const char *const phrases[] = {"while loading shared libraries: ",
                                          "loading shared library "};
    const char *library = NULL;
    for (size_t i = 0; said && !library && i < sizeof phrases / sizeof phrases[0]; i++) {
        library = strstr(said, phrases[i]);
        library = library ? library + strlen(phrases[i]) : NULL;
    }
    const int n = library ? (int)strcspn(library, ": \n") : 0;
    /* there, and yet not loaded: a limit of memory, or a damaged file; what it said tells more */
    if (!n || (!strstr(library, "cannot open") && !strstr(library, "No such file")))
        return false;
    qn__str_printf(out, "cannot start, because the library %.*s is missing; ", n, library);
    if (qn__starts_with(library, "libLLVM"))
        qn__str_add(out, "on Debian and Ubuntu: apt install libllvm" QN_LLVM_MAJOR);
    else
        qn__str_add(out, "install the package that has it");
    return !out->failed;
}
