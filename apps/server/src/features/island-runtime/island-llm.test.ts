import type { IslandRuntime } from '@astropelago/contract/island-data'
import { describe, expect, test, vi } from 'vitest'
import { inTime } from '../../test/in-time.ts'
import { shareRelayApp } from '../../test/relay-app.ts'
import {
  completion,
  question,
  questionTokens,
  sharedLlmOptions,
  startUpstream,
  type TestUpstream,
} from '../spark/testing/llm-test-app.ts'
import { publishPages } from './testing/island-page.ts'

/** An answer that costs this many tokens. */
const costing = (tokens: number) => completion('Hello', { total_tokens: tokens })
const ask = { call: 'llm', request: question } as const
const answer = { choices: [{ message: { content: 'Hello' } }] }

/** An island whose host lets visitors use so many questions a day, unless it is nothing. */
async function setUp(
  upstream: TestUpstream,
  questions: number | undefined,
  settings: Partial<Parameters<typeof sharedLlmOptions>[0]> = {},
) {
  const { baseUrl } = upstream
  const relay = await shareRelayApp(sharedLlmOptions({ baseUrl, ...settings }))
  const pages = await publishPages(relay)
  const url = `/api/islands/${pages.island.id}/runtime`
  const allow = async (llmDailyTokens: number) => {
    const answered = await relay.host.inject({ method: 'PATCH', url, payload: { llmDailyTokens } })
    expect(answered.statusCode).toBe(200)
  }
  if (questions !== undefined) await allow(questions * questionTokens)
  return {
    ...relay,
    ...pages,
    allow,
    usedToday: async () =>
      (await relay.host.inject({ url })).json<IslandRuntime>().llm.usedToday / questionTokens,
    newPage: async () => await pages.openAs(await relay.signUp()),
  }
}

describe('S69 S35 the language model on an island', () => {
  test('is off until its host sets a budget', async () => {
    const upstream = await startUpstream(costing(questionTokens))
    const { newPage, allow, usedToday } = await setUp(upstream, undefined)
    const page = await newPage()
    expect(await page.call(ask)).toBe('llm_off')
    await allow(10 * questionTokens)
    expect(await page.call(ask)).toEqual(answer)
    expect(await usedToday()).toBe(1)
    await allow(0)
    expect(await page.call(ask)).toBe('llm_off')
    expect(upstream.calls).toHaveLength(1)
  })

  test('is for visitors who said who they are, and not for demo accounts', async () => {
    const upstream = await startUpstream(costing(questionTokens))
    const { openAs, signUp, inject } = await setUp(upstream, 100)
    const { cookies: set } = await inject({ method: 'POST', url: '/api/auth/demo' })
    const cookies = Object.fromEntries(set.map(({ name, value }) => [name, value]))
    const demo = {
      username: '',
      cookies,
      inject: (request: object) => inject({ ...request, cookies }),
    }
    expect(await (await openAs(demo)).call(ask)).toBe('llm_demo')
    expect(await (await openAs()).call(ask)).toBe('not_agreed')
    expect(await (await openAs(await signUp(), false)).call(ask)).toBe('not_agreed')
    expect(upstream.calls).toEqual([])
  })

  test('gives a visitor a tenth of a day’s budget, and all of them no more than it', async () => {
    const upstream = await startUpstream(costing(questionTokens))
    const { newPage, usedToday, clock } = await setUp(upstream, 10)
    const first = await newPage()
    const outcomes = await Promise.all([first, first, first].map((page) => page.call(ask)))
    expect(outcomes.filter((outcome) => outcome === 'llm_budget')).toHaveLength(2)
    for (let at = 1; at < 10; at += 1) expect(await (await newPage()).call(ask)).toEqual(answer)
    expect(await (await newPage()).call(ask)).toBe('llm_budget')
    expect(await usedToday()).toBe(10)
    expect(upstream.calls).toHaveLength(10)
    clock.move(86_400_000)
    expect(await first.call(ask)).toEqual(answer)
    expect(await usedToday()).toBe(1)
  })

  test('counts what it really cost, or nothing if it failed', async () => {
    let cost = 10
    const upstream = await startUpstream((response, call) => {
      if (cost === 0) response.writeHead(500).end()
      else costing(cost)(response, call)
    })
    const { newPage, usedToday } = await setUp(upstream, 20)
    const page = await newPage()
    expect(await page.call(ask)).toEqual(answer)
    expect(await usedToday()).toBe(0.1)
    cost = 0
    expect(await page.call(ask)).toBe('llm_failed')
    expect(await usedToday()).toBe(0.1)
    cost = 195
    expect(await page.call(ask)).toEqual(answer)
    expect(await usedToday()).toBe(2.05)
    expect(await page.call(ask)).toBe('llm_budget')
  })

  test('counts against its host’s own budget too, and takes nothing of the visitor’s when that is used up', async () => {
    const upstream = await startUpstream(costing(questionTokens))
    const budget = { calls: 2, tokens: 1_000_000 }
    const { newPage, host, usedToday } = await setUp(upstream, 100, { budget })
    const page = await newPage()
    expect(await page.call(ask)).toEqual(answer)
    const own = await host.inject({ method: 'POST', url: '/_spark/llm', payload: question })
    expect(own.statusCode).toBe(200)
    expect(await page.call(ask)).toBe('llm_budget')
    expect(await usedToday()).toBe(1)
    expect(upstream.calls).toHaveLength(2)
  })

  test('is asked no longer than the page is there, which counts', async () => {
    const asked = Promise.withResolvers<void>()
    const upstream = await startUpstream(() => asked.resolve())
    const { newPage, usedToday, logged } = await setUp(upstream, 10)
    const page = await newPage()
    void page.call(ask)
    await asked.promise
    const before = logged().length
    page.socket.terminate()
    await vi.waitFor(() => expect(logged().slice(before)).toContain('went away'), inTime)
    expect(await usedToday()).toBe(1)
  })

  test('offers what the site’s offers', async () => {
    const { newPage } = await setUp(await startUpstream(), 100)
    const page = await newPage()
    const other = { ...question, model: 'other' }
    expect(await page.call({ call: 'llm', request: other })).toBe('invalid_input')
  })
})
