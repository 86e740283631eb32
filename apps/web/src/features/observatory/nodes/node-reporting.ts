import { createContext } from 'react'

interface NodeReporting {
  /** Returns false for the visitor's own devices. */
  readonly canReport: (id: string) => boolean
  readonly report: (node: { readonly id: string; readonly name: string }) => void
}

/** Reports a node to the operator. Another feature implements it, and routes.tsx provides it. */
export const NodeReportingSource = createContext<NodeReporting | undefined>(undefined)
