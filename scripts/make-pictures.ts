/// <reference lib="dom" />
/**
 * Draws the PNG pictures in apps/web/public that browsers and other sites need: the icons, from
 * favicon.svg, and the picture for shared links. Run it after changing their sources: `node
 * scripts/make-pictures.ts`.
 */
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { type Browser, chromium, type Page } from '@playwright/test'
import { makeStars, skyLayers, starTints } from '../apps/web/src/features/starfield/make-stars.ts'
import { findChromium } from './system-tools.ts'
import { writePng } from './write-png.ts'

const root = resolve(import.meta.dirname, '..')
const publicDir = join(root, 'apps/web/public')
const ground = '#05070f'
/** Of 256 levels of a colour: the smallest step that removes the dither. */
const ditherStep = 4

interface Picture {
  readonly file: string
  readonly widthPx: number
  readonly heightPx: number
  readonly svg: string
  /** CSS for this picture only. */
  readonly css?: string
}

const icon = await readFile(join(publicDir, 'favicon.svg'), 'utf8')
// Phones round the corners themselves, and crop a maskable icon to its middle four fifths.
const squareCss = `body { background: ${ground} } svg rect { rx: 0 }`
const maskableCss = `${squareCss} svg { scale: 0.72; overflow: visible } svg rect { scale: 2; transform-origin: center }`

const pictures: readonly Picture[] = [
  { file: 'icon-192.png', widthPx: 192, heightPx: 192, svg: icon },
  { file: 'icon-512.png', widthPx: 512, heightPx: 512, svg: icon },
  { file: 'icon-maskable-512.png', widthPx: 512, heightPx: 512, svg: icon, css: maskableCss },
  { file: 'apple-touch-icon.png', widthPx: 180, heightPx: 180, svg: icon, css: squareCss },
  {
    file: 'share-picture.png',
    widthPx: 1200,
    heightPx: 630,
    svg: await sharePicture(),
    css: await displayFont(),
  },
]

const executablePath = findChromium()
const browser = await chromium.launch({
  ...(executablePath === undefined ? {} : { executablePath }),
  args: ['--no-sandbox'],
})
for (const picture of pictures) await draw(browser, picture)
await browser.close()

async function draw(browserToUse: Browser, picture: Picture): Promise<void> {
  const { file, widthPx: width, heightPx: height, svg, css = '' } = picture
  const path = join(publicDir, file)
  const page = await browserToUse.newPage({ viewport: { width, height } })
  await page.setContent(
    `<style>body { margin: 0 } svg { display: block; width: 100vw; height: 100vh } ${css}</style>${svg}`,
  )
  await page.evaluate('document.fonts.ready')
  const screenshot = await page.screenshot({ omitBackground: true })
  const pixels = Buffer.from(await pixelsOf(page, screenshot), 'base64')
  await writeFile(path, writePng(pixels, width, ditherStep))
  await page.close()
  console.log(`${file}: ${width} x ${height}, ${(await stat(path)).size} bytes`)
}

/** The picture's RGBA bytes in base64, decoded by the browser. */
function pixelsOf(page: Page, png: Buffer): Promise<string> {
  return page.evaluate(
    async (address) => {
      const bitmap = await createImageBitmap(await (await fetch(address)).blob())
      const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d')
      context?.drawImage(bitmap, 0, 0)
      const image = context?.getImageData(0, 0, bitmap.width, bitmap.height)
      return new Uint8Array(image?.data ?? []).toBase64()
    },
    `data:image/png;base64,${png.toString('base64')}`,
  )
}

/** The picture for shared links, with the same stars as the pages. */
async function sharePicture(): Promise<string> {
  const svg = await readFile(join(import.meta.dirname, 'pictures/share-picture.svg'), 'utf8')
  const stars = makeStars(170).map(({ x, y, layer, tint, brightness }) => {
    const isBehindText = x > 0.05 && x < 0.5 && y > 0.35 && y < 0.66
    if (isBehindText) return ''
    const radius = 1.3 * (skyLayers[layer]?.coreRadiusPx ?? 1)
    const color = `rgb(${starTints[tint]?.join(' ')})`
    return `<circle cx="${1200 * x}" cy="${630 * y}" r="${radius}" fill="${color}" fill-opacity="${brightness}" />`
  })
  return svg.replace('<!--stars-->', stars.join(''))
}

async function displayFont(): Promise<string> {
  const file =
    'node_modules/@fontsource-variable/space-grotesk/files/space-grotesk-latin-wght-normal.woff2'
  const font = (await readFile(join(root, file))).toString('base64')
  return `@font-face { font-family: 'Space Grotesk'; font-weight: 300 700; src: url(data:font/woff2;base64,${font}) }`
}
