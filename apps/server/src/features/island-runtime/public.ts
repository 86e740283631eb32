import type { islandRuntimeFeature } from './island-runtime-feature.ts'

export type IslandRuntimeFeature = Awaited<ReturnType<typeof islandRuntimeFeature>>
export type { EnteredVisitor } from './runtime-sockets.ts'
