export type { ReportsStore } from './reports-store.ts'
