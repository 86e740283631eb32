import { confirmEmail } from '@astropelago/contract/email'
import { readCode } from '@astropelago/contract/one-time-code'
import { Link, useLocation } from 'react-router'
import { authFailureText } from '../../lib/auth-failure.ts'
import { call } from '../../lib/call.ts'
import { paths } from '../../paths.ts'
import { buttonStyles } from '../../ui/button-styles.ts'
import { CodePage, PressToUse } from './press-to-use.tsx'

/** Confirms an account's e-mail address. */
export function ConfirmEmailPage() {
  const { hash } = useLocation()
  const elsewhere = (
    <div>
      <Link to={paths.accountPart('security')} className={buttonStyles({ variant: 'outline' })}>
        Go to your account
      </Link>
    </div>
  )
  return (
    <CodePage title="E-mail address" code={readCode(hash)} elsewhere={elsewhere}>
      {(code) => (
        <PressToUse
          key={code}
          button="Confirm this address"
          busyButton="Confirming…"
          use={() => call(confirmEmail, { body: { code } })}
          failureText={authFailureText}
          done={({ username, address }) => `${address} is now the address of ${username}.`}
          elsewhere={elsewhere}
        >
          Press the button to confirm this address. If you ever lose your password, you can then set
          a new one by e-mail.
        </PressToUse>
      )}
    </CodePage>
  )
}
