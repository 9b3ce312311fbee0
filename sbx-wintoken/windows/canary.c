#include "windows/canary.h"

#include "access/acl.h"
#include "base/cleanup.h"
#include "base/memory.h"
#include "access/folder.h"
#include "windows/token.h"

#include <stdbool.h>
#include <string.h>

/* Below a private directory: "file" and "shut" without a grant, "open" with one. */
static const struct attempt {
	const char *name; /* in the directory */
	DWORD access;
	DWORD creation;
	bool allowed;
	const char *what;
} attempts[] = {
        {"made", GENERIC_WRITE, CREATE_NEW, false, "making a file"},
        {"file", FILE_WRITE_DATA, OPEN_EXISTING, false, "writing a file"},
        {"file", FILE_WRITE_ATTRIBUTES, OPEN_EXISTING, false, "changing attributes"},
        {"file", DELETE, OPEN_EXISTING, false, "deleting a file"},
        /* An owner who may change entries can give himself the rest. */
        {"file", WRITE_DAC, OPEN_EXISTING, false, "changing access entries"},
        {"file", WRITE_OWNER, OPEN_EXISTING, false, "taking ownership"},
        {"open\\shut\\made", GENERIC_WRITE, CREATE_NEW, false, "making a file in a carve-out"},
        {"open\\shut", DELETE, OPEN_EXISTING, false, "renaming a carve-out"},
        /* Reading stays, and the grant works. */
        {"file", GENERIC_READ, OPEN_EXISTING, true, "reading a file"},
        {"open\\made", GENERIC_WRITE, CREATE_NEW, true, "making a file in a writable root"},
};

static int try_one(const char *top, const struct attempt *attempt, struct error *err)
{
	cleanup_free char *path = xasprintf("%s\\%s", top, attempt->name);
	cleanup_free WCHAR *wide = system_path(path, err);
	cleanup_handle HANDLE file = NULL;
	bool worked;

	if (!wide)
		return -1;
	file = CreateFileW(wide, attempt->access,
	                   FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL,
	                   attempt->creation, FILE_FLAG_BACKUP_SEMANTICS, NULL);
	worked = file != INVALID_HANDLE_VALUE;
	if (worked == attempt->allowed)
		return 0;
	if (!worked)
		return system_failed(err, "CreateFileW", attempt->what);
	return error_set(err, EXIT_UNAVAILABLE, "not-enforced",
	                 "this system does not hold restricted tokens: %s outside the policy "
	                 "worked (wine holds none; --unenforced runs without any protection)",
	                 attempt->what);
}

static int try_all(HANDLE token, const char *top, struct error *err)
{
	cleanup_handle HANDLE other = NULL;
	int status = 0;

	if (!DuplicateTokenEx(token, TOKEN_QUERY | TOKEN_IMPERSONATE, NULL, SecurityImpersonation,
	                      TokenImpersonation, &other))
		return system_failed(err, "DuplicateTokenEx", NULL);
	if (!ImpersonateLoggedOnUser(other))
		return system_failed(err, "ImpersonateLoggedOnUser", NULL);
	for (size_t i = 0; status == 0 && i < sizeof(attempts) / sizeof(attempts[0]); i++)
		status = try_one(top, &attempts[i], err);
	/* Going on as somebody else would be worse than ending. */
	if (!RevertToSelf())
		ExitProcess(125);
	return status;
}

static int change(const char *path, const char *sid, enum acl_change change, struct error *err)
{
	bool directory, missing;
	cleanup_handle HANDLE handle = folder_pin(path, &directory, &missing, err);

	return handle ? acl_change(handle, SE_FILE_OBJECT, sid, change, directory, err) : -1;
}

static int prepare(const char *top, const char *sid, struct error *err)
{
	cleanup_free char *file = xasprintf("%s\\file", top);
	cleanup_free char *granted = xasprintf("%s\\open", top);
	cleanup_free char *denied = xasprintf("%s\\open\\shut", top);
	cleanup_free WCHAR *wide = system_path(file, err);
	cleanup_handle HANDLE made = NULL;

	if (!wide || folder_make_private(top, err) < 0)
		return -1;
	made = CreateFileW(wide, GENERIC_WRITE, 0, NULL, CREATE_NEW, 0, NULL);
	if (made == INVALID_HANDLE_VALUE)
		return system_failed(err, "CreateFileW", file);
	if (folder_make(granted, err) < 0 || change(granted, sid, ACL_ALLOW, err) < 0 ||
	    folder_make(denied, err) < 0)
		return -1;
	return change(denied, sid, ACL_DENY, err);
}

/* Deepest first; what an attempt made is among them. */
static void clean_up(const char *top)
{
	static const char *const names[] = {
	        "open\\shut\\made", "open\\shut", "open\\made", "open", "made", "file", ""};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		cleanup_free char *path =
		        xasprintf("%s%s%s", top, names[i][0] ? "\\" : "", names[i]);
		struct error ignored = {0};
		cleanup_free WCHAR *wide = system_path(path, &ignored);

		if (wide && !DeleteFileW(wide))
			RemoveDirectoryW(wide);
	}
}

int canary_try(HANDLE token, const struct orders *orders, struct error *err)
{
	cleanup_free char *top =
	        xasprintf("%s\\canary-%lu", orders->state, (unsigned long)GetCurrentProcessId());
	int status;

	if (!token_is_restricted(token))
		return error_set(err, EXIT_UNAVAILABLE, "not-enforced",
		                 "this system does not hold restricted tokens: IsTokenRestricted "
		                 "says no (wine holds none; --unenforced runs without any "
		                 "protection)");
	/* Of a launcher with our number that was killed. */
	clean_up(top);
	status = prepare(top, orders->sids[0], err);
	if (status == 0)
		status = try_all(token, top, err);
	clean_up(top);
	return status;
}
