/* SPDX-License-Identifier: Apache-2.0
 *
 * qn_module_build() and qn_device_probe() on the preferred device: cold, warm, with damaged and
 * refused cache entries. Each test, and each "process" in it, is a child that opens the device
 * itself: this program never does.
 *
 * covers: rtc/build rtc/probe */
#define _GNU_SOURCE
#include "rtc/cache/cache_disk.h"
#include "rtc/key/key.h"
#include "rtc/key/request.h"
#include "runtime/backend.h"
#include "tests/rtc_fixture.h"

#include <sys/mman.h>

static const char text[] = "__constant__ float scale[2];\n"
                           "template <class T> __global__ void twice(T *p, unsigned n)\n"
                           "{\n"
                           "    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                           "    if (i < n)\n"
                           "        p[i] = 2 * p[i] + i;\n"
                           "}\n";
static const char *const names[] = {"twice<float>"};
static const qn_source source = {.text = text, .path = "twice.cu", .names = names, .n_names = 1};
static uint32_t block = 64;

/* What a child process found out, in memory it shares with the test. */
struct outcome {
    qn_cache_counters counters;
    qn_origin origin;
    char key[65], message[256], backend[16], text_key[65], fingerprint[65];
    bool right;
};
static struct outcome *outcome;

static void note(qn_status s)
{
    if (s != QN_OK)
        snprintf(outcome->message, sizeof outcome->message, "%s: %s", qn_status_name(s),
                 qn_message());
}

static qn_status run_twice(qn_device *dev, qn_module *mod)
{
    enum { N = 100 };
    float values[N];
    uint32_t n = N;
    const qn_kernel *k;
    qn_stream *stream;
    qn_addr p;
    const qn_dims dims = {.grid = {(N + block - 1) / block}, .block = {block}};
    void *const args[] = {&p, &n};
    for (int i = 0; i < N; i++)
        values[i] = (float)i;
    QN_TRY(qn_kernel_find(&k, mod, "twice<float>"));
    QN_TRY(qn_stream_create(&stream, dev, NULL));
    QN_TRY(qn_memory_alloc(&p, dev, sizeof values));
    QN_TRY(qn_memory_upload(dev, p, values, sizeof values, stream));
    QN_TRY(qn_stream_launch(stream, k, &dims, args));
    QN_TRY(qn_memory_download(dev, values, p, sizeof values, stream));
    QN_TRY(qn_stream_sync(stream));
    outcome->right = true;
    for (int i = 0; i < N; i++)
        outcome->right = outcome->right && values[i] == (float)(3 * i);
    QN_TRY(qn_memory_free(dev, p));
    qn_stream_destroy(stream);
    return QN_OK;
}

static void build_and_run(void)
{
    qn_device *dev;
    qn_module *mod;
    qn_log log;
    qn_status s = qn_device_open(&dev, NULL);
    if (s == QN_OK) {
        struct qn__request r;
        snprintf(outcome->backend, sizeof outcome->backend, "%s", dev->info.backend);
        qn__device_fingerprint(outcome->fingerprint, dev);
        s = qn_module_build(&mod, dev, &source, NULL, &log);
        if (s == QN_OK) {
            outcome->origin = log.origin;
            snprintf(outcome->key, sizeof outcome->key, "%s", log.key);
            s = run_twice(dev, mod);
            qn_module_close(mod);
        }
        qn_log_release(&log);
        if (s == QN_OK && qn__request_open(&r, &source, dev->info.target, NULL) == QN_OK &&
            qn__request_compiler(&r) == QN_OK) {
            snprintf(outcome->text_key, sizeof outcome->text_key, "%s", r.key.hex);
            qn__request_release(&r);
        }
        qn_device_close(dev);
    }
    note(s);
    qn_cache_get_counters(&outcome->counters);
}

static void in_process(void (*run)(void))
{
    int status = 1;
    memset(outcome, 0, sizeof *outcome);
    const pid_t pid = fork();
    if (pid == 0) {
        run();
        _exit(0);
    }
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    ck_assert_msg(status == 0, "the process ended with %d: %s", status, outcome->message);
    ck_assert_str_eq(outcome->message, "");
}

static bool is_opencl(void)
{
    return strcmp(outcome->backend, "opencl") == 0;
}

/* The entry the next process will load: the driver's binary on OpenCL, else the image. */
static const char *entry_path(void)
{
    char name[200];
    struct qn__key key = {0}, binary;
    snprintf(key.hex, sizeof key.hex, "%s", outcome->text_key);
    must(qn__key_binary(&binary, &key, outcome->fingerprint));
    const char *hex = is_opencl() ? binary.hex : outcome->key;
    snprintf(name, sizeof name, "cache/images/%.2s/%s", hex, hex);
    return in_scratch(name);
}

START_TEST(a_second_process_starts_no_helper_and_compiles_nothing)
{
    in_process(build_and_run);
    ck_assert(outcome->right);
    ck_assert_int_eq(outcome->origin, QN_ORIGIN_COMPILED);
    ck_assert_uint_eq(outcome->counters.compiles, 1);
    for (int i = 0; i < 2; i++) {
        in_process(build_and_run);
        ck_assert(outcome->right);
        ck_assert_int_eq(outcome->origin, QN_ORIGIN_DISK_CACHE);
        ck_assert_uint_eq(outcome->counters.compiles, 0);
        ck_assert_uint_eq(outcome->counters.misses, 0);
        ck_assert_uint_eq(outcome->counters.helpers_started, 0);
    }
}
END_TEST

static void read_shapes(void)
{
    /* outcome is the process's before this one: see below */
    char target[80];
    qn_image *image;
    const char *path = entry_path();
    snprintf(target, sizeof target, "opencl:%s", outcome->fingerprint);
    const qn_status s = qn__disk_find(&image, NULL, NULL, strrchr(path, '/') + 1, target);
    note(s);
    if (s == QN_OK) {
        snprintf(outcome->message, sizeof outcome->message, "%s", image->notes.shapes);
        qn_image_release(image);
    }
}

START_TEST(a_drivers_binary_is_saved_again_for_each_new_block_shape)
{
    static const uint32_t blocks[] = {64, 32, 64};
    struct outcome kept = {0};
    for (int i = 0; i < 3; i++) {
        block = blocks[i];
        in_process(build_and_run);
        ck_assert(outcome->right);
        kept = *outcome;
    }
    if (!is_opencl())
        return; /* other drivers' images do not depend on the shape */
    int status;
    const pid_t pid = fork();
    if (pid == 0) {
        *outcome = kept;
        read_shapes();
        _exit(0);
    }
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    says(outcome->message, " 32 1 1\n");
    says(outcome->message, " 64 1 1\n");
}
END_TEST

/* How many kernels PoCL made only to give a binary: it builds them for no block shape in
 * particular, in folders of this name. */
static int pocl_binaries(const char *folder)
{
    struct qn__str command = {0};
    int n = -1;
    setenv("POCL_CACHE_DIR", in_scratch(folder), 1);
    in_process(build_and_run);
    ck_assert(outcome->right);
    qn__str_printf(&command, "find '%s' -name 0-0-0 | wc -l", in_scratch(folder));
    FILE *f = popen(command.text, "r");
    ck_assert(f != NULL && fscanf(f, "%d", &n) == 1);
    pclose(f);
    qn__str_release(&command);
    return n;
}

START_TEST(where_nothing_is_stored_the_driver_is_asked_for_no_binary)
{
    setenv("QUERN_CACHE_MODE", "read-only", 1);
    ck_assert_int_le(pocl_binaries("pocl"), 0);
    if (!is_opencl())
        return;
    setenv("QUERN_CACHE_MODE", "normal", 1);
    if (pocl_binaries("pocl too") == 0)
        printf("skip: whether an OpenCL driver other than PoCL is asked for a binary\n");
}
END_TEST

START_TEST(a_truncated_entry_never_reaches_the_driver)
{
    in_process(build_and_run);
    ck_assert_int_eq(truncate(entry_path(), 3000), 0);
    in_process(build_and_run);
    ck_assert(outcome->right);
    ck_assert_uint_eq(outcome->counters.quarantined, 1);
    in_process(build_and_run);
    ck_assert_int_eq(outcome->origin, QN_ORIGIN_DISK_CACHE);
    ck_assert_uint_eq(outcome->counters.quarantined, 0);
}
END_TEST

START_TEST(an_entry_the_driver_refuses_is_set_aside_and_made_anew)
{
    in_process(build_and_run);
    /* whole, with the right key and checksum, and nothing a driver could load */
    const char *path = entry_path();
    struct qn__str entry = {0};
    char *bytes;
    size_t n;
    qn_image *good, *bad;
    must(qn__file_read(&bytes, &n, path, 1 << 24));
    must(qn__entry_decode(&good, NULL, NULL, bytes, n));
    must(qn__image_create(&bad, good->info.target, "x", good->info.kind, "no program", 10,
                          good->reflection_wire, good->reflection_wire_n));
    must(qn__image_note(bad, &good->notes));
    qn__entry_encode(&entry, bad, NULL, QN__ENTRY_FOR_HERE);
    must(qn__file_write_atomic(path, entry.text, entry.len, 0600));
    in_process(build_and_run);
    ck_assert(outcome->right);
    ck_assert_uint_eq(outcome->counters.quarantined, 1);
    in_process(build_and_run);
    ck_assert_uint_eq(outcome->counters.quarantined, 0);
    ck_assert_int_eq(outcome->origin, QN_ORIGIN_DISK_CACHE);
    qn__str_release(&entry);
    qn_image_release(good);
    qn_image_release(bad);
    free(bytes);
}
END_TEST

enum { MANY = 4 };

/* One of MANY sources is wrong: the others are built and run. */
static void build_many(void)
{
    qn_device *dev;
    char texts[MANY][400];
    qn_source sources[MANY];
    qn_module_item items[MANY] = {0};
    qn_status s = qn_device_open(&dev, NULL);
    if (s != QN_OK) {
        note(s);
        return;
    }
    for (int i = 0; i < MANY; i++) {
        snprintf(texts[i], sizeof texts[i], "%s// %d\n%s", text, i, i == 2 ? "oops\n" : "");
        sources[i] = source;
        sources[i].text = texts[i];
        items[i].source = &sources[i];
    }
    s = qn_module_build_many(dev, items, MANY, 2, NULL, NULL);
    if (s != QN_E_COMPILE || !strstr(qn_message(), "twice.cu"))
        snprintf(outcome->message, sizeof outcome->message, "many: %s", qn_status_name(s));
    uint32_t n_right = 0;
    for (int i = 0; i < MANY; i++) {
        outcome->right = false;
        if (items[i].status == QN_OK)
            note(run_twice(dev, items[i].module));
        n_right += outcome->right && i != 2;
    }
    outcome->right = n_right == MANY - 1 && items[2].status == QN_E_COMPILE && !items[2].module;
    qn_module_items_release(items, MANY);
    qn_device_close(dev);
    qn_cache_get_counters(&outcome->counters);
}

START_TEST(many_modules_are_built_side_by_side_and_one_failure_stops_no_other)
{
    in_process(build_many);
    ck_assert(outcome->right);
    ck_assert_uint_eq(outcome->counters.compiles, MANY);
    in_process(build_many);
    ck_assert(outcome->right);
    ck_assert_uint_eq(outcome->counters.compiles, 1); /* a failure is tried again */
}
END_TEST

static void build_wrong(void)
{
    qn_device *dev;
    qn_module *mod;
    qn_log log;
    const qn_source wrong = {.text = "__global__ void k(int *p)\n{\n    *p = nowhere;\n}\n",
                             .path = "wrong.cu"};
    if (qn_device_open(&dev, NULL) != QN_OK)
        return;
    const qn_status s = qn_module_build(&mod, dev, &wrong, NULL, &log);
    outcome->right = s == QN_E_COMPILE && mod == NULL &&
                     strstr(log.text, "wrong.cu:3:10: error: ") &&
                     strstr(log.text, "    *p = nowhere;\n         ^");
    if (!outcome->right)
        snprintf(outcome->message, sizeof outcome->message, "%s %s", qn_status_name(s), log.text);
    qn_log_release(&log);
    qn_device_close(dev);
}

START_TEST(an_error_in_the_source_shows_file_line_and_caret)
{
    in_process(build_wrong);
    ck_assert(outcome->right);
}
END_TEST

static void probe(void)
{
    qn_device *dev;
    qn_device_abilities a;
    if (qn_device_open(&dev, NULL) != QN_OK)
        return;
    const qn_status s = qn_device_probe(&a, dev);
    note(s);
    if (s == QN_OK) {
        snprintf(outcome->backend, sizeof outcome->backend, "%s", dev->info.backend);
        const qn_ability all[] = {a.fp16, a.bf16, a.fp64, a.int8_dot};
        outcome->right = true;
        for (int i = 0; i < 4; i++) {
            snprintf(outcome->key + 2 * i, 3, "%d ", all[i]);
            outcome->right =
                outcome->right && (a.reasons[i][0] == 0) == (all[i] == QN_ABILITY_NATIVE);
        }
        qn_cache_get_counters(&outcome->counters);
    }
    qn_device_close(dev);
}

START_TEST(abilities_are_found_out_once_and_remembered)
{
    char first[65];
    in_process(probe);
    ck_assert(outcome->right);
    snprintf(first, sizeof first, "%s", outcome->key);
    ck_assert_str_ne(first, "0 0 0 0 "); /* something works everywhere */
    in_process(probe);
    ck_assert_str_eq(outcome->key, first);
    ck_assert_uint_eq(outcome->counters.compiles, 0);
    ck_assert_uint_eq(outcome->counters.helpers_started, 0);
}
END_TEST

START_TEST(translations_are_text_with_reflection)
{
    qn_translation t;
    qn_log log;
    must(qn_translate(&t, &source, NULL, NULL, &log));
    says(t.text, "__kernel void");
    says(t.text, "get_local_id(0)");
    says(t.reflect, "twice<float>");
    ck_assert_uint_gt(strlen(t.explain), 0);
    ck_assert_uint_eq(strlen(log.key), 64);
    qn_translation_release(&t);
    qn_log_release(&log);
    must_not(QN_E_INVALID, qn_translate(&t, &source, "nonesuch", NULL, NULL));
    says(qn_message(), "portable");
    qn_image *image;
    must(qn_compile(&image, &source, "opencl:portable", NULL, NULL));
    ck_assert_int_eq(qn_image_get_info(image)->kind, QN_IMAGE_OPENCL_C);
    qn_image_release(image);
}
END_TEST

static void have_device(void)
{
    qn_device *dev;
    const qn_status s = qn_device_open(&dev, NULL);
    if (s != QN_OK) {
        printf("skip: %s\n", qn_message());
        fflush(stdout);
        _exit(1);
    }
    printf("device: %s, %s\n", dev->info.id, dev->info.name);
    fflush(stdout);
    qn_device_close(dev);
}

int main(void)
{
    Suite *s = suite_create("rtc_build");
    TCase *t = tcase_create("build");
    bool failed = false;
    int status = 1;
    outcome =
        mmap(NULL, sizeof *outcome, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    fflush(stdout);
    const pid_t pid = fork();
    if (pid == 0) {
        have_device();
        _exit(0);
    }
    waitpid(pid, &status, 0);
    tcase_add_checked_fixture(t, scratch_open, scratch_close);
    tcase_set_timeout(t, 300);
    if (status == 0) {
        tcase_add_test(t, a_second_process_starts_no_helper_and_compiles_nothing);
        tcase_add_test(t, a_drivers_binary_is_saved_again_for_each_new_block_shape);
        tcase_add_test(t, where_nothing_is_stored_the_driver_is_asked_for_no_binary);
        tcase_add_test(t, a_truncated_entry_never_reaches_the_driver);
        tcase_add_test(t, an_entry_the_driver_refuses_is_set_aside_and_made_anew);
        tcase_add_test(t, many_modules_are_built_side_by_side_and_one_failure_stops_no_other);
        tcase_add_test(t, an_error_in_the_source_shows_file_line_and_caret);
        tcase_add_test(t, abilities_are_found_out_once_and_remembered);
    } else {
        failed = getenv("QN_REQUIRE") != NULL;
    }
    if (have_compiler("translator", &failed))
        tcase_add_test(t, translations_are_text_with_reflection);
    suite_add_tcase(s, t);
    return run_suite(s) || failed;
}
