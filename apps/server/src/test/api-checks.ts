import { createCheck } from '@astropelago/contract/checks'
import * as v from 'valibot'
import { sqlChecksStore } from '../features/checks/sql-checks-store.ts'
import type { CheckEvent } from '../features/checks/checks-store.ts'
import type { Storage } from '../storage/storage.ts'
import type { TestBrowser } from './create-test-app.ts'

/** Makes a private check through the API, to which scripts report unless the details say otherwise. */
export async function makeTestCheck(
  { inject }: Pick<TestBrowser, 'inject'>,
  details: Readonly<Record<string, unknown>> = {},
) {
  const payload = { name: 'Backup', target: { kind: 'push' }, ...details }
  const response = await inject({ method: 'POST', url: createCheck.path, payload })
  if (response.statusCode !== 201) throw new Error(`Making a check failed: ${response.body}`)
  return v.parse(createCheck.answers[201], response.json())
}

/** Stores a change of a check as whoever looks does. */
export async function recordFound(
  storage: Storage,
  id: string,
  event: Omit<CheckEvent, 'note'> & Partial<Pick<CheckEvent, 'note'>>,
  samples: readonly (readonly [atMs: number, tookMs: number | null])[] = [],
): Promise<void> {
  const store = sqlChecksStore(storage)
  const { kind, atMs, note = null } = event
  const check = await store.find(id)
  if (check === undefined) throw new Error('There is no such check')
  await store.record([
    {
      checkKey: check.key,
      state: {
        status: kind,
        sinceMs: atMs,
        lookedMs: atMs,
        startedMs: null,
        dueMs: null,
        tookMs: 5,
        failures: 0,
        note,
      },
      event: { atMs, kind, note },
      samples: samples.map(([at, tookMs]) => ({ locationKey: 0, atMs: at, tookMs })),
    },
  ])
}
