/* SPDX-License-Identifier: Apache-2.0
 *
 * Buffers that a device has for its kernels, whichever module they are in: a module that needs one
 * has a variable of its name, which the runtime does not make but finds. */
#ifndef QN_BASE_DEVICE_BUFFERS_H
#define QN_BASE_DEVICE_BUFFERS_H

#include <stdint.h>

/* What a failed assertion of a kernel leaves for the host (qn_fail in compiler/lang/library.cl). */
#define QN__FAULT_NAME "qn_fault"
struct qn__fault {
    uint32_t is_set, line;
    char file[124], text[124]; /* text: "" for a trap */
};

/* The memory of a kernel's malloc() (qn_malloc in library.cl): units of 16 bytes, of which a bit
 * each says whether it is taken. These are its first words, then come the bits, a multiple of 16
 * bytes, then the units. */
#define QN__HEAP_NAME "qn_heap"
struct qn__heap {
    uint32_t n_units; /* a multiple of QN__HEAP_UNITS */
    uint32_t n_taken;
    uint32_t next; /* where the next search begins, modulo n_units */
    uint32_t unused;
};
enum { QN__HEAP_UNIT = 16, QN__HEAP_UNITS = 128 }; /* bytes; units */

#endif
