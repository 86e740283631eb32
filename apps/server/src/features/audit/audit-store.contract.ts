import { expect, test } from 'vitest'
import type { AuditRecord, AuditStore } from './audit-store.ts'

/**
 * What every store of the audit log must do. `open` gives each test an empty store that keeps 3 entries for
 * each user, and users' entries only among the last 5.
 */
export function auditStoreContract(open: () => Promise<AuditStore>): void {
  test('S59 an entry is stored as given, and gets its outcome later', async () => {
    const store = await open()
    const key = await store.insert(entry())
    expect(await store.list({ limit: 10 })).toEqual([{ ...entry(), key }])
    const bare = await store.insert(entry({ subject: null, details: null }))
    await store.setOutcome(key, 'refused', 'not_found')
    expect(await store.list({ limit: 10 })).toEqual([
      { ...entry({ subject: null, details: null }), key: bare },
      { ...entry({ outcome: 'refused', code: 'not_found' }), key },
    ])
  })

  test('the latest come first, filtered by actor, subject and the beginning of the action', async () => {
    const store = await open()
    const keys: number[] = []
    for (const details of [
      { actor: 'user:nova', action: 'password.changed' },
      { subject: 'device:1', action: 'device.removed' },
      { action: 'user.disabled' },
      { action: 'users' },
    ]) {
      keys.push(await store.insert(entry(details)))
    }
    const found = async (query: Partial<Parameters<AuditStore['list']>[0]>) =>
      (await store.list({ limit: 10, ...query })).map(({ key }) => keys.indexOf(key))
    expect(await found({})).toEqual([3, 2, 1, 0])
    expect(await found({ limit: 2 })).toEqual([3, 2])
    expect(await found({ beforeKey: keys[2] })).toEqual([1, 0])
    expect(await found({ actor: 'user:nova' })).toEqual([0])
    expect(await found({ subject: 'device:1' })).toEqual([1])
    expect(await found({ action: 'user.' })).toEqual([2])
    expect(await found({ action: '_ser' })).toEqual([])
    expect(await found({ actor: 'user:nova', action: 'user.' })).toEqual([])
  })

  test('all entries older than a time are deleted, and no others', async () => {
    const store = await open()
    for (const atMs of [1, 2, 3, 4, 5, 6]) await store.insert(entry({ atMs }))
    await store.prune(6)
    expect((await store.list({ limit: 10 })).map(({ atMs }) => atMs)).toEqual([6])
  })

  test('S52 a user’s oldest entries beyond the maximum are deleted, and nobody else’s', async () => {
    const store = await open()
    const actors = ['user:nova', 'user:ada', 'operator:ada', 'user:nova']
    for (const actor of actors) await store.insert(entry({ actor }))
    for (let at = 0; at < 4; at += 1) await store.insert(entry({ actor: 'operator:ada' }))
    for (let at = 1; at <= 3; at += 1) await store.insert(entry({ actor: 'user:nova', atMs: at }))
    const kept = async (actor: string) =>
      (await store.list({ actor, limit: 10 })).map(({ atMs }) => atMs)
    expect(await kept('user:nova')).toEqual([3, 2, 1])
    expect(await kept('user:ada')).toHaveLength(1)
    expect(await kept('operator:ada')).toHaveLength(5)
  })

  test('S52 users’ own actions that are far back are deleted, and none of operators', async () => {
    const store = await open()
    const actors = ['user:a', 'operator:ada', 'user:b', 'user:c', 'server', 'user:d', 'operator:e']
    for (const actor of [...actors, 'user:f']) await store.insert(entry({ actor }))
    await store.prune(0)
    const left = (await store.list({ limit: 10 })).map(({ actor }) => actor)
    expect(left).toEqual(['user:f', 'operator:e', 'user:d', 'server', 'user:c', 'operator:ada'])
  })
}

function entry(details: Partial<AuditRecord> = {}): Omit<AuditRecord, 'key'> {
  return {
    atMs: 1000,
    actor: 'operator:ada',
    action: 'user.disabled',
    subject: 'user:nova',
    details: { reason: 'spam', devices: 2, isSure: true, more: null },
    outcome: 'begun',
    code: null,
    ...details,
  }
}
