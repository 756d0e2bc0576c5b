/* SPDX-License-Identifier: Apache-2.0
 *
 * The CPU backend with kernels of its own, written in C: how work is shared out, what waits for
 * what, variables, assertions, fork().
 *
 * covers: runtime/cpu/cpu_backend runtime/cpu/cpu_device runtime/cpu/cpu_memory
 * runtime/cpu/cpu_mark runtime/cpu/cpu_module runtime/cpu/cpu_stream runtime/cpu/cpu_event
 * runtime/cpu/cpu_pool runtime/cpu/cpu_run runtime/cpu/cpu_load runtime/open_devices */
#define _GNU_SOURCE
#include "runtime/cpu/cpu_pool.h"
#include "tests/runtime/cpu_image.h"

#include <dirent.h>
#include <pthread.h>
#include <sched.h>
#include <sys/wait.h>
#include <time.h>

static const char kernels[] =
    "KERNEL(nothing) { (void)b, (void)args; }\n"
    /* each work-item adds 1 at its place, and where the block stands in the grid is checked */
    "KERNEL(count)\n"
    "{\n"
    "    uint32_t *out = *(uint32_t **)args[0];\n"
    "    const uint32_t block = (b->block[2] * b->blocks[1] + b->block[1]) * b->blocks[0] + "
    "b->block[0];\n"
    "    const uint32_t items = b->items[0] * b->items[1] * b->items[2];\n"
    "    for (uint32_t i = 0; i < items; i++)\n"
    "        out[block * items + i] += 1 + block % 3;\n"
    "}\n"
    /* waits for *go, then says it was there */
    "KERNEL(wait_for)\n"
    "{\n"
    "    volatile uint32_t *go = *(uint32_t **)args[0];\n"
    "    while (!*go) {}\n"
    "    (*(uint32_t **)args[1])[b->block[0]] = 7;\n"
    "}\n"
    /* shared memory and frames are this long and aligned */
    "KERNEL(memory)\n"
    "{\n"
    "    const uint32_t items = b->items[0], dynamic = *(uint32_t *)args[1];\n"
    "    uint32_t *bad = *(uint32_t **)args[0];\n"
    "    if ((uintptr_t)b->shared % 128 || (uintptr_t)b->frame % 128)\n"
    "        *bad = 1;\n"
    "    for (uint32_t i = 0; i < 4000 + dynamic; i++)\n"
    "        b->shared[i] = (unsigned char)i;\n"
    "    for (uint32_t i = 0; i < 512 * items; i++)\n"
    "        b->frame[i] = (unsigned char)(i * 3);\n"
    "    for (uint32_t i = 0; i < 4000 + dynamic; i++)\n"
    "        if (b->shared[i] != (unsigned char)i)\n"
    "            *bad = 2;\n"
    "}\n"
    /* how many blocks run at once, at most */
    "KERNEL(crowd)\n"
    "{\n"
    "    uint32_t *n = *(uint32_t **)args[0], now = __atomic_add_fetch(n, 1, 5);\n"
    "    for (volatile int i = 0; i < 20000; i++) {}\n"
    "    for (uint32_t most = n[1]; now > most && !__atomic_compare_exchange_n(&n[1], &most, now, "
    "0, "
    "5, 5);) {}\n"
    "    __atomic_sub_fetch(n, 1, 5);\n"
    "    (void)b;\n"
    "}\n"
    "EXPORT int table[4] = {2, 3, 5, 7};\n"
    "EXPORT uint32_t tally;\n"
    "KERNEL(sum)\n"
    "{\n"
    "    tally += table[0] + table[1] + table[2] + table[3] + *(int *)args[0];\n"
    "    (void)b;\n"
    "}\n"
    "KERNEL(claim)\n"
    "{\n"
    "    (void)args;\n"
    "    if (b->block[0] == 3)\n"
    "        b->services->fail(b->services, \"claim.cu\", 12, \"x < 4\");\n"
    "}\n"
    "KERNEL(say)\n"
    "{\n"
    "    b->services->print(b->services, \"block %u of %s\\n\", b->block[0], *(char **)args[0]);\n"
    "}\n"
    "EXPORT const struct qn_kernel_entry qn_kernels[] = {\n"
    "    {\"nothing\", nothing, 0, 0, 0, 32, 4}, {\"count\", count, 0, 0, 0, 32, 0},\n"
    "    {\"wait_for\", wait_for, 0, 0, 0, 32, 1}, {\"memory\", memory, 4000, 512, 256, 32, 0},\n"
    "    {\"sum\", sum, 0, 0, 0, 32, 4}, {\"claim\", claim, 0, 0, 0, 32, 0},\n"
    "    {\"say\", say, 0, 0, 0, 32, 0}, {\"crowd\", crowd, 0, 0, 0, 32, 0}};\n"
    "EXPORT const uint32_t qn_kernels_count = 8;\n"
    "EXPORT const struct qn_global_entry qn_globals[] = {{\"table\", table, 16}, {\"tally\", "
    "&tally, 4}};\n"
    "EXPORT const uint32_t qn_globals_count = 2;\n";

static const qn_arg_info pointers[] = {
    {.name = "a", .type = "unsigned *", .kind = QN_ARG_POINTER, .size_bytes = 8, .align_bytes = 8},
    {.name = "b", .type = "unsigned *", .kind = QN_ARG_POINTER, .size_bytes = 8, .align_bytes = 8}};
static const qn_arg_info pointer_and_number[] = {
    {.name = "a", .type = "unsigned *", .kind = QN_ARG_POINTER, .size_bytes = 8, .align_bytes = 8},
    {.name = "n", .type = "unsigned", .kind = QN_ARG_VALUE, .size_bytes = 4, .align_bytes = 4}};
#define SIGNATURE(kernel, n, list)                                                                 \
    {                                                                                              \
        .info = {                                                                                  \
            .name = kernel,                                                                        \
            .expression = kernel,                                                                  \
            .n_args = n,                                                                           \
            .args = list,                                                                          \
            .args_known = true                                                                     \
        }                                                                                          \
    }
static const struct qn__kernel signatures[] = {
    SIGNATURE("nothing", 0, NULL),
    SIGNATURE("count", 1, pointers),
    SIGNATURE("wait_for", 2, pointers),
    SIGNATURE("memory", 2, pointer_and_number),
    SIGNATURE("sum", 1, &pointer_and_number[1]),
    SIGNATURE("claim", 0, NULL),
    SIGNATURE("say", 1, pointers),
    SIGNATURE("crowd", 1, pointers),
};
static const struct qn__reflection reflection = {.n_kernels =
                                                     sizeof signatures / sizeof *signatures,
                                                 .kernels = signatures,
                                                 .build_options = ""};

static qn_image *image;
static qn_module *mod;

static void open_all(void)
{
    size_t n;
    char *bytes = cpu_object(&n, kernels, "");
    image = cpu_image_of(bytes, n, &reflection);
    free(bytes);
    must(qn_module_load(&mod, device, image));
}

static void close_all(void)
{
    qn_module_close(mod);
    qn_image_release(image);
}

static const qn_kernel *find(const char *name)
{
    const qn_kernel *k;
    must(qn_kernel_find(&k, mod, name));
    return k;
}

static uint32_t *words(uint32_t n)
{
    const qn_addr a = alloc(4 * (uint64_t)n);
    must(qn_memory_fill(device, a, 0, 4, n, NULL));
    return address_of((const void *)(uintptr_t)a); /* an address is a pointer here */
}

static void drop(const void *p)
{
    must(qn_memory_free(device, (uintptr_t)p));
}

static int n_tasks(void)
{
    int n = 0;
    DIR *d = opendir("/proc/self/task");
    ck_assert_ptr_nonnull(d);
    for (const struct dirent *e; (e = readdir(d));)
        n += e->d_name[0] != '.';
    closedir(d);
    return n;
}

static double now_us(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec * 1e-3;
}

/* -- threads -- */

/* The first test: nothing has been queued that needs them. */
START_TEST(a_small_grid_starts_no_thread)
{
    const int before = n_tasks();
    ck_assert_uint_eq(qn__cpu_pool_size(), 0);
    const qn_dims dims = {.grid = {4}, .block = {32}};
    for (int i = 0; i < 100; i++)
        must(qn_stream_launch(stream, find("nothing"), &dims, NULL));
    must(qn_stream_sync(stream));
    ck_assert_uint_eq(qn__cpu_pool_size(), 0);
    ck_assert_int_eq(n_tasks(), before);
}
END_TEST

START_TEST(every_block_runs_once_whatever_the_shape)
{
    static const qn_dims shapes[] = {
        {.grid = {1}, .block = {1}},          {.grid = {2}, .block = {3}},
        {.grid = {7, 5, 3}, .block = {4, 2}}, {.grid = {100000}, .block = {1}},
        {.grid = {1, 1000}, .block = {64}},   {.grid = {3, 1, 50}, .block = {1, 1, 8}},
    };
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        const qn_dims *d = &shapes[s];
        uint32_t n = 1, items = 1;
        for (int i = 0; i < 3; i++) {
            n *= d->grid[i] ? d->grid[i] : 1;
            items *= d->block[i] ? d->block[i] : 1;
        }
        uint32_t *out = words(n * items);
        for (int round = 0; round < 20; round++)
            must(qn_stream_launch(stream, find("count"), d, (void *[]){&out}));
        must(qn_stream_sync(stream));
        for (uint32_t i = 0; i < n * items; i++)
            ck_assert_msg(out[i] == 20 * (1 + i / items % 3), "shape %zu, work-item %u: %u", s, i,
                          out[i]);
        drop(out);
    }
    ck_assert_uint_le(qn__cpu_pool_size(), qn__cpu_threads());
}
END_TEST

START_TEST(launching_from_many_threads_keeps_them_apart)
{
    enum { STREAMS = 12, ROUNDS = 200, ITEMS = 3000 };
    qn_stream *s[STREAMS];
    uint32_t *out[STREAMS];
    const qn_dims d = {.grid = {ITEMS / 3}, .block = {3}};
    for (int i = 0; i < STREAMS; i++) {
        must(qn_stream_create(&s[i], device, NULL));
        out[i] = words(ITEMS);
    }
    for (int round = 0; round < ROUNDS; round++)
        for (int i = 0; i < STREAMS; i++)
            must(qn_stream_launch(s[i], find("count"), &d, (void *[]){&out[i]}));
    for (int i = 0; i < STREAMS; i++) {
        must(qn_stream_sync(s[i]));
        for (uint32_t k = 0; k < ITEMS; k++)
            ck_assert_msg(out[i][k] == ROUNDS * (1 + k / 3 % 3), "stream %d, work-item %u: %u", i,
                          k, out[i][k]);
        qn_stream_destroy(s[i]);
        drop(out[i]);
    }
}
END_TEST

START_TEST(a_launch_returns_while_its_kernel_waits)
{
    uint32_t *go = words(1), *out = words(2), got[2] = {0};
    const qn_dims d = {.grid = {2}, .block = {1}};
    must(qn_stream_launch(stream, find("wait_for"), &d, (void *[]){&go, &out}));
    must(qn_memory_download(device, got, (uintptr_t)out, sizeof got, stream));
    must_not(QN_E_NOT_READY, qn_stream_query(stream));
    must_not(QN_E_TIMEOUT, qn_stream_sync_for(stream, 20));
    ck_assert_msg(strstr(qn_message(), "wait_for still runs") != NULL, "%s", qn_message());
    __atomic_store_n(go, 1, __ATOMIC_SEQ_CST);
    must(qn_stream_sync(stream));
    ck_assert_uint_eq(got[0] + got[1], 14);
    drop(go);
    drop(out);
}
END_TEST

START_TEST(another_stream_goes_on_where_one_waits_for_an_event)
{
    uint32_t *go = words(1), *first = words(1), *second = words(1), *third = words(1);
    const qn_dims d = {.grid = {1}, .block = {1}};
    qn_stream *a, *b, *c;
    qn_event *e;
    must(qn_stream_create(&a, device, NULL));
    must(qn_stream_create(&b, device, NULL));
    must(qn_stream_create(&c, device, NULL));
    must(qn_event_create(&e, device));
    must(qn_stream_launch(a, find("wait_for"), &d, (void *[]){&go, &first}));
    must(qn_event_record(e, a));
    must(qn_stream_wait(b, e));
    must(qn_stream_launch(b, find("count"), &d, (void *[]){&second}));
    must(qn_stream_launch(c, find("count"), &d, (void *[]){&third}));
    must(qn_stream_sync(c));
    ck_assert_uint_eq(*third, 1);
    must_not(QN_E_TIMEOUT, qn_stream_sync_for(b, 10));
    ck_assert_uint_eq(*second, 0);
    __atomic_store_n(go, 1, __ATOMIC_SEQ_CST);
    must(qn_stream_sync(b));
    ck_assert_uint_eq(*first, 7);
    ck_assert_uint_eq(*second, 1);
    must(qn_event_query(e));
    qn_stream_destroy(a);
    qn_stream_destroy(b);
    qn_stream_destroy(c);
    qn_event_destroy(e);
    drop(go);
    drop(first);
    drop(second);
    drop(third);
}
END_TEST

/* -- memory of blocks -- */

START_TEST(a_block_has_the_memory_it_asked_for)
{
    uint32_t *bad = words(1);
    static const uint32_t dynamic[] = {0, 1000, 100000, 5};
    for (size_t i = 0; i < sizeof dynamic / sizeof *dynamic; i++) {
        uint32_t n = dynamic[i];
        const qn_dims d = {.grid = {9}, .block = {(uint32_t)(1 + 60 * i)}, .shared_bytes = n};
        must(qn_stream_launch(stream, find("memory"), &d, (void *[]){&bad, &n}));
        must(qn_stream_sync(stream));
        ck_assert_uint_eq(*bad, 0);
    }
    qn_kernel_attributes a;
    must(qn_kernel_get_attributes(&a, find("memory")));
    ck_assert_uint_eq(a.static_shared_bytes, 4000);
    ck_assert_uint_eq(a.block_threads_max, 256);
    ck_assert_uint_eq(a.wave_width, 32);
    const qn_dims large = {.grid = {1}, .block = {257}};
    uint32_t n = 0;
    must_not(QN_E_LIMIT, qn_stream_launch(stream, find("memory"), &large, (void *[]){&bad, &n}));
    drop(bad);
}
END_TEST

/* -- modules -- */

START_TEST(each_load_has_variables_of_its_own)
{
    qn_module *other;
    qn_addr mine, theirs, tally;
    uint64_t bytes;
    const qn_kernel *k;
    const qn_dims d = {.grid = {1}, .block = {1}};
    int more = 100, fresh[4] = {1, 1, 1, 1};
    must(qn_module_load(&other, device, image));
    must(qn_module_find_global(&mine, &bytes, mod, "table"));
    ck_assert_uint_eq(bytes, 16);
    must(qn_module_find_global(&theirs, &bytes, other, "table"));
    ck_assert_uint_ne(mine, theirs);
    must(qn_memory_upload(device, theirs, fresh, sizeof fresh, NULL));
    must(qn_kernel_find(&k, other, "sum"));
    must(qn_stream_launch(stream, k, &d, (void *[]){&more}));
    must(qn_stream_launch(stream, find("sum"), &d, (void *[]){&more}));
    must(qn_stream_sync(stream));
    must(qn_module_find_global(&tally, &bytes, other, "tally"));
    ck_assert_uint_eq(*(uint32_t *)(uintptr_t)tally, 104);
    must(qn_module_find_global(&tally, &bytes, mod, "tally"));
    ck_assert_uint_eq(*(uint32_t *)(uintptr_t)tally, 117);
    must_not(QN_E_NOT_FOUND, qn_module_find_global(&tally, &bytes, mod, "tabl"));
    must_not(QN_E_NOT_FOUND, qn_kernel_find(&k, mod, "total"));
    qn_module_close(other);
}
END_TEST

/* The loader would take a name that it has seen for the object that it knows. */
START_TEST(a_thousand_loads_are_a_thousand_objects)
{
    enum { LOADS = 1000 };
    qn_addr a, last = 0;
    uint64_t bytes;
    qn_module *kept;
    must(qn_module_load(&kept, device, image));
    must(qn_module_find_global(&last, &bytes, kept, "tally"));
    for (int i = 0; i < LOADS; i++) {
        qn_module *m;
        must(qn_module_load(&m, device, image));
        must(qn_module_find_global(&a, &bytes, m, "tally"));
        ck_assert_uint_ne(a, last);
        ck_assert_uint_eq(*(uint32_t *)(uintptr_t)a, 0);
        *(uint32_t *)(uintptr_t)a = 1;
        qn_module_close(m);
    }
    qn_module_close(kept);
}
END_TEST

START_TEST(a_kernel_whose_arguments_nobody_knows_runs_before_its_launch_returns)
{
    size_t n;
    char *bytes = cpu_object(&n, kernels, "");
    qn_image *bare = cpu_image_of(bytes, n, NULL);
    qn_module *m;
    const qn_kernel *k;
    uint32_t *out = words(64);
    const qn_dims d = {.grid = {64}, .block = {1}};
    must(qn_module_load(&m, device, bare));
    must(qn_kernel_find(&k, m, "count"));
    must(qn_stream_launch(stream, k, &d, (void *[]){&out}));
    for (uint32_t i = 0; i < 64; i++)
        ck_assert_uint_eq(out[i], 1 + i % 3);
    qn_module_close(m);
    qn_image_release(bare);
    free(bytes);
    drop(out);
}
END_TEST

/* -- what kernels ask for -- */

START_TEST(a_failed_assertion_is_a_fault_with_its_line_and_the_device_goes_on)
{
    const qn_dims d = {.grid = {8}, .block = {1}};
    must(qn_stream_launch(stream, find("claim"), &d, NULL));
    must_not(QN_E_FAULT, qn_stream_sync(stream));
    ck_assert_msg(strstr(qn_message(), "claim: claim.cu:12: assertion failed: x < 4") != NULL, "%s",
                  qn_message());
    uint32_t *out = words(8);
    must(qn_stream_launch(stream, find("count"), &d, (void *[]){&out}));
    must(qn_stream_sync(stream));
    ck_assert_uint_eq(out[1], 2);
    drop(out);
}
END_TEST

START_TEST(what_a_kernel_prints_comes_to_stdout)
{
    char text[64] = "";
    const char *name = "three";
    const qn_dims d = {.grid = {1}, .block = {1}};
    int ends[2];
    fflush(stdout);
    const int before = dup(1);
    ck_assert_int_eq(pipe(ends), 0);
    dup2(ends[1], 1);
    must(qn_stream_launch(stream, find("say"), &d, (void *[]){&name}));
    const qn_status s = qn_stream_sync(stream);
    fflush(stdout);
    dup2(before, 1);
    close(ends[1]);
    must(s);
    ck_assert_int_gt(read(ends[0], text, sizeof text - 1), 0);
    ck_assert_str_eq(text, "block 0 of three\n");
    close(ends[0]);
    close(before);
}
END_TEST

/* -- the process around it -- */

START_TEST(a_forked_child_has_threads_of_its_own)
{
    uint32_t *out = words(30000);
    const qn_dims d = {.grid = {30000}, .block = {1}};
    must(qn_stream_launch(stream, find("count"), &d, (void *[]){&out}));
    must(qn_stream_sync(stream));
    const pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        int wrong = qn__cpu_pool_size() != 0;
        wrong |= qn_stream_launch(stream, find("count"), &d, (void *[]){&out}) != QN_OK;
        wrong |= qn_stream_sync(stream) != QN_OK;
        wrong |= qn__cpu_pool_size() == 0;
        for (uint32_t i = 0; i < 30000; i++)
            wrong |= out[i] != 2 * (1 + i % 3);
        _exit(wrong);
    }
    int status;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
    must(qn_stream_launch(stream, find("count"), &d, (void *[]){&out}));
    must(qn_stream_sync(stream));
    ck_assert_uint_eq(out[29999], 2 * (1 + 29999 % 3));
    drop(out);
}
END_TEST

START_TEST(a_child_forked_while_a_kernel_runs_is_told_that_its_work_is_lost)
{
    uint32_t *go = words(1), *out = words(2);
    const qn_dims d = {.grid = {1}, .block = {1}};
    must(qn_stream_launch(stream, find("wait_for"), &d, (void *[]){&go, &out}));
    const pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        int wrong = qn_stream_sync(stream) != QN_E_FAULT;
        wrong |= !strstr(qn_message(), "before fork()");
        wrong |= qn_stream_launch(stream, find("count"), &d, (void *[]){&out}) != QN_OK;
        wrong |= qn_stream_sync(stream) != QN_OK || out[0] != 1;
        _exit(wrong);
    }
    int status;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
    __atomic_store_n(go, 1, __ATOMIC_SEQ_CST);
    must(qn_stream_sync(stream));
    ck_assert_uint_eq(out[0], 7);
    drop(go);
    drop(out);
}
END_TEST

/* Copies, until it is told to stop. */
static void *copy_on(void *stop)
{
    enum { BYTES = 4 << 20 };
    unsigned char *const bytes = calloc(1, BYTES);
    qn_addr a;
    bool good = bytes && qn_memory_alloc(&a, device, BYTES) == QN_OK;
    while (good && !atomic_load((atomic_bool *)stop)) {
        qn_addr b = 0;
        good = qn_memory_upload(device, a, bytes, BYTES, NULL) == QN_OK &&
               qn_memory_alloc(&b, device, 64) == QN_OK && qn_memory_free(device, b) == QN_OK;
    }
    good = good && qn_memory_free(device, a) == QN_OK;
    free(bytes);
    return good ? stop : NULL;
}

/* What a child of fork() does with the device, whose default stream may have been at a copy. */
static bool child_copies(void)
{
    int32_t in = 5, out = 0;
    qn_addr a;
    alarm(30);
    if (qn_memory_alloc(&a, device, sizeof in) != QN_OK)
        return false;
    const qn_status s = qn_memory_upload(device, a, &in, sizeof in, NULL);
    if (s != QN_OK && (s != QN_E_FAULT || !strstr(qn_message(), "before fork()")))
        return false;
    return qn_memory_upload(device, a, &in, sizeof in, NULL) == QN_OK &&
           qn_memory_download(device, &out, a, sizeof out, NULL) == QN_OK && out == 5 &&
           qn_memory_free(device, a) == QN_OK;
}

START_TEST(a_child_forked_while_another_thread_copies_goes_on)
{
    atomic_bool stop = false;
    pthread_t thread;
    void *good = NULL;
    int n_wrong = 0;
    ck_assert_int_eq(pthread_create(&thread, NULL, copy_on, &stop), 0);
    for (int i = 0; i < 40; i++) {
        int status = -1;
        usleep(500);
        const pid_t child = fork();
        if (child == 0)
            _exit(child_copies() ? 0 : 1);
        n_wrong += child < 0 || waitpid(child, &status, 0) != child || status != 0;
    }
    atomic_store(&stop, true);
    pthread_join(thread, &good);
    ck_assert_ptr_nonnull(good);
    ck_assert_int_eq(n_wrong, 0);
}
END_TEST

START_TEST(a_grid_has_no_more_threads_than_it_may)
{
    uint32_t *n = words(2);
    const qn_dims d = {.grid = {500}, .block = {1}};
    for (int round = 0; round < 5; round++) {
        must(qn_stream_launch(stream, find("crowd"), &d, (void *[]){&n}));
        must(qn_stream_sync(stream));
    }
    ck_assert_uint_eq(n[0], 0);
    ck_assert_uint_ge(n[1], 1);
    ck_assert_uint_le(n[1], qn__cpu_threads());
    drop(n);
}
END_TEST

START_TEST(one_thread_is_one_thread_whoever_waits)
{
    char self[1024];
    int status;
    const ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    self[n > 0 ? n : 0] = 0;
    const pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        setenv("QUERN_THREADS", "1", 1);
        execl(self, self, "--crowd", (char *)NULL);
        _exit(99);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
}
END_TEST

/* A process that may use one processor has threads for one. */
START_TEST(affinity_decides_how_many_threads_there_are)
{
    const pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        char self[1024];
        const ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
        self[n > 0 ? n : 0] = 0;
        cpu_set_t one;
        CPU_ZERO(&one);
        CPU_SET(sched_getcpu(), &one);
        sched_setaffinity(0, sizeof one, &one);
        unsetenv("QUERN_THREADS");
        execl(self, self, "--threads", (char *)NULL);
        _exit(99);
    }
    int status;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(WEXITSTATUS(status), 1);
}
END_TEST

START_TEST(launch_and_finish_of_an_empty_kernel_is_quick)
{
    enum { LAUNCHES = 1000, ROUNDS = 21 };
    const qn_dims d = {.grid = {1}, .block = {64}};
    const qn_kernel *k = find("nothing");
    double best = 1e9;
    for (int round = 0; round < ROUNDS; round++) {
        const double begin = now_us();
        qn_status s = QN_OK; /* an assertion takes longer than a launch */
        for (int i = 0; i < LAUNCHES && s == QN_OK; i++) {
            s = qn_stream_launch(stream, k, &d, NULL);
            if (s == QN_OK)
                s = qn_stream_sync(stream);
        }
        must(s);
        const double each = (now_us() - begin) / LAUNCHES;
        best = each < best ? each : best;
    }
    printf("launch and finish of an empty kernel: %.3f us\n", best);
#if defined(__OPTIMIZE__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    ck_assert_double_lt(best, 2); /* of 21 rounds, so that a busy machine has a quiet moment */
#endif
}
END_TEST

int main(int argc, char **argv)
{
    const struct fixture_case cases[] = {
        {a_small_grid_starts_no_thread, 1},
        {every_block_runs_once_whatever_the_shape, 1},
        {launching_from_many_threads_keeps_them_apart, 1},
        {a_launch_returns_while_its_kernel_waits, 1},
        {another_stream_goes_on_where_one_waits_for_an_event, 1},
        {a_block_has_the_memory_it_asked_for, 1},
        {each_load_has_variables_of_its_own, 1},
        {a_thousand_loads_are_a_thousand_objects, 1},
        {a_kernel_whose_arguments_nobody_knows_runs_before_its_launch_returns, 1},
        {a_failed_assertion_is_a_fault_with_its_line_and_the_device_goes_on, 1},
        {what_a_kernel_prints_comes_to_stdout, 1},
        {a_forked_child_has_threads_of_its_own, 1},
        {a_child_forked_while_a_kernel_runs_is_told_that_its_work_is_lost, 1},
        {a_child_forked_while_another_thread_copies_goes_on, 1},
        {a_grid_has_no_more_threads_than_it_may, 1},
        {one_thread_is_one_thread_whoever_waits, 1},
        {affinity_decides_how_many_threads_there_are, 1},
        {launch_and_finish_of_an_empty_kernel_is_quick, 1},
        {0}};
    if (argc > 1 && strcmp(argv[1], "--threads") == 0)
        return (int)qn__cpu_threads();
    if (!can_make_cpu_images()) {
        printf("skip: no clang or no linker to make images for a CPU\n");
        return 0;
    }
    const struct fixture_case crowd[] = {{a_grid_has_no_more_threads_than_it_may, 1}, {0}};
    return fixture_run("cpu", "cpu:0", open_all, close_all, argc > 1 ? crowd : cases);
}
