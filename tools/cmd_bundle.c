/* SPDX-License-Identifier: Apache-2.0
 *
 * quern bundle: files of many compiled kernels, to ship beside a program. `quern prewarm` makes
 * them from sources; this makes them from what is there, lists and signs them. */
#include "tools/bundle_io.h"
#include "tools/commands.h"
#include "tools/json_text.h"
#include "tools/source_options.h"
#include "tools/terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <quern/quern.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct values {
    const char *what, *output, *key, *title;
    uint64_t serial;
    struct qn__option_list files, targets;
    bool from_cache, json;
};

static const struct qn__option options[] = {
    QN__OPERAND_CHOICE(
        struct values, what, "create|ls|verify|extract|merge|sign|keygen",
        "create|ls|verify|extract|merge|sign|keygen",
        "create: from images (*.qni) and the cache; ls: list entries; verify: read "
        "everything, and ask whether the signer is trusted; extract: entries to image files; "
        "merge: several into one, the "
        "first of equal entries stays; sign: with --key; keygen: a new pair of keys"),
    {.kind = QN__OPTION_OPERANDS,
     .optional = true,
     .value = "FILE",
     .offset = offsetof(struct values, files),
     .help = "bundles; for create, images"},
    QN__TEXT(struct values, output, 'o', "output", "OUT",
             "file to write (extract: folder; keygen: file of the secret key)",
             .only = "create|extract|merge|sign|keygen"),
    QN__LIST(struct values, targets, 't', "target", "TARGET",
             "only entries for this target (create: of those in the cache)",
             .only = "create|extract"),
    QN__FLAG(struct values, from_cache, 0, "from-cache",
             "take what the kernel cache holds and was made here, or signed by a key of "
             "QUERN_BUNDLE_KEYS",
             .only = "create"),
    QN__TEXT(struct values, key, 'k', "key", "FILE", "sign with the secret key in this file",
             .only = "create|merge|sign"),
    QN__TEXT(struct values, title, 0, "name", "NAME",
             "name that is signed: bundles of one signer and name are versions of one thing; "
             "default the file's",
             .only = "create|merge|sign"),
    QN__NUMBER(struct values, serial, 0, "serial", 1, UINT64_MAX, 0,
               "serial number that is signed: who has used a higher one refuses a lower one; "
               "default SOURCE_DATE_EPOCH, else the time in seconds",
               .only = "create|merge|sign"),
    QN__FLAG(struct values, json, 0, "json", "print JSON", .only = "ls"),
};

static bool is_wanted(const struct values *v, const char *target)
{
    for (uint32_t i = 0; i < v->targets.n; i++)
        if (!strcmp(v->targets.items[i], target))
            return true;
    return v->targets.n == 0;
}

/* ---- making ---- */

static bool add_image_file(qn_bundle_writer *w, const char *path)
{
    qn_image *image;
    qn_status s = qn_image_load(&image, path, NULL);
    if (s == QN_OK) {
        s = qn_bundle_writer_add_image(w, image);
        qn_image_release(image);
    }
    if (s != QN_OK)
        qn__complain_status("bundle: %s", path);
    return s == QN_OK;
}

static bool has_target(const qn_cache_entry *entries, uint32_t n, const char *target)
{
    for (uint32_t i = 0; i < n; i++)
        if (!strcmp(entries[i].target, target))
            return true;
    return qn__complain(false, "bundle: the cache holds nothing for %s", target);
}

/* A damaged entry is left out: the cache has set it aside and said so. */
static bool add_cache(const struct values *v, qn_bundle_writer *w)
{
    const qn_cache_entry *entries;
    uint32_t n;
    bool good = qn_cache_list(&entries, &n) == QN_OK;
    if (!good)
        qn__complain_status("bundle");
    for (uint32_t t = 0; good && t < v->targets.n; t++)
        good = has_target(entries, n, v->targets.items[t]);
    uint32_t n_foreign = 0;
    for (uint32_t i = 0; good && i < n; i++) {
        qn_image *image;
        if (!entries[i].target[0] || !is_wanted(v, entries[i].target))
            continue;
        n_foreign += !entries[i].is_verified;
        if (!entries[i].is_verified)
            continue;
        qn_status s = qn_cache_load(&image, entries[i].key);
        if (s == QN_E_NOT_FOUND || s == QN_E_CORRUPT) /* removed meanwhile, or set aside */
            continue;
        if (s == QN_OK)
            s = qn_bundle_writer_add_image(w, image);
        good = s == QN_OK || qn__complain_status("bundle: %.12s...", entries[i].key) == 0;
        qn_image_release(image);
    }
    free((void *)(uintptr_t)entries);
    if (n_foreign)
        qn__complain(0,
                     "bundle create: %u entries are left out: they were not made here, and no key "
                     "of QUERN_BUNDLE_KEYS has signed them (quern cache ls shows who did; "
                     "QUERN_CACHE_MODE=refresh makes them here)",
                     n_foreign);
    return good;
}

static bool write_out(const struct values *v, qn_bundle_writer *w, const char *path)
{
    if (qn_bundle_writer_set_version(w, v->title, v->serial) == QN_OK)
        return qn__bundle_write(stdout, w, path, v->key);
    return qn__complain_status("bundle %s", v->what) == 0;
}

static int make(const struct values *v)
{
    qn_bundle_writer *w;
    if (!v->output)
        return qn__complain(QN__EXIT_USAGE, "bundle %s: where to? (add -o OUT)", v->what);
    if ((v->title || v->serial) && !v->key)
        return qn__complain(QN__EXIT_USAGE,
                            "bundle %s: --name and --serial are signed: add --key FILE", v->what);
    if (v->targets.n && !v->from_cache)
        return qn__complain(QN__EXIT_USAGE, "bundle create: --target chooses from the cache: add "
                                            "--from-cache");
    if (!v->files.n && !v->from_cache)
        return qn__complain(QN__EXIT_USAGE, "bundle %s: from what? (name files%s)", v->what,
                            !strcmp(v->what, "create") ? " or add --from-cache" : "");
    if (qn_bundle_writer_create(&w) != QN_OK)
        return qn__complain_status("bundle");
    bool good = true;
    for (uint32_t i = 0; good && i < v->files.n; i++)
        good = !strcmp(v->what, "create") ? add_image_file(w, v->files.items[i])
                                          : qn__bundle_add_all(w, v->files.items[i]);
    if (good && v->from_cache)
        good = add_cache(v, w);
    if (good && !qn_bundle_writer_count(w) && !strcmp(v->what, "create"))
        good = qn__complain(false, "bundle create: there is nothing to put into it");
    if (good)
        good = write_out(v, w, v->output);
    qn_bundle_writer_destroy(w);
    return good ? QN__EXIT_GOOD : QN__EXIT_FAILED;
}

static int sign(const struct values *v)
{
    qn_bundle_writer *w;
    if (!v->key || v->files.n != 1)
        return qn__complain(QN__EXIT_USAGE, "bundle sign: name one bundle and --key FILE");
    if (qn_bundle_writer_create(&w) != QN_OK)
        return qn__complain_status("bundle");
    const char *output = v->output ? v->output : v->files.items[0];
    const bool good = qn__bundle_add_all(w, v->files.items[0]) && write_out(v, w, output);
    qn_bundle_writer_destroy(w);
    return good ? QN__EXIT_GOOD : QN__EXIT_FAILED;
}

/* The secret goes to a new file that only its owner may read, the public key to stdout. */
static int make_keys(const struct values *v)
{
    char secret[QN_BUNDLE_KEY_TEXT], public_key[QN_BUNDLE_KEY_TEXT];
    if (!v->output)
        return qn__complain(QN__EXIT_USAGE, "bundle keygen: where to? (add -o FILE)");
    qn_bundle_make_keys(secret, public_key);
    const int fd = open(v->output, O_WRONLY | O_CREAT | O_EXCL, 0600);
    FILE *f = fd >= 0 ? fdopen(fd, "w") : NULL;
    bool good = f && fprintf(f, "%s\n", secret) > 0;
    if (f && fclose(f) != 0)
        good = false;
    if (!good)
        return qn__complain(QN__EXIT_FAILED, "bundle keygen: %s: %s", v->output, strerror(errno));
    puts(public_key);
    return QN__EXIT_GOOD;
}

/* ---- looking ---- */

static json_t *entry_row(const qn_bundle_entry *e, const qn_image *image)
{
    return json_pack("{s:s, s:s, s:s, s:s, s:I, s:I, s:o}", "target", e->target, "source",
                     e->source, "key", e->key, "kind", qn__image_kind_text(e->kind), "stored_bytes",
                     (json_int_t)e->stored_bytes, "entry_bytes", (json_int_t)e->entry_bytes,
                     "compiler",
                     image ? qn__json_string(qn_image_get_info(image)->compiler) : json_null());
}

static void print_row(const qn_bundle_entry *e, const qn_image *image)
{
    char size[QN__SIZE_TEXT];
    const char *fields = qn_image_get_fields(image);
    const char *name = qn__starts_with(fields, "source: ") ? fields + strlen("source: ") : "";
    name = qn__plain(name);
    printf("%.12s  %9s  %-24.24s %.*s, %s, %s\n", e->key, qn__size_text(size, e->stored_bytes),
           qn__plain(e->target), (int)strcspn(name, " \n"), name, qn__image_kind_text(e->kind),
           qn__plain(qn_image_get_info(image)->compiler));
}

static bool extract(const struct values *v, const qn_bundle_entry *e, const qn_image *image)
{
    struct qn__str path = {0};
    qn__str_printf(&path, "%s/%.16s.", v->output, e->source);
    for (const char *p = e->target; *p; p++)
        qn__str_add_char(&path, strchr(":/ ", *p) ? '_' : *p);
    qn__str_add(&path, ".qni");
    const bool good = path.text && qn_image_save(image, path.text) == QN_OK;
    if (good)
        puts(path.text);
    else
        qn__complain_status("bundle extract");
    qn__str_release(&path);
    return good;
}

/* One pass over a bundle: every command that looks reads every entry it is about. */
static bool look(uint32_t *n_seen, const struct values *v, const char *path, json_t *rows)
{
    qn_bundle *b;
    char size[QN__SIZE_TEXT];
    uint32_t n_bad = 0;
    if (qn_bundle_open(&b, path) != QN_OK) {
        qn__complain_status("bundle");
        return false;
    }
    const qn_bundle_info *info = qn_bundle_get_info(b);
    if (info->n_entries && !info->entries) {
        qn_bundle_close(b);
        return qn__complain(false, "bundle: %s: no memory for a list of its entries", path);
    }
    for (uint32_t i = 0; i < info->n_entries; i++) {
        const qn_bundle_entry *e = &info->entries[i];
        qn_image *image;
        if (!is_wanted(v, e->target))
            continue;
        ++*n_seen;
        if (qn_bundle_load(&image, b, i) != QN_OK) {
            qn__complain_status("entry %u for %s", i, e->target);
            n_bad++;
            continue;
        }
        if (rows)
            json_array_append_new(rows, entry_row(e, image));
        else if (!strcmp(v->what, "ls"))
            print_row(e, image);
        else if (!strcmp(v->what, "extract"))
            n_bad += !extract(v, e, image);
        qn_image_release(image);
    }
    bool good = n_bad == 0;
    if (!strcmp(v->what, "verify")) {
        printf("%s: %u entries, %s, ", path, info->n_entries,
               qn__size_text(size, info->size_bytes));
        if (info->signer[0])
            printf("'%s' number %llu, signed by %s", qn__plain(info->title),
                   (unsigned long long)info->serial, info->signer);
        else
            fputs(info->is_old ? "of an old format, so not signed" : "not signed", stdout);
        printf(": %s\n", n_bad ? "damaged" : "whole");
        if (qn_bundle_check_signer(b) != QN_OK)
            good = !qn__complain_status("not to be used");
    }
    qn_bundle_close(b);
    return good;
}

static int look_all(const struct values *v)
{
    if (!v->files.n)
        return qn__complain(QN__EXIT_USAGE, "bundle %s: which bundle?", v->what);
    if (!strcmp(v->what, "extract") && !v->output)
        return qn__complain(QN__EXIT_USAGE, "bundle extract: where to? (add -o DIR)");
    if (!strcmp(v->what, "extract") && !qn__make_folder(v->output))
        return QN__EXIT_FAILED;
    json_t *rows = v->json && !strcmp(v->what, "ls") ? json_array() : NULL;
    bool good = true;
    uint32_t n_seen = 0;
    for (uint32_t i = 0; i < v->files.n; i++)
        good &= look(&n_seen, v, v->files.items[i], rows);
    if (good && !n_seen && !strcmp(v->what, "extract"))
        good = qn__complain(false, "bundle extract: there is nothing%s",
                            v->targets.n ? " for these targets" : " in it");
    const int status = rows ? qn__json_print(rows) : QN__EXIT_GOOD;
    return good ? status : QN__EXIT_FAILED;
}

static int run(const void *values)
{
    const struct values *v = values;
    if (!strcmp(v->what, "create") || !strcmp(v->what, "merge"))
        return make(v);
    if (!strcmp(v->what, "sign"))
        return sign(v);
    return !strcmp(v->what, "keygen") ? make_keys(v) : look_all(v);
}

const struct qn__command qn__cmd_bundle = {
    .name = "bundle",
    .brief = "files of many compiled kernels, to ship beside a program",
    .about =
        "Make, list and sign bundles. A program finds its kernels in PROGRAM.qnb beside it, "
        "in the files QUERN_BUNDLE names, and in share/quern/bundles; then it needs no compiler. "
        "Equal images make equal bundles, byte for byte. Where QUERN_BUNDLE_KEYS names public "
        "keys, only bundles signed by one of them are taken, and none that is older than one of "
        "the same signer and name that was used before.",
    .sample = "bundle create -o app.qnb --from-cache -t cuda:sm_90\n"
              "bundle ls app.qnb\n"
              "bundle merge -o app.qnb nvidia.qnb amd.qnb\n"
              "bundle keygen -o secret.key\n"
              "bundle sign app.qnb --key secret.key",
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .values_bytes = sizeof(struct values),
    .run = run,
};
