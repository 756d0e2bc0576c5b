/* SPDX-License-Identifier: Apache-2.0
 *
 * Images that a program hands to cuModuleLoadData(), of a known length. What was taken lies inside
 * the bytes, and a carried program as text is the same one again. */
#include "cudart/loaded_image.h"

#include "cudart/carried_program.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

CUresult qn__driver_fail(CUresult error, const char *format, ...)
{
    (void)format; /* the library prints it */
    return error;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    const qn_device_info device = {.backend = "cuda", .id = "cuda:0"};
    struct qn__loaded_image image, again;
    if (n == 0) /* means that the length is not known */
        return 0;
    unsigned char *const bytes = malloc(n); /* so that a read behind it is seen */
    if (!bytes)
        return 0;
    memcpy(bytes, data, n);
    if (qn__loaded_image_read(&image, bytes, n, &device) == CUDA_SUCCESS) {
        if (!image.fields && (image.bytes != bytes || image.n > n))
            __builtin_trap();
        if (image.fields && !image.owned_bytes) {
            const size_t whole = image.n + QN__PROGRAM_HEAD_BYTES;
            char *const text = qn__loaded_image_text(bytes, whole);
            if (whole > n)
                __builtin_trap();
            if (text &&
                (qn__loaded_image_read(&again, text, strlen(text), &device) != CUDA_SUCCESS ||
                 again.n != image.n || memcmp(again.fields, image.fields, image.n) != 0))
                __builtin_trap();
            if (text)
                qn__loaded_image_release(&again);
            free(text);
        }
        qn__loaded_image_release(&image);
    }
    free(bytes);
    return 0;
}
