import { newestPosition, type PagePosition } from '../../page-position.ts'
import { counted, type OwnDataKind } from '../../own-data.ts'
import { presentMessage } from './alerts-routes.ts'
import type { AlertsStore } from './alerts-store.ts'

const pageLength = 100

/** What an account's export holds of alerts: what the user was told, the newest first. */
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
