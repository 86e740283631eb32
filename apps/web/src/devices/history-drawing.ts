import type { Day, Span } from '@astropelago/contract/history'
import type { HistoryDay, HistorySpan } from '../ui/history-days.ts'

/** Converts a device's days for the drawings. */
export function drawingDays(days: readonly Day[]): HistoryDay[] {
  return days.map(({ day, onlineS, offlineS, unobservedS, flips }) => ({
    day,
    upS: onlineS,
    downS: offlineS,
    unobservedS,
    flips,
  }))
}

const states = { online: 'up', offline: 'down', unobserved: 'unobserved' } as const

export function drawingSpans(spans: readonly Span[]): HistorySpan[] {
  return spans.map(({ from, to, status }) => ({ from, to, state: states[status] }))
}
