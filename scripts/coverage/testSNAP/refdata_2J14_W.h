/* SPDX-License-Identifier: Apache-2.0
 *
 * The reference data is an archive of its own, outside the repository. Host code reads these. */
static struct {
    int ninside, ncoeff, nlocal, nghost, ntotal, twojmax;
    double rcutfac, coeff[31], rij[9], fj[9];
    int jlist[9];
} refdata;
