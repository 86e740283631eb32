import { deleteMe } from '@astropelago/contract/own-data'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { ApiError } from '../../../lib/api-error.ts'
import { call } from '../../../lib/call.ts'
import { forgetDrafts } from '../../../lib/kept-drafts.ts'
import { useUser } from '../../../lib/use-user.ts'
import { paths } from '../../../paths.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { FormError } from '../../../ui/form-error.tsx'
import { PasswordField, TextField } from '../../../ui/text-field.tsx'
import { ListFailure } from '../../../lib/list-failure.tsx'
import { accountFailure } from '../account-failure.ts'
import { OwnDataList } from './own-data-list.tsx'
import { ownDataQuery } from './own-data-query.ts'

interface Problem {
  readonly at: 'username' | 'password' | 'form'
  readonly text: string
}

/** Lists what will be deleted, and asks for the username and password first. */
export function DeleteAccountDialog({ onClose }: { onClose: () => void }) {
  const { username } = useUser()
  const query = useQuery(ownDataQuery)
  const [typed, setTyped] = useState('')
  const [password, setPassword] = useState('')
  const [problem, setProblem] = useState<Problem>()
  const usernameInput = useRef<HTMLInputElement>(null)
  const passwordInput = useRef<HTMLInputElement>(null)

  const refuse = (found: Problem) => {
    setProblem(found)
    if (found.at === 'username') usernameInput.current?.focus()
    if (found.at === 'password') passwordInput.current?.focus()
  }
  const deleting = useMutation({
    mutationFn: () => call(deleteMe, { body: { password } }),
    onSuccess: () => {
      forgetDrafts()
      // A full page load, so that none of the user's data stays in memory.
      window.location.assign(paths.landing())
    },
    onError: (error) => {
      const isWrong = error instanceof ApiError && error.code === 'wrong_password'
      refuse({ at: isWrong ? 'password' : 'form', text: accountFailure(error) })
    },
  })
  const submit = () => {
    setProblem(undefined)
    if (typed.trim().toLowerCase() !== username.toLowerCase()) {
      refuse({ at: 'username', text: `Type ${username} if you are sure` })
    } else if (password === '') refuse({ at: 'password', text: 'Enter your password' })
    else deleting.mutate()
  }
  const isBusy = deleting.isPending || deleting.isSuccess
  const errorAt = (at: Problem['at']) => (problem?.at === at ? problem.text : undefined)

  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Delete your account?"
      description="This is deleted at once and can’t be restored:"
    >
      {query.data && <OwnDataList data={query.data} />}
      <ListFailure query={query} of="data" />
      <form
        noValidate
        className="flex flex-col gap-5"
        onSubmit={(event) => {
          event.preventDefault()
          if (!isBusy) submit()
        }}
      >
        <TextField label={`Type your username, ${username}, to confirm`} error={errorAt('username')} ref={usernameInput}
              name="confirmation"
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              value={typed}
              onChange={setTyped} />
        <PasswordField label="Your password" error={errorAt('password')} ref={passwordInput}
              name="password"
              autoComplete="current-password"
              value={password}
              onChange={setPassword} />
        <FormError>{errorAt('form')}</FormError>
        <div className="flex flex-wrap gap-3">
          <Button variant="outline" onClick={onClose}>
            Keep my account
          </Button>
          <Button type="submit" variant="destructive" busy={isBusy}>
            {isBusy ? 'Deleting…' : 'Delete account for good'}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
