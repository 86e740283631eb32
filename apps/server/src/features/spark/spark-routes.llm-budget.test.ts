import { describe, expect, test, vi } from 'vitest'
import {
  askOverHttp,
  completion,
  llmTestApp,
  ownLlmTestApp,
  question,
  questionTokens,
  startUpstream,
} from './testing/llm-test-app.ts'
import { inTime } from '../../test/in-time.ts'

const dayMs = 86_400_000
const plenty = 1_000_000

/** An answer that costs this many tokens. */
const costing = (tokens: number) => completion('Hello', { total_tokens: tokens })

function statuses(answers: readonly { readonly statusCode: number }[]): Record<number, number> {
  const counts: Record<number, number> = {}
  for (const { statusCode } of answers) counts[statusCode] = (counts[statusCode] ?? 0) + 1
  return counts
}

describe('S35 the budget of a day', () => {
  test('limits the calls; past it, 429 says when the next day begins, and nothing is forwarded', async () => {
    const upstream = await startUpstream()
    const budget = { calls: 2, tokens: plenty }
    const { ask, clock } = await ownLlmTestApp({ ...upstream, budget })
    clock.move(1)
    expect(statuses([await ask(), await ask()])).toEqual({ 200: 2 })
    const refused = await ask()
    expect(refused.statusCode).toBe(429)
    expect(refused.json()).toEqual({
      error: 'You have used up today’s share of the language model.',
      code: 'llm_budget',
    })
    expect(refused.headers['retry-after']).toBe(`${dayMs / 1000}`)
    expect(upstream.calls).toHaveLength(2)
  })

  test('begins anew with the day in UTC', async () => {
    const budget = { calls: 1, tokens: questionTokens }
    const { ask, clock } = await ownLlmTestApp({ ...(await startUpstream()), budget })
    await ask()
    clock.move(dayMs - 1000)
    const refused = await ask()
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '1'])
    clock.move(1000)
    expect(statuses([await ask(), await ask()])).toEqual({ 200: 1, 429: 1 })
  })

  test('stores no counts of past days', async () => {
    const { ask, clock, storage } = await ownLlmTestApp(await startUpstream(costing(7)))
    await ask()
    clock.move(dayMs)
    await ask()
    const rows = await storage.db.selectFrom('llm_usage').selectAll().execute()
    expect(rows).toMatchObject([{ day: '2026-01-02', calls: 1, tokens: 7 }])
  })

  test('limits the tokens that the service counts', async () => {
    const budget = { calls: plenty, tokens: 1000 }
    const cheap = await llmTestApp({ ...(await startUpstream(costing(10))), budget })
    for (let call = 0; call < 20; call += 1) expect((await cheap.ask()).statusCode).toBe(200)

    const dear = await llmTestApp({ ...(await startUpstream(costing(950))), budget })
    expect(statuses([await dear.ask(), await dear.ask()])).toEqual({ 200: 1, 429: 1 })

    const dearer = await llmTestApp({ ...(await startUpstream(costing(5000))), budget })
    expect(statuses([await dearer.ask(), await dearer.ask()])).toEqual({ 200: 1, 429: 1 })
  })

  test.each([undefined, null, {}, { total_tokens: -1000 }, { total_tokens: 1e300 }])(
    'counts what was asked for where the service counts %j',
    async (usage) => {
      const upstream = await startUpstream(completion('Hello', usage))
      const budget = { calls: plenty, tokens: 2 * questionTokens }
      const { ask } = await llmTestApp({ ...upstream, budget })
      expect(statuses([await ask(), await ask(), await ask()])).toEqual({ 200: 2, 429: 1 })
    },
  )

  test('refuses what could cost more than is left', async () => {
    const upstream = await startUpstream(costing(0))
    const budget = { calls: plenty, tokens: questionTokens }
    const { ask } = await llmTestApp({ ...upstream, budget })
    const longer = { ...question, messages: [{ role: 'user', content: 'Why??' }] }
    expect((await ask(longer)).statusCode).toBe(429)
    expect((await ask({ ...question, max_tokens: 100 })).statusCode).toBe(429)
    expect(upstream.calls).toEqual([])
    expect((await ask()).statusCode).toBe(200)
  })

  test('gets back the tokens of a failed call, which still counts as a call', async () => {
    const upstream = await startUpstream((response) => response.writeHead(500).end())
    const budget = { calls: 3, tokens: questionTokens }
    const { ask } = await llmTestApp({ ...upstream, budget })
    const answers = [await ask(), await ask(), await ask(), await ask()]
    expect(statuses(answers)).toEqual({ 502: 3, 429: 1 })
  })

  test('loses nothing to a request that is refused', async () => {
    const budget = { calls: 1, tokens: questionTokens }
    const { ask } = await llmTestApp({ ...(await startUpstream()), budget })
    expect((await ask({ ...question, model: 'other' })).statusCode).toBe(400)
    expect((await ask({ ...question, max_tokens: 0 })).statusCode).toBe(400)
    expect((await ask()).statusCode).toBe(200)
  })

  test('of one user is not another’s', async () => {
    const budget = { calls: 1, tokens: plenty }
    const { ask, signUp } = await llmTestApp({ ...(await startUpstream()), budget })
    const other = await signUp()
    expect(statuses([await ask(), await ask(), await ask(question, other)])).toEqual({
      200: 2,
      429: 1,
    })
  })

  test('S35 S52 of all users together refuses later calls, and forwards nothing', async () => {
    const upstream = await startUpstream()
    const totalBudget = { calls: 1, tokens: 1_000_000 }
    const { ask, signUp } = await ownLlmTestApp({ baseUrl: upstream.baseUrl, totalBudget })
    expect((await ask()).statusCode).toBe(200)
    const refused = await ask(undefined, await signUp())
    expect(refused.statusCode).toBe(429)
    expect(refused.json()).toMatchObject({ code: 'llm_budget' })
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect(upstream.calls).toHaveLength(1)
  })

  test('of nothing refuses every call', async () => {
    for (const budget of [
      { calls: 0, tokens: plenty },
      { calls: plenty, tokens: 0 },
    ]) {
      const upstream = await startUpstream()
      const { ask } = await llmTestApp({ ...upstream, budget })
      expect((await ask()).statusCode).toBe(429)
      expect(upstream.calls).toEqual([])
    }
  })

  test.each([
    ['calls', { calls: 10, tokens: plenty }],
    ['tokens', { calls: plenty, tokens: 10 * questionTokens + 99 }],
  ])('of %s holds for 50 simultaneous calls', async (_, budget) => {
    const upstream = await startUpstream(costing(questionTokens))
    const { ask } = await llmTestApp({ ...upstream, budget })
    const answers = await Promise.all(Array.from({ length: 50 }, () => ask()))
    expect(statuses(answers)).toEqual({ 200: 10, 429: 40 })
    expect(upstream.calls).toHaveLength(10)
  })

  test('counts a call whose page was closed: the service may have worked on it', async () => {
    const asked = Promise.withResolvers<void>()
    const closed = Promise.withResolvers<void>()
    const upstream = await startUpstream((response) => {
      response.once('close', () => closed.resolve())
      asked.resolve()
    })
    const budget = { calls: plenty, tokens: questionTokens }
    const { app, owner, ask, logged } = await llmTestApp({ ...upstream, budget })
    const page = new AbortController()
    const answer = askOverHttp(app, owner, page.signal)
    await asked.promise
    page.abort()
    await expect(answer).rejects.toThrow(/abort/i)
    await closed.promise
    // The budget is up to date once this is in the log.
    await vi.waitFor(() => expect(logged()).toContain('the page went away'), inTime)
    expect(logged()).not.toContain('"level":50')
    expect((await ask()).statusCode).toBe(429)
  })
})
