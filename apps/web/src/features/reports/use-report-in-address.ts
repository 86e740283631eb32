import { t } from '@lingui/core/macro'
import { useEffect, useEffectEvent } from 'react'
import { signInParameter } from '../../lib/open-sign-in.ts'
import { useSession } from '../../lib/session.ts'
import { useAddressParameters } from '../../lib/use-address-parameters.ts'
import type { ReportedSubject } from './report-dialog.tsx'

/** A room's id and the message's number, as islands' pages send them here. */
const messageId = /^[\w-]{1,48}-\d{1,15}$/

/** Opens the report form for the message of a room in the address, after signing in if need be. */
export function useReportInAddress(open: (subject: ReportedSubject) => void): void {
  const [parameters, changeAddress] = useAddressParameters()
  const { state } = useSession()
  const id = parameters.get('report') ?? ''
  const ask = useEffectEvent((isSignedIn: boolean) => {
    // The sign-in loads the page again, with this address.
    changeAddress(isSignedIn ? { report: '' } : { [signInParameter]: '1' })
    if (isSignedIn) open({ kind: 'room-message', id, name: t`The message` })
  })
  useEffect(() => {
    if (messageId.test(id) && state !== 'checking') ask(state === 'signed-in')
  }, [id, state])
}
