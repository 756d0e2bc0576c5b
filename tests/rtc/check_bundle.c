/* SPDX-License-Identifier: Apache-2.0
 *
 * The bundle file: what goes in comes out, equal bytes for equal images, damage, signatures. No
 * compiler is needed.
 *
 * covers: rtc/cache/bundle_file rtc/cache/bundle_write */
#include "base/wire.h"
#include "rtc/cache/bundle_file.h"
#include "tests/rtc/cache_fixture.h"

static char secret[QN_BUNDLE_KEY_TEXT], public_key[QN_BUNDLE_KEY_TEXT];

/* 64 hex digits that begin with `digit`. */
static const char *digest(char digit)
{
    static char text[4][QN__HASH_HEX];
    static int turn;
    turn = (turn + 1) % 4;
    memset(text[turn], '0', QN__HASH_HEX - 1);
    text[turn][0] = digit;
    return text[turn];
}

static const struct {
    char source;
    const char *target, *payload;
} members[] = {
    {'7', "cuda:sm_90", "first"},      {'7', "cuda:sm_80", "second"},
    {'3', "hip:gfx90a", "third"},      {'a', "opencl:portable", "fourth"},
    {'7', "opencl:portable", "fifth"},
};
enum { MEMBERS = sizeof members / sizeof members[0] };

static qn_image *member_image(uint32_t i)
{
    qn_image *image;
    must(qn__image_create(&image, members[i].target, "compiler 1", QN_IMAGE_OPENCL_C,
                          members[i].payload, strlen(members[i].payload), NULL, 0));
    must(qn__image_note(image, &(struct qn__image_notes){digest((char)('0' + i)), "request",
                                                         digest(members[i].source), "fields", ""}));
    return image;
}

/* The members in an order that starts anywhere. */
static const char *make_bundle(const char *name, uint32_t first, uint32_t n, const char *sign_with)
{
    qn_bundle_writer *w;
    const char *path = in_scratch(name);
    must(qn_bundle_writer_create(&w));
    for (uint32_t i = 0; i < n; i++) {
        qn_image *image = member_image((first + i) % MEMBERS);
        must(qn_bundle_writer_add_image(w, image));
        qn_image_release(image);
    }
    must(qn_bundle_writer_set_version(w, "members", 5));
    must(qn_bundle_writer_write(w, path, sign_with));
    qn_bundle_writer_destroy(w);
    return path;
}

static struct qn__str read_whole(const char *path)
{
    char *bytes;
    size_t n;
    struct qn__str s = {0};
    must(qn__file_read(&bytes, &n, path, 1 << 24));
    qn__str_add_bytes(&s, bytes, n);
    free(bytes);
    return s;
}

static bool same_files(const char *a, const char *b)
{
    struct qn__str x = read_whole(a), y = read_whole(b);
    const bool same = x.len == y.len && memcmp(x.text, y.text, x.len) == 0;
    qn__str_release(&x);
    qn__str_release(&y);
    return same;
}

START_TEST(what_goes_in_comes_out)
{
    qn_bundle *b;
    must(qn_bundle_open(&b, make_bundle("a.qnb", 0, MEMBERS, NULL)));
    const qn_bundle_info *info = qn_bundle_get_info(b);
    ck_assert_uint_eq(info->n_entries, MEMBERS);
    ck_assert_str_eq(info->signer, "");
    uint32_t found = 0;
    for (uint32_t i = 0; i < info->n_entries; i++) {
        qn_image *image;
        must(qn_bundle_load(&image, b, i));
        ck_assert_str_eq(image->info.target, info->entries[i].target);
        ck_assert_str_eq(image->notes.key, info->entries[i].key);
        ck_assert_str_eq(image->notes.source, info->entries[i].source);
        ck_assert_str_eq(image->notes.fields, "fields");
        ck_assert_str_eq(image->info.compiler, "compiler 1");
        for (uint32_t k = 0; k < MEMBERS; k++)
            found += strcmp(image->info.bytes, members[k].payload) == 0 &&
                     strcmp(image->info.target, members[k].target) == 0;
        qn_image_release(image);
    }
    ck_assert_uint_eq(found, MEMBERS);
    qn_image *image;
    must_not(QN_E_INVALID, qn_bundle_load(&image, b, MEMBERS));
    qn_bundle_close(b);
}
END_TEST

START_TEST(equal_images_make_equal_bytes_in_any_order)
{
    const char *one = make_bundle("one.qnb", 0, MEMBERS, NULL);
    const char *other = make_bundle("other.qnb", 3, MEMBERS, NULL);
    ck_assert(same_files(one, other));
    ck_assert(!same_files(one, make_bundle("fewer.qnb", 0, MEMBERS - 1, NULL)));
}
END_TEST

START_TEST(merging_keeps_every_byte_and_the_first_of_two)
{
    qn_bundle_writer *w;
    qn_bundle *b;
    must(qn_bundle_writer_create(&w));
    for (uint32_t first = 0; first < MEMBERS; first += 2) { /* overlapping parts */
        must(qn_bundle_open(&b, make_bundle("part.qnb", first, 3, NULL)));
        for (uint32_t i = 0; i < qn_bundle_get_info(b)->n_entries; i++)
            must(qn_bundle_writer_add_entry(w, b, i));
        qn_bundle_close(b);
    }
    ck_assert_uint_eq(qn_bundle_writer_count(w), MEMBERS);
    must(qn_bundle_writer_write(w, in_scratch("merged.qnb"), NULL));
    ck_assert(same_files(in_scratch("merged.qnb"), make_bundle("whole.qnb", 0, MEMBERS, NULL)));
    qn_image *image; /* another image of the same source and target */
    must(qn__image_create(&image, members[0].target, "compiler 2", QN_IMAGE_OPENCL_C, "x", 1, NULL,
                          0));
    must(qn__image_note(
        image, &(struct qn__image_notes){digest('9'), "", digest(members[0].source), "", ""}));
    must(qn_bundle_writer_add_image(w, image));
    ck_assert_uint_eq(qn_bundle_writer_count(w), MEMBERS);
    qn_image_release(image);
    qn_bundle_writer_destroy(w);
}
END_TEST

START_TEST(an_empty_bundle_is_a_bundle)
{
    qn_bundle *b;
    must(qn_bundle_open(&b, make_bundle("empty.qnb", 0, 0, NULL)));
    ck_assert_uint_eq(qn_bundle_get_info(b)->n_entries, 0);
    qn_bundle_close(b);
}
END_TEST

START_TEST(all_targets_of_a_source_are_found_together)
{
    qn_bundle *b;
    unsigned char source[QN__HASH_BYTES] = {0x70};
    uint32_t first;
    must(qn_bundle_open(&b, make_bundle("a.qnb", 0, MEMBERS, NULL)));
    ck_assert_uint_eq(qn__bundle_find(&first, b, source), 3);
    ck_assert_str_eq(qn__bundle_target(b, first), "cuda:sm_80");
    ck_assert_str_eq(qn__bundle_target(b, first + 2), "opencl:portable");
    source[0] = 0x71;
    ck_assert_uint_eq(qn__bundle_find(&first, b, source), 0);
    source[0] = 0xff;
    ck_assert_uint_eq(qn__bundle_find(&first, b, source), 0);
    qn_bundle_close(b);
}
END_TEST

START_TEST(an_image_without_a_source_is_refused)
{
    qn_bundle_writer *w;
    qn_image *image = make_image("x", 1);
    must(qn_bundle_writer_create(&w));
    must_not(QN_E_INVALID, qn_bundle_writer_add_image(w, image));
    says(qn_message(), target);
    qn_image_release(image);
    qn_bundle_writer_destroy(w);
}
END_TEST

/* Opens and all entries load. */
static bool is_good(const void *bytes, size_t n)
{
    qn_bundle *b;
    if (qn__bundle_open_bytes(&b, "bytes", bytes, n) != QN_OK)
        return false;
    bool good = true;
    for (uint32_t i = 0; i < qn_bundle_get_info(b)->n_entries; i++) {
        qn_image *image;
        struct qn__arena arena = {0};
        struct qn__entry_log log;
        const bool one = qn__bundle_read(&image, &log, &arena, b, i) == QN_OK;
        if (one)
            qn_image_release(image);
        qn__arena_release(&arena);
        good = good && one;
    }
    qn_bundle_close(b);
    return good;
}

START_TEST(every_truncation_and_every_changed_byte_is_detected)
{
    /* signed, so that every byte of the head counts too */
    struct qn__str file = read_whole(make_bundle("a.qnb", 0, MEMBERS, secret));
    ck_assert(is_good(file.text, file.len));
    for (size_t n = 0; n < file.len; n++)
        ck_assert_msg(!is_good(file.text, n), "%zu of %zu bytes", n, file.len);
    for (size_t i = 0; i < file.len; i++) {
        file.text[i] ^= 0x10;
        ck_assert_msg(!is_good(file.text, file.len), "byte %zu of %zu", i, file.len);
        file.text[i] ^= 0x10;
    }
    qn__str_add_char(&file, 0);
    ck_assert(!is_good(file.text, file.len));
    qn__str_release(&file);
}
END_TEST

/* Damage that a matching checksum covers: what a forger would write. */
static const struct {
    const char *name;
    size_t offset; /* in the file; or with `row`, in the first row */
    bool row;
    int size;
    uint64_t value;
} forgeries[] = {
    {"a newer format", QN__BUNDLE_AT_FORMAT, false, 4, QN__BUNDLE_FORMAT + 1},
    {"more entries than the file", QN__BUNDLE_AT_N, false, 4, 1000},
    {"entries without end", QN__BUNDLE_AT_N, false, 4, 0xffffffff},
    {"strings longer than the file", QN__BUNDLE_AT_STRINGS_N, false, 8, 1 << 20},
    {"strings that wrap around", QN__BUNDLE_AT_STRINGS_N, false, 8, UINT64_MAX - 100},
    {"another length", QN__BUNDLE_AT_LENGTH, false, 8, 5000},
    {"an offset before the payloads", QN__ROW_AT_OFFSET, true, 8, 0},
    {"an offset outside", QN__ROW_AT_OFFSET, true, 8, UINT64_MAX - 8},
    {"an empty payload", QN__ROW_AT_STORED_N, true, 4, 0},
    {"a payload without end", QN__ROW_AT_STORED_N, true, 4, UINT32_MAX},
    {"an entry too short", QN__ROW_AT_ENTRY_N, true, 4, 10},
    {"an entry of another length", QN__ROW_AT_ENTRY_N, true, 4, 100},
    {"an entry too long", QN__ROW_AT_ENTRY_N, true, 4, UINT32_MAX},
    {"a target outside the strings", QN__ROW_AT_TARGET, true, 4, 1 << 20},
    {"a target inside another's", QN__ROW_AT_TARGET, true, 4, 2},
    {"a kind that is none", QN__ROW_AT_KIND, true, 4, 17},
    {"another kind", QN__ROW_AT_KIND, true, 4, QN_IMAGE_PTX},
    {"a source out of order", QN__ROW_AT_SOURCE, true, 4, 0xffffffff},
    {"another source", QN__ROW_AT_SOURCE, true, 4, 0x31},
    {"another key", QN__ROW_AT_KEY, true, 4, 0x31},
};

START_TEST(a_forged_index_is_refused)
{
    struct qn__str file = read_whole(make_bundle("a.qnb", 0, MEMBERS, NULL));
    unsigned char *head = (unsigned char *)file.text;
    unsigned char *at =
        head + (forgeries[_i].row ? QN__BUNDLE_HEAD_BYTES : 0) + forgeries[_i].offset;
    const uint64_t index_n =
        (uint64_t)MEMBERS * QN__BUNDLE_ROW_BYTES + qn__get_u64(head + QN__BUNDLE_AT_STRINGS_N);
    ck_assert(is_good(file.text, file.len));
    if (forgeries[_i].size == 4)
        qn__put_u32(at, (uint32_t)forgeries[_i].value);
    else
        qn__put_u64(at, forgeries[_i].value);
    qn__hash_of(head + QN__BUNDLE_AT_INDEX_HASH, head + QN__BUNDLE_HEAD_BYTES, (size_t)index_n);
    ck_assert_msg(!is_good(file.text, file.len), "%s", forgeries[_i].name);
    qn__str_release(&file);
}
END_TEST

START_TEST(a_file_cut_short_after_opening_is_an_error_and_no_crash)
{
    qn_bundle *b;
    qn_image *image;
    const char *path = make_bundle("a.qnb", 0, MEMBERS, NULL);
    must(qn_bundle_open(&b, path));
    must(qn_bundle_load(&image, b, 0));
    qn_image_release(image);
    ck_assert_int_eq(truncate(path, 100), 0);
    must_not(QN_E_CORRUPT, qn_bundle_load(&image, b, 0));
    qn_bundle_close(b);
    must_not(QN_E_IO, qn_bundle_open(&b, in_scratch("nothing.qnb")));
    must_not(QN_E_IO, qn_bundle_open(&b, scratch)); /* a folder */
}
END_TEST

/* Longer than a name may be. */
static const char *too_long_a_name(void)
{
    static char text[QN__BUNDLE_NAME_MAX_BYTES + 2];
    memset(text, 'a', sizeof text - 1);
    return text;
}

START_TEST(a_signature_names_its_signer)
{
    qn_bundle *b;
    const char *path = make_bundle("a.qnb", 0, MEMBERS, secret);
    must(qn_bundle_open(&b, path));
    ck_assert_str_eq(qn_bundle_get_info(b)->signer, public_key);
    ck_assert_str_eq(qn_bundle_get_info(b)->title, "members");
    ck_assert_uint_eq(qn_bundle_get_info(b)->serial, 5);
    qn_bundle_close(b);
    ck_assert(same_files(path, make_bundle("b.qnb", 2, MEMBERS, secret)));
    qn_bundle_writer *w;
    must(qn_bundle_writer_create(&w));
    must_not(QN_E_INVALID, qn_bundle_writer_write(w, in_scratch("c.qnb"), "secret"));
    must_not(QN_E_INVALID, qn_bundle_writer_set_version(w, "app\033[2J", 1));
    must_not(QN_E_INVALID, qn_bundle_writer_set_version(w, too_long_a_name(), 1));
    qn_bundle_writer_destroy(w);
}
END_TEST

START_TEST(name_and_number_are_those_of_the_file_and_the_moment_where_none_are_set)
{
    static const struct {
        const char *epoch;
        uint64_t serial; /* 0: now */
    } rows[] = {{NULL, 0}, {"1700000000", 1700000000}, {"yesterday", 0}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        qn_bundle_writer *w;
        qn_bundle *b;
        if (rows[i].epoch)
            setenv("SOURCE_DATE_EPOCH", rows[i].epoch, 1);
        must(qn_bundle_writer_create(&w));
        must(qn_bundle_writer_write(w, in_scratch("app.qnb"), secret));
        qn_bundle_writer_destroy(w);
        must(qn_bundle_open(&b, in_scratch("app.qnb")));
        const qn_bundle_info *info = qn_bundle_get_info(b);
        const uint64_t now = (uint64_t)time(NULL);
        ck_assert_str_eq(info->title, "app.qnb");
        if (rows[i].serial)
            ck_assert_uint_eq(info->serial, rows[i].serial);
        else
            ck_assert(info->serial <= now && info->serial + 60 > now);
        qn_bundle_close(b);
    }
}
END_TEST

/* -- format 3 -- */

/* What version 3 wrote: a shorter head, no name before the targets, and here a signer. */
static struct qn__str in_old_format(const struct qn__str *file)
{
    enum { SHORTER = QN__BUNDLE_HEAD_BYTES - QN__BUNDLE_OLD_HEAD_BYTES, NAME = 1 };
    struct qn__str old = {0};
    const unsigned char *head = (const unsigned char *)file->text;
    const uint32_t n = qn__get_u32(head + QN__BUNDLE_AT_N);
    const uint64_t strings_n = qn__get_u64(head + QN__BUNDLE_AT_STRINGS_N) - NAME;
    const size_t rows_n = (size_t)n * QN__BUNDLE_ROW_BYTES;
    const char *strings = file->text + QN__BUNDLE_HEAD_BYTES + rows_n + NAME;
    qn__str_add_bytes(&old, file->text, QN__BUNDLE_AT_SERIAL);
    qn__str_add_repeat(&old, 'x', QN__BUNDLE_OLD_HEAD_BYTES - QN__BUNDLE_AT_SERIAL);
    qn__str_add_bytes(&old, file->text + QN__BUNDLE_HEAD_BYTES, rows_n);
    qn__str_add_bytes(&old, strings, (size_t)(file->text + file->len - strings));
    unsigned char *p = (unsigned char *)old.text;
    for (uint32_t i = 0; i < n; i++) {
        unsigned char *row = p + QN__BUNDLE_OLD_HEAD_BYTES + (size_t)i * QN__BUNDLE_ROW_BYTES;
        qn__put_u64(row + QN__ROW_AT_OFFSET, qn__get_u64(row + QN__ROW_AT_OFFSET) - SHORTER - NAME);
        qn__put_u32(row + QN__ROW_AT_TARGET, qn__get_u32(row + QN__ROW_AT_TARGET) - NAME);
    }
    qn__put_u32(p + QN__BUNDLE_AT_FORMAT, QN__BUNDLE_OLD_FORMAT);
    qn__put_u64(p + QN__BUNDLE_AT_STRINGS_N, strings_n);
    qn__put_u64(p + QN__BUNDLE_AT_LENGTH, old.len);
    qn__hash_of(p + QN__BUNDLE_AT_INDEX_HASH, p + QN__BUNDLE_OLD_HEAD_BYTES,
                rows_n + (size_t)strings_n);
    return old;
}

START_TEST(a_bundle_of_the_format_before_is_read_and_counts_as_unsigned)
{
    struct qn__str file = read_whole(make_bundle("a.qnb", 0, MEMBERS, NULL));
    struct qn__str old = in_old_format(&file);
    qn_bundle *b;
    qn_bundle_writer *w;
    ck_assert(is_good(old.text, old.len));
    for (size_t n = 0; n < old.len; n++)
        ck_assert_msg(!is_good(old.text, n), "%zu of %zu bytes", n, old.len);
    must(qn__bundle_open_bytes(&b, "old", old.text, old.len));
    const qn_bundle_info *info = qn_bundle_get_info(b);
    ck_assert(info->is_old);
    ck_assert_str_eq(info->signer, "");
    must(qn_bundle_check_signer(b));
    setenv("QUERN_BUNDLE_KEYS", public_key, 1);
    must_not(QN_E_CORRUPT, qn_bundle_check_signer(b));
    says(qn_message(), "quern bundle sign");
    must(qn_bundle_writer_create(&w)); /* its entries are those of a new one */
    for (uint32_t i = 0; i < info->n_entries; i++)
        must(qn_bundle_writer_add_entry(w, b, i));
    must(qn_bundle_writer_write(w, in_scratch("again.qnb"), NULL));
    ck_assert(same_files(in_scratch("again.qnb"), in_scratch("a.qnb")));
    qn_bundle_writer_destroy(w);
    qn_bundle_close(b);
    qn__str_release(&file);
    qn__str_release(&old);
}
END_TEST

int main(void)
{
    unsetenv("QUERN_BUNDLE_KEYS");
    unsetenv("SOURCE_DATE_EPOCH");
    qn_bundle_make_keys(secret, public_key);
    Suite *s = suite_create("bundle");
    TCase *t = tcase_create("file");
    tcase_add_checked_fixture(t, open_quiet, scratch_close);
    tcase_add_test(t, what_goes_in_comes_out);
    tcase_add_test(t, equal_images_make_equal_bytes_in_any_order);
    tcase_add_test(t, merging_keeps_every_byte_and_the_first_of_two);
    tcase_add_test(t, an_empty_bundle_is_a_bundle);
    tcase_add_test(t, all_targets_of_a_source_are_found_together);
    tcase_add_test(t, an_image_without_a_source_is_refused);
    tcase_add_test(t, every_truncation_and_every_changed_byte_is_detected);
    tcase_add_loop_test(t, a_forged_index_is_refused, 0, sizeof forgeries / sizeof forgeries[0]);
    tcase_add_test(t, a_file_cut_short_after_opening_is_an_error_and_no_crash);
    tcase_add_test(t, a_signature_names_its_signer);
    tcase_add_test(t, name_and_number_are_those_of_the_file_and_the_moment_where_none_are_set);
    tcase_add_test(t, a_bundle_of_the_format_before_is_read_and_counts_as_unsigned);
    suite_add_tcase(s, t);
    return run_suite(s);
}
