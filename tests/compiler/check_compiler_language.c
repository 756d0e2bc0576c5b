/* SPDX-License-Identifier: Apache-2.0
 *
 * Another language is a second file: three kernels spelled as plain C for a block of one work-item,
 * compiled by clang, run, and compared with the references of kernels/ref/.
 *
 * The language is here and not in compiler/lang/: it knows what these kernels need, and what it
 * does not know becomes a name that no compiler finds.
 *
 * covers: compiler/lang/spell compiler/lang/spell_type compiler/lang/opencl_c compiler/translate */
#include "base/error.h"
#include "base/file.h"
#include "compiler/frontend/clang.h"
#include "compiler/lang/form.h"
#include "kernels/ref/ref.h"

#include <check.h>
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- plain C, with clang's vectors ---- */

static const char prelude[] =
    "#include <limits.h>\n#include <math.h>\n#include <stdbool.h>\n"
    "typedef unsigned char uchar;\ntypedef unsigned short ushort;\n"
    "typedef unsigned int uint;\ntypedef unsigned long ulong;\n"
    "unsigned long group, n_groups;\n"
    "#define QN_MIN(T, x, y) ({T x_ = (x), y_ = (y); x_ < y_ ? x_ : y_;})\n"
    "#define QN_MAX(T, x, y) ({T x_ = (x), y_ = (y); x_ > y_ ? x_ : y_;})\n"
    "#define QN_AS(T, x) ({__auto_type from_ = (x); T to_; "
    "__builtin_memcpy(&to_, &from_, sizeof to_); to_;})\n\n";

static const char *scalar(const struct qn__type *t)
{
    if (t->kind == QN__FLOAT)
        return t->bits == 16 ? "_Float16" : t->bits == 32 ? "float" : "double";
    return qn__opencl_c.scalar(t);
}

static const char *const spaces[] = {
    [QN__SPACE_UNKNOWN] = "", [QN__PRIVATE] = "",        [QN__GLOBAL] = "",
    [QN__LOCAL] = "",         [QN__CONSTANT] = "const ", [QN__SPACE_MIXED] = "",
};

/* What C calls LLVM's own functions, of floats; CUDA's have C's names. */
static const char *function_name(const char *name)
{
    static const char *const all[][2] = {{"llvm.fabs.", "fabsf"},
                                         {"llvm.sqrt.", "sqrtf"},
                                         {"llvm.fma.", "fmaf"},
                                         {"llvm.minnum.", "fminf"},
                                         {"llvm.maxnum.", "fmaxf"}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (qn__equal(name, all[i][0]))
            return all[i][1];
    return name;
}

static void call(struct qn__unit *u, const char *name, const struct qn__node *n,
                 struct qn__str *out)
{
    qn__str_printf(out, "%s(", name);
    qn__spell_arguments(u, n, out);
    qn__str_add_char(out, ')');
}

static void typed_call(struct qn__unit *u, const char *name, const struct qn__node *n,
                       struct qn__str *out)
{
    qn__str_printf(out, "%s(%s, ", name, qn__type_text(u, n->type));
    qn__spell_arguments(u, n, out);
    qn__str_add_char(out, ')');
}

static void spell_builtin(struct qn__unit *u, const struct qn__node *n, struct qn__str *out)
{
    const char *const name = n->builtin->name;
    if (qn__equal(name, "llvm.umin.") || qn__equal(name, "llvm.smin."))
        typed_call(u, "QN_MIN", n, out);
    else if (qn__equal(name, "llvm.umax.") || qn__equal(name, "llvm.smax."))
        typed_call(u, "QN_MAX", n, out);
    else
        call(u, function_name(name), n, out);
}

static void special(struct qn__unit *u, const struct qn__node *n, struct qn__str *out)
{
    switch (n->op) {
    case QN__OP_WORK_ITEM:
        qn__str_add(out, n->work_item == QN__LOCAL_ID     ? "0ul"
                         : n->work_item == QN__LOCAL_SIZE ? "1ul"
                         : n->value                       ? "0ul"
                         : n->work_item == QN__GROUP_ID   ? "group"
                                                          : "n_groups");
        break;
    case QN__OP_ACTIVE: qn__str_add(out, "true"); break;
    case QN__OP_BARRIER:
    case QN__OP_FENCE: qn__str_add(out, "(void)0"); break;
    case QN__OP_REINTERPRET: typed_call(u, "QN_AS", n, out); break;
    case QN__OP_BUILTIN: spell_builtin(u, n, out); break;
    default: call(u, "not_a_function_of_this_language", n, out); break;
    }
}

static enum qn__binding binding(struct qn__unit *u, const struct qn__node *n)
{
    (void)u, (void)n;
    return QN__BINDS_POSTFIX;
}

static void begin(struct qn__unit *u, struct qn__str *out)
{
    (void)u;
    qn__str_add(out, prelude);
}

static void hints(struct qn__unit *u, const struct qn__loop_hints *h, struct qn__str *out)
{
    (void)u;
    if (h->unroll && !h->count)
        qn__str_add(out, "#pragma unroll\n");
}

static void use_nothing(struct qn__unit *u, LLVMValueRef where, const struct qn__node *n)
{
    (void)u, (void)where, (void)n;
}

static void no_library(struct qn__unit *u, const char *kernels, struct qn__str *out)
{
    (void)kernels;
    (void)u, (void)out;
}

static const struct qn__language plain_c = {
    .name = "C",
    .scalar = scalar,
    .spaces = spaces,
    .kernel = "void ",
    .table = "static const ",
    .shared = "",
    .in_subgroups = "",
    .hints = hints,
    .use = use_nothing,
    .begin = begin,
    .library = no_library,
    .special = special,
    .binding = binding,
};

/* ---- from a kernel's source to its function ---- */

enum { FILES = 2, ROWS = 3, COLUMNS = 37, N = ROWS * COLUMNS, TEXT_MAX = 1 << 20 };

static struct qn__arena arena;
static const char *clang, *root;
static char folder[] = "/tmp/quern-language-XXXXXX";

struct library {
    void *handle;
    unsigned long *group, *n_groups;
};

static char *read_file(const char *path, size_t *n)
{
    char *text;
    ck_assert_int_eq(qn__file_read(&text, n, path, TEXT_MAX), QN_OK);
    return text;
}

static const char *translated(const char *source)
{
    struct qn__source_file files[FILES] = {{.name = source}, {.name = "quern_kernel.cuh"}};
    struct qn__translate_result r = {0};
    char *texts[FILES];
    for (size_t i = 0; i < FILES; i++) {
        char path[1024];
        snprintf(path, sizeof path, "%s/kernels/%s", root, files[i].name);
        files[i].text = texts[i] = read_file(path, &files[i].n);
    }
    const struct qn__translate_request request = {
        .files = files, .n_files = FILES, .profile = "portable", .language = &plain_c};
    const qn_status s = qn__translate(&r, &arena, &request);
    ck_assert_msg(s == QN_OK, "%s: %s\n%s", source, qn_message(), r.diagnostics);
    for (size_t i = 0; i < FILES; i++)
        free(texts[i]);
    return r.text;
}

static struct library built(const char *source)
{
    struct library l;
    char c[64], so[64], log[64];
    const char *const text = translated(source);
    snprintf(c, sizeof c, "%s/k.c", folder);
    snprintf(so, sizeof so, "%s/k.so", folder);
    snprintf(log, sizeof log, "%s/log", folder);
    ck_assert_int_eq(qn__file_write_atomic(c, text, strlen(text), 0600), QN_OK);
    const char *const argv[] = {
        clang,     "-std=c11", "-O1", "-Werror=implicit-function-declaration",
        "-shared", "-fPIC",    "-o",  so,
        c,         "-lm",      NULL};
    int code;
    ck_assert_int_eq(qn__clang_run(&code, (char *const *)(uintptr_t)argv, log), QN_OK);
    if (code) {
        size_t n;
        ck_abort_msg("%s\n%.3000s", source, read_file(log, &n));
    }
    l.handle = dlopen(so, RTLD_NOW | RTLD_LOCAL);
    ck_assert_msg(l.handle != NULL, "%s", dlerror());
    l.group = dlsym(l.handle, "group");
    l.n_groups = dlsym(l.handle, "n_groups");
    ck_assert(l.group && l.n_groups);
    return l;
}

/* A kernel's address as that of a function of its type. */
static void find(const struct library *l, const char *name, void *function)
{
    void *const address = dlsym(l->handle, name);
    ck_assert_msg(address != NULL, "no %s", name);
    memcpy(function, &address, sizeof address);
}

static float input(size_t i)
{
    return sinf((float)(i * i % 97) * 1.7f) * 3.0f;
}

static void compare(const char *name, const float *got, const double *want, double relative,
                    double absolute)
{
    for (size_t i = 0; i < N; i++)
        ck_assert_msg(fabs((double)got[i] - want[i]) <= relative * fabs(want[i]) + absolute,
                      "%s: element %zu is %.9g, not %.9g", name, i, (double)got[i], want[i]);
}

static float x[N], weight[COLUMNS], out[N];
static double want[N];

static void fill(void)
{
    for (size_t i = 0; i < N; i++) {
        x[i] = input(i);
        out[i] = NAN;
    }
    for (size_t i = 0; i < COLUMNS; i++)
        weight[i] = input(i + 1000);
}

static void close_library(struct library *l)
{
    dlclose(l->handle);
}

START_TEST(a_kernel_without_barriers_is_plain_c)
{
    struct library l = built("gelu.cu");
    void (*gelu_f32)(float *, const float *, unsigned long);
    void (*gelu_f16)(uint16_t *, const uint16_t *, unsigned long);
    find(&l, "gelu_f32", &gelu_f32);
    find(&l, "gelu_f16", &gelu_f16);
    fill();
    qn__ref_gelu(want, x, N);
    for (*l.n_groups = 2, *l.group = 0; *l.group < *l.n_groups; ++*l.group)
        gelu_f32(out, x, N);
    compare("gelu_f32", out, want, 2e-6, 1e-7);

    uint16_t half[N], half_out[N] = {0};
    for (size_t i = 0; i < N; i++) {
        half[i] = qn__half_of_float(x[i]);
        x[i] = qn__float_of_half(half[i]);
    }
    qn__ref_gelu(want, x, N);
    for (*l.n_groups = 3, *l.group = 0; *l.group < *l.n_groups; ++*l.group)
        gelu_f16(half_out, half, N);
    for (size_t i = 0; i < N; i++)
        out[i] = qn__float_of_half(half_out[i]);
    compare("gelu_f16", out, want, 5e-4, 1.5e-7);
    close_library(&l);
}
END_TEST

START_TEST(a_barrier_of_one_work_item_is_nothing)
{
    struct library l = built("softmax.cu");
    void (*softmax_f32)(float *, const float *, unsigned, unsigned);
    find(&l, "softmax_f32", &softmax_f32);
    fill();
    qn__ref_softmax(want, x, ROWS, COLUMNS);
    for (*l.n_groups = 2, *l.group = 0; *l.group < *l.n_groups; ++*l.group)
        softmax_f32(out, x, ROWS, COLUMNS);
    compare("softmax_f32", out, want, 8e-6, 1e-37);
    close_library(&l);
}
END_TEST

START_TEST(shared_memory_of_one_work_item_is_its_own)
{
    struct library l = built("rmsnorm.cu");
    void (*rmsnorm_f32)(float *, const float *, const float *, unsigned, unsigned, float);
    find(&l, "rmsnorm_f32", &rmsnorm_f32);
    fill();
    qn__ref_rmsnorm(want, x, weight, ROWS, COLUMNS, 1e-5f);
    for (*l.n_groups = 1, *l.group = 0; *l.group < *l.n_groups; ++*l.group)
        rmsnorm_f32(out, x, weight, ROWS, COLUMNS, 1e-5f);
    compare("rmsnorm_f32", out, want, 4e-6, 0);
    close_library(&l);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("compiler_language");
    TCase *t = tcase_create("plain C");
    tcase_set_timeout(t, 60);
    tcase_add_test(t, a_kernel_without_barriers_is_plain_c);
    tcase_add_test(t, a_barrier_of_one_work_item_is_nothing);
    tcase_add_test(t, shared_memory_of_one_work_item_is_its_own);
    suite_add_tcase(s, t);
    return s;
}

static void remove_folder(void)
{
    static const char *const names[] = {"k.c", "k.so", "log"};
    char path[64];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        unlink(path);
    }
    rmdir(folder);
}

int main(void)
{
    root = getenv("QN_SOURCE") ? getenv("QN_SOURCE") : ".";
    if (qn__clang_find(&clang, &arena, NULL) != QN_OK) {
        printf("skip: %s\n", qn_message());
        return 0;
    }
    if (!mkdtemp(folder))
        return 1;
    SRunner *r = srunner_create(suite());
    srunner_run_all(r, CK_ENV);
    const int failed = srunner_ntests_failed(r);
    srunner_free(r);
    remove_folder();
    qn__arena_release(&arena);
    return failed != 0;
}
