/* SPDX-License-Identifier: Apache-2.0
 *
 * qn_module_build(): source to a module on a device.
 *
 * CUDA and HIP: choose the target, take the image, load it. An OpenCL driver compiles text itself,
 * so there are two levels: the translated text, the same for all devices of a profile, and the
 * driver's binary of it, for one device and driver. A binary is loaded when there is one; after a
 * module made from text (or from a binary that lacks some block shape) has run, its binary is
 * saved.
 */
#include "base/log.h"
#include "base/threads.h"
#include "rtc/build_log.h"
#include "rtc/build_mark.h"
#include "rtc/cache/cache_disk.h"
#include "rtc/cache/cache_mode.h"
#include "rtc/cache/counters.h"
#include "rtc/key/cuda_choice.h"
#include "rtc/lookup.h"
#include "rtc/record.h"
#include "runtime/backend.h"

#include <pthread.h>
#include <quern/module.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- NVIDIA: which architecture -- */

/* Plain numbers of the cubins NVRTC lists. */
static uint32_t list_archs(uint32_t *archs, uint32_t capacity, const struct qn__compiler *nvrtc)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < nvrtc->n_targets && n < capacity; i++) {
        char *end;
        if (!qn__starts_with(nvrtc->targets[i], "sm_"))
            continue;
        const unsigned long v = strtoul(nvrtc->targets[i] + 3, &end, 10);
        if (!*end)
            archs[n++] = (uint32_t)v;
    }
    return n;
}

/* "nvrtc 13.0 ..." */
static bool read_version(int *major, int *minor, const char *text, const char *prefix)
{
    char *end;
    if (!qn__starts_with(text, prefix))
        return false;
    *major = (int)strtol(text + strlen(prefix), &end, 10);
    if (*end != '.')
        return false;
    *minor = (int)strtol(end + 1, NULL, 10);
    return true;
}

static qn_status choose_nvidia(char out[QN__CUDA_ARCH_MAX], struct qn__request *r,
                               const qn_device *dev)
{
    enum { ARCHS_MAX = 128 };
    uint32_t archs[ARCHS_MAX];
    struct qn__cuda_facts facts = {.gpu = dev->info.name, .capability = dev->target.number};
    QN_TRY(qn__request_find_compiler(r, "nvrtc"));
    int major = 0, minor = 0;
    read_version(&facts.nvrtc_major, &facts.nvrtc_minor, r->compiler.version, "nvrtc ");
    if (read_version(&major, &minor, dev->info.driver, "CUDA "))
        facts.driver_version = major * 1000 + minor * 10;
    facts.n_archs = list_archs(archs, ARCHS_MAX, &r->compiler);
    facts.archs = archs;
    QN_TRY(qn__cuda_choose(out, &facts));
    qn__cuda_take_features(out, r->closure.files[0].text, r->compiler.targets,
                           r->compiler.n_targets);
    return QN_OK;
}

/* What to compile for. HIP over an NVIDIA driver takes PTX of its own target. */
static qn_status choose_target(char *out, size_t capacity, struct qn__request *r,
                               const qn_device *dev)
{
    char arch[QN__CUDA_ARCH_MAX];
    QN__TEXT_JOIN(out, capacity, dev->info.target);
    if (dev->target.backend != QN__TARGET_CUDA)
        return QN_OK;
    QN_TRY(choose_nvidia(arch, r, dev));
    QN__TEXT_JOIN(out, capacity, "cuda:", arch);
    return QN_OK;
}

/* -- loading -- */

/* Load and append what the driver's compiler printed to log->raw. */
static qn_status load(qn_module **out, qn_device *dev, qn_image *image, qn_log *log)
{
    static pthread_mutex_t one_by_one = PTHREAD_MUTEX_INITIALIZER; /* PoCL has crashed otherwise */
    const bool alone = dev->target.backend == QN__TARGET_OPENCL;
    struct qn__str said = {0};
    if (alone)
        pthread_mutex_lock(&one_by_one);
    const qn_status s = qn__module_load(out, dev, image, &said);
    if (alone)
        pthread_mutex_unlock(&one_by_one);
    if (log && said.len) {
        struct qn__str raw = {0};
        qn__str_add(&raw, log->raw ? log->raw : "");
        qn__str_add_bytes(&raw, said.text, said.len);
        qn__log_set(&log->raw, qn__str_take(&raw));
    }
    qn__str_release(&said);
    return s;
}

/* The same of something that the driver has not built before, or not for us; key: of its binary. */
static qn_status load_new(qn_module **out, qn_device *dev, qn_image *image,
                          const struct qn__request *r, const struct qn__key *key, qn_log *log)
{
    struct qn__build_mark mark;
    QN_TRY(qn__build_begin(&mark, key, r, dev, image));
    const qn_status s = load(out, dev, image, log);
    qn__build_end(&mark);
    return s;
}

/* -- OpenCL: the driver's binary -- */

struct binary_place { /* where a module's binary belongs in the cache */
    struct qn__key key;
    char *fields;
};

static void free_place(void *payload)
{
    struct binary_place *p = payload;
    free(p->fields);
    free(p);
}

static void save_binary(qn_module *mod, const char *shapes, void *payload)
{
    const struct binary_place *p = payload;
    qn_image *binary;
    qn__record_shapes(p->key.source_hex, shapes);
    if (!qn__cache_may_write())
        return; /* nothing would keep it, and PoCL compiles every kernel once more to give it */
    struct qn__str entry = {0};
    if (mod->device->backend->module_binary(&binary, mod) != QN_OK) {
        qn__log(QN_LOG_DEBUG, "driver binary of %s not saved: %s", mod->image->info.target,
                qn_message());
        return;
    }
    const struct qn__image_notes notes = {p->key.hex, p->key.request_hex, p->key.source_hex,
                                          p->fields, shapes};
    if (qn__image_note(binary, &notes) == QN_OK &&
        qn__image_set_origin(binary, &mod->image->origin) == QN_OK) { /* its text's */
        qn__entry_encode(&entry, binary, NULL, QN__ENTRY_FOR_HERE);
        qn__disk_publish(p->key.hex, &entry);
    }
    qn__str_release(&entry);
    qn_image_release(binary);
}

/* Have the binary saved once the module has run in shapes it does not know yet. */
static void save_later(qn_module *mod, const struct qn__request *r, const struct qn__key *key,
                       const char *fingerprint, const char *known)
{
    struct binary_place *p = qn__alloc(1, sizeof *p);
    struct qn__str fields = {0};
    if (!p)
        return; /* nothing is saved: the next process builds from text again */
    p->key = *key;
    qn__key_print(&fields, &r->fields);
    qn__str_printf(&fields, "device and driver: %s\n", fingerprint);
    p->fields = qn__str_take(&fields);
    mod->shapes = p->fields ? qn__shapes_create(known, save_binary, p, free_place) : NULL;
    if (!mod->shapes)
        free_place(p);
}

/* QN_E_NOT_FOUND: no usable binary. One that the driver refuses is set aside. */
static qn_status load_binary(qn_module **out, qn_device *dev, struct qn__request *r,
                             const struct qn__key *key, const char *fingerprint, qn_log *log)
{
    char target[QN__HASH_HEX + 8];
    qn_image *image;
    snprintf(target, sizeof target, "opencl:%s", fingerprint);
    QN_TRY(qn__disk_find(&image, NULL, NULL, key->hex, target));
    const qn_status s = load(out, dev, image, NULL);
    qn_image_release(image);
    if (s == QN_E_DRIVER || s == QN_E_MISMATCH) {
        struct qn__message m;
        qn__message_save(&m);
        qn__disk_quarantine(key->hex, m.text);
        return qn__fail(QN_E_NOT_FOUND, "%s", m.text);
    }
    QN_TRY(s);
    qn__count(&qn__counters.disk_hits, 1);
    qn__log_origin(log, QN_ORIGIN_DISK_CACHE, key->hex);
    save_later(*out, r, key, fingerprint, (*out)->image->notes.shapes);
    return QN_OK;
}

/* The device's own binary, from disk (it may be complete for more shapes) or from a bundle. */
static qn_status build_from_bundled_binary(qn_module **out, qn_device *dev, struct qn__request *r,
                                           const char *fingerprint, qn_log *log)
{
    char text[QN__HASH_HEX + 8];
    struct qn__target target;
    struct qn__bundle_hit hits[QN__BUNDLE_HITS_MAX];
    snprintf(text, sizeof text, "opencl:%s", fingerprint);
    QN_TRY(qn__target_parse(&target, text));
    if (qn__lookup_rows(hits, r, &target, true) == 0)
        return qn__fail(QN_E_NOT_FOUND, "no bundle has a binary for this device");
    struct qn__key key = r->key;
    qn__hash_to_hex(key.hex, qn__bundle_row(hits[0].bundle, hits[0].row) + QN__ROW_AT_KEY);
    if (load_binary(out, dev, r, &key, fingerprint, log) == QN_OK)
        return QN_OK;
    qn_image *image;
    if (qn__lookup_read(&image, &hits[0], r, log) != QN_OK)
        return qn__fail(QN_E_NOT_FOUND, "%s", qn_message());
    const qn_status s = load_new(out, dev, image, r, &key, NULL);
    qn_image_release(image);
    if (s != QN_OK) {
        QN__WARN_ONCE("a binary from a bundle was refused: %s", qn_message());
        return qn__fail(QN_E_NOT_FOUND, "%s", qn_message());
    }
    save_later(*out, r, &key, fingerprint, (*out)->image->notes.shapes);
    return QN_OK;
}

/* Text has the key of its row in a bundle, else the one its compiler would give it. *hits is that
 * row, or has no bundle. */
static qn_status key_of_text(struct qn__key *key, struct qn__bundle_hit *hit, struct qn__request *r,
                             const qn_device *dev)
{
    struct qn__bundle_hit hits[QN__BUNDLE_HITS_MAX];
    const uint32_t n = qn__lookup_rows(hits, r, &dev->target, false);
    *hit = (struct qn__bundle_hit){0};
    if (n == 0) {
        const qn_status s = qn__request_compiler(r);
        if (s != QN_OK)
            return r->mode == QN__CACHE_MUST_HIT ? qn__lookup_miss(r) : s;
        *key = r->key;
        return QN_OK;
    }
    *hit = hits[0];
    *key = r->key;
    qn__hash_to_hex(key->hex, qn__bundle_row(hit->bundle, hit->row) + QN__ROW_AT_KEY);
    return QN_OK;
}

/* *text becomes the text's own key, which headers of the machine may have changed; *keep false
 * where it has none: its binary, whose key is *key, must not be kept. */
static qn_status build_from_text(qn_module **out, qn_device *dev, struct qn__request *r,
                                 const struct qn__bundle_hit *hit, struct qn__key *text,
                                 struct qn__key *key, bool *keep, qn_log *log)
{
    char fingerprint[QN__HASH_HEX];
    qn_image *image = NULL;
    if (!hit->bundle || qn__lookup_read(&image, hit, r, log) != QN_OK) {
        QN_TRY(qn__lookup_image(&image, r, log));
        *text = r->key;
        *keep &= strcmp(image->notes.key, r->key.hex) == 0;
    }
    qn__device_fingerprint(fingerprint, dev);
    *keep = *keep && qn__key_binary(key, text, fingerprint) == QN_OK;
    const qn_status s = *keep ? load_new(out, dev, image, r, key, log) : load(out, dev, image, log);
    qn_image_release(image);
    return s;
}

/* The driver's binary of the text with that key: a build of it, if there is one. The text may
 * depend on headers of the machine; whether it does is not looked up where the first key hits. */
static qn_status find_binary(qn_module **out, qn_device *dev, struct qn__request *r,
                             struct qn__key *text, bool is_bundled, const char *fingerprint,
                             qn_log *log)
{
    struct qn__key key;
    QN_TRY(qn__key_binary(&key, text, fingerprint));
    const qn_status s = load_binary(out, dev, r, &key, fingerprint, log);
    if (s != QN_E_NOT_FOUND || is_bundled || !qn__request_follow(r))
        return s;
    *text = r->key;
    QN_TRY(qn__key_binary(&key, text, fingerprint));
    return load_binary(out, dev, r, &key, fingerprint, log);
}

static qn_status build_opencl(qn_module **out, qn_device *dev, struct qn__request *r, qn_log *log)
{
    char fingerprint[QN__HASH_HEX];
    struct qn__key text, key;
    struct qn__bundle_hit hit;
    bool keep = !r->options.bypass_cache && dev->backend->module_binary;
    const bool look = keep && r->mode != QN__CACHE_REFRESH;
    qn__device_fingerprint(fingerprint, dev);
    if (look && build_from_bundled_binary(out, dev, r, fingerprint, log) == QN_OK)
        return QN_OK;
    QN_TRY(key_of_text(&text, &hit, r, dev));
    if (look) {
        const qn_status s = find_binary(out, dev, r, &text, hit.bundle, fingerprint, log);
        if (s != QN_E_NOT_FOUND)
            return s;
    }
    const qn_status s = build_from_text(out, dev, r, &hit, &text, &key, &keep, log);
    if (s == QN_OK && keep)
        save_later(*out, r, &key, fingerprint, "");
    return s;
}

/* -- all -- */

/* From a bundle; when the driver refuses an image, the next is tried. */
static qn_status build_from_bundle(qn_module **out, qn_device *dev, struct qn__request *r,
                                   qn_log *log)
{
    qn_image *image;
    for (;; r->n_refused++) {
        QN_TRY(qn__lookup_bundle(&image, r, &dev->target, log));
        const qn_status s = load(out, dev, image, log);
        qn_image_release(image);
        if (s == QN_OK)
            return QN_OK;
        QN__WARN_ONCE("an image from a bundle was refused: %s", qn_message());
    }
}

/* An image from the cache that the driver refuses is set aside and made once more. */
static qn_status build_binary(qn_module **out, qn_device *dev, struct qn__request *r, qn_log *log)
{
    char target[160];
    qn_image *image;
    qn_log own = {0}, *l = log ? log : &own;
    qn_status s = QN_OK;
    /* whose drivers copy what they load */
    r->loads_only = dev->target.backend == QN__TARGET_CUDA || dev->target.backend == QN__TARGET_CPU;
    if (qn__lookup_may_ask_bundles(r) && build_from_bundle(out, dev, r, l) == QN_OK)
        goto out;
    s = choose_target(target, sizeof target, r, dev);
    if (s == QN_OK)
        s = qn__request_retarget(r, target);
    else if (r->mode == QN__CACHE_MUST_HIT)
        s = qn__lookup_miss(r);
    for (int tries = 0; s == QN_OK && tries < 2; tries++) {
        s = qn__lookup_image(&image, r, l);
        if (s != QN_OK)
            break;
        s = load(out, dev, image, l);
        qn_image_release(image);
        if (s != QN_E_DRIVER || l->origin != QN_ORIGIN_DISK_CACHE)
            break;
        qn__lookup_forget(r, qn_message());
        qn_log_release(l);
        s = QN_OK;
    }
out:
    qn_log_release(&own);
    return s;
}

qn_status qn_module_build(qn_module **out, qn_device *dev, const qn_source *src,
                          const qn_compile_options *options, qn_log *log)
{
    QN_ARG_CHECK(out && dev && src);
    QN__NOT_CANCELLED;
    struct qn__request r = {0};
    *out = NULL;
    if (log)
        *log = (qn_log){0};
    qn_status s = qn__request_open(&r, src, dev->info.target, options);
    if (s == QN_OK)
        qn__record_request(&r);
    if (s == QN_OK && dev->target.backend == QN__TARGET_OPENCL)
        s = build_opencl(out, dev, &r, log);
    else if (s == QN_OK)
        s = build_binary(out, dev, &r, log);
    if (s == QN_OK)
        qn__record_launches(*out, &r);
    qn__request_release(&r);
    qn__log_complete(log);
    return s;
}
