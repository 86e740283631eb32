import fc from 'fast-check'
import { expect, test } from 'vitest'
import { listJson, withoutDevices } from './prepared-list.ts'

function record(id: string, label: string): string {
  return `${JSON.stringify({ id, label }).slice(0, -1)},"status":"online" }`
}

function listOf(records: ReadonlyMap<number, string>, keys = [...records.keys()]): Promise<Buffer> {
  return listJson(Uint32Array.from(keys), {
    bytesOf: (key) => Buffer.byteLength(records.get(key) ?? ''),
    copy: (key, target, at) => target.write(records.get(key) ?? '', at),
  })
}

test('records follow the order of the keys; keys without a record are skipped', async () => {
  const records = new Map([
    [1, '{"a":1}'],
    [2, '{"b":2}'],
    [3, '{"c":3}'],
  ])
  expect(JSON.parse(String(await listOf(records, [3, 9, 1])))).toEqual([{ c: 3 }, { a: 1 }])
  expect(JSON.parse(String(await listOf(records, [9])))).toEqual([])
  expect(String(await listOf(records, []))).toBe('[]')
})

test('more records than fit in one turn make one array', async () => {
  const records = new Map(Array.from({ length: 5001 }, (_, i) => [i, String(i)]))
  expect(JSON.parse(String(await listOf(records)))).toEqual([...records.keys()])
})

test('S23 removed devices leave no trace, and others stay, with any labels', async () => {
  const label = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom('{"id":"id-1",', '"status":"online"}', '},{', ',', ']', '\\"', '\\'),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(label, fc.boolean()), { maxLength: 12 }), async (all) => {
      const devices = all.map(([text, isKept], i) => ({ id: `id-${i}`, label: text, isKept }))
      const json = await listOf(new Map(devices.map((one, i) => [i, record(one.id, one.label)])))
      const before = Buffer.from(json)
      const goneIds = devices.filter(({ isKept }) => !isKept).map(({ id }) => id)
      // Removing devices one by one or all at once gives the same result.
      let kept = json
      for (const id of goneIds) kept = withoutDevices(kept, [id])
      expect(withoutDevices(json, goneIds.toReversed()).length).toBe(json.length)
      for (const list of [kept, withoutDevices(json, goneIds)]) {
        expect(JSON.parse(String(list))).toEqual(
          devices
            .filter(({ isKept }) => isKept)
            .map(({ id, label: text }) => ({ id, label: text, status: 'online' })),
        )
      }
      expect(json).toEqual(before)
    }),
  )
})

test('an unknown id changes nothing', async () => {
  const json = await listOf(new Map([[1, record('id-1', 'Pi')]]))
  expect(withoutDevices(json, ['id-', 'id-11', 'Pi'])).toEqual(json)
})
