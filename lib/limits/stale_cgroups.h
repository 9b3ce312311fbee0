/*
 * Which cgroups did a killed run leave behind?
 *
 * Those with a name of ours that belong to this user and that nobody has locked.  No
 * unit of systemd has such a name, and a run that lives has the lock.
 */
#ifndef SBX_LIMITS_STALE_CGROUPS_H
#define SBX_LIMITS_STALE_CGROUPS_H

#include <stddef.h>

/* A new name; -1: there is no chance to be had. */
int stale_cgroup_name(char *name, size_t size);

/* Ends what is in them, and removes them. */
void stale_cgroups_remove(int parent);

#endif
