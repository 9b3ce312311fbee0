/*
 * What does one option of the command line ask for?
 */
#ifndef SBX_POLICY_CONFIG_TAKE_OPTION_H
#define SBX_POLICY_CONFIG_TAKE_OPTION_H

#include "config/request.h"
#include "document/options.h"

/* Besides those that sbx-run shares. */
enum own {
	OWN_EXPLAIN = OPTION_OWN,
	OWN_CHECK_PATH,
	OWN_TEST,
	OWN_DIFF,
	OWN_LIST,
	OWN_TRUST,
	OWN_UNTRUST,
	OWN_ASK_TRUST,
	OWN_REMEMBER,
	OWN_FORGET,
	OWN_CACHES,
	OWN_CLEAR,
	OWN_ALL,
	OWN_TOOL,
	OWN_FILE,
	OWN_PATCH,
};

/* -1 with err: its value is none, or contradicts what was said before. */
int take_option(struct request *r, int id, const char *value, struct notes *notes,
                struct error *err);

/* As --sandbox and --permissions say it. */
int take_mode(struct request *r, const char *value, struct error *err);
int take_permissions(struct request *r, const char *value, struct error *err);

#endif
