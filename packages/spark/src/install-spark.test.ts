import { expect, test, vi } from 'vitest'
import { installSpark } from './install-spark.ts'
import type { Spark } from './spark.ts'
import { answeringServer } from './testing/answering-server.ts'

/** The parts of `window` that the runtime uses. */
function stubWindow() {
  const postMessage = vi.fn<(message: unknown, targetOrigin: string) => void>()
  const page: Record<string, unknown> & { spark?: Spark } = {
    location: { href: 'https://sky.example/page?a=1', origin: 'https://sky.example' },
    parent: { postMessage },
    addEventListener: () => undefined,
  }
  vi.stubGlobal('window', page)
  return { page, postMessage }
}

test('the page gets spark, and one loaded notice goes to the server and the parent', async () => {
  const received = await answeringServer(() => ({ status: 204 }))
  const { page, postMessage } = stubWindow()
  installSpark()
  installSpark()
  await vi.waitFor(() => expect(received).toHaveLength(1))
  const { spark } = page
  expect(Object.keys(spark ?? {})).toEqual(['llmPrompt', 'llm', 'user', 'kv'])
  expect(Object.keys(spark?.kv ?? {})).toEqual(['keys', 'get', 'set', 'delete'])
  expect(received).toMatchObject([{ method: 'POST', url: '/_spark/loaded' }])
  const notice: unknown = JSON.parse(received[0]?.body ?? '')
  expect(notice).toEqual({ url: 'https://sky.example/page?a=1', load_ms: expect.any(Number) })
  expect(postMessage.mock.calls).toEqual([
    [{ type: 'sparkRuntimeLoaded', ...Object(notice) }, 'https://sky.example'],
  ])
})

test('a page that can’t reach the server still has spark', async () => {
  const { page } = stubWindow()
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
  installSpark()
  expect(page.spark).toBeDefined()
  vi.unstubAllGlobals()
})
