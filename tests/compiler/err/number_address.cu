__global__ void fixed_address(int *out)
{
    *(int *)8 = 2;
    out[0] = 1;
}
