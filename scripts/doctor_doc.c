/* SPDX-License-Identifier: Apache-2.0
 *
 * Prints the pages that come from doctor's tables: doctor_doc troubleshooting|compatibility|rocm.
 * `make docs` writes them, tests/compiler/check_docs.sh compares them. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum where { ANY, DEBIAN, FEDORA, SLES, ARCH };
static const char *const where_text[] = {"everywhere", "Debian, Ubuntu", "Fedora, RHEL",
                                         "SLES, openSUSE", "Arch"};

enum name {
#define QN_FINDING(name, id, mark, area, title, why) NAME_##name,
#define QN_FIX(name, where, text)
#define QN_SOURCE(name, where, address)
#include "doctor/findings.def"
};

static const struct finding {
    enum name name;
    const char *id, *mark, *area, *title, *why;
} findings[] = {
#define QN_FINDING(name, id, mark, area, title, why) {NAME_##name, id, #mark, area, title, why},
#define QN_FIX(name, where, text)
#define QN_SOURCE(name, where, address)
#include "doctor/findings.def"
};

static const struct {
    enum name of;
    enum where where;
    const char *text;
} fixes[] = {
#define QN_FINDING(name, id, mark, area, title, why)
#define QN_FIX(name, where, text) {NAME_##name, where, text},
#define QN_SOURCE(name, where, address)
#include "doctor/findings.def"
};

static const struct {
    enum name of;
    enum where where;
    const char *address;
} sources[] = {
#define QN_FINDING(name, id, mark, area, title, why)
#define QN_FIX(name, where, text)
#define QN_SOURCE(name, where, address) {NAME_##name, where, address},
#include "doctor/findings.def"
};

enum {
    N_FINDINGS = sizeof findings / sizeof findings[0],
    N_FIXES = sizeof fixes / sizeof fixes[0],
    N_SOURCES = sizeof sources / sizeof sources[0]
};

static void print_wrapped(const char *text, size_t width)
{
    size_t column = 0;
    while (*text) {
        const size_t n = strcspn(text, " ");
        if (column && column + 1 + n > width) {
            putchar('\n');
            column = 0;
        }
        printf("%s%.*s", column ? " " : "", (int)n, text);
        column += n + (column ? 1 : 0);
        text += n + (text[n] == ' ');
    }
    putchar('\n');
}

/* Behind a distribution's command: where it is from, or that nobody confirmed it. */
static void print_source(enum name of, enum where where)
{
    bool has_one = where == ANY;
    for (int i = 0; i < N_SOURCES && where != ANY; i++)
        if (sources[i].of == of && sources[i].where == where) {
            printf(" ([source](%s))", sources[i].address);
            has_one = true;
        }
    printf("%s\n", has_one ? "" : " *(not confirmed)*");
}

static void print_finding(const struct finding *f)
{
    const char *const mark = !strcmp(f->mark, "BAD")    ? "bad"
                             : !strcmp(f->mark, "WARN") ? "warning"
                                                        : "note";
    printf("### `%s`\n\n%s: %s.\n", f->id, mark, f->title);
    print_wrapped(f->why, 118);
    printf("\n");
    for (int i = 0; i < N_FIXES; i++)
        if (fixes[i].of == f->name) {
            const char *const quote = strchr(fixes[i].text, '`') ? "``" : "`";
            printf("- %s: %s%s%s", where_text[fixes[i].where], quote, fixes[i].text, quote);
            print_source(f->name, fixes[i].where);
        }
    for (int i = 0; i < N_SOURCES; i++)
        if (sources[i].of == f->name && sources[i].where == ANY)
            printf("\nSource: <%s>\n", sources[i].address);
    printf("\n");
}

static void print_area(const char *area)
{
    for (int i = 0; i < N_FINDINGS; i++)
        if (strcmp(findings[i].area, area) == 0)
            print_finding(&findings[i]);
}

static void print_troubleshooting(void)
{
    static const char *const areas[][2] = {{"nvidia", "NVIDIA"},
                                           {"amd", "AMD"},
                                           {"opencl", "OpenCL"},
                                           {"machine", "The machine"},
                                           {"quern", "Quern"}};
    printf(
        "# Troubleshooting\n\n"
        "Printed from `doctor/findings.def` (`make docs`): everything that `quern doctor` looks "
        "for. It says which of these\nhold on your machine, with what it saw and the commands "
        "for your distribution, and changes nothing.\n\n"
        "    quern doctor                      # what is wrong, and what repairs it\n"
        "    quern doctor --selftest           # and every shipped kernel once on the device\n"
        "    quern doctor --report report.md   # to paste into an issue: no names, keys or "
        "serial numbers in it\n"
        "    quern doctor --json | jq -r '.findings[].id'\n"
        "    quern doctor --root /mnt          # another machine's files: a container's, a "
        "disk's\n"
        "    quern doctor --from facts.json    # what another machine's --json printed\n\n"
        "*bad*: something cannot work (exit status 1); *warning*: it works, but slower or not "
        "for long; *note*: good to know.\n\n"
        "A distribution's command with a *source* was compared with that page, in the "
        "distributions "
        "that it names. One that is\n*not confirmed* was written from memory, and no page was "
        "found "
        "that has its names: search your distribution for the\npackage where it is refused.\n\n");
    for (size_t i = 0; i < sizeof areas / sizeof areas[0]; i++) {
        printf("## %s\n\n", areas[i][1]);
        print_area(areas[i][0]);
    }
}

/* ---- compatibility ---- */

static const char *known_text(const char *known)
{
    return !strcmp(known, "MEASURED")   ? "measured"
           : !strcmp(known, "COMPILED") ? "compiled, not run on the card"
           : !strcmp(known, "VENDOR")   ? "the maker's pages"
           : !strcmp(known, "USER")     ? "users' reports"
                                        : "not confirmed";
}

/* The last cell of a row. */
static void print_known(const char *known, const char *source)
{
    if (*source)
        printf(" [%s](%s) |\n", known_text(known), source);
    else
        printf(" %s |\n", known_text(known));
}

static void print_gfx(void)
{
    printf("| architecture | cards | first ROCm | note | how it is known |\n"
           "| --- | --- | --: | --- | --- |\n");
#define QN_CUDA_MAJOR(major, driver, note, known, source)
#define QN_SM(sm, cards, first, last, known, source)
#define QN_GFX(gfx, cards, first, note, known, source)                                             \
    printf("| %s | %s | %s | %s |", gfx, cards, first, note);                                      \
    print_known(#known, source);
#define QN_OPENCL(driver, versions, state, known, source)
#include "doctor/compatibility.def"
}

static void print_compatibility(void)
{
    printf(
        "# What goes with what\n\n"
        "Printed from `doctor/compatibility.def` (`make docs`), the rows by which `quern "
        "doctor` decides. The last column says how\neach is known: *measured* here, *compiled* "
        "here without the card, from *the maker's pages*, from *users' reports*, or\n*not "
        "confirmed*: no public page was found that says so, and nobody tried it. A link leads to "
        "a page\nthat has the versions of the row.\n\n"
        "## CUDA and drivers\n\n| CUDA | driver, at least | note | how it is known |\n"
        "| --- | --- | --- | --- |\n");
#define QN_CUDA_MAJOR(major, driver, note, known, source)                                          \
    printf("| %d | %s | %s |", major, driver, note);                                               \
    print_known(#known, source);
#define QN_SM(sm, cards, first, last, known, source)
#define QN_GFX(gfx, cards, first, note, known, source)
#define QN_OPENCL(driver, versions, state, known, source)
#include "doctor/compatibility.def"
    printf(
        "\n## NVIDIA's architectures\n\n| architecture | cards | first CUDA | last CUDA | how it "
        "is known |\n| --- | --- | --: | --: | --- |\n");
#define QN_CUDA_MAJOR(major, driver, note, known, source)
#define QN_SM(sm, cards, first, last, known, source)                                               \
    printf("| sm_%d | %s | %s | %s |", sm, cards, first, last);                                    \
    print_known(#known, source);
#define QN_GFX(gfx, cards, first, note, known, source)
#define QN_OPENCL(driver, versions, state, known, source)
#include "doctor/compatibility.def"
    printf("\n## AMD's architectures\n\n");
    print_gfx();
    printf("\n## OpenCL drivers\n\n| driver | version | state | how it is known |\n"
           "| --- | --- | --- | --- |\n");
#define QN_CUDA_MAJOR(major, driver, note, known, source)
#define QN_SM(sm, cards, first, last, known, source)
#define QN_GFX(gfx, cards, first, note, known, source)
#define QN_OPENCL(driver, versions, state, known, source)                                          \
    printf("| %s | %s | %s |", driver, versions, state);                                           \
    print_known(#known, source);
#include "doctor/compatibility.def"
}

static void print_rocm(void)
{
    printf(
        "# ROCm: install and check\n\n"
        "Printed from the tables of `quern doctor` (`make docs`). The steps are the same for every "
        "version of ROCm; what differs\nbetween versions is in the tables.\n\n"
        "1. **The kernel's half.** Linux's own `amdgpu` is enough for most cards; AMD's DKMS "
        "package only for those newer than\n   your kernel. `ls -l /dev/kfd /dev/dri/renderD*` "
        "must "
        "show both, and `id` the group that owns them (`render`).\n"
        "2. **The runtime.** The distribution's packages or AMD's repository, not both: Quern "
        "needs "
        "`libamdhip64`, and from\n   ROCm 7.0 on `libhiprtc` beside it, and `libamd_comgr`. The "
        "whole of ROCm, its BLAS and its compilers are not needed.\n"
        "3. **Look.** `quern doctor` says what is missing. `quern devices` lists the card as "
        "`hip:0` with the kind `rocm`.\n"
        "4. **Try.** `quern doctor --selftest -d hip` runs every kernel that ships with Quern on "
        "it "
        "and compares with plain C.\n\n"
        "Programs made with PyTorch call a ROCm device \"cuda\"; Quern calls it `hip:0`. "
        "`HIP_VISIBLE_DEVICES` counts what\n`ROCR_VISIBLE_DEVICES` left over, and HIP obeys "
        "`CUDA_VISIBLE_DEVICES` as well.\n\n"
        "Quern compiles for the card as it is, so `HSA_OVERRIDE_GFX_VERSION` is never needed for "
        "it, and rocBLAS's missing files\n(\"Cannot read TensileLibrary.dat\") do not concern it. "
        "What was run: the kernels compile with hipRTC 5.2.3 and 5.7 and\nwith clang 19, and an "
        "emulator runs their machine code for gfx90a, gfx942, gfx1100 and gfx1201; no AMD card was "
        "at hand.\n\nFrom ROCm 7.14 on AMD's own packages have new names (`amdrocm-runtime`) and "
        "lie below "
        "`/opt/rocm/core`;\n`ROCM_PATH=/opt/rocm/core` names that folder. What *not confirmed* "
        "means, "
        "here and below, says\n[compatibility.md](compatibility.md).\n\n## Cards\n\n");
    print_gfx();
    printf("\n## What can go wrong\n\n");
    print_area("amd");
}

int main(int argc, char **argv)
{
    const char *page = argc == 2 ? argv[1] : "";
    if (!strcmp(page, "troubleshooting"))
        print_troubleshooting();
    else if (!strcmp(page, "compatibility"))
        print_compatibility();
    else if (!strcmp(page, "rocm"))
        print_rocm();
    else
        return 2;
    return 0;
}
