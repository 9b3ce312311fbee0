# shellcheck shell=bash disable=SC2034,SC2119,SC2120
# A container of Docker's or Kubernetes' kind, as far as a command can see:
# no namespaces, no mounts, no descriptors of other processes.
docker=("$TRY" docker)

# The default sandbox of the workspace, there.
set_docker_box() { box=("${docker[@]}" "$SBX/sbx-run" -s workspace-write -a never -C "$ws" "$@" --); }
