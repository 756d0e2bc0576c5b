/* SPDX-License-Identifier: Apache-2.0
 *
 * Assertions; no guard, NDEBUG may change. Host code must parse, no more. */
#pragma clang system_header
#undef assert
extern "C" __attribute__((noreturn)) void __assert_fail(const char *, const char *, unsigned int,
                                                        const char *);
#ifdef NDEBUG
#define assert(e) ((void)0)
#else
#define assert(e) ((e) ? (void)0 : __assert_fail(#e, __FILE__, __LINE__, __PRETTY_FUNCTION__))
#endif
