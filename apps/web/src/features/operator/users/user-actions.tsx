import { removeUserAvatar } from '@astropelago/contract/avatars'
import {
  deleteUser,
  disableUser,
  enableUser,
  endUserSessions,
  type OperatorUser,
} from '@astropelago/contract/operator'
import {
  distrustHost,
  startUserRelay,
  stopUserRelay,
  trustHost,
} from '@astropelago/contract/operator-relay'
import { createResetCode } from '@astropelago/contract/passwords'
import type { AnswerBody } from '@astropelago/contract/route'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { call } from '../../../lib/call.ts'
import { useUser } from '../../../lib/use-user.ts'
import { paths } from '../../../paths.ts'
import { Button } from '../../../ui/button.tsx'
import { CodeBlock } from '../../../ui/code-block.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Card } from '../../../ui/card.tsx'
import { ActionButton, ActionDialog, DialogButton } from '../action-button.tsx'
import { AtTime } from '../at-time.tsx'
import { MeasureLine } from '../subject-details.tsx'

export function UserActions({ user }: { user: OperatorUser }) {
  const { username, avatar, deviceCount, sessionCount } = user
  const navigate = useNavigate()
  const isOwn = useUser().username === username
  const params = { username }
  const itsDevices =
    deviceCount === 1 ? 'its one device' : `its ${deviceCount.toLocaleString('en')} devices`
  return (
    <div className="flex flex-wrap gap-3">
      {avatar !== null && (
        <ActionButton
          label="Remove the picture"
          title={`Remove the picture of ${username}?`}
          action="Remove it"
          act={() => call(removeUserAvatar, { params })}
          done={`The picture of ${username} is removed`}
        >
          It is gone from every page at once, and can’t be brought back. {username} can upload
          another one.
        </ActionButton>
      )}
      {sessionCount > 0 && (
        <ActionButton
          label="Sign out everywhere"
          title={`Sign ${username} out everywhere?`}
          action="Sign out"
          act={() => call(endUserSessions, { params })}
          done={`${username} is signed out everywhere`}
        >
          {sessionCount === 1 ? 'The one session ends' : `All ${sessionCount} sessions end`} at
          once. Everybody who has the password can sign in again; devices go on reporting.
        </ActionButton>
      )}
      {!user.isDemo && (
        <DialogButton
          renderDialog={(close) => <ResetCodeDialog username={username} onClose={close} />}
        >
          Make a password code
        </DialogButton>
      )}
      {/* Operators who lock themselves out need the command line to get back in. */}
      {!isOwn && user.disabledAt !== null && (
        <ActionButton
          label="Turn on again"
          title={`Turn ${username} on again?`}
          action="Turn on"
          act={() => call(enableUser, { params })}
          done={`${username} is turned on again`}
        >
          It can sign in again; {itsDevices} are shown as before, and their tokens work again.
        </ActionButton>
      )}
      {!isOwn && user.disabledAt === null && (
        <ActionButton
          label="Turn off"
          title={`Turn ${username} off?`}
          action="Turn off"
          isDestructive
          act={() => call(disableUser, { params })}
          done={`${username} is turned off`}
        >
          The account is signed out everywhere and can’t sign in, and {itsDevices} disappear from
          the globe, the map and the lists. Their tokens stop working. Nothing is deleted. You can
          turn the account on again.
        </ActionButton>
      )}
      {!isOwn && (
        <ActionButton
          label="Delete"
          variant="destructive"
          title={`Delete ${username}?`}
          action="Delete this account"
          isDestructive
          word={username}
          act={() => call(deleteUser, { params })}
          done={`${username} is deleted`}
          onDone={() => void navigate(paths.mothership('users'), { replace: true })}
        >
          The account goes for good, with {itsDevices}, their tokens, and everything else that was
          stored for it. This can’t be undone. If you only want to keep it out for now, turn it off.
        </ActionButton>
      )}
    </div>
  )
}

/** Creates a code for a user to set a new password, and shows it only once. */
function ResetCodeDialog({ username, onClose }: { username: string; onClose: () => void }) {
  const [code, setCode] = useState<AnswerBody<typeof createResetCode>>()
  if (code === undefined) {
    return (
      <ActionDialog
        title={`Make a password code for ${username}?`}
        action="Make a code"
        act={() => call(createResetCode, { params: { username } })}
        onDone={setCode}
        onClose={onClose}
      >
        Everybody who has the code can set a new password once. An earlier code stops working. The
        old password works until a new one is set.
      </ActionDialog>
    )
  }
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={`The code for ${username}`}
      description={
        <>
          Send this link to {username} only, in a way that you trust. It works once, until{' '}
          <AtTime at={code.expiresAt} />, and is not shown again.
        </>
      }
    >
      <CodeBlock label="Link to set a password" text={code.link} />
      <Button className="self-start" onClick={onClose}>
        Done
      </Button>
    </Dialog>
  )
}

export function UserRelay({ user: { username, relayStopped, trustedAt } }: { user: OperatorUser }) {
  const params = { username }
  return (
    <Card
      title="As a host"
      description={
        trustedAt === null
          ? 'Visitors who come through the relay first read whose device the island is on.'
          : 'Visitors come through the relay without being asked first.'
      }
    >
      <MeasureLine kind="relay-stopped" measure={relayStopped} isLarge />
      <div className="flex flex-wrap gap-3">
        {trustedAt === null ? (
          <ActionButton
            label="Trust this host"
            title={`Trust ${username} as a host?`}
            action="Trust"
            act={() => call(trustHost, { params })}
            done={`${username} is trusted as a host`}
          >
            Visitors come to all islands of {username} without first reading whose device they are
            on. Trust only people you know.
          </ActionButton>
        ) : (
          <ActionButton
            label="Stop trusting"
            title={`Stop trusting ${username}?`}
            action="Stop trusting"
            act={() => call(distrustHost, { params })}
            done={`${username} is not trusted as a host`}
          >
            Visitors who come to an island of {username} through the relay first read whose device
            the island is on.
          </ActionButton>
        )}
        {relayStopped === null ? (
          <ActionButton
            label="Stop the relay"
            title={`Stop the relay for ${username}?`}
            reader={username}
            action="Stop it"
            act={(reason) => call(stopUserRelay, { params, body: { reason } })}
            done={`The relay to the islands of ${username} is stopped`}
          >
            Visitors who are on an island of {username} through the relay are cut off at once, and
            nobody can enter. The islands’ pages stay.
          </ActionButton>
        ) : (
          <ActionButton
            label="Start the relay again"
            title={`Start the relay for ${username} again?`}
            action="Start it"
            act={() => call(startUserRelay, { params })}
            done={`The relay carries visitors to islands of ${username} again`}
          >
            The islands are back as soon as their devices have connected again, which can take five
            minutes. An island whose own relay is stopped stays stopped.
          </ActionButton>
        )}
      </div>
    </Card>
  )
}
