#pragma OPENCL FP_CONTRACT ON

/* life, game_of_life.cu:2 */
__kernel void life(__global uchar *next, __global const uchar *now, int w, int h)
{
    int x = get_group_id(0) * get_local_size(0) + get_local_id(0);
    int y = get_group_id(1) * get_local_size(1) + get_local_id(1);
    if (x >= w || y >= h)
        return;
    int alive = 0;
    for (int dy = -1; dy <= 1; dy++) {
        for (int dx = -1; dx <= 1; dx++) {
            if (dx != 0 || dy != 0) {
                int nx = (x + dx + w) % w;
                int ny = (y + dy + h) % h;
                alive += now[ny * w + nx];
            }
        }
    }
    bool t;
    switch (alive) {
    case 3:
        t = true;
        break;
    case 2:
        t = now[y * w + x] != 0;
        break;
    default:
        t = false;
    }
    next[y * w + x] = t;
}
