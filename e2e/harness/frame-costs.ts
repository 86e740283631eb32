import type { Browser, Page } from '@playwright/test'
import * as v from 'valibot'

const traceSchema = v.object({
  traceEvents: v.array(
    v.object({
      name: v.string(),
      ph: v.string(),
      pid: v.number(),
      tid: v.number(),
      ts: v.optional(v.number(), 0),
      /** Processor time, which other processes do not stretch as they do wall-clock time. */
      tdur: v.optional(v.number(), 0),
    }),
  ),
})

/**
 * The work of the page's main thread for each frame in milliseconds of processor time: scripts, style,
 * layout, paint and commit, until the next frame begins.
 */
export async function frameCosts(browser: Browser, page: Page, durationMs: number) {
  await browser.startTracing(page, {
    categories: ['toplevel', 'devtools.timeline', 'disabled-by-default-devtools.timeline'],
  })
  await page.waitForTimeout(durationMs)
  const trace = JSON.parse((await browser.stopTracing()).toString())
  const { traceEvents } = v.parse(traceSchema, trace)
  const first = traceEvents.find(({ name }) => name === 'FireAnimationFrame')
  if (first === undefined) return []
  const ofMainThread = traceEvents
    .filter(({ pid, tid }) => pid === first.pid && tid === first.tid)
    .toSorted((one, other) => one.ts - other.ts)
  const costsMs: number[] = []
  let costUs = 0
  for (const { name, ph, tdur } of ofMainThread) {
    if (name === 'RunTask' && ph === 'X') costUs += tdur
    if (name !== 'FireAnimationFrame') continue
    costsMs.push(costUs / 1000)
    costUs = 0
  }
  // The first sum belongs to a frame that began before the trace.
  return costsMs.slice(1)
}
