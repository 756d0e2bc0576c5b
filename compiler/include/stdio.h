/* SPDX-License-Identifier: Apache-2.0
 *
 * A program that includes <stdio.h> is a program for nvcc, not a source for NVRTC: the real header,
 * and what nvcc would have included by itself. <cstdio>, <string> and <iostream> come through here.
 */
#pragma clang system_header
#include <quern_host.h>
#include_next <stdio.h>
