import { deleteMe } from '@astropelago/contract/own-data'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'
import { readBy } from '../../lib/forms/reading.ts'
import { useApiForm } from '../../lib/forms/use-api-form.ts'
import { forgetDrafts } from '../../lib/kept-drafts.ts'
import { ListFailure } from '../../lib/list-failure.tsx'
import { useUser } from '../../lib/use-user.ts'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { PasswordField, TextField } from '../../ui/text-field.tsx'
import { accountFailure } from './account-failure.ts'
import { OwnDataList, ownDataQuery } from './own-data-card.tsx'

export function DeleteAccountDialog({ onClose }: { onClose: () => void }) {
  const { username } = useUser()
  const query = useQuery(ownDataQuery)
  const form = useApiForm({
    values: { confirmation: '', password: '' },
    read: ({ confirmation, password }) =>
      readBy(
        deleteMe.body,
        { password },
        {
          confirmation:
            confirmation.trim().toLowerCase() !== username.toLowerCase() &&
            t`Type ${username} if you are sure`,
          password: password === '' && t`Enter your password`,
        },
      ),
    send: (body) => call(deleteMe, { body }),
    onSent: () => {
      forgetDrafts()
      // A full page load, so that none of the user's data stays in memory.
      window.location.assign(paths.landing())
    },
    explain: accountFailure,
    fieldOf: { wrong_password: 'password' },
    leavesPage: true,
  })
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t`Delete your account?`}
      description={t`This is deleted at once and can’t be restored:`}
    >
      {query.data && <OwnDataList data={query.data} />}
      <ListFailure query={query} of="data" />
      <form {...form.wiring} className="flex flex-col gap-5">
        <TextField
          label={t`Type your username, ${username}, to confirm`}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          {...form.text('confirmation')}
        />
        <PasswordField
          label={t`Your password`}
          autoComplete="current-password"
          {...form.text('password')}
        />
        <FormError>{form.failure}</FormError>
        <div className="flex flex-wrap gap-3">
          <Button variant="outline" onClick={onClose}>
            <Trans>Keep my account</Trans>
          </Button>
          <Button type="submit" variant="destructive" busy={form.isBusy} busyLabel={t`Deleting…`}>
            <Trans>Delete account for good</Trans>
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
