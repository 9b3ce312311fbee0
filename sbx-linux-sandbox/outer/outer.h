/*
 * How does a sandbox begin and end, seen from outside?
 */
#ifndef SBX_LINUX_SANDBOX_OUTER_OUTER_H
#define SBX_LINUX_SANDBOX_OUTER_OUTER_H

/*
 * The outer stage.  Exits with the command's code, 128 + its signal, or 125,
 * 126, 127 as sbx-run does.
 */
int outer_main(int argc, char **argv);

#endif
