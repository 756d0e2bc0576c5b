/* SPDX-License-Identifier: Apache-2.0
 *
 * CUDA's functions that read textures and read and write surfaces. */
#pragma clang system_header
#ifndef QN_STANDIN_TEXTURE_READ
#define QN_STANDIN_TEXTURE_READ

#include <quern_texture.h>
#include <quern_texture_sample.h>
#include <quern_warp.h>

/* ---- from four words to the type that is read ---- */

template <class Base> struct qn__from_word {
    QN__INLINE Base of(unsigned int word)
    {
        return (Base)word;
    }
};
template <> struct qn__from_word<float> {
    QN__INLINE float of(unsigned int word)
    {
        return __uint_as_float(word);
    }
};
template <class T> struct qn__from_words {
    QN__INLINE T of(const uint4 &w)
    {
        return qn__from_word<T>::of(w.x);
    }
};
#define QN__WORDS(type, base)                                                                      \
    template <> struct qn__from_words<type##1> {                                                   \
        QN__INLINE type##1 of(const uint4 &w)                                                      \
        {                                                                                          \
            return make_##type##1(qn__from_word<base>::of(w.x));                                   \
        }                                                                                          \
    };                                                                                             \
    template <> struct qn__from_words<type##2> {                                                   \
        QN__INLINE type##2 of(const uint4 &w)                                                      \
        {                                                                                          \
            return make_##type##2(qn__from_word<base>::of(w.x), qn__from_word<base>::of(w.y));     \
        }                                                                                          \
    };                                                                                             \
    template <> struct qn__from_words<type##4> {                                                   \
        QN__INLINE type##4 of(const uint4 &w)                                                      \
        {                                                                                          \
            return make_##type##4(qn__from_word<base>::of(w.x), qn__from_word<base>::of(w.y),      \
                                  qn__from_word<base>::of(w.z), qn__from_word<base>::of(w.w));     \
        }                                                                                          \
    };
QN__WORDS(char, signed char)
QN__WORDS(uchar, unsigned char)
QN__WORDS(short, short)
QN__WORDS(ushort, unsigned short)
QN__WORDS(int, int)
QN__WORDS(uint, unsigned int)
QN__WORDS(float, float)
#undef QN__WORDS

/* ---- textures ---- */

#define QN__UNPACK(...) __VA_ARGS__
/* The object that the host put into a reference. */
QN__INLINE unsigned long long qn__bound(const void *reference)
{
    const unsigned long long object = *(const unsigned long long *)reference;
    if (!object)
        __assert_fail("the reference is bound to a texture", "texture", 0, "texture");
    return object;
}

/* `words` reads t */
#define QN__FETCH(name, parameters, names, words)                                                  \
    template <class T> QN__INLINE T name(cudaTextureObject_t object, QN__UNPACK parameters)        \
    {                                                                                              \
        const qn__texture *const t = qn__texture_of(object);                                       \
        return qn__from_words<T>::of(words);                                                       \
    }                                                                                              \
    template <class T, int kind, cudaTextureReadMode mode>                                         \
    QN__INLINE typename __qn_texel<T, mode>::type name(const texture<T, kind, mode> &reference,    \
                                                       QN__UNPACK parameters)                      \
    {                                                                                              \
        return name<typename __qn_texel<T, mode>::type>(qn__bound(&reference), QN__UNPACK names);  \
    }                                                                                              \
    template <class T>                                                                             \
    QN__INLINE void name(T *texel, cudaTextureObject_t object, QN__UNPACK parameters)              \
    {                                                                                              \
        *texel = name<T>(object, QN__UNPACK names);                                                \
    }

/* Outside of linear memory is 0. */
QN__INLINE uint4 qn__fetch(const qn__texture *t, int x)
{
    return (unsigned int)x < t->width ? qn__texel(t, x, 0, 0) : make_uint4(0, 0, 0, 0);
}

QN__FETCH(tex1Dfetch, (int x), (x), qn__fetch(t, x))
QN__FETCH(tex1D, (float x), (x), qn__sample<1>(t, x, 0, 0, 0))
QN__FETCH(tex2D, (float x, float y), (x, y), qn__sample<2>(t, x, y, 0, 0))
QN__FETCH(tex3D, (float x, float y, float z), (x, y, z), qn__sample<3>(t, x, y, z, 0))
QN__FETCH(tex1DLayered, (float x, int layer), (x, layer), qn__sample<1>(t, x, 0, 0, layer))
QN__FETCH(tex2DLayered, (float x, float y, int layer), (x, y, layer),
          qn__sample<2>(t, x, y, 0, layer))
QN__FETCH(texCubemap, (float x, float y, float z), (x, y, z), qn__sample_cube(t, x, y, z))
/* There is one level. */
QN__FETCH(tex1DLod, (float x, float level), (x, level), qn__sample<1>(t, x, 0, 0, 0))
QN__FETCH(tex2DLod, (float x, float y, float level), (x, y, level), qn__sample<2>(t, x, y, 0, 0))
QN__FETCH(tex3DLod, (float x, float y, float z, float level), (x, y, z, level),
          qn__sample<3>(t, x, y, z, 0))
#undef QN__FETCH

template <class T>
QN__INLINE T tex2Dgather(cudaTextureObject_t object, float x, float y, int channel = 0)
{
    return qn__from_words<T>::of(qn__gather(qn__texture_of(object), x, y, channel));
}
template <class T>
QN__INLINE void tex2Dgather(T *texel, cudaTextureObject_t object, float x, float y, int channel = 0)
{
    *texel = tex2Dgather<T>(object, x, y, channel);
}

template <class T, cudaTextureReadMode mode>
QN__INLINE typename __qn_texel<T, mode>::type
tex2Dgather(const texture<T, cudaTextureType2D, mode> &reference, float x, float y, int channel = 0)
{
    return tex2Dgather<typename __qn_texel<T, mode>::type>(qn__bound(&reference), x, y, channel);
}

/* ---- surfaces: x counts bytes, and texels are copied as they are ---- */

/* The address, or 0: outside, where a read gives 0 and a write does nothing. What CUDA would trap
 * fails as an assertion does. */
template <class T>
QN__INLINE unsigned long long qn__surface_at(const qn__texture *t, int x, int y, int z, int count,
                                             cudaSurfaceBoundaryMode mode)
{
    const int row = (int)(t->width * t->texel_bytes), rows = (int)t->height;
    const bool inside =
        x >= 0 && x <= row - (int)sizeof(T) && y >= 0 && y < rows && z >= 0 && z < count;
    if (!inside && mode == cudaBoundaryModeZero)
        return 0;
    if (!inside && mode == cudaBoundaryModeTrap)
        __assert_fail("a surface access within its bounds", "surface", 0, "surface");
    x = x < 0 ? 0 : x > row - (int)sizeof(T) ? row - (int)sizeof(T) : x;
    y = y < 0 ? 0 : y >= rows ? rows - 1 : y;
    z = z < 0 ? 0 : z >= count ? count - 1 : z;
    return t->texels + ((unsigned long long)z * rows + y) * row + x;
}

template <class T> QN__INLINE T qn__surface_read(unsigned long long at)
{
    if (at)
        return *(const T *)at;
    return T();
}
template <class T> QN__INLINE void qn__surface_write(unsigned long long at, const T &texel)
{
    if (at)
        *(T *)at = texel;
}

#define QN__SURFACE(name, parameters, names, y_of, z_of, count)                                    \
    template <class T>                                                                             \
    QN__INLINE T name##read(cudaSurfaceObject_t object, QN__UNPACK parameters,                     \
                            cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)                   \
    {                                                                                              \
        const qn__texture *const t = qn__texture_of(object);                                       \
        return qn__surface_read<T>(qn__surface_at<T>(t, x, y_of, z_of, (int)t->count, mode));      \
    }                                                                                              \
    template <class T>                                                                             \
    QN__INLINE void name##read(T *texel, cudaSurfaceObject_t object, QN__UNPACK parameters,        \
                               cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)                \
    {                                                                                              \
        *texel = name##read<T>(object, QN__UNPACK names, mode);                                    \
    }                                                                                              \
    template <class T>                                                                             \
    QN__INLINE void name##write(T texel, cudaSurfaceObject_t object, QN__UNPACK parameters,        \
                                cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)               \
    {                                                                                              \
        const qn__texture *const t = qn__texture_of(object);                                       \
        qn__surface_write(qn__surface_at<T>(t, x, y_of, z_of, (int)t->count, mode), texel);        \
    }                                                                                              \
    template <class T, int kind>                                                                   \
    QN__INLINE T name##read(const surface<void, kind> &reference, QN__UNPACK parameters,           \
                            cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)                   \
    {                                                                                              \
        return name##read<T>(qn__bound(&reference), QN__UNPACK names, mode);                       \
    }                                                                                              \
    template <class T, int kind>                                                                   \
    QN__INLINE void name##read(T *texel, const surface<void, kind> &reference,                     \
                               QN__UNPACK parameters,                                              \
                               cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)                \
    {                                                                                              \
        *texel = name##read<T>(qn__bound(&reference), QN__UNPACK names, mode);                     \
    }                                                                                              \
    template <class T, int kind>                                                                   \
    QN__INLINE void name##write(T texel, const surface<void, kind> &reference,                     \
                                QN__UNPACK parameters,                                             \
                                cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)               \
    {                                                                                              \
        name##write(texel, qn__bound(&reference), QN__UNPACK names, mode);                         \
    }
QN__SURFACE(surf1D, (int x), (x), 0, 0, layers)
QN__SURFACE(surf2D, (int x, int y), (x, y), y, 0, layers)
QN__SURFACE(surf3D, (int x, int y, int z), (x, y, z), y, z, depth)
QN__SURFACE(surf1DLayered, (int x, int layer), (x, layer), 0, layer, layers)
QN__SURFACE(surf2DLayered, (int x, int y, int layer), (x, y, layer), y, layer, layers)
QN__SURFACE(surfCubemap, (int x, int y, int face), (x, y, face), y, face, layers)
#undef QN__SURFACE

#endif
