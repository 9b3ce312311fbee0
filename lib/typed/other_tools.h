/*
 * What is an option of another tool called here?
 */
#ifndef SBX_TYPED_OTHER_TOOLS_H
#define SBX_TYPED_OTHER_TOOLS_H

/* "sandbox read-only" for "read-only": an option's name, perhaps with its value.  NULL: none. */
const char *other_tools_word(const char *name);

#endif
