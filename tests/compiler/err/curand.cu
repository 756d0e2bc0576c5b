// A header that is refused.
#include <curand_kernel.h>
