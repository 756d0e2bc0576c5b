/* SPDX-License-Identifier: Apache-2.0
 *
 * For tests that need a device: one device and one stream for the whole program, opened once and
 * without fork (drivers do not survive it), "skip: reason" where there is none. */
#ifndef QN_TESTS_RUNTIME_FIXTURE_H
#define QN_TESTS_RUNTIME_FIXTURE_H

#include <check.h>
#include <quern/quern.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static qn_device *device;
static qn_stream *stream;

#define must(call)                                                                                 \
    do {                                                                                           \
        const qn_status must_s = (call);                                                           \
        ck_assert_msg(must_s == QN_OK, "%s: %s: %s", #call, qn_status_name(must_s), qn_message()); \
    } while (0)
#define must_not(status, call)                                                                     \
    do {                                                                                           \
        const qn_status must_s = (call);                                                           \
        ck_assert_msg(must_s == (status), "%s: %s (%s), expected %s", #call,                       \
                      qn_status_name(must_s), must_s == QN_OK ? "" : qn_message(), #status);       \
    } while (0)

static inline qn_addr alloc(uint64_t bytes)
{
    qn_addr a;
    must(qn_memory_alloc(&a, device, bytes));
    ck_assert_uint_ne(a, 0);
    return a;
}

/* Launch arguments are void *, also those that are only read. */
static inline void *address_of(const void *p)
{
    void *q;
    memcpy(&q, &p, sizeof q);
    return q;
}

/* How far logits may be off: CUDA's tensor cores take what a prompt multiplies in f16, 2^-11 off
 * (quern_product.cuh), and a piece of one token does not go through them. */
static inline float logits_limit(float elsewhere)
{
    return strcmp(qn_device_get_info(device)->kind, "cuda") == 0 ? 8e-3f : elsewhere;
}

/* Tests of translated kernels run on an OpenCL device, or on cpu:0 where that is asked for. */
static inline const char *translated_backend(void)
{
    const char *const id = getenv("QUERN_DEVICE"), *const backend = getenv("QUERN_BACKEND");
    const bool cpu = (id && strncmp(id, "cpu", 3) == 0) || (backend && strcmp(backend, "cpu") == 0);
    return cpu ? "cpu" : "opencl";
}

struct fixture_case {
    const TTest *test;
    int n; /* loop count; 1: once */
};

/* Run every case (ended by a NULL test) on the first device of `backend` (NULL: the preferred one,
 * which QUERN_BACKEND and QUERN_DEVICE choose). open and close (may be NULL) run once, before and
 * after all of them. Returns what main() returns. */
static inline int fixture_run(const char *suite, const char *backend, SFun open, SFun close,
                              const struct fixture_case *cases)
{
    const char *require = getenv("QN_REQUIRE");
    if (qn_device_open(&device, backend) != QN_OK) {
        printf("skip: %s\n", qn_message());
        return require && (!backend || strstr(require, backend));
    }
    if (qn_stream_create(&stream, device, NULL) != QN_OK) {
        printf("no stream: %s\n", qn_message());
        return 1;
    }
    printf("device: %s, %s\n", qn_device_get_info(device)->id, qn_device_get_info(device)->name);
    Suite *s = suite_create(suite);
    TCase *t = tcase_create(suite);
    tcase_add_unchecked_fixture(t, open, close);
    for (; cases->test; cases++)
        tcase_add_loop_test(t, cases->test, 0, cases->n);
    suite_add_tcase(s, t);
    SRunner *r = srunner_create(s);
    srunner_set_fork_status(r, CK_NOFORK);
    srunner_run_all(r, CK_ENV);
    const int failed = srunner_ntests_failed(r);
    srunner_free(r);
    qn_stream_destroy(stream);
    qn_device_close(device);
    return failed != 0;
}

#endif
