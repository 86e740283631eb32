import { Trans } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import CircleCheck from 'virtual:icon/circle-check'
import { usePageTitle } from '../../lib/use-page-title.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { takeFocus } from '../../ui/focus.ts'
import { FormError } from '../../ui/form-error.tsx'
import { PageHeader } from '../../ui/page-header.tsx'

interface CodePageProps<Answer> {
  title: string
  code: string | undefined
  children: ReactNode
  button: string
  busyButton: string
  send: (code: string) => Promise<Answer>
  explain: (error: unknown) => string | undefined
  /** The text after success. */
  done: (answer: Answer) => string
  /** Where to go after success, or without a code. */
  elsewhere?: ReactNode
}

export function CodePage<Answer>(props: CodePageProps<Answer>) {
  const { title, code, elsewhere } = props
  usePageTitle(title)
  return (
    <div className="flex w-full max-w-lg flex-col gap-8">
      <PageHeader title={title} />
      <Card>
        {code === undefined ? (
          <>
            <p>
              <Trans>
                This link has no code. Open the link in the mail that we sent, or copy the whole
                link.
              </Trans>
            </p>
            {elsewhere}
          </>
        ) : (
          <PressToUse key={code} {...props} code={code} />
        )}
      </Card>
    </div>
  )
}

/** Uses a code only on a press, because some e-mail programs open every link. */
function PressToUse<Answer>(props: CodePageProps<Answer> & { code: string }) {
  const { code, children, button, busyButton, send, explain, done, elsewhere } = props
  const sending = useMutation({ mutationFn: () => send(code) })
  if (sending.isSuccess) {
    return (
      <>
        <DoneMessage>{done(sending.data)}</DoneMessage>
        {elsewhere}
      </>
    )
  }
  return (
    <>
      <p>{children}</p>
      <FormError>{sending.isError ? explain(sending.error) : undefined}</FormError>
      <div>
        <Button busy={sending.isPending} busyLabel={busyButton} onClick={() => sending.mutate()}>
          {button}
        </Button>
      </div>
    </>
  )
}

/** The focused control has gone, so the result takes the focus, and screen readers read it. */
export function DoneMessage({ children }: { children: ReactNode }) {
  return (
    <p ref={takeFocus} tabIndex={-1} className="flex items-start gap-3 rounded-mark">
      <CircleCheck aria-hidden className="mt-1 size-4 shrink-0 text-accent" />
      <span className="min-w-0 wrap-anywhere">{children}</span>
    </p>
  )
}
