/* SPDX-License-Identifier: Apache-2.0
 *
 * How a model file stores the numbers of its facts. */
#ifndef QN_ENGINE_STORED_NUMBER_H
#define QN_ENGINE_STORED_NUMBER_H

#include "engine/model_file.h"

/* Numbers as a file stores them; the values are GGUF's. */
enum qn__number {
    QN__NUMBER_U8 = 0,
    QN__NUMBER_I8 = 1,
    QN__NUMBER_U16 = 2,
    QN__NUMBER_I16 = 3,
    QN__NUMBER_U32 = 4,
    QN__NUMBER_I32 = 5,
    QN__NUMBER_F32 = 6,
    QN__NUMBER_BOOL = 7,
    QN__NUMBER_U64 = 10,
    QN__NUMBER_I64 = 11,
    QN__NUMBER_F64 = 12,
};

/* The number at `bytes` as a fact without a key. */
struct qn__fact qn__number_read(enum qn__number number, const unsigned char *bytes);
uint32_t qn__fact_bytes(enum qn__number number); /* 0: no such number */

#endif
