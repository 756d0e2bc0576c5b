/* SPDX-License-Identifier: Apache-2.0
 *
 * The little language of `quern launch --arg`.
 *
 *     f32:0.5            a number: TYPE:VALUE
 *     in:f32:1024:ramp   a buffer: DIRECTION:TYPE:COUNT[:FILL]
 *     out:f32:16x64      COUNT may be a product, and end in k, m or g (times 1024)
 *     null               a null pointer
 *     hex:0000803f       bytes of a struct passed by value, first byte first
 *
 * DIRECTION is in (not shown afterwards), out, or inout. TYPE is i8 u8 i16 u16 i32 u32 i64 u64 f16
 * bf16 f32 f64. FILL says what the buffer holds before the kernel runs:
 *
 *     zero               the default of in and inout
 *     poison             every byte 0xff: NaN in floating point; the default of out, so that what
 *                        the kernel did not write is seen
 *     const:VALUE
 *     ramp[:START[:STEP]]   START, START + STEP, ...; 0 and 1 when not given
 *     rand[:SEED]        floats in [-1, 1), integers in [0, 100); the same on every machine
 *     file:PATH          raw bytes, exactly as many as the buffer has
 */
#ifndef QN_TOOLS_LAUNCH_ARGS_H
#define QN_TOOLS_LAUNCH_ARGS_H

#include "tools/number.h"

#include <quern/compile.h>

enum qn__arg_form { QN__ARG_NUMBER, QN__ARG_BUFFER, QN__ARG_NULL, QN__ARG_BYTES };
enum qn__arg_fill {
    QN__FILL_ZERO,
    QN__FILL_POISON,
    QN__FILL_CONST,
    QN__FILL_RAMP,
    QN__FILL_RAND,
    QN__FILL_FILE,
};

enum { QN__ARG_BYTES_MAX = 4096 }; /* of a value; CUDA's own limit for all parameters */

struct qn__launch_arg {
    enum qn__arg_form form;
    enum qn__number_type type;              /* numbers and buffers */
    unsigned char value[QN__ARG_BYTES_MAX]; /* numbers and bytes */
    size_t value_bytes;
    bool is_output; /* buffers: shown and saved */
    bool is_input;
    uint64_t n_elems;
    enum qn__arg_fill fill;
    unsigned char start[8], step[8]; /* const and ramp, in the buffer's type */
    uint64_t seed;
    const char *path; /* inside the text given to parse */
};

/* QN_E_INVALID  the message names the part that is wrong and what could stand there */
qn_status qn__launch_arg_parse(struct qn__launch_arg *out, const char *text);

/* Three sides from "16", "16,16" or "16,16,1" ("x" also separates); NULL: 1, 1, 1. `name` is the
 * option's, for the message. QN_E_INVALID  malformed */
qn_status qn__launch_axes_parse(uint32_t out[3], const char *name, const char *text);

/* Bytes of a buffer. */
uint64_t qn__launch_arg_bytes(const struct qn__launch_arg *arg);

/* What the buffer holds before the kernel runs, qn__launch_arg_bytes() of it.
 * QN_E_IO  the file cannot be read; QN_E_INVALID  it has another size */
qn_status qn__launch_arg_fill(void *bytes, const struct qn__launch_arg *arg);

/* Does the argument fit the kernel's parameter? QN_E_INVALID says how it does not. */
qn_status qn__launch_arg_check(const struct qn__launch_arg *arg, const qn_arg_info *parameter,
                               uint32_t index);

#endif
