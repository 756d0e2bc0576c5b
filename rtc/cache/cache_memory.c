/* SPDX-License-Identifier: Apache-2.0
 *
 * A table of keys under one lock. A row is an image, or a flight that others wait for. Rows are
 * bounded by bytes; the oldest go first. Images in use elsewhere live on by their own count. */
#include "rtc/cache/cache_memory.h"

#include "base/forks.h"
#include "base/hash.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { BUCKETS = 1024, LIMIT_BYTES = 512 << 20 };

struct row {
    struct row *next;          /* in its bucket */
    struct row *newer, *older; /* by age */
    char key[QN__HASH_HEX];
    qn_image *image;
};

struct qn__flight {
    struct qn__flight *next;
    char key[QN__HASH_HEX];
    uint32_t waiting; /* threads that have not read its end yet */
    bool done;
    qn_image *image;
    struct qn__flight_end end;
    struct qn__message message;
};

static struct {
    pthread_mutex_t lock;
    pthread_cond_t landed;
    struct row *buckets[BUCKETS];
    struct row *newest, *oldest;
    size_t bytes;
    struct qn__flight *flights;
} memory = {.lock = PTHREAD_MUTEX_INITIALIZER, .landed = PTHREAD_COND_INITIALIZER};

/* In a forked child the parent's threads are not there, so their flights never land: whoever wants
 * such a key there makes it. */
static void forget_flights(void)
{
    memory.flights = NULL;
    memory.landed = (pthread_cond_t)PTHREAD_COND_INITIALIZER;
}
QN__FORK_PART(&memory.lock, forget_flights)

static struct row **bucket_of(const char *key)
{
    unsigned h = 0;
    for (int i = 0; i < 6; i++) /* hex digits of a good hash */
        h = h * 31 + (unsigned char)key[i];
    return &memory.buckets[h % BUCKETS];
}

static struct row *find(const char *key)
{
    for (struct row *r = *bucket_of(key); r; r = r->next)
        if (strcmp(r->key, key) == 0)
            return r;
    return NULL;
}

static void drop(struct row *r)
{
    struct row **p = bucket_of(r->key);
    while (*p != r)
        p = &(*p)->next;
    *p = r->next;
    *(r->newer ? &r->newer->older : &memory.newest) = r->older;
    *(r->older ? &r->older->newer : &memory.oldest) = r->newer;
    memory.bytes -= r->image->info.size_bytes;
    qn_image_release(r->image);
    free(r);
}

static void put_locked(const char *key, qn_image *image)
{
    struct row *old = find(key);
    if (old)
        drop(old);
    struct row *r = image ? qn__alloc(1, sizeof *r) : NULL;
    if (!r)
        return; /* forgotten, or out of memory: the next caller asks the disk */
    memcpy(r->key, key, QN__HASH_HEX);
    r->image = qn_image_retain(image);
    r->next = *bucket_of(key);
    *bucket_of(key) = r;
    r->older = memory.newest;
    *(memory.newest ? &memory.newest->newer : &memory.oldest) = r;
    memory.newest = r;
    memory.bytes += image->info.size_bytes;
    while (memory.bytes > LIMIT_BYTES && memory.oldest != r)
        drop(memory.oldest);
}

void qn__memory_put(const char *key_hex, qn_image *image)
{
    pthread_mutex_lock(&memory.lock);
    put_locked(key_hex, image);
    pthread_mutex_unlock(&memory.lock);
}

qn_image *qn__memory_get(const char *key_hex)
{
    pthread_mutex_lock(&memory.lock);
    struct row *r = find(key_hex);
    qn_image *image = r ? qn_image_retain(r->image) : NULL;
    pthread_mutex_unlock(&memory.lock);
    return image;
}

/* -- flights -- */

static void free_flight(struct qn__flight *f)
{
    struct qn__flight **p = &memory.flights;
    while (*p && *p != f)
        p = &(*p)->next;
    if (*p)
        *p = f->next;
    qn_image_release(f->image);
    free(f->end.text);
    free(f->end.raw);
    free(f);
}

/* Wait for another thread's flight and take its result. */
static qn_status join(qn_image **image, struct qn__flight_end *end, struct qn__flight *f)
{
    f->waiting++;
    while (!f->done)
        pthread_cond_wait(&memory.landed, &memory.lock);
    if (f->image) {
        *image = qn_image_retain(f->image);
    } else {
        qn__message_restore(&f->message);
        end->status = f->end.status;
        end->text = f->end.text ? strdup(f->end.text) : NULL;
        end->raw = f->end.raw ? strdup(f->end.raw) : NULL;
    }
    if (--f->waiting == 0)
        free_flight(f);
    return end->status;
}

qn_status qn__memory_enter(qn_image **image, struct qn__flight **flight, struct qn__flight_end *end,
                           const char *key_hex)
{
    *image = NULL;
    *flight = NULL;
    *end = (struct qn__flight_end){0};
    qn_status s = QN_OK;
    pthread_mutex_lock(&memory.lock);
    struct row *r = find(key_hex);
    struct qn__flight *f = memory.flights;
    while (f && (f->done || strcmp(f->key, key_hex) != 0))
        f = f->next;
    if (r) {
        *image = qn_image_retain(r->image);
    } else if (f) {
        s = join(image, end, f);
    } else if ((f = qn__alloc(1, sizeof *f))) {
        memcpy(f->key, key_hex, QN__HASH_HEX);
        f->next = memory.flights;
        memory.flights = f;
        *flight = f;
    } else {
        s = end->status = qn__fail(QN_E_MEMORY, "no memory for a compile");
    }
    pthread_mutex_unlock(&memory.lock);
    return s;
}

void qn__memory_leave(struct qn__flight *flight, qn_image *image, bool keep, qn_status s,
                      const char *text, const char *raw)
{
    pthread_mutex_lock(&memory.lock);
    if (image) {
        if (keep)
            put_locked(flight->key, image);
        flight->image = qn_image_retain(image);
    } else {
        qn__message_save(&flight->message);
        flight->end.status = s;
        flight->end.text = text ? strdup(text) : NULL;
        flight->end.raw = raw ? strdup(raw) : NULL;
    }
    flight->done = true;
    if (flight->waiting)
        pthread_cond_broadcast(&memory.landed);
    else
        free_flight(flight);
    pthread_mutex_unlock(&memory.lock);
}
