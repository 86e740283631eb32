import type { ReportKind } from '@astropelago/contract/reports'

/** Opens the dialog to report something to the operator. */
export type Reporting = (subject: {
  readonly kind: ReportKind
  readonly id: string
  readonly name: string
}) => void
