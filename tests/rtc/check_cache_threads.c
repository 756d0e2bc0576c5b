/* SPDX-License-Identifier: Apache-2.0
 *
 * Sixteen threads over one cache, each doing at random everything that the library does with it.
 * Meant for `make check-tsan`, where the sanitizer watches; the asserts hold in every build.
 *
 * covers: rtc/cache/cache_disk rtc/cache/cache_memory rtc/cache/cache_bound */
#define _GNU_SOURCE
#include "rtc/cache/cache_bound.h"
#include "rtc/cache/cache_disk.h"
#include "rtc/cache/cache_folder.h"
#include "rtc/cache/cache_memory.h"
#include "tests/rtc/cache_fixture.h"

#include <pthread.h>

enum { THREADS = 16, KEYS = 12 };
static atomic_int bad, made, hits; /* threads count; only the test asserts */
static int root;

static int rounds(void)
{
    return getenv("QN_LONG") ? 5000 : 300;
}

static void numbered_key(char out[65], unsigned i)
{
    snprintf(out, 65, "%02u%062u", i, i);
}

static qn_image *image_of(const char *k)
{
    qn_image *image;
    if (qn__image_create(&image, target, "x", QN_IMAGE_CUBIN, k, 64, NULL, 0) != QN_OK ||
        qn__image_note(image, &(struct qn__image_notes){k, "", "", "", ""}) != QN_OK)
        atomic_fetch_add(&bad, 1);
    return image;
}

static void check(const char *k, const qn_image *image)
{
    const qn_image_info *info = qn_image_get_info(image);
    if (info->size_bytes != 64 || memcmp(info->bytes, k, 64) != 0)
        atomic_fetch_add(&bad, 1);
    atomic_fetch_add(&hits, 1);
}

/* The library's whole way: memory, disk, lock, make, publish; failing now and then. */
static void get(const char *k, bool fail)
{
    qn_image *image;
    struct qn__flight *flight;
    struct qn__flight_end end;
    struct qn__arena arena = {0};
    int lock;
    const qn_status s = qn__memory_enter(&image, &flight, &end, k);
    if (flight && qn__disk_find(&image, NULL, &arena, k, target) != QN_OK) {
        qn__disk_lock(&lock, k);
        if (fail) {
            qn__memory_leave(flight, NULL, true, qn__fail(QN_E_COMPILE, "of %s", k), "text", "raw");
        } else {
            struct qn__str entry = {0};
            image = image_of(k);
            qn__entry_encode(&entry, image, NULL, QN__ENTRY_FOR_HERE);
            qn__disk_publish(k, &entry);
            qn__memory_leave(flight, image, true, QN_OK, NULL, NULL);
            qn__str_release(&entry);
            atomic_fetch_add(&made, 1);
        }
        qn__disk_unlock(lock, k);
    } else if (flight) {
        qn__memory_leave(flight, image, true, QN_OK, NULL, NULL);
    } else if (s != QN_OK && strcmp(qn_message() + strlen("of "), k) != 0) {
        atomic_fetch_add(&bad, 1); /* another key's failure */
    }
    if (image)
        check(k, image);
    qn_image_release(image);
    free(end.text);
    free(end.raw);
    qn__arena_release(&arena);
}

static void record(unsigned i)
{
    struct qn__str bytes = {0};
    size_t n;
    qn__str_printf(&bytes, "record");
    qn__folder_write_record(i % 2 ? "compilers/a" : "probes/b", &bytes);
    char *got = qn__folder_read_record(&n, i % 3 ? "compilers/a" : "probes/b");
    if (got && (n != bytes.len || memcmp(got, bytes.text, n) != 0))
        atomic_fetch_add(&bad, 1);
    free(got);
    qn__str_release(&bytes);
}

static void *do_everything(void *number)
{
    unsigned seed = (unsigned)(uintptr_t)number;
    for (int i = 0; i < rounds(); i++) {
        char k[65];
        const struct qn__cache_bounds bounds = {1 << 20, KEYS / 2};
        qn_cache_counters c;
        uint64_t removed;
        numbered_key(k, (unsigned)rand_r(&seed) % KEYS);
        switch (rand_r(&seed) % 16) {
        case 0: qn__memory_put(k, NULL); break;
        case 1: qn__disk_quarantine(k, "because"); break;
        case 2: must(qn__cache_bound(&removed, root, &bounds)); break;
        case 3: record((unsigned)i); break;
        case 4: qn_cache_get_counters(&c); break;
        case 5: get(k, true); break;
        case 6:
            if (!qn_cache_get_dir(NULL)[0])
                atomic_fetch_add(&bad, 1);
            break;
        default: get(k, false);
        }
    }
    return NULL;
}

static void run_threads(void *(*run)(void *))
{
    pthread_t threads[THREADS];
    for (uintptr_t i = 0; i < THREADS; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, run, (void *)(i + 1)), 0);
    for (int i = 0; i < THREADS; i++)
        ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
}

START_TEST(threads_that_do_everything_at_once_get_the_right_images)
{
    struct qn__str bytes = {0};
    qn__str_printf(&bytes, "record");
    qn__folder_write_record("compilers/a", &bytes); /* makes the folder */
    qn__str_release(&bytes);
    root = open(in_scratch("cache"), O_RDONLY | O_DIRECTORY);
    run_threads(do_everything);
    close(root);
    ck_assert_int_eq(bad, 0);
    ck_assert_int_gt(made, 0);
    ck_assert_int_gt(hits, made);
    ck_assert_uint_eq(count_files("cache/tmp"), 0);
    printf("threads: %d of them, %d rounds each: %d images right, %d made\n", THREADS, rounds(),
           hits, made);
    fflush(stdout);
}
END_TEST

/* -- with the helpers -- */

static void *compile_in_helper(void *number)
{
    char define[32];
    const char *const defines[] = {define};
    const qn_source src = {.text = "extern \"C\" __global__ void k(int *p) { *p = N; }\n",
                           .defines = defines,
                           .n_defines = 1};
    for (int i = 0; i < 4; i++) {
        qn_image *image;
        qn_log log;
        snprintf(define, sizeof define, "N=%d", (int)((uintptr_t)number + (uintptr_t)i) % 6);
        if (qn_compile(&image, &src, "opencl:portable", NULL, &log) != QN_OK) {
            printf("%s\n", qn_message());
            atomic_fetch_add(&bad, 1);
        } else {
            qn_image_release(image);
        }
        qn_log_release(&log);
    }
    return NULL;
}

START_TEST(threads_share_helpers)
{
    qn_cache_counters c;
    run_threads(compile_in_helper);
    qn_cache_get_counters(&c);
    ck_assert_int_eq(bad, 0);
    ck_assert_uint_eq(c.compiles, 6);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("cache_threads");
    TCase *t = tcase_create("threads");
    bool failed = false;
    tcase_add_checked_fixture(t, open_quiet, scratch_close);
    tcase_set_timeout(t, 1800);
    tcase_add_test(t, threads_that_do_everything_at_once_get_the_right_images);
    if (have_compiler("translator", &failed))
        tcase_add_test(t, threads_share_helpers);
    suite_add_tcase(s, t);
    return run_suite(s) || failed;
}
