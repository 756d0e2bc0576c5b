/* SPDX-License-Identifier: Apache-2.0
 *
 * Clocks in kernels: clock(), clock64(), __globaltimer() and the registers of inline PTX go on
 * while a thread works, and not faster than the host's clock; a driver without one is said at the
 * line. */
#include "tests/runtime_fixture.h"

#include <stdbool.h>
#include <time.h>

enum { PARTS = 4, VALUES = 3 };

/* Times before the work, after it, and what it came to, so that it is done. */
static const char text[] =
    "__device__ unsigned long long timer()\n"
    "{\n"
    "    unsigned long long t;\n"
    "    asm volatile(\"mov.u64 %0, %%globaltimer;\" : \"=l\"(t));\n"
    "    return t;\n"
    "}\n"
    "__device__ unsigned long long cycles()\n"
    "{\n"
    "    unsigned long long t;\n"
    "    asm volatile(\"mov.u64 %0, %%clock64;\" : \"=l\"(t));\n"
    "    return t;\n"
    "}\n"
    "template <int WHICH> __device__ unsigned long long now()\n"
    "{\n"
    "    return WHICH == 0 ? (unsigned long long)clock64() : WHICH == 1 ? (unsigned)clock()\n"
    "         : WHICH == 2 ? cycles() : timer();\n"
    "}\n"
    "template <int WHICH> __device__ void measure(unsigned long long *out, unsigned steps)\n"
    "{\n"
    "    const unsigned long long before = now<WHICH>();\n"
    "    unsigned long long x = out[2];\n"
    "    for (unsigned i = 0; i < steps; i++) {\n"
    "        x = x * 6364136223846793005ull + (x >> 33) + 1442695040888963407ull;\n"
    "        *(volatile unsigned long long *)(out + 2) = x;\n"
    "    }\n"
    "    out[0] = before;\n"
    "    out[1] = now<WHICH>();\n"
    "}\n"
    "extern \"C\" __global__ void k(unsigned long long *out, unsigned steps, int which)\n"
    "{\n"
    "    switch (which) {\n"
    "    case 0: measure<0>(out, steps); break;\n"
    "    case 1: measure<1>(out, steps); break;\n"
    "    case 2: measure<2>(out, steps); break;\n"
    "    default: measure<3>(out, steps); break;\n"
    "    }\n"
    "}\n";

static uint64_t host_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* What passed in the kernel; *host: around it, in nanoseconds. */
static uint64_t measure(const qn_kernel *kernel, qn_addr out, int which, uint64_t *host)
{
    const qn_dims one = {.grid = {1, 1, 1}, .block = {1, 1, 1}};
    uint64_t got[VALUES] = {0, 0, 1};
    uint32_t steps = 200000;
    void *const args[] = {&out, &steps, &which};
    must(qn_memory_upload(device, out, got, sizeof got, stream));
    must(qn_stream_sync(stream));
    *host = host_ns();
    must(qn_stream_launch(stream, kernel, &one, args));
    must(qn_stream_sync(stream));
    *host = host_ns() - *host;
    must(qn_memory_download(device, got, out, sizeof got, stream));
    must(qn_stream_sync(stream));
    return which == 1 ? (uint32_t)(got[1] - got[0]) : got[1] - got[0];
}

START_TEST(clocks_go_on_while_a_thread_works)
{
    const qn_source source = {.text = text, .path = "clock.cu"};
    const bool is_hip = strcmp(qn_device_get_info(device)->backend, "hip") == 0;
    const qn_kernel *kernel;
    qn_module *module = NULL;
    if (is_hip) /* has no inline PTX */
        return;
    if (qn_module_build(&module, device, &source, NULL, NULL) != QN_OK) {
        ck_assert_ptr_nonnull(strstr(qn_message(), "a clock inside a kernel: this OpenCL driver"));
        ck_assert_ptr_nonnull(strstr(qn_message(), "clock.cu:"));
        return;
    }
    must(qn_kernel_find(&kernel, module, "k"));
    const qn_addr out = alloc(VALUES * sizeof(uint64_t));
    for (int which = 0; which < PARTS; which++) {
        uint64_t host;
        const uint64_t passed = measure(kernel, out, which, &host);
        /* no clock steps more than 10 times in a nanosecond, or less than once in 1,000 */
        ck_assert_msg(passed > 0 && passed / 10 <= host, "%d: %llu while the host counts %llu ns",
                      which, (unsigned long long)passed, (unsigned long long)host);
        ck_assert_msg(which != 3 || passed <= host + 1000000, "globaltimer: %llu of %llu ns",
                      (unsigned long long)passed, (unsigned long long)host);
    }
    qn_module_close(module);
    qn_memory_free(device, out);
}
END_TEST

int main(void)
{
    const struct fixture_case cases[] = {{clocks_go_on_while_a_thread_works, 1}, {NULL, 0}};
    return fixture_run("clock", NULL, NULL, NULL, cases);
}
