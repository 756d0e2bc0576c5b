/* SPDX-License-Identifier: Apache-2.0
 *
 * Textures and surfaces against a model of CUDA's programming guide: every kind with every address
 * mode, filter and kind of coordinates, every format read as it is and normalised. On CUDA
 * (QUERN_BACKEND=cuda) the same program shows how near the model is to the hardware.
 *
 * covers: runtime/texture runtime/cuda/cuda_texture */
#include "tests/runtime_fixture.h"

#include <math.h>
#include <stdint.h>

enum { PLACES = 600, MOST_WIDTH = 7 };

/* ---- kernels ---- */

static const char *const types[8] = {"uchar", "char", "ushort", "short",
                                     "uint",  "int",  "float",  "float"};
static const char *const readers[] = {"read_2d",         "read_1d",         "read_3d",
                                      "read_1d_layered", "read_2d_layered", "read_cube",
                                      "read_linear"};
static qn_module *module;

static void open_module(void)
{
    static char names[300][64];
    const char *list[300];
    uint32_t n = 0;
    static const char *const floats[] = {"read_1d",         "read_3d",     "read_1d_layered",
                                         "read_2d_layered", "read_cube",   "read_1d_lod",
                                         "read_2d_lod",     "read_3d_lod", "gather_0",
                                         "gather_1",        "gather_2",    "gather_3"};
    for (size_t i = 0; i < sizeof floats / sizeof *floats; i++)
        snprintf(names[n++], sizeof *names, "%s<float4>", floats[i]);
    snprintf(names[n++], sizeof *names, "gather_1<uint4>");
    snprintf(names[n++], sizeof *names, "read_2d<float>");
    for (int type = 0; type < 7; type++)
        for (int channels = 1; channels <= 4; channels *= 2) {
            snprintf(names[n++], sizeof *names, "read_2d<%s%d>", types[type], channels);
            snprintf(names[n++], sizeof *names, "read_linear<%s%d>", types[type], channels);
        }
    static const char *const surfaces[] = {"1d", "2d", "3d", "1d_layered", "2d_layered", "cube"};
    static const char *const values[] = {"uchar1", "ushort1", "float1", "float2", "int4"};
    for (size_t i = 0; i < sizeof surfaces / sizeof *surfaces; i++)
        for (int k = i == 1 ? 0 : 3; k < (i == 1 ? 5 : 4); k++) {
            snprintf(names[n++], sizeof *names, "surface_%s_zero<%s>", surfaces[i], values[k]);
            snprintf(names[n++], sizeof *names, "surface_%s_clamp<%s>", surfaces[i], values[k]);
        }
    for (uint32_t i = 0; i < n; i++)
        list[i] = names[i];
    char path[1024];
    const char *const root = getenv("QN_SOURCE");
    snprintf(path, sizeof path, "%s/tests/runtime/texture_kernels.cu", root ? root : ".");
    const qn_source source = {.path = path, .names = list, .n_names = n};
    qn_log log = {0};
    const qn_status s = qn_module_build(&module, device, &source, NULL, &log);
    ck_assert_msg(s == QN_OK, "%s\n%s", qn_message(), log.text ? log.text : "");
    qn_log_release(&log);
}
static void close_module(void)
{
    qn_module_close(module);
}

/* ---- the model ---- */

static uint64_t random_state;
static uint32_t random_word(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (uint32_t)(random_state >> 20);
}

static const int texel_sizes[8] = {1, 1, 2, 2, 4, 4, 2, 4};

/* Random bits of the format; floats are finite and of like size. */
static void random_texels(unsigned char *to, qn_texel format, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const uint32_t r = random_word();
        const float f = (float)(int)(r & 0xffff) / 4096 - 8;
        const uint16_t h = (uint16_t)((r & 0x83ffu) | (12 + (r >> 16) % 8) << 10);
        const void *const from = format == QN_TEXEL_F32   ? (const void *)&f
                                 : format == QN_TEXEL_F16 ? (const void *)&h
                                                          : &r;
        memcpy(to + i * (size_t)texel_sizes[format], from, (size_t)texel_sizes[format]);
    }
}

/* A channel's value: an integer, or what a float or a normalised read gives. */
static double value_of(const unsigned char *p, qn_texel format, bool normalized)
{
    uint16_t h = 0;
    uint32_t w = 0;
    float f;
    memcpy(&h, p, texel_sizes[format] >= 2 ? 2 : 0);
    memcpy(&w, p, texel_sizes[format] == 4 ? 4 : 0);
    switch (format) {
    case QN_TEXEL_U8: return normalized ? p[0] / 255.0 : p[0];
    case QN_TEXEL_I8: return normalized ? fmax((int8_t)p[0] / 127.0, -1) : (int8_t)p[0];
    case QN_TEXEL_U16: return normalized ? h / 65535.0 : h;
    case QN_TEXEL_I16: return normalized ? fmax((int16_t)h / 32767.0, -1) : (int16_t)h;
    case QN_TEXEL_U32: return w;
    case QN_TEXEL_I32: return (int32_t)w;
    case QN_TEXEL_F16: {
        const double m = ldexp(1024 + (h & 0x3ff), (h >> 10 & 31) - 25);
        return h & 0x8000 ? -m : m;
    }
    case QN_TEXEL_F32: memcpy(&f, p, sizeof f); return f;
    }
    return NAN;
}

struct image {
    qn_texture_options o;
    const unsigned char *texels;
    int width, height, depth;
};

/* The texel, or the border. The guide: clamp takes the edge's, wrap repeats, mirror turns round. */
static int fold(int i, int n, qn_texture_address mode)
{
    const int period = ((i % n) + n) % n, twice = ((i % (2 * n)) + 2 * n) % (2 * n);
    switch (mode) {
    case QN_ADDRESS_CLAMP: return i < 0 ? 0 : i >= n ? n - 1 : i;
    case QN_ADDRESS_WRAP: return period;
    case QN_ADDRESS_MIRROR: return twice < n ? twice : 2 * n - 1 - twice;
    case QN_ADDRESS_BORDER: return i < 0 || i >= n ? -1 : i;
    }
    return -1;
}

static qn_texture_address mode_of(const struct image *m, int axis)
{
    const qn_texture_address mode = m->o.address[axis];
    const bool repeats = mode == QN_ADDRESS_WRAP || mode == QN_ADDRESS_MIRROR;
    return repeats && !m->o.normalized_coordinates ? QN_ADDRESS_CLAMP : mode;
}

static double texel_at(const struct image *m, const int at[3], int channel)
{
    const int n[3] = {m->width, m->height, m->depth};
    int folded[3];
    const bool layered = m->o.kind != QN_TEXTURE_3D;
    for (int a = 0; a < 3; a++) {
        folded[a] = a == 2 && layered ? at[a] : fold(at[a], n[a], mode_of(m, a));
        if (folded[a] < 0)
            return (double)m->o.border[channel];
    }
    const size_t index =
        ((size_t)folded[2] * (size_t)m->height + (size_t)folded[1]) * (size_t)m->width +
        (size_t)folded[0];
    return value_of(m->texels +
                        (index * m->o.channels + (size_t)channel) * (size_t)texel_sizes[m->o.texel],
                    m->o.texel, m->o.normalized_read);
}

/* From the middle of a texel on, with 8 bits after the point. */
static double fixed(double place)
{
    return floor((place - 0.5) * 256 + 0.5);
}

/* `axes` of the place are coordinates; z is a layer otherwise. */
static double sample(const struct image *m, int axes, const double place[3], int layer, int channel)
{
    const int n[3] = {m->width, m->height, m->depth};
    int low[3] = {0, 0, layer < 0 || layer >= m->depth ? m->depth - 1 : layer};
    double weight[3] = {0, 0, 0}, sum = 0;
    for (int a = 0; a < axes; a++) {
        const double c = place[a] * (m->o.normalized_coordinates ? n[a] : 1);
        if (m->o.linear) {
            low[a] = (int)floor(fixed(c) / 256);
            weight[a] = (fixed(c) - low[a] * 256.0) / 256;
        } else {
            low[a] = (int)floor(c);
        }
    }
    for (int corner = 0; corner < 1 << axes; corner++) {
        double w = 1;
        int at[3] = {low[0], low[1], low[2]};
        for (int a = 0; a < axes; a++) {
            at[a] += corner >> a & 1;
            w *= corner >> a & 1 ? weight[a] : 1 - weight[a];
        }
        if (w != 0)
            sum += w * texel_at(m, at, channel);
    }
    return sum;
}

/* The guide's table of faces: the largest coordinate, s and t over its size. */
static double sample_cube(const struct image *m, const double p[3], int channel)
{
    const double x = p[0], y = p[1], z = p[2];
    double size, s, t;
    int face;
    if (fabs(x) >= fabs(y) && fabs(x) >= fabs(z))
        face = x >= 0 ? 0 : 1, size = fabs(x), s = x >= 0 ? -z : z, t = -y;
    else if (fabs(y) >= fabs(z))
        face = y >= 0 ? 2 : 3, size = fabs(y), s = x, t = y >= 0 ? z : -z;
    else
        face = z >= 0 ? 4 : 5, size = fabs(z), s = z >= 0 ? x : -x, t = -y;
    const double on_face[3] = {(s / size + 1) / 2, (t / size + 1) / 2, 0};
    struct image normal = *m;
    normal.o.normalized_coordinates = true;
    return sample(&normal, 2, on_face, face, channel);
}

/* ---- running ---- */

static float places[PLACES][4];

/* Sixteenths of a texel or of an axis and their neighbours, so that float arithmetic is exact. */
static void make_places(const qn_texture_options *o, int width, int height, int depth)
{
    const int n[3] = {width, height, depth};
    for (int i = 0; i < PLACES; i++) {
        for (int a = 0; a < 3; a++) {
            const double unit = o->normalized_coordinates ? 1 : n[a];
            const int steps = 4096;
            const double c =
                ((int)(random_word() % (5 * (unsigned)steps)) - 2 * steps) / (double)steps;
            places[i][a] = (float)(o->normalized_coordinates ? c : rint(c * unit * 256) / 256);
        }
        places[i][3] = (float)((int)(random_word() % (unsigned)(depth + 2)) - 1);
        if (o->kind == QN_TEXTURE_CUBE)
            for (int a = 0; a < 3; a++) /* the largest is a power of two */
                places[i][a] = (float)((int)(random_word() % 1023) - 511) / 512;
        if (o->kind == QN_TEXTURE_CUBE)
            places[i][random_word() % 3] = random_word() & 1 ? 2 : -2;
        if (o->kind == QN_TEXTURE_LINEAR)
            places[i][0] = (float)((int)(random_word() % (unsigned)(2 * width)) - width / 2);
    }
}

static void launch(const char *name, unsigned blocks, void *const *arguments)
{
    const qn_kernel *kernel;
    must(qn_kernel_find(&kernel, module, name));
    const qn_dims dims = {.grid = {blocks}, .block = {64}};
    must(qn_stream_launch(stream, kernel, &dims, arguments));
    must(qn_stream_sync(stream));
}

static bool is_cuda(void)
{
    return strcmp(qn_device_get_info(device)->backend, "cuda") == 0;
}

static double worst; /* difference from the model as a part of what the texels span */

/* Fill, read at the places, compare. gather >= 0: that channel of four texels. */
static void compare(struct image m, const char *kernel, int gather)
{
    const qn_texture_options *const o = &m.o;
    m.width = (int)o->width;
    m.height = o->kind == QN_TEXTURE_CUBE ? m.width : o->height ? (int)o->height : 1;
    m.depth = o->kind == QN_TEXTURE_CUBE ? 6 : o->depth ? (int)o->depth : 1;
    const size_t n = (size_t)m.width * (size_t)m.height * (size_t)m.depth * o->channels;
    const size_t bytes = n * (size_t)texel_sizes[o->texel];
    unsigned char *const texels = malloc(bytes), *const back = malloc(bytes);
    ck_assert(texels && back);
    random_texels(texels, o->texel, n);
    m.texels = texels;
    const bool is_linear_memory = o->kind == QN_TEXTURE_LINEAR;
    if (is_linear_memory) {
        m.o.data = alloc(bytes);
        must(qn_memory_upload(device, m.o.data, texels, bytes, NULL));
    }
    qn_texture *t;
    must(qn_texture_create(&t, device, o));
    ck_assert_uint_eq(qn_texture_get_bytes(t), bytes);
    if (!is_linear_memory) {
        must(qn_texture_upload(t, texels));
        must(qn_texture_download(back, t));
        ck_assert(memcmp(texels, back, bytes) == 0);
    }
    make_places(o, m.width, m.height, m.depth);
    static uint32_t out[PLACES][4];
    const qn_addr results = alloc(sizeof out), at = alloc(sizeof places);
    must(qn_memory_upload(device, at, places, sizeof places, NULL));
    const uint64_t object = qn_texture_get_object(t);
    const int count = PLACES;
    void *const arguments[] = {address_of(&results), address_of(&object), address_of(&at),
                               address_of(&count)};
    launch(kernel, (PLACES + 63) / 64, arguments);
    must(qn_memory_download(device, out, results, sizeof out, NULL));

    const bool integers = o->texel <= QN_TEXEL_I32 && !o->normalized_read;
    double span = 0;
    for (size_t i = 0; i < n; i++)
        span = fmax(span, fabs(value_of(texels + i * (size_t)texel_sizes[o->texel], o->texel,
                                        o->normalized_read)));
    for (int k = 0; k < 4; k++)
        span = fmax(span, fabs((double)o->border[k]));
    const int axes = o->kind == QN_TEXTURE_3D                                       ? 3
                     : o->kind == QN_TEXTURE_2D || o->kind == QN_TEXTURE_2D_LAYERED ? 2
                                                                                    : 1;
    for (int i = 0; i < PLACES; i++)
        for (int k = 0; k < (gather >= 0 ? 4 : (int)o->channels); k++) {
            const double p[3] = {places[i][0], places[i][1], places[i][2]};
            double expected;
            if (gather >= 0) {
                static const int right[] = {0, 1, 1, 0}, below[] = {1, 1, 0, 0};
                const double scale[2] = {o->normalized_coordinates ? m.width : 1,
                                         o->normalized_coordinates ? m.height : 1};
                const int corner[3] = {(int)floor(fixed(p[0] * scale[0]) / 256) + right[k],
                                       (int)floor(fixed(p[1] * scale[1]) / 256) + below[k], 0};
                expected = texel_at(&m, corner, gather);
            } else if (o->kind == QN_TEXTURE_CUBE) {
                expected = sample_cube(&m, p, k);
            } else if (is_linear_memory) {
                const int corner[3] = {(int)p[0], 0, 0};
                expected = p[0] < 0 || p[0] >= m.width ? 0 : texel_at(&m, corner, k);
            } else {
                expected = sample(&m, axes, p, (int)places[i][3], k);
            }
            float f;
            memcpy(&f, &out[i][k], sizeof f);
            const double got = !integers                  ? (double)f
                               : o->texel == QN_TEXEL_U32 ? (double)out[i][k]
                                                          : (double)(int32_t)out[i][k];
            const double error = fabs(got - expected) / span;
            worst = fmax(worst, error);
            /* integers and single texels of floats are exact; blending rounds in float, and a GPU's
             * weights may be one step of 1/256 beside ours on each axis, between texels that are
             * two spans apart at most */
            const int blended = o->kind == QN_TEXTURE_CUBE ? 2 : axes;
            const double most = integers || (!o->linear && o->texel >= QN_TEXEL_F16) ? 0
                                : !is_cuda()                                         ? 0x1p-22
                                : o->linear ? 2 * blended * 0x1p-8
                                            : 0x1p-20;
            ck_assert_msg(error <= most,
                          "%s, texel %d x %u, address %d %d %d, linear %d, normalized %d %d: at "
                          "(%.9g %.9g %.9g %g), channel %d: %.9g, expected %.9g",
                          kernel, (int)o->texel, o->channels, (int)o->address[0],
                          (int)o->address[1], (int)o->address[2], (int)o->linear,
                          (int)o->normalized_read, (int)o->normalized_coordinates, p[0], p[1], p[2],
                          (double)places[i][3], k, got, expected);
        }
    must(qn_texture_destroy(t));
    qn_memory_free(device, results);
    qn_memory_free(device, at);
    if (is_linear_memory)
        qn_memory_free(device, m.o.data);
    free(texels);
    free(back);
}

static qn_texture_options options_of(qn_texture_kind kind)
{
    const bool has_height =
        kind == QN_TEXTURE_2D || kind == QN_TEXTURE_3D || kind == QN_TEXTURE_2D_LAYERED;
    const bool has_depth =
        kind == QN_TEXTURE_3D || kind == QN_TEXTURE_1D_LAYERED || kind == QN_TEXTURE_2D_LAYERED;
    return (qn_texture_options){.kind = kind,
                                .width = MOST_WIDTH,
                                .height = has_height ? 5 : 0,
                                .depth = has_depth ? 3 : 0,
                                .channels = 4,
                                .texel = QN_TEXEL_F32};
}

/* Kinds and forms of read; each with every address mode on every axis, both filters and both kinds
 * of coordinates. */
static const struct {
    const char *kernel;
    qn_texture_kind kind;
    int gather;
} forms[] = {
    {"read_1d<float4>", QN_TEXTURE_1D, -1},
    {"read_2d<float4>", QN_TEXTURE_2D, -1},
    {"read_3d<float4>", QN_TEXTURE_3D, -1},
    {"read_1d_layered<float4>", QN_TEXTURE_1D_LAYERED, -1},
    {"read_2d_layered<float4>", QN_TEXTURE_2D_LAYERED, -1},
    {"read_cube<float4>", QN_TEXTURE_CUBE, -1},
    {"read_1d_lod<float4>", QN_TEXTURE_1D, -1},
    {"read_2d_lod<float4>", QN_TEXTURE_2D, -1},
    {"read_3d_lod<float4>", QN_TEXTURE_3D, -1},
    {"gather_0<float4>", QN_TEXTURE_2D, 0},
    {"gather_1<float4>", QN_TEXTURE_2D, 1},
    {"gather_2<float4>", QN_TEXTURE_2D, 2},
    {"gather_3<float4>", QN_TEXTURE_2D, 3},
};
enum { N_FORMS = sizeof forms / sizeof *forms };

START_TEST(every_address_mode_filter_and_coordinate)
{
    random_state = 88172645463325252u + (uint64_t)_i;
    const qn_texture_kind kind = forms[_i].kind;
    const int axes = kind == QN_TEXTURE_3D                                    ? 3
                     : kind == QN_TEXTURE_2D || kind == QN_TEXTURE_2D_LAYERED ? 2
                     : kind == QN_TEXTURE_CUBE                                ? 0
                                                                              : 1;
    worst = 0;
    for (int modes = 0; modes < 1 << (2 * axes); modes++)
        for (int bits = 0; bits < 4; bits++) {
            struct image m = {.o = options_of(kind)};
            for (int a = 0; a < axes; a++)
                m.o.address[a] = (qn_texture_address)(modes >> (2 * a) & 3);
            m.o.linear = bits & 1;
            m.o.normalized_coordinates = bits & 2;
            for (int k = 0; k < 4; k++)
                m.o.border[k] = (float)k - 1.5f;
            compare(m, forms[_i].kernel, forms[_i].gather);
        }
    printf("%s: off by %.3g of the span at most\n", forms[_i].kernel, worst);
}
END_TEST

/* Every format and number of channels, as it is and normalised, one texel and blended. */
START_TEST(every_format_and_read)
{
    const qn_texel texel = (qn_texel)(_i / 3);
    const uint32_t channels = 1u << _i % 3;
    random_state = 362436069u + (uint64_t)_i;
    for (int bits = 0; bits < 8; bits++) {
        struct image m = {.o = options_of(bits & 4 ? QN_TEXTURE_LINEAR : QN_TEXTURE_2D)};
        m.o.texel = texel;
        m.o.channels = channels;
        m.o.normalized_read = bits & 1;
        m.o.linear = bits & 2;
        m.o.address[0] = QN_ADDRESS_BORDER;
        const bool integers = texel <= QN_TEXEL_I32 && !m.o.normalized_read;
        if ((m.o.normalized_read && texel > QN_TEXEL_I16) || (m.o.linear && (integers || bits & 4)))
            continue;
        char kernel[64];
        snprintf(kernel, sizeof kernel, "%s<%s%u>", readers[m.o.kind],
                 m.o.normalized_read ? "float" : types[texel], channels);
        compare(m, kernel, -1);
        if (m.o.kind == QN_TEXTURE_2D && channels == 1 && !integers)
            compare(m, "read_2d<float>", -1);
        if (texel == QN_TEXEL_U32 && channels == 4 && !bits)
            compare(m, "gather_1<uint4>", 1);
    }
}
END_TEST

START_TEST(a_result_may_go_through_a_pointer)
{
    random_state = 5;
    struct image m = {.o = options_of(QN_TEXTURE_2D)};
    m.o.linear = true;
    compare(m, "through_pointers", -1);
}
END_TEST

/* ---- surfaces ---- */

static const struct {
    const char *name;
    qn_texture_kind kind;
    const char *value;
    qn_texel texel;
    uint32_t channels;
} surfaces[] = {
    {"2d", QN_TEXTURE_2D, "uchar1", QN_TEXEL_U8, 1},
    {"2d", QN_TEXTURE_2D, "ushort1", QN_TEXEL_U16, 1},
    {"2d", QN_TEXTURE_2D, "float1", QN_TEXEL_F32, 1},
    {"2d", QN_TEXTURE_2D, "float2", QN_TEXEL_F32, 2},
    {"2d", QN_TEXTURE_2D, "int4", QN_TEXEL_I32, 4},
    {"1d", QN_TEXTURE_1D, "float2", QN_TEXEL_F32, 2},
    {"3d", QN_TEXTURE_3D, "float2", QN_TEXEL_F32, 2},
    {"1d_layered", QN_TEXTURE_1D_LAYERED, "float2", QN_TEXEL_F32, 2},
    {"2d_layered", QN_TEXTURE_2D_LAYERED, "float2", QN_TEXEL_F32, 2},
    {"cube", QN_TEXTURE_CUBE, "float2", QN_TEXEL_F32, 2},
};
enum { N_SURFACES = sizeof surfaces / sizeof *surfaces };

static void add_first(unsigned char *to, const unsigned char *from, qn_texel texel)
{
    float a, b;
    uint32_t x = 0, y = 0;
    const size_t n = (size_t)texel_sizes[texel];
    if (texel == QN_TEXEL_F32) {
        memcpy(&a, to, sizeof a);
        memcpy(&b, from, sizeof b);
        a += b;
        memcpy(to, &a, sizeof a);
        return;
    }
    memcpy(&x, to, n);
    memcpy(&y, from, n);
    x += y;
    memcpy(to, &x, n);
}

START_TEST(surfaces_are_read_and_written)
{
    const int row = _i / 2;
    const bool clamps = _i & 1;
    struct image m = {.o = options_of(surfaces[row].kind)};
    m.o.texel = surfaces[row].texel;
    m.o.channels = surfaces[row].channels;
    random_state = 77 + (uint64_t)_i;
    int width = MOST_WIDTH, height = m.o.kind == QN_TEXTURE_CUBE ? width : m.o.height ? 5 : 1;
    int depth = m.o.kind == QN_TEXTURE_CUBE ? 6 : m.o.depth ? 3 : 1;
    static unsigned char texels[8192], out[8192], nothing[16];
    const size_t size = (size_t)texel_sizes[m.o.texel] * m.o.channels;
    random_texels(texels, m.o.texel, (size_t)(width * height * depth) * m.o.channels);
    qn_texture *t;
    must(qn_texture_create(&t, device, &m.o));
    must(qn_texture_upload(t, texels));
    uint64_t surface = qn_texture_get_surface(t);
    char name[64];
    snprintf(name, sizeof name, "surface_%s_%s<%s>", surfaces[row].name, clamps ? "clamp" : "zero",
             surfaces[row].value);
    const qn_kernel *kernel;
    must(qn_kernel_find(&kernel, module, name));
    const qn_dims one = {.grid = {1}, .block = {1}};
    void *const arguments[] = {&surface, &width, &height, &depth};
    must(qn_stream_launch(stream, kernel, &one, arguments));
    must(qn_stream_sync(stream));
    must(qn_texture_download(out, t));
    const bool has_y = m.o.kind != QN_TEXTURE_1D && m.o.kind != QN_TEXTURE_1D_LAYERED;
    for (int z = 0; z < depth; z++)
        for (int y = 0; y < height; y++)
            for (int x = 0; x < width; x++) {
                const int across = y - 1;
                const bool outside = x < 2 || (has_y && across < 0);
                const int from_x = x < 2 ? 0 : x - 2, from_y = !has_y || across < 0 ? 0 : across;
                unsigned char *const to = texels + (size_t)((z * height + y) * width + x) * size;
                const unsigned char *const from =
                    texels + (size_t)((z * height + from_y) * width + from_x) * size;
                add_first(to, outside && !clamps ? nothing : from, m.o.texel);
                if (clamps) /* the write outside lands at the row's end */
                    memcpy(texels + (size_t)((z * height + y) * width + width - 1) * size, to,
                           size);
            }
    for (size_t i = 0; i < (size_t)(width * height * depth) * size; i++)
        ck_assert_msg(out[i] == texels[i], "%s: byte %zu is %d, expected %d", name, i, out[i],
                      texels[i]);
    must(qn_texture_destroy(t));
}
END_TEST

START_TEST(objects_lie_in_structs)
{
    enum { WIDTH = 100, HEIGHT = 40 };
    static float in[HEIGHT][WIDTH], out[HEIGHT][WIDTH];
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        in[i / WIDTH][i % WIDTH] = (float)i;
    const qn_texture_options o = {
        .texel = QN_TEXEL_F32, .channels = 1, .width = WIDTH, .height = HEIGHT};
    qn_texture *from, *to;
    must(qn_texture_create(&from, device, &o));
    must(qn_texture_create(&to, device, &o));
    must(qn_texture_upload(from, in));
    const struct {
        uint64_t from, to;
        int width, height;
    } pair = {qn_texture_get_object(from), qn_texture_get_surface(to), WIDTH, HEIGHT};
    const qn_addr at = alloc(sizeof pair);
    must(qn_memory_upload(device, at, &pair, sizeof pair, NULL));
    const qn_kernel *kernel;
    must(qn_kernel_find(&kernel, module, "turned"));
    const qn_dims dims = {.grid = {2, HEIGHT}, .block = {64}};
    void *const arguments[] = {address_of(&at)};
    must(qn_stream_launch(stream, kernel, &dims, arguments));
    must(qn_texture_download(out, to)); /* waits for the launch */
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            ck_assert(out[y][x] == in[HEIGHT - 1 - y][WIDTH - 1 - x]);
    must(qn_texture_destroy(from));
    must(qn_texture_destroy(to));
    qn_memory_free(device, at);
}
END_TEST

/* On CUDA nothing runs on the device afterwards. */
START_TEST(what_would_trap_is_a_fault)
{
    if (is_cuda())
        return;
    const qn_texture_options o = {.texel = QN_TEXEL_F32, .channels = 1, .width = 4, .height = 4};
    qn_texture *t;
    must(qn_texture_create(&t, device, &o));
    const float texels[16] = {0, 3};
    must(qn_texture_upload(t, texels));
    const uint64_t surface = qn_texture_get_surface(t);
    const qn_addr out = alloc(sizeof(float));
    const qn_kernel *kernel;
    must(qn_kernel_find(&kernel, module, "trapped"));
    const qn_dims one = {.grid = {1}, .block = {1}};
    int x = 4;
    void *const arguments[] = {address_of(&out), address_of(&surface), &x};
    must(qn_stream_launch(stream, kernel, &one, arguments));
    must(qn_stream_sync(stream));
    float value;
    must(qn_memory_download(device, &value, out, sizeof value, NULL));
    ck_assert(value == 3);
    x = 16;
    must(qn_stream_launch(stream, kernel, &one, arguments));
    must_not(QN_E_FAULT, qn_stream_sync(stream));
    must(qn_texture_destroy(t));
    qn_memory_free(device, out);
}
END_TEST

static const char references[] =
    "texture<float, 2, cudaReadModeElementType> image;\n"
    "texture<uchar4, cudaTextureType1D, cudaReadModeNormalizedFloat> colours;\n"
    "static texture<int, 1> list;\n"
    "surface<void, 2> screen;\n"
    "__device__ float scale[4] = {1, 2, 3, 4};\n"
    "extern \"C\" __global__ void run(float *out)\n"
    "{\n"
    "    int i = threadIdx.x;\n"
    "    out[i] = tex2D(image, i + 1.0f, 1.5f) * scale[i % 4];\n"
    "    out[4 + i] = tex1Dfetch(list, i + 1);\n"
    "    float4 c = tex1D(colours, 0.25f * i);\n"
    "    out[8 + i] = c.x + 2 * c.w;\n"
    "    surf2Dwrite(out[i], screen, 4 * i, 0);\n"
    "}\n";

static qn_texture *filled(const qn_texture_options *o, const void *texels)
{
    qn_texture *t;
    must(qn_texture_create(&t, device, o));
    if (o->kind != QN_TEXTURE_LINEAR)
        must(qn_texture_upload(t, texels));
    return t;
}

START_TEST(references_stand_for_what_is_bound)
{
    if (is_cuda())
        return; /* NVRTC knows none */
    static const float grid[2][5] = {{0, 0, 0, 0, 0}, {10, 20, 40, 80, 100}};
    static const unsigned char colours[4][4] = {
        {255, 0, 0, 0}, {0, 0, 0, 255}, {255, 0, 0, 255}, {51, 0, 0, 102}};
    const int list[5] = {7, -8, 9, 1000, 5};
    static const float want[] = {15, 60, 180, 360, -8, 9, 1000, 5, 1, 2, 3, 1};
    float out[12], screen[4];
    qn_module *m;
    const qn_source source = {.text = references, .path = "references.cu"};
    qn_log log = {0};
    const qn_status built = qn_module_build(&m, device, &source, NULL, &log);
    ck_assert_msg(built == QN_OK, "%s\n%s", qn_message(), log.text ? log.text : "");
    qn_log_release(&log);
    const qn_addr data = alloc(sizeof list), d_out = alloc(sizeof out);
    must(qn_memory_upload(device, data, list, sizeof list, NULL));
    qn_texture *const t[] = {
        filled(
            &(qn_texture_options){
                .texel = QN_TEXEL_F32, .channels = 1, .width = 5, .height = 2, .linear = true},
            grid),
        filled(&(qn_texture_options){.kind = QN_TEXTURE_1D,
                                     .channels = 4,
                                     .width = 4,
                                     .normalized_read = true,
                                     .normalized_coordinates = true},
               colours),
        filled(&(qn_texture_options){.kind = QN_TEXTURE_LINEAR,
                                     .texel = QN_TEXEL_I32,
                                     .channels = 1,
                                     .width = 5,
                                     .data = data},
               NULL),
        filled(&(qn_texture_options){.texel = QN_TEXEL_F32, .channels = 1, .width = 4, .height = 1},
               grid)};
    static const char *const names[] = {"image", "colours", "list", "screen"};
    for (int i = 0; i < 4; i++)
        must(qn_texture_bind(m, names[i], t[i]));
    must_not(QN_E_NOT_FOUND, qn_texture_bind(m, "imagine", t[0]));
    must_not(QN_E_INVALID, qn_texture_bind(m, "scale", t[0]));
    const qn_kernel *kernel;
    must(qn_kernel_find(&kernel, m, "run"));
    const qn_dims dims = {.grid = {1}, .block = {4}};
    void *const arguments[] = {address_of(&d_out)};
    must(qn_stream_launch(stream, kernel, &dims, arguments));
    must(qn_stream_sync(stream));
    must(qn_memory_download(device, out, d_out, sizeof out, NULL));
    must(qn_texture_download(screen, t[3]));
    for (int i = 0; i < 12; i++)
        ck_assert_msg(fabsf(out[i] - want[i]) < 1e-5f, "out[%d] is %g, not %g", i, out[i], want[i]);
    for (int i = 0; i < 4; i++)
        ck_assert(screen[i] == out[i]);
    must(qn_texture_bind(m, "list", NULL));
    must(qn_stream_launch(stream, kernel, &dims, arguments));
    must_not(QN_E_FAULT, qn_stream_sync(stream));
    ck_assert_msg(strstr(qn_message(), "the reference is bound") != NULL, "%s", qn_message());
    for (int i = 0; i < 4; i++)
        must(qn_texture_destroy(t[i]));
    must(qn_memory_free(device, data));
    must(qn_memory_free(device, d_out));
    qn_module_close(m);
}
END_TEST

/* ---- refusals ---- */

#define BASE .texel = QN_TEXEL_F32, .channels = 4, .width = 4
static const struct {
    qn_texture_options o;
    const char *part;
} refused[] = {
    {{.texel = QN_TEXEL_F32, .channels = 4, .height = 4}, "width 0"},
    {{BASE}, "height 0 of a 2D texture"},
    {{BASE, .height = 4, .depth = 2}, "depth 2 of a 2D texture"},
    {{BASE, .kind = QN_TEXTURE_1D, .height = 1}, "height 1 of a 1D texture"},
    {{BASE, .kind = QN_TEXTURE_3D, .height = 4}, "depth 0 of a 3D texture"},
    {{BASE, .kind = QN_TEXTURE_CUBE, .height = 4}, "height 4 of a cube texture"},
    {{BASE, .kind = (qn_texture_kind)7}, "texture kind 7"},
    {{BASE, .height = 4, .address = {(qn_texture_address)4}}, "address mode 4 of axis 0"},
    {{BASE, .kind = QN_TEXTURE_CUBE, .address = {0, QN_ADDRESS_WRAP}}, "cubes clamp"},
    {{.texel = (qn_texel)8, .channels = 4, .width = 4, .height = 4}, "texel 8"},
    {{.texel = QN_TEXEL_F32, .channels = 3, .width = 4, .height = 4}, "3 channels"},
    {{BASE, .height = 4, .normalized_read = true}, "normalized_read"},
    {{.channels = 4, .width = 4, .height = 4, .linear = true}, "cannot be blended"},
    {{.channels = 4, .width = 4, .height = 4, .border = {0, 1}}, "border[1] 1"},
    {{BASE, .kind = QN_TEXTURE_LINEAR}, "needs memory"},
    {{BASE, .height = 4, .data = 4096}, "only a linear or a 2D texture"},
    {{BASE, .height = 4, .pitch_bytes = 64}, "needs memory"},
    {{BASE, .height = 4, .pitch_bytes = 72, .data = 4096}, "no multiple of a texel"},
    {{BASE, .height = 4, .pitch_bytes = 48, .data = 4096}, "below a row"},
    {{BASE, .kind = QN_TEXTURE_1D, .pitch_bytes = 64}, "for 2D textures alone"},
    {{BASE, .kind = QN_TEXTURE_LINEAR, .data = 4096, .linear = true}, "read by its index"},
};

START_TEST(options_that_do_not_fit_are_refused)
{
    qn_texture *t;
    must_not(QN_E_INVALID, qn_texture_create(&t, device, &refused[_i].o));
    ck_assert_ptr_null(t);
    ck_assert_msg(strstr(qn_message(), refused[_i].part) != NULL, "%s: %s", refused[_i].part,
                  qn_message());
}
END_TEST

START_TEST(a_linear_texture_reads_the_callers_memory)
{
    const qn_addr data = alloc(64);
    const qn_texture_options o = {
        .kind = QN_TEXTURE_LINEAR, .channels = 1, .width = 64, .data = data};
    qn_texture *t;
    char bytes[64];
    must(qn_texture_create(&t, device, &o));
    ck_assert_uint_eq(qn_texture_get_surface(t), 0);
    must_not(QN_E_INVALID, qn_texture_upload(t, bytes));
    must_not(QN_E_INVALID, qn_texture_download(bytes, t));
    must(qn_texture_destroy(t));
    must(qn_texture_destroy(NULL));
    must(qn_memory_free(device, data));
    const qn_texture_options large = {
        .texel = QN_TEXEL_F32, .channels = 4, .width = 1u << 30, .height = 4};
    must_not(QN_E_LIMIT, qn_texture_create(&t, device, &large));
}
END_TEST

/* Reads of one row by tex2D, at the middle of each texel and half a texel further. */
static void read_row(float out[8], const qn_texture *t, float y)
{
    const qn_kernel *kernel;
    float x[8], ys[8];
    for (int i = 0; i < 8; i++) {
        x[i] = 0.5f + 0.5f * (float)i;
        ys[i] = y;
    }
    const qn_addr d_out = alloc(sizeof x), d_x = alloc(sizeof x), d_y = alloc(sizeof x);
    must(qn_memory_upload(device, d_x, x, sizeof x, NULL));
    must(qn_memory_upload(device, d_y, ys, sizeof ys, NULL));
    must(qn_kernel_find(&kernel, module, "read_row"));
    const qn_dims dims = {.grid = {1}, .block = {8}};
    uint64_t object = qn_texture_get_object(t);
    void *const arguments[] = {address_of(&d_out), &object, address_of(&d_x), address_of(&d_y)};
    must(qn_stream_launch(stream, kernel, &dims, arguments));
    must(qn_stream_sync(stream));
    must(qn_memory_download(device, out, d_out, sizeof x, NULL));
    must(qn_memory_free(device, d_out));
    must(qn_memory_free(device, d_x));
    must(qn_memory_free(device, d_y));
}

START_TEST(textures_share_texels)
{
    static const float grid[2][4] = {{1, 2, 3, 4}, {10, 20, 40, 80}};
    const qn_texture_options plain = {
        .texel = QN_TEXEL_F32, .channels = 1, .width = 4, .height = 2};
    qn_texture_options blended = plain, other = plain;
    qn_texture *a, *b, *c;
    float out[8];
    must(qn_texture_create(&a, device, &plain));
    blended.of = a;
    blended.linear = true;
    must(qn_texture_create(&b, device, &blended));
    other.of = a;
    other.width = 3;
    must_not(QN_E_INVALID, qn_texture_create(&c, device, &other));
    must(qn_texture_upload(b, grid)); /* either way */
    read_row(out, a, 1.5f);
    ck_assert(out[0] == 10 && out[2] == 20 && out[3] == 40 && out[6] == 80 && out[7] == 80);
    read_row(out, b, 1.5f);
    ck_assert(out[0] == 10 && out[1] == 15 && out[3] == 30 && out[5] == 60 && out[7] == 80);
    must(qn_texture_destroy(b));
    read_row(out, a, 0.5f);
    ck_assert(out[0] == 1 && out[6] == 4);
    must(qn_texture_destroy(a));
}
END_TEST

START_TEST(a_pitched_texture_reads_the_callers_memory)
{
    enum { PITCH = 512 };
    float row[4] = {1, 2, 3, 4}, out[8];
    const qn_addr data = alloc(2 * (size_t)PITCH);
    const qn_texture_options o = {.texel = QN_TEXEL_F32,
                                  .channels = 1,
                                  .width = 4,
                                  .height = 2,
                                  .linear = true,
                                  .data = data,
                                  .pitch_bytes = PITCH};
    qn_texture *t;
    must(qn_texture_create(&t, device, &o));
    ck_assert_uint_eq(qn_texture_get_surface(t), 0);
    must_not(QN_E_INVALID, qn_texture_upload(t, row));
    must(qn_memory_upload(device, data, row, sizeof row, NULL));
    for (int i = 0; i < 4; i++)
        row[i] *= 100;
    must(qn_memory_upload(device, data + PITCH, row, sizeof row, NULL));
    read_row(out, t, 0.5f);
    ck_assert(out[0] == 1 && out[1] == 1.5f && out[7] == 4);
    read_row(out, t, 1.5f);
    ck_assert(out[0] == 100 && out[1] == 150 && out[7] == 400);
    must(qn_texture_destroy(t));
    must(qn_memory_free(device, data));
}
END_TEST

int main(void)
{
    const struct fixture_case cases[] = {
        {every_address_mode_filter_and_coordinate, N_FORMS},
        {every_format_and_read, 24},
        {a_result_may_go_through_a_pointer, 1},
        {surfaces_are_read_and_written, 2 * N_SURFACES},
        {objects_lie_in_structs, 1},
        {what_would_trap_is_a_fault, 1},
        {references_stand_for_what_is_bound, 1},
        {options_that_do_not_fit_are_refused, sizeof refused / sizeof *refused},
        {a_linear_texture_reads_the_callers_memory, 1},
        {textures_share_texels, 1},
        {a_pitched_texture_reads_the_callers_memory, 1},
        {NULL, 0},
    };
    return fixture_run("texture", NULL, open_module, close_module, cases);
}
