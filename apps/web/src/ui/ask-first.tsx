import { Trans } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import { Button } from './button.tsx'
import { takeFocus, useFocusReturn } from './focus.ts'

interface AskFirstProps {
  label: string
  variant?: 'outline' | 'ghost'
  /** For people who don't see the button's surroundings. */
  name?: string
  children: ReactNode
  /** The harmless answer: 'Keep it'. */
  keep: string
  confirm: string
  busy: boolean
  onConfirm: () => void
}

/** Asks for confirmation in place. The question fills a line of the wrapping row around it. */
export function AskFirst(props: AskFirstProps) {
  const {
    label,
    variant = 'outline',
    name = label,
    children,
    keep,
    confirm,
    busy,
    onConfirm,
  } = props
  const [isAsking, setIsAsking] = useState(false)
  const askButton = useFocusReturn(isAsking)

  if (!isAsking) {
    return (
      <Button
        ref={askButton}
        variant={variant}
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
      <legend className="sr-only">
        <Trans>{name}?</Trans>
      </legend>
      <span className="min-w-48 flex-1">{children}</span>
      <Button ref={takeFocus} variant="outline" size="sm" onClick={() => setIsAsking(false)}>
        {keep}
      </Button>
      <Button variant="destructive" size="sm" busy={busy} onClick={onConfirm}>
        {confirm}
      </Button>
    </fieldset>
  )
}
