/*
 * What is known while a policy is being resolved, and is no part of it?
 *
 * Every file that resolves has this in hand: the policy as far as it is, what
 * waits for the rest of it, and what looking for repositories has cost.
 */
#ifndef SBX_POLICY_ENTRIES_WORKBENCH_H
#define SBX_POLICY_ENTRIES_WORKBENCH_H

#include "base/complain.h"
#include "entries/policy.h"
#include "git/repository.h"

/* A path that waits for the end of the entries to be judged. */
struct later {
	char *path;
	const char *source;
};

struct later_list {
	struct later *items;
	size_t count;
};

struct workbench {
	struct policy *policy;               /* what comes of it */
	struct notes *notes;                 /* for the person who asked */
	const struct repository *repository; /* that the workspace is in */
	struct root_list workspaces;         /* of a set: the workspace, and what was added to it */
	struct root_list temporary;          /* roots in which strangers can write as well */
	const char *tmpdir;                  /* why $TMPDIR is to be writable; NULL: it is not */
	char *private_tmp;           /* where the sandbox has a /tmp of its own: the host's path */
	struct later_list missing;   /* writable, but not there */
	struct later_list pins;      /* links and missing names on the way to what is protected */
	struct root_list narrowed;   /* what --narrow leaves of the workspace */
	bool narrows;                /* it leaves no more than that */
	struct root_list bare;       /* roots that no repository is ever in: files, devices */
	struct git_settings *global; /* of the user and the machine; see git_settings.h */
	struct root_list configured; /* repositories whose settings were read, each with its top */
	struct {
		size_t words, names; /* of the repository that is looked at */
		size_t mounts;
	} cost;     /* of what git's settings name; see named_path.c */
	int failed; /* errno of a look that failed by a fault of ours */
};

void bench_free(struct workbench *bench);

/* True when what is known so far lets the command write there. */
bool bench_writable(const struct workbench *bench, const char *path);

/* True when what path means inside is not the host's: then there is nothing to protect. */
bool bench_is_private(const struct workbench *bench, const char *path);

/* A write entry that does not exist: it counts only where it could be created. */
void bench_missing(struct workbench *bench, const char *path, const char *source);

/* A link, or nothing yet, on the way to what is named: it must stay as it is. */
void bench_pin(struct workbench *bench, const char *path, const char *source);

/*
 * The same for every link on the way to a root: a command that could turn one
 * would choose what the next run can write.
 */
void bench_pin_links(struct workbench *bench, const char *path, const char *source);

/* All entries are known: judges what waited. */
void bench_judge(struct workbench *bench);

/* What is protected is known as well: nothing is made in it. */
void bench_judge_again(struct workbench *bench);

/* A copy of a source that lives as long as the policy. */
const char *bench_word(struct workbench *bench, const char *word);

/*
 * Something that names a repository, or could hold one, was not read.  Where
 * that says nothing about the thing itself, the policy must not be used: the
 * errno is kept.
 */
void bench_missed(struct workbench *bench, int number);

/* --allow NAME was given. */
bool bench_has_preset(const struct workbench *bench, const char *name);

#endif
