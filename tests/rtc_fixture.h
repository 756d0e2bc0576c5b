/* SPDX-License-Identifier: Apache-2.0
 *
 * For tests of the compile path: a private cache folder, sources as files, short asserts. Tests run
 * forked (Check's default), so each has a process, and with it a cache, of its own. */
#ifndef QN_TESTS_RTC_FIXTURE_H
#define QN_TESTS_RTC_FIXTURE_H

#include "base/file.h"
#include "base/str.h"

#include <check.h>
#include <quern/quern.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static char *scratch; /* private folder of the running test */

#define must(call)                                                                                 \
    do {                                                                                           \
        const qn_status must_s = (call);                                                           \
        ck_assert_msg(must_s == QN_OK, "%s: %s: %s", #call, qn_status_name(must_s), qn_message()); \
    } while (0)
#define must_not(status, call)                                                                     \
    do {                                                                                           \
        const qn_status must_s = (call);                                                           \
        ck_assert_msg(must_s == (status), "%s: %s (%s), expected %s", #call,                       \
                      qn_status_name(must_s), must_s == QN_OK ? "" : qn_message(), #status);       \
    } while (0)
#define says(text, part)                                                                           \
    ck_assert_msg(strstr((text), (part)) != NULL, "'%s' is not in: %s", (part), (text))

static inline const char *in_scratch(const char *name)
{
    static char path[8][4096];
    static int turn;
    turn = (turn + 1) % 8;
    snprintf(path[turn], sizeof path[turn], "%s/%s", scratch, name);
    return path[turn];
}

/* A file below the scratch folder, with the folders it needs. */
static inline const char *write_text(const char *name, const char *text)
{
    const char *path = in_scratch(name);
    char *folder = qn__path_dir(path);
    must(qn__file_make_dirs(folder, 0700));
    must(qn__file_write_atomic(path, text, strlen(text), 0600));
    free(folder);
    return path;
}

static inline void scratch_open(void)
{
    if (qn__temp_dir_create(&scratch) != QN_OK) {
        printf("no temporary folder: %s\n", qn_message());
        exit(1);
    }
    setenv("QUERN_CACHE_DIR", in_scratch("cache"), 1);
}

static inline void scratch_close(void)
{
    qn__temp_dir_remove(scratch);
    free(scratch);
    scratch = NULL;
}

/* In a process of its own, which must end well. */
static inline void in_own_process(void (*run)(void))
{
    int status = 1;
    const pid_t pid = fork();
    if (pid == 0) {
        run();
        _exit(0);
    }
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    ck_assert_msg(status == 0, "the process ended with %d", status);
}

static inline bool compiler_is_found(const char *name)
{
    const qn_compiler_info *list;
    uint32_t n;
    bool found = false;
    if (qn_compilers(&list, &n) != QN_OK) {
        printf("no list of compilers: %s\n", qn_message());
        return false;
    }
    for (uint32_t i = 0; i < n; i++)
        if (strcmp(list[i].name, name) == 0) {
            found = list[i].found;
            if (!found)
                printf("skip: %s: %s\n", name, list[i].where);
        }
    free((void *)(uintptr_t)list);
    return found;
}

/* Is the compiler here? Prints the reason for a skip where it is not; with QN_REQUIRE naming it,
 * its absence fails the program. Asked in a child, so that the tests start with a fresh library. */
static inline bool have_compiler(const char *name, bool *failed)
{
    const char *require = getenv("QN_REQUIRE");
    int status = 1;
    fflush(stdout);
    const pid_t pid = fork();
    if (pid == 0) {
        scratch_open();
        const bool found = compiler_is_found(name);
        scratch_close();
        fflush(stdout);
        _exit(found ? 0 : 1);
    }
    const bool found = pid > 0 && waitpid(pid, &status, 0) == pid && status == 0;
    if (!found && require && strstr(require, name))
        *failed = true;
    return found;
}

static inline int run_suite(Suite *suite)
{
    SRunner *r = srunner_create(suite);
    srunner_run_all(r, CK_ENV);
    const int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed != 0;
}

#endif
