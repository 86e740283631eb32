import type { Page } from '@playwright/test'

/**
 * Makes WebGL unavailable, as in a browser without it or with a blocked graphics card. Call it before the
 * page opens.
 */
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
