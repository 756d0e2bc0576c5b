/* SPDX-License-Identifier: Apache-2.0
 *
 * Workarounds for drivers, run: tests/compiler/quirks/<quirk>.cu is the smallest kernel known that
 * a driver with the quirk of base/profiles.def miscompiles when its workaround is switched off, and
 * says itself what is right.
 *
 *     check_quirks             on this machine's OpenCL device each is right as the device's
 * profile has it check_quirks --report    on every OpenCL driver here: is each workaround still
 * needed? check_quirks --run DEVICE TARGET FILE     what a kernel gives there
 *
 * `make check-quirks` prints the report; compiler/quirks/README.md says what to do about it.
 *
 * covers: compiler/quirks/quirk_switch compiler/quirks/quirk_flag_paths
 * compiler/quirks/quirk_join_barrier compiler/quirks/quirk_guard_loop
 * compiler/quirks/quirk_pad_array compiler/quirks/quirk_volatile_store
 * compiler/quirks/quirk_copy_byval
 * compiler/quirks/quirk_volatile_negation compiler/quirks/quirk_volatile_element */
#include "base/file.h"
#include "base/profiles.h"
#include "tests/runtime_fixture.h"

enum { THREADS = 64, BLOCK = 32, RESULTS = 64 + 4 * THREADS, PARAMETER = 3, TEXT = 128 };

static const char *const quirks[] = {
#define QN_QUIRK(name, text) #name,
#include "base/profiles.def"
};
enum { N_QUIRKS = sizeof quirks / sizeof *quirks };

/* The source of a quirk's kernel, and the path it is read from. */
static qn_status read_source(char path[TEXT], char **text, const char *quirk)
{
    size_t n;
    snprintf(path, TEXT, "tests/compiler/quirks/%s.cu", quirk);
    return qn__file_read(text, &n, path, 1 << 16);
}

/* The numbers of the line "// answer: 1 2 3"; how many. */
static int read_answer(int *out, const char *text)
{
    int n = 0;
    const char *p = strstr(text, "// answer:");
    for (char *end; p && n < RESULTS; n++, p = end) {
        p = n ? p : p + 10;
        while (strncmp(p, "\n//", 3) == 0) /* more lines of numbers */
            p += 3;
        const long v = strtol(p, &end, 10);
        if (end == p)
            break;
        out[n] = (int)v;
    }
    return n;
}

/* Launch `run` of a module: two blocks of 32, n = 60, and a struct of three numbers where the
 * kernel takes one. */
static qn_status launch(int *out, qn_device *dev, qn_module *module)
{
    static const qn_dims dims = {.grid = {THREADS / BLOCK, 1, 1}, .block = {BLOCK, 1, 1}};
    int in[THREADS], n = 60, extra[PARAMETER] = {1, 2, 3};
    const qn_kernel *kernel;
    qn_stream *s = NULL;
    qn_addr d_out = 0, d_in = 0;
    for (int i = 0; i < THREADS; i++)
        in[i] = i * 37 % 101;
    void *const args[] = {&d_out, &d_in, &n, extra};
    qn_status status = qn_stream_create(&s, dev, NULL);
    if (status == QN_OK)
        status = qn_memory_alloc(&d_out, dev, RESULTS * sizeof *out);
    if (status == QN_OK)
        status = qn_memory_alloc(&d_in, dev, sizeof in);
    if (status == QN_OK)
        status = qn_memory_fill(dev, d_out, 0, 1, RESULTS * sizeof *out, s);
    if (status == QN_OK)
        status = qn_memory_upload(dev, d_in, in, sizeof in, s);
    if (status == QN_OK)
        status = qn_kernel_find(&kernel, module, "run");
    if (status == QN_OK)
        status = qn_stream_launch(s, kernel, &dims, args);
    if (status == QN_OK)
        status = qn_memory_download(dev, out, d_out, RESULTS * sizeof *out, s);
    if (status == QN_OK)
        status = qn_stream_sync(s);
    qn_memory_free(dev, d_in);
    qn_memory_free(dev, d_out);
    qn_stream_destroy(s);
    return status;
}

static qn_status run_on(int *out, qn_device *dev, const char *target, const char *path)
{
    const qn_source src = {.path = path};
    const qn_compile_options how = {.bypass_cache = true};
    qn_image *image = NULL;
    qn_module *module = NULL;
    qn_status s = qn_compile(&image, &src, target, &how, NULL);
    if (s == QN_OK)
        s = qn_module_load(&module, dev, image);
    if (s == QN_OK)
        s = launch(out, dev, module);
    qn_module_close(module);
    qn_image_release(image);
    return s;
}

/* ---- tests ---- */

START_TEST(a_kernel_is_right_with_the_workarounds_of_the_devices_profile)
{
    int out[RESULTS], answer[RESULTS];
    char path[TEXT], *text = NULL;
    must(read_source(path, &text, quirks[_i]));
    const int n = read_answer(answer, text);
    free(text);
    ck_assert_msg(n >= THREADS, "%s: %d numbers in its answer", path, n);
    must(run_on(out, device, qn_device_get_info(device)->target, path));
    for (int i = 0; i < n; i++)
        ck_assert_msg(out[i] == answer[i], "%s: element %d is %d, not %d", path, i, out[i],
                      answer[i]);
}
END_TEST

/* ---- the report ---- */

static const char *verdict(qn_device *dev, const char *quirk)
{
    static char why[256];
    int out[RESULTS], answer[RESULTS], n_wrong = 0;
    char path[TEXT], target[2 * TEXT], *text = NULL;
    struct qn__profile profile;
    const qn_device_info *const info = qn_device_get_info(dev);
    const bool known = qn__profile_parse(&profile, info->target + strlen("opencl:"));
    bool has = false;
    for (unsigned q = 0; known && q < QN__N_QUIRKS; q++)
        has |= strcmp(qn__quirk_name((enum qn__quirk)q), quirk) == 0 &&
               qn__profile_has(&profile, (enum qn__quirk)q);
    snprintf(target, sizeof target, "%s:%s-", info->target, quirk);
    if (read_source(path, &text, quirk) != QN_OK || run_on(out, dev, target, path) != QN_OK) {
        free(text);
        snprintf(why, sizeof why, "cannot be said: %.200s", qn_message());
        return why;
    }
    const int n = read_answer(answer, text);
    free(text);
    for (int i = 0; i < n; i++)
        n_wrong += out[i] != answer[i];
    snprintf(why, sizeof why, "%s (%d of %d wrong without it)",
             n_wrong ? (has ? "needed" : "NEEDED, and missing from the profile")
                     : (has ? "not needed (retire it)" : "not needed, and not asked for"),
             n_wrong, n);
    return why;
}

static int report(void)
{
    qn_device_list list;
    if (qn_device_list_init(&list) != QN_OK) {
        fprintf(stderr, "%s\n", qn_message());
        return 1;
    }
    bool any = false;
    for (uint32_t i = 0; i < list.n_devices; i++) {
        qn_device *dev;
        if (strcmp(list.devices[i].backend, "opencl") != 0)
            continue;
        if (qn_device_open(&dev, list.devices[i].id) != QN_OK) {
            fprintf(stderr, "%s: %s\n", list.devices[i].id, qn_message());
            continue;
        }
        any = true;
        const qn_device_info *const info = qn_device_get_info(dev);
        printf("%s, %s, profile %s\n", info->name, info->driver, info->target + strlen("opencl:"));
        for (int q = 0; q < N_QUIRKS; q++)
            printf("    %-18s %s\n", quirks[q], verdict(dev, quirks[q]));
        qn_device_close(dev);
    }
    qn_device_list_release(&list);
    if (!any)
        fprintf(stderr, "no OpenCL device here\n");
    return !any;
}

static int run_one(char **argv)
{
    qn_device *dev = NULL;
    int out[RESULTS];
    qn_status s = qn_device_open(&dev, argv[0]);
    if (s == QN_OK)
        s = run_on(out, dev, argv[1], argv[2]);
    for (int i = 0; s == QN_OK && i < RESULTS; i++)
        printf("%d%c", out[i], i % 16 == 15 ? '\n' : ' ');
    if (s != QN_OK)
        fprintf(stderr, "%s\n", qn_message());
    qn_device_close(dev);
    return s != QN_OK;
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "--report") == 0)
        return report();
    if (argc == 5 && strcmp(argv[1], "--run") == 0)
        return run_one(argv + 2);
    const struct fixture_case cases[] = {
        {a_kernel_is_right_with_the_workarounds_of_the_devices_profile, N_QUIRKS}, {NULL, 0}};
    return fixture_run("quirks", "opencl", NULL, NULL, cases);
}
