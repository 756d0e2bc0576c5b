/* SPDX-License-Identifier: Apache-2.0
 *
 * Compile once into a file, load the file later. The first half needs the compiler and could run on
 * another machine, without any GPU; the second half is what a program does that ships the file. */
#include <quern/quern.h>
#include <stdio.h>
#include <stdlib.h>

static const char source[] = "extern \"C\" __global__ void reverse(int *y, int n)\n"
                             "{\n"
                             "    extern __shared__ int kept[];\n"
                             "    int i = threadIdx.x;\n"
                             "    kept[i] = y[i];\n"
                             "    __syncthreads();\n"
                             "    y[i] = kept[n - 1 - i];\n"
                             "}\n";

static void check(qn_status s)
{
    if (s != QN_OK) {
        fprintf(stderr, "precompiled_image: %s: %s\n", qn_status_text(s), qn_message());
        exit(1);
    }
}

static void compile_to_file(const char *path, const char *target)
{
    qn_image *image;
    check(
        qn_compile(&image, &(qn_source){.text = source, .path = "reverse.cu"}, target, NULL, NULL));
    check(qn_image_save(image, path));
    qn_image_release(image);
}

static int load_and_run(const char *path, qn_device *dev)
{
    enum { N = 64 };
    int y[N], n = N, right = 1;
    for (int i = 0; i < N; i++)
        y[i] = i * i;
    qn_image *image;
    qn_module *mod;
    qn_stream *stream;
    const qn_kernel *kernel;
    qn_addr on_device;
    check(qn_image_load(&image, path, NULL));
    check(qn_module_load(&mod, dev, image));
    check(qn_kernel_find(&kernel, mod, "reverse"));
    check(qn_stream_create(&stream, dev, NULL));
    check(qn_memory_alloc(&on_device, dev, sizeof y));
    check(qn_memory_upload(dev, on_device, y, sizeof y, stream));
    void *args[] = {&on_device, &n};
    const qn_dims dims = {.block = {N}, .shared_bytes = sizeof y};
    check(qn_stream_launch(stream, kernel, &dims, args));
    check(qn_memory_download(dev, y, on_device, sizeof y, stream));
    check(qn_stream_sync(stream));
    for (int i = 0; i < N; i++)
        right = right && y[i] == (N - 1 - i) * (N - 1 - i);
    check(qn_memory_free(dev, on_device));
    qn_stream_destroy(stream);
    qn_module_close(mod);
    qn_image_release(image);
    return right;
}

int main(void)
{
    const char *path = "reverse.qni";
    qn_device *dev;
    check(qn_device_open(&dev, NULL));
    compile_to_file(path, qn_device_get_info(dev)->target);
    const int right = load_and_run(path, dev);
    printf("precompiled_image on %s: %s\n", qn_device_get_info(dev)->name,
           right ? "right" : "WRONG");
    qn_device_close(dev);
    remove(path);
    return !right;
}
