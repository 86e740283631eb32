import type { testChannel } from '@astropelago/contract/alert-channels'
import type { AnswerBody } from '@astropelago/contract/route'
import { CircleCheck, CircleX } from 'lucide-react'
import { CodeBlock } from '../../../ui/code-block.tsx'

/** What went out by a test and what came back, for whoever has to find out why nothing arrives. */
export function TestResult({ result }: { result: AnswerBody<typeof testChannel> }) {
  const { isOk, sent, answer, tookMs } = result
  const seconds = (tookMs / 1000).toFixed(1)
  return (
    <div className="flex min-w-0 flex-col gap-3 rounded-control bg-raised p-4">
      <output className="flex items-start gap-2 text-sm font-medium">
        {isOk ? (
          <CircleCheck aria-hidden className="mt-0.5 size-4 shrink-0 text-accent" />
        ) : (
          <CircleX aria-hidden className="mt-0.5 size-4 shrink-0 text-danger" />
        )}
        {isOk
          ? `Sent, in ${seconds} s. Look whether it is there.`
          : `Not sent, after ${seconds} s.`}
      </output>
      <CodeBlock label="What was sent" text={sent} />
      <CodeBlock label="What came back" text={answer} />
    </div>
  )
}
