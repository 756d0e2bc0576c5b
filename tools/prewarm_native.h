/* SPDX-License-Identifier: Apache-2.0
 *
 * Warming OpenCL drivers that are here: `quern prewarm --target opencl:native`.
 *
 * A launch cannot be stopped, and drivers crash; so each kernel's launches are made in a process of
 * their own (this program again, with --native-step), which is killed when its time is up. */
#ifndef QN_TOOLS_PREWARM_NATIVE_H
#define QN_TOOLS_PREWARM_NATIVE_H

#include "tools/manifest.h"

#include <quern/bundle.h>

/* Inside the process: build the kernel on the device, launch it as the manifest says, write the
 * driver's binary to a file and one line of JSON to stdout. ops: run the shipped kernels of that
 * source instead, on their own test data. Returns the exit status. */
int qn__native_step(const struct qn__manifest_kernel *k, bool ops, const char *device,
                    const char *image_file);

/* Outside: run the program with these words after its name, for at most limit_s seconds, and take
 * what it made. Release *out in every case; status says how it went. */
struct qn__native_result {
    bool good;
    bool verified;                /* qn_image_is_verified(), of the text it was built from */
    char *status, *message, *key; /* never NULL; "" where there is none */
    qn_image *image;
};
void qn__native_run(struct qn__native_result *out, const char *const *words, uint32_t n_words,
                    const char *image_file, uint32_t limit_s);
void qn__native_result_release(struct qn__native_result *r);

#endif
