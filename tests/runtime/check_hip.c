/* SPDX-License-Identifier: Apache-2.0
 *
 * The HIP backend through the public API: a real AMD code object, compiled offline by clang for the
 * device found, is loaded and run. On a machine without an AMD GPU `make check-amd` brings an
 * emulated one. Without either, the refusal is what is tested.
 *
 * covers: runtime/hip/hip_driver runtime/hip/hip_backend runtime/hip/hip_device
 * runtime/hip/hip_memory runtime/hip/hip_module runtime/hip/hip_stream runtime/hip/hip_graph */
#include "tests/runtime/hip_kernel.h"

#include <check.h>
#include <quern/quern.h>

static qn_device *dev;
static qn_image *image;
static qn_module *mod;
static qn_stream *stream;

enum { N = 200 }; /* no multiple of a block */

static const qn_kernel *find(const char *name)
{
    const qn_kernel *k;
    ck_assert_msg(qn_kernel_find(&k, mod, name) == QN_OK, "%s", qn_message());
    return k;
}

static void ok(qn_status s)
{
    ck_assert_msg(s == QN_OK, "%s: %s", qn_status_name(s), qn_message());
}

static qn_addr upload(const float *values, size_t n)
{
    qn_addr a;
    ok(qn_memory_alloc(&a, dev, n * sizeof *values));
    ok(qn_memory_upload(dev, a, values, n * sizeof *values, NULL));
    return a;
}

static void download(float *values, qn_addr a, size_t n)
{
    ok(qn_memory_download(dev, values, a, n * sizeof *values, NULL));
}

START_TEST(device_is_what_it_says)
{
    const qn_device_info *info = qn_device_get_info(dev);
    ck_assert_str_eq(info->backend, "hip");
    ck_assert_str_eq(info->kind, "rocm");
    ck_assert_int_eq(strncmp(info->arch, "gfx", 3), 0);
    ck_assert_int_eq(strncmp(info->target, "hip:gfx", 7), 0);
    ck_assert_str_eq(info->target + 4, info->arch);
    ck_assert_msg(info->wave_width == 32 || info->wave_width == 64, "%u", info->wave_width);
    ck_assert_uint_ge(info->block_threads_max, 256);
    ck_assert_uint_gt(info->compute_units, 0);
    ck_assert_uint_ge(info->memory_total_bytes, info->memory_free_bytes);
    ck_assert_int_eq(strncmp(info->driver, "HIP ", 4), 0);
    for (const char *p = info->pci; *p; p++)
        ck_assert_msg(*p < 'A' || *p > 'Z', "%s", info->pci);
}
END_TEST

START_TEST(saxpy_is_right_at_an_odd_size)
{
    float x[N], y[N], out[N], a = 1.5f;
    uint32_t n = N;
    for (int i = 0; i < N; i++) {
        x[i] = (float)i - 7;
        y[i] = 3 * (float)i;
    }
    qn_addr dx = upload(x, N), dy = upload(y, N);
    void *args[] = {&dx, &dy, &a, &n};
    ok(qn_stream_launch(stream, find("saxpy"), &(qn_dims){.grid = {4}, .block = {64}}, args));
    ok(qn_stream_sync(stream));
    download(out, dy, N);
    for (int i = 0; i < N; i++)
        ck_assert_float_eq(out[i], 1.5f * x[i] + y[i]);
    ok(qn_memory_free(dev, dx));
    ok(qn_memory_free(dev, dy));
}
END_TEST

START_TEST(arguments_come_from_the_code_object)
{
    const qn_kernel_info *info = qn_kernel_get_info(find("saxpy"));
    ck_assert(info->args_known);
    ck_assert_uint_eq(info->n_args, 4);
    ck_assert_str_eq(info->args[0].name, "x");
    ck_assert_int_eq(info->args[0].kind, QN_ARG_POINTER);
    ck_assert_str_eq(info->args[3].name, "n");
    ck_assert_int_eq(info->args[3].kind, QN_ARG_VALUE);
    ck_assert_uint_eq(info->args[3].size_bytes, 4);
}
END_TEST

START_TEST(attributes_are_plausible)
{
    qn_kernel_attributes a;
    ok(qn_kernel_get_attributes(&a, find("saxpy")));
    ck_assert_uint_gt(a.registers, 0);
    ck_assert_uint_ge(a.block_threads_max, 64);
    ck_assert_uint_eq(a.wave_width, qn_device_get_info(dev)->wave_width);
    ck_assert_uint_eq(a.block_threads_preferred % a.wave_width, 0);
    ck_assert_uint_gt(a.block_threads_preferred, 0);
    ck_assert_uint_le(a.block_threads_preferred, a.block_threads_max);
}
END_TEST

/* Put other bytes behind every `key` of the metadata, which is MessagePack. Returns how often. */
static int claim(char *bytes, size_t n, const char *key, const char *value, size_t value_n)
{
    const size_t key_n = strlen(key);
    int found = 0;
    for (size_t i = 0; i + key_n + value_n <= n; i++)
        if (memcmp(bytes + i, key, key_n) == 0) {
            memcpy(bytes + i + key_n, value, value_n);
            found++;
        }
    return found;
}

START_TEST(what_a_code_object_claims_beyond_the_device_does_not_hold)
{
    const qn_device_info *device = qn_device_get_info(dev);
    const qn_image_info *info = qn_image_get_info(image);
    char *bytes = malloc(info->size_bytes);
    qn_image *boasting;
    qn_module *m;
    const qn_kernel *k;
    qn_kernel_attributes a;
    ck_assert_ptr_nonnull(bytes);
    memcpy(bytes, info->bytes, info->size_bytes);
    /* 1024 is three bytes, 32 and 64 are one */
    ck_assert_int_gt(claim(bytes, info->size_bytes, ".max_flat_workgroup_size", "\xcd\xff\xff", 3),
                     0);
    ck_assert_int_gt(claim(bytes, info->size_bytes, ".wavefront_size", "\x10", 1), 0);
    ok(qn_image_load_bytes(&boasting, bytes, info->size_bytes, info->target));
    ok(qn_module_load(&m, dev, boasting));
    ok(qn_kernel_find(&k, m, "saxpy"));
    ok(qn_kernel_get_attributes(&a, k));
    ck_assert_uint_eq(a.block_threads_max, device->block_threads_max);
    ck_assert_uint_eq(a.wave_width, device->wave_width);
    ck_assert_uint_le(a.block_threads_preferred, device->block_threads_max);
    const qn_dims too_large = {.block = {device->block_threads_max + 1}};
    ck_assert_int_eq(qn_stream_launch(stream, k, &too_large, (void *[4]){&a, &a, &a, &a}),
                     QN_E_LIMIT);
    qn_module_close(m);
    qn_image_release(boasting);
    free(bytes);
}
END_TEST

START_TEST(dynamic_shared_memory_and_barriers_work)
{
    enum { BLOCKS = 3, BLOCK = 128 };
    float x[BLOCKS * BLOCK], out[BLOCKS];
    for (int i = 0; i < BLOCKS * BLOCK; i++)
        x[i] = (float)(i % 31);
    qn_addr dx = upload(x, BLOCKS * BLOCK), dout = upload(out, BLOCKS);
    void *args[] = {&dout, &dx};
    const qn_dims dims = {.grid = {BLOCKS}, .block = {BLOCK}, .shared_bytes = BLOCK * 4};
    ok(qn_stream_launch(stream, find("block_sum"), &dims, args));
    ok(qn_stream_sync(stream));
    download(out, dout, BLOCKS);
    for (int b = 0; b < BLOCKS; b++) {
        float sum = 0;
        for (int i = 0; i < BLOCK; i++)
            sum += x[b * BLOCK + i];
        ck_assert_float_eq(out[b], sum); /* small integers: exact in any order */
    }
    ok(qn_memory_free(dev, dx));
    ok(qn_memory_free(dev, dout));
}
END_TEST

START_TEST(variable_is_written_and_a_struct_holds_an_address)
{
    const float x[4] = {1, 2, 3, 4}, offsets[4] = {100, 200, 300, 400},
                initial[4] = {10, 20, 30, 40};
    float out[4] = {0}, was[4];
    qn_addr at;
    uint64_t bytes;
    ok(qn_module_find_global(&at, &bytes, mod, "offsets"));
    ck_assert_uint_eq(bytes, sizeof offsets);
    download(was, at, 4);
    ck_assert_mem_eq(was, initial, sizeof was);
    ok(qn_memory_upload(dev, at, offsets, sizeof offsets, NULL));
    qn_addr dx = upload(x, 4), dout = upload(out, 4);
    struct {
        float scale;
        qn_addr out;
    } where = {2, dout};
    void *args[] = {&dx, &where};
    ok(qn_stream_launch(stream, find("shift"), &(qn_dims){.block = {4}}, args));
    ok(qn_stream_sync(stream));
    download(out, dout, 4);
    for (int i = 0; i < 4; i++)
        ck_assert_float_eq(out[i], 2 * x[i] + offsets[i]);
    ok(qn_memory_upload(dev, at, initial, sizeof initial, NULL));
    ok(qn_memory_free(dev, dx));
    ok(qn_memory_free(dev, dout));
}
END_TEST

START_TEST(fill_writes_each_element_size)
{
    static const struct {
        uint32_t bytes, value, first;
    } rows[] = {{1, 0xab, 0xabababab}, {2, 0xabcd, 0xabcdabcd}, {4, 0x12345678, 0x12345678}};
    uint32_t out = 0;
    qn_addr a;
    ok(qn_memory_alloc(&a, dev, 64));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ok(qn_memory_fill(dev, a, rows[i].value, rows[i].bytes, 64 / rows[i].bytes, NULL));
        ok(qn_memory_download(dev, &out, a + 60, 4, NULL));
        ck_assert_uint_eq(out, rows[i].first);
    }
    ok(qn_memory_free(dev, a));
}
END_TEST

START_TEST(graph_replays_launch_copy_and_fill)
{
    float ones[N], out[N], a = 2;
    uint32_t n = N;
    for (int i = 0; i < N; i++)
        ones[i] = 1;
    qn_addr dx = upload(ones, N), dy, dz;
    ok(qn_memory_alloc(&dy, dev, sizeof out));
    ok(qn_memory_alloc(&dz, dev, sizeof out));
    void *args[] = {&dx, &dy, &a, &n};
    qn_graph *g;
    ok(qn_stream_capture_begin(stream));
    ok(qn_memory_fill(dev, dy, 0, 4, N, stream));
    ok(qn_stream_launch(stream, find("saxpy"), &(qn_dims){.grid = {4}, .block = {64}}, args));
    ok(qn_memory_copy(dev, dz, dy, sizeof out, stream));
    ok(qn_stream_capture_end(&g, stream));
    ck_assert_uint_eq(qn_graph_get_n_nodes(g), 3);
    ck_assert(qn_graph_get_is_native(g));
    ok(qn_graph_launch(g, stream));
    ok(qn_graph_launch(g, stream));
    ok(qn_stream_sync(stream));
    download(out, dz, N);
    for (int i = 0; i < N; i++)
        ck_assert_float_eq(out[i], 2);
    qn_graph_destroy(g);
    ok(qn_memory_free(dev, dx));
    ok(qn_memory_free(dev, dy));
    ok(qn_memory_free(dev, dz));
}
END_TEST

START_TEST(events_time_what_lies_between)
{
    qn_stream *timed;
    qn_event *a, *b;
    double ms = -1;
    ok(qn_stream_create(&timed, dev, &(qn_stream_options){.timing = true}));
    ok(qn_event_create(&a, dev));
    ok(qn_event_create(&b, dev));
    ok(qn_event_record(a, timed));
    ok(qn_event_record(b, timed));
    ok(qn_event_sync(b));
    ok(qn_event_elapsed(&ms, a, b));
    ck_assert_double_ge(ms, 0);
    ok(qn_stream_wait(stream, b));
    ok(qn_stream_sync(stream));
    qn_event_destroy(a);
    qn_event_destroy(b);
    qn_stream_destroy(timed);
}
END_TEST

START_TEST(unknown_names_are_not_found)
{
    const qn_kernel *k;
    qn_addr a;
    uint64_t bytes;
    ck_assert_int_eq(qn_kernel_find(&k, mod, "saxpie"), QN_E_NOT_FOUND);
    ck_assert_ptr_null(k);
    ck_assert_ptr_nonnull(strstr(qn_message(), "saxpie"));
    ck_assert_int_eq(qn_module_find_global(&a, &bytes, mod, "offset"), QN_E_NOT_FOUND);
}
END_TEST

START_TEST(too_much_memory_says_how_much_is_free)
{
    qn_addr a;
    ck_assert_int_eq(qn_memory_alloc(&a, dev, (uint64_t)1 << 46), QN_E_DEVICE_MEMORY);
    ck_assert_ptr_nonnull(strstr(qn_message(), "are free"));
    ck_assert_int_ne(qn_message_code(), 0);
}
END_TEST

START_TEST(foreign_architecture_is_a_mismatch)
{
    const bool is_gfx90a = !strncmp(qn_device_get_info(dev)->arch, "gfx90a", 6);
    const char *other = is_gfx90a ? "gfx1100" : "gfx90a";
    char target[32], *bytes;
    size_t n;
    qn_image *foreign;
    qn_module *m;
    const char *why = hip_kernel_compile(&bytes, &n, other);
    ck_assert_msg(!why, "%s", why);
    snprintf(target, sizeof target, "hip:%s", other);
    ok(qn_image_load_bytes(&foreign, bytes, n, target));
    ck_assert_int_eq(qn_module_load(&m, dev, foreign), QN_E_MISMATCH);
    ck_assert_ptr_nonnull(strstr(qn_message(), other));
    qn_image_release(foreign);
    free(bytes);
}
END_TEST

START_TEST(cut_off_image_is_refused_before_the_driver_sees_it)
{
    const qn_image_info *info = qn_image_get_info(image);
    qn_image *cut;
    qn_module *m;
    qn_status s = qn_image_load_bytes(&cut, info->bytes, 100, info->target);
    if (s == QN_OK) {
        s = qn_module_load(&m, dev, cut);
        qn_image_release(cut);
    }
    ck_assert_int_eq(s, QN_E_CORRUPT);
}
END_TEST

/* The last test: a fault is for good. An AMD driver ends the process on one, the emulator does not.
 */
START_TEST(fault_names_the_kernel)
{
    float a = 1;
    uint32_t n = 1;
    qn_addr nowhere = 64;
    void *args[] = {&nowhere, &nowhere, &a, &n};
    qn_status s = qn_stream_launch(stream, find("saxpy"), &(qn_dims){.block = {64}}, args);
    if (s == QN_OK)
        s = qn_stream_sync(stream);
    ck_assert_msg(s == QN_E_FAULT, "%s: %s", qn_status_name(s), qn_message());
    ck_assert_ptr_nonnull(strstr(qn_message(), "saxpy"));
}
END_TEST

static Suite *device_suite(void)
{
    Suite *suite = suite_create("hip");
    TCase *tc = tcase_create("device");
    tcase_add_test(tc, device_is_what_it_says);
    tcase_add_test(tc, saxpy_is_right_at_an_odd_size);
    tcase_add_test(tc, arguments_come_from_the_code_object);
    tcase_add_test(tc, attributes_are_plausible);
    tcase_add_test(tc, what_a_code_object_claims_beyond_the_device_does_not_hold);
    tcase_add_test(tc, dynamic_shared_memory_and_barriers_work);
    tcase_add_test(tc, variable_is_written_and_a_struct_holds_an_address);
    tcase_add_test(tc, fill_writes_each_element_size);
    tcase_add_test(tc, graph_replays_launch_copy_and_fill);
    tcase_add_test(tc, events_time_what_lies_between);
    tcase_add_test(tc, unknown_names_are_not_found);
    tcase_add_test(tc, too_much_memory_says_how_much_is_free);
    tcase_add_test(tc, foreign_architecture_is_a_mismatch);
    tcase_add_test(tc, cut_off_image_is_refused_before_the_driver_sees_it);
    if (strstr(qn_device_get_info(dev)->name, "Emulated"))
        tcase_add_test(tc, fault_names_the_kernel);
    suite_add_tcase(suite, tc);
    return suite;
}

/* -- without a device -- */

START_TEST(missing_device_is_a_refusal_with_a_reason)
{
    qn_device_list list;
    uint32_t n = 0;
    ok(qn_device_list_init(&list));
    for (uint32_t i = 0; i < list.n_refusals; i++)
        if (!strcmp(list.refusals[i].backend, "hip")) {
            n++;
            ck_assert_ptr_nonnull(strstr(list.refusals[i].what, "libamdhip64"));
            ck_assert_msg(strlen(list.refusals[i].reason) > 20, "%s", list.refusals[i].reason);
        }
    ck_assert_uint_eq(n, 1);
    qn_device_list_release(&list);
    qn_device *d;
    ck_assert_int_eq(qn_device_open(&d, "hip:0"), QN_E_NO_DEVICE);
    ck_assert_ptr_null(d);
}
END_TEST

static Suite *refusal_suite(void)
{
    Suite *suite = suite_create("hip without a device");
    TCase *tc = tcase_create("refusal");
    tcase_add_test(tc, missing_device_is_a_refusal_with_a_reason);
    suite_add_tcase(suite, tc);
    return suite;
}

static const char *compile_and_load(void)
{
    const qn_device_info *info = qn_device_get_info(dev);
    char *bytes;
    size_t n;
    const char *why = hip_kernel_compile(&bytes, &n, info->arch);
    if (why)
        return why;
    if (qn_image_load_bytes(&image, bytes, n, info->target) != QN_OK ||
        qn_module_load(&mod, dev, image) != QN_OK || qn_stream_create(&stream, dev, NULL) != QN_OK)
        why = qn_message();
    free(bytes);
    return why;
}

int main(void)
{
    const bool have_device = qn_device_open(&dev, "hip:0") == QN_OK;
    const char *required = getenv("QN_REQUIRE");
    const char *why = have_device ? NULL : qn_message();
    if (have_device && !strncmp(qn_device_get_info(dev)->arch, "sm_", 3))
        why = "the HIP device is an NVIDIA GPU: it runs no AMD code";
    else if (have_device)
        why = compile_and_load();
    if (why) {
        const bool is_failure = required && !strcmp(required, "hip");
        printf("%s: %s\n", is_failure ? "QN_REQUIRE=hip" : "skip", why);
        if (is_failure)
            return EXIT_FAILURE;
    }
    SRunner *runner = NULL;
    if (!why)
        runner = srunner_create(device_suite());
    else if (!have_device && !getenv("QUERN_BACKEND"))
        runner = srunner_create(refusal_suite());
    int failed = 0;
    if (runner) {
        srunner_set_fork_status(runner, CK_NOFORK);
        srunner_run_all(runner, CK_ENV);
        failed = srunner_ntests_failed(runner);
        srunner_free(runner);
    }
    qn_stream_destroy(stream);
    qn_module_close(mod);
    qn_image_release(image);
    qn_device_close(dev);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
