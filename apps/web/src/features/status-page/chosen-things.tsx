import type { OwnDevice } from '@astropelago/contract/devices'
import type { OwnIsland } from '@astropelago/contract/islands'
import { statusPageSubjectsMax } from '@astropelago/contract/limits'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useId, useRef, useState } from 'react'
import ArrowDown from 'virtual:icon/arrow-down'
import ArrowUp from 'virtual:icon/arrow-up'
import X from 'virtual:icon/x'
import { failureText } from '../../lib/failure-text.ts'
import { ownIslandsQuery } from '../../islands/own-islands-query.ts'
import { Button } from '../../ui/button.tsx'
import { Card, CardHeader } from '../../ui/card.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { RemovableItem } from '../../ui/removable-item.tsx'
import { SelectField } from '../../ui/select.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useFocusPassedOn } from '../../ui/focus.ts'
import { ListFailure } from '../../lib/list-failure.tsx'
import { ownDevicesQuery } from '../../devices/own-devices-query.ts'
import { useChangeStatusPage } from './status-page-query.ts'

interface Thing {
  readonly id: string
  readonly name: string
  /** Whether everybody may know about it. If not, it is never on the page. */
  readonly isPublic: boolean
}

export function ChosenDevices({ ids }: { ids: readonly string[] }) {
  return (
    <ChosenThings
      kind="devices"
      one="device"
      ids={ids}
      query={useQuery({
        ...ownDevicesQuery,
        select: (devices) => devices.map(deviceThing),
      })}
      none="Only public devices can be on the page, and you have none."
    />
  )
}

function deviceThing({ id, label, visibility, hidden }: OwnDevice): Thing {
  return { id, name: label, isPublic: visibility === 'public' && hidden === null }
}

export function ChosenIslands({ ids }: { ids: readonly string[] }) {
  return (
    <ChosenThings
      kind="islands"
      one="island"
      ids={ids}
      query={useQuery({
        ...ownIslandsQuery,
        select: (islands) => islands.map(islandThing),
      })}
      none="Only islands that everybody may see can be on the page, and you host none."
    />
  )
}

function islandThing({ id, name, access, isListed, publishedAt, hidden }: OwnIsland): Thing {
  const isShown = publishedAt !== null && hidden === null
  return { id, name, isPublic: isShown && (access === 'public' || isListed) }
}

interface ChosenThingsProps {
  kind: 'devices' | 'islands'
  one: 'device' | 'island'
  ids: readonly string[]
  query: UseQueryResult<readonly Thing[]>
  /** The text if there is nothing to choose. */
  none: string
}

/** The subjects on the page, in order, with buttons to add, move and remove them. */
function ChosenThings({ kind, one, ids, query, none }: ChosenThingsProps) {
  const headingId = useId()
  const changing = useChangeStatusPage()
  const [said, setSaid] = useState('')
  const own = new Map((query.data ?? []).map((thing) => [thing.id, thing]))
  const chosen = ids.flatMap((id) => own.get(id) ?? [])
  const offered = (query.data ?? []).filter(({ id, isPublic }) => isPublic && !ids.includes(id))
  const change = (next: readonly Thing[]) => changing.mutate({ [kind]: next.map(({ id }) => id) })
  const move = (thing: Thing, by: number) => {
    const from = chosen.indexOf(thing)
    const to = from + by
    if (to < 0 || to >= chosen.length) return
    change(chosen.toSpliced(from, 1).toSpliced(to, 0, thing))
    setSaid(`${thing.name} is now ${to + 1} of ${chosen.length}.`)
  }
  const add = (thing: Thing) => {
    const next = [...chosen, thing]
    change(next)
    setSaid(`${thing.name} was added at the end, as number ${next.length}.`)
  }
  const takeOff = (thing: Thing) => {
    const next = chosen.filter(({ id }) => id !== thing.id)
    change(next)
    setSaid(`${thing.name} was taken off. Left on the page: ${next.length}.`)
  }
  const title = kind === 'devices' ? 'Devices on the page' : 'Islands on the page'
  return (
    <Card aria-labelledby={headingId}>
      <CardHeader id={headingId} title={title} />
      {query.isLoading && <Skeleton className="h-16 w-full rounded-control" />}
      {chosen.length > 0 && (
        <ul aria-labelledby={headingId} className="flex min-w-0 flex-col border-y border-line">
          {chosen.map((thing, index) => (
            <RemovableItem key={thing.id} error={undefined}>
              <div className="flex min-w-0 items-center justify-between gap-3">
                <p className="flex min-w-0 flex-col text-sm">
                  <span className="font-medium wrap-anywhere">{thing.name}</span>
                  {!thing.isPublic && (
                    <span className="text-muted">
                      Not on the page now, because it is not public
                    </span>
                  )}
                </p>
                <div className="flex shrink-0 gap-1">
                  <Button
                    variant="ghost"
                    size="sm"
                    aria-label={`Move ${thing.name} up`}
                    aria-disabled={index === 0}
                    onClick={() => move(thing, -1)}
                  >
                    <ArrowUp aria-hidden />
                  </Button>
                  <Button
                    variant="ghost"
                    size="sm"
                    aria-label={`Move ${thing.name} down`}
                    aria-disabled={index === chosen.length - 1}
                    onClick={() => move(thing, 1)}
                  >
                    <ArrowDown aria-hidden />
                  </Button>
                  <Button
                    variant="ghost"
                    size="sm"
                    aria-label={`Take ${thing.name} off`}
                    onClick={() => takeOff(thing)}
                  >
                    <X aria-hidden />
                  </Button>
                </div>
              </div>
            </RemovableItem>
          ))}
        </ul>
      )}
      <output className="sr-only">{said}</output>
      {query.data !== undefined && (
        <More
          one={one}
          offered={offered}
          isFull={chosen.length >= statusPageSubjectsMax}
          none={chosen.length === 0 ? none : undefined}
          onAdd={add}
        />
      )}
      <FormError>{failureText(changing.error)}</FormError>
      <ListFailure query={query} of={kind} />
    </Card>
  )
}

interface MoreProps {
  one: ChosenThingsProps['one']
  offered: readonly Thing[]
  isFull: boolean
  none: string | undefined
  onAdd: (thing: Thing) => void
}

function More({ one, offered, isFull, none, onAdd }: MoreProps) {
  if (isFull) {
    return (
      <p className="text-sm text-muted">
        The page can’t show more than these. Take one off to add another.
      </p>
    )
  }
  if (offered.length === 0) {
    return none === undefined ? null : <p className="text-sm text-muted">{none}</p>
  }
  return <AddForm one={one} offered={offered} onAdd={onAdd} />
}

function AddForm({ one, offered, onAdd }: Pick<MoreProps, 'one' | 'offered' | 'onAdd'>) {
  const [wanted, setWanted] = useState('')
  const form = useRef<HTMLFormElement>(null)
  // The form disappears when nothing is left to add.
  useFocusPassedOn(form)
  const thing = offered.find(({ id }) => id === wanted) ?? offered[0]
  const label = one === 'device' ? 'Add a device' : 'Add an island'
  return (
    <form
      ref={form}
      aria-label={label}
      className="flex flex-wrap items-end gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        if (thing) onAdd(thing)
      }}
    >
      <SelectField
        label={label}
        className="w-full max-w-md"
        options={offered.map(({ id, name }) => ({ value: id, name }))}
        value={thing?.id ?? ''}
        onChange={setWanted}
      />
      <Button type="submit" variant="outline" size="sm">
        Add
      </Button>
    </form>
  )
}
