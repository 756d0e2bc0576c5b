/* SPDX-License-Identifier: Apache-2.0
 *
 * What it costs to get a kernel onto the device, cold and warm, beside the raw sequence.
 *
 *     bench/module_load [DEVICE]        default: the preferred device
 *
 * Each measurement is a fresh process (this program again, with a mode), so nothing is warm but
 * what the mode says, and the raw process makes no call of Quern:
 *
 * - cold: our cache and the driver's own (POCL_CACHE_DIR, CUDA_CACHE_PATH) are empty. Quern
 * compiles and loads; raw is NVRTC + load on CUDA, the driver's build of our translated text on
 * OpenCL.
 * - warm: both are filled by earlier runs. Raw reads the finished binary from a file and hands it
 * to the driver.
 *
 * "build" is the time of the load call (qn_module_build, or read file + driver load) with the
 * kernel found, "launch" that of the first launch and its sync, "process" the whole child as the
 * parent sees it. "further build" (CUDA, warm) is the median over more kernels in the same process,
 * each with an image of its own; "built-in files" (CUDA, warm) the sum over the files of the
 * built-in kernels, loaded one after the other in that process, of which one kernel each is looked
 * up: what a program of that size pays.
 */
#define _GNU_SOURCE
#include "bench/child.h"
#include "bench/raw.h"

#include <unistd.h>

enum { ROUNDS = 15, FURTHER = 16 };

static const qn_op_info *files[BENCH_FILES_MAX];
static int n_files;

static const char *file_of(const char *path, int i)
{
    static char name[600];
    snprintf(name, sizeof name, i ? "%s-%d" : "%s", path, i);
    return name;
}

static void launch_ours(qn_stream *stream, const qn_kernel *kernel, qn_addr y, qn_addr x)
{
    int n = 64;
    void *args[] = {&y, &x, &n};
    const qn_dims dims = {.grid = {1, 1, 1}, .block = {64, 1, 1}};
    bench_check(qn_stream_launch(stream, kernel, &dims, args), "launch");
    bench_check(qn_stream_sync(stream), "sync");
}

/* The small kernels, then the files. */
static const char *source_of(qn_source *src, int i)
{
    const qn_op_info *file = i > FURTHER ? files[i - FURTHER - 1] : NULL;
    *src = file ? (qn_source){.text = file->source, .path = file->file}
                : (qn_source){.text = bench_source(i + 1), .path = "add.cu"};
    return file ? file->kernel : "add";
}

static double build_ours(qn_module **module, const qn_kernel **kernel, qn_device *device, int i)
{
    qn_source src;
    const char *name = source_of(&src, i);
    const double start = bench_now_us();
    bench_check(qn_module_build(module, device, &src, NULL, NULL), "build");
    bench_check(qn_kernel_find(kernel, *module, name), "find");
    return bench_now_us() - start;
}

/* The median of the further small kernels, and the sum of the files, in milliseconds. */
static void print_more(double *us)
{
    double sum = 0;
    for (int i = 0; i < n_files; i++)
        sum += us[FURTHER + i];
    printf(" %.3f %.3f\n", bench_median(us, FURTHER) / 1e3, sum / 1e3);
}

enum { MORE_MAX = FURTHER + BENCH_FILES_MAX };

/* mode: cold and one kernel; fill the cache with all; warm and all. */
static void child_quern(const char *id, const char *mode)
{
    const bool go_on = mode[0] != 'c';
    qn_device *device;
    qn_module *module, *more[MORE_MAX];
    qn_stream *stream;
    const qn_kernel *kernel;
    qn_addr y, x;
    double us[MORE_MAX] = {0};
    const int n = go_on ? FURTHER + n_files : 0;
    bench_check(qn_device_open(&device, id), "open");
    bench_check(qn_stream_create(&stream, device, NULL), "stream");
    bench_check(qn_memory_alloc(&y, device, 256), "alloc");
    bench_check(qn_memory_alloc(&x, device, 256), "alloc");
    const double build = build_ours(&module, &kernel, device, 0);
    const double built = bench_now_us();
    launch_ours(stream, kernel, y, x);
    const double launch = bench_now_us() - built;
    for (int i = 0; i < n; i++)
        us[i] = build_ours(&more[i], &kernel, device, i + 1);
    qn_cache_counters c;
    qn_cache_get_counters(&c);
    raw_must(mode[0] == 'w' && c.compiles != 0, "a warm process compiled");
    printf("%.3f %.3f", build / 1e3, launch / 1e3);
    print_more(us);
    for (int i = 0; i < n; i++)
        qn_module_close(more[i]);
    qn_stream_destroy(stream);
    qn_module_close(module);
    qn_device_close(device);
}

/* Saves the driver's binary beside the text after one launch, for raw-warm. */
static void save_binary(struct raw *r, const char *path)
{
    size_t n = 0;
    raw_must(r->cl.program_info(r->program, RAW_PROGRAM_BINARY_SIZES, sizeof n, &n, NULL), "size");
    unsigned char *bytes = malloc(n);
    raw_must(bytes == NULL, "memory");
    raw_must(r->cl.program_info(r->program, RAW_PROGRAM_BINARIES, sizeof bytes, &bytes, NULL),
             "binary");
    FILE *f = fopen(path, "wb");
    raw_must(f == NULL || fwrite(bytes, 1, n, f) != n || fclose(f) != 0, path);
    free(bytes);
}

static void read_whole(char **bytes, size_t *n, const char *path)
{
    FILE *f = fopen(path, "rb");
    raw_must(f == NULL, path);
    fseek(f, 0, SEEK_END);
    *n = (size_t)ftell(f);
    rewind(f);
    *bytes = calloc(1, *n + 1);
    raw_must(*bytes == NULL || fread(*bytes, 1, *n, f) != *n, path);
    fclose(f);
}

/* As many more as ours loads, each from its file. */
static void further_raw(double *us, struct raw *r, const char *path)
{
    for (int i = 0; i < FURTHER + n_files; i++) {
        qn_source src;
        const char *kernel = source_of(&src, i + 1);
        char *bytes;
        size_t n;
        const char *name = file_of(path, i + 1);
        const double start = bench_now_us();
        read_whole(&bytes, &n, name);
        raw_load(r, bytes, n, true, "", kernel);
        us[i] = bench_now_us() - start;
        free(bytes);
    }
}

/* path: image or text to load; or, ending in ".so...", NVRTC's library: then compile first. */
static void child_raw(const qn_device_info *info, const char *path, bool is_binary,
                      const char *save)
{
    struct raw r;
    raw_open(&r, info);
    const uint64_t y = raw_alloc(&r, 256), x = raw_alloc(&r, 256);
    const double start = bench_now_us();
    char *bytes;
    size_t n;
    if (strstr(path, ".so"))
        raw_compile_cuda(&bytes, &n, path, bench_source(1), info->arch);
    else
        read_whole(&bytes, &n, path);
    raw_load(&r, bytes, n, is_binary, "", "add");
    const double built = bench_now_us();
    raw_launch(&r, y, x, 64);
    raw_sync(&r);
    const double done = bench_now_us();
    double us[MORE_MAX] = {0};
    if (r.is_cuda && is_binary)
        further_raw(us, &r, path);
    printf("%.3f %.3f", (built - start) / 1e3, (done - built) / 1e3);
    print_more(us);
    if (save && !r.is_cuda)
        save_binary(&r, save);
    free(bytes);
}

struct series {
    double build[ROUNDS], launch[ROUNDS], further[ROUNDS], files[ROUNDS], process[ROUNDS];
};

/* Run this program as argv says, for round i: its line has milliseconds, the whole process is by
 * the clock. */
static void measure(struct series *s, int i, char *const *argv)
{
    double ms[4];
    s->process[i] = bench_child(ms, 4, argv) / 1e3;
    s->build[i] = ms[0];
    s->launch[i] = ms[1];
    s->further[i] = ms[2];
    s->files[i] = ms[3];
}

static void empty_folder(const char *path)
{
    char command[600];
    snprintf(command, sizeof command, "rm -rf '%s' && mkdir -p '%s'", path, path);
    raw_must(system(command), command);
}

static void report(const char *name, struct series *ours, struct series *raw)
{
    char line[64];
    snprintf(line, sizeof line, "%s: build", name);
    bench_print(line, "ms", ours->build, raw->build, ROUNDS);
    snprintf(line, sizeof line, "%s: first launch", name);
    bench_print(line, "ms", ours->launch, raw->launch, ROUNDS);
    snprintf(line, sizeof line, "%s: further build", name);
    if (raw->further[0] > 0)
        bench_print(line, "ms", ours->further, raw->further, ROUNDS);
    snprintf(line, sizeof line, "%s: %d built-in files", name, n_files);
    if (raw->further[0] > 0)
        bench_print(line, "ms", ours->files, raw->files, ROUNDS);
    snprintf(line, sizeof line, "%s: process", name);
    bench_print(line, "ms", ours->process, raw->process, ROUNDS);
}

static void save_image(const char *path, int i, const char *target)
{
    qn_image *image;
    qn_source src;
    source_of(&src, i);
    bench_check(qn_compile(&image, &src, target, NULL, NULL), "compile");
    const qn_image_info *made = qn_image_get_info(image);
    FILE *f = fopen(path, "wb");
    raw_must(f == NULL || fwrite(made->bytes, 1, made->size_bytes, f) != made->size_bytes ||
                 fclose(f) != 0,
             path);
    qn_image_release(image);
}

/* -- the parent -- */

/* Where everything of this run lies, and the device by what its raw side needs to find it again. */
struct run {
    char folder[40], ours[60], driver[60], image[60], binary[60];
    char id[64], backend[16], name[256], arch[64];
    bool is_cuda;
};

static void open_folders(struct run *r)
{
    snprintf(r->folder, sizeof r->folder, "/tmp/quern-bench-XXXXXX");
    raw_must(mkdtemp(r->folder) == NULL, "mkdtemp");
    snprintf(r->ours, sizeof r->ours, "%s/quern", r->folder);
    snprintf(r->driver, sizeof r->driver, "%s/driver", r->folder);
    snprintf(r->image, sizeof r->image, "%s/image", r->folder);
    snprintf(r->binary, sizeof r->binary, "%s/binary", r->folder);
    setenv("QUERN_CACHE_DIR", r->ours, 1);
    setenv("POCL_CACHE_DIR", r->driver, 1);
    setenv("CUDA_CACHE_PATH", r->driver, 1);
    empty_folder(r->ours);
    empty_folder(r->driver);
}

/* Save the images that the raw side loads. */
/* Is there a raw sequence to compare with? A processor has no driver. */
static bool save_images(struct run *r, const char *id)
{
    qn_device *device;
    bench_check(qn_device_open(&device, id), "open");
    const qn_device_info *info = qn_device_get_info(device);
    snprintf(r->id, sizeof r->id, "%s", info->id);
    snprintf(r->backend, sizeof r->backend, "%s", info->backend);
    snprintf(r->name, sizeof r->name, "%s", info->name);
    snprintf(r->arch, sizeof r->arch, "%s", info->arch);
    r->is_cuda = strcmp(r->backend, "cuda") == 0;
    const bool has_raw = strcmp(r->backend, "cpu") != 0;
    printf("module load on %s (%s), %s; %d rounds, each a fresh process\n", r->id, info->name,
           info->driver, ROUNDS);
    fflush(stdout);
    for (int i = 0; has_raw && i <= (r->is_cuda ? FURTHER + n_files : 0); i++)
        save_image(file_of(r->image, i), i, info->target);
    qn_device_close(device);
    return has_raw;
}

static const char *nvrtc_library(void)
{
    const qn_compiler_info *compilers;
    uint32_t n;
    bench_check(qn_compilers(&compilers, &n), "compilers");
    for (uint32_t i = 0; i < n; i++)
        if (compilers[i].found && strcmp(compilers[i].name, "nvrtc") == 0)
            return compilers[i].where;
    return "no NVRTC";
}

static void measure_cold(const struct run *r, char *const *ours, char *const *raw)
{
    static struct series our_ms, raw_ms;
    for (int i = 0; i < ROUNDS; i++) {
        empty_folder(r->ours);
        empty_folder(r->driver);
        measure(&our_ms, i, ours);
        empty_folder(r->driver);
        measure(&raw_ms, i, raw);
    }
    report("cold", &our_ms, &raw_ms);
}

static void measure_warm(char *const *fill, char *const *ours, char *const *raw)
{
    static struct series our_ms, raw_ms;
    for (int i = 0; i < 2; i++) /* our cache holds the last cold one's kernel alone */
        measure(&our_ms, i, fill);
    for (int i = 0; i < ROUNDS; i++) {
        measure(&our_ms, i, ours);
        measure(&raw_ms, i, raw);
    }
    report("warm", &our_ms, &raw_ms);
}

static void measure_both(struct run *r, char *program)
{
    char nvrtc[512];
    snprintf(nvrtc, sizeof nvrtc, "%s", nvrtc_library());
    char *to_compile = r->is_cuda ? nvrtc : r->image, *to_load = r->is_cuda ? r->image : r->binary;
    char *cold[] = {program, "--quern", r->id, "cold", NULL};
    char *fill[] = {program, "--quern", r->id, r->is_cuda ? "fill" : "cold", NULL};
    char *warm[] = {program, "--quern", r->id, r->is_cuda ? "warm" : "cold", NULL};
    char *raw_cold[] = {program, "--raw",    r->id, r->backend, r->name,
                        r->arch, to_compile, "t",   r->binary,  NULL};
    char *raw_warm[] = {program, "--raw", r->id, r->backend, r->name,
                        r->arch, to_load, "b",   "",         NULL};
    measure_cold(r, cold, raw_cold);
    measure_warm(fill, warm, raw_warm);
}

int main(int argc, char **argv)
{
    n_files = bench_files(files);
    if (argc == 4 && strcmp(argv[1], "--quern") == 0)
        return child_quern(argv[2], argv[3]), 0;
    if (argc == 9 && strcmp(argv[1], "--raw") == 0) {
        const qn_device_info device = {
            .id = argv[2], .backend = argv[3], .name = argv[4], .arch = argv[5]};
        child_raw(&device, argv[6], argv[7][0] == 'b', argv[8][0] ? argv[8] : NULL);
        return 0;
    }
    struct run r;
    char command[80];
    open_folders(&r);
    if (save_images(&r, argc > 1 ? argv[1] : NULL))
        measure_both(&r, argv[0]);
    else
        printf("skip: %s has no driver whose own calls could be compared with: name a device\n",
               r.id);
    snprintf(command, sizeof command, "rm -rf '%s'", r.folder);
    return system(command) != 0;
}
