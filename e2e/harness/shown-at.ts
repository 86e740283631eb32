import type { Locator } from '@playwright/test'

/**
 * Resolves with the time at which an element's HTML first contains a text. Looks in each frame, because
 * Playwright's own waiting would add to the page's time. Finds the element again if it is replaced.
 */
export async function shownAt(element: Locator, text: string): Promise<number> {
  for (;;) {
    const isShown = await element.evaluate(
      (node, wanted) =>
        new Promise<boolean>((resolve) => {
          const look = () => {
            if (node.innerHTML.includes(wanted)) resolve(true)
            else if (node.isConnected) requestAnimationFrame(look)
            else resolve(false)
          }
          look()
        }),
      text,
    )
    if (isShown) return Date.now()
  }
}
