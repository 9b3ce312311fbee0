/*
 * Where is kept what a workspace's commands write into caches?
 *
 *	KEPT/caches		the user's, 0700; never seen inside
 *	    DIGEST		one for each workspace, as a private /tmp has it
 *	        0, 1, ...	a run has one of these alone: two overlays must not share it
 *	            upper	what was written, by its place in the home directory
 *	            work	the kernel's; spent: an earlier one
 *	            pool	see made_directories.h
 */
#ifndef SBX_LINUX_SANDBOX_CACHES_LAYERS_H
#define SBX_LINUX_SANDBOX_CACHES_LAYERS_H

#include "caches/made_directories.h"
#include "caches/spent_work.h"
#include "request.h"
#include "tmp/private_tmp.h"
#include "vendored/fast_bind.h"

#include <stdbool.h>

struct layers {
	struct private_tmp home; /* of the workspace */
	int slot;                /* the part that this run has alone; -1: no caches */
	int upper;               /* in it */
	char *path;              /* the same */
	long long max;           /* bytes that the workspace may keep */
	bool plain;              /* overlays cannot be mounted here */
	struct overlay overlay;  /* of the home directory; its parts are the caches */
	struct made_directories made;
	struct spent_work spent;
};

#define LAYERS_NONE                                                                                \
	{                                                                                          \
		.home = {.place = -1, .home = -1, .fd = -1}, .slot = -1, .upper = -1,              \
		.made = MADE_NONE                                                                  \
	}

/* Without it caches stay as the policy has them, read-only, and a line says so. */
void layers_open(const struct request *request, struct layers *layers);

/* What an overlay needs besides; -1 with errno. */
int layers_need_overlay(struct layers *layers);

/* The directory that takes what is written into a cache, O_PATH; -1 with errno. */
int layer_open(const struct layers *layers, const char *name);

/* While the command runs: what an earlier run has left (spent_work.h). */
void layers_tidy(struct layers *layers);

/* When no process of the run is left. */
void layers_end(struct layers *layers);

/* In a process that needs only the overlay: no descriptor is left. */
void layers_close(struct layers *layers);

#endif
