import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Button } from './button.tsx'

interface AskFirstProps {
  /** What the button that asks says. */
  label: string
  /** Of that button. */
  look?: 'outline' | 'ghost'
  /** The whole of it, for those who do not see what the button stands beside. */
  name?: string
  /** What will happen, and whether it can be undone. */
  children: ReactNode
  /** The harmless answer, such as 'Keep it'. */
  keep: string
  /** The other one, such as 'Revoke token'. */
  confirm: string
  busy: boolean
  onConfirm: () => void
}

/**
 * A button that asks before it does something, in its own place: the question takes the whole line of
 * the row that wraps around it.
 */
export function AskFirst(props: AskFirstProps) {
  const { label, look = 'outline', name = label, children, keep, confirm, busy, onConfirm } = props
  const [isAsking, setIsAsking] = useState(false)
  const askButton = useRef<HTMLButtonElement>(null)
  const keepButton = useRef<HTMLButtonElement>(null)

  // The button that had the focus is gone: the harmless answer takes it, and gives it back.
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
