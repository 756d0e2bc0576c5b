/* SPDX-License-Identifier: Apache-2.0
 *
 * cuSPARSE. */
#pragma clang system_header
#include <cusparse.h>
