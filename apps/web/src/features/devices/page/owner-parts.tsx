import type { OwnDevice } from '@astropelago/contract/devices'
import { type ReactNode, useId } from 'react'
import { failureText } from '../../../lib/failure-text.ts'
import { Card, CardHeader } from '../../../ui/card.tsx'
import { LocalTime } from '../../../ui/local-time.tsx'
import { TokenList } from '../actions/token-list.tsx'

interface OwnerPartsProps {
  device: OwnDevice
  alerts: ReactNode
}

/** What a device last said of itself, what is told of it and what it reports with: for its owner alone. */
export function OwnerParts({ device, alerts }: OwnerPartsProps) {
  const tokensId = useId()
  const { report } = device
  return (
    <>
      {report && <LastReport report={report} />}
      {alerts}
      <Card aria-labelledby={tokensId} className="items-start [&>ul]:self-stretch">
        <CardHeader
          id={tokensId}
          title="Tokens"
          description="What the device reports with. Their secrets were shown once, when they were made."
        />
        <TokenList device={device} explain={(error) => failureText(error) ?? ''} />
      </Card>
    </>
  )
}

function LastReport({ report }: { report: NonNullable<OwnDevice['report']> }) {
  const titleId = useId()
  return (
    <Card aria-labelledby={titleId}>
      <CardHeader
        id={titleId}
        title={report.status === 'fail' ? 'It reports a failure' : 'What it said last'}
        description={
          <>
            <LocalTime at={report.at} />, for you alone
          </>
        }
      />
      {report.text !== null && (
        <p dir="auto" className="font-mono text-sm whitespace-pre-wrap wrap-anywhere text-ink">
          {report.text}
        </p>
      )}
    </Card>
  )
}
