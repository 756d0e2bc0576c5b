/* SPDX-License-Identifier: Apache-2.0
 *
 * Sources, logs and the words for images: see source_options.h. */
#include "tools/source_options.h"
#include "tools/commands.h"
#include "tools/terminal.h"

#include <stdlib.h>
#include <string.h>

/* Files of one program become one source that includes them. Their names are those given, seen from
 * the working folder, so that a project that moves as a whole keeps its keys. */
static void fill_program(qn_source *out, const struct qn__source_options *options)
{
    static struct qn__str text;
    static const char **folders;
    const uint32_t n = options->includes.n;
    const char **grown = realloc(folders, (n + 1) * sizeof *folders);
    qn__str_clear(&text);
    qn__str_printf(&text, "#include \"%s\"\n", options->file);
    for (uint32_t i = 0; i < options->more.n; i++)
        qn__str_printf(&text, "#include \"%s\"\n", options->more.items[i]);
    if (!grown || text.failed) {
        qn__complain(0, "no memory for the program's files");
        exit(QN__EXIT_FAILED);
    }
    folders = grown;
    folders[0] = ".";
    for (uint32_t i = 0; i < n; i++)
        folders[i + 1] = options->includes.items[i];
    out->text = text.text;
    out->path = "program.cu";
    out->include_dirs = folders;
    out->n_include_dirs = n + 1;
}

void qn__source_fill(qn_source *out, const struct qn__source_options *options)
{
    *out = (qn_source){
        .path = options->file,
        .defines = options->defines.items,
        .n_defines = options->defines.n,
        .include_dirs = options->includes.items,
        .n_include_dirs = options->includes.n,
        .names = options->names.items,
        .n_names = options->names.n,
        .options = options->options.items,
        .n_options = options->options.n,
    };
    if (options->more.n)
        fill_program(out, options);
}

static void print_block(const char *text)
{
    if (text && text[0])
        fprintf(stderr, "%s%s", qn__plain(text), qn__ends_with(text, "\n") ? "" : "\n");
}

void qn__print_log(const qn_log *log, bool verbose)
{
    qn__progress_clear();
    print_block(log->text);
    if (verbose && log->raw && log->raw[0] && !qn__equal(log->raw, log->text)) {
        fputs("-- the compiler's own words --\n", stderr);
        print_block(log->raw);
    }
}

int qn__complain_build(const char *command, const char *what, qn_status s, const qn_log *log,
                       bool verbose)
{
    struct qn__str reason = {0};
    /* the message of a compile error is the first diagnostic; that of a broken compiler is not */
    const bool is_told = log->text && log->text[0] && s != QN_E_COMPILER;
    qn__str_add(&reason, is_told ? qn_status_text(s) : qn_message());
    qn__print_log(log, verbose);
    const bool is_named = reason.text && qn__starts_with(reason.text, what);
    qn__complain(0, "%s: %s%s%s", command, is_named ? "" : what, is_named ? "" : ": ",
                 reason.text ? reason.text : "");
    qn__str_release(&reason);
    return QN__EXIT_FAILED;
}

const char *qn__origin_text(qn_origin origin)
{
    switch (origin) {
    case QN_ORIGIN_COMPILED: return "compiled";
    case QN_ORIGIN_MEMORY_CACHE: return "memory cache";
    case QN_ORIGIN_DISK_CACHE: return "disk cache";
    case QN_ORIGIN_LOADED: return "loaded";
    case QN_ORIGIN_REMOTE_CACHE: return "remote cache";
    case QN_ORIGIN_BUNDLE: return "bundle";
    }
    return "";
}

char *qn__origin_sentence(const char *origin, const char *signer)
{
    struct qn__str out = {0};
    if (!strcmp(origin, "here"))
        qn__str_add(&out, "made here");
    else if (!origin[0])
        qn__str_add(&out, "not known");
    else
        qn__str_printf(&out, "%s, %s%s", qn__plain(origin), signer[0] ? "signed by " : "not signed",
                       signer);
    return qn__str_take(&out);
}

const char *qn__image_kind_text(qn_image_kind kind)
{
    switch (kind) {
    case QN_IMAGE_CUBIN: return "cubin";
    case QN_IMAGE_PTX: return "PTX";
    case QN_IMAGE_HSACO: return "AMD code object";
    case QN_IMAGE_OPENCL_C: return "OpenCL C";
    case QN_IMAGE_OPENCL_BINARY: return "OpenCL binary";
    case QN_IMAGE_SHARED_OBJECT: return "shared object";
    }
    return "";
}

const char *qn__image_kind_suffix(qn_image_kind kind)
{
    switch (kind) {
    case QN_IMAGE_CUBIN: return "cubin";
    case QN_IMAGE_PTX: return "ptx";
    case QN_IMAGE_HSACO: return "hsaco";
    case QN_IMAGE_OPENCL_C: return "cl";
    case QN_IMAGE_OPENCL_BINARY: return "bin";
    case QN_IMAGE_SHARED_OBJECT: return "so";
    }
    return "";
}

static uint32_t count_lines(const char *fields, const char *begin)
{
    uint32_t n = 0;
    for (; fields && *fields; fields += strcspn(fields, "\n"), fields += *fields == '\n')
        n += qn__starts_with(fields, begin);
    return n;
}

uint32_t qn__count_machine_headers(const char *fields)
{
    return count_lines(fields, "machine header: ");
}

uint32_t qn__count_toolkit_headers(const char *fields)
{
    return count_lines(fields, "toolkit header: ");
}
