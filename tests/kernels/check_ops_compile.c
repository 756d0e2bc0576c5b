/* SPDX-License-Identifier: Apache-2.0
 *
 * Every kernel file through every compiler found here, for every target each lists; no device is
 * needed. `make check` takes a sample: one file for every target, and every file for two targets of
 * each backend (of the weight formats' files two). QN_LONG=1 takes the whole matrix, and for AMD
 * each compiler by itself.
 *
 * Two threads compile at a time; they only fill their job, the checks are made by the main thread.
 */
#include "kernels/op_case.h"

#include <check.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(a) (sizeof(a) / sizeof *(a))

static const struct {
    const char *backend;
    const char *sample[2]; /* targets that get every file also in the short run */
    const char *compilers[2];
} backends[] = {
    {"cuda", {"cuda:sm_90", "cuda:compute_75"}, {NULL}},
    {"hip", {"hip:gfx90a", "hip:gfx1030"}, {"hiprtc", "clang"}},
    {"opencl", {"opencl:portable", "opencl:nvidia"}, {NULL}},
};

struct job {
    const char *file, *source, *target, *compiler;
    qn_status status;
    char message[512];
    qn_image *image;
};

struct matrix {
    struct job *jobs;
    uint32_t n;
    atomic_uint next;
};

static void *work(void *p)
{
    struct matrix *m = p;
    for (uint32_t i; (i = atomic_fetch_add(&m->next, 1)) < m->n;) {
        struct job *j = &m->jobs[i];
        const qn_source source = {.text = j->source, .path = j->file};
        const qn_compile_options options = {.compiler = j->compiler};
        j->status = qn_compile(&j->image, &source, j->target, &options, NULL);
        if (j->status != QN_OK)
            snprintf(j->message, sizeof j->message, "%s", qn_message());
    }
    return NULL;
}

static bool is_sample(const char *const sample[2], const char *target)
{
    return strcmp(target, sample[0]) == 0 || strcmp(target, sample[1]) == 0;
}

/* Does an earlier kernel lie in the same file? */
static bool is_repeated(uint32_t op)
{
    for (uint32_t k = 0; k < op; k++)
        if (strcmp(qn_op_get(k)->file, qn_op_get(op)->file) == 0)
            return true;
    return false;
}

/* The 14 files of weight formats differ little for a compiler: two of them go with the sample. */
static bool is_in_sample(const struct qn__op_row *row)
{
    return !row->format || row->format->id == QN__FORMAT_q8_0 || row->format->id == QN__FORMAT_q4_k;
}

static void add_jobs(struct matrix *m, const char *target, const char *compiler, bool all_files)
{
    for (uint32_t i = 0; i < qn_op_count(); i++) {
        const qn_op_info *op = qn_op_get(i);
        const bool wanted = all_files ? getenv("QN_LONG") || is_in_sample(qn__op_row(i))
                                      : strcmp(op->file, "rmsnorm.cu") == 0;
        if (wanted && !is_repeated(i))
            m->jobs[m->n++] = (struct job){
                .file = op->file, .source = op->source, .target = target, .compiler = compiler};
    }
}

static bool is_here(const char *compiler)
{
    const qn_compiler_info *list = NULL;
    uint32_t n = 0;
    bool found = false;
    ck_assert_int_eq(qn_compilers(&list, &n), QN_OK);
    for (uint32_t i = 0; compiler && i < n; i++)
        found |= strcmp(list[i].name, compiler) == 0 && list[i].found;
    free((void *)(uintptr_t)list);
    return found;
}

/* The image is of the right kind and has the file's kernels, where the format tells. */
static void check_image(const struct job *j)
{
    const qn_image_info *info = qn_image_get_info(j->image);
    ck_assert_msg(strcmp(info->target, j->target) == 0, "%s for %s: image says %s", j->file,
                  j->target, info->target);
    ck_assert_msg(info->size_bytes > 100, "%s for %s: %zu bytes", j->file, j->target,
                  info->size_bytes);
    for (uint32_t i = 0; i < qn_op_count(); i++) {
        const qn_op_info *op = qn_op_get(i);
        if (strcmp(op->file, j->file) != 0)
            continue;
        bool found = false;
        for (uint32_t k = 0; k < info->n_kernels; k++)
            found |= strcmp(info->kernels[k].name, op->kernel) == 0;
        if (info->n_kernels == 0) { /* names unknown: they are in the bytes all the same */
            const char *bytes = info->bytes;
            const size_t n = strlen(op->kernel);
            for (size_t at = 0; !found && at + n <= info->size_bytes; at++)
                found = memcmp(bytes + at, op->kernel, n) == 0;
        }
        ck_assert_msg(found, "%s for %s: no kernel %s", j->file, j->target, op->kernel);
    }
}

START_TEST(every_kernel_compiles_for_every_target)
{
    const char *backend = backends[_i].backend;
    const bool all = getenv("QN_LONG") != NULL;
    const char *const *targets = NULL;
    uint32_t n = 0;
    ck_assert_msg(qn_compile_targets(&targets, &n, backend) == QN_OK, "%s: %s", backend,
                  qn_message());
    struct matrix m = {.jobs = calloc((size_t)n * 3 * qn_op_count(), sizeof *m.jobs)};
    ck_assert_ptr_nonnull(m.jobs);
    for (uint32_t i = 0; i < n; i++) {
        const bool every_file = all || is_sample(backends[_i].sample, targets[i]);
        add_jobs(&m, targets[i], NULL, every_file);
        for (size_t k = 0; all && k < COUNT(backends[_i].compilers); k++)
            if (is_here(backends[_i].compilers[k]))
                add_jobs(&m, targets[i], backends[_i].compilers[k], true);
    }
    pthread_t other;
    const bool has_other = pthread_create(&other, NULL, work, &m) == 0;
    work(&m);
    if (has_other)
        pthread_join(other, NULL);

    uint32_t made = 0, refused = 0;
    for (uint32_t i = 0; i < m.n; i++) {
        struct job *j = &m.jobs[i];
        /* one compiler of two may not know a target; the choice among all must */
        if (j->compiler && j->status == QN_E_UNSUPPORTED) {
            refused++;
            continue;
        }
        ck_assert_msg(j->status == QN_OK, "%s for %s (%s): %s: %s", j->file, j->target,
                      j->compiler ? j->compiler : "automatic", qn_status_name(j->status),
                      j->message);
        check_image(j);
        qn_image_release(j->image);
        made++;
    }
    printf("%s: %u targets, %u images made, %u not known to the compiler named\n", backend, n, made,
           refused);
    free(m.jobs);
    free((void *)(uintptr_t)targets);
}
END_TEST

/* Is there a compiler for the backend? Says "skip" where not; QN_REQUIRE makes that a test that
 * fails. */
static bool can_run(const char *backend)
{
    const char *require = getenv("QN_REQUIRE");
    const char *const *targets = NULL;
    uint32_t n = 0;
    const bool found = qn_compile_targets(&targets, &n, backend) == QN_OK;
    if (!found)
        printf("skip: kernels for %s: %s\n", backend, qn_message());
    free((void *)(uintptr_t)targets);
    return found || (require && strstr(require, backend));
}

int main(void)
{
    Suite *suite = suite_create("ops_compile");
    TCase *t = tcase_create("matrix");
    for (int i = 0; i < (int)COUNT(backends); i++)
        if (can_run(backends[i].backend))
            tcase_add_loop_test(t, every_kernel_compiles_for_every_target, i, i + 1);
    suite_add_tcase(suite, t);
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK); /* minutes of work: Check's time limit needs fork */
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
