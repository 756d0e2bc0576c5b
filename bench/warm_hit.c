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
#include "bench/child.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ROUNDS = 51, KERNELS = 33 };

static qn_image *compile(const char *target, int i)
{
    qn_image *image;
    const qn_source src = {.text = bench_source(i), .path = "add.cu"};
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
    bench_must(c.disk_hits == KERNELS && c.compiles == 0, "not every kernel was in the folder");
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
        bench_must(fd >= 0 && fstat(fd, &st) == 0, path);
        char *bytes = malloc((size_t)st.st_size);
        bench_must(bytes && read(fd, bytes, (size_t)st.st_size) == st.st_size, path);
        close(fd);
        us[i] = bench_now_us() - start;
        free(bytes);
    }
    report(us);
}

/* -- the parent -- */

static void measure(double *first, double *further, char *const *argv)
{
    double us[2];
    bench_child(us, 2, argv);
    *first = us[0];
    *further = us[1];
}

int main(int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], "--ours") == 0)
        return child_ours(argv[2]), 0;
    if (argc == 3 && strcmp(argv[1], "--raw") == 0)
        return child_raw(argv[2]), 0;
    char target[100], folder[] = "/tmp/quern-bench-XXXXXX", cache[80], command[120];
    snprintf(target, sizeof target, "%s", argc > 1 ? argv[1] : "cuda:sm_90");
    bench_must(mkdtemp(folder) != NULL, "mkdtemp");
    snprintf(cache, sizeof cache, "%s/cache", folder);
    setenv("QUERN_CACHE_DIR", cache, 1);
    size_t bytes = 0;
    for (int i = 0; i < KERNELS; i++) {
        char path[80];
        qn_image *image = compile(target, i);
        const qn_image_info *info = qn_image_get_info(image);
        snprintf(path, sizeof path, "%s/%d", folder, i);
        FILE *f = fopen(path, "wb");
        bench_must(f && fwrite(info->bytes, 1, info->size_bytes, f) == info->size_bytes &&
                       !fclose(f),
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
