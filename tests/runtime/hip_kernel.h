/* SPDX-License-Identifier: Apache-2.0
 *
 * A small HIP source and its offline compile by clang, for tests that need a real AMD code object.
 * It needs no ROCm: only clang (18 or later) with its AMDGPU target and lld. */
#ifndef QN_TESTS_HIP_KERNEL_H
#define QN_TESTS_HIP_KERNEL_H

#include "base/file.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static const char hip_kernel_source[] =
    "#define KERNEL extern \"C\" __attribute__((global)) void\n"
    "#define DEVICE __attribute__((device))\n"
    "#define SHARED __attribute__((shared))\n"
    "DEVICE unsigned thread() { return __builtin_amdgcn_workitem_id_x(); }\n"
    "DEVICE unsigned threads() { return __builtin_amdgcn_workgroup_size_x(); }\n"
    "DEVICE unsigned block() { return __builtin_amdgcn_workgroup_id_x(); }\n"
    "DEVICE void sync() {\n"
    "    __builtin_amdgcn_fence(__ATOMIC_RELEASE, \"workgroup\");\n"
    "    __builtin_amdgcn_s_barrier();\n"
    "    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, \"workgroup\");\n"
    "}\n"
    "KERNEL saxpy(const float *x, float *y, float a, unsigned n) {\n"
    "    const unsigned i = block() * threads() + thread();\n"
    "    if (i < n) y[i] = a * x[i] + y[i];\n"
    "}\n"
    /* a module variable, and a struct that holds a device address */
    "extern \"C\" DEVICE float offsets[4] = {10, 20, 30, 40};\n"
    "struct where { float scale; float *out; };\n"
    "KERNEL shift(const float *x, struct where w) {\n"
    "    const unsigned i = thread();\n"
    "    w.out[i] = x[i] * w.scale + offsets[i % 4];\n"
    "}\n"
    /* dynamic shared memory and barriers */
    "extern SHARED float scratch[];\n"
    "KERNEL block_sum(float *out, const float *x) {\n"
    "    const unsigned t = thread();\n"
    "    scratch[t] = x[block() * threads() + t];\n"
    "    sync();\n"
    "    for (unsigned k = threads() / 2; k; k /= 2) {\n"
    "        if (t < k) scratch[t] += scratch[t + k];\n"
    "        sync();\n"
    "    }\n"
    "    if (t == 0) out[block()] = scratch[0];\n"
    "}\n";

/* Run clang; its output goes to `log`. The exit status, -1 where it did not start. */
static int hip_run_clang(const char *clang, char *const *argv, const char *log)
{
    posix_spawn_file_actions_t actions;
    pid_t pid;
    int status = -1;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 1, log, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_adddup2(&actions, 1, 2);
    if (posix_spawn(&pid, clang, &actions, NULL, argv, environ) == 0)
        waitpid(pid, &status, 0);
    posix_spawn_file_actions_destroy(&actions);
    return status;
}

/* Compile the source above for "gfx1100" or "gfx90a:xnack-". free() *bytes.
 * NULL on success, else why it could not be done (static). */
static const char *hip_kernel_compile(char **bytes, size_t *n, const char *arch)
{
    static const char *const names[] = {"clang-19", "clang-20", "clang-21", "clang-18", "clang"};
    static char reason[512];
    char *clang = NULL, *folder = NULL, *log_text = NULL;
    char source[256], object[256], log[256], arch_option[128];
    size_t log_n;
    *bytes = NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names && !clang; i++)
        clang = qn__find_program(names[i], "");
    if (!clang)
        return "no clang in PATH, to compile an AMD kernel";
    if (qn__temp_dir_create(&folder) != QN_OK) {
        free(clang);
        return "no temporary folder";
    }
    snprintf(source, sizeof source, "%s/kernel.hip", folder);
    snprintf(object, sizeof object, "%s/kernel.co", folder);
    snprintf(log, sizeof log, "%s/log", folder);
    snprintf(arch_option, sizeof arch_option, "--offload-arch=%s", arch);
    char language[] = "-x", hip[] = "hip", device[] = "--cuda-device-only",
         bare[] = "--no-gpu-bundle-output", no_inc[] = "-nogpuinc", no_lib[] = "-nogpulib",
         level[] = "-O2", names_kept[] = "-fno-discard-value-names", out[] = "-o";
    char *const argv[] = {clang,  language, hip,        arch_option, device, bare,   no_inc,
                          no_lib, level,    names_kept, out,         object, source, NULL};
    const char *why = reason;
    if (qn__file_write_atomic(source, hip_kernel_source, strlen(hip_kernel_source), 0600) != QN_OK)
        snprintf(reason, sizeof reason, "%s", qn_message());
    else if (hip_run_clang(clang, argv, log) == 0 &&
             qn__file_read(bytes, n, object, 1 << 24) == QN_OK)
        why = NULL;
    else if (qn__file_read(&log_text, &log_n, log, 1 << 20) == QN_OK)
        snprintf(reason, sizeof reason, "%s does not compile for %s (is lld installed?): %.300s",
                 clang, arch, log_text);
    else
        snprintf(reason, sizeof reason, "%s does not start", clang);
    qn__temp_dir_remove(folder);
    free(folder);
    free(clang);
    free(log_text);
    return why;
}

#endif
