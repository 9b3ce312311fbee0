/*
 * Which files does a tool run, load or obey because of what they are called?
 */
#ifndef SBX_LINUX_SANDBOX_CHANGES_KNOWN_TO_TOOLS_H
#define SBX_LINUX_SANDBOX_CHANGES_KNOWN_TO_TOOLS_H

/* Of a normal path: why, for a person, and one of few; NULL: none that is known. */
const char *known_to_tools(const char *path);

#endif
