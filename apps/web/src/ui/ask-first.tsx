import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Button } from './button.tsx'

interface AskFirstProps {
  /** The text of the first button. */
  label: string
  /** The look of the first button. */
  look?: 'outline' | 'ghost'
  /** The first button's accessible name, for people who don't see its surroundings. */
  name?: string
  /** What will happen, and whether it can be undone. */
  children: ReactNode
  /** The harmless answer, such as 'Keep it'. */
  keep: string
  /** The answer that goes ahead, such as 'Revoke token'. */
  confirm: string
  busy: boolean
  onConfirm: () => void
}

/**
 * A button that asks for confirmation in place. The question fills a whole line of the wrapping row around
 * it.
 */
export function AskFirst(props: AskFirstProps) {
  const { label, look = 'outline', name = label, children, keep, confirm, busy, onConfirm } = props
  const [isAsking, setIsAsking] = useState(false)
  const askButton = useRef<HTMLButtonElement>(null)
  const keepButton = useRef<HTMLButtonElement>(null)

  // The focused button disappears, so focus moves to the harmless answer, and back afterwards.
  const wasAsking = useRef(false)
  useEffect(() => {
    if (isAsking) keepButton.current?.focus()
    else if (wasAsking.current) askButton.current?.focus()
    wasAsking.current = isAsking
  }, [isAsking])

  if (!isAsking) {
    return (
      <Button
        ref={askButton}
        variant={look}
        size="sm"
        aria-label={name}
        onClick={() => setIsAsking(true)}
      >
        {label}
      </Button>
    )
  }
  return (
    <fieldset className="flex w-full flex-wrap items-center gap-3 rounded-control bg-raised p-3 text-sm">
      <legend className="sr-only">{name}?</legend>
      <span className="min-w-48 flex-1">{children}</span>
      <Button ref={keepButton} variant="outline" size="sm" onClick={() => setIsAsking(false)}>
        {keep}
      </Button>
      <Button variant="destructive" size="sm" busy={busy} onClick={onConfirm}>
        {confirm}
      </Button>
    </fieldset>
  )
}
