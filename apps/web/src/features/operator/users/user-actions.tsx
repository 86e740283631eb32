import { removeUserAvatar } from '@astropelago/contract/avatars'
import {
  deleteUser,
  disableUser,
  enableUser,
  endUserSessions,
  type OperatorUser,
} from '@astropelago/contract/operator'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { call } from '../../../lib/call.ts'
import { useUser } from '../../../lib/use-user.ts'
import { Button } from '../../../ui/button.tsx'
import type { ButtonStyle } from '../../../ui/button-styles.ts'
import { ConfirmDialog } from '../confirm-dialog.tsx'
import { paths } from '../../../paths.ts'
import { useAction } from '../operator-query.ts'
import { ResetCodeDialog } from './reset-code-dialog.tsx'

type UserAction = 'remove-picture' | 'sign-out' | 'reset-code' | 'disable' | 'enable' | 'delete'

interface ActionDialogProps {
  readonly user: OperatorUser
  readonly onClose: () => void
}

const dialogs = {
  'remove-picture': RemovePictureDialog,
  'sign-out': SignOutDialog,
  'reset-code': ResetCodeDialog,
  disable: DisableDialog,
  enable: EnableDialog,
  delete: DeleteDialog,
} as const satisfies Record<UserAction, unknown>

/** The actions on an account. Each one explains itself before it runs. */
export function UserActions({ user }: { user: OperatorUser }) {
  const [action, setAction] = useState<UserAction>()
  const { username } = useUser()
  const Chosen = action === undefined ? undefined : dialogs[action]
  const isOff = user.disabledAt !== null
  const button = (kind: UserAction, label: string, variant: ButtonStyle['variant'] = 'outline') => (
    <Button variant={variant} onClick={() => setAction(kind)}>
      {label}
    </Button>
  )
  return (
    <div className="flex flex-wrap gap-3">
      {user.avatar !== null && button('remove-picture', 'Remove the picture')}
      {user.sessionCount > 0 && button('sign-out', 'Sign out everywhere')}
      {!user.isDemo && button('reset-code', 'Make a password code')}
      {/* Operators who lock themselves out need the command line to get back in. */}
      {user.username !== username &&
        (isOff ? button('enable', 'Turn on again') : button('disable', 'Turn off'))}
      {user.username !== username && button('delete', 'Delete', 'destructive')}
      {Chosen !== undefined && <Chosen user={user} onClose={() => setAction(undefined)} />}
    </div>
  )
}

function RemovePictureDialog({ user: { username }, onClose }: ActionDialogProps) {
  const running = useAction({
    act: () => call(removeUserAvatar, { params: { username } }),
    done: () => `${username} has no picture any more`,
    onDone: onClose,
  })
  return (
    <ConfirmDialog
      title={`Remove the picture of ${username}?`}
      action="Remove it"
      running={running}
      onClose={onClose}
    >
      It is gone from every page at once, and can’t be brought back. {username} can upload another
      one.
    </ConfirmDialog>
  )
}

function SignOutDialog({ user: { username, sessionCount }, onClose }: ActionDialogProps) {
  const running = useAction({
    act: () => call(endUserSessions, { params: { username } }),
    done: () => `${username} is signed out everywhere`,
    onDone: onClose,
  })
  return (
    <ConfirmDialog
      title={`Sign ${username} out everywhere?`}
      action="Sign out"
      running={running}
      onClose={onClose}
    >
      {sessionCount === 1 ? 'The one session ends' : `All ${sessionCount} sessions end`} at once.
      Whoever has the password can sign in again; devices go on reporting.
    </ConfirmDialog>
  )
}

function DisableDialog({ user: { username, deviceCount }, onClose }: ActionDialogProps) {
  const running = useAction({
    act: () => call(disableUser, { params: { username } }),
    done: () => `${username} is turned off`,
    onDone: onClose,
  })
  return (
    <ConfirmDialog
      title={`Turn ${username} off?`}
      action="Turn off"
      isDestructive
      running={running}
      onClose={onClose}
    >
      The account is signed out everywhere and can’t sign in, and {devicesOf(deviceCount)} disappear
      from the globe, the map and the lists. Their tokens stop working. Nothing is deleted. You can
      turn the account on again.
    </ConfirmDialog>
  )
}

function EnableDialog({ user: { username, deviceCount }, onClose }: ActionDialogProps) {
  const running = useAction({
    act: () => call(enableUser, { params: { username } }),
    done: () => `${username} is turned on again`,
    onDone: onClose,
  })
  return (
    <ConfirmDialog
      title={`Turn ${username} on again?`}
      action="Turn on"
      running={running}
      onClose={onClose}
    >
      It can sign in again; {devicesOf(deviceCount)} are shown as before, and their tokens work
      again.
    </ConfirmDialog>
  )
}

function DeleteDialog({ user: { username, deviceCount }, onClose }: ActionDialogProps) {
  const navigate = useNavigate()
  const running = useAction({
    act: () => call(deleteUser, { params: { username } }),
    done: () => `${username} is deleted`,
    onDone: () => void navigate(paths.mothership('users'), { replace: true }),
  })
  return (
    <ConfirmDialog
      title={`Delete ${username}?`}
      action="Delete this account"
      isDestructive
      word={username}
      running={running}
      onClose={onClose}
    >
      The account goes for good, with {devicesOf(deviceCount)}, their tokens, and everything else
      that was stored for it. This can’t be undone. If you only want to keep it out for now, turn it
      off.
    </ConfirmDialog>
  )
}

function devicesOf(count: number): string {
  return count === 1 ? 'its one device' : `its ${count.toLocaleString('en')} devices`
}
