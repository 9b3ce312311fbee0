/*
 * The other half of the patch tool: who writes what the confined half asks for?
 *
 * A process of its own beside the sandbox.  It writes the files that the
 * document names and the policy lets be written, judged again when each is
 * opened, and nothing else; and all of them or none (commit.h).
 */
#ifndef SBX_RUN_PATCH_WRITER_H
#define SBX_RUN_PATCH_WRITER_H

#include "base/error.h"
#include "supervise/wrapped.h"

#include <jansson.h>
#include <sys/types.h>

struct patch_writer {
	pid_t pid; /* 0: the document is no patch of ours */
	int in;    /* what the confined half reads from */
	int out;   /* what it writes to */
	int done;  /* a byte once the patch is applied */
	char word[16];
};

/* The document is a patch that we apply ourselves: the virtual program apply_patch. */
bool patch_is_ours(const json_t *doc);

/*
 * Starts it for a document that is about to run, and puts the confined half in
 * the place of the command.  Nothing when the patch is not ours.
 */
int patch_writer_start(struct patch_writer *writer, json_t *doc, struct wrapped *wrapped,
                       struct error *err);

/* The command has its ends; ours would keep it waiting. */
void patch_writer_started(struct patch_writer *writer);

/* Waits for its end; what it left if it was killed is undone.  True: the patch is applied. */
bool patch_writer_finish(struct patch_writer *writer);

#endif
