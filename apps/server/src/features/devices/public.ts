import type { devicesFeature } from './devices-feature.ts'

export type DevicesFeature = Awaited<ReturnType<typeof devicesFeature>>
