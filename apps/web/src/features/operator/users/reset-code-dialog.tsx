import type { OperatorUser } from '@astropelago/contract/operator'
import { createResetCode } from '@astropelago/contract/passwords'
import { call } from '../../../lib/call.ts'
import { Button } from '../../../ui/button.tsx'
import { CodeBlock } from '../../../ui/code-block.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { AtTime } from '../at-time.tsx'
import { ConfirmDialog } from '../confirm-dialog.tsx'
import { useAction } from '../operator-query.ts'

interface ResetCodeDialogProps {
  readonly user: OperatorUser
  readonly onClose: () => void
}

/** Creates a code for a user to set a new password, and shows it only once. */
export function ResetCodeDialog({ user: { username }, onClose }: ResetCodeDialogProps) {
  const making = useAction({ act: () => call(createResetCode, { params: { username } }) })
  if (making.data === undefined) {
    return (
      <ConfirmDialog
        title={`Make a password code for ${username}?`}
        action="Make a code"
        running={making}
        onClose={onClose}
      >
        Everybody who has the code can set a new password once. An earlier code stops working. The
        old password works until a new one is set.
      </ConfirmDialog>
    )
  }
  const { link, expiresAt } = making.data
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={`The code for ${username}`}
      description={
        <>
          Send this link to {username} only, in a way that you trust. It works once, until{' '}
          <AtTime at={expiresAt} />, and is not shown again.
        </>
      }
    >
      <CodeBlock label="Link to set a password" text={link} />
      <Button className="self-start" onClick={onClose}>
        Done
      </Button>
    </Dialog>
  )
}
