/*
 * Which name does a file system of another kind take this one for?
 *
 * FAT and NTFS ignore case, dots and blanks at the end and what follows a colon, and
 * have a short name for a long one (GIT~1 is .git); HFS+ ignores case and some
 * characters that nobody sees.  On a drive, a share or a checkout on another
 * machine that is what counts.
 */
#ifndef SBX_FS_OTHER_SPELLING_H
#define SBX_FS_OTHER_SPELLING_H

/* To be freed.  A short name is taken for one that begins with a dot. */
char *plainest_spelling(const char *name);

#endif
