import { LinkButton } from '../../lib/link-button.tsx'
import { confirmEmail } from '@astropelago/contract/email'
import { readCode } from '@astropelago/contract/one-time-code'
import { useLocation } from 'react-router'
import { authFailureText } from '../../lib/auth-failure.ts'
import { call } from '../../lib/call.ts'
import { paths } from '../../paths.ts'
import { CodePage } from './code-page.tsx'

export function ConfirmEmailPage() {
  return (
    <CodePage
      title="E-mail address"
      code={readCode(useLocation().hash)}
      button="Confirm this address"
      busyButton="Confirming…"
      send={(code) => call(confirmEmail, { body: { code } })}
      explain={authFailureText}
      done={({ username, address }) => `${address} is now the address of ${username}.`}
      elsewhere={
        <div>
          <LinkButton to={paths.accountPart('security')} variant="outline">
            Go to your account
          </LinkButton>
        </div>
      }
    >
      Press the button to confirm this address. If you ever lose your password, you can then set a
      new one by e-mail.
    </CodePage>
  )
}
