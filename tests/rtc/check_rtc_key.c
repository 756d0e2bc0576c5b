/* SPDX-License-Identifier: Apache-2.0
 *
 * Options in normal form, keys, and the choice of an NVIDIA architecture: pure functions.
 *
 * covers: rtc/key/key rtc/key/cuda_choice rtc/source/compile_options base/translate_options */
#include "rtc/job/job.h"
#include "rtc/key/cuda_choice.h"
#include "rtc/key/key.h"
#include "tests/rtc_fixture.h"

/* -- options -- */

enum { WORDS = 8 };
static const struct {
    const char *name;
    const char *options[WORDS], *defines[WORDS];
    const char *want; /* shaping options, blank in front of each */
} normal_forms[] = {
    {"defaults", {NULL}, {NULL}, " -std=c++17 -O3"},
    {"spellings of one meaning",
     {"--std=c++14", "-O2", "--use_fast_math"},
     {NULL},
     " -std=c++14 -O2 -use_fast_math"},
    {"clang's fast math", {"-ffast-math"}, {NULL}, " -std=c++17 -O3 -use_fast_math"},
    {"the last one wins", {"-O0", "-O1", "-fmad=false", "--fmad=true"}, {NULL}, " -std=c++17 -O1"},
    {"macros sorted", {"-DB=2", "-D", "A"}, {"C=x y"}, " -std=c++17 -O3 -DA=1 -DB=2 -DC=x y"},
    {"a macro's last state",
     {"-DA=1", "-UA", "-DB", "-DB=7"},
     {"A=9"},
     " -std=c++17 -O3 -UA -DB=7"},
    {"empty value", {"-DA="}, {NULL}, " -std=c++17 -O3 -DA="},
    {"macro with parameters", {"-DF(x)=x+1"}, {NULL}, " -std=c++17 -O3 -DF(x)=x+1"},
    {"registers and lines",
     {"-g", "--maxrregcount=64"},
     {NULL},
     " -std=c++17 -O3 -g -maxrregcount=64"},
    {"directives", {"--lines=directives"}, {NULL}, " -std=c++17 -O3 -lines=directives"},
    {"no lines", {"-lines=none"}, {NULL}, " -std=c++17 -O3 -lines=none"},
    {"lines as ever", {"--lines=none", "--lines=comments"}, {NULL}, " -std=c++17 -O3"},
    {"all warnings", {"-Wall"}, {NULL}, " -std=c++17 -O3 -Wall"},
    {"no warnings wins", {"-w", "-Wall"}, {NULL}, " -std=c++17 -O3 -w"},
    {"128 bits", {"--device-int128"}, {NULL}, " -std=c++17 -O3 -device-int128"},
    {"fused multiply-add off", {"--fmad=false"}, {NULL}, " -std=c++17 -O3 -fmad=false"},
};

static uint32_t count(const char *const *list)
{
    uint32_t n = 0;
    while (n < WORDS && list[n])
        n++;
    return n;
}

START_TEST(options_have_one_normal_form)
{
    struct qn__arena arena = {0};
    struct qn__compile_options o;
    const qn_source src = {.options = normal_forms[_i].options,
                           .n_options = count(normal_forms[_i].options),
                           .defines = normal_forms[_i].defines,
                           .n_defines = count(normal_forms[_i].defines)};
    struct qn__str got = {0};
    must(qn__compile_options_read(&o, &arena, &src));
    for (uint32_t i = 0; i < o.n_shaping; i++)
        qn__str_printf(&got, " %s", o.shaping[i]);
    ck_assert_msg(strcmp(got.text, normal_forms[_i].want) == 0, "%s: got '%s', want '%s'",
                  normal_forms[_i].name, got.text, normal_forms[_i].want);
    qn__str_release(&got);
    qn__arena_release(&arena);
}
END_TEST

static const char *const refused_options[] = {"-O4",
                                              "-Ofast",
                                              "-std=c99",
                                              "-fopenmp",
                                              "--relocatable-device-code=true",
                                              "-I",
                                              "-D",
                                              "-D1A",
                                              "-UA=1",
                                              "-DA(x",
                                              "--maxrregcount=0",
                                              "-Xptxas",
                                              "-arch",
                                              "main.o",
                                              "--maxrregcount=x",
                                              "--lines=all",
                                              "-Da-b",
                                              ""};

START_TEST(unknown_options_are_refused_by_name)
{
    struct qn__arena arena = {0};
    struct qn__compile_options o;
    const char *const options[] = {refused_options[_i]};
    const qn_source src = {.options = options, .n_options = 1};
    must_not(QN_E_INVALID, qn__compile_options_read(&o, &arena, &src));
    const char *name = refused_options[_i];
    says(qn_message(), qn__starts_with(name, "-D") || qn__starts_with(name, "-U")
                           ? (name[2] ? name + 2 : name)
                           : name);
    qn__arena_release(&arena);
}
END_TEST

static const char *const file_options[] = {"-MD",
                                           "-o",
                                           "-save-temps",
                                           "--save-temps=obj",
                                           "--keep",
                                           "--time=t.csv",
                                           "--fdevice-time-trace=t.json",
                                           "-ftime-trace",
                                           "--create-pch=k.pch",
                                           "-pch"};

START_TEST(options_that_write_files_are_refused_with_the_reason)
{
    struct qn__arena arena = {0};
    struct qn__compile_options o;
    const char *const options[] = {file_options[_i]};
    const qn_source src = {.options = options, .n_options = 1};
    must_not(QN_E_INVALID, qn__compile_options_read(&o, &arena, &src));
    says(qn_message(), file_options[_i]);
    says(qn_message(), "writes files, which no image from a cache or bundle brings along");
    qn__arena_release(&arena);
}
END_TEST

START_TEST(include_folders_keep_their_order)
{
    struct qn__arena arena = {0};
    struct qn__compile_options o;
    const char *const dirs[] = {"z"}, *const options[] = {"-Iy", "-I", "x"};
    const qn_source src = {
        .include_dirs = dirs, .n_include_dirs = 1, .options = options, .n_options = 3};
    must(qn__compile_options_read(&o, &arena, &src));
    ck_assert_uint_eq(o.n_include_dirs, 3);
    ck_assert_str_eq(o.include_dirs[0], "z");
    ck_assert_str_eq(o.include_dirs[1], "y");
    ck_assert_str_eq(o.include_dirs[2], "x");
    qn__arena_release(&arena);
}
END_TEST

/* -- keys -- */

struct inputs {
    const char *text, *header, *target, *compiler, *identity;
    const char *options[WORDS], *names[WORDS];
};

static const struct inputs base_inputs = {
    .text = "#include \"a.h\"\n#include <nowhere.h>\n__global__ void k() {}\n",
    .header = "#define X 1\n",
    .target = "hip:gfx90a",
    .compiler = "hiprtc",
    .identity = "hiprtc 5.2 build 1",
    .options = {"-O3"},
    .names = {"k<1>", "k<2>"},
};

static void make_key(struct qn__key *key, struct qn__str *fields, const struct qn__key_input *input,
                     const char *target, const struct qn__key_compiler *compiler)
{
    struct qn__str list = {0};
    must(qn__key_source(key, &list, input));
    must(qn__key_target(key, &list, target));
    must(qn__key_finish(key, &list, compiler));
    if (fields)
        qn__key_print(fields, &list);
    qn__str_release(&list);
}

static struct qn__key key_of(const struct inputs *in, struct qn__str *fields)
{
    struct qn__arena arena = {0};
    struct qn__compile_options options;
    struct qn__closure closure;
    struct qn__key key;
    const char *const header_names[] = {"a.h"}, *const header_texts[] = {in->header};
    const qn_source src = {.text = in->text,
                           .options = in->options,
                           .n_options = count(in->options),
                           .header_names = header_names,
                           .header_texts = header_texts,
                           .n_headers = 1};
    must(qn__compile_options_read(&options, &arena, &src));
    must(qn__closure_build(&closure, &src, NULL, 0));
    make_key(&key, fields, &(struct qn__key_input){&closure, &options, in->names, count(in->names)},
             in->target, &(struct qn__key_compiler){&closure, in->compiler, in->identity, NULL});
    qn__closure_release(&closure);
    qn__arena_release(&arena);
    return key;
}

static const struct {
    const char *name;
    struct inputs in;
    bool same_key, same_request;
} variants[] = {
#define BASE                                                                                       \
    .text = "#include \"a.h\"\n#include <nowhere.h>\n__global__ void k() {}\n",                    \
    .header = "#define X 1\n", .target = "hip:gfx90a", .compiler = "hiprtc",                       \
    .identity = "hiprtc 5.2 build 1"
#define REST .options = {"-O3"}, .names = {"k<1>", "k<2>"}
    {"nothing", {BASE, REST}, true, true},
    {"order of names", {BASE, .options = {"-O3"}, .names = {"k<2>", "k<1>", "k<2>"}}, true, true},
    {"blanks in names", {BASE, .options = {"-O3"}, .names = {"k< 1 >", "&k<2 >"}}, true, true},
    {"default options spelled out",
     {BASE, .options = {"--std=c++17", "-O3"}, .names = {"k<1>", "k<2>"}},
     true,
     true},
    {"which warnings are kept",
     {BASE, .options = {"-Wall"}, .names = {"k<1>", "k<2>"}},
     false,
     false},
    {"one more macro", {BASE, .options = {"-DA"}, .names = {"k<1>", "k<2>"}}, false, false},
    {"optimisation", {BASE, .options = {"-O2"}, .names = {"k<1>", "k<2>"}}, false, false},
    {"one name fewer", {BASE, .options = {"-O3"}, .names = {"k<1>"}}, false, false},
    {"names joined", {BASE, .options = {"-O3"}, .names = {"k<1>k<2>"}}, false, false},
    {"source text",
     {.text = "#include \"a.h\"\n#include <nowhere.h>\n__global__ void k() { }\n",
      .header = "#define X 1\n",
      .target = "hip:gfx90a",
      .compiler = "hiprtc",
      .identity = "hiprtc 5.2 build 1",
      REST},
     false,
     false},
    {"header text",
     {.text = "#include \"a.h\"\n#include <nowhere.h>\n__global__ void k() {}\n",
      .header = "#define X 2\n",
      .target = "hip:gfx90a",
      .compiler = "hiprtc",
      .identity = "hiprtc 5.2 build 1",
      REST},
     false,
     false},
    {"a header that is not found",
     {.text = "#include \"a.h\"\n#include <elsewhere.h>\n__global__ void k() {}\n",
      .header = "#define X 1\n",
      .target = "hip:gfx90a",
      .compiler = "hiprtc",
      .identity = "hiprtc 5.2 build 1",
      REST},
     false,
     false},
    {"a target of the same major and minor",
     {.text = "#include \"a.h\"\n#include <nowhere.h>\n__global__ void k() {}\n",
      .header = "#define X 1\n",
      .target = "hip:gfx908",
      .compiler = "hiprtc",
      .identity = "hiprtc 5.2 build 1",
      REST},
     false,
     false},
    {"a feature of the target",
     {.text = "#include \"a.h\"\n#include <nowhere.h>\n__global__ void k() {}\n",
      .header = "#define X 1\n",
      .target = "hip:gfx90a:xnack-",
      .compiler = "hiprtc",
      .identity = "hiprtc 5.2 build 1",
      REST},
     false,
     false},
    {"the compiler's build",
     {.text = "#include \"a.h\"\n#include <nowhere.h>\n__global__ void k() {}\n",
      .header = "#define X 1\n",
      .target = "hip:gfx90a",
      .compiler = "hiprtc",
      .identity = "hiprtc 5.2 build 2",
      REST},
     false,
     true},
    {"another compiler",
     {.text = "#include \"a.h\"\n#include <nowhere.h>\n__global__ void k() {}\n",
      .header = "#define X 1\n",
      .target = "hip:gfx90a",
      .compiler = "clang",
      .identity = "hiprtc 5.2 build 1",
      REST},
     false,
     true},
};

START_TEST(every_input_that_matters_changes_the_key_and_no_other)
{
    const struct qn__key want = key_of(&base_inputs, NULL), got = key_of(&variants[_i].in, NULL);
    ck_assert_msg((strcmp(want.hex, got.hex) == 0) == variants[_i].same_key, "%s: key",
                  variants[_i].name);
    ck_assert_msg((strcmp(want.request_hex, got.request_hex) == 0) == variants[_i].same_request,
                  "%s: request", variants[_i].name);
    const bool same_text =
        variants[_i].same_request || strcmp(variants[_i].in.target, "hip:gfx90a");
    ck_assert_msg((strcmp(want.source_hex, got.source_hex) == 0) == same_text, "%s: source",
                  variants[_i].name);
    ck_assert_str_ne(got.hex, got.request_hex);
    ck_assert_str_ne(got.source_hex, got.request_hex);
}
END_TEST

START_TEST(a_key_is_the_same_everywhere)
{
    /* a constant: another process, machine or build that disagrees would share no cache */
    const struct qn__key key = key_of(&base_inputs, NULL);
    ck_assert_uint_eq(strlen(key.hex), 64);
    ck_assert_str_eq(key.hex, "94a258c36834fa54eb31a4b4d3781b3b8fffc1b30f76d0fb220cf4f0816895ca");
}
END_TEST

START_TEST(environment_that_reaches_a_compiler_changes_its_key_alone)
{
    struct inputs clang = base_inputs;
    clang.compiler = "clang";
    const struct qn__key before = key_of(&base_inputs, NULL), clang_before = key_of(&clang, NULL);
    setenv("HIPRTC_COMPILE_OPTIONS_APPEND", "-O1", 1);
    const struct qn__key after = key_of(&base_inputs, NULL), clang_after = key_of(&clang, NULL);
    ck_assert_str_ne(before.hex, after.hex);
    ck_assert_str_eq(clang_before.hex, clang_after.hex);
}
END_TEST

START_TEST(options_that_a_variable_gives_to_nvrtc_are_in_its_key)
{
    struct inputs nvrtc = base_inputs;
    nvrtc.compiler = "nvrtc";
    const struct qn__key before = key_of(&nvrtc, NULL);
    setenv("NVRTC_APPEND_FLAGS", "-lineinfo", 1);
    ck_assert(qn__key_has_environment("nvrtc"));
    const struct qn__key after = key_of(&nvrtc, NULL);
    ck_assert_str_ne(before.hex, after.hex);
}
END_TEST

START_TEST(fields_are_printable_and_name_what_was_hashed)
{
    struct qn__str fields = {0};
    key_of(&base_inputs, &fields);
    static const char *const parts[] = {
        "target: hip:gfx90a\n", "source: kernel.cu ",
        "source: a.h ",         "include not found: nowhere.h",
        "option: -O3\n",        "name expression: k<1>\n",
        "compiler: hiprtc\n",   "compiler identity: hiprtc 5.2 build 1\n"};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        says(fields.text, parts[i]);
    qn__str_release(&fields);
}
END_TEST

START_TEST(a_moved_project_keeps_its_keys_and_a_shadowing_header_changes_them)
{
    struct qn__key keys[3];
    const char *const places[] = {"one", "else where/two"};
    for (int i = 0; i < 3; i++) {
        char name[64];
        const char *place = places[i % 2];
        snprintf(name, sizeof name, "%s/k.cu", place);
        const char *path = write_text(name, "#include \"v.h\"\n");
        snprintf(name, sizeof name, "%s/inc/v.h", place);
        write_text(name, "int a;\n");
        snprintf(name, sizeof name, "%s/v.h", place);
        if (i == 2)
            write_text(name, "int b;\n");
        snprintf(name, sizeof name, "%s/inc", place);
        const char *const dirs[] = {in_scratch(name)};
        struct qn__arena arena = {0};
        struct qn__compile_options options;
        struct qn__closure closure;
        const qn_source src = {.path = path, .include_dirs = dirs, .n_include_dirs = 1};
        must(qn__compile_options_read(&options, &arena, &src));
        must(qn__closure_build(&closure, &src, dirs, 1));
        make_key(&keys[i], NULL, &(struct qn__key_input){&closure, &options, NULL, 0}, "cuda:sm_90",
                 &(struct qn__key_compiler){&closure, "nvrtc", "x", NULL});
        qn__closure_release(&closure);
        qn__arena_release(&arena);
    }
    ck_assert_str_eq(keys[0].hex, keys[1].hex);
    ck_assert_str_ne(keys[0].hex, keys[2].hex);
}
END_TEST

START_TEST(a_drivers_binary_has_a_key_per_device)
{
    struct qn__key text = key_of(&base_inputs, NULL), a, b;
    qn__key_binary(&a, &text, "device 1");
    qn__key_binary(&b, &text, "device 2");
    ck_assert_str_ne(a.hex, b.hex);
    ck_assert_str_ne(a.hex, text.hex);
    ck_assert_str_ne(a.request_hex, b.request_hex);
}
END_TEST

/* -- the NVIDIA choice -- */

static const uint32_t cuda13[] = {75, 80, 86, 87, 88, 89, 90, 100, 103, 110, 120, 121};
static const uint32_t cuda124[] = {50, 52, 53, 60, 61, 62, 70, 72, 75, 80, 86, 87, 89, 90};
static const struct {
    const char *name;
    uint32_t capability;
    int major, minor;
    const uint32_t *archs;
    uint32_t n_archs;
    int driver;
    const char *want; /* architecture, or with '!' a part of the refusal */
} choices[] = {
#define CUDA13  13, 0, cuda13, sizeof cuda13 / sizeof cuda13[0]
#define CUDA124 12, 4, cuda124, sizeof cuda124 / sizeof cuda124[0]
    {"exact", 90, CUDA13, 13000, "sm_90"},
    {"exact, older driver of the same major", 90, CUDA124, 12020, "sm_90"},
    {"exact, embedded", 87, CUDA13, 13000, "sm_87"},
    {"newer GPU, driver reads the PTX", 120, CUDA124, 12080, "compute_90"},
    {"newer GPU, driver of just this toolkit", 120, CUDA124, 12040, "compute_90"},
    {"newer GPU, driver of unknown version", 120, CUDA124, 0, "compute_90"},
    {"newer minor, PTX too new: cubin of the major", 89, 12, 4, (const uint32_t[]){75, 80, 86}, 3,
     12020, "sm_86"},
    {"newer minor, PTX fits and is better", 89, 12, 4, (const uint32_t[]){75, 80, 86}, 3, 12040,
     "compute_86"},
    {"embedded GPU takes no other part's cubin", 87, 12, 4, (const uint32_t[]){75, 80, 86}, 3,
     12020, "!too new for the driver (CUDA 12.2)"},
    {"newer GPU, PTX too new", 120, CUDA124, 12020, "!driver for CUDA 12.4 or later"},
    {"GPU older than the toolkit", 70, CUDA13, 13000, "!older than anything NVRTC 13.0 makes"},
    {"driver of an older major", 90, CUDA13, 12080, "!driver for CUDA 13.0 or later"},
    {"newer driver major", 90, CUDA124, 13000, "sm_90"},
    {"no architectures at all", 90, 12, 4, NULL, 0, 12040, "!My GPU"},
};

START_TEST(the_architecture_fits_gpu_toolkit_and_driver)
{
    char arch[QN__CUDA_ARCH_MAX];
    const struct qn__cuda_facts facts = {.gpu = "My GPU",
                                         .capability = choices[_i].capability,
                                         .nvrtc_major = choices[_i].major,
                                         .nvrtc_minor = choices[_i].minor,
                                         .archs = choices[_i].archs,
                                         .n_archs = choices[_i].n_archs,
                                         .driver_version = choices[_i].driver};
    const char *want = choices[_i].want;
    const qn_status s = qn__cuda_choose(arch, &facts);
    ck_assert_msg(s == (want[0] == '!' ? QN_E_MISMATCH : QN_OK), "%s: %s", choices[_i].name,
                  s == QN_OK ? arch : qn_message());
    if (want[0] == '!') {
        says(qn_message(), want + 1);
        says(qn_message(), "My GPU");
        ck_assert_str_eq(arch, "");
    } else {
        ck_assert_msg(strcmp(arch, want) == 0, "%s: %s", choices[_i].name, arch);
    }
}
END_TEST

/* `wants`: the architecture whose features the source asks for */
static const struct {
    const char *arch, *wants, *lists[2], *want;
} features[] = {
    {"sm_90", "90", {"sm_90", "sm_90a"}, "sm_90a"},
    {"sm_90", "", {"sm_90", "sm_90a"}, "sm_90"},
    {"sm_90", "90", {"sm_90", "sm_89"}, "sm_90"},
    {"sm_89", "90", {"sm_90", "sm_90a"}, "sm_89"},
    {"compute_90", "90", {"sm_90", "sm_90a"}, "compute_90"},
    {"sm_100", "100", {"sm_100a", "sm_90a"}, "sm_100a"},
};

START_TEST(a_source_that_asks_for_an_architectures_features_gets_them)
{
    char arch[QN__CUDA_ARCH_MAX], source[96];
    snprintf(arch, sizeof arch, "%s", features[_i].arch);
    snprintf(source, sizeof source, "#ifdef __CUDA_ARCH_FEAT_SM%s_ALL\n#endif\n",
             features[_i].wants);
    qn__cuda_take_features(arch, source, features[_i].lists, 2);
    ck_assert_str_eq(arch, features[_i].want);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("rtc_key");
    TCase *t = tcase_create("key");
    tcase_add_checked_fixture(t, scratch_open, scratch_close);
    tcase_add_loop_test(t, options_have_one_normal_form, 0,
                        sizeof normal_forms / sizeof normal_forms[0]);
    tcase_add_loop_test(t, options_that_write_files_are_refused_with_the_reason, 0,
                        sizeof file_options / sizeof file_options[0]);
    tcase_add_loop_test(t, unknown_options_are_refused_by_name, 0,
                        sizeof refused_options / sizeof refused_options[0]);
    tcase_add_test(t, include_folders_keep_their_order);
    tcase_add_loop_test(t, every_input_that_matters_changes_the_key_and_no_other, 0,
                        sizeof variants / sizeof variants[0]);
    tcase_add_test(t, a_key_is_the_same_everywhere);
    tcase_add_test(t, environment_that_reaches_a_compiler_changes_its_key_alone);
    tcase_add_test(t, options_that_a_variable_gives_to_nvrtc_are_in_its_key);
    tcase_add_test(t, fields_are_printable_and_name_what_was_hashed);
    tcase_add_test(t, a_moved_project_keeps_its_keys_and_a_shadowing_header_changes_them);
    tcase_add_test(t, a_drivers_binary_has_a_key_per_device);
    tcase_add_loop_test(t, the_architecture_fits_gpu_toolkit_and_driver, 0,
                        sizeof choices / sizeof choices[0]);
    tcase_add_loop_test(t, a_source_that_asks_for_an_architectures_features_gets_them, 0,
                        sizeof features / sizeof features[0]);
    suite_add_tcase(s, t);
    return run_suite(s);
}
