/* SPDX-License-Identifier: Apache-2.0
 *
 * Builds by a driver that ended their process. A mark lies in the cache's folder while an OpenCL
 * driver builds something for the first time, and one whose process is gone says that it never came
 * back. */
#ifndef QN_RTC_BUILD_MARK_H
#define QN_RTC_BUILD_MARK_H

#include "rtc/key/request.h"
#include "runtime/backend.h"

struct qn__build_mark {
    char name[80]; /* below the cache's folder */
    int lock;      /* -1: there is no mark */
};

/* Before a build of the image on the device; key: of what is built there (qn__key_binary()).
 * QN_E_DRIVER  it ended a process: how, and how to try it again */
qn_status qn__build_begin(struct qn__build_mark *mark, const struct qn__key *key,
                          const struct qn__request *r, const qn_device *dev, const qn_image *image);

/* It came back, whatever with. */
void qn__build_end(struct qn__build_mark *mark);

#endif
