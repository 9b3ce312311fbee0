#include "access/acl.h"

#include "base/cleanup.h"
#include "base/memory.h"

#include <aclapi.h>
#include <sddl.h>
#include <string.h>

/*
 * Without FILE_DELETE_CHILD: it would let a carve-out be renamed away although
 * the carve-out itself denies that.  Without WRITE_DAC and WRITE_OWNER: the
 * command does not change entries.
 */
#define ALLOWED (FILE_GENERIC_READ | FILE_GENERIC_WRITE | FILE_GENERIC_EXECUTE | DELETE)

#define DENIED                                                                                     \
	(FILE_WRITE_DATA | FILE_APPEND_DATA | FILE_WRITE_EA | FILE_WRITE_ATTRIBUTES |              \
	 FILE_DELETE_CHILD | DELETE | WRITE_DAC | WRITE_OWNER)

/* What Everyone must not have, or the token's limits do not bite. */
#define CHANGES (DENIED | GENERIC_WRITE | GENERIC_ALL)

static ACE_HEADER *ace_at(PACL list, DWORD i)
{
	void *ace = NULL;

	return GetAce(list, i, &ace) ? ace : NULL;
}

/* Both kinds have one shape; others are not ours. */
static PSID sid_of(ACE_HEADER *ace)
{
	if (ace->AceType != ACCESS_ALLOWED_ACE_TYPE && ace->AceType != ACCESS_DENIED_ACE_TYPE)
		return NULL;
	return &((ACCESS_ALLOWED_ACE *)(void *)ace)->SidStart;
}

static bool is_own_entry(ACE_HEADER *ace, PSID sid)
{
	return sid_of(ace) && !(ace->AceFlags & INHERITED_ACE) && EqualSid(sid_of(ace), sid);
}

/* The order that the system wants: own denials, own grants, inherited ones. */
static bool goes_before(enum acl_change change, const ACE_HEADER *ace)
{
	return change == ACL_DENY || (ace->AceFlags & INHERITED_ACE) ||
	       ace->AceType != ACCESS_DENIED_ACE_TYPE;
}

static BOOL add_entry(PACL list, enum acl_change change, DWORD flags, PSID sid)
{
	return change == ACL_DENY ? AddAccessDeniedAceEx(list, ACL_REVISION, flags, DENIED, sid)
	                          : AddAccessAllowedAceEx(list, ACL_REVISION, flags, ALLOWED, sid);
}

/* A copy with the change made; the SID's own entry is never there twice. */
static PACL changed(PACL old, PSID sid, enum acl_change change, bool container, struct error *err)
{
	DWORD flags = container ? OBJECT_INHERIT_ACE | CONTAINER_INHERIT_ACE : 0;
	DWORD size = old->AclSize + (DWORD)sizeof(ACCESS_ALLOWED_ACE) + GetLengthSid(sid);
	cleanup_free PACL list = xmalloc(size);
	bool added = change == ACL_REMOVE;
	ACL_SIZE_INFORMATION used;

	if (!InitializeAcl(list, size, old->AclRevision)) {
		system_failed(err, "InitializeAcl", NULL);
		return NULL;
	}
	for (DWORD i = 0; i < old->AceCount; i++) {
		ACE_HEADER *ace = ace_at(old, i);

		if (!ace) {
			system_failed(err, "GetAce", NULL);
			return NULL;
		}
		/* A grant that a denial replaces goes, and the other way round. */
		if (is_own_entry(ace, sid))
			continue;
		if (!added && goes_before(change, ace)) {
			added = true;
			if (!add_entry(list, change, flags, sid)) {
				system_failed(err, "AddAccessAllowedAceEx", NULL);
				return NULL;
			}
		}
		if (!AddAce(list, old->AclRevision, MAXDWORD, ace, ace->AceSize)) {
			system_failed(err, "AddAce", NULL);
			return NULL;
		}
	}
	if (!added && !add_entry(list, change, flags, sid)) {
		system_failed(err, "AddAccessAllowedAceEx", NULL);
		return NULL;
	}
	/* No slack: it would grow with every run. */
	if (!GetAclInformation(list, &used, sizeof(used), AclSizeInformation)) {
		system_failed(err, "GetAclInformation", NULL);
		return NULL;
	}
	list->AclSize = (WORD)used.AclBytesInUse;
	return keep_ptr(list);
}

static PSID parse_sid(const char *text, struct error *err)
{
	cleanup_free WCHAR *wide = system_wide(text, err);
	PSID sid = NULL;

	if (wide && !ConvertStringSidToSidW(wide, &sid))
		system_failed(err, "ConvertStringSidToSidW", text);
	return sid;
}

/* The list, inside *descriptor, which is for LocalFree(). */
static PACL get(HANDLE object, SE_OBJECT_TYPE type, PSECURITY_DESCRIPTOR *descriptor,
                struct error *err)
{
	PACL list = NULL;
	DWORD code = GetSecurityInfo(object, type, DACL_SECURITY_INFORMATION, NULL, NULL, &list,
	                             NULL, descriptor);

	if (code != ERROR_SUCCESS)
		system_failed_with(err, code, "GetSecurityInfo", NULL);
	else if (!list)
		error_set(err, EXIT_UNAVAILABLE, "open-to-everyone",
		          "it has no access list: everybody may write it");
	return list;
}

int acl_change(HANDLE object, SE_OBJECT_TYPE type, const char *text, enum acl_change change,
               bool container, struct error *err)
{
	cleanup_local PSECURITY_DESCRIPTOR descriptor = NULL;
	cleanup_local PSID sid = parse_sid(text, err);
	PACL old = sid ? get(object, type, &descriptor, err) : NULL;
	cleanup_free PACL list = old ? changed(old, sid, change, container, err) : NULL;
	DWORD code;

	if (!list)
		return -1;
	code = SetSecurityInfo(object, type, DACL_SECURITY_INFORMATION, NULL, NULL, list, NULL);
	return code == ERROR_SUCCESS ? 0 : system_failed_with(err, code, "SetSecurityInfo", NULL);
}

int acl_has(HANDLE object, SE_OBJECT_TYPE type, const char *text, enum acl_change change,
            struct error *err)
{
	cleanup_local PSECURITY_DESCRIPTOR descriptor = NULL;
	cleanup_local PSID sid = parse_sid(text, err);
	PACL list = sid ? get(object, type, &descriptor, err) : NULL;
	BYTE kind = change == ACL_DENY ? ACCESS_DENIED_ACE_TYPE : ACCESS_ALLOWED_ACE_TYPE;

	if (!list)
		return -1;
	for (DWORD i = 0; i < list->AceCount; i++) {
		ACE_HEADER *ace = ace_at(list, i);

		if (ace && ace->AceType == kind && is_own_entry(ace, sid))
			return 1;
	}
	return 0;
}

bool acl_open_to_everyone(PACL list)
{
	BYTE buffer[SECURITY_MAX_SID_SIZE];
	DWORD size = sizeof(buffer);

	if (!list || !CreateWellKnownSid(WinWorldSid, NULL, buffer, &size))
		return true;
	for (DWORD i = 0; i < list->AceCount; i++) {
		ACE_HEADER *ace = ace_at(list, i);

		if (ace && ace->AceType == ACCESS_ALLOWED_ACE_TYPE &&
		    !(ace->AceFlags & INHERIT_ONLY_ACE) && EqualSid(sid_of(ace), buffer) &&
		    ((ACCESS_ALLOWED_ACE *)(void *)ace)->Mask & CHANGES)
			return true;
	}
	return false;
}
