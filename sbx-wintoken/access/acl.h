/*
 * How is one entry added to an access list, and taken out again?
 *
 * Every other entry is left as and where it was.
 */
#ifndef SBX_WINTOKEN_ACL_H
#define SBX_WINTOKEN_ACL_H

#include "windows/system.h"

#include <accctrl.h>
#include <stdbool.h>

enum acl_change {
	ACL_ALLOW,  /* may read, write, execute and delete */
	ACL_DENY,   /* may not change or delete */
	ACL_REMOVE, /* every own entry of the SID */
};

/* Changes the list of an open object; `container`: for what is in it as well. */
int acl_change(HANDLE object, SE_OBJECT_TYPE type, const char *sid, enum acl_change change,
               bool container, struct error *err);

/* 1 when the object has the entry that acl_change() adds, 0 when not. */
int acl_has(HANDLE object, SE_OBJECT_TYPE type, const char *sid, enum acl_change change,
            struct error *err);

/* True when the list lets Everyone write, or when there is none. */
bool acl_open_to_everyone(PACL list);

#endif
