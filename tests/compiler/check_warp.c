/* SPDX-License-Identifier: Apache-2.0
 *
 * Warp operations on a device: shuffles, votes, matches and reductions of every type, reached by
 * all threads, by part of a warp, by some of the warps, in a loop that lanes exit one after the
 * other, and after an early return. Each lane's result is compared with a plain model of a warp.
 *
 * The same source runs through NVRTC (QUERN_BACKEND=cuda) and through the translator, where the
 * profile decides between inline PTX, subgroups and local memory. A lane that the mask leaves out,
 * or that reads from one that is not there, has no defined result and is not compared.
 *
 * covers: compiler/lang/library compiler/stmt/flatten */
#include "tests/runtime_fixture.h"

enum { LANES = 32, THREADS_MAX = 128, BLOCKS = 2, ROWS = 6, TURNS = 4 };

/* How the threads come to the operation; the model's members() says the same. */
enum flow { STRAIGHT, LANES_BRANCH, WARPS_BRANCH, LOOP, EARLY_RETURN, N_FLOWS };
static const char *const flow_names[] = {"in a straight line", "under a branch of lanes",
                                         "under a branch of warps", "in a loop that lanes leave",
                                         "behind an early return"};

/* Every operation of a kind is one row of its kernel's output: out[row * n + thread]. */
static const char text[] =
    "enum { STRAIGHT, LANES_BRANCH, WARPS_BRANCH, LOOP, EARLY_RETURN };\n"
    "struct shuffles {\n"
    "    template <class T> static __device__ void run(T *r, unsigned m, T v, unsigned lane)\n"
    "    {\n"
    "        r[0] += __shfl_sync(m, v, (lane * 2 + 4) & 30 | lane & 1);\n"
    "        r[1] += __shfl_up_sync(m, v, 4, 16);\n"
    "        r[2] += __shfl_down_sync(m, v, 2);\n"
    "        r[3] += __shfl_xor_sync(m, v, 6, 8);\n"
    "        r[4] += __shfl_sync(m, v, 3 - (int)(lane & 1), 8);\n"
    "        r[5] += __shfl_down_sync(m, v, 8, 16);\n"
    "    }\n"
    "};\n"
    "struct votes {\n"
    "    template <class T> static __device__ void run(T *r, unsigned m, T v, unsigned lane)\n"
    "    {\n"
    "        r[0] += __ballot_sync(m, (int)v % 3 == 0);\n"
    "        r[1] += __any_sync(m, (int)v % 16 == 0) != 0;\n"
    "        r[2] += __all_sync(m, (int)v % 16 != 0) != 0;\n"
    "        r[3] += __all_sync(m, (int)v > 0) != 0;\n"
    "        __syncwarp(m);\n"
    "    }\n"
    "};\n"
    "struct matches {\n"
    "    template <class T> static __device__ void run(T *r, unsigned m, T v, unsigned lane)\n"
    "    {\n"
    "        int all = 0, none = 0;\n"
    "        r[0] += (T)(__match_any_sync(m, v) >> 12);\n"
    "        r[1] += (T)(__match_all_sync(m, (T)5, &all) >> 12);\n"
    "        r[2] += all;\n"
    "        r[3] += (T)__match_all_sync(m, v, &none);\n"
    "        r[4] += none;\n"
    "    }\n"
    "};\n"
    "#ifndef NO_REDUCE\n"
    "struct sums {\n"
    "    template <class T> static __device__ void run(T *r, unsigned m, T v, unsigned lane)\n"
    "    {\n"
    "        r[0] += __reduce_add_sync(m, v) + __reduce_add_sync(m, (int)(v > 5)) * 1000;\n"
    "        r[1] += __reduce_min_sync(m, v);\n"
    "        r[2] += __reduce_max_sync(m, v);\n"
    "        r[3] += __reduce_and_sync(m, (unsigned)v | 64);\n"
    "        r[4] += __reduce_or_sync(m, (unsigned)v);\n"
    "        r[5] += __reduce_xor_sync(m, (unsigned)v);\n"
    "    }\n"
    "};\n"
    "#endif\n"
    "template <class Kind, class T, int flow> __global__ void warp(T *out, const T *in)\n"
    "{\n"
    "    const unsigned lane = threadIdx.x % 32, w = threadIdx.x / 32, n = gridDim.x * "
    "blockDim.x;\n"
    "    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, left = blockDim.x - w * 32;\n"
    "    const unsigned there = left < 32 ? (1u << left) - 1 : ~0u;\n"
    "    const T v = in[i];\n"
    "    T r[6] = {0, 0, 0, 0, 0, 0};\n"
    "    if (flow == STRAIGHT) {\n"
    "        Kind::template run<T>(r, there, v, lane);\n"
    "    } else if (flow == LANES_BRANCH) {\n"
    "        if (lane & 1)\n"
    "            Kind::template run<T>(r, there & 0xaaaaaaaau, v, lane);\n"
    "    } else if (flow == WARPS_BRANCH) {\n"
    "        if (w & 1)\n"
    "            Kind::template run<T>(r, there, v, lane);\n"
    "    } else if (flow == LOOP) {\n"
    "        unsigned m = there;\n"
    "        for (unsigned turn = 0; turn <= lane / 8; turn++, m &= ~0u << turn * 8)\n"
    "            Kind::template run<T>(r, m, v + (T)turn, lane);\n"
    "    } else {\n"
    "        if (lane >= 24)\n"
    "            return;\n"
    "        Kind::template run<T>(r, there & 0xffffffu, v, lane);\n"
    "    }\n"
    "    for (int k = 0; k < 6; k++)\n"
    "        out[k * n + i] = r[k];\n"
    "}\n";

/* -- types -- */

/* Values are small integers, exact in each type. */
struct type {
    const char *name;
    unsigned bytes;
    char kind; /* i, u, f */
};
static const struct type types[] = {{"int", 4, 'i'},       {"unsigned", 4, 'u'},
                                    {"long long", 8, 'i'}, {"unsigned long long", 8, 'u'},
                                    {"float", 4, 'f'},     {"double", 8, 'f'}};

static void put(void *array, const struct type *t, unsigned i, int64_t v)
{
    unsigned char *const p = (unsigned char *)array + (size_t)i * t->bytes;
    const float f = (float)v;
    const double d = (double)v;
    if (t->kind != 'f')
        memcpy(p, &v, t->bytes); /* little-endian */
    else
        memcpy(p, t->bytes == 4 ? (const void *)&f : &d, t->bytes);
}

static int64_t get(const void *array, const struct type *t, unsigned i)
{
    const unsigned char *const p = (const unsigned char *)array + (size_t)i * t->bytes;
    float f;
    double d;
    int32_t narrow;
    int64_t v;
    if (t->kind == 'f' && t->bytes == 4)
        return memcpy(&f, p, 4), (int64_t)f;
    if (t->kind == 'f')
        return memcpy(&d, p, 8), (int64_t)d;
    if (t->bytes == 8)
        return memcpy(&v, p, 8), v;
    memcpy(&narrow, p, 4);
    return t->kind == 'u' ? (int64_t)(uint32_t)narrow : narrow;
}

/* -- the model -- */

/* One operation by one warp: the lanes of `mask` with their values; lane's result, or false where
 * it has none. */
typedef bool model(int64_t *out, int row, uint32_t mask, const int64_t v[LANES], unsigned lane);

static bool shuffle(int64_t *out, int row, uint32_t mask, const int64_t v[LANES], unsigned lane)
{
    static const unsigned widths[ROWS] = {32, 16, 32, 8, 8, 16};
    const unsigned width = widths[row], first = lane / width * width;
    const unsigned from[ROWS] = {((lane * 2 + 4) & 30) | (lane & 1),
                                 lane - 4,
                                 lane + 2,
                                 lane ^ 6,
                                 first + 3 - (lane & 1),
                                 lane + 8};
    const bool inside = from[row] >= first && from[row] < first + width;
    const unsigned source = inside ? from[row] : lane;
    *out = v[source];
    return mask >> source & 1;
}

static bool vote(int64_t *out, int row, uint32_t mask, const int64_t v[LANES], unsigned lane)
{
    uint32_t thirds = 0;
    bool sixteenth = false, positive = true;
    (void)lane;
    for (unsigned k = 0; k < LANES; k++) {
        if (!(mask >> k & 1))
            continue;
        thirds |= (uint32_t)(v[k] % 3 == 0) << k;
        sixteenth |= v[k] % 16 == 0;
        positive &= v[k] > 0;
    }
    const int64_t results[ROWS] = {thirds, sixteenth, !sixteenth, positive};
    *out = results[row];
    return true;
}

static bool match(int64_t *out, int row, uint32_t mask, const int64_t v[LANES], unsigned lane)
{
    uint32_t same = 0;
    for (unsigned k = 0; k < LANES; k++)
        same |= (uint32_t)(mask >> k & 1 && v[k] == v[lane]) << k;
    const uint32_t all = same == mask ? mask : 0;
    const int64_t results[ROWS] = {same >> 12, mask >> 12, 1, all, all != 0};
    *out = results[row];
    return true;
}

static bool reduce(int64_t *out, int row, uint32_t mask, const int64_t v[LANES], unsigned lane)
{
    int64_t sum = 0, least = INT64_MAX, most = INT64_MIN, all = UINT32_MAX, any = 0, odd = 0;
    (void)lane;
    for (unsigned k = 0; k < LANES; k++) {
        if (!(mask >> k & 1))
            continue;
        sum += v[k] + (v[k] > 5 ? 1000 : 0);
        least = v[k] < least ? v[k] : least;
        most = v[k] > most ? v[k] : most;
        all &= (uint32_t)v[k] | 64;
        any |= (uint32_t)v[k];
        odd ^= (uint32_t)v[k];
    }
    const int64_t results[ROWS] = {sum, least, most, all, any, odd};
    *out = results[row];
    return true;
}

/* The lanes that reach the operation together, among those that exist. */
static uint32_t members(enum flow flow, unsigned warp, unsigned turn, uint32_t there)
{
    switch (flow) {
    case LANES_BRANCH: return there & 0xaaaaaaaau;
    case WARPS_BRANCH: return warp & 1 ? there : 0;
    case LOOP: return there & ~0u << turn * 8;
    case EARLY_RETURN: return there & 0xffffffu;
    default: return there;
    }
}

/* -- cases -- */

struct kind {
    const char *name;
    model *expect;
    const char *types; /* first letters of `types`, "iulLfd" for all six */
    const char *few;   /* of these, for a slow driver */
};
static const struct kind kinds[] = {
    {"shuffles", shuffle, "iulLfd", "f"},
    {"votes", vote, "i", "i"},
    {"matches", match, "iulLfd", "d"},
    {"sums", reduce, "iu", "i"},
};
enum { N_KINDS = sizeof kinds / sizeof *kinds, N_TYPES = sizeof types / sizeof *types };

static const char *expression(const struct kind *k, const struct type *t, int flow)
{
    static char name[64];
    snprintf(name, sizeof name, "warp<%s, %s, %d>", k->name, t->name, flow);
    return name;
}

/* A CPU's driver takes seconds for each kernel and block size: there one type of each kind and one
 * size are enough, unless QN_LONG asks for all. */
static bool is_short(void)
{
    return !getenv("QN_LONG") && qn_device_get_info(device)->device_class == QN_DEVICE_CPU;
}

static bool has_type(const struct kind *k, int type)
{
    const char letter = "iulLfd"[type];
    return strchr(is_short() ? k->few : k->types, letter) != NULL;
}

/* One block's expectation for one warp and lane: the sum over the iterations, as the kernel adds
 * up. */
static bool expect(int64_t *sum, const struct kind *k, int row, enum flow flow, unsigned warp,
                   unsigned lane, uint32_t there, const int64_t *values)
{
    *sum = 0;
    const unsigned turns = flow == LOOP ? lane / 8 + 1 : 1;
    for (unsigned turn = 0; turn < turns; turn++) {
        const uint32_t mask = members(flow, warp, turn, there);
        int64_t v[LANES], one = 0;
        for (unsigned l = 0; l < LANES; l++)
            v[l] = (there >> l & 1 ? values[l] : 0) + turn;
        if (mask >> lane & 1 && !k->expect(&one, row, mask, v, lane))
            return false;
        *sum += one;
    }
    return flow != EARLY_RETURN || lane < 24;
}

static int64_t as_type(const struct type *t, int64_t v)
{
    unsigned char bytes[8];
    put(bytes, t, 0, v);
    return get(bytes, t, 0);
}

static unsigned compare(const struct kind *k, const struct type *t, enum flow flow,
                        unsigned threads, const int64_t *values, const void *out)
{
    unsigned n_compared = 0;
    for (unsigned i = 0; i < BLOCKS * threads; i++) {
        const unsigned in_block = i % threads, warp = in_block / LANES, lane = in_block % LANES;
        const unsigned left = threads - warp * LANES;
        const uint32_t there = left < LANES ? (1u << left) - 1 : ~0u;
        for (int row = 0; row < ROWS; row++) {
            int64_t want;
            if (!expect(&want, k, row, flow, warp, lane, there, values + i - lane))
                continue;
            const int64_t got = get(out, t, (unsigned)row * BLOCKS * threads + i);
            ck_assert_msg(got == as_type(t, want),
                          "%s of %s %s, row %d, thread %u of %u: %lld instead of %lld", k->name,
                          t->name, flow_names[flow], row, i, threads, (long long)got,
                          (long long)as_type(t, want));
            n_compared++;
        }
    }
    return n_compared;
}

/* Repeating values, so that there is something to match; negative ones where the type has them. */
static void fill(int64_t *values, const struct type *t, unsigned n)
{
    uint32_t state = 99;
    for (unsigned i = 0; i < n; i++) {
        state = state * 1664525u + 1013904223u;
        values[i] = (int64_t)(state >> 28) + (i % 7 == 0 ? 0 : 1) - (t->kind == 'u' ? 0 : 3);
    }
}

static qn_module *modules[N_KINDS];

static void run_case(int kind, int type, enum flow flow, unsigned threads)
{
    enum { BYTES = ROWS * BLOCKS * THREADS_MAX * 8 };
    static unsigned char bytes[BYTES];
    const struct kind *const k = &kinds[kind];
    const struct type *const t = &types[type];
    int64_t values[BLOCKS * THREADS_MAX];
    const qn_kernel *kernel;
    const unsigned n = BLOCKS * threads;
    fill(values, t, n);
    for (unsigned i = 0; i < n; i++)
        put(bytes, t, i, values[i]);
    qn_addr in = alloc(sizeof bytes), out = alloc(sizeof bytes);
    const qn_dims dims = {.grid = {BLOCKS, 1, 1}, .block = {threads, 1, 1}};
    void *const args[] = {&out, &in};
    must(qn_kernel_find(&kernel, modules[kind], expression(k, t, flow)));
    must(qn_memory_upload(device, in, bytes, sizeof bytes, stream));
    must(qn_memory_fill(device, out, 0, 4, sizeof bytes / 4, stream));
    must(qn_stream_launch(stream, kernel, &dims, args));
    must(qn_memory_download(device, bytes, out, sizeof bytes, stream));
    must(qn_stream_sync(stream));
    ck_assert_uint_gt(compare(k, t, flow, threads, values, bytes), n);
    qn_memory_free(device, in);
    qn_memory_free(device, out);
}

static void build(int kind)
{
    const struct kind *const k = &kinds[kind];
    char *names[N_TYPES * N_FLOWS];
    uint32_t n = 0;
    for (int type = 0; type < N_TYPES; type++)
        for (int flow = 0; has_type(k, type) && flow < N_FLOWS; flow++)
            names[n++] = strdup(expression(k, &types[type], flow));
    const qn_source source = {
        .text = text, .path = "warp.cu", .names = (const char *const *)names, .n_names = n};
    qn_log log = {0};
    const qn_status s = qn_module_build(&modules[kind], device, &source, NULL, &log);
    ck_assert_msg(s == QN_OK, "%s: %s\n%s", k->name, qn_message(), log.text ? log.text : "");
    qn_log_release(&log);
    while (n)
        free(names[--n]);
}

START_TEST(every_lane_gets_what_the_model_says)
{
    static const unsigned threads[] = {80, 128, 20}; /* whole warps, and a last one in part */
    const int kind = _i / N_FLOWS, flow = _i % N_FLOWS;
    if (!modules[kind])
        build(kind);
    for (int type = 0; type < N_TYPES; type++)
        for (int b = 0; has_type(&kinds[kind], type) && b < (is_short() ? 1 : 3); b++)
            run_case(kind, type, (enum flow)flow, threads[b]);
}
END_TEST

static void close_modules(void)
{
    for (int i = 0; i < N_KINDS; i++)
        qn_module_close(modules[i]);
}

int main(void)
{
    const struct fixture_case cases[] = {{every_lane_gets_what_the_model_says, N_KINDS * N_FLOWS},
                                         {NULL, 0}};
    return fixture_run("warp operations", NULL, NULL, close_modules, cases);
}
