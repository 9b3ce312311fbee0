/*
 * Called codex-linux-sandbox: what would codex's own helper be asked for?
 *
 * Its options become those of sbx-run, which resolves them as it does its own:
 * the policy decides alone, nobody is asked, and what cannot be held is refused.
 */
#ifndef SBX_LINUX_SANDBOX_CODEX_H
#define SBX_LINUX_SANDBOX_CODEX_H

/* Executes sbx-run; returns only on failure, with the status. */
int codex_main(int argc, char **argv);

#endif
