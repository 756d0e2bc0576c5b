/* SPDX-License-Identifier: Apache-2.0
 *
 * The program is linked from these sources: its kernels call functions of the others. */
#include "ff_p.cu"
#include "rescue_prime.cu"
#include "merkle_tree.cu"
