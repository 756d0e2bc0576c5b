/* SPDX-License-Identifier: Apache-2.0
 *
 * quern/module.h: kernels on a device.
 *
 *     qn_module *mod;
 *     const qn_kernel *k;
 *     qn_source src = {.path = "saxpy.cu"};
 *     if (qn_module_build(&mod, dev, &src, NULL, NULL) == QN_OK &&
 *         qn_kernel_find(&k, mod, "saxpy") == QN_OK) ...
 *
 * A module keeps its device alive; a kernel belongs to its module. A module and its kernels may be
 * used by several threads and streams at once.
 */
#ifndef QUERN_MODULE_H
#define QUERN_MODULE_H

#include <quern/compile.h>
#include <quern/device.h>
#include <quern/memory.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct qn_module qn_module;
typedef struct qn_kernel qn_kernel;

/* Compile source for this device (through the cache) and load it. Parameters as qn_compile(), which
 * also lists the errors; further
 * QN_E_MISMATCH  neither a binary nor PTX for this GPU can be made here: the message names the GPU,
 *                the toolkit and the driver, and what would help
 * QN_E_DRIVER    the driver refused the image; log->raw carries its reason */
QN_CHECKED qn_status qn_module_build(qn_module **out, qn_device *dev, const qn_source *src,
                                     const qn_compile_options *options, qn_log *log);

/* One of several modules. The caller fills the first two; qn_module_build_many() the rest. */
typedef struct qn_module_item {
    const qn_source *source;
    const qn_compile_options *options; /* NULL: defaults */
    qn_module *module;                 /* NULL where it failed */
    qn_status status;
    char *message; /* of a failure, else NULL */
    qn_log log;
} qn_module_item;

typedef bool (*qn_module_progress)(uint32_t done, uint32_t total, const qn_module_item *last,
                                   void *payload);

/* Build many modules side by side, for a quick start; as qn_compile_many() in everything else.
 * Loading is the driver's work and goes one by one where drivers are known to mind. */
QN_CHECKED qn_status qn_module_build_many(qn_device *dev, qn_module_item *items, uint32_t n,
                                          uint32_t workers, qn_module_progress progress,
                                          void *payload);
QN_API void qn_module_items_release(qn_module_item *items, uint32_t n); /* closes the modules */

/* Load an image made earlier. The module keeps the image.
 * QN_E_MISMATCH  the image's target does not run on this device, by the rules in docs/design.md
 * QN_E_DRIVER    the driver refused it */
QN_CHECKED qn_status qn_module_load(qn_module **out, qn_device *dev, qn_image *image);

QN_API void
qn_module_close(qn_module *mod); /* NULL is fine; waits for nothing: sync streams first */

/* The image the module was loaded from, with what is known of its kernels. Belongs to the module.
 * qn_module_build() for CUDA lets the bytes of an image from the cache go once the driver has its
 * own copy: info.bytes is NULL then, and the image cannot be loaded or saved again. */
QN_API qn_image *qn_module_get_image(const qn_module *mod);

/* Find a kernel by source spelling ("saxpy<float>", "bump(int *)" where several are called bump;
 * blanks do not matter), or by symbol or plain name where only one kernel has it. Belongs to the
 * module.
 * QN_E_NOT_FOUND  the message lists the names there are */
QN_CHECKED qn_status qn_kernel_find(const qn_kernel **out, qn_module *mod, const char *name);

typedef struct qn_kernel_attributes {
    uint32_t registers; /* per thread; 0 where the driver does not tell */
    uint64_t static_shared_bytes;
    uint64_t local_bytes; /* private memory per thread */
    uint32_t block_threads_max;
    uint32_t
        block_threads_preferred; /* a multiple of the wave, from the driver's occupancy advice */
    uint32_t wave_width;
} qn_kernel_attributes;

/* QN_E_DRIVER */
QN_CHECKED qn_status qn_kernel_get_attributes(qn_kernel_attributes *out, const qn_kernel *kernel);

/* The share of a compute unit's threads that blocks of so many threads, with so much dynamic shared
 * memory, keep busy at once: 0 to 1, 0 where the driver does not tell (all but CUDA). QN_E_DRIVER
 */
QN_CHECKED qn_status qn_kernel_get_occupancy(double *share, const qn_kernel *kernel,
                                             uint32_t block_threads, uint64_t shared_bytes);

/* Name and arguments; args_known is false where neither image nor driver knows them.
 * Belongs to the kernel. */
QN_API const qn_kernel_info *qn_kernel_get_info(const qn_kernel *kernel);

/* Address and size of a __device__ or __constant__ variable, to be read and written with
 * memory.h. Lives as long as the module.
 * QN_E_NOT_FOUND  no such variable, or the compiler removed it because no kernel uses it */
QN_CHECKED qn_status qn_module_find_global(qn_addr *addr, uint64_t *size_bytes, qn_module *mod,
                                           const char *name);

#ifdef __cplusplus
}
#endif
#endif
