import { Trans } from '@lingui/react/macro'
import { type ReactNode, useId } from 'react'
import Info from 'virtual:icon/info'
import { classNames } from './class-names.ts'

/** For the control: connects it with its label, hint and error. */
export interface FieldWiring {
  readonly id: string
  readonly 'aria-describedby': string | undefined
  readonly 'aria-invalid': true | undefined
}

interface FieldProps {
  label: string
  hint?: ReactNode
  error?: string | undefined
  /** A remark about the value, which can still be submitted. */
  note?: string | undefined
  /** All other fields in a form are required. */
  optional?: boolean
  className?: string
  children: (wiring: FieldWiring) => ReactNode
}

export function Field(props: FieldProps) {
  const { label, hint, error, note, optional = false, className, children } = props
  const id = useId()
  const hintId = `${id}-hint`
  const errorId = `${id}-error`
  const noteId = `${id}-note`
  const describedBy = [error && errorId, note && noteId, hint !== undefined && hintId]
    .filter(Boolean)
    .join(' ')
  return (
    <div className={classNames('flex min-w-0 flex-col gap-1.5', className)}>
      <label htmlFor={id} className="text-sm font-medium text-ink">
        {label}
        {optional && (
          <span className="font-normal text-muted">
            {' '}
            <Trans>(optional)</Trans>
          </span>
        )}
      </label>
      {children({
        id,
        'aria-describedby': describedBy || undefined,
        'aria-invalid': error ? true : undefined,
      })}
      {hint !== undefined && (
        <div id={hintId} className="text-xs text-muted">
          {hint}
        </div>
      )}
      {note && (
        <p id={noteId} className="flex items-start gap-2 text-sm text-ink">
          <Info aria-hidden className="mt-0.5 size-4 shrink-0 text-accent" />
          <span className="min-w-0">{note}</span>
        </p>
      )}
      {error && (
        <p id={errorId} role="alert" className="text-sm text-danger">
          {error}
        </p>
      )}
    </div>
  )
}
