import { streamFeed } from '@astropelago/contract/feed'
import type { Page } from '@playwright/test'
import type { ProblemLog } from './problem-log.ts'

const blocked = (url: URL) => url.pathname === streamFeed.path

/** Lets no connection to the live feed come about: call it before the page is opened. */
export async function blockFeed(page: Page, problems: ProblemLog): Promise<() => Promise<void>> {
  problems.expectFailure('dropped')
  await page.route(blocked, (route) => route.abort('connectionrefused'))
  return () => page.unroute(blocked)
}
