/* SPDX-License-Identifier: Apache-2.0
 *
 * The host half of a source never stops its kernels: the machine's own C++ headers are read where
 * ours do not suffice, and host code that does not parse at all is left out with a warning. Errors
 * of device code stay errors.
 *
 * covers: compiler/frontend/frontend compiler/frontend/absent_headers compiler/frontend/host_code
 * compiler/frontend/host_text compiler/frontend/clang_log compiler/frontend/command_line
 * compiler/frontend/machine_headers compiler/frontend/search_folders
 * compiler/frontend/source_files */
#include "compiler/frontend/clang.h"
#include "compiler/frontend/host_text.h"
#include "compiler/frontend/search_folders.h"
#include "compiler/translator.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct qn__arena arena;
static struct qn__translate_result result;

static qn_status translate(const char *text, const char *option)
{
    const struct qn__source_file file = {"main.cu", text, strlen(text)};
    const struct qn__translate_request request = {.files = &file,
                                                  .n_files = 1,
                                                  .profile = "portable",
                                                  .options = &option,
                                                  .n_options = option ? 1 : 0};
    return qn__translate(&result, &arena, &request);
}

static void release(void)
{
    qn__arena_release(&arena);
}

/* Does clang find a C++ library of this machine's? */
static bool has_library;

static void look_for_library(void)
{
    has_library = translate("#include <optional>\n#include <span>\n#include <compare>\n"
                            "__global__ void k(int *p) { *p = 1; }",
                            NULL) == QN_OK;
    release();
    if (!has_library)
        printf("skip: clang finds no C++ headers of this machine\n");
}

static uint32_t count(const char *text, const char *word)
{
    uint32_t n = 0;
    for (; (text = strstr(text, word)) != NULL; text++)
        n++;
    return n;
}

#define K "__global__ void k(float *x) { x[threadIdx.x] = 1; }\n"
#define T "template <class T, int n> __global__ void t(T *x) { x[0] = n; }\n"

/* What our stand-ins have, so that nothing of the machine is read. */
static const char *const own_programs[] = {
    "#include <unordered_map>\n" K
    "int main() { std::unordered_map<const int *, int> m; int s = 0; "
    "for (const auto &[a, b] : m) s += b; return s; }",
    "#include <memory>\n" K "int main() { std::unique_ptr<int> p; return p == nullptr; }",
    "#include <chrono>\n" K "int main() { using namespace std::chrono; auto t = "
    "time_point_cast<milliseconds>(system_clock::now()); return t.time_since_epoch().count() > 0; "
    "}",
    "#include <string>\n" K
    "int main() { std::string s = \"a/b\"; return (int)s.find_last_of('/') + std::min(1, 2); }",
    "#include <optional>\n__device__ std::optional<int> f(int a) { if (a) return a; return {}; }\n"
    "__global__ void k(int *x) { *x = f(*x).value_or(7); }",
    "#include <iostream>\n" K "int main() { printf(\"%d\", 1); }",
    "#include <utility>\nstruct Both { int a, b; };\n"
    "__global__ void k(int *x) { const auto [a, b] = Both{x[0], x[1]}; x[2] = a + b; }",
    "#include <array>\n__global__ void k(int *x) { std::array<int, 3> v{x[0], 2, 3}; auto [a, b, "
    "c] "
    "= v; const auto [d, e, f] = v; x[1] = a + b + c + d + e + f; }",
    "#include <algorithm>\ntemplate <int N> struct T { static constexpr int a = std::min(N, 9), b "
    "= "
    "std::max(N, 3); };\n__global__ void k(int *x) { *x = T<7>::a + T<1>::b; }",
    "#include <bit>\n#include <numbers>\n__global__ void k(int *x) { x[0] = std::popcount(7u) + "
    "std::bit_cast<int>(1.0f) + (int)std::numbers::pi; }",
    "#include <concepts>\ntemplate <std::integral I> __device__ I f(I a) { return 2 * a; }\n"
    "__global__ void k(int *x) { x[0] = f(x[0]); }",
    K "int main() { register int a = 1; return a; }",
    "#include <charconv>\n#include <string>\n" K
    "int main() { std::string s = \"7\"; int n = std::tolower(s[0]); return "
    "std::from_chars(s.data(), s.data() + s.size(), n).ec == std::errc{} ? n : 1; }",
    "#include <thrust/complex.h>\n__global__ void k(float *x) { *x = FLT_MAX; }",
    "#include <type_traits>\nstruct P { P(const P &); P &operator=(const P &); };\n"
    "__global__ void k(int *x) { *x = std::is_trivially_default_constructible<int>::value + 2 * "
    "std::is_trivially_copy_constructible_v<P> + 4 * std::is_trivially_copy_assignable<P>::value + "
    "8 * std::is_copy_assignable_v<P> + 16 * std::is_copy_assignable_v<void> + 32 * "
    "std::is_trivially_destructible_v<P> + 64 * std::is_move_assignable_v<const int>; "
    "static_assert(!std::is_trivially_move_assignable_v<P> && "
    "!std::is_trivially_move_constructible_v<P> && std::is_assignable_v<int &, float>); }",
    /* types without linkage */
    "#include <map>\n#include <set>\n#include <unordered_map>\n" K
    "int main() { struct L { int a; bool operator<(const L &o) const { return a < o.a; } bool "
    "operator==(const L &o) const { return a == o.a; } }; struct H { std::size_t operator()(const "
    "L &) const { return 1; } }; std::map<L, int> m; m[L{1}]++; m.emplace(L{1}, 2); "
    "m.insert({L{4}, "
    "5}); for (const auto &[a, b] : m) (void)b; std::unordered_map<L, L, H> u; if "
    "(u.find(L{1}) == u.end()) u.clear(); std::set<L> s; s.insert(L{1}); return m.at(L{1}); }",
    "#include <algorithm>\n#include <deque>\n#include <list>\n#include <queue>\n#include <vector>"
    "\n" K "int main() { struct L { int a; bool operator<(const L &o) const { return a < o.a; } }; "
    "std::vector<L> v(3), w(v.begin(), v.end()); v.push_back(L{1}); v[0].a = 2; "
    "v.insert(v.begin(), "
    "L{1}); v.erase(v.begin()); w = std::move(v); auto f = [](const L &p, const L &q) { return q < "
    "p; }; std::sort(v.begin(), v.end()); std::nth_element(v.begin(), v.begin(), v.end(), f); "
    "std::lower_bound(v.begin(), v.end(), L{1}, f); std::deque<L> d; d.push_front(L{1}); "
    "std::list<L> l; l.push_back(L{2}); std::priority_queue<L, std::vector<L>, decltype(f)> q(f); "
    "q.push(L{1}); for (auto &e : l) e.a = q.top().a; return v.back().a; }",
    "#include <functional>\n#include <future>\n#include <memory>\n#include <optional>\n" K
    "int main() { struct L { int a; ~L() {} }; std::unique_ptr<L> p(new L{1}); auto r = "
    "std::make_unique<L>(); auto d = [](L *x) { delete x; }; std::unique_ptr<L, decltype(d)> t(new "
    "L{1}, d); std::shared_ptr<L> h = std::make_shared<L>(); std::optional<L> o; o = L{1}; "
    "std::function<L(L)> f = [](L a) { return a; }; auto g = std::async([] { return L{1}; }); "
    "return f(g.get()).a + p->a + (*t).a + (h ? o->a : r->a); }",
};

START_TEST(ours_suffice_for_what_is_common)
{
    const qn_status s = translate(own_programs[_i], NULL);
    ck_assert_msg(s == QN_OK, "%s\n%s", own_programs[_i], result.diagnostics);
    ck_assert_ptr_nonnull(strstr(result.text, "__kernel void k("));
    ck_assert_uint_eq(result.machine.n_headers + result.machine.n_folders, 0);
    ck_assert_str_eq(result.diagnostics, "");
    release();
}
END_TEST

/* What other C++ libraries have and ours do not, used by host code, by device code or by both. */
static const char *const library_programs[] = {
    "#include <valarray>\n" K "int main() { std::valarray<int> v(3); return v.sum(); }",
    "#include <arpa/inet.h>\n#include <glob.h>\n" K "int main() { glob_t g; return htons(1); }",
    "#include <regex>\n#include <iostream>\n" K
    "int main() { std::regex r(\"a\"); printf(\"x\"); std::cout << 1 << std::endl; }",
    "#include <regex>\n__global__ void k(int *x) { x[0] = std::regex_constants::icase != 0; }",
};

START_TEST(the_machines_headers_are_read_where_ours_do_not_suffice)
{
    if (!has_library)
        return;
    const qn_status s = translate(library_programs[_i], NULL);
    ck_assert_msg(s == QN_OK, "%s\n%s", library_programs[_i], result.diagnostics);
    ck_assert_ptr_nonnull(strstr(result.text, "__kernel void k("));
    ck_assert_uint_gt(result.machine.n_headers, 0);
    ck_assert_uint_gt(result.machine.n_folders, 0);
    ck_assert_uint_gt(result.machine.n_choices, 0);
    for (uint32_t i = 0; i < result.machine.n_headers; i++)
        ck_assert_int_eq(result.machine.headers[i][0], '/');
    ck_assert_uint_eq(count(result.diagnostics, "read with the machine's own C++ headers"), 1);
    ck_assert_uint_eq(count(result.diagnostics, "left out"), 0);
    release();
}
END_TEST

/* clang reports 20 errors, and these are all of a header: the launch is met only with the machine's
 * headers. */
START_TEST(the_dialect_is_read_with_the_machines_headers)
{
    if (!has_library)
        return;
    static const char header[] = "#pragma once\n#include <regex>\n"
                                 "#define R(n) inline std::regex a##n, b##n, c##n, d##n, e##n;\n"
                                 "R(1) R(2) R(3) R(4) R(5)\n";
    static const char text[] =
        "#include \"wide.h\"\n" T "int main() { t<int, 3> << <1, 2 >> > (nullptr); }";
    const struct qn__source_file files[] = {{"main.cu", text, sizeof text - 1},
                                            {"wide.h", header, sizeof header - 1}};
    const struct qn__translate_request request = {.files = files, .n_files = 2};
    ck_assert_msg(qn__translate(&result, &arena, &request) == QN_OK, "%s", result.diagnostics);
    ck_assert_uint_gt(result.machine.n_headers, 0);
    ck_assert_msg(strstr(result.text, "t_int_3(") != NULL, "%s", result.text);
    ck_assert_uint_eq(count(result.diagnostics, "warning: blanks in the brackets of a launch"), 1);
    ck_assert_uint_eq(count(result.diagnostics, "host code is left out"), 0);
    release();
}
END_TEST

START_TEST(device_code_has_its_functions_among_the_machines_headers)
{
    static const char text[] =
        "#include <algorithm>\n#include <cassert>\n#include <cmath>\n#include <cstring>\n"
        "#include <limits>\n#include <regex>\n#include <tuple>\n"
        "template <class T> __device__ T f(T a) { return std::max(a, T(1)) + std::abs(a) + "
        "std::sqrt(a) + std::pow(a, T(2)) + std::numeric_limits<T>::max(); }\n"
        "__global__ void k(float *x, double *y, int n) { assert(n > 0); x[0] = f(x[0]); y[0] = "
        "f(y[0]); x[1] = std::get<1>(std::make_tuple(1, 2.5f)); memcpy(x + 2, y, 4); "
        "printf(\"%d\", n); x[3] = std::floor(x[3]) + fminf(x[4], 1) + min(n, 3) + abs(n); }\n"
        "int main() { std::regex r(\"a\"); }";
    if (!has_library)
        return;
    ck_assert_msg(translate(text, NULL) == QN_OK, "%s", result.diagnostics);
    ck_assert_uint_gt(result.machine.n_headers, 0);
    ck_assert_ptr_nonnull(strstr(result.text, "x[1] = 2.5f;"));
    ck_assert_ptr_nonnull(strstr(result.text, "sqrt("));
    release();
}
END_TEST

START_TEST(a_source_that_parses_reads_nothing_of_the_machine)
{
    ck_assert_int_eq(
        translate("#include <vector>\n" K "int main() { std::vector<int> v(3); }", NULL), QN_OK);
    ck_assert_uint_eq(result.machine.n_headers, 0);
    ck_assert_str_eq(result.diagnostics, "");
    release();
}
END_TEST

/* Host code that no header mends. What is kept: a text of the result, or two. */
static const struct {
    const char *text, *kept, *also_kept;
    uint32_t n_left_out;
} broken[] = {
    {K "int main() { nothing(1); float *x = 0; k<<<1, 2>>>(x); }", "void k(", NULL, 1},
    {K "void f(unknown_t *p) { p->run(); }\nstatic unknown_t v;\nint main() {}", "void k(", NULL,
     2},
    {T "int main() { auto q = unknown(3); t<float, 3><<<1, 2>>>(q); }", "t_float_3(", NULL, 1},
    {T "int main() { for (auto q : unknown()) t<int, 4><<<q, 2>>>(q.data()); }", "t_int_4(", NULL,
     1},
    {T "int main() { if (unknown()) t<int, 1><<<1, 2>>>(nullptr); else t<int, 2><<<1, "
       "2>>>(nullptr); }",
     "t_int_1(", "t_int_2(", 1},
    {T "struct S { void go() { while (unknown()) { nothing(); t<int, 5><<<1, 1>>>(0); } } };",
     "t_int_5(", NULL, 2},
    {T "int main() { switch (unknown()) { case 1: t<int, 6><<<1, 1>>>(nothing); } }", "t_int_6(",
     NULL, 2},
    {"#define DEVICE __device__ inline\nDEVICE float twice(float a) { return 2 * a; }\n"
     "__global__ void k(float *x) { *x = twice(*x); }\n"
     "int main() { const char *s = \"twice(\\\"}\"; /* } */ unknown(s); char c = '}'; return c; }",
     "2.0f * ", NULL, 1},
    {K "#define CHECK(call) do { if ((call) != 0) fail(#call); } while (0)\n"
       "int main() { CHECK(1);\n CHECK(2); }",
     "void k(", NULL, 2},
    {"namespace a { namespace { " K " } extern \"C\" { void f() { unknown(); } } }", "k(", NULL, 1},
    {K "int a() { u1(); }\nint b() { u2(); }\nint c() { u3(); }\nint d() { u4(); }\n"
       "int e() { u5(); }\nint f() { u6(); }\nint g() { u7(); }",
     "void k(", NULL, 5},
};

START_TEST(host_code_that_does_not_parse_is_left_out)
{
    const qn_status s = translate(broken[_i].text, NULL);
    ck_assert_msg(s == QN_OK, "%s\n%s", broken[_i].text, result.diagnostics);
    ck_assert_msg(strstr(result.text, broken[_i].kept) != NULL, "%s", result.text);
    if (broken[_i].also_kept)
        ck_assert_ptr_nonnull(strstr(result.text, broken[_i].also_kept));
    ck_assert_uint_eq(count(result.diagnostics, "warning: host code is left out: "),
                      broken[_i].n_left_out);
    release();
}
END_TEST

/* What is on no machine. */
static const char no_header[] = "#include <vector>\n  # include <no/such.h>\n#include <none>\n" T
                                "int main() { such_init(); t<int, 3><<<1, 1>>>(0); }";

START_TEST(includes_that_lead_nowhere_are_left_out)
{
    ck_assert_int_eq(translate(no_header, NULL), QN_OK);
    ck_assert_ptr_nonnull(strstr(result.text, "t_int_3("));
    static const char *const said[] = {
        "main.cu:2:13: warning: host code is left out: 'no/such.h' file not found",
        "main.cu:3:10: warning: host code is left out: 'none' file not found",
        "main.cu:5:14: warning: host code is left out: use of undeclared identifier 'such_init'"};
    for (size_t i = 0; i < sizeof said / sizeof *said; i++)
        ck_assert_msg(strstr(result.diagnostics, said[i]) != NULL, "%s\n%s", said[i],
                      result.diagnostics);
    if (has_library)
        ck_assert_uint_gt(result.machine.n_folders, 0); /* of which one might have it tomorrow */
    release();
}
END_TEST

/* A clang that writes down that it was run; the options of `more` are added. */
static void wrap_clang(const char *folder, const char *more)
{
    char script[64];
    const char *found;
    snprintf(script, sizeof script, "%s/clang", folder);
    ck_assert_int_eq(qn__clang_find(&found, &arena, NULL), QN_OK);
    FILE *const f = fopen(script, "w");
    ck_assert_ptr_nonnull(f);
    fprintf(f, "#!/bin/sh\necho \"$*\" >> %s/runs\nexec '%s' \"$@\" %s\n", folder, found, more);
    fclose(f);
    ck_assert_int_eq(chmod(script, 0700), 0);
    setenv("QUERN_CLANG", script, 1);
}

static void remove_clang(const char *folder)
{
    static const char *const files[] = {"clang", "runs"};
    char path[64];
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, files[i]);
        ck_assert_int_eq(unlink(path), 0);
    }
    ck_assert_int_eq(rmdir(folder), 0);
    unsetenv("QUERN_CLANG");
}

static uint32_t count_compiles(const char *folder)
{
    char path[64], line[8192];
    uint32_t n = 0;
    snprintf(path, sizeof path, "%s/runs", folder);
    FILE *const f = fopen(path, "r");
    ck_assert_ptr_nonnull(f);
    while (fgets(line, sizeof line, f))
        n += strstr(line, "--cuda-device-only") != NULL;
    fclose(f);
    return n;
}

START_TEST(headers_of_one_library_go_in_one_round)
{
    char folder[] = "/tmp/quern-clang-XXXXXX";
    ck_assert_ptr_nonnull(mkdtemp(folder));
    wrap_clang(folder, "");
    ck_assert_int_eq(translate("#include <no/a.h>\n#include <none>\n  #  include <no/b.h>\n"
                               "#include <no/in/c.h> // as well\n#include <cuda/atomic>\n"
                               "// #include <no/d.h>\n" T "int main() { t<int, 3><<<1, 1>>>(0); }",
                               NULL),
                     QN_OK);
    ck_assert_ptr_nonnull(strstr(result.text, "t_int_3("));
    static const char *const said[] = {
        "main.cu:1:10: warning: host code is left out: 'no/a.h' file not found",
        "main.cu:2:10: warning: host code is left out: 'none' file not found",
        "main.cu:3:14: warning: host code is left out: 'no/b.h' file not found",
        "main.cu:4:10: warning: host code is left out: 'no/in/c.h' file not found"};
    for (size_t i = 0; i < sizeof said / sizeof *said; i++)
        ck_assert_msg(strstr(result.diagnostics, said[i]) != NULL, "%s\n%s", said[i],
                      result.diagnostics);
    ck_assert_uint_eq(count(result.diagnostics, "host code is left out"), 4);
    ck_assert_uint_eq(count_compiles(folder), 4); /* ours, no/..., none, and the last */
    release();
    remove_clang(folder);
}
END_TEST

START_TEST(an_absent_header_is_the_cause_of_what_device_code_lacks)
{
    ck_assert_int_eq(
        translate("#include <none>\n__global__ void k(int *x) { *x = none_size; }", NULL),
        QN_E_COMPILE);
    ck_assert_ptr_nonnull(strstr(qn_message(), "main.cu:2:"));
    ck_assert_ptr_nonnull(strstr(qn_message(), "'none_size'; 'none' file not found"));
    ck_assert_ptr_nonnull(strstr(result.diagnostics, "main.cu:1:10: note: 'none' file not found"));
    release();
}
END_TEST

/* A clang that finds neither the C nor the C++ library. */
START_TEST(a_machine_may_have_no_headers)
{
    char folder[] = "/tmp/quern-clang-XXXXXX";
    ck_assert_ptr_nonnull(mkdtemp(folder));
    wrap_clang(folder, "-nostdlibinc");
    ck_assert_int_eq(translate(no_header, NULL), QN_OK);
    ck_assert_ptr_nonnull(strstr(result.text, "t_int_3("));
    ck_assert_uint_eq(result.machine.n_headers, 0);
    ck_assert_uint_gt(result.machine.n_choices, 0);
    ck_assert_int_eq(translate("#include <regex>\n__global__ void k(int *x) { *x = "
                               "std::regex_constants::icase != 0; }",
                               NULL),
                     QN_E_COMPILE);
    ck_assert_ptr_nonnull(strstr(result.diagnostics, "'regex' file not found"));
    ck_assert_ptr_nonnull(strstr(result.diagnostics, "(libstdc++-dev)"));
    release();
    remove_clang(folder);
}
END_TEST

START_TEST(search_folders_are_read_from_what_clang_prints)
{
    static const char printed[] =
        "clang version 19\nFound candidate GCC installation: /usr/lib/gcc/x/11\n"
        "Found candidate GCC installation: /usr/lib/gcc/x/12\nSelected GCC installation: "
        "/usr/lib/gcc/x/12\nignoring nonexistent directory \"/usr/x/include\"\n"
        "#include \"...\" search starts here:\n#include <...> search starts here:\n "
        "/usr/include/c++/12"
        "\n /usr/include\nEnd of search list.\n /no/more\n";
    struct qn__machine_files m = {0};
    ck_assert_int_eq(qn__search_folders_read(&m, &arena, printed), QN_OK);
    ck_assert_uint_eq(m.n_folders, 2);
    ck_assert_str_eq(m.folders[0], "/usr/include/c++/12");
    ck_assert_str_eq(m.folders[1], "/usr/include");
    ck_assert_uint_eq(m.n_choices, 2);
    ck_assert_str_eq(m.choices[0], "/usr/lib/gcc/x");
    ck_assert_str_eq(m.choices[1], "/usr/x/include");
    ck_assert_int_eq(qn__search_folders_read(&m, &arena, ""), QN_OK);
    ck_assert_uint_eq(m.n_folders, 0);
    ck_assert_str_eq(m.choices[0], "/usr/lib/gcc"); /* where one may come to be */
    release();
}
END_TEST

START_TEST(more_than_a_few_places_are_counted)
{
    const size_t last = sizeof broken / sizeof *broken - 1;
    ck_assert_int_eq(translate(broken[last].text, NULL), QN_OK);
    ck_assert_ptr_nonnull(strstr(result.diagnostics, "left out at 2 more places"));
    release();
    ck_assert_int_eq(translate(broken[last].text, "-w"), QN_OK);
    ck_assert_str_eq(result.diagnostics, "");
    release();
}
END_TEST

/* Device code with the same mistakes: the message is what it would be without all this. */
static const struct {
    const char *text, *message;
} wrong[] = {
    {"__global__ void k(int *x) { *x = unknown(1); }", "undeclared identifier 'unknown'"},
    {"#define D __device__\nD int f(int a) { return unknown(a); }\n"
     "__global__ void k(int *x) { *x = f(1); }",
     "undeclared identifier 'unknown'"},
    {"__host__ __device__ int f(int a) { return unknown(a); }\n"
     "__global__ void k(int *x) { *x = f(1); }",
     "undeclared identifier 'unknown'"},
    {"constexpr int f(int a) { return unknown(a); }\n__global__ void k(int *x) { *x = f(1); }",
     "undeclared identifier 'unknown'"},
    {"template <class F> __global__ void k(int *x, F f) { *x = f(1); }\n"
     "int main() { int *p = 0; k<<<1, 1>>>(p, [] __device__(int a) { return unknown(a); }); }",
     "undeclared identifier 'unknown'"},
    {"#define SIZE unknown\n__device__ int table[SIZE];\n"
     "__global__ void k(int *x) { *x = table[0]; }",
     "undeclared identifier 'unknown'"},
    {"struct S { unknown_t a; int b; };\n__global__ void k(S *s) { s->b = 1; }",
     "unknown type name 'unknown_t'"},
    {"int f(int a) { return unknown(a); }\n__global__ void k(int *x) { *x = f(1); }",
     "no matching function for call to 'f'"},
    {"not CUDA", "expected unqualified-id"},
    {"#include \"missing.h\"\n" K, "'missing.h' file not found"},
};

START_TEST(errors_of_device_code_stay_errors)
{
    ck_assert_int_eq(translate(wrong[_i].text, NULL), QN_E_COMPILE);
    ck_assert_msg(strstr(result.diagnostics, wrong[_i].message) != NULL, "%s", result.diagnostics);
    ck_assert_ptr_null(strstr(result.diagnostics, "left_out"));
    ck_assert_ptr_null(strstr(result.diagnostics, "left out"));
    release();
}
END_TEST

/* The form of a text, where ^ is. */
static const struct {
    const char *text, *statement;
} places[] = {
    {"void f() { a(); ^b(1, 2); c(); }", "b(1, 2);"},
    {"void f() { if (a) b(); else ^c(); d(); }", "c();"},
    {"void f() { for (int i = 0; i < 3; i++) { a(); } ^b(); }", "b();"},
    {"void f() { auto g = [&](int a) { return a; }; g(^b); }", "g(b);"},
    {"struct S { int a = 1; S() : a{2} { ^b(); } };", "b();"},
    {"void f() { const char *s = R\"x(})\" {x)x\"; ^b(s); }", "b(s);"},
    {"int n = 1'000; void f() { char c = '{'; ^b(c); }", "b(c);"},
    {"void f() {\n#if X {\n#endif\n ^b(); }", "b();"},
};

START_TEST(a_statement_is_found_among_others)
{
    struct qn__unit u = {.arena = &arena};
    jmp_buf out_of_memory;
    u.out_of_memory = &out_of_memory;
    ck_assert_int_eq(setjmp(out_of_memory), 0);
    char text[256];
    const size_t at = strcspn(places[_i].text, "^");
    snprintf(text, sizeof text, "%.*s%s", (int)at, places[_i].text, places[_i].text + at + 1);
    const char *const code = qn__host_text_code(&u, text, strlen(text));
    struct qn__host_place p;
    ck_assert(qn__host_text_place(&p, code, strlen(text), at));
    ck_assert(p.in_function);
    ck_assert_uint_eq(p.statement.end - p.statement.begin, strlen(places[_i].statement));
    ck_assert_int_eq(
        strncmp(text + p.statement.begin, places[_i].statement, strlen(places[_i].statement)), 0);
    release();
}
END_TEST

#define N(a) ((int)(sizeof(a) / sizeof *(a)))

int main(void)
{
    look_for_library();
    Suite *const s = suite_create("compiler host");
    TCase *const c = tcase_create("host half");
    tcase_set_timeout(c, 120);
    tcase_add_loop_test(c, ours_suffice_for_what_is_common, 0, N(own_programs));
    tcase_add_loop_test(c, the_machines_headers_are_read_where_ours_do_not_suffice, 0,
                        N(library_programs));
    tcase_add_test(c, the_dialect_is_read_with_the_machines_headers);
    tcase_add_test(c, device_code_has_its_functions_among_the_machines_headers);
    tcase_add_test(c, a_source_that_parses_reads_nothing_of_the_machine);
    tcase_add_loop_test(c, host_code_that_does_not_parse_is_left_out, 0, N(broken));
    tcase_add_test(c, includes_that_lead_nowhere_are_left_out);
    tcase_add_test(c, headers_of_one_library_go_in_one_round);
    tcase_add_test(c, an_absent_header_is_the_cause_of_what_device_code_lacks);
    tcase_add_test(c, a_machine_may_have_no_headers);
    tcase_add_test(c, search_folders_are_read_from_what_clang_prints);
    tcase_add_test(c, more_than_a_few_places_are_counted);
    tcase_add_loop_test(c, errors_of_device_code_stay_errors, 0, N(wrong));
    tcase_add_loop_test(c, a_statement_is_found_among_others, 0, N(places));
    suite_add_tcase(s, c);
    SRunner *const r = srunner_create(s);
    srunner_run_all(r, CK_ENV);
    const int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
