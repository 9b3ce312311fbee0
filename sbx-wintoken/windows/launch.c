/*
 * In which order is a plan carried out?
 */
#include "launch.h"

#include "base/cleanup.h"
#include "base/complain.h"
#include "base/memory.h"
#include "windows/canary.h"
#include "windows/child.h"
#include "document/osstring.h"
#include "windows/environment_block.h"
#include "windows/executable.h"
#include "access/file.h"
#include "read_plan.h"
#include "access/rights.h"
#include "spelling/winpath.h"
#include "windows/stubs.h"
#include "windows/token.h"
#include "variables.h"

#include <string.h>

enum {
	TIMED_OUT = 124,
	FAILED = 125,
	NOT_EXECUTABLE = 126,
	NOT_FOUND = 127,
};

/* ^C is the command's to answer; we wait for it, and clean up after it. */
static BOOL WINAPI stay(DWORD event)
{
	return event == CTRL_C_EVENT || event == CTRL_BREAK_EVENT;
}

/* A whole path may be long; one from here is the system's to complete. */
static WCHAR *plan_path(const char *file, struct error *err)
{
	struct winpath path = {0};
	struct error ignored = {0};
	WCHAR *wide;

	if (winpath_get(file, &path, &ignored) < 0)
		return system_wide(file, err);
	wide = system_path(path.path, err);
	winpath_free(&path);
	return wide;
}

static int read_orders(const struct launch *launch, struct orders *orders, struct error *err)
{
	cleanup_free WCHAR *wide = NULL;
	cleanup_free char *text = NULL;
	size_t len;

	if (launch->plan_json)
		return orders_read(launch->plan_json, strlen(launch->plan_json), orders, err);
	if (!launch->plan_file)
		return error_set(err, EXIT_USAGE, "usage",
		                 "no plan: --plan-file FILE, made by sbx-wintoken --plan");
	wide = plan_path(launch->plan_file, err);
	text = wide ? file_read(wide, ORDERS_MAX, &len, err) : NULL;
	if (!text)
		return -1;
	if (len == 0)
		return error_set(err, EXIT_INPUT, "bad-plan", "\"%s\": no such plan",
		                 launch->plan_file);
	return orders_read(text, len, orders, err);
}

/* With the rights in place: check that the token is held, then run. */
static int run(const struct launch *launch, const struct orders *orders,
               const struct executable *executable, char **env, struct ended *ended,
               struct error *err)
{
	cleanup_handle HANDLE token = token_make(orders, err);
	struct error later = {0};
	struct rights rights;
	int status;

	if (!token)
		return -1;
	if (!launch->unenforced && canary_try(token, orders, err) < 0)
		return -1;
	if (rights_begin(&rights, orders, launch->unenforced, err) < 0)
		return -1;
	status = child_run(token, orders, executable, env, ended, err);
	/* The command's own status stands; what stays is taken by the next run. */
	if (rights_end(&rights, &later) < 0)
		complain("some access entries could not be removed: %s", later.message);
	return status;
}

static int carry_out(const struct launch *launch, const struct orders *orders, struct ended *ended,
                     struct error *err)
{
	cleanup_vector char **env = block_read(err);
	struct executable executable = {0};
	int status = -1;

	if (!env)
		return -1;
	variables_apply(&env, orders->environment);
	if (stubs_write(orders, err) == 0 &&
	    executable_find(&executable, launch->argv, env, orders->cwd, err) == 0)
		status = run(launch, orders, &executable, env, ended, err);
	executable_free(&executable);
	return status;
}

int launch(const struct launch *launch)
{
	struct ended ended = {0};
	struct error err = {0};
	struct orders orders;
	int status = read_orders(launch, &orders, &err);

	if (status == 0) {
		if (launch->unenforced)
			complain("--unenforced: nothing holds this command");
		SetConsoleCtrlHandler(stay, TRUE);
		status = carry_out(launch, &orders, &ended, &err);
		orders_free(&orders);
	}
	if (status < 0) {
		complain("%s", err.message);
		return err.exit == NOT_FOUND || err.exit == NOT_EXECUTABLE ? err.exit : FAILED;
	}
	if (ended.timed_out) {
		complain("timed out; everything it started was ended");
		return TIMED_OUT;
	}
	/* All 32 bits: a crash is 0xC0000005, not 5. */
	ExitProcess(ended.code);
}
