/* SPDX-License-Identifier: Apache-2.0
 *
 * What a launch costs beside the driver's own call.
 *
 *     bench/launch [DEVICE]        default: the preferred device
 *
 * A kernel of three arguments that does nothing is queued in batches, by qn_stream_launch and by
 * the raw calls a careful author would write for the same thing (cuLaunchKernel; three
 * clSetKernelArg* and clEnqueueNDRangeKernel). "queue" is the time up to the last call's return,
 * "done" up to the end of the work, "finish" when each launch is waited for by itself; all per
 * launch. Batches of the two alternate. On cpu:0 the raw call is that of the kernel's function.
 */
#include "bench/bench.h"
#include "bench/raw.h"

enum { LAUNCHES = 500, ROUNDS = 51 };

static const char *const source =
    "extern \"C\" __global__ void nothing(float *y, const float *x, int n)\n"
    "{\n"
    "    if (n < 0)\n"
    "        y[0] = x[0];\n"
    "}\n";

struct pair {
    double queue[ROUNDS], done[ROUNDS], finish[ROUNDS];
};

static void batch_ours(struct pair *out, int round, qn_stream *stream, const qn_kernel *kernel,
                       qn_addr y, qn_addr x)
{
    int n = 1;
    void *args[] = {&y, &x, &n};
    const qn_dims dims = {.grid = {1, 1, 1}, .block = {64, 1, 1}};
    const double start = bench_now_us();
    for (int i = 0; i < LAUNCHES; i++)
        bench_check(qn_stream_launch(stream, kernel, &dims, args), "launch");
    out->queue[round] = (bench_now_us() - start) / LAUNCHES;
    bench_check(qn_stream_sync(stream), "sync");
    out->done[round] = (bench_now_us() - start) / LAUNCHES;
    const double again = bench_now_us();
    for (int i = 0; i < LAUNCHES; i++) {
        bench_check(qn_stream_launch(stream, kernel, &dims, args), "launch");
        bench_check(qn_stream_sync(stream), "sync");
    }
    out->finish[round] = (bench_now_us() - again) / LAUNCHES;
}

static void batch_raw(struct pair *out, int round, struct raw *r, uint64_t y, uint64_t x)
{
    const double start = bench_now_us();
    for (int i = 0; i < LAUNCHES; i++)
        raw_launch(r, y, x, 1);
    out->queue[round] = (bench_now_us() - start) / LAUNCHES;
    raw_sync(r);
    out->done[round] = (bench_now_us() - start) / LAUNCHES;
    const double again = bench_now_us();
    for (int i = 0; i < LAUNCHES; i++) {
        raw_launch(r, y, x, 1);
        raw_sync(r);
    }
    out->finish[round] = (bench_now_us() - again) / LAUNCHES;
}

int main(int argc, char **argv)
{
    qn_device *device;
    qn_module *module;
    qn_stream *stream;
    const qn_kernel *kernel;
    qn_addr y, x;
    const qn_source src = {.text = source, .path = "nothing.cu"};
    bench_check(qn_device_open(&device, argc > 1 ? argv[1] : NULL), "open");
    bench_check(qn_module_build(&module, device, &src, NULL, NULL), "build");
    bench_check(qn_kernel_find(&kernel, module, "nothing"), "find");
    bench_check(qn_stream_create(&stream, device, NULL), "stream");
    bench_check(qn_memory_alloc(&y, device, 256), "alloc");
    bench_check(qn_memory_alloc(&x, device, 256), "alloc");

    /* The raw side gets the same text or binary. */
    const qn_device_info *info = qn_device_get_info(device);
    const qn_source for_raw = {.text = source, .path = "nothing.cu"};
    qn_image *image;
    bench_check(qn_compile(&image, &for_raw, info->target, NULL, NULL), "compile");
    const qn_image_info *made = qn_image_get_info(image);
    struct raw r;
    raw_open(&r, info);
    raw_load(&r, made->bytes, made->size_bytes, false, "", "nothing");
    const uint64_t raw_y = raw_alloc(&r, 256), raw_x = raw_alloc(&r, 256);

    static struct pair ours, raw;
    for (int round = -3; round < ROUNDS; round++) { /* the first three only warm up */
        const int at = round < 0 ? 0 : round;
        batch_ours(&ours, at, stream, kernel, y, x);
        batch_raw(&raw, at, &r, raw_y, raw_x);
    }
    printf("launch on %s (%s), %s; %d rounds of %d\n", info->id, info->name, info->driver, ROUNDS,
           LAUNCHES);
    bench_print("launch, queue", "us", ours.queue, raw.queue, ROUNDS);
    bench_print("launch, done", "us", ours.done, raw.done, ROUNDS);
    bench_print("launch, finish", "us", ours.finish, raw.finish, ROUNDS);

    qn_image_release(image);
    bench_check(qn_memory_free(device, x), "free");
    bench_check(qn_memory_free(device, y), "free");
    qn_stream_destroy(stream);
    qn_module_close(module);
    qn_device_close(device);
    return 0;
}
