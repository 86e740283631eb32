export type { ShownCheck } from './shown-check.ts'
