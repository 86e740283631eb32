import { expect, type Page } from '@playwright/test'

interface FetchCounter {
  /** How often the page has asked for the path so far. */
  readonly asked: () => Promise<number>
  /** Waits until each of them has its answer: a page asks no second time while it waits. */
  readonly quiet: () => Promise<void>
}

/**
 * Counts within the page itself, so that the count is in step with the page's clock: what the
 * browser reports of its requests comes later. Call it before the page is opened.
 */
export async function countFetches(page: Page, path: string): Promise<FetchCounter> {
  await page.addInitScript((countedPath) => {
    const originalFetch = window.fetch
    const counts = { asked: 0, answered: 0 }
    const count = (name: keyof typeof counts) => {
      counts[name] += 1
      document.documentElement.dataset[name] = String(counts[name])
    }
    window.fetch = async (input, init) => {
      const isCounted = input === countedPath
      if (isCounted) count('asked')
      try {
        const response = await originalFetch(input, init)
        await response.clone().text()
        return response
      } finally {
        if (isCounted) count('answered')
      }
    }
  }, path)
  const html = page.locator('html')
  const read = async (name: string) => Number((await html.getAttribute(`data-${name}`)) ?? 0)
  return {
    asked: () => read('asked'),
    quiet: () => expect.poll(async () => (await read('asked')) - (await read('answered'))).toBe(0),
  }
}
