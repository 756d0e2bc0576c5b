#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT ON

/* spmv<int, float>, spmv.cu:3 */
__kernel void spmv_int_float(__global float *restrict y, __global const int *restrict row_begin,
                             __global const int *restrict column,
                             __global const float *restrict value,
                             __global const float *restrict x, int rows)
{
    for (int row = get_group_id(0) * get_local_size(0) + get_local_id(0); row < rows; row
        += get_num_groups(0) * get_local_size(0)) {
        int end = row_begin[row + 1];
        float dot_ = 0.0f;
        for (int k = row_begin[row]; k < end; k++)
            dot_ += value[k] * x[column[k]];
        y[row] = dot_;
    }
}

/* spmv<long long, double>, spmv.cu:3 */
__kernel void spmv_long_long_double(__global double *restrict y,
                                    __global const long *restrict row_begin,
                                    __global const long *restrict column,
                                    __global const double *restrict value,
                                    __global const double *restrict x, long rows)
{
    for (long row = (uint)(get_group_id(0) * get_local_size(0) + get_local_id(0)); row < rows; row
        += (uint)(get_num_groups(0) * get_local_size(0))) {
        long end = row_begin[row + 1];
        double dot_ = 0.0;
        for (long k = row_begin[row]; k < end; k++)
            dot_ += value[k] * x[column[k]];
        y[row] = dot_;
    }
}
