import type { Neighbour } from '@astropelago/contract/neighbours'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { DeviceLink } from '../devices/device-link.tsx'
import { Checkbox } from '../ui/checkbox.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { NeighbourMark } from './neighbour-name.tsx'
import { neighbourChoice, useNeighbourChoice } from './neighbour-choice.ts'
import { useNeighbours } from './use-neighbours.ts'

/** Switches neighbours off, all of them or one by one. */
export function NeighboursDialog({ onClose }: { onClose: () => void }) {
  const { all } = useNeighbours()
  const { areOff, hiddenIds } = useNeighbourChoice()
  const show = (id: string, isShown: boolean) => {
    const others = hiddenIds.filter((hidden) => hidden !== id)
    neighbourChoice.change({ hiddenIds: isShown ? others : [...others, id] })
  }
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t`Neighbours`}
      description={
        <Trans>
          This installation follows others. Their islands and devices lead to their own pages. This
          browser remembers what you choose.
        </Trans>
      }
    >
      <Checkbox
        label={t`Show what neighbours share`}
        checked={!areOff}
        onChange={({ target }) => neighbourChoice.change({ areOff: !target.checked })}
      />
      <ul aria-label={t`Neighbours`} className="flex flex-col gap-4 border-t border-line pt-5">
        {all.map((neighbour) => (
          <li key={neighbour.id} className="flex items-start gap-3">
            <NeighbourMark colour={neighbour.colour} className="mt-1.25" />
            <div className="flex min-w-0 flex-1 flex-col gap-1">
              <Checkbox
                label={neighbour.name}
                hint={sharedText(neighbour)}
                disabled={areOff}
                checked={!areOff && !hiddenIds.includes(neighbour.id)}
                onChange={({ target }) => show(neighbour.id, target.checked)}
              />
              <span className="ps-7 text-xs">
                <DeviceLink link={neighbour.address} />
              </span>
            </div>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}

function sharedText({ islandCount, deviceCount }: Neighbour): string {
  if (islandCount + deviceCount === 0) return t`Shares nothing right now.`
  const islands = plural(islandCount, { one: '# island', other: '# islands' })
  const devices = plural(deviceCount, { one: '# device', other: '# devices' })
  return t`${islands}, ${devices}`
}
