export const deployHelp = `svc deploy <command> [--config <file>] [--json]

Rolls a version of a service out. deploy.json says where it runs: docs/guides/deployment.md.

  canary --version <v>      move the traffic to the new version in stages, back when it fails
    --resume                go on with what a controller left behind
    --stages 10,25,50,75,100  --stage-time 5m  --max-error-rate 5%  --min-requests 50
    --no-data-time <time>   wait this much longer for requests, then revert (default: one stage)
    --poll 5s               how often the counters are read
    --lost-time 1m          how long the platform may be out of reach
  blue-green --version <v>  switch to the other environment, watch it, keep the old one scaled down
    --keep 1  --watch-time 30s  --max-error-rate 5%
  rolling --version <v>     replace the instances step by step
    --max-unavailable 1  --max-surge 2
  recreate --version <v>    stop everything, then start the new version
    --even-if-critical      although the service is marked critical
  rollback                  take a canary back, switch blue-green back, or (one environment) the revision before
    --revision <n>          roll to a named revision
    --previous              roll to the revision before, although there are two environments
    --even-if-taken-back    switch to a version that was itself taken back, or never had all traffic
  install --environment <blue|green> --version <v>   put a version into an environment without traffic
  scale --environment <blue|green> --instances <n>
  status                    what runs where, the split, the revisions
  check --pre | --post      checks before and after a deployment
    --allow-plaintext       log in to a remote PostgreSQL without TLS; ALLOW_PLAINTEXT=yes does the same
  manifests --strategy <s> --version <v> [--out <folder>] [--dockerfile]   Kubernetes objects as YAML
  haproxy-config [--out <file>]                      the configuration of HAProxy

  --instances <n>           of the new version (default: as many as the old one has)

Times are 500ms, 30s, 5m. Exit codes: 0 done, 1 failed, 2 usage, 3 reverted because of errors, 4 reverted for want of data,
5 interrupted, 6 the platform cannot be reached.`;
