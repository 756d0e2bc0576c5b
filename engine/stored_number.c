/* SPDX-License-Identifier: Apache-2.0
 *
 * Numbers as a model file stores them, read from any address. */
#include "engine/stored_number.h"

#include "base/wire.h"

#include <string.h>

uint32_t qn__fact_bytes(enum qn__number number)
{
    switch (number) {
    case QN__NUMBER_U8:
    case QN__NUMBER_I8:
    case QN__NUMBER_BOOL: return 1;
    case QN__NUMBER_U16:
    case QN__NUMBER_I16: return 2;
    case QN__NUMBER_U32:
    case QN__NUMBER_I32:
    case QN__NUMBER_F32: return 4;
    case QN__NUMBER_U64:
    case QN__NUMBER_I64:
    case QN__NUMBER_F64: return 8;
    }
    return 0;
}

static struct qn__fact fact_u64(uint64_t value)
{
    return (struct qn__fact){.kind = QN__FACT_U64, .value.u64 = value};
}

static struct qn__fact fact_i64(int64_t value)
{
    return (struct qn__fact){.kind = QN__FACT_I64, .value.i64 = value};
}

struct qn__fact qn__number_read(enum qn__number number, const unsigned char *bytes)
{
    float f32;
    double f64;
    uint32_t u32;
    uint64_t u64;
    switch (number) {
    case QN__NUMBER_U8: return fact_u64(bytes[0]);
    case QN__NUMBER_I8: return fact_i64((int8_t)bytes[0]);
    case QN__NUMBER_BOOL:
        return (struct qn__fact){.kind = QN__FACT_BOOL, .value.boolean = bytes[0] != 0};
    case QN__NUMBER_U16: return fact_u64((uint16_t)(bytes[0] | bytes[1] << 8));
    case QN__NUMBER_I16: return fact_i64((int16_t)(bytes[0] | bytes[1] << 8));
    case QN__NUMBER_U32: return fact_u64(qn__get_u32(bytes));
    case QN__NUMBER_I32: return fact_i64((int32_t)qn__get_u32(bytes));
    case QN__NUMBER_F32:
        u32 = qn__get_u32(bytes);
        memcpy(&f32, &u32, sizeof f32);
        return (struct qn__fact){.kind = QN__FACT_F64, .value.f64 = f32};
    case QN__NUMBER_U64: return fact_u64(qn__get_u64(bytes));
    case QN__NUMBER_I64: return fact_i64((int64_t)qn__get_u64(bytes));
    case QN__NUMBER_F64:
        u64 = qn__get_u64(bytes);
        memcpy(&f64, &u64, sizeof f64);
        return (struct qn__fact){.kind = QN__FACT_F64, .value.f64 = f64};
    }
    return (struct qn__fact){0};
}
