/*
 * How does the inside become a sandbox, and the command its first program?
 */
#ifndef SBX_LINUX_SANDBOX_INNER_INNER_H
#define SBX_LINUX_SANDBOX_INNER_INNER_H

/*
 * The inner stage: process 1 inside the mounts.  Its last two arguments are
 * the numbers of the control socket and of the plan's fd.
 */
int inner_main(int argc, char *const *argv);

/* The same in a forked child of the outer stage, where there are no mounts. */
int inner_run(int control, int plan);

#endif
