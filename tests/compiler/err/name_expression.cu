// name: scale<float, 2
// A mistake in a name expression is shown as one, not in lines the user never wrote.
template <typename T, int N> __global__ void scale(T *out) { *out = N; }
