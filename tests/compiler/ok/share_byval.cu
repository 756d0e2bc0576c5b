// A class that is moved from where it was passed by value, and says what it is when it ends.
struct token {
    int *log;
    int id;
    __device__ token(int *log, int id) : log(log), id(id) {}
    __device__ token(token &&from) : log(from.log), id(from.id + 2) { from.id = -1; }
    __device__ ~token() { *log = *log * 10 + id; }
};

__device__ token pass(token t)
{
    return static_cast<token &&>(t);
}

__device__ int take(int factor, token t)
{
    t.id *= factor;
    return t.id;
}

extern "C" __global__ void run(int *out, const int *in, int n)
{
    int i = threadIdx.x, log = 0, taken;
    {
        token a(&log, in[i] % 7);
        token b = pass(static_cast<token &&>(a));
        taken = take(n, static_cast<token &&>(b));
    }
    out[i] = log * 3 + taken;
}
// exercises: lower/share_byval
