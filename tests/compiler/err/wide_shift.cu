// A shift of vectors that are wider than OpenCL C's.
typedef int wide __attribute__((ext_vector_type(256)));
extern "C" __global__ void shift(wide *p, const wide *n)
{
    *p = *p << *n;
}
