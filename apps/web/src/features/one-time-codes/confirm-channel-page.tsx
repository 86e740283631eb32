import { confirmChannel } from '@astropelago/contract/alert-channels'
import { readCode } from '@astropelago/contract/one-time-code'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useLocation } from 'react-router'
import { call } from '../../lib/call.ts'
import { failureText } from '../../lib/failure-text.ts'
import { CodePage } from './code-page.tsx'

export function ConfirmChannelPage() {
  return (
    <CodePage
      title={t`Alerts by e-mail`}
      code={readCode(useLocation().hash)}
      button={t`Send alerts here`}
      busyButton={t`Confirming…`}
      send={(code) => call(confirmChannel, { body: { code } })}
      explain={failureText}
      done={({ address }) =>
        t`Alerts are now sent to ${address}. Every mail has a link to turn them off.`
      }
    >
      <Trans>Press the button to get alerts about devices and islands at this address.</Trans>
    </CodePage>
  )
}
