/*
 * Which words does a plan use for what the system calls by numbers?
 *
 * The launcher knows these and no others.
 */
#ifndef SBX_WINTOKEN_PLAN_WORDS_H
#define SBX_WINTOKEN_PLAN_WORDS_H

#define PLAN_VERSION 1

#define PLAN_LEVEL_OFF      "disabled"
#define PLAN_LEVEL          "restricted-token"
#define PLAN_LEVEL_ELEVATED "elevated"

/* Of the elevated level, which is not carried out: users that an administrator makes. */
#define PLAN_USER_OFFLINE "CodexSandboxOffline"
#define PLAN_USER_ONLINE  "CodexSandboxOnline"

/* "logon" stands for the SID of the session that the launcher runs in. */
#define PLAN_LOGON    "logon"
#define PLAN_EVERYONE "S-1-1-0"

/* CreateRestrictedToken(): no privileges, no administrator, limits on writing. */
#define PLAN_TOKEN_FLAGS "DISABLE_MAX_PRIVILEGE", "LUA_TOKEN", "WRITE_RESTRICTED"

/* Kept: without it no directory can be passed through. */
#define PLAN_PRIVILEGES "SeChangeNotifyPrivilege"

/* The job: gone with the launcher, no dialog about a crash, no breaking away. */
#define PLAN_JOB_LIMITS "KILL_ON_JOB_CLOSE", "DIE_ON_UNHANDLED_EXCEPTION"

/* No windows of others, no clipboard, no system settings, no log-off. */
#define PLAN_UI_LIMITS                                                                             \
	"HANDLES", "READCLIPBOARD", "WRITECLIPBOARD", "SYSTEMPARAMETERS", "DISPLAYSETTINGS",       \
	        "GLOBALATOMS", "DESKTOP", "EXITWINDOWS"

#endif
