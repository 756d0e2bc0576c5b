/* SPDX-License-Identifier: Apache-2.0
 *
 * Every open device, for fork(): another thread of the parent may hold a device's streams_lock, for
 * as long as a copy takes, and is not there in the child to give it back. It is made anew; what it
 * guards is whole at every moment. A backend whose devices live on in a child sees to its own
 * lock. */
#include "runtime/open_devices.h"

#include "base/forks.h"

static struct {
    pthread_mutex_t lock;
    qn_device *first;
} devices = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void renew_locks(void)
{
    for (qn_device *d = devices.first; d; d = d->next_open)
        d->streams_lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
}
QN__FORK_PART(&devices.lock, renew_locks)

void qn__open_devices_add(qn_device *dev)
{
    pthread_mutex_lock(&devices.lock);
    dev->prev_open = NULL;
    dev->next_open = devices.first;
    if (dev->next_open)
        dev->next_open->prev_open = dev;
    devices.first = dev;
    pthread_mutex_unlock(&devices.lock);
}

void qn__open_devices_remove(qn_device *dev)
{
    pthread_mutex_lock(&devices.lock);
    if (dev->prev_open)
        dev->prev_open->next_open = dev->next_open;
    else
        devices.first = dev->next_open;
    if (dev->next_open)
        dev->next_open->prev_open = dev->prev_open;
    pthread_mutex_unlock(&devices.lock);
}
