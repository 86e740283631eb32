import type { OperatorIsland } from '@astropelago/contract/operator-islands'
import { startIslandRelay, stopIslandRelay } from '@astropelago/contract/operator-relay'
import { call } from '../../../lib/call.ts'
import { ConfirmDialog } from '../confirm-dialog.tsx'
import { useAction } from '../operator-query.ts'
import { ReasonDialog } from '../reason-dialog.tsx'

interface IslandDialogProps {
  readonly island: OperatorIsland
  readonly onClose: () => void
}

export function StopRelayDialog({ island: { id, name }, onClose }: IslandDialogProps) {
  return (
    <ReasonDialog
      title="Stop its relay?"
      reader="its host"
      action="Stop it"
      act={(reason) => call(stopIslandRelay, { params: { id }, body: { reason } })}
      done={`The relay carries nobody to ${name}`}
      onClose={onClose}
    >
      Whoever is on <bdi className="font-medium wrap-anywhere text-ink">{name}</bdi> is cut off at
      once, and nobody gets in. Its page stays. Its host sees why.
    </ReasonDialog>
  )
}

export function StartRelayDialog({ island: { id, name }, onClose }: IslandDialogProps) {
  const running = useAction({
    act: () => call(startIslandRelay, { params: { id } }),
    done: () => `The relay carries visitors to ${name} again`,
    onDone: onClose,
  })
  return (
    <ConfirmDialog
      title="Start its relay again?"
      action="Start it"
      running={running}
      onClose={onClose}
    >
      <bdi className="font-medium wrap-anywhere text-ink">{name}</bdi> is back as soon as its device
      has connected again, which can take five minutes.
    </ConfirmDialog>
  )
}
