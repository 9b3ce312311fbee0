/*
 * What does the kernel know about a name that stat() does not say?
 *
 * The kernel's own layout: C libraries have no statx(), one without mount ids,
 * or one that cannot be told together with the kernel's header.
 */
#ifndef SBX_LINUX_KERNEL_STATX_H
#define SBX_LINUX_KERNEL_STATX_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

struct kernel_statx {
	uint32_t mask;
	uint32_t blksize;
	uint64_t attributes;
	uint32_t nlink, uid, gid;
	uint16_t mode, pad;
	uint64_t ino, size, blocks;
	uint64_t attributes_mask;
	uint64_t times[8];
	uint32_t devices[4];
	uint64_t mount_id;
	uint64_t spare[13];
};

_Static_assert(sizeof(struct kernel_statx) == 256, "the kernel fills 256 bytes");

#define KERNEL_STATX_TYPE          0x0001U
#define KERNEL_STATX_BIRTH         0x0800U /* times[2] and [3] */
#define KERNEL_STATX_MOUNT_ID      0x1000U
#define KERNEL_STATX_IS_MOUNT_ROOT 0x2000U /* in attributes */

/* Of the name itself, not of what it points to. */
static inline int kernel_statx(int directory, const char *name, unsigned wanted,
                               struct kernel_statx *stx)
{
	return (int)syscall(SYS_statx, directory, name, 0x100 /* AT_SYMLINK_NOFOLLOW */, wanted,
	                    stx);
}

#endif
