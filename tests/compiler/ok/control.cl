#pragma OPENCL FP_CONTRACT ON

/* run, control.cu:2 */
__kernel void run(__global int *out, __global const int *in, int n)
{
    int i = get_group_id(0) * get_local_size(0) + get_local_id(0);
    if (i >= n)
        return;
    int v = in[i];
    int steps;
    for (steps = 0; v != 1 && steps < 40; steps++) {
        if (v % 2 == 0)
            v /= 2;
        else
            v = 3 * v + 1;
    }
    int found = -1;
    for (int a = 1; a < 12 && found < 0; a++) {
        for (int b = a; b < 12; b++) {
            if ((a ^ b) != 5) {
                if (a * b == (in[i] & 63)) {
                    found = a * 100 + b;
                    break;
                }
            }
        }
    }
    int k = in[i] & 7;
    int sum = 0;
    for (;;) {
        sum += k * k;
        if (k <= 2)
            break;
        k--;
    }
    switch (in[i] % 5) {
    case 0:
        sum++;
    case 1:
        sum += 10;
        break;
    case 2:
        sum = -sum;
    case 3:
        if (sum < 0)
            break;
        sum += 100;
    default:
        sum += 1000;
    }
    if (sum == 1000)
        out[i] = -1;
    else
        out[i] = steps * 1000000 + found * 100 + sum;
}
