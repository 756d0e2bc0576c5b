/* SPDX-License-Identifier: Apache-2.0
 *
 * Planning a session (session_plan.h). */
#include "engine/session_plan.h"

#include "base/environment.h"
#include "base/free_memory.h"
#include "base/log.h"
#include "engine/adapter_place.h"
#include "engine/weight_tiles.h"
#include "kernels/product.h"

#include <stdlib.h>
#include <string.h>

enum {
    CONTEXT_DEFAULT = 4096,
    BATCH_DEFAULT = 512,
    BATCH_DEFAULT_TENSOR = 2048,   /* on tensor cores, where their room is a small part of all */
    BATCH_DEFAULT_OPENCL_CPU = 32, /* as fast there as 512 */
    /* On cpu:0 each batch reads the weights once more. Whoever waits can stop it between two: large
     * models take smaller ones. */
    BATCH_DEFAULT_CPU = 256,
    BATCH_DEFAULT_CPU_LARGE = 64,
    SPLIT_POSITIONS = 32
};
/* What is taken besides the three allocations: kernels, the driver's own tables, cuBLAS's handle;
 * on a processor also what is staged for it, and the rooms that weights are packed in. OpenCL
 * drivers for CPUs have a compiler in the process. */
static const uint64_t RESERVE_BYTES = 64ull << 20, RESERVE_LIBRARY_BYTES = 192ull << 20,
                      RESERVE_OPENCL_CPU_BYTES = 256ull << 20;
static const uint64_t LARGE_BYTES = 16ull << 30, LARGE_CPU_BYTES = 4ull << 30;

static uint32_t min_u32(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static uint32_t max_u32(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

/* Pieces of the context for attention of one token: enough to fill the device (a wave each, eight
 * on a unit), none too short. */
static uint32_t choose_splits(const struct qn__config *c, uint32_t context,
                              const qn_device_info *device)
{
    if (!device || device->device_class == QN_DEVICE_CPU)
        return max_u32(1, device ? device->compute_units / c->n_heads : 1);
    const uint32_t to_fill = (8 * device->compute_units + c->n_kv_heads - 1) / c->n_kv_heads;
    return max_u32(1, min_u32(to_fill, context / SPLIT_POSITIONS));
}

/* What depends on the context. */
static void set_context(struct qn__session_sizes *z, const struct qn_model *m,
                        const qn_device_info *device, uint32_t context)
{
    z->context = context;
    /* of several short texts more tokens than a context may come at once */
    z->batch = max_u32(min_u32(z->batch_max, context), min_u32(z->batch_max, z->rows));
    z->splits = choose_splits(&m->config, context, device);
}

/* cpu:0, and no OpenCL device for CPUs */
static bool is_processor(const qn_device_info *device)
{
    return device && strcmp(device->kind, "cpu") == 0;
}

static uint32_t default_batch(const struct qn__session_sizes *z, const struct qn_model *m,
                              const qn_device_info *device)
{
    if (is_processor(device))
        return m->plan.n_bytes > LARGE_CPU_BYTES ? BATCH_DEFAULT_CPU_LARGE : BATCH_DEFAULT_CPU;
    if (device && device->device_class == QN_DEVICE_CPU)
        return BATCH_DEFAULT_OPENCL_CPU;
    return z->has_tensor && device->memory_total_bytes >= LARGE_BYTES ? BATCH_DEFAULT_TENSOR
                                                                      : BATCH_DEFAULT;
}

/* Only where it is used is it loaded: that takes longer than a prompt. */
static qn_status choose_library(struct qn__session_sizes *out, const struct qn_model *m,
                                qn_device *dev, const qn_session_options *o)
{
    const bool is_asked = o && o->library;
    if (is_asked && o->no_library)
        return qn__fail(QN_E_INVALID, "products by the library and by none (--library and "
                                      "--no-library): take one of the two");
    /* Gemma's activations leave the range of f16 */
    const bool wants =
        dev && !m->config.family->scaled_embedding && !(o && o->no_library) &&
        !(out->has_tiles &&
          !qn__weight_tiles_want_library(&m->plan, &m->config, qn_device_get_info(dev), is_asked));
    out->has_library = wants && qn__blas_is_there(dev);
    if (is_asked && dev && !qn__blas_is_there(dev))
        return qn__fail(QN_E_UNSUPPORTED,
                        "there is no cuBLAS for %s: leave out --library (CUDA devices, and "
                        "libcublas.so where the linker finds it)",
                        qn_device_get_info(dev)->id);
    return QN_OK;
}

/* May kernels be taken that are fastest on sm_80 and later through CUDA? Elsewhere only where the
 * caller or the user says so; on ROCm, where users look for them, the reason is logged. */
static bool may_have_tiles(const qn_device_info *device, const qn_session_options *o)
{
    const char *forced = qn__getenv("QUERN_FORCE_FUSED");
    if (qn__weight_tiles_suit(device) || (o && o->fused_anywhere))
        return true;
    const bool is_forced = forced && !strcmp(forced, "1");
    if (!strcmp(device->backend, "hip") || is_forced)
        qn__log(QN_LOG_INFO, "%s: fused kernels and those for tensor cores are CUDA's and %s",
                device->id,
                is_forced ? "were not measured here; QUERN_FORCE_FUSED=1 takes them"
                          : "are left out on ROCm; QUERN_FORCE_FUSED=1 takes them all the same");
    return is_forced;
}

qn_status qn__session_choose_sizes(struct qn__session_sizes *out, const struct qn_model *m,
                                   qn_device *dev, const qn_session_options *o)
{
    const qn_device_info *device = dev ? qn_device_get_info(dev) : NULL;
    const char *cache = o && o->cache ? o->cache : "f16";
    out->adapters = o ? o->adapters : NULL;
    out->n_adapters = o ? o->n_adapters : 0;
    /* fused kernels have no room between their parts for what adapters add, no sinks, and no keys
     * and values that come in two steps */
    out->has_tiles = device && !(o && o->no_fused) && !out->n_adapters &&
                     !m->config.family->has_sinks && !m->config.family->is_latent &&
                     may_have_tiles(device, o);
    out->has_tensor = out->has_tiles && qn__tensor_attention_accepts(m->config.head_dim, device);
    QN_TRY(choose_library(out, m, dev, o));
    out->sequences = o && o->sequences ? o->sequences : 1;
    out->rows = o && o->rows ? o->rows : out->sequences > 1 ? out->sequences : 0;
    out->batch_max = o && o->batch ? o->batch : default_batch(out, m, device);
    set_context(out, m, device,
                o && o->context ? o->context : min_u32(m->config.context_trained, CONTEXT_DEFAULT));
    out->device_bytes = o && o->device_bytes ? o->device_bytes : UINT64_MAX;
    out->streamed_layers_min = o ? min_u32(o->streamed_layers, m->config.n_layers) : 0;
    out->streamed_layers_max = device ? m->config.n_layers : out->streamed_layers_min;
    out->from_file = o && o->stream_from_file;
    out->shares_memory = device && device->device_class == QN_DEVICE_CPU;
    if (strcmp(cache, "f16") == 0)
        out->cache_type = QN__CACHE_F16;
    else if (strcmp(cache, "q8_0") == 0)
        out->cache_type = QN__CACHE_Q8_0;
    else
        return qn__fail(QN_E_INVALID, "cache type '%s': f16 or q8_0", cache);
    /* what prints C for the processor has its instructions that multiply bytes */
    out->in_dot_tiles = is_processor(device) && !(o && o->exact) && !out->has_tiles;
    return QN_OK;
}

static uint64_t reserve_bytes(const struct qn__session_sizes *z, const qn_device_info *device)
{
    if (device && device->device_class == QN_DEVICE_CPU && !is_processor(device))
        return RESERVE_OPENCL_CPU_BYTES;
    return z->has_library ? RESERVE_LIBRARY_BYTES : RESERVE_BYTES;
}

static const struct qn__weights *placed(const struct qn_model *m, const struct qn__session_sizes *z)
{
    return z->in_dot_tiles ? &m->tiled_plan : &m->plan;
}

struct qn__residency qn__session_residency(const struct qn_model *m,
                                           const struct qn__session_sizes *z,
                                           const qn_session_plan *p)
{
    struct qn__residency r =
        qn__residency_make(placed(m, z), m->config.n_layers, p->streamed_layers);
    if (p->streams_from_file && z->has_tiles)
        r.scratch_bytes = QN__TURN_BYTES;
    return r;
}

static void set_streamed(qn_session_plan *p, const struct qn_model *m,
                         const struct qn__session_sizes *z, uint32_t n, bool from_file)
{
    p->streamed_layers = n;
    p->streams_from_file = n && from_file;
    const struct qn__residency r = qn__session_residency(m, z, p);
    p->streamed_bytes = qn__residency_streamed_bytes(&r, placed(m, z));
    p->weights_bytes = qn__residency_device_bytes(&r, placed(m, z));
    p->peak_bytes = p->weights_bytes + p->cache_bytes + p->activations_bytes + p->adapters_bytes;
}

/* Bytes by class, with n_streamed layers streamed; layers (n_layers) is scratch. */
static qn_status add_up(qn_session_plan *p, struct qn__cache_layer *layers,
                        const struct qn_model *m, const struct qn__session_sizes *z,
                        const qn_device_info *device, uint32_t n_streamed)
{
    struct qn__cache cache;
    struct qn__activations activations;
    struct qn__adapters adapters;
    QN_TRY(qn__cache_place(&cache, layers, &m->config, z->cache_type, z->context, 0));
    qn__activations_place(&activations, &m->config, z->batch, z->splits, z->has_library,
                          z->has_tiles, z->in_dot_tiles, z->rows, 0);
    QN_TRY(qn__adapters_place(&adapters, NULL, m, z->adapters, z->n_adapters, z->batch, 0));
    if (cache.n_bytes > UINT64_MAX / 2 / z->sequences)
        return qn__fail(QN_E_LIMIT, "a cache of %u sequences has no size in 64 bits", z->sequences);
    cache.n_bytes *= z->sequences;
    *p = (qn_session_plan){
        .context = z->context,
        .batch = z->batch,
        .sequences = z->sequences,
        .rows = z->rows,
        .cache_bytes = cache.n_bytes,
        .activations_bytes = activations.n_bytes,
        .adapters_bytes = adapters.n_bytes,
        .reserve_bytes = reserve_bytes(z, device),
        .token_weights_bytes = placed(m, z)->token_bytes,
        .position_cache_bytes = cache.position_bytes,
        .fits = true,
        .context_max = m->config.context_trained,
    };
    set_streamed(p, m, z, n_streamed, z->from_file);
    return QN_OK;
}

static bool fits(const qn_session_plan *p, uint64_t free_bytes)
{
    return p->reserve_bytes <= free_bytes && p->peak_bytes <= free_bytes - p->reserve_bytes;
}

/* The largest context with which everything fits, by bisection: a longer one never takes less. */
static uint32_t largest_context(struct qn__cache_layer *layers, const struct qn_model *m,
                                const struct qn__session_sizes *z, const qn_device_info *device,
                                uint64_t free_bytes)
{
    struct qn__session_sizes trial = *z;
    uint32_t enough = 0, most = UINT32_MAX;
    while (enough < most) {
        const uint32_t rest = most - enough, context = enough + rest / 2 + rest % 2;
        qn_session_plan p;
        set_context(&trial, m, device, context);
        if (add_up(&p, layers, m, &trial, device, z->streamed_layers_max) == QN_OK &&
            fits(&p, free_bytes))
            enough = context;
        else
            most = context - 1;
    }
    return enough;
}

/* As few streamed layers as fit; as many as there may be where none do. */
static void stream_layers(qn_session_plan *p, const struct qn_model *m,
                          const struct qn__session_sizes *z, bool from_file)
{
    for (uint32_t n = z->streamed_layers_min; n <= z->streamed_layers_max; n++) {
        set_streamed(p, m, z, n, from_file);
        p->fits = fits(p, p->free_bytes);
        if (p->fits)
            return;
    }
}

/* Has the host room for what it is to keep? */
static bool host_has_room(const qn_session_plan *p, const struct qn__session_sizes *z)
{
    const struct qn__free_memory host = qn__free_memory();
    const uint64_t wanted =
        p->streamed_bytes + (z->shares_memory ? p->peak_bytes + p->reserve_bytes : 0);
    return host.total_bytes == 0 || wanted <= host.free_bytes;
}

static qn_status plan_with(qn_session_plan *out, struct qn__cache_layer *layers,
                           const struct qn_model *m, const struct qn__session_sizes *z,
                           qn_device *dev)
{
    QN_TRY(add_up(out, layers, m, z, dev ? qn_device_get_info(dev) : NULL, z->streamed_layers_min));
    if (!dev)
        return QN_OK;
    QN_TRY(qn_device_memory(dev, &out->free_bytes, NULL));
    if (out->free_bytes > z->device_bytes)
        out->free_bytes = z->device_bytes;
    stream_layers(out, m, z, z->from_file);
    if (out->streamed_layers && !z->from_file && !host_has_room(out, z))
        stream_layers(out, m, z, true);
    out->context_max = largest_context(layers, m, z, qn_device_get_info(dev), out->free_bytes);
    return QN_OK;
}

qn_status qn__session_plan(qn_session_plan *out, const struct qn_model *m,
                           const struct qn__session_sizes *z, qn_device *dev)
{
    struct qn__cache_layer *layers = qn__alloc(m->config.n_layers, sizeof *layers);
    if (!layers)
        return qn__fail(QN_E_MEMORY, "no memory for %u layers", m->config.n_layers);
    const qn_status s = plan_with(out, layers, m, z, dev);
    free(layers);
    return s;
}

qn_status qn_session_plan_get(qn_session_plan *out, const qn_model *m, qn_device *dev,
                              const qn_session_options *options)
{
    struct qn__session_sizes z;
    memset(out, 0, sizeof *out);
    QN_TRY(qn__session_choose_sizes(&z, m, dev, options));
    return qn__session_plan(out, m, &z, dev);
}

qn_status qn__session_check_fit(const qn_session_plan *p)
{
    enum { MIB = 1 << 20 };
    if (p->fits)
        return QN_OK;
    if (p->context_max)
        return qn__fail(
            QN_E_DEVICE_MEMORY,
            "a context of %u needs %llu MiB and %llu MiB are free: at most %u positions fit",
            p->context, (unsigned long long)((p->peak_bytes + p->reserve_bytes) / MIB),
            (unsigned long long)(p->free_bytes / MIB), p->context_max);
    return qn__fail(QN_E_DEVICE_MEMORY,
                    "the weights need %llu MiB%s and %llu MiB are free: take a smaller format of "
                    "the model or another device",
                    (unsigned long long)((p->weights_bytes + p->reserve_bytes) / MIB),
                    p->streamed_layers ? ", with all layers streamed," : "",
                    (unsigned long long)(p->free_bytes / MIB));
}
