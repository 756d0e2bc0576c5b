/* SPDX-License-Identifier: Apache-2.0
 *
 * Inline PTX and device functions that no C++ operator spells, against the numbers that PTX's
 * manual defines. Each row is the body of a kernel of 32 threads, which writes words to o; `a`
 * holds the words of `input`, i is threadIdx.x. The same source runs through NVRTC
 * (QUERN_BACKEND=cuda) and through the translator.
 *
 * covers: compiler/lower/ptx/ptx_shared compiler/lower/ptx/ptx_branch compiler/lower/ptx/ptx_copy
 * compiler/lower/ptx/ptx_window compiler/lower/ptx/ptx_compare compiler/lower/ptx/ptx_convert
 * compiler/lower/ptx/ptx_half compiler/lower/ptx/ptx_float compiler/lower/ptx/ptx_field */
#include "tests/runtime_fixture.h"

#include <stdbool.h>
#include <stdint.h>

enum { THREADS = 32, WORDS = 8, INPUTS = 64, BODY = 4096 };

static const struct row {
    const char *name;
    const char *body;
    uint32_t want[WORDS];
    bool needs_sm_100;
} rows[] = {
#include "tests/compiler/instructions.def"
};
enum { N = sizeof rows / sizeof *rows };

static const char prologue[] =
    "#include <cuda_fp16.h>\n"
    "#include <cuda_bf16.h>\n"
    "#include <cuda_fp8.h>\n"
    "#include <cuda_fp6.h>\n"
    "#include <cuda_fp4.h>\n"
    "#define W1(k, text, x) { unsigned d; asm volatile(text \" %0, %1;\" : \"=r\"(d) : \"r\"(x)); "
    "o[k] = d; }\n"
    "#define W2(k, text, x, y) { unsigned d; asm volatile(text \" %0, %1, %2;\" : \"=r\"(d) : "
    "\"r\"(x), \"r\"(y)); o[k] = d; }\n"
    "#define W3(k, text, x, y, z) { unsigned d; asm volatile(text \" %0, %1, %2, %3;\" : \"=r\"(d) "
    ": \"r\"(x), \"r\"(y), \"r\"(z)); o[k] = d; }\n"
    "#define W4(k, text, x, y, z, w) { unsigned d; asm volatile(text \" %0, %1, %2, %3, %4;\" : "
    "\"=r\"(d) : \"r\"(x), \"r\"(y), \"r\"(z), \"n\"(w)); o[k] = d; }\n"
    "#define F1(k, text, x) { float d; asm volatile(text \" %0, %1;\" : \"=f\"(d) : \"f\"(x)); "
    "o[k] = to_bits(d); }\n"
    "#define F2(k, text, x, y) { float d; asm volatile(text \" %0, %1, %2;\" : \"=f\"(d) : "
    "\"f\"(x), \"f\"(y)); o[k] = to_bits(d); }\n"
    "#define F3(k, text, x, y, z) { float d; asm volatile(text \" %0, %1, %2, %3;\" : \"=f\"(d) : "
    "\"f\"(x), \"f\"(y), \"f\"(z)); o[k] = to_bits(d); }\n"
    "#define FW(k, text, x) { unsigned d; asm volatile(text \" %0, %1;\" : \"=r\"(d) : \"f\"(x)); "
    "o[k] = d; }\n"
    "#define WF(k, text, x) { float d; asm volatile(text \" %0, %1;\" : \"=f\"(d) : \"r\"(x)); "
    "o[k] = to_bits(d); }\n"
    "#define FFW(k, text, x, y) { unsigned d; asm volatile(text \" %0, %1, %2;\" : \"=r\"(d) : "
    "\"f\"(x), \"f\"(y)); o[k] = d; }\n"
    "#define L1(k, text, x) { unsigned long long d; asm volatile(text \";\" : \"=l\"(d) : "
    "\"l\"(x)); o[k] = (unsigned)d; }\n"
    "#define FH(k, text, x) { unsigned short d; asm volatile(text \" %0, %1;\" : \"=h\"(d) : "
    "\"f\"(x)); o[k] = d; }\n"
    "#define FFH(k, text, x, y) { unsigned short d; asm volatile(text \" %0, %1, %2;\" : \"=h\"(d) "
    ": \"f\"(x), \"f\"(y)); o[k] = d; }\n"
    "#define HF(k, text, x) { float d; asm volatile(text \" %0, %1;\" : \"=f\"(d) : "
    "\"h\"((unsigned short)(x))); o[k] = to_bits(d); }\n"
    "#define HW(k, text, x) { unsigned d; asm volatile(text \" %0, %1;\" : \"=r\"(d) : "
    "\"h\"((unsigned short)(x))); o[k] = d; }\n"
    "#define WH(k, text, x) { unsigned short d; asm volatile(text \" %0, %1;\" : \"=h\"(d) : "
    "\"r\"(x)); o[k] = d; }\n"
    "#define HHH(k, text, x, y) { unsigned short d; asm volatile(text \" %0, %1, %2;\" : \"=h\"(d) "
    ": \"h\"((unsigned short)(x)), \"h\"((unsigned short)(y))); o[k] = d; }\n"
    "static __device__ float from_bits(unsigned bits) { return __uint_as_float(bits); }\n"
    "static __device__ unsigned to_bits(float f) { return __float_as_uint(f); }\n"
    "static __device__ unsigned shared_number(const void *p)\n"
    "{\n"
    "    return (unsigned)__cvta_generic_to_shared(p);\n"
    "}\n";
static char text[N * BODY + sizeof prologue];
static qn_module *module;
static uint32_t input[INPUTS];

static bool is_left_out(const struct row *r)
{
    const char *const target = qn_device_get_info(device)->target;
    return r->needs_sm_100 && strncmp(target, "cuda:sm_", 8) == 0 && atoi(target + 8) < 100;
}

static void build(void)
{
    size_t n = (size_t)snprintf(text, sizeof text, "%s", prologue);
    for (int i = 0; i < N; i++) {
        if (is_left_out(&rows[i]))
            continue;
        n += (size_t)snprintf(text + n, sizeof text - n,
                              "extern \"C\" __global__ void row_%d(unsigned *o, unsigned *a)\n"
                              "{\n    const int i = threadIdx.x;\n    %s\n}\n",
                              i, rows[i].body);
        ck_assert_uint_lt(n, sizeof text);
    }
    const qn_source source = {.text = text, .path = "instructions.cu"};
    qn_log log = {0};
    const qn_status s = qn_module_build(&module, device, &source, NULL, &log);
    if (s != QN_OK) /* too long for a message of Check's */
        fprintf(stderr, "%s\n", log.text ? log.text : "");
    ck_assert_msg(s == QN_OK, "%.400s", qn_message());
    qn_log_release(&log);
    for (uint32_t i = 0; i < INPUTS; i++)
        input[i] = 100 * i + 7;
}

START_TEST(numbers_are_those_of_the_manual)
{
    const struct row *const r = &rows[_i];
    const qn_kernel *kernel;
    uint32_t got[WORDS];
    if (is_left_out(r))
        return;
    char name[32];
    memset(got, 0, sizeof got);
    qn_addr out = alloc(sizeof got), in = alloc(sizeof input);
    void *const args[] = {&out, &in};
    const qn_dims dims = {.grid = {1, 1, 1}, .block = {THREADS, 1, 1}};
    snprintf(name, sizeof name, "row_%d", _i);
    must(qn_kernel_find(&kernel, module, name));
    must(qn_memory_upload(device, in, input, sizeof input, stream));
    must(qn_memory_upload(device, out, got, sizeof got, stream));
    must(qn_stream_launch(stream, kernel, &dims, args));
    must(qn_memory_download(device, got, out, sizeof got, stream));
    must(qn_stream_sync(stream));
    qn_memory_free(device, in);
    qn_memory_free(device, out);
    for (int k = 0; k < WORDS; k++)
        ck_assert_msg(got[k] == r->want[k], "%s: o[%d] is 0x%08x, wanted 0x%08x", r->name, k,
                      got[k], r->want[k]);
}
END_TEST

static void close_module(void)
{
    qn_module_close(module);
}

int main(void)
{
    const struct fixture_case cases[] = {{numbers_are_those_of_the_manual, N}, {NULL, 0}};
    return fixture_run("instructions", NULL, build, close_module, cases);
}
