import type { Maintenance } from '@astropelago/contract/alert-maintenance'
import { sameRules, type SubjectRulesChanges } from '@astropelago/contract/alert-rules'
import type { SubjectAlerts } from '@astropelago/contract/alerts'
import type { Clock } from '../../clock.ts'
import { DomainError } from '../../domain-error.ts'
import type { AlertRulesStore, DifferingRules } from './alert-rules-store.ts'
import type { Channels } from './channels/channel.ts'
import type { IslandChangeSource } from './read-islands.ts'
import {
  covers,
  defaultUserRules,
  isAlerted,
  subjectName,
  type MaintenanceRecord,
  type Subject,
} from './user-rules.ts'

interface ThingAlertsDeps {
  readonly rules: Pick<AlertRulesStore, 'rulesOf' | 'changeThingRules' | 'listDiffering'>
  readonly channels: Pick<Channels, 'idsOf'>
  readonly islands: Pick<IslandChangeSource, 'whoMayGetAlerts'>
  readonly clock: Clock
}

/** Alert rules of one device or island. The caller has checked that the user may see it. */
export function subjectAlerts({ rules, channels, islands, clock }: ThingAlertsDeps) {
  const read = async (userKey: number, subject: Subject): Promise<SubjectAlerts> => {
    const user = (await rules.rulesOf([userKey])).get(userKey) ?? defaultUserRules
    return {
      rules: user.differing.get(subjectName(subject)) ?? sameRules,
      isOn: isAlerted(subject, user),
      maintenance: presentMaintenance(user.maintenance, clock()).filter((planned) =>
        covers(planned, subject),
      ),
    }
  }
  return {
    read,
    /** @throws DomainError `invalid_input` for channels that are not the user's, `alert_islands_limit` */
    change: async (
      userKey: number,
      subject: Subject,
      changes: SubjectRulesChanges,
    ): Promise<SubjectAlerts> => {
      await refuseOthersChannels(channels, userKey, changes.channels)
      const change = () =>
        rules.changeThingRules(userKey, subject, (before) => ({ ...before, ...changes }), clock())
      if (await change()) return read(userKey, subject)
      // The user cannot find these islands to give them up by hand.
      const { unknown } = await listDiffering({ rules, islands }, userKey)
      for (const island of unknown) {
        await rules.changeThingRules(userKey, island, () => sameRules, clock())
        if (await change()) return read(userKey, subject)
      }
      throw new DomainError('alert_islands_limit')
    },
  }
}

/** @throws DomainError `invalid_input` */
export async function refuseOthersChannels(
  channels: Pick<Channels, 'idsOf'>,
  userKey: number,
  chosen: readonly string[] | null | undefined,
): Promise<void> {
  if (chosen === null || chosen === undefined) return
  const own = new Set(await channels.idsOf(userKey))
  if (chosen.every((id) => own.has(id))) return
  throw new DomainError('invalid_input', { fields: { channels: 'There is no such channel.' } })
}

/**
 * Things with rules of their own: those the user may know of, and others' islands that the user may no
 * longer know of.
 */
export async function listDiffering(
  {
    rules,
    islands,
  }: {
    readonly rules: Pick<AlertRulesStore, 'listDiffering'>
    readonly islands: Pick<IslandChangeSource, 'whoMayGetAlerts'>
  },
  userKey: number,
): Promise<{
  readonly known: readonly DifferingRules[]
  readonly unknown: readonly DifferingRules[]
}> {
  const differing = await rules.listDiffering(userKey)
  const others = differing.filter(({ isOwn }) => !isOwn)
  const mayBeTold = await islands.whoMayGetAlerts(
    others.map(({ key: islandKey }) => ({ userKey, islandKey })),
  )
  return {
    known: differing.filter(({ isOwn, key }) => isOwn || mayBeTold(userKey, key)),
    unknown: others.filter(({ key }) => !mayBeTold(userKey, key)),
  }
}

/** Leaves out maintenance that is over. */
export function presentMaintenance(
  records: readonly MaintenanceRecord[],
  nowMs: number,
): Maintenance[] {
  return records
    .filter(({ toMs }) => toMs > nowMs)
    .map(({ id, fromMs, toMs, devices, islands, note }) => ({
      id,
      from: new Date(fromMs).toISOString(),
      until: new Date(toMs).toISOString(),
      devices: devices === null ? null : [...devices],
      islands: islands === null ? null : [...islands],
      note,
    }))
}
