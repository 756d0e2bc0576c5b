/* SPDX-License-Identifier: Apache-2.0
 *
 * Which driver each device had when it last ran a model, so that a change can be told of: a new
 * driver's compiler may make mistakes that the old one did not. */
#ifndef QN_TOOLS_DRIVER_NOTE_H
#define QN_TOOLS_DRIVER_NOTE_H

#include <quern/device.h>

/* Say so on stderr, with the command that checks every kernel, when the device's driver is another
 * than noted in quern/drivers below $XDG_STATE_HOME or ~/.local/state; then note this one. Says
 * nothing of cpu:0, whose driver is the system's kernel, and nothing where no file can be kept. */
void qn__driver_note(const qn_device_info *device);

#endif
