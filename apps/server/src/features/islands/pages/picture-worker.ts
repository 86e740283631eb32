/** Renders SVG to PNG on its own thread. One picture takes about 35 ms, too long for heartbeats to wait. */
import { fileURLToPath } from 'node:url'
import { parentPort } from 'node:worker_threads'
import { Resvg } from '@resvg/resvg-js'
import * as v from 'valibot'

const fontFiles = [
  new URL('./fonts/space-grotesk-latin.ttf', import.meta.url),
  new URL('./fonts/space-grotesk-latin-ext.ttf', import.meta.url),
  new URL('./fonts/inter-latin.ttf', import.meta.url),
  new URL('./fonts/inter-latin-ext.ttf', import.meta.url),
  new URL('./fonts/inter-cyrillic.ttf', import.meta.url),
  new URL('./fonts/inter-greek.ttf', import.meta.url),
].map((url) => fileURLToPath(url))

const font = { fontFiles, loadSystemFonts: false, defaultFontFamily: 'Inter Medium' }
const Svg = v.string()

parentPort?.on('message', (message: unknown) => {
  const png = new Resvg(v.parse(Svg, message), { font, logLevel: 'off' }).render().asPng()
  parentPort?.postMessage({ png: Uint8Array.from(png) })
})
