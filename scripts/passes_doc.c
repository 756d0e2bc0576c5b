/* SPDX-License-Identifier: Apache-2.0
 *
 * Prints docs/passes.md from compiler/passes.def and base/profiles.def: every pass of the
 * translator, in order, and the profiles that decide which workarounds run. */
#include <stdio.h>
#include <string.h>

static const struct {
    const char *name, *text;
} facts[] =
    {
#define QN_FACT(name, text) {#name, text},
#include "compiler/passes.def"
},
  whens[] = {
#define QN_WHEN(name, text) {#name, text},
#include "compiler/passes.def"
};

static const struct pass {
    const char *level, *name, *does, *when, *needs, *gives, *breaks, *text;
} passes[] = {
#define QN_PASS(level, name, function, when, needs, gives, breaks, text)                           \
    {#level, #name, #function, #when, #needs, #gives, #breaks, text},
#define QN_LLVM(name, list, needs, gives, breaks, text)                                            \
    {"MODULE", #name, list, "ALWAYS", #needs, #gives, #breaks, text},
#include "compiler/passes.def"
};
enum { N_PASSES = sizeof passes / sizeof *passes };

static const struct {
    const char *name, *text;
} quirks[] = {
#define QN_QUIRK(name, text) {#name, text},
#include "base/profiles.def"
};

static const struct {
    const char *name, *abilities, *quirks, *text;
} profiles[] = {
#define QN_PROFILE(name, cl_std, wave, argument_bytes, abilities, quirks, text)                    \
    {#name, abilities, quirks, text},
#include "base/profiles.def"
};

/* Words between blanks as `a`, `b`. */
static void print_words(const char *words)
{
    putchar(' ');
    for (size_t n; *words; words += n + strspn(words + n, " ")) {
        n = strcspn(words, " ");
        printf("`%.*s`%s", (int)n, words, words[n] ? ", " : "");
    }
    fputs(" |", stdout);
}

static void print_profiles(void)
{
    printf(
        "\n## Profiles\n\n"
        "What a target driver can do and what it gets wrong (`base/profiles.def`). A device's own "
        "profile is one of these with what differs after it: `opencl3:fp64-`; a workaround is "
        "switched off or on in the same way: `pocl3:switch-`. `compiler/quirks/README.md` has a "
        "section for each quirk, and `make check-quirks` tries them on the drivers that are "
        "here.\n\n| profile | for | abilities | quirks |\n| --- | --- | --- | --- |\n");
    for (size_t i = 0; i < sizeof profiles / sizeof *profiles; i++) {
        printf("| `%s` | %s |", profiles[i].name, profiles[i].text);
        print_words(profiles[i].abilities);
        print_words(profiles[i].quirks);
        putchar('\n');
    }
    printf("\n| quirk | what is worked around |\n| --- | --- |\n");
    for (size_t i = 0; i < sizeof quirks / sizeof *quirks; i++)
        printf("| `%s` | %s |\n", quirks[i].name, quirks[i].text);
}

static const char *when_text(const char *name)
{
    for (size_t i = 0; i < sizeof whens / sizeof *whens; i++)
        if (strcmp(whens[i].name, name) == 0)
            return whens[i].text;
    return "";
}

/* "A | B" as "A, B"; 0 as nothing. */
static void print_facts(const char *expression)
{
    putchar(' ');
    for (const char *p = strcmp(expression, "0") ? expression : ""; *p; p++) {
        if (strncmp(p, " | ", 3) == 0) {
            fputs(", ", stdout);
            p += 2;
        } else {
            putchar(*p);
        }
    }
    fputs(" |", stdout);
}

static void print_level(const char *level, const char *title)
{
    printf("\n## %s\n\n| pass | what it does | when | needs | gives | breaks |\n"
           "| --- | --- | --- | --- | --- | --- |\n",
           title);
    for (int i = 0; i < N_PASSES; i++) {
        const struct pass *const p = &passes[i];
        if (strcmp(p->level, level) != 0)
            continue;
        printf("| `%s` | %s (`%s`) | %s |", p->name, p->text, p->does,
               strcmp(p->when, "ALWAYS") ? when_text(p->when) : "");
        print_facts(p->needs);
        print_facts(p->gives);
        print_facts(p->breaks);
        putchar('\n');
    }
}

int main(void)
{
    printf(
        "# Passes of the translator\n\n"
        "Printed from `compiler/passes.def` by `make docs`; do not edit.\n\n"
        "Between clang, which makes LLVM IR of the source, and the printers, which make OpenCL C "
        "of statements, these passes run\nfrom top to bottom (`compiler/pipeline.c`). A pass needs "
        "facts that earlier ones gave and later ones did not break;\nbuilds with assertions check "
        "that. `quern translate FILE --dump-after PASS` prints what a pass left: LLVM IR, a\n"
        "kernel's values, or its statements.\n\n"
        "| fact | what holds |\n| --- | --- |\n");
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
        printf("| %s | %s |\n", facts[i].name, facts[i].text);
    print_level("MODULE", "The module, as LLVM IR");
    print_level("KERNEL", "Each kernel, as blocks and values");
    print_level("TREE", "Each kernel, as statements");
    print_profiles();
    return 0;
}
