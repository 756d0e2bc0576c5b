/* SPDX-License-Identifier: Apache-2.0
 *
 * A driver on trial: `quern-rtc --try-driver BACKEND [LIBRARIES]` does in a process of its own what
 * the library would do to list its devices, and `quern-rtc --try-build DEVICE [LIBRARIES]` what it
 * would do to load an image there. It says in a file how far it has come, so a crash leaves what it
 * was at.
 *
 * The file is a row of wire fields (base/wire.h). Without QN__TRIAL_END the driver ended the
 * process or was too slow. */
#ifndef QN_RTC_JOB_TRIAL_H
#define QN_RTC_JOB_TRIAL_H

#define QN__TRIAL_OF_DRIVER "--try-driver"
#define QN__TRIAL_OF_BUILD  "--try-build"

enum {
    QN__TRIAL_FD = 3,  /* the file */
    QN__TRIAL_PIPE_FD, /* closes when the caller is gone */
    QN__TRIAL_IMAGE_FD /* of a build: a file of wire fields */
};

enum qn__trial_tag {
    QN__TRIAL_STEP = 1, /* text: what begins now, "while it was loaded" */
    QN__TRIAL_FILE,     /* text: a file that the driver is loaded from */
    QN__TRIAL_BROKEN,   /* text: what the driver did that it must not */
    QN__TRIAL_UNABLE,   /* text: why it could not be tried out */
    QN__TRIAL_END,
};

enum qn__trial_image {
    QN__TRIAL_IMAGE_TARGET = 1,
    QN__TRIAL_IMAGE_COMPILER,
    QN__TRIAL_IMAGE_KIND, /* a number */
    QN__TRIAL_IMAGE_REFLECTION,
    QN__TRIAL_IMAGE_BYTES,
};

#endif
