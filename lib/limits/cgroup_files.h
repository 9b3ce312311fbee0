/*
 * What do the files of a cgroup say, and how are they told?
 */
#ifndef SBX_LIMITS_CGROUP_FILES_H
#define SBX_LIMITS_CGROUP_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* System calls only, with errno. */
bool cgroup_put_text(int directory, const char *file, const char *text);
bool cgroup_put(int directory, const char *file, int64_t number);

/* The number in it, or in the line that begins with the word; -1: there is none. */
int64_t cgroup_number(int directory, const char *file, const char *word);

/* Numbers of processes in it, at most `most`. */
size_t cgroup_processes(int directory, pid_t *pids, size_t most);

/*
 * One try: ends all in this cgroup and in those that were made in it, and removes them;
 * what was killed may be there for a moment more.  False with errno.
 */
bool cgroup_take_away(int parent, const char *name);

#endif
