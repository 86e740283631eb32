import type { Page } from '@playwright/test'

interface HeldAnswer {
  /** Resolves when the first such request is there. */
  readonly asked: Promise<void>
  /** Lets the requests go on to the server, and those that follow. */
  readonly release: () => void
}

/** Holds back the answers to requests for a path until they are released. */
export async function holdAnswer(page: Page, path: string): Promise<HeldAnswer> {
  const asked = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  await page.route(
    (url) => url.pathname === path,
    async (route) => {
      asked.resolve()
      await released.promise
      await route.continue()
    },
  )
  return { asked: asked.promise, release: released.resolve }
}
