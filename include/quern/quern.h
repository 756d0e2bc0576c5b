/* SPDX-License-Identifier: Apache-2.0
 *
 * quern/quern.h: everything. Each header is its own manual; start with module.h and stream.h. */
#ifndef QUERN_QUERN_H
#define QUERN_QUERN_H

#include <quern/bundle.h>
#include <quern/cache.h>
#include <quern/compile.h>
#include <quern/device.h>
#include <quern/memory.h>
#include <quern/module.h>
#include <quern/ops.h>
#include <quern/status.h>
#include <quern/stream.h>
#include <quern/texture.h>
#include <quern/translate.h>
#include <quern/tuned.h>

#endif
