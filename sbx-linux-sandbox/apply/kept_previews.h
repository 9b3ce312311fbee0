/*
 * What is done with what previews have kept?
 *
 * sbx-run --changes, --diff, --apply and --discard end up here.
 */
#ifndef SBX_LINUX_SANDBOX_APPLY_KEPT_PREVIEWS_H
#define SBX_LINUX_SANDBOX_APPLY_KEPT_PREVIEWS_H

/*
 * changes PLACE ID; diff PLACE ID PATH...; apply PLACE ID PATH... and force PLACE ID
 * PATH..., with {"then","now"}: permissions on stdin; discard PLACE ID; recover PLACE.
 */
int kept_previews_main(char **words);

#endif
