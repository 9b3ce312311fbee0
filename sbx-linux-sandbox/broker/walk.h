/*
 * Where does a path through /proc lead, where a name means something else for
 * everybody?
 */
#ifndef SBX_BROKER_WALK_H
#define SBX_BROKER_WALK_H

#include "broker/asked.h"

#include <sys/stat.h>

#define WALK_LINKS_MAX 40 /* as the kernel has it */
#define WALK_NO_MAGIC  (-100000)

/* Component by component, with "self" and the descriptors of whoever asks.  -errno. */
int walk_to_directory(const struct asked *asked, int base, const char *path);

/*
 * Through a link in /proc that is more than text: to an open file, a working
 * directory.  WALK_NO_MAGIC: it is only text.  -errno.
 */
int walk_open_magic(const struct asked *asked, int parent, const char *directory, const char *name);

/* "self" and "thread-self" of /proc become whoever asks.  0 or -errno. */
int walk_name_self(const struct asked *asked, const char *directory, char *name);

/* As the kernel protects us: no link of somebody else in a directory of everybody's. */
bool walk_may_follow(int parent, const struct stat *link);

/*
 * What is in /proc about a process that is not the one that asks: its memory, its variables.
 * The kernel asks whoever opens it whether he may look into the process, and we may look into
 * those outside.
 */
bool walk_is_of_another(const struct asked *asked, int fd, const char *path);

#endif
