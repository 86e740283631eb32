import { confirmEmail } from '@astropelago/contract/email'
import { readCode } from '@astropelago/contract/one-time-code'
import { useMutation } from '@tanstack/react-query'
import { CircleCheck } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { Link, useLocation } from 'react-router'
import { authFailureText } from '../../lib/auth-failure.ts'
import { call } from '../../lib/call.ts'
import { usePageTitle } from '../../lib/use-page-title.ts'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { buttonStyles } from '../../ui/button-styles.ts'
import { Card } from '../../ui/card.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { PageHeader } from '../../ui/page-header.tsx'

/** Confirms an e-mail address by a press: mail programs that open each link must not do it. */
export function ConfirmEmailPage() {
  usePageTitle('E-mail address')
  const { hash } = useLocation()
  const code = readCode(hash)
  return (
    <div className="flex w-full max-w-lg flex-col gap-8">
      <PageHeader title="E-mail address" />
      <Card>
        {code === undefined ? (
          <>
            <p>
              There is no code in this address. Open the link in the mail that we sent, or copy all
              of it.
            </p>
            <div>
              <AccountSecurityLink />
            </div>
          </>
        ) : (
          <Confirmation key={code} code={code} />
        )}
      </Card>
    </div>
  )
}

function Confirmation({ code }: { code: string }) {
  const message = useRef<HTMLParagraphElement>(null)
  const confirming = useMutation({
    mutationFn: () => call(confirmEmail, { body: { code } }),
  })
  // The button that had the focus is gone; those who listen hear how it ended.
  useEffect(() => {
    if (confirming.isSuccess) message.current?.focus()
  }, [confirming.isSuccess])

  if (confirming.isSuccess) {
    const { username, address } = confirming.data
    return (
      <>
        <p ref={message} tabIndex={-1} className="flex items-start gap-3 rounded-mark">
          <CircleCheck aria-hidden className="mt-1 size-4 shrink-0 text-accent" />
          <span className="min-w-0 wrap-anywhere">
            <span className="font-medium">{address}</span> is now the address of {username}.
          </span>
        </p>
        <div>
          <AccountSecurityLink />
        </div>
      </>
    )
  }
  return (
    <>
      <p>Press the button, and lost passwords of your account can be set anew by e-mail.</p>
      <FormError>{confirming.isError ? authFailureText(confirming.error) : undefined}</FormError>
      <div>
        <Button busy={confirming.isPending} onClick={() => confirming.mutate()}>
          {confirming.isPending ? 'Confirming…' : 'Confirm this address'}
        </Button>
      </div>
    </>
  )
}

function AccountSecurityLink() {
  return (
    <Link to={paths.accountPart('security')} className={buttonStyles({ variant: 'outline' })}>
      Go to your account
    </Link>
  )
}
