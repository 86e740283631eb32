import type { presenceFeature } from './presence-feature.ts'

export type PresenceFeature = Awaited<ReturnType<typeof presenceFeature>>
export type Presence = PresenceFeature['presence']
