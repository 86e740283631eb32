import { openSignIn } from '../../lib/open-sign-in.ts'
import { Button } from '../../ui/button.tsx'

interface UnlockButtonProps {
  titleId: string
  /** What it unlocks: where who has signed in gets to. */
  path: string
}

/** There are several on the page: the title that it is described by tells them apart. */
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
