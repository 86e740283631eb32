import { expect, onTestFinished, test, vi } from 'vitest'
import { createRelayApp } from '../../../test/relay-app.ts'
import { opensPage } from '../../../test/relay-visitor.ts'

const script = {
  'user-agent': 'Mozilla/5.0',
  'sec-fetch-mode': 'cors',
  'sec-fetch-site': 'same-origin',
  accept: '*/*',
}

// In a file of its own: a server that tests share would take the jump of the clock, and its way back, for a
// silence, and end only once that is over.
test('R53 a whole IPv6 network has no more tries than one address', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  // lru-cache never expires what was set at time 0.
  vi.advanceTimersByTime(1000)
  const { visit, slug, port } = await createRelayApp({ config: { trustProxy: ['127.0.0.1'] } })
  const host = `${slug}.localhost:${port}`
  const bring = async (from: string) => {
    const headers = { ...opensPage, 'x-forwarded-for': from }
    return (await visit({ host, path: '/.astropelago/enter?ticket=none', headers })).status
  }
  let shown = 0
  const show = async (from: string) => {
    const cookie = `astropelago_visit=${String((shown += 1)).padStart(43, 'x')}`
    return (await visit({ host, headers: { ...script, cookie, 'x-forwarded-for': from } })).status
  }
  for (const [ask, refusal] of [
    [bring, 403],
    [show, 503],
  ] as const) {
    const tried = new Set<number>()
    for (let at = 0; at < 300; at += 1) tried.add(await ask(`2001:db8:0:1:${at.toString(16)}::1`))
    expect([...tried]).toEqual([refusal])
    expect(await ask('2001:db8:0:1:ffff::1')).toBe(429)
    expect(await ask('2001:db8:0:2::1')).toBe(refusal)
    // After a minute it may try again.
    vi.advanceTimersByTime(59_000)
    expect(await ask('2001:db8:0:1::1')).toBe(429)
    vi.advanceTimersByTime(1001)
    expect(await ask('2001:db8:0:1::1')).toBe(refusal)
  }
})
