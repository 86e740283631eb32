import type { Page } from '@playwright/test'
import { countFrames, framesInAWhile } from './harness/frame-log.ts'
import { expectAccessible } from './harness/page-health.ts'
import { expect, test } from './harness/test.ts'

const sky = (page: Page) => page.locator('.sky canvas')
const pauseButton = (page: Page) => page.getByRole('button', { name: 'Pause the stars' })
const moveButton = (page: Page) => page.getByRole('button', { name: 'Move the stars' })

/** How many pixels of the sky show something, as the page counts them now. */
async function litPixels(page: Page): Promise<number> {
  return sky(page).evaluate((canvas) => window.litPixels?.(canvas) ?? 0)
}

declare global {
  interface Window {
    litPixels?: (canvas: Element) => number
  }
}

test.beforeEach(async ({ page }) => {
  await page.addInitScript(() => {
    window.litPixels = (canvas) => {
      if (!(canvas instanceof HTMLCanvasElement)) return 0
      // Read from a copy: a canvas that is read from is drawn in another way afterwards.
      const copy = new OffscreenCanvas(canvas.width, canvas.height)
      const context = copy.getContext('2d', { willReadFrequently: true })
      context?.drawImage(canvas, 0, 0)
      const pixels = context?.getImageData(0, 0, copy.width, copy.height).data ?? []
      let lit = 0
      for (let alpha = 3; alpha < pixels.length; alpha += 4) if (pixels[alpha] !== 0) lit += 1
      return lit
    }
  })
})

for (const [width, height, particles] of [
  [360, 640, '90'],
  [1440, 900, '130'],
  [3840, 2160, '220'],
] as const) {
  test(`the sky behind a page of ${width} x ${height} has ${particles} particles`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height })
    await page.goto('/explore')
    await expect(sky(page)).toHaveAttribute('data-particles', particles)
    await expect(sky(page)).toHaveAttribute('data-sky', 'moving')
    await expect.poll(() => litPixels(page)).toBeGreaterThan(500)
    expect(await sky(page).boundingBox()).toEqual({ x: 0, y: 0, width, height })
  })
}

for (const path of ['/', '/explore', '/connect', '/no/such/page']) {
  test(`the sky is behind ${path}, out of reach of pointer and screen reader`, async ({
    page,
    user: _user,
    problems,
  }) => {
    if (path.startsWith('/no/')) problems.expectFailure(404)
    await page.goto(path)
    await expect(sky(page)).toHaveAttribute('data-sky', 'moving')
    await expect(page.locator('.sky')).toHaveAttribute('aria-hidden', 'true')
    await expect(sky(page)).toHaveCSS('pointer-events', 'none')
  })
}

for (const [deviceScaleFactor, factor] of [
  [1.5, 1.5],
  [3, 2],
] as const) {
  test.describe(`on a screen of ${deviceScaleFactor} pixels to one`, () => {
    test.use({ deviceScaleFactor, viewport: { width: 360, height: 640 } })
    test(`the sky is drawn ${factor} pixels to one`, async ({ page }) => {
      await page.goto('/explore')
      await expect(sky(page)).toHaveAttribute('width', String(360 * factor))
      await expect(sky(page)).toHaveAttribute('height', String(640 * factor))
    })
  })
}

test('a hidden tab asks for no frame, and goes on when it is shown', async ({ page }) => {
  await countFrames(page)
  await page.goto('/explore')
  await expect(sky(page)).toHaveAttribute('data-sky', 'moving')
  expect(await framesInAWhile(page)).toBeGreaterThan(3)

  await setHidden(page, true)
  await expect(sky(page)).toHaveAttribute('data-sky', 'still')
  expect(await framesInAWhile(page)).toBe(0)

  await setHidden(page, false)
  await expect(sky(page)).toHaveAttribute('data-sky', 'moving')
  expect(await framesInAWhile(page)).toBeGreaterThan(3)
})

async function setHidden(page: Page, hidden: boolean): Promise<void> {
  await page.evaluate((isHidden) => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => isHidden })
    document.dispatchEvent(new Event('visibilitychange'))
  }, hidden)
}

test('under reduced motion the sky is still and asks for no frame, also when that changes', async ({
  page,
}) => {
  await countFrames(page)
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.goto('/explore')
  await expect(sky(page)).toHaveAttribute('data-sky', 'still')
  expect(await framesInAWhile(page)).toBe(0)
  expect(await litPixels(page)).toBeGreaterThan(500)
  await expect(pauseButton(page)).toBeHidden()

  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await expect(sky(page)).toHaveAttribute('data-sky', 'moving')
  expect(await framesInAWhile(page)).toBeGreaterThan(3)
  await expect(pauseButton(page)).toBeVisible()

  await page.emulateMedia({ reducedMotion: 'reduce' })
  await expect(sky(page)).toHaveAttribute('data-sky', 'still')
  expect(await framesInAWhile(page)).toBe(0)
})

test('the still sky under reduced motion is the same each time, every star at its brightest', async ({
  page,
}) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  const pictures = new Set<string>()
  for (let visit = 0; visit < 2; visit += 1) {
    await page.goto('/explore')
    await expect(sky(page)).toHaveAttribute('data-sky', 'still')
    pictures.add(
      await sky(page).evaluate((canvas) =>
        canvas instanceof HTMLCanvasElement ? canvas.toDataURL() : '',
      ),
    )
  }
  expect(pictures.size).toBe(1)
})

test('muted text of 12 px keeps 4.5:1 wherever it stands on the brightest sky', async ({
  page,
}) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.goto('/explore')
  await expect(sky(page)).toHaveAttribute('data-sky', 'still')
  const brightest = await sky(page).evaluate((canvas) => {
    if (!(canvas instanceof HTMLCanvasElement)) return 1
    const { width, height } = canvas
    const context = new OffscreenCanvas(width, height).getContext('2d')
    if (context === null) return 1
    context.fillStyle = getComputedStyle(document.documentElement).backgroundColor
    context.fillRect(0, 0, width, height)
    context.drawImage(canvas, 0, 0)
    const { data } = context.getImageData(0, 0, width, height)
    // https://www.w3.org/TR/WCAG22/#dfn-relative-luminance
    const linear = Float64Array.from({ length: 256 }, (_, byte) => {
      const part = byte / 255
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
    })
    const partOf = (pixel: number, channel: number) => linear[data[pixel * 4 + channel] ?? 0] ?? 0
    const side = 12
    let most = 0
    for (let top = 0; top <= height - side; top += 3) {
      for (let left = 0; left <= width - side; left += 3) {
        let sum = 0
        for (let index = 0; index < side * side; index += 1) {
          const pixel = (top + Math.floor(index / side)) * width + left + (index % side)
          sum += 0.2126 * partOf(pixel, 0) + 0.7152 * partOf(pixel, 1) + 0.0722 * partOf(pixel, 2)
        }
        most = Math.max(most, sum / side ** 2)
      }
    }
    return most
  })
  // Of #94a3b8, the muted text's colour.
  const textLuminance = 0.3593
  expect((textLuminance + 0.05) / (brightest + 0.05)).toBeGreaterThanOrEqual(4.5)
})

test('the pause control stops the sky by keyboard; the choice outlives a reload', async ({
  page,
}) => {
  await countFrames(page)
  await page.goto('/explore')
  await expect(sky(page)).toHaveAttribute('data-sky', 'moving')
  await expect(pauseButton(page)).toBeVisible()
  await pauseButton(page).press('Enter')
  await expect(moveButton(page)).toBeVisible()
  await expect(moveButton(page)).toBeFocused()
  await expect(sky(page)).toHaveAttribute('data-sky', 'still')
  expect(await framesInAWhile(page)).toBe(0)
  expect(await litPixels(page)).toBeGreaterThan(500)

  await page.reload()
  await expect(sky(page)).toHaveAttribute('data-sky', 'still')
  await expect(page.locator('html')).toHaveAttribute('data-motion', 'paused')
  expect(await framesInAWhile(page)).toBe(0)
  await expectAccessible(page)

  await moveButton(page).press('Enter')
  await expect(sky(page)).toHaveAttribute('data-sky', 'moving')
  expect(await framesInAWhile(page)).toBeGreaterThan(3)
})

test('the pause control works where storage throws', async ({ page }) => {
  await page.addInitScript(() => {
    Object.defineProperty(window, 'localStorage', {
      get: () => {
        throw new DOMException('Storage is blocked', 'SecurityError')
      },
    })
  })
  await page.goto('/explore')
  await pauseButton(page).click()
  await expect(sky(page)).toHaveAttribute('data-sky', 'still')
  await moveButton(page).click()
  await expect(sky(page)).toHaveAttribute('data-sky', 'moving')
})

for (const reducedMotion of ['reduce', 'no-preference'] as const) {
  test(`a new size never shows an empty sky, motion: ${reducedMotion}`, async ({ page }) => {
    await page.emulateMedia({ reducedMotion })
    await page.goto('/explore')
    await expect(sky(page)).toHaveAttribute('data-particles', '130')
    // Let the stars come up first.
    await expect.poll(() => litPixels(page)).toBeGreaterThan(500)
    // An observer of a later date is called after the sky's own, and still before the paint.
    await sky(page).evaluate((canvas) => {
      new ResizeObserver(() => {
        if (!(canvas instanceof HTMLCanvasElement)) return
        const { width } = canvas
        const state = (window.litPixels?.(canvas) ?? 0) > 0 ? 'lit' : 'empty'
        canvas.dataset['seen'] = `${canvas.dataset['seen'] ?? ''}${width}:${state} `
      }).observe(canvas)
    })
    for (const width of [1000, 700, 1600]) {
      await page.setViewportSize({ width, height: 900 })
      await expect(sky(page)).toHaveAttribute('data-seen', new RegExp(`${width}:lit`))
    }
    await expect(sky(page)).not.toHaveAttribute('data-seen', /empty/)
  })
}
