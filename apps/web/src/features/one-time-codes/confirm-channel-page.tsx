import { confirmChannel } from '@astropelago/contract/alert-channels'
import { readCode } from '@astropelago/contract/one-time-code'
import { useLocation } from 'react-router'
import { call } from '../../lib/call.ts'
import { failureText } from '../../lib/failure-text.ts'
import { CodePage } from './code-page.tsx'

export function ConfirmChannelPage() {
  return (
    <CodePage
      title="Alerts by e-mail"
      code={readCode(useLocation().hash)}
      button="Send alerts here"
      busyButton="Confirming…"
      send={(code) => call(confirmChannel, { body: { code } })}
      explain={failureText}
      done={({ address }) =>
        `Alerts are now sent to ${address}. Every mail has a link to turn them off.`
      }
    >
      Press the button to get alerts about devices and islands at this address.
    </CodePage>
  )
}
