/*
 * Which files were opened for the command before it had a sandbox, and must be
 * opened again?
 *
 * An open file stays of the mount that it was opened by, and that of the
 * caller is not read-only: with "command <file" the command could change the
 * file's mode, owner and times, /dev/null's too where the caller is root, and
 * without Landlock open it for writing through /proc/self/fd.  So what was not
 * given to be written is opened anew behind the sandbox's mounts.
 *
 * The caller and the command then no longer share how far a file was read;
 * when the command has ended, the caller's file is moved to where it stopped.
 */
#ifndef SBX_LINUX_SANDBOX_OUTER_REOPENED_FILES_H
#define SBX_LINUX_SANDBOX_OUTER_REOPENED_FILES_H

#include "base/error.h"
#include "request.h"

#include <jansson.h>
#include <sys/types.h>

/* Outside: [[fd, path], ...] */
json_t *reopen_json(const struct request *request);

/* Outside, where there are no mounts to open them behind: none of them is a hidden one. */
int refuse_hidden_files(const struct request *request, struct error *err);

/*
 * Inside: each is the same file again, where the command will go on reading.
 * Those that have a position are also sent to the outer stage.
 */
int reopen(const json_t *files, int control, struct error *err);

/* Outside: what was sent. */
struct reopened {
	struct reopened_file {
		int fd, copy;
		off_t begin;
	} * files;
	size_t count;
};

/* Takes the copy over. */
void reopened_add(struct reopened *reopened, int fd, int copy);

/* The command has ended. */
void reopened_conclude(struct reopened *reopened);

#endif
