// Minima and maxima with a sum, a third number, a floor of zero or a note of which it was.
#ifdef QUERN_TRANSLATE
#define EITHER(cpp, cuda) cuda
#else
#define EITHER(cpp, cuda) (cpp)
static int least(int a, int b) { return a < b ? a : b; }
static int most(int a, int b) { return a < b ? b : a; }
static unsigned pair(int high, int low) { return (unsigned)high << 16 | (low & 0xffff); }
#endif

__global__ void run(int *out, const int *in, int n)
{
    const int i = threadIdx.x, a = in[i], b = in[(i + 1) % n], c = in[(i + 2) % n];
    const unsigned p = (unsigned)a * 65537u, q = (unsigned)b * 40503u;
    bool first = false, high = false, low = false;
    int *const to = out + 8 * i;
    to[0] = EITHER(most(most(a, b), c), __vimax3_s32(a, b, c));
    to[1] = EITHER(most(least(a + b, c), 0), __viaddmin_s32_relu(a, b, c));
    to[2] = EITHER((first = a >= b, most(a, b)), __vibmax_s32(a, b, &first)) + first;
    to[3] = EITHER((int)((first = p <= q) ? p : q), __vibmin_u32(p, q, &first)) + first;
    to[4] = EITHER(pair(most((short)(p >> 16), (short)(q >> 16)), most((short)p, (short)q)),
                   __vibmax_s16x2(p, q, &high, &low));
    to[5] = EITHER((short)(p >> 16) >= (short)(q >> 16), high) * 2 + EITHER((short)p >= (short)q, low);
    to[6] = EITHER(pair(most(most((short)(p >> 16), (short)(q >> 16)), 0), most(most((short)p, (short)q), 0)),
                   __vimax_s16x2_relu(p, q));
    to[7] = EITHER((int)((unsigned)2147483647 + 3u < (unsigned)c ? 1 : 2),
                   __viaddmax_u32(2147483647u, 3u, c) == (unsigned)c ? 1 : 2);
}
// exercises: model/builtins
