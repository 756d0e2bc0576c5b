/* SPDX-License-Identifier: Apache-2.0
 *
 * base/: messages, arena, strings, wire format, signatures, files.
 *
 * covers: base/arena base/dl base/environment base/error base/file base/hash base/name_expression
 * base/signature
 * base/str base/wire */
#include "base/arena.h"
#include "base/dl.h"
#include "base/environment.h"
#include "base/error.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/name_expression.h"
#include "base/signature.h"
#include "base/str.h"
#include "base/wire.h"

#include <check.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

START_TEST(a_failure_stores_its_message_and_code)
{
    ck_assert_int_eq(qn__fail_code(QN_E_DRIVER, 700, "launch of %s", "saxpy"), QN_E_DRIVER);
    ck_assert_str_eq(qn_message(), "launch of saxpy");
    ck_assert_int_eq(qn_message_code(), 700);
    ck_assert_int_eq(qn__fail_prefix(QN_E_DRIVER, "rmsnorm for %s", "sm_90"), QN_E_DRIVER);
    ck_assert_str_eq(qn_message(), "rmsnorm for sm_90: launch of saxpy");
    ck_assert_int_eq(qn_message_code(), 700);
}
END_TEST

START_TEST(a_message_is_one_line_and_is_cut_not_overrun)
{
    char text[4 * QN__MESSAGE_MAX];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = 0;
    text[10] = '\n';
    (void)qn__fail(QN_E_INVALID, "%s", text);
    ck_assert_uint_eq(strlen(qn_message()), QN__MESSAGE_MAX - 1);
    ck_assert_ptr_null(strchr(qn_message(), '\n'));
}
END_TEST

START_TEST(errno_is_part_of_the_message)
{
    errno = ENOENT;
    ck_assert_int_eq(qn__fail_errno("a.cu"), QN_E_IO);
    ck_assert_str_eq(qn_message(), "a.cu: No such file or directory");
    ck_assert_int_eq(qn_message_code(), ENOENT);
}
END_TEST

static void *fail_elsewhere(void *saved)
{
    (void)qn__fail(QN_E_COMPILE, "from the worker");
    qn__message_save(saved);
    return NULL;
}

START_TEST(messages_belong_to_their_thread_and_can_be_carried_over)
{
    struct qn__message saved;
    pthread_t t;
    (void)qn__fail(QN_E_INVALID, "mine");
    ck_assert_int_eq(pthread_create(&t, NULL, fail_elsewhere, &saved), 0);
    pthread_join(t, NULL);
    ck_assert_str_eq(qn_message(), "mine");
    qn__message_restore(&saved);
    ck_assert_str_eq(qn_message(), "from the worker");
}
END_TEST

START_TEST(every_status_has_a_name_and_a_text)
{
#define EXPECT(name, value, text)                                                                  \
    ck_assert_str_eq(qn_status_name(name), #name);                                                 \
    ck_assert_str_eq(qn_status_text(name), text);                                                  \
    ck_assert_int_eq(name, value);
    QN_STATUS_LIST(EXPECT)
    const int unknown = 9999;
    ck_assert_str_eq(qn_status_name((qn_status)unknown), "unknown status");
}
END_TEST

START_TEST(arena_pieces_are_zeroed_aligned_and_survive_growth)
{
    struct qn__arena a = {0};
    unsigned char *pieces[500];
    for (size_t i = 0; i < 500; i++) {
        pieces[i] = qn__arena_alloc(&a, i + 1, 3);
        ck_assert_ptr_nonnull(pieces[i]);
        ck_assert_uint_eq((uintptr_t)pieces[i] % 16, 0);
        for (size_t k = 0; k < (i + 1) * 3; k++)
            ck_assert_uint_eq(pieces[i][k], 0);
        memset(pieces[i], (int)(i & 255), (i + 1) * 3);
    }
    for (size_t i = 0; i < 500; i++)
        for (size_t k = 0; k < (i + 1) * 3; k++)
            ck_assert_uint_eq(pieces[i][k], i & 255);
    qn__arena_release(&a);
    ck_assert_ptr_null(a.current);
}
END_TEST

START_TEST(arena_refuses_sizes_that_overflow)
{
    struct qn__arena a = {0};
    ck_assert_ptr_null(qn__arena_alloc(&a, SIZE_MAX / 2, 4));
    ck_assert_ptr_null(qn__arena_alloc(&a, SIZE_MAX, SIZE_MAX));
    ck_assert(a.failed);
    ck_assert_ptr_null(qn__alloc(SIZE_MAX / 2, 4));
    qn__arena_release(&a);
}
END_TEST

START_TEST(arena_rewind_gives_back_what_came_after_the_mark)
{
    struct qn__arena a = {0};
    char *kept = qn__arena_strdup(&a, "kept");
    const struct qn__arena_mark mark = qn__arena_mark(&a);
    for (int i = 0; i < 100; i++)
        ck_assert_ptr_nonnull(qn__arena_alloc(&a, 1, 10000));
    qn__arena_rewind(&a, mark);
    ck_assert_str_eq(kept, "kept");
    ck_assert_str_eq(qn__arena_printf(&a, "%s-%d", kept, 7), "kept-7");
    qn__arena_release(&a);
}
END_TEST

START_TEST(strings_grow_and_report_memory_failure_once_at_the_end)
{
    struct qn__str s = {0};
    for (int i = 0; i < 1000; i++)
        qn__str_printf(&s, "%d,", i);
    ck_assert_int_eq(qn__str_check(&s), QN_OK);
    ck_assert(qn__starts_with(s.text, "0,1,2,"));
    ck_assert(qn__ends_with(s.text, ",998,999,"));
    qn__str_add_repeat(&s, ' ', SIZE_MAX / 2);
    ck_assert_int_eq(qn__str_check(&s), QN_E_MEMORY);
    ck_assert_ptr_null(qn__str_take(&s));
    char *empty = qn__str_take(&s);
    ck_assert_str_eq(empty, "");
    free(empty);
}
END_TEST

START_TEST(text_of_others_is_shown_without_what_a_terminal_obeys)
{
    static const char evil[] = "a\x1b[2J\x07\xc2\x9b"
                               "31m\tb\n\x7f\xc3\xa4";
    struct qn__str s = {0};
    qn__str_add_plain(&s, evil, sizeof evil - 1);
    ck_assert_str_eq(s.text, "a\\x1b[2J\\x07\\x9b"
                             "31m\tb\n\\x7f\xc3\xa4");
    qn__str_release(&s);
    (void)qn__fail(QN_E_IO, "bundle \x1b]0;x\x07");
    ck_assert_str_eq(qn_message(), "bundle ?]0;x?");
}
END_TEST

static const struct {
    const char *url, *shown;
} urls[] = {
    {"http://host:8080/cache", "http://host:8080/cache"},
    {"https://user:secret@host/cache", "https://host/cache"},
    {"https://user:se@cr/et@host/cache", "https://host/cache"},
    {"https://host/cache?token=secret", "https://host/cache"},
    {"user:secret@host", "host"},
};

START_TEST(a_url_is_shown_without_its_secrets)
{
    struct qn__str s = {0};
    qn__str_add_url(&s, urls[_i].url);
    ck_assert_str_eq(s.text, urls[_i].shown);
    qn__str_release(&s);
}
END_TEST

/* What a privileged one does: tests/cli/check_privileged.sh. */
START_TEST(an_ordinary_program_believes_its_variables)
{
    ck_assert(!qn__is_privileged());
    setenv("QUERN_TEST", "value", 1);
    ck_assert_str_eq(qn__getenv("QUERN_TEST"), "value");
    setenv("QUERN_TEST", "", 1);
    ck_assert_str_eq(qn__getenv("QUERN_TEST"), "");
    unsetenv("QUERN_TEST");
    ck_assert_ptr_null(qn__getenv("QUERN_TEST"));
    setenv("PATH", "/somewhere", 1);
    ck_assert_str_eq(qn__program_path(), "/somewhere");
}
END_TEST

START_TEST(wire_fields_come_back_as_they_were_written)
{
    struct qn__str w = {0};
    qn__wire_text(&w, 1, "saxpy");
    const size_t at = qn__wire_begin(&w, 2);
    qn__wire_u64(&w, 3, UINT64_C(0x1122334455667788));
    qn__wire_u32(&w, 4, 90);
    qn__wire_end(&w, at);
    qn__wire_bytes(&w, 5, "", 0);

    struct qn__wire_reader r = qn__wire_reader(w.text, w.len);
    struct qn__wire_field f;
    ck_assert(qn__wire_next(&r, &f));
    ck_assert_uint_eq(f.tag, 1);
    ck_assert_mem_eq(f.bytes, "saxpy", 5);
    ck_assert(qn__wire_next(&r, &f));
    struct qn__wire_reader inner = qn__wire_record(f);
    uint64_t u64;
    uint32_t u32;
    ck_assert(qn__wire_next(&inner, &f) && qn__wire_get_u64(f, &u64));
    ck_assert_uint_eq(u64, UINT64_C(0x1122334455667788));
    ck_assert(qn__wire_next(&inner, &f) && qn__wire_get_u32(f, &u32));
    ck_assert_uint_eq(u32, 90);
    ck_assert(!qn__wire_get_u64(f, &u64));
    ck_assert(!qn__wire_next(&inner, &f) && !inner.failed);
    ck_assert(qn__wire_next(&r, &f));
    ck_assert_uint_eq(f.n, 0);
    ck_assert(!qn__wire_next(&r, &f) && !r.failed);
    qn__str_release(&w);
}
END_TEST

START_TEST(a_wire_reader_fails_for_good_on_any_truncation)
{
    struct qn__str w = {0};
    qn__wire_text(&w, 1, "abc");
    qn__wire_u32(&w, 2, 7);
    for (size_t n = 1; n < w.len; n++) {
        struct qn__wire_reader r = qn__wire_reader(w.text, n);
        struct qn__wire_field f;
        int fields = 0;
        while (qn__wire_next(&r, &f))
            fields++;
        if (n == 11) { /* exactly the first field */
            ck_assert(!r.failed && fields == 1);
            continue;
        }
        ck_assert_msg(r.failed, "%zu of %zu bytes were taken as whole", n, w.len);
        ck_assert(!qn__wire_next(&r, &f));
    }
    qn__str_release(&w);
}
END_TEST

static const qn_arg_info sample_args[] = {
    {"y", "float *", QN_ARG_POINTER, 8, 8, false},
    {"p", "struct params", QN_ARG_VALUE, 24, 8, true},
};
static const struct qn__hidden sample_hidden[] = {{QN__HIDDEN_SHARED, 0}, {QN__HIDDEN_GLOBAL, 0}};
static const struct qn__kernel sample_kernel = {
    .info = {.name = "saxpy_float",
             .expression = "saxpy<float>",
             .symbol = "_Z5saxpyIfEvPf6params",
             .args_known = true,
             .n_args = 2,
             .args = sample_args,
             .static_shared_bytes = 4096,
             .block_threads_max = 256},
    .n_hidden = 2,
    .hidden = sample_hidden,
    .has_indirect_pointers = true,
    .block_required = {8, 4, 1},
};
static const float sample_init[2] = {1.5f, -2.0f};
static const struct qn__address sample_address = {0, 0, 4};
static const struct qn__global sample_global = {"ns::scale", "scale",     8, 4,
                                                true,        sample_init, 1, &sample_address};
static const char *const sample_needs[] = {"cl_khr_fp64"};
static const struct qn__reflection sample = {
    1, &sample_kernel, 1, &sample_global, 1, sample_needs, "-cl-std=CL1.2"};

START_TEST(signatures_survive_the_wire)
{
    struct qn__str w = {0};
    struct qn__arena a = {0};
    struct qn__reflection r;
    qn__reflection_encode(&w, &sample);
    ck_assert_int_eq(qn__reflection_decode(&r, &a, w.text, w.len), QN_OK);
    ck_assert_uint_eq(r.n_kernels, 1);
    const struct qn__kernel *k = &r.kernels[0];
    ck_assert_str_eq(k->info.expression, "saxpy<float>");
    ck_assert_str_eq(k->info.symbol, "_Z5saxpyIfEvPf6params");
    ck_assert(k->info.args_known && k->has_indirect_pointers && !k->has_barrier);
    ck_assert_uint_eq(k->info.n_args, 2);
    ck_assert_str_eq(k->info.args[1].type, "struct params");
    ck_assert_uint_eq(k->info.args[1].size_bytes, 24);
    ck_assert(!k->info.args[0].in_buffer && k->info.args[1].in_buffer);
    ck_assert_uint_eq(k->n_hidden, 2);
    ck_assert_int_eq(k->hidden[1].kind, QN__HIDDEN_GLOBAL);
    ck_assert_uint_eq(k->block_required[1], 4);
    ck_assert_uint_eq(k->info.static_shared_bytes, 4096);
    ck_assert_mem_eq(r.globals[0].init, sample_init, sizeof sample_init);
    ck_assert_uint_eq(r.globals[0].n_addresses, 1);
    ck_assert_uint_eq(r.globals[0].addresses[0].addend, 4);
    ck_assert_str_eq(r.needs[0], "cl_khr_fp64");
    ck_assert_str_eq(r.build_options, "-cl-std=CL1.2");
    qn__arena_release(&a);
    qn__str_release(&w);
}
END_TEST

START_TEST(an_address_outside_its_variable_is_damage)
{
    const struct qn__address wrong[] = {{1, 0, 0}, {UINT64_MAX, 0, 0}, {0, 1, 0}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct qn__global g = sample_global;
        struct qn__reflection of = sample, r;
        struct qn__arena a = {0};
        struct qn__str w = {0};
        g.addresses = &wrong[i];
        of.globals = &g;
        qn__reflection_encode(&w, &of);
        ck_assert_int_eq(qn__reflection_decode(&r, &a, w.text, w.len), QN_E_CORRUPT);
        qn__arena_release(&a);
        qn__str_release(&w);
    }
}
END_TEST

START_TEST(damaged_signatures_never_crash_and_truncated_ones_never_pass)
{
    struct qn__str w = {0};
    qn__reflection_encode(&w, &sample);
    for (size_t i = 0; i < w.len; i++) {
        struct qn__arena a = {0};
        struct qn__reflection r;
        char *copy = malloc(w.len);
        memcpy(copy, w.text, w.len);
        copy[i] = (char)(copy[i] ^ 0xff);
        (void)qn__reflection_decode(&r, &a, copy, w.len); /* any answer, no crash */
        free(copy);
        qn__arena_release(&a);
    }
    struct qn__arena a = {0};
    struct qn__reflection r;
    ck_assert_int_eq(qn__reflection_decode(&r, &a, w.text, w.len - 1), QN_E_CORRUPT);
    ck_assert_int_eq(qn__reflection_decode(&r, &a, w.text, 5), QN_E_CORRUPT);
    qn__arena_release(&a);
    qn__str_release(&w);
}
END_TEST

START_TEST(an_atomic_write_replaces_a_file_only_and_leaves_no_temporary)
{
    char *dir, *bytes;
    size_t n;
    ck_assert_int_eq(qn__temp_dir_create(&dir), QN_OK);
    char *path = qn__path_join(dir, "entry");
    ck_assert_int_eq(qn__file_write_atomic(path, "one", 3, 0600), QN_OK);
    ck_assert_int_eq(qn__file_write_atomic(path, "second", 6, 0600), QN_OK);
    ck_assert_int_eq(qn__file_read(&bytes, &n, path, 100), QN_OK);
    ck_assert_uint_eq(n, 6);
    ck_assert_str_eq(bytes, "second");
    free(bytes);
    ck_assert_int_eq(qn__file_read(&bytes, &n, path, 5), QN_E_LIMIT);
    ck_assert_int_eq(qn__file_read(&bytes, &n, dir, 5), QN_E_IO);
    unlink(path);
    ck_assert_int_eq(mkfifo(path, 0600), 0);
    ck_assert_int_eq(qn__file_write_atomic(path, "x", 1, 0600), QN_E_IO);
    ck_assert_msg(strstr(qn_message(), "not a regular file") != NULL, "%s", qn_message());
    ck_assert_int_eq(unlink(path), 0); /* it was not replaced */
    ck_assert_int_eq(rmdir(dir), 0);   /* empty: nothing else was left in it */
    ck_assert_int_eq(qn__file_write_atomic(path, "x", 1, 0600), QN_E_IO);
    free(path);
    free(dir);
}
END_TEST

static const struct path_case {
    const char *name, *a, *b, *joined, *dir_of_joined;
} path_cases[] = {
    {"plain", "a", "b", "a/b", "a"},
    {"slash kept single", "a/", "b", "a/b", "a"},
    {"absolute wins", "a", "/b", "/b", "/"},
    {"nested", "/x/y", "z/w", "/x/y/z/w", "/x/y/z"},
};

START_TEST(paths_join_and_split)
{
    const struct path_case *c = &path_cases[_i];
    char *joined = qn__path_join(c->a, c->b), *dir = qn__path_dir(joined);
    ck_assert_msg(qn__equal(joined, c->joined), "%s: %s", c->name, joined);
    ck_assert_msg(qn__equal(dir, c->dir_of_joined), "%s: %s", c->name, dir);
    free(joined);
    free(dir);
}
END_TEST

START_TEST(the_hash_is_blake2b_256)
{
    /* BLAKE2b-256 of "abc", from RFC 7693's algorithm with a 32-byte digest */
    unsigned char h[QN__HASH_BYTES], again[QN__HASH_BYTES];
    char hex[QN__HASH_HEX];
    qn__hash_of(h, "abc", 3);
    qn__hash_to_hex(hex, h);
    ck_assert_str_eq(hex, "bddd813c634239723171ef3fee98579b94964e3bb1cb3e427262c8c068d52319");
    struct qn__hash state;
    qn__hash_init(&state);
    qn__hash_add(&state, "a", 1);
    qn__hash_add(&state, "bc", 2);
    qn__hash_finish(&state, again);
    ck_assert_mem_eq(h, again, sizeof h);
}
END_TEST

/* -- a library once a process -- */

static int n_loads;

static qn_status load_nothing(void)
{
    n_loads++;
    return qn__fail_code(QN_E_NO_DEVICE, 3, "no such driver");
}

static qn_status load_well(void)
{
    n_loads++;
    return QN_OK;
}

START_TEST(a_library_is_loaded_once_and_every_caller_hears_what_came_of_it)
{
    struct qn__dl_once missing = {.lock = PTHREAD_MUTEX_INITIALIZER};
    struct qn__dl_once present = {.lock = PTHREAD_MUTEX_INITIALIZER};
    for (int i = 0; i < 3; i++) {
        ck_assert_int_eq(qn__dl_load_once(&missing, load_nothing), QN_E_NO_DEVICE);
        ck_assert_str_eq(qn_message(), "no such driver");
        ck_assert_int_eq(qn_message_code(), 3);
        (void)qn__fail(QN_E_IO, "another failure in between");
        ck_assert_int_eq(n_loads, 1);
    }
    for (int i = 0; i < 3; i++)
        ck_assert_int_eq(qn__dl_load_once(&present, load_well), QN_OK);
    ck_assert_int_eq(n_loads, 2);
}
END_TEST

static const struct {
    const char *text, *before, *name, *plain;
} expressions[] = {
    {"scale", "&", "scale", "scale"},
    {" & ns::scale<float, 4> ", "&", "ns::scale<float, 4> ", "scale"},
    {"f<sizeof(int)>", "&", "f<sizeof(int)>", "f"},
    {"bump(int *)", "(void (*)(int *))", "bump", "bump"},
    {"&ns::bump<float>( float *, int (*)[2] )", "(void (*)( float *, int (*)[2] ))",
     "ns::bump<float>", "bump"},
    {"f<(2 > 1)>()", "(void (*)())", "f<(2 > 1)>", "f"},
    {"(void (*)(int *))ns::bump", "", "(void (*)(int *))ns::bump", "bump"},
    {"(void (*)(int *)) & bump<int>", "", "(void (*)(int *)) & bump<int>", "bump"},
    {"static_cast<void (*)(int *)>(bump)", "", "static_cast<void (*)(int *)>(bump)", "bump"},
    {"static_cast<void (*)()>(&ns::bump<1>)", "", "static_cast<void (*)()>(&ns::bump<1>)", "bump"},
    {")", "&", ")", NULL},
    {"", "&", "", NULL},
};

START_TEST(a_name_expression_picks_one_of_several_functions)
{
    struct qn__arena arena = {0};
    struct qn__name_expression e;
    ck_assert_int_eq(qn__name_expression_read(&e, &arena, expressions[_i].text), QN_OK);
    ck_assert_str_eq(e.before, expressions[_i].before);
    ck_assert_str_eq(e.name, expressions[_i].name);
    if (expressions[_i].plain)
        ck_assert(qn__name_expression_is_plain(expressions[_i].plain, expressions[_i].text));
    ck_assert(!qn__name_expression_is_plain("ump", expressions[_i].text));
    ck_assert(!qn__name_expression_is_plain("int", expressions[_i].text));
    qn__arena_release(&arena);
}
END_TEST

static const struct {
    const char *text, *want;
} spellings[] = {
    {"reduce<int, 128>", "reduce<int,128>"},
    {"  & reduce < int ,\t128 >  ", "reduce<int,128>"},
    {"f<unsigned  int, const char *>", "f<unsigned int,const char*>"},
    {"f<vec<int> >", "f<vec<int>>"},
    {"f<1 - -1, a & &b>", "f<1- -1,a& &b>"},
    {"f<' ', \" \\\" \" >", "f<' ',\" \\\" \">"},
    {"static_cast<void (*)(int *)>( &g )", "static_cast<void(*)(int*)>(&g)"},
    {"\xc3\xa4 \xc3\xb6", "\xc3\xa4 \xc3\xb6"},
    {"'", "'"},
    {" & ", ""},
    {"", ""},
};

START_TEST(name_expressions_that_differ_in_blanks_have_one_spelling)
{
    struct qn__str out = {0}, again = {0};
    qn__name_expression_print(&out, spellings[_i].text);
    ck_assert_str_eq(out.text ? out.text : "", spellings[_i].want);
    qn__name_expression_print(&again, spellings[_i].want);
    ck_assert_str_eq(again.text ? again.text : "", spellings[_i].want);
    qn__str_release(&out);
    qn__str_release(&again);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("base");
    TCase *t = tcase_create("base");
    tcase_add_test(t, a_failure_stores_its_message_and_code);
    tcase_add_test(t, a_message_is_one_line_and_is_cut_not_overrun);
    tcase_add_test(t, errno_is_part_of_the_message);
    tcase_add_test(t, messages_belong_to_their_thread_and_can_be_carried_over);
    tcase_add_test(t, every_status_has_a_name_and_a_text);
    tcase_add_test(t, arena_pieces_are_zeroed_aligned_and_survive_growth);
    tcase_add_test(t, arena_refuses_sizes_that_overflow);
    tcase_add_test(t, arena_rewind_gives_back_what_came_after_the_mark);
    tcase_add_test(t, strings_grow_and_report_memory_failure_once_at_the_end);
    tcase_add_test(t, wire_fields_come_back_as_they_were_written);
    tcase_add_test(t, a_wire_reader_fails_for_good_on_any_truncation);
    tcase_add_test(t, signatures_survive_the_wire);
    tcase_add_test(t, an_address_outside_its_variable_is_damage);
    tcase_add_test(t, damaged_signatures_never_crash_and_truncated_ones_never_pass);
    tcase_add_test(t, an_ordinary_program_believes_its_variables);
    tcase_add_test(t, text_of_others_is_shown_without_what_a_terminal_obeys);
    tcase_add_loop_test(t, a_url_is_shown_without_its_secrets, 0, sizeof urls / sizeof urls[0]);
    tcase_add_test(t, an_atomic_write_replaces_a_file_only_and_leaves_no_temporary);
    tcase_add_loop_test(t, paths_join_and_split, 0, sizeof path_cases / sizeof *path_cases);
    tcase_add_test(t, the_hash_is_blake2b_256);
    tcase_add_loop_test(t, a_name_expression_picks_one_of_several_functions, 0,
                        sizeof expressions / sizeof *expressions);
    tcase_add_loop_test(t, name_expressions_that_differ_in_blanks_have_one_spelling, 0,
                        sizeof spellings / sizeof spellings[0]);
    tcase_add_test(t, a_library_is_loaded_once_and_every_caller_hears_what_came_of_it);
    suite_add_tcase(s, t);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_ENV);
    const int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed != 0;
}
