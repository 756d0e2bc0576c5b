/* SPDX-License-Identifier: Apache-2.0
 *
 * quern_lanes.cuh: sixteen numbers at once. On a CPU they are vectors, and what C and OpenCL C lack
 * is the translator's; on a GPU a thread has them in registers, one by one. */
#ifndef QUERN_LANES_CUH
#define QUERN_LANES_CUH

#include "quern_kernel.cuh"

#if QK_COALESCE
struct qk_lanes {
    qk_i32 v[16];
};
struct qk_flanes {
    float v[16];
};
#define QK_LANE  for (int i = 0; i < 16; i++)
#define QK_OF(a) (a).v[i]
#else
typedef qk_i32 qk_i32x16 __attribute__((ext_vector_type(16)));
typedef float qk_f32x16 __attribute__((ext_vector_type(16)));
typedef qk_u16 qk_u16x16 __attribute__((ext_vector_type(16)));
struct qk_lanes {
    qk_i32x16 v;
};
struct qk_flanes {
    qk_f32x16 v;
};
#define QK_LANE
#define QK_OF(a) (a).v
#endif

QK_DEVICE qk_lanes qk_lanes_of(qk_i32 x)
{
    qk_lanes r;
    QK_LANE QK_OF(r) = x;
    return r;
}

QK_DEVICE qk_flanes qk_flanes_of(float x)
{
    qk_flanes r;
    QK_LANE QK_OF(r) = x;
    return r;
}

QK_DEVICE qk_lanes qk_and(const qk_lanes &a, qk_i32 mask)
{
    qk_lanes r;
    QK_LANE QK_OF(r) = QK_OF(a) & mask;
    return r;
}

QK_DEVICE qk_lanes qk_or(const qk_lanes &a, const qk_lanes &b)
{
    qk_lanes r;
    QK_LANE QK_OF(r) = QK_OF(a) | QK_OF(b);
    return r;
}

QK_DEVICE qk_lanes qk_shift_left(const qk_lanes &a, int by)
{
    qk_lanes r;
    QK_LANE QK_OF(r) = QK_OF(a) << by;
    return r;
}

QK_DEVICE qk_lanes qk_shift_right(const qk_lanes &a, int by)
{
    qk_lanes r;
    QK_LANE QK_OF(r) = QK_OF(a) >> by; /* the sign's copies are masked away by whoever calls */
    return r;
}

QK_DEVICE qk_flanes qk_times(const qk_flanes &a, float b)
{
    qk_flanes r;
    QK_LANE QK_OF(r) = QK_OF(a) * b;
    return r;
}

QK_DEVICE qk_flanes qk_plus(const qk_flanes &a, const qk_flanes &b)
{
    qk_flanes r;
    QK_LANE QK_OF(r) = QK_OF(a) + QK_OF(b);
    return r;
}

/* sum += a b */
QK_DEVICE void qk_add_product(qk_flanes *sum, const qk_flanes &a, const qk_flanes &b)
{
    QK_LANE QK_OF(*sum) = QK_OF(*sum) + QK_OF(a) * QK_OF(b);
}

#if QK_COALESCE
QK_DEVICE qk_flanes qk_to_flanes(const qk_lanes &a)
{
    qk_flanes r;
    QK_LANE r.v[i] = (float)a.v[i];
    return r;
}

QK_DEVICE qk_lanes qk_load_lanes(const qk_i32 *p)
{
    qk_lanes r;
    QK_LANE r.v[i] = p[i];
    return r;
}

QK_DEVICE qk_flanes qk_load_flanes(const float *p)
{
    qk_flanes r;
    QK_LANE r.v[i] = p[i];
    return r;
}

QK_DEVICE void qk_store_flanes(float *p, const qk_flanes &a)
{
    QK_LANE p[i] = a.v[i];
}

QK_DEVICE qk_flanes qk_load_halves(const qk_half *p)
{
    qk_flanes r;
    QK_LANE r.v[i] = qk_float(p[i]);
    return r;
}

/* To each sum the products of four unsigned bytes with the four signed ones of x. */
QK_DEVICE qk_lanes qk_dot4(const qk_lanes &sum, const qk_lanes &codes, qk_i32 x)
{
    qk_lanes r = sum;
    QK_LANE for (int k = 0; k < 32; k += 8) r.v[i] +=
        (qk_i32)((qk_u32)codes.v[i] >> k & 255u) * (qk_i32)(qk_i8)((qk_u32)x >> k);
    return r;
}
#else
__device__ __attribute__((const)) qk_i32x16 qk_dot4_lanes(qk_i32x16 sum, qk_i32x16 codes,
                                                          qk_i32 x) __asm__("__qn_dot4_lanes");
__device__ __attribute__((const)) qk_f32x16 qk_f16_lanes(qk_u16x16 bits) __asm__("__qn_f16_lanes");

QK_DEVICE qk_flanes qk_to_flanes(const qk_lanes &a)
{
    qk_flanes r;
    r.v = __builtin_convertvector(a.v, qk_f32x16);
    return r;
}

QK_DEVICE qk_lanes qk_load_lanes(const qk_i32 *p)
{
    qk_i32x16 v;
    __builtin_memcpy(&v, p, sizeof v);
    qk_lanes r;
    r.v = v;
    return r;
}

QK_DEVICE qk_flanes qk_load_flanes(const float *p)
{
    qk_f32x16 v;
    __builtin_memcpy(&v, p, sizeof v);
    qk_flanes r;
    r.v = v;
    return r;
}

QK_DEVICE void qk_store_flanes(float *p, const qk_flanes &a)
{
    const qk_f32x16 v = a.v;
    __builtin_memcpy(p, &v, sizeof v);
}

QK_DEVICE qk_flanes qk_load_halves(const qk_half *p)
{
    qk_u16x16 v;
    __builtin_memcpy(&v, p, sizeof v);
    qk_flanes r;
    r.v = qk_f16_lanes(v);
    return r;
}

QK_DEVICE qk_lanes qk_dot4(const qk_lanes &sum, const qk_lanes &codes, qk_i32 x)
{
    qk_lanes r;
    r.v = qk_dot4_lanes(sum.v, codes.v, x);
    return r;
}
#endif

/* What lies there will be read soon. GPUs hide the wait by other threads. */
#if defined(QUERN_C)
__device__ void qk_prefetch(const qk_u8 *p) __asm__("__qn_prefetch");
#else
QK_DEVICE void qk_prefetch(const qk_u8 *)
{
}
#endif

#undef QK_LANE
#undef QK_OF

#endif
