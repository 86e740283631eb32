import { reportTextMaxLength } from '@astropelago/contract/limits'
import { type ReportKind, type ReportReason, sendReport } from '@astropelago/contract/reports'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { ApiError } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { failureText } from '../../lib/failure-text.ts'
import { readBy } from '../../lib/forms/reading.ts'
import { useApiForm } from '../../lib/forms/use-api-form.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { FormActions } from '../../ui/form-actions.tsx'
import { RadioCard } from '../../ui/radio-card.tsx'
import { TextAreaField } from '../../ui/text-field.tsx'
import { useToast } from '../../ui/use-toast.ts'

export interface ReportedSubject {
  readonly kind: ReportKind
  readonly id: string
  readonly name: string
}

const reasons: readonly (readonly [ReportReason, name: string])[] = [
  ['privacy', t`It gives somebody’s privacy away`],
  ['abuse', t`It is hateful, or harasses somebody`],
  ['illegal', t`It breaks the law`],
  ['misleading', t`It pretends to be something it isn’t`],
  ['spam', t`It is spam or advertising`],
  ['other', t`Something else`],
]

const kindTexts: Readonly<Record<ReportKind, { readonly title: string; readonly gone: string }>> = {
  device: { title: t`Report this device`, gone: t`This device is no longer public.` },
  island: { title: t`Report this island`, gone: t`This island is no longer public.` },
  check: { title: t`Report this check`, gone: t`This check is no longer public.` },
  'log-entry': { title: t`Report this line`, gone: t`This line is no longer public.` },
  'room-message': { title: t`Report this message`, gone: t`This message is no longer there.` },
}

const empty: { readonly reason: ReportReason | undefined; readonly text: string } = {
  reason: undefined,
  text: '',
}

export function ReportDialog(props: { subject: ReportedSubject; onClose: () => void }) {
  const { subject, onClose } = props
  const { kind, id, name } = subject
  const showToast = useToast()
  const form = useApiForm({
    values: empty,
    read: ({ reason, text }) =>
      readBy(
        sendReport.body,
        { kind, id, reason, text },
        {
          reason: reason === undefined && t`Choose what is wrong with it.`,
          text: reason === 'other' && text.trim() === '' && t`Say in a few words what is wrong.`,
        },
      ),
    send: (body) => call(sendReport, { body }),
    onSent: () => {
      showToast({
        title: t`Your report is sent`,
        description: t`The operator of this server will look at it.`,
      })
      onClose()
    },
    explain: (error) => reportFailure(error, kind),
  })
  const { reason } = form.values
  const reasonProblem = form.problemOf('reason')

  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={kindTexts[kind].title}
      description={
        <Trans>
          <bdi className="font-medium wrap-anywhere text-ink">{name}</bdi> is shown to the operator
          of this server, with your username and what you write here. The person who made it does
          not learn who reported it.
        </Trans>
      }
    >
      <form {...form.wiring} className="flex flex-col gap-5">
        <fieldset
          data-invalid={reasonProblem === undefined ? undefined : ''}
          className="flex min-w-0 flex-col gap-2"
        >
          <legend className="mb-2 text-sm font-medium text-ink">
            <Trans>What is wrong with it?</Trans>
          </legend>
          {reasons.map(([value, label]) => (
            <RadioCard
              key={value}
              name="reason"
              value={value}
              align="center"
              className="py-2.5!"
              checked={reason === value}
              onChange={() => form.change({ reason: value })}
            >
              <span className="text-sm text-ink">{label}</span>
            </RadioCard>
          ))}
          {reasonProblem !== undefined && (
            <p role="alert" className="text-sm text-danger">
              {reasonProblem}
            </p>
          )}
        </fieldset>
        <TextAreaField
          label={t`What should they know?`}
          optional={reason !== 'other'}
          maxLength={reportTextMaxLength}
          {...form.text('text')}
        />
        <FormActions form={form} submit={t`Send report`} busy={t`Sending…`} onCancel={onClose} />
      </form>
    </Dialog>
  )
}

function reportFailure(error: unknown, kind: ReportKind): string | undefined {
  return error instanceof ApiError && error.code === 'not_found'
    ? kindTexts[kind].gone
    : failureText(error)
}
