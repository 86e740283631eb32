import type { presenceFeature } from './presence-feature.ts'

/** What other features may use of heartbeats, flips and the reports of devices. */
export type PresenceFeature = Awaited<ReturnType<typeof presenceFeature>>
export type Presence = PresenceFeature['presence']
