import type { OperatorUser } from '@astropelago/contract/operator'
import {
  distrustHost,
  startUserRelay,
  stopUserRelay,
  trustHost,
} from '@astropelago/contract/operator-relay'
import { useId, useState } from 'react'
import Unplug from 'virtual:icon/unplug'
import { call } from '../../../lib/call.ts'
import { Button } from '../../../ui/button.tsx'
import { Card, CardHeader } from '../../../ui/card.tsx'
import { AtTime } from '../at-time.tsx'
import { ConfirmDialog } from '../confirm-dialog.tsx'
import { useAction } from '../operator-query.ts'
import { ReasonDialog } from '../reason-dialog.tsx'

interface ActionDialogProps {
  readonly user: OperatorUser
  readonly onClose: () => void
}

const dialogs = {
  stop: StopDialog,
  start: StartDialog,
  trust: TrustDialog,
  distrust: DistrustDialog,
} as const

/** A user's relay hosting. */
export function UserRelay({ user }: { user: OperatorUser }) {
  const titleId = useId()
  const [action, setAction] = useState<keyof typeof dialogs>()
  const Chosen = action === undefined ? undefined : dialogs[action]
  const { relayStopped, trustedAt } = user
  const button = (kind: keyof typeof dialogs, label: string) => (
    <Button variant="outline" onClick={() => setAction(kind)}>
      {label}
    </Button>
  )
  return (
    <Card aria-labelledby={titleId}>
      <CardHeader
        id={titleId}
        title="As a host"
        description={
          trustedAt === null
            ? 'Visitors who come through the relay first read whose device the island is on.'
            : 'Visitors come through the relay without being asked first.'
        }
      />
      {relayStopped !== null && (
        <p className="flex items-start gap-2 text-sm text-danger">
          <Unplug aria-hidden className="mt-0.5 size-4 shrink-0" />
          <span className="min-w-0 wrap-anywhere">
            Relay stopped since <AtTime at={relayStopped.at} />: {relayStopped.reason}
          </span>
        </p>
      )}
      <div className="flex flex-wrap gap-3">
        {trustedAt === null
          ? button('trust', 'Trust this host')
          : button('distrust', 'Trust no more')}
        {relayStopped === null
          ? button('stop', 'Stop the relay')
          : button('start', 'Start the relay again')}
      </div>
      {Chosen !== undefined && <Chosen user={user} onClose={() => setAction(undefined)} />}
    </Card>
  )
}

function StopDialog({ user: { username }, onClose }: ActionDialogProps) {
  return (
    <ReasonDialog
      title={`Stop the relay for ${username}?`}
      reader={username}
      action="Stop it"
      act={(reason) => call(stopUserRelay, { params: { username }, body: { reason } })}
      done={`The relay carries nobody to islands of ${username}`}
      onClose={onClose}
    >
      Whoever is on an island of {username} through the relay is cut off at once, and nobody gets
      in. The islands’ pages stay.
    </ReasonDialog>
  )
}

function StartDialog({ user: { username }, onClose }: ActionDialogProps) {
  const running = useAction({
    act: () => call(startUserRelay, { params: { username } }),
    done: () => `The relay carries visitors to islands of ${username} again`,
    onDone: onClose,
  })
  return (
    <ConfirmDialog
      title={`Start the relay for ${username} again?`}
      action="Start it"
      running={running}
      onClose={onClose}
    >
      The islands are back as soon as their devices have connected again, which can take five
      minutes. An island whose own relay is stopped stays stopped.
    </ConfirmDialog>
  )
}

function TrustDialog({ user: { username }, onClose }: ActionDialogProps) {
  const running = useAction({
    act: () => call(trustHost, { params: { username } }),
    done: () => `${username} is trusted as a host`,
    onDone: onClose,
  })
  return (
    <ConfirmDialog
      title={`Trust ${username} as a host?`}
      action="Trust"
      running={running}
      onClose={onClose}
    >
      Visitors come to all islands of {username} without first reading whose device they are on.
      Trust only people you know.
    </ConfirmDialog>
  )
}

function DistrustDialog({ user: { username }, onClose }: ActionDialogProps) {
  const running = useAction({
    act: () => call(distrustHost, { params: { username } }),
    done: () => `${username} is not trusted as a host`,
    onDone: onClose,
  })
  return (
    <ConfirmDialog
      title={`Trust ${username} no more?`}
      action="Trust no more"
      running={running}
      onClose={onClose}
    >
      Whoever comes to an island of {username} through the relay first reads whose device the island
      is on.
    </ConfirmDialog>
  )
}
