import { streamFeed } from '@astropelago/contract/feed'
import type { Page } from '@playwright/test'
import type { ProblemLog } from './problem-log.ts'

const blocked = (url: URL) => url.pathname === streamFeed.path

/** Blocks every connection to the live feed. Call it before the page opens. */
export async function blockFeed(page: Page, problems: ProblemLog): Promise<() => Promise<void>> {
  problems.expectFailure('dropped')
  await page.route(blocked, (route) => route.abort('connectionrefused'))
  return () => page.unroute(blocked)
}
