/* SPDX-License-Identifier: Apache-2.0
 *
 * Images for CPUs: what is made for which target, by which programs, and what is said where one of
 * them is missing. No device is needed.
 *
 * covers: rtc/helper/job_cpu rtc/helper/cpu_compile */
#include "tests/rtc_fixture.h"

#include <elf.h>

static const qn_source source = {
    .text = "extern \"C\" __global__ void scale(float *p, float a, int n)\n"
            "{\n"
            "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
            "    if (i < n)\n"
            "        p[i] *= a;\n"
            "}\n"
            "__device__ int cell = 3;\n"
            "extern \"C\" __global__ void use(int *p) { *p = cell; }\n",
    .path = "scale.cu"};

static const struct {
    const char *target;
    int machine;
} targets[] = {
    {"cpu:x86-64-v3", EM_X86_64},
    {"cpu:x86-64-v4", EM_X86_64},
    {"cpu:x86-64-v4:avx512bf16+:avx512fp16+:avx512vbmi+:avx512vnni+:avxvnni+", EM_X86_64},
    {"cpu:aarch64", EM_AARCH64},
    {"cpu:aarch64:bf16+:dotprod+:fp16+:i8mm+:lse+", EM_AARCH64},
};

static bool is_made(const char *target)
{
    const char *const *list;
    uint32_t n;
    bool found = false;
    must(qn_compile_targets(&list, &n, "cpu"));
    for (uint32_t i = 0; i < n; i++)
        found |= strncmp(list[i], target, strlen(list[i])) == 0;
    free((void *)(uintptr_t)list);
    return found;
}

START_TEST(each_target_has_an_object_for_its_machine)
{
    qn_image *image;
    qn_log log;
    if (!is_made(targets[_i].target)) { /* GNU's linker knows one machine */
        must_not(QN_E_UNSUPPORTED, qn_compile(&image, &source, targets[_i].target, NULL, NULL));
        says(qn_message(), "does not know aarch64");
        return;
    }
    must(qn_compile(&image, &source, targets[_i].target, NULL, &log));
    const qn_image_info *info = qn_image_get_info(image);
    ck_assert_int_eq(info->kind, QN_IMAGE_SHARED_OBJECT);
    ck_assert_str_eq(info->target, targets[_i].target);
    const Elf64_Ehdr *head = info->bytes;
    ck_assert_int_eq(memcmp(head->e_ident, ELFMAG, SELFMAG), 0);
    ck_assert_int_eq(head->e_machine, targets[_i].machine);
    ck_assert_int_eq(log.origin, QN_ORIGIN_COMPILED);
    says(info->compiler, "+ ld");
    qn_image_release(image);
    qn_log_release(&log);
    must(qn_compile(&image, &source, targets[_i].target, NULL, &log)); /* no compiler runs again */
    ck_assert_int_ne(log.origin, QN_ORIGIN_COMPILED);
    qn_image_release(image);
    qn_log_release(&log);
}
END_TEST

START_TEST(native_has_the_key_of_what_it_is)
{
    qn_image *a, *b;
    qn_log log;
    must(qn_compile(&a, &source, "cpu:native", NULL, NULL));
    const char *target = qn_image_get_info(a)->target;
    ck_assert_msg(!strstr(target, "native") && strncmp(target, "cpu:", 4) == 0, "%s", target);
    must(qn_compile(&b, &source, target, NULL, &log));
    ck_assert_int_ne(log.origin, QN_ORIGIN_COMPILED);
    qn_log_release(&log);
    qn_image_release(a);
    qn_image_release(b);
}
END_TEST

START_TEST(the_same_source_gives_the_same_bytes)
{
    qn_image *a, *b;
    const qn_compile_options again = {.bypass_cache = true};
    must(qn_compile(&a, &source, "cpu:x86-64-v3", &again, NULL));
    must(qn_compile(&b, &source, "cpu:x86-64-v3", &again, NULL));
    const qn_image_info *x = qn_image_get_info(a), *y = qn_image_get_info(b);
    ck_assert_uint_eq(x->size_bytes, y->size_bytes);
    ck_assert_int_eq(memcmp(x->bytes, y->bytes, x->size_bytes), 0);
    qn_image_release(a);
    qn_image_release(b);
}
END_TEST

START_TEST(a_bare_object_is_an_image_where_its_target_is_named)
{
    qn_image *made, *bare;
    must(qn_compile(&made, &source, "cpu:x86-64-v3", NULL, NULL));
    const qn_image_info *info = qn_image_get_info(made);
    must(qn_image_load_bytes(&bare, info->bytes, info->size_bytes, "cpu:x86-64-v3"));
    ck_assert_int_eq(qn_image_get_info(bare)->kind, QN_IMAGE_SHARED_OBJECT);
    ck_assert_uint_eq(qn_image_get_info(bare)->size_bytes, info->size_bytes);
    qn_image_release(bare);
    ck_assert_int_ne(qn_image_load_bytes(&bare, info->bytes, info->size_bytes, NULL), QN_OK);
    qn_image_release(made);
}
END_TEST

START_TEST(a_mistake_in_the_source_is_told_with_its_line)
{
    qn_image *image;
    const qn_source wrong = {.text =
                                 "extern \"C\" __global__ void k(int *p)\n{\n    *p = nix;\n}\n",
                             .path = "wrong.cu"};
    must_not(QN_E_COMPILE, qn_compile(&image, &wrong, "cpu:x86-64-v3", NULL, NULL));
    says(qn_message(), "wrong.cu:3:");
    says(qn_message(), "nix");
}
END_TEST

/* The first of these programs that is here. */
static char *first_program(const char *const *names, size_t n)
{
    char *path = NULL;
    for (size_t i = 0; !path && i < n; i++)
        path = qn__find_program(names[i], NULL);
    ck_assert_ptr_nonnull(path);
    return path;
}

/* A folder with clang in it, and nothing else, is where programs are looked for. */
static void look_only_in_bin(void)
{
    static const char *const clangs[] = {"clang-19", "clang-20", "clang-18", "clang"};
    char *const clang = first_program(clangs, sizeof clangs / sizeof *clangs);
    must(qn__file_make_dirs(in_scratch("bin"), 0700));
    ck_assert_int_eq(symlink(clang, in_scratch("bin/clang")), 0);
    setenv("PATH", in_scratch("bin"), 1);
    free(clang);
}

START_TEST(a_linker_that_failed_once_is_asked_again)
{
    static const char *const linkers[] = {"ld.lld-19", "ld.lld-20", "ld.lld-18", "ld.lld", "ld"};
    qn_image *image;
    char script[2048], asked[512];
    char *const linker = first_program(linkers, sizeof linkers / sizeof *linkers);
    look_only_in_bin();
    snprintf(asked, sizeof asked, "%s", in_scratch("asked"));
    snprintf(script, sizeof script, "#!/bin/sh\n[ -e %s ] || { : >%s; exit 1; }\nexec %s \"$@\"\n",
             asked, asked, linker);
    must(qn__file_write_atomic(in_scratch("bin/ld"), script, strlen(script), 0700));
    must_not(QN_E_COMPILER, qn_compile(&image, &source, "cpu:x86-64-v3", NULL, NULL));
    says(qn_message(), "ended with code 1");
    must(qn_compile(&image, &source, "cpu:x86-64-v3", NULL, NULL));
    qn_image_release(image);
    free(linker);
}
END_TEST

START_TEST(without_a_linker_the_reason_is_named)
{
    qn_image *image;
    look_only_in_bin();
    must_not(QN_E_COMPILER, qn_compile(&image, &source, "cpu:x86-64-v3", NULL, NULL));
    says(qn_message(), "a linker is needed");
    setenv("PATH", "/nowhere", 1);
    must_not(QN_E_COMPILER, qn_compile(&image, &source, "cpu:x86-64-v3", NULL, NULL));
    says(qn_message(), "apt install clang-19");
}
END_TEST

START_TEST(what_no_processor_has_is_refused_before_anything_runs)
{
    qn_image *image;
    must_not(QN_E_INVALID, qn_compile(&image, &source, "cpu:x86-64-v3:avx512vnni+", NULL, NULL));
    says(qn_message(), "'avx512vnni+' is no feature of x86-64-v3");
    must_not(QN_E_INVALID, qn_compile(&image, &source, "cpu:riscv64", NULL, NULL));
    says(qn_message(), "there are x86-64-v3, x86-64-v4, aarch64, native");
}
END_TEST

int main(void)
{
    bool failed = false;
    if (!have_compiler("cpu", &failed))
        return failed;
    Suite *s = suite_create("rtc cpu");
    TCase *t = tcase_create("rtc cpu");
    tcase_set_timeout(t, 300);
    tcase_add_checked_fixture(t, scratch_open, scratch_close);
    tcase_add_loop_test(t, each_target_has_an_object_for_its_machine, 0,
                        sizeof targets / sizeof *targets);
    tcase_add_test(t, native_has_the_key_of_what_it_is);
    tcase_add_test(t, the_same_source_gives_the_same_bytes);
    tcase_add_test(t, a_bare_object_is_an_image_where_its_target_is_named);
    tcase_add_test(t, a_mistake_in_the_source_is_told_with_its_line);
    tcase_add_test(t, a_linker_that_failed_once_is_asked_again);
    tcase_add_test(t, without_a_linker_the_reason_is_named);
    tcase_add_test(t, what_no_processor_has_is_refused_before_anything_runs);
    suite_add_tcase(s, t);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_ENV);
    failed = srunner_ntests_failed(r) != 0;
    srunner_free(r);
    return failed;
}
