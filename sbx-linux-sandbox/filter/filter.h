/*
 * Which system calls are refused?  Answered once, when sbx is built: the rules
 * are compiled by libseccomp into every filter that can be asked for, so that
 * a launch neither compiles nor needs the library.
 */
#ifndef SBX_FILTER_H
#define SBX_FILTER_H

#include "../seccomp.h"

/* Writes the kernel's form of the filter to fd; 0 or -errno. */
int filter_compile(const struct seccomp_choice *choice, int fd);

/* Prints the rules themselves as C. */
void filter_print_rules(void);

#endif
