/* SPDX-License-Identifier: Apache-2.0
 *
 * posix_spawn with a pipe. The working folder is set by the child's file actions, so this process
 * never changes its own. */
#define _GNU_SOURCE
#include "rtc/helper/run_program.h"

#include "base/str.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { OUTPUT_LIMIT_BYTES = 4 << 20 };

static int spawn(pid_t *pid, const char *const *args, const char *folder, int output)
{
    extern char **environ;
    posix_spawn_file_actions_t actions;
    int code = posix_spawn_file_actions_init(&actions);
    if (code == 0)
        code = posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    if (code == 0)
        code = posix_spawn_file_actions_adddup2(&actions, output, 1);
    if (code == 0)
        code = posix_spawn_file_actions_adddup2(&actions, output, 2);
    if (code == 0 && folder)
        code = posix_spawn_file_actions_addchdir_np(&actions, folder);
    union { /* posix_spawn takes char *const[] and does not write through it */
        const char *const *in;
        char *const *out;
    } argv = {args};
    if (code == 0)
        code = posix_spawn(pid, args[0], &actions, NULL, argv.out, environ);
    posix_spawn_file_actions_destroy(&actions);
    return code;
}

qn_status qn__run_program(struct qn__program_output *out, struct qn__arena *arena,
                          const char *const *args, const char *folder)
{
    int pipe_fds[2], status = 0;
    pid_t pid, ended;
    qn_status s = QN_OK;
    struct qn__str text = {0};
    char buffer[4096];
    ssize_t got;
    *out = (struct qn__program_output){.text = ""};
    if (pipe2(pipe_fds, O_CLOEXEC) != 0)
        return qn__fail_errno("pipe for %s", args[0]);
    const int code = spawn(&pid, args, folder, pipe_fds[1]);
    close(pipe_fds[1]);
    if (code != 0) {
        close(pipe_fds[0]);
        return qn__fail_code(QN_E_COMPILER, code, "%s cannot be started: %s", args[0],
                             strerror(code));
    }
    while ((got = read(pipe_fds[0], buffer, sizeof buffer)) != 0) {
        if (got < 0 && errno != EINTR) {
            s = qn__fail_errno("reading what %s prints", args[0]);
            break;
        }
        if (got > 0 && text.len < OUTPUT_LIMIT_BYTES)
            qn__str_add_bytes(&text, buffer, (size_t)got);
    }
    close(pipe_fds[0]);
    while ((ended = waitpid(pid, &status, 0)) < 0 && errno == EINTR)
        ;
    if (ended < 0 && s == QN_OK)
        s = qn__fail_errno("how %s ended is not known", args[0]);
    if (s == QN_OK)
        s = qn__str_check(&text);
    out->code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    out->text = text.text ? qn__arena_strdup(arena, text.text) : "";
    qn__str_release(&text);
    if (s == QN_OK && !out->text)
        s = qn__fail(QN_E_MEMORY, "no memory for the output of %s", args[0]);
    return s;
}
