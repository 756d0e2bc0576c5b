/* SPDX-License-Identifier: Apache-2.0
 *
 * What a cold compile costs beside the bare NVRTC call, without a GPU.
 *
 *     bench/cold_compile [ARCH]        default sm_90; NVRTC and the helper must be here
 *
 * A fresh process (this program again) with an empty cache folder compiles kernels that no cache
 * has: the first, which starts the helper, asks it what NVRTC is, and has it loaded; then small
 * ones and large ones in the same process, so in the same helper. The raw process loads NVRTC
 * itself and calls it. Beside it: a helper started by hand that finds nobody at its socket and
 * ends.
 */
#define _GNU_SOURCE
#include "bench/child.h"
#include "bench/raw.h"

#include <sys/socket.h>
#include <unistd.h>

enum { ROUNDS = 11, EACH = 9, LARGE_LINES = 15, STARTS = 101 };

/* Another text for each number, so that neither our cache nor NVRTC's own has it. */
static const char *large_source(int number)
{
    static char text[LARGE_LINES * 100 + 200];
    char *at = text;
    at += sprintf(at, "extern \"C\" __global__ void large(float *p)\n{\n    p[0] = %d;\n", number);
    for (int i = 0; i < LARGE_LINES; i++)
        at += sprintf(at, "    p[%d] = sinf(p[%d]) + p[%d];\n", i, i + 1, i + 2);
    sprintf(at, "}\n");
    return text;
}

static void report(double first, double *small, double *large)
{
    printf("%.3f %.3f %.3f\n", first, bench_median(small, EACH), bench_median(large, EACH));
}

static double compile_ours(const char *target, const char *text)
{
    const qn_source src = {.text = text, .path = "add.cu"};
    qn_image *image;
    const double start = bench_now_us();
    bench_check(qn_compile(&image, &src, target, NULL, NULL), "compile");
    const double us = bench_now_us() - start;
    qn_image_release(image);
    return us;
}

static double compile_raw(const char *library, const char *arch, const char *text)
{
    char *image;
    size_t n;
    const double start = bench_now_us();
    raw_compile_cuda(&image, &n, library, text, arch);
    const double us = bench_now_us() - start;
    free(image);
    return us;
}

/* library NULL: ours */
static void child(const char *library, const char *arch, int number)
{
    double small[EACH], large[EACH], first = 0;
    char target[64];
    snprintf(target, sizeof target, "cuda:%s", arch);
    for (int i = -1; i < 2 * EACH; i++) {
        const char *text = i < EACH ? bench_source(number + i) : large_source(number + i);
        const double us = library ? compile_raw(library, arch, text) : compile_ours(target, text);
        *(i < 0 ? &first : i < EACH ? &small[i] : &large[i - EACH]) = us;
    }
    report(first, small, large);
}

static const char *nvrtc_library(void)
{
    const qn_compiler_info *compilers;
    uint32_t n;
    bench_check(qn_compilers(&compilers, &n), "compilers");
    for (uint32_t i = 0; i < n; i++)
        if (compilers[i].found && strcmp(compilers[i].name, "nvrtc") == 0)
            return compilers[i].where;
    return NULL;
}

static double start_helper(const char *helper)
{
    int pair[2], status;
    pid_t pid;
    posix_spawn_file_actions_t actions;
    char *const argv[] = {(char *)(uintptr_t)helper, NULL};
    bench_must(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) == 0, "socketpair");
    shutdown(pair[0], SHUT_WR);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, pair[1], 3);
    const double start = bench_now_us();
    bench_must(posix_spawn(&pid, helper, &actions, NULL, argv, environ) == 0, helper);
    bench_must(waitpid(pid, &status, 0) == pid && status == 0, helper);
    const double us = bench_now_us() - start;
    posix_spawn_file_actions_destroy(&actions);
    close(pair[0]);
    close(pair[1]);
    return us;
}

int main(int argc, char **argv)
{
    const char *helper = getenv("QUERN_RTC");
    static double us[2][3][ROUNDS], starts[STARTS];
    char folder[] = "/tmp/quern-bench-XXXXXX", cache[80], command[120], number[16];
    if (argc == 5 && strcmp(argv[1], "--child") == 0)
        return child(strcmp(argv[2], "-") == 0 ? NULL : argv[2], argv[3], atoi(argv[4])), 0;
    bench_must(mkdtemp(folder) != NULL, "mkdtemp");
    snprintf(cache, sizeof cache, "%s/cache", folder);
    setenv("QUERN_CACHE_DIR", cache, 1);
    const char *found = nvrtc_library();
    if (!found) {
        printf("skip: no NVRTC\n");
        return 0;
    }
    char library[512], arch[32];
    snprintf(library, sizeof library, "%s", found);
    snprintf(arch, sizeof arch, "%s", argc > 1 ? argv[1] : "sm_90");
    snprintf(command, sizeof command, "rm -rf '%s'", cache);
    for (int i = 0; i < ROUNDS; i++)
        for (int raw = 0; raw < 2; raw++) {
            double line[3];
            char *const argvs[] = {argv[0], "--child", raw ? library : "-", arch, number, NULL};
            snprintf(number, sizeof number, "%d", (int)(getpid() % 10000) * 10000 + i * 100 + 2);
            bench_must(system(command) == 0, command);
            bench_child(line, 3, argvs);
            for (int k = 0; k < 3; k++)
                us[raw][k][i] = line[k] * 1e-3;
        }
    printf("cold compile for %s by %s; %d rounds, each a fresh process with %d small and %d large "
           "kernels\n",
           arch, library, ROUNDS, EACH, EACH);
    bench_print("first of a process", "ms", us[0][0], us[1][0], ROUNDS);
    bench_print("each further, small", "ms", us[0][1], us[1][1], ROUNDS);
    bench_print("each further, large", "ms", us[0][2], us[1][2], ROUNDS);
    for (int i = 0; helper && i < STARTS; i++)
        starts[i] = start_helper(helper) * 1e-3;
    if (helper)
        printf("the helper starts and ends: median %.3f ms of %d\n", bench_median(starts, STARTS),
               STARTS);
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command) != 0;
}
