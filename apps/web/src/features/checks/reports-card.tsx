import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'
import { failureText } from '../../lib/failure-text.ts'
import { AskFirst } from '../../ui/ask-first.tsx'
import { Card } from '../../ui/card.tsx'
import { takeFocus } from '../../ui/focus.ts'
import { FormError } from '../../ui/form-error.tsx'
import { useCheckChanges } from './check-queries.ts'
import { type PushTarget, ReportCommands } from './report-commands.tsx'

export function ReportsCard({ id, target }: { id: string; target: PushTarget }) {
  const { renewAddress } = useCheckChanges()
  // The answer holds a secret.
  const renewing = useMutation({ mutationFn: () => renewAddress(id), gcTime: 0 })
  return (
    <Card
      title={t`Secret address`}
      description={t`Your script reports to a secret address, which was shown once.`}
    >
      {renewing.data ? (
        <>
          <p ref={takeFocus} tabIndex={-1} className="rounded-mark text-sm font-medium">
            <Trans>This is the new address. Copy it now, because it is shown only once.</Trans>
          </p>
          <ReportCommands url={renewing.data.pushUrl} target={target} />
        </>
      ) : (
        <div className="flex flex-wrap gap-3">
          <AskFirst
            label={t`Replace the address`}
            keep={t`Keep it`}
            confirm={t`Replace it`}
            busy={renewing.isPending}
            onConfirm={() => renewing.mutate()}
          >
            <Trans>The old address stops working at once. Scripts need the new one.</Trans>
          </AskFirst>
        </div>
      )}
      <FormError>{renewing.isError ? failureText(renewing.error) : undefined}</FormError>
    </Card>
  )
}
