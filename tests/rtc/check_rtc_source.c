/* SPDX-License-Identifier: Apache-2.0
 *
 * The source closure: which #include lines count, what they resolve to, what the compiler gets.
 *
 * covers: rtc/source/source rtc/source/include_scan rtc/source/embed rtc/source/text_notes
 * rtc/source/shims base/embedded */
#include "base/embedded.h"
#include "rtc/source/include_scan.h"
#include "rtc/source/source.h"
#include "rtc/source/text_notes.h"
#include "tests/rtc_fixture.h"

/* -- scanning -- */

static const struct {
    const char *name, *text;
    const char *want; /* spellings found, each followed by a blank */
} scans[] = {
    {"plain", "#include \"a.h\"\n#include <b.h>\n", "a.h b.h "},
    {"blanks around", "  #  include   \"a.h\"  \n", "a.h "},
    {"in a line comment", "// #include \"a.h\"\n#include \"b.h\"\n", "b.h "},
    {"continued line comment", "// x \\\n#include \"a.h\"\n#include \"b.h\"\n", "b.h "},
    {"in a block comment", "/*\n#include \"a.h\"\n*/ #include \"b.h\"\n", "b.h "},
    {"comment between the words", "#/* x */include/* y */\"a.h\"\n", "a.h "},
    {"continued directive", "#include \\\n \"a.h\"\n", "a.h "},
    {"in a string", "const char *s = \"\\\n#include \\\"a.h\\\"\";\n#include \"b.h\"\n", "b.h "},
    {"in a raw string", "auto s = R\"x(\n#include \"a.h\"\n)x\";\n#include \"b.h\"\n", "b.h "},
    {"raw string with a prefix", "auto s = u8R\"(\n#include \"a.h\"\n)\";\n", ""},
    {"identifier ending in R", "auto s = FOOR\"x\";\n#include \"b.h\"\n", "b.h "},
    {"digit separators", "int x = 1'000'000;\n#include \"a.h\"\n", "a.h "},
    {"character quote", "char c = '\"';\n#include \"a.h\"\n", "a.h "},
    {"behind other text", "int x; #include \"a.h\"\n", ""},
    {"no end of line", "#include \"a.h\"", "a.h "},
    {"carriage returns", "#include \"a.h\"\r\n#include <b.h>\r\n", "a.h b.h "},
    {"macro include", "#include HEADER\n#include \"b.h\"\n", "b.h "},
    {"unclosed", "#include \"a.h\n#include <b.h>\n", "b.h "},
    {"has_include", "#if __has_include(<a.h>) && __has_include( \"b.h\" )\n", "a.h b.h "},
    {"a comment of lines between the words",
     "#/*\n # */ include \"a.h\"\nint x;\n# /* */ /*\n*/ include <b.h>\n", "a.h b.h "},
    {"has_include in a continued line", "#if 1 && \\\n 2 && \\\r\n __has_include(<a.h>)\nint x;\n",
     "a.h "},
    {"has_include elsewhere", "int __has_include(\"a.h\");\n", ""},
    {"false condition", "#if 0\n#include \"a.h\"\n#endif\n", "a.h "},
    {"empty name", "#include \"\"\n#include <>\n", ""},
    {"embed", "#include \"a.h\"\n  # embed \"t.bin\" limit(2)\n#include <b.h>\n",
     "a.h  embed \"t.bin\" limit(2 b.h "},
    {"embed over two lines", "#embed \"t\" \\\n limit(2)\nint x;\n", "embed \"t\" \\\n limit(2 "},
    {"has_embed", "#if __has_embed(\"t\" limit(1)) || __has_embed(<u>)\n",
     "_has_embed(\"t\" limit(1) _has_embed(<u> "},
    {"has_embed is known", "#ifdef __has_embed\n#if defined(__has_embed)\nint embed;\n", ""},
    {"unended comment", "#include \"a.h\"\n/* #include \"b.h\"\n", "a.h "},
};

START_TEST(scanner_finds_what_the_preprocessor_would)
{
    struct qn__include_scan scan;
    struct qn__include inc;
    struct qn__str got = {0};
    qn__str_add(&got, "");
    qn__include_scan_init(&scan, scans[_i].text, strlen(scans[_i].text));
    while (qn__include_scan_next(&inc, &scan)) {
        qn__str_add_bytes(&got, inc.begin + 1, (size_t)(inc.end - inc.begin) - 2);
        qn__str_add_char(&got, ' ');
    }
    ck_assert_msg(strcmp(got.text, scans[_i].want) == 0, "%s: got '%s', want '%s'", scans[_i].name,
                  got.text, scans[_i].want);
    qn__str_release(&got);
}
END_TEST

/* -- notes -- */

static void expect_notes(const char *text, size_t n, const struct qn__embedded *row)
{
    struct qn__arena arena = {0};
    struct qn__text_notes notes;
    struct qn__include_scan scan;
    struct qn__include inc;
    unsigned char digest[QN__HASH_BYTES];
    uint32_t i = 0;
    must(qn__text_notes_of(&notes, &arena, text, n, row));
    qn__hash_of(digest, text, n);
    ck_assert_mem_eq(notes.digest, digest, sizeof digest);
    qn__include_scan_init(&scan, text, n);
    for (; qn__include_scan_next(&inc, &scan); i++) {
        ck_assert_uint_lt(i, notes.n_includes);
        ck_assert_ptr_eq(text + notes.includes[i].begin, inc.begin);
        ck_assert_ptr_eq(text + notes.includes[i].end, inc.end);
        ck_assert_int_eq(notes.includes[i].is_angled, inc.is_angled);
    }
    ck_assert_uint_eq(notes.n_includes, i);
    qn__arena_release(&arena);
}

START_TEST(notes_are_the_same_when_they_were_kept)
{
    for (size_t i = 0; i < 2 * sizeof scans / sizeof scans[0]; i++) {
        const char *text = scans[i / 2].text;
        expect_notes(text, strlen(text), NULL);
    }
    expect_notes("", 0, NULL);
    for (int i = 0; i < 2; i++)
        for (const struct qn__embedded *row = qn__kernel_sources; row->name; row++) {
            ck_assert_ptr_eq(qn__embedded_at(qn__kernel_sources, row->text), row);
            expect_notes(row->text, (size_t)(row->end - row->text), row);
        }
}
END_TEST

/* In one place of memory: only the content may tell them apart. */
START_TEST(another_text_has_other_notes)
{
    char text[] = "#include \"a.h\"\nint x = 0;\n";
    for (char c = '0'; c <= '9'; c++) {
        text[sizeof text - 4] = c;
        expect_notes(text, sizeof text - 1, NULL);
        expect_notes(text, sizeof text - 2, NULL);
    }
}
END_TEST

START_TEST(more_texts_than_are_kept_are_no_trouble)
{
    enum { TEXTS = 40, BYTES = 600000 };
    char *text = malloc(BYTES);
    ck_assert_ptr_nonnull(text);
    memset(text, ' ', BYTES);
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < TEXTS; i++) {
            snprintf(text, 40, "#include <%d.h>", i);
            expect_notes(text, BYTES, NULL);
        }
    free(text);
    text = calloc(2, 1 << 20); /* too long to be kept */
    ck_assert_ptr_nonnull(text);
    expect_notes(text, 2 << 20, NULL);
    expect_notes(text, 2 << 20, NULL);
    free(text);
}
END_TEST

/* -- resolving -- */

static const struct qn__source_file *file_with(const struct qn__closure *c, const char *part)
{
    for (uint32_t i = 0; i < c->n_files; i++)
        if (strstr(c->files[i].text, part))
            return &c->files[i];
    return NULL;
}

START_TEST(including_files_own_folder_comes_before_the_include_folders)
{
    const char *main_file = write_text("p/main.cu", "#include \"a.h\"\n#include <a.h>\n");
    write_text("p/a.h", "int own;\n");
    write_text("inc/a.h", "int other;\n");
    const char *const dirs[] = {in_scratch("inc")};
    const qn_source src = {.path = main_file};
    struct qn__closure c;
    must(qn__closure_build(&c, &src, dirs, 1));
    ck_assert_uint_eq(c.n_files, 3);
    ck_assert_str_eq(c.files[1].text, "int own;\n");
    ck_assert_str_eq(c.files[2].text, "int other;\n");
    /* one spelling, two files: the lines name them apart */
    ck_assert_str_eq(c.files[0].text, "#include \"a.h\"\n#include \"2-a.h\"\n");
    qn__closure_release(&c);
}
END_TEST

START_TEST(one_spelling_means_different_files_in_different_folders)
{
    const char *main_file = write_text("p/main.cu", "#include \"x/x.h\"\n#include \"y/y.h\"\n");
    write_text("p/x/x.h", "#include \"util.h\"\n");
    write_text("p/y/y.h", "#include \"util.h\"\n");
    write_text("p/x/util.h", "int in_x;\n");
    write_text("p/y/util.h", "int in_y;\n");
    const qn_source src = {.path = main_file};
    struct qn__closure c;
    must(qn__closure_build(&c, &src, NULL, 0));
    ck_assert_uint_eq(c.n_files, 5);
    const struct qn__source_file *in_x = file_with(&c, "in_x"), *in_y = file_with(&c, "in_y");
    ck_assert(in_x && in_y);
    ck_assert_str_ne(in_x->name, in_y->name);
    struct qn__str want = {0};
    qn__str_printf(&want, "#include \"%s\"\n", in_y->name);
    ck_assert(file_with(&c, want.text) != NULL);
    qn__str_release(&want);
    qn__closure_release(&c);
}
END_TEST

START_TEST(a_file_reached_by_two_paths_is_one_file)
{
    const char *main_file =
        write_text("p/main.cu", "#include \"a.h\"\n#include \"sub/../a.h\"\n#include \"link.h\"\n");
    write_text("p/a.h", "int a;\n");
    write_text("p/sub/x.h", "");
    ck_assert_int_eq(symlink("a.h", in_scratch("p/link.h")), 0);
    const qn_source src = {.path = main_file};
    struct qn__closure c;
    must(qn__closure_build(&c, &src, NULL, 0));
    ck_assert_uint_eq(c.n_files, 2);
    ck_assert_str_eq(c.files[0].text, "#include \"a.h\"\n#include \"a.h\"\n#include \"a.h\"\n");
    qn__closure_release(&c);
}
END_TEST

START_TEST(files_that_include_each_other_end)
{
    const char *main_file = write_text("p/a.cu", "#include \"b.h\"\n#include \"a.cu\"\n");
    write_text("p/b.h", "#include \"a.cu\"\n#include \"b.h\"\n");
    const qn_source src = {.path = main_file};
    struct qn__closure c;
    must(qn__closure_build(&c, &src, NULL, 0));
    ck_assert_uint_eq(c.n_files, 2);
    qn__closure_release(&c);
}
END_TEST

START_TEST(headers_in_memory_come_before_folders_and_find_their_neighbours)
{
    const char *main_file = write_text("p/main.cu", "#include \"util/a.h\"\n#include \"b.h\"\n");
    write_text("p/b.h", "int on_disk;\n");
    const char *const names[] = {"util/a.h", "util/b.h", "b.h"};
    const char *const texts[] = {"#include \"b.h\"\n", "int neighbour;\n", "int in_memory;\n"};
    const qn_source src = {
        .path = main_file, .header_names = names, .header_texts = texts, .n_headers = 3};
    struct qn__closure c;
    must(qn__closure_build(&c, &src, NULL, 0));
    ck_assert_uint_eq(c.n_files, 4);
    ck_assert(file_with(&c, "neighbour") && file_with(&c, "in_memory"));
    ck_assert(!file_with(&c, "on_disk"));
    qn__closure_release(&c);
}
END_TEST

START_TEST(own_header_and_shims_are_found_and_other_spellings_remembered)
{
    const qn_source src = {.text = "#include \"quern_kernel.cuh\"\n#include <stdint.h>\n"
                                   "#include <zlib.h>\n#include <abc>\n#include <zlib.h>\n"};
    struct qn__closure c;
    must(qn__closure_build(&c, &src, NULL, 0));
    must(qn__closure_add_shims(&c, QN__SHIMS_NVRTC));
    ck_assert_uint_eq(c.n_own_files, 2);
    ck_assert_uint_eq(c.n_files, 3);
    ck_assert_str_eq(c.files[1].name, "quern_kernel.cuh");
    ck_assert_uint_eq(c.n_missing, 2);
    ck_assert_str_eq(c.missing[0], "abc");
    ck_assert_str_eq(c.missing[1], "zlib.h");
    qn__closure_release(&c);
    must(qn__closure_build(&c, &src, NULL, 0));
    ck_assert_uint_eq(c.n_missing, 3); /* the translator brings its own stdint.h */
    qn__closure_release(&c);
}
END_TEST

START_TEST(no_file_takes_the_name_of_a_header_that_the_compiler_has)
{
    const char *main_file = write_text("m.cu", "#include \"vendors/cuda.h\"\n#include \"b.h\"\n");
    write_text("b.h", "int b;\n");
    write_text("vendors/cuda.h", "#include <cuda.h>\nint vendors;\n");
    const qn_source src = {.path = main_file};
    struct qn__closure c;
    must(qn__closure_build(&c, &src, NULL, 0));
    ck_assert_uint_eq(c.n_files, 3);
    ck_assert_str_eq(c.files[0].text, "#include \"2-cuda.h\"\n#include \"b.h\"\n");
    ck_assert_str_eq(c.files[1].text, "#include <cuda.h>\nint vendors;\n");
    ck_assert_uint_eq(c.n_missing, 1);
    ck_assert_str_eq(c.missing[0], "cuda.h");
    qn__closure_release(&c);
}
END_TEST

START_TEST(files_that_macros_name_are_found_where_a_macro_is_included)
{
    const char *main_file =
        write_text("m.cu", "#include \"sel.h\"\n#include WHAT\n#include \"lib/a.h\"\n");
    write_text("sel.h", "#  define WHAT <lib/a.h> // which\n#define TEXT \"lib/b.h\" + 1\n"
                        "#define C \"c.h\"\n#define MISSING <lib/none.h>\n");
    write_text("lib/a.h", "#include \"b.h\"\n#define D \"lib/d.h\"\n");
    write_text("lib/b.h", "int b;\n");
    write_text("lib/d.h", "int d;\n");
    write_text("c.h", "int c;\n");
    const char *const dirs[] = {in_scratch("")};
    const qn_source src = {.path = main_file};
    struct qn__closure c;
    must(qn__closure_build(&c, &src, dirs, 1));
    static const char *const names[] = {"m.cu", "sel.h", "a.h",     "b.h",
                                        "c.h",  "d.h",   "lib/a.h", "lib/d.h"};
    ck_assert_uint_eq(c.n_files, sizeof names / sizeof *names);
    for (uint32_t i = 0; i < c.n_files; i++)
        ck_assert_str_eq(c.files[i].name, names[i]);
    ck_assert_str_eq(c.files[6].text, "#include \"b.h\"\n#define D \"lib/d.h\"\n");
    ck_assert_str_eq(c.shown[6], c.shown[2]);
    ck_assert_mem_eq(c.digests[6], c.digests[2], QN__HASH_BYTES);
    ck_assert_uint_eq(c.n_missing, 0);
    qn__closure_release(&c);
    write_text("m.cu", "#include \"sel.h\"\n");
    must(qn__closure_build(&c, &src, dirs, 1));
    ck_assert_uint_eq(c.n_files, 2);
    qn__closure_release(&c);
}
END_TEST

START_TEST(files_that_options_name_are_found_where_a_macro_is_included)
{
    const char *main_file = write_text("m.cu", "#include WHAT\n");
    write_text("lib/a.h", "int a;\n");
    write_text("b.h", "int b;\n");
    const char *const defines[] = {"WHAT=<lib/a.h>", "TEXT=<none.h>", "N=\""};
    const char *const options[] = {"-DOTHER=\"b.h\"", "-D", "HALF=\"b.h", "-O3"};
    const char *const dirs[] = {in_scratch("")};
    qn_source src = {.path = main_file, .defines = defines, .n_defines = 3, .options = options};
    struct qn__closure c;
    src.n_options = sizeof options / sizeof *options;
    must(qn__closure_build(&c, &src, dirs, 1));
    static const char *const names[] = {"m.cu", "a.h", "b.h", "lib/a.h"};
    ck_assert_uint_eq(c.n_files, sizeof names / sizeof *names);
    for (uint32_t i = 0; i < c.n_files; i++)
        ck_assert_str_eq(c.files[i].name, names[i]);
    qn__closure_release(&c);
}
END_TEST

#define MARK "\xEF\xBB\xBF"

START_TEST(a_byte_order_mark_is_left_out)
{
    const char *main_file = write_text("m.cu", MARK "#include \"a.h\"\n#include \"b.h\"\n");
    write_text("a.h", MARK "#include \"b.h\"\n");
    const char *const names[] = {"b.h"}, *const texts[] = {MARK "int b;\n"};
    const qn_source file = {
        .path = main_file, .header_names = names, .header_texts = texts, .n_headers = 1};
    qn_source text = file;
    struct qn__closure c, same;
    must(qn__closure_build(&c, &file, NULL, 0));
    ck_assert_uint_eq(c.n_files, 3);
    ck_assert_str_eq(c.files[0].text, "#include \"a.h\"\n#include \"b.h\"\n");
    ck_assert_uint_eq(c.files[0].n, strlen(c.files[0].text));
    ck_assert_str_eq(c.files[1].text, "#include \"b.h\"\n");
    ck_assert_str_eq(c.files[2].text, "int b;\n");
    text.text = MARK "#include \"b.h\"\n";
    must(qn__closure_build(&same, &text, NULL, 0));
    ck_assert_uint_eq(same.n_files, 2);
    ck_assert_mem_eq(same.digests[0], c.digests[1], QN__HASH_BYTES);
    qn__closure_release(&c);
    qn__closure_release(&same);
}
END_TEST

/* -- #embed -- */

static const struct {
    const char *text, *want;
} embeds[] = {
    {"#embed \"t.bin\"\n", " 0,10,255,7 \n"},
    {"  # embed <t.bin> // all\n", "   0,10,255,7 \n"},
    {"#embed \"t.bin\" limit(2) prefix(1,) suffix(,9)\n", "1, 0,10 ,9\n"},
    {"#embed \"t.bin\" \\\n __limit__( 0x1u ) /* one */\nint x;\n", " 0 \n\nint x;\n"},
    {"#embed \"t.bin\" gnu::offset(2)\n", " 255,7 \n"},
    {"#embed \"t.bin\" limit(0) if_empty(8) prefix(1,)\n", "8\n"},
    {"#embed \"empty\" if_empty((')'))\n", "(')')\n"},
    {"#embed \"none\"\n", "#embed \"none\"\n"},
    {"#if __has_embed(\"t.bin\") && __has_embed(<none>)\n", "#if 1 && 0\n"},
    {"#if __has_embed(\"t.bin\" limit(0)) == 2\n", "#if 2 == 2\n"},
    {"#if __has_embed(\"t.bin\" vendor::x(1))\n", "#if 0\n"},
};

START_TEST(what_is_embedded_becomes_numbers)
{
    static const char bytes[] = {0, 10, (char)255, 7};
    must(qn__file_write_atomic(in_scratch("t.bin"), bytes, sizeof bytes, 0600));
    write_text("empty", "");
    const char *const dirs[] = {in_scratch("")};
    const qn_source src = {.path = write_text("m.cu", embeds[_i].text)};
    struct qn__closure c;
    must(qn__closure_build(&c, &src, dirs, 1));
    ck_assert_str_eq(c.files[0].text, embeds[_i].want);
    ck_assert_uint_eq(c.n_files, 1);
    qn__closure_release(&c);
}
END_TEST

START_TEST(a_table_of_any_size_is_embedded)
{
    enum { N = 1000 };
    char bytes[N];
    for (int i = 0; i < N; i++)
        bytes[i] = (char)(i * 7);
    must(qn__file_write_atomic(in_scratch("t.bin"), bytes, sizeof bytes, 0600));
    const qn_source src = {.path = write_text("m.cu", "#embed \"t.bin\"\n")};
    struct qn__closure c;
    must(qn__closure_build(&c, &src, NULL, 0));
    const char *p = c.files[0].text;
    for (int i = 0; i < N; i++) {
        char *end;
        ck_assert_int_eq(strtol(p, &end, 10), (unsigned char)bytes[i]);
        p = end + (*end == ',');
    }
    ck_assert_str_eq(p, " \n");
    qn__closure_release(&c);
}
END_TEST

static const struct {
    const char *text, *says;
} bad_embeds[] = {
    {"int x;\n  #embed \"t.bin\" limit(N)\n", "m.cu:2:3: #embed: limit(N): only a number"},
    {"#embed \"t.bin\" vendor::x(1)\n", "m.cu:1:1: #embed: parameter 'vendor::x' is not known"},
    {"#embed \"t.bin\" limit(2\n", "m.cu:1:1: #embed: 'limit(2' after the file's name"},
    {"#embed \"t.bin\" /* on\n and on */\n", "m.cu:1:1: #embed: "},
    {"#embed NAME prefix(\"x\")\n", "only a file's name can be read here, no macro"},
};

START_TEST(what_cannot_be_embedded_is_refused_at_its_place)
{
    const qn_source src = {.path = write_text("m.cu", bad_embeds[_i].text)};
    struct qn__closure c;
    write_text("t.bin", "x");
    must_not(QN_E_UNSUPPORTED, qn__closure_build(&c, &src, NULL, 0));
    says(qn_message(), bad_embeds[_i].says);
    qn__closure_release(&c);
}
END_TEST

static const char *const folders[] = {
    "a b", "100%", "$HOME", "\xc3\xbc\xe4\xb8\xad", "q'u\"ote", "back\\slash", "semi;colon"};

START_TEST(odd_characters_in_paths_reach_no_compiler)
{
    char name[64];
    snprintf(name, sizeof name, "%s/ma in.cu", folders[_i]);
    const char *main_file = write_text(name, "#include \"h dr.h\"\n");
    snprintf(name, sizeof name, "%s/h dr.h", folders[_i]);
    write_text(name, "int x;\n");
    const qn_source src = {.path = main_file};
    struct qn__closure c;
    must(qn__closure_build(&c, &src, NULL, 0));
    ck_assert_uint_eq(c.n_files, 2);
    ck_assert_str_eq(c.files[0].name, "ma_in.cu");
    ck_assert_str_eq(c.files[0].text, "#include \"h_dr.h\"\n");
    struct qn__str shown = {0};
    qn__closure_show(&shown, &c, "h_dr.h:1:2: error: x\nma_in.cu: y\n  ma_in.cu:1\n");
    says(shown.text, folders[_i]);
    says(shown.text, "/h dr.h:1:2: error: x\n");
    says(shown.text, "  ma_in.cu:1\n"); /* only at the line's beginning */
    qn__str_release(&shown);
    qn__closure_release(&c);
}
END_TEST

START_TEST(what_cannot_be_read_is_an_error_that_names_it)
{
    struct qn__closure c;
    const qn_source nothing = {0}, missing = {.path = in_scratch("no.cu")};
    must_not(QN_E_INVALID, qn__closure_build(&c, &nothing, NULL, 0));
    qn__closure_release(&c);
    must_not(QN_E_IO, qn__closure_build(&c, &missing, NULL, 0));
    says(qn_message(), "no.cu");
    qn__closure_release(&c);
}
END_TEST

START_TEST(a_file_with_a_zero_byte_is_refused)
{
    static const char text[] = "int a;\n\0int b;\n"; /* NVRTC would see the first half only */
    struct qn__closure c;
    const qn_source src = {.path = in_scratch("zero.cu")};
    FILE *file = fopen(src.path, "wb");
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fwrite(text, 1, sizeof text - 1, file), sizeof text - 1);
    ck_assert_int_eq(fclose(file), 0);
    must_not(QN_E_INVALID, qn__closure_build(&c, &src, NULL, 0));
    says(qn_message(), "zero.cu: byte 7 is 0");
    qn__closure_release(&c);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("rtc_source");
    TCase *t = tcase_create("source");
    tcase_add_checked_fixture(t, scratch_open, scratch_close);
    tcase_add_loop_test(t, scanner_finds_what_the_preprocessor_would, 0,
                        sizeof scans / sizeof scans[0]);
    tcase_add_test(t, notes_are_the_same_when_they_were_kept);
    tcase_add_test(t, another_text_has_other_notes);
    tcase_add_test(t, more_texts_than_are_kept_are_no_trouble);
    tcase_add_test(t, including_files_own_folder_comes_before_the_include_folders);
    tcase_add_test(t, one_spelling_means_different_files_in_different_folders);
    tcase_add_test(t, a_file_reached_by_two_paths_is_one_file);
    tcase_add_test(t, files_that_include_each_other_end);
    tcase_add_test(t, headers_in_memory_come_before_folders_and_find_their_neighbours);
    tcase_add_test(t, own_header_and_shims_are_found_and_other_spellings_remembered);
    tcase_add_test(t, no_file_takes_the_name_of_a_header_that_the_compiler_has);
    tcase_add_test(t, files_that_macros_name_are_found_where_a_macro_is_included);
    tcase_add_test(t, files_that_options_name_are_found_where_a_macro_is_included);
    tcase_add_test(t, a_byte_order_mark_is_left_out);
    tcase_add_loop_test(t, what_is_embedded_becomes_numbers, 0, sizeof embeds / sizeof embeds[0]);
    tcase_add_test(t, a_table_of_any_size_is_embedded);
    tcase_add_loop_test(t, what_cannot_be_embedded_is_refused_at_its_place, 0,
                        sizeof bad_embeds / sizeof bad_embeds[0]);
    tcase_add_loop_test(t, odd_characters_in_paths_reach_no_compiler, 0,
                        sizeof folders / sizeof folders[0]);
    tcase_add_test(t, what_cannot_be_read_is_an_error_that_names_it);
    tcase_add_test(t, a_file_with_a_zero_byte_is_refused);
    suite_add_tcase(s, t);
    return run_suite(s);
}
