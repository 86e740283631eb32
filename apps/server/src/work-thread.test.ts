import { expect, onTestFinished, test } from 'vitest'
import { WorkThread } from './work-thread.ts'

/** Answers numbers after so many milliseconds, and works without end on others. */
const source = `
  import { parentPort } from 'node:worker_threads'
  parentPort.on('message', (message) => {
    for (const end = performance.now() + message; !(performance.now() > end); );
    parentPort.postMessage(message)
  })`

function openThread(options: { rest: number; timeLimitMs?: number }): WorkThread {
  const file = new URL(`data:text/javascript,${encodeURIComponent(source)}`)
  const thread = new WorkThread({ file, name: 'test', waitingMax: 3, ...options })
  onTestFinished(() => thread.close())
  return thread
}

test('S67 work that takes too long ends with its worker, and the next gets a new one', async () => {
  const thread = openThread({ rest: 0, timeLimitMs: 200 })
  const [endless, next] = [thread.ask(Number.NaN), thread.ask(1)]
  await expect(endless).rejects.toMatchObject({ code: 'overloaded', retryAfterS: 10 })
  expect(await next).toBe(1)
})

async function timeFor(rest: number): Promise<number> {
  const thread = openThread({ rest })
  await thread.ask(0)
  const startMs = performance.now()
  await Promise.all([thread.ask(40), thread.ask(0)])
  return performance.now() - startMs
}

test('a thread rests in proportion to its work, or not at all', async () => {
  const restedMs = await timeFor(5)
  expect(restedMs).toBeGreaterThan(200)
  expect(await timeFor(0)).toBeLessThan(restedMs)
})
