/* SPDX-License-Identifier: Apache-2.0
 *
 * Jobs and results as bytes, and frames of bytes over a socket.
 *
 * A frame is an 8-byte head (u32 magic, u32 length) and that many bytes of fields (base/wire.h).
 * One frame with a job goes to the helper, one with its result comes back, which says which job it
 * answers; then the next job. The
 * two programs are always of one build, so there is no version negotiation: the magic carries the
 * version, and another one is refused.
 */
#ifndef QN_RTC_JOB_PROTOCOL_H
#define QN_RTC_JOB_PROTOCOL_H

#include "base/str.h"
#include "rtc/job/job.h"

enum {
    QN__FRAME_MAGIC = 0x324a4e51, /* "QNJ2" */
    QN__FRAME_HEAD_BYTES = 8,
    QN__FRAME_LIMIT_BYTES = 512 << 20,
    QN__HELPER_FD = 3,      /* where the helper finds its socket */
    QN__HELPER_WORK_FD = 4, /* and the lock of its folder for temporary files, which this names: */
};
#define QN__WORK_VARIABLE "QUERN_WORK"

void qn__job_encode(struct qn__str *w, const struct qn__job *job);
void qn__job_result_encode(struct qn__str *w, const struct qn__job_result *r);

/* Everything in *out lives in the arena, or points into `bytes`.
 * QN_E_CORRUPT  damaged, or a value that is none of ours */
qn_status qn__job_decode(struct qn__job *out, struct qn__arena *arena, const void *bytes, size_t n);
qn_status qn__job_result_decode(struct qn__job_result *out, struct qn__arena *arena,
                                const void *bytes, size_t n);

/* Put the head in front: begin before the fields, end after them. */
void qn__frame_begin(struct qn__str *w);
void qn__frame_end(struct qn__str *w);
/* Length of the fields that follow the head. QN_E_CORRUPT */
qn_status qn__frame_length(size_t *n, const unsigned char head[QN__FRAME_HEAD_BYTES]);

/* Whole frame, blocking, for the helper's side. *bytes is malloc'd.
 * QN_E_NOT_FOUND  the other side closed the socket between two frames */
qn_status qn__frame_read(char **bytes, size_t *n, int fd);
qn_status qn__frame_write(int fd, const struct qn__str *frame);

#endif
