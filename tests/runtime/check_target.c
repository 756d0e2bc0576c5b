/* SPDX-License-Identifier: Apache-2.0
 *
 * Target strings and the rules for "may this image run there". */
#include "base/profiles.h"
#include "runtime/target.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name, *text, *canonical;
} good[] = {
    {"a cubin", "cuda:sm_90", "cuda:sm_90"},
    {"an architecture's own features", "cuda:sm_90a", "cuda:sm_90a"},
    {"a family's features", "cuda:sm_100f", "cuda:sm_100f"},
    {"PTX", "cuda:compute_80", "cuda:compute_80"},
    {"PTX with features", "cuda:compute_121a", "cuda:compute_121a"},
    {"a plain AMD target", "hip:gfx90a", "hip:gfx90a"},
    {"features in LLVM's order", "hip:gfx90a:sramecc+:xnack-", "hip:gfx90a:sramecc+:xnack-"},
    {"features sorted", "hip:gfx90a:xnack-:sramecc+", "hip:gfx90a:sramecc+:xnack-"},
    {"one feature", "hip:gfx906:xnack+", "hip:gfx906:xnack+"},
    {"a letter inside the number", "hip:gfx90c", "hip:gfx90c"},
    {"four digits", "hip:gfx1201", "hip:gfx1201"},
    {"an architecture newer than the table", "hip:gfx1310:xnack+", "hip:gfx1310:xnack+"},
    {"a family", "hip:gfx11-generic", "hip:gfx11-generic"},
    {"a family with two numbers", "hip:gfx9-4-generic:sramecc+", "hip:gfx9-4-generic:sramecc+"},
    {"HIP on NVIDIA", "hip:sm_90", "hip:sm_90"},
    {"the portable profile", "opencl:portable", "opencl:portable"},
    {"another profile", "opencl:pocl3", "opencl:pocl3"},
    {"a profile with what differs", "opencl:portable:fp64-:fp16+", "opencl:portable:fp64-:fp16+"},
    {"a fingerprint", "opencl:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
     "opencl:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"},
    {"a CPU", "cpu:x86-64-v3", "cpu:x86-64-v3"},
    {"features of a CPU sorted", "cpu:x86-64-v4:avxvnni+:avx512vnni+",
     "cpu:x86-64-v4:avx512vnni+:avxvnni+"},
    {"another CPU", "cpu:aarch64:dotprod+", "cpu:aarch64:dotprod+"},
};

START_TEST(a_good_target_is_read_and_printed_canonically)
{
    struct qn__target t, again;
    char text[128];
    ck_assert_msg(qn__target_parse(&t, good[_i].text) == QN_OK, "%s: %s", good[_i].name,
                  qn_message());
    qn__target_print(text, sizeof text, &t);
    ck_assert_msg(!strcmp(text, good[_i].canonical), "%s: got %s", good[_i].name, text);
    ck_assert_msg(qn__target_parse(&again, text) == QN_OK && !memcmp(&t, &again, sizeof t),
                  "%s: canonical form reads back differently", good[_i].name);
    ck_assert_msg(qn__target_accepts(&t, &again) == QN_OK || t.is_ptx || t.is_generic,
                  "%s: a device does not take its own images: %s", good[_i].name, qn_message());
}
END_TEST

static const struct {
    const char *name, *text;
} bad[] = {
    {"empty", ""},
    {"no backend", "sm_90"},
    {"a backend alone", "cuda:"},
    {"an unknown backend", "metal:apple7"},
    {"upper case", "CUDA:sm_90"},
    {"no number", "cuda:sm_"},
    {"one digit", "cuda:sm_9"},
    {"four digits", "cuda:sm_1000"},
    {"a leading zero", "cuda:sm_090"},
    {"an unknown suffix", "cuda:sm_90b"},
    {"two suffixes", "cuda:sm_90af"},
    {"a dot", "cuda:sm_9.0"},
    {"a blank behind", "cuda:sm_90 "},
    {"a gfx target under cuda", "cuda:gfx90a"},
    {"PTX under hip", "hip:compute_80"},
    {"no gfx number", "hip:gfx"},
    {"a short gfx number", "hip:gfx9"},
    {"a capital in the number", "hip:gfx90A"},
    {"a number alone", "hip:90a"},
    {"an unknown feature", "hip:gfx90a:wave64+"},
    {"a feature without a sign", "hip:gfx90a:xnack"},
    {"a feature twice", "hip:gfx90a:xnack+:xnack+"},
    {"a feature both ways", "hip:gfx90a:xnack+:xnack-"},
    {"an empty feature", "hip:gfx90a:"},
    {"rubbish behind a feature", "hip:gfx90a:xnack+x"},
    {"a feature the target lacks", "hip:gfx1030:xnack+"},
    {"a feature another target of the family has", "hip:gfx900:sramecc+"},
    {"a family without a number", "hip:gfx-generic"},
    {"a family in the wrong spelling", "hip:generic-gfx11"},
    {"an empty profile", "opencl:"},
    {"a profile with a blank", "opencl:my profile"},
    {"a name that never ends",
     "opencl:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
     "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"},
    {"a gfx name that never ends",
     "hip:gfx1111111111111111111111111111111111111111111111111111111111111111111111111111111111"},
    {"no CPU", "cpu:"},
    {"a CPU that is too old", "cpu:x86-64-v2"},
    {"a feature that needs a higher level", "cpu:x86-64-v3:avx512vnni+"},
    {"a feature of another machine", "cpu:aarch64:avxvnni+"},
    {"a feature of a CPU that is off", "cpu:x86-64-v3:avxvnni-"},
    {"a feature of a CPU twice", "cpu:x86-64-v3:avxvnni+:avxvnni+"},
    {"a feature of a CPU cut short", "cpu:x86-64-v3:avxvnni"},
    {"a colon behind a CPU", "cpu:x86-64-v3:"},
    {"native with a feature", "cpu:native:avxvnni+"},
};

START_TEST(a_bad_target_is_refused_with_a_message_that_shows_it)
{
    struct qn__target t, zero;
    memset(&zero, 0, sizeof zero);
    ck_assert_msg(qn__target_parse(&t, bad[_i].text) == QN_E_INVALID, "%s", bad[_i].name);
    ck_assert_msg(strstr(qn_message(), "target '") != NULL, "%s: %s", bad[_i].name, qn_message());
    ck_assert_msg(t.backend == zero.backend && !t.arch[0], "%s: something was kept", bad[_i].name);
}
END_TEST

/* Every pair of a device and an image; the last column is the answer. */
static const struct {
    const char *device, *image;
    bool runs;
} pairs[] = {
    /* cubins: same major, same or later minor */
    {"cuda:sm_80", "cuda:sm_80", true},
    {"cuda:sm_86", "cuda:sm_80", true},
    {"cuda:sm_89", "cuda:sm_80", true},
    {"cuda:sm_80", "cuda:sm_86", false},
    {"cuda:sm_90", "cuda:sm_80", false},
    {"cuda:sm_80", "cuda:sm_90", false},
    {"cuda:sm_75", "cuda:sm_70", true},
    /* the Blackwell families are different majors */
    {"cuda:sm_103", "cuda:sm_100", true},
    {"cuda:sm_100", "cuda:sm_103", false},
    {"cuda:sm_120", "cuda:sm_100", false},
    {"cuda:sm_121", "cuda:sm_120", true},
    {"cuda:sm_100", "cuda:sm_120", false},
    /* embedded parts keep to themselves */
    {"cuda:sm_87", "cuda:sm_87", true},
    {"cuda:sm_87", "cuda:sm_86", false},
    {"cuda:sm_87", "cuda:sm_80", false},
    {"cuda:sm_89", "cuda:sm_87", false},
    {"cuda:sm_72", "cuda:sm_70", false},
    {"cuda:sm_62", "cuda:sm_61", false},
    {"cuda:sm_103", "cuda:sm_101", false},
    {"cuda:sm_101", "cuda:sm_100", false},
    {"cuda:sm_87", "cuda:compute_80", true},
    /* 'a': that architecture alone, PTX as well */
    {"cuda:sm_90", "cuda:sm_90a", true},
    {"cuda:sm_100", "cuda:sm_90a", false},
    {"cuda:sm_103", "cuda:sm_100a", false},
    {"cuda:sm_121", "cuda:sm_120a", false},
    {"cuda:sm_90", "cuda:compute_90a", true},
    {"cuda:sm_100", "cuda:compute_90a", false},
    {"cuda:sm_103", "cuda:compute_100a", false},
    /* 'f': its family from that minor on, PTX as well */
    {"cuda:sm_100", "cuda:sm_100f", true},
    {"cuda:sm_103", "cuda:sm_100f", true},
    {"cuda:sm_100", "cuda:sm_103f", false},
    {"cuda:sm_101", "cuda:sm_100f", false},
    {"cuda:sm_120", "cuda:sm_100f", false},
    {"cuda:sm_121", "cuda:sm_120f", true},
    {"cuda:sm_103", "cuda:compute_100f", true},
    {"cuda:sm_120", "cuda:compute_100f", false},
    /* PTX: forward */
    {"cuda:sm_90", "cuda:compute_80", true},
    {"cuda:sm_120", "cuda:compute_50", true},
    {"cuda:sm_80", "cuda:compute_80", true},
    {"cuda:sm_75", "cuda:compute_80", false},
    /* AMD: by exact name */
    {"hip:gfx90a", "hip:gfx90a", true},
    {"hip:gfx90a", "hip:gfx908", false},
    {"hip:gfx90c", "hip:gfx90a", false},
    {"hip:gfx1101", "hip:gfx1100", false},
    {"hip:gfx1036", "hip:gfx1030", false},
    /* features: unspecified goes anywhere, a setting only where it is set so */
    {"hip:gfx90a:sramecc+:xnack-", "hip:gfx90a", true},
    {"hip:gfx90a:sramecc+:xnack-", "hip:gfx90a:xnack-", true},
    {"hip:gfx90a:sramecc+:xnack-", "hip:gfx90a:sramecc+", true},
    {"hip:gfx90a:sramecc+:xnack-", "hip:gfx90a:sramecc+:xnack-", true},
    {"hip:gfx90a:sramecc+:xnack-", "hip:gfx90a:xnack+", false},
    {"hip:gfx90a:sramecc+:xnack-", "hip:gfx90a:sramecc-", false},
    {"hip:gfx90a:sramecc+:xnack-", "hip:gfx90a:sramecc-:xnack-", false},
    {"hip:gfx906", "hip:gfx906:xnack-", false},
    /* families */
    {"hip:gfx900:xnack-", "hip:gfx9-generic", true},
    {"hip:gfx90c:xnack-", "hip:gfx9-generic", true},
    {"hip:gfx906:sramecc+:xnack-", "hip:gfx9-generic:xnack-", true},
    {"hip:gfx906:sramecc+:xnack-", "hip:gfx9-generic:xnack+", false},
    {"hip:gfx908:sramecc+:xnack-", "hip:gfx9-generic", false},
    {"hip:gfx90a:sramecc+:xnack-", "hip:gfx9-generic", false},
    {"hip:gfx942:sramecc+:xnack-", "hip:gfx9-generic", false},
    {"hip:gfx940:sramecc+:xnack-", "hip:gfx9-4-generic", true},
    {"hip:gfx942:sramecc+:xnack-", "hip:gfx9-4-generic:sramecc+", true},
    {"hip:gfx942:sramecc+:xnack-", "hip:gfx9-4-generic:sramecc-", false},
    {"hip:gfx950:sramecc+:xnack-", "hip:gfx9-4-generic", true},
    {"hip:gfx1010:xnack-", "hip:gfx10-1-generic", true},
    {"hip:gfx1013:xnack-", "hip:gfx10-1-generic", true},
    {"hip:gfx1030", "hip:gfx10-1-generic", false},
    {"hip:gfx1030", "hip:gfx10-3-generic", true},
    {"hip:gfx1036", "hip:gfx10-3-generic", true},
    {"hip:gfx1100", "hip:gfx11-generic", true},
    {"hip:gfx1103", "hip:gfx11-generic", true},
    {"hip:gfx1151", "hip:gfx11-generic", true},
    {"hip:gfx1200", "hip:gfx11-generic", false},
    {"hip:gfx1200", "hip:gfx12-generic", true},
    {"hip:gfx1201", "hip:gfx12-generic", true},
    {"hip:gfx1100", "hip:gfx12-generic", false},
    {"hip:gfx1310", "hip:gfx12-generic", false},
    {"hip:gfx1310", "hip:gfx1310", true},
    /* HIP on NVIDIA keeps NVIDIA's rules */
    {"hip:sm_90", "hip:sm_90", true},
    {"hip:sm_90", "hip:sm_80", false},
    {"hip:sm_90", "hip:gfx90a", false},
    {"hip:gfx90a", "hip:sm_90", false},
    /* OpenCL: portable anywhere, a profile where it is included */
    {"opencl:pocl3", "opencl:portable", true},
    {"opencl:nvidia", "opencl:portable", true},
    {"opencl:portable", "opencl:portable", true},
    {"opencl:pocl3", "opencl:pocl3", true},
    {"opencl:pocl5", "opencl:pocl3", true},
    {"opencl:pocl5", "opencl:opencl3", false}, /* made without workarounds for PoCL */
    {"opencl:intel", "opencl:opencl3", true},
    {"opencl:intelcpu", "opencl:opencl3", true},
    {"opencl:intelcpu", "opencl:intel", false},
    {"opencl:pocl3", "opencl:pocl5", false},
    {"opencl:opencl3", "opencl:intel", false},
    {"opencl:pocl3", "opencl:nvidia", false},
    {"opencl:pocl3:fp16+", "opencl:pocl3", true},
    {"opencl:portable:fp64-", "opencl:portable:fp16+", true}, /* loading checks extensions */
    {"opencl:portable:fp64-", "opencl:pocl3:fp64-", false},
    {"opencl:portable", "opencl:pocl3", false},
    {"opencl:pocl3", "opencl:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
     false},
    /* across backends */
    {"hip:gfx90a", "cuda:sm_90", false},
    {"cuda:sm_90", "hip:gfx90a", false},
    {"cuda:sm_90", "hip:sm_90", false},
    {"cuda:sm_90", "opencl:portable", false},
    {"opencl:nvidia", "cuda:compute_80", false},
    /* CPUs: a level includes those below it, features are needed as they are */
    {"cpu:x86-64-v4:avx512vnni+", "cpu:x86-64-v3", true},
    {"cpu:x86-64-v4:avx512vnni+", "cpu:x86-64-v4", true},
    {"cpu:x86-64-v4:avx512vnni+:avxvnni+", "cpu:x86-64-v3:avxvnni+", true},
    {"cpu:x86-64-v3", "cpu:x86-64-v4", false},
    {"cpu:x86-64-v4", "cpu:x86-64-v4:avx512vnni+", false},
    {"cpu:x86-64-v4", "cpu:aarch64", false},
    {"cpu:aarch64:dotprod+", "cpu:aarch64", true},
    {"cpu:aarch64", "cpu:x86-64-v3", false},
    {"cpu:x86-64-v3", "opencl:portable", false},
};

START_TEST(an_image_runs_exactly_where_the_makers_say)
{
    struct qn__target device, image;
    ck_assert_int_eq(qn__target_parse(&device, pairs[_i].device), QN_OK);
    ck_assert_int_eq(qn__target_parse(&image, pairs[_i].image), QN_OK);
    const qn_status s = qn__target_accepts(&device, &image);
    ck_assert_msg(s == (pairs[_i].runs ? QN_OK : QN_E_MISMATCH), "%s on %s: %s", pairs[_i].image,
                  pairs[_i].device, s == QN_OK ? "accepted" : qn_message());
    if (s != QN_OK)
        ck_assert_msg(strstr(qn_message(), pairs[_i].image) &&
                          strstr(qn_message(), pairs[_i].device),
                      "the message names both: %s", qn_message());
}
END_TEST

START_TEST(what_a_processor_lacks_for_an_image_is_named)
{
    static const struct {
        const char *device, *image, *lacks;
    } rows[] = {
        {"cpu:x86-64-v3", "cpu:x86-64-v4", "the processor has no x86-64-v4"},
        {"cpu:x86-64-v4:avxvnni+", "cpu:x86-64-v4:avx512vnni+:avxvnni+",
         "the processor has no avx512vnni"},
        {"cpu:x86-64-v4", "cpu:aarch64", "another kind of processor"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct qn__target device, image;
        ck_assert_int_eq(qn__target_parse(&device, rows[i].device), QN_OK);
        ck_assert_int_eq(qn__target_parse(&image, rows[i].image), QN_OK);
        ck_assert_int_eq(qn__target_accepts(&device, &image), QN_E_MISMATCH);
        ck_assert_msg(strstr(qn_message(), rows[i].lacks) != NULL, "%s", qn_message());
    }
}
END_TEST

START_TEST(native_is_what_this_processor_is)
{
    struct qn__target native, again;
    char text[128];
    const qn_status s = qn__target_parse(&native, "cpu:native");
    if (s == QN_E_NO_DEVICE) { /* too old for any level: the message says what it lacks */
        ck_assert_msg(strstr(qn_message(), "is needed") || strstr(qn_message(), "neither"), "%s",
                      qn_message());
        return;
    }
    ck_assert_msg(s == QN_OK, "%s", qn_message());
    qn__target_print(text, sizeof text, &native);
    ck_assert_msg(!strstr(text, "native"), "%s", text);
    ck_assert_int_eq(qn__target_parse(&again, text), QN_OK);
    ck_assert_int_eq(memcmp(&native, &again, sizeof native), 0);
#if defined(__x86_64__)
    ck_assert_int_eq(native.cpu.level,
                     __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq")
                         ? QN__CPU_X86_V4
                         : QN__CPU_X86_V3);
#endif
}
END_TEST

static const struct {
    const char *base, *extensions, *name;
} devices[] = {
    {"portable", "cl_khr_fp64 cl_khr_int64_base_atomics cl_khr_int64_extended_atomics", "portable"},
    {"portable", "cl_khr_int64_base_atomics cl_khr_fp16", "portable:fp64-:fp16+:atomics64x-"},
    {"opencl3",
     "cl_khr_fp64 cl_khr_int64_base_atomics cl_khr_int64_extended_atomics cl_khr_subgroup_shuffle",
     "opencl3"}, /* a shuffle alone makes no warp */
    {"intelcpu",
     "cl_khr_fp64 cl_khr_fp16 cl_khr_int64_base_atomics cl_khr_int64_extended_atomics "
     "cl_khr_kernel_clock",
     "intelcpu"},
    {"opencl3",
     "cl_khr_fp64 cl_khr_int64_base_atomics cl_khr_int64_extended_atomics cl_khr_kernel_clock",
     "opencl3:kernel_clock+"},
    {"intel",
     "cl_khr_fp16 cl_khr_int64_base_atomics cl_khr_int64_extended_atomics "
     "cl_khr_subgroup_shuffle cl_intel_required_subgroup_size",
     "intel:fp64-:ballot-"},
};

static bool listed(const void *list, const char *extension)
{
    return strstr(list, extension) != NULL;
}

START_TEST(a_device_has_a_profile_and_what_differs_from_it)
{
    struct qn__profile p, base;
    char name[96];
    qn__profile_of_device(name, sizeof name, devices[_i].base, listed, devices[_i].extensions);
    ck_assert_str_eq(name, devices[_i].name);
    ck_assert_msg(qn__profile_parse(&p, name), "%s", name);
    ck_assert(qn__profile_parse(&base, devices[_i].base));
    ck_assert_int_eq(qn__profile_can(&p, QN__CAN_fp64),
                     listed(devices[_i].extensions, "cl_khr_fp64"));
    ck_assert_int_eq(qn__profile_can(&p, QN__CAN_warp),
                     qn__profile_can(&base, QN__CAN_warp) && !strstr(name, "ballot-"));
}
END_TEST

START_TEST(a_profile_with_an_unknown_part_is_none)
{
    static const char *const wrong[] = {
        "vulkan",     "portable:fp64", "portable:",      "portable:fp7+",
        "portable:+", "portablefp",    "pocl3:switches-"};
    struct qn__profile p;
    ck_assert(qn__profile_parse(&p, NULL));
    ck_assert(qn__profile_has(&p, QN__QUIRK_switch));
    ck_assert(qn__profile_parse(&p, "pocl3:switch-:fp16+"));
    ck_assert(!qn__profile_has(&p, QN__QUIRK_switch) && qn__profile_has(&p, QN__QUIRK_pad_array));
    ck_assert(qn__profile_can(&p, QN__CAN_fp16));
    ck_assert(qn__profile_parse(&p, "nvidia:pad_array+"));
    ck_assert(qn__profile_has(&p, QN__QUIRK_pad_array));
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        ck_assert_msg(!qn__profile_parse(&p, wrong[i]), "%s", wrong[i]);
}
END_TEST

#define N(array) ((int)(sizeof(array) / sizeof *(array)))

int main(void)
{
    Suite *s = suite_create("target");
    TCase *t = tcase_create("target");
    tcase_add_loop_test(t, a_good_target_is_read_and_printed_canonically, 0, N(good));
    tcase_add_loop_test(t, a_bad_target_is_refused_with_a_message_that_shows_it, 0, N(bad));
    tcase_add_loop_test(t, an_image_runs_exactly_where_the_makers_say, 0, N(pairs));
    tcase_add_test(t, what_a_processor_lacks_for_an_image_is_named);
    tcase_add_test(t, native_is_what_this_processor_is);
    tcase_add_loop_test(t, a_device_has_a_profile_and_what_differs_from_it, 0, N(devices));
    tcase_add_test(t, a_profile_with_an_unknown_part_is_none);
    suite_add_tcase(s, t);
    SRunner *r = srunner_create(s);
    srunner_set_fork_status(r, CK_NOFORK);
    srunner_run_all(r, CK_ENV);
    const int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed != 0;
}
