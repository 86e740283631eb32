import { StatusMark } from '../../ui/status-badge.tsx'
import { type CheckState, stateNames } from './check-words.ts'

/** Its shape tells the state as well as its colour. The word stands beside it. */
export function CheckMark({ state, className }: { state: CheckState; className: string }) {
  return (
    <svg aria-hidden viewBox="0 0 12 12" className={`shrink-0 ${className}`} fill="none">
      {state === 'up' && <StatusMark status="online" />}
      {state === 'down' && (
        <path d="m2.5 2.5 7 7m0-7-7 7" strokeWidth="2.25" className="stroke-danger" />
      )}
      {state === 'unobserved' && <StatusMark status="unknown" />}
      {state === 'paused' && <path d="M4 2v8M8 2v8" strokeWidth="2" className="stroke-muted" />}
    </svg>
  )
}

export function CheckBadge({ state }: { state: CheckState }) {
  return (
    <span
      className={`inline-flex items-center gap-2 text-sm whitespace-nowrap ${state === 'down' ? 'font-medium text-danger' : 'text-ink'}`}
    >
      <CheckMark state={state} className="size-3" />
      {stateNames[state]}
    </span>
  )
}
