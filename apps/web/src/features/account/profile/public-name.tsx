import { updateMe } from '@astropelago/contract/accounts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../lib/call.ts'
import { showUser } from '../../../lib/session.ts'
import { useUser } from '../../../lib/use-user.ts'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { FormError } from '../../../ui/form-error.tsx'
import { useToast } from '../../../ui/use-toast.ts'
import { accountFailure } from '../account-failure.ts'

/** Whether the user's public devices show who owns them. */
export function PublicName() {
  const { isNamePublic } = useUser()
  const client = useQueryClient()
  const showToast = useToast()
  const saving = useMutation({
    mutationFn: (isPublic: boolean) => call(updateMe, { body: { isNamePublic: isPublic } }),
    // Requests run one at a time, so the last press wins.
    scope: { id: 'profile' },
    onSuccess: ({ user }) => {
      showUser(client, user)
      showToast({ title: user.isNamePublic ? 'Your name is shown' : 'Your name is not shown' })
    },
  })
  return (
    <div className="flex flex-col gap-3 border-t border-line pt-5">
      <Checkbox
        label="Show my name with my public devices"
        hint="Everybody who looks at one of your public devices then sees your display name. If you have none, they see your username."
        checked={saving.isPending ? saving.variables : isNamePublic}
        onChange={(event) => saving.mutate(event.target.checked)}
      />
      <FormError>{saving.isError ? accountFailure(saving.error) : undefined}</FormError>
    </div>
  )
}
