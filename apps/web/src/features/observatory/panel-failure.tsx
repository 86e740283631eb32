import { ErrorLine } from '../../ui/error-line.tsx'

interface PanelFailureProps {
  /** What happened, in a sentence. */
  children: string
  onRetry: () => void
}

/** Stands where a panel would. */
export function PanelFailure({ children, onRetry }: PanelFailureProps) {
  return (
    <div className="grid min-h-40 place-items-center rounded-control border border-dashed border-line-strong p-6">
      <ErrorLine onRetry={onRetry}>{children}</ErrorLine>
    </div>
  )
}
