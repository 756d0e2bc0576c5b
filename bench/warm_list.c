/* SPDX-License-Identifier: Apache-2.0
 *
 * What a program pays at its start for a thousand kernels that lie in a bundle.
 *
 *     bench/warm_list [KERNELS]        default 1000
 *
 * No device and no compiler: the bundle is made here, of OpenCL C texts and of binaries in the
 * sizes that kernels have. The lists are made by qn_compile(), one after the other, in a process
 * each (this program again); beside it the raw sequence, which opens one file per kernel and reads
 * it. Both are measured in processor time. The budget is 50 ms for 1,000.
 */
#define _GNU_SOURCE
#include "bench/bench.h"
#include "rtc/cache/bundle_file.h"
#include "rtc/lookup.h"

#include <errno.h>
#include <spawn.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { ROUNDS = 9, SMALL_BYTES = 2000, LARGE_BYTES = 12000 };

static const struct {
    const char *name, *target;
    qn_image_kind kind;
    size_t bytes;
} series[] = {
    {"OpenCL C, 2 KB", "opencl:portable", QN_IMAGE_OPENCL_C, SMALL_BYTES},
    {"cubin, 12 KB", "cuda:sm_90", QN_IMAGE_CUBIN, LARGE_BYTES},
};
enum { N_SERIES = sizeof series / sizeof series[0] };

/* Kernel i's source: long enough to be one, different from the others. */
static void make_source(char *text, size_t capacity, uint32_t i)
{
    snprintf(text, capacity,
             "// kernel %u of a list\n"
             "extern \"C\" __global__ void axpy_%u(float *y, const float *x, float a, int n)\n"
             "{\n"
             "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
             "    for (; i < n; i += gridDim.x * blockDim.x)\n"
             "        y[i] = a * x[i] + y[i] * %u.0f;\n"
             "}\n",
             i, i, i);
}

/* Bytes that compress about as code does: half of them repeat. */
static void make_payload(char *out, size_t n, uint32_t seed)
{
    uint32_t x = seed * 2654435761u + 1;
    for (size_t i = 0; i < n; i++) {
        x = x * 1664525u + 1013904223u;
        out[i] = i % 16 < 8 ? (char)("__global float"[i % 8]) : (char)(x >> 24);
        if (!out[i])
            out[i] = ' ';
    }
}

static void make_files(const char *folder, const char *bundle, size_t s, uint32_t n)
{
    qn_bundle_writer *w;
    char source[600], path[600];
    char *payload = malloc(series[s].bytes);
    bench_check(qn_bundle_writer_create(&w), "writer");
    for (uint32_t i = 0; i < n; i++) {
        struct qn__request r;
        struct qn__str fields = {0};
        qn_image *image;
        make_source(source, sizeof source, i);
        const qn_source src = {.text = source, .path = "list.cu"};
        bench_check(qn__request_open(&r, &src, series[s].target, NULL), "request");
        const struct qn__key_compiler compiler = {&r.closure, "bench", "bench 1", NULL};
        bench_check(qn__key_finish(&r.key, &r.fields, &compiler), "key");
        qn__key_print(&fields, &r.fields);
        make_payload(payload, series[s].bytes, i);
        bench_check(qn__image_create(&image, series[s].target, "bench 1", series[s].kind, payload,
                                     series[s].bytes, NULL, 0),
                    "image");
        bench_check(
            qn__image_note(image, &(struct qn__image_notes){r.key.hex, r.key.request_hex,
                                                            r.key.source_hex, fields.text, ""}),
            "notes");
        bench_check(qn_bundle_writer_add_image(w, image), "add");
        snprintf(path, sizeof path, "%s/%u", folder, i);
        bench_check(qn_image_save(image, path), path);
        qn_image_release(image);
        qn__str_release(&fields);
        qn__request_release(&r);
    }
    bench_check(qn_bundle_writer_write(w, bundle, NULL), bundle);
    qn_bundle_writer_destroy(w);
    free(payload);
}

/* -- the two children: their processor time for the whole list in ms -- */

static double used_us(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec * 1e-3;
}

static void child_ours(size_t s, uint32_t n)
{
    char source[600];
    const double start = used_us();
    for (uint32_t i = 0; i < n; i++) {
        qn_image *image;
        make_source(source, sizeof source, i);
        const qn_source src = {.text = source, .path = "list.cu"};
        bench_check(qn_compile(&image, &src, series[s].target, NULL, NULL), "compile");
        qn_image_release(image);
    }
    const double end = used_us();
    qn_cache_counters c;
    qn_cache_get_counters(&c);
    if (c.bundle_hits != n) {
        fprintf(stderr, "%u kernels, %llu from the bundle\n", n, (unsigned long long)c.bundle_hits);
        exit(1);
    }
    printf("%.4f\n", (end - start) / 1e3);
}

static void child_raw(const char *folder, uint32_t n)
{
    char path[600];
    const double start = used_us();
    for (uint32_t i = 0; i < n; i++) {
        struct stat st;
        snprintf(path, sizeof path, "%s/%u", folder, i);
        FILE *f = fopen(path, "rb");
        if (!f || fstat(fileno(f), &st) != 0)
            exit(1);
        char *bytes = malloc((size_t)st.st_size);
        if (!bytes || fread(bytes, 1, (size_t)st.st_size, f) != (size_t)st.st_size)
            exit(1);
        free(bytes);
        fclose(f);
    }
    printf("%.4f\n", (used_us() - start) / 1e3);
}

static double measure(char *const *argv)
{
    int fds[2], status = 1;
    double ms = 0;
    pid_t pid;
    posix_spawn_file_actions_t actions;
    if (pipe(fds) != 0)
        exit(1);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, fds[1], 1);
    posix_spawn_file_actions_addclose(&actions, fds[0]);
    if (posix_spawn(&pid, "/proc/self/exe", &actions, NULL, argv, environ) != 0)
        exit(1);
    posix_spawn_file_actions_destroy(&actions);
    close(fds[1]);
    FILE *f = fdopen(fds[0], "r");
    const bool read = f && fscanf(f, "%lf", &ms) == 1;
    if (f)
        fclose(f);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    if (!read || status != 0)
        exit(1);
    return ms;
}

int main(int argc, char **argv)
{
    if (argc == 4 && strcmp(argv[1], "--ours") == 0) {
        child_ours(strtoul(argv[2], NULL, 10), (uint32_t)strtoul(argv[3], NULL, 10));
        return 0;
    }
    if (argc == 4 && strcmp(argv[1], "--raw") == 0) {
        child_raw(argv[2], (uint32_t)strtoul(argv[3], NULL, 10));
        return 0;
    }
    char folder[] = "/tmp/quern-warm-list-XXXXXX", command[200], count[16];
    const unsigned long n = argc > 1 ? strtoul(argv[1], NULL, 10) : 1000;
    if (!mkdtemp(folder) || n < 1 || n > 100000)
        return 2;
    snprintf(count, sizeof count, "%lu", n);
    setenv("QUERN_CACHE_MODE", "must-hit", 1);
    for (size_t s = 0; s < N_SERIES; s++) {
        double ours[ROUNDS], raw[ROUNDS];
        char bundle[300], files[300], which[16], name[64];
        snprintf(bundle, sizeof bundle, "%s/%zu.qnb", folder, s);
        snprintf(files, sizeof files, "%s/%zu", folder, s);
        snprintf(which, sizeof which, "%zu", s);
        mkdir(files, 0700);
        make_files(files, bundle, s, (uint32_t)n);
        setenv("QUERN_BUNDLE", bundle, 1);
        char ours_word[] = "--ours", raw_word[] = "--raw";
        char *const ours_argv[] = {argv[0], ours_word, which, count, NULL};
        char *const raw_argv[] = {argv[0], raw_word, files, count, NULL};
        for (int i = 0; i < ROUNDS; i++) {
            ours[i] = measure(ours_argv);
            raw[i] = measure(raw_argv);
        }
        snprintf(name, sizeof name, "%lu warm, %s", n, series[s].name);
        bench_print(name, "ms", ours, raw, ROUNDS);
    }
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command) != 0;
}
