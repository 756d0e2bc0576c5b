/* SPDX-License-Identifier: Apache-2.0
 *
 * Floating-point environment. Host code must parse, no more. */
#pragma clang system_header
#ifndef QN_STD_FENV_H
#define QN_STD_FENV_H

#define FE_TONEAREST  0
#define FE_DOWNWARD   0x400
#define FE_UPWARD     0x800
#define FE_TOWARDZERO 0xc00
extern "C" {
int fesetround(int);
int fegetround(void);
}

#endif
