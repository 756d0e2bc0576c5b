// while, do, break, continue, switch with a fall-through, nested loops, early return.
extern "C" __global__ void run(int *out, const int *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int v = in[i], steps = 0;
    while (v != 1 && steps < 40) {
        if (v % 2 == 0)
            v /= 2;
        else
            v = 3 * v + 1;
        steps++;
    }
    int found = -1;
    for (int a = 1; a < 12 && found < 0; a++) {
        for (int b = a; b < 12; b++) {
            if ((a ^ b) == 5)
                continue;
            if (a * b == (in[i] & 63)) {
                found = a * 100 + b;
                break;
            }
        }
    }
    int k = in[i] & 7, sum = 0;
    do {
        sum += k * k;
    } while (k-- > 2);
    switch (in[i] % 5) {
    case 0: sum += 1;
    case 1: sum += 10; break;
    case 2: sum = -sum;
    case 3:
        if (sum < 0)
            break;
        sum += 100;
    default: sum += 1000;
    }
    if (sum == 1000) {
        out[i] = -1;
        return;
    }
    out[i] = steps * 1000000 + found * 100 + sum;
}
// exercises: stmt/structure stmt/simplify stmt/recover_loops
