import { t } from '@lingui/core/macro'
import { useEffect, useState } from 'react'
import Check from 'virtual:icon/check'
import Copy from 'virtual:icon/copy'
import type { ButtonStyle } from './button-styles.ts'
import { Button } from './button.tsx'

const feedbackMs = 2500

type Outcome = 'copied' | 'refused'

interface CopyButtonProps {
  text: string
  label?: string
  /** To select the text for copying by hand. */
  onRefused?: () => void
  variant?: ButtonStyle['variant']
}

export function CopyButton(props: CopyButtonProps) {
  const { text, label, onRefused, variant = 'outline' } = props
  const [outcome, setOutcome] = useState<Outcome>()

  useEffect(() => {
    const timer =
      outcome === undefined ? undefined : setTimeout(() => setOutcome(undefined), feedbackMs)
    return () => clearTimeout(timer)
  }, [outcome])

  const copy = async () => {
    const isCopied = await copyText(text)
    if (!isCopied) onRefused?.()
    setOutcome(isCopied ? 'copied' : 'refused')
  }

  return (
    <>
      <Button
        variant={variant}
        size="sm"
        aria-label={label === undefined ? undefined : t`Copy ${label}`}
        onClick={() => void copy()}
      >
        {outcome === 'copied' ? (
          <Check aria-hidden className="text-accent" />
        ) : (
          <Copy aria-hidden />
        )}
        {outcome === undefined ? t`Copy` : outcome === 'copied' ? t`Copied` : t`Press Ctrl+C`}
      </Button>
      <output className="sr-only">
        {outcome === 'copied' && t`Copied`}
        {outcome === 'refused' && t`The browser refused to copy. Select the text and copy it.`}
      </output>
    </>
  )
}

/** The old copy command works over plain http, too, where navigator.clipboard is missing. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyByEvent(text)
  }
}

function copyByEvent(text: string): boolean {
  let isTaken = false
  const take = (event: ClipboardEvent) => {
    event.clipboardData?.setData('text/plain', text)
    event.preventDefault()
    isTaken = event.clipboardData !== null
  }
  document.addEventListener('copy', take)
  // Deprecated, but the only way without navigator.clipboard, and every browser still has it.
  const isDone = document.execCommand('copy')
  document.removeEventListener('copy', take)
  return isDone && isTaken
}
