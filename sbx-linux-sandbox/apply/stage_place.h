/*
 * In which directory is the stage of a root made, so that no command reaches it?
 *
 * Another run may have the same root and protect more in it: what lies there on its way
 * to a protected name could be read and replaced by its command.
 */
#ifndef SBX_LINUX_SANDBOX_APPLY_STAGE_PLACE_H
#define SBX_LINUX_SANDBOX_APPLY_STAGE_PLACE_H

/*
 * Where previews are kept, which no command sees; on another file system the highest
 * directory above the root that is the caller's; the root itself where there is neither.
 */
char *stage_place(int kept, const char *root);

#endif
