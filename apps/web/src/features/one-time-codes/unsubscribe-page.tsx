import { unsubscribeChannel } from '@astropelago/contract/alert-channels'
import { readCode } from '@astropelago/contract/one-time-code'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useLocation } from 'react-router'
import { call } from '../../lib/call.ts'
import { failureText } from '../../lib/failure-text.ts'
import { CodePage } from './code-page.tsx'

/** The link in a text has the code after `#`. The one in the header, for programs, in the query. */
export function UnsubscribePage() {
  const { hash, search } = useLocation()
  return (
    <CodePage
      title={t`End these mails`}
      code={readCode(hash) ?? readCode(new URLSearchParams(search).get('code') ?? '')}
      button={t`Send nothing more`}
      busyButton={t`Ending…`}
      send={(code) => call(unsubscribeChannel, { query: { code } })}
      explain={failureText}
      done={() => t`This address gets no more alerts.`}
    >
      <Trans>Press the button to stop alerts about devices and islands to this address.</Trans>
    </CodePage>
  )
}
