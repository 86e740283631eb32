import { confirmChannel } from '@astropelago/contract/alert-channels'
import { readCode } from '@astropelago/contract/one-time-code'
import { useLocation } from 'react-router'
import { call } from '../../lib/call.ts'
import { failureText } from '../../lib/failure-text.ts'
import { CodePage, PressToUse } from './press-to-use.tsx'

/** Confirms an alert channel's e-mail address. Its reader needs no account. */
export function ConfirmChannelPage() {
  const { hash } = useLocation()
  return (
    <CodePage title="Alerts by e-mail" code={readCode(hash)}>
      {(code) => (
        <PressToUse
          key={code}
          button="Send alerts here"
          busyButton="Confirming…"
          use={() => call(confirmChannel, { body: { code } })}
          failureText={failureText}
          done={({ address }) =>
            `Alerts are now sent to ${address}. Every mail has a link to turn them off.`
          }
        >
          Press the button to get alerts about devices and islands at this address.
        </PressToUse>
      )}
    </CodePage>
  )
}
