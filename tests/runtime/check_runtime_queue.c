/* SPDX-License-Identifier: Apache-2.0
 *
 * The public API of streams, events, graphs, and of several threads and device handles at once, on
 * whatever device QUERN_DEVICE or QUERN_BACKEND names (else the preferred one).
 *
 * covers: runtime/stream runtime/graph runtime/recording */
#include "tests/runtime/runtime_kernels.h"

#include <pthread.h>
#include <sched.h>

#define N(array) ((int)(sizeof(array) / sizeof *(array)))

/* churn: long enough to still run when asked about, and when somebody has waited for a while */
enum { THREADS = 64, ROUNDS = 200000, MANY_ROUNDS = 50000000 };

static qn_module *mod;
static qn_addr memory; /* THREADS words, for churn */
static const qn_dims churn_dims = {.grid = {2}, .block = {THREADS / 2}};

static void open_all(void)
{
    mod = build_kernels();
    memory = alloc(THREADS * 4);
    must(qn_memory_fill(device, memory, 0, 4, THREADS, NULL));
}

static void close_all(void)
{
    qn_module_close(mod);
    must(qn_memory_free(device, memory));
}

static void churn(qn_stream *s, qn_addr out, uint32_t rounds)
{
    must(qn_stream_launch(s, kernel(mod, "churn"), &churn_dims,
                          (void *[]){address_of(&out), &rounds}));
}

static void check_churned(const uint32_t *got, uint32_t rounds)
{
    for (uint32_t i = 0; i < THREADS; i++)
        ck_assert_msg(got[i] == churned(i, rounds), "element %u of %u rounds: %u", i, rounds,
                      got[i]);
}

static qn_stream *new_stream(bool timing)
{
    qn_stream *s;
    must(qn_stream_create(&s, device, &(qn_stream_options){.timing = timing}));
    return s;
}

/* -- streams -- */

START_TEST(a_call_without_a_stream_comes_after_everything_queued)
{
    uint32_t got[THREADS];
    const qn_addr copy = alloc(sizeof got);
    qn_stream *a = new_stream(false), *b = new_stream(true);
    churn(a, memory, ROUNDS);
    must(qn_memory_download(device, got, memory, sizeof got, NULL));
    check_churned(got, ROUNDS);
    churn(b, memory, ROUNDS + 1);
    must(qn_memory_copy(device, copy, memory, sizeof got, NULL));
    must(qn_memory_download(device, got, copy, sizeof got, NULL));
    check_churned(got, ROUNDS + 1);
    churn(a, copy, ROUNDS);
    must(qn_memory_fill(device, copy, 7, 4, THREADS, NULL));
    must(qn_memory_download(device, got, copy, sizeof got, NULL));
    for (int i = 0; i < THREADS; i++)
        ck_assert_uint_eq(got[i], 7);
    qn_stream_destroy(a);
    qn_stream_destroy(b);
    must(qn_memory_free(device, copy));
}
END_TEST

START_TEST(a_stream_keeps_the_order_of_its_calls)
{
    uint32_t got[THREADS], again[THREADS];
    const qn_addr other = alloc(sizeof got);
    churn(stream, memory, ROUNDS);
    must(qn_memory_copy(device, other, memory, sizeof got, stream));
    churn(stream, memory, 1);
    must(qn_memory_download(device, got, other, sizeof got, stream));
    must(qn_memory_download(device, again, memory, sizeof again, stream));
    must(qn_stream_sync(stream));
    check_churned(got, ROUNDS);
    check_churned(again, 1);
    must(qn_memory_free(device, other));
}
END_TEST

START_TEST(polling_a_stream_ends_and_then_its_work_is_done)
{
    uint32_t got[THREADS];
    must(qn_stream_query(stream)); /* idle */
    churn(stream, memory, ROUNDS);
    must(qn_memory_download(device, got, memory, sizeof got, stream));
    qn_status s;
    while ((s = qn_stream_query(stream)) == QN_E_NOT_READY)
        sched_yield();
    must(s);
    check_churned(got, ROUNDS);
    must(qn_stream_query(stream));
}
END_TEST

START_TEST(a_wait_ends_when_its_time_is_up_and_the_work_goes_on)
{
    uint32_t got[THREADS];
    must(qn_stream_sync_for(stream, 0)); /* idle */
    churn(stream, memory, MANY_ROUNDS);
    must_not(QN_E_TIMEOUT, qn_stream_sync_for(stream, 0));
    must_not(QN_E_TIMEOUT, qn_stream_sync_for(stream, 20));
    ck_assert_msg(strstr(qn_message(), "churn still runs after 0.02 s") != NULL, "%s",
                  qn_message());
    must(qn_memory_download(device, got, memory, sizeof got, stream));
    must(qn_stream_sync_for(stream, 600000));
    check_churned(got, MANY_ROUNDS);
    must(qn_stream_query(stream));
}
END_TEST

START_TEST(under_a_watchdog_no_call_waits_longer_and_nothing_is_freed)
{
    uint32_t got[THREADS];
    qn_event *e;
    const qn_addr a = alloc(sizeof got);
    must(qn_event_create(&e, device));
    qn_device_set_watchdog(device, 20);
    churn(stream, a, ROUNDS);
    churn(stream, a, MANY_ROUNDS);
    must(qn_event_record(e, stream));
    must_not(QN_E_TIMEOUT, qn_event_sync(e));
    must_not(QN_E_TIMEOUT, qn_stream_sync(stream));
    ck_assert_msg(strstr(qn_message(), "0.02 s; kernels queued since the last sync") != NULL &&
                      strstr(qn_message(), "churn, churn") != NULL,
                  "%s", qn_message());
    must_not(QN_E_TIMEOUT, qn_memory_free(device, a));
    must_not(QN_E_TIMEOUT, qn_memory_download(device, got, a, sizeof got, NULL));
    qn_device_set_watchdog(device, 0);
    must(qn_stream_sync(stream));
    must(qn_memory_download(device, got, a, sizeof got, NULL));
    check_churned(got, MANY_ROUNDS);
    must(qn_memory_free(device, a));
    qn_event_destroy(e);
}
END_TEST

START_TEST(destroying_a_stream_waits_for_its_work)
{
    uint32_t got[THREADS];
    qn_stream *s = new_stream(false);
    churn(s, memory, ROUNDS);
    must(qn_memory_download(device, got, memory, sizeof got, s));
    qn_stream_destroy(s);
    check_churned(got, ROUNDS);
    qn_stream_destroy(NULL);
}
END_TEST

START_TEST(memory_is_given_back_only_when_nothing_uses_it_any_more)
{
    uint32_t got[THREADS];
    qn_stream *s = new_stream(false);
    const qn_addr a = alloc(sizeof got);
    churn(s, a, ROUNDS);
    must(qn_memory_download(device, got, a, sizeof got, s));
    must(qn_memory_free(device, a));
    check_churned(got, ROUNDS); /* no sync: the free waited */
    qn_stream_destroy(s);
}
END_TEST

START_TEST(a_module_may_be_closed_after_a_sync_while_its_stream_lives_on)
{
    qn_module *other;
    must(qn_module_load(&other, device, qn_module_get_image(mod)));
    const uint32_t rounds = 3;
    must(qn_stream_launch(stream, kernel(other, "churn"), &churn_dims,
                          (void *[]){address_of(&memory), address_of(&rounds)}));
    must(qn_memory_fill(device, memory, 0, 4, 1, NULL)); /* waits, and is no sync of the stream */
    qn_module_close(other);
    churn(stream, memory, 4);
    must(qn_stream_sync(stream));
}
END_TEST

/* -- events -- */

START_TEST(an_event_marks_a_point_that_other_streams_can_wait_for)
{
    uint32_t got[THREADS];
    qn_event *e;
    qn_stream *b = new_stream(false);
    must(qn_event_create(&e, device));
    must(qn_event_query(e)); /* never recorded: done */
    must(qn_event_sync(e));
    must(qn_stream_wait(b, e));
    churn(stream, memory, ROUNDS);
    must(qn_event_record(e, stream));
    must(qn_stream_wait(b, e));
    must(qn_memory_download(device, got, memory, sizeof got, b));
    must(qn_stream_sync(b));
    check_churned(got, ROUNDS);
    must(qn_event_query(e));
    must(qn_stream_sync(stream));
    qn_event_destroy(e);
    qn_event_destroy(NULL);
    qn_stream_destroy(b);
}
END_TEST

START_TEST(recording_again_moves_the_mark)
{
    uint32_t got[THREADS];
    qn_event *e;
    must(qn_event_create(&e, device));
    must(qn_event_record(e, stream));
    churn(stream, memory, ROUNDS);
    must(qn_memory_download(device, got, memory, sizeof got, stream));
    must(qn_event_record(e, stream));
    qn_status s;
    while ((s = qn_event_query(e)) == QN_E_NOT_READY)
        sched_yield();
    must(s);
    check_churned(got, ROUNDS);
    must(qn_event_sync(e));
    must(qn_stream_sync(stream));
    qn_event_destroy(e);
}
END_TEST

START_TEST(time_between_events_is_measured_where_it_was_asked_for)
{
    double ms = -1, none = -1;
    qn_event *a, *b, *plain;
    qn_stream *s = new_stream(true);
    must(qn_event_create(&a, device));
    must(qn_event_create(&b, device));
    must(qn_event_create(&plain, device));
    must_not(QN_E_INVALID, qn_event_elapsed(&none, a, b)); /* not recorded */
    must(qn_event_record(a, s));
    for (int i = 0; i < 3; i++)
        churn(s, memory, ROUNDS);
    must(qn_event_record(b, s));
    must(qn_event_sync(b));
    must(qn_event_elapsed(&ms, a, b));
    ck_assert_msg(ms > 0, "%g ms", ms);
    must(qn_event_elapsed(&ms, a, a));
    ck_assert_double_eq(ms, 0);
    must(qn_event_record(plain, stream));
    must(qn_event_sync(plain));
    must_not(QN_E_INVALID, qn_event_elapsed(&none, a, plain));
    ck_assert_double_eq(none, 0);
    ck_assert_msg(strstr(qn_message(), "timing") != NULL, "%s", qn_message());
    qn_event_destroy(a);
    qn_event_destroy(b);
    qn_event_destroy(plain);
    qn_stream_destroy(s);
}
END_TEST

/* -- graphs -- */

START_TEST(a_graph_replays_what_was_captured_with_the_values_of_then)
{
    uint32_t got[THREADS], rounds = 5;
    const uint32_t marks[THREADS] = {42};
    const qn_addr out = alloc(4 * sizeof got);
    qn_graph *g;
    qn_stream *other = new_stream(false);
    must(qn_memory_fill(device, out, 0, 1, 4 * sizeof got, NULL));
    must(qn_stream_capture_begin(stream));
    must(qn_stream_launch(stream, kernel(mod, "churn"), &churn_dims,
                          (void *[]){address_of(&memory), &rounds}));
    must(qn_memory_copy(device, out, memory, sizeof got, stream));
    rounds = 6;
    must(qn_stream_launch(stream, kernel(mod, "churn"), &churn_dims,
                          (void *[]){address_of(&memory), &rounds}));
    must(qn_memory_copy(device, out + sizeof got, memory, sizeof got, stream));
    must(qn_memory_fill(device, out + 2 * sizeof got, 9, 4, THREADS, stream));
    must(qn_memory_upload(device, out + 3 * sizeof got, marks, sizeof marks, stream));
    rounds = 1000;
    must(qn_stream_capture_end(&g, stream));
    ck_assert_uint_eq(qn_graph_get_n_nodes(g), 6);
    must(qn_stream_sync(stream));
    must(qn_memory_download(device, got, out + 2 * sizeof got, sizeof got, NULL));
    ck_assert_uint_eq(got[0], 0); /* nothing has run */
    for (int round = 0; round < 3; round++) {
        must(qn_memory_fill(device, out, 0, 1, 4 * sizeof got, NULL));
        must(qn_graph_launch(g, round == 1 ? other : stream));
        must(qn_memory_download(device, got, out, sizeof got, NULL));
        check_churned(got, 5);
        must(qn_memory_download(device, got, out + sizeof got, sizeof got, NULL));
        check_churned(got, 6);
        must(qn_memory_download(device, got, out + 2 * sizeof got, sizeof got, NULL));
        ck_assert_uint_eq(got[THREADS - 1], 9);
        must(qn_memory_download(device, got, out + 3 * sizeof got, sizeof got, NULL));
        ck_assert_uint_eq(got[0], 42);
    }
    qn_graph_destroy(g);
    qn_graph_destroy(NULL);
    qn_stream_destroy(other);
    must(qn_memory_free(device, out));
}
END_TEST

START_TEST(an_empty_capture_is_an_empty_graph)
{
    qn_graph *g;
    must(qn_stream_capture_begin(stream));
    must(qn_stream_capture_end(&g, stream));
    ck_assert_uint_eq(qn_graph_get_n_nodes(g), 0);
    must(qn_graph_launch(g, stream));
    must(qn_stream_sync(stream));
    qn_graph_destroy(g);
}
END_TEST

START_TEST(other_streams_and_calls_without_one_go_on_during_a_capture)
{
    uint32_t got[THREADS];
    qn_graph *g;
    qn_stream *other = new_stream(false);
    must(qn_stream_capture_begin(stream));
    churn(stream, memory, 8);
    churn(other, memory, 9);
    must(qn_stream_sync(other));
    must(qn_memory_download(device, got, memory, sizeof got, NULL));
    check_churned(got, 9);
    must(qn_stream_capture_end(&g, stream));
    ck_assert_uint_eq(qn_graph_get_n_nodes(g), 1);
    must(qn_graph_launch(g, other));
    must(qn_memory_download(device, got, memory, sizeof got, NULL));
    check_churned(got, 8);
    qn_graph_destroy(g);
    qn_stream_destroy(other);
}
END_TEST

/* Calls that have no place in a capture. */
static qn_status spoil(int how, qn_event *e, qn_graph *empty)
{
    switch (how) {
    case 0: return qn_stream_sync(stream);
    case 1: return qn_stream_query(stream);
    case 2: return qn_event_record(e, stream);
    case 3: return qn_stream_wait(stream, e);
    case 4: return qn_graph_launch(empty, stream);
    case 5: return qn_stream_capture_begin(stream);
    default: return qn_stream_launch(stream, kernel(mod, "churn"), &churn_dims, NULL);
    }
}

START_TEST(what_cannot_be_recorded_is_refused_and_spoils_the_capture)
{
    qn_event *e;
    qn_graph *empty, *g;
    must(qn_event_create(&e, device));
    must(qn_stream_capture_begin(stream));
    must(qn_stream_capture_end(&empty, stream));
    must(qn_stream_capture_begin(stream));
    must_not(QN_E_INVALID, spoil(_i, e, empty));
    churn(stream, memory, 1);
    must_not(QN_E_INVALID, qn_stream_capture_end(&g, stream));
    ck_assert_ptr_null(g);
    ck_assert_msg(strstr(qn_message(), "spoiled") != NULL, "%s", qn_message());
    must_not(QN_E_INVALID, qn_stream_capture_end(&g, stream)); /* it has ended */
    must(qn_stream_sync(stream));
    qn_graph_destroy(empty);
    qn_event_destroy(e);
}
END_TEST

START_TEST(a_stream_may_be_destroyed_in_the_middle_of_a_capture)
{
    uint32_t first = 1;
    qn_stream *s = new_stream(false);
    must(qn_memory_fill(device, memory, 0, 4, THREADS, NULL));
    must(qn_stream_capture_begin(s));
    churn(s, memory, 1);
    qn_stream_destroy(s);
    must(qn_memory_download(device, &first, memory, 4, NULL));
    ck_assert_uint_eq(first, 0);
}
END_TEST

/* -- several handles -- */

START_TEST(objects_of_different_handles_do_not_mix)
{
    qn_device *dev;
    qn_stream *s;
    qn_event *e;
    qn_graph *g;
    double ms;
    const uint32_t rounds = 1;
    char byte = 0;
    must(qn_device_open(&dev, qn_device_get_info(device)->id));
    must(qn_stream_create(&s, dev, NULL));
    must(qn_event_create(&e, dev));
    must_not(QN_E_INVALID, qn_stream_launch(s, kernel(mod, "churn"), &churn_dims,
                                            (void *[]){address_of(&memory), address_of(&rounds)}));
    must_not(QN_E_INVALID, qn_memory_upload(device, memory, &byte, 1, s));
    must_not(QN_E_INVALID, qn_event_record(e, stream));
    must_not(QN_E_INVALID, qn_stream_wait(stream, e));
    must(qn_stream_capture_begin(s));
    must(qn_stream_capture_end(&g, s));
    must_not(QN_E_INVALID, qn_graph_launch(g, stream));
    qn_event *mine;
    must(qn_event_create(&mine, device));
    must_not(QN_E_INVALID, qn_event_elapsed(&ms, e, mine));
    qn_event_destroy(mine);
    qn_graph_destroy(g);
    qn_event_destroy(e);
    qn_stream_destroy(s);
    qn_device_close(dev);
}
END_TEST

/* -- several threads -- */

enum { WORKERS = 4, ADDITIONS = 1000 };

struct worker {
    pthread_t thread;
    qn_device *device;
    const qn_kernel *saxpy; /* shared by the threads, or not */
    float step;             /* what each launch of this thread adds */
    char message[256];      /* "" or what went wrong */
};

/* Add `step` to y many times, without waiting in between: a launch that took another thread's
 * arguments would be missing here and too much there. */
static qn_status add_up(struct worker *w, qn_stream *s, qn_addr x, qn_addr y)
{
    float ones[THREADS], got[THREADS];
    uint32_t n = THREADS;
    for (int i = 0; i < THREADS; i++)
        ones[i] = 1;
    qn_status status = qn_memory_upload(w->device, x, ones, sizeof ones, s);
    if (status == QN_OK)
        status = qn_memory_fill(w->device, y, 0, 4, THREADS, NULL);
    for (int i = 0; i < ADDITIONS && status == QN_OK; i++)
        status = qn_stream_launch(s, w->saxpy, &churn_dims, (void *[]){&y, &x, &w->step, &n});
    if (status == QN_OK)
        status = qn_memory_download(w->device, got, y, sizeof got, s);
    if (status == QN_OK)
        status = qn_stream_sync(s);
    for (int i = 0; i < THREADS && status == QN_OK && !w->message[0]; i++)
        if (got[i] != ADDITIONS * w->step)
            snprintf(w->message, sizeof w->message, "element %d: %g, want %g", i, got[i],
                     ADDITIONS * w->step);
    return status;
}

static void *worker_main(void *payload)
{
    struct worker *w = payload;
    qn_stream *s = NULL;
    qn_addr memory_of_mine = 0;
    qn_status status = qn_memory_alloc(&memory_of_mine, w->device, 2 * THREADS * 4);
    if (status == QN_OK)
        status = qn_stream_create(&s, w->device, NULL);
    if (status == QN_OK)
        status = add_up(w, s, memory_of_mine, memory_of_mine + THREADS * 4);
    if (status != QN_OK)
        snprintf(w->message, sizeof w->message, "%s", qn_message());
    qn_stream_destroy(s);
    if (qn_memory_free(w->device, memory_of_mine) != QN_OK)
        snprintf(w->message, sizeof w->message, "%s", qn_message());
    return NULL;
}

static void run_workers(struct worker workers[WORKERS])
{
    for (int i = 0; i < WORKERS; i++) {
        workers[i].step = (float)(i + 1);
        ck_assert_int_eq(pthread_create(&workers[i].thread, NULL, worker_main, &workers[i]), 0);
    }
    for (int i = 0; i < WORKERS; i++)
        pthread_join(workers[i].thread, NULL);
    for (int i = 0; i < WORKERS; i++)
        ck_assert_msg(!workers[i].message[0], "thread %d: %s", i, workers[i].message);
}

START_TEST(threads_share_one_kernel_on_streams_of_their_own)
{
    struct worker workers[WORKERS] = {0};
    for (int i = 0; i < WORKERS; i++) {
        workers[i].device = device;
        workers[i].saxpy = kernel(mod, "saxpy");
    }
    run_workers(workers);
}
END_TEST

START_TEST(threads_use_device_handles_of_their_own)
{
    struct worker workers[WORKERS] = {0};
    qn_module *modules[WORKERS];
    for (int i = 0; i < WORKERS; i++) {
        must(qn_device_open(&workers[i].device, qn_device_get_info(device)->id));
        must(qn_module_load(&modules[i], workers[i].device, qn_module_get_image(mod)));
        workers[i].saxpy = kernel(modules[i], "saxpy");
    }
    run_workers(workers);
    for (int i = 0; i < WORKERS; i++) {
        qn_module_close(modules[i]);
        qn_device_close(workers[i].device);
    }
}
END_TEST

int main(void)
{
    const struct fixture_case cases[] = {
        {a_call_without_a_stream_comes_after_everything_queued, 1},
        {a_stream_keeps_the_order_of_its_calls, 1},
        {polling_a_stream_ends_and_then_its_work_is_done, 1},
        {a_wait_ends_when_its_time_is_up_and_the_work_goes_on, 1},
        {under_a_watchdog_no_call_waits_longer_and_nothing_is_freed, 1},
        {destroying_a_stream_waits_for_its_work, 1},
        {memory_is_given_back_only_when_nothing_uses_it_any_more, 1},
        {a_module_may_be_closed_after_a_sync_while_its_stream_lives_on, 1},
        {an_event_marks_a_point_that_other_streams_can_wait_for, 1},
        {recording_again_moves_the_mark, 1},
        {time_between_events_is_measured_where_it_was_asked_for, 1},
        {a_graph_replays_what_was_captured_with_the_values_of_then, 1},
        {an_empty_capture_is_an_empty_graph, 1},
        {other_streams_and_calls_without_one_go_on_during_a_capture, 1},
        {what_cannot_be_recorded_is_refused_and_spoils_the_capture, 7},
        {a_stream_may_be_destroyed_in_the_middle_of_a_capture, 1},
        {objects_of_different_handles_do_not_mix, 1},
        {threads_share_one_kernel_on_streams_of_their_own, 1},
        {threads_use_device_handles_of_their_own, 1},
        {0},
    };
    return fixture_run("runtime queue", NULL, open_all, close_all, cases);
}
