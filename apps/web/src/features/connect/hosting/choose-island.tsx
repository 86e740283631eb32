import type { OwnDevice } from '@astropelago/contract/devices'
import type { OwnIsland } from '@astropelago/contract/islands'
import { type UseQueryResult, useMutation } from '@tanstack/react-query'
import { useId } from 'react'
import { Link } from 'react-router'
import Plus from 'virtual:icon/plus'
import Waypoints from 'virtual:icon/waypoints'
import { failureText } from '../../../lib/failure-text.ts'
import { useOwnIslandChanges } from '../../../lib/islands/own-islands-query.ts'
import { paths } from '../../../paths.ts'
import { Button } from '../../../ui/button.tsx'
import { buttonStyles } from '../../../ui/button-styles.ts'
import { classNames } from '../../../ui/class-names.ts'
import { FormError } from '../../../ui/form-error.tsx'
import { RadioCard } from '../../../ui/radio-card.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { ListFailure } from '../../devices/list-failure.tsx'

interface ChooseIslandProps {
  query: UseQueryResult<OwnIsland[]>
  device: OwnDevice
  selected: OwnIsland | undefined
  onSelect: (id: string) => void
}

/** The second step of hosting: which of the user's islands the device carries. */
export function ChooseIsland({ query, device, selected, onSelect }: ChooseIslandProps) {
  const name = useId()
  const { update } = useOwnIslandChanges()
  const carrying = useMutation({
    mutationFn: ({ id }: OwnIsland) => update(id, { isRelayed: true, carrier: device.id }),
  })
  const islands = query.data ?? []
  return (
    <div className="flex min-w-0 flex-col gap-5">
      {query.isPending && <Skeleton className="h-24 w-full rounded-control" />}
      <ListFailure query={query} of="islands" />
      {islands.length > 0 && (
        <fieldset className="min-w-0">
          <legend className="sr-only">Your islands</legend>
          <div className="relative -m-1 flex max-h-80 flex-col gap-2 overflow-y-auto p-1">
            {islands.map((island) => (
              <RadioCard
                key={island.id}
                name={name}
                checked={island.id === selected?.id}
                onChange={() => {
                  carrying.reset()
                  onSelect(island.id)
                }}
                align="center"
                className="min-h-13 shrink-0"
              >
                <span className="flex min-w-0 flex-1 flex-col gap-x-4 sm:flex-row sm:items-center sm:justify-between">
                  <bdi className="text-sm font-medium wrap-anywhere">{island.name}</bdi>
                  <span className="text-xs text-muted wrap-anywhere">
                    {whereItIs(island, device)}
                  </span>
                </span>
              </RadioCard>
            ))}
          </div>
        </fieldset>
      )}
      {query.isSuccess && islands.length === 0 && (
        <p className="text-sm text-muted">
          You have no island yet. Make one, and choose “Through the relay” and this device.
        </p>
      )}
      {selected && !(selected.isRelayed && selected.carrier?.id === device.id) && (
        <div className="flex min-w-0 flex-col items-start gap-3 rounded-control bg-raised px-4 py-3.5 text-sm">
          <p className="min-w-0 wrap-anywhere">
            {selected.address === null
              ? 'Visitors of this island will come through the relay, to '
              : 'Visitors of this island will come through the relay, and not by its link any more, to '}
            <bdi className="font-medium">{device.label}</bdi>.
          </p>
          <Button size="sm" busy={carrying.isPending} onClick={() => carrying.mutate(selected)}>
            {!carrying.isPending && <Waypoints aria-hidden />}
            {carrying.isPending ? 'Saving…' : 'Let this device carry it'}
          </Button>
          <FormError>{failureText(carrying.error)}</FormError>
        </div>
      )}
      <Link
        to={paths.newIsland()}
        className={classNames(buttonStyles({ variant: 'outline' }), 'self-start')}
      >
        <Plus aria-hidden />
        Make an island
      </Link>
    </div>
  )
}

function whereItIs({ isRelayed, carrier, address }: OwnIsland, device: OwnDevice): string {
  if (isRelayed && carrier?.id === device.id) return 'carried by this device'
  if (isRelayed) return `carried by ${carrier?.label ?? 'no device'}`
  return address === null ? 'nowhere yet' : 'behind a link'
}
