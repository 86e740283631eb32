import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef } from 'react'
import CircleCheck from 'virtual:icon/circle-check'
import { usePageTitle } from '../../lib/use-page-title.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { PageHeader } from '../../ui/page-header.tsx'

interface CodePageProps {
  title: string
  /** The code in the address. */
  code: string | undefined
  /** Where to go if there is no code. */
  elsewhere?: ReactNode
  children: (code: string) => ReactNode
}

/** The page behind a link in an e-mail. */
export function CodePage({ title, code, elsewhere, children }: CodePageProps) {
  usePageTitle(title)
  return (
    <div className="flex w-full max-w-lg flex-col gap-8">
      <PageHeader title={title} />
      <Card>
        {code === undefined ? (
          <>
            <p>
              This link has no code. Open the link in the mail that we sent, or copy the whole link.
            </p>
            {elsewhere}
          </>
        ) : (
          children(code)
        )}
      </Card>
    </div>
  )
}

interface PressToUseProps<Answer> {
  /** Says what pressing the button does. */
  children: string
  button: string
  busyButton: string
  use: () => Promise<Answer>
  failureText: (error: unknown) => string | undefined
  /** The text after success. */
  done: (answer: Answer) => string
  /** Where to go after success. */
  elsewhere?: ReactNode
}

/** Uses a one-time code only on a press, because some e-mail programs open every link. */
export function PressToUse<Answer>(props: PressToUseProps<Answer>) {
  const { children, button, busyButton, use, failureText, done, elsewhere } = props
  const message = useRef<HTMLParagraphElement>(null)
  const using = useMutation({ mutationFn: use })
  // The focused button is gone, and screen readers read the result.
  useEffect(() => {
    if (using.isSuccess) message.current?.focus()
  }, [using.isSuccess])

  if (using.isSuccess) {
    return (
      <>
        <p ref={message} tabIndex={-1} className="flex items-start gap-3 rounded-mark">
          <CircleCheck aria-hidden className="mt-1 size-4 shrink-0 text-accent" />
          <span className="min-w-0 wrap-anywhere">{done(using.data)}</span>
        </p>
        {elsewhere}
      </>
    )
  }
  return (
    <>
      <p>{children}</p>
      <FormError>{using.isError ? failureText(using.error) : undefined}</FormError>
      <div>
        <Button busy={using.isPending} onClick={() => using.mutate()}>
          {using.isPending ? busyButton : button}
        </Button>
      </div>
    </>
  )
}
