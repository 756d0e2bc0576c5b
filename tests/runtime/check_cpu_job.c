/* SPDX-License-Identifier: Apache-2.0
 *
 * How a grid is shared out among threads, with kernels that are functions here and as many threads
 * as a test wants, whatever the machine has.
 *
 * covers: runtime/cpu/cpu_job runtime/cpu/cpu_cost runtime/cpu/cpu_sleepers runtime/cpu/cpu_wait */
#define _GNU_SOURCE
#include "runtime/cpu/cpu_cost.h"
#include "runtime/cpu/cpu_job.h"
#include "runtime/cpu/cpu_sleepers.h"
#include "runtime/deadline.h"

#include <check.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PARTS = 16, BLOCKS_MAX = 200000, LIMIT_S = 120 };

static struct {
    atomic_uint runs[BLOCKS_MAX]; /* of each block */
    uint32_t order[BLOCKS_MAX];   /* blocks as they ran, where one thread runs all */
    uint32_t n;
    atomic_uint n_done;
    atomic_bool has_fault;
} seen;

static void note(const struct qn_block *b, void *const *args)
{
    (void)args;
    atomic_fetch_add_explicit(&seen.runs[b->block[0]], 1, memory_order_relaxed);
}

static void note_order(const struct qn_block *b, void *const *args)
{
    note(b, args);
    seen.order[seen.n++] = b->block[0];
}

static void claim(const struct qn_block *b, void *const *args)
{
    note(b, args);
    if (b->block[0] == 3)
        (b->services->fail)(b->services, "claim.cu", 12, "x");
}

static const struct qn_kernel_entry noting = {.name = "note", .run = note, .warp = 32},
                                    ordering = {.name = "order", .run = note_order, .warp = 32},
                                    claiming = {.name = "claim", .run = claim, .warp = 32};

static struct qn__cpu_grid grid_of(const struct qn_kernel_entry *entry, uint32_t blocks)
{
    return (struct qn__cpu_grid){.entry = entry, .grid = {blocks, 1, 1}, .block = {1, 1, 1}};
}

static void count_done(void *payload, const struct qn__cpu_fault *fault)
{
    (void)payload;
    seen.has_fault = fault != NULL;
    atomic_fetch_add(&seen.n_done, 1);
}

static struct qn__cpu_job *new_job(void)
{
    struct qn__cpu_job *j = qn__cpu_job_take(PARTS);
    ck_assert_ptr_nonnull(j);
    return j;
}

static struct qn__cpu_hand hand_of(uint32_t number)
{
    return (struct qn__cpu_hand){.number = number, .n_threads = PARTS};
}

/* -- one thread after the other -- */

START_TEST(a_thread_begins_with_its_own_part_whatever_ran_before)
{
    enum { BLOCKS = 160 };
    struct qn__cpu_job *j = new_job();
    const struct qn__cpu_grid g = grid_of(&ordering, BLOCKS);
    for (uint32_t number = 0; number <= PARTS; number++) { /* the last one waits */
        const bool waits = number >= PARTS - 1;
        struct qn__cpu_hand hand = hand_of(number == PARTS ? QN__CPU_WAITER : number);
        seen.n = 0;
        ck_assert_uint_eq(qn__cpu_job_deal(j, &g, PARTS, count_done, NULL), PARTS);
        ck_assert_uint_eq(qn__cpu_jobs_open(), 1);
        ck_assert(qn__cpu_job_take_part(j, &hand));
        ck_assert_uint_eq(qn__cpu_jobs_open(), 0);
        ck_assert_uint_eq(atomic_load(&seen.n_done), number + 1);
        ck_assert_uint_eq(seen.n, BLOCKS);
        const uint32_t own = waits ? PARTS - 1 : number;
        for (uint32_t i = 0; i < BLOCKS / PARTS; i++)
            ck_assert_uint_eq(seen.order[i], own * (BLOCKS / PARTS) + i);
        for (uint32_t i = 0; i < BLOCKS; i++)
            ck_assert_uint_eq(seen.runs[i], number + 1);
        ck_assert(!qn__cpu_job_take_part(j, &hand));
    }
    qn__cpu_job_give(j);
}
END_TEST

START_TEST(a_thread_without_a_part_leaves_it_to_others_unless_it_is_spare)
{
    struct qn__cpu_job *j = new_job();
    const struct qn__cpu_grid g = grid_of(&noting, 3);
    struct qn__cpu_hand hand = hand_of(7);
    ck_assert_uint_eq(qn__cpu_job_deal(j, &g, PARTS, count_done, NULL), 3);
    ck_assert(!qn__cpu_jobs_take_part(&hand));
    ck_assert(hand.has_passed);
    ck_assert_uint_eq(atomic_load(&seen.n_done), 0);
    hand.is_spare = true;
    ck_assert(qn__cpu_jobs_take_part(&hand));
    ck_assert_uint_eq(atomic_load(&seen.n_done), 1);
    qn__cpu_job_give(j);
}
END_TEST

/* Few parts, then many: those that were not in use are not taken for parts that are empty. */
START_TEST(each_block_runs_once_whatever_the_number_of_parts)
{
    struct qn__cpu_job *j = new_job();
    struct qn__cpu_hand hand = hand_of(2);
    hand.is_spare = true;
    for (uint32_t i = 0; i < 400; i++) {
        const uint32_t blocks = 1 + i * 37 % 90, parts = 1 + i * 7 % PARTS;
        const struct qn__cpu_grid g = grid_of(&noting, blocks);
        memset(seen.runs, 0, sizeof seen.runs);
        const uint32_t got = qn__cpu_job_deal(j, &g, parts, count_done, NULL);
        ck_assert_uint_eq(got, parts < blocks ? parts : blocks);
        ck_assert(qn__cpu_job_take_part(j, &hand));
        for (uint32_t k = 0; k < blocks; k++)
            ck_assert_uint_eq(seen.runs[k], 1);
        ck_assert_uint_eq(atomic_load(&seen.n_done), i + 1);
    }
    qn__cpu_job_give(j);
}
END_TEST

START_TEST(a_grid_of_many_blocks_is_cut_into_units_of_several)
{
    struct qn__cpu_job *j = new_job();
    struct qn__cpu_hand hand = hand_of(0);
    const struct qn__cpu_grid g = grid_of(&noting, BLOCKS_MAX);
    ck_assert_uint_eq(qn__cpu_job_deal(j, &g, PARTS, count_done, NULL), PARTS);
    ck_assert(qn__cpu_job_take_part(j, &hand));
    for (uint32_t i = 0; i < BLOCKS_MAX; i++)
        ck_assert_uint_eq(seen.runs[i], 1);
    qn__cpu_job_give(j);
}
END_TEST

START_TEST(a_fault_ends_the_job_and_the_next_grid_has_none)
{
    struct qn__cpu_job *j = new_job();
    struct qn__cpu_hand hand = hand_of(0);
    const struct qn__cpu_grid bad = grid_of(&claiming, 64), good = grid_of(&noting, 64);
    (void)qn__cpu_job_deal(j, &bad, PARTS, count_done, NULL);
    ck_assert(qn__cpu_job_take_part(j, &hand));
    ck_assert(seen.has_fault);
    ck_assert_uint_eq(seen.runs[40], 0); /* nothing began after it */
    (void)qn__cpu_job_deal(j, &good, PARTS, count_done, NULL);
    ck_assert(qn__cpu_job_take_part(j, &hand));
    ck_assert(!seen.has_fault);
    ck_assert_uint_eq(seen.runs[40], 1);
    qn__cpu_job_give(j);
}
END_TEST

/* -- many threads -- */

static atomic_bool is_over;

static void *take_part(void *number)
{
    struct qn__cpu_hand hand = hand_of((uint32_t)(uintptr_t)number);
    while (!atomic_load(&is_over)) {
        hand.is_spare = !hand.is_spare;
        if (!qn__cpu_jobs_take_part(&hand))
            sched_yield();
    }
    return NULL;
}

/* The waiter deals out one grid after the other, as soon as the last one is done; two jobs. */
START_TEST(threads_that_come_at_any_time_run_each_block_once)
{
    enum { ROUNDS = 3000, BLOCKS = 300 };
    struct qn__cpu_job *jobs[2] = {new_job(), new_job()};
    struct qn__cpu_hand hand = hand_of(QN__CPU_WAITER);
    pthread_t threads[PARTS];
    alarm(LIMIT_S);
    for (uintptr_t i = 0; i < PARTS; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, take_part, (void *)i), 0);
    unsigned want[BLOCKS] = {0};
    for (uint32_t r = 0; r < ROUNDS; r++) {
        const uint32_t n = 1 + r * 31 % BLOCKS;
        for (uint32_t k = 0; k < 2; k++) {
            const struct qn__cpu_grid g = grid_of(&noting, n);
            (void)qn__cpu_job_deal(jobs[k], &g, 1 + (r + k) % PARTS, count_done, NULL);
        }
        while (atomic_load(&seen.n_done) != 2 * (r + 1))
            if (!qn__cpu_job_take_part(jobs[r % 2], &hand))
                sched_yield();
        for (uint32_t i = 0; i < n; i++)
            want[i] += 2;
    }
    atomic_store(&is_over, true);
    for (uint32_t i = 0; i < PARTS; i++)
        pthread_join(threads[i], NULL);
    for (uint32_t i = 0; i < BLOCKS; i++)
        ck_assert_msg(seen.runs[i] == want[i], "block %u: %u of %u", i, seen.runs[i], want[i]);
    ck_assert_uint_eq(qn__cpu_jobs_open(), 0);
    qn__cpu_job_give(jobs[0]);
    qn__cpu_job_give(jobs[1]);
}
END_TEST

static atomic_uint stolen, is_begun;

/* Block 0 ends after the last block of its part, which another thread takes from the back. */
static void wait_for_thief(const struct qn_block *b, void *const *args)
{
    (void)args;
    if (b->block[0] == 0) {
        atomic_store(&is_begun, 1);
        while (!atomic_load(&stolen))
            sched_yield();
    } else if (b->block[0] == 3) {
        atomic_store(&stolen, 1);
    }
}

static void *steal(void *job)
{
    struct qn__cpu_hand hand = hand_of(5);
    hand.is_spare = true;
    while (!atomic_load(&is_begun))
        sched_yield();
    (void)qn__cpu_job_take_part(job, &hand);
    return NULL;
}

START_TEST(what_a_slow_thread_has_left_is_taken_from_the_back)
{
    static const struct qn_kernel_entry entry = {.name = "w", .run = wait_for_thief, .warp = 32};
    struct qn__cpu_job *j = new_job();
    struct qn__cpu_hand hand = hand_of(0);
    const struct qn__cpu_grid g = grid_of(&entry, 4);
    pthread_t thief;
    alarm(LIMIT_S);
    ck_assert_int_eq(pthread_create(&thief, NULL, steal, j), 0);
    ck_assert_uint_eq(qn__cpu_job_deal(j, &g, 1, count_done, NULL), 1);
    ck_assert(qn__cpu_job_take_part(j, &hand));
    pthread_join(thief, NULL);
    ck_assert_uint_eq(atomic_load(&seen.n_done), 1);
    qn__cpu_job_give(j);
}
END_TEST

/* -- sleeping -- */

static atomic_uint n_woken;

static void *sleep_once(void *number)
{
    qn__cpu_fall_asleep((uint32_t)(uintptr_t)number, atomic_load(qn__cpu_epoch()));
    atomic_fetch_add(&n_woken, 1);
    return NULL;
}

static void wait_for_count(atomic_uint *count, unsigned want)
{
    while (atomic_load(count) < want)
        usleep(1000);
}

/* Who announces wakes two, they wake the others: all that the job is for, and no more. */
START_TEST(those_that_a_job_is_for_are_woken)
{
    pthread_t threads[PARTS];
    alarm(LIMIT_S);
    for (uintptr_t i = 0; i < PARTS; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, sleep_once, (void *)i), 0);
    usleep(200000);
    ck_assert_uint_eq(atomic_load(&n_woken), 0);
    qn__cpu_announce(9, false);
    wait_for_count(&n_woken, 9);
    usleep(100000);
    ck_assert_uint_eq(atomic_load(&n_woken), 9);
    qn__cpu_announce(3, false); /* for none of those that sleep */
    usleep(100000);
    ck_assert_uint_eq(atomic_load(&n_woken), 9);
    qn__cpu_announce(3, true); /* the first three may be busy: two others */
    wait_for_count(&n_woken, 11);
    usleep(100000);
    ck_assert_uint_eq(atomic_load(&n_woken), 11);
    qn__cpu_announce(PARTS, false);
    wait_for_count(&n_woken, PARTS);
    for (uint32_t i = 0; i < PARTS; i++)
        pthread_join(threads[i], NULL);
}
END_TEST

START_TEST(a_thread_does_not_sleep_over_a_job_that_it_has_not_seen)
{
    const unsigned before = atomic_load(qn__cpu_epoch());
    alarm(LIMIT_S);
    qn__cpu_announce(1, false);
    qn__cpu_fall_asleep(0, before); /* returns */
    ck_assert_uint_eq(atomic_load(qn__cpu_epoch()), before + 1);
}
END_TEST

START_TEST(waiting_ends_with_the_number_the_word_or_the_time)
{
    atomic_uint number = 5, sleepers = 0;
    _Atomic uint64_t word = 7;
    alarm(LIMIT_S);
    qn__cpu_awake_limit(1);
    qn__cpu_await(&number, 4, (struct qn__cpu_word){NULL, 0}, &sleepers, QN__FOREVER);
    qn__cpu_await(&number, 5, (struct qn__cpu_word){&word, 6}, &sleepers, QN__FOREVER);
    ck_assert(!qn__cpu_spin(&number, 5, (struct qn__cpu_word){&word, 7}, 1000));
    const uint64_t begin = qn__cpu_now_ns();
    qn__cpu_await(&number, 5, (struct qn__cpu_word){&word, 7}, &sleepers, 20 * 1000 * 1000);
    ck_assert_uint_ge(qn__cpu_now_ns() - begin, 15 * 1000 * 1000);
    ck_assert_uint_eq(atomic_load(&sleepers), 0);
}
END_TEST

/* -- how many threads -- */

START_TEST(a_grid_gets_as_many_threads_as_its_work_is_worth)
{
    struct qn__cpu_cost cost = {0};
    ck_assert_uint_eq(qn__cpu_cost_parts(&cost, 64, PARTS), PARTS); /* nothing is known */
    ck_assert(qn__cpu_cost_is_due(&cost, false));
    qn__cpu_cost_note(&cost, 10, 1000);                             /* 100 ns a block */
    ck_assert_uint_eq(qn__cpu_cost_parts(&cost, 64, PARTS), PARTS); /* a meeting's cost is not */
    qn__cpu_meeting_note(4, 400);                                   /* 100 ns a thread */
    ck_assert_uint_eq(qn__cpu_cost_parts(&cost, 1, PARTS), 1);
    ck_assert_uint_eq(qn__cpu_cost_parts(&cost, 3, PARTS), 1);
    ck_assert_uint_eq(qn__cpu_cost_parts(&cost, 4, PARTS), 2);
    ck_assert_uint_eq(qn__cpu_cost_parts(&cost, 64, PARTS), 8);
    ck_assert_uint_eq(qn__cpu_cost_parts(&cost, 1000000, PARTS), PARTS);
    qn__cpu_cost_note(&cost, 1, 400); /* more than was thought: at once */
    ck_assert_uint_eq(qn__cpu_cost_parts(&cost, 64, PARTS), PARTS);
    for (int i = 0; i < 40; i++) /* less: by and by */
        qn__cpu_cost_note(&cost, 10, 1000);
    ck_assert_uint_eq(qn__cpu_cost_parts(&cost, 64, PARTS), 8);
    qn__cpu_meeting_note(4, 100000); /* one that was interrupted counts little */
    ck_assert_uint_ge(qn__cpu_cost_parts(&cost, 64, PARTS), 7);
    qn__cpu_meeting_note(4, 100); /* a quick one at once */
    ck_assert_uint_eq(qn__cpu_cost_parts(&cost, 64, PARTS), PARTS);
}
END_TEST

START_TEST(some_launches_are_measured_and_all_that_have_fewer_threads)
{
    struct qn__cpu_cost cost = {0};
    uint32_t n = 0;
    for (int i = 0; i < 160; i++)
        n += qn__cpu_cost_is_due(&cost, false);
    ck_assert_uint_eq(n, 10);
    for (int i = 0; i < 20; i++)
        ck_assert(qn__cpu_cost_is_due(&cost, true));
}
END_TEST

int main(void)
{
    Suite *s = suite_create("cpu job");
    TCase *t = tcase_create("cpu job");
    tcase_set_timeout(t, LIMIT_S);
    tcase_add_test(t, a_thread_begins_with_its_own_part_whatever_ran_before);
    tcase_add_test(t, a_thread_without_a_part_leaves_it_to_others_unless_it_is_spare);
    tcase_add_test(t, each_block_runs_once_whatever_the_number_of_parts);
    tcase_add_test(t, a_grid_of_many_blocks_is_cut_into_units_of_several);
    tcase_add_test(t, a_fault_ends_the_job_and_the_next_grid_has_none);
    tcase_add_test(t, threads_that_come_at_any_time_run_each_block_once);
    tcase_add_test(t, what_a_slow_thread_has_left_is_taken_from_the_back);
    tcase_add_test(t, those_that_a_job_is_for_are_woken);
    tcase_add_test(t, a_thread_does_not_sleep_over_a_job_that_it_has_not_seen);
    tcase_add_test(t, waiting_ends_with_the_number_the_word_or_the_time);
    tcase_add_test(t, a_grid_gets_as_many_threads_as_its_work_is_worth);
    tcase_add_test(t, some_launches_are_measured_and_all_that_have_fewer_threads);
    suite_add_tcase(s, t);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_ENV);
    const int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed != 0;
}
