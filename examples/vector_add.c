/* SPDX-License-Identifier: Apache-2.0
 *
 * Two vectors added on the preferred device by the kernel in vector_add.cu.
 *     cc vector_add.c $(pkg-config --cflags --libs quern) && ./a.out */
#include <quern/quern.h>
#include <stdio.h>
#include <stdlib.h>

static void check(qn_status s)
{
    if (s != QN_OK) {
        fprintf(stderr, "vector_add: %s: %s\n", qn_status_text(s), qn_message());
        exit(1);
    }
}

int main(void)
{
    enum { N = 1000, BLOCK = 256 };
    float a[N], b[N], y[N];
    for (int i = 0; i < N; i++) {
        a[i] = (float)i;
        b[i] = 0.5f;
    }
    qn_device *dev;
    qn_module *mod;
    qn_stream *stream;
    const qn_kernel *kernel;
    qn_addr on_device[3]; /* y, a, b */
    int n = N, right = 1;

    check(qn_device_open(&dev, NULL));
    check(qn_module_build(&mod, dev, &(qn_source){.path = "vector_add.cu"}, NULL, NULL));
    check(qn_kernel_find(&kernel, mod, "vector_add"));
    check(qn_stream_create(&stream, dev, NULL));
    for (int i = 0; i < 3; i++)
        check(qn_memory_alloc(&on_device[i], dev, sizeof y));
    check(qn_memory_upload(dev, on_device[1], a, sizeof a, stream));
    check(qn_memory_upload(dev, on_device[2], b, sizeof b, stream));

    void *args[] = {&on_device[0], &on_device[1], &on_device[2], &n};
    const qn_dims dims = {.grid = {(N + BLOCK - 1) / BLOCK}, .block = {BLOCK}};
    check(qn_stream_launch(stream, kernel, &dims, args));
    check(qn_memory_download(dev, y, on_device[0], sizeof y, stream));
    check(qn_stream_sync(stream));

    for (int i = 0; i < N; i++)
        right = right && y[i] == a[i] + b[i];
    printf("vector_add on %s: %s\n", qn_device_get_info(dev)->name, right ? "right" : "WRONG");
    for (int i = 0; i < 3; i++)
        check(qn_memory_free(dev, on_device[i]));
    qn_stream_destroy(stream);
    qn_module_close(mod);
    qn_device_close(dev);
    return !right;
}
