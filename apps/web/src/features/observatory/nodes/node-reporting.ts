import { createContext, use } from 'react'
import type { NodeSummary } from './node-name.ts'

interface NodeReporting {
  /** Returns false for the visitor's own devices. */
  readonly canReport: (id: string) => boolean
  readonly report: (node: { readonly id: string; readonly name: string }) => void
}

/** Reports a node to the operator. Another feature implements it, and routes.tsx provides it. */
export const NodeReportingSource = createContext<NodeReporting | undefined>(undefined)

/** Opens the dialog to report a node; undefined for the visitor's own. */
export function useNodeReport({ id, name, isPrivate }: NodeSummary): (() => void) | undefined {
  const reporting = use(NodeReportingSource)
  if (reporting === undefined || isPrivate || !reporting.canReport(id)) return undefined
  return () => reporting.report({ id, name })
}
