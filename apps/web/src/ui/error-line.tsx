import { Button } from './button.tsx'

interface ErrorLineProps {
  children: string
  onRetry?: () => void
  busy?: boolean
}

/** An unobtrusive line for a failed load, with a retry. */
export function ErrorLine({ children, onRetry, busy = false }: ErrorLineProps) {
  return (
    <output className="flex flex-wrap items-center gap-x-3 text-sm text-muted">
      <span>{children}</span>
      {onRetry && (
        <Button variant="link" size="sm" busy={busy} onClick={onRetry}>
          Try again
        </Button>
      )}
    </output>
  )
}
