import { updateMe } from '@astropelago/contract/accounts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import Pencil from 'virtual:icon/pencil'
import { call } from '../../lib/call.ts'
import { readBy } from '../../lib/forms/reading.ts'
import { useApiForm } from '../../lib/forms/use-api-form.ts'
import { showUser } from '../../lib/session.ts'
import { useUser } from '../../lib/use-user.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { useFocusReturn } from '../../ui/focus.ts'
import { useToast } from '../../ui/use-toast.ts'
import { accountFailure } from './account-failure.ts'
import { OwnPicture } from './own-picture.tsx'
import { useProfileChange } from './use-profile-change.ts'

export function ProfilePart() {
  const { name, avatar } = useUser()
  const [isEditing, setIsEditing] = useState(false)
  const editButton = useFocusReturn(isEditing)
  return (
    <Card title={t`Profile`} description={t`How others see you.`}>
      {isEditing ? (
        <NameForm name={name ?? ''} onClose={() => setIsEditing(false)} />
      ) : (
        <div className="flex flex-wrap items-center justify-between gap-3">
          <p className="flex min-w-0 flex-col text-sm">
            <span className="font-medium">
              <Trans>Display name</Trans>
            </span>
            <span className="text-muted">
              {name === null ? t`No display name` : <bdi className="wrap-anywhere">{name}</bdi>}
            </span>
          </p>
          <Button ref={editButton} variant="outline" size="sm" onClick={() => setIsEditing(true)}>
            <Pencil aria-hidden />
            <Trans>Edit name</Trans>
          </Button>
        </div>
      )}
      <PublicName />
      <OwnPicture />
      {/* The hue applies only without a picture. */}
      {avatar === null && <AvatarColour />}
    </Card>
  )
}

/** Changes the display name. A blank name removes it. */
function NameForm({ name: current, onClose }: { name: string; onClose: () => void }) {
  const client = useQueryClient()
  const showToast = useToast()
  const form = useApiForm({
    values: { name: current },
    read: ({ name }) => readBy(updateMe.body, { name: name.trim() || null }),
    send: (body) => call(updateMe, { body }),
    onSent: ({ user }) => {
      showUser(client, user)
      showToast({ title: t`Display name saved` })
      onClose()
    },
    explain: accountFailure,
    onlyField: 'name',
    takesFocus: true,
  })
  return (
    <form {...form.wiring} className="flex flex-col gap-4">
      <TextField
        label={t`Display name`}
        optional
        hint={t`Shown next to your username. You can leave it empty.`}
        autoComplete="name"
        {...form.text('name')}
      />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" size="sm" busy={form.isBusy} busyLabel={t`Saving…`}>
          <Trans>Save name</Trans>
        </Button>
        <Button variant="ghost" size="sm" onClick={onClose}>
          <Trans>Cancel</Trans>
        </Button>
      </div>
    </form>
  )
}

function PublicName() {
  const { isNamePublic } = useUser()
  const showToast = useToast()
  const saving = useProfileChange(
    (isPublic: boolean) => call(updateMe, { body: { isNamePublic: isPublic } }),
    (user) =>
      showToast({ title: user.isNamePublic ? t`Your name is shown` : t`Your name is not shown` }),
  )
  return (
    <div className="flex flex-col gap-3 border-t border-line pt-5">
      <Checkbox
        label={t`Show my name with my public devices`}
        hint={t`Everybody who looks at one of your public devices then sees your display name. If you have none, they see your username.`}
        checked={saving.isPending ? saving.variables : isNamePublic}
        onChange={(event) => saving.mutate(event.target.checked)}
      />
      <FormError>{saving.isError ? accountFailure(saving.error) : undefined}</FormError>
    </div>
  )
}

const choices: readonly { readonly name: string; readonly hue: number | null }[] = [
  { name: t`From your name`, hue: null },
  { name: t`Red`, hue: 20 },
  { name: t`Orange`, hue: 50 },
  { name: t`Gold`, hue: 85 },
  { name: t`Lime`, hue: 125 },
  { name: t`Green`, hue: 150 },
  { name: t`Teal`, hue: 185 },
  { name: t`Sky`, hue: 225 },
  { name: t`Blue`, hue: 260 },
  { name: t`Violet`, hue: 295 },
  { name: t`Magenta`, hue: 325 },
  { name: t`Pink`, hue: 355 },
]

function AvatarColour() {
  const { username, hue } = useUser()
  const group = useId()
  const saving = useProfileChange((chosen: number | null) =>
    call(updateMe, { body: { hue: chosen } }),
  )
  const current = saving.isPending ? saving.variables : hue
  return (
    <fieldset className="flex min-w-0 flex-col gap-3 border-t border-line pt-5">
      <legend className="float-start text-sm font-medium">
        <Trans>Colour of your planet</Trans>
      </legend>
      <div className="clear-both flex flex-wrap gap-2">
        {choices.map((choice) => (
          <label
            key={choice.name}
            title={choice.name}
            className="relative rounded-full border-2 border-transparent p-1 transition-colors hover:border-edge has-checked:border-accent has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent"
          >
            <input
              type="radio"
              name={group}
              aria-label={choice.name}
              checked={current === choice.hue}
              onChange={() => saving.mutate(choice.hue)}
              className="absolute inset-0 cursor-pointer appearance-none rounded-full opacity-0"
            />
            <Avatar username={username} image={null} hue={choice.hue} />
          </label>
        ))}
      </div>
      <FormError>{saving.isError ? accountFailure(saving.error) : undefined}</FormError>
    </fieldset>
  )
}
