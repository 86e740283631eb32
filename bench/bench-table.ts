import { type BenchRow, isHeld } from './bench-row.ts'
import { textTable } from './text-table.ts'

const headings = ['figure', 'measured', 'reference', 'ratio', 'budget', '']

/** A table of all figures with references and budgets. */
export function benchTable(rows: readonly BenchRow[]): string {
  return textTable([headings, ...rows.map(cells)])
}

/** A table of how cost grows: a line for each figure with several numbers of devices. */
export function growthTable(rows: readonly BenchRow[]): string {
  const grown = rows.filter((row) => row.devices !== undefined)
  const names = [...new Set(grown.map(({ name }) => name))]
  const counts = [...new Set(grown.map(({ devices }) => devices ?? 0))].toSorted((a, b) => a - b)
  const figure = (name: string, count: number) => {
    const row = grown.find((candidate) => candidate.name === name && candidate.devices === count)
    return row === undefined ? '' : `${shown(row.value)} ${row.unit}`
  }
  return textTable([
    ['devices', ...counts.map((count) => count.toLocaleString('en'))],
    ...names.map((name) => [name].concat(counts.map((count) => figure(name, count)))),
  ])
}

function cells(row: BenchRow): readonly string[] {
  const { name, devices, value, unit, reference, atMost, atLeast } = row
  const budgets = [
    ...(atMost === undefined ? [] : [`<= ${shown(atMost)} ${unit}`]),
    ...(atLeast === undefined ? [] : [`>= ${shown(atLeast)} ${unit}`]),
  ]
  return [
    devices === undefined ? name : `${name}, ${devices.toLocaleString('en')} devices`,
    `${shown(value)} ${unit}`,
    reference === undefined ? '' : `${shown(reference)} ${unit}`,
    reference === undefined || reference === 0 ? '' : shown(value / reference),
    budgets.join(', '),
    budgets.length === 0 ? '' : isHeld(row) ? 'held' : 'SHORT',
  ]
}

function shown(value: number): string {
  return value >= 100 ? value.toFixed(0) : Number(value.toFixed(2)).toString()
}
