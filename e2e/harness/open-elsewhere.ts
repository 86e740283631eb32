import type { Browser, BrowserContext } from '@playwright/test'
import type { ProblemLog } from './problem-log.ts'
import type { SharedServer } from './shared-server.ts'

interface Elsewhere {
  readonly browser: Browser
  readonly server: SharedServer
  readonly problems: ProblemLog
}

/** A new browser context in which nobody is signed in. */
export async function openElsewhere({
  browser,
  server,
  problems,
}: Elsewhere): Promise<BrowserContext> {
  const context = await browser.newContext({ baseURL: server.url })
  problems.watch(context)
  return context
}
