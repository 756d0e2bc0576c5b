/* SPDX-License-Identifier: Apache-2.0
 *
 * For benchmarks that measure in fresh processes: the program starts itself, and its child answers
 * with one line of numbers. And what they load: a small kernel, in as many versions as are asked
 * for, and the files of the built-in kernels, as a program has them.
 */
#ifndef QN_BENCH_CHILD_H
#define QN_BENCH_CHILD_H

#include "bench/bench.h"

#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* An image of its own for each factor. Good until the next call. */
static inline const char *bench_source(int factor)
{
    static char text[400];
    snprintf(text, sizeof text,
             "extern \"C\" __global__ void add(float *y, const float *x, int n)\n"
             "{\n"
             "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
             "    if (i < n)\n"
             "        y[i] = y[i] + x[i] * %d.0f;\n"
             "}\n",
             factor);
    return text;
}

enum { BENCH_FILES_MAX = 64 };

/* The files of the built-in kernels, each once; its kernel field is one of those in it. */
static inline int bench_files(const qn_op_info *out[BENCH_FILES_MAX])
{
    int n = 0;
    for (uint32_t i = 0; i < qn_op_count(); i++) {
        const qn_op_info *op = qn_op_get(i);
        int at = 0;
        while (at < n && strcmp(out[at]->file, op->file) != 0)
            at++;
        if (at == n && n < BENCH_FILES_MAX)
            out[n++] = op;
    }
    return n;
}

static inline void bench_must(bool good, const char *what)
{
    if (good)
        return;
    perror(what);
    exit(1);
}

/* Run this program as argv says; its line holds n numbers. Returns the microseconds of the whole
 * process. */
static inline double bench_child(double *numbers, int n, char *const *argv)
{
    int fds[2], status;
    bench_must(pipe(fds) == 0, "pipe");
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, fds[1], 1);
    posix_spawn_file_actions_addclose(&actions, fds[0]);
    posix_spawn_file_actions_addclose(&actions, fds[1]);
    pid_t pid;
    const double start = bench_now_us();
    bench_must(posix_spawn(&pid, "/proc/self/exe", &actions, NULL, argv, environ) == 0, "spawn");
    posix_spawn_file_actions_destroy(&actions);
    close(fds[1]);
    FILE *f = fdopen(fds[0], "r");
    bench_must(f != NULL, argv[1]);
    for (int i = 0; i < n; i++)
        bench_must(fscanf(f, "%lf", &numbers[i]) == 1, argv[1]);
    fclose(f);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    const double us = bench_now_us() - start;
    bench_must(status == 0, argv[1]);
    return us;
}

#endif
