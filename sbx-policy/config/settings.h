/*
 * What do the layers say together, before any path is looked at?
 *
 * Every value carries the layer that decided it and the words in which
 * that layer is named to a person, so that no line of a policy is without a
 * source.
 */
#ifndef SBX_POLICY_CONFIG_SETTINGS_H
#define SBX_POLICY_CONFIG_SETTINGS_H

#include "policy/resource_limits.h"

#include <stdbool.h>
#include <stddef.h>

/* A later layer wins; within one layer the last word wins. */
enum layer {
	LAYER_DEFAULT,
	LAYER_SYSTEM,   /* the machine's file */
	LAYER_USER,     /* the user's file */
	LAYER_PROJECT,  /* the project's file, when the project is trusted */
	LAYER_PROFILE,  /* the chosen profile */
	LAYER_OVERRIDE, /* -c KEY=VALUE */
	LAYER_FLAG,     /* an option of its own */
	LAYER_MANAGED,  /* the administrator's file */
};

extern const char *const config_mode_names[]; /* the modes that a file may name */
extern const char *const bwrap_names[];
extern const char *const tmp_names[]; /* by enum tmp */

/* What /tmp is inside, where it is writable. */
enum tmp {
	TMP_PRIVATE, /* a directory of the workspace's own */
	TMP_SHARED,  /* the host's */
};

struct setting {
	int value; /* of an enum, an index into a table of words, or a truth */
	enum layer layer;
	const char *source;
	bool built_in; /* a mode by the name of a set, :workspace; setting_put() forgets it */
};

struct root_list {
	char **paths;
	size_t count;
	enum layer layer;
	const char *source;
};

#define NETWORK_UNSET (-1)

enum trust_level {
	TRUST_UNKNOWN,
	TRUST_UNTRUSTED,
	TRUST_TRUSTED,
};

extern const char *const trust_names[]; /* by enum trust_level */

/* Whether a project's file is the one that somebody looked at. */
enum content {
	CONTENT_NONE,    /* there is no file, or it is not read */
	CONTENT_UNSEEN,  /* trusted without a digest: as codex writes it, or before there was a file
	                  */
	CONTENT_CHANGED, /* since it was looked at */
	CONTENT_SEEN,    /* it counts in full */
};

extern const char *const content_names[]; /* by enum content */

struct trust {
	enum trust_level level;
	char *path; /* the directory that the decision is about */
	const char *source;
	bool lent;            /* of the main checkout, to a linked worktree */
	char *config, *rules; /* digests of what was looked at; NULL: none */
	enum content content;
};

struct config;

struct settings {
	struct setting mode;
	struct setting approval;  /* index into approval_names */
	struct setting network;   /* enum network, or NETWORK_UNSET */
	const char *network_name; /* --network loopback:NAME; NULL: none was given */
	struct setting bwrap;     /* index into bwrap_names */
	struct setting nested;
	bool preview;                  /* --preview */
	struct setting tmp;            /* enum tmp */
	struct setting network_access; /* these three: sandbox_workspace_write */
	struct setting exclude_tmpdir;
	struct setting exclude_slash_tmp;
	struct root_list writable_roots; /* of the configuration */
	struct root_list kept;           /* of the project, by --remember */
	struct root_list added;          /* --add-dir */
	struct root_list narrowed;       /* --narrow */
	struct root_list presets;        /* --allow */
	struct root_list hidden;         /* --hide */
	struct root_list hosts;          /* --allow-host */
	struct limits limits;            /* --limit */
	/* A permission set by name; a built-in one becomes a mode. */
	struct {
		const char *name; /* NULL: the mode decides */
		enum layer layer;
		const char *source;
	} set;
	struct trust trust;
	const struct config *config; /* the values that are used as they are */
};

void settings_default(struct settings *settings);
void settings_free(struct settings *settings);

/* What is written is to have no effect until somebody applies it. */
bool settings_preview(const struct settings *settings);

/* Unless a later layer has already spoken. */
void setting_put(struct setting *setting, int value, enum layer layer, const char *source);

void root_list_add(struct root_list *list, const char *path);

/* A list of its own; what was in `list` is forgotten. */
void root_list_copy(struct root_list *list, const struct root_list *from);
void root_list_free(struct root_list *list);

#endif
