import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { cleanup } from 'vitest-browser-react/pure'
import { commands, page, userEvent } from 'vitest/browser'
import { allowMotion } from '../../test/emulation.ts'
import { openPart, openScreen } from '../../test/open-screen.tsx'
import { PauseMotionButton } from '../shell/footer.tsx'
import { Starfield } from './starfield.tsx'

const pauseButton = page.getByRole('button', { name: 'Pause the stars' })
const moveButton = page.getByRole('button', { name: 'Move the stars' })
/** Long enough for a few frames, if any are requested. */
const whileMs = 100

let onFrameGiven = () => {}

beforeEach(() => {
  const request = window.requestAnimationFrame.bind(window)
  vi.spyOn(window, 'requestAnimationFrame').mockImplementation((callback) =>
    request((nowMs) => {
      onFrameGiven()
      callback(nowMs)
    }),
  )
})

afterEach(() => {
  vi.restoreAllMocks()
})

async function openSky(): Promise<void> {
  await openPart(
    <>
      <Starfield />
      <PauseMotionButton />
    </>,
  )
}

function sky(): HTMLCanvasElement {
  const canvas = document.querySelector('.sky canvas')
  if (!(canvas instanceof HTMLCanvasElement)) throw new Error('no sky')
  return canvas
}

/** The sky's state, after waiting to see whether it requests a frame. */
async function skyNow(): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<'moving' | 'still'>()
  onFrameGiven = () => resolve('moving')
  setTimeout(() => resolve('still'), whileMs)
  const does = await promise
  const says = sky().dataset['sky']
  return says === does ? does : `says ${says}, is ${does}`
}

/** The sky's pixels, read from a copy: reading from a canvas changes how it is drawn later. */
function pictureOfSky(ground?: string): ImageData {
  const canvas = sky()
  const { width, height } = canvas
  const context = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true })
  if (context === null) throw new Error('no canvas')
  if (ground !== undefined) {
    context.fillStyle = ground
    context.fillRect(0, 0, width, height)
  }
  context.drawImage(canvas, 0, 0)
  return context.getImageData(0, 0, width, height)
}

/** How many pixels of the sky are not empty. */
function litPixels(): number {
  const { data } = pictureOfSky()
  let lit = 0
  for (let alpha = 3; alpha < data.length; alpha += 4) if (data[alpha] !== 0) lit += 1
  return lit
}

function hideTab(isHidden: boolean): void {
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(isHidden)
  document.dispatchEvent(new Event('visibilitychange'))
}

test.each([
  [360, 640, '90'],
  [1440, 900, '130'],
  [3840, 2160, '220'],
])('behind a page of %i x %i it has %s particles', async (width, height, particles) => {
  await allowMotion()
  await page.viewport(width, height)
  await openSky()
  await expect.poll(skyNow).toBe('moving')
  expect(sky().dataset['particles']).toBe(particles)
  await expect.poll(litPixels).toBeGreaterThan(500)
  expect(sky().getBoundingClientRect()).toMatchObject({ x: 0, y: 0, width, height })
})

test('it is out of reach of pointer and screen reader', async () => {
  await openScreen('/no/such/page')
  await expect.poll(skyNow).toBe('still')
  await expect.element(page.elementLocator(sky())).toHaveStyle({ pointerEvents: 'none' })
  expect(sky().closest('.sky')).toHaveAttribute('aria-hidden', 'true')
})

test.each([
  [1.5, 1.5],
  [3, 2],
])('on a screen of %f pixels to one it is drawn %f to one', async (pixelRatio, factor) => {
  vi.spyOn(window, 'devicePixelRatio', 'get').mockReturnValue(pixelRatio)
  await openSky()
  await expect.poll(skyNow).toBe('still')
  const { width, height, clientWidth, clientHeight } = sky()
  expect([width, height]).toEqual([clientWidth * factor, clientHeight * factor])
})

describe('it asks for no frame', () => {
  // A small sky takes less time to draw.
  beforeEach(() => page.viewport(360, 640))

  test('while the tab is hidden, and goes on when it is shown', async () => {
    await allowMotion()
    await openSky()
    await expect.poll(skyNow).toBe('moving')
    hideTab(true)
    await expect.poll(skyNow).toBe('still')
    hideTab(false)
    await expect.poll(skyNow).toBe('moving')
  })

  test('under reduced motion, also when that changes; then there is no pause control', async () => {
    await openSky()
    await expect.poll(skyNow).toBe('still')
    expect(litPixels()).toBeGreaterThan(500)
    await expect.element(pauseButton).not.toBeInTheDocument()
    await allowMotion()
    await expect.poll(skyNow).toBe('moving')
    await expect.element(pauseButton).toBeVisible()
    await commands.emulateMotion('reduce')
    await expect.poll(skyNow).toBe('still')
  })

  test('once it is paused, by keyboard; the focus stays on the control', async () => {
    await allowMotion()
    await openSky()
    await expect.poll(skyNow).toBe('moving')
    await userEvent.tab()
    await expect.element(pauseButton).toHaveFocus()
    await userEvent.keyboard('{Enter}')
    await expect.element(moveButton).toHaveFocus()
    await expect.poll(skyNow).toBe('still')
    expect(litPixels()).toBeGreaterThan(500)
    await userEvent.keyboard('{Enter}')
    await expect.poll(skyNow).toBe('moving')
  })

  test('once it is paused where storage throws', async () => {
    await allowMotion()
    vi.spyOn(window, 'localStorage', 'get').mockImplementation(() => {
      throw new DOMException('Storage is blocked', 'SecurityError')
    })
    await openSky()
    await pauseButton.click()
    await expect.poll(skyNow).toBe('still')
    await moveButton.click()
    await expect.poll(skyNow).toBe('moving')
  })
})

describe('the still sky under reduced motion', () => {
  test('is the same each time', async () => {
    const pictures = new Set<string>()
    for (let visit = 0; visit < 2; visit += 1) {
      await openSky()
      await expect.poll(skyNow).toBe('still')
      pictures.add(sky().toDataURL())
      await cleanup()
    }
    expect(pictures.size).toBe(1)
  })

  test('muted text of 12 px keeps 4.5:1 wherever it stands on it', async () => {
    await openSky()
    await expect.poll(skyNow).toBe('still')
    const ground = getComputedStyle(document.documentElement).backgroundColor
    const brightest = brightestSquare(pictureOfSky(ground), 12)
    // The luminance of #94a3b8, the muted text's colour.
    const textLuminance = 0.3593
    expect((textLuminance + 0.05) / (brightest + 0.05)).toBeGreaterThanOrEqual(4.5)
  })
})

/** The mean luminance of the picture's brightest square. */
function brightestSquare({ data, width, height }: ImageData, side: number): number {
  // https://www.w3.org/TR/WCAG22/#dfn-relative-luminance
  const linear = Float64Array.from({ length: 256 }, (_, byte) => {
    const part = byte / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  const partOf = (pixel: number, channel: number) => linear[data[pixel * 4 + channel] ?? 0] ?? 0
  /** For each corner between pixels, the sum of all that is above and to the left of it. */
  const sums = new Float64Array((width + 1) * (height + 1))
  const sumAt = (left: number, top: number) => sums[top * (width + 1) + left] ?? 0
  for (let y = 0; y < height; y += 1) {
    let row = 0
    for (let x = 0; x < width; x += 1) {
      const pixel = y * width + x
      row += 0.2126 * partOf(pixel, 0) + 0.7152 * partOf(pixel, 1) + 0.0722 * partOf(pixel, 2)
      sums[(y + 1) * (width + 1) + x + 1] = sumAt(x + 1, y) + row
    }
  }
  let most = 0
  for (let top = 0; top <= height - side; top += 1) {
    for (let left = 0; left <= width - side; left += 1) {
      const right = left + side
      const bottom = top + side
      const sum = sumAt(right, bottom) - sumAt(left, bottom) - sumAt(right, top) + sumAt(left, top)
      most = Math.max(most, sum / side ** 2)
    }
  }
  return most
}

test.each([false, true])('a new size never shows it empty; moving: %s', async (moves) => {
  if (moves) await allowMotion()
  await openSky()
  await expect.poll(() => sky().dataset['sky']).toBe(moves ? 'moving' : 'still')
  // Wait until the stars have faded in.
  await expect.poll(litPixels).toBeGreaterThan(500)
  const seen: string[] = []
  // An observer added later is called after the sky's own, and still before paint.
  const sizes = new ResizeObserver(() => {
    seen.push(`${sky().width}: ${litPixels() > 0 ? 'lit' : 'empty'}`)
  })
  sizes.observe(sky())
  for (const width of [1000, 700, 1600]) {
    await page.viewport(width, 900)
    await expect.poll(() => seen.at(-1)).toBe(`${width}: lit`)
  }
  sizes.disconnect()
  expect(seen.filter((state) => state.endsWith('empty'))).toEqual([])
})
