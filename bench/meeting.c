/* SPDX-License-Identifier: Apache-2.0
 *
 * What it costs that threads of cpu:0 begin and end a grid together.
 *
 *     bench/meeting [THREADS]        default: as many as there are processors
 *
 * For 1, 2, 3, 4, 6, 8, 12, ... threads, each in a fresh process: a grid of as many blocks, queued
 * 500 times. "empty": the blocks do nothing, so it is what posting the grid, waking or finding the
 * threads and their meeting takes; "5 us": how much longer a launch takes than the work of a block,
 * which computes for 5 us; both per launch of a queue. "alone": an empty launch that is waited for
 * before the next. "asleep": the same after 1 ms in which the threads have fallen asleep. Medians
 * of 31 rounds (asleep: of 100 launches), microseconds. */
#include "bench/child.h"

#include <poll.h>

enum { LAUNCHES = 500, ROUNDS = 31, SLEEPY = 100, NUMBERS = 5 };

static const char *const source = "extern \"C\" __global__ void work(unsigned *out, int n)\n"
                                  "{\n"
                                  "    unsigned x = blockIdx.x;\n"
                                  "    for (int i = 0; i < n; i++)\n"
                                  "        x = x * 1664525u + 1013904223u + (x >> 16);\n"
                                  "    out[blockIdx.x * 64] = x;\n"
                                  "}\n";

static struct {
    qn_device *device;
    qn_module *module;
    qn_stream *stream;
    const qn_kernel *kernel;
    qn_addr out;
} b;

static void launch(uint32_t blocks, int n)
{
    const qn_dims dims = {.grid = {blocks, 1, 1}, .block = {1, 1, 1}};
    bench_check(qn_stream_launch(b.stream, b.kernel, &dims, (void *[]){&b.out, &n}), "launch");
}

static double queue_us(uint32_t blocks, int n)
{
    static double rounds[ROUNDS];
    for (int r = -2; r < ROUNDS; r++) {
        const double start = bench_now_us();
        for (int i = 0; i < LAUNCHES; i++)
            launch(blocks, n);
        bench_check(qn_stream_sync(b.stream), "sync");
        rounds[r < 0 ? 0 : r] = (bench_now_us() - start) / LAUNCHES;
    }
    return bench_median(rounds, ROUNDS);
}

/* Each launch by itself, after a pause. */
static double alone_us(uint32_t blocks, int n_times, int pause_ms)
{
    double *const times = malloc((size_t)n_times * sizeof *times);
    bench_must(times != NULL, "memory");
    for (int i = 0; i < n_times; i++) {
        if (pause_ms)
            poll(NULL, 0, pause_ms);
        const double start = bench_now_us();
        launch(blocks, 0);
        bench_check(qn_stream_sync(b.stream), "sync");
        times[i] = bench_now_us() - start;
    }
    const double median = bench_median(times, (size_t)n_times);
    free(times);
    return median;
}

/* In the child: one line of numbers. */
static int measure(uint32_t threads)
{
    const qn_source src = {.text = source, .path = "work.cu"};
    bench_check(qn_device_open(&b.device, "cpu:0"), "open");
    bench_check(qn_module_build(&b.module, b.device, &src, NULL, NULL), "build");
    bench_check(qn_kernel_find(&b.kernel, b.module, "work"), "find");
    bench_check(qn_stream_create(&b.stream, b.device, NULL), "stream");
    bench_check(qn_memory_alloc(&b.out, b.device, (uint64_t)threads * 256), "alloc");
    enum { STEPS = 100000, WORK_US = 5 };
    double best = 1e9; /* a block's time for so many steps, on a processor at full speed */
    for (int i = 0; i < 20; i++) {
        const double start = bench_now_us();
        launch(1, STEPS);
        bench_check(qn_stream_sync(b.stream), "sync");
        const double us = bench_now_us() - start;
        best = us < best ? us : best;
    }
    const int n = (int)(WORK_US * STEPS / best);
    const double empty = queue_us(threads, 0), work = queue_us(threads, n);
    printf("%f %f %f %f %f\n", empty, work - n * best / STEPS, alone_us(threads, 20 * ROUNDS, 0),
           alone_us(threads, SLEEPY, 1), work);
    bench_check(qn_memory_free(b.device, b.out), "free");
    qn_stream_destroy(b.stream);
    qn_module_close(b.module);
    qn_device_close(b.device);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc > 2)
        return measure((uint32_t)atoi(argv[2]));
    const long here = sysconf(_SC_NPROCESSORS_ONLN);
    const int most = argc > 1 ? atoi(argv[1]) : (int)here;
    char count[16], measured[] = "measure";
    printf("threads   empty    5 us   alone  asleep   (us a launch)\n");
    for (int n = 1, step = 1; n <= most; n += step) {
        double v[NUMBERS];
        snprintf(count, sizeof count, "%d", n);
        setenv("QUERN_THREADS", count, 1);
        (void)bench_child(v, NUMBERS, (char *[]){argv[0], measured, count, NULL});
        printf("%7d %7.2f %7.2f %7.2f %7.2f\n", n, v[0], v[1], v[2], v[3]);
        fflush(stdout);
        step = n < 4 ? 1 : n < 8 ? 2 : n < 16 ? 4 : 8;
    }
    return 0;
}
