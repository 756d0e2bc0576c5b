/* SPDX-License-Identifier: Apache-2.0
 *
 * A library to load in front of the program's own (LD_PRELOAD): its kernels are not launched.
 * scripts/programs.py runs a program with it whose check has passed. */
int hipLaunchKernel(void);
int cudaLaunchKernel(void);
int cudaLaunchCooperativeKernel(void);

int hipLaunchKernel(void)
{
    return 0;
}

int cudaLaunchKernel(void)
{
    return 0;
}

int cudaLaunchCooperativeKernel(void)
{
    return 0;
}
