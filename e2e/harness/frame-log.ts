import type { Page } from '@playwright/test'

declare global {
  interface Window {
    /** Animation frames that the page's own scripts have received. */
    framesGiven?: number
  }
}

/** Enough for about twenty frames, if any are requested. */
const watchMs = 350

/** Counts animation frames from the next page load on. */
export async function countFrames(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const request = window.requestAnimationFrame.bind(window)
    window.framesGiven = 0
    window.requestAnimationFrame = (callback) =>
      request((nowMs) => {
        window.framesGiven = (window.framesGiven ?? 0) + 1
        callback(nowMs)
      })
  })
}

/** The page's animation frames in the next third of a second. */
export function framesInAWhile(page: Page): Promise<number> {
  return framesIn(page, watchMs)
}

/** The page's animation frames in this time. */
export async function framesIn(page: Page, durationMs: number): Promise<number> {
  const before = await framesSoFar(page)
  await page.waitForTimeout(durationMs)
  return (await framesSoFar(page)) - before
}

async function framesSoFar(page: Page): Promise<number> {
  const frames = await page.evaluate(() => window.framesGiven)
  if (frames === undefined) throw new Error('Frames are not counted: call countFrames first')
  return frames
}
