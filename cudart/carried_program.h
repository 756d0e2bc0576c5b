/* SPDX-License-Identifier: Apache-2.0
 *
 * What `quern cc` puts into a program for each translation unit, where nvcc puts a fat binary, and
 * the runtime library reads: PROGRAM_MAGIC, the number of bytes that follow (8 bytes,
 * little-endian), then fields (base/wire.h). */
#ifndef QN_CUDART_PROGRAM_H
#define QN_CUDART_PROGRAM_H

#define QN__PROGRAM_MAGIC "QUERNCC1"
enum { QN__PROGRAM_MAGIC_BYTES = 8, QN__PROGRAM_HEAD_BYTES = 16 };

enum qn__program_field {
    QN__PROGRAM_NAME = 1, /* the source file, for messages */
    QN__PROGRAM_FLAGS,    /* enum qn__program_flag */
    QN__PROGRAM_SOURCE,   /* of qn_source_pack() */
    QN__PROGRAM_IMAGE,    /* of qn_image_save(), for a target; any number */
    QN__PROGRAM_KERNEL,   /* a name that NVRTC's calls asked for; any number */
};

enum qn__program_flag {
    QN__PROGRAM_RELOCATABLE = 1, /* -rdc=true: one program with all others that have it */
};

#endif
