// Values that trade places every turn: copies that happen at once.
extern "C" __global__ void run(int *out, const int *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int a = in[i], b = in[(i + 1) % n], c = 1;
    for (int k = 0; k < (in[i] & 15); k++) {
        int t = a;
        a = b;
        b = c;
        c = t + k;
    }
    out[i] = a * 10000 + b * 100 + c;
}
// exercises: model/coalesce stmt/block_statements
