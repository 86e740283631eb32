import { streamFeed } from '@astropelago/contract/feed'
import type { Page, Request } from '@playwright/test'

/** Whether a request is a connection to the live feed by server-sent events. */
export function isFeed(request: Request): boolean {
  return new URL(request.url()).pathname === streamFeed.path
}

/** Resolves when the page's next connection to the feed is open. Call it before that can happen. */
export async function feedOpen(page: Page): Promise<void> {
  await page.waitForResponse((answer) => isFeed(answer.request()))
}

/** Counts the page's requests for a path from now on, from any thread. */
export function countRequests(page: Page, path: string): () => number {
  let count = 0
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === path) count += 1
  })
  return () => count
}
