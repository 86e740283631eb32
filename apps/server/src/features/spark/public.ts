import type { sparkFeature } from './spark-feature.ts'

export type SparkFeature = ReturnType<typeof sparkFeature>
