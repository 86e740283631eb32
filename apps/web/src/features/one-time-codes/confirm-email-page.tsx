import { LinkButton } from '../../lib/link-button.tsx'
import { confirmEmail } from '@astropelago/contract/email'
import { readCode } from '@astropelago/contract/one-time-code'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useLocation } from 'react-router'
import { call } from '../../lib/call.ts'
import { authFailureText } from '../../lib/error-sentence.ts'
import { paths } from '../../paths.ts'
import { CodePage } from './code-page.tsx'

export function ConfirmEmailPage() {
  return (
    <CodePage
      title={t`E-mail address`}
      code={readCode(useLocation().hash)}
      button={t`Confirm this address`}
      busyButton={t`Confirming…`}
      send={(code) => call(confirmEmail, { body: { code } })}
      explain={authFailureText}
      done={({ username, address }) => t`${address} is now the address of ${username}.`}
      elsewhere={
        <div>
          <LinkButton to={paths.accountPart('security')} variant="outline">
            <Trans>Go to your account</Trans>
          </LinkButton>
        </div>
      }
    >
      <Trans>
        Press the button to confirm this address. If you ever lose your password, you can then set a
        new one by e-mail.
      </Trans>
    </CodePage>
  )
}
