/* SPDX-License-Identifier: Apache-2.0
 *
 * A template kernel in a string, instantiated for two types by name expressions. */
#include <quern/quern.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static const char source[] = "namespace grid {\n"
                             "template <typename T, int STEP>\n"
                             "__global__ void scale(T *y, T a, int n)\n"
                             "{\n"
                             "    for (int i = threadIdx.x; i < n; i += STEP)\n"
                             "        y[i] = a * y[i];\n"
                             "}\n"
                             "}\n";
static const char *const names[] = {"grid::scale<float, 64>", "grid::scale<long long, 64>"};

static void check(qn_status s)
{
    if (s != QN_OK) {
        fprintf(stderr, "template_string: %s: %s\n", qn_status_text(s), qn_message());
        exit(1);
    }
}

/* y[i] = a * y[i] by the kernel of that name; `a` points to one element. */
static void scale(qn_device *dev, qn_module *mod, const char *name, void *y, uint64_t bytes,
                  void *a, int n)
{
    const qn_kernel *kernel;
    qn_stream *stream;
    qn_addr on_device;
    check(qn_kernel_find(&kernel, mod, name));
    check(qn_stream_create(&stream, dev, NULL));
    check(qn_memory_alloc(&on_device, dev, bytes));
    check(qn_memory_upload(dev, on_device, y, bytes, stream));
    void *args[] = {&on_device, a, &n};
    check(qn_stream_launch(stream, kernel, &(qn_dims){.grid = {1}, .block = {64}}, args));
    check(qn_memory_download(dev, y, on_device, bytes, stream));
    check(qn_stream_sync(stream));
    check(qn_memory_free(dev, on_device));
    qn_stream_destroy(stream);
}

int main(void)
{
    enum { N = 200 };
    float x[N], a = 0.5f;
    int64_t k[N], b = INT64_C(3000000000);
    for (int i = 0; i < N; i++) {
        x[i] = (float)i;
        k[i] = i;
    }
    const qn_source src = {.text = source, .path = "scale.cu", .names = names, .n_names = 2};
    qn_device *dev;
    qn_module *mod;
    qn_log log = {0};
    check(qn_device_open(&dev, NULL));
    const qn_status s = qn_module_build(&mod, dev, &src, NULL, &log);
    if (s == QN_E_COMPILE || s == QN_E_UNSUPPORTED)
        fputs(log.text, stderr); /* file:line:column, the line, a caret */
    check(s);
    scale(dev, mod, names[0], x, sizeof x, &a, N);
    scale(dev, mod, names[1], k, sizeof k, &b, N);

    int right = 1;
    for (int i = 0; i < N; i++)
        right = right && x[i] == 0.5f * (float)i && k[i] == INT64_C(3000000000) * i;
    printf("template_string on %s: %s\n", qn_device_get_info(dev)->name, right ? "right" : "WRONG");
    qn_log_release(&log);
    qn_module_close(mod);
    qn_device_close(dev);
    return !right;
}
