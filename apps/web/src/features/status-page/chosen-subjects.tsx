import type { OwnCheck } from '@astropelago/contract/checks'
import type { OwnDevice } from '@astropelago/contract/devices'
import type { OwnIsland } from '@astropelago/contract/islands'
import { statusPageSubjectsMax } from '@astropelago/contract/limits'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import ArrowDown from 'virtual:icon/arrow-down'
import ArrowUp from 'virtual:icon/arrow-up'
import X from 'virtual:icon/x'
import { ownChecksQuery } from '../../checks/own-checks-query.ts'
import { ownDevicesQuery } from '../../devices/own-devices-query.ts'
import { ownIslandsQuery } from '../../islands/own-islands-query.ts'
import { failureText } from '../../lib/failure-text.ts'
import { ListFailure } from '../../lib/list-failure.tsx'
import { Button } from '../../ui/button.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { RemovableItem } from '../../ui/removable-item.tsx'
import { SelectField } from '../../ui/select.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Card } from '../../ui/card.tsx'
import { useFocusPassedOn } from '../../ui/focus.ts'
import { useChangeStatusPage } from './status-page-query.ts'

interface Subject {
  readonly id: string
  readonly name: string
  /** Whether everybody may know about it. If not, it is never on the page. */
  readonly isPublic: boolean
}

interface ChosenProps {
  ids: readonly string[]
}

export function ChosenDevices({ ids }: ChosenProps) {
  const query = useQuery({ ...ownDevicesQuery, select: deviceSubjects })
  return <ChosenSubjects kind="devices" ids={ids} query={query} />
}

function deviceSubjects(devices: readonly OwnDevice[]): readonly Subject[] {
  return devices.map(({ id, label, visibility, hidden }) => ({
    id,
    name: label,
    isPublic: visibility === 'public' && hidden === null,
  }))
}

export function ChosenIslands({ ids }: ChosenProps) {
  const query = useQuery({ ...ownIslandsQuery, select: islandSubjects })
  return <ChosenSubjects kind="islands" ids={ids} query={query} />
}

function islandSubjects(islands: readonly OwnIsland[]): readonly Subject[] {
  return islands.map(({ id, name, access, isListed, publishedAt, hidden }) => {
    const isShown = publishedAt !== null && hidden === null
    return { id, name, isPublic: isShown && (access === 'public' || isListed) }
  })
}

export function ChosenChecks({ ids }: ChosenProps) {
  const query = useQuery({ ...ownChecksQuery, select: checkSubjects })
  return <ChosenSubjects kind="checks" ids={ids} query={query} />
}

function checkSubjects(checks: readonly OwnCheck[]): readonly Subject[] {
  return checks.map(({ id, name, visibility }) => ({ id, name, isPublic: visibility === 'public' }))
}

const words = {
  devices: {
    title: t`Devices on the page`,
    adding: t`Add a device`,
    none: t`Only public devices can be on the page, and you have none.`,
  },
  islands: {
    title: t`Islands on the page`,
    adding: t`Add an island`,
    none: t`Only islands that everybody may see can be on the page, and you host none.`,
  },
  checks: {
    title: t`Checks on the page`,
    adding: t`Add a check`,
    none: t`Only public checks can be on the page, and you have none.`,
  },
}

interface ChosenSubjectsProps extends ChosenProps {
  kind: keyof typeof words
  query: UseQueryResult<readonly Subject[]>
}

function ChosenSubjects({ kind, ids, query }: ChosenSubjectsProps) {
  const changing = useChangeStatusPage()
  const [said, setSaid] = useState('')
  const own = new Map((query.data ?? []).map((subject) => [subject.id, subject]))
  const chosen = ids.flatMap((id) => own.get(id) ?? [])
  const offered = (query.data ?? []).filter(({ id, isPublic }) => isPublic && !ids.includes(id))
  const isFull = chosen.length >= statusPageSubjectsMax
  const change = (next: readonly Subject[]) => changing.mutate({ [kind]: next.map(({ id }) => id) })
  const move = (subject: Subject, by: number) => {
    const from = chosen.indexOf(subject)
    const to = from + by
    if (to < 0 || to >= chosen.length) return
    change(chosen.toSpliced(from, 1).toSpliced(to, 0, subject))
    setSaid(t`${subject.name} is now ${to + 1} of ${chosen.length}.`)
  }
  const add = (subject: Subject) => {
    const next = [...chosen, subject]
    change(next)
    setSaid(t`${subject.name} was added at the end, as number ${next.length}.`)
  }
  const takeOff = (subject: Subject) => {
    const next = chosen.filter(({ id }) => id !== subject.id)
    change(next)
    setSaid(t`${subject.name} was taken off. Left on the page: ${next.length}.`)
  }
  const { title, adding, none } = words[kind]
  return (
    <Card title={title}>
      {query.isLoading && <Skeleton className="h-16 w-full rounded-control" />}
      {chosen.length > 0 && (
        <ul aria-label={title} className="flex min-w-0 flex-col border-y border-line">
          {chosen.map((subject, index) => (
            <RemovableItem key={subject.id} error={undefined}>
              <div className="flex min-w-0 items-center justify-between gap-3">
                <p className="flex min-w-0 flex-col text-sm">
                  <span className="font-medium wrap-anywhere">{subject.name}</span>
                  {!subject.isPublic && (
                    <span className="text-muted">
                      <Trans>Not on the page now, because it is not public</Trans>
                    </span>
                  )}
                </p>
                <div className="flex shrink-0 gap-1">
                  <Button
                    variant="ghost"
                    size="sm"
                    aria-label={t`Move ${subject.name} up`}
                    aria-disabled={index === 0}
                    onClick={() => move(subject, -1)}
                  >
                    <ArrowUp aria-hidden />
                  </Button>
                  <Button
                    variant="ghost"
                    size="sm"
                    aria-label={t`Move ${subject.name} down`}
                    aria-disabled={index === chosen.length - 1}
                    onClick={() => move(subject, 1)}
                  >
                    <ArrowDown aria-hidden />
                  </Button>
                  <Button
                    variant="ghost"
                    size="sm"
                    aria-label={t`Take ${subject.name} off`}
                    onClick={() => takeOff(subject)}
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
      {isFull && (
        <p className="text-sm text-muted">
          <Trans>The page can’t show more than these. Take one off to add another.</Trans>
        </p>
      )}
      {!isFull && offered.length > 0 && <AddForm label={adding} offered={offered} onAdd={add} />}
      {query.data !== undefined && offered.length + chosen.length === 0 && (
        <p className="text-sm text-muted">{none}</p>
      )}
      <FormError>{failureText(changing.error)}</FormError>
      <ListFailure query={query} of={kind} />
    </Card>
  )
}

function AddForm(props: {
  label: string
  offered: readonly Subject[]
  onAdd: (subject: Subject) => void
}) {
  const { label, offered, onAdd } = props
  const [wanted, setWanted] = useState('')
  const form = useRef<HTMLFormElement>(null)
  // The form disappears when nothing is left to add.
  useFocusPassedOn(form)
  const subject = offered.find(({ id }) => id === wanted) ?? offered[0]
  return (
    <form
      ref={form}
      aria-label={label}
      className="flex flex-wrap items-end gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        if (subject) onAdd(subject)
      }}
    >
      <SelectField
        label={label}
        className="w-full max-w-md"
        options={offered.map(({ id, name }) => ({ value: id, name }))}
        value={subject?.id ?? ''}
        onChange={setWanted}
      />
      <Button type="submit" variant="outline" size="sm">
        <Trans>Add</Trans>
      </Button>
    </form>
  )
}
