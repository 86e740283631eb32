import { expect, onTestFinished, test, vi } from 'vitest'
import { createTestApp } from '../test/create-test-app.ts'

test('a server that was closed without having listened leaves no timer, which would keep all of it in memory', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const before = vi.getTimerCount()
  const { app, inject } = await createTestApp()
  expect((await inject({ url: '/healthz' })).statusCode).toBe(200)
  await app.close()
  // Streams are told that it ends, and have a moment for that.
  await vi.advanceTimersByTimeAsync(10_000)
  expect(vi.getTimerCount()).toBe(before)
})
