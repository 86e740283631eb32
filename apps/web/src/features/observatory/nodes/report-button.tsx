import Flag from 'virtual:icon/flag'
import { Button } from '../../../ui/button.tsx'
import type { NodeSummary } from './node-name.ts'
import { useNodeReport } from './node-reporting.ts'

/** Reports a node to the operator. Renders nothing for the visitor's own. */
export function ReportButton({ node }: { node: NodeSummary }) {
  const report = useNodeReport(node)
  if (report === undefined) return null
  return (
    <Button variant="ghost" size="sm" onClick={report} className="ml-auto">
      <Flag aria-hidden className="text-muted" />
      Report
    </Button>
  )
}
