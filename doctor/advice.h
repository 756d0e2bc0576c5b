/* SPDX-License-Identifier: Apache-2.0
 *
 * Settings for a model on a device: what fits, and why. */
#ifndef QN_DOCTOR_ADVICE_H
#define QN_DOCTOR_ADVICE_H

#include <jansson.h>

/* In a child. {"model", "device", "settings": [{"option", "value", "reason"}]}, or {"error"}.
 *   device  NULL: the preferred one */
json_t *qn__advice(const char *model, const char *device);

#endif
