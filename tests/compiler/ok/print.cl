#pragma OPENCL FP_CONTRACT ON

/* run, print.cu:2 */
__kernel void run(__global int *out, __global const int *in, int n)
{
    int i = get_group_id(0) * get_local_size(0) + get_local_id(0);
    if (i == 3) {
        int value = in[i];
        printf("%s: %d of %ld, %5.2f%%\n", "third", value, (long)n, (float)value * 0.5f);
    }
    out[i] = in[i] + n;
}

/* strings, print.cu:11 */
__kernel void strings(__global int *out, int n)
{
    printf("%s %s|%s\n", "50% zinc, 3%t", "what?\?(", "");
    printf("%lu of %d\n", 4l, n);
    *out = 2;
    printf("nothing\n");
    out[1] = 0;
}
