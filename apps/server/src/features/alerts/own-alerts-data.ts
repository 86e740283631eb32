import { newestPosition, type PagePosition } from '../../page-position.ts'
import { counted, type OwnDataKind } from '../../own-data.ts'
import type { AlertRulesStore } from './alert-rules-store.ts'
import { presentMessage } from './alerts-routes.ts'
import type { AlertsStore } from './alerts-store.ts'
import type { IslandChangeSource } from './read-islands.ts'
import { listDiffering, presentMaintenance } from './subject-alerts.ts'

const pageLength = 100

/** A user's alert messages in the account's export, newest first. */
export function ownAlertsData(
  store: Pick<AlertsStore, 'countMessages' | 'listMessages'>,
): OwnDataKind {
  return {
    kind: 'alerts',
    count: store.countMessages,
    text: (count) => counted(count, 'alert', 'alerts'),
    read: async function* (userKey) {
      let after: PagePosition = newestPosition
      for (;;) {
        const page = await store.listMessages(userKey, { after, limit: pageLength })
        for (const message of page) yield JSON.stringify(presentMessage(message))
        const last = page.at(-1)
        if (last === undefined || page.length < pageLength) return
        after = last
      }
    },
  }
}

/**
 * A user's alert settings in the account's export: the rules, exceptions for single things, and
 * maintenance.
 */
export function ownAlertRulesData(
  rules: Pick<AlertRulesStore, 'rulesOf' | 'listDiffering'>,
  islands: Pick<IslandChangeSource, 'whoMayGetAlerts'>,
): OwnDataKind {
  const list = async (userKey: number): Promise<readonly object[]> => {
    const user = (await rules.rulesOf([userKey])).get(userKey)
    if (user === undefined) return []
    const { known } = await listDiffering({ rules, islands }, userKey)
    return [
      { rules: user.rules },
      ...known.map(({ of, id, rules: differ }) => ({ [of]: id, rules: differ })),
      ...presentMaintenance(user.maintenance, 0).map((maintenance) => ({ maintenance })),
    ]
  }
  return {
    kind: 'alertRules',
    count: async (userKey) => (await list(userKey)).length,
    text: (count) => counted(count, 'rule of alerts', 'rules of alerts'),
    read: async function* (userKey) {
      for (const item of await list(userKey)) yield JSON.stringify(item)
    },
  }
}
