/* SPDX-License-Identifier: Apache-2.0
 *
 * Lines of instructions: the compact table, and rows out of what a compiler wrote.
 *
 * covers: base/line_table base/dwarf_lines */
#define _GNU_SOURCE
#include "base/dwarf_lines.h"
#include "base/file.h"

#include <check.h>
#include <dlfcn.h>
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const char *const files[] = {"a.cu", "sub/b.cuh"};
static const struct qn__line_row rows[] = {
    {0x1000, 0, 7}, {0x1004, 0, 7}, {0x1010, 1, 3},   {0x1011, 1, 300000},
    {0x1020, 0, 8}, {0x1030, 0, 0}, {0x200000, 1, 1}, {0x200001, 0, 0},
};
static const struct qn__line_rows all = {files, 2, rows, sizeof rows / sizeof *rows};

static const struct {
    uint64_t address;
    const char *file; /* NULL: not known */
    uint32_t line;
} wanted[] = {
    {0, NULL, 0},
    {0xfff, NULL, 0},
    {0x1000, "a.cu", 7},
    {0x100f, "a.cu", 7},
    {0x1010, files[1], 3},
    {0x1011, files[1], 300000},
    {0x101f, files[1], 300000},
    {0x1020, "a.cu", 8},
    {0x1030, NULL, 0},
    {0x1fffff, NULL, 0},
    {0x200000, files[1], 1},
    {0x200001, NULL, 0},
    {UINT64_MAX, NULL, 0},
};

START_TEST(an_address_has_the_line_of_the_row_before_it)
{
    struct qn__str out = {0};
    const char *file;
    uint32_t line;
    qn__str_add(&out, "what stands in front");
    qn__line_table_add(&out, &all);
    const bool found = qn__line_table_find(&file, &line, out.text, out.len, wanted[_i].address);
    ck_assert_int_eq(found, wanted[_i].file != NULL);
    if (found) {
        ck_assert_str_eq(file, wanted[_i].file);
        ck_assert_uint_eq(line, wanted[_i].line);
    }
    qn__str_release(&out);
}
END_TEST

/* Whatever was cut off or changed: some line or none, and no access outside. */
START_TEST(a_damaged_table_is_harmless)
{
    struct qn__str out = {0};
    const char *file;
    uint32_t line;
    qn__line_table_add(&out, &all);
    for (size_t cut = 0; cut < out.len; cut++)
        ck_assert(!qn__line_table_find(&file, &line, out.text, cut, 0x1000));
    for (size_t i = 0; i < out.len; i++)
        for (unsigned bit = 0; bit < 8; bit++) {
            unsigned char *const copy = malloc(out.len);
            memcpy(copy, out.text, out.len);
            copy[i] ^= (unsigned char)(1u << bit);
            for (size_t k = 0; k < sizeof wanted / sizeof *wanted; k++)
                if (qn__line_table_find(&file, &line, copy, out.len, wanted[k].address))
                    ck_assert_uint_lt(strlen(file), out.len);
            free(copy);
        }
    qn__str_release(&out);
}
END_TEST

static char *object(size_t *n, const char *options)
{
    char folder[] = "/tmp/quern-lines-XXXXXX", command[1024];
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(command, sizeof command,
             "cd %s && printf '%%s\\n' 'int own(int *p) { return *p; }' '#line 40 \"k.cu\"' "
             "'int k(int *p)' '{' 'p[1] = 2;' '#line 7 \"sub/b.cuh\"' 'return p[0] / p[3];' '}' "
             ">own.c && ${QUERN_CLANG:-clang-19} -O1 -fPIC -w -gz=none %s -c own.c && "
             "ld -shared -o k.so own.o",
             folder, options);
    ck_assert_msg(system(command) == 0, "%s", command);
    snprintf(command, sizeof command, "%s/k.so", folder);
    char *bytes;
    ck_assert_int_eq(qn__file_read(&bytes, n, command, 1 << 24), QN_OK);
    snprintf(command, sizeof command, "rm -r %s", folder);
    ck_assert_int_eq(system(command), 0);
    return bytes;
}

START_TEST(a_compilers_rows_are_read)
{
    struct qn__arena arena = {0};
    struct qn__line_rows r;
    size_t n, loaded;
    bool seen[3] = {0};
    char *bytes = object(&n, "-gdwarf-4 -gline-directives-only");
    ck_assert_msg(qn__line_rows_of_elf(&r, &loaded, &arena, bytes, n, "own.c") == QN_OK, "%s",
                  qn_message());
    ck_assert_uint_gt(loaded, sizeof(Elf64_Ehdr));
    ck_assert_uint_lt(loaded, n);
    for (size_t i = 0; i < r.n; i++) {
        const struct qn__line_row *row = &r.rows[i];
        ck_assert(i == 0 || row->address >= r.rows[i - 1].address);
        if (row->line == 0)
            continue;
        const bool in_head = strcmp(r.files[row->file], "sub/b.cuh") == 0;
        ck_assert_str_eq(r.files[row->file], in_head ? "sub/b.cuh" : "k.cu");
        seen[0] |= in_head && row->line == 7;
        seen[1] |= !in_head && row->line == 42;
        ck_assert_uint_ne(row->line, 1); /* the text itself */
    }
    ck_assert(seen[0] && seen[1]);
    qn__arena_release(&arena);
    free(bytes);
}
END_TEST

START_TEST(what_is_no_such_file_is_refused)
{
    struct qn__arena arena = {0};
    struct qn__line_rows r;
    size_t n, loaded;
    char *bytes = object(&n, "");
    ck_assert_int_eq(qn__line_rows_of_elf(&r, &loaded, &arena, bytes, n, "own.c"), QN_E_CORRUPT);
    ck_assert_ptr_nonnull(strstr(qn_message(), "there is none"));
    free(bytes);
    bytes = object(&n, "-g -gdwarf-5");
    ck_assert_int_eq(qn__line_rows_of_elf(&r, &loaded, &arena, bytes, n, "own.c"), QN_E_CORRUPT);
    ck_assert_ptr_nonnull(strstr(qn_message(), "not of version 4"));
    for (size_t cut = 0; cut < n; cut += 61)
        ck_assert_int_eq(qn__line_rows_of_elf(&r, &loaded, &arena, bytes, cut, "own.c"),
                         QN_E_CORRUPT);
    free(bytes);
    qn__arena_release(&arena);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("line table");
    TCase *t = tcase_create("lines");
    tcase_add_loop_test(t, an_address_has_the_line_of_the_row_before_it, 0,
                        sizeof wanted / sizeof *wanted);
    tcase_add_test(t, a_damaged_table_is_harmless);
    if (system("command -v ${QUERN_CLANG:-clang-19} >/dev/null && command -v ld >/dev/null") == 0) {
        tcase_add_test(t, a_compilers_rows_are_read);
        tcase_add_test(t, what_is_no_such_file_is_refused);
    } else {
        printf("skip: no clang-19 or no ld to make objects with\n");
    }
    suite_add_tcase(s, t);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_ENV);
    const int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed ? 1 : 0;
}
