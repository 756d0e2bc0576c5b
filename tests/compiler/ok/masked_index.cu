// Indices that are cut to their low bits: what LLVM 15 takes for a stride, and what it does not.
extern "C" __global__ void gather(int *out, const int *in, int n)
{
    const int i = threadIdx.x;
    const int even = in[(i * 2) & 31], lane = in[i & 31], far = in[(i * 29) & 31];
    const int odd = (i * 3) & 31;
    out[i] = in[odd] + in[odd + 32] * even + in[(unsigned char)(i * 5) / 5] + in[i * 6 % 32] + lane + far;
}

extern "C" __global__ void loop(int *out, const int *in, int n)
{
    unsigned char at = 0;
    int sum = 0, kept = 0;
    for (int k = 0; k < n; k++, at += 3) {
        sum += in[(k * 3) & 31] + in[(unsigned)(threadIdx.x * k) % 64] + in[at & 63];
        kept = (kept & 31) + 5;
        out[64 + k] = kept;
    }
    out[threadIdx.x] = sum;
}
// exercises: quirks/quirk_masked_index
