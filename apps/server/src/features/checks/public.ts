import type { checksFeature } from './checks-feature.ts'

export type ChecksFeature = ReturnType<typeof checksFeature>
export type { ShownCheck } from './shown-checks.ts'
