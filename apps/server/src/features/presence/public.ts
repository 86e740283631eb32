export { cronTimes } from './deadline-rule.ts'
export { presentReport } from './reports/present-report.ts'
import type { presenceFeature } from './presence-feature.ts'

export type PresenceFeature = Awaited<ReturnType<typeof presenceFeature>>
export type Presence = PresenceFeature['presence']
