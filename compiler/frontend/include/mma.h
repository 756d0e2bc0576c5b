/* SPDX-License-Identifier: Apache-2.0
 *
 * Tensor-core fragments: refused, with the reason. */
#error tensor cores have no OpenCL form: take the path of the kernel without them
