/** What was seen; `unseen` while nobody could know. */
export type Seen = 'up' | 'down' | 'unseen'

/** The state of something from a time on. */
export interface Change {
  readonly atMs: number
  readonly state: Seen
}

export interface TimeSpan {
  readonly fromMs: number
  readonly toMs: number
}

export interface SeenSpan extends TimeSpan {
  readonly state: Seen
}

/** The history of something within a span, in milliseconds. */
export interface Totals {
  readonly upMs: number
  readonly downMs: number
  readonly unseenMs: number
}

export const dayMs = 86_400_000
const nothing: Totals = { upMs: 0, downMs: 0, unseenMs: 0 }

/** The beginning of the day in UTC. */
export function dayStart(atMs: number): number {
  return Math.floor(atMs / dayMs) * dayMs
}

/** A day as people write it, such as 2030-01-31. */
export function writeDay(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10)
}

interface Timeline extends TimeSpan {
  /** The state at the beginning. */
  readonly before: Seen
  /** In order. Changes before the beginning change the state at the beginning. */
  readonly changes: readonly Change[]
  /** When nothing was seen, whatever the changes say. In the order of their beginnings. */
  readonly unobserved: readonly TimeSpan[]
}

/** The time as spans without gaps, each different from the one before. */
export function seenSpans({ before, changes, unobserved, fromMs, toMs }: Timeline): SeenSpan[] {
  const spans: SeenSpan[] = []
  let [sinceMs, last]: [number, Seen] = [fromMs, before]
  const goOn = (untilMs: number, state: Seen) => {
    const endMs = Math.min(untilMs, toMs)
    if (endMs <= sinceMs) return
    const previous = spans.at(-1)
    if (previous?.state === state) spans[spans.length - 1] = { ...previous, toMs: endMs }
    else spans.push({ fromMs: sinceMs, toMs: endMs, state })
    sinceMs = endMs
  }
  let next = 0
  /** The state up to a time, by the changes. */
  const follow = (untilMs: number) => {
    for (let change = changes[next]; change && change.atMs <= untilMs; change = changes[next]) {
      goOn(change.atMs, last)
      last = change.state
      next += 1
    }
    goOn(untilMs, last)
  }
  for (const outage of unobserved) {
    if (outage.toMs <= fromMs || outage.fromMs >= toMs) continue
    follow(outage.fromMs)
    goOn(outage.toMs, 'unseen')
  }
  follow(toMs)
  return spans
}

/** The sums of spans between two times. */
export function totalsOf(spans: readonly SeenSpan[], { fromMs, toMs }: TimeSpan): Totals {
  const ms = { up: 0, down: 0, unseen: 0 }
  for (const span of spans) {
    ms[span.state] += Math.max(0, Math.min(span.toMs, toMs) - Math.max(span.fromMs, fromMs))
  }
  return { upMs: ms.up, downMs: ms.down, unseenMs: ms.unseen }
}

export function addTotals(one: Totals, other: Totals): Totals {
  return {
    upMs: one.upMs + other.upMs,
    downMs: one.downMs + other.downMs,
    unseenMs: one.unseenMs + other.unseenMs,
  }
}

export interface DayTotals extends Totals {
  /** Its beginning. */
  readonly startMs: number
  /** How often it came up or went down, including the first time. */
  readonly flips: number
  /** The last state that was seen; null if none was. */
  readonly last: 'up' | 'down' | null
}

/** The UTC days of consecutive spans. The first and last day cover only what the spans do. */
export function daysOf(spans: readonly SeenSpan[], changes: readonly Change[]): DayTotals[] {
  const days: { -readonly [Name in keyof DayTotals]: DayTotals[Name] }[] = []
  const firstMs = dayStart(spans[0]?.fromMs ?? 0)
  for (const { fromMs, toMs, state } of spans) {
    for (let atMs = fromMs; atMs < toMs; atMs = dayStart(atMs) + dayMs) {
      const startMs = dayStart(atMs)
      const forMs = Math.min(toMs, startMs + dayMs) - atMs
      let day = days.at(-1)
      if (day?.startMs !== startMs) days.push((day = { startMs, ...nothing, flips: 0, last: null }))
      if (state === 'up') day.upMs += forMs
      else if (state === 'down') day.downMs += forMs
      else day.unseenMs += forMs
      if (state !== 'unseen') day.last = state
    }
  }
  let known: Seen | undefined
  for (const { atMs, state } of changes) {
    if (state === 'unseen') continue
    const day = days[Math.floor((atMs - firstMs) / dayMs)]
    const isOfSpans = atMs >= (spans[0]?.fromMs ?? 0) && atMs <= (spans.at(-1)?.toMs ?? 0)
    if (day && isOfSpans && state !== known) day.flips += 1
    known = state
  }
  return days
}

export interface SeenShare {
  /** Its share of the observed time; null if none was observed. */
  readonly uptime: number | null
  /** Its share of the whole time. */
  readonly observed: number
}

/** @param forMs the length of the whole time */
export function shareOf({ upMs, downMs }: Totals, forMs: number): SeenShare {
  const seenMs = upMs + downMs
  return { uptime: seenMs > 0 ? upMs / seenMs : null, observed: Math.min(1, seenMs / forMs) }
}

/** Whole seconds that add up to the whole. Whatever was seen at all gets at least one. */
export function secondsOf({ upMs, downMs, unseenMs }: Totals) {
  const seenMs = upMs + downMs
  const seen = seenMs > 0 ? Math.max(1, Math.round(seenMs / 1000)) : 0
  const up = downMs > 0 ? Math.min(seen, Math.round(upMs / 1000)) : seen
  const all = Math.max(seen, Math.round((seenMs + unseenMs) / 1000))
  return { up, down: seen - up, unseen: all - seen }
}
