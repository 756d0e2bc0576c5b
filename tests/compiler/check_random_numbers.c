/* SPDX-License-Identifier: Apache-2.0
 *
 * cuRAND in kernels. What must be equal to NVIDIA's is a digest of the first 10,000 numbers and of
 * those after each kind of skip; the digests were computed by NVIDIA's header, which a host
 * compiler reads, too. Functions that round are held against the formula in double.
 *
 * The same source runs through NVRTC (QUERN_BACKEND=cuda), which reads the toolkit's header. */
#include "tests/runtime_fixture.h"

#include <math.h>
#include <stdint.h>

static qn_module *module;

static void open_module(void)
{
    static const char *const names[] = {
#define OF(state)                                                                                  \
    "numbers<" state ">", "doubled<" state ">", "reals<" state ">", "counts<" state ">",           \
        "normals<" state ">", "log_normals<" state ">", "kept<" state ">"
        OF("curandStateXORWOW"), OF("curandStatePhilox4_32_10"), OF("curandStateMRG32k3a")};
    char path[1024];
    const char *const root = getenv("QN_SOURCE");
    snprintf(path, sizeof path, "%s/tests/compiler/random_numbers.cu", root ? root : ".");
    const qn_source source = {
        .path = path, .names = names, .n_names = sizeof names / sizeof *names};
    qn_log log = {0};
    const qn_status s = qn_module_build(&module, device, &source, NULL, &log);
    ck_assert_msg(s == QN_OK, "%s\n%s", qn_message(), log.text ? log.text : "");
    qn_log_release(&log);
}
static void close_module(void)
{
    qn_module_close(module);
}

/* FNV-1a, 64 bits */
static uint64_t digest_of(const void *p, size_t n)
{
    uint64_t h = 0xcbf29ce484222325u;
    for (size_t i = 0; i < n; i++)
        h = (h ^ ((const unsigned char *)p)[i]) * 0x100000001b3u;
    return h;
}

static const char *state_name(int generator)
{
    static const char *const names[] = {"curandStateXORWOW", "curandStatePhilox4_32_10",
                                        "curandStateMRG32k3a"};
    return names[generator];
}

static void run(const char *kernel_name, unsigned threads, void *const *arguments)
{
    const qn_kernel *kernel;
    must(qn_kernel_find(&kernel, module, kernel_name));
    const qn_dims dims = {.grid = {1}, .block = {threads}};
    must(qn_stream_launch(stream, kernel, &dims, arguments));
    must(qn_stream_sync(stream));
}
static void run_of(const char *kernel_name, int generator, unsigned threads, void *const *arguments)
{
    char name[100];
    snprintf(name, sizeof name, "%s<%s>", kernel_name, state_name(generator));
    run(name, threads, arguments);
}

/* Copies a buffer of the device and frees it. */
static void take(void *to, qn_addr from, size_t bytes)
{
    must(qn_memory_download(device, to, from, bytes, NULL));
    qn_memory_free(device, from);
}

enum { N = 10400 };

static const struct {
    int generator;
    uint64_t seed, sequence, offset, digest;
    uint32_t first, second, last, skipped;
} sequences[] = {
    {0, 0x0u, 0x0u, 0x0u, 0x934c4c4b823b65f4u, 3179217846u, 1883133293u, 1142072939u, 575475720u},
    {0, 0x4d2u, 0x0u, 0x0u, 0x986ea2295d113982u, 624778773u, 1867875844u, 333817602u, 1483059359u},
    {0, 0x2au, 0x7u, 0x3u, 0x0afd16ef632c5d18u, 4081944259u, 3437967554u, 1871115062u, 3900935967u},
    {0, 0xfedcba9876543210u, 0x123456789u, 0xabcdef0123456u, 0x3e7d2fc468cdfabcu, 11960361u,
     3337364392u, 560204552u, 2154270245u},
    {0, 0x1u, 0x4000000000005u, 0x10000000001u, 0x5f01c530b3bc2043u, 188159372u, 1253407497u,
     2140622785u, 2493047951u},
    {0, 0x55555555u, 0x1u, 0x270fu, 0xbc91bfae774cd596u, 2913055973u, 2185720195u, 984140252u,
     1420477178u},
    {1, 0x0u, 0x0u, 0x0u, 0xf837a77d6e07dea2u, 1713891541u, 3781805453u, 573032033u, 541321820u},
    {1, 0x4d2u, 0x0u, 0x0u, 0xe4e698ca6f9d78ebu, 546353992u, 3665621163u, 411417734u, 1517761293u},
    {1, 0x2au, 0x7u, 0x3u, 0x881974fb1eae9e25u, 1433639123u, 3856525632u, 1191083243u, 2192272310u},
    {1, 0xfedcba9876543210u, 0x123456789u, 0xabcdef0123456u, 0xb6b66b5c5187cdfcu, 4003815643u,
     1207561739u, 358442321u, 2502185697u},
    {1, 0x1u, 0x4000000000005u, 0x10000000001u, 0x2c5b5f4472c1b570u, 272739508u, 71119762u,
     3645319321u, 600141664u},
    {1, 0x55555555u, 0x1u, 0x270fu, 0x7860de1bad1d721bu, 2984043730u, 2001855719u, 3554637248u,
     2978195227u},
    {2, 0x0u, 0x0u, 0x0u, 0x7e56ef5d47f3e6b8u, 545508615u, 1368065476u, 878310261u, 4110606175u},
    {2, 0x4d2u, 0x0u, 0x0u, 0x753a571772aba84au, 3379073520u, 2521876100u, 1553800748u,
     3117266397u},
    {2, 0x2au, 0x7u, 0x3u, 0xbf4fba6d1e5c92f2u, 4052737137u, 2546256600u, 850887719u, 1517155739u},
    {2, 0xfedcba9876543210u, 0x123456789u, 0xabcdef0123456u, 0x486f761c0ef03cbeu, 1967283342u,
     1293595732u, 474122757u, 3584063663u},
    {2, 0x1u, 0x4000000000005u, 0x10000000001u, 0x92316dfa70a339f0u, 468722938u, 1827661109u,
     1438065735u, 251622358u},
    {2, 0x55555555u, 0x1u, 0x270fu, 0x2367c5eac86004eau, 419129742u, 2418202041u, 2756680712u,
     3902184819u},
};
enum { N_SEQUENCES = sizeof sequences / sizeof *sequences };

START_TEST(numbers_are_cuda_s)
{
    static uint32_t out[N];
    const qn_addr a = alloc(sizeof out);
    uint64_t seed = sequences[_i].seed, sequence = sequences[_i].sequence;
    uint64_t offset = sequences[_i].offset;
    void *const arguments[] = {address_of(&a), &seed, &sequence, &offset};
    run_of("numbers", sequences[_i].generator, 1, arguments);
    take(out, a, sizeof out);
    ck_assert_msg(out[0] == sequences[_i].first && out[1] == sequences[_i].second &&
                      out[9999] == sequences[_i].last && out[N - 1] == sequences[_i].skipped &&
                      digest_of(out, sizeof out) == sequences[_i].digest,
                  "%s, row %d: %u %u .. %u .. %u, digest 0x%016llx",
                  state_name(sequences[_i].generator), _i, out[0], out[1], out[9999], out[N - 1],
                  (unsigned long long)digest_of(out, sizeof out));
}
END_TEST

/* NVIDIA's MRG32k3a knows sequences below 2^63 only, and its tables are its own affair. */
START_TEST(every_skip_is_two_of_half)
{
    enum { THREADS = 4 };
    uint32_t out[64 * THREADS];
    memset(out, 0, sizeof out);
    const qn_addr a = alloc(sizeof out);
    must(qn_memory_upload(device, a, out, sizeof out, NULL));
    uint64_t kind = (uint64_t)_i & 1;
    void *const arguments[] = {address_of(&a), &kind};
    run_of("doubled", _i / 2, THREADS, arguments);
    take(out, a, sizeof out);
    for (int i = 0; i < 64 * THREADS; i++)
        ck_assert_msg(out[i] == 0, "%s: skip by 2^%d of kind %d", state_name(_i / 2), i % 64,
                      _i & 1);
}
END_TEST

START_TEST(mrg32k3a_skips_subsequences)
{
    uint32_t out[100];
    const qn_addr a = alloc(sizeof out);
    uint64_t n = 12345;
    void *const arguments[] = {address_of(&a), &n};
    run("subsequences", 1, arguments);
    take(out, a, sizeof out);
    ck_assert_uint_eq(out[0], 4229745079u);
}
END_TEST

START_TEST(uniform_numbers_are_cuda_s)
{
    static const struct {
        uint64_t digest, wide_digest;
        float first;
        double wide_first;
    } expected[] = {
        {0xd85bbe230f67158cu, 0x5e1055f5646ca545u, 0.226750135f, 0.13990439646242409},
        {0x7c302c343653ec91u, 0xb9de61a98670fa3bu, 0.0876130983f, 0.56363889761269093},
        {0x05572613cb56bd3du, 0x69fb4fb42c2d5e3cu, 0.564943671f, 0.64285443987617696},
    };
    float out[1000];
    double wide[1000];
    const qn_addr a = alloc(sizeof out), b = alloc(sizeof wide);
    uint64_t seed = 99;
    void *const arguments[] = {address_of(&a), address_of(&b), &seed};
    run_of("reals", _i, 1, arguments);
    take(out, a, sizeof out);
    take(wide, b, sizeof wide);
    ck_assert_msg(out[0] == expected[_i].first && wide[0] == expected[_i].wide_first,
                  "%s: %.9g, %.17g", state_name(_i), (double)out[0], wide[0]);
    ck_assert_uint_eq(digest_of(out, sizeof out), expected[_i].digest);
    ck_assert_uint_eq(digest_of(wide, sizeof wide), expected[_i].wide_digest);
}
END_TEST

static const struct {
    int generator;
    double mean;
    uint64_t digest;
    uint32_t first, second, last;
} poisson[] = {
    {0, 0, 0x2c36c2471ceec525u, 0u, 0u, 0u},
    {0, 4, 0xfd7e41007e96416au, 5u, 5u, 5u},
    {0, 63.5, 0xcbd899733de00558u, 60u, 78u, 63u},
    {0, 4001, 0xea67713b4de1e29fu, 4012u, 3967u, 3940u},
    {0, 1e+06, 0xe9c5e34cd796ef02u, 1000171u, 999465u, 999032u},
    {1, 0, 0x2c36c2471ceec525u, 0u, 0u, 0u},
    {1, 4, 0x21f6bc0c9756f138u, 3u, 7u, 6u},
    {1, 63.5, 0x7237a0804dc3da1bu, 71u, 53u, 60u},
    {1, 4001, 0xae4a1a3b6cef6586u, 4118u, 4019u, 3969u},
    {1, 1e+06, 0x618a80dc1dca3e82u, 1001855u, 1000290u, 999489u},
    {2, 0, 0x2c36c2471ceec525u, 0u, 0u, 0u},
    {2, 4, 0x066edb77c70e434eu, 3u, 3u, 2u},
    {2, 63.5, 0xdcf35fa603f5dce4u, 69u, 68u, 63u},
    {2, 4001, 0xe4b6f7378ddf4fe0u, 4004u, 3994u, 4014u},
    {2, 1e+06, 0x9f9fdd8cb6c2ffe5u, 1000049u, 999893u, 1000198u},
};
enum { N_POISSON = sizeof poisson / sizeof *poisson };

START_TEST(poisson_numbers_are_cuda_s)
{
    uint32_t out[4000];
    const qn_addr a = alloc(sizeof out);
    int n = 4000;
    double mean = poisson[_i].mean;
    void *const arguments[] = {address_of(&a), &n, &mean};
    run_of("counts", poisson[_i].generator, 1, arguments);
    take(out, a, sizeof out);
    ck_assert_msg(out[0] == poisson[_i].first && out[1] == poisson[_i].second &&
                      out[3999] == poisson[_i].last &&
                      digest_of(out, sizeof out) == poisson[_i].digest,
                  "%s, mean %g: %u %u .. %u, digest 0x%016llx", state_name(poisson[_i].generator),
                  mean, out[0], out[1], out[3999], (unsigned long long)digest_of(out, sizeof out));
}
END_TEST

/* Means from 64 to 4000 are drawn by rejection; a last bit of expf() decides about a few of them.
 * Kolmogorov and Smirnov's distance is below 1.95 / sqrt(n) in 999 of 1000 runs. */
START_TEST(poisson_by_rejection_has_the_distribution)
{
    static const double means[] = {64, 100, 500, 2000, 4000};
    enum { DRAWS = 40000, MOST = 8192 };
    static uint32_t out[DRAWS], histogram[MOST];
    memset(histogram, 0, sizeof histogram);
    const qn_addr a = alloc(sizeof out);
    int n = DRAWS;
    double mean = means[_i / 3], sum = 0, squares = 0;
    void *const arguments[] = {address_of(&a), &n, &mean};
    run_of("counts", _i % 3, 1, arguments);
    take(out, a, sizeof out);
    for (int i = 0; i < DRAWS; i++) {
        ck_assert_uint_lt(out[i], MOST);
        histogram[out[i]]++;
        sum += out[i];
        squares += (out[i] - mean) * (out[i] - mean);
    }
    ck_assert_msg(fabs(sum / DRAWS - mean) < 4 * sqrt(mean / DRAWS), "mean %g: %g", mean,
                  sum / DRAWS);
    ck_assert_msg(fabs(squares / DRAWS / mean - 1) < 4 * sqrt(2.0 / DRAWS), "variance %g: %g", mean,
                  squares / DRAWS);
    double seen = 0, exact = 0, distance = 0;
    for (int k = 0; k < MOST; k++) {
        seen += (double)histogram[k] / DRAWS;
        exact += exp(k * log(mean) - mean - lgamma(k + 1.0));
        distance = fmax(distance, fabs(seen - exact));
    }
    ck_assert_msg(distance < 1.95 / sqrt(DRAWS), "%s, mean %g: distance %g", state_name(_i % 3),
                  mean, distance);
}
END_TEST

/* The sine of CUDA's __sincosf() is off by 2^-20.5 at most between 0 and 2 pi. */
START_TEST(normal_numbers_are_box_and_muller_s)
{
    enum { M = 2000 };
    static float out[M], u[M];
    static double wide[M], v[M];
    const qn_addr a = alloc(sizeof out), b = alloc(sizeof wide);
    const qn_addr c = alloc(sizeof u), d = alloc(sizeof v);
    void *const arguments[] = {address_of(&a), address_of(&b), address_of(&c), address_of(&d)};
    run_of("normals", _i, 1, arguments);
    take(out, a, sizeof out);
    take(wide, b, sizeof wide);
    take(u, c, sizeof u);
    take(v, d, sizeof v);
    double sum = 0, squares = 0, worst = 0;
    for (int i = 0; i < M; i += 2) {
        const double radius = sqrt(-2 * log((double)u[i])), at = 6.2831853071795865 * u[i + 1];
        const double errors[] = {fabs(out[i] - radius * sin(at)),
                                 fabs(out[i + 1] - radius * cos(at))};
        for (int k = 0; k < 2; k++) {
            worst = fmax(worst, errors[k]);
            ck_assert_msg(errors[k] < (radius + 1) * 0x1p-20, "%s, number %d: off by %g",
                          state_name(_i), i + k, errors[k]);
            sum += out[i + k];
            squares += (double)out[i + k] * out[i + k];
        }
    }
    ck_assert(fabs(sum / M) < 4 / sqrt(M) && fabs(squares / M - 1) < 4 * sqrt(2.0 / M));
    printf("%s: normal numbers off by %.3g at most\n", state_name(_i), worst);
    for (int i = 0; i < M && _i != 1; i += 2) { /* Philox makes uniform ones of 32 bits only */
        const double radius = sqrt(-2 * log(v[i])), at = 2 * v[i + 1];
        /* reduced by the quadrant: pi is no double */
        const double part = (at - rint(2 * at) / 2) * 3.14159265358979324;
        const int quadrant = (int)rint(2 * at) & 3;
        const double s = sin(part), k = cos(part);
        const double sine = quadrant == 0 ? s : quadrant == 1 ? k : quadrant == 2 ? -s : -k;
        const double cosine = quadrant == 0 ? k : quadrant == 1 ? -s : quadrant == 2 ? -k : s;
        ck_assert_msg(fabs(wide[i] - radius * sine) < 0x1p-49 &&
                          fabs(wide[i + 1] - radius * cosine) < 0x1p-49,
                      "%s, pair %d: %.17g %.17g, expected %.17g %.17g", state_name(_i), i, wide[i],
                      wide[i + 1], radius * sine, radius * cosine);
    }
}
END_TEST

START_TEST(log_normal_numbers_are_powers_of_normal_ones)
{
    float out[302];
    double wide[302];
    const qn_addr a = alloc(sizeof out), b = alloc(sizeof wide);
    void *const arguments[] = {address_of(&a), address_of(&b)};
    run_of("log_normals", _i, 1, arguments);
    take(out, a, sizeof out);
    take(wide, b, sizeof wide);
    for (int i = 0; i < 300; i++)
        ck_assert_msg(fabsf(out[i]) < 4e-6f && fabs(wide[i]) < 1e-14, "%s, %d: %g, %g",
                      state_name(_i), i, (double)out[i], wide[i]);
    ck_assert_msg(out[300] == out[301], "%s: %g, %g", state_name(_i), (double)out[300],
                  (double)out[301]);
}
END_TEST

START_TEST(philox_draws_four_at_a_time)
{
    static const struct {
        uint64_t numbers, uniform, wide;
    } expected[] = {
        {0x2f5acad4b46b5ef3u, 0xd886a9b6a0ecf0bbu, 0xb7463bd522ff9290u},
        {0x3edf848f9efaf689u, 0x4f83560a7d544fa6u, 0xaaeeea8520e8444bu},
        {0xe96a3ace4b671aa2u, 0xb9e6aee1e1fd7cbcu, 0x5e521dcc7bc857f7u},
        {0x493357d21e1d7a06u, 0x2e0c03a8b966bd43u, 0x985d8b2188e7a19bu},
    };
    static uint32_t out[3200];
    static float f[1600];
    static double d[2400];
    const qn_addr a = alloc(sizeof out), b = alloc(sizeof f), c = alloc(sizeof d);
    int offset = _i;
    void *const arguments[] = {address_of(&a), address_of(&b), address_of(&c), &offset};
    run("fours", 1, arguments);
    take(out, a, sizeof out);
    take(f, b, sizeof f);
    take(d, c, sizeof d);
    ck_assert_uint_eq(digest_of(out, sizeof out), expected[_i].numbers);
    ck_assert_uint_eq(digest_of(f, sizeof f), expected[_i].uniform);
    ck_assert_uint_eq(digest_of(d, sizeof d), expected[_i].wide);
}
END_TEST

START_TEST(philox_makes_four_normal_numbers)
{
    float out[101];
    double wide[101];
    const qn_addr a = alloc(sizeof out), b = alloc(sizeof wide);
    int offset = _i;
    void *const arguments[] = {address_of(&a), address_of(&b), &offset};
    run("four_normals", 1, arguments);
    take(out, a, sizeof out);
    take(wide, b, sizeof wide);
    for (int i = 0; i < 100; i++)
        ck_assert_msg(fabsf(out[i]) < 4e-6f && fabs(wide[i]) < 1e-14, "offset %d, %d: %g, %g", _i,
                      i, (double)out[i], wide[i]);
    ck_assert(out[100] == 0);
}
END_TEST

/* The second dimension of Sobol's sequence: each vector is the one before plus itself, shifted. */
static void directions(uint32_t *v, uint64_t *w)
{
    v[0] = 1u << 31, w[0] = 1ull << 63;
    for (int i = 1; i < 32; i++)
        v[i] = v[i - 1] ^ v[i - 1] >> 1;
    for (int i = 1; i < 64; i++)
        w[i] = w[i - 1] ^ w[i - 1] >> 1;
}

static qn_addr directions_of(int bits)
{
    uint32_t v[32];
    uint64_t w[64];
    directions(v, w);
    const size_t bytes = bits == 32 ? sizeof v : sizeof w;
    const qn_addr a = alloc(bytes);
    must(qn_memory_upload(device, a, bits == 32 ? (void *)v : (void *)w, bytes, NULL));
    return a;
}

static const struct {
    const char *kernel;
    int bits;
    uint64_t scramble, offset, digest, first, last, skipped;
} sobol[] = {
    {"sobol32", 32, 0x0u, 0x0u, 0x95aef6899882c346u, 0x0u, 0xebe40000u, 0xda410f0fu},
    {"sobol32", 32, 0x0u, 0xfffff000u, 0xdf25e574c61e7d16u, 0xf0fffffu, 0xd7d80000u, 0xa2390f0fu},
    {"scrambled32", 32, 0xdeadbeefu, 0x4du, 0xfee9a748cdb11827u, 0x8adbeefu, 0xeb49beefu,
     0x846cb1e0u},
    {"sobol64", 64, 0x0u, 0x0u, 0x1939d7b79164a536u, 0x0u, 0xebe4000000000000u,
     0xda410f0f00000000u},
    {"sobol64", 64, 0x0u, 0xfffffffffffff000u, 0x54ccdd2b8302fdc6u, 0xf0fffffffffffffu,
     0xd7d8000000000000u, 0xa2390f0f00000000u},
    {"scrambled64", 64, 0x123456789abcdefu, 0x4du, 0x9008e0562bf6892bu, 0xd723456789abcdefu,
     0x34c7456789abcdefu, 0x5be24a6889abcdefu},
};
enum { N_SOBOL = sizeof sobol / sizeof *sobol };

START_TEST(sobol_numbers_are_cuda_s)
{
    static uint64_t out[N];
    const int bits = sobol[_i].bits;
    const size_t bytes = (size_t)N * (size_t)bits / 8;
    const qn_addr a = alloc(bytes), b = directions_of(bits);
    uint64_t c = sobol[_i].scramble, offset = sobol[_i].offset;
    uint32_t c32 = (uint32_t)c, offset32 = (uint32_t)offset;
    void *const arguments[] = {address_of(&a), address_of(&b), bits == 32 ? (void *)&c32 : &c,
                               bits == 32 ? (void *)&offset32 : &offset};
    run(sobol[_i].kernel, 1, arguments);
    take(out, a, bytes);
    qn_memory_free(device, b);
    uint32_t *const narrow = (uint32_t *)out;
    const uint64_t first = bits == 32 ? narrow[0] : out[0];
    const uint64_t last = bits == 32 ? narrow[9999] : out[9999];
    const uint64_t skipped = bits == 32 ? narrow[N - 1] : out[N - 1];
    ck_assert_msg(first == sobol[_i].first && last == sobol[_i].last &&
                      skipped == sobol[_i].skipped && digest_of(out, bytes) == sobol[_i].digest,
                  "%s, row %d: 0x%llx .. 0x%llx .. 0x%llx, digest 0x%016llx", sobol[_i].kernel, _i,
                  (unsigned long long)first, (unsigned long long)last, (unsigned long long)skipped,
                  (unsigned long long)digest_of(out, bytes));
}
END_TEST

START_TEST(sobol_numbers_become_distributions)
{
    static uint32_t n[4000];
    static float f[3000];
    static double d[3000];
    const qn_addr a = alloc(sizeof n), b = alloc(sizeof f), c = alloc(sizeof d);
    const qn_addr v = directions_of(_i ? 64 : 32);
    void *const arguments[] = {address_of(&a), address_of(&b), address_of(&c), address_of(&v)};
    run(_i ? "quasi64" : "quasi32", 1, arguments);
    take(n, a, sizeof n);
    take(f, b, sizeof f);
    take(d, c, sizeof d);
    qn_memory_free(device, v);
    ck_assert_uint_eq(digest_of(n, sizeof n), 0xb8365c9ab6176321u);

    uint32_t v32[32];
    uint64_t v64[64];
    directions(v32, v64);
    for (uint64_t i = 0; i < 6000; i++) {
        const uint64_t gray = (i + 4001) ^ (i + 4001) >> 1;
        uint64_t x = 0;
        for (int k = 0; k < 32; k++)
            if (gray >> k & 1)
                x ^= _i ? v64[k] : v32[k];
        const double u = _i ? ldexp((double)(x >> 11), -53) : ldexp((double)x, -32);
        const uint64_t at = i / 6 * 3 + i % 3;
        if (i % 6 == 0)
            ck_assert_msg(f[at] == (float)((float)(_i ? x >> 32 : x) * 0x1p-32f + 0x1p-33f), "%d",
                          (int)i);
        else if (i % 6 == 3)
            ck_assert_msg(d[at] == u + (_i ? 0x1p-54 : 0x1p-32), "%d", (int)i);
        else if (i % 6 == 1)
            ck_assert_msg(fabs(0.5 * erfc(-f[at] / sqrt(2.0)) - u) < 3e-7, "%d: %g of %g", (int)i,
                          (double)f[at], u);
        else if (i % 6 == 4)
            ck_assert_msg(fabs(0.5 * erfc(-d[at] / sqrt(2.0)) - u) < 1.2e-10, "%d: %g of %g",
                          (int)i, d[at], u);
        else if (i % 6 == 2)
            ck_assert_msg(fabs(0.5 * erfc(-(log((double)f[at]) - 0.5) * 4 / sqrt(2.0)) - u) < 1e-6,
                          "%d: %g of %g", (int)i, (double)f[at], u);
        else
            ck_assert_msg(fabs(0.5 * erfc(-(log(d[at]) - 0.5) * 4 / sqrt(2.0)) - u) < 1.2e-10,
                          "%d: %g of %g", (int)i, d[at], u);
    }
}
END_TEST

/* As curandCreatePoissonDistribution() lays it out; pointers are device addresses. */
struct histogram {
    qn_addr v, host_v, k, host_k;
    uint32_t host_gen, unused;
};
struct shifted {
    qn_addr histogram, host_histogram;
    uint32_t shift, length, host_gen, unused;
};
struct distribution {
    qn_addr self, shifted, host_shifted;
    double stddev, mean;
    int32_t method;
    uint32_t host_gen;
};

static qn_addr upload(const void *p, size_t bytes)
{
    const qn_addr a = alloc(bytes);
    must(qn_memory_upload(device, a, p, bytes, NULL));
    return a;
}

START_TEST(discrete_numbers_are_those_of_the_table)
{
    enum { LENGTH = 10, M = 1000, M2 = 5, SHIFT = 100 };
    double v[LENGTH];
    uint32_t k[LENGTH], out[M], drawn[M];
    for (int i = 0; i < LENGTH; i++) {
        v[i] = (i + (i * 7 % 10) / 10.0) / LENGTH;
        k[i] = (uint32_t)(LENGTH - i);
    }
    const qn_addr v_at = upload(v, sizeof v), k_at = upload(k, sizeof k);
    const struct histogram h = {.v = v_at, .k = k_at};
    const qn_addr h_at = upload(&h, sizeof h);
    const struct shifted s = {.histogram = h_at, .shift = SHIFT, .length = LENGTH};
    const qn_addr s_at = upload(&s, sizeof s);
    const struct distribution d = {.shifted = s_at, .method = _i ? 7 : M2, .mean = 50, .stddev = 5};
    const qn_addr d_at = upload(&d, sizeof d), a = alloc(sizeof out), b = alloc(sizeof drawn);
    void *const arguments[] = {address_of(&a), address_of(&b), address_of(&d_at)};
    run("discrete", 1, arguments);
    take(out, a, sizeof out);
    take(drawn, b, sizeof drawn);
    const qn_addr all[] = {v_at, k_at, h_at, s_at, d_at};
    for (int i = 0; i < 5; i++)
        qn_memory_free(device, all[i]);
    double sum = 0;
    for (int i = 0; i < M; i++) {
        sum += out[i];
        const double u = drawn[i] * 0x1p-32 + 0x1p-32;
        const int column = (int)(u * LENGTH);
        const uint32_t expected = SHIFT + (u < v[column] ? (uint32_t)column : k[column]);
        ck_assert_msg(_i || out[i] == expected, "%d: %u, expected %u", i, out[i], expected);
    }
    ck_assert(!_i || fabs(sum / M - 50) < 4 * 5 / sqrt(M));
}
END_TEST

/* Normal numbers of NVIDIA's header on a host, of threads 0 to 3: the sines of a pair, the cosines.
 */
START_TEST(states_live_in_memory)
{
    static const float expected[3][2][4] = {
        {{0.780973554f, -0.280848563f, -1.01133287f, 1.45832551f},
         {-1.80157816f, 0.563546598f, 0.414039314f, -0.562136471f}},
        {{-1.61649048f, 0.568455219f, -0.5102247f, -0.911339343f},
         {1.22915542f, -0.285896361f, 0.978409588f, -0.0158695672f}},
        {{-0.360653788f, -1.7185365f, 0.343899459f, 0.137965798f},
         {-0.591281295f, -0.901611984f, 0.133793339f, 0.0895200446f}},
    };
    const qn_addr states = alloc(4 * 64), out = alloc(4 * sizeof(float));
    float z[4] = {0};
    must(qn_memory_upload(device, out, z, sizeof z, NULL));
    void *const arguments[] = {address_of(&states), address_of(&out)};
    for (int k = 0; k < 2; k++) {
        run_of("kept", _i, 4, arguments);
        must(qn_memory_download(device, z, out, sizeof z, NULL));
        for (int i = 0; i < 4; i++)
            ck_assert_msg(fabsf(z[i] - expected[_i][k][i]) < 4e-6f,
                          "%s, thread %d, number %d: %.9g, expected %.9g", state_name(_i), i, k,
                          (double)z[i], (double)expected[_i][k][i]);
    }
    qn_memory_free(device, states);
    qn_memory_free(device, out);
}
END_TEST

int main(void)
{
    const struct fixture_case cases[] = {
        {numbers_are_cuda_s, N_SEQUENCES},
        {every_skip_is_two_of_half, 6},
        {mrg32k3a_skips_subsequences, 1},
        {uniform_numbers_are_cuda_s, 3},
        {poisson_numbers_are_cuda_s, N_POISSON},
        {poisson_by_rejection_has_the_distribution, 15},
        {normal_numbers_are_box_and_muller_s, 3},
        {log_normal_numbers_are_powers_of_normal_ones, 3},
        {philox_draws_four_at_a_time, 4},
        {philox_makes_four_normal_numbers, 4},
        {sobol_numbers_are_cuda_s, N_SOBOL},
        {sobol_numbers_become_distributions, 2},
        {discrete_numbers_are_those_of_the_table, 2},
        {states_live_in_memory, 3},
        {NULL, 0},
    };
    return fixture_run("random_numbers", NULL, open_module, close_module, cases);
}
