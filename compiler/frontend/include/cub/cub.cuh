/* SPDX-License-Identifier: Apache-2.0
 *
 * CUB: refused, with the reason. */
#error CUB is not translated: use warp operations, or a library of the target
