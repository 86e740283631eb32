import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { createTestApp } from './test/create-test-app.ts'

const metricsToken = 'scr4pe-me'

const Panel = v.object({
  title: v.string(),
  targets: v.optional(v.array(v.object({ expr: v.string() })), []),
})
const Dashboard = v.object({ panels: v.array(Panel) })

function read(path: string): string {
  return readFileSync(fileURLToPath(new URL(`../../../${path}`, import.meta.url)), 'utf8')
}

/** Names of series in a query. */
function namesIn(text: string): Set<string> {
  return new Set(text.match(/\b(?:astropelago|process|nodejs)_[a-z0-9_]+/g))
}

/** Metrics by their names. A histogram has three series. */
function figuresOf(names: Iterable<string>): Set<string> {
  return new Set([...names].map((name) => name.replace(/_(?:bucket|sum|count)$/, '')))
}

/** Names of the series that a server has. */
async function seriesOfServer(): Promise<Set<string>> {
  const { inject } = await createTestApp({ config: { metricsToken } })
  const headers = { authorization: `Bearer ${metricsToken}` }
  const { body } = await inject({ url: '/metrics', headers })
  const series = [...body.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name = '', type]) =>
    type === 'histogram' ? ['_bucket', '_sum', '_count'].map((end) => name + end) : [name],
  )
  return new Set(series)
}

test('the Grafana dashboard uses metrics that exist, and all of ours', async () => {
  const { panels } = v.parse(Dashboard, JSON.parse(read('deploy/grafana.json')))
  const asked = namesIn(panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)).join('\n'))
  const series = await seriesOfServer()
  expect([...asked].filter((name) => !series.has(name))).toEqual([])
  const shown = figuresOf(asked)
  const own = [...figuresOf(series)].filter((name) => name.startsWith('astropelago_'))
  expect(own.filter((name) => !shown.has(name))).toEqual([])
})

test('the metrics that docs/operations.md names exist', async () => {
  const [, chapter = ''] = read('docs/operations.md').split('\n## Metrics\n')
  const named = namesIn(chapter.split('\n## ', 1)[0] ?? '')
  const series = await seriesOfServer()
  const figures = figuresOf(series)
  expect(named.size).toBeGreaterThan(10)
  expect([...named].filter((name) => !series.has(name) && !figures.has(name))).toEqual([])
})
