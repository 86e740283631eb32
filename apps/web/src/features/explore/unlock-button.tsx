import { openSignIn } from '../../lib/open-sign-in.ts'
import { Button } from '../../ui/button.tsx'

/** There are several on the page: the title that it is described by tells them apart. */
export function UnlockButton({ titleId }: { titleId: string }) {
  return (
    <Button
      variant="outline"
      size="sm"
      aria-haspopup="dialog"
      aria-describedby={titleId}
      onClick={openSignIn}
      className="mt-auto"
    >
      Sign in to unlock
    </Button>
  )
}
