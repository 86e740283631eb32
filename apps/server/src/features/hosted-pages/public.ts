import type { hostedPagesFeature } from './hosted-pages-feature.ts'

export type HostedPagesFeature = ReturnType<typeof hostedPagesFeature>
export type { PageRules } from './page-rules.ts'
