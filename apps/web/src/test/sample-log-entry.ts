import type { LogEntry } from '@astropelago/contract/island-log'

export function sampleLogEntry(details: Partial<LogEntry> = {}): LogEntry {
  return {
    id: crypto.randomUUID(),
    kind: 'note',
    at: '2025-01-02T03:05:00.000Z',
    author: 'nova',
    authorAvatar: null,
    text: 'Lovely tea.',
    eventAt: null,
    mayDelete: false,
    hidden: null,
    ...details,
  }
}
