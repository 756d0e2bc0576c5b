#pragma OPENCL FP_CONTRACT ON

/* run, volatile_local.cu:20 */
__kernel void run(__global int *out, __global const int *in, int n)
{
    volatile int n_1;
    n_1 = n;
    int i = get_local_id(0);
    volatile int own;
    own = in[i];
    int value = own;
    own = value + 1;
    int before = own;
    int value_1 = own;
    volatile short narrow;
    narrow = (short)value_1;
    short value_2 = narrow;
    volatile uchar positive;
    positive = value_2 > 20;
    volatile int parts[3];
    for (int k = 0; k < 3; k++)
        parts[k] = before * k;
    int value_3 = n_1;
    volatile int pair;
    pair = value_3;
    int value_4 = n_1;
    n_1 = value_4 + 1;
    /* volatile_local.cu:10-11 */
    int value_5 = own;
    own = value_5 + 1;
    int value_6 = own;
    int value_7 = own;
    /* volatile_local.cu:35 */
    int value_8 = n_1;
    volatile int left;
    left = value_8;
    /* volatile_local.cu:16-17 */
    int value_9 = left;
    left = value_9 - 1;
    int value_10 = left;
    int value_11 = left;
    /* volatile_local.cu:35 */
    char value_12 = positive;
    int value_13;
    if (value_12 != 0)
        value_13 = parts[i % 3];
    else
        value_13 = 7;
    int value_14 = pair;
    out[i] = value_6 + value_7 + (value_10 + value_11) + value_13 + i + value_14;
}

/* flags, volatile_local.cu:38 */
__kernel void flags(__global int *out, __global const int *in, int n)
{
    volatile float far;
    far = 3e+09f;
    volatile int k;
    k = 0;
    int sum = 0;
    for (;;) {
        int value_1 = k;
        if (value_1 >= n)
            break;
        int value_2 = k;
        sum += in[value_2];
        int value_3 = k;
        k = value_3 + 1;
    }
    float value = far;
    out[get_local_id(0)] = sum + (value > 2e+09f);
}
