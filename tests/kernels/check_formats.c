/* SPDX-License-Identifier: Apache-2.0
 *
 * Weight formats: the table, the unpackers against results that scripts/parity_formats.py found
 * equal to the gguf package's, and the packers against the error their format allows.
 *
 * covers: kernels/formats kernels/format_pack kernels/format_unpack kernels/codebook_unpack
 * kernels/dot_tiles */
#include "kernels/dot_tiles.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(a) (sizeof(a) / sizeof *(a))

enum { BLOCKS = 64, ELEMS_MAX = BLOCKS * 256, BYTES_MAX = BLOCKS * 256 * 4 };

static uint32_t next(uint32_t *state)
{
    return *state = *state * 1664525u + 1013904223u;
}

static uint64_t fnv1a(const void *data, size_t n)
{
    const unsigned char *p = data;
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t i = 0; i < n; i++)
        hash = (hash ^ p[i]) * 0x100000001b3u;
    return hash;
}

/* What each format makes of the same stream of bytes, in which no 16-bit word is an infinity or a
 * NaN of f16. */
static const struct row {
    const char *name;
    uint32_t gguf_type, elems, bytes;
    double error; /* of a packed value, as a part of its block's largest, beside half
                   the smallest half; < 0: not packed */
    uint64_t hash;
} rows[] = {
    {"f32", 0, 1, 4, 0, 0x60bcfaed2cb27b0d},
    {"f16", 1, 1, 2, 4.9e-4, 0xd407536e9716248e},
    {"bf16", 30, 1, 2, 3.95e-3, 0x8fa3c8f24be5f318},
    {"q4_0", 2, 32, 18, 0.1255, 0x48121be6f062a0c5},
    {"q4_1", 3, 32, 20, 0.068, 0xbb96cb2539a830a3},
    {"q5_0", 6, 32, 22, 0.063, 0x1b26d41cf8bd8721},
    {"q5_1", 7, 32, 24, 0.033, 0xc8f33c6d3eb93c27},
    {"q8_0", 8, 32, 34, 0.0045, 0x1d6c2aa28a008d7d},
    {"q2_k", 10, 256, 84, -1, 0x38ce123e8d84b90f},
    {"q3_k", 11, 256, 110, -1, 0x70967c6d53bcc9fa},
    {"q4_k", 12, 256, 144, 0.085, 0xeff978a5fe3baa61},
    {"q5_k", 13, 256, 176, 0.05, 0x48b9d08980206f02},
    {"q6_k", 14, 256, 210, 0.04, 0x46094951b83072b2},
    {"iq4_nl", 20, 32, 18, 0.16, 0xafe722976bbc44b6},
    {"iq2_xxs", 16, 256, 66, -1, 0xa25252f60e59fa01},
    {"iq2_xs", 17, 256, 74, -1, 0xe4d694d0e490739c},
    {"iq3_xxs", 18, 256, 98, -1, 0x5405a28014171d46},
    {"iq1_s", 19, 256, 50, -1, 0x26fb1bfac0eba6fb},
    {"iq3_s", 21, 256, 110, -1, 0xda1e51e729b7d861},
    {"iq2_s", 22, 256, 82, -1, 0xdf93a309b80cdd64},
    {"iq1_m", 29, 256, 56, -1, 0x4e0922ccf00cde8e},
    {"iq4_xs", 23, 256, 136, -1, 0x3e32bb3b8c8d3eea},
    {"tq1_0", 34, 256, 54, -1, 0x05303e445795827e},
    {"tq2_0", 35, 256, 66, -1, 0x1b3f7e391484ea22},
    {"mxfp4", 39, 32, 17, -1, 0x8388ff3202794fbd},
    {"nvfp4", 40, 64, 36, -1, 0xa01c551be846841e},
};
_Static_assert(COUNT(rows) == QN__N_FORMATS, "a row for each format");

START_TEST(formats_are_found_by_name_and_by_number)
{
    const struct row *row = &rows[_i];
    const struct qn__format *f = qn__format_find(row->name);
    ck_assert_msg(f != NULL, "%s", row->name);
    ck_assert_str_eq(f->name, row->name);
    ck_assert_uint_eq(f->gguf_type, row->gguf_type);
    ck_assert_uint_eq(f->block_elems, row->elems);
    ck_assert_uint_eq(f->block_bytes, row->bytes);
    ck_assert_ptr_eq(qn__format_find_gguf(row->gguf_type), f);
    ck_assert_ptr_eq(qn__format_get(f->id), f);
    ck_assert_uint_eq(qn__format_bytes(f, 512), 512 / row->elems * row->bytes);
    ck_assert((f->pack == NULL) == (row->error < 0));
}
END_TEST

START_TEST(unknown_formats_are_not_found)
{
    ck_assert_ptr_null(qn__format_find("q4_9"));
    ck_assert_ptr_null(qn__format_find(""));
    ck_assert_ptr_null(qn__format_find_gguf(4)); /* q4_2, long gone */
    ck_assert_ptr_null(qn__format_find_gguf(UINT32_MAX));
}
END_TEST

START_TEST(blocks_unpack_to_the_known_values_at_any_address)
{
    const struct row *row = &rows[_i];
    const struct qn__format *f = qn__format_find(row->name);
    const uint64_t n = BLOCKS * row->elems, bytes = BLOCKS * row->bytes;
    unsigned char *blocks = malloc(BYTES_MAX + 1);
    float *out = malloc(n * sizeof *out), *moved = malloc(n * sizeof *moved);
    uint32_t state = 7;
    for (uint64_t i = 0; i < bytes; i++)
        blocks[i] = (unsigned char)((next(&state) >> 24) & (i % 2 ? 0xbb : 0xff));
    for (uint64_t i = 0; !strcmp(row->name, "mxfp4") && i < bytes; i += row->bytes)
        blocks[i] &= 0x7f; /* its largest exponents are infinite */
    f->unpack(out, blocks, n);
    for (uint64_t i = 0; i < n; i++)
        ck_assert_msg(isfinite(out[i]), "%s: element %llu", row->name, (unsigned long long)i);
    ck_assert_msg(fnv1a(out, n * sizeof *out) == row->hash, "%s: got 0x%016llx", row->name,
                  (unsigned long long)fnv1a(out, n * sizeof *out));
    memmove(blocks + 1, blocks, bytes);
    f->unpack(moved, blocks + 1, n);
    ck_assert_msg(memcmp(out, moved, n * sizeof *out) == 0, "%s", row->name);
    free(blocks);
    free(out);
    free(moved);
}
END_TEST

/* Values of very different sizes from block to block; one block is zero, one constant, one all
 * negative. */
static void make_values(float *in, uint64_t n, uint32_t elems)
{
    uint32_t state = 11;
    for (uint64_t i = 0; i < n; i++) {
        const uint64_t block = i / elems;
        const double x = (double)next(&state) / 4294967296.0 * 2 - 1;
        in[i] = (float)ldexp(x, (int)(block % 9) - 5);
        if (block == 3)
            in[i] = 0;
        else if (block == 5)
            in[i] = -0.75f;
        else if (block == 7)
            in[i] = -1 - fabsf(in[i]);
    }
}

START_TEST(packed_values_come_back_within_the_formats_error)
{
    const struct row *row = &rows[_i];
    const struct qn__format *f = qn__format_find(row->name);
    if (!f->pack)
        return;
    const uint64_t n = BLOCKS * 256;
    unsigned char *blocks = malloc(qn__format_bytes(f, n));
    float *in = malloc(n * sizeof *in), *out = malloc(n * sizeof *out);
    make_values(in, n, 256);
    f->pack(blocks, in, n);
    f->unpack(out, blocks, n);
    const uint32_t group = row->elems == 1 ? 1 : row->elems;
    for (uint64_t i = 0; i < n; i += group) {
        double largest = 0;
        for (uint64_t k = i; k < i + group; k++)
            largest = fmax(largest, fabs((double)in[k]));
        for (uint64_t k = i; k < i + group; k++)
            ck_assert_msg(fabs((double)out[k] - (double)in[k]) <= row->error * largest + 3e-8,
                          "%s: element %llu: %g became %g, off by %.4g of %g", row->name,
                          (unsigned long long)k, (double)in[k], (double)out[k],
                          fabs((double)out[k] - (double)in[k]) / largest, largest);
    }
    free(blocks);
    free(in);
    free(out);
}
END_TEST

/* Packing what was unpacked loses nothing more where the codes are used to their ends. */
START_TEST(packing_twice_changes_little)
{
    const struct row *row = &rows[_i];
    const struct qn__format *f = qn__format_find(row->name);
    if (!f->pack)
        return;
    const uint64_t n = BLOCKS * 256, bytes = qn__format_bytes(f, n);
    unsigned char *blocks = malloc(bytes);
    float *in = malloc(n * sizeof *in), *once = malloc(n * sizeof *in);
    float *twice = malloc(n * sizeof *in);
    make_values(in, n, 256);
    f->pack(blocks, in, n);
    f->unpack(once, blocks, n);
    f->pack(blocks, once, n);
    f->unpack(twice, blocks, n);
    double error = 0, size = 0;
    for (uint64_t i = 0; i < n; i++) {
        error += pow((double)twice[i] - (double)once[i], 2);
        size += pow((double)once[i], 2);
    }
    ck_assert_msg(error <= 1e-3 * size, "%s: %g", row->name, error / size);
    free(blocks);
    free(in);
    free(once);
    free(twice);
}
END_TEST

/* A K format's scale of 32 or 16 elements is f16 times a small integer, and so is its offset; in a
 * tile both are rounded to f16, by at most 2^-11 of themselves. The other formats' are f16 already.
 * The rest is f32's rounding of products and sums. */
START_TEST(tiles_mean_what_their_rows_mean)
{
    enum { N = 512, ROWS = QN__DOT_ROWS };
    const struct qn__format *f = qn__format_get((enum qn__format_id)_i);
    const struct qn__tiling *t = qn__tiling(f);
    uint32_t state = 7;
    if (!t)
        return;
    const uint64_t bytes = qn__dot_tile_bytes(t, N);
    float *in = malloc(sizeof *in * ROWS * N), *want = malloc(sizeof *in * ROWS * N),
          *got = malloc(sizeof *in * ROWS * N), *size = malloc(sizeof *in * ROWS * N);
    unsigned char *blocks = malloc(qn__format_bytes(f, ROWS * N)), *tile = malloc(bytes + 1);
    ck_assert(in && want && got && size && blocks && tile);
    for (int i = 0; i < ROWS * N; i++)
        in[i] = (float)(int)(next(&state) >> 8) / 8388608.0f - 0.7f;
    f->pack(blocks, in, ROWS * N);
    f->unpack(want, blocks, ROWS * N);
    tile[bytes] = 0x5a;
    qn__dot_tile_pack(tile, f, blocks, N);
    ck_assert_int_eq(tile[bytes], 0x5a);
    qn__dot_tile_unpack(got, size, f, tile, N);
    const float most = f->block_elems == 256 ? 0x1p-11f + 0x1p-21f : 0x1p-23f;
    for (int i = 0; i < ROWS * N; i++) {
        ck_assert_msg(size[i] > 0 && fabsf(got[i] - want[i]) <= most * size[i],
                      "%s: element %d is %g, not %g", f->name, i, (double)got[i], (double)want[i]);
    }
    void *all[] = {in, want, got, size, blocks, tile};
    for (size_t i = 0; i < COUNT(all); i++)
        free(all[i]);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("formats");
    TCase *t = tcase_create("formats");
    tcase_add_loop_test(t, formats_are_found_by_name_and_by_number, 0, COUNT(rows));
    tcase_add_test(t, unknown_formats_are_not_found);
    tcase_add_loop_test(t, blocks_unpack_to_the_known_values_at_any_address, 0, COUNT(rows));
    tcase_add_loop_test(t, packed_values_come_back_within_the_formats_error, 0, COUNT(rows));
    tcase_add_loop_test(t, packing_twice_changes_little, 0, COUNT(rows));
    tcase_add_loop_test(t, tiles_mean_what_their_rows_mean, 0, QN__N_FORMATS);
    suite_add_tcase(suite, t);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
