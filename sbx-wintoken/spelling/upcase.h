/*
 * Which letters differ in case only?  Beyond ASCII, as Unicode says; file
 * systems of Windows carry a table of their own that is close to it.
 */
#ifndef SBX_WINTOKEN_SPELLING_UPCASE_H
#define SBX_WINTOKEN_SPELLING_UPCASE_H

#include <stdint.h>

uint32_t upcase(uint32_t character);

#endif
