/* SPDX-License-Identifier: Apache-2.0
 *
 * The closure grows as a list: files are scanned in the order in which they were found, and each
 * scan may append more. A file is known by device and inode (one on disk), by its name (one in
 * memory or built in), never by the path it was reached through. */
#include "rtc/source/source.h"

#include "base/embedded.h"
#include "base/file.h"
#include "rtc/source/embed.h"
#include "rtc/source/include_scan.h"
#include "rtc/source/text_notes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { FILES_MAX = 32768, FILE_LIMIT_BYTES = 64 << 20, CLOSURE_LIMIT_BYTES = 256 << 20 };

/* Where a file came from; the rest of it is in the closure. */
struct qn__origin {
    const char *folder; /* on disk: where its own "..." includes are looked for first; or NULL */
    const char *memory; /* spelling of an in-memory, built-in or shim header; or NULL */
    const void *table;  /* the table with that spelling */
    const struct qn__embedded *row; /* the text is this row's, unchanged; or NULL */
    dev_t device;
    ino_t inode;
};

struct build {
    struct qn__closure *c;
    const qn_source *src;
    const char *const *dirs;
    uint32_t n_dirs;
    const char *const *reserved; /* names that are none of ours */
    uint32_t n_reserved;
    enum qn__shims shims;
    size_t total_bytes;
    bool includes_macro; /* a file of it names another by a macro */
};

/* Editors of Windows begin a file with a byte order mark, which not every compiler takes. */
static const char *after_mark(const char *text)
{
    static const char mark[] = "\xEF\xBB\xBF";
    return qn__starts_with(text, mark) ? text + sizeof mark - 1 : text;
}

static qn_status no_memory(void)
{
    return qn__fail(QN_E_MEMORY, "no memory for a source and its headers");
}

/* -- adding files -- */

static bool name_taken(const struct build *b, const char *name)
{
    for (uint32_t i = 0; i < b->c->n_files; i++)
        if (strcmp(b->c->files[i].name, name) == 0)
            return true;
    return qn__is_listed(b->reserved, b->n_reserved, name);
}

static bool is_plain(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-' || c == '.' || c == '+';
}

/* The last part of the path in plain letters; a number in front where that is taken. */
static const char *short_name(const struct build *b, const char *path)
{
    struct qn__arena *const arena = &b->c->arena;
    char *plain = qn__arena_strdup(arena, qn__path_base(path));
    if (!plain)
        return NULL;
    for (char *p = plain; *p; p++)
        if (!is_plain(*p))
            *p = '_';
    const char *name = plain;
    for (uint32_t i = 2; name && name_taken(b, name); i++)
        name = qn__arena_printf(arena, "%u-%s", i, plain);
    return name;
}

static qn_status grow(struct qn__closure *c)
{
    if (c->n_files < c->capacity)
        return QN_OK;
    const uint32_t capacity = c->capacity ? c->capacity * 2 : 8;
    struct qn__source_file *files = QN__ARENA_ARRAY(&c->arena, struct qn__source_file, capacity);
    const char **shown = QN__ARENA_ARRAY(&c->arena, const char *, capacity);
    const unsigned char **digests = QN__ARENA_ARRAY(&c->arena, const unsigned char *, capacity);
    struct qn__origin *origins = QN__ARENA_ARRAY(&c->arena, struct qn__origin, capacity);
    if (!files || !shown || !digests || !origins)
        return no_memory();
    for (uint32_t i = 0; i < c->n_files; i++) {
        files[i] = c->files[i];
        shown[i] = c->shown[i];
        origins[i] = c->origins[i];
        digests[i] = c->digests[i];
    }
    c->files = files;
    c->shown = shown;
    c->digests = digests;
    c->origins = origins;
    c->capacity = capacity;
    return QN_OK;
}

/* Append a file; text stays where it is. */
static qn_status add(struct build *b, const char *path, const char *text, size_t n,
                     const struct qn__origin *origin)
{
    struct qn__closure *c = b->c;
    if (c->n_files == FILES_MAX)
        return qn__fail(QN_E_LIMIT, "%s: a source may include at most %d files", path, FILES_MAX);
    b->total_bytes += n;
    if (b->total_bytes > CLOSURE_LIMIT_BYTES)
        return qn__fail(QN_E_LIMIT, "%s: a source and its headers may have at most %d MiB", path,
                        CLOSURE_LIMIT_BYTES >> 20);
    QN_TRY(grow(c));
    const char *name = short_name(b, path);
    const char *shown = qn__arena_strdup(&c->arena, path);
    if (!name || !shown)
        return no_memory();
    c->files[c->n_files] = (struct qn__source_file){name, text, n};
    c->shown[c->n_files] = shown;
    c->origins[c->n_files++] = *origin;
    return QN_OK;
}

static qn_status add_from_disk(struct build *b, const char *path, const struct stat *st)
{
    struct qn__closure *c = b->c;
    char *bytes, *folder = qn__path_dir(path);
    size_t n;
    const char *kept_folder = folder ? qn__arena_strdup(&c->arena, folder) : NULL;
    free(folder);
    if (!kept_folder)
        return no_memory();
    QN_TRY(qn__file_read(&bytes, &n, path, FILE_LIMIT_BYTES));
    const char *zero = memchr(bytes, 0, n); /* some compilers would stop there without a word */
    if (zero) {
        const size_t at = (size_t)(zero - bytes);
        free(bytes);
        return qn__fail(QN_E_INVALID, "%s: byte %zu is 0: this is no source text", path, at);
    }
    const size_t mark = (size_t)(after_mark(bytes) - bytes);
    const char *text = qn__arena_strndup(&c->arena, bytes + mark, n - mark);
    free(bytes);
    if (!text)
        return no_memory();
    const struct qn__origin origin = {
        .folder = kept_folder, .device = st->st_dev, .inode = st->st_ino};
    return add(b, path, text, n - mark, &origin);
}

/* -- resolving -- */

/* Says the error that no such file is there, or none that a compiler would get at? */
static bool is_absent(int error)
{
    return error == ENOENT || error == ENOTDIR || error == EACCES || error == ELOOP ||
           error == ENAMETOOLONG;
}

/* Each of these sets *index and returns true in *found when the spelling names a file there. */
static qn_status try_disk(bool *found, uint32_t *index, struct build *b, const char *folder,
                          const char *spelling)
{
    char *path = qn__path_join(folder, spelling);
    struct stat st;
    qn_status s = path ? QN_OK : no_memory();
    const bool is_seen = path && stat(path, &st) == 0;
    if (path && !is_seen && !is_absent(errno)) /* it may be the one, so no other is taken for it */
        s = qn__fail_errno("%s", path);
    if (is_seen && S_ISREG(st.st_mode)) {
        *found = true;
        for (*index = 0; *index < b->c->n_files; ++*index) {
            const struct qn__origin *o = &b->c->origins[*index];
            if (o->folder && o->device == st.st_dev && o->inode == st.st_ino)
                break;
        }
        if (*index == b->c->n_files)
            s = add_from_disk(b, path, &st);
    }
    free(path);
    return s;
}

static qn_status use_text(bool *found, uint32_t *index, struct build *b, const void *table,
                          const char *spelling, const char *text, size_t n)
{
    *found = true;
    for (*index = 0; *index < b->c->n_files; ++*index) {
        const struct qn__origin *o = &b->c->origins[*index];
        if (o->memory && o->table == table && strcmp(o->memory, spelling) == 0)
            return QN_OK;
    }
    const struct qn__origin origin = {.memory = qn__arena_strdup(&b->c->arena, spelling),
                                      .table = table,
                                      .row = qn__embedded_at(qn__kernel_sources, text)};
    return origin.memory ? add(b, spelling, text, n, &origin) : no_memory();
}

static qn_status try_memory(bool *found, uint32_t *index, struct build *b, const char *spelling)
{
    const qn_source *src = b->src;
    for (uint32_t i = 0; i < src->n_headers; i++)
        if (strcmp(src->header_names[i], spelling) == 0) {
            const char *text = after_mark(src->header_texts[i]);
            return use_text(found, index, b, src, spelling, text, strlen(text));
        }
    return QN_OK;
}

/* An in-memory header's neighbours: "util/a.h" including "b.h" means "util/b.h" first. */
static qn_status try_memory_beside(bool *found, uint32_t *index, struct build *b,
                                   const struct qn__origin *from, const char *spelling)
{
    if (!from->memory || from->table != b->src || !strchr(from->memory, '/'))
        return QN_OK;
    char *folder = qn__path_dir(from->memory);
    char *name = folder ? qn__path_join(folder, spelling) : NULL;
    const qn_status s = name ? try_memory(found, index, b, name) : no_memory();
    free(folder);
    free(name);
    return s;
}

static qn_status resolve(bool *found, uint32_t *index, struct build *b, uint32_t from,
                         const char *spelling, bool is_angled)
{
    const struct qn__origin origin = b->c->origins[from];
    *found = false;
    QN_TRY(try_memory_beside(found, index, b, &origin, spelling));
    if (!*found)
        QN_TRY(try_memory(found, index, b, spelling));
    if (!*found && !is_angled && origin.folder)
        QN_TRY(try_disk(found, index, b, origin.folder, spelling));
    for (uint32_t i = 0; !*found && i < b->n_dirs; i++)
        QN_TRY(try_disk(found, index, b, b->dirs[i], spelling));
    if (*found)
        return QN_OK;
    const struct qn__embedded *own = qn__embedded_find(qn__kernel_sources, spelling);
    if (own && qn__ends_with(spelling, ".cuh"))
        return use_text(found, index, b, qn__kernel_sources, spelling, own->text,
                        (size_t)(own->end - own->text));
    return QN_OK;
}

static qn_status remember_missing(struct qn__closure *c, const char *spelling)
{
    uint32_t at = 0;
    while (at < c->n_missing && strcmp(c->missing[at], spelling) < 0)
        at++;
    if (at < c->n_missing && strcmp(c->missing[at], spelling) == 0)
        return QN_OK;
    if (c->n_missing == c->missing_capacity) {
        const uint32_t capacity = c->missing_capacity ? c->missing_capacity * 2 : 8;
        const char **grown = QN__ARENA_ARRAY(&c->arena, const char *, capacity);
        if (!grown)
            return no_memory();
        for (uint32_t i = 0; i < c->n_missing; i++)
            grown[i] = c->missing[i];
        c->missing = grown;
        c->missing_capacity = capacity;
    }
    for (uint32_t i = c->n_missing++; i > at; i--)
        c->missing[i] = c->missing[i - 1];
    c->missing[at] = spelling;
    return QN_OK;
}

/* -- #embed -- */

/* The bytes of the file that is meant, to free(), as resolve() would find it; *bytes stays NULL
 * where there is none. */
static qn_status embedded_bytes(char **bytes, size_t *n, struct build *b, uint32_t from,
                                const struct qn__embed *e)
{
    const char *const folder = e->is_angled ? NULL : b->c->origins[from].folder;
    const char *spelling = qn__arena_strndup(&b->c->arena, e->name.begin, e->name.n);
    qn_status s = spelling ? QN_OK : no_memory();
    *bytes = NULL;
    for (uint32_t i = 0; s == QN_OK && !*bytes && i <= b->n_dirs; i++) {
        const char *const dir = i ? b->dirs[i - 1] : folder;
        char *path = dir ? qn__path_join(dir, spelling) : NULL;
        if (dir && !path)
            s = no_memory();
        else if (path && qn__file_exists(path))
            s = qn__file_read(bytes, n, path, FILE_LIMIT_BYTES);
        free(path);
    }
    return s;
}

/* The file's name, line and column in front of the message. */
static qn_status fail_at(qn_status s, const struct qn__closure *c, uint32_t index, size_t at)
{
    const char *const text = c->files[index].text;
    uint32_t line = 1, column = 1;
    for (size_t i = 0; i < at; i++) {
        column = text[i] == '\n' ? 1 : column + 1;
        line += text[i] == '\n';
    }
    return qn__fail_prefix(s, "%s:%u:%u", c->shown[index], line, column);
}

/* The directive becomes the numbers, and a question its answer: a file that is not there leaves the
 * directive to the compiler, for its message. */
static qn_status write_embed(bool *replaced, struct qn__str *out, struct build *b, uint32_t index,
                             const struct qn__text_include *inc)
{
    const char *const text = b->c->files[index].text;
    const bool is_question = inc->kind == QN__HAS_EMBED;
    struct qn__embed e;
    char *bytes = NULL;
    size_t n = 0;
    qn_status s = qn__embed_read(&e, text + inc->begin, text + inc->end);
    *replaced = false;
    if (s == QN_OK)
        s = embedded_bytes(&bytes, &n, b, index, &e);
    else if (is_question)
        s = QN_OK; /* not one that could be had: 0 */
    if (s == QN_OK && is_question) {
        qn__str_add_char(out, !bytes ? '0' : qn__embed_count(&e, n) ? '1' : '2');
        *replaced = true;
    } else if (s == QN_OK && bytes) {
        const size_t before = out->len;
        qn__embed_print(out, &e, bytes, n);
        *replaced = true;
        b->total_bytes += out->len - before;
        if (b->total_bytes > CLOSURE_LIMIT_BYTES)
            s = qn__fail(QN_E_LIMIT, "#embed: a source and its headers may have at most %d MiB",
                         CLOSURE_LIMIT_BYTES >> 20);
    }
    free(bytes);
    return s == QN_OK ? QN_OK : fail_at(s, b->c, index, inc->begin);
}

/* -- reading -- */

/* Finds the file an include means; *found stays false where this resolver has none. */
typedef qn_status resolver(bool *found, uint32_t *index, struct build *b, uint32_t from,
                           const char *spelling, bool is_angled);

/* What stands in the place of an include: the name of its file; nothing where that stays. */
static qn_status write_include(bool *replaced, struct qn__str *out, struct build *b, uint32_t index,
                               const struct qn__text_include *inc, resolver *resolve_include)
{
    struct qn__closure *c = b->c;
    const char *spelling = qn__arena_strndup(&c->arena, c->files[index].text + inc->begin + 1,
                                             inc->end - inc->begin - 2);
    bool found = false;
    uint32_t target = 0;
    *replaced = false;
    if (!spelling)
        return no_memory();
    QN_TRY(resolve_include(&found, &target, b, index, spelling, inc->is_angled));
    if (!found)
        return remember_missing(c, spelling);
    if (inc->is_angled || strcmp(spelling, c->files[target].name) != 0) {
        qn__str_printf(out, "\"%s\"", c->files[target].name);
        *replaced = true;
    }
    return QN_OK;
}

/* Text and digest of a file after its includes were rewritten. */
static qn_status keep_rewritten(struct build *b, uint32_t index, struct qn__text_notes *notes,
                                const struct qn__str *out)
{
    struct qn__closure *c = b->c;
    c->origins[index].row = NULL;
    c->files[index].n = out->len;
    c->files[index].text = out->failed ? NULL : qn__arena_strndup(&c->arena, out->text, out->len);
    return c->files[index].text
               ? qn__text_notes_of(notes, &c->arena, c->files[index].text, out->len, NULL)
               : no_memory();
}

/* Add what file `index` includes, and rewrite its #include and #embed lines. */
static qn_status scan_file(struct build *b, uint32_t index, resolver *resolve_include)
{
    struct qn__closure *c = b->c;
    const char *text = c->files[index].text;
    const size_t n = c->files[index].n;
    size_t copied = 0;
    struct qn__text_notes notes;
    struct qn__str out = {0}, piece = {0};
    qn_status s = qn__text_notes_of(&notes, &c->arena, text, n, c->origins[index].row);
    b->includes_macro |= s == QN_OK && notes.includes_macro;
    for (uint32_t i = 0; s == QN_OK && i < notes.n_includes; i++) {
        const struct qn__text_include *inc = &notes.includes[i];
        bool replaced;
        qn__str_clear(&piece);
        s = inc->kind == QN__INCLUDE
                ? write_include(&replaced, &piece, b, index, inc, resolve_include)
                : write_embed(&replaced, &piece, b, index, inc);
        if (s == QN_OK && replaced) {
            qn__str_add_bytes(&out, text + copied, inc->begin - copied);
            qn__str_add_bytes(&out, piece.text ? piece.text : "", piece.len);
            out.failed |= piece.failed;
            copied = inc->end;
        }
    }
    if (s == QN_OK && copied) {
        qn__str_add_bytes(&out, text + copied, n - copied);
        s = keep_rewritten(b, index, &notes, &out);
    }
    if (s == QN_OK) {
        c->digests[index] = qn__arena_memdup(&c->arena, notes.digest, sizeof notes.digest);
        s = c->digests[index] ? QN_OK : no_memory();
    }
    qn__str_release(&out);
    qn__str_release(&piece);
    return s;
}

static qn_status add_main(struct build *b)
{
    const qn_source *src = b->src;
    if (src->text) {
        const struct qn__embedded *row = qn__embedded_at(qn__kernel_sources, src->text);
        const struct qn__origin origin = {.memory = "", .row = row};
        const char *text = row ? row->text : qn__arena_strdup(&b->c->arena, after_mark(src->text));
        if (!text)
            return no_memory();
        return add(b, src->path && src->path[0] ? src->path : "kernel.cu", text, strlen(text),
                   &origin);
    }
    if (!src->path || !src->path[0])
        return qn__fail(QN_E_INVALID, "a source needs its text or a path");
    struct stat st;
    if (stat(src->path, &st) != 0)
        return qn__fail_errno("%s", src->path);
    return add_from_disk(b, src->path, &st);
}

/* -- files that are included by the name of a macro -- */

/* May a file of the closure have this name? "boost/config/user.hpp" */
static bool is_plain_path(const char *spelling)
{
    for (const char *p = spelling; *p; p++)
        if (!is_plain(*p) && *p != '/')
            return false;
    return spelling[0] != '/' && !strstr(spelling, "..") && strchr(spelling, '/');
}

/* The file once more, by the name that the macro has for it: the macro's text stays as it is. */
static qn_status add_again(struct build *b, uint32_t index, const char *spelling)
{
    struct qn__closure *c = b->c;
    const struct qn__origin nowhere = {0};
    if (!is_plain_path(spelling) || name_taken(b, spelling))
        return QN_OK;
    QN_TRY(add(b, spelling, c->files[index].text, c->files[index].n, &nowhere));
    c->files[c->n_files - 1].name = spelling;
    c->shown[c->n_files - 1] = c->shown[index];
    c->digests[c->n_files - 1] = c->digests[index];
    return QN_OK;
}

/* The files that macros of file `index` name are found; a second time they get those names. */
static qn_status add_named_by_macros(struct build *b, uint32_t index, bool again)
{
    struct qn__closure *c = b->c;
    const char *p = c->files[index].text, *const end = p + c->files[index].n;
    struct qn__include inc;
    while (qn__include_macro_next(&inc, &p, end)) {
        const char *const spelling =
            qn__arena_strndup(&c->arena, inc.begin + 1, (size_t)(inc.end - inc.begin) - 2);
        bool found;
        uint32_t target;
        if (!spelling)
            return no_memory();
        QN_TRY(resolve(&found, &target, b, index, spelling, inc.is_angled));
        if (found && again)
            QN_TRY(add_again(b, target, spelling));
    }
    return QN_OK;
}

/* The file that "NAME=<file>" of an option names is found, from the main source. */
static qn_status add_named_by_option(struct build *b, const char *macro, bool again)
{
    const char *const value = strchr(macro, '=');
    const size_t n = value ? strlen(value + 1) : 0;
    const char close = n > 2 && value[1] == '<' ? '>' : '"';
    bool found;
    uint32_t target;
    if (n < 3 || (value[1] != '<' && value[1] != '"') || value[n] != close)
        return QN_OK;
    const char *const spelling = qn__arena_strndup(&b->c->arena, value + 2, n - 2);
    if (!spelling)
        return no_memory();
    QN_TRY(resolve(&found, &target, b, 0, spelling, close == '>'));
    return found && again ? add_again(b, target, spelling) : QN_OK;
}

static qn_status add_named_by_options(struct build *b, bool again)
{
    const qn_source *src = b->src;
    for (uint32_t i = 0; i < src->n_defines; i++)
        QN_TRY(add_named_by_option(b, src->defines[i], again));
    for (uint32_t i = 0; i < src->n_options; i++)
        QN_TRY(add_named_by_option(b, src->options[i], again));
    return QN_OK;
}

static qn_status add_all(struct build *b)
{
    struct qn__closure *c = b->c;
    uint32_t n_read = 0, n_searched = 0;
    QN_TRY(add_main(b));
    do {
        for (; n_read < c->n_files; n_read++)
            QN_TRY(scan_file(b, n_read, resolve));
        if (b->includes_macro && n_searched == 0)
            QN_TRY(add_named_by_options(b, false));
        for (; b->includes_macro && n_searched < n_read; n_searched++)
            QN_TRY(add_named_by_macros(b, n_searched, false));
    } while (n_read < c->n_files);
    for (uint32_t i = 0; i < n_searched; i++)
        QN_TRY(add_named_by_macros(b, i, true));
    if (n_searched)
        QN_TRY(add_named_by_options(b, true));
    c->n_own_files = c->n_files;
    return QN_OK;
}

/* Has a file the name of an include that is left to the compiler? The compiler would take the file
 * for it: a cuda.h of the user's in a folder of its own, for the <cuda.h> that it includes. */
static bool name_misleads(const struct qn__closure *c)
{
    for (uint32_t i = 0; i < c->n_files; i++)
        if (qn__is_listed(c->missing, c->n_missing, c->files[i].name))
            return true;
    return false;
}

qn_status qn__closure_build(struct qn__closure *out, const qn_source *src,
                            const char *const *include_dirs, uint32_t n_include_dirs)
{
    *out = (struct qn__closure){0};
    struct build b = {.c = out, .src = src, .dirs = include_dirs, .n_dirs = n_include_dirs};
    QN_TRY(add_all(&b));
    if (!name_misleads(out))
        return QN_OK;
    struct qn__closure first = *out;
    *out = (struct qn__closure){0};
    b.reserved = first.missing;
    b.n_reserved = first.n_missing;
    b.total_bytes = 0;
    const qn_status s = add_all(&b);
    qn__closure_release(&first);
    return s;
}

/* -- shims -- */

/* A name in quotes that is a file of the closure was resolved before. */
static qn_status resolve_shim(bool *found, uint32_t *index, struct build *b, uint32_t from,
                              const char *spelling, bool is_angled)
{
    (void)from;
    for (*index = 0; !is_angled && *index < b->c->n_files; ++*index)
        if (strcmp(b->c->files[*index].name, spelling) == 0)
            return *found = true, QN_OK;
    const char *shim = qn__shim_find(b->shims, spelling);
    return shim ? use_text(found, index, b, &b->shims, spelling, shim, strlen(shim)) : QN_OK;
}

qn_status qn__closure_add_shims(struct qn__closure *c, enum qn__shims shims)
{
    struct build b = {.c = c, .shims = shims};
    bool any = false;
    for (uint32_t i = 0; i < c->n_missing; i++)
        any = any || qn__shim_find(shims, c->missing[i]);
    if (!any)
        return QN_OK;
    c->n_missing = 0; /* found again while scanning */
    for (uint32_t i = 0; i < c->n_files; i++)
        QN_TRY(scan_file(&b, i, resolve_shim));
    return QN_OK;
}

void qn__closure_release(struct qn__closure *c)
{
    struct qn__arena arena = c->arena; /* everything of *c lies in it */
    *c = (struct qn__closure){0};
    qn__arena_release(&arena);
}

void qn__closure_show(struct qn__str *out, const struct qn__closure *c, const char *diagnostics)
{
    static const char included_from[] = "In file included from ";
    for (const char *line = diagnostics; *line;) {
        if (qn__starts_with(line, included_from)) { /* as if the line began with the name */
            qn__str_add(out, included_from);
            line += sizeof included_from - 1;
        }
        const size_t n = strcspn(line, "\n") + (strchr(line, '\n') ? 1 : 0);
        size_t skip = 0;
        for (uint32_t i = 0; i < c->n_files && !skip; i++) {
            const size_t len = strlen(c->files[i].name);
            if (n > len && memcmp(line, c->files[i].name, len) == 0 && line[len] == ':') {
                qn__str_add(out, c->shown[i]);
                skip = len;
            }
        }
        qn__str_add_bytes(out, line + skip, n - skip);
        line += n;
    }
}
