import type { OwnDevice } from '@astropelago/contract/devices'
import { useId } from 'react'
import { Card, CardHeader } from '../../ui/card.tsx'
import { LocalTime } from '../../ui/local-time.tsx'

/** A device's latest report about itself, for its owner only. */
export function LastReport({ report }: { report: NonNullable<OwnDevice['report']> }) {
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
