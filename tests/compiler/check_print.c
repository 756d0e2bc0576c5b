/* SPDX-License-Identifier: Apache-2.0
 *
 * printf of texts that are no literals and of widths and precisions that are not known: what a
 * kernel prints is what C prints.
 *
 * covers: compiler/lower/split_printf */
#include "tests/runtime_fixture.h"

#include <unistd.h>

enum { PRINTED = 8192, LONG = 20000 };

static const char source[] =
    "__device__ const char *name(int i) { return i > 1 ? \"many\" : \"few\"; }\n"
    "__constant__ char table[2][8] = {\"north\", \"south\"};\n"
    "extern \"C\" __global__ void k(char *text, char *none, int n)\n"
    "{\n"
    "    char own[4] = {'a', (char)('a' + n), 0, 0};\n"
    "    printf(\"[%s] of %d %s\\n\", text, n, none);\n"
    "    printf(\"%d|%8s|%-8.3s|%s\\n\", n, text, text + 1, name(n));\n"
    "    printf(\"[%*d][%-*d][%0*d][%*.*d]\\n\", n + 3, 42, n + 3, 42, n + 3, -42, 8, n, 7);\n"
    "    printf(\"[%*u][%*i][% *d][%+.*d]\\n\", -n - 4, 7u, -n - 4, -7, n, 5, n, 5);\n"
    "    printf(\"%.*f %.*e %%|%.*s|%.*g\\n\", n, 3.14159265, n, 31415.9, n, text, n - 9, 0.1);\n"
    "    printf(\"%s %s %lld %#*x %+*hhd %c\\n\", own, table[n & 1], 1ll << 40, n + 6, 255, n + "
    "2,\n"
    "           300, 'z');\n"
    "    printf(\"%#*o %*X %*llx %*c|%-*c|\\n\", n, 8, n, 0xbeef, n + 12, 1ull << 40, n, 'x', n, "
    "'y');\n"
    "    printf(\"%*lld %*lu %.*d|\\n\", n, -9223372036854775807ll - 1, n, ~0ul, n - n, 0);\n"
    "    printf(\"%*s|%-*s|%s\", n + 5, text, n + 5, text, text + 6);\n"
    "    printf(\"\\n\");\n"
    "}\n";

static const char wanted[] = "[quarter] of 2 (null)\n"
                             "2| quarter|uar     |many\n"
                             "[   42][42   ][-0042][      07]\n"
                             "[7     ][-7    ][ 5][+05]\n"
                             "3.14 3.14e+04 %|qu|0.1\n"
                             "ac north 1099511627776     0xff  +44 z\n"
                             "010 BEEF    10000000000  x|y |\n"
                             "-9223372036854775808 18446744073709551615 |\n"
                             "quarter|quarter|r\n";

/* What a launch prints on the standard output. */
static void printed_by_launch(char *out, size_t capacity, const char *text, void *const *args)
{
    const qn_source code = {.text = text, .path = "print.cu"};
    const qn_dims dims = {.grid = {1, 1, 1}, .block = {1, 1, 1}};
    const qn_kernel *kernel;
    qn_module *module = NULL;
    qn_log log = {0};
    const qn_status s = qn_module_build(&module, device, &code, NULL, &log);
    ck_assert_msg(s == QN_OK, "%.400s %.400s", qn_message(), log.text ? log.text : "");
    qn_log_release(&log);
    must(qn_kernel_find(&kernel, module, "k"));
    FILE *const file = tmpfile();
    ck_assert_ptr_nonnull(file);
    fflush(stdout);
    const int kept = dup(STDOUT_FILENO);
    ck_assert_int_ge(kept, 0);
    ck_assert_int_ge(dup2(fileno(file), STDOUT_FILENO), 0);
    must(qn_stream_launch(stream, kernel, &dims, args));
    must(qn_stream_sync(stream));
    fflush(stdout);
    dup2(kept, STDOUT_FILENO);
    close(kept);
    rewind(file);
    out[fread(out, 1, capacity - 1, file)] = 0;
    fclose(file);
    qn_module_close(module);
}

/* NVIDIA's own printf takes a width from its arguments, but no precision. */
static const char by_nvidia[] = "[quarter] of 2 (null)\n"
                                "2| quarter|uar     |many\n"
                                "[   42][42   ][-0042][%*.*d]\n"
                                "[7     ][-7    ][ 5][%+.*d]\n"
                                "%.*f %.*e %|%.*s|%.*g\n"
                                "ac north 1099511627776     0xff  +37 l\n"
                                "010 BEEF    10000000000  x|y |\n"
                                "-9223372036854775808 18446744073709551615 %.*d|\n"
                                "quarter|quarter|r\n";

START_TEST(what_is_printed_is_what_c_prints)
{
    static const char text[] = "quarter";
    const bool is_cuda = strcmp(qn_device_get_info(device)->backend, "cuda") == 0;
    char printed[PRINTED];
    int n = 2;
    qn_addr none = 0;
    qn_addr a = alloc(sizeof text);
    void *const args[] = {&a, &none, &n};
    must(qn_memory_upload(device, a, text, sizeof text, stream));
    printed_by_launch(printed, sizeof printed, source, args);
    qn_memory_free(device, a);
    ck_assert_str_eq(printed, is_cuda ? by_nvidia : wanted);
}
END_TEST

/* Longer than the buffers of anyone who prints. */
START_TEST(a_long_text_is_printed_whole)
{
    static const char code[] = "extern \"C\" __global__ void k(const char *text, int n)\n"
                               "{\n"
                               "    printf(\"%s|%d\\n\", text, n);\n"
                               "    printf(\"%s\\n\", text + n);\n"
                               "}\n";
    static char text[LONG + 1], printed[2 * LONG];
    const size_t n = LONG - 10;
    int skipped = (int)n;
    if (strcmp(qn_device_get_info(device)->backend, "cpu") != 0) {
        printf("skip: how long a text may be is the driver's to say\n");
        return;
    }
    for (int i = 0; i < LONG; i++)
        text[i] = (char)('a' + i % 23);
    qn_addr a = alloc(sizeof text);
    must(qn_memory_upload(device, a, text, sizeof text, stream));
    void *const args[] = {&a, &skipped};
    printed_by_launch(printed, sizeof printed, code, args);
    qn_memory_free(device, a);
    ck_assert_int_eq(strncmp(printed, text, LONG), 0);
    ck_assert_int_eq(strncmp(printed + LONG, "|19990\n", 7), 0);
    ck_assert_int_eq(strncmp(printed + LONG + 7, text + n, 10), 0);
    ck_assert_str_eq(printed + LONG + 17, "\n");
}
END_TEST

int main(void)
{
    const struct fixture_case cases[] = {
        {what_is_printed_is_what_c_prints, 1}, {a_long_text_is_printed_whole, 1}, {NULL, 0}};
    return fixture_run("print", NULL, NULL, NULL, cases);
}
