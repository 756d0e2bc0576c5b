#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT ON

__constant uchar v_table0[2] = {97, 0};

__constant uchar v_table1[2] = {98, 0};

/* k, printf_width.cu:5 */
__kernel void k(__global const int *in)
{
    printf("100%%* of %5d|%-10d\n", *in, in[1]);
    printf("%-5d, %.2f %s%8f\n", *in, (float)in[1], in[2] != 0 ? v_table0 : v_table1, 1.5);
}
