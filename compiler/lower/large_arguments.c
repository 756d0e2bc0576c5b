/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels that take more bytes of arguments than the profile promises (OpenCL: 1024, CUDA: 4 KiB
 * and more): structs passed by value, the largest first, move into buffers until the rest fits.
 *
 *     void k(float *out, struct table t)   ->   void k(__global float *out,
 *                                                      __global const struct table *restrict t)
 *
 * The buffer is the same for all work-items, so a struct that is written to is copied first.
 * Arguments keep their order. The reflection says for which ones the text takes an address, and the
 * runtime makes the copy there at each launch. The bytes are counted with padding and with room for
 * the hidden arguments, whose number is only known when the kernel is printed. */
#include "compiler/core/diagnose.h"
#include "compiler/model/copy_parameter.h"
#include "compiler/passes.h"

#include "compiler/model/address_space.h"

#include <string.h>

enum { POINTER_BYTES = 8, CUDA_BYTES_MAX = 32764 };

static unsigned attribute_kind(const char *name)
{
    return LLVMGetEnumAttributeKindForName(name, strlen(name));
}

/* At most: each variable of the module, and dynamic shared memory. */
static uint64_t hidden_bytes(struct qn__unit *u)
{
    uint64_t n = 1;
    for (LLVMValueRef g = LLVMGetFirstGlobal(u->module); g; g = LLVMGetNextGlobal(g))
        n += LLVMGetFirstUse(g) != NULL;
    return n * POINTER_BYTES;
}

static uint64_t block_bytes(struct qn__unit *u, LLVMValueRef f)
{
    uint64_t bytes = 0;
    for (unsigned i = 0; i < LLVMCountParams(f); i++) {
        const LLVMTypeRef by_value = qn__byval_type(u, f, i);
        const LLVMTypeRef t = by_value ? by_value : LLVMTypeOf(LLVMGetParam(f, i));
        const uint64_t align = LLVMABIAlignmentOfType(u->layout, t);
        bytes = (bytes + align - 1) / align * align + LLVMABISizeOfType(u->layout, t);
    }
    return bytes;
}

/* The parameter whose struct is largest, or how many parameters there are. */
static unsigned largest(struct qn__unit *u, LLVMValueRef f)
{
    const unsigned n = LLVMCountParams(f);
    unsigned found = n;
    uint64_t most = POINTER_BYTES;
    for (unsigned i = 0; i < n; i++) {
        const LLVMTypeRef t = qn__byval_type(u, f, i);
        const uint64_t bytes = t ? LLVMABISizeOfType(u->layout, t) : 0;
        if (bytes > most) {
            most = bytes;
            found = i;
        }
    }
    return found;
}

static void move(struct qn__unit *u, LLVMValueRef f, unsigned i)
{
    const LLVMValueRef parameter = LLVMGetParam(f, i);
    qn__copy_written_parameter(u, f, i);
    qn__map_put(u, &u->in_buffers, parameter, qn__byval_type(u, f, i));
    LLVMRemoveEnumAttributeAtIndex(f, i + 1, attribute_kind("byval"));
    LLVMAddAttributeAtIndex(f, i + 1,
                            LLVMCreateEnumAttribute(u->context, attribute_kind("noalias"), 0));
}

static void fit(struct qn__unit *u, LLVMValueRef f)
{
    const uint64_t bytes = block_bytes(u, f), hidden = hidden_bytes(u);
    u->current_function = f;
    if (bytes > CUDA_BYTES_MAX)
        qn__refuse(u, NULL,
                   "%llu bytes of arguments: CUDA takes at most %d; pass a pointer to them",
                   (unsigned long long)bytes, CUDA_BYTES_MAX);
    for (;;) {
        const unsigned i = largest(u, f);
        if (block_bytes(u, f) + hidden <= u->profile->argument_bytes || i == LLVMCountParams(f))
            return;
        size_t n;
        qn__explain(u, NULL,
                    qn__text(u,
                             "argument %s is passed in a buffer: the kernel has %llu bytes of "
                             "arguments, and the profile promises room for %u",
                             LLVMGetValueName2(LLVMGetParam(f, i), &n), (unsigned long long)bytes,
                             u->profile->argument_bytes));
        move(u, f, i);
    }
}

qn_status qn__large_arguments(struct qn__unit *u)
{
    for (uint32_t i = 0; i < u->n_kernels; i++)
        fit(u, u->kernels[i].function);
    return QN_OK;
}
