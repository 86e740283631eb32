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
import { t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
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
  return (
    <div className="flex flex-wrap gap-3">
      {avatar !== null && (
        <ActionButton
          label={t`Remove the picture`}
          title={t`Remove the picture of ${username}?`}
          action={t`Remove it`}
          act={() => call(removeUserAvatar, { params })}
          done={t`The picture of ${username} is removed`}
        >
          <Trans>
            It is gone from every page at once, and can’t be brought back. {username} can upload
            another one.
          </Trans>
        </ActionButton>
      )}
      {sessionCount > 0 && (
        <ActionButton
          label={t`Sign out everywhere`}
          title={t`Sign ${username} out everywhere?`}
          action={t`Sign out`}
          act={() => call(endUserSessions, { params })}
          done={t`${username} is signed out everywhere`}
        >
          <Trans>
            <Plural
              value={sessionCount}
              one="The one session ends at once."
              other="All # sessions end at once."
            />{' '}
            Everybody who has the password can sign in again; devices go on reporting.
          </Trans>
        </ActionButton>
      )}
      {!user.isDemo && (
        <DialogButton
          renderDialog={(close) => <ResetCodeDialog username={username} onClose={close} />}
        >
          <Trans>Make a password code</Trans>
        </DialogButton>
      )}
      {/* Operators who lock themselves out need the command line to get back in. */}
      {!isOwn && user.disabledAt !== null && (
        <ActionButton
          label={t`Turn on again`}
          title={t`Turn ${username} on again?`}
          action={t`Turn on`}
          act={() => call(enableUser, { params })}
          done={t`${username} is turned on again`}
        >
          <Trans>
            It can sign in again;{' '}
            <Plural value={deviceCount} one="its one device" other="its # devices" /> are shown as
            before, and their tokens work again.
          </Trans>
        </ActionButton>
      )}
      {!isOwn && user.disabledAt === null && (
        <ActionButton
          label={t`Turn off`}
          title={t`Turn ${username} off?`}
          action={t`Turn off`}
          isDestructive
          act={() => call(disableUser, { params })}
          done={t`${username} is turned off`}
        >
          <Trans>
            The account is signed out everywhere and can’t sign in, and{' '}
            <Plural value={deviceCount} one="its one device" other="its # devices" /> disappear from
            the globe, the map and the lists. Their tokens stop working. Nothing is deleted. You can
            turn the account on again.
          </Trans>
        </ActionButton>
      )}
      {!isOwn && (
        <ActionButton
          label={t`Delete`}
          variant="destructive"
          title={t`Delete ${username}?`}
          action={t`Delete this account`}
          isDestructive
          word={username}
          act={() => call(deleteUser, { params })}
          done={t`${username} is deleted`}
          onDone={() => void navigate(paths.mothership('users'), { replace: true })}
        >
          <Trans>
            The account goes for good, with{' '}
            <Plural value={deviceCount} one="its one device" other="its # devices" />, their tokens,
            and everything else that was stored for it. This can’t be undone. If you only want to
            keep it out for now, turn it off.
          </Trans>
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
        title={t`Make a password code for ${username}?`}
        action={t`Make a code`}
        act={() => call(createResetCode, { params: { username } })}
        onDone={setCode}
        onClose={onClose}
      >
        <Trans>
          Everybody who has the code can set a new password once. An earlier code stops working. The
          old password works until a new one is set.
        </Trans>
      </ActionDialog>
    )
  }
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t`The code for ${username}`}
      description={
        <Trans>
          Send this link to {username} only, in a way that you trust. It works once, until{' '}
          <AtTime at={code.expiresAt} />, and is not shown again.
        </Trans>
      }
    >
      <CodeBlock label={t`Link to set a password`} text={code.link} />
      <Button className="self-start" onClick={onClose}>
        <Trans>Done</Trans>
      </Button>
    </Dialog>
  )
}

export function UserRelay({ user: { username, relayStopped, trustedAt } }: { user: OperatorUser }) {
  const params = { username }
  return (
    <Card
      title={t`As a host`}
      description={
        trustedAt === null
          ? t`Visitors who come through the relay first read whose device the island is on.`
          : t`Visitors come through the relay without being asked first.`
      }
    >
      <MeasureLine kind="relay-stopped" measure={relayStopped} isLarge />
      <div className="flex flex-wrap gap-3">
        {trustedAt === null ? (
          <ActionButton
            label={t`Trust this host`}
            title={t`Trust ${username} as a host?`}
            action={t`Trust`}
            act={() => call(trustHost, { params })}
            done={t`${username} is trusted as a host`}
          >
            <Trans>
              Visitors come to all islands of {username} without first reading whose device they are
              on. Trust only people you know.
            </Trans>
          </ActionButton>
        ) : (
          <ActionButton
            label={t`Stop trusting`}
            title={t`Stop trusting ${username}?`}
            action={t`Stop trusting`}
            act={() => call(distrustHost, { params })}
            done={t`${username} is not trusted as a host`}
          >
            <Trans>
              Visitors who come to an island of {username} through the relay first read whose device
              the island is on.
            </Trans>
          </ActionButton>
        )}
        {relayStopped === null ? (
          <ActionButton
            label={t`Stop the relay`}
            title={t`Stop the relay for ${username}?`}
            reasonLabel={t`What ${username} will read`}
            action={t`Stop it`}
            act={(reason) => call(stopUserRelay, { params, body: { reason } })}
            done={t`The relay to the islands of ${username} is stopped`}
          >
            <Trans>
              Visitors who are on an island of {username}, through the relay or on pages here, are
              cut off at once, and nobody can enter. The islands’ front pages stay.
            </Trans>
          </ActionButton>
        ) : (
          <ActionButton
            label={t`Start the relay again`}
            title={t`Start the relay for ${username} again?`}
            action={t`Start it`}
            act={() => call(startUserRelay, { params })}
            done={t`The relay carries visitors to islands of ${username} again`}
          >
            <Trans>
              Islands with pages here are back at once, and others as soon as their devices have
              connected again, which can take five minutes. An island that is stopped itself stays
              stopped.
            </Trans>
          </ActionButton>
        )}
      </div>
    </Card>
  )
}
