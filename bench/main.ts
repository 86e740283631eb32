import { writeFileSync } from 'node:fs'
import { isHeld, type Scenario } from './bench-row.ts'
import { benchTable } from './bench-table.ts'
import { measureGlobe } from './globe/measure-globe.ts'

/** By the name that `npm run bench -- <name>` takes. */
const scenarios: Readonly<Record<string, Scenario>> = {
  globe: measureGlobe,
}

const asked = process.argv.slice(2)
const unknown = asked.filter((name) => !Object.hasOwn(scenarios, name))
if (unknown.length > 0) {
  console.error(
    `No such scenario: ${unknown.join(', ')}. There are: ${Object.keys(scenarios).join(', ')}.`,
  )
  process.exit(1)
}
const results: Record<string, unknown> = {}
let isAllHeld = true
for (const [name, measure] of Object.entries(scenarios)) {
  if (asked.length > 0 && !asked.includes(name)) continue
  const rows = await measure()
  console.log(`\n${name}\n\n${benchTable(rows)}\n`)
  results[name] = rows
  isAllHeld &&= rows.every((row) => isHeld(row))
}
const file = new URL('results.json', import.meta.url)
writeFileSync(file, `${JSON.stringify(results, undefined, 2)}\n`)
if (!isAllHeld) process.exitCode = 1
