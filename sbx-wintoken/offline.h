/*
 * What tells programs that there is no network?
 *
 * Nothing here stops a socket: a restricted token cannot.  Tools that honour
 * proxies, offline switches or PATH fail early instead of waiting.
 */
#ifndef SBX_WINTOKEN_OFFLINE_H
#define SBX_WINTOKEN_OFFLINE_H

#include "policy/words.h"

#include <jansson.h>

/* The changes to the command's environment; variables.h makes them. */
json_t *offline_environment(enum network network, const char *stub_directory);

/* [{"name","text"}]: programs that stand in for network tools. */
json_t *offline_stubs(enum network network);

#endif
