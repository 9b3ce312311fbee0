/*
 * Entries are added where the system wants them, and taken out again without a
 * trace.  On an event: wine keeps the access list of one, and not of a file.
 */
#include "access/acl.h"

#include "base/cleanup.h"
#include "base/memory.h"

#include <aclapi.h>
#include <sddl.h>
#include <stdio.h>
#include <string.h>

#define OURS "S-1-5-21-1-2-3-4"

static int count, failed;

static void check(int good, const char *what, const char *got)
{
	failed += !good;
	printf("%sok %d - %s\n", good ? "" : "not ", ++count, what);
	if (!good)
		printf("# got %s\n", got ? got : "nothing");
}

static HANDLE with_list(const WCHAR *sddl)
{
	SECURITY_ATTRIBUTES attributes = {.nLength = sizeof(attributes)};

	ConvertStringSecurityDescriptorToSecurityDescriptorW(
	        sddl, SDDL_REVISION_1, &attributes.lpSecurityDescriptor, NULL);
	return CreateEventW(&attributes, TRUE, FALSE, NULL);
}

/* The list as text, and how long it is. */
static char *list_of(HANDLE object)
{
	PSECURITY_DESCRIPTOR descriptor = NULL;
	PACL list = NULL;
	WCHAR *text = NULL;

	GetSecurityInfo(object, SE_KERNEL_OBJECT, DACL_SECURITY_INFORMATION, NULL, NULL, &list,
	                NULL, &descriptor);
	ConvertSecurityDescriptorToStringSecurityDescriptorW(
	        descriptor, SDDL_REVISION_1, DACL_SECURITY_INFORMATION, &text, NULL);
	return xasprintf("%s %u", text ? system_text(text) : "", list ? list->AclSize : 0);
}

static int change(HANDLE object, enum acl_change what)
{
	struct error err = {0};
	int status = acl_change(object, SE_KERNEL_OBJECT, OURS, what, true, &err);

	if (status < 0)
		printf("# %s\n", err.message);
	return status;
}

static int has(HANDLE object, enum acl_change what)
{
	struct error err = {0};

	return acl_has(object, SE_KERNEL_OBJECT, OURS, what, &err);
}

static void check_list(const WCHAR *sddl)
{
	HANDLE object = with_list(sddl);
	char *before = list_of(object), *after;
	const char *ours, *other;

	check(has(object, ACL_ALLOW) == 0 && has(object, ACL_DENY) == 0, "control: nothing yet",
	      before);
	check(change(object, ACL_ALLOW) == 0 && has(object, ACL_ALLOW) == 1, "a grant", before);
	check(change(object, ACL_ALLOW) == 0, "a grant again", before);
	after = list_of(object);
	ours = strstr(after, OURS);
	check(ours && !strstr(ours + 1, OURS), "is there once", after);
	other = strstr(after, "(D;;");
	check(!other || other < ours, "behind denials", after);
	check(change(object, ACL_REMOVE) == 0 && has(object, ACL_ALLOW) == 0, "taken out", before);
	after = list_of(object);
	check(strcmp(before, after) == 0, "without a trace", after);
	check(change(object, ACL_DENY) == 0 && has(object, ACL_DENY) == 1, "a denial", before);
	after = list_of(object);
	check(strncmp(after, "D:", 2) == 0 && strstr(after, "(D;") == strchr(after, '('),
	      "comes first", after);
	check(strstr(after, "CIOI") || strstr(after, "OICI"), "and is passed on", after);
	check(change(object, ACL_REMOVE) == 0, "taken out", before);
	after = list_of(object);
	check(strcmp(before, after) == 0, "without a trace", after);
	for (int i = 0; i < 20; i++) {
		change(object, ACL_ALLOW);
		change(object, ACL_REMOVE);
	}
	after = list_of(object);
	check(strcmp(before, after) == 0, "twenty times", after);
	CloseHandle(object);
}

int main(void)
{
	SECURITY_DESCRIPTOR none;
	SECURITY_ATTRIBUTES attributes = {.nLength = sizeof(attributes),
	                                  .lpSecurityDescriptor = &none};
	struct error err = {0};
	HANDLE empty;

	check_list(L"D:(A;;GA;;;SY)(A;;GA;;;BA)(A;;GR;;;WD)");
	check_list(L"D:(D;;GW;;;S-1-5-21-9-9-9-9)(A;OICI;GA;;;SY)(A;OICI;GA;;;S-1-5-21-9-9-9-9)");
	check_list(L"D:");
	InitializeSecurityDescriptor(&none, SECURITY_DESCRIPTOR_REVISION);
	SetSecurityDescriptorDacl(&none, TRUE, NULL, FALSE);
	empty = CreateEventW(&attributes, TRUE, FALSE, NULL);
	check(acl_change(empty, SE_KERNEL_OBJECT, OURS, ACL_DENY, true, &err) < 0 &&
	              strstr(err.message, "everybody may write"),
	      "what has no list cannot be protected", err.message);
	check(acl_change(empty, SE_KERNEL_OBJECT, "nonsense", ACL_DENY, true, &err) < 0 &&
	              strstr(err.message, "ConvertStringSidToSidW"),
	      "an error names the call", err.message);
	printf("1..%d\n", count);
	return failed != 0;
}
