import { updateMe } from '@astropelago/contract/accounts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useId } from 'react'
import { call } from '../../../lib/call.ts'
import { showUser } from '../../../lib/session.ts'
import { useUser } from '../../../lib/use-user.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { FormError } from '../../../ui/form-error.tsx'
import { accountFailure } from '../account-failure.ts'

const choices: readonly { readonly name: string; readonly hue: number | null }[] = [
  { name: 'From your name', hue: null },
  { name: 'Red', hue: 20 },
  { name: 'Orange', hue: 50 },
  { name: 'Gold', hue: 85 },
  { name: 'Lime', hue: 125 },
  { name: 'Green', hue: 150 },
  { name: 'Teal', hue: 185 },
  { name: 'Sky', hue: 225 },
  { name: 'Blue', hue: 260 },
  { name: 'Violet', hue: 295 },
  { name: 'Magenta', hue: 325 },
  { name: 'Pink', hue: 355 },
]

/** The hue of the planet drawn from the username. Saved on each press. */
export function AvatarColour() {
  const { username, hue } = useUser()
  const client = useQueryClient()
  const group = useId()
  const saving = useMutation({
    mutationFn: (chosen: number | null) => call(updateMe, { body: { hue: chosen } }),
    // Requests run one at a time, so the last press wins.
    scope: { id: 'profile' },
    onSuccess: ({ user }) => showUser(client, user),
  })
  const current = saving.isPending ? saving.variables : hue
  return (
    <fieldset className="flex min-w-0 flex-col gap-3 border-t border-line pt-5">
      <legend className="float-left text-sm font-medium">Colour of your planet</legend>
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
