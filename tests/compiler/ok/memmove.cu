// memmove: ranges that overlap, up and down, with a length known here or there. A length or a value
// that lies in the memory which is written is read before that.
#include <cstring>

struct Message {
    int bytes, words[3];
};

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
    __shared__ Message m[2];
    for (int k = 0; k < 2; k++)
        m[k] = {n * 4, {in[1], in[2], in[3]}};
    memset(&m[0], 0, m[0].bytes);
    memcpy(&m[1], in + 4, m[1].bytes);
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < 3; i++)
            out[25 + 4 * k + i] = m[k].words[i];
    memset(&m[1], m[1].words[0] + 1, 8);
    out[28] = m[1].words[0];
}
// exercises: stmt/memcpy lang/spell_memory
