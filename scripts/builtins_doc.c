/* SPDX-License-Identifier: Apache-2.0
 *
 * Prints docs/builtins.md from compiler/model/builtins.def: every device function, what it becomes,
 * how exact it is, what it needs. */
#include <stdio.h>
#include <string.h>

struct row {
    const char *name, *status, *signature, *form, *needs, *note;
    int ulp;
};

static const struct row builtins[] = {
#define QN_BUILTIN(name, status, traits, signature, form, needs, ulp, note)                        \
    {#name, #status, signature, form, needs, note, ulp},
#include "compiler/model/builtins.def"
};
static const struct row wrappers[] = {
#define QN_WRAPPER(name, status, ulp, text) {#name, #status, "", text, "", "", ulp},
#include "compiler/model/builtins.def"
};
static const struct row instructions[] = {
#define QN_PTX(names, status, text) {names, #status, "", text, "", "", -1},
#include "compiler/model/builtins.def"
};

enum { N_BUILTINS = sizeof builtins / sizeof *builtins };
enum { N_WRAPPERS = sizeof wrappers / sizeof *wrappers };
enum { N_INSTRUCTIONS = sizeof instructions / sizeof *instructions };

/* '|' would end a table's cell. */
static void cell(const char *text, const char *quote)
{
    putchar(' ');
    if (*text) {
        fputs(quote, stdout);
        for (; *text; text++)
            fputs(*text == '|' ? "\\|" : (char[]){*text, 0}, stdout);
        fputs(quote, stdout);
    }
    fputs(" |", stdout);
}

static void accuracy(int ulp)
{
    if (ulp > 0)
        printf(" %d |", ulp);
    else
        fputs(ulp == 0 ? " exact |" : " |", stdout);
}

static const char *lower(const char *status)
{
    return strcmp(status, "NATIVE") == 0    ? "native"
           : strcmp(status, "LOWERED") == 0 ? "lowered"
                                            : "**refused**";
}

static unsigned names(const struct row *rows, unsigned n, const char *status)
{
    unsigned count = 0;
    for (unsigned i = 0; i < n; i++) /* a name's first row speaks for it */
        count += strcmp(rows[i].status, status) == 0 &&
                 (i == 0 || strcmp(rows[i].name, rows[i - 1].name) != 0);
    return count;
}

int main(void)
{
    printf("# Device functions\n\n"
           "Printed from `compiler/model/builtins.def` by `make docs`; do not edit.\n\n"
           "Each function of a CUDA or HIP kernel has a status: *native* (one OpenCL C builtin or "
           "operator), *lowered* (several,\nor a function of `compiler/lang/library.cl`), or "
           "*refused* "
           "(an error with file, line and reason). `$0` is the first\nargument. *Needs* names "
           "abilities "
           "of the profile (`base/profiles.def`); where a name has several rows, the first "
           "whose\nneeds "
           "are met is used. *ulp* is the largest error that CUDA documents for the function, "
           "which the "
           "translation holds;\n*exact* means exact or correctly rounded.\n\n");
    printf("| | native | lowered | refused |\n| --- | --: | --: | --: |\n");
    printf("| builtins | %u | %u | %u |\n", names(builtins, N_BUILTINS, "NATIVE"),
           names(builtins, N_BUILTINS, "LOWERED"), names(builtins, N_BUILTINS, "REFUSED"));
    printf("| wrappers in the headers | %u | %u | %u |\n\n", names(wrappers, N_WRAPPERS, "NATIVE"),
           names(wrappers, N_WRAPPERS, "LOWERED"), names(wrappers, N_WRAPPERS, "REFUSED"));

    printf("## Builtins\n\n| function | status | types | OpenCL C | needs | ulp | note |\n"
           "| --- | --- | --- | --- | --- | --: | --- |\n");
    for (unsigned i = 0; i < N_BUILTINS; i++) {
        const struct row *const r = &builtins[i];
        putchar('|');
        cell(r->name, "`");
        cell(lower(r->status), "");
        cell(r->signature, "`");
        cell(r->form, "`");
        cell(r->needs, "");
        accuracy(r->ulp);
        cell(r->note, "");
        putchar('\n');
    }
    printf("\n## Wrappers\n\nC++ functions of the stand-in headers; they are inlined and end in "
           "what the third column says.\n\n| function | status | becomes | ulp |\n"
           "| --- | --- | --- | --: |\n");
    for (unsigned i = 0; i < N_WRAPPERS; i++) {
        putchar('|');
        cell(wrappers[i].name, "`");
        cell(lower(wrappers[i].status), "");
        cell(wrappers[i].form, "");
        accuracy(wrappers[i].ulp);
        putchar('\n');
    }
    printf("\n## Inline PTX\n\n| instructions | status | become |\n| --- | --- | --- |\n");
    for (unsigned i = 0; i < N_INSTRUCTIONS; i++) {
        putchar('|');
        cell(instructions[i].name, "");
        cell(lower(instructions[i].status), "");
        cell(instructions[i].form, "");
        putchar('\n');
    }
    return 0;
}
