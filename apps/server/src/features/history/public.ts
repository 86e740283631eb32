import type { historyFeature } from './history-feature.ts'

export type HistoryFeature = ReturnType<typeof historyFeature>
