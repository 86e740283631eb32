import { createUser } from '@astropelago/contract/operator'
import { type FormEvent, useState } from 'react'
import { useNavigate } from 'react-router'
import { ApiError } from '../../../lib/api-error.ts'
import { call } from '../../../lib/call.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { FormError } from '../../../ui/form-error.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { failureText } from '../../../lib/failure-text.ts'
import { operatorAddress } from '../operator-address.ts'
import { useAction } from '../operator-query.ts'

const usernameCodes = new Set(['invalid_username', 'username_taken'])

/** Creates an account, with a code for its user to set a password. */
export function CreateUserDialog({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate()
  const [username, setUsername] = useState('')
  const creating = useAction({
    act: () => call(createUser, { body: { username: username.trim() } }),
    done: (user) => `The account ${user.username} is made`,
    onDone: (user) => {
      onClose()
      void navigate(operatorAddress('users', { user: user.username }))
    },
  })
  const { error } = creating
  const isAboutUsername = error instanceof ApiError && usernameCodes.has(error.code)

  const create = (event: FormEvent) => {
    event.preventDefault()
    creating.mutate()
  }

  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Make an account"
      description="It has no password yet. Make a password code and give it to its user, who then sets a password."
    >
      <form onSubmit={create} noValidate className="flex flex-col gap-6">
        <TextField
          label="Username"
          hint="3 to 32 letters, digits, - and _."
          error={isAboutUsername ? failureText(error) : undefined}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={64}
          value={username}
          onChange={setUsername}
        />
        <FormError>{isAboutUsername ? undefined : failureText(error)}</FormError>
        <div className="flex flex-wrap gap-3">
          <Button type="submit" busy={creating.isPending}>
            Make it
          </Button>
          <Button variant="outline" onClick={onClose}>
            Cancel
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
