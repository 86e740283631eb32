import type { Registration } from '@astropelago/contract/accounts'
import { errors } from '@astropelago/contract/errors'
import { useState } from 'react'
import { useLocation } from 'react-router'
import { Dialog } from '../../ui/dialog.tsx'
import { findGoal, goOnSignedIn } from './go-on-signed-in.ts'
import { LostPassword } from './lost-password.tsx'
import { reasonToSignIn } from './reason-to-sign-in.ts'
import { SignInForm } from './sign-in-form.tsx'
import { useSignInOptions } from './sign-in-options.ts'

interface SignInDialogProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  /** The invite in the address. */
  invite: string | null
  /** The path that the user pressed and that requires signing in. */
  pressed: string | undefined
}

export function SignInDialog({ open, onOpenChange, invite, pressed }: SignInDialogProps) {
  const { state } = useLocation()
  const goal = findGoal(pressed, state)
  const options = useSignInOptions(open)
  const [isPasswordLost, setIsPasswordLost] = useState(false)
  const change = (isOpen: boolean) => {
    if (!isOpen) setIsPasswordLost(false)
    onOpenChange(isOpen)
  }
  if (isPasswordLost) {
    return (
      <Dialog
        open={open}
        onOpenChange={change}
        title="Lost your password?"
        description="You set a new one with a one-time code."
      >
        <LostPassword
          key={String(options.canSendMail)}
          canSendMail={options.canSendMail}
          onBack={() => setIsPasswordLost(false)}
          onLeave={() => change(false)}
        />
      </Dialog>
    )
  }
  return (
    <Dialog
      open={open}
      onOpenChange={change}
      title="Sign in"
      description={`${reasonToSignIn(goal)} ${whoIsNew(options.registration, invite !== null)}`.trim()}
    >
      <SignInForm
        onSignedIn={() => goOnSignedIn(goal)}
        onPasswordLost={() => setIsPasswordLost(true)}
        options={options}
        invite={invite ?? ''}
      />
    </Dialog>
  )
}

function whoIsNew(registration: Registration, isInvited: boolean): string {
  if (registration === 'closed') return errors.registration_closed.sentence
  if (registration === 'open') return 'New here? Choose a username and a password, then Register.'
  return isInvited
    ? 'You are invited: choose a username and a password, then Register.'
    : 'New here? To register, you need an invite from whoever runs this server.'
}
