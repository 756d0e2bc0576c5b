/* SPDX-License-Identifier: Apache-2.0
 *
 * The reader of AMD code objects' metadata: what clang writes is read right, what is damaged is
 * refused, and nothing crashes it (run it with config=asan). */
#include "runtime/hip/hip_metadata.h"

#include "base/wire.h"
#include "tests/runtime/hip_kernel.h"

#include <check.h>

/* -- notes made by hand -- */

enum { HEADER_BYTES = 64 + 56 };

/* An ELF file with one note that holds `note`; free() it. */
static unsigned char *make_object(size_t *n, const void *note, size_t note_n)
{
    const size_t segment = 12 + 8 + note_n;
    unsigned char *p = calloc(1, HEADER_BYTES + segment);
    ck_assert_ptr_nonnull(p);
    memcpy(p, "\177ELF\2\1\1", 7);
    p[18] = 224;             /* e_machine */
    qn__put_u64(p + 32, 64); /* e_phoff */
    p[54] = 56;              /* e_phentsize */
    p[56] = 1;               /* e_phnum */
    unsigned char *h = p + 64;
    qn__put_u32(h, 4); /* PT_NOTE */
    qn__put_u64(h + 8, HEADER_BYTES);
    qn__put_u64(h + 32, segment);
    unsigned char *s = p + HEADER_BYTES;
    qn__put_u32(s, 7);
    qn__put_u32(s + 4, (uint32_t)note_n);
    qn__put_u32(s + 8, 32); /* NT_AMDGPU_METADATA */
    memcpy(s + 12, "AMDGPU", 7);
    memcpy(s + 20, note, note_n);
    *n = HEADER_BYTES + segment;
    return p;
}

#define KERNELS                                                                                    \
    "\xae"                                                                                         \
    "amdhsa.kernels"
#define NAME                                                                                       \
    "\xa5"                                                                                         \
    ".name"
#define ARGS                                                                                       \
    "\xa5"                                                                                         \
    ".args"
#define SIZE                                                                                       \
    "\xa5"                                                                                         \
    ".size"
#define KIND                                                                                       \
    "\xab"                                                                                         \
    ".value_kind"

static const struct {
    const char *name;
    const char *note;
    size_t n;
    qn_status status;
    uint32_t n_kernels, n_args; /* arguments of the first kernel */
} notes[] = {
#define ROW(name, note, ...) {name, note, sizeof(note) - 1, __VA_ARGS__}
    ROW("an empty map has no kernels", "\x80", QN_OK, 0, 0),
    ROW("an empty note is damaged", "", QN_E_CORRUPT, 0, 0),
    ROW("a number instead of the map is damaged", "\x05", QN_E_CORRUPT, 0, 0),
    ROW("one kernel with a visible and a hidden argument",
        "\x81" KERNELS "\x91\x82" NAME "\xa1k" ARGS "\x92\x82" SIZE "\x08" KIND
        "\xadglobal_buffer\x82" SIZE "\x04" KIND "\xb4hidden_block_count_x",
        QN_OK, 1, 1),
    ROW("32-bit lengths are read",
        "\xdf\0\0\0\1\xdb\0\0\0\x0e"
        "amdhsa.kernels\xdd\0\0\0\1\xde\0\2\xd9\5.name\xda\0\1k" ARGS "\x91\x82" SIZE
        "\xcd\0\x08" KIND "\xadglobal_buffer",
        QN_OK, 1, 1),
    ROW("unknown values of every kind are passed over",
        "\x8a\xa1"
        "a\xc0\xa1"
        "b\xc3\xa1"
        "c\xca\0\0\0\0\xa1"
        "d\xcb\0\0\0\0\0\0\0\0\xa1"
        "e\xc4\2xy\xa1"
        "f\xc7\1\7z\xa1"
        "g\xd4\1z\xa1"
        "h\x92\x81\xa1x\x91\1\2\xa1"
        "i\xd3\0\0\0\0\0\0\0\1\xa1"
        "j\xe0",
        QN_OK, 0, 0),
    ROW("the reserved tag is damaged",
        "\x81\xa1"
        "a\xc1",
        QN_E_CORRUPT, 0, 0),
    ROW("a map that promises more than there is",
        "\xdf\xff\xff\xff\xff\xa1"
        "a\1",
        QN_E_CORRUPT, 0, 0),
    ROW("more kernels than the note could hold", "\x81" KERNELS "\xdd\xff\xff\xff\xff\x80\x80\x80",
        QN_E_CORRUPT, 0, 0),
    ROW("more arguments than the note could hold",
        "\x81" KERNELS "\x91\x82" NAME "\xa1k" ARGS
        "\xdc\xff\xff\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80",
        QN_E_CORRUPT, 0, 0),
    ROW("a text that leaves the note",
        "\x81\xdb\xff\xff\xff\xf0"
        "amdhsa",
        QN_E_CORRUPT, 0, 0),
    ROW("a limit of threads of more than 32 bits",
        "\x81" KERNELS "\x91\x82" NAME "\xa1k\xb8.max_flat_workgroup_size"
        "\xcf\0\0\0\1\0\0\4\0",
        QN_E_CORRUPT, 0, 0),
    ROW("the largest number of 32 bits",
        "\x81" KERNELS "\x91\x82" NAME "\xa1k\xb8.max_flat_workgroup_size"
        "\xce\xff\xff\xff\xff",
        QN_OK, 1, 0),
    ROW("an argument of a negative size",
        "\x81" KERNELS "\x91\x82" NAME "\xa1k" ARGS "\x91\x82" SIZE "\xff" KIND "\xa8"
        "by_value",
        QN_E_CORRUPT, 0, 0),
    ROW("kernels that are no list", "\x81" KERNELS "\x05", QN_E_CORRUPT, 0, 0),
    ROW("a name with a zero byte inside",
        "\x81" KERNELS "\x91\x81" NAME "\xa3"
        "a\0b"
        "xxxxxxxxxxxxxxxxxxxxxxxxx",
        QN_E_CORRUPT, 0, 0),
#undef ROW
};

START_TEST(note_made_by_hand)
{
    size_t n;
    struct qn__arena arena = {0};
    struct qn__hip_metadata m;
    unsigned char *object = make_object(&n, notes[_i].note, notes[_i].n);
    const qn_status s = qn__hip_metadata_read(&m, &arena, object, n);
    ck_assert_msg(s == notes[_i].status, "%s: %s %s", notes[_i].name, qn_status_name(s),
                  qn_message());
    ck_assert_msg(m.n_kernels == notes[_i].n_kernels, "%s: %u kernels", notes[_i].name,
                  m.n_kernels);
    if (m.n_kernels)
        ck_assert_msg(m.kernels[0].n_args == notes[_i].n_args, "%s: %u arguments", notes[_i].name,
                      m.kernels[0].n_args);
    qn__arena_release(&arena);
    free(object);
}
END_TEST

START_TEST(deep_nesting_does_not_use_the_stack)
{
    enum { DEPTH = 1 << 20 };
    unsigned char *note = malloc(DEPTH + 3);
    ck_assert_ptr_nonnull(note);
    memcpy(note, "\x81\xa1x", 3);
    memset(note + 3, 0x91, DEPTH);
    note[DEPTH + 2] = 0xc0;
    size_t n;
    struct qn__arena arena = {0};
    struct qn__hip_metadata m;
    unsigned char *object = make_object(&n, note, DEPTH + 3);
    ck_assert_int_eq(qn__hip_metadata_read(&m, &arena, object, n), QN_OK);
    qn__arena_release(&arena);
    free(object);
    free(note);
}
END_TEST

START_TEST(other_bytes_have_no_metadata)
{
    static const char ptx[] = "// .version 8.0, and enough bytes to be as long as an ELF header is";
    struct qn__arena arena = {0};
    struct qn__hip_metadata m;
    ck_assert_int_eq(qn__hip_metadata_read(&m, &arena, ptx, sizeof ptx), QN_E_NOT_FOUND);
    ck_assert_int_eq(qn__hip_metadata_read(&m, &arena, "", 0), QN_E_NOT_FOUND);
    ck_assert_ptr_null(qn__hip_metadata_find(&m, "saxpy"));
    qn__arena_release(&arena);
}
END_TEST

/* -- what clang writes -- */

static const struct {
    const char *arch, *target;
    uint32_t wave_width;
} archs[] = {
    {"gfx90a", "gfx90a", 64},
    {"gfx90a:sramecc+:xnack-", "gfx90a:sramecc+:xnack-", 64},
    {"gfx1100", "gfx1100", 32},
};
enum { N_ARCHS = sizeof archs / sizeof *archs };
static char *objects[N_ARCHS];
static size_t object_sizes[N_ARCHS];

static void check_arg(const qn_arg_info *a, const char *name, qn_arg_kind kind, uint32_t size)
{
    ck_assert_str_eq(a->name, name);
    ck_assert_msg(a->kind == kind, "%s: kind %d", name, (int)a->kind);
    ck_assert_msg(a->size_bytes == size, "%s: %u bytes", name, a->size_bytes);
}

START_TEST(code_object_tells_kernels_and_arguments)
{
    struct qn__arena arena = {0};
    struct qn__hip_metadata m;
    ck_assert_int_eq(qn__hip_metadata_read(&m, &arena, objects[_i], object_sizes[_i]), QN_OK);
    ck_assert_str_eq(m.target, archs[_i].target);
    ck_assert_uint_eq(m.n_kernels, 3);

    const struct qn__hip_kernel_metadata *k = qn__hip_metadata_find(&m, "saxpy");
    ck_assert_ptr_nonnull(k);
    ck_assert_uint_eq(k->n_args, 4);
    check_arg(&k->args[0], "x", QN_ARG_POINTER, 8);
    check_arg(&k->args[1], "y", QN_ARG_POINTER, 8);
    check_arg(&k->args[2], "a", QN_ARG_VALUE, 4);
    check_arg(&k->args[3], "n", QN_ARG_VALUE, 4);
    ck_assert_uint_eq(k->wave_width, archs[_i].wave_width);
    ck_assert_uint_eq(k->block_threads_max, 1024);
    ck_assert_uint_gt(k->registers, 0);

    k = qn__hip_metadata_find(&m, "shift"); /* a struct by value */
    ck_assert_ptr_nonnull(k);
    ck_assert_uint_eq(k->n_args, 2);
    ck_assert_uint_eq(k->args[1].size_bytes, 16);
    ck_assert_int_eq(k->args[1].kind, QN_ARG_VALUE);
    ck_assert_ptr_null(qn__hip_metadata_find(&m, "saxp"));
    qn__arena_release(&arena);
}
END_TEST

/* Exact-size copies, so that AddressSanitizer sees a read past the end. */
static void read_copy(const char *bytes, size_t n, size_t flipped)
{
    struct qn__arena arena = {0};
    struct qn__hip_metadata m;
    char *copy = malloc(n ? n : 1);
    ck_assert_ptr_nonnull(copy);
    memcpy(copy, bytes, n);
    if (flipped < n)
        copy[flipped] = (char)~copy[flipped];
    const qn_status s = qn__hip_metadata_read(&m, &arena, copy, n);
    ck_assert_msg(s == QN_OK || s == QN_E_CORRUPT || s == QN_E_NOT_FOUND, "%zu of %zu: %s", flipped,
                  n, qn_status_name(s));
    qn__arena_release(&arena);
    free(copy);
}

START_TEST(cut_off_code_object_is_refused_or_read)
{
    for (size_t n = 0; n < object_sizes[_i]; n++)
        read_copy(objects[_i], n, n);
}
END_TEST

START_TEST(damaged_code_object_is_refused_or_read)
{
    for (size_t i = 0; i < object_sizes[_i]; i++)
        read_copy(objects[_i], object_sizes[_i], i);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("hip metadata");
    TCase *tc = tcase_create("by hand");
    tcase_add_loop_test(tc, note_made_by_hand, 0, (int)(sizeof notes / sizeof *notes));
    tcase_add_test(tc, deep_nesting_does_not_use_the_stack);
    tcase_add_test(tc, other_bytes_have_no_metadata);
    suite_add_tcase(suite, tc);
    const char *why = NULL;
    for (int i = 0; i < N_ARCHS && !why; i++)
        why = hip_kernel_compile(&objects[i], &object_sizes[i], archs[i].arch);
    if (why) {
        printf("skip: metadata that clang writes: %s\n", why);
    } else {
        TCase *clang = tcase_create("by clang");
        tcase_set_timeout(clang, 60);
        tcase_add_loop_test(clang, code_object_tells_kernels_and_arguments, 0, N_ARCHS);
        tcase_add_loop_test(clang, cut_off_code_object_is_refused_or_read, 0, N_ARCHS);
        tcase_add_loop_test(clang, damaged_code_object_is_refused_or_read, 0, N_ARCHS);
        suite_add_tcase(suite, clang);
    }
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    for (int i = 0; i < N_ARCHS; i++)
        free(objects[i]);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
