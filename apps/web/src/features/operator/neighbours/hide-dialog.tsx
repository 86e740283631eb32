import { searchMaxLength } from '@astropelago/contract/limits'
import {
  hideNeighbourSubject,
  type OperatorNeighbour,
} from '@astropelago/contract/operator-neighbours'
import { search } from '@astropelago/contract/search'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../lib/call.ts'
import { failureText } from '../../../lib/failure-text.ts'
import { useSettled } from '../../../lib/use-settled.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { verbatimInput } from '../../../ui/verbatim-input.ts'
import { operatorKey, useAfterAction } from '../operator-query.ts'

const settleMs = 250

interface Subject {
  readonly kind: 'device' | 'island'
  /** At the neighbour. */
  readonly id: string
  readonly name: string
}

interface HideDialogProps {
  readonly neighbour: OperatorNeighbour
  readonly onClose: () => void
}

/** Finds an island or a device of a neighbour by its name, and hides it. */
export function HideDialog({ neighbour, onClose }: HideDialogProps) {
  const { id, name } = neighbour
  const [typed, setTyped] = useState('')
  const wanted = useSettled(typed.trim(), settleMs)
  const query = useQuery({
    queryKey: [operatorKey, 'of-neighbour', id, wanted],
    queryFn: ({ signal }) => call(search, { query: { q: wanted }, signal }),
    enabled: wanted !== '',
    placeholderData: keepPreviousData,
    select: ({ neighbourIslands, neighbourSatellites }): Subject[] => [
      ...neighbourIslands.flatMap((island) => subjectOf(id, 'island', island.id, island.name)),
      ...neighbourSatellites.flatMap((device) => subjectOf(id, 'device', device.id, device.label)),
    ],
  })
  const after = useAfterAction()
  const hiding = useMutation({
    mutationFn: ({ kind, id: hidden }: Subject) =>
      call(hideNeighbourSubject, { params: { id }, body: { kind, id: hidden } }),
    onSuccess: (_, subject) => {
      const hidden = subject.name
      after(t`${hidden} is hidden`)
      onClose()
    },
  })
  const found = (wanted !== '' && query.data) || []
  const problem = failureText(hiding.error ?? query.error)
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t`Hide something of ${name}`}
      description={t`It disappears here for everybody at once, and stays hidden if it comes again.`}
    >
      <TextField
        label={t`Name of the island or device`}
        maxLength={searchMaxLength}
        {...verbatimInput}
        value={typed}
        onChange={setTyped}
      />
      {problem !== undefined && (
        <p role="alert" className="text-sm text-danger">
          {problem}
        </p>
      )}
      <output className="text-sm text-muted empty:hidden">
        {wanted !== '' && query.isSuccess && found.length === 0 && (
          <Trans>It shows nothing with this name here.</Trans>
        )}
      </output>
      {found.length > 0 && (
        <ul aria-label={t`Found`} className="flex flex-col gap-2">
          {found.map((subject) => (
            <li
              key={`${subject.kind} ${subject.id}`}
              className="flex items-center justify-between gap-4 text-sm"
            >
              <span className="flex min-w-0 flex-col">
                <bdi className="truncate font-medium">{subject.name}</bdi>
                <span className="text-xs text-muted">
                  {subject.kind === 'island' ? t`Island` : t`Device`}
                </span>
              </span>
              <Button
                variant="destructive"
                size="sm"
                busy={hiding.isPending && hiding.variables.id === subject.id}
                aria-label={hideLabel(subject)}
                onClick={() => hiding.mutate(subject)}
              >
                <Trans>Hide it</Trans>
              </Button>
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  )
}

function hideLabel({ name }: Subject): string {
  return t`Hide ${name}`
}

/** None if it is of another neighbour. Ids begin with the neighbour's id and a colon. */
function subjectOf(
  neighbourId: string,
  kind: Subject['kind'],
  id: string,
  name: string,
): readonly Subject[] {
  const start = `${neighbourId}:`
  return id.startsWith(start) ? [{ kind, id: id.slice(start.length), name }] : []
}
