import { randomUUID } from 'node:crypto'
import { defaultAlertRules, sameRules } from '@astropelago/contract/alert-rules'
import { expect, test } from 'vitest'
import type { AlertRulesStore } from './alert-rules-store.ts'
import type { MaintenanceRecord } from './user-rules.ts'

interface AlertRulesStoreHarness {
  readonly store: AlertRulesStore
  readonly insertUser: () => Promise<number>
  readonly insertDevice: (userKey: number) => Promise<number>
  readonly insertCheck: (userKey: number) => Promise<{ readonly key: number; readonly id: string }>
  readonly deleteDevice: (deviceKey: number) => Promise<void>
}

/** What every store of alert rules must do, on any database. */
export function alertRulesStoreContract(open: () => Promise<AlertRulesStoreHarness>): void {
  const setUp = async () => {
    const harness = await open()
    const [owner, stranger] = [await harness.insertUser(), await harness.insertUser()]
    const plan = async (details: Partial<MaintenanceRecord> = {}, nowMs = 10, limit = 50) => {
      const record = {
        id: randomUUID(),
        fromMs: 10,
        toMs: 20,
        devices: null,
        islands: null,
        checks: null,
        note: null,
        ...details,
      }
      return {
        record,
        isIn: await harness.store.insertMaintenance(owner, record, { nowMs, limit }),
      }
    }
    const planned = async () =>
      (await harness.store.rulesOf([owner])).get(owner)?.maintenance.map(({ id }) => id)
    return { ...harness, owner, stranger, plan, planned }
  }

  test('[N14] rules of users and of their subjects are found together, for users who have any', async () => {
    const { store, owner, stranger, insertDevice } = await setUp()
    const key = await insertDevice(owner)
    expect(await store.rulesOf([owner, stranger])).toEqual(new Map())
    expect(await store.rulesOf([])).toEqual(new Map())
    const subject = { of: 'device', key } as const
    await store.changeSubjectRules(owner, subject, (before) => ({ ...before, graceS: 9 }), 1)
    await store.changeSubjectRules(owner, subject, (before) => ({ ...before, isOn: false }), 1)
    const differing = new Map([[`device ${key}`, { ...sameRules, graceS: 9, isOn: false }]])
    expect(await store.rulesOf([owner, stranger])).toEqual(
      new Map([[owner, { rules: defaultAlertRules, differing, maintenance: [] }]]),
    )
    await store.changeRules(owner, (before) => ({ ...before, isOn: false }), 1)
    const rules = { ...defaultAlertRules, isOn: false }
    expect((await store.rulesOf([owner])).get(owner)).toEqual({ rules, differing, maintenance: [] })
    await store.changeSubjectRules(owner, subject, () => sameRules, 1)
    expect((await store.rulesOf([owner])).get(owner)?.differing).toEqual(new Map())
  })

  test('[N29] checks are found by their owner alone, and have rules and maintenance', async () => {
    const { store, owner, stranger, plan, insertCheck } = await setUp()
    const { key, id } = await insertCheck(owner)
    expect(await store.findOwnChecks(owner, [id, 'none'])).toEqual(new Map([[id, key]]))
    expect(await store.findOwnChecks(stranger, [id])).toEqual(new Map())
    const subject = { of: 'check', key } as const
    await store.changeSubjectRules(owner, subject, (before) => ({ ...before, graceS: 9 }), 1)
    const rules = { ...sameRules, graceS: 9 }
    expect(await store.listDiffering(owner)).toEqual([
      { of: 'check', key, id, name: 'Backup', slug: null, isOwn: true, rules },
    ])
    const { record } = await plan({ checks: [id] })
    expect((await store.rulesOf([owner])).get(owner)?.maintenance).toEqual([record])
  })

  test('rules of a deleted device are not stored', async () => {
    const { store, owner, insertDevice, deleteDevice } = await setUp()
    const key = await insertDevice(owner)
    const change = () =>
      store.changeSubjectRules(owner, { of: 'device', key }, (all) => ({ ...all, graceS: 9 }), 1)
    await change()
    expect(await store.listDiffering(owner)).toMatchObject([{ of: 'device', rules: { graceS: 9 } }])
    await deleteDevice(key)
    await change()
    expect(await store.listDiffering(owner)).toEqual([])
  })

  test('[N16] maintenance is stored as given, and listed by its beginning', async () => {
    const { store, owner, plan } = await setUp()
    const { record: second } = await plan({ fromMs: 12, devices: ['a', 'b'], note: '“ü”' })
    const { record: first } = await plan()
    expect((await store.rulesOf([owner])).get(owner)?.maintenance).toEqual([first, second])
  })

  test('[N16] a begun maintenance ends now and still counts, and a planned one is deleted', async () => {
    const { store, owner, stranger, plan, planned } = await setUp()
    const { record: begun } = await plan()
    const { record: later } = await plan({ fromMs: 15 })
    expect(await store.endMaintenance(stranger, begun.id, 12)).toBe(false)
    expect(await store.endMaintenance(owner, begun.id, 12)).toBe(true)
    expect(await store.endMaintenance(owner, later.id, 12)).toBe(true)
    expect(await store.endMaintenance(owner, begun.id, 12)).toBe(false)
    expect((await store.rulesOf([owner])).get(owner)?.maintenance).toEqual([{ ...begun, toMs: 12 }])
    await store.deleteMaintenance(12)
    expect(await planned()).toEqual([begun.id])
    await store.deleteMaintenance(13)
    expect(await planned()).toBeUndefined()
  })

  test('AL2 the limit of maintenance holds under simultaneous calls', async () => {
    const { plan, planned } = await setUp()
    const outcomes = await Promise.all(Array.from({ length: 6 }, () => plan({}, 10, 3)))
    expect(outcomes.filter(({ isIn }) => isIn)).toHaveLength(3)
    expect(await planned()).toHaveLength(3)
    expect((await plan({ toMs: 30 }, 20, 3)).isIn).toBe(true)
  })

  test('AL2 only the last 50 finished maintenances stay', async () => {
    const { plan, planned } = await setUp()
    for (let at = 0; at < 55; at += 1)
      await plan({ id: `w${at}`, toMs: 20 + at, fromMs: at }, 10, 100)
    await plan({ id: 'now', fromMs: 100, toMs: 200 }, 100)
    expect(await planned()).toHaveLength(51)
    expect(await planned()).not.toContain('w4')
    expect(await planned()).toContain('w5')
  })
}
