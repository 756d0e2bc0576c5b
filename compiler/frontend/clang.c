/* SPDX-License-Identifier: Apache-2.0
 *
 * clang, a program: which one, its version, and a run of it as a child without a shell. The
 * environment must make no difference to what it does; if it crashes, that is an error here. */
#include "compiler/frontend/clang.h"

#include "base/environment.h"
#include "base/file.h"
#include "base/str.h"

#include <errno.h>
#include <fcntl.h>
#include <llvm/Config/llvm-config.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

extern char **environ;

/* Preferred first: the clang of the LLVM we were built with reads nothing we cannot. */
#if LLVM_VERSION_MAJOR < 18 || LLVM_VERSION_MAJOR > 20
#error "the translator needs LLVM 18, 19 or 20 (make LLVM_CONFIG=llvm-config-19)"
#endif
#define STRINGIFY(x)    #x
#define CLANG_OF(major) "clang-" STRINGIFY(major)
static const char *const clang_names[] = {
    CLANG_OF(LLVM_VERSION_MAJOR), "clang-19", "clang-18", "clang", "clang-20", NULL,
};

qn_status qn__clang_find(const char **out, struct qn__arena *arena, const char *wanted)
{
    *out = NULL;
    if (!wanted || !*wanted)
        wanted = qn__getenv("QUERN_CLANG");
    char *found = NULL;
    if (wanted && *wanted) {
        found = qn__find_program(wanted, "name it with its folder in QUERN_CLANG");
        if (!found)
            return qn__fail(QN_E_COMPILER,
                            "%s: no such program (QUERN_CLANG or the request names it)", wanted);
    }
    for (const char *const *name = clang_names; !found && *name; name++)
        found = qn__find_program(*name, "name it with its folder in QUERN_CLANG");
    if (!found)
        return qn__fail(
            QN_E_COMPILER,
            "no clang in PATH: install clang-19 (looked for clang-19, clang-18, clang-20, "
            "clang), or set QUERN_CLANG");
    *out = qn__arena_strdup(arena, found);
    free(found);
    return *out ? QN_OK : qn__fail(QN_E_MEMORY, "out of memory");
}

/* The environment without what would add folders or options to clang's command line. Freed by the
 * caller; the strings are not copied. */
static char **quiet_environment(void)
{
    static const char *const left_out[] = {
        "CPATH=", "C_INCLUDE_PATH=", "CPLUS_INCLUDE_PATH=", "CCC_OVERRIDE_OPTIONS="};
    size_t n = 0, kept = 0;
    while (environ[n])
        n++;
    char **const quiet = calloc(n + 1, sizeof *quiet);
    for (size_t i = 0; quiet && i < n; i++) {
        bool keep = true;
        for (size_t k = 0; k < sizeof left_out / sizeof *left_out; k++)
            keep = keep && !qn__starts_with(environ[i], left_out[k]);
        if (keep)
            quiet[kept++] = environ[i];
    }
    return quiet;
}

qn_status qn__clang_run(int *code, char *const *argv, const char *log)
{
    posix_spawn_file_actions_t actions;
    char **const environment = quiet_environment();
    if (!environment || posix_spawn_file_actions_init(&actions) != 0) {
        free(environment);
        return qn__fail(QN_E_MEMORY, "out of memory");
    }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, log, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_adddup2(&actions, 1, 2);
    pid_t child;
    const int failed = posix_spawn(&child, argv[0], &actions, NULL, argv, environment);
    posix_spawn_file_actions_destroy(&actions);
    free(environment);
    if (failed) {
        errno = failed;
        qn__fail_errno("%s", argv[0]);
        return qn__fail_prefix(QN_E_COMPILER, "clang");
    }
    int status;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return qn__fail_errno("waiting for %s", argv[0]);
    *code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return QN_OK;
}

qn_status qn__clang_version(const char **out, struct qn__arena *arena, const char *clang)
{
    char *temp = NULL, *text = NULL, *log = NULL;
    size_t n;
    int code;
    *out = NULL;
    qn_status s = qn__temp_dir_create(&temp);
    if (s != QN_OK)
        return s;
    char *const program = qn__arena_strdup(arena, clang);
    char version_option[] = "--version";
    char *argv[] = {program, version_option, NULL};
    log = qn__path_join(temp, "log");
    if (!program || !log) {
        s = qn__fail(QN_E_MEMORY, "out of memory");
        goto out;
    }
    s = qn__clang_run(&code, argv, log);
    if (s == QN_OK)
        s = qn__file_read(&text, &n, log, 1 << 20);
    if (s != QN_OK)
        goto out;
    const char *const word = strstr(text, "version ");
    if (code != 0 || !word) {
        s = qn__fail(QN_E_COMPILER, "%s --version: not clang", clang);
        goto out;
    }
    *out = qn__arena_strndup(arena, word + 8, strcspn(word + 8, " \n-+~"));
    s = *out ? QN_OK : qn__fail(QN_E_MEMORY, "out of memory");
out:
    qn__temp_dir_remove(temp);
    free(temp);
    free(log);
    free(text);
    return s;
}
