import type { checksFeature } from './checks-feature.ts'

export type ChecksFeature = ReturnType<typeof checksFeature>
export type { ShownCheck } from './shown-check.ts'
