import { unsubscribeChannel } from '@astropelago/contract/alert-channels'
import { readCode } from '@astropelago/contract/one-time-code'
import { useLocation } from 'react-router'
import { call } from '../../lib/call.ts'
import { failureText } from '../../lib/failure-text.ts'
import { CodePage, PressToUse } from './press-to-use.tsx'

/**
 * Stops e-mails to an address. The link in the text has the code after `#`. The link in the header, for
 * e-mail programs, has it in the query.
 */
export function UnsubscribePage() {
  const { hash, search } = useLocation()
  const code = readCode(hash) ?? readCode(new URLSearchParams(search).get('code') ?? '')
  return (
    <CodePage title="End these mails" code={code}>
      {(given) => (
        <PressToUse
          key={given}
          button="Send nothing more"
          busyButton="Ending…"
          use={() => call(unsubscribeChannel, { query: { code: given } })}
          failureText={failureText}
          done={() => 'This address gets no more alerts.'}
        >
          Press the button to stop alerts about devices and islands to this address.
        </PressToUse>
      )}
    </CodePage>
  )
}
