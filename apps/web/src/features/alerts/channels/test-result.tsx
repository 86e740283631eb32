import type { testChannel } from '@astropelago/contract/alert-channels'
import type { AnswerBody } from '@astropelago/contract/route'
import CircleCheck from 'virtual:icon/circle-check'
import CircleX from 'virtual:icon/circle-x'
import { CodeBlock } from '../../../ui/code-block.tsx'

type Result = AnswerBody<typeof testChannel>

/** The result of a test as a sentence. */
export function testOutcome({ isOk, tookMs }: Result): string {
  const seconds = (tookMs / 1000).toFixed(1)
  return isOk ? `Sent, in ${seconds} s. Look whether it is there.` : `Not sent, after ${seconds} s.`
}

/** The request that a test sent and the response, to find out why nothing arrives. */
export function TestResult({ result }: { result: Result }) {
  const { isOk, sent, answer } = result
  return (
    <div className="flex min-w-0 flex-col gap-3 rounded-control bg-raised p-4">
      <p className="flex items-start gap-2 text-sm font-medium">
        {isOk ? (
          <CircleCheck aria-hidden className="mt-0.5 size-4 shrink-0 text-accent" />
        ) : (
          <CircleX aria-hidden className="mt-0.5 size-4 shrink-0 text-danger" />
        )}
        {testOutcome(result)}
      </p>
      <CodeBlock label="What was sent" text={sent} />
      <CodeBlock label="What came back" text={answer} />
    </div>
  )
}
