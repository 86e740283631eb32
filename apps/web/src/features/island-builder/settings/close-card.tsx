import { closeIsland, type OwnIsland } from '@astropelago/contract/islands'
import { t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import { useNavigate } from 'react-router'
import { useOwnIslandChanges } from '../../../islands/own-islands-query.ts'
import { ApiError } from '../../../lib/api-error.ts'
import { failureText } from '../../../lib/failure-text.ts'
import { readBy } from '../../../lib/forms/reading.ts'
import { useApiForm } from '../../../lib/forms/use-api-form.ts'
import { paths } from '../../../paths.ts'
import { FormActions } from '../../../ui/form-actions.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { Card } from '../../../ui/card.tsx'
import { useToast } from '../../../ui/use-toast.ts'
import { verbatimInput } from '../../../ui/verbatim-input.ts'

export function CloseCard({ island }: { island: OwnIsland }) {
  const { slug, name, memberCount } = island
  const { close } = useOwnIslandChanges()
  const navigate = useNavigate()
  const showToast = useToast()
  const wrong = t`Type ${slug} if you are sure`
  const form = useApiForm({
    values: { confirmation: '' },
    read: ({ confirmation }) =>
      readBy(
        closeIsland.body,
        { slug: confirmation.trim().toLowerCase() },
        { confirmation: confirmation.trim().toLowerCase() !== slug && wrong },
      ),
    send: () => close(island),
    onSent: () => {
      showToast({ title: t`${name} is deleted for good` })
      void navigate(paths.dashboard(), { replace: true })
    },
    explain: (error) =>
      error instanceof ApiError && error.code === 'invalid_input' ? wrong : failureText(error),
    fieldOf: { invalid_input: 'confirmation' },
    leavesPage: true,
  })
  return (
    <Card
      title={t`Delete for good`}
      description={t`This is deleted at once and can’t be restored:`}
    >
      <ul className="flex list-disc flex-col gap-1.5 ps-5 text-sm text-muted marker:text-faint">
        <li>
          <Trans>its page, its picture and its place in Discover and on the star chart</Trans>
        </li>
        <li>
          <Trans>its log, with everybody’s notes and your signals</Trans>
        </li>
        <li>
          <Plural
            value={memberCount}
            one="its invitations, requests and one member"
            other="its invitations, requests and # members"
          />
        </li>
      </ul>
      <p className="text-sm text-muted">
        <Trans>
          The website or program that it led to stays as it is. Nobody else can get its address.
        </Trans>
      </p>
      <form
        {...form.wiring}
        aria-label={t`Delete for good`}
        className="flex flex-col items-start gap-4"
      >
        <TextField
          className="w-full sm:max-w-96"
          label={t`Type its address, ${slug}, to confirm`}
          {...verbatimInput}
          {...form.text('confirmation')}
        />
        <FormActions
          form={form}
          size="sm"
          variant="destructive"
          submit={t`Delete this island for good`}
          busy={t`Deleting…`}
        />
      </form>
    </Card>
  )
}
