// Arrays that are cleared or copied as memory: by their elements where they are numbers. The loops'
// counters hide no name of the source.
#include <cstring>

struct Row {
    float4 v[2];
    double d[3];
};

extern "C" __global__ void clears(float *out, const float *in, int n, int m)
{
    for (int k = 0; k < n; k++) {
        float part[5];
        for (int i = 0; i < 5; i++)
            part[i] = in[k * (m + i) % 7];
        part[m % 5] += 1;
        memcpy(&out[k * 5], part, sizeof part);
    }
    float sums[8][8] = {};
    for (int at = 0; at < n; at++)
        sums[in[at] > 0][m & 7] += in[at];
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++)
            out[100 + i * 8 + j] = sums[i][j];
    float4 q[4] = {};
    q[m & 3].x = 1;
    Row r[2] = {};
    r[m & 1].v[m >> 1].y = 2;
    out[200] = q[n & 3].w + r[0].v[1].y + r[1].d[m];
}
// exercises: stmt/memcpy lang/spell_memory
