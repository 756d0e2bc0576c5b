/* SPDX-License-Identifier: Apache-2.0
 *
 * One kernel on the OpenCL that is already in this process, through plain buffer objects.
 *
 * `quern check` needs it: Oclgrind is an OpenCL 1.2 without shared virtual memory, on which the
 * library's own backend stands, and it puts itself into a program by preloading. */
#ifndef QN_TOOLS_PLAIN_OPENCL_H
#define QN_TOOLS_PLAIN_OPENCL_H

#include <quern/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum qn__plain_kind {
    QN__PLAIN_VALUE,  /* `bytes` by value */
    QN__PLAIN_BUFFER, /* a buffer that starts with `bytes`; without bytes its content is undefined
                       */
    QN__PLAIN_LOCAL,  /* n bytes of local memory */
    QN__PLAIN_NULL,   /* a null pointer */
};

struct qn__plain_arg {
    enum qn__plain_kind kind;
    const void *bytes;
    size_t n;
    void *result; /* of a buffer: where its n bytes go when the kernel has run; NULL: nowhere */
};

/* Is an OpenCL preloaded into this process? */
bool qn__plain_is_here(void);

/* A device as qn_device_info has it. */
struct qn__plain_device {
    const char *name, *driver;
};

/* Build the text, run the kernel once and wait. `device`: NULL for the first one.
 * QN_E_NO_DEVICE  nothing is preloaded, or it has not that device
 * QN_E_COMPILE    the message holds the build log
 * QN_E_DRIVER     any other refusal */
qn_status qn__plain_run(const struct qn__plain_device *device, const char *text,
                        const char *build_options, const char *kernel, const uint32_t grid[3],
                        const uint32_t block[3], const struct qn__plain_arg *args, uint32_t n);

#endif
