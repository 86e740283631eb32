import type { Config } from '../../../config.ts'
import type { FeatureBase } from '../../../feature-base.ts'
import { byLabel } from '../../../metrics.ts'
import { hostNamesOf } from '../../../outgoing/outgoing.ts'
import { createProbe } from '../../../outgoing/probes/create-probe.ts'
import type { ChecksStore } from '../checks-store.ts'
import { CheckRunner } from './check-runner.ts'
import { createSight } from './sight.ts'

const lookMs = 100
const storeMs = 1000

export type ChecksRunnerConfig = Pick<
  Config,
  'publicUrl' | 'relayDomain' | 'instanceUrl' | 'allowsPrivateTargets' | 'checkControlTargets'
>

/** What looks at checks, stores what it finds, and takes reports. */
export function checksRunner(
  base: Pick<FeatureBase, 'cluster' | 'changes' | 'clock' | 'log' | 'schedule' | 'metrics'>,
  {
    config,
    store,
  }: {
    readonly config: ChecksRunnerConfig
    readonly store: Pick<ChecksStore, 'read' | 'loadAll' | 'record' | 'requestLook'>
  },
) {
  const { cluster, changes, clock, log, schedule, metrics } = base
  const { probe, isRefusedTarget } = createProbe({
    clock,
    ownHosts: hostNamesOf(config),
    allowsPrivate: config.allowsPrivateTargets,
  })
  const recordLate = metrics.timings({
    name: 'astropelago_check_late_seconds',
    help: 'How late looks at checks begin',
    buckets: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
  })
  const runner = new CheckRunner({
    store,
    probe,
    sight: createSight({ controls: config.checkControlTargets, clock }),
    clock,
    leads: cluster.leads,
    log,
    recordLate,
  })
  metrics.counter({
    name: 'astropelago_check_looks_total',
    help: 'Looks at checks since the start, by outcome',
    labels: ['outcome'],
    read: () => byLabel('outcome', runner.outcomes),
  })
  metrics.gauge({
    name: 'astropelago_checks_held',
    help: 'Checks that this server looks at or awaits reports of; 0 on all but the leader',
    read: () => runner.heldCount,
  })
  changes.subscribe('checks', ({ keys }) => runner.follow(keys))
  changes.subscribe('check-looks', ({ keys }) => runner.lookSoon(keys))
  schedule.every(lookMs, 'could not look at checks', async () => runner.lookAtDue())
  schedule.every(storeMs, 'could not store what checks found', () => runner.store())
  schedule.atEnd(() => runner.stop())
  return { runner, probe, isRefusedTarget }
}
