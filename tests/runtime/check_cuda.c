/* SPDX-License-Identifier: Apache-2.0
 *
 * The CUDA backend: what is particular to it beyond check_runtime.c. Without a driver, and with the
 * toolkit's stub in its place, everything must end in a refusal that says what to do. With a GPU a
 * module in PTX written by hand (no compiler takes part) shows the JIT log, argument sizes, shared
 * memory above 48 KiB, and what a fault does.
 *
 * covers: runtime/cuda/cuda_driver runtime/cuda/cuda_backend runtime/cuda/cuda_device
 * runtime/cuda/cuda_memory runtime/cuda/cuda_module runtime/cuda/cuda_stream
 * runtime/cuda/cuda_graph */
#include "runtime/cuda/cuda_driver.h"

#include <check.h>
#include <quern/quern.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static qn_device *dev;
static qn_stream *stream;

static void ok(qn_status s)
{
    ck_assert_msg(s == QN_OK, "%s: %s", qn_status_name(s), qn_message());
}

/* -- with a GPU -- */

#define PTX_HEAD ".version 6.4\n.target sm_75\n.address_size 64\n"

static const char ptx[] = PTX_HEAD
    ".visible .global .align 4 .b32 answer[2] = {42, 43};\n"
    /* out[0] = scale * in[0] */
    ".visible .entry scale(.param .u64 p_out, .param .u64 p_in, .param .f32 p_scale) {\n"
    "  .reg .b64 %rd<5>; .reg .f32 %f<4>;\n"
    "  ld.param.u64 %rd1, [p_out]; ld.param.u64 %rd2, [p_in]; ld.param.f32 %f1, [p_scale];\n"
    "  cvta.to.global.u64 %rd3, %rd1; cvta.to.global.u64 %rd4, %rd2;\n"
    "  ld.global.f32 %f2, [%rd4]; mul.f32 %f3, %f1, %f2; st.global.f32 [%rd3], %f3; ret;\n"
    "}\n"
    /* write the last word of dynamic shared memory, read it back into out[0] */
    ".extern .shared .align 16 .b8 dynamic[];\n"
    ".visible .entry far_shared(.param .u64 p_out, .param .u32 p_bytes) {\n"
    "  .reg .b64 %rd<7>; .reg .b32 %r<4>;\n"
    "  ld.param.u64 %rd1, [p_out]; ld.param.u32 %r1, [p_bytes];\n"
    "  cvt.u64.u32 %rd2, %r1; mov.u64 %rd3, dynamic; add.s64 %rd4, %rd3, %rd2;\n"
    "  st.shared.u32 [%rd4+-4], %r1; ld.shared.u32 %r2, [%rd4+-4];\n"
    "  cvta.to.global.u64 %rd5, %rd1; st.global.u32 [%rd5], %r2; ret;\n"
    "}\n"
    ".visible .entry small() .maxntid 64, 1, 1 { ret; }\n"
    /* ns::plain(int *), in C++ */
    ".visible .entry _ZN2ns5plainEPi(.param .u64 p) { ret; }\n";

static qn_image *load_ptx(const char *text)
{
    qn_image *image;
    ok(qn_image_load_bytes(&image, text, strlen(text), "cuda:compute_75"));
    return image;
}

static qn_module *load_module(void)
{
    qn_image *image = load_ptx(ptx);
    qn_module *mod;
    ok(qn_module_load(&mod, dev, image));
    qn_image_release(image);
    return mod;
}

static const qn_kernel *find(qn_module *mod, const char *name)
{
    const qn_kernel *k;
    ok(qn_kernel_find(&k, mod, name));
    return k;
}

START_TEST(device_is_what_it_says)
{
    const qn_device_info *info = qn_device_get_info(dev);
    ck_assert_str_eq(info->kind, "cuda");
    ck_assert_int_eq(strncmp(info->target, "cuda:sm_", 8), 0);
    ck_assert_str_eq(info->target + 5, info->arch);
    ck_assert_uint_eq(info->wave_width, 32);
    ck_assert_uint_gt(info->compute_units, 0);
    ck_assert_uint_ge(info->shared_bytes_max, 48 * 1024);
    ck_assert_uint_gt(info->memory_free_bytes, 0);
    ck_assert_uint_ge(info->memory_total_bytes, info->memory_free_bytes);
    ck_assert_int_eq(strncmp(info->driver, "CUDA ", 5), 0);
}
END_TEST

static void must_refuse_null_arguments(const qn_kernel *k)
{
    qn_addr a = 0;
    void *args[] = {&a, NULL, NULL};
    const qn_dims one = {.block = {1}};
    ck_assert_int_eq(qn_stream_launch(stream, k, &one, NULL), QN_E_INVALID);
    ck_assert_int_eq(qn_stream_launch(stream, k, &one, args), QN_E_INVALID);
    ck_assert_msg(strstr(qn_message(), "argument 1 is NULL") != NULL, "%s", qn_message());
}

START_TEST(ptx_runs_and_its_arguments_are_known)
{
    qn_module *mod = load_module();
    const qn_kernel *k = find(mod, "scale");
    float in = 3, out = 0, scale = 2.5f;
    qn_addr a;
    ok(qn_memory_alloc(&a, dev, 256));
    ok(qn_memory_upload(dev, a + 128, &in, sizeof in, NULL));
    qn_addr at = a + 128;
    void *args[] = {&a, &at, &scale};
    ok(qn_stream_launch(stream, k, &(qn_dims){.block = {1}}, args));
    ok(qn_stream_sync(stream));
    ok(qn_memory_download(dev, &out, a, sizeof out, NULL));
    ck_assert_float_eq(out, 7.5f);
    const qn_kernel_info *info = qn_kernel_get_info(k);
    ck_assert(info->args_known);
    ck_assert_uint_eq(info->n_args, 3);
    ck_assert_uint_eq(info->args[0].size_bytes, 8);
    ck_assert_uint_eq(info->args[2].size_bytes, 4);
    must_refuse_null_arguments(k);
    ok(qn_memory_free(dev, a));
    qn_module_close(mod);
}
END_TEST

START_TEST(a_cpp_kernel_is_found_by_its_plain_name)
{
    qn_module *mod = load_module();
    const qn_kernel *kernel, *none;
    ok(qn_kernel_find(&kernel, mod, "plain"));
    ck_assert_str_eq(qn_kernel_get_info(kernel)->name, "_ZN2ns5plainEPi");
    ck_assert_int_eq(qn_kernel_find(&none, mod, "lain"), QN_E_NOT_FOUND);
    qn_module_close(mod);
}
END_TEST

START_TEST(variable_is_found_and_written)
{
    qn_module *mod = load_module();
    uint32_t both[2] = {0};
    qn_addr at;
    uint64_t bytes;
    ok(qn_module_find_global(&at, &bytes, mod, "answer"));
    ck_assert_uint_eq(bytes, sizeof both);
    ok(qn_memory_download(dev, both, at, sizeof both, NULL));
    ck_assert_uint_eq(both[0], 42);
    ck_assert_uint_eq(both[1], 43);
    ck_assert_int_eq(qn_module_find_global(&at, &bytes, mod, "question"), QN_E_NOT_FOUND);
    qn_module_close(mod);
}
END_TEST

START_TEST(all_shared_memory_of_a_block_can_be_used)
{
    qn_module *mod = load_module();
    const qn_kernel *k = find(mod, "far_shared");
    const uint32_t most = (uint32_t)qn_device_get_info(dev)->shared_bytes_max;
    const uint32_t sizes[] = {1024, 48 * 1024, most, 2048};
    qn_addr a;
    ok(qn_memory_alloc(&a, dev, 128));
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        uint32_t bytes = sizes[i], out = 0;
        void *args[] = {&a, &bytes};
        ok(qn_stream_launch(stream, k, &(qn_dims){.shared_bytes = bytes}, args));
        ok(qn_stream_sync(stream));
        ok(qn_memory_download(dev, &out, a, sizeof out, NULL));
        ck_assert_uint_eq(out, bytes);
    }
    uint32_t bytes = 4;
    void *args[] = {&a, &bytes};
    ck_assert_int_eq(qn_stream_launch(stream, k, &(qn_dims){.shared_bytes = most + 16}, args),
                     QN_E_LIMIT);
    ok(qn_memory_free(dev, a));
    qn_module_close(mod);
}
END_TEST

/* Attributes are asked for when they are needed first: here, when the driver refuses. */
START_TEST(a_block_above_the_kernels_own_limit_is_refused_with_the_number)
{
    qn_module *mod = load_module();
    const qn_kernel *k = find(mod, "small");
    qn_kernel_attributes a;
    ok(qn_stream_launch(stream, k, &(qn_dims){.block = {64}}, NULL));
    for (int i = 0; i < 2; i++) { /* before and after they are known */
        ck_assert_int_eq(qn_stream_launch(stream, k, &(qn_dims){.block = {128}}, NULL), QN_E_LIMIT);
        ck_assert_msg(strstr(qn_message(), "at most 64"), "%s", qn_message());
    }
    ok(qn_kernel_get_attributes(&a, k));
    ck_assert_uint_eq(a.block_threads_max, 64);
    ok(qn_stream_launch(stream, k, &(qn_dims){.block = {64}}, NULL));
    ok(qn_stream_sync(stream)); /* the stream is as it was */
    qn_module_close(mod);
}
END_TEST

START_TEST(refused_ptx_comes_with_the_compilers_reason)
{
    qn_image *image = load_ptx(PTX_HEAD ".visible .entry k() { nonsense.u32 %r1, 1; ret; }\n");
    qn_module *mod;
    const qn_status s = qn_module_load(&mod, dev, image);
    ck_assert_msg(s == QN_E_DRIVER, "%s: %s", qn_status_name(s), qn_message());
    ck_assert_ptr_null(mod);
    ck_assert_msg(strstr(qn_message(), "nonsense") || strstr(qn_message(), "line 4"), "%s",
                  qn_message());
    qn_image_release(image);
}
END_TEST

START_TEST(ptx_newer_than_the_driver_is_a_mismatch_that_names_both)
{
    int version = 0;
    qn__cuda.cuDriverGetVersion(&version);
    qn_image *image = load_ptx(".version 99.1\n.target sm_75\n.address_size 64\n");
    qn_module *mod;
    const qn_status s = qn_module_load(&mod, dev, image);
    ck_assert_msg(s == QN_E_MISMATCH, "%s: %s", qn_status_name(s), qn_message());
    if (qn__cuda_ptx_version(version))
        ck_assert_msg(strstr(qn_message(), "99.1"), "%s", qn_message());
    qn_image_release(image);
}
END_TEST

START_TEST(graph_is_the_drivers_own)
{
    qn_module *mod = load_module();
    float in = 3, out = 0, scale = 2;
    qn_addr a;
    ok(qn_memory_alloc(&a, dev, 256));
    ok(qn_memory_upload(dev, a, &in, sizeof in, NULL));
    void *args[] = {&a, &a, &scale};
    qn_graph *g;
    ok(qn_stream_capture_begin(stream));
    ok(qn_stream_launch(stream, find(mod, "scale"), &(qn_dims){.block = {1}}, args));
    ok(qn_stream_launch(stream, find(mod, "scale"), &(qn_dims){.block = {1}}, args));
    ok(qn_stream_capture_end(&g, stream));
    ck_assert_uint_eq(qn_graph_get_n_nodes(g), 2);
    ck_assert(qn_graph_get_is_native(g));
    ok(qn_graph_launch(g, stream));
    ok(qn_graph_launch(g, stream));
    ok(qn_stream_sync(stream));
    ok(qn_memory_download(dev, &out, a, sizeof out, NULL));
    ck_assert_float_eq(out, 48);
    qn_graph_destroy(g);
    ok(qn_memory_free(dev, a));
    qn_module_close(mod);
}
END_TEST

/* The last one: the context is lost with it. */
START_TEST(fault_names_the_kernel_and_stays)
{
    qn_module *mod = load_module();
    float scale = 1;
    qn_addr nowhere = 64, a;
    void *args[] = {&nowhere, &nowhere, &scale};
    ok(qn_stream_launch(stream, find(mod, "scale"), &(qn_dims){.block = {1}}, args));
    ck_assert_int_eq(qn_stream_sync(stream), QN_E_FAULT);
    ck_assert_msg(strstr(qn_message(), "scale"), "%s", qn_message());
    ck_assert_int_eq(qn_memory_alloc(&a, dev, 16), QN_E_FAULT);
    qn_module_close(mod);
}
END_TEST

static void add_device_tests(Suite *suite)
{
    TCase *tc = tcase_create("device");
    tcase_add_test(tc, device_is_what_it_says);
    tcase_add_test(tc, ptx_runs_and_its_arguments_are_known);
    tcase_add_test(tc, a_cpp_kernel_is_found_by_its_plain_name);
    tcase_add_test(tc, variable_is_found_and_written);
    tcase_add_test(tc, all_shared_memory_of_a_block_can_be_used);
    tcase_add_test(tc, a_block_above_the_kernels_own_limit_is_refused_with_the_number);
    tcase_add_test(tc, refused_ptx_comes_with_the_compilers_reason);
    tcase_add_test(tc, ptx_newer_than_the_driver_is_a_mismatch_that_names_both);
    tcase_add_test(tc, graph_is_the_drivers_own);
    tcase_add_test(tc, fault_names_the_kernel_and_stays);
    suite_add_tcase(suite, tc);
}

/* -- without -- */

START_TEST(ptx_versions_of_drivers)
{
    static const struct {
        int driver, ptx;
    } rows[] = {{11040, 74}, {12000, 80}, {12060, 85}, {12080, 87}, {13000, 90}, {99000, 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        ck_assert_int_eq(qn__cuda_ptx_version(rows[i].driver), rows[i].ptx);
}
END_TEST

/* The refusals of this backend, one a line. */
static qn_status print_refusals(FILE *to)
{
    qn_device_list list;
    const qn_status s = qn_device_list_init(&list);
    for (uint32_t i = 0; i < list.n_refusals; i++)
        if (!strcmp(list.refusals[i].backend, "cuda"))
            fprintf(to, "%s: %s\n", list.refusals[i].what, list.refusals[i].reason);
    qn_device_list_release(&list);
    return s;
}

START_TEST(missing_driver_is_one_refusal_that_says_what_to_do)
{
    char *text = NULL;
    size_t n = 0;
    FILE *f = open_memstream(&text, &n);
    ck_assert_ptr_nonnull(f);
    ok(print_refusals(f));
    fclose(f);
    ck_assert_msg(!strncmp(text, "libcuda.so", 10), "%s", text);
    ck_assert_msg(strchr(text, '\n') == text + n - 1, "%s", text);
    ck_assert_msg(n > 40, "%s", text);
    free(text);
    qn_device *d;
    ck_assert_int_eq(qn_device_open(&d, "cuda:0"), QN_E_NO_DEVICE);
    ck_assert_ptr_null(d);
}
END_TEST

#ifdef QN_CUDA_STUBS
/* The driver is chosen once a process, so this program runs itself with the stub in front. */
START_TEST(stub_library_is_refused_by_name)
{
    char command[1024], text[2048] = "";
    char self[512];
    const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    ck_assert_int_gt(length, 0);
    self[length] = 0;
    snprintf(command, sizeof command, "LD_LIBRARY_PATH='%s' '%s' --refusals", QN_CUDA_STUBS, self);
    FILE *f = popen(command, "r");
    ck_assert_ptr_nonnull(f);
    const size_t n = fread(text, 1, sizeof text - 1, f);
    ck_assert_int_eq(pclose(f), 0);
    ck_assert_uint_gt(n, 0);
    ck_assert_msg(strstr(text, "link-time stub") && strstr(text, "LD_LIBRARY_PATH"), "%s", text);
}
END_TEST
#endif

static void add_refusal_tests(Suite *suite)
{
    TCase *tc = tcase_create("refusal");
    tcase_add_test(tc, missing_driver_is_one_refusal_that_says_what_to_do);
#ifdef QN_CUDA_STUBS
    tcase_add_test(tc, stub_library_is_refused_by_name);
#endif
    suite_add_tcase(suite, tc);
}

int main(int argc, char **argv)
{
    if (argc > 1 && !strcmp(argv[1], "--refusals"))
        return print_refusals(stdout) == QN_OK ? EXIT_SUCCESS : EXIT_FAILURE;
    const char *required = getenv("QN_REQUIRE"), *backends = getenv("QUERN_BACKEND");
    const bool have_device =
        qn_device_open(&dev, "cuda:0") == QN_OK && qn_stream_create(&stream, dev, NULL) == QN_OK;
    if (!have_device && required && !strcmp(required, "cuda")) {
        printf("QN_REQUIRE=cuda: %s\n", qn_message());
        return EXIT_FAILURE;
    }
    if (!have_device)
        printf("skip: CUDA device tests: %s\n", qn_message());
    Suite *suite = suite_create("cuda");
    TCase *tc = tcase_create("tables");
    tcase_add_test(tc, ptx_versions_of_drivers);
    suite_add_tcase(suite, tc);
    if (have_device)
        add_device_tests(suite);
    else if (!backends || strstr(backends, "cuda"))
        add_refusal_tests(suite);
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    qn_stream_destroy(stream);
    qn_device_close(dev);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
