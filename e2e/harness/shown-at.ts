import type { Locator } from '@playwright/test'

/**
 * Resolves with the time at which an element's HTML first holds a text, looked for in each frame: what
 * Playwright's own waiting adds would count as the page's. An element that is replaced is found again.
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
