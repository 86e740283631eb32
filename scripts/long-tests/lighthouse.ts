/**
 * Runs Lighthouse's mobile preset on the public pages of the built product and on all templates, and prints
 * the scores. Fails if
 * a page that loads does not have full scores for accessibility, best practices and SEO.
 */
import { chromium } from '@playwright/test'
import {
  deployTemplate,
  templateNames,
  type TemplateName,
} from '@astropelago/contract/hosted-pages'
import { createIsland, publishIsland } from '@astropelago/contract/islands'
import type { Route } from '@astropelago/contract/route'
import lighthouse from 'lighthouse'
import * as v from 'valibot'
import { signInOverHttp } from '../../apps/server/src/test/http-client.ts'
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

/** The browser has seen who made these pages. */
const cookie = 'astropelago_met=1'

const port = await freePort()
const server = await startServer({ settings: {} })
const executablePath = findChromium()
const browser = await chromium.launch({
  ...(executablePath !== undefined && { executablePath }),
  args: [`--remote-debugging-port=${port}`, '--no-sandbox', '--disable-quic'],
})

let isHeld = true
try {
  for (const path of paths) await judge(`${server.url}${path}`)
  for (const template of templateNames) await judge(await publishTemplate(template))
} finally {
  await browser.close()
  await server.stop()
}
process.exitCode = isHeld ? 0 : 1

/** @returns the address of an island whose pages are the template */
async function publishTemplate(template: TemplateName): Promise<string> {
  const host = await signInOverHttp(server.url, 'host')
  const call = async (route: Route, body: object, id = '') => {
    const answer = await host.call(route.method, route.path.replace(':id', id), body)
    return await answer.json()
  }
  const made = await call(createIsland, { name: `Our ${template}`, kind: 'lab', isHosted: true })
  const { id } = v.parse(createIsland.answers[201], made)
  await call(deployTemplate, { template }, id)
  const published = await call(publishIsland, { access: 'public', isListed: true }, id)
  const { relayAddress } = v.parse(publishIsland.answers[200], published)
  return relayAddress ?? ''
}

async function judge(address: string): Promise<void> {
  const onlyCategories = budgets.map(({ category }) => category)
  const result = await lighthouse(address, { port, onlyCategories, extraHeaders: { cookie } })
  if (result === undefined) throw new Error(`Lighthouse gave no result for ${address}`)
  const { lhr } = result
  if (lhr.runtimeError !== undefined) throw new Error(lhr.runtimeError.message)
  console.log(`\n${address}`)
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
