/* SPDX-License-Identifier: Apache-2.0
 *
 * The drivers behind the OpenCL loader, and loading some of them without it.
 *
 * The loader loads every driver that the system names, and one that crashes ends the process. Only
 * environment variables make it leave one out, and those belong to the program around us. So where
 * the whole cannot be loaded, each driver is asked for alone, the good ones are loaded here, and
 * calls go through the table that every object of a driver begins with, as the loader does it.
 */
#ifndef QN_RUNTIME_OPENCL_ICD_H
#define QN_RUNTIME_OPENCL_ICD_H

#include "runtime/opencl/opencl_driver.h"

/* Libraries of the drivers that the loader would load, as the system or OCL_ICD_VENDORS,
 * OPENCL_VENDOR_PATH and OCL_ICD_FILENAMES name them; each is followed by a 0 byte. Where `files`
 * is not NULL, it gets the folder and the files that name them. */
void qn__opencl_icds(struct qn__str *libraries, struct qn__str *files);

/* Load those that may be loaded; `why` says why the loader may not.
 * QN_E_NO_DEVICE  nothing is left, or the drivers do not bear one another */
qn_status qn__opencl_load_apart(struct qn__found *found, const char *why);

/* What it loaded: libraries separated by colons; NULL: it loaded nothing. */
const char *qn__opencl_apart(void);

/* A refusal for each library that qn__opencl_load_apart() left out. */
qn_status qn__opencl_report_left_out(struct qn__found *found);

#endif
