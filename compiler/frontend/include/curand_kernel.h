/* SPDX-License-Identifier: Apache-2.0
 *
 * Random numbers in kernels: refused, with the reason. */
#error cuRAND in kernels is not translated: read random numbers from a buffer
