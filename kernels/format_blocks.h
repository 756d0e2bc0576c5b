/* SPDX-License-Identifier: Apache-2.0
 *
 * The blocks of formats.def as C structs. format_pack.c and format_unpack.c are their codecs;
 * formats.h is what others use.
 *
 * A block has f16 scales (`d`; `dmin` or `m` scales a minimum or is one) and small codes. Every
 * field is of bytes or 16-bit words, so no struct has padding; blocks in a file need not be
 * aligned, so codecs copy one to a local before they look at it.
 *
 * The K formats cut 256 elements into sub-blocks of 16 or 32, each with a scale (and a minimum) of
 * its own that is itself a small integer times the block's. */
#ifndef QN_KERNELS_FORMAT_BLOCKS_H
#define QN_KERNELS_FORMAT_BLOCKS_H

#include <stdint.h>

struct qn__block_q4_0 { /* d (q - 8) */
    uint16_t d;
    uint8_t qs[16]; /* element j low nibble, element 16 + j high nibble of byte j */
};
struct qn__block_q4_1 { /* d q + m */
    uint16_t d, m;
    uint8_t qs[16];
};
struct qn__block_q5_0 { /* d (q - 16) */
    uint16_t d;
    uint8_t qh[4]; /* bit i: the fifth bit of element i */
    uint8_t qs[16];
};
struct qn__block_q5_1 { /* d q + m */
    uint16_t d, m;
    uint8_t qh[4], qs[16];
};
struct qn__block_q8_0 { /* d q */
    uint16_t d;
    int8_t qs[32];
};
struct qn__block_iq4_nl { /* d qn__iq4_nl_values[q]; nibbles as in q4_0 */
    uint16_t d;
    uint8_t qs[16];
};

struct qn__block_mxfp4 { /* 2^(e - 128) qn__e2m1_values[q]; nibbles as in q4_0 */
    uint8_t e;
    uint8_t qs[16];
};
struct qn__block_nvfp4 { /* scale / 2 qn__e2m1_values[q], by 16 */
    uint8_t scales[4];   /* 8-bit floats: 4 bits of exponent, 3 of fraction */
    uint8_t qs[32];      /* byte 8 s + j: elements 16 s + j (low nibble), 16 s + 8 + j (high) */
};

/* Formats of codebooks (quern_codes_*.cuh); weights_<format>.cu says what their fields are. */
struct qn__block_iq2_xxs {
    uint16_t d;
    uint8_t qs[64]; /* by 32 elements: four entries, then 32 bits */
};
struct qn__block_iq2_xs {
    uint16_t d, qs[32];
    uint8_t scales[8];
};
struct qn__block_iq2_s {
    uint16_t d;
    uint8_t qs[32], signs[32], qh[8], scales[8];
};
struct qn__block_iq3_xxs {
    uint16_t d;
    uint8_t qs[64], words[32];
};
struct qn__block_iq3_s {
    uint16_t d;
    uint8_t qs[64], qh[8], signs[32], scales[4];
};
struct qn__block_iq1_s {
    uint16_t d;
    uint8_t qs[32];
    uint16_t qh[8];
};
struct qn__block_iq1_m {
    uint8_t qs[32], qh[16];
    uint16_t scales[4];
};

struct qn__block_iq4_xs { /* d (scale - 32) qn__iq4_nl_values[q], by 32 */
    uint16_t d;
    uint16_t scales_h;   /* bits 2 s: the upper two bits of scale s */
    uint8_t scales_l[4]; /* its lower four: nibble s */
    uint8_t qs[128];     /* 16 s + j: elements 32 s + j (low nibble), 32 s + 16 + j (high) */
};
struct qn__block_tq1_0 { /* d (trit - 1): digits of base 3, the first times 1, the next times 3, ...
                          */
    uint8_t
        qs[48]; /* byte m < 32: elements 32 n + m for digits n < 5; byte 32 + m: 160 + 16 n + m */
    uint8_t qh[4]; /* byte m: elements 240 + 4 n + m for digits n < 4 */
    uint16_t d;
};
struct qn__block_tq2_0 { /* d (q - 1) */
    uint8_t qs[64];      /* as in q2_k */
    uint16_t d;
};

struct qn__block_q2_k { /* d scale q - dmin min, by 16 */
    uint8_t scales[16]; /* scale low, min high nibble */
    uint8_t qs[64];     /* byte 32 h + l, bits 2 k: element 128 h + 32 k + l */
    uint16_t d, dmin;
};
struct qn__block_q3_k { /* d (scale - 32) (q - 4), by 16 */
    uint8_t hmask[32];  /* bit i of byte l: third bit of element 32 i + l */
    uint8_t qs[64];     /* low two bits, as in q2_k */
    uint8_t scales[12]; /* 16 of 6 bits: qn__scales_q3_k() */
    uint16_t d;
};
struct qn__block_q4_k { /* d scale q - dmin min, by 32 */
    uint16_t d, dmin;
    uint8_t scales[12]; /* 8 scales and 8 minima of 6 bits: qn__scale_min_k() */
    uint8_t qs[128];    /* byte 32 g + l: elements 64 g + l (low nibble), 64 g + 32 + l (high) */
};
struct qn__block_q5_k {
    uint16_t d, dmin;
    uint8_t scales[12];
    uint8_t qh[32]; /* bit i of byte l: fifth bit of element 32 i + l */
    uint8_t qs[128];
};
struct qn__block_q6_k { /* d scale (q - 32), by 16 */
    uint8_t ql[128];    /* 64 h + l: elements 128 h + l and + 64; 64 h + 32 + l: + 32 and + 96 */
    uint8_t qh[64];     /* byte 32 h + l, bits 2 k: upper two bits of element 128 h + 32 k + l */
    int8_t scales[16];
    uint16_t d;
};

#endif
