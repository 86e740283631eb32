import type { Page } from '@playwright/test'

export interface JudgedText {
  readonly text: string
  /** Contrast of the text's colour with the brightest square of one em behind it. */
  readonly ratio: number
  readonly isLarge: boolean
}

interface TextBox {
  readonly text: string
  readonly rgb: readonly [number, number, number]
  readonly emPx: number
  readonly isBold: boolean
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/**
 * Measures the contrast of every text in the window from pixels, on a screenshot with the text made
 * invisible. Stars are smaller than letters, so the background is the mean of a square as large as a
 * letter, taken where it is brightest in the text's box.
 */
export async function judgeTextContrast(page: Page): Promise<readonly JudgedText[]> {
  await adoptStyle(page, stillStyle)
  const boxes = await textBoxes(page)
  await adoptStyle(page, `${stillStyle} * { color: transparent !important }`)
  const picture = await page.screenshot({ caret: 'hide' })
  await adoptStyle(page, stillStyle)
  const brightest = await brightestSquares(page, picture, boxes)
  return boxes.map((box, index) => {
    const behind = brightest[index] ?? 0
    const [lighter, darker] = [luminance(box.rgb), behind].toSorted((a, b) => b - a)
    const isLarge = box.emPx >= 24 || (box.isBold && box.emPx >= 18.66)
    return { text: box.text, ratio: ((lighter ?? 0) + 0.05) / ((darker ?? 0) + 0.05), isLarge }
  })
}

/** Disables transitions, since a colour in transition is neither the old one nor the new one. */
const stillStyle = '* { transition: none !important }'

/** Adds the style by script, which the page's content security policy allows. */
async function adoptStyle(page: Page, style: string): Promise<void> {
  await page.evaluate((text) => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(text)
    document.adoptedStyleSheets = [sheet]
  }, style)
}

function textBoxes(page: Page): Promise<TextBox[]> {
  return page.evaluate(() => {
    const found: TextBox[] = []
    const dot = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true })
    if (dot === null) throw new Error('no canvas')
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const text = node.textContent?.trim() ?? ''
      const element = node.parentElement
      if (text === '' || element === null || !element.checkVisibility()) continue
      const isForScreenReaders = element.closest('.sr-only:not(:focus)') !== null
      if (isForScreenReaders) continue
      const style = getComputedStyle(element)
      // The computed colour may be in any colour space. A canvas converts it to sRGB bytes.
      dot.clearRect(0, 0, 1, 1)
      dot.fillStyle = style.color
      dot.fillRect(0, 0, 1, 1)
      const [red = 0, green = 0, blue = 0] = dot.getImageData(0, 0, 1, 1).data
      const range = document.createRange()
      range.selectNodeContents(node)
      for (const { x, y, width, height } of range.getClientRects()) {
        const isInWindow = y >= 0 && y + height <= innerHeight && x >= 0 && x + width <= innerWidth
        if (!isInWindow) continue
        const onTop = document.elementFromPoint(x + width / 2, y + height / 2)
        // The header stays in place and covers what scrolls below it.
        const isCovered = onTop !== null && !element.contains(onTop) && !onTop.contains(element)
        if (isCovered) continue
        const isBold = Number(style.fontWeight) >= 700
        const emPx = Number.parseFloat(style.fontSize)
        found.push({
          text: text.slice(0, 60),
          rgb: [red, green, blue],
          emPx,
          isBold,
          x,
          y,
          width,
          height,
        })
      }
    }
    return found
  })
}

/** The relative luminance of the brightest square of one em in each box. */
function brightestSquares(
  page: Page,
  picture: Buffer,
  boxes: readonly TextBox[],
): Promise<number[]> {
  return page.evaluate(
    async ({ base64, areas }) => {
      const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
      const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }))
      const { width: pictureWidth, height: pictureHeight } = bitmap
      const scale = pictureWidth / innerWidth
      const context = new OffscreenCanvas(pictureWidth, pictureHeight).getContext('2d')
      if (context === null) throw new Error('no canvas')
      context.drawImage(bitmap, 0, 0)
      const { data } = context.getImageData(0, 0, pictureWidth, pictureHeight)
      // https://www.w3.org/TR/WCAG22/#dfn-relative-luminance
      const linear = Float64Array.from({ length: 256 }, (_, byte) => {
        const part = byte / 255
        return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
      })
      const luminanceAt = (pixel: number) =>
        0.2126 * (linear[data[pixel * 4] ?? 0] ?? 0) +
        0.7152 * (linear[data[pixel * 4 + 1] ?? 0] ?? 0) +
        0.0722 * (linear[data[pixel * 4 + 2] ?? 0] ?? 0)
      const meanLuminance = (left: number, top: number, side: number) => {
        let sum = 0
        for (let y = top; y < top + side; y += 1) {
          for (let x = left; x < left + side; x += 1) sum += luminanceAt(y * pictureWidth + x)
        }
        return sum / (side * side)
      }
      return areas.map(({ x, y, width, height, emPx }) => {
        const side = Math.max(1, Math.round(Math.min(emPx, width, height) * scale))
        const [left, top] = [Math.ceil(x * scale), Math.ceil(y * scale)]
        const [right, bottom] = [(x + width) * scale - side, (y + height) * scale - side]
        let brightest = meanLuminance(left, top, side)
        for (let squareTop = top; squareTop <= bottom; squareTop += Math.ceil(side / 2)) {
          for (let squareLeft = left; squareLeft <= right; squareLeft += Math.ceil(side / 2)) {
            brightest = Math.max(brightest, meanLuminance(squareLeft, squareTop, side))
          }
        }
        return brightest
      })
    },
    { base64: picture.toString('base64'), areas: boxes },
  )
}

/** https://www.w3.org/TR/WCAG22/#dfn-relative-luminance */
function luminance(rgb: readonly [number, number, number]): number {
  const [red, green, blue] = rgb.map((byte) => {
    const part = byte / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0)
}
