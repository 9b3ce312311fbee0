/*
 * How do programs learn of the proxy?
 */
#ifndef SBX_SEATBELT_PROXY_VARIABLES_H
#define SBX_SEATBELT_PROXY_VARIABLES_H

void variables_name_proxy(char ***env, unsigned port, const char *token);

#endif
