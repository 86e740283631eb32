import { expect, test } from 'vitest'
import { createDnsRecords } from './dns-records.ts'
import { openDnsServer } from './testing/dns-server.ts'

test(
  'a silent name server is no answer, and costs a few seconds',
  { timeout: 20_000 },
  async () => {
    const { zone, address } = await openDnsServer()
    zone.silent.add('_astropelago.bar.example')
    const startedMs = performance.now()
    expect(await createDnsRecords([address]).readProof('bar.example', 'code')).toBe('unanswered')
    expect(performance.now() - startedMs).toBeLessThan(11_000)
  },
)
