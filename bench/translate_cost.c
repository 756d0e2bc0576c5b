/* SPDX-License-Identifier: Apache-2.0
 *
 * What translating costs beside clang alone, and how it grows.
 *
 *     bench/translate_cost                every .cu in kernels/, then large ones
 *     bench/translate_cost FILE.cu ...    these
 *
 * Run in the folder of the sources.
 *
 * Ours is qn_translate() past the cache in a helper that runs already, with the clang it starts;
 * raw is a process of the same clang with the same stand-in headers and definitions, at its own
 * default -O0 and at -O2. All in processor time, which a busy machine leaves alone. Large ones are
 * made-up kernels of 2,500, 5,000 and 10,000 lines, where the time per line must not grow. Peak
 * memory is that of the helper and of the raw clang. */
#define _GNU_SOURCE
#include "bench/bench.h"

#include <glob.h>
#include <spawn.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { ROUNDS = 9, LARGE_ROUNDS = 3, LINES_OF_UNIT = 10 };

/* As compiler/frontend/frontend.c calls it, less what the translation needs and the user would not
 * say. */
#define CLANG_AND_FLAGS                                                                            \
    "clang-19", "-x", "cuda", "--cuda-device-only", "-nocudainc", "-nocudalib",                    \
        "--cuda-gpu-arch=sm_70", "--cuda-path=/nonexistent", "--cuda-feature=+ptx63",              \
        "-Wno-unknown-cuda-version", "-Xclang", "-fcuda-allow-variadic-functions", "-std=c++17",   \
        "-nostdlibinc", "-isystem", "compiler/frontend/include", "-isystem",                       \
        "compiler/frontend/include/std", "-include", "compiler/frontend/include/quern_prelude.h",  \
        "-DQUERN_TRANSLATE=1", "-DQUERN_OPENCL=1", "-DQUERN_WAVE_WIDTH=1", "-DQUERN_WAVE=1",       \
        "-emit-llvm", "-c", "-o", "/dev/null"

/* One source through the raw clang: processor time. *peak_kib grows to its peak memory. */
static double raw_ms(const char *file, const char *level, long *peak_kib)
{
    const char *const argv[] = {CLANG_AND_FLAGS, level, file, NULL};
    pid_t child;
    int status = 1;
    struct rusage used = {0};
    if (posix_spawnp(&child, argv[0], NULL, NULL, (char *const *)(uintptr_t)argv, environ) != 0 ||
        wait4(child, &status, 0, &used) < 0 || status != 0) {
        fprintf(stderr, "%s: %s: the raw compile does not work\n", file, argv[0]);
        exit(1);
    }
    if (used.ru_maxrss > *peak_kib)
        *peak_kib = used.ru_maxrss;
    return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1e3 +
           (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) * 1e-3;
}

/* A line of /proc/<our one child>/`file`: the helper's, which is given to us when the process
 * between ends (PR_SET_CHILD_SUBREAPER). "" while there is none. */
static void read_helper(char text[4096], const char *file, const char *key)
{
    char path[64];
    long pid = 0;
    snprintf(path, sizeof path, "/proc/self/task/%ld/children", (long)getpid());
    FILE *f = fopen(path, "re");
    if (f && fscanf(f, "%ld", &pid) != 1)
        pid = 0;
    if (f)
        fclose(f);
    snprintf(path, sizeof path, "/proc/%ld/%s", pid, file);
    f = pid ? fopen(path, "re") : NULL;
    text[0] = 0;
    while (f && fgets(text, 4096, f) && strncmp(text, key, strlen(key)) != 0)
        text[0] = 0;
    if (f)
        fclose(f);
}

/* Processor time of the helper and of the compilers it has run. */
static double helper_ms(void)
{
    char text[4096];
    unsigned long long t[4] = {0};
    read_helper(text, "stat", "");
    const char *const end = strrchr(text, ')');
    if (!end || sscanf(end, ") %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %llu %llu %llu %llu",
                       &t[0], &t[1], &t[2], &t[3]) != 4)
        return 0;
    return (double)(t[0] + t[1] + t[2] + t[3]) * 1e3 / (double)sysconf(_SC_CLK_TCK);
}

static long helper_peak_kib(void)
{
    char text[4096];
    long peak = 0;
    read_helper(text, "status", "VmHWM:");
    return sscanf(text, "VmHWM: %ld", &peak) == 1 ? peak : 0;
}

static void translate(const char *file)
{
    const qn_source src = {.path = file};
    const qn_compile_options how = {.bypass_cache = true};
    qn_translation t;
    bench_check(qn_translate(&t, &src, NULL, &how, NULL), file);
    qn_translation_release(&t);
}

static void measure(const char *file, const char *name, unsigned rounds)
{
    double plain = 0, optimised = 0;
    long peak_kib = 0;
    translate(file); /* starts the helper, and fills the machine's file cache for all */
    const double start = helper_ms();
    if (start <= 0) {
        fprintf(stderr, "%s: the helper that translated it is not found\n", file);
        exit(1);
    }
    for (unsigned i = 0; i < rounds; i++) {
        translate(file);
        plain += raw_ms(file, "-O0", &peak_kib) / rounds;
        optimised += raw_ms(file, "-O2", &peak_kib) / rounds;
    }
    const double ours = (helper_ms() - start) / rounds;
    printf("%-28s quern %8.1f ms  clang -O0 %8.1f ms, ratio %.2f  clang -O2 %8.1f ms, ratio %.2f  "
           "peak %ld MiB, clang %ld MiB\n",
           name, ours, plain, ours / plain, optimised, ours / optimised, helper_peak_kib() / 1024,
           peak_kib / 1024);
}

/* A kernel of that many lines: loads, branches, loops and stores, each unit a little different. */
static void write_large(const char *path, unsigned lines)
{
    FILE *const f = fopen(path, "we");
    if (!f) {
        perror(path);
        exit(1);
    }
    fputs("__global__ void large(float *out, const float *in, int n)\n{\n"
          "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
          "    float sum = 0.0f;\n    int count = 0;\n",
          f);
    for (unsigned k = 0; k < lines / LINES_OF_UNIT; k++)
        fprintf(f,
                "    float v%u = in[(i + %u) %% n];\n"
                "    if (v%u > %u.0f && count < n) {\n"
                "        for (int k = 0; k < %u; k++)\n"
                "            sum += v%u * in[k];\n"
                "    } else {\n"
                "        sum -= v%u;\n"
                "        count++;\n"
                "    }\n"
                "    float w%u = v%u * sum + (float)count;\n"
                "    out[i + %u * n] = w%u;\n",
                k, k, k, k % 7, k % 5 + 2, k, k, k, k, k, k);
    fputs("}\n", f);
    if (fclose(f) != 0) {
        perror(path);
        exit(1);
    }
}

int main(int argc, char **argv)
{
    glob_t found = {0};
    if (argc < 2 && glob("kernels/*.cu", 0, NULL, &found) != 0) {
        fprintf(stderr, "no kernels/*.cu here: run it from the folder of the sources\n");
        return 1;
    }
    const char *const *files = (const char *const *)(argc < 2 ? found.gl_pathv : argv + 1);
    if (prctl(PR_SET_CHILD_SUBREAPER, 1L) != 0) {
        perror("PR_SET_CHILD_SUBREAPER");
        return 1;
    }
    for (; *files; files++)
        measure(*files, *files, ROUNDS);
    globfree(&found);
    if (argc > 1)
        return 0;
    static const unsigned sizes[] = {2500, 5000, 10000};
    char folder[] = "/tmp/quern-bench-XXXXXX", path[64], name[32];
    if (!mkdtemp(folder)) {
        perror(folder);
        return 1;
    }
    snprintf(path, sizeof path, "%s/large.cu", folder);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        write_large(path, sizes[i]);
        snprintf(name, sizeof name, "%u lines", sizes[i]);
        measure(path, name, LARGE_ROUNDS);
    }
    unlink(path);
    rmdir(folder);
    return 0;
}
