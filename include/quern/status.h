/* SPDX-License-Identifier: Apache-2.0
 *
 * quern/status.h: how every Quern function reports what happened.
 *
 * A function that can fail returns qn_status; zero (QN_OK) is success. Its results go through out
 * parameters, which come first and hold NULL or zero after a failure. The reason of the last
 * failure, one line with the value and the thing, is kept per thread: qn_message().
 *
 *     qn_device *dev;
 *     if (qn_device_open(&dev, NULL) != QN_OK)
 *         fprintf(stderr, "no device: %s\n", qn_message());
 *
 * No function of Quern exits, aborts (in a release build) or prints.
 */
#ifndef QUERN_STATUS_H
#define QUERN_STATUS_H

#if defined(__GNUC__)
#define QN_API     __attribute__((visibility("default")))
#define QN_CHECKED __attribute__((warn_unused_result)) QN_API
#else
#define QN_API
#define QN_CHECKED
#endif

/* Every status: name, pinned value, text. The gaps are for siblings that do not exist yet. */
#define QN_STATUS_LIST(X)                                                                          \
    X(QN_OK, 0, "success")                                                                         \
    X(QN_E_INVALID, 10, "invalid argument")                                                        \
    X(QN_E_LIMIT, 11, "exceeds a limit of the device")                                             \
    X(QN_E_NOT_FOUND, 12, "not found")                                                             \
    X(QN_E_UNSUPPORTED, 13, "not supported")                                                       \
    X(QN_E_NOT_READY, 14, "not finished yet")                                                      \
    X(QN_E_TIMEOUT, 15, "not finished in the time given")                                          \
    X(QN_E_MEMORY, 20, "out of host memory")                                                       \
    X(QN_E_DEVICE_MEMORY, 21, "out of device memory")                                              \
    X(QN_E_IO, 30, "file or system call error")                                                    \
    X(QN_E_CORRUPT, 31, "damaged or foreign data")                                                 \
    X(QN_E_NO_DEVICE, 40, "no usable device or driver")                                            \
    X(QN_E_DRIVER, 41, "driver error")                                                             \
    X(QN_E_FAULT, 42, "a kernel faulted")                                                          \
    X(QN_E_MISMATCH, 43, "the image does not run on this device")                                  \
    X(QN_E_COMPILE, 50, "the source does not compile")                                             \
    X(QN_E_COMPILER, 51, "the compiler crashed, hung or is missing")                               \
    X(QN_E_CACHE_MISS, 60, "not in the cache")

typedef enum qn_status {
#define QN_STATUS_ENUM(name, value, text) name = value,
    QN_STATUS_LIST(QN_STATUS_ENUM)
#undef QN_STATUS_ENUM
} qn_status;

#ifdef __cplusplus
extern "C" {
#endif

/* The status's name ("QN_E_LIMIT") and its text; static strings, never NULL ("unknown status"). */
QN_API const char *qn_status_name(qn_status s);
QN_API const char *qn_status_text(qn_status s);

/* The reason of this thread's last failure: one line, lower case, no newline.
 * Meaningful only right after a Quern function returned something else than QN_OK on this thread.
 * Never NULL; owned by the library, valid until the thread's next failure. */
QN_API const char *qn_message(void);

/* The driver's or operating system's own code of the last failure (CUresult, hipError_t, OpenCL
 * error, errno); 0 where there was none. Same life as qn_message(). */
QN_API int qn_message_code(void);

/* Version of the library as "major.minor.patch"; static string. */
QN_API const char *qn_version(void);

#ifdef __cplusplus
}
#endif
#endif
