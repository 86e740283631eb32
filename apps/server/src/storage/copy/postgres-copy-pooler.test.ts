import { expect, test } from 'vitest'
import { noLimits, openTestDatabase } from '../../test/open-test-storage.ts'
import { postgresSettings } from '../postgres-settings.ts'
import { CopyRefused } from './copy-end.ts'
import { openPostgresSource, openPostgresTarget } from './postgres-end.ts'

test('data is moved from and to PostgreSQL itself, not through a pooler', async () => {
  const url = await openTestDatabase()
  const { perTransaction } = await postgresSettings(url, noLimits)
  const isPooled = perTransaction !== ''
  for (const open of [openPostgresSource, openPostgresTarget]) {
    const refusal = await open(url).then(
      (end) => end[Symbol.asyncDispose](),
      (error: unknown) => error,
    )
    expect(refusal instanceof CopyRefused).toBe(isPooled)
    expect(String(refusal).includes('connect to PostgreSQL itself')).toBe(isPooled)
  }
})
