/** The budget of `npm test`, which the long tests check. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as v from 'valibot'
import type { RunFigures } from './run-phases.ts'

/** Wall seconds on two quiet cores, without installing. */
export const testBudgetS = 240
/** Seconds of processor time on a machine of the usual pace. */
const processorBudgetS = 500
/** A processor takes longer while its other core is busy. */
const tolerance = 1.5

const file = fileURLToPath(new URL('../node_modules/.cache/test-figures.json', import.meta.url))
const Figures = v.object({ wallS: v.number(), processorS: v.number(), slowness: v.number() })

export function recordTestFigures(figures: RunFigures): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, JSON.stringify(figures))
}

/** @throws Error if the last `npm test` took more processor time than its budget allows */
export function judgeTestFigures(): void {
  if (!existsSync(file)) {
    console.log('  npm test has not run here, so there is nothing to check')
    return
  }
  const { processorS, slowness } = v.parse(Figures, JSON.parse(readFileSync(file, 'utf8')))
  const usualS = processorS / slowness
  const told = `npm test took ${usualS.toFixed(0)} of ${processorBudgetS} s of processor time, at the usual pace`
  if (usualS > processorBudgetS * tolerance) throw new Error(told)
  console.log(`  ${told}`)
}
