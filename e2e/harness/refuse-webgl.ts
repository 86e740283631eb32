import type { Page } from '@playwright/test'

/** As a browser without WebGL, or one whose graphics card is refused. Call it before the page is opened. */
export async function refuseWebGl(page: Page): Promise<void> {
  await page.addInitScript({
    content: `
      HTMLCanvasElement.prototype.getContext = new Proxy(HTMLCanvasElement.prototype.getContext, {
        apply: (getContext, canvas, args) =>
          /^(webgl|experimental-webgl)/.test(args[0]) ? null : getContext.apply(canvas, args),
      })
    `,
  })
}
