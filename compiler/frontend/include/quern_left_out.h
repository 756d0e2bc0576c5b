/* SPDX-License-Identifier: Apache-2.0
 *
 * What stands in place of host code that did not parse (compiler/frontend/host_code.c). It is a
 * function of the host: where device code would call it, clang refuses. */
#pragma clang system_header
#ifndef QN_STANDIN_LEFT_OUT
#define QN_STANDIN_LEFT_OUT

__attribute__((host)) bool __qn_left_out();

#endif
