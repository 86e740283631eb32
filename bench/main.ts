import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { type BenchRow, isHeld, type Scenario } from './bench-row.ts'
import { benchTable, growthTable } from './bench-table.ts'
import { measureBadges } from './badges/measure-badges.ts'
import { measureChecks } from './checks/measure-checks.ts'
import { measureCluster } from './cluster/measure-cluster.ts'
import { measureFeed } from './feed/measure-feed.ts'
import { measureSoak } from './feed/measure-soak.ts'
import { measureGlobe } from './globe/measure-globe.ts'
import { measureHeartbeats } from './heartbeats/measure-heartbeats.ts'
import { measureHistory } from './history/measure-history.ts'
import { measureKeyValues } from './kv/measure-key-values.ts'
import { measureList } from './list/measure-list.ts'
import { measureNeighbours } from './neighbours/measure-neighbours.ts'
import { measurePages } from './pages/measure-pages.ts'
import { measureRelay } from './relay/measure-relay.ts'
import { measureRoom } from './room/measure-room.ts'
import { measureSearch } from './search/measure-search.ts'
import { measureStart } from './start/measure-start.ts'

/** By the name that `npm run bench -- <name>` takes. */
const scenarios: Readonly<Record<string, Scenario>> = {
  heartbeats: measureHeartbeats,
  start: measureStart,
  list: measureList,
  feed: measureFeed,
  kv: measureKeyValues,
  badges: measureBadges,
  globe: measureGlobe,
  search: measureSearch,
  history: measureHistory,
  checks: measureChecks,
  neighbours: measureNeighbours,
  cluster: measureCluster,
  relay: measureRelay,
  pages: measurePages,
  room: measureRoom,
  soak: measureSoak,
}

const { positionals: asked, values: options } = parseArgs({
  options: { before: { type: 'string' } },
  allowPositionals: true,
})
const unknown = asked.filter((name) => !Object.hasOwn(scenarios, name))
if (unknown.length > 0) {
  console.error(
    `No such scenario: ${unknown.join(', ')}. There are: ${Object.keys(scenarios).join(', ')}.`,
  )
  process.exit(1)
}
const results: Record<string, readonly BenchRow[]> = {}
for (const [name, measure] of Object.entries(scenarios)) {
  if (asked.length > 0 && !asked.includes(name)) continue
  console.log(`measuring ${name} ...`)
  results[name] = await measure(options)
}
const rows = Object.values(results).flat()
console.log(`\n${benchTable(rows)}`)
if (rows.some(({ devices }) => devices !== undefined)) console.log(`\n${growthTable(rows)}`)
const file = new URL('results.json', import.meta.url)
writeFileSync(file, `${JSON.stringify(results, undefined, 2)}\n`)
if (!rows.every((row) => isHeld(row))) process.exitCode = 1
