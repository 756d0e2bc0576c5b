/* SPDX-License-Identifier: Apache-2.0
 *
 * clang says with -### what it would run: itself with -cc1 and all options, those that a script in
 * front of it has added among them. The dynamic loader says which libraries a program would load.
 */
#define _GNU_SOURCE
#include "rtc/helper/real_program.h"

#include "base/str.h"
#include "rtc/helper/loaded_files.h"
#include "rtc/helper/run_program.h"

#include <stdlib.h>
#include <string.h>

/* The first word of the line that has "-cc1" for its second; NULL: there is none. */
static const char *compiler_in(struct qn__arena *arena, const char *said)
{
    static const char mark[] = "\" \"-cc1\" ";
    const char *const end = strstr(said, mark);
    const char *begin = end;
    while (begin && begin > said && begin[-1] != '"' && begin[-1] != '\n')
        begin--;
    return begin && begin > said && begin[-1] == '"'
               ? qn__arena_strndup(arena, begin, (size_t)(end - begin))
               : NULL;
}

static bool is_same_file(const char *a, const char *b)
{
    char *const x = realpath(a, NULL), *const y = realpath(b, NULL);
    const bool same = x && y && strcmp(x, y) == 0;
    free(x);
    free(y);
    return same;
}

static qn_status add_file(struct qn__job_result *out, struct qn__arena *arena, const char *path)
{
    for (uint32_t i = 0; i < out->n_files; i++)
        if (strcmp(out->files[i], path) == 0)
            return QN_OK;
    const char **files = QN__ARENA_ARRAY(arena, const char *, out->n_files + (size_t)1);
    if (!files)
        return qn__fail(QN_E_MEMORY, "no memory for a list of files");
    for (uint32_t i = 0; i < out->n_files; i++)
        files[i] = out->files[i];
    files[out->n_files++] = path;
    out->files = files;
    return QN_OK;
}

/* "\tlibLLVM.so.19.1 => /lib/x86_64-linux-gnu/libLLVM.so.19.1 (0x...)" */
static qn_status add_libraries(struct qn__job_result *out, struct qn__arena *arena,
                               const char *program)
{
    static const char arrow[] = " => ";
    const char *const args[] = {program, "--version", NULL};
    struct qn__program_output said;
    if (setenv("LD_TRACE_LOADED_OBJECTS", "1", 1) != 0)
        return qn__fail(QN_E_MEMORY, "no memory for a variable");
    const qn_status s = qn__run_program(&said, arena, args, "/");
    unsetenv("LD_TRACE_LOADED_OBJECTS");
    if (s != QN_OK)
        return QN_OK; /* what cannot run loads none */
    for (const char *p = said.text; (p = strstr(p, arrow)) != NULL;) {
        p += sizeof arrow - 1;
        const char *const name = qn__arena_strndup(arena, p, strcspn(p, " \n"));
        char *const path = name && qn__is_compiler_library(name) ? realpath(name, NULL) : NULL;
        const char *const kept = path ? qn__arena_strdup(arena, path) : NULL;
        free(path);
        if (kept)
            QN_TRY(add_file(out, arena, kept));
    }
    return QN_OK;
}

qn_status qn__real_program(struct qn__job_result *out, struct qn__arena *arena, const char *program)
{
    const char *const args[] = {program,     "-###", "-x",        "c", "-c",
                                "/dev/null", "-o",   "/dev/null", NULL};
    struct qn__program_output said;
    QN_TRY(qn__run_program(&said, arena, args, "/"));
    const char *const compiler = compiler_in(arena, said.text);
    if (compiler && is_same_file(program, compiler))
        return add_libraries(out, arena, compiler);
    out->runs = said.text;
    if (!compiler)
        return QN_OK; /* not known what it runs; what it says is all there is */
    QN_TRY(add_file(out, arena, compiler));
    return add_libraries(out, arena, compiler);
}
