#pragma OPENCL FP_CONTRACT ON

/* shown, mixed_calls.cu:2 */
__kernel void shown(__global const int *in, int n)
{
    int own[4];
    own[0] = n;
    own[1] = 1;
    own[2] = 2;
    own[3] = 3;
    if (n > 3)
        printf("%p %p %p %p %p %p %p %p %p %p %p %p %p %p %p %p %p %p\n", in, in, in, in, in, in,
            in, in, in, in, in, in, in, in, in, in, in, in + n);
    else
        printf("%p %p %p %p %p %p %p %p %p %p %p %p %p %p %p %p %p %p\n", own, own, own, own, own,
            own, own, own, own, own, own, own, own, own, own, own, own, own + n);
}

/* two, mixed_calls.cu:10 */
__kernel void two(__global const int *in, int n)
{
    int own[4];
    own[0] = n;
    own[1] = 1;
    own[2] = 2;
    own[3] = 3;
    bool t = (n & 1) == 0;
    if (n > 3) {
        if (t)
            printf("%p %p %p %p\n", in, in, in, in);
        else
            printf("%p %p %p %p\n", in, own, in, own);
    } else if (t)
        printf("%p %p %p %p\n", own, in, own, in);
    else
        printf("%p %p %p %p\n", own, own, own, own);
}
