/** `npm run licences`: writes the bill of materials and the licence texts that ship with it. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import * as v from 'valibot'
import { asCycloneDx, licenceDocument, takeInventory, unknownLicences } from './licences.ts'

const root = resolve(import.meta.dirname, '../..')
const folder = join(root, 'dist/licences')

const { version } = v.parse(
  v.object({ version: v.string() }),
  JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')),
)
const inventory = takeInventory(root)
mkdirSync(folder, { recursive: true })
const bomFile = join(folder, 'bom.cdx.json')
const textFile = join(folder, 'third-party-licences.txt')
writeFileSync(bomFile, `${JSON.stringify(asCycloneDx(inventory, version), null, 2)}\n`)
writeFileSync(textFile, licenceDocument(inventory, root))

const counts = new Map<string, number>()
for (const { licence } of inventory) counts.set(licence, (counts.get(licence) ?? 0) + 1)
for (const [licence, count] of [...counts].toSorted(([, a], [, b]) => b - a)) {
  console.log(`  ${String(count).padStart(4)}  ${licence}`)
}
console.log(`${relative(root, bomFile)} and ${relative(root, textFile)} list every package`)
const unknown = unknownLicences(inventory)
if (unknown.length > 0) {
  console.error(`Nobody has approved these licences yet:\n${unknown.join('\n')}`)
  process.exitCode = 1
}
