/*
 * Files that were opened for the command before it had a sandbox.
 *
 * /proc/self/fd opens a file again through the mount that it was opened by,
 * and that of the caller is not read-only: "command <file" would hand over the
 * file for writing.  Landlock refuses that.  Where it does not hold files, a
 * file that was opened for reading is opened anew behind the sandbox's mounts.
 */
#ifndef SBX_REREAD_H
#define SBX_REREAD_H

#include "error.h"
#include "request.h"

#include <jansson.h>

/* Outside: [[fd, path], ...] */
json_t *reread_json(const struct request *request);

/* Inside: each is the same file again, where the command will go on reading. */
int reread(const json_t *files, struct error *err);

#endif
