/* SPDX-License-Identifier: Apache-2.0
 *
 * Bundles in front of the cache, whom they may come from, and the modes of QUERN_CACHE_MODE.
 * Bundles are made by hand from requests, so no compiler is needed; what needs one says so.
 *
 * covers: rtc/lookup rtc/cache/bundle_layers rtc/cache/cache_list rtc/cache/cache_mode
 * rtc/key/request */
#define _GNU_SOURCE
#include "rtc/cache/bundle_layers.h"
#include "rtc/lookup.h"
#include "tests/rtc/cache_fixture.h"

#include <pthread.h>

static char secret[QN_BUNDLE_KEY_TEXT], public_key[QN_BUNDLE_KEY_TEXT];
static const qn_source source = {.text = "extern \"C\" __global__ void k(float *p) { *p = 1; }\n",
                                 .path = "k.cu"};

static struct qn__target parse(const char *text)
{
    struct qn__target t;
    must(qn__target_parse(&t, text));
    return t;
}

/* An image as a compiler far away would have made it; its payload is `says`. */
static qn_image *foreign_image(const qn_source *src, const char *for_target, const char *payload)
{
    struct qn__request r;
    struct qn__key_compiler far = {NULL, "nvrtc", "nvrtc 99.9 build far away", NULL};
    struct qn__str fields = {0};
    qn_image *image;
    must(qn__request_open(&r, src, for_target, NULL));
    far.closure = &r.closure;
    must(qn__key_finish(&r.key, &r.fields, &far));
    qn__key_print(&fields, &r.fields);
    must(qn__image_create(&image, for_target, "nvrtc 99.9", QN_IMAGE_CUBIN, payload,
                          strlen(payload), NULL, 0));
    must(qn__image_note(image, &(struct qn__image_notes){r.key.hex, r.key.request_hex,
                                                         r.key.source_hex, fields.text, ""}));
    qn__str_release(&fields);
    qn__request_release(&r);
    return image;
}

/* targets: ended by NULL; the payload of each is its target. */
static const char *make_bundle(const char *name, const qn_source *src, const char *const *targets,
                               const char *sign_with)
{
    qn_bundle_writer *w;
    const char *path = in_scratch(name);
    must(qn_bundle_writer_create(&w));
    for (; *targets; targets++) {
        qn_image *image = foreign_image(src, *targets, *targets);
        must(qn_bundle_writer_add_image(w, image));
        qn_image_release(image);
    }
    must(qn_bundle_writer_write(w, path, sign_with));
    qn_bundle_writer_destroy(w);
    return path;
}

static void open_without_compilers(void)
{
    open_quiet();
    /* a search that finds none, wherever they are installed */
    setenv("PATH", "/nowhere", 1);
    setenv("QUERN_RTC", "/nowhere/quern-rtc", 1);
    setenv("QUERN_TRANSLATE", "/nowhere/quern-translate", 1);
}

static uint64_t compiles(void)
{
    qn_cache_counters c;
    qn_cache_get_counters(&c);
    return c.compiles + c.helpers_started;
}

/* -- layers -- */

static const char *const sm90_only[] = {"cuda:sm_90", NULL};

static void expect_from_bundle(void)
{
    qn_image *image, *again;
    qn_log log;
    must(qn_compile(&image, &source, "cuda:sm_90", NULL, &log));
    ck_assert_int_eq(log.origin, QN_ORIGIN_BUNDLE);
    ck_assert_str_eq(log.key, image->notes.key);
    ck_assert_str_eq(image->info.bytes, "cuda:sm_90");
    qn_log_release(&log);
    must(qn_compile(&again, &source, "cuda:sm_90", NULL, &log));
    ck_assert_int_eq(log.origin, QN_ORIGIN_MEMORY_CACHE);
    ck_assert_ptr_eq(image, again);
    qn_log_release(&log);
    qn_image_release(image);
    qn_image_release(again);
    ck_assert_uint_eq(compiles(), 0);
    ck_assert_uint_eq(n_warnings, 0);
}

START_TEST(an_added_bundle_serves_a_machine_without_compilers)
{
    must(qn_cache_add_bundle(make_bundle("a.qnb", &source, sm90_only, NULL)));
    expect_from_bundle();
}
END_TEST

START_TEST(a_bundle_may_come_from_memory)
{
    char *bytes;
    size_t n;
    const char *path = make_bundle("a.qnb", &source, sm90_only, NULL);
    must(qn__file_read(&bytes, &n, path, 1 << 20));
    must(qn_cache_add_bundle_bytes("rank 0", bytes, n));
    expect_from_bundle();
}
END_TEST

START_TEST(the_environment_names_bundles)
{
    static const char *const other[] = {"cuda:sm_80", NULL};
    char list[9000];
    snprintf(list, sizeof list, "%s:%s", make_bundle("a.qnb", &source, other, NULL),
             make_bundle("b.qnb", &source, sm90_only, NULL));
    setenv("QUERN_BUNDLE", list, 1);
    expect_from_bundle();
}
END_TEST

START_TEST(what_the_environment_names_and_is_not_there_is_said)
{
    setenv("QUERN_BUNDLE", in_scratch("nothing.qnb"), 1);
    ck_assert_ptr_null(qn__bundles_get(0));
    ck_assert_uint_eq(n_warnings, 1);
    says(warnings[0], "nothing.qnb");
}
END_TEST

static const struct {
    const char *name, *device;
    const char *entries[6];
    const char *want; /* NULL: none */
} choices[] = {
    {"the exact target",
     "cuda:sm_90",
     {"cuda:compute_80", "cuda:sm_90", "cuda:sm_90a"},
     "cuda:sm_90"},
    {"its own features before PTX",
     "cuda:sm_90",
     {"cuda:compute_90", "cuda:sm_90a"},
     "cuda:sm_90a"},
    {"the nearest cubin of the major",
     "cuda:sm_89",
     {"cuda:sm_80", "cuda:sm_86", "cuda:compute_89"},
     "cuda:sm_86"},
    {"the latest PTX",
     "cuda:sm_120",
     {"cuda:compute_75", "cuda:compute_90", "cuda:sm_90"},
     "cuda:compute_90"},
    {"nothing for older GPUs", "cuda:sm_75", {"cuda:sm_80", "cuda:compute_80"}, NULL},
    {"nothing across features", "cuda:sm_100", {"cuda:sm_90a"}, NULL},
    {"embedded parts apart", "cuda:sm_87", {"cuda:sm_86", "cuda:compute_80"}, "cuda:compute_80"},
    {"exact features",
     "hip:gfx90a:sramecc+:xnack-",
     {"hip:gfx90a", "hip:gfx90a:sramecc+:xnack-"},
     "hip:gfx90a:sramecc+:xnack-"},
    {"more features stated",
     "hip:gfx90a:sramecc+:xnack-",
     {"hip:gfx90a", "hip:gfx90a:xnack-"},
     "hip:gfx90a:xnack-"},
    {"neutral features",
     "hip:gfx90a:sramecc+:xnack-",
     {"hip:gfx90a:xnack+", "hip:gfx90a"},
     "hip:gfx90a"},
    {"its own before the family",
     "hip:gfx1100",
     {"hip:gfx11-generic", "hip:gfx1100"},
     "hip:gfx1100"},
    {"the family", "hip:gfx1101", {"hip:gfx11-generic", "hip:gfx1100"}, "hip:gfx11-generic"},
    {"never by number", "hip:gfx908", {"hip:gfx90a", "hip:gfx906"}, NULL},
    {"a profile before portable",
     "opencl:pocl3",
     {"opencl:portable", "opencl:pocl3"},
     "opencl:pocl3"},
    {"an included profile before portable",
     "opencl:pocl5",
     {"opencl:portable", "opencl:pocl3"},
     "opencl:pocl3"},
    {"portable", "opencl:nvidia", {"opencl:portable", "opencl:pocl3"}, "opencl:portable"},
    {"no other backend", "hip:gfx90a", {"opencl:portable", "cuda:sm_90"}, NULL},
};

START_TEST(the_best_image_for_a_device_is_chosen)
{
    struct qn__bundle_hit hits[QN__BUNDLE_HITS_MAX];
    struct qn__request r;
    const struct qn__target device = parse(choices[_i].device);
    must(qn_cache_add_bundle(make_bundle("a.qnb", &source, choices[_i].entries, NULL)));
    must(qn__request_open(&r, &source, choices[_i].device, NULL));
    const uint32_t n = qn__lookup_rows(hits, &r, &device, false);
    const char *got = n ? qn__bundle_target(hits[0].bundle, hits[0].row) : NULL;
    ck_assert_msg(qn__equal(got, choices[_i].want), "%s: got %s, want %s", choices[_i].name,
                  got ? got : "nothing", choices[_i].want ? choices[_i].want : "nothing");
    qn_image *image; /* and the way through the request gives the same */
    qn_log log = {0};
    const qn_status s = qn__lookup_bundle(&image, &r, &device, &log);
    ck_assert_int_eq(s, got ? QN_OK : QN_E_NOT_FOUND);
    if (got)
        ck_assert_str_eq(image->info.bytes, got);
    qn_image_release(image);
    qn_log_release(&log);
    qn__request_release(&r);
}
END_TEST

START_TEST(qn_compile_takes_no_other_target)
{
    static const char *const ptx[] = {"cuda:compute_80", NULL};
    qn_image *image;
    must(qn_cache_add_bundle(make_bundle("a.qnb", &source, ptx, NULL)));
    must(qn_cache_set_mode("must-hit"));
    must_not(QN_E_CACHE_MISS, qn_compile(&image, &source, "cuda:sm_90", NULL, NULL));
    says(qn_message(), "target: cuda:compute_80 there, target: cuda:sm_90 here");
}
END_TEST

START_TEST(the_earlier_bundle_wins)
{
    struct qn__bundle_hit hits[QN__BUNDLE_HITS_MAX];
    struct qn__request r;
    const struct qn__target device = parse("cuda:sm_90");
    setenv("QUERN_BUNDLE", make_bundle("environment.qnb", &source, sm90_only, NULL), 1);
    must(qn_cache_add_bundle(make_bundle("added.qnb", &source, sm90_only, NULL)));
    must(qn__request_open(&r, &source, "cuda:sm_90", NULL));
    ck_assert_uint_eq(qn__lookup_rows(hits, &r, &device, true), 2);
    says(qn_bundle_get_info((qn_bundle *)(uintptr_t)hits[0].bundle)->name, "added.qnb");
    qn__request_release(&r);
}
END_TEST

/* What must not be served from a bundle although source and target fit. */
START_TEST(what_a_bundle_does_not_know_passes_it_by)
{
    struct qn__bundle_hit hits[QN__BUNDLE_HITS_MAX];
    const struct qn__target device = parse("cuda:sm_90"), amd = parse("hip:gfx90a");
    static const char *const both[] = {"cuda:sm_90", "hip:gfx90a", NULL};
    const qn_compile_options forced = {.compiler = "nvrtc"}, bypass = {.bypass_cache = true};
    struct qn__request r;
    must(qn_cache_add_bundle(make_bundle("a.qnb", &source, both, NULL)));
    must(qn__request_open(&r, &source, "cuda:sm_90", &forced));
    ck_assert_uint_eq(qn__lookup_rows(hits, &r, &device, true), 0);
    qn__request_release(&r);
    must(qn__request_open(&r, &source, "cuda:sm_90", &bypass));
    ck_assert_uint_eq(qn__lookup_rows(hits, &r, &device, true), 0);
    qn__request_release(&r);
    setenv("HIPRTC_COMPILE_OPTIONS_APPEND", "-O1", 1);
    must(qn__request_open(&r, &source, "hip:gfx90a", NULL));
    ck_assert_uint_eq(qn__lookup_rows(hits, &r, &amd, true), 0);
    qn__request_release(&r);
    must(qn__request_open(&r, &source, "cuda:sm_90", NULL)); /* none of NVRTC's */
    ck_assert_uint_eq(qn__lookup_rows(hits, &r, &device, true), 1);
    qn__request_release(&r);
}
END_TEST

START_TEST(a_damaged_entry_of_a_bundle_is_a_miss)
{
    const char *path = make_bundle("a.qnb", &source, sm90_only, NULL);
    struct stat st;
    ck_assert_int_eq(stat(path, &st), 0);
    const int fd = open(path, O_WRONLY);
    ck_assert_int_eq(pwrite(fd, "X", 1, st.st_size - 20), 1);
    close(fd);
    must(qn_cache_add_bundle(path));
    must(qn_cache_set_mode("must-hit"));
    qn_image *image;
    must_not(QN_E_CACHE_MISS, qn_compile(&image, &source, "cuda:sm_90", NULL, NULL));
    ck_assert_uint_eq(n_warnings, 1);
    says(warnings[0], "checksum");
}
END_TEST

/* -- trust -- */

static const struct {
    const char *name;
    bool sign, in_file, good_key, trusted;
} signatures[] = {
    {"signed by a listed key", true, false, true, true},
    {"signed, key in a file", true, true, true, true},
    {"signed by somebody else", true, false, false, false},
    {"signed by somebody else, keys in a file", true, true, false, false},
    {"not signed", false, false, true, false},
};

START_TEST(only_trusted_signers_are_taken)
{
    char keys[300], other[QN_BUNDLE_KEY_TEXT], unused[QN_BUNDLE_KEY_TEXT];
    qn_bundle_make_keys(unused, other);
    snprintf(keys, sizeof keys, "%s,%s", other, signatures[_i].good_key ? public_key : other);
    if (signatures[_i].in_file) {
        char text[600];
        snprintf(text, sizeof text, "# %s\n%s # build farm\n", public_key,
                 signatures[_i].good_key ? public_key : other);
        snprintf(keys, sizeof keys, "%s", write_text("keys", text));
    }
    setenv("QUERN_BUNDLE_KEYS", keys, 1);
    const char *path =
        make_bundle("a.qnb", &source, sm90_only, signatures[_i].sign ? secret : NULL);
    const qn_status s = qn_cache_add_bundle(path);
    ck_assert_msg((s == QN_OK) == signatures[_i].trusted, "%s: %s", signatures[_i].name,
                  s == QN_OK ? "taken" : qn_message());
    if (s != QN_OK) {
        ck_assert_int_eq(s, QN_E_CORRUPT);
        says(qn_message(), "QUERN_BUNDLE_KEYS");
    }
}
END_TEST

START_TEST(keys_that_cannot_be_read_trust_nobody)
{
    setenv("QUERN_BUNDLE_KEYS", in_scratch("no keys"), 1);
    must_not(QN_E_CORRUPT, qn_cache_add_bundle(make_bundle("a.qnb", &source, sm90_only, secret)));
}
END_TEST

/* -- modes -- */

START_TEST(a_mode_that_is_none_is_an_error)
{
    qn_image *image;
    setenv("QUERN_CACHE_MODE", "musthit", 1);
    must_not(QN_E_INVALID, qn_compile(&image, &source, "cuda:sm_90", NULL, NULL));
    says(qn_message(), "musthit");
    must_not(QN_E_INVALID, qn_cache_set_mode("x"));
}
END_TEST

/* One thing changed: the miss names it. */
static const struct {
    const char *name;
    qn_source src;
    const char *target;
    const char *parts[2];
} misses[] = {
#define TEXT .text = "extern \"C\" __global__ void k(float *p) { *p = 1; }\n"
    {"another target",
     {TEXT, .path = "k.cu"},
     "cuda:sm_80",
     {"target: cuda:sm_90 there", "target: cuda:sm_80 here"}},
    {"an option",
     {TEXT, .path = "k.cu", .options = (const char *const[]){"-O1"}, .n_options = 1},
     "cuda:sm_90",
     {"option: -O3 there", "option: -O1 here"}},
    {"a macro",
     {TEXT, .path = "k.cu", .defines = (const char *const[]){"N=4"}, .n_defines = 1},
     "cuda:sm_90",
     {"option: -DN=4 here", ""}},
    {"a name",
     {TEXT, .path = "k.cu", .names = (const char *const[]){"f<1>"}, .n_names = 1},
     "cuda:sm_90",
     {"name expression: f<1> here", ""}},
    {"the text",
     {.text = "extern \"C\" __global__ void k(float *p) { *p = 2; }\n", .path = "k.cu"},
     "cuda:sm_90",
     {"source: k.cu ", " there, source: k.cu "}},
    {"a source nobody knows",
     {TEXT, .path = "other.cu"},
     "cuda:sm_90",
     {"hold anything made from other.cu", ""}},
};

START_TEST(a_miss_names_the_field_that_differs)
{
    qn_image *image;
    setenv("QUERN_CACHE_MODE", "must-hit", 1);
    must(qn_cache_add_bundle(make_bundle("a.qnb", &source, sm90_only, NULL)));
    must(qn_compile(&image, &source, "cuda:sm_90", NULL, NULL)); /* the one that is there */
    qn_image_release(image);
    must_not(QN_E_CACHE_MISS, qn_compile(&image, &misses[_i].src, misses[_i].target, NULL, NULL));
    for (int i = 0; i < 2; i++)
        says(qn_message(), misses[_i].parts[i]);
    says(qn_message(), misses[_i].src.path);
    ck_assert_uint_eq(compiles(), 0);
}
END_TEST

/* -- with NVRTC -- */

static qn_origin compile_once(void)
{
    qn_image *image;
    qn_log log;
    must(qn_compile(&image, &source, "cuda:sm_90", NULL, &log));
    const qn_origin origin = log.origin;
    qn_log_release(&log);
    qn_image_release(image);
    return origin;
}

/* In a process of its own, whose memory is empty; its status is the origin. */
static int origin_in_mode(const char *mode)
{
    int status = 0;
    const pid_t pid = fork();
    if (pid == 0) {
        qn_image *image;
        qn_log log;
        setenv("QUERN_CACHE_MODE", mode, 1);
        const qn_status s = qn_compile(&image, &source, "cuda:sm_90", NULL, &log);
        _exit(s == QN_OK ? (int)log.origin : 100 + (int)s);
    }
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    return WEXITSTATUS(status);
}

START_TEST(each_mode_reads_and_writes_what_it_says)
{
    ck_assert_int_eq(origin_in_mode("must-hit"), 100 + QN_E_CACHE_MISS);
    ck_assert_int_eq(origin_in_mode("off"), QN_ORIGIN_COMPILED);
    ck_assert_int_eq(origin_in_mode("read-only"), QN_ORIGIN_COMPILED);
    ck_assert_int_eq(origin_in_mode("must-hit"), 100 + QN_E_CACHE_MISS); /* nothing was stored */
    ck_assert_int_eq(origin_in_mode("normal"), QN_ORIGIN_COMPILED);
    ck_assert_int_eq(origin_in_mode("must-hit"), QN_ORIGIN_DISK_CACHE);
    ck_assert_int_eq(origin_in_mode("read-only"), QN_ORIGIN_DISK_CACHE);
    ck_assert_int_eq(origin_in_mode("off"), QN_ORIGIN_COMPILED);
    ck_assert_int_eq(origin_in_mode("refresh"), QN_ORIGIN_COMPILED);
    ck_assert_int_eq(origin_in_mode("must-hit"), QN_ORIGIN_DISK_CACHE);
}
END_TEST

START_TEST(a_read_only_folder_is_left_as_it_is)
{
    must(qn_cache_set_mode("read-only"));
    ck_assert_int_eq(compile_once(), QN_ORIGIN_COMPILED);
    ck_assert_int_ne(access(in_scratch("cache"), F_OK), 0);
    ck_assert_int_eq(compile_once(), QN_ORIGIN_MEMORY_CACHE);
}
END_TEST

START_TEST(a_compiled_image_becomes_a_bundle_that_hits_without_compilers)
{
    qn_image *image;
    qn_bundle_writer *w;
    must(qn_compile(&image, &source, "cuda:sm_90", NULL, NULL));
    must(qn_image_save(image, in_scratch("saved.qni")));
    qn_image_release(image);
    must(qn_image_load(&image, in_scratch("saved.qni"), NULL)); /* a saved one is as good */
    must(qn_bundle_writer_create(&w));
    must(qn_bundle_writer_add_image(w, image));
    must(qn_bundle_writer_write(w, in_scratch("a.qnb"), NULL));
    qn_bundle_writer_destroy(w);
    setenv("QUERN_CACHE_DIR", in_scratch("other cache"), 1);
    must(qn_cache_add_bundle(in_scratch("a.qnb")));
    ck_assert_int_eq(origin_in_mode("must-hit"), QN_ORIGIN_BUNDLE);
    qn_image_release(image);
}
END_TEST

START_TEST(the_cache_can_be_looked_through)
{
    const qn_cache_entry *list;
    uint32_t n;
    qn_cache_report report;
    ck_assert_int_eq(origin_in_mode("normal"), QN_ORIGIN_COMPILED);
    must(qn_cache_list(&list, &n));
    ck_assert_uint_eq(n, 1);
    ck_assert_str_eq(list[0].target, "cuda:sm_90");
    ck_assert_str_eq(list[0].name, "k.cu");
    ck_assert(qn__starts_with(list[0].compiler, "nvrtc "));
    ck_assert_int_eq(list[0].kind, QN_IMAGE_CUBIN);
    qn_image *image;
    char part[16];
    snprintf(part, sizeof part, "%.10s", list[0].key);
    must(qn_cache_load(&image, part));
    ck_assert_str_eq(image->notes.key, list[0].key);
    qn_image_release(image);
    must_not(QN_E_NOT_FOUND,
             qn_cache_load(&image, list[0].key[0] == '0' ? "11111111" : "00000000"));
    must_not(QN_E_INVALID, qn_cache_load(&image, "ab"));
    must(qn_cache_verify(&report));
    ck_assert_uint_eq(report.entries, 1);
    ck_assert_uint_eq(report.removed, 0);
    ck_assert_uint_eq(report.bytes, list[0].size_bytes);
    char name[200];
    snprintf(name, sizeof name, "cache/images/%.2s/%s", list[0].key, list[0].key);
    ck_assert_int_eq(truncate(in_scratch(name), (off_t)list[0].size_bytes - 1), 0);
    must(qn_cache_verify(&report));
    ck_assert_uint_eq(report.removed, 1);
    ck_assert_int_ne(access(in_scratch(name), F_OK), 0);
    free((void *)(uintptr_t)list);
    ck_assert_int_eq(origin_in_mode("normal"), QN_ORIGIN_COMPILED);
    must(qn_cache_gc(&report, 0, 0));
    ck_assert_uint_eq(report.removed, 0);
    must(qn_cache_gc(&report, 1, 0));
    ck_assert_uint_eq(report.removed, 1);
    ck_assert_uint_gt(report.removed_bytes, 0);
    ck_assert_int_eq(origin_in_mode("normal"), QN_ORIGIN_COMPILED);
    static const char *const others[] = {"cache/letter", "cache/images/photo.jpg",
                                         "cache/images/ab/photo.jpg", "cache/tmp/letter",
                                         "cache/models/model.gguf"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        write_text(others[i], "x");
    must(qn_cache_clear(&report));
    ck_assert_uint_gt(report.removed, 1); /* the entry, and what is known of compilers */
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        ck_assert_msg(qn__file_exists(in_scratch(others[i])), "%s was removed", others[i]);
    must(qn_cache_list(&list, &n));
    ck_assert_uint_eq(n, 0);
    free((void *)(uintptr_t)list);
}
END_TEST

int main(void)
{
    bool failed = false;
    qn_bundle_make_keys(secret, public_key);
    Suite *s = suite_create("cache_layers");
    TCase *t = tcase_create("without compilers");
    tcase_add_checked_fixture(t, open_without_compilers, scratch_close);
    tcase_add_test(t, an_added_bundle_serves_a_machine_without_compilers);
    tcase_add_test(t, a_bundle_may_come_from_memory);
    tcase_add_test(t, the_environment_names_bundles);
    tcase_add_test(t, what_the_environment_names_and_is_not_there_is_said);
    tcase_add_loop_test(t, the_best_image_for_a_device_is_chosen, 0,
                        sizeof choices / sizeof choices[0]);
    tcase_add_test(t, qn_compile_takes_no_other_target);
    tcase_add_test(t, the_earlier_bundle_wins);
    tcase_add_test(t, what_a_bundle_does_not_know_passes_it_by);
    tcase_add_test(t, a_damaged_entry_of_a_bundle_is_a_miss);
    tcase_add_loop_test(t, only_trusted_signers_are_taken, 0,
                        sizeof signatures / sizeof signatures[0]);
    tcase_add_test(t, keys_that_cannot_be_read_trust_nobody);
    tcase_add_test(t, a_mode_that_is_none_is_an_error);
    tcase_add_loop_test(t, a_miss_names_the_field_that_differs, 0,
                        sizeof misses / sizeof misses[0]);
    suite_add_tcase(s, t);
    if (have_compiler("nvrtc", &failed)) {
        t = tcase_create("with NVRTC");
        tcase_set_timeout(t, 60);
        tcase_add_checked_fixture(t, open_quiet, scratch_close);
        tcase_add_test(t, each_mode_reads_and_writes_what_it_says);
        tcase_add_test(t, a_read_only_folder_is_left_as_it_is);
        tcase_add_test(t, a_compiled_image_becomes_a_bundle_that_hits_without_compilers);
        tcase_add_test(t, the_cache_can_be_looked_through);
        suite_add_tcase(s, t);
    }
    return run_suite(s) || failed;
}
