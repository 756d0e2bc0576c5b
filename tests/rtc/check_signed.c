/* SPDX-License-Identifier: Apache-2.0
 *
 * Whose signature counts, what travels, and where an image is from: lists of keys, signed entries,
 * hidden values, origins, and serial numbers of bundles. No server and no compiler is needed;
 * check_remote.c has the server.
 *
 * covers: rtc/cache/trusted_keys rtc/cache/signed_entry rtc/cache/hidden_values rtc/cache/origin
 * rtc/cache/bundle_serials */
#define _GNU_SOURCE
#include "rtc/cache/signed_entry.h"

#include "rtc/cache/bundle_file.h"
#include "rtc/cache/cache_disk.h"
#include "rtc/cache/hidden_values.h"
#include "rtc/cache/miss.h"
#include "rtc/cache/origin.h"
#include "rtc/cache/trusted_keys.h"
#include "tests/rtc/cache_fixture.h"

static char secret[QN_BUNDLE_KEY_TEXT], public_key[QN_BUNDLE_KEY_TEXT];

/* -- lists of keys -- */

#define A "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
#define B "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"
enum { DAY_S = 86400, D2027_03_01 = 1803859200 }; /* its first second */

static const struct {
    const char *name, *list, *key;
    int64_t now_s;
    enum qn__key_standing standing;
    const char *odd; /* the first word that is no key; NULL: none */
} lists[] = {
    {"nothing", "", A, 0, QN__KEY_UNKNOWN, NULL},
    {"the key", A, A, 0, QN__KEY_TRUSTED, NULL},
    {"another key", B, A, 0, QN__KEY_UNKNOWN, NULL},
    {"one of two", B "," A, A, 0, QN__KEY_TRUSTED, NULL},
    {"between colons", B ":" A ":", A, 0, QN__KEY_TRUSTED, NULL},
    {"in capitals",
     "AAAAAAAAAAAAAAAA"
     "AAAAAAAAAAAAAAAA"
     "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
     A, 0, QN__KEY_TRUSTED, NULL},
    {"in a comment", "# " A "\n" B, A, 0, QN__KEY_UNKNOWN, NULL},
    {"before a comment", A " # build farm, until spring\n" B, A, 0, QN__KEY_TRUSTED, NULL},
    {"nobody's signature", A, "", 0, QN__KEY_UNKNOWN, NULL},
    {"on its last day", A "@2027-02-28", A, D2027_03_01 - 1, QN__KEY_TRUSTED, NULL},
    {"after its last day", A "@2027-02-28", A, D2027_03_01, QN__KEY_EXPIRED, NULL},
    {"a leap day", A "@2028-02-29", A, D2027_03_01 + 366 * (int64_t)DAY_S - 1, QN__KEY_TRUSTED,
     NULL},
    {"after a leap day", A "@2028-02-29", A, D2027_03_01 + 366 * (int64_t)DAY_S, QN__KEY_EXPIRED,
     NULL},
    {"the later of two days", A "@2027-02-28 " A "@2027-03-01", A, D2027_03_01, QN__KEY_TRUSTED,
     NULL},
    {"the first day there is", A "@1970-01-01", A, DAY_S - 1, QN__KEY_TRUSTED, NULL},
    {"revoked", "!" A, A, 0, QN__KEY_REVOKED, NULL},
    {"revoked and trusted", A " !" A " " A "@2030-01-01", A, 0, QN__KEY_REVOKED, NULL},
    {"another is revoked", A " !" B, A, 0, QN__KEY_TRUSTED, NULL},
    {"no leap year", A "@2027-02-29", A, 0, QN__KEY_UNKNOWN, A "@2027-02-29"},
    {"no such month", A "@2027-13-01", A, 0, QN__KEY_UNKNOWN, A "@2027-13-01"},
    {"no day", A "@2027-12", A, 0, QN__KEY_UNKNOWN, A "@2027-12"},
    {"a day and more", A "@2027-12-011", A, 0, QN__KEY_UNKNOWN, A "@2027-12-011"},
    {"revoked from a day on", "!" A "@2027-12-01", A, 0, QN__KEY_UNKNOWN, "!" A "@2027-12-01"},
    {"a file's name", "keys.txt " B, A, 0, QN__KEY_UNKNOWN, "keys.txt"},
    {"a digit too many", A "a", A, 0, QN__KEY_UNKNOWN, A "a"},
    {"only an exclamation mark", "!", A, 0, QN__KEY_UNKNOWN, "!"},
};

START_TEST(a_list_says_who_is_trusted_until_when_and_who_is_revoked)
{
    const char *odd;
    size_t odd_n;
    const enum qn__key_standing standing =
        qn__keys_look(&odd, &odd_n, lists[_i].list, lists[_i].key, lists[_i].now_s);
    ck_assert_msg(standing == lists[_i].standing, "%s: %d", lists[_i].name, (int)standing);
    ck_assert_msg((odd != NULL) == (lists[_i].odd != NULL), "%s: %s", lists[_i].name,
                  odd ? odd : "no odd word");
    if (odd)
        ck_assert_msg(odd_n == strlen(lists[_i].odd) && memcmp(odd, lists[_i].odd, odd_n) == 0,
                      "%s: %.*s", lists[_i].name, (int)odd_n, odd);
}
END_TEST

START_TEST(what_may_not_be_taken_is_refused_with_the_reason)
{
    static const struct {
        const char *keys, *signer, *says;
    } rows[] = {
        {NULL, "", NULL},
        {"", "", NULL},
        {A, A, NULL},
        {A, "", "the thing: not signed, and QUERN_BUNDLE_KEYS asks for another signer"},
        {A, B, "the thing: signed by " B},
        {A "@2001-01-01", A, "whose time in QUERN_BUNDLE_KEYS is over"},
        {A " !" A, A, "which QUERN_BUNDLE_KEYS revokes"},
        {"keys.txt", A, "'keys.txt', which is no key"},
        {"/nowhere/keys", A, "not trusted: QUERN_BUNDLE_KEYS"},
        {",", A, "asks for another signer"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].keys)
            setenv("QUERN_BUNDLE_KEYS", rows[i].keys, 1);
        const qn_status s = qn__keys_check("the thing", rows[i].signer);
        ck_assert_msg((s == QN_OK) == (rows[i].says == NULL), "row %zu: %s", i,
                      s == QN_OK ? "taken" : qn_message());
        if (s != QN_OK)
            says(qn_message(), rows[i].says);
        ck_assert_int_eq(qn__keys_trust(rows[i].signer),
                         rows[i].keys && rows[i].keys[0] && !rows[i].says);
    }
}
END_TEST

/* -- signed entries -- */

static struct qn__str signed_entry(const struct qn__str *entry)
{
    struct qn__secret s;
    struct qn__str out = {0};
    must(qn__secret_parse(&s, secret));
    must(qn__signed_wrap(&out, entry, &s));
    return out;
}

START_TEST(a_signed_entry_names_its_signer_and_a_bare_one_nobody)
{
    struct qn__str entry = make_entry(key, "payload", 7), whole = signed_entry(&entry);
    char signer[QN__HASH_HEX];
    size_t at;
    must(qn__signed_open(&at, signer, whole.text, whole.len));
    ck_assert_str_eq(signer, public_key);
    ck_assert(whole.len - at == entry.len && memcmp(whole.text + at, entry.text, entry.len) == 0);
    must(qn__signed_open(&at, signer, entry.text, entry.len)); /* as older versions stored them */
    ck_assert_uint_eq(at, 0);
    ck_assert_str_eq(signer, "");
    qn__str_release(&entry);
    qn__str_release(&whole);
}
END_TEST

START_TEST(every_truncation_and_every_changed_byte_of_a_signed_entry_is_detected)
{
    struct qn__str entry = make_entry(key, "payload", 7), whole = signed_entry(&entry);
    char signer[QN__HASH_HEX];
    size_t at;
    for (size_t n = 8; n < whole.len; n++) /* what has no magic counts as bare, and is no entry */
        ck_assert_msg(qn__signed_open(&at, signer, whole.text, n) != QN_OK && !signer[0],
                      "%zu of %zu bytes", n, whole.len);
    for (size_t i = 8; i < whole.len; i++) {
        whole.text[i] ^= 0x10;
        ck_assert_msg(qn__signed_open(&at, signer, whole.text, whole.len) != QN_OK && !signer[0],
                      "byte %zu of %zu", i, whole.len);
        whole.text[i] ^= 0x10;
    }
    qn__str_release(&entry);
    qn__str_release(&whole);
}
END_TEST

START_TEST(a_file_without_a_secret_key_is_an_error_that_does_not_show_it)
{
    struct qn__secret s;
    must(qn__secret_read(&s, write_text("good", secret)));
    char text[200];
    snprintf(text, sizeof text, "\n  %s\r\n", secret);
    must(qn__secret_read(&s, write_text("blanks", text)));
    must_not(QN_E_IO, qn__secret_read(&s, in_scratch("none")));
    must_not(QN_E_INVALID, qn__secret_read(&s, write_text("bad", "s3cret")));
    says(qn_message(), "quern bundle keygen");
    ck_assert_ptr_null(strstr(qn_message(), "s3cret"));
    char made[QN_BUNDLE_KEY_TEXT];
    must(qn_bundle_public_key(made, secret));
    ck_assert_str_eq(made, public_key);
    must_not(QN_E_INVALID, qn_bundle_public_key(made, "s3cret"));
}
END_TEST

/* -- hidden values -- */

#define D "digest:"
static const struct {
    const char *name, *line;
    bool is_hidden;
} fields[] = {
    {"a macro", "option: -DKEY=hunter2", true},
    {"a macro with parameters", "option: -DF(x)=x+hunter2", true},
    {"a macro without a value", "option: -DKEY=", true},
    {"another option", "option: -O3", false},
    {"a standard", "option: -std=c++17", false},
    {"no macro", "option: -UKEY", false},
    {"a source", "source: a=b.cu 0123", false},
    {"a name", "name expression: k<3>", false},
    {"a variable", "HIPCC_COMPILE_FLAGS_APPEND: -DKEY=hunter2", true},
    {"a device", "device and driver: 0123", false},
};

START_TEST(digests_stand_for_values)
{
    struct qn__str once = {0}, twice = {0};
    qn__values_hide(&once, fields[_i].line);
    qn__values_hide(&twice, once.text);
    ck_assert_msg((strcmp(once.text, fields[_i].line) != 0) == fields[_i].is_hidden, "%s: %s",
                  fields[_i].name, once.text);
    ck_assert_ptr_null(strstr(once.text, "hunter2"));
    ck_assert_str_eq(once.text, twice.text);
    ck_assert(qn__values_match(fields[_i].line, strlen(fields[_i].line), once.text, once.len));
    qn__str_release(&once);
    qn__str_release(&twice);
}
END_TEST

START_TEST(hidden_fields_compare_with_shown_ones)
{
    static const char shown[] = "source: k.cu 00\noption: -O3\noption: -DA=hunter2\n",
                      other[] = "source: k.cu 00\noption: -O3\noption: -DA=hunter3\n",
                      twin[] = "source: k.cu 00\noption: -O3\noption: -DB=hunter2\n";
    struct qn__str hidden = {0}, hidden_twin = {0}, diff = {0};
    qn__values_hide(&hidden, shown);
    qn__values_hide(&hidden_twin, twin);
    ck_assert_uint_eq(qn__fields_diff(&diff, hidden.text, shown), 0);
    ck_assert_uint_eq(qn__fields_diff(&diff, shown, hidden.text), 0);
    ck_assert_uint_eq(qn__fields_diff(&diff, hidden.text, other), 2);
    says(diff.text, "- option: -DA=" D);
    says(diff.text, "+ option: -DA=hunter3");
    ck_assert_str_ne(strstr(hidden.text, D), strstr(hidden_twin.text, D));
    qn__str_release(&hidden);
    qn__str_release(&hidden_twin);
    qn__str_release(&diff);
}
END_TEST

START_TEST(a_text_that_quotes_a_value_is_noticed)
{
    static const char *const options[] = {"-O3", "-DA=hunter2", "-DB=1", "-DC=", "-UD"};
    ck_assert(qn__values_show("<command line>:1: #define A hunter2", options, 5));
    ck_assert(!qn__values_show("k.cu:1:1: warning: unused", options, 5));
    ck_assert(!qn__values_show("", options, 5));
}
END_TEST

static qn_image *image_with_fields(const char *text)
{
    qn_image *image = make_image("payload", 7);
    must(qn__image_note(image, &(struct qn__image_notes){key, key, key, text, ""}));
    must(qn__image_set_origin(image, &(struct qn__image_origin){"server http://x", A}));
    return image;
}

static bool holds(const char *bytes, size_t n, const char *word)
{
    return memmem(bytes, n, word, strlen(word)) != NULL;
}

/* A file may be sent to anybody, and so may a bundle; its own cache a machine keeps to itself. */
START_TEST(values_and_origins_stay_in_the_cache_and_are_not_in_files_and_bundles)
{
    qn_image *image = image_with_fields("option: -DKEY=hunter2\n"), *again;
    struct qn__str here = {0}, away = {0};
    char *file;
    size_t n;
    qn_bundle_writer *w;
    qn_bundle *b;
    qn__entry_encode(&here, image, NULL, QN__ENTRY_FOR_HERE);
    qn__entry_encode(&away, image, NULL, QN__ENTRY_FOR_AWAY);
    ck_assert(holds(here.text, here.len, "hunter2") && holds(here.text, here.len, "http://x"));
    ck_assert(!holds(away.text, away.len, "hunter2") && !holds(away.text, away.len, "http://x"));
    must(qn_image_save(image, in_scratch("a.qni")));
    must(qn__file_read(&file, &n, in_scratch("a.qni"), 1 << 20));
    ck_assert(n == away.len && memcmp(file, away.text, n) == 0);
    free(file);
    must(qn_image_load_bytes(&again, here.text, here.len, NULL)); /* whatever a file says of it */
    ck_assert_str_eq(qn_image_get_origin(again, NULL), "");
    qn_image_release(again);
    must(qn_bundle_writer_create(&w));
    must(qn_bundle_writer_add_image(w, image));
    must(qn_bundle_writer_write(w, in_scratch("a.qnb"), NULL));
    must(qn_bundle_open(&b, in_scratch("a.qnb")));
    must(qn_bundle_load(&again, b, 0));
    ck_assert_ptr_null(strstr(qn_image_get_fields(again), "hunter2"));
    says(qn_image_get_origin(again, NULL), "bundle ");
    says(qn_image_get_origin(again, NULL), "/a.qnb");
    qn_image_release(again);
    qn_bundle_close(b);
    qn_bundle_writer_destroy(w);
    qn_image_release(image);
    qn__str_release(&here);
    qn__str_release(&away);
}
END_TEST

/* -- origins -- */

static void store(const char *key_hex, const char *from, const char *signer)
{
    struct qn__str entry = {0};
    qn_image *image = make_image("payload", 7);
    must(qn__image_note(image,
                        &(struct qn__image_notes){key_hex, "r", "s", "source: k.cu 0\n", ""}));
    must(qn__image_set_origin(image, &(struct qn__image_origin){from, signer}));
    qn__entry_encode(&entry, image, NULL, QN__ENTRY_FOR_HERE);
    qn__disk_publish(key_hex, &entry);
    qn_image_release(image);
    qn__str_release(&entry);
}

static const struct {
    const char *from, *signer;
    bool is_verified;
} origins[] = {
    {"here", "", true},
    {"", "", false}, /* of an older version */
    {"server https://cache.example/kernels", "", false},
    {"server https://cache.example/kernels", A, true},
    {"server https://cache.example/kernels", B, false},
    {"bundle app.qnb", A, true},
    {"bundle here", "", false},
};
enum { N_ORIGINS = sizeof origins / sizeof origins[0] };

START_TEST(the_list_of_entries_says_who_made_them_and_who_vouches)
{
    const qn_cache_entry *entries;
    uint32_t n, seen = 0;
    char name[65];
    setenv("QUERN_BUNDLE_KEYS", A, 1);
    for (int i = 0; i < N_ORIGINS; i++) {
        snprintf(name, sizeof name, "%064d", i);
        store(name, origins[i].from, origins[i].signer);
    }
    must(qn_cache_list(&entries, &n));
    ck_assert_uint_eq(n, N_ORIGINS);
    for (uint32_t i = 0; i < n; i++) {
        const int k = atoi(entries[i].key);
        qn_image *image;
        const char *signer;
        seen |= 1u << k;
        ck_assert_str_eq(entries[i].origin, origins[k].from);
        ck_assert_str_eq(entries[i].signer, origins[k].signer);
        ck_assert_msg(entries[i].is_verified == origins[k].is_verified, "%s", origins[k].from);
        must(qn_cache_load(&image, entries[i].key));
        ck_assert_str_eq(qn_image_get_origin(image, &signer), origins[k].from);
        ck_assert_str_eq(signer, origins[k].signer);
        ck_assert(qn_image_is_verified(image) == origins[k].is_verified);
        qn_image_release(image);
    }
    ck_assert_uint_eq(seen, (1u << N_ORIGINS) - 1);
    free((void *)(uintptr_t)entries);
}
END_TEST

START_TEST(what_is_on_disk_is_asked_for_nothing_but_a_revoked_signer)
{
    qn_image *image;
    store(key, "server https://cache.example", A);
    setenv("QUERN_BUNDLE_KEYS", B, 1); /* it was asked when it came */
    must(qn__disk_find(&image, NULL, NULL, key, target));
    qn_image_release(image);
    setenv("QUERN_BUNDLE_KEYS", "!" A, 1);
    must_not(QN_E_NOT_FOUND, qn__disk_find(&image, NULL, NULL, key, target));
    says(qn_message(), "revokes");
    ck_assert_uint_eq(quarantined(), 1);
    ck_assert_uint_eq(count_files("cache/quarantine"), 1);
}
END_TEST

/* -- serial numbers -- */

static qn_status use_bundle(const char *file, const char *title, uint64_t serial,
                            const char *sign_with)
{
    qn_bundle_writer *w;
    must(qn_bundle_writer_create(&w));
    must(qn_bundle_writer_set_version(w, title, serial));
    must(qn_bundle_writer_write(w, in_scratch(file), sign_with));
    qn_bundle_writer_destroy(w);
    return qn_cache_add_bundle(in_scratch(file));
}

START_TEST(an_older_bundle_of_the_same_signer_and_name_is_refused)
{
    char other_secret[QN_BUNDLE_KEY_TEXT], other[QN_BUNDLE_KEY_TEXT], keys[200];
    qn_bundle_make_keys(other_secret, other);
    snprintf(keys, sizeof keys, "%s %s", public_key, other);
    setenv("QUERN_BUNDLE_KEYS", keys, 1);
    must(use_bundle("a.qnb", "app", 7, secret));
    must(use_bundle("b.qnb", "app", 7, secret));
    must(use_bundle("c.qnb", "app", 9, secret));
    must_not(QN_E_CORRUPT, use_bundle("elsewhere.qnb", "app", 8, secret));
    says(qn_message(), "number is 8");
    says(qn_message(), "number 9");
    says(qn_message(), "/serials/");
    must(use_bundle("d.qnb", "library", 1, secret));
    must(use_bundle("e.qnb", "app", 1, other_secret));
    qn_cache_report r;
    must(qn_cache_clear(&r)); /* does not forget */
    must_not(QN_E_CORRUPT, use_bundle("elsewhere.qnb", "app", 8, secret));
    char path[1024];
    const char *at = strstr(qn_message(), "remove ") + strlen("remove ");
    snprintf(path, sizeof path, "%.*s", (int)strcspn(at, ")"), at);
    ck_assert_msg(unlink(path) == 0, "%s", path); /* as the message says */
    must(use_bundle("elsewhere.qnb", "app", 8, secret));
}
END_TEST

START_TEST(a_damaged_number_is_none_and_only_asking_keeps_none)
{
    qn_bundle *b;
    setenv("QUERN_BUNDLE_KEYS", public_key, 1);
    must(use_bundle("new.qnb", "app", 9, secret));
    must_not(QN_E_CORRUPT, use_bundle("old.qnb", "app", 8, secret));
    must(qn_bundle_open(&b, in_scratch("old.qnb")));
    must_not(QN_E_CORRUPT, qn_bundle_check_signer(b));
    qn_bundle_close(b);
    DIR *d = opendir(in_scratch("cache/serials"));
    const struct dirent *e;
    char name[300];
    uint32_t n = 0;
    while ((e = readdir(d)))
        if (e->d_name[0] != '.') {
            snprintf(name, sizeof name, "cache/serials/%s", e->d_name);
            ck_assert_int_eq(truncate(in_scratch(name), 5), 0);
            n++;
        }
    closedir(d);
    ck_assert_uint_eq(n, 1);
    must(qn_bundle_open(&b, in_scratch("old.qnb")));
    must(qn_bundle_check_signer(b));
    qn_bundle_close(b);
    must(use_bundle("older.qnb", "app", 1, secret)); /* 8 was only asked about */
}
END_TEST

START_TEST(without_trusted_keys_no_number_is_asked_or_kept)
{
    must(use_bundle("new.qnb", "app", 9, secret));
    must(use_bundle("old.qnb", "app", 8, secret));
    ck_assert_uint_eq(count_files("cache/serials"), 0);
    setenv("QUERN_BUNDLE_KEYS", public_key, 1);
    setenv("QUERN_CACHE_MODE", "read-only", 1);
    must(use_bundle("new.qnb", "app", 9, secret));
    must(use_bundle("old.qnb", "app", 8, secret));
    ck_assert_uint_eq(count_files("cache/serials"), 0);
}
END_TEST

int main(void)
{
    unsetenv("QUERN_BUNDLE_KEYS");
    unsetenv("SOURCE_DATE_EPOCH");
    qn_bundle_make_keys(secret, public_key);
    Suite *s = suite_create("signed");
    TCase *t = tcase_create("trust");
    tcase_add_checked_fixture(t, open_quiet, scratch_close);
    tcase_add_loop_test(t, a_list_says_who_is_trusted_until_when_and_who_is_revoked, 0,
                        sizeof lists / sizeof lists[0]);
    tcase_add_test(t, what_may_not_be_taken_is_refused_with_the_reason);
    tcase_add_test(t, a_signed_entry_names_its_signer_and_a_bare_one_nobody);
    tcase_add_test(t, every_truncation_and_every_changed_byte_of_a_signed_entry_is_detected);
    tcase_add_test(t, a_file_without_a_secret_key_is_an_error_that_does_not_show_it);
    tcase_add_loop_test(t, digests_stand_for_values, 0, sizeof fields / sizeof fields[0]);
    tcase_add_test(t, hidden_fields_compare_with_shown_ones);
    tcase_add_test(t, a_text_that_quotes_a_value_is_noticed);
    tcase_add_test(t, values_and_origins_stay_in_the_cache_and_are_not_in_files_and_bundles);
    tcase_add_test(t, the_list_of_entries_says_who_made_them_and_who_vouches);
    tcase_add_test(t, what_is_on_disk_is_asked_for_nothing_but_a_revoked_signer);
    tcase_add_test(t, an_older_bundle_of_the_same_signer_and_name_is_refused);
    tcase_add_test(t, a_damaged_number_is_none_and_only_asking_keeps_none);
    tcase_add_test(t, without_trusted_keys_no_number_is_asked_or_kept);
    suite_add_tcase(s, t);
    return run_suite(s);
}
