import { openSignIn } from '../../lib/open-sign-in.ts'
import { Button } from '../../ui/button.tsx'

interface UnlockButtonProps {
  titleId: string
  /** Where signing in leads. */
  path: string
}

/** The page has several of these buttons. The title in `aria-describedby` tells them apart. */
export function UnlockButton({ titleId, path }: UnlockButtonProps) {
  return (
    <Button
      variant="outline"
      size="sm"
      aria-haspopup="dialog"
      aria-describedby={titleId}
      onClick={() => openSignIn(path)}
      className="mt-auto"
    >
      Sign in to unlock
    </Button>
  )
}
