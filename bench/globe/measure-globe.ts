import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Page } from '@playwright/test'
import { build } from 'vite'
import { findChromium } from '../../scripts/system-tools.ts'
import type { BenchRow } from '../bench-row.ts'
import type { Measured } from './page/measure.ts'
import type { SubjectName } from './page/page.ts'
import { serveFolder } from './serve-folder.ts'

const counts = [1000, 10_000, 100_000, 1_000_000]
/** The budgets that docs/performance.md lists, for this many nodes. */
const budgetedCount = 100_000
const restMs = 4000
const mounts = 50
const viewport = { width: 920, height: 460 }

/**
 * Measures our globe beside a bare page with one triangle and one draw of points. Both are production builds,
 * drawn in software by a headless Chromium at 920 x 460.
 */
export async function measureGlobe(): Promise<readonly BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), 'globe-bench-'))
  await build({
    configFile: false,
    root: join(import.meta.dirname, 'page'),
    logLevel: 'warn',
    define: { ASTROPELAGO_LANGUAGE: JSON.stringify('en') },
    build: { outDir: folder, emptyOutDir: true, assetsInlineLimit: 0 },
  })
  const server = await serveFolder(folder)
  const executablePath = findChromium()
  const browser = await chromium.launch({
    ...(executablePath === undefined ? {} : { executablePath }),
    args: [
      '--no-sandbox',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--use-angle=swiftshader',
      '--enable-unsafe-swiftshader',
    ],
  })
  const open = async (): Promise<Page> => {
    const page = await browser.newPage({ viewport, reducedMotion: 'reduce' })
    await page.goto(server.origin)
    return page
  }
  try {
    const rows: BenchRow[] = []
    for (const count of counts) {
      const bare = await measureSubject(await open(), 'bare', count)
      const globe = await measureSubject(await open(), 'globe', count)
      rows.push(...figures(count, globe, bare))
    }
    const bareKb = await heapGrowthKb(await open(), 'bare')
    const globeKb = await heapGrowthKb(await open(), 'globe')
    rows.push({
      name: `heap after ${mounts} mounts`,
      value: globeKb,
      unit: 'kB',
      reference: bareKb,
      atMost: 500,
    })
    return rows
  } finally {
    await browser.close()
    server.close()
    rmSync(folder, { recursive: true })
  }
}

async function measureSubject(page: Page, name: SubjectName, count: number): Promise<Measured> {
  const measured = await page.evaluate(
    (given) => window.measureSubject(given.name, given.count, given.idleMs),
    { name, count, idleMs: name === 'globe' ? restMs : 0 },
  )
  await page.close()
  return measured
}

function figures(count: number, globe: Measured, bare: Measured): BenchRow[] {
  const at = `${count.toLocaleString('en')} nodes`
  const budget = (atMost: number) => (count === budgetedCount ? { atMost } : {})
  const row = (
    name: string,
    key: keyof Measured,
    unit: BenchRow['unit'],
    limit: { atMost?: number } = {},
  ): BenchRow => ({
    name: `${at}: ${name}`,
    value: globe[key],
    unit,
    ...(key === 'idleFrames' ? {} : { reference: bare[key] }),
    ...limit,
  })
  return [
    row('main thread per drag frame', 'dragMainMs', 'ms', budget(0.5)),
    row('time of a drag frame', 'frameMs', 'ms'),
    row('draw calls per frame', 'drawCalls', 'calls', { atMost: 3 }),
    row(`frames in ${restMs / 1000} s at rest`, 'idleFrames', 'frames', { atMost: 0 }),
    row('pick', 'pickMs', 'ms', budget(1)),
    row('status of 1 % changed', 'changeMs', 'ms', budget(0.5)),
    row('frames for that change', 'changeFrames', 'frames', { atMost: 1 }),
    row('first full draw', 'firstDrawMs', 'ms'),
  ]
}

/** Heap growth after 50 globes, beyond a few that warm it up. */
async function heapGrowthKb(page: Page, name: SubjectName): Promise<number> {
  const session = await page.context().newCDPSession(page)
  const usedBytes = async () => {
    await session.send('HeapProfiler.collectGarbage')
    const { usedSize } = await session.send('Runtime.getHeapUsage')
    return usedSize
  }
  const mount = (times: number) =>
    page.evaluate((given) => window.mountSubject(given.name, given.times), { name, times })
  await mount(5)
  const before = await usedBytes()
  await mount(mounts)
  const after = await usedBytes()
  await page.close()
  return (after - before) / 1000
}
