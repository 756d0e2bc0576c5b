/* SPDX-License-Identifier: Apache-2.0
 *
 * Our own part of a warm load: from source and options to verified bytes in hand, without a driver.
 *
 *     bench/warm_hit [TARGET]        default cuda:sm_90; its compiler must be here
 *
 * A fresh process (this program again) makes one qn_compile() that the cache folder answers, then
 * one for each of further kernels; each is another entry. Beside it a process opens, reads and
 * closes files of the same bytes. The first call of a process pays for the folder, the compiler's
 * state and code that nobody touched before, so it has a line of its own. Microseconds.
 */
#define _GNU_SOURCE
#include "bench/bench.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { ROUNDS = 51, KERNELS = 33 };

static void must(bool good, const char *what)
{
    if (good)
        return;
    perror(what);
    exit(1);
}

static void make_source(char *text, size_t capacity, int i)
{
    snprintf(text, capacity,
             "extern \"C\" __global__ void add(float *y, const float *x, int n)\n"
             "{\n"
             "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
             "    if (i < n)\n"
             "        y[i] = y[i] + x[i] * %d.0f;\n"
             "}\n",
             i);
}

static qn_image *compile(const char *target, int i)
{
    char text[400];
    qn_image *image;
    make_source(text, sizeof text, i);
    const qn_source src = {.text = text, .path = "add.cu"};
    bench_check(qn_compile(&image, &src, target, NULL, NULL), "compile");
    return image;
}

/* -- the two children -- */

static void report(double *us)
{
    const double first = us[0];
    printf("%.3f %.3f\n", first, bench_median(us + 1, KERNELS - 1));
}

/* Both children have opened the drivers that are here, as a program has before its first kernel. */
static void warm_up(void)
{
    qn_device_list list;
    bench_check(qn_device_list_init(&list), "devices");
    qn_device_list_release(&list);
}

static void child_ours(const char *target)
{
    double us[KERNELS];
    warm_up();
    for (int i = 0; i < KERNELS; i++) {
        const double start = bench_now_us();
        qn_image *image = compile(target, i);
        us[i] = bench_now_us() - start;
        qn_image_release(image);
    }
    qn_cache_counters c;
    qn_cache_get_counters(&c);
    must(c.disk_hits == KERNELS && c.compiles == 0, "not every kernel was in the folder");
    report(us);
}

static void child_raw(const char *folder)
{
    double us[KERNELS];
    warm_up();
    for (int i = 0; i < KERNELS; i++) {
        char path[600];
        struct stat st;
        const double start = bench_now_us();
        snprintf(path, sizeof path, "%s/%d", folder, i);
        const int fd = open(path, O_RDONLY | O_CLOEXEC);
        must(fd >= 0 && fstat(fd, &st) == 0, path);
        char *bytes = malloc((size_t)st.st_size);
        must(bytes && read(fd, bytes, (size_t)st.st_size) == st.st_size, path);
        close(fd);
        us[i] = bench_now_us() - start;
        free(bytes);
    }
    report(us);
}

/* -- the parent -- */

static void measure(double *first, double *further, char *const *argv)
{
    int fds[2], status;
    must(pipe(fds) == 0, "pipe");
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, fds[1], 1);
    posix_spawn_file_actions_addclose(&actions, fds[0]);
    posix_spawn_file_actions_addclose(&actions, fds[1]);
    pid_t pid;
    must(posix_spawn(&pid, "/proc/self/exe", &actions, NULL, argv, environ) == 0, "spawn");
    posix_spawn_file_actions_destroy(&actions);
    close(fds[1]);
    FILE *f = fdopen(fds[0], "r");
    must(f && fscanf(f, "%lf %lf", first, further) == 2, argv[1]);
    fclose(f);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    must(status == 0, argv[1]);
}

int main(int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], "--ours") == 0)
        return child_ours(argv[2]), 0;
    if (argc == 3 && strcmp(argv[1], "--raw") == 0)
        return child_raw(argv[2]), 0;
    char target[100], folder[] = "/tmp/quern-bench-XXXXXX", cache[80], command[120];
    snprintf(target, sizeof target, "%s", argc > 1 ? argv[1] : "cuda:sm_90");
    must(mkdtemp(folder) != NULL, "mkdtemp");
    snprintf(cache, sizeof cache, "%s/cache", folder);
    setenv("QUERN_CACHE_DIR", cache, 1);
    size_t bytes = 0;
    for (int i = 0; i < KERNELS; i++) {
        char path[80];
        qn_image *image = compile(target, i);
        const qn_image_info *info = qn_image_get_info(image);
        snprintf(path, sizeof path, "%s/%d", folder, i);
        FILE *f = fopen(path, "wb");
        must(f && fwrite(info->bytes, 1, info->size_bytes, f) == info->size_bytes && !fclose(f),
             path);
        bytes = info->size_bytes;
        qn_image_release(image);
    }
    char *ours[] = {argv[0], "--ours", target, NULL}, *raw[] = {argv[0], "--raw", folder, NULL};
    static double our_first[ROUNDS], our_further[ROUNDS], raw_first[ROUNDS], raw_further[ROUNDS];
    for (int i = 0; i < ROUNDS; i++) {
        measure(&our_first[i], &our_further[i], ours);
        measure(&raw_first[i], &raw_further[i], raw);
    }
    printf("warm hit of %s, images of %zu bytes; %d rounds, each a fresh process\n", target, bytes,
           ROUNDS);
    bench_print("first hit of a process", "us", our_first, raw_first, ROUNDS);
    bench_print("each further kernel", "us", our_further, raw_further, ROUNDS);
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command) != 0;
}
