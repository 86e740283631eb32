import type { accountsFeature } from './accounts-feature.ts'

export type AccountsFeature = Awaited<ReturnType<typeof accountsFeature>>
