import type { Page } from '@playwright/test'

interface HeldAnswer {
  /** Resolves when the first request has arrived. */
  readonly asked: Promise<void>
  /** Lets the held requests and all later ones go on to the server. */
  readonly release: () => void
}

/** Holds requests for a path until they are released. */
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
