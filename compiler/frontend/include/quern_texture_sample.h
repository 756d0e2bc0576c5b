/* SPDX-License-Identifier: Apache-2.0
 *
 * What a texture read computes. Texels and results travel as four 32-bit words, of a float its
 * bits. */
#pragma clang system_header
#ifndef QN_STANDIN_TEXTURE_SAMPLE
#define QN_STANDIN_TEXTURE_SAMPLE

/* As in runtime/texture.c. */
struct qn__texture {
    unsigned long long texels;
    unsigned int width, height, depth, layers;
    unsigned int format, channels, texel_bytes;
    unsigned int address[3];
    unsigned int is_linear, is_normalised_read, has_normalised_coordinates, row_bytes;
    float border[4];
};
enum { QN__U8, QN__I8, QN__U16, QN__I16, QN__U32, QN__I32, QN__F16, QN__F32 };

QN__INLINE const qn__texture *qn__texture_of(unsigned long long object)
{
    return (const qn__texture *)object;
}

QN__INLINE unsigned int qn__half_bits(unsigned int h)
{
    const unsigned int sign = (h & 0x8000u) << 16, exponent = h >> 10 & 31, fraction = h & 0x3ffu;
    if (exponent == 31)
        return sign | 0x7f800000u | fraction << 13;
    if (exponent != 0)
        return sign | (exponent + 112) << 23 | fraction << 13;
    return sign | __float_as_uint(fraction * 0x1p-24f);
}

/* One channel, as an integer of 32 bits or a float's bits. */
QN__INLINE unsigned int qn__channel(const qn__texture *t, unsigned long long at,
                                    unsigned int channel)
{
    const unsigned int format = t->format;
    float value;
    unsigned int bits;
    if (format <= QN__I8) {
        const unsigned char b = ((const unsigned char *)at)[channel];
        bits = format == QN__I8 ? (unsigned int)(int)(signed char)b : b;
        value = format == QN__I8 ? fmaxf((int)bits / 127.0f, -1.0f) : bits / 255.0f;
    } else if (format <= QN__I16 || format == QN__F16) {
        const unsigned short h = ((const unsigned short *)at)[channel];
        if (format == QN__F16)
            return qn__half_bits(h);
        bits = format == QN__I16 ? (unsigned int)(int)(short)h : h;
        value = format == QN__I16 ? fmaxf((int)bits / 32767.0f, -1.0f) : bits / 65535.0f;
    } else {
        return ((const unsigned int *)at)[channel];
    }
    return t->is_normalised_read ? __float_as_uint(value) : bits;
}

/* A texel; one coordinate below 0: the border's colour. */
QN__INLINE uint4 qn__texel(const qn__texture *t, int x, int y, int z)
{
    if (x < 0 || y < 0 || z < 0)
        return make_uint4(__float_as_uint(t->border[0]), __float_as_uint(t->border[1]),
                          __float_as_uint(t->border[2]), __float_as_uint(t->border[3]));
    const unsigned long long row = (unsigned long long)z * t->height + (unsigned int)y;
    const unsigned long long at =
        t->texels + row * t->row_bytes + (unsigned long long)(unsigned int)x * t->texel_bytes;
    const unsigned int n = t->channels;
    return make_uint4(qn__channel(t, at, 0), n > 1 ? qn__channel(t, at, 1) : 0,
                      n > 2 ? qn__channel(t, at, 2) : 0, n > 2 ? qn__channel(t, at, 3) : 0);
}

/* Wrap and mirror are for normalised coordinates; others are clamped. */
QN__INLINE unsigned int qn__address_mode(const qn__texture *t, int axis)
{
    const unsigned int mode = t->address[axis];
    return t->has_normalised_coordinates || mode == cudaAddressModeBorder ? mode
                                                                          : cudaAddressModeClamp;
}

/* Where in texels; what repeats comes into the first period, so that no index overflows. */
QN__INLINE float qn__place(const qn__texture *t, int axis, float c, unsigned int n)
{
    if (!t->has_normalised_coordinates)
        return c;
    const unsigned int mode = qn__address_mode(t, axis);
    if (mode == cudaAddressModeWrap)
        c -= floorf(c);
    else if (mode == cudaAddressModeMirror)
        c -= 2 * floorf(c / 2);
    return c * n;
}

/* An index that may lie outside, up to one period; -1: the border. */
QN__INLINE int qn__index(unsigned int mode, int i, unsigned int count)
{
    const int n = (int)count;
    switch (mode) {
    case cudaAddressModeWrap: return i < 0 ? i + n : i >= n ? i - n : i;
    case cudaAddressModeMirror:
        i = i < 0 ? -1 - i : i >= 2 * n ? i - 2 * n : i;
        return i < n ? i : 2 * n - 1 - i;
    case cudaAddressModeClamp: return i < 0 ? 0 : i >= n ? n - 1 : i;
    default: return i < 0 || i >= n ? -1 : i;
    }
}

/* The place from the middle of a texel on, in steps of 1/256. */
QN__INLINE float qn__fixed(float place)
{
    return floorf((place - 0.5f) * 256 + 0.5f);
}

/* The two texels of an axis and the weight of the second, of 8 bits after the point. */
struct qn__span {
    int low, high;
    float weight;
};
QN__INLINE qn__span qn__span_of(const qn__texture *t, int axis, float c, unsigned int n)
{
    const unsigned int mode = qn__address_mode(t, axis);
    const float place = qn__place(t, axis, c, n);
    if (!t->is_linear) {
        const int i = qn__index(mode, (int)floorf(place), n);
        return {i, i, 0};
    }
    const float fixed = qn__fixed(place);
    const float low = floorf(fixed / 256);
    const int i = (int)low;
    return {qn__index(mode, i, n), qn__index(mode, i == 0x7fffffff ? i : i + 1, n),
            (fixed - low * 256) / 256};
}

QN__INLINE void qn__blend(float *sum, const uint4 &texel, float weight)
{
    sum[0] += __uint_as_float(texel.x) * weight;
    sum[1] += __uint_as_float(texel.y) * weight;
    sum[2] += __uint_as_float(texel.z) * weight;
    sum[3] += __uint_as_float(texel.w) * weight;
}

/* Of so many axes; `layer` is the z of textures that have fewer than three. */
template <int axes>
QN__INLINE uint4 qn__sample(const qn__texture *t, float x, float y, float z, int layer)
{
    const qn__span none = {0, 0, 0};
    const qn__span a = qn__span_of(t, 0, x, t->width);
    const qn__span b = axes > 1 ? qn__span_of(t, 1, y, t->height) : none;
    qn__span c = axes > 2 ? qn__span_of(t, 2, z, t->depth) : none;
    if (axes < 3)
        c.low = c.high = (int)min((unsigned int)layer, t->layers - 1); /* one below 0: the last */
    if (!t->is_linear)
        return qn__texel(t, a.low, b.low, c.low);
    float sum[4] = {0, 0, 0, 0};
    for (int i = 0; i < 1 << axes; i++) {
        const float weight = (i & 1 ? a.weight : 1 - a.weight) *
                             (axes < 2 ? 1
                              : i & 2  ? b.weight
                                       : 1 - b.weight) *
                             (axes < 3 ? 1
                              : i & 4  ? c.weight
                                       : 1 - c.weight);
        if (weight != 0)
            qn__blend(sum,
                      qn__texel(t, i & 1 ? a.high : a.low, i & 2 ? b.high : b.low,
                                i & 4 ? c.high : c.low),
                      weight);
    }
    return make_uint4(__float_as_uint(sum[0]), __float_as_uint(sum[1]), __float_as_uint(sum[2]),
                      __float_as_uint(sum[3]));
}

/* The face that the largest coordinate points to, and where on it. */
QN__INLINE uint4 qn__sample_cube(const qn__texture *t, float x, float y, float z)
{
    const float ax = fabsf(x), ay = fabsf(y), az = fabsf(z);
    float m, u, v;
    int face;
    if (ax >= ay && ax >= az) {
        face = x < 0, m = ax;
        u = x < 0 ? z : -z, v = -y;
    } else if (ay >= az) {
        face = 2 + (y < 0), m = ay;
        u = x, v = y < 0 ? -z : z;
    } else {
        face = 4 + (z < 0), m = az;
        u = z < 0 ? -x : x, v = -y;
    }
    return qn__sample<2>(t, (u / m + 1) / 2, (v / m + 1) / 2, 0, face);
}

/* One channel of the four texels that a linear read would blend. */
QN__INLINE uint4 qn__gather(const qn__texture *t, float x, float y, int channel)
{
    const unsigned int mode_x = qn__address_mode(t, 0), mode_y = qn__address_mode(t, 1);
    const int i = (int)floorf(qn__fixed(qn__place(t, 0, x, t->width)) / 256);
    const int j = (int)floorf(qn__fixed(qn__place(t, 1, y, t->height)) / 256);
    const int low = qn__index(mode_x, i, t->width), high = qn__index(mode_x, i + 1, t->width);
    const int top = qn__index(mode_y, j, t->height), bottom = qn__index(mode_y, j + 1, t->height);
    const uint4 texels[4] = {qn__texel(t, low, bottom, 0), qn__texel(t, high, bottom, 0),
                             qn__texel(t, high, top, 0), qn__texel(t, low, top, 0)};
    unsigned int of[4];
    for (int k = 0; k < 4; k++)
        of[k] = channel == 0   ? texels[k].x
                : channel == 1 ? texels[k].y
                : channel == 2 ? texels[k].z
                               : texels[k].w;
    return make_uint4(of[0], of[1], of[2], of[3]);
}

#endif
