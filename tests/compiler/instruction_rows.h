/* SPDX-License-Identifier: Apache-2.0
 *
 * The rows of instructions.def as one source: kernels row_0, row_1, ... of (unsigned *o, unsigned
 * *a). A block of THREADS; o holds WORDS words, 0 before the launch, a[i] is 100 i + 7. */
#ifndef QN_TESTS_INSTRUCTION_ROWS_H
#define QN_TESTS_INSTRUCTION_ROWS_H

#include <check.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { THREADS = 32, WORDS = 8, INPUTS = 64, BODY = 4096 };

static const struct instruction_row {
    const char *name;
    const char *body;
    uint32_t want[WORDS];
    bool needs_sm_100;
} rows[] = {
#include "tests/compiler/instructions.def"
};
enum { N = sizeof rows / sizeof *rows };

static const char instruction_prologue[] =
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
static char instruction_text[N * BODY + sizeof instruction_prologue];

/* Into instruction_text. */
static void instructions_write(bool (*is_left_out)(const struct instruction_row *))
{
    size_t n =
        (size_t)snprintf(instruction_text, sizeof instruction_text, "%s", instruction_prologue);
    for (int i = 0; i < N; i++) {
        if (is_left_out && is_left_out(&rows[i]))
            continue;
        n += (size_t)snprintf(instruction_text + n, sizeof instruction_text - n,
                              "extern \"C\" __global__ void row_%d(unsigned *o, unsigned *a)\n"
                              "{\n    const int i = threadIdx.x;\n    %s\n}\n",
                              i, rows[i].body);
        ck_assert_uint_lt(n, sizeof instruction_text);
    }
}

#endif
