#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT ON

struct word {
    float f0;
};

struct anon {
    double d[3];
};

struct cell {
    struct anon u;
};

struct entry {
    int key;
    char tag;
};

struct anon_5 {
    char c;
    int i;
};

struct either {
    struct anon_5 a;
};

struct weight_first {
    float weight;
    int count;
};

struct count_first {
    int count;
    float weight;
};

struct both_views {
    ulong floats;
    ulong ints;
};

typedef int __attribute__((may_alias)) qn_alias_int;
typedef short __attribute__((may_alias)) qn_alias_short;
typedef float __attribute__((may_alias)) qn_alias_float;
typedef struct weight_first __attribute__((may_alias)) qn_alias_weight_first;
typedef struct count_first __attribute__((may_alias)) qn_alias_count_first;

/* run, punning.cu:23 */
__kernel void run(__global float *out, __global const float *in, int n)
{
    __local struct word shared[32];

    int t = get_local_id(0);
    int at = t * n;
    float a[4];
    for (int i = 0; i < 4; i++)
        a[i] = in[(t + i) % 8];
    uint u = *(qn_alias_int *)&a[n];
    a[n] = 2.5f;
    uint u_1 = *(qn_alias_int *)&a[n];
    float sum = (float)(u_1 - u);
    for (int i = 0; i < n; i++)
        ((qn_alias_int *)a)[i] ^= INT_MIN;
    for (int i = 0; i < 4; i++)
        sum += a[i];
    shared[t].f0 = sum;
    *(__local qn_alias_int *)&shared[at / 2] ^= INT_MIN;
    float sum_1 = sum - shared[t].f0;
    out[at] = sum_1;
    int t_1 = at + 1;
    out[t_1] = 1.0f;
    int t_2 = at + n - 1;
    ((__global qn_alias_short *)&out[t_2])[1] =
        (short)((ushort)((__global qn_alias_short *)&out[t_2])[1] ^ 255);
    out[at] += out[t_1];
}

/* wholes, punning.cu:53 */
__kernel void wholes(__global float *out, __global const float *in, int n)
{
    int t = get_local_id(0);
    int k = t % 6;
    struct cell a[4];
    struct cell c[4];
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 6; j++)
            (*(qn_alias_float (*)[6])&a[i])[j] = in[(i + j) % 8] + (float)t;
        c[i] = a[i];
        (*(qn_alias_float (*)[6])&a[i])[k] = 0.0f;
    }
    int t_1 = t & 3;
    c[n & 3] = a[t_1];
    (*(qn_alias_float (*)[6])&a[n])[k] = 9.0f;
    c[t_1] = a[n];
    (*(qn_alias_float (*)[6])&a[n])[k] = 5.0f;
    float sum = 0.0f;
    for (int i = 0; i < 4; i++)
        sum = sum * 3.0f + (*(qn_alias_float (*)[6])&c[i])[k] + (*(qn_alias_float (*)[6])&a[i])[n];
    out[t] = sum;
    out[16 + t] = (*(qn_alias_float (*)[6])&c[t_1])[k];
}

/* sorts, punning.cu:88 */
__kernel void sorts(__global int *out, __global const int *in, int n)
{
    int t = get_local_id(0);
    struct entry list[3];
    list[0].key = 3;
    list[0].tag = 97;
    list[1].key = t;
    list[1].tag = 98;
    list[2].key = 1;
    list[2].tag = 99;
    for (int i = 1; i < 3; i++) {
        int x = list[i].key;
        int x_1 = *(qn_alias_int *)&list[i].tag;
        int j;
        for (j = i - 1; j >= 0; j--) {
            if ((int)((uint)x * n) <= (int)((uint)list[j].key * n))
                break;
            list[j + 1] = list[j];
        }
        int t_1 = j + 1;
        list[t_1].key = x;
        *(qn_alias_int *)&list[t_1].tag = x_1;
    }
    struct either u[4];
    for (int i = 0; i < 4; i++) {
        *(qn_alias_int *)&u[i] = in[i];
        (*(qn_alias_int (*)[2])&u[i])[1] = in[i + 1];
    }
    struct either v[4];
    for (int i = 0; i < 4; i++) {
        for (uint qn_k = 0; qn_k < 8; qn_k++)
            ((uchar *)&v[i])[qn_k] = ((const uchar *)&u[(i + n) & 3])[qn_k];
    }
    out[t] = list[0].key * 100 + list[0].tag + list[2].tag;
    out[16 + t] = *(qn_alias_int *)&v[t & 3] + (*(qn_alias_int (*)[2])&v[n])[1] * 3;
}

/* passed, punning.cu:120 */
__kernel void passed(__global float *out, __global qn_alias_int *bits,
                     __global qn_alias_weight_first *pairs, __global qn_alias_count_first *turned,
                     int n)
{
    int t = get_local_id(0);
    float t_1 = (float)n * 0.5f;
    out[t] = t_1;
    bits[t] = 1120403456;
    float before = t_1 + out[t];
    int t_2 = 8 + t % 4;
    __global float *w = (__global float *)(pairs + t_2);
    *w = before;
    int old = turned[t_2].count;
    *w = 4.0f;
    out[24 + t % 8] = before + (float)(old % 1000) + (float)(turned[t_2].count % 1000);
}

/* kept, punning.cu:140 */
__kernel void kept(__global float *out, __global const float *in, int n)
{
    __local float tile[32];

    int t = get_local_id(0);
    struct both_views views[2];
    views[0].floats = (ulong)tile;
    views[0].ints = (ulong)tile;
    views[1].floats = (ulong)(tile + 16);
    views[1].ints = (ulong)(tile + 16);
    float own[4];
    for (int i = 0; i < 4; i++)
        own[i] = in[i];
    struct both_views mine[2];
    for (int i = 0; i < 2; i++) {
        mine[i].floats = (ulong)(own + i);
        mine[i].ints = (ulong)(own + i);
    }
    float value = in[t % 8];
    tile[t] = value;
    float sum = value + own[n];
    int t_1 = n >> 2;
    ((__local qn_alias_int *)views[t_1].ints)[t] ^= INT_MIN;
    ((qn_alias_int *)mine[n & 1].ints)[n] ^= INT_MIN;
    sum = sum * 2.0f + tile[t] + own[n];
    ((__local qn_alias_float *)views[t_1].floats)[t] = 5.0f;
    out[t] = sum + tile[t];
    out[16 + t] = ((qn_alias_float *)mine[1].floats)[1] + own[n];
}
