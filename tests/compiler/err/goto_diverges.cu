// Irreducible flow with a barrier, taken by some work-items only.
extern "C" __global__ void irr(int *out, int n)
{
    __shared__ int s[32];
    int i = threadIdx.x, k = 0;
    if (n & 1) goto mid;
top:
    k++;
    if (k == i) goto end;
mid:
    s[i] = k;
    __syncthreads();
    k += s[i ^ 1];
    if (k < n) goto top;
end:
    out[i] = k;
}
