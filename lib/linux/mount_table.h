/*
 * Where is the mount of a line of /proc/PID/mountinfo, and of what type?
 */
#ifndef SBX_LINUX_MOUNT_TABLE_H
#define SBX_LINUX_MOUNT_TABLE_H

/*
 * Where the mount of a line is and of what type, taken apart in place; NULL
 * when the line has another form.
 */
char *mountinfo_point(char *line, char **type);

#endif
