export const deployHelp = `svc deploy <command> [--config <file>] [--json]

Rolls out a version of a service. deploy.json describes where it runs: docs/guides/deployment.md.

  canary --version <v>      move the traffic to the new version in stages; revert when it fails
    --resume                continue a canary whose controller stopped
    --stages 10,25,50,75,100  --stage-time 5m  --max-error-rate 5%  --min-requests 50
    --no-data-time <time>   additional time to wait for requests before reverting (default: one stage)
    --poll 5s               how often to read the counters
    --lost-time 1m          how long the platform may be unreachable
  blue-green --version <v>  switch to the other environment, watch it, scale the old one down to --keep instances
    --keep 1  --watch-time 30s  --max-error-rate 5%
  rolling --version <v>     replace the instances in steps
    --max-unavailable 1  --max-surge 2
  recreate --version <v>    stop everything, then start the new version
    --even-if-critical      even if the service is marked critical
  rollback                  revert a canary, switch blue-green back, or (one environment) restore the previous revision
    --revision <n>          roll to a named revision
    --previous              roll to the previous revision even with two environments
    --even-if-taken-back    switch to a version that was reverted or never had all traffic
  install --environment <blue|green> --version <v>   deploy a version to an environment without traffic
  scale --environment <blue|green> --instances <n>
  status                    show the versions, the traffic split and the revisions
  check --pre | --post      run the checks before or after a deployment
    --allow-plaintext       log in to a remote PostgreSQL without TLS; ALLOW_PLAINTEXT=yes does the same
  manifests --strategy <s> --version <v> [--out <folder>] [--dockerfile]   print Kubernetes objects as YAML
  haproxy-config [--out <file>]                      print the HAProxy configuration

  --instances <n>           instances of the new version (default: as many as the old version has)

Times are 500ms, 30s, 5m. Exit codes: 0 done, 1 failed, 2 wrong usage, 3 reverted because of errors, 4 reverted for lack of data,
5 interrupted, 6 the platform is unreachable.`;
