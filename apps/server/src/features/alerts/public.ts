import type { alertsFeature } from './alerts-feature.ts'

export type AlertsFeature = ReturnType<typeof alertsFeature>
