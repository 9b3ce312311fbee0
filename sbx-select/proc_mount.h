/*
 * Can a fresh /proc be mounted?  Containers mask parts of theirs, and the
 * kernel then refuses a new one that would show them.
 */
#ifndef SBX_SELECT_PROC_MOUNT_H
#define SBX_SELECT_PROC_MOUNT_H

/* Tries it in a child, in namespaces made for that.  0 or an errno. */
int proc_mount_try(void);

#endif
