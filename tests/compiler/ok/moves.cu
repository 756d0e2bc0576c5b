// memmove: ranges that overlap, up and down, with a length known here or there.
extern "C" __global__ void run(int *out, const int *in, int n)
{
    int a[24];
    for (int k = 0; k < 24; k++)
        a[k] = in[k];
    __builtin_memmove(a + 1, a, 10 * sizeof(int));
    __builtin_memmove(a + 12, a + 14, n * sizeof(int));
    for (int k = 0; k < 24; k++)
        out[k] = a[k];
    __builtin_memmove(out + n, out, 12 * sizeof(int));
    __shared__ int s[24];
    __builtin_memmove(s, out, sizeof s);
    out[24] = s[n] + s[23];
}
