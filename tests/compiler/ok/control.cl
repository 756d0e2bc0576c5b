#pragma OPENCL FP_CONTRACT ON

/* run, control.cu:2 */
__kernel void run(__global int *out, __global const int *in, int n)
{
    int i = (uint)get_group_id(0) * (uint)get_local_size(0) + (uint)get_local_id(0);
    if (i >= n)
        return;
    int v = in[i];
    int steps = 0;
    int found;
    int a;
    {
        for (;;) {
            if (v != 1 && steps < 40) {
                if (v % 2 == 0)
                    v = v / 2;
                else
                    v = 3 * v + 1;
                steps++;
            } else {
                found = -1;
                a = 1;
                break;
            }
        }
    }
    for (; a < 12 && found < 0; a++) {
        int b = a;
        for (;;) {
            if (b >= 12)
                goto label1;
            if ((a ^ b) != 5) {
                if (a * b == (in[i] & 63)) {
                    found = a * 100 + b;
                    goto label1;
                }
            }
            b++;
        }
        label1:;
    }
    int k = in[i] & 7;
    int sum = 0;
    {
        for (;;) {
            sum += k * k;
            int k_1 = k - 1;
            if (k <= 2)
                break;
            k = k_1;
        }
    }
    {
        {
            {
                switch (in[i] % 5) {
                case 0:
                    sum++;
                    break;
                case 1:
                    break;
                case 2:
                    sum = 0 - sum;
                    goto label2;
                case 3:
                    goto label2;
                default:
                    goto label3;
                }
                sum += 10;
                goto label4;
            }
            label2:;
            if (sum < 0)
                goto label4;
            sum += 100;
        }
        label3:;
        sum += 1000;
    }
    label4:;
    if (sum == 1000)
        out[i] = -1;
    else
        out[i] = steps * 1000000 + found * 100 + sum;
}
