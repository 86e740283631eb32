import { loungeSlug } from '@astropelago/contract/pages'
import { describe, expect, test } from 'vitest'
import type { TestApp, TestBrowser } from '../../test/create-test-app.ts'
import { operatorOptions, shareOperatorApp } from '../../test/operator-app.ts'
import { createRelayApp, shareRelayApp } from '../../test/relay-app.ts'
import { openPage, pagesAt, publishPages } from '../island-runtime/testing/island-page.ts'

const options = { ...operatorOptions, makesLounge: true }

async function setUp() {
  const { operator } = await shareOperatorApp(options)
  const relay = await shareRelayApp(options)
  return { ...relay, operator, openAs: pagesAt(relay, loungeSlug).openAs }
}

async function beginDemo({ inject }: Pick<TestApp, 'inject'>): Promise<TestBrowser> {
  const { cookies: set } = await inject({ method: 'POST', url: '/api/auth/demo' })
  const cookies = Object.fromEntries(set.map(({ name, value }) => [name, value]))
  return { username: 'demo', cookies, inject: (request) => inject({ ...request, cookies }) }
}

async function sendMany(page: Awaited<ReturnType<typeof openPage>>, count: number) {
  const sent = []
  for (let at = 0; at < count; at += 1) sent.push(await page.send('chat', at))
  return sent.filter((outcome) => outcome === 'rate_limited').length
}

describe('S70 the Community Lounge', () => {
  test('takes three messages a minute of an account in its first hour', async () => {
    const { clock, signUp, openAs, operator } = await setUp()
    const user = await signUp()
    expect(await sendMany(await openAs(user), 4)).toBe(1)
    // Its moderators answer newcomers.
    expect(await sendMany(await openAs(operator), 5)).toBe(0)
    const older = await signUp()
    clock.move(3_599_999)
    expect(await sendMany(await openAs(older), 4)).toBe(1)
    const oldest = await signUp()
    clock.move(3_600_000)
    expect(await sendMany(await openAs(oldest), 5)).toBe(0)
  })

  test('an island of a user takes more of them', async () => {
    const { signUp, ...relay } = await setUp()
    const { openAs } = await publishPages({ ...relay, signUp })
    expect(await sendMany(await openAs(await signUp()), 5)).toBe(0)
  })

  test('is read by everybody, and written by those who said who they are', async () => {
    const { openAs, signUp } = await setUp()
    const ada = await openAs(await signUp())
    expect((await ada.join('chat')).rights).toEqual({ mayWrite: true, isModerator: false })
    const { n } = await ada.send('chat', 'Hi')
    const somebody = await openAs()
    expect((await somebody.join('chat')).events.at(-1)).toMatchObject({ n, value: 'Hi' })
    expect(await somebody.send('chat', 'Hi')).toBe('not_agreed')
  })

  test('is only read by demo accounts', async () => {
    const { openAs, ...relay } = await setUp()
    const demo = await openAs(await beginDemo(relay))
    expect(await demo.join('chat')).toMatchObject({ rights: { mayWrite: false } })
    expect(await demo.send('chat', 'Hi')).toBe('demo_account')
    expect(await demo.call({ call: 'set', store: 'kv', key: 'a', value: '1' })).toBe('demo_account')
  })

  test('is moderated by operators', async () => {
    const { openAs, operator, signUp } = await setUp()
    const host = await openAs(operator)
    expect(await host.join('closed')).toMatchObject({ rights: { isModerator: true } })
    const action = { kind: 'read-only', isOn: true } as const
    expect(await host.call({ call: 'moderate', room: 'closed', action })).toBeNull()
    expect(await (await openAs(await signUp())).send('closed', 'Hi')).toBe('read_only')
  })

  test('is only read at a public address where nobody is an operator', async () => {
    const config = { publicUrl: 'https://sky.example', relayDomain: 'islands.example' }
    const { port } = await createRelayApp({ makesLounge: true, config })
    const hostName = `${loungeSlug}.islands.example`
    const page = await openPage(port, { hostName, origin: `https://${hostName}:${port}` })
    expect(await page.join('chat')).toMatchObject({ rights: { mayWrite: false } })
    expect(await page.send('chat', 'Hi')).toBe('read_only')
    const set = { call: 'set', store: 'shared', key: 'a', value: '1' } as const
    expect(await page.call(set)).toBe('read_only')
  })
})
