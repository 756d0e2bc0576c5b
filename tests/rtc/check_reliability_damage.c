/* SPDX-License-Identifier: Apache-2.0
 *
 * Damage of every kind of image: real entries, made by the real compilers and by an OpenCL driver.
 * Every truncation and every single changed byte must be noticed before anybody looks into the
 * payload, and a damaged file in the cache must be made anew, equal to what it was. QN_LONG=1: 200
 * entries of each kind. */
#define _GNU_SOURCE
#include "rtc/cache/cache_disk.h"
#include "rtc/cache/cache_memory.h"
#include "tests/rtc/cache_fixture.h"

#include <sys/mman.h>

static bool is_long;

static const struct {
    const char *name, *target, *compiler;
    qn_image_kind kind;
} kinds[] = {{"cubin", "cuda:sm_80", "nvrtc", QN_IMAGE_CUBIN},
             {"PTX", "cuda:compute_80", "nvrtc", QN_IMAGE_PTX},
             {"code object", "hip:gfx90a", "hiprtc", QN_IMAGE_HSACO},
             {"OpenCL C", "opencl:portable", "translator", QN_IMAGE_OPENCL_C}};
enum { N_KINDS = sizeof kinds / sizeof kinds[0], ENTRIES_MAX = 200 };

static const qn_source *numbered_source(int number)
{
    static char define[32];
    static const char *const defines[] = {define};
    static const qn_source src = {.text =
                                      "extern \"C\" __global__ void k(float *p, int n)\n{\n"
                                      "    const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                                      "    if (i < n)\n        p[i] = p[i] * N + i;\n}\n",
                                  .path = "k.cu",
                                  .defines = defines,
                                  .n_defines = 1};
    snprintf(define, sizeof define, "N=%d", 1000 + number);
    return &src;
}

static const char *file_of(const char *key_hex)
{
    char name[200];
    snprintf(name, sizeof name, "cache/images/%.2s/%s", key_hex, key_hex);
    return in_scratch(name);
}

/* Returns how many damaged versions of the entry were tried. */
static uint64_t try_every_damage(const char *path, unsigned *seed)
{
    char *bytes;
    size_t n;
    qn_image *image;
    uint64_t tried = 0;
    must(qn__file_read(&bytes, &n, path, 1 << 26));
    must(qn__entry_decode(&image, NULL, NULL, bytes, n));
    qn_image_release(image);
    for (size_t k = 0; k < n; k++, tried++) {
        const qn_status s = qn__entry_decode(&image, NULL, NULL, bytes, k);
        ck_assert_msg(s == QN_E_CORRUPT, "%s: %zu of %zu bytes: %s", path, k, n, qn_status_name(s));
    }
    for (size_t k = 0; k < n; k++, tried++) {
        const char was = bytes[k];
        bytes[k] = (char)(was ^ (1 + rand_r(seed) % 255));
        const qn_status s = qn__entry_decode(&image, NULL, NULL, bytes, n);
        ck_assert_msg(s != QN_OK, "%s: byte %zu of %zu", path, k, n);
        bytes[k] = was;
    }
    free(bytes);
    return tried;
}

static void damage_file(const char *path, bool cut, unsigned *seed)
{
    struct stat st;
    ck_assert_int_eq(stat(path, &st), 0);
    const off_t at = rand_r(seed) % st.st_size;
    if (cut) {
        ck_assert_int_eq(truncate(path, at), 0);
        return;
    }
    const int fd = open(path, O_RDWR);
    char byte;
    ck_assert_int_eq(pread(fd, &byte, 1, at), 1);
    byte = (char)(byte ^ (1 + rand_r(seed) % 255));
    ck_assert_int_eq(pwrite(fd, &byte, 1, at), 1);
    close(fd);
}

static qn_image *compile(char key_hex[65], int number, qn_origin origin)
{
    const qn_compile_options options = {.compiler = kinds[number / ENTRIES_MAX].compiler};
    qn_image *image;
    qn_log log;
    must(qn_compile(&image, numbered_source(number), kinds[number / ENTRIES_MAX].target, &options,
                    &log));
    ck_assert_int_eq(log.origin, origin);
    memcpy(key_hex, log.key, 65);
    qn_log_release(&log);
    return image;
}

START_TEST(every_truncation_and_every_changed_byte_is_noticed_and_made_good)
{
    const int entries = is_long ? ENTRIES_MAX : 2;
    unsigned seed = 1;
    uint64_t tried = 0, rebuilt = 0;
    for (int i = 0; i < entries; i++) {
        char k[65];
        const int number = _i * ENTRIES_MAX + i;
        qn_image *good = compile(k, number, QN_ORIGIN_COMPILED);
        const qn_image_info *want = qn_image_get_info(good);
        ck_assert_int_eq(want->kind, kinds[_i].kind);
        tried += try_every_damage(file_of(k), &seed);
        for (int cut = 0; cut < 2; cut++, rebuilt++) {
            damage_file(file_of(k), cut, &seed);
            qn__memory_put(k, NULL); /* as a new process */
            qn_image *again = compile(k, number, QN_ORIGIN_COMPILED);
            const qn_image_info *got = qn_image_get_info(again);
            ck_assert_uint_eq(got->size_bytes, want->size_bytes);
            ck_assert_mem_eq(got->bytes, want->bytes, want->size_bytes);
            ck_assert_uint_eq(quarantined(), rebuilt + 1);
            qn_image_release(again);
            qn__memory_put(k, NULL);
            qn_image_release(compile(k, number, QN_ORIGIN_DISK_CACHE));
        }
        qn_image_release(good);
    }
    printf("damage, %s: %d entries, %llu damaged versions all noticed, %llu of them made good "
           "through the cache\n",
           kinds[_i].name, entries, (unsigned long long)tried, (unsigned long long)rebuilt);
    fflush(stdout);
}
END_TEST

/* -- a driver's binaries -- */

static struct device_run {
    char key[65], message[512];
    qn_status status;
    bool right;
    qn_cache_counters counters;
} *device_run;

static qn_status run(qn_device *dev, qn_module *mod, int factor)
{
    float values[64];
    int n = 64;
    const qn_kernel *kernel;
    qn_stream *stream;
    qn_addr p;
    const qn_dims dims = {.grid = {1}, .block = {64}};
    void *const args[] = {&p, &n};
    for (int i = 0; i < n; i++)
        values[i] = 2;
    QN_TRY(qn_kernel_find(&kernel, mod, "k"));
    QN_TRY(qn_stream_create(&stream, dev, NULL));
    QN_TRY(qn_memory_alloc(&p, dev, sizeof values));
    QN_TRY(qn_memory_upload(dev, p, values, sizeof values, stream));
    QN_TRY(qn_stream_launch(stream, kernel, &dims, args));
    QN_TRY(qn_memory_download(dev, values, p, sizeof values, stream));
    QN_TRY(qn_stream_sync(stream));
    device_run->right = true;
    for (int i = 0; i < n; i++)
        device_run->right = device_run->right && values[i] == (float)(2 * factor + i);
    QN_TRY(qn_memory_free(dev, p));
    qn_stream_destroy(stream);
    return QN_OK;
}

static qn_status build_and_run(int number)
{
    qn_device *dev;
    qn_module *mod;
    qn_log log;
    QN_TRY(qn_device_open(&dev, "opencl"));
    const qn_status s = qn_module_build(&mod, dev, numbered_source(number), NULL, &log);
    snprintf(device_run->key, sizeof device_run->key, "%s", log.key ? log.key : "");
    qn_log_release(&log);
    QN_TRY(s);
    QN_TRY(run(dev, mod, 1000 + number));
    qn_module_close(mod);
    qn_device_close(dev);
    return QN_OK;
}

/* In a process of its own, as a driver that crashes would take it down. */
static void build_and_run_in_process(int number)
{
    int status = 1;
    memset(device_run, 0, sizeof *device_run);
    const pid_t pid = fork();
    if (pid == 0) {
        device_run->status = build_and_run(number);
        if (device_run->status != QN_OK)
            snprintf(device_run->message, sizeof device_run->message, "%s", qn_message());
        qn_cache_get_counters(&device_run->counters);
        _exit(0);
    }
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    ck_assert_msg(status == 0, "the process ended with %d", status);
    ck_assert_msg(device_run->status == QN_OK, "%s", device_run->message);
    ck_assert(device_run->right);
}

START_TEST(a_damaged_driver_binary_never_reaches_the_driver)
{
    const int entries = is_long ? ENTRIES_MAX : 1;
    unsigned seed = 2;
    uint64_t tried = 0;
    for (int i = 0; i < entries; i++) {
        build_and_run_in_process(i); /* saves it */
        build_and_run_in_process(i); /* loads it, and so tells its key */
        ck_assert_uint_eq(device_run->counters.compiles, 0);
        char path[4096];
        snprintf(path, sizeof path, "%s", file_of(device_run->key));
        tried += try_every_damage(path, &seed);
        damage_file(path, i % 2, &seed);
        build_and_run_in_process(i);
        ck_assert_uint_eq(device_run->counters.quarantined, 1);
        ck_assert_uint_eq(device_run->counters.compiles, 0); /* the text was still there */
        build_and_run_in_process(i);
        ck_assert_uint_eq(device_run->counters.quarantined, 0); /* stored anew */
        ck_assert_uint_eq(device_run->counters.disk_hits, 1);
    }
    printf("damage, driver binary: %d entries, %llu damaged versions all noticed, %d of them made "
           "good through the cache\n",
           entries, (unsigned long long)tried, entries);
    fflush(stdout);
}
END_TEST

/* pocl#1480: processes that build different kernels at once crash in the driver's own cache. */
START_TEST(processes_that_build_for_a_driver_side_by_side_are_all_right)
{
    enum { PROCESSES = 8 };
    const int kernels = is_long ? 10 : 1;
    pid_t pids[PROCESSES];
    for (int i = 0; i < PROCESSES; i++) {
        pids[i] = fork();
        if (pids[i] != 0)
            continue;
        device_run = &(struct device_run){.status = QN_OK};
        for (int k = 0; k < kernels; k++)
            if (build_and_run(500 + i * kernels + k) != QN_OK || !device_run->right)
                _exit(7);
        _exit(0);
    }
    for (int i = 0; i < PROCESSES; i++) {
        int status = 1;
        ck_assert_int_eq(waitpid(pids[i], &status, 0), pids[i]);
        ck_assert_msg(status == 0, "process %d ended with %d", i, status);
    }
    ck_assert_uint_eq(quarantined(), 0);
}
END_TEST

static bool have_opencl(void)
{
    int status = 1;
    fflush(stdout);
    const pid_t pid = fork();
    if (pid == 0) {
        qn_device *dev;
        const qn_status s = qn_device_open(&dev, "opencl");
        if (s != QN_OK)
            printf("skip: damaged binaries of an OpenCL driver: %s\n", qn_message());
        fflush(stdout);
        _exit(s != QN_OK);
    }
    waitpid(pid, &status, 0);
    return status == 0;
}

int main(void)
{
    Suite *s = suite_create("reliability_damage");
    TCase *t = tcase_create("images"), *d = tcase_create("driver"); /* CK_RUN_CASE picks one */
    bool failed = false;
    is_long = getenv("QN_LONG") != NULL;
    qn__hash_expect_much();
    device_run =
        mmap(NULL, sizeof *device_run, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    tcase_add_checked_fixture(t, open_quiet, scratch_close);
    tcase_set_timeout(t, 3600);
    tcase_add_checked_fixture(d, open_quiet, scratch_close);
    tcase_set_timeout(d, 7200);
    for (int i = 0; i < N_KINDS; i++)
        if (have_compiler(kinds[i].compiler, &failed))
            tcase_add_loop_test(t, every_truncation_and_every_changed_byte_is_noticed_and_made_good,
                                i, i + 1);
    if (have_compiler("translator", &failed) && have_opencl()) {
        tcase_add_test(d, a_damaged_driver_binary_never_reaches_the_driver);
        tcase_add_test(d, processes_that_build_for_a_driver_side_by_side_are_all_right);
    }
    suite_add_tcase(s, t);
    suite_add_tcase(s, d);
    return run_suite(s) || failed;
}
