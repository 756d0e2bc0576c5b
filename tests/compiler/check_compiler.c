/* SPDX-License-Identifier: Apache-2.0
 *
 * The translator. Golden files: tests/compiler/ok/<name>.cu must give <name>.cl, and
 * tests/compiler/err/<name>.cu the diagnostics of <name>.txt; kernels/<name>.cu gives
 * tests/compiler/kernels/<name>.cl where there is one. `make golden` rewrites all; the diff is
 * reviewed like code.
 *
 *     check_compiler                       the tests
 *     check_compiler --golden              rewrite the golden files
 *     check_compiler --bitcode FILE        translate LLVM bitcode; only a crash fails
 *     check_compiler --print FILE [PROFILE] [OPTION or =NAME-EXPRESSION ...]   translate one file
 *
 * covers: compiler/translate compiler/pipeline compiler/frontend/frontend compiler/frontend/clang
 * compiler/frontend/dialect compiler/frontend/constant_shifts
 * compiler/core/attributes compiler/core/unit compiler/core/diagnose compiler/lower/llvm_passes
 * compiler/lower/inline_limit compiler/model/function compiler/model/node
 * compiler/model/value_names compiler/model/inline_values compiler/model/ptx_reason
 * compiler/model/spin_warning compiler/model/aggregate compiler/stmt/stmt
 * compiler/out/dump compiler/out/reflect compiler/out/nv_registers
 * compiler/out/unit_text compiler/lang/spell compiler/model/source_types
 * compiler/model/initial_value base/profiles */
#include "base/file.h"
#include "base/profiles.h"
#include "compiler/translator.h"
#include "tests/compiler/translate_one.h"

#include <check.h>
#include <dirent.h>
#include <llvm-c/BitWriter.h>
#include <llvm-c/Core.h>
#include <llvm-c/IRReader.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FILES = 512, LIMIT = 16 << 20 };

struct files {
    struct qn__source_file items[MOST_FILES];
    uint32_t n;
};

static void release_files(struct files *f)
{
    for (uint32_t i = 0; i < f->n; i++) {
        free((void *)(uintptr_t)f->items[i].text);
        free((void *)(uintptr_t)f->items[i].name);
    }
}

/* Add one file under its name relative to the main file's folder. */
static qn_status add_file(struct files *f, const char *folder, const char *name)
{
    char *text = NULL;
    size_t n = 0;
    char *const path = qn__path_join(folder, name);
    const qn_status s = f->n < MOST_FILES ? qn__file_read(&text, &n, path, LIMIT)
                                          : qn__fail(QN_E_LIMIT, "%s: too many files", path);
    free(path);
    if (s == QN_OK)
        f->items[f->n++] = (struct qn__source_file){strdup(name), text, n};
    return s;
}

static bool is_header(const char *name)
{
    return qn__ends_with(name, ".h") || qn__ends_with(name, ".hpp") || qn__ends_with(name, ".cuh");
}

/* Headers below the main file's folder, so that its #include lines find them. */
static void add_headers(qn_status *s, struct files *f, const char *folder, const char *below,
                        int depth)
{
    char *const path = qn__path_join(folder, below);
    DIR *const dir = depth ? opendir(path) : NULL;
    for (const struct dirent *e; dir && (e = readdir(dir)) != NULL;) {
        if (e->d_name[0] == '.')
            continue;
        char *const name = *below ? qn__path_join(below, e->d_name) : strdup(e->d_name);
        if (is_header(name))
            *s = *s == QN_OK ? add_file(f, folder, name) : *s;
        else
            add_headers(s, f, folder, name, depth - 1);
        free(name);
    }
    if (dir)
        closedir(dir);
    free(path);
}

static qn_status translate(struct qn__translate_result *out, struct qn__arena *arena,
                           const char *path, const char *profile, char **arguments,
                           unsigned n_arguments)
{
    static struct files files;
    const char *options[64], *names[64];
    char *const folder = qn__path_dir(path);
    files.n = 0;
    qn_status s = add_file(&files, folder, qn__path_base(path));
    add_headers(&s, &files, folder, "", 3);
    struct qn__translate_request r = {.files = files.items,
                                      .n_files = files.n,
                                      .profile = profile,
                                      .options = options,
                                      .names = names};
    for (unsigned i = 0; i < n_arguments && i < 64; i++)
        if (arguments[i][0] == '=')
            names[r.n_names++] = arguments[i] + 1;
        else
            options[r.n_options++] = arguments[i];
    memset(out, 0, sizeof *out);
    if (s == QN_OK)
        s = qn__translate(out, arena, &r);
    release_files(&files);
    free(folder);
    return s;
}

static int print_one(int argc, char **argv)
{
    struct qn__arena arena = {0};
    struct qn__translate_result r;
    const qn_status s = translate(&r, &arena, argv[2], argc > 3 ? argv[3] : NULL, argv + 4,
                                  argc > 4 ? (unsigned)argc - 4 : 0);
    if (r.diagnostics)
        fputs(r.diagnostics, stderr);
    if (s == QN_OK)
        printf("%s", r.text);
    else
        fprintf(stderr, "%s: %s\n", qn_status_name(s), qn_message());
    if (s == QN_OK && getenv("REFLECT"))
        printf("%s\n%s\n", r.reflect_json, r.explain_json);
    qn__arena_release(&arena);
    return s == QN_OK ? 0 : 1;
}

/* ---- golden files ---- */

/* What a test source asks for in its first comment lines: "// profile: intel", "// name:
 * run<float>",
 * "// option: -fmad=false". */
struct directions {
    char profile[32];
    char items[8][64];
    char *arguments[8];
    unsigned n;
};

static void read_directions(struct directions *d, const char *source)
{
    memset(d, 0, sizeof *d);
    for (const char *p = source; strncmp(p, "// ", 3) == 0; p = strchr(p, '\n') + 1) {
        const int n = (int)strcspn(p, "\n");
        if (strncmp(p, "// profile: ", 12) == 0) {
            snprintf(d->profile, sizeof d->profile, "%.*s", n - 12, p + 12);
        } else if ((strncmp(p, "// name: ", 9) == 0 || strncmp(p, "// option: ", 11) == 0) &&
                   d->n < 8) {
            const int skip = p[3] == 'n' ? 9 : 11;
            snprintf(d->items[d->n], sizeof d->items[0], "%s%.*s", p[3] == 'n' ? "=" : "", n - skip,
                     p + skip);
            d->arguments[d->n] = d->items[d->n];
            d->n++;
        }
    }
}

struct golden {
    bool ok; /* of ok/: the text; of err/: the diagnostics */
    char source[512], golden[512];
};
static struct golden cases[MOST_FILES];
static int n_cases;

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct golden *)a)->source, ((const struct golden *)b)->source);
}

/* A case for each file of `folder` with that ending: its source and its golden file. */
static void find_cases(const char *folder, const char *ending, const char *sources,
                       const char *golden_ending)
{
    DIR *const dir = opendir(folder);
    for (const struct dirent *e; dir && (e = readdir(dir)) != NULL;) {
        const int n = (int)(strlen(e->d_name) - strlen(ending));
        if (!qn__ends_with(e->d_name, ending) || n_cases == MOST_FILES)
            continue;
        struct golden *const g = &cases[n_cases++];
        g->ok = qn__equal(golden_ending, ".cl");
        snprintf(g->source, sizeof g->source, "%s/%.*s.cu", sources, n, e->d_name);
        snprintf(g->golden, sizeof g->golden, "%s/%.*s%s", folder, n, e->d_name, golden_ending);
    }
    if (dir)
        closedir(dir);
    qsort(cases, (size_t)n_cases, sizeof *cases, by_name);
}

/* What the golden file should hold; malloc'd. A case of err/ must be refused, one of ok/ must not.
 */
static char *current_answer(const struct golden *g, bool *as_expected)
{
    struct directions d;
    struct qn__arena arena = {0};
    struct qn__translate_result r;
    char *source = NULL;
    size_t n;
    if (qn__file_read(&source, &n, g->source, LIMIT) != QN_OK)
        return NULL;
    read_directions(&d, source);
    free(source);
    const qn_status s =
        translate(&r, &arena, g->source, *d.profile ? d.profile : "portable", d.arguments, d.n);
    *as_expected = g->ok ? s == QN_OK : s == QN_E_UNSUPPORTED || s == QN_E_COMPILE;
    char *const answer = strdup(g->ok ? (r.text ? r.text : qn_message())
                                      : (r.diagnostics ? r.diagnostics : qn_message()));
    qn__arena_release(&arena);
    return answer;
}

static int rewrite_all(void)
{
    int failed = 0;
    for (int i = 0; i < n_cases; i++) {
        bool as_expected = false;
        char *const answer = current_answer(&cases[i], &as_expected);
        const bool written = as_expected && qn__file_write_atomic(cases[i].golden, answer,
                                                                  strlen(answer), 0644) == QN_OK;
        if (!written)
            fprintf(stderr, "%s: %s\n", cases[i].source,
                    !as_expected && answer ? answer : qn_message());
        failed |= !written;
        free(answer);
    }
    return failed;
}

START_TEST(a_source_gives_its_golden_text_or_diagnostics)
{
    const struct golden *const g = &cases[_i];
    bool as_expected = false;
    char *golden = NULL;
    size_t n;
    char *const answer = current_answer(g, &as_expected);
    ck_assert_msg(as_expected, "%s: %s", g->source, answer);
    ck_assert_msg(qn__file_read(&golden, &n, g->golden, LIMIT) == QN_OK, "%s", qn_message());
    ck_assert_msg(strcmp(golden, answer) == 0, "%s differs from the answer now:\n%s", g->golden,
                  answer);
    free(golden);
    free(answer);
}
END_TEST

START_TEST(an_unknown_profile_and_an_unknown_option_are_refused_by_name)
{
    struct qn__arena arena = {0};
    struct qn__translate_result r;
    const struct qn__source_file file = {"a.cu", "", 0};
    const char *const option = "--frobnicate";
    struct qn__translate_request request = {.files = &file, .n_files = 1, .profile = "toaster"};
    ck_assert_int_eq(qn__translate(&r, &arena, &request), QN_E_INVALID);
    ck_assert_msg(strstr(qn_message(), "toaster") != NULL, "%s", qn_message());
    request.profile = NULL;
    request.options = &option;
    request.n_options = 1;
    ck_assert_int_eq(qn__translate(&r, &arena, &request), QN_E_INVALID);
    ck_assert_msg(strstr(qn_message(), option) != NULL, "%s", qn_message());
    qn__arena_release(&arena);
}
END_TEST

START_TEST(a_missing_clang_is_named)
{
    struct qn__arena arena = {0};
    struct qn__translate_result r;
    const struct qn__source_file file = {"a.cu", "", 0};
    const struct qn__translate_request request = {
        .files = &file, .n_files = 1, .clang = "no-such-clang"};
    ck_assert_int_eq(qn__translate(&r, &arena, &request), QN_E_COMPILER);
    ck_assert_msg(strstr(qn_message(), "no-such-clang") != NULL, "%s", qn_message());
    qn__arena_release(&arena);
}
END_TEST

START_TEST(the_identity_names_translator_clang_and_llvm)
{
    struct qn__arena arena = {0};
    const char *identity;
    ck_assert_msg(qn__translate_identity(&identity, &arena, NULL) == QN_OK, "%s", qn_message());
    ck_assert_msg(qn__starts_with(identity, "quern-translate ") && strstr(identity, "clang ") &&
                      strstr(identity, "LLVM "),
                  "%s", identity);
    qn__arena_release(&arena);
}
END_TEST

static const char reflected_source[] =
    "__constant__ int table[3] = {1, 2, 3};\n"
    "extern __shared__ float scratch[];\n"
    "struct pair { char tag; double value; };\n"
    "template <typename T> __global__ void __launch_bounds__(96)\n"
    "k(T *out, const T *in, pair p, bool flag)\n"
    "{ __shared__ T s[8]; s[threadIdx.x & 7] = in[0]; __syncthreads();\n"
    "  scratch[threadIdx.x] = s[0] + table[threadIdx.x % 3] + p.value;\n"
    "  out[threadIdx.x] = flag ? scratch[threadIdx.x] : 0; }\n";

START_TEST(reflection_has_arguments_hidden_arguments_and_initial_values)
{
    struct qn__arena arena = {0};
    struct qn__translate_result r;
    const struct qn__source_file file = {"a.cu", reflected_source, sizeof reflected_source - 1};
    const char *const names[] = {"k<float>", "&table"};
    const struct qn__translate_request request = {
        .files = &file, .n_files = 1, .names = names, .n_names = 2};
    ck_assert_msg(qn__translate(&r, &arena, &request) == QN_OK, "%s", r.diagnostics);
    ck_assert_uint_eq(r.reflection.n_kernels, 1);
    const struct qn__kernel *const k = &r.reflection.kernels[0];
    ck_assert_str_eq(k->info.name, "k_float");
    ck_assert_str_eq(k->info.expression, "k<float>");
    ck_assert_uint_eq(k->info.n_args, 4);
    ck_assert_str_eq(k->info.args[1].type, "const float *");
    ck_assert_int_eq(k->info.args[1].kind, QN_ARG_POINTER);
    ck_assert_uint_eq(k->info.args[2].size_bytes, 16);
    ck_assert_uint_eq(k->info.args[2].align_bytes, 8);
    ck_assert_uint_eq(k->info.args[3].size_bytes, 1);
    ck_assert_uint_eq(k->info.static_shared_bytes, 32);
    ck_assert_uint_eq(k->info.block_threads_max, 96);
    ck_assert(k->has_barrier);
    ck_assert_uint_eq(k->n_hidden, 2);
    ck_assert_uint_eq(r.reflection.n_globals, 1);
    ck_assert_str_eq(r.reflection.globals[0].name, "table");
    ck_assert(r.reflection.globals[0].is_constant);
    ck_assert_uint_eq(r.reflection.globals[0].size_bytes, 12);
    const int values[3] = {1, 2, 3};
    ck_assert_mem_eq(r.reflection.globals[0].init, values, sizeof values);
    ck_assert(strstr(r.reflect_json, "\"k<float>\"") != NULL);
    qn__arena_release(&arena);
}
END_TEST

START_TEST(variables_of_one_name_are_told_apart_and_structs_bring_pointers)
{
    static const char source[] = "namespace a { __device__ int x = 1; }\n"
                                 "namespace { __device__ int y = 2; }\n"
                                 "__device__ int x = 3;\n"
                                 "template <int N> __device__ int z = N;\n"
                                 "struct view { int *p; int n; };\n"
                                 "extern \"C\" __global__ void k(view v)\n"
                                 "{ v.p[0] = a::x++ + y++ + x++ + z<2>++ + z<3>++; }\n";
    static const char *const names[] = {"a::x", "y", "x", "_Z1zILi2EE", "_Z1zILi3EE"};
    enum { N = sizeof names / sizeof *names };
    struct qn__arena arena = {0};
    struct qn__translate_result r;
    const struct qn__source_file file = {"a.cu", source, sizeof source - 1};
    const struct qn__translate_request request = {.files = &file, .n_files = 1};
    ck_assert_msg(qn__translate(&r, &arena, &request) == QN_OK, "%s", r.diagnostics);
    ck_assert_uint_eq(r.reflection.n_globals, N);
    for (unsigned i = 0; i < N; i++)
        ck_assert_str_eq(r.reflection.globals[i].name, names[i]);
    ck_assert(r.reflection.kernels[0].has_indirect_pointers);
    qn__arena_release(&arena);
}
END_TEST

START_TEST(kernels_of_one_name_have_expressions_that_tell_them_apart)
{
    static const char source[] =
        "namespace ns { struct pair { int a, b; }; __global__ void bump(char *x) { *x = 3; } }\n"
        "__global__ void bump(float *x) { *x = 1; }\n"
        "__global__ void bump(const ns::pair *const x, int &y) { y = x->a; }\n"
        "__global__ void bump() {}\n"
        "template <class T> __global__ void scale(T *x) { *x *= 2; }\n"
        "template <class T> __global__ void scale(T *x, ns::pair p) { *x *= p.a; }\n"
        "template __global__ void scale(int *);\n"
        "template __global__ void scale(int *, ns::pair);\n"
        "extern \"C\" __global__ void alone(int *x) { *x = 0; }\n";
    static const char *const expressions[] = {
        "ns::bump", "bump(float *)",     "bump(const ns::pair *, int &)",
        "bump()",   "scale<int>(int *)", "scale<int>(int *, ns::pair)",
        "alone"};
    enum { N = sizeof expressions / sizeof *expressions };
    struct qn__arena arena = {0};
    struct qn__translate_result r, again;
    const struct qn__source_file file = {"a.cu", source, sizeof source - 1};
    struct qn__translate_request request = {.files = &file, .n_files = 1};
    ck_assert_msg(qn__translate(&r, &arena, &request) == QN_OK, "%s", r.diagnostics);
    ck_assert_uint_eq(r.reflection.n_kernels, N);
    for (unsigned i = 0; i < N; i++)
        ck_assert_str_eq(r.reflection.kernels[i].info.expression, expressions[i]);
    request.names = expressions; /* each is a name expression that means the same kernel */
    request.n_names = N;
    ck_assert_msg(qn__translate(&again, &arena, &request) == QN_OK, "%s", again.diagnostics);
    ck_assert_str_eq(again.text, r.text);
    qn__arena_release(&arena);
}
END_TEST

static const struct {
    const char *name, *source, *option, *profile;
    const char *says; /* the last of the build options; NULL: nothing of registers */
} bounds[] = {
    {"the bound of the only kernel", "__launch_bounds__(256, 2) k(int *o) { o[0] = 1; }", "-O3",
     "nvidia", "=128"},
    {"no more than a thread can have", "__launch_bounds__(64) k(int *o) { o[0] = 1; }", "-O3",
     "nvidia", "=255"},
    {"a multiple of eight", "__launch_bounds__(96, 6) k(int *o) { o[0] = 1; }", "-O3", "nvidia",
     "=112"},
    {"the stricter of two kernels",
     "__launch_bounds__(256) k(int *o) { o[0] = 1; }\n"
     "extern \"C\" __global__ void __launch_bounds__(512) l(int *o) { o[0] = 2; }",
     "-O3", "nvidia", "=128"},
    {"nothing with a kernel that has no bound",
     "__launch_bounds__(256) k(int *o) { o[0] = 1; }\n"
     "extern \"C\" __global__ void l(int *o) { o[0] = 2; }",
     "-O3", "nvidia", NULL},
    {"nothing without bounds", "k(int *o) { o[0] = 1; }", "-O3", "nvidia", NULL},
    {"the option of the command", "k(int *o) { o[0] = 1; }", "-maxrregcount=40", "nvidia", "=40"},
    {"the option below the bound", "__launch_bounds__(256) k(int *o) { o[0] = 1; }",
     "-maxrregcount=64", "nvidia", "=64"},
    {"nothing for other drivers", "__launch_bounds__(256) k(int *o) { o[0] = 1; }", "-O3",
     "portable", NULL},
};

START_TEST(launch_bounds_reach_nvidias_opencl_as_a_build_option)
{
    static const char option[] = "-cl-nv-maxrregcount";
    char source[512];
    const int n =
        snprintf(source, sizeof source, "extern \"C\" __global__ void %s\n", bounds[_i].source);
    struct qn__arena arena = {0};
    struct qn__translate_result r;
    const struct qn__source_file file = {"a.cu", source, (size_t)n};
    const struct qn__translate_request request = {.files = &file,
                                                  .n_files = 1,
                                                  .profile = bounds[_i].profile,
                                                  .options = &bounds[_i].option,
                                                  .n_options = 1};
    ck_assert_msg(qn__translate(&r, &arena, &request) == QN_OK, "%s: %s", bounds[_i].name,
                  r.diagnostics);
    const char *const at = strstr(r.reflection.build_options, option);
    ck_assert_msg(bounds[_i].says ? at && qn__equal(at + strlen(option), bounds[_i].says) : !at,
                  "%s: %s", bounds[_i].name, r.reflection.build_options);
    ck_assert_msg(!at == !strstr(r.explain_json, "launch bounds"), "%s: %s", bounds[_i].name,
                  r.explain_json);
    qn__arena_release(&arena);
}
END_TEST

START_TEST(fast_math_contracts_no_more_than_the_text_allows)
{
    static const char source[] = "extern \"C\" __global__ void k(float *o, float x)\n"
                                 "{ o[0] = __fmul_rn(x, x) + x; }\n";
    static const char *const options[] = {"-use_fast_math", "-fmad=false"};
    struct qn__arena arena = {0};
    struct qn__translate_result r;
    const struct qn__source_file file = {"a.cu", source, sizeof source - 1};
    const struct qn__translate_request request = {.files = &file,
                                                  .n_files = 1,
                                                  .profile = "portable",
                                                  .options = options,
                                                  .n_options = (uint32_t)_i + 1};
    ck_assert_msg(qn__translate(&r, &arena, &request) == QN_OK, "%s", r.diagnostics);
    ck_assert_str_eq(r.reflection.build_options, "-cl-std=CL1.2 -cl-denorms-are-zero");
    ck_assert_ptr_nonnull(strstr(r.text, _i ? "FP_CONTRACT OFF\n\n" : "FP_CONTRACT ON\n\n"));
    qn__arena_release(&arena);
}
END_TEST

static const struct {
    const char *source, *says; /* NULL: nothing */
} dialect[] = {
    {"__global__ void k(int *p) { *p = 1; }\nvoid h() { k << <1, 32 >> > (0); k<<<1, 2>> >(0); }",
     "a.cu:2:17: warning: blanks in the brackets of a launch"},
    {"__global__ void k(int *restrict p, const int * restrict q)\n{ *p = *q; int restrict = 3; }",
     "a.cu:1:24: warning: restrict is no word of C++"},
    {"template <class T> struct c { template <int n> __device__ static void to(T *p) { *p = n; } "
     "};\n"
     "template <class T> __device__ void f(T *p) { c<T>::to<3>(p); c<T>::to<4>(p + 1); }\n"
     "__global__ void k(int *p) { f(p); }",
     "a.cu:2:46: warning: missing 'template' keyword"},
    {"__global__ void k(int *p) { if (*p < 0) goto out; int a = *p; p[1] = a; out: *p = 0; }\n"
     "int h(int n) { if (n) goto out; dim3 b(n); k<<<1, b>>>(0); out: return 0; }",
     "a.cu:1:41: warning: this goto skips the initialisation of a variable"},
    {"__global__ void k(int *p) { struct { char a; } s = {300}, t{p[0]}; *p = s.a + t.a; }", NULL},
    {"__global__ void k(float *p) { *p = std::sqrt(*p) + std::abs(*p); }", NULL},
    {"struct s { int a; };\n__global__ void k(int *p) { char m[4]; *p = (new (m) s{3})->a; }",
     NULL},
};

/* Before C++20 the attribute is one that NVIDIA's compiler does not know. */
START_TEST(an_empty_member_takes_room_as_in_nvidias_compiler)
{
    static const char source[] =
        "struct empty {};\nstruct pair { [[no_unique_address]] empty e; int a; };\n"
        "#if __has_cpp_attribute(no_unique_address)\n#define KNOWN 1\n#else\n#define KNOWN "
        "0\n#endif\n"
        "__global__ void k(int *p) { *p = 10 * sizeof(pair) + KNOWN; }";
    const char *const option = _i ? "-std=c++20" : "-std=c++17";
    struct qn__arena arena = {0};
    struct qn__translate_result r;
    const struct qn__source_file file = {"a.cu", source, sizeof source - 1};
    const struct qn__translate_request request = {
        .files = &file, .n_files = 1, .options = &option, .n_options = 1};
    ck_assert_msg(qn__translate(&r, &arena, &request) == QN_OK, "%s", r.diagnostics);
    ck_assert_msg(strstr(r.text, _i ? "= 41;" : "= 80;") != NULL, "%s", r.text);
    ck_assert_int_eq(strstr(r.diagnostics, "warning: unknown attribute") != NULL, !_i);
    qn__arena_release(&arena);
}
END_TEST

START_TEST(what_only_nvidias_compiler_takes_is_read_as_it_reads_it)
{
    const char *const silent = "-w", *const source = dialect[_i].source;
    struct qn__arena arena = {0};
    struct qn__translate_result r;
    const struct qn__source_file file = {"a.cu", source, strlen(source)};
    struct qn__translate_request request = {.files = &file, .n_files = 1, .options = &silent};
    ck_assert_msg(qn__translate(&r, &arena, &request) == QN_OK, "%s", r.diagnostics);
    ck_assert_msg(!dialect[_i].says || strstr(r.diagnostics, dialect[_i].says), "%s",
                  r.diagnostics);
    ck_assert_uint_eq(r.machine.n_headers, 0);
    request.n_options = 1;
    ck_assert_msg(qn__translate(&r, &arena, &request) == QN_OK, "%s", r.diagnostics);
    ck_assert_str_eq(r.diagnostics, "");
    qn__arena_release(&arena);
}
END_TEST

/* A file's second kernel is what no OpenCL has, in every way that it can be found out: while clang
 * reads, by a pass over the module, in a device function, in a table. */
static const struct {
    const char *name, *before, *body, *says;
    qn_status alone; /* of a request for it */
} refused[] = {
    {"a clock", "__device__ long before;", "long *o) { o[0] = before = clock64();",
     "a clock inside", QN_E_UNSUPPORTED},
    {"inline PTX in a function", "__device__ void f() { asm volatile(\"mbarrier.x;\"); }",
     "int *o) { f(); o[0] = 1;", "inline PTX", QN_E_UNSUPPORTED},
    {"a function that is not there", "__device__ int f(int);", "int *o) { o[0] = f(1);",
     "f is declared and not defined", QN_E_UNSUPPORTED},
    {"a table with a NaN of its own bits",
     "__device__ const float numbers[2] = {__builtin_nanf(\"1\"), 2.0f};",
     "int *o) { o[0] = (int)numbers[o[1]];", "a constant table", QN_E_UNSUPPORTED},
    {"too many arguments", "struct large { char bytes[40000]; };",
     "int *o, large l) { o[0] = l.bytes[o[1]];", "bytes of arguments", QN_E_UNSUPPORTED},
    {"an unknown function", "", "int *o) { o[0] = __nowhere(o[1]);", "__nowhere", QN_E_COMPILE},
    {"an unknown function in a function",
     "template <class T> __device__ T f(T x)\n"
     "{ if (x < 0) return __nowhere(x); return x; }",
     "int *o) { o[0] = f(o[1]);", "__nowhere", QN_E_COMPILE},
    {"tensor cores that read by themselves", "",
     "int *o) { asm volatile(\"wgmma.fence.sync.aligned;\"); o[0] = 1;", "tensor cores",
     QN_E_UNSUPPORTED},
    {"cuRAND", "#include <curand_kernel.h>\n",
     "curandStateMtgp32 *s, float *o) { o[0] = curand_uniform(s);", "MTGP32", QN_E_UNSUPPORTED},
    {"a launch", "__global__ void l(int *o) { o[0] = 1; }", "int *o) { l<<<1, 1>>>(o);",
     "cannot launch kernels", QN_E_COMPILE},
};

/* With -keep-going, and where another kernel is asked for, the result is what it would be without
 * it; and the kernel itself gets the error that it always got. */
START_TEST(a_kernel_that_is_refused_stops_no_other)
{
    static const char other[] = "extern \"C\" __global__ void good(int *o) { o[0] = 1; }\n";
    const char *const option = "-keep-going", *const good = "good", *const bad = "bad";
    struct qn__arena arena = {0};
    struct qn__translate_result r;
    const char *const text =
        qn__arena_printf(&arena, "%s%s\nextern \"C\" __global__ void bad(%s }\n", other,
                         refused[_i].before, refused[_i].body);
    const struct qn__source_file file = {"a.cu", text, strlen(text)};
    for (int i = 0; i < 2; i++) {
        const struct qn__translate_request request = {.files = &file,
                                                      .n_files = 1,
                                                      .options = &option,
                                                      .n_options = i == 0,
                                                      .names = &good,
                                                      .n_names = i == 1};
        ck_assert_msg(qn__translate(&r, &arena, &request) == QN_OK, "%s: %s", refused[_i].name,
                      r.diagnostics);
        ck_assert_ptr_nonnull(strstr(r.text, "void good("));
        ck_assert_ptr_null(strstr(r.text, "bad"));
        ck_assert_uint_eq(r.reflection.n_globals, 0);
        ck_assert_msg(strstr(r.diagnostics, refused[_i].says) != NULL, "%s: %s", refused[_i].name,
                      r.diagnostics);
        ck_assert_ptr_nonnull(strstr(r.diagnostics, "bad is left out"));
        ck_assert_ptr_null(strstr(r.diagnostics, "error: "));
    }
    const struct qn__translate_request request = {
        .files = &file, .n_files = 1, .names = &bad, .n_names = 1};
    ck_assert_int_eq(qn__translate(&r, &arena, &request), refused[_i].alone);
    ck_assert_ptr_nonnull(strstr(r.diagnostics, refused[_i].says));
    ck_assert_ptr_nonnull(strstr(r.diagnostics, "error: "));
    qn__arena_release(&arena);
}
END_TEST

START_TEST(keep_going_leaves_out_what_is_refused_and_says_so)
{
    static const char source[] =
        "extern \"C\" __global__ void good(int *o) { o[0] = 1; }\n"
        "extern \"C\" __global__ void bad(long *o) { o[0] = clock64(); }\n";
    struct qn__arena arena = {0};
    struct qn__translate_result r;
    const struct qn__source_file file = {"a.cu", source, sizeof source - 1};
    const char *const option = "-keep-going";
    struct qn__translate_request request = {.files = &file, .n_files = 1};
    ck_assert_int_eq(qn__translate(&r, &arena, &request), QN_E_UNSUPPORTED);
    request.options = &option;
    request.n_options = 1;
    ck_assert_msg(qn__translate(&r, &arena, &request) == QN_OK, "%s", r.diagnostics);
    ck_assert(strstr(r.text, "void good(") != NULL);
    ck_assert(strstr(r.text, "bad") == NULL);
    ck_assert_uint_eq(r.reflection.n_kernels, 1);
    ck_assert_msg(strstr(r.diagnostics, "a clock inside") &&
                      strstr(r.diagnostics, "bad is left out"),
                  "%s", r.diagnostics);
    qn__arena_release(&arena);
}
END_TEST

/* All instances of a template are refused at one place, which is named once, and others past the
 * number of errors that are printed. */
START_TEST(each_kernel_that_is_left_out_says_why)
{
    struct qn__arena arena = {0};
    struct qn__translate_result r;
    struct qn__str source = {0};
    qn__str_add(&source, "template <int N> __global__ void t(long *o) { o[N] = clock64(); }\n"
                         "template __global__ void t<1>(long *);\n"
                         "template __global__ void t<2>(long *);\n"
                         "extern \"C\" __global__ void good(int *o) { o[0] = 1; }\n");
    for (unsigned i = 0; i < 60; i++)
        qn__str_printf(&source, "__global__ void k%u(long *o) { o[0] = clock64(); }\n", i);
    const struct qn__source_file file = {"a.cu", source.text, source.len};
    const char *const option = "-keep-going";
    const struct qn__translate_request request = {
        .files = &file, .n_files = 1, .options = &option, .n_options = 1};
    ck_assert_msg(qn__translate(&r, &arena, &request) == QN_OK, "%s", r.diagnostics);
    static const char *const said[] = {
        "a.cu:1:1: warning: kernel t_1 is left out of the translation: a.cu:1:54: clock64: a clock",
        "a.cu:1:1: warning: kernel t_2 is left out of the translation: a.cu:1:54: clock64: a clock",
        "a.cu:64:1: warning: kernel k59 is left out of the translation: a.cu:64:39: clock64: a "
        "clock"};
    for (size_t i = 0; i < sizeof said / sizeof *said; i++)
        ck_assert_msg(strstr(r.diagnostics, said[i]) != NULL, "%s", said[i]);
    qn__str_release(&source);
    qn__arena_release(&arena);
}
END_TEST

START_TEST(explanations_and_reflection_are_made_whatever_they_quote)
{
    static const char source[] =
        "#include <cassert>\n"
        "extern \"C\" __global__ void k(const char *p) { assert(p[0] != '\\\\' && \"\\\"\"); }\n";
    struct qn__arena arena = {0};
    struct qn__translate_result r;
    const struct qn__source_file file = {"a \"\xff.cu", source, sizeof source - 1};
    const struct qn__translate_request request = {.files = &file, .n_files = 1};
    ck_assert_msg(qn__translate(&r, &arena, &request) == QN_OK, "%s: %s", qn_message(),
                  r.diagnostics);
    ck_assert_msg(strstr(r.explain_json, "a \\\"?.cu") != NULL, "%s", r.explain_json);
    qn__arena_release(&arena);
}
END_TEST

/* Such a path goes by flags, which need structured flow. */
START_TEST(a_path_to_a_barrier_beside_irreducible_flow_is_warned_about)
{
    static const char source[] =
        "extern \"C\" __global__ void run(int *out, const int *in, int n)\n"
        "{ __shared__ int box[32]; int tid = threadIdx.x, sum = tid, k = 0;\n"
        "  box[tid] = in[tid] & 3; if (n & 1) goto middle;\n"
        "top: sum += k;\n"
        "middle: k++; if (k < n) goto top;\n"
        "  if (n > 5) {\n"
        "    __syncthreads();\n"
        "    if (box[31 - tid] == 2) { if (n == 60) sum = 100; else out[0] = sum; } }\n"
        "  out[tid] = sum; }\n";
    struct qn__arena arena = {0};
    struct qn__translate_result r;
    translate_text(&r, &arena, source);
    ck_assert_msg(strstr(r.diagnostics, "a.cu:6:7: warning: a barrier on this path") != NULL, "%s",
                  r.diagnostics);
    qn__arena_release(&arena);
}
END_TEST

/* No CUDA source makes some of these, but LLVM's passes may. */
static const struct {
    const char *name, *body, *text;
} truths[] = {
    {"to 16 bits", "%w = sext i1 %c to i16 store i16 %w, ptr %out", "= (short)(a < 5 ? -1 : 0);"},
    {"to 32 bits", "%w = sext i1 %c to i32 store i32 %w, ptr %out", "= a < 5 ? -1 : 0;"},
    {"to 64 bits", "%w = sext i1 %c to i64 store i64 %w, ptr %out", "= (long)(a < 5 ? -1 : 0);"},
    {"a sum of 64 bits",
     "%w = sext i1 %c to i64 %l = load i64, ptr %out %s = add i64 %w, %l store i64 %s, ptr %out",
     "(a < 5 ? -1 : 0)"},
    {"to a float", "%w = sitofp i1 %c to float store float %w, ptr %out", "= (float)-(a < 5);"},
};

START_TEST(a_truth_value_with_a_sign_is_minus_one)
{
    char ir[512], *message = NULL;
    const int n = snprintf(ir, sizeof ir,
                           "target datalayout = \"e-i64:64-i128:128-v16:16-v32:32-n16:32:64\"\n"
                           "define void @k(ptr %%out, i32 %%a) {\n"
                           "  %%c = icmp slt i32 %%a, 5\n  %s\n  ret void\n}\n",
                           truths[_i].body);
    const LLVMContextRef context = LLVMContextCreate();
    LLVMModuleRef module;
    ck_assert_msg(!LLVMParseIRInContext(
                      context, LLVMCreateMemoryBufferWithMemoryRangeCopy(ir, (size_t)n, "ir"),
                      &module, &message),
                  "%s: %s", truths[_i].name, message);
    const LLVMMemoryBufferRef bitcode = LLVMWriteBitcodeToMemoryBuffer(module);
    struct qn__arena arena = {0};
    struct qn__translate_result r;
    const struct qn__source_file file = {"a.cu", "", 0};
    const struct qn__translate_request request = {.files = &file,
                                                  .n_files = 1,
                                                  .bitcode = LLVMGetBufferStart(bitcode),
                                                  .bitcode_bytes = LLVMGetBufferSize(bitcode)};
    ck_assert_msg(qn__translate(&r, &arena, &request) == QN_OK, "%s", r.diagnostics);
    ck_assert_msg(strstr(r.text, truths[_i].text) != NULL, "%s: %s", truths[_i].name, r.text);
    qn__arena_release(&arena);
    LLVMDisposeMemoryBuffer(bitcode);
    LLVMDisposeModule(module);
    LLVMContextDispose(context);
}
END_TEST

START_TEST(a_loop_that_waits_for_another_thread_is_warned_about)
{
    static const char source[] =
        "__device__ volatile int flag; __device__ int lock;\n"
        "extern \"C\" __global__ void waits(int *p)\n"
        "{ if (blockIdx.x) while (!flag) __threadfence(); else flag = 1;\n"
        "  while (atomicCAS(&lock, 0, 1)) {}\n"
        "  p[0]++; atomicExch(&lock, 0); }\n"
        "extern \"C\" __global__ void goes_on(unsigned *p)\n"
        "{ unsigned old = *p, seen; do { seen = old; old = atomicCAS(p, seen, seen * 3); }\n"
        "  while (seen != old); }\n"
        "extern \"C\" __global__ void waits_for_a_warp(int *p)\n"
        "{ bool held = true; while (held) {\n"
        "    if (threadIdx.x % 32 == 0) held = (atomicOr(&lock, 1) & 1) != 0;\n"
        "    held = __shfl_sync(~0u, (int)held, 0); }\n"
        "  p[0]++; __threadfence(); if (threadIdx.x % 32 == 0) atomicAnd(&lock, 0); }\n"
        "extern \"C\" __global__ void takes_work(int *p, int n)\n"
        "{ int i = 0; while (i < n) {\n"
        "    if (threadIdx.x % 32 == 0) i = atomicAdd(&lock, 1);\n"
        "    i = __shfl_sync(~0u, i, 0); p[i] = 1; } }\n";
    struct qn__arena arena = {0};
    struct qn__translate_result r;
    translate_text(&r, &arena, source);
    ck_assert_msg(strstr(r.diagnostics, "a.cu:3:27: warning: this loop waits") != NULL, "%s",
                  r.diagnostics);
    ck_assert_msg(strstr(r.diagnostics, "a.cu:4:10: warning: this loop waits") != NULL, "%s",
                  r.diagnostics);
    ck_assert_msg(strstr(r.diagnostics, "a.cu:7:") == NULL, "%s", r.diagnostics);
    ck_assert_msg(strstr(r.diagnostics, "a.cu:11:") != NULL, "%s", r.diagnostics);
    ck_assert_msg(strstr(r.diagnostics, "a.cu:16:") == NULL, "%s", r.diagnostics);
    qn__arena_release(&arena);
}
END_TEST

/* Ten layers of functions, each of which calls the one below it eight times. */
START_TEST(a_kernel_that_inlining_would_blow_up_is_refused_at_once)
{
    static const char source[] =
        "#define L(a, b) __device__ int a(int v) { v += b(v + 1); v ^= b(v + 2); v += b(v + 3); "
        "\\\n"
        "v ^= b(v + 4); v += b(v + 5); v ^= b(v + 6); v += b(v + 7); return v + b(v + 8); }\n"
        "__device__ int f0(int v) { return v * v; }\n"
        "L(f1, f0) L(f2, f1) L(f3, f2) L(f4, f3) L(f5, f4) L(f6, f5) L(f7, f6) L(f8, f7) L(f9, "
        "f8)\n"
        "extern \"C\" __global__ void small(int *p) { p[0] = f1(p[0]); }\n"
        "extern \"C\" __global__ void large(int *p) { p[0] = f9(p[0]); }\n";
    struct qn__arena arena = {0};
    struct qn__translate_result r;
    const struct qn__source_file file = {"a.cu", source, sizeof source - 1};
    const char *const option = "-keep-going";
    struct qn__translate_request request = {.files = &file, .n_files = 1};
    ck_assert_int_eq(qn__translate(&r, &arena, &request), QN_E_UNSUPPORTED);
    ck_assert_msg(strstr(qn_message(), "a.cu:6:") && strstr(qn_message(), "instructions"), "%s",
                  qn_message());
    request.options = &option;
    request.n_options = 1;
    ck_assert_msg(qn__translate(&r, &arena, &request) == QN_OK, "%s", r.diagnostics);
    ck_assert(strstr(r.text, "void small(") != NULL && strstr(r.text, "large") == NULL);
    qn__arena_release(&arena);
}
END_TEST

/* ---- passes ---- */

static const struct pass {
    const char *level, *name, *when, *needs, *gives;
} passes[] = {
#define QN_PASS(level, name, function, when, needs, gives, breaks, text)                           \
    {#level, #name, #when, #needs, #gives},
#define QN_LLVM(name, list, needs, gives, breaks, text) {"MODULE", #name, "ALWAYS", #needs, #gives},
#include "compiler/passes.def"
};
enum { N_PASSES = sizeof passes / sizeof *passes };

static bool has_word(const char *list, const char *word, size_t n)
{
    for (const char *p = list; *p; p += strspn(p, " |")) {
        const size_t length = strcspn(p, " |");
        if (length == n && memcmp(p, word, n) == 0)
            return true;
        p += length;
    }
    return false;
}

static bool is_given_before(int pass, const char *fact, size_t n)
{
    if (has_word("UNFOLDED CALLS", fact, n))
        return true;
    for (int i = 0; i < pass; i++)
        if (has_word(passes[i].gives, fact, n))
            return true;
    return false;
}

START_TEST(every_pass_has_one_name_and_what_it_needs_is_given_before)
{
    static const char *const levels = "MODULE KERNEL TREE";
    const struct pass *const p = &passes[_i];
    for (int i = 0; i < _i; i++)
        ck_assert_msg(strcmp(passes[i].name, p->name) != 0, "%s stands there twice", p->name);
    for (const char *need = p->needs; *need && !qn__equal(p->needs, "0");
         need += strspn(need, " |")) {
        const size_t n = strcspn(need, " |");
        ck_assert_msg(is_given_before(_i, need, n), "%s needs %.*s, which no pass before it gives",
                      p->name, (int)n, need);
        need += n;
    }
    if (_i > 0)
        ck_assert_msg(strstr(levels, passes[_i - 1].level) <= strstr(levels, p->level),
                      "%s: MODULE, then KERNEL, then TREE", p->name);
}
END_TEST

static const char dumped_source[] =
    "extern \"C\" __global__ void first(int *out, int n)\n"
    "{ __shared__ int box[32]; int tid = threadIdx.x; if (tid >= n) return;\n"
    "  box[tid] = n; __syncthreads(); out[tid] = box[31 - tid]; }\n"
    "extern \"C\" __global__ void second(int *out) { *out = 2; }\n";

/* What a pass left is the text, at whichever level it runs, and nothing of what comes later. */
static const struct {
    const char *pass, *says, *says_too, *says_not;
} dumps[] = {
    {"ptx", "; module after ptx", "define dso_local void @first(ptr %out", "qn_fault"},
    {"inline", "; module after inline", "source_filename = \"a.cu\"", "qn_fault"},
    {"kernel_names", "; module after kernel_names", "@qn_fault", "__kernel"},
    {"address_spaces", "/* kernel first after address_spaces */", "ptr %out  [global]", "folded"},
    {"inline_values", "/* kernel second after inline_values */", "[folded]", "__kernel"},
    {"structure", "/* kernel first after structure */", "effect barrier(", "divergent"},
    {"quirk_guard_loop", "/* kernel second after quirk_guard_loop, which does not run for it */",
     "if active", "__kernel"},
    {"declare", "/* kernel first after declare */", "= get_local_id(0)  [declares", "__kernel"},
};

START_TEST(what_a_pass_left_can_be_shown)
{
    struct qn__arena arena = {0};
    struct qn__translate_result r;
    const struct qn__source_file file = {"a.cu", dumped_source, sizeof dumped_source - 1};
    char option[64];
    const char *const options[] = {option};
    snprintf(option, sizeof option, "-dump-after=%s", dumps[_i].pass);
    const struct qn__translate_request request = {
        .files = &file, .n_files = 1, .options = options, .n_options = 1};
    ck_assert_msg(qn__translate(&r, &arena, &request) == QN_OK, "%s: %s", qn_message(),
                  r.diagnostics);
    ck_assert_msg(strstr(r.text, dumps[_i].says) != NULL, "%s: %.3000s", dumps[_i].pass, r.text);
    ck_assert_msg(strstr(r.text, dumps[_i].says_too) != NULL, "%s: %.3000s", dumps[_i].pass,
                  r.text);
    ck_assert_msg(strstr(r.text, dumps[_i].says_not) == NULL, "%s: %.3000s", dumps[_i].pass,
                  r.text);
    qn__arena_release(&arena);
}
END_TEST

START_TEST(a_dump_after_no_pass_is_refused_with_passes_that_begin_alike)
{
    struct qn__arena arena = {0};
    struct qn__translate_result r;
    const struct qn__source_file file = {"a.cu", "", 0};
    const char *const option = "-dump-after=flattens";
    const struct qn__translate_request request = {
        .files = &file, .n_files = 1, .options = &option, .n_options = 1};
    ck_assert_int_eq(qn__translate(&r, &arena, &request), QN_E_INVALID);
    ck_assert_msg(strstr(qn_message(), "no pass is called flattens") != NULL, "%s", qn_message());
    ck_assert_ptr_null(r.text);
    for (int i = 0; i < N_PASSES; i++)
        ck_assert_msg(passes[i].name[0] != 'f' || strstr(qn_message(), passes[i].name), "%s: %s",
                      passes[i].name, qn_message());
    qn__arena_release(&arena);
}
END_TEST

static Suite *suite(void)
{
    Suite *const s = suite_create("compiler");
    TCase *const t = tcase_create("translate");
    tcase_set_timeout(t, 60);
    tcase_add_loop_test(t, a_source_gives_its_golden_text_or_diagnostics, 0, n_cases);
    tcase_add_test(t, an_unknown_profile_and_an_unknown_option_are_refused_by_name);
    tcase_add_test(t, a_missing_clang_is_named);
    tcase_add_test(t, the_identity_names_translator_clang_and_llvm);
    tcase_add_test(t, reflection_has_arguments_hidden_arguments_and_initial_values);
    tcase_add_test(t, variables_of_one_name_are_told_apart_and_structs_bring_pointers);
    tcase_add_loop_test(t, launch_bounds_reach_nvidias_opencl_as_a_build_option, 0,
                        (int)(sizeof bounds / sizeof *bounds));
    tcase_add_loop_test(t, a_truth_value_with_a_sign_is_minus_one, 0,
                        (int)(sizeof truths / sizeof *truths));
    tcase_add_test(t, a_loop_that_waits_for_another_thread_is_warned_about);
    tcase_add_test(t, a_path_to_a_barrier_beside_irreducible_flow_is_warned_about);
    tcase_add_test(t, a_kernel_that_inlining_would_blow_up_is_refused_at_once);
    tcase_add_test(t, explanations_and_reflection_are_made_whatever_they_quote);
    tcase_add_loop_test(t, fast_math_contracts_no_more_than_the_text_allows, 0, 2);
    tcase_add_loop_test(t, every_pass_has_one_name_and_what_it_needs_is_given_before, 0, N_PASSES);
    tcase_add_loop_test(t, what_a_pass_left_can_be_shown, 0, (int)(sizeof dumps / sizeof *dumps));
    tcase_add_test(t, a_dump_after_no_pass_is_refused_with_passes_that_begin_alike);
    tcase_add_loop_test(t, an_empty_member_takes_room_as_in_nvidias_compiler, 0, 2);
    tcase_add_loop_test(t, what_only_nvidias_compiler_takes_is_read_as_it_reads_it, 0,
                        (int)(sizeof dialect / sizeof *dialect));
    tcase_add_loop_test(t, a_kernel_that_is_refused_stops_no_other, 0,
                        (int)(sizeof refused / sizeof *refused));
    tcase_add_test(t, keep_going_leaves_out_what_is_refused_and_says_so);
    tcase_add_test(t, each_kernel_that_is_left_out_says_why);
    tcase_add_test(t, kernels_of_one_name_have_expressions_that_tell_them_apart);
    suite_add_tcase(s, t);
    return s;
}

/* Translate a file of LLVM bitcode (tests/compiler/stress.sh makes random ones): nothing but a
 * crash is wrong. */
static int try_bitcode(const char *path)
{
    struct qn__arena arena = {0};
    struct qn__translate_result r;
    const struct qn__source_file file = {"random.cu", "", 0};
    struct qn__translate_request request = {.files = &file, .n_files = 1};
    char *bytes = NULL;
    if (qn__file_read(&bytes, &request.bitcode_bytes, path, LIMIT) != QN_OK)
        return 1;
    request.bitcode = bytes;
    printf("%s %s\n", path, qn_status_name(qn__translate(&r, &arena, &request)));
    if (r.text && getenv("SHOW"))
        printf("%s", r.text);
    else if (r.diagnostics && getenv("SHOW"))
        printf("%s", r.diagnostics);
    qn__arena_release(&arena);
    free(bytes);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc > 2 && strcmp(argv[1], "--bitcode") == 0)
        return try_bitcode(argv[2]);
    find_cases("tests/compiler/ok", ".cu", "tests/compiler/ok", ".cl");
    find_cases("tests/compiler/err", ".cu", "tests/compiler/err", ".txt");
    find_cases("tests/compiler/kernels", ".cl", "kernels", ".cl");
    if (argc > 2 && strcmp(argv[1], "--print") == 0)
        return print_one(argc, argv);
    if (argc > 1 && strcmp(argv[1], "--golden") == 0)
        return rewrite_all();
    SRunner *const runner = srunner_create(suite());
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
