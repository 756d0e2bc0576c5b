/* SPDX-License-Identifier: Apache-2.0
 *
 * Images: made whole by one call, never changed, freed when the last owner lets go. The payload has
 * a 0 after it, because drivers and people want text images as strings. */
#include "runtime/image.h"

#include <stdlib.h>
#include <string.h>

/* The public list of kernels: the reflection's own structs, one after the other. */
static qn_status list_kernels(qn_image *image)
{
    const struct qn__reflection *r = &image->reflection;
    qn_kernel_info *kernels = QN__ARENA_ARRAY(&image->arena, qn_kernel_info, r->n_kernels);
    if (!kernels)
        return qn__fail(QN_E_MEMORY, "no memory for an image of %u kernels", r->n_kernels);
    for (uint32_t i = 0; i < r->n_kernels; i++)
        kernels[i] = r->kernels[i].info;
    image->info.kernels = kernels;
    image->info.n_kernels = r->n_kernels;
    return QN_OK;
}

static qn_status fill(qn_image *image, const char *target, const char *compiler, const void *bytes,
                      size_t n, const void *reflection, size_t reflection_n)
{
    struct qn__arena *arena = &image->arena;
    const char *payload = image->block ? bytes : qn__arena_strndup(arena, bytes ? bytes : "", n);
    image->info.target = qn__arena_strdup(arena, target);
    image->info.compiler = qn__arena_strdup(arena, compiler);
    image->reflection_wire = qn__arena_memdup(arena, reflection, reflection_n);
    if (!payload || !image->info.target || !image->info.compiler || !image->reflection_wire)
        return qn__fail(QN_E_MEMORY, "no memory for an image of %zu bytes", n);
    image->info.bytes = payload;
    image->info.size_bytes = n;
    image->reflection_wire_n = reflection_n;
    QN_TRY(qn__reflection_decode(&image->reflection, arena, reflection, reflection_n));
    return list_kernels(image);
}

qn_status qn__image_adopt(qn_image **out, const char *target, const char *compiler,
                          qn_image_kind kind, void *block, const void *bytes, size_t n,
                          const void *reflection, size_t reflection_n)
{
    *out = NULL;
    qn_image *image = qn__alloc(1, sizeof *image);
    if (!image) {
        free(block);
        return qn__fail(QN_E_MEMORY, "no memory for an image");
    }
    atomic_init(&image->refs, 1);
    image->block = block;
    image->info.kind = kind;
    image->notes = (struct qn__image_notes){"", "", "", "", ""};
    image->origin = (struct qn__image_origin){"", ""};
    const qn_status s = fill(image, target, compiler, bytes, n, reflection, reflection_n);
    if (s != QN_OK) {
        qn_image_release(image);
        return s;
    }
    *out = image;
    return QN_OK;
}

qn_status qn__image_create(qn_image **out, const char *target, const char *compiler,
                           qn_image_kind kind, const void *bytes, size_t n, const void *reflection,
                           size_t reflection_n)
{
    return qn__image_adopt(out, target, compiler, kind, NULL, bytes, n, reflection, reflection_n);
}

qn_status qn__image_note(qn_image *image, const struct qn__image_notes *notes)
{
    const char *const from[] = {notes->key, notes->request, notes->source, notes->fields,
                                notes->shapes};
    const char **const to[] = {&image->notes.key, &image->notes.request, &image->notes.source,
                               &image->notes.fields, &image->notes.shapes};
    for (size_t i = 0; i < sizeof to / sizeof to[0]; i++) {
        const char *copy = from[i][0] ? qn__arena_strdup(&image->arena, from[i]) : "";
        if (!copy)
            return qn__fail(QN_E_MEMORY, "no memory for an image's notes");
        *to[i] = copy;
    }
    return QN_OK;
}

qn_status qn__image_set_origin(qn_image *image, const struct qn__image_origin *origin)
{
    const char *from = origin->from[0] ? qn__arena_strdup(&image->arena, origin->from) : "";
    const char *signer = origin->signer[0] ? qn__arena_strdup(&image->arena, origin->signer) : "";
    if (!from || !signer)
        return qn__fail(QN_E_MEMORY, "no memory for an image's origin");
    image->origin = (struct qn__image_origin){from, signer};
    return QN_OK;
}

qn_image *qn_image_retain(qn_image *image)
{
    atomic_fetch_add_explicit(&image->refs, 1, memory_order_relaxed);
    return image;
}

void qn_image_release(qn_image *image)
{
    if (!image || atomic_fetch_sub_explicit(&image->refs, 1, memory_order_acq_rel) != 1)
        return;
    struct qn__arena arena = image->arena;
    free(image->block);
    free(image);
    qn__arena_release(&arena);
}

const char *qn_image_get_key(const qn_image *image)
{
    return image->notes.key;
}

const char *qn_image_get_fields(const qn_image *image)
{
    return image->notes.fields;
}

const qn_image_info *qn_image_get_info(const qn_image *image)
{
    return &image->info;
}
