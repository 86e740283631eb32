import type { OperatorUser } from '@astropelago/contract/operator'
import { classNames } from '../../../ui/class-names.ts'

/** An account's special states, as text. */
export function UserMarks({ user }: { user: OperatorUser }) {
  const { disabledAt, isOperator, isDemo, relayStopped, trustedAt } = user
  return (
    <>
      {disabledAt !== null && <Mark isWarning>turned off</Mark>}
      {relayStopped !== null && <Mark isWarning>relay stopped</Mark>}
      {trustedAt !== null && <Mark>trusted host</Mark>}
      {isOperator && <Mark>operator</Mark>}
      {isDemo && <Mark>demo</Mark>}
    </>
  )
}

function Mark({ isWarning = false, children }: { isWarning?: boolean; children: string }) {
  return (
    <span
      className={classNames(
        'inline-flex h-5 items-center rounded-mark border px-1.5 text-xs whitespace-nowrap',
        isWarning ? 'border-danger/50 text-danger' : 'border-line-strong text-muted',
      )}
    >
      {children}
    </span>
  )
}
