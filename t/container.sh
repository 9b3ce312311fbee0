# shellcheck shell=bash disable=SC2034
# A container of Docker's or Kubernetes' kind, as far as a command can see:
# no namespaces, no mounts, no descriptors of other processes.

# as_in_docker COMMAND...: what their default filter refuses is refused.
docker=()
for number in 272 308 438 165 166 155 250 428 429 430 432; do
	docker+=("$TRY" refuse "$number" 1)
done
as_in_docker() { "${docker[@]}" "$@"; }
