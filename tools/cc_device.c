/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/cc_device.h"

#include "base/arena.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/symbol_expression.h"
#include "base/wire.h"
#include "cudart/carried_program.h"
#include "tools/commands.h"
#include "tools/terminal.h"

#include <quern/quern.h>
#include <stdlib.h>
#include <string.h>

enum { IMAGE_LIMIT = 1 << 30 };

bool qn__cc_is_toolkit(const char *folder)
{
    static const char *const signs[] = {"crt/host_config.h", "hip/amd_detail"};
    bool found = false;
    for (size_t i = 0; i < sizeof signs / sizeof *signs && !found; i++) {
        char *const path = qn__path_join(folder, signs[i]);
        found = path && (qn__file_exists(path) || qn__file_is_dir(path));
        free(path);
    }
    return found;
}

struct source {
    qn_source source; /* first: what the caller holds */
    struct qn__cc_list folders, options;
    struct qn__str text;
    char std[32];
};

void qn__cc_source(qn_source *out, struct qn__cc_session *s, const struct qn__cc_input *input)
{
    static struct source held; /* one at a time */
    struct source *const h = &held;
    const struct qn__cc *const cc = s->cc;
    h->folders = h->options = (struct qn__cc_list){0};
    for (uint32_t i = 0; i < cc->includes.n; i++)
        if (!qn__cc_is_toolkit(cc->includes.items[i]))
            qn__cc_add(&h->folders, cc->includes.items[i]);
    for (uint32_t i = 0; i < cc->device.n; i++)
        qn__cc_add(&h->options, cc->device.items[i]);
    snprintf(h->std, sizeof h->std, "-std=%s", cc->std ? cc->std : "c++17");
    qn__cc_add(&h->options, h->std);
    qn__cc_add(&h->options, "-w"); /* clang warns of the host half, which is the same text */
    *out = (qn_source){
        .path = input->path,
        .defines = cc->defines.items,
        .n_defines = cc->defines.n,
        .include_dirs = h->folders.items,
        .n_include_dirs = h->folders.n,
        .options = h->options.items,
        .n_options = h->options.n,
    };
    qn__str_clear(&h->text);
    if (cc->forced.n == 0)
        return;
    for (uint32_t i = 0; i < cc->forced.n; i++)
        qn__str_printf(&h->text, "#include \"%s\"\n", cc->forced.items[i]);
    qn__str_printf(&h->text, "#include \"%s\"\n", input->path);
    qn__cc_add(&h->folders, ".");
    out->include_dirs = h->folders.items;
    out->n_include_dirs = h->folders.n;
    out->text = h->text.text;
}

void qn__cc_source_release(qn_source *src)
{
    free((void *)(uintptr_t)src->include_dirs);
    free((void *)(uintptr_t)src->options);
}

/* ---- instances of templates ---- */

struct instances {
    struct qn__cc_list names;
    struct qn__arena arena;
};

/* A vendor's compiler makes of templates what it is asked for: the host half has the symbols of all
 * kernels that it launches, as texts. */
static bool read_instances(struct instances *out, const char *assembler)
{
    static const char mark[] = "\t.asciz\t\"_Z";
    char *text = NULL;
    size_t n;
    if (qn__file_read(&text, &n, assembler, IMAGE_LIMIT) != QN_OK)
        return qn__complain_status("cc: %s", assembler), false;
    for (char *p = text; p && (p = strstr(p, mark)) != NULL;) {
        char *const symbol = p + sizeof mark - 3, *const end = symbol + strcspn(symbol, "\"\n");
        p = *end ? end + 1 : end;
        *end = 0;
        const char *const name =
            qn__symbol_is_instance(symbol) ? qn__symbol_expression(&out->arena, symbol) : NULL;
        if (name && !qn__is_listed(out->names.items, out->names.n, name))
            qn__cc_add(&out->names, name);
    }
    free(text);
    return true;
}

static bool is_translated(const char *target)
{
    return qn__starts_with(target, "opencl") || qn__starts_with(target, "cpu");
}

bool qn__cc_needs_names(const struct qn__cc *cc)
{
    for (uint32_t i = 0; i < cc->targets.n; i++)
        if (!is_translated(cc->targets.items[i]))
            return true;
    return false;
}

/* A finished image for the target, as qn_image_save() writes it. */
static bool add_image(struct qn__str *out, struct qn__cc_session *s, const qn_source *src,
                      const struct instances *named, const char *target)
{
    char *const path = qn__path_join(s->temp, "image");
    qn_image *image = NULL;
    qn_log log = {0};
    qn_source with = *src;
    struct qn__cc_list options = {0};
    for (uint32_t i = 0; i < src->n_options; i++)
        qn__cc_add(&options, src->options[i]);
    qn__cc_add(&options, "--keep-going");
    if (!is_translated(target)) {
        with.names = named->names.items;
        with.n_names = named->names.n;
    }
    with.options = options.items;
    with.n_options = options.n;
    qn_status status = qn_compile(&image, &with, target, NULL, &log);
    bool good = status == QN_OK && path;
    if (log.text && log.text[0])
        fputs(qn__plain(log.text), stderr);
    if (!good)
        qn__complain_status("cc: %s for %s", src->path, target);
    char *bytes = NULL;
    size_t n = 0;
    if (good) {
        good = qn_image_save(image, path) == QN_OK &&
               qn__file_read(&bytes, &n, path, IMAGE_LIMIT) == QN_OK;
        if (!good)
            qn__complain_status("cc: %s for %s", src->path, target);
    }
    if (good)
        qn__wire_bytes(out, QN__PROGRAM_IMAGE, bytes, n);
    free(bytes);
    free(options.items);
    free(path);
    qn_image_release(image);
    qn_log_release(&log);
    return good;
}

bool qn__cc_write_device_half(char id[QN__HASH_HEX], struct qn__cc_session *s,
                              const struct qn__cc_input *input, const char *path,
                              const char *assembler)
{
    unsigned char hash[QN__HASH_BYTES];
    qn_source src;
    void *packed = NULL;
    size_t n = 0;
    struct qn__str fields = {0}, whole = {0};
    struct instances named = {0};
    unsigned char size[8];
    qn__cc_source(&src, s, input);
    bool good = qn_source_pack(&packed, &n, &src) == QN_OK;
    if (!good)
        qn__complain_status("cc: %s", input->path);
    qn__wire_text(&fields, QN__PROGRAM_NAME, input->path);
    qn__wire_u32(&fields, QN__PROGRAM_FLAGS, s->cc->relocatable ? QN__PROGRAM_RELOCATABLE : 0);
    good = good && (!assembler || read_instances(&named, assembler));
    for (uint32_t i = 0; good && i < s->cc->targets.n; i++)
        good = add_image(&fields, s, &src, &named, s->cc->targets.items[i]);
    qn__arena_release(&named.arena);
    free(named.names.items);
    if (good) {
        qn__wire_bytes(&fields, QN__PROGRAM_SOURCE, packed, n);
        qn__put_u64(size, fields.len);
        qn__str_add(&whole, QN__PROGRAM_MAGIC);
        qn__str_add_bytes(&whole, size, sizeof size);
        qn__str_add_bytes(&whole, fields.text, fields.len);
        good = qn__str_check(&fields) == QN_OK && qn__str_check(&whole) == QN_OK &&
               qn__file_write_atomic(path, whole.text, whole.len, 0644) == QN_OK;
        if (!good)
            qn__complain_status("cc: %s", input->path);
    }
    qn__hash_of(hash, whole.text ? whole.text : "", whole.len);
    qn__hash_to_hex(id, hash);
    qn__cc_source_release(&src);
    qn__str_release(&fields);
    qn__str_release(&whole);
    free(packed);
    return good;
}
