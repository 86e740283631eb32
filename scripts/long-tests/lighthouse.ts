/**
 * Runs Lighthouse's mobile preset on the public pages of the built product and prints the scores. Fails if
 * a page that loads does not have full scores for accessibility, best practices and SEO.
 */
import { chromium } from '@playwright/test'
import lighthouse from 'lighthouse'
import { freePort } from '../../apps/server/src/test/listen.ts'
import { startServer } from '../../e2e/harness/start-server.ts'
import { findChromium } from '../system-tools.ts'

/** The last path is the page of an island that every installation has. */
const paths = ['/', '/explore', '/islands/thetravelerstavern']
interface Budget {
  readonly category: string
  readonly lowest: number
  /** Whether a lower score fails the run. Performance depends on how busy the machine is. */
  readonly isRequired: boolean
}

const budgets: readonly Budget[] = [
  { category: 'performance', lowest: 95, isRequired: false },
  { category: 'accessibility', lowest: 100, isRequired: true },
  { category: 'best-practices', lowest: 100, isRequired: true },
  { category: 'seo', lowest: 100, isRequired: true },
]
const timings = [
  'first-contentful-paint',
  'largest-contentful-paint',
  'total-blocking-time',
  'cumulative-layout-shift',
]

const port = await freePort()
const server = await startServer({ settings: {} })
const executablePath = findChromium()
const browser = await chromium.launch({
  ...(executablePath !== undefined && { executablePath }),
  args: [`--remote-debugging-port=${port}`, '--no-sandbox', '--disable-quic'],
})

let isHeld = true
try {
  for (const path of paths) await judge(path)
} finally {
  await browser.close()
  await server.stop()
}
process.exitCode = isHeld ? 0 : 1

async function judge(path: string): Promise<void> {
  const onlyCategories = budgets.map(({ category }) => category)
  const result = await lighthouse(`${server.url}${path}`, { port, onlyCategories })
  if (result === undefined) throw new Error(`Lighthouse gave no result for ${path}`)
  const { lhr } = result
  if (lhr.runtimeError !== undefined) throw new Error(lhr.runtimeError.message)
  console.log(`\n${path}`)
  for (const { category, lowest, isRequired } of budgets) {
    const score = Math.round((lhr.categories[category]?.score ?? 0) * 100)
    const isShort = score < lowest
    console.log(`  ${category.padEnd(26)} ${score} of ${lowest}${isShort ? ', short' : ''}`)
    if (isShort) console.log(findings(lhr, category))
    if (isShort && isRequired) isHeld = false
  }
  for (const id of timings) console.log(`  ${id.padEnd(26)} ${lhr.audits[id]?.displayValue ?? ''}`)
}

type Report = NonNullable<Awaited<ReturnType<typeof lighthouse>>>['lhr']

function findings(lhr: Report, category: string): string {
  return (lhr.categories[category]?.auditRefs ?? [])
    .map(({ id, weight }) => ({ audit: lhr.audits[id], weight }))
    .filter(({ audit, weight }) => weight > 0 && audit?.score !== null && (audit?.score ?? 1) < 1)
    .map(({ audit }) => `    ${audit?.id}: ${audit?.title} ${audit?.displayValue ?? ''}`)
    .join('\n')
}
