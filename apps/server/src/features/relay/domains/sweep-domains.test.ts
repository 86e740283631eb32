import { expect, test } from 'vitest'
import { insertIsland, insertUser } from '../../../test/factories.ts'
import { openTestStorage } from '../../../test/open-test-storage.ts'
import { createDnsRecords } from './dns-records.ts'
import { sweepDomains } from './domains-feature.ts'
import { sqlDomainsStore } from './sql-domains-store.ts'
import { openDnsServer } from './testing/dns-server.ts'

const hourMs = 3_600_000
const proof = '_astropelago.bar.example'

/** A domain that is proven at 0 h. */
async function setUp() {
  const storage = await openTestStorage()
  const { zone, address } = await openDnsServer()
  const store = sqlDomainsStore(storage)
  const host = await insertUser(storage.db)
  const { key: islandKey } = await insertIsland(storage.db, { hostKey: host })
  const claim = { islandKey, domain: 'bar.example', code: 'the code' }
  await store.claim({ ...claim, isInLogs: true, atMs: 0 })
  await store.prove(claim, { atMs: 0, otherCode: () => '' })
  zone.txt.set(proof, [claim.code])
  const sent: unknown[] = []
  let isQuiet = false
  const sendAlert = async (
    userKey: number,
    { title, lines }: { title: string; lines: string[] },
  ) => {
    if (!isQuiet) sent.push([userKey, title, ...lines])
    return !isQuiet
  }
  const dns = createDnsRecords([address])
  /** Sweeps at that time. @returns how the proof is then */
  const sweep = async (hours: number) => {
    await sweepDomains({ store, dns, sendAlert, nowMs: hours * hourMs })
    const { provenMs, missingMs, unansweredMs, lost } = (await store.find(islandKey)) ?? {}
    if (provenMs === null) return `lost: ${lost?.reason}`
    return missingMs === null ? (unansweredMs === null ? 'holds' : 'unanswered') : 'missing'
  }
  const quiet = (is: boolean) => void (isQuiet = is)
  return { zone, host, sent, sweep, quiet }
}

test('R59 a record that is not there twice, an hour apart, ends the proof with a message', async () => {
  const { zone, host, sent, sweep, quiet } = await setUp()
  zone.txt.clear()
  // It is asked once a day.
  expect(await sweep(23.9)).toBe('holds')
  expect(await sweep(24)).toBe('missing')
  expect(await sweep(24.9)).toBe('missing')
  zone.txt.set(proof, ['the code'])
  expect(await sweep(25)).toBe('holds')
  zone.txt.set(proof, ['another'])
  expect(await sweep(49)).toBe('missing')
  // What is not answered is no second time.
  zone.broken.add(proof)
  expect(await sweep(50)).toBe('missing')
  zone.broken.clear()
  expect(sent).toEqual([])
  quiet(true)
  expect(await sweep(51)).toBe('lost: missing')
  expect(sent).toEqual([])
  quiet(false)
  await sweep(52)
  await sweep(53)
  expect(sent).toEqual([
    [
      host,
      expect.stringContaining('bar.example no longer leads to'),
      expect.stringContaining('TXT record'),
      expect.any(String),
    ],
  ])
})

test('R59 name servers that fail or say nothing have three days', async () => {
  const { zone, sent, sweep } = await setUp()
  zone.broken.add(proof)
  for (const hours of [24, 25, 60, 95.9]) expect(await sweep(hours)).toBe('unanswered')
  zone.broken.clear()
  expect(await sweep(97)).toBe('holds')
  zone.broken.add(proof)
  expect(await sweep(121)).toBe('unanswered')
  expect(await sweep(121 + 71)).toBe('unanswered')
  expect(await sweep(121 + 72)).toBe('lost: unanswered')
  expect(sent).toHaveLength(1)
})
