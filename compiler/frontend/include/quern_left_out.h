/* SPDX-License-Identifier: Apache-2.0
 *
 * What stands in place of code that did not parse (compiler/frontend/host_code.c). The first is a
 * function of the host: where device code would call it, clang refuses. The second is the body of a
 * device function: the kernels that call it are refused. */
#pragma clang system_header
#ifndef QN_STANDIN_LEFT_OUT
#define QN_STANDIN_LEFT_OUT

__attribute__((host)) bool __qn_left_out();
extern "C" __attribute__((host, device, noreturn)) void __qn_device_left_out(unsigned error);

#endif
