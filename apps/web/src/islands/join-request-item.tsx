import type { ReactNode } from 'react'
import { Button } from '../ui/button.tsx'
import { LocalTime } from '../ui/local-time.tsx'
import { PersonName } from '../ui/person-name.tsx'
import { RemovableItem } from '../ui/removable-item.tsx'

interface JoinRequestItemProps {
  request: {
    readonly username: string
    readonly name: string | null
    readonly avatar: string | null
    readonly text: string
    readonly at: string
  }
  /** The answer being sent. */
  sending: { readonly isLetIn: boolean } | undefined
  error: string | undefined
  onAnswer: (isLetIn: boolean) => void
  /** Other actions on the user who asks. */
  children?: ReactNode
}

/** A join request with its text and the two answers. */
export function JoinRequestItem(props: JoinRequestItemProps) {
  const { request, sending, error, onAnswer, children } = props
  const { username, text, at } = request
  return (
    <RemovableItem error={error}>
      <div className="flex min-w-0 flex-col gap-0.5">
        <PersonName {...request} />
        <span className="text-xs text-muted">
          asked <LocalTime at={at} />
        </span>
      </div>
      {text !== '' && (
        <p
          dir="auto"
          className="border-s-2 border-line-strong ps-3 text-sm wrap-anywhere whitespace-pre-line text-ink"
        >
          {text}
        </p>
      )}
      <div className="flex flex-wrap gap-3">
        <Button
          size="sm"
          aria-label={`Let ${username} in`}
          busy={sending?.isLetIn === true}
          disabled={sending !== undefined}
          onClick={() => onAnswer(true)}
        >
          Let in
        </Button>
        <Button
          variant="outline"
          size="sm"
          aria-label={`Turn ${username} down`}
          busy={sending?.isLetIn === false}
          disabled={sending !== undefined}
          onClick={() => onAnswer(false)}
        >
          Turn down
        </Button>
        {children}
      </div>
    </RemovableItem>
  )
}
