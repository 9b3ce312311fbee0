/*
 * What does the project's own configuration say, and what of it counts?
 *
 * It is attacker-controlled text, read only where a person trusts the project, and in full only as
 * that person saw it.
 */
#ifndef SBX_POLICY_PROJECT_PROJECT_FILE_H
#define SBX_POLICY_PROJECT_PROJECT_FILE_H

#include "base/complain.h"
#include "base/error.h"
#include "base/sha256.h"
#include "config/config.h"
#include "git/repository.h"

/* A project's file, read once: the digest is of the text that was parsed. */
struct project_file {
	char *path;
	struct config own; /* what it says, in a layer of its own */
	char digest[SHA256_TEXT_SIZE];
};

/*
 * `.codex/config.toml` of exactly this directory.  1: read; 0: there is none,
 * or a note says why it does not count.
 */
int project_file_read(struct project_file *file, const char *directory, const char *home,
                      struct notes *notes, struct error *err);
void project_file_free(struct project_file *file);

/*
 * Adds to config what the file of the trusted directory may say, and sets
 * trust->content.  Never another file between the workspace and the
 * repository's root: nobody has looked at that one.
 */
int project_read(struct config *config, struct trust *trust, const struct repository *repository,
                 const char *workspace, const char *home, struct notes *notes, struct error *err);

#endif
