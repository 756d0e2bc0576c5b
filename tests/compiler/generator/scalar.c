/* SPDX-License-Identifier: Apache-2.0
 *
 * Types, and arithmetic on scalars as CUDA C++ defines it or, where it does not, as the
 * instructions of an unoptimised compile do it on a GPU: integers wrap, x / 0 and x % 0 have all
 * bits set, shifts by the width and more leave nothing but signs, floats out of range become the
 * nearest integer. Floating point is IEEE with round to nearest and no contraction. */
#include "tests/compiler/generator/program.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#define SCALAR(id, spelling, bytes)                                                                \
    [id] = {.kind = GEN_SCALAR,                                                                    \
            .scalar = id,                                                                          \
            .name = spelling,                                                                      \
            .n = 1,                                                                                \
            .size_bytes = bytes,                                                                   \
            .align_bytes = bytes}
const struct gen_type gen_scalars[GEN_N_SCALARS] = {
    SCALAR(GEN_BOOL, "bool", 1),
    SCALAR(GEN_I8, "signed char", 1),
    SCALAR(GEN_U8, "unsigned char", 1),
    SCALAR(GEN_I16, "short", 2),
    SCALAR(GEN_U16, "unsigned short", 2),
    SCALAR(GEN_I32, "int", 4),
    SCALAR(GEN_U32, "unsigned int", 4),
    SCALAR(GEN_I64, "long long", 8),
    SCALAR(GEN_U64, "unsigned long long", 8),
    SCALAR(GEN_F32, "float", 4),
    SCALAR(GEN_F64, "double", 8),
};

const char gen_lanes[4][2] = {"x", "y", "z", "w"};

#define VECTOR(spelling, id, count, bytes, alignment)                                              \
    {.kind = GEN_VECTOR,                                                                           \
     .scalar = id,                                                                                 \
     .name = spelling,                                                                             \
     .element = &gen_scalars[id],                                                                  \
     .n = count,                                                                                   \
     .size_bytes = bytes,                                                                          \
     .align_bytes = alignment}
const struct gen_type gen_vectors[] = {
    VECTOR("int2", GEN_I32, 2, 8, 8),         VECTOR("int3", GEN_I32, 3, 12, 4),
    VECTOR("int4", GEN_I32, 4, 16, 16),       VECTOR("uint2", GEN_U32, 2, 8, 8),
    VECTOR("uint4", GEN_U32, 4, 16, 16),      VECTOR("float2", GEN_F32, 2, 8, 8),
    VECTOR("float3", GEN_F32, 3, 12, 4),      VECTOR("float4", GEN_F32, 4, 16, 16),
    VECTOR("double2", GEN_F64, 2, 16, 16),    VECTOR("uchar4", GEN_U8, 4, 4, 4),
    VECTOR("char2", GEN_I8, 2, 2, 2),         VECTOR("short2", GEN_I16, 2, 4, 4),
    VECTOR("ushort4", GEN_U16, 4, 8, 8),      VECTOR("uchar3", GEN_U8, 3, 3, 1),
    VECTOR("ulonglong2", GEN_U64, 2, 16, 16), VECTOR("longlong2", GEN_I64, 2, 16, 16),
};
const uint32_t gen_n_vectors = sizeof gen_vectors / sizeof gen_vectors[0];

const struct gen_call_info gen_calls[GEN_N_CALLS] = {
    [GEN_POPC] = {"__popc", 1, GEN_I32, GEN_U32},
    [GEN_POPCLL] = {"__popcll", 1, GEN_I32, GEN_U64},
    [GEN_CLZ] = {"__clz", 1, GEN_I32, GEN_I32},
    [GEN_FFS] = {"__ffs", 1, GEN_I32, GEN_I32},
    [GEN_BREV] = {"__brev", 1, GEN_U32, GEN_U32},
    [GEN_UMULHI] = {"__umulhi", 2, GEN_U32, GEN_U32},
    [GEN_MIN_I32] = {"min", 2, GEN_I32, GEN_I32},
    [GEN_MAX_I32] = {"max", 2, GEN_I32, GEN_I32},
    [GEN_MIN_U32] = {"min", 2, GEN_U32, GEN_U32},
    [GEN_MAX_U64] = {"max", 2, GEN_U64, GEN_U64},
    [GEN_ABS] = {"abs", 1, GEN_I32, GEN_I32},
    [GEN_FABSF] = {"fabsf", 1, GEN_F32, GEN_F32},
    [GEN_FLOORF] = {"floorf", 1, GEN_F32, GEN_F32},
    [GEN_TRUNCF] = {"truncf", 1, GEN_F32, GEN_F32},
    [GEN_RINTF] = {"rintf", 1, GEN_F32, GEN_F32},
    [GEN_SQRTF] = {"sqrtf", 1, GEN_F32, GEN_F32},
    [GEN_FMAF] = {"fmaf", 3, GEN_F32, GEN_F32},
    [GEN_FMA] = {"fma", 3, GEN_F64, GEN_F64},
    [GEN_FLOAT_AS_INT] = {"__float_as_int", 1, GEN_I32, GEN_F32},
    [GEN_INT_AS_FLOAT] = {"__int_as_float", 1, GEN_F32, GEN_I32},
    [GEN_CLZLL] = {"__clzll", 1, GEN_I32, GEN_I64},
    [GEN_FFSLL] = {"__ffsll", 1, GEN_I32, GEN_I64},
    [GEN_LLABS] = {"llabs", 1, GEN_I64, GEN_I64},
    [GEN_MULHI] = {"__mulhi", 2, GEN_I32, GEN_I32},
    [GEN_FUNNEL_L] = {"__funnelshift_l", 3, GEN_U32, GEN_U32},
    [GEN_FUNNEL_R] = {"__funnelshift_r", 3, GEN_U32, GEN_U32},
    [GEN_FUNNEL_LC] = {"__funnelshift_lc", 3, GEN_U32, GEN_U32},
    [GEN_FUNNEL_RC] = {"__funnelshift_rc", 3, GEN_U32, GEN_U32},
};

float gen_float(uint64_t v)
{
    const uint32_t low = (uint32_t)v;
    float x;
    memcpy(&x, &low, sizeof x);
    return x;
}

uint64_t gen_of_float(float x)
{
    uint32_t low;
    memcpy(&low, &x, sizeof low);
    return low;
}

double gen_double(uint64_t v)
{
    double x;
    memcpy(&x, &v, sizeof x);
    return x;
}

uint64_t gen_of_double(double x)
{
    uint64_t v;
    memcpy(&v, &x, sizeof v);
    return v;
}

/* The low bits of v, extended by the type's own sign. */
static uint64_t wrap(uint64_t v, enum gen_scalar type)
{
    switch (type) {
    case GEN_BOOL: return v & 1;
    case GEN_I8: return (uint64_t)(int64_t)(int8_t)v;
    case GEN_U8: return (uint8_t)v;
    case GEN_I16: return (uint64_t)(int64_t)(int16_t)v;
    case GEN_U16: return (uint16_t)v;
    case GEN_I32: return (uint64_t)(int64_t)(int32_t)v;
    case GEN_U32: return (uint32_t)v;
    default: return v;
    }
}

/* The hardware converts to 32 or 64 bits; narrower integers are the low bits of 32. NaN becomes 0
 * where both sides have 32 bits, otherwise the number whose highest bit alone is set. */
static uint64_t from_real(double x, bool is_double, enum gen_scalar to)
{
    const bool is_signed = gen_is_signed(to), is_wide = gen_scalars[to].size_bytes == 8;
    const double end = is_wide ? 0x1p63 : 0x1p31; /* of the signed type */
    uint64_t v;
    if (isnan(x))
        v = is_wide ? UINT64_C(1) << 63 : is_double ? UINT64_C(1) << 31 : 0;
    else if (is_signed)
        v = x >= end    ? (is_wide ? INT64_MAX : INT32_MAX)
            : x <= -end ? UINT64_C(0) - (is_wide ? UINT64_C(1) << 63 : UINT64_C(1) << 31)
                        : (uint64_t)(int64_t)x;
    else
        v = x >= 2 * end ? (is_wide ? UINT64_MAX : UINT32_MAX) : x <= 0 ? 0 : (uint64_t)x;
    return wrap(v, to);
}

uint64_t gen_convert(uint64_t v, enum gen_scalar from, enum gen_scalar to)
{
    if (from == to)
        return v;
    if (to == GEN_BOOL)
        return from == GEN_F32 ? gen_float(v) != 0 : from == GEN_F64 ? gen_double(v) != 0 : v != 0;
    if (gen_is_float(from)) {
        const double x = from == GEN_F32 ? (double)gen_float(v) : gen_double(v);
        if (to == GEN_F64)
            return gen_of_double(x);
        if (to == GEN_F32)
            return gen_of_float((float)x);
        return from_real(x, from == GEN_F64, to);
    }
    if (to == GEN_F32)
        return gen_of_float(from == GEN_U64 ? (float)v : (float)(int64_t)v);
    if (to == GEN_F64)
        return gen_of_double(from == GEN_U64 ? (double)v : (double)(int64_t)v);
    return wrap(v, to);
}

#define COMPARE(op, x, y)                                                                          \
    (op == GEN_EQ   ? (x) == (y)                                                                   \
     : op == GEN_NE ? (x) != (y)                                                                   \
     : op == GEN_LT ? (x) < (y)                                                                    \
     : op == GEN_LE ? (x) <= (y)                                                                   \
     : op == GEN_GT ? (x) > (y)                                                                    \
                    : (x) >= (y))

static uint64_t apply_f32(enum gen_op op, float x, float y)
{
    switch (op) {
    case GEN_ADD: return gen_of_float(x + y);
    case GEN_SUB: return gen_of_float(x - y);
    case GEN_MUL: return gen_of_float(x * y);
    case GEN_DIV: return gen_of_float(x / y);
    case GEN_NEG: return gen_of_float(-x);
    default: return COMPARE(op, x, y);
    }
}

static uint64_t apply_f64(enum gen_op op, double x, double y)
{
    switch (op) {
    case GEN_ADD: return gen_of_double(x + y);
    case GEN_SUB: return gen_of_double(x - y);
    case GEN_MUL: return gen_of_double(x * y);
    case GEN_DIV: return gen_of_double(x / y);
    case GEN_NEG: return gen_of_double(-x);
    default: return COMPARE(op, x, y);
    }
}

static uint64_t divide(enum gen_op op, enum gen_scalar type, uint64_t a, uint64_t b)
{
    const bool is_rest = op == GEN_REM;
    if (b == 0)
        return wrap(UINT64_MAX, type);
    if (!gen_is_signed(type))
        return is_rest ? a % b : a / b;
    if (b == UINT64_MAX) /* -1: C would trap on the smallest number */
        return is_rest ? 0 : wrap(0 - a, type);
    const int64_t x = (int64_t)a, y = (int64_t)b;
    return wrap((uint64_t)(is_rest ? x % y : x / y), type);
}

/* The count is taken as 32 bits without a sign; what is narrower than 32 bits is shifted as int. */
static uint64_t shift(enum gen_op op, enum gen_scalar type, uint64_t v, uint32_t count)
{
    const uint32_t width = gen_scalars[type].size_bytes == 8 ? 64 : 32;
    const bool is_negative = gen_is_signed(type) && (int64_t)v < 0;
    if (count >= width)
        return op == GEN_SHR && is_negative ? wrap(UINT64_MAX, type) : 0;
    if (op == GEN_SHL)
        return wrap(v << count, type);
    return wrap(is_negative ? ~(~v >> count) : v >> count, type);
}

/* Comparisons give bool, everything else the operands' type. */
uint64_t gen_apply(enum gen_op op, enum gen_scalar type, uint64_t a, uint64_t b)
{
    if (type == GEN_F32)
        return apply_f32(op, gen_float(a), gen_float(b));
    if (type == GEN_F64)
        return apply_f64(op, gen_double(a), gen_double(b));
    const bool is_signed = gen_is_signed(type);
    switch (op) {
    case GEN_ADD: return wrap(a + b, type);
    case GEN_SUB: return wrap(a - b, type);
    case GEN_MUL: return wrap(a * b, type);
    case GEN_DIV:
    case GEN_REM: return divide(op, type, a, b);
    case GEN_AND: return a & b;
    case GEN_OR: return a | b;
    case GEN_XOR: return a ^ b;
    case GEN_SHL:
    case GEN_SHR: return shift(op, type, a, (uint32_t)b);
    case GEN_NEG: return wrap(0 - a, type);
    case GEN_COMPLEMENT: return wrap(~a, type);
    case GEN_NOT: return !a;
    default: return is_signed ? COMPARE(op, (int64_t)a, (int64_t)b) : COMPARE(op, a, b);
    }
}

/* The upper or lower half of the 64 bits v[1]:v[0], shifted. */
static uint64_t funnel(const uint64_t *v, bool left, bool clamps)
{
    const uint64_t both = v[1] << 32 | v[0];
    const uint32_t by = clamps ? (v[2] < 32 ? (uint32_t)v[2] : 32) : (uint32_t)v[2] & 31;
    return (uint32_t)(left ? both << by >> 32 : both >> by);
}

uint64_t gen_apply_call(enum gen_call call, const uint64_t *v)
{
    const uint32_t u = (uint32_t)v[0];
    uint32_t reversed = 0;
    switch (call) {
    case GEN_POPC:
    case GEN_POPCLL: return (uint64_t)__builtin_popcountll(v[0]);
    case GEN_CLZ: return u ? (uint64_t)__builtin_clz(u) : 32;
    case GEN_FFS: return (uint64_t)__builtin_ffs((int)u);
    case GEN_BREV:
        for (uint32_t i = 0; i < 32; i++)
            reversed |= (u >> i & 1) << (31 - i);
        return reversed;
    case GEN_UMULHI: return v[0] * v[1] >> 32;
    case GEN_MIN_I32: return (int64_t)v[0] < (int64_t)v[1] ? v[0] : v[1];
    case GEN_MAX_I32: return (int64_t)v[0] > (int64_t)v[1] ? v[0] : v[1];
    case GEN_MIN_U32: return v[0] < v[1] ? v[0] : v[1];
    case GEN_MAX_U64: return v[0] > v[1] ? v[0] : v[1];
    case GEN_ABS: return wrap((int64_t)v[0] < 0 ? 0 - v[0] : v[0], GEN_I32);
    case GEN_LLABS: return (int64_t)v[0] < 0 ? 0 - v[0] : v[0];
    case GEN_CLZLL: return v[0] ? (uint64_t)__builtin_clzll(v[0]) : 64;
    case GEN_FFSLL: return (uint64_t)__builtin_ffsll((long long)v[0]);
    case GEN_MULHI: return wrap((uint64_t)((int64_t)v[0] * (int64_t)v[1]) >> 32, GEN_I32);
    case GEN_FUNNEL_L: return funnel(v, true, false);
    case GEN_FUNNEL_R: return funnel(v, false, false);
    case GEN_FUNNEL_LC: return funnel(v, true, true);
    case GEN_FUNNEL_RC: return funnel(v, false, true);
    case GEN_FABSF: return gen_of_float(fabsf(gen_float(v[0])));
    case GEN_FLOORF: return gen_of_float(floorf(gen_float(v[0])));
    case GEN_TRUNCF: return gen_of_float(truncf(gen_float(v[0])));
    case GEN_RINTF: return gen_of_float(rintf(gen_float(v[0])));
    case GEN_SQRTF: return gen_of_float(sqrtf(gen_float(v[0])));
    case GEN_FMAF: return gen_of_float(fmaf(gen_float(v[0]), gen_float(v[1]), gen_float(v[2])));
    case GEN_FMA: return gen_of_double(fma(gen_double(v[0]), gen_double(v[1]), gen_double(v[2])));
    case GEN_FLOAT_AS_INT: return (uint64_t)(int64_t)(int32_t)u;
    case GEN_INT_AS_FLOAT: return u;
    case GEN_N_CALLS: break;
    }
    assert(!"a call without meaning");
    return 0;
}

uint64_t gen_load(const void *from, enum gen_scalar type)
{
    uint64_t v = 0;
    memcpy(&v, from, gen_scalars[type].size_bytes);
    return wrap(v, type);
}

void gen_store(void *to, enum gen_scalar type, uint64_t v)
{
    memcpy(to, &v, gen_scalars[type].size_bytes);
}

static bool same_scalar(enum gen_scalar type, const void *a, const void *b)
{
    const uint64_t x = gen_load(a, type), y = gen_load(b, type);
    if (x == y)
        return true;
    return (type == GEN_F32 && isnan(gen_float(x)) && isnan(gen_float(y))) ||
           (type == GEN_F64 && isnan(gen_double(x)) && isnan(gen_double(y)));
}

bool gen_same(const struct gen_type *type, const void *a, const void *b)
{
    const unsigned char *x = a, *y = b;
    switch (type->kind) {
    case GEN_SCALAR: return same_scalar(type->scalar, a, b);
    case GEN_STRUCT: /* padding is not compared */
        for (uint32_t i = 0; i < type->n; i++) {
            const struct gen_member *m = &type->members[i];
            if (!gen_same(m->type, x + m->offset_bytes, y + m->offset_bytes))
                return false;
        }
        return true;
    case GEN_VECTOR:
    case GEN_ARRAY:
        for (uint32_t i = 0; i < type->n; i++) {
            const uint32_t at = i * type->element->size_bytes;
            if (!gen_same(type->element, x + at, y + at))
                return false;
        }
        return true;
    case GEN_POINTER: break;
    }
    assert(!"pointers are not compared");
    return false;
}
