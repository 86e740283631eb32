import type { Locator } from '@playwright/test'

/**
 * Resolves with the time at which an element's HTML first holds a text, looked for in each frame: what
 * Playwright's own waiting adds would count as the page's. The element has to be there, and to stay.
 */
export async function shownAt(element: Locator, text: string): Promise<number> {
  await element.evaluate(
    (node, wanted) =>
      new Promise<void>((resolve) => {
        const look = () => {
          if (node.innerHTML.includes(wanted)) resolve()
          else requestAnimationFrame(look)
        }
        look()
      }),
    text,
  )
  return Date.now()
}
