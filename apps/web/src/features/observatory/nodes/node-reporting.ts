import { createContext, use } from 'react'
import type { NodeSummary } from './node-name.ts'

interface NodeReporting {
  /** Whether a node is somebody else's. */
  readonly canReport: (id: string) => boolean
  readonly report: (node: { readonly id: string; readonly name: string }) => void
}

/** How a node is reported to the operator: another feature's part, which routes.tsx hands in. */
export const NodeReportingSource = createContext<NodeReporting | undefined>(undefined)

/** Opens the dialog in which a node is reported; undefined for one's own. */
export function useNodeReport({ id, name, isPrivate }: NodeSummary): (() => void) | undefined {
  const reporting = use(NodeReportingSource)
  if (reporting === undefined || isPrivate || !reporting.canReport(id)) return undefined
  return () => reporting.report({ id, name })
}
