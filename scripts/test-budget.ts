/** What `npm test` may take, and how the long tests judge that it keeps to it. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as v from 'valibot'
import type { RunFigures } from './run-phases.ts'

/** Wall seconds on two quiet cores, installing aside. */
export const testBudgetS = 240
/** Seconds of processor on a machine of the usual pace. */
const processorBudgetS = 500
/** A processor's seconds vary with what else runs on its other core. */
const tolerance = 1.5

const file = fileURLToPath(new URL('../node_modules/.cache/test-figures.json', import.meta.url))
const Figures = v.object({ wallS: v.number(), processorS: v.number(), slowness: v.number() })

export function recordTestFigures(figures: RunFigures): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, JSON.stringify(figures))
}

/** @throws Error where the last `npm test` took more processor than its budget allows */
export function judgeTestFigures(): void {
  if (!existsSync(file)) {
    console.log('  npm test has not run here: nothing to judge')
    return
  }
  const { processorS, slowness } = v.parse(Figures, JSON.parse(readFileSync(file, 'utf8')))
  const usualS = processorS / slowness
  const told = `npm test took ${usualS.toFixed(0)} s of processor at the usual pace, of ${processorBudgetS}`
  if (usualS > processorBudgetS * tolerance) throw new Error(told)
  console.log(`  ${told}`)
}
