import type { OperatorIsland } from '@astropelago/contract/operator-islands'
import { showSubject } from '@astropelago/contract/reports'
import { call } from '../../../lib/call.ts'
import { ConfirmDialog } from '../confirm-dialog.tsx'
import { HideDialog } from '../hide-dialog.tsx'
import { useAction } from '../operator-query.ts'

interface IslandDialogProps {
  readonly island: OperatorIsland
  readonly onClose: () => void
}

export function HideIslandDialog({ island: { id, name }, onClose }: IslandDialogProps) {
  return (
    <HideDialog
      title="Hide this island?"
      subject={{ kind: 'island', id }}
      name={name}
      reader="its host"
      onClose={onClose}
    >
      <bdi className="font-medium wrap-anywhere text-ink">{name}</bdi> disappears for everybody at
      once, also for its members. Its host keeps it, and sees that it is hidden and why.
    </HideDialog>
  )
}

export function ShowIslandDialog({ island, onClose }: IslandDialogProps) {
  const { id, name, publishedAt } = island
  const running = useAction({
    act: () => call(showSubject, { params: { kind: 'island', id } }),
    done: () => `${name} is shown again`,
    onDone: onClose,
  })
  return (
    <ConfirmDialog
      title="Show this island again?"
      action="Show it"
      running={running}
      onClose={onClose}
    >
      <bdi className="font-medium wrap-anywhere text-ink">{name}</bdi>{' '}
      {publishedAt === null
        ? 'is a draft: only its host will see it.'
        : 'is back at once for everybody who may enter.'}
    </ConfirmDialog>
  )
}
