/*
 * How much is in a directory?
 */
#ifndef SBX_LINUX_SANDBOX_CACHES_TREE_SIZE_H
#define SBX_LINUX_SANDBOX_CACHES_TREE_SIZE_H

/*
 * Bytes on the disk, of all that can be seen of it until a time of now_ms(), in less than
 * a hundred steps down.  Nothing is followed, and no other file system entered.
 */
long long tree_size(int fd, long long end);

#endif
