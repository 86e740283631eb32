import type { CheckHistory } from '@astropelago/contract/checks'

/** What came of the looks in one part of a drawing. Null if there was no answer. */
export interface Slot {
  readonly p50Ms: number | null
  readonly p95Ms: number | null
  readonly failures: number
}

type Sample = CheckHistory['samples'][number]

const quarterMs = 15 * 60_000
const quarters = 96

/** The last 24 hours, by the quarters of an hour. */
export function slotsOf(
  samples: readonly Sample[],
  nowMs: number,
): (Slot & { readonly fromMs: number })[] {
  const last = Math.floor(nowMs / quarterMs)
  const byQuarter = Map.groupBy(samples, ({ at }) => Math.floor(Date.parse(at) / quarterMs))
  return Array.from({ length: quarters }, (_, index) => {
    const quarter = last - quarters + 1 + index
    return { ...slotOf(byQuarter.get(quarter) ?? []), fromMs: quarter * quarterMs }
  })
}

export function slotOf(samples: readonly Sample[]): Slot {
  const answers = samples.flatMap(({ tookMs }) => tookMs ?? []).toSorted((a, b) => a - b)
  const atShare = (share: number) => answers[Math.ceil(answers.length * share) - 1] ?? null
  return {
    p50Ms: atShare(0.5),
    p95Ms: atShare(0.95),
    failures: samples.length - answers.length,
  }
}

/** The top of a drawing, a round number. Half of it is written, too, in whole milliseconds. */
export function scaleOf(times: readonly (number | null)[]): number {
  const most = Math.max(10, ...times.map((ms) => ms ?? 0))
  const power = 10 ** Math.floor(Math.log10(most))
  return (
    [1, 1.5, 2, 3, 4, 5, 6, 8, 10].map((step) => step * power).find((top) => top >= most) ?? most
  )
}

const tickHeight = 8

/** Paths in a drawing of 1,000 by 100. Slots without an answer are gaps. */
export function drawingOf(slots: readonly Slot[], scaleMs: number) {
  const width = 1000 / slots.length
  const y = (ms: number) => round(100 - (ms / scaleMs) * 100)
  let [line, band, ticks] = ['', '', '']
  for (const { first, answers } of runsOf(slots)) {
    // A run reaches the edges of its slots, so that a single answer is visible, too.
    const along = (heights: readonly number[]) => [
      `${round(first * width)} ${heights[0]}`,
      ...heights.map((at, index) => `${round((first + index + 0.5) * width)} ${at}`),
      `${round((first + heights.length) * width)} ${heights.at(-1)}`,
    ]
    const usual = along(answers.map(({ p50Ms }) => y(p50Ms)))
    const slow = along(answers.map(({ p95Ms }) => y(p95Ms)))
    line += `M${usual.join('L')}`
    band += `M${[...usual, ...slow.toReversed()].join('L')}z`
  }
  slots.forEach(({ failures }, index) => {
    if (failures > 0) ticks += `M${round((index + 0.5) * width)} 100v-${tickHeight}`
  })
  return { line, band, ticks }
}

interface Run {
  /** The number of its first slot. */
  readonly first: number
  readonly answers: { readonly p50Ms: number; readonly p95Ms: number }[]
}

function runsOf(slots: readonly Slot[]): readonly Run[] {
  const runs: Run[] = []
  slots.forEach(({ p50Ms, p95Ms }, index) => {
    if (p50Ms === null || p95Ms === null) return
    const run = runs.at(-1)
    if (run !== undefined && run.first + run.answers.length === index) {
      run.answers.push({ p50Ms, p95Ms })
    } else runs.push({ first: index, answers: [{ p50Ms, p95Ms }] })
  })
  return runs
}

function round(length: number): number {
  return Math.round(length * 100) / 100
}
