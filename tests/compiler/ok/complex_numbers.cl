#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT ON

struct thrust_complex {
    float re_;
    float im_;
} __attribute__((aligned(8)));

struct thrust_complex_0 {
    double re_;
    double im_;
} __attribute__((aligned(16)));

/* products, complex_numbers.cu:5 */
__kernel void products(__global struct thrust_complex *z, float s)
{
    float2 a = *(__global float2 *)&z[get_local_id(0)];
    float a_1 = a.x;
    float a_2 = a.y;
    float t = a_1 * a_1 - a_2 * a_2;
    float t_1 = a_1 * a_2;
    float t_2 = t_1 + t_1;
    float scale = fabs(2.0f) + fabs(1.0f);
    float ar = t / scale;
    float ai = t_2 / scale;
    float br = 2.0f / scale;
    float bi = 1.0f / scale;
    float n = br * br + bi * bi;
    *(__global float2 *)&z[get_local_id(0)] = (float2)((ar * br + ai * bi) / n + t * s - 1.0f, (ai
        * br - ar * bi) / n + -t_2 * s);
}

/* functions, complex_numbers.cu:13 */
__kernel void functions(__global struct thrust_complex_0 *z)
{
    double2 t;
    do {
        double2 a = *(__global double2 *)&z[get_local_id(0)];
        double a_1 = a.x;
        if (a_1 == z->re_) {
            double a_3 = a.y;
            if (a_3 == z->im_) {
                double result_1 = sqrt(hypot(a_1, a_3));
                double t_2 = atan2(a_3, a_1) / 2.0;
                t = (double2)(result_1 * cos(t_2), result_1 * sin(t_2));
                break;
            }
        }
        double a_2 = a.y;
        double result = hypot(a_1, a_2);
        double t_1 = a_1 * a_1 + a_2 * a_2;
        t = (double2)(result * cos(t_1), result * sin(t_1));
    } while (false);
    *(__global double2 *)&z[get_local_id(0)] = t;
}
