import type { islandsFeature } from './islands-feature.ts'

export type IslandsFeature = Awaited<ReturnType<typeof islandsFeature>>
