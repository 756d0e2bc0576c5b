/* SPDX-License-Identifier: Apache-2.0
 *
 * Our own part of a warm load: from source and options to verified bytes in hand, without a driver.
 *
 *     bench/warm_hit [TARGET]        default cuda:sm_90; its compiler must be here
 *
 * A fresh process (this program again) makes one qn_compile() that the cache folder answers, then
 * one for each of further kernels; each is another entry. Then the files of the built-in kernels,
 * whose sources and images have the size that they have in a program. Beside it a process opens,
 * reads and closes files of the same bytes. The first call of a process pays for the folder, the
 * compiler's state and code that was not touched before, so it has a line of its own. Microseconds.
 */
#define _GNU_SOURCE
#include "bench/child.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ROUNDS = 51, SMALL = 33, LOADS_MAX = SMALL + BENCH_FILES_MAX };

static const qn_op_info *files[BENCH_FILES_MAX];
static int loads; /* the small ones, then the files */

static qn_image *compile(const char *target, int i)
{
    qn_image *image;
    qn_source src = {.text = bench_source(i), .path = "add.cu"};
    if (i >= SMALL)
        src = (qn_source){.text = files[i - SMALL]->source, .path = files[i - SMALL]->file};
    bench_check(qn_compile(&image, &src, target, NULL, NULL), "compile");
    return image;
}

/* -- the two children -- */

static void report(double *us)
{
    double of_files = 0;
    for (int i = SMALL; i < loads; i++)
        of_files += us[i];
    const double first = us[0];
    printf("%.3f %.3f %.3f\n", first, bench_median(us + 1, SMALL - 1), of_files);
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
    double us[LOADS_MAX];
    warm_up();
    for (int i = 0; i < loads; i++) {
        const double start = bench_now_us();
        qn_image *image = compile(target, i);
        us[i] = bench_now_us() - start;
        qn_image_release(image);
    }
    qn_cache_counters c;
    qn_cache_get_counters(&c);
    bench_must(c.disk_hits == (uint64_t)loads && c.compiles == 0,
               "not every kernel was in the folder");
    report(us);
}

static void child_raw(const char *folder)
{
    double us[LOADS_MAX];
    warm_up();
    for (int i = 0; i < loads; i++) {
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

struct series {
    double first[ROUNDS], further[ROUNDS], files[ROUNDS];
};

static void measure(struct series *s, int i, char *const *argv)
{
    double us[3];
    bench_child(us, 3, argv);
    s->first[i] = us[0];
    s->further[i] = us[1];
    s->files[i] = us[2];
}

int main(int argc, char **argv)
{
    loads = SMALL + bench_files(files);
    if (argc == 3 && strcmp(argv[1], "--ours") == 0)
        return child_ours(argv[2]), 0;
    if (argc == 3 && strcmp(argv[1], "--raw") == 0)
        return child_raw(argv[2]), 0;
    char target[100], folder[] = "/tmp/quern-bench-XXXXXX", cache[80], command[120];
    snprintf(target, sizeof target, "%s", argc > 1 ? argv[1] : "cuda:sm_90");
    bench_must(mkdtemp(folder) != NULL, "mkdtemp");
    snprintf(cache, sizeof cache, "%s/cache", folder);
    setenv("QUERN_CACHE_DIR", cache, 1);
    size_t small_bytes = 0, file_bytes = 0;
    for (int i = 0; i < loads; i++) {
        char path[80];
        qn_image *image = compile(target, i);
        const qn_image_info *info = qn_image_get_info(image);
        snprintf(path, sizeof path, "%s/%d", folder, i);
        FILE *f = fopen(path, "wb");
        bench_must(f && fwrite(info->bytes, 1, info->size_bytes, f) == info->size_bytes &&
                       !fclose(f),
                   path);
        if (i < SMALL)
            small_bytes = info->size_bytes;
        else
            file_bytes += info->size_bytes;
        qn_image_release(image);
    }
    char *ours[] = {argv[0], "--ours", target, NULL}, *raw[] = {argv[0], "--raw", folder, NULL};
    static struct series ours_us, raw_us;
    for (int i = 0; i < ROUNDS; i++) {
        measure(&ours_us, i, ours);
        measure(&raw_us, i, raw);
    }
    char label[40];
    printf(
        "warm hit of %s, small images of %zu bytes, %d files of built-in kernels with %zu bytes; "
        "%d rounds, each a fresh process\n",
        target, small_bytes, loads - SMALL, file_bytes, ROUNDS);
    bench_print("first hit of a process", "us", ours_us.first, raw_us.first, ROUNDS);
    bench_print("each further kernel", "us", ours_us.further, raw_us.further, ROUNDS);
    snprintf(label, sizeof label, "%d built-in files", loads - SMALL);
    bench_print(label, "us", ours_us.files, raw_us.files, ROUNDS);
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command) != 0;
}
