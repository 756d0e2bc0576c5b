/* SPDX-License-Identifier: Apache-2.0
 *
 * Asynchronous copies: refused, with the reason. */
#error asynchronous copies have no OpenCL form: copy in a loop, then a barrier
