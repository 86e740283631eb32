import { Dialog } from '../../ui/dialog.tsx'
import { SignInForm } from './sign-in-form.tsx'

interface SignInDialogProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  onSignedIn: () => void
}

export function SignInDialog({ open, onOpenChange, onSignedIn }: SignInDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Sign in"
      description="New here? Choose a username and a password, then Register."
    >
      <SignInForm onSignedIn={onSignedIn} />
    </Dialog>
  )
}
