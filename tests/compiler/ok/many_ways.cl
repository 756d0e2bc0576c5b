#pragma OPENCL FP_CONTRACT ON

struct shape {
    ulong _vptr_shape;
    int n;
    uchar padding2[4];
} __attribute__((packed));

typedef struct shape __attribute__((may_alias)) qn_alias_shape;

__constant uchar v_table0[3] = {98, 101, 0};

__constant uchar v_table1[4] = {115, 101, 101, 0};

__constant uchar v_table2[2] = {100, 0};

__constant uchar v_table3[2] = {97, 0};

/* make, many_ways.cu:13 */
__kernel void make(__global struct shape *s, int n)
{
    if ((n & 1) != 0) {
        s->_vptr_shape = 40;
        s->n = n;
        s->_vptr_shape = 16;
    } else {
        s->_vptr_shape = 40;
        s->n = n;
    }
}

/* texts, many_ways.cu:31 */
__kernel void texts(int n)
{
    __constant uchar *a;
    __constant uchar *b;
    __constant uchar *c;
    __constant uchar *d;
    /* many_ways.cu:24-27 */
    switch (n & 3) {
    case 1:
        a = (__constant uchar *)v_table0;
        b = (__constant uchar *)v_table1;
        c = (__constant uchar *)v_table2;
        d = (__constant uchar *)v_table3;
        break;
    case 2:
        a = (__constant uchar *)v_table1;
        b = (__constant uchar *)v_table2;
        c = (__constant uchar *)v_table3;
        d = (__constant uchar *)v_table0;
        break;
    case 3:
        a = (__constant uchar *)v_table2;
        b = (__constant uchar *)v_table3;
        c = (__constant uchar *)v_table0;
        d = (__constant uchar *)v_table1;
        break;
    case 0:
        a = (__constant uchar *)v_table3;
        b = (__constant uchar *)v_table0;
        c = (__constant uchar *)v_table1;
        d = (__constant uchar *)v_table2;
    }
    __constant uchar *old_a;
    __constant uchar *old_a_1;
    __constant uchar *old_b;
    __constant uchar *old_a_2;
    switch ((n >> 2) & 3) {
    case 1:
        old_a = a;
        a = b;
        b = c;
        c = d;
        d = old_a;
        break;
    case 2:
        old_a_1 = a;
        a = c;
        c = old_a_1;
        old_b = b;
        b = d;
        d = old_b;
        break;
    case 3:
        old_a_2 = a;
        a = d;
        d = c;
        c = b;
        b = old_a_2;
        break;
    case 0:
        break;
    }
    __constant uchar *old_a_3;
    __constant uchar *old_a_4;
    __constant uchar *old_b_1;
    __constant uchar *old_a_5;
    switch ((n >> 4) & 3) {
    case 1:
        old_a_3 = a;
        a = b;
        b = c;
        c = d;
        d = old_a_3;
        break;
    case 2:
        old_a_4 = a;
        a = c;
        c = old_a_4;
        old_b_1 = b;
        b = d;
        d = old_b_1;
        break;
    case 3:
        old_a_5 = a;
        a = d;
        d = c;
        c = b;
        b = old_a_5;
        break;
    case 0:
        break;
    }
    __constant uchar *old_a_6;
    __constant uchar *old_a_7;
    __constant uchar *old_b_2;
    __constant uchar *old_a_8;
    switch ((n >> 6) & 3) {
    case 1:
        old_a_6 = a;
        a = b;
        b = c;
        c = d;
        d = old_a_6;
        break;
    case 2:
        old_a_7 = a;
        a = c;
        c = old_a_7;
        old_b_2 = b;
        b = d;
        d = old_b_2;
        break;
    case 3:
        old_a_8 = a;
        a = d;
        d = c;
        c = b;
        b = old_a_8;
        break;
    case 0:
        break;
    }
    __constant uchar *old_a_9;
    __constant uchar *old_a_10;
    __constant uchar *old_b_3;
    __constant uchar *old_a_11;
    switch ((n >> 8) & 3) {
    case 1:
        old_a_9 = a;
        a = b;
        b = c;
        c = d;
        d = old_a_9;
        break;
    case 2:
        old_a_10 = a;
        a = c;
        c = old_a_10;
        old_b_3 = b;
        b = d;
        d = old_b_3;
        break;
    case 3:
        old_a_11 = a;
        a = d;
        d = c;
        c = b;
        b = old_a_11;
        break;
    case 0:
        break;
    }
    __constant uchar *old_a_12;
    __constant uchar *old_a_13;
    __constant uchar *old_b_4;
    __constant uchar *old_a_14;
    switch ((n >> 10) & 3) {
    case 1:
        old_a_12 = a;
        a = b;
        b = c;
        c = d;
        d = old_a_12;
        break;
    case 2:
        old_a_13 = a;
        a = c;
        c = old_a_13;
        old_b_4 = b;
        b = d;
        d = old_b_4;
        break;
    case 3:
        old_a_14 = a;
        a = d;
        d = c;
        c = b;
        b = old_a_14;
        break;
    case 0:
        break;
    }
    __constant uchar *old_a_15;
    __constant uchar *old_a_16;
    __constant uchar *old_b_5;
    __constant uchar *old_a_17;
    switch ((n >> 12) & 3) {
    case 1:
        old_a_15 = a;
        a = b;
        b = c;
        c = d;
        d = old_a_15;
        break;
    case 2:
        old_a_16 = a;
        a = c;
        c = old_a_16;
        old_b_5 = b;
        b = d;
        d = old_b_5;
        break;
    case 3:
        old_a_17 = a;
        a = d;
        d = c;
        c = b;
        b = old_a_17;
        break;
    case 0:
        break;
    }
    __constant uchar *old_a_18;
    __constant uchar *old_a_19;
    __constant uchar *old_b_6;
    __constant uchar *old_a_20;
    switch ((n >> 14) & 3) {
    case 1:
        old_a_18 = a;
        a = b;
        b = c;
        c = d;
        d = old_a_18;
        break;
    case 2:
        old_a_19 = a;
        a = c;
        c = old_a_19;
        old_b_6 = b;
        b = d;
        d = old_b_6;
        break;
    case 3:
        old_a_20 = a;
        a = d;
        d = c;
        c = b;
        b = old_a_20;
        break;
    case 0:
        break;
    }
    __constant uchar *old_a_21;
    __constant uchar *old_a_22;
    __constant uchar *old_b_7;
    __constant uchar *old_a_23;
    switch ((n >> 16) & 3) {
    case 1:
        old_a_21 = a;
        a = b;
        b = c;
        c = d;
        d = old_a_21;
        break;
    case 2:
        old_a_22 = a;
        a = c;
        c = old_a_22;
        old_b_7 = b;
        b = d;
        d = old_b_7;
        break;
    case 3:
        old_a_23 = a;
        a = d;
        d = c;
        c = b;
        b = old_a_23;
        break;
    case 0:
        break;
    }
    __constant uchar *old_a_24;
    __constant uchar *old_a_25;
    __constant uchar *old_b_8;
    __constant uchar *old_a_26;
    switch ((n >> 18) & 3) {
    case 1:
        old_a_24 = a;
        a = b;
        b = c;
        c = d;
        d = old_a_24;
        break;
    case 2:
        old_a_25 = a;
        a = c;
        c = old_a_25;
        old_b_8 = b;
        b = d;
        d = old_b_8;
        break;
    case 3:
        old_a_26 = a;
        a = d;
        d = c;
        c = b;
        b = old_a_26;
        break;
    case 0:
        break;
    }
    __constant uchar *old_a_27;
    __constant uchar *old_a_28;
    __constant uchar *old_b_9;
    __constant uchar *old_a_29;
    switch ((n >> 20) & 3) {
    case 1:
        old_a_27 = a;
        a = b;
        b = c;
        c = d;
        d = old_a_27;
        break;
    case 2:
        old_a_28 = a;
        a = c;
        c = old_a_28;
        old_b_9 = b;
        b = d;
        d = old_b_9;
        break;
    case 3:
        old_a_29 = a;
        a = d;
        d = c;
        c = b;
        b = old_a_29;
        break;
    case 0:
        break;
    }
    switch ((n >> 22) & 3) {
    case 1:
        a = b;
        b = c;
        break;
    case 2:
        a = c;
        b = d;
        break;
    case 3:
        b = a;
        a = d;
        break;
    case 0:
        break;
    }
    /* many_ways.cu:46 */
    printf("%s %s\n", a, b);
}

/* walk, many_ways.cu:49 */
__kernel void walk(__global int *p, int n, __global const qn_alias_shape *s)
{
    __global int *b = p + 1;
    __global uchar *c = (__global uchar *)(p + 2);
    __global uchar *d = (__global uchar *)(p + 3);
    __global uchar *a = (__global uchar *)p;
    for (int i = 0; i < n; i++) {
        __global uchar *old_a;
        __global uchar *old_a_1;
        __global int *old_b;
        __global uchar *old_a_2;
        switch (*(__global int *)a & 3) {
        case 1:
            old_a = a;
            a = (__global uchar *)b;
            b = (__global int *)c;
            c = d;
            d = old_a;
            break;
        case 2:
            old_a_1 = a;
            a = c;
            c = old_a_1;
            old_b = b;
            b = (__global int *)d;
            d = (__global uchar *)old_b;
            break;
        case 3:
            old_a_2 = a;
            a = d;
            d = c;
            c = (__global uchar *)b;
            b = (__global int *)old_a_2;
            break;
        case 0:
            break;
        }
        __global uchar *old_a_3;
        __global uchar *old_a_4;
        __global int *old_b_1;
        __global uchar *old_a_5;
        switch (*b & 3) {
        case 1:
            old_a_3 = a;
            a = (__global uchar *)b;
            b = (__global int *)c;
            c = d;
            d = old_a_3;
            break;
        case 2:
            old_a_4 = a;
            a = c;
            c = old_a_4;
            old_b_1 = b;
            b = (__global int *)d;
            d = (__global uchar *)old_b_1;
            break;
        case 3:
            old_a_5 = a;
            a = d;
            d = c;
            c = (__global uchar *)b;
            b = (__global int *)old_a_5;
            break;
        case 0:
            break;
        }
        __global uchar *old_a_6;
        __global uchar *old_a_7;
        __global int *old_b_2;
        __global uchar *old_a_8;
        switch (*(__global int *)d & 3) {
        case 1:
            old_a_6 = a;
            a = (__global uchar *)b;
            b = (__global int *)c;
            c = d;
            d = old_a_6;
            break;
        case 2:
            old_a_7 = a;
            a = c;
            c = old_a_7;
            old_b_2 = b;
            b = (__global int *)d;
            d = (__global uchar *)old_b_2;
            break;
        case 3:
            old_a_8 = a;
            a = d;
            d = c;
            c = (__global uchar *)b;
            b = (__global int *)old_a_8;
            break;
        case 0:
            break;
        }
        *(__global int *)a += *b + *(__global int *)c;
    }
    int t;
    if (s->_vptr_shape == 16) {
        int n_1 = s->n;
        t = n_1 * n_1;
    } else {
        t = s->n;
    }
    *p = t;
}
