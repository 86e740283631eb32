import type { Maintenance } from '@astropelago/contract/alert-maintenance'
import { sameRules, type ThingRulesChanges } from '@astropelago/contract/alert-rules'
import type { ThingAlerts } from '@astropelago/contract/alerts'
import type { Clock } from '../../clock.ts'
import { DomainError } from '../../domain-error.ts'
import type { AlertRulesStore } from './alert-rules-store.ts'
import type { Channels } from './channels/channel.ts'
import {
  covers,
  defaultUserRules,
  isTold,
  subjectName,
  type MaintenanceRecord,
  type Subject,
} from './user-rules.ts'

interface ThingAlertsDeps {
  readonly rules: Pick<AlertRulesStore, 'rulesOf' | 'changeThingRules'>
  readonly channels: Pick<Channels, 'idsOf'>
  readonly clock: Clock
}

/** What a user is told of one device or island, which the caller has found to be for the user. */
export function thingAlerts({ rules, channels, clock }: ThingAlertsDeps) {
  const read = async (userKey: number, subject: Subject): Promise<ThingAlerts> => {
    const user = (await rules.rulesOf([userKey])).get(userKey) ?? defaultUserRules
    return {
      rules: user.differing.get(subjectName(subject)) ?? sameRules,
      isOn: isTold(subject, user),
      maintenance: presentMaintenance(user.maintenance, clock()).filter((planned) =>
        covers(planned, subject),
      ),
    }
  }
  return {
    read,
    /** @throws DomainError `invalid_input` for channels that are not the user's */
    change: async (
      userKey: number,
      subject: Subject,
      changes: ThingRulesChanges,
    ): Promise<ThingAlerts> => {
      await refuseOthersChannels(channels, userKey, changes.channels)
      await rules.changeThingRules(
        userKey,
        subject,
        (before) => ({ ...before, ...changes }),
        clock(),
      )
      return read(userKey, subject)
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

/** Those that are not over. */
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
