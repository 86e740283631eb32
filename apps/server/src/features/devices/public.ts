import type { devicesFeature } from './devices-feature.ts'

export type DevicesFeature = Awaited<ReturnType<typeof devicesFeature>>
export type { ListedDevice } from './public/public-list.ts'
