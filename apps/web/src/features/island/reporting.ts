import type { ReportKind } from '@astropelago/contract/reports'

/** Opens what tells whoever runs the server that something is wrong. */
export type Reporting = (subject: {
  readonly kind: ReportKind
  readonly id: string
  readonly name: string
}) => void
