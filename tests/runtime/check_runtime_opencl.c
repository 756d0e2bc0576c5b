/* SPDX-License-Identifier: Apache-2.0
 *
 * The OpenCL backend with hand-written OpenCL C and hand-made reflection: hidden arguments, texts
 * that nobody describes, what a driver refuses, binaries, the allocation table. What all backends
 * share is in check_runtime.c.
 *
 * covers: runtime/opencl/opencl_driver runtime/opencl/opencl_backend runtime/opencl/opencl_device
 * runtime/opencl/opencl_kernel runtime/opencl/opencl_memory runtime/opencl/opencl_module
 * runtime/opencl/opencl_stream */
#include "base/file.h"
#include "runtime/backend.h"
#include "tests/runtime_fixture.h"

#include <string.h>

#define N(array) ((int)(sizeof(array) / sizeof *(array)))

/* -- images by hand -- */

static qn_image *image_of(const char *target, const char *text, const struct qn__reflection *r)
{
    struct qn__str wire = {0};
    qn_image *image;
    if (r)
        qn__reflection_encode(&wire, r);
    ck_assert_int_eq(qn__str_check(&wire), QN_OK);
    must(qn__image_create(&image, target, "by hand", QN_IMAGE_OPENCL_C, text, strlen(text),
                          wire.text, wire.len));
    qn__str_release(&wire);
    return image;
}

static qn_module *load(const char *text, const struct qn__reflection *r)
{
    qn_module *mod;
    qn_image *image = image_of("opencl:portable", text, r);
    must(qn_module_load(&mod, device, image));
    qn_image_release(image);
    return mod;
}

static qn_status load_status(const char *target, const char *text, const struct qn__reflection *r)
{
    qn_module *mod;
    qn_image *image = image_of(target, text, r);
    const qn_status s = qn_module_load(&mod, device, image);
    qn_image_release(image);
    if (s == QN_OK)
        qn_module_close(mod);
    else
        ck_assert_ptr_null(mod);
    return s;
}

/* -- hidden arguments -- */

static const char hidden_text[] =
    "kernel void rotate_table(global uint *out, uint n, local uint4 *shared_bytes, global uint "
    "*counter,\n"
    "                 global const float *table)\n"
    "{\n"
    "    local uint *tile = (local uint *)shared_bytes;\n"
    "    const uint i = get_local_id(0), last = get_local_size(0) - 1;\n"
    "    tile[i] = (uint)table[i % 4];\n"
    "    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"
    "    const uint at = get_global_id(0);\n"
    "    if (at < n) {\n"
    "        out[at] = tile[last - i];\n"
    "        atomic_inc(counter);\n"
    "    }\n"
    "}\n";

static const float table_init[4] = {3, 5, 7, 11};
static const qn_arg_info hidden_args[] = {
    {.name = "out", .type = "unsigned int *", .kind = QN_ARG_POINTER, .size_bytes = 8},
    {.name = "n", .type = "unsigned int", .kind = QN_ARG_VALUE, .size_bytes = 4},
};
static const struct qn__hidden hidden[] = {
    {QN__HIDDEN_SHARED, 0}, {QN__HIDDEN_GLOBAL, 0}, {QN__HIDDEN_GLOBAL, 1}};
static const struct qn__kernel hidden_kernel = {
    .info = {.name = "rotate_table",
             .expression = "ns::rotate_table<unsigned int, 4>",
             .args_known = true,
             .n_args = 2,
             .args = hidden_args},
    .n_hidden = 3,
    .hidden = hidden};
static const struct qn__global hidden_globals[] = {
    {.name = "ns::counter", .symbol = "counter", .size_bytes = 4, .align_bytes = 4},
    {.name = "table",
     .symbol = "table_7",
     .size_bytes = 16,
     .is_constant = true,
     .init = table_init}};
static const struct qn__reflection hidden_reflection = {.n_kernels = 1,
                                                        .kernels = &hidden_kernel,
                                                        .n_globals = 2,
                                                        .globals = hidden_globals,
                                                        .build_options = "-cl-std=CL1.2"};

START_TEST(hidden_arguments_carry_shared_memory_and_variables)
{
    enum { BLOCK = 8, COUNT = 20 };
    static const uint32_t want[BLOCK] = {11, 7, 5, 3, 11, 7, 5, 3};
    qn_module *mod = load(hidden_text, &hidden_reflection);
    const qn_kernel *k;
    must(qn_kernel_find(&k, mod, "rotate_table"));
    const qn_addr out = alloc(COUNT * 4);
    uint32_t n = COUNT, got[COUNT], counter = 9;
    void *args[] = {address_of(&out), &n};
    const qn_dims dims = {.grid = {3}, .block = {BLOCK}, .shared_bytes = BLOCK * 4};
    must(qn_stream_launch(stream, k, &dims, args));
    must(qn_stream_launch(stream, k, &dims, args));
    must(qn_memory_download(device, got, out, sizeof got, NULL));
    for (int i = 0; i < COUNT; i++)
        ck_assert_msg(got[i] == want[i % BLOCK], "element %d: %u", i, got[i]);
    qn_addr at;
    uint64_t bytes;
    must(qn_module_find_global(&at, &bytes, mod, "ns :: counter"));
    ck_assert_uint_eq(bytes, 4);
    must(qn_memory_download(device, &counter, at, 4, NULL));
    ck_assert_uint_eq(counter, 2 * COUNT);
    must(qn_module_find_global(&at, &bytes, mod, "&table"));
    ck_assert_uint_eq(bytes, 16);
    must(qn_memory_upload(device, at, (const float[]){1, 2, 3, 4}, 16, NULL));
    must(qn_stream_launch(stream, k, &dims, args));
    must(qn_memory_download(device, got, out, sizeof got, NULL));
    for (int i = 0; i < COUNT; i++)
        ck_assert_uint_eq(got[i], 4u - (uint32_t)(i % 4));
    must_not(QN_E_NOT_FOUND, qn_module_find_global(&at, &bytes, mod, "counters"));
    ck_assert_uint_eq(at, 0);
    must(qn_memory_free(device, out));
    qn_module_close(mod);
}
END_TEST

START_TEST(dynamic_shared_memory_follows_each_launch)
{
    enum { LARGE = 64 };
    qn_module *mod = load(hidden_text, &hidden_reflection);
    const qn_kernel *k;
    must(qn_kernel_find(&k, mod, "ns::rotate_table<unsigned int,4>"));
    const qn_addr out = alloc(LARGE * 4);
    uint32_t n = LARGE, got[LARGE];
    void *args[] = {address_of(&out), &n};
    static const uint32_t blocks[] = {4, 64, 16, 32};
    for (int i = 0; i < N(blocks); i++) {
        const qn_dims dims = {
            .grid = {LARGE / blocks[i]}, .block = {blocks[i]}, .shared_bytes = blocks[i] * 4};
        must(qn_stream_launch(stream, k, &dims, args));
        must(qn_memory_download(device, got, out, sizeof got, stream));
        must(qn_stream_sync(stream));
        for (int j = 0; j < LARGE; j++)
            ck_assert_uint_eq(got[j], (uint32_t)table_init[3 - j % 4]);
    }
    must(qn_memory_free(device, out));
    qn_module_close(mod);
}
END_TEST

START_TEST(dynamic_shared_memory_reaches_to_the_limit_after_a_small_launch)
{
    static const char text[] =
        "kernel void spread(global uint *out, uint words, local uint *tile)\n"
        "{\n"
        "    const uint i = get_local_id(0), at = i * ((words - 1) / (get_local_size(0) - 1));\n"
        "    tile[at] = i + 1;\n"
        "    barrier(CLK_LOCAL_MEM_FENCE);\n"
        "    out[i] = tile[at];\n"
        "}\n";
    static const struct qn__kernel spread = {.info = {.name = "spread",
                                                      .expression = "spread",
                                                      .args_known = true,
                                                      .n_args = 2,
                                                      .args = hidden_args},
                                             .n_hidden = 1,
                                             .hidden = hidden};
    const struct qn__reflection r = {.n_kernels = 1, .kernels = &spread, .build_options = ""};
    qn_module *mod = load(text, &r);
    const qn_kernel *k;
    must(qn_kernel_find(&k, mod, "spread"));
    qn_kernel_attributes attributes; /* NVIDIA's driver keeps a byte of static memory */
    must(qn_kernel_get_attributes(&attributes, k));
    const uint32_t all =
        (uint32_t)((qn_device_get_info(device)->shared_bytes_max - attributes.static_shared_bytes) /
                   4 * 4);
    const uint32_t sizes[] = {128, all, 128, 0};
    const qn_addr out = alloc(128);
    uint32_t got[32];
    for (int i = 0; sizes[i]; i++) {
        uint32_t words = sizes[i] / 4;
        must(qn_stream_launch(stream, k, &(qn_dims){.block = {32}, .shared_bytes = sizes[i]},
                              (void *[]){address_of(&out), &words}));
        must(qn_memory_download(device, got, out, sizeof got, NULL));
        for (uint32_t j = 0; j < 32; j++)
            ck_assert_uint_eq(got[j], j + 1);
    }
    must_not(QN_E_LIMIT,
             qn_stream_launch(stream, k, &(qn_dims){.block = {32}, .shared_bytes = all + 4},
                              (void *[]){address_of(&out), &got[0]}));
    must(qn_memory_free(device, out));
    qn_module_close(mod);
}
END_TEST

/* -- texts nobody describes -- */

START_TEST(arguments_of_undescribed_text_come_from_the_driver)
{
    qn_module *mod = load("kernel void mix3(global float *out, const float4 v, constant int *c,\n"
                          "                 uchar b, long l, unsigned short s, double d)\n"
                          "{ out[0] = v.x + v.w + c[0] + b + l + s + (float)d; }\n",
                          NULL);
    static const struct {
        const char *name;
        qn_arg_kind kind;
        uint32_t bytes;
    } want[] = {{"out", QN_ARG_POINTER, 8}, {"v", QN_ARG_VALUE, 16}, {"c", QN_ARG_POINTER, 8},
                {"b", QN_ARG_VALUE, 1},     {"l", QN_ARG_VALUE, 8},  {"s", QN_ARG_VALUE, 2},
                {"d", QN_ARG_VALUE, 8}};
    const qn_kernel *k;
    must(qn_kernel_find(&k, mod, "mix3"));
    const qn_kernel_info *info = qn_kernel_get_info(k);
    ck_assert(info->args_known);
    ck_assert_uint_eq(info->n_args, N(want));
    for (int i = 0; i < N(want); i++) {
        ck_assert_str_eq(info->args[i].name, want[i].name);
        ck_assert_int_eq(info->args[i].kind, want[i].kind);
        ck_assert_uint_eq(info->args[i].size_bytes, want[i].bytes);
    }
    const qn_addr memory = alloc(64), c = memory + 32;
    const float v[4] = {0.5f, 100, 100, 0.25f};
    const int one = 1;
    uint8_t b = 2;
    int64_t l = 3;
    uint16_t s = 4;
    double d = 5;
    float got;
    void *args[] = {address_of(&memory), address_of(v), address_of(&c), &b, &l, &s, &d};
    must(qn_memory_upload(device, c, &one, sizeof one, NULL));
    must(qn_stream_launch(stream, k, &(qn_dims){0}, args));
    must(qn_memory_download(device, &got, memory, sizeof got, NULL));
    ck_assert_float_eq(got, 15.75f);
    must(qn_memory_free(device, memory));
    qn_module_close(mod);
}
END_TEST

static const struct {
    const char *name, *text, *message;
} undescribed[] = {
    {"a local pointer", "kernel void k(local int *tile) { tile[0] = 1; }", "__local"},
    {"a struct by value", "struct s { int a, b; }; kernel void k(struct s v) { }", "struct s"},
};

START_TEST(undescribed_arguments_that_cannot_be_set_are_refused_with_the_reason)
{
    qn_module *mod = load(undescribed[_i].text, NULL);
    const qn_kernel *k;
    must_not(QN_E_UNSUPPORTED, qn_kernel_find(&k, mod, "k"));
    ck_assert_ptr_null(k);
    ck_assert_msg(strstr(qn_message(), undescribed[_i].message) != NULL, "%s: %s",
                  undescribed[_i].name, qn_message());
    qn_module_close(mod);
}
END_TEST

START_TEST(a_name_that_no_kernel_has_is_refused_with_the_names_there_are)
{
    qn_module *mod = load(hidden_text, &hidden_reflection);
    const qn_kernel *k;
    must_not(QN_E_NOT_FOUND, qn_kernel_find(&k, mod, "stop"));
    ck_assert_msg(strstr(qn_message(), "ns::rotate_table<unsigned int, 4>") != NULL, "%s",
                  qn_message());
    qn_module_close(mod);
    mod = load("kernel void k(global int *p) { p[0] = 1; }", NULL);
    must_not(QN_E_NOT_FOUND, qn_kernel_find(&k, mod, "stop"));
    qn_module_close(mod);
}
END_TEST

/* -- what is refused at load -- */

START_TEST(text_that_does_not_compile_is_refused_with_the_drivers_log)
{
    qn_module *mod;
    struct qn__str log;
    qn_image *image = image_of("opencl:portable", "kernel void k(void) { undeclared = 1; }", NULL);
    must_not(QN_E_DRIVER, qn_module_load(&mod, device, image));
    ck_assert_msg(strstr(qn_message(), "undeclared"), "%s",
                  qn_message()); /* not a log's first line */
    must_not(QN_E_DRIVER, qn__module_load(&mod, device, image, &log));
    ck_assert_ptr_null(mod);
    ck_assert_msg(log.len && strstr(log.text, "undeclared"), "log: %s", log.text);
    qn__str_release(&log);
    qn_image_release(image);
}
END_TEST

START_TEST(an_image_that_needs_what_the_device_lacks_is_refused)
{
    static const char *const needs[] = {"cl_khr_byte_addressable_store", "cl_made_up_extension"};
    struct qn__reflection r = hidden_reflection;
    r.needs = needs;
    r.n_needs = 1;
    must(load_status("opencl:portable", hidden_text, &r));
    r.n_needs = 2;
    must_not(QN_E_MISMATCH, load_status("opencl:portable", hidden_text, &r));
    ck_assert_msg(strstr(qn_message(), "cl_made_up_extension") != NULL, "%s", qn_message());
    must_not(QN_E_MISMATCH, load_status("cuda:compute_80", hidden_text, NULL));
    must_not(QN_E_MISMATCH, load_status("opencl:no_such_profile", hidden_text, NULL));
    must_not(QN_E_INVALID, load_status("nonsense", hidden_text, NULL));
}
END_TEST

START_TEST(more_arguments_than_the_device_takes_are_refused_with_numbers)
{
    static qn_arg_info args[1] = {
        {.name = "big", .type = "struct big", .kind = QN_ARG_VALUE, .size_bytes = 1 << 20}};
    static const struct qn__kernel kernel = {
        .info = {.name = "k", .expression = "k", .args_known = true, .n_args = 1, .args = args}};
    const struct qn__reflection r = {.n_kernels = 1, .kernels = &kernel, .build_options = ""};
    qn_module *mod = load("kernel void k(int big) { }", &r); /* told a larger size */
    const qn_kernel *k;
    must_not(QN_E_LIMIT, qn_kernel_find(&k, mod, "k"));
    ck_assert_msg(strstr(qn_message(), "1048576") != NULL, "%s", qn_message());
    qn_module_close(mod);
}
END_TEST

/* -- binaries -- */

START_TEST(a_drivers_binary_loads_again_and_only_on_its_device)
{
    qn_module *text = load(hidden_text, &hidden_reflection), *mod;
    qn_image *binary, *foreign;
    must(device->backend->module_binary(&binary, text));
    const qn_image_info *info = qn_image_get_info(binary);
    ck_assert_int_eq(info->kind, QN_IMAGE_OPENCL_BINARY);
    ck_assert_uint_gt(info->size_bytes, 0);
    ck_assert_uint_eq(info->n_kernels, 1);
    qn_module_close(text);

    must(qn_module_load(&mod, device, binary));
    const qn_kernel *k;
    must(qn_kernel_find(&k, mod, "rotate_table"));
    const qn_addr out = alloc(32);
    uint32_t n = 8, got[8];
    void *args[] = {address_of(&out), &n};
    must(qn_stream_launch(stream, k, &(qn_dims){.block = {8}, .shared_bytes = 32}, args));
    must(qn_memory_download(device, got, out, sizeof got, NULL));
    ck_assert_uint_eq(got[0], 11);
    ck_assert_uint_eq(got[7], 3);
    must(qn_memory_free(device, out));
    qn_module_close(mod);

    must(qn__image_create(&foreign,
                          "opencl:"
                          "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
                          "by hand", QN_IMAGE_OPENCL_BINARY, info->bytes, info->size_bytes, NULL,
                          0));
    must_not(QN_E_MISMATCH, qn_module_load(&mod, device, foreign));
    qn_image_release(foreign);
    qn_image_release(binary);
}
END_TEST

START_TEST(a_fingerprint_is_the_same_for_every_handle_of_a_device)
{
    char a[QN__HASH_HEX], b[QN__HASH_HEX];
    qn_device *again;
    must(qn_device_open(&again, qn_device_get_info(device)->id));
    qn__device_fingerprint(a, device);
    qn__device_fingerprint(b, again);
    ck_assert_uint_eq(strlen(a), 64);
    ck_assert_str_eq(a, b);
    qn_device_close(again);
}
END_TEST

/* -- the allocation table -- */

START_TEST(copies_stay_inside_one_live_allocation)
{
    char bytes[256] = {0};
    const qn_addr a = alloc(100), b = alloc(100), gone = alloc(64);
    must(qn_memory_free(device, gone));
    must(qn_memory_upload(device, a, bytes, 100, NULL));
    must(qn_memory_upload(device, a + 99, bytes, 1, NULL));
    must_not(QN_E_INVALID, qn_memory_upload(device, a, bytes, 101, NULL));
    ck_assert_msg(strstr(qn_message(), "100 bytes") != NULL, "%s", qn_message());
    must_not(QN_E_INVALID, qn_memory_upload(device, a + 99, bytes, 2, NULL));
    must_not(QN_E_INVALID, qn_memory_download(device, bytes, b + 1, 100, NULL));
    must_not(QN_E_INVALID, qn_memory_copy(device, a, b, 101, NULL));
    must_not(QN_E_INVALID, qn_memory_download(device, bytes, gone, 1, NULL));
    must_not(QN_E_INVALID, qn_memory_fill(device, a, 0, 4, 26, NULL));
    must_not(QN_E_INVALID, qn_memory_upload(device, (uintptr_t)bytes, bytes, 1, stream));
    must_not(QN_E_INVALID, qn_memory_free(device, a + 4));
    must_not(QN_E_INVALID, qn_memory_free(device, gone));
    must(qn_memory_free(device, a));
    must(qn_memory_free(device, b));
    must_not(QN_E_INVALID, qn_memory_free_host(device, bytes));
}
END_TEST

START_TEST(the_table_holds_many_allocations_freed_in_any_order)
{
    enum { COUNT = 500 };
    static qn_addr addr[COUNT];
    uint64_t before, after;
    uint32_t value;
    must(qn_device_memory(device, &before, NULL));
    for (uint32_t i = 0; i < COUNT; i++) {
        addr[i] = alloc(4 + i);
        ck_assert_uint_eq(addr[i] % 128, 0);
        must(qn_memory_upload(device, addr[i], &i, 4, NULL));
    }
    for (uint32_t i = 0; i < COUNT; i += 2)
        must(qn_memory_free(device, addr[i * 7 % COUNT]));
    for (uint32_t i = 1; i < COUNT; i += 2) {
        must(qn_memory_download(device, &value, addr[i * 7 % COUNT], 4, NULL));
        ck_assert_uint_eq(value, i * 7 % COUNT);
        must(qn_memory_free(device, addr[i * 7 % COUNT]));
    }
    /* Of memory that the host shares, what is free is also for others to take. */
    must(qn_device_memory(device, &after, NULL));
    if (qn_device_get_info(device)->device_class == QN_DEVICE_CPU)
        ck_assert_uint_gt(after + (256 << 20), before);
}
END_TEST

int main(void)
{
    const struct fixture_case cases[] = {
        {hidden_arguments_carry_shared_memory_and_variables, 1},
        {dynamic_shared_memory_follows_each_launch, 1},
        {dynamic_shared_memory_reaches_to_the_limit_after_a_small_launch, 1},
        {arguments_of_undescribed_text_come_from_the_driver, 1},
        {undescribed_arguments_that_cannot_be_set_are_refused_with_the_reason, N(undescribed)},
        {a_name_that_no_kernel_has_is_refused_with_the_names_there_are, 1},
        {text_that_does_not_compile_is_refused_with_the_drivers_log, 1},
        {an_image_that_needs_what_the_device_lacks_is_refused, 1},
        {more_arguments_than_the_device_takes_are_refused_with_numbers, 1},
        {a_drivers_binary_loads_again_and_only_on_its_device, 1},
        {a_fingerprint_is_the_same_for_every_handle_of_a_device, 1},
        {copies_stay_inside_one_live_allocation, 1},
        {the_table_holds_many_allocations_freed_in_any_order, 1},
        {0},
    };
    return fixture_run("runtime opencl", "opencl", NULL, NULL, cases);
}
