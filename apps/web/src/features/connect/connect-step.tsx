import { Trans } from '@lingui/react/macro'
import { type ReactNode, useId } from 'react'
import Check from 'virtual:icon/check'
import { classNames } from '../../ui/class-names.ts'
import type { StepState } from './connect-progress.ts'

interface ConnectStepProps {
  number: number
  title: string
  state: StepState
  locked?: string
  isLast?: boolean
  children: ReactNode
}

export function ConnectStep(props: ConnectStepProps) {
  const { number, title, state, locked, isLast = false, children } = props
  const headingId = useId()
  return (
    <li className="relative flex min-w-0 gap-4 pb-6 last:pb-0 sm:gap-6">
      {!isLast && (
        <span
          aria-hidden
          className={classNames(
            'absolute top-14 -bottom-5 start-4.5 w-px -translate-x-1/2 max-sm:hidden',
            state === 'done' ? 'bg-accent/50' : 'bg-line-strong',
          )}
        />
      )}
      <StepMark number={number} state={state} />
      <section
        aria-labelledby={headingId}
        className={classNames(
          'flex min-w-0 flex-1 flex-col gap-5 rounded-card border p-5 transition-colors sm:p-7',
          state === 'locked' ? 'border-line bg-panel/40' : 'border-line bg-panel/85',
        )}
      >
        <header className="flex flex-col gap-1">
          <h2
            id={headingId}
            className={classNames(
              'text-lg font-semibold',
              state === 'locked' ? 'text-muted' : 'text-ink',
            )}
          >
            {/* On a wide screen the mark already shows the number. */}
            <span aria-hidden className="text-muted sm:hidden">
              {number}.{' '}
            </span>
            {title}
            {state === 'done' && (
              <Check aria-hidden className="ms-2 inline size-4 text-accent sm:hidden" />
            )}
          </h2>
          {state === 'done' && (
            <p className="sr-only">
              <Trans>Done.</Trans>
            </p>
          )}
          {state === 'locked' && <p className="text-sm text-muted">{locked}</p>}
        </header>
        {state !== 'locked' && children}
      </section>
    </li>
  )
}

function StepMark({ number, state }: Pick<ConnectStepProps, 'number' | 'state'>) {
  return (
    <span
      aria-hidden
      data-numeric
      className={classNames(
        'mt-5 grid size-9 shrink-0 place-items-center rounded-full border font-display text-sm font-semibold transition-colors max-sm:hidden',
        state === 'locked' && 'border-line-strong bg-ground text-muted',
        state === 'open' && 'border-accent bg-ground text-ink shadow-glow',
        state === 'done' && 'border-accent/50 bg-accent-soft text-accent',
      )}
    >
      {state === 'done' ? <Check className="size-4" /> : number}
    </span>
  )
}
