import { counted, type OwnDataKind } from '../../own-data.ts'
import type { ReportsStore } from './reports-store.ts'

/** Reports that a user sent. They outlive the account, without its name, until they are settled. */
export function ownReportsData(store: Pick<ReportsStore, 'listOf'>): OwnDataKind {
  return {
    kind: 'reports',
    count: async (userKey) => (await store.listOf(userKey)).length,
    text: (count) => `${counted(count, 'report', 'reports')}, kept without your name until settled`,
    read: async function* read(userKey) {
      for (const { subject, reason, text, createdMs, outcome } of await store.listOf(userKey)) {
        yield JSON.stringify({
          kind: subject.kind,
          id: subject.id,
          reason,
          text,
          sentAt: new Date(createdMs).toISOString(),
          outcome,
        })
      }
    },
  }
}
