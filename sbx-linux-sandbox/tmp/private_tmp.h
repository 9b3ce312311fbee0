/*
 * Where is the /tmp that only this workspace has?
 *
 *	/tmp/.sbx-UID		the user's place, 0700
 *	    DIGEST		one for each workspace; a run holds a lock on it
 *	        workspace	a link: whose it is, since digests can be alike
 *	        tmp		the only part that is ever shown inside
 *
 * Nothing of it is believed by its name: each step is opened without following
 * links, and has to belong to this user.  If somebody squats the name of the
 * place, another one is used, with digits of chance behind it.
 */
#ifndef SBX_LINUX_SANDBOX_TMP_PRIVATE_TMP_H
#define SBX_LINUX_SANDBOX_TMP_PRIVATE_TMP_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct private_tmp {
	char *at;   /* where it is seen inside: /tmp, canonical; NULL: there is none */
	char *path; /* where it is outside */
	int place;  /* the user's place; -1: none was opened */
	int home;   /* the workspace's directory in it, locked for the run; -1 */
	int fd;     /* the directory that is shown */
	/* Bounded: an empty file system for this run is shown instead, with these in it. */
	int64_t most;
	char **directories;
	size_t directory_count;
};

/* Opens the user's place in the host's /tmp, and makes it if need be. */
int private_place_open(const char *tmp, struct private_tmp *out, char **name, struct error *err);

/* All of it. */
int private_tmp_open(const char *tmp, const char *workspace, struct private_tmp *out,
                     struct error *err);

/* The directory of a workspace in out->place, as out->home; its name is to be freed. */
int workspace_enter(struct private_tmp *out, const char *workspace, char **name);

/* A private directory, made if need be; -1 with errno. */
int private_enter(int parent, const char *name);

void private_tmp_close(struct private_tmp *tmp);

/* A directory of this user's that nobody else can write: 0 makes it 0700 for certain; -1. */
int private_directory(int fd);

#endif
