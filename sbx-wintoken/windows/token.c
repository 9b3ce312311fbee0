#include "windows/token.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "capability.h"
#include "plan_words.h"

#include <sddl.h>
#include <string.h>

/* Answers of the system have no fixed length. */
static void *information(HANDLE token, TOKEN_INFORMATION_CLASS class, struct error *err)
{
	cleanup_free void *data = NULL;
	DWORD size = 0;

	GetTokenInformation(token, class, NULL, 0, &size);
	data = xmalloc(size ? size : 1);
	if (!GetTokenInformation(token, class, data, size, &size)) {
		system_failed(err, "GetTokenInformation", NULL);
		return NULL;
	}
	return keep_ptr(data);
}

static char *sid_text(PSID sid, struct error *err)
{
	cleanup_local WCHAR *wide = NULL;

	if (!ConvertSidToStringSidW(sid, &wide)) {
		system_failed(err, "ConvertSidToStringSidW", NULL);
		return NULL;
	}
	return system_text(wide);
}

static char *user_sid(HANDLE token, struct error *err)
{
	cleanup_free TOKEN_USER *user = information(token, TokenUser, err);

	return user ? sid_text(user->User.Sid, err) : NULL;
}

static char *logon_sid(HANDLE token, struct error *err)
{
	cleanup_free TOKEN_GROUPS *groups = information(token, TokenGroups, err);

	for (DWORD i = 0; groups && i < groups->GroupCount; i++)
		if ((groups->Groups[i].Attributes & SE_GROUP_LOGON_ID) == SE_GROUP_LOGON_ID)
			return sid_text(groups->Groups[i].Sid, err);
	if (groups)
		error_set(err, EXIT_UNAVAILABLE, "no-logon",
		          "this process belongs to no logon session: start it from one");
	return NULL;
}

/* Frees the list of SIDs that restrict. */
struct restricting {
	SID_AND_ATTRIBUTES *list;
	DWORD count;
};

static void cleanup_restricting_(struct restricting *r)
{
	for (DWORD i = 0; i < r->count; i++)
		LocalFree(r->list[i].Sid);
	free(r->list);
}

static int add_sid(struct restricting *r, const char *text, struct error *err)
{
	cleanup_free WCHAR *wide = system_wide(text, err);
	PSID sid;

	if (!wide)
		return -1;
	if (!ConvertStringSidToSidW(wide, &sid))
		return system_failed(err, "ConvertStringSidToSidW", text);
	list_add(r->list, r->count, (SID_AND_ATTRIBUTES){.Sid = sid});
	return 0;
}

/* What the command makes without saying for whom: for itself and the user. */
static int set_default_dacl(HANDLE token, const struct orders *orders, const char *user,
                            const char *logon, struct error *err)
{
	char *sddl = xasprintf("D:(A;;GA;;;SY)(A;;GA;;;%s)(A;;GA;;;%s)", user, logon);
	cleanup_local PSECURITY_DESCRIPTOR descriptor = NULL;
	cleanup_free WCHAR *wide = NULL;
	TOKEN_DEFAULT_DACL dacl;
	BOOL present, defaulted;

	for (size_t i = 0; orders->sids[i]; i++) {
		char *longer;

		/* Not Everyone: objects of the command are nobody else's. */
		if (!capability_is_sid(orders->sids[i]))
			continue;
		longer = xasprintf("%s(A;;GA;;;%s)", sddl, orders->sids[i]);
		free(sddl);
		sddl = longer;
	}
	wide = system_wide(sddl, err);
	free(sddl);
	if (!wide)
		return -1;
	if (!ConvertStringSecurityDescriptorToSecurityDescriptorW(wide, SDDL_REVISION_1,
	                                                          &descriptor, NULL))
		return system_failed(err, "ConvertStringSecurityDescriptorToSecurityDescriptorW",
		                     NULL);
	if (!GetSecurityDescriptorDacl(descriptor, &present, &dacl.DefaultDacl, &defaulted))
		return system_failed(err, "GetSecurityDescriptorDacl", NULL);
	if (!SetTokenInformation(token, TokenDefaultDacl, &dacl, sizeof(dacl)))
		return system_failed(err, "SetTokenInformation", "TokenDefaultDacl");
	return 0;
}

/* Without this one no path can be walked whose parents cannot be read. */
static int enable_traverse(HANDLE token, struct error *err)
{
	TOKEN_PRIVILEGES privileges = {.PrivilegeCount = 1};

	privileges.Privileges[0].Attributes = SE_PRIVILEGE_ENABLED;
	if (!LookupPrivilegeValueW(NULL, L"SeChangeNotifyPrivilege",
	                           &privileges.Privileges[0].Luid))
		return system_failed(err, "LookupPrivilegeValueW", PLAN_PRIVILEGES);
	/* Succeeds with ERROR_NOT_ALL_ASSIGNED where an administrator took it away. */
	if (!AdjustTokenPrivileges(token, FALSE, &privileges, 0, NULL, NULL))
		return system_failed(err, "AdjustTokenPrivileges", PLAN_PRIVILEGES);
	return 0;
}

HANDLE token_make(const struct orders *orders, struct error *err)
{
	__attribute__((cleanup(cleanup_restricting_))) struct restricting restricting = {0};
	cleanup_handle HANDLE own = NULL, made = NULL;
	cleanup_free char *user = NULL, *logon = NULL;
	HANDLE out;

	if (!OpenProcessToken(GetCurrentProcess(),
	                      TOKEN_DUPLICATE | TOKEN_ASSIGN_PRIMARY | TOKEN_QUERY |
	                              TOKEN_ADJUST_DEFAULT | TOKEN_ADJUST_PRIVILEGES,
	                      &own)) {
		system_failed(err, "OpenProcessToken", NULL);
		return NULL;
	}
	user = user_sid(own, err);
	logon = user ? logon_sid(own, err) : NULL;
	if (!logon)
		return NULL;
	for (size_t i = 0; orders->sids[i]; i++)
		if (add_sid(&restricting,
		            strcmp(orders->sids[i], PLAN_LOGON) == 0 ? logon : orders->sids[i],
		            err) < 0)
			return NULL;
	if (!CreateRestrictedToken(own, DISABLE_MAX_PRIVILEGE | LUA_TOKEN | WRITE_RESTRICTED, 0,
	                           NULL, 0, NULL, restricting.count, restricting.list, &made)) {
		system_failed(err, "CreateRestrictedToken", NULL);
		return NULL;
	}
	if (set_default_dacl(made, orders, user, logon, err) < 0 || enable_traverse(made, err) < 0)
		return NULL;
	out = made;
	made = NULL;
	return out;
}

bool token_is_restricted(HANDLE token)
{
	return IsTokenRestricted(token);
}

PSECURITY_DESCRIPTOR token_private(bool inherited, struct error *err)
{
	cleanup_handle HANDLE own = NULL;
	cleanup_free char *user = NULL, *sddl = NULL;
	cleanup_free WCHAR *wide = NULL;
	PSECURITY_DESCRIPTOR descriptor = NULL;
	const char *flags = inherited ? "OICI" : "";

	if (!OpenProcessToken(GetCurrentProcess(), TOKEN_QUERY, &own)) {
		system_failed(err, "OpenProcessToken", NULL);
		return NULL;
	}
	user = user_sid(own, err);
	if (!user)
		return NULL;
	sddl = xasprintf("D:P(A;%s;FA;;;SY)(A;%s;FA;;;%s)", flags, flags, user);
	wide = system_wide(sddl, err);
	if (wide && !ConvertStringSecurityDescriptorToSecurityDescriptorW(wide, SDDL_REVISION_1,
	                                                                  &descriptor, NULL))
		system_failed(err, "ConvertStringSecurityDescriptorToSecurityDescriptorW", NULL);
	return descriptor;
}
