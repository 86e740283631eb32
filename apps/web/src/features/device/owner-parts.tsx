import type { OwnDevice } from '@astropelago/contract/devices'
import { type ReactNode, useId } from 'react'
import { failureText } from '../../lib/failure-text.ts'
import { Card, CardHeader } from '../../ui/card.tsx'
import { TokenList } from '../../devices/actions/token-list.tsx'

interface OwnerPartsProps {
  device: OwnDevice
  alerts: ReactNode
}

/** A device's alerts and tokens, for its owner only. */
export function OwnerParts({ device, alerts }: OwnerPartsProps) {
  const tokensId = useId()
  return (
    <>
      {alerts}
      <Card aria-labelledby={tokensId} className="items-start [&>ul]:self-stretch">
        <CardHeader
          id={tokensId}
          title="Tokens"
          description="The device reports with these. Each secret was shown once, when the token was made."
        />
        <TokenList device={device} explain={(error) => failureText(error) ?? ''} />
      </Card>
    </>
  )
}
