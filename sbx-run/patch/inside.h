/*
 * The confined half of the patch tool: what would every file hold?
 *
 * It runs as the command of the sandbox, reads what the policy lets it read,
 * and writes nothing: what it has worked out it asks the other half to write
 * (writer.h), and says how that went.
 */
#ifndef SBX_RUN_PATCH_INSIDE_H
#define SBX_RUN_PATCH_INSIDE_H

/* The patch and the answer come on stdin, what is asked for goes to fd.  The exit status. */
int patch_inside(int fd);

#endif
