import type { Page } from '@playwright/test'
import type { Spark } from '@astropelago/spark/spark'
import { entryValueMaxBytes } from '@astropelago/contract/limits'
import { expect, test } from './harness/test.ts'

declare global {
  interface Window {
    spark?: Spark
  }
}

type Call =
  | { readonly name: 'keys' | 'user' }
  | { readonly name: 'get' | 'delete'; readonly key: string }
  | { readonly name: 'set'; readonly key: string; readonly value: unknown }
  | { readonly name: 'llm'; readonly prompt: string }

/** Calls the page's spark. Resolves with the result or the error's message. */
async function callSpark(page: Page, call: Call): Promise<unknown> {
  return await page.evaluate(async (given) => {
    const { spark } = window
    if (spark === undefined) return 'there is no spark'
    const results = {
      keys: () => spark.kv.keys(),
      user: () => spark.user(),
      get: () => spark.kv.get('key' in given ? given.key : ''),
      set: () =>
        spark.kv.set('key' in given ? given.key : '', 'value' in given ? given.value : null),
      delete: () => spark.kv.delete('key' in given ? given.key : ''),
      llm: () => spark.llm('prompt' in given ? given.prompt : ''),
    }
    try {
      return await results[given.name]()
    } catch (error) {
      return error instanceof Error ? error.message : String(error)
    }
  }, call)
}

const get = (page: Page, key: string) => callSpark(page, { name: 'get', key })
const set = (page: Page, key: string, value: unknown) =>
  callSpark(page, { name: 'set', key, value })
const keys = (page: Page) => callSpark(page, { name: 'keys' })

const oddKeys = [
  'a/b/../c',
  'with spaces',
  'sterne 🌟 und 星',
  '%2F',
  '?collection=x#y',
  'k'.repeat(512),
  '🌟'.repeat(128),
]
const oddValues = [null, false, 0, '', [], { a: [{ b: 'ü🌟\0\u2028"' }] }, 1.5e-300]

/** A string whose JSON has this many bytes. */
const quoted = (bytes: number) => 'v'.repeat(bytes - 2)

test('a page of the web app has all of spark, and sends one loaded notice', async ({
  page,
  user: { username },
  problems,
}) => {
  problems.expectFailure(400)
  problems.expectFailure(404)
  problems.expectFailure(413)
  const notices: unknown[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/_spark/loaded')) notices.push(request.postDataJSON())
  })
  await page.addInitScript(() => {
    window.addEventListener('message', ({ data }) => {
      document.documentElement.dataset['notice'] = JSON.stringify(data)
    })
  })
  const answered = page.waitForResponse('**/_spark/loaded')
  await page.goto('/explore')
  expect((await answered).status()).toBe(204)
  expect(notices).toEqual([{ url: page.url(), load_ms: expect.any(Number) }])
  const posted = await page.locator('html').getAttribute('data-notice')
  expect(JSON.parse(posted ?? '')).toEqual({ type: 'sparkRuntimeLoaded', ...Object(notices[0]) })
  await page.getByRole('link', { name: 'Astropelago' }).first().click()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  expect(notices).toHaveLength(1)

  expect(await callSpark(page, { name: 'user' })).toMatchObject({ username, login: username })
  expect(await keys(page)).toEqual([])
  for (const [i, key] of oddKeys.entries()) {
    const value = oddValues[i]
    expect(await set(page, key, value)).toBeUndefined()
    expect(await get(page, key)).toEqual(value)
  }
  expect(await keys(page)).toEqual(
    oddKeys.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))),
  )
  for (const key of oddKeys) await callSpark(page, { name: 'delete', key })
  expect(await keys(page)).toEqual([])
  expect(await get(page, 'absent')).toBeUndefined()
  expect(await set(page, 'larger', quoted(entryValueMaxBytes + 1))).toBe(
    'Failed to set key: Payload Too Large',
  )
  expect(await set(page, 'k'.repeat(513), 1)).toBe('Failed to set key: Bad Request')
})

test(
  'any page of the site gets spark with one script, even included twice; a visitor has no user',
  { tag: '@long' },
  async ({ page, problems }) => {
    problems.expectFailure(401)
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    // The API's own page is not part of the web app.
    await page.goto('/api/docs')
    expect(await page.evaluate(() => 'spark' in window)).toBe(false)
    const loaded = page.waitForResponse('**/_spark/loaded')
    await page.addScriptTag({ url: '/_spark/runtime.js' })
    await page.addScriptTag({ url: '/_spark/runtime.js?again' })
    await loaded
    expect(await callSpark(page, { name: 'user' })).toBeNull()
    expect(await keys(page)).toBe('Failed to fetch KV keys: Unauthorized')
    expect(await get(page, 'key')).toBe('Failed to fetch KV key: Unauthorized')
    expect(await callSpark(page, { name: 'llm', prompt: 'Hi' })).toMatch(
      /^LLM request failed: 401 Unauthorized - \{.*"code":"signed_out"\}$/,
    )
    expect(asked.filter((path) => path === '/_spark/loaded')).toHaveLength(1)

    const script = await page.request.get('/_spark/runtime.js')
    expect(script.headers()).toMatchObject({
      'content-type': expect.stringContaining('javascript; charset=utf-8'),
      'cache-control': 'public, max-age=3600',
    })
    const map = /sourceMappingURL=(\S+)/.exec(await script.text())?.[1]
    expect((await page.request.get(`/_spark/${map}`)).status()).toBe(200)
  },
)
