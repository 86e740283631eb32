export type { StoredDevice, StoredIsland } from './following/neighbours-store.ts'
export type { NeighboursFeature } from './neighbours-feature.ts'
