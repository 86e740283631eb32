import type { runCheck } from '@astropelago/contract/checks'
import type { AnswerBody } from '@astropelago/contract/route'
import { t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import Zap from 'virtual:icon/zap'
import { failureText } from '../../lib/failure-text.ts'
import { Button } from '../../ui/button.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { useCheckChanges } from './check-queries.ts'
import { CheckMark } from './check-mark.tsx'
import { tookText } from './check-words.ts'

interface TryItProps {
  id: string
  label: string
  variant?: 'default' | 'outline'
  /** More buttons, in the same row. */
  children?: ReactNode
}

/** A button that looks at once, and below it what came of that. */
export function TryIt({ id, label, variant = 'outline', children }: TryItProps) {
  const { run } = useCheckChanges()
  const trying = useMutation({ mutationFn: () => run(id) })
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <div className="flex flex-wrap gap-3">
        <Button
          variant={variant}
          busy={trying.isPending}
          busyLabel={t`Checking…`}
          onClick={() => trying.mutate()}
        >
          <Zap aria-hidden />
          {label}
        </Button>
        {children}
      </div>
      {/* Rendered before its text arrives, so that screen readers announce the text. */}
      <output className="empty:hidden">
        {trying.data && !trying.isPending && <Outcome {...trying.data} />}
      </output>
      <FormError>{trying.isError ? failureText(trying.error) : undefined}</FormError>
    </div>
  )
}

function Outcome({ isUp, isSeen, tookMs, note }: AnswerBody<typeof runCheck>) {
  const time = tookMs === null ? undefined : tookText(tookMs)
  const text = isUp
    ? time === undefined
      ? t`It works.`
      : t`It works: the answer took ${time}.`
    : isSeen
      ? t`It does not work.`
      : t`Nobody could look.`
  return (
    <span
      className={`flex items-start gap-2.5 rounded-control border px-3.5 py-2.5 text-sm ${isUp ? 'border-accent/40 bg-accent-soft' : 'border-danger/40 bg-danger-soft'}`}
    >
      <CheckMark state={isUp ? 'up' : isSeen ? 'down' : 'unobserved'} className="mt-1.5 size-3" />
      <span className="min-w-0 wrap-anywhere">
        {text} {note !== null && <bdi>{note}</bdi>}
      </span>
    </span>
  )
}
