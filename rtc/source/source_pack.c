/* SPDX-License-Identifier: Apache-2.0
 *
 * A source in one piece of bytes: fields of base/wire.h. Of a closure the main text and the files,
 * which have names of their own that the rewritten #include lines name; then what shapes the
 * compile. Folders are not needed again. */
#include "base/wire.h"
#include "rtc/source/compile_options.h"
#include "rtc/source/source.h"

#include <quern/compile.h>
#include <stdlib.h>
#include <string.h>

enum { P_FORMAT = 1, P_PATH, P_TEXT, P_NAME, P_HEADER, P_DEFINE, P_OPTION };
enum { FORMAT = 1 };

struct unpacked { /* the source is its first member, which the caller holds */
    qn_source source;
    struct qn__arena arena;
};

static bool names_folder(const char *option)
{
    return qn__starts_with(option, "-I");
}

static void encode(struct qn__str *w, const qn_source *src, const struct qn__closure *c)
{
    qn__wire_u32(w, P_FORMAT, FORMAT);
    qn__wire_text(w, P_PATH, c->shown[0]);
    qn__wire_bytes(w, P_TEXT, c->files[0].text, c->files[0].n);
    for (uint32_t i = 1; i < c->n_files; i++) {
        qn__wire_text(w, P_NAME, c->files[i].name);
        qn__wire_bytes(w, P_HEADER, c->files[i].text, c->files[i].n);
    }
    for (uint32_t i = 0; i < src->n_defines; i++)
        qn__wire_text(w, P_DEFINE, src->defines[i]);
    for (uint32_t i = 0; i < src->n_options; i++)
        if (!names_folder(src->options[i]))
            qn__wire_text(w, P_OPTION, src->options[i]);
}

qn_status qn_source_pack(void **out, size_t *size_bytes, const qn_source *src)
{
    QN_ARG_CHECK(out && size_bytes && src);
    struct qn__arena arena = {0};
    struct qn__compile_options options;
    struct qn__closure closure = {0};
    struct qn__str bytes = {0};
    *out = NULL;
    *size_bytes = 0;
    qn_status s = qn__compile_options_read(&options, &arena, src);
    if (s == QN_OK)
        s = qn__closure_build(&closure, src, options.include_dirs, options.n_include_dirs);
    if (s == QN_OK) {
        encode(&bytes, src, &closure);
        s = qn__str_check(&bytes);
    }
    if (s == QN_OK) {
        *size_bytes = bytes.len;
        *out = qn__str_take(&bytes);
    }
    qn__str_release(&bytes);
    qn__closure_release(&closure);
    qn__arena_release(&arena);
    return s;
}

/* ---- and back ---- */

static uint32_t count(struct qn__wire_reader r, uint32_t tag)
{
    struct qn__wire_field f;
    uint32_t n = 0;
    while (qn__wire_next(&r, &f))
        n += f.tag == tag;
    return n;
}

/* A text without a 0 inside, or NULL. */
static const char *text_of(struct qn__arena *arena, struct qn__wire_field f)
{
    return memchr(f.bytes, 0, f.n) ? NULL : qn__arena_strndup(arena, (const char *)f.bytes, f.n);
}

static bool decode(qn_source *out, struct qn__arena *arena, struct qn__wire_reader r)
{
    const uint32_t n_headers = count(r, P_HEADER), n_names = count(r, P_NAME);
    const char **const names = QN__ARENA_ARRAY(arena, const char *, n_names),
                       **const texts = QN__ARENA_ARRAY(arena, const char *, n_headers),
                       **const defines = QN__ARENA_ARRAY(arena, const char *, count(r, P_DEFINE)),
                       **const options = QN__ARENA_ARRAY(arena, const char *, count(r, P_OPTION));
    struct qn__wire_field f;
    uint32_t format = 0, i_name = 0, i_text = 0;
    bool good = n_names == n_headers && names && texts && defines && options;
    while (good && qn__wire_next(&r, &f)) {
        const char *const text = f.tag == P_FORMAT ? "" : text_of(arena, f);
        good = text != NULL;
        switch (f.tag) {
        case P_FORMAT: good = qn__wire_get_u32(f, &format); break;
        case P_PATH: out->path = text; break;
        case P_TEXT: out->text = text; break;
        case P_NAME: names[i_name++] = text; break;
        case P_HEADER: texts[i_text++] = text; break;
        case P_DEFINE: defines[out->n_defines++] = text; break;
        case P_OPTION: options[out->n_options++] = text; break;
        default: break;
        }
    }
    out->header_names = names;
    out->header_texts = texts;
    out->n_headers = n_headers;
    out->defines = defines;
    out->options = options;
    return good && !r.failed && format == FORMAT && out->text && out->path;
}

qn_status qn_source_unpack(qn_source **out, const void *bytes, size_t size_bytes)
{
    QN_ARG_CHECK(out && (bytes || !size_bytes));
    *out = NULL;
    struct unpacked *const u = qn__alloc(1, sizeof *u);
    if (!u)
        return qn__fail(QN_E_MEMORY, "no memory for a packed source");
    if (!decode(&u->source, &u->arena, qn__wire_reader(bytes, size_bytes))) {
        const qn_status s = u->arena.failed ? qn__fail(QN_E_MEMORY, "no memory for a packed source")
                                            : qn__fail(QN_E_CORRUPT, "a packed source is damaged");
        qn_source_release(&u->source);
        return s;
    }
    *out = &u->source;
    return QN_OK;
}

void qn_source_release(qn_source *src)
{
    struct unpacked *const u = (struct unpacked *)(void *)src;
    if (u)
        qn__arena_release(&u->arena);
    free(u);
}
