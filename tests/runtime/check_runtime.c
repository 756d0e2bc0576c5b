/* SPDX-License-Identifier: Apache-2.0
 *
 * The public API of devices, memory, modules, kernels and launches, on whatever device
 * QUERN_DEVICE or QUERN_BACKEND names (else the preferred one). Streams, events, graphs and threads
 * are in check_runtime_queue.c.
 *
 * covers: runtime/device runtime/device_open runtime/memory runtime/module */
#include "tests/runtime/runtime_kernels.h"

#define N(array) ((int)(sizeof(array) / sizeof *(array)))

static qn_module *mod; /* of runtime_kernels.h */

static void open_all(void)
{
    mod = build_kernels();
}

static void close_all(void)
{
    qn_module_close(mod);
}

static const qn_kernel *find(const char *name)
{
    return kernel(mod, name);
}

/* -- devices -- */

START_TEST(the_open_device_is_in_the_list_and_says_what_it_is)
{
    const qn_device_info *info = qn_device_get_info(device);
    qn_device_list list;
    must(qn_device_list_init(&list));
    bool found = false;
    for (uint32_t i = 0; i < list.n_devices; i++) {
        const qn_device_info *d = &list.devices[i];
        ck_assert_ptr_eq(strstr(d->id, d->backend), d->id);
        ck_assert_str_ne(d->name, "");
        ck_assert_str_ne(d->kind, "hip");
        ck_assert_uint_gt(d->wave_width, 0);
        found |= !strcmp(d->id, info->id) && !strcmp(d->name, info->name) &&
                 !strcmp(d->target, info->target);
    }
    ck_assert_msg(found, "%s is not in the list", info->id);
    for (uint32_t i = 0; i < list.n_refusals; i++)
        ck_assert_str_ne(list.refusals[i].reason, "");
    qn_device_list_release(&list);
    qn_device_list_release(&list);
    qn_device_list_release(NULL);
    ck_assert_uint_gt(info->compute_units, 0);
    ck_assert_uint_gt(info->shared_bytes_max, 0);
    ck_assert_uint_ge(info->block_threads_max, info->wave_width);
    ck_assert_uint_ge(info->memory_total_bytes, info->memory_free_bytes);
    for (int i = 0; i < 3; i++) {
        ck_assert_uint_gt(info->block_max[i], 0);
        ck_assert_uint_ge(info->grid_max[i], 65535);
    }
}
END_TEST

START_TEST(a_device_opens_by_id_by_backend_and_by_environment)
{
    const qn_device_info *info = qn_device_get_info(device);
    const char *const ids[] = {info->id, info->backend};
    qn_device *again;
    for (int i = 0; i < N(ids); i++) {
        must(qn_device_open(&again, ids[i]));
        ck_assert_str_eq(qn_device_get_info(again)->backend, info->backend);
        qn_device_close(again);
    }
    char *kept = getenv("QUERN_DEVICE") ? strdup(getenv("QUERN_DEVICE")) : NULL;
    setenv("QUERN_DEVICE", info->id, 1);
    must(qn_device_open(&again, NULL));
    ck_assert_str_eq(qn_device_get_info(again)->id, info->id);
    qn_device_close(again);
    unsetenv("QUERN_DEVICE");
    if (kept)
        setenv("QUERN_DEVICE", kept, 1);
    free(kept);
    qn_device_close(NULL);
}
END_TEST

START_TEST(children_keep_their_device_alive)
{
    qn_device *dev;
    qn_stream *s;
    qn_event *e;
    must(qn_device_open(&dev, qn_device_get_info(device)->id));
    must(qn_stream_create(&s, dev, NULL));
    must(qn_event_create(&e, dev));
    qn_device_close(dev);
    must(qn_event_record(e, s));
    must(qn_event_sync(e));
    qn_event_destroy(e);
    must(qn_stream_sync(s));
    qn_stream_destroy(s);
}
END_TEST

/* -- memory -- */

START_TEST(bytes_come_back_as_they_went_also_at_odd_addresses)
{
    enum { SIZE = 4099 };
    static unsigned char out[SIZE], in[SIZE];
    const qn_addr a = alloc(2 * SIZE), b = alloc(2 * SIZE);
    static const struct {
        uint32_t offset, bytes;
    } cases[] = {{0, SIZE}, {1, 1}, {3, 4096}, {127, 130}, {SIZE, SIZE}, {5, 0}};
    for (int c = 0; c < N(cases); c++) {
        const uint32_t at = cases[c].offset, n = cases[c].bytes;
        for (uint32_t i = 0; i < n; i++)
            out[i] = (unsigned char)(i * 7 + (uint32_t)c);
        memset(in, 0, sizeof in);
        must(qn_memory_upload(device, a + at, out, n, NULL));
        must(qn_memory_copy(device, b + at, a + at, n, NULL));
        must(qn_memory_download(device, in, b + at, n, NULL));
        ck_assert_msg(!memcmp(in, out, n), "%u bytes at %u", n, at);
        ck_assert_uint_eq(in[n < SIZE ? n : 0], n < SIZE ? 0 : out[0]); /* no more than asked */
    }
    must(qn_memory_free(device, a));
    must(qn_memory_free(device, b));
}
END_TEST

START_TEST(a_fill_writes_its_elements_and_no_more)
{
    enum { SIZE = 1024 };
    unsigned char in[SIZE];
    const qn_addr a = alloc(SIZE);
    static const struct {
        uint32_t value, elem_bytes, offset, n_elems;
    } cases[] = {{0xab, 1, 3, 77}, {0x1234, 2, 6, 33}, {0xdeadbeef, 4, 8, 200}, {0xfff00, 1, 0, 9}};
    for (int c = 0; c < N(cases); c++) {
        const uint32_t size = cases[c].elem_bytes, at = cases[c].offset;
        must(qn_memory_fill(device, a, 0x55, 1, SIZE, NULL));
        must(qn_memory_fill(device, a + at, cases[c].value, size, cases[c].n_elems, stream));
        must(qn_memory_download(device, in, a, SIZE, stream));
        must(qn_stream_sync(stream));
        for (uint32_t i = 0; i < SIZE; i++) {
            const bool inside = i >= at && i < at + size * cases[c].n_elems;
            const unsigned want = inside ? cases[c].value >> (i - at) % size * 8 & 0xff : 0x55;
            ck_assert_msg(in[i] == want, "case %d, byte %u: %x", c, i, in[i]);
        }
    }
    must(qn_memory_fill(device, a, 1, 4, 0, NULL));
    must_not(QN_E_INVALID, qn_memory_fill(device, a, 1, 3, 1, NULL));
    must_not(QN_E_INVALID, qn_memory_fill(device, a + 1, 1, 2, 1, NULL));
    must_not(QN_E_INVALID, qn_memory_fill(device, 0, 1, 4, 1, NULL));
    must(qn_memory_free(device, a));
}
END_TEST

START_TEST(wrong_memory_calls_are_refused_with_the_reason)
{
    char bytes[64] = {0};
    const qn_addr a = alloc(64);
    qn_addr got = 1;
    void *host = bytes;
    must_not(QN_E_INVALID, qn_memory_alloc(&got, device, 0));
    ck_assert_uint_eq(got, 0);
    must_not(QN_E_INVALID, qn_memory_alloc_host(&host, device, 0));
    ck_assert_ptr_null(host);
    must_not(QN_E_INVALID, qn_memory_upload(device, 0, bytes, 1, NULL));
    must_not(QN_E_INVALID, qn_memory_upload(device, a, NULL, 1, NULL));
    must_not(QN_E_INVALID, qn_memory_download(device, NULL, a, 1, NULL));
    must_not(QN_E_INVALID, qn_memory_copy(device, a, a + 16, 32, NULL));
    ck_assert_msg(strstr(qn_message(), "overlap") != NULL, "%s", qn_message());
    must_not(QN_E_INVALID, qn_memory_copy(device, a + 16, a, 32, NULL));
    must(qn_memory_copy(device, a + 32, a, 32, NULL));
    must_not(QN_E_INVALID, qn_memory_upload(device, UINT64_MAX - 3, bytes, 64, NULL));
    must_not(QN_E_INVALID, qn_memory_free(device, a + 8));
    must(qn_memory_free(device, a));
    must_not(QN_E_INVALID, qn_memory_free(device, a));
    must(qn_memory_free(device, 0));
    must(qn_memory_free_host(device, NULL));
}
END_TEST

START_TEST(running_out_of_device_memory_is_reported_and_survived)
{
    enum { PIECES = 64 };
    qn_addr pieces[PIECES], more;
    uint64_t total, free_bytes;
    must(qn_device_memory(device, &free_bytes, &total));
    ck_assert_uint_gt(total, 0);
    ck_assert_uint_le(free_bytes, total);
    const qn_status whole = qn_memory_alloc(&more, device, 2 * total);
    ck_assert_msg(whole == QN_E_DEVICE_MEMORY || whole == QN_E_LIMIT, "%s", qn_status_name(whole));
    ck_assert_uint_eq(more, 0);
    /* pieces of an eighth must run out before 64 of them */
    int n = 0;
    qn_status s;
    while ((s = qn_memory_alloc(&more, device, total / 8)) == QN_OK && n < PIECES)
        pieces[n++] = more;
    must_not(QN_E_DEVICE_MEMORY, s);
    char asked[32];
    snprintf(asked, sizeof asked, "%llu", (unsigned long long)(total / 8));
    ck_assert_msg(strstr(qn_message(), asked) != NULL, "%s", qn_message());
    while (n > 0)
        must(qn_memory_free(device, pieces[--n]));
    const qn_addr small = alloc(4096);
    must(qn_memory_free(device, small));
}
END_TEST

START_TEST(pinned_host_memory_is_memory)
{
    enum { SIZE = 10000 };
    void *host;
    must(qn_memory_alloc_host(&host, device, SIZE));
    unsigned char *p = host;
    for (int i = 0; i < SIZE; i++)
        p[i] = (unsigned char)(i * 13);
    const qn_addr a = alloc(SIZE);
    must(qn_memory_upload(device, a, p, SIZE, stream));
    must(qn_stream_sync(stream));
    memset(p, 0, SIZE);
    must(qn_memory_download(device, p, a, SIZE, stream));
    must(qn_stream_sync(stream));
    for (int i = 0; i < SIZE; i++)
        ck_assert_uint_eq(p[i], (unsigned char)(i * 13));
    must(qn_memory_free(device, a));
    must(qn_memory_free_host(device, host));
}
END_TEST

/* -- kernels -- */

START_TEST(a_launch_computes_over_sizes_that_blocks_do_not_divide)
{
    static float x[3000], y[3000];
    static const uint32_t sizes[] = {1, 31, 256, 257, 2999};
    const qn_kernel *k = find("saxpy");
    const qn_addr dx = alloc(sizeof x), dy = alloc(sizeof y);
    for (int c = 0; c < N(sizes); c++) {
        uint32_t n = sizes[c];
        float a = 0.5f + (float)c;
        for (uint32_t i = 0; i < 3000; i++) {
            x[i] = (float)(i % 97) - 40;
            y[i] = (float)(i % 31);
        }
        must(qn_memory_upload(device, dx, x, sizeof x, stream));
        must(qn_memory_upload(device, dy, y, sizeof y, stream));
        void *args[] = {address_of(&dy), address_of(&dx), &a, &n};
        must(qn_stream_launch(stream, k, &(qn_dims){.grid = {(n + 63) / 64}, .block = {64}}, args));
        a = -1; /* arguments were read before return */
        must(qn_memory_download(device, y, dy, sizeof y, stream));
        must(qn_stream_sync(stream));
        for (uint32_t i = 0; i < 3000; i++) {
            const float want = (float)(i % 31) + (i < n ? (0.5f + (float)c) * x[i] : 0);
            ck_assert_msg(y[i] == want, "n %u, element %u: %g, want %g", n, i, y[i], want);
        }
    }
    must(qn_memory_free(device, dx));
    must(qn_memory_free(device, dy));
}
END_TEST

static const qn_dims shapes[] = {
    {.grid = {0}, .block = {0}},
    {.grid = {5}, .block = {7}},
    {.grid = {1, 3, 1}, .block = {2, 4, 1}},
    {.grid = {2, 3, 4}, .block = {3, 2, 5}},
    {.grid = {4, 0, 3}, .block = {1, 0, 8}},
};

START_TEST(every_thread_of_a_3d_launch_is_where_it_should_be)
{
    static uint32_t out[1024];
    const qn_dims *d = &shapes[_i];
    uint32_t g[3], b[3], size[3];
    for (int i = 0; i < 3; i++) {
        g[i] = d->grid[i] ? d->grid[i] : 1;
        b[i] = d->block[i] ? d->block[i] : 1;
        size[i] = g[i] * b[i];
    }
    const uint32_t n = size[0] * size[1] * size[2];
    const qn_addr a = alloc(sizeof out);
    must(qn_memory_fill(device, a, 0xffffffff, 4, 1024, stream));
    must(qn_stream_launch(stream, find("places"), d, (void *[]){address_of(&a)}));
    must(qn_memory_download(device, out, a, sizeof out, stream));
    must(qn_stream_sync(stream));
    for (uint32_t i = 0; i < 1024; i++) {
        const uint32_t x = i % size[0], y = i / size[0] % size[1], z = i / size[0] / size[1];
        const uint32_t want = (x / b[0]) << 20 | (y / b[1]) << 16 | (z / b[2]) << 12 |
                              (x % b[0]) << 8 | (y % b[1]) << 4 | z % b[2];
        ck_assert_msg(out[i] == (i < n ? want : 0xffffffff), "shape %d, element %u: %x", _i, i,
                      out[i]);
    }
    must(qn_memory_free(device, a));
}
END_TEST

START_TEST(dynamic_shared_memory_has_the_size_of_the_launch)
{
    static const uint32_t blocks[] = {1, 8, 64, 32};
    int data[64];
    const qn_addr a = alloc(sizeof data);
    for (int c = 0; c < N(blocks); c++) {
        const uint32_t block = blocks[c];
        for (int i = 0; i < 64; i++)
            data[i] = i;
        must(qn_memory_upload(device, a, data, sizeof data, stream));
        must(qn_stream_launch(
            stream, find("reverse"),
            &(qn_dims){.grid = {64 / block}, .block = {block}, .shared_bytes = 4 * block},
            (void *[]){address_of(&a)}));
        must(qn_memory_download(device, data, a, sizeof data, stream));
        must(qn_stream_sync(stream));
        for (uint32_t i = 0; i < 64; i++)
            ck_assert_int_eq(data[i], (int)(i / block * block + block - 1 - i % block));
    }
    must(qn_memory_free(device, a));
}
END_TEST

START_TEST(a_kernels_attributes_say_what_it_uses)
{
    qn_kernel_attributes a;
    const qn_device_info *info = qn_device_get_info(device);
    must(qn_kernel_get_attributes(&a, find("neighbour")));
    ck_assert_uint_ge(a.static_shared_bytes, 256 * 4);
    ck_assert_uint_ge(a.block_threads_max, 64);
    ck_assert_uint_le(a.block_threads_max, info->block_threads_max);
    must(qn_kernel_get_attributes(&a, find("saxpy")));
    ck_assert_uint_lt(a.static_shared_bytes, 256 * 4);
    ck_assert_uint_eq(a.wave_width, info->wave_width);
    ck_assert_uint_gt(a.block_threads_preferred, 0);
    ck_assert_uint_le(a.block_threads_preferred, a.block_threads_max);
    ck_assert_uint_eq(a.block_threads_preferred % info->wave_width, 0);
    const qn_kernel_info *k = qn_kernel_get_info(find("saxpy"));
    ck_assert_str_eq(k->expression, "saxpy");
    if (k->args_known) {
        static const uint32_t sizes[] = {8, 8, 4, 4};
        ck_assert_uint_eq(k->n_args, N(sizes));
        for (int i = 0; i < N(sizes); i++)
            ck_assert_uint_eq(k->args[i].size_bytes, sizes[i]);
    }
}
END_TEST

static const struct {
    const char *name, *kernel;
    qn_dims dims;
    const char *message;
} beyond[] = {
    {"a block side", "places", {.block = {1, 1, 1u << 20}}, "block.z 1048576"},
    {"a block's product", "places", {.block = {64, 64, 64}}, "262144"},
    {"shared memory", "reverse", {.block = {8}, .shared_bytes = 0x40000000}, "1073741824"},
};

START_TEST(a_launch_beyond_a_limit_is_refused_with_the_numbers)
{
    const qn_addr a = alloc(1024);
    void *args[] = {address_of(&a)};
    must_not(QN_E_LIMIT, qn_stream_launch(stream, find(beyond[_i].kernel), &beyond[_i].dims, args));
    ck_assert_msg(strstr(qn_message(), beyond[_i].kernel) &&
                      strstr(qn_message(), beyond[_i].message),
                  "%s: %s", beyond[_i].name, qn_message());
    must_not(QN_E_INVALID, qn_stream_launch(stream, find("saxpy"), &(qn_dims){0}, NULL));
    must(qn_stream_sync(stream)); /* the stream is as it was */
    must(qn_memory_free(device, a));
}
END_TEST

START_TEST(module_variables_are_found_read_and_written)
{
    int data[10];
    uint32_t n = 10, tally = 5;
    qn_addr weights, counter;
    uint64_t bytes;
    const qn_kernel *k = find("weigh");
    must(qn_module_find_global(&weights, &bytes, mod, "weights"));
    ck_assert_uint_eq(bytes, 16);
    must(qn_module_find_global(&counter, &bytes, mod, "tally"));
    ck_assert_uint_eq(bytes, 4);
    must(qn_memory_upload(device, counter, &tally, 4, NULL));
    const qn_addr a = alloc(sizeof data);
    static const int table[2][4] = {{2, 3, 5, 7}, {-1, 10, 100, 0}}; /* as initialised; as set */
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < 10; i++)
            data[i] = i + 1;
        must(qn_memory_upload(device, a, data, sizeof data, NULL));
        if (round)
            must(qn_memory_upload(device, weights, table[1], 16, NULL));
        must(qn_stream_launch(stream, k, &(qn_dims){.grid = {2}, .block = {8}},
                              (void *[]){address_of(&a), &n}));
        must(qn_memory_download(device, data, a, sizeof data, NULL));
        for (int i = 0; i < 10; i++)
            ck_assert_int_eq(data[i], (i + 1) * table[round][i % 4]);
    }
    must(qn_memory_download(device, &tally, counter, 4, NULL));
    ck_assert_uint_eq(tally, 25);
    must(qn_memory_upload(device, weights, table[0], 16, NULL));
    must_not(QN_E_NOT_FOUND, qn_module_find_global(&weights, &bytes, mod, "weight"));
    must(qn_memory_free(device, a));
}
END_TEST

START_TEST(kernels_follow_addresses_that_the_host_stored_in_memory)
{
    enum { ITEMS = 5 };
    struct {
        uint64_t next;
        int64_t value;
    } item;
    qn_addr items[ITEMS];
    const qn_addr out = alloc(8);
    int64_t sum = 0, want = 0;
    const qn_kernel *k = find("sum_list");
    for (int round = 0; round < 2; round++) { /* the second time through other allocations */
        for (int i = 0; i < ITEMS; i++)
            items[i] = alloc(256);
        want = 0;
        for (int i = 0; i < ITEMS; i++) {
            item.next = i + 1 < ITEMS ? items[i + 1] + 48 : 0; /* into the middle of each */
            item.value = (int64_t)1 << (8 * i + round);
            want += item.value;
            must(qn_memory_upload(device, items[i] + 48, &item, sizeof item, NULL));
        }
        const qn_addr first = items[0] + 48;
        must(qn_stream_launch(stream, k, &(qn_dims){0},
                              (void *[]){address_of(&out), address_of(&first)}));
        must(qn_memory_download(device, &sum, out, 8, NULL));
        ck_assert_int_eq(sum, want);
        for (int i = 0; i < ITEMS; i++)
            must(qn_memory_free(device, items[i]));
    }
    const qn_addr nothing = 0; /* a null pointer is an argument like any other */
    must(qn_stream_launch(stream, k, &(qn_dims){0},
                          (void *[]){address_of(&out), address_of(&nothing)}));
    must(qn_memory_download(device, &sum, out, 8, NULL));
    ck_assert_int_eq(sum, 0);
    must(qn_memory_free(device, out));
}
END_TEST

START_TEST(template_kernels_are_found_by_expression_and_told_apart)
{
    const qn_kernel *ambiguous;
    int ints[5] = {1, -2, 3, -4, 5};
    float floats[5] = {1, -2, 3, -4, 5};
    uint32_t n = 4;
    const qn_addr a = alloc(sizeof ints), b = alloc(sizeof floats);
    const qn_kernel *by_int = find("ns::scale<int, 3>");
    ck_assert_ptr_eq(by_int, find(" ns :: scale<int,3> "));
    ck_assert_ptr_ne(by_int, find("ns::scale<float, 2>"));
    must_not(QN_E_NOT_FOUND, qn_kernel_find(&ambiguous, mod, "scale"));
    ck_assert_ptr_null(ambiguous);
    ck_assert_msg(strstr(qn_message(), "ns::scale<int, 3>") != NULL, "%s", qn_message());
    must_not(QN_E_NOT_FOUND, qn_kernel_find(&ambiguous, mod, "ns::scale<int, 4>"));
    must(qn_memory_upload(device, a, ints, sizeof ints, NULL));
    must(qn_memory_upload(device, b, floats, sizeof floats, NULL));
    const qn_dims dims = {.block = {8}};
    must(qn_stream_launch(stream, by_int, &dims, (void *[]){address_of(&a), &n}));
    must(qn_stream_launch(stream, find("ns::scale<float, 2>"), &dims,
                          (void *[]){address_of(&b), &n}));
    must(qn_memory_download(device, ints, a, sizeof ints, NULL));
    must(qn_memory_download(device, floats, b, sizeof floats, NULL));
    for (int i = 0; i < 5; i++) {
        const int v = i % 2 ? -(i + 1) : i + 1;
        ck_assert_int_eq(ints[i], i < 4 ? 3 * v : v);
        ck_assert_float_eq(floats[i], (float)(i < 4 ? 2 * v : v));
    }
    must(qn_memory_free(device, a));
    must(qn_memory_free(device, b));
}
END_TEST

START_TEST(one_image_makes_several_modules_with_variables_of_their_own)
{
    qn_module *other;
    qn_addr mine, theirs;
    uint64_t bytes;
    must(qn_module_load(&other, device, qn_module_get_image(mod)));
    must(qn_module_find_global(&mine, &bytes, mod, "tally"));
    must(qn_module_find_global(&theirs, &bytes, other, "tally"));
    ck_assert_uint_ne(mine, theirs);
    ck_assert_ptr_ne(find("weigh"), kernel(other, "weigh"));
    qn_module_close(other);
    qn_module_close(NULL);
}
END_TEST

int main(void)
{
    const struct fixture_case cases[] = {
        {the_open_device_is_in_the_list_and_says_what_it_is, 1},
        {a_device_opens_by_id_by_backend_and_by_environment, 1},
        {children_keep_their_device_alive, 1},
        {bytes_come_back_as_they_went_also_at_odd_addresses, 1},
        {a_fill_writes_its_elements_and_no_more, 1},
        {wrong_memory_calls_are_refused_with_the_reason, 1},
        {running_out_of_device_memory_is_reported_and_survived, 1},
        {pinned_host_memory_is_memory, 1},
        {a_launch_computes_over_sizes_that_blocks_do_not_divide, 1},
        {every_thread_of_a_3d_launch_is_where_it_should_be, N(shapes)},
        {dynamic_shared_memory_has_the_size_of_the_launch, 1},
        {a_kernels_attributes_say_what_it_uses, 1},
        {a_launch_beyond_a_limit_is_refused_with_the_numbers, N(beyond)},
        {module_variables_are_found_read_and_written, 1},
        {kernels_follow_addresses_that_the_host_stored_in_memory, 1},
        {template_kernels_are_found_by_expression_and_told_apart, 1},
        {one_image_makes_several_modules_with_variables_of_their_own, 1},
        {0},
    };
    return fixture_run("runtime", NULL, open_all, close_all, cases);
}
