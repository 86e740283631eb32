import type { OwnIsland } from '@astropelago/contract/islands'
import { neighboursPerIsland } from '@astropelago/contract/limits'
import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { Link } from 'react-router'
import ArrowDown from 'virtual:icon/arrow-down'
import ArrowUp from 'virtual:icon/arrow-up'
import Waypoints from 'virtual:icon/waypoints'
import X from 'virtual:icon/x'
import { failureText, fieldErrors } from '../../../lib/failure-text.ts'
import { useOwnIslandChanges } from '../../../islands/own-islands-query.ts'
import { paths } from '../../../paths.ts'
import { Button } from '../../../ui/button.tsx'
import { Card, CardHeader } from '../../../ui/card.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { FormError } from '../../../ui/form-error.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { useToast } from '../../../ui/use-toast.ts'
import { moved, slugIn } from './island-address.ts'

const headingId = 'neighbours-heading'

/** The island's routes to other islands on the star chart. Each press is saved at once. */
export function NeighboursCard({ island }: { island: OwnIsland }) {
  const { id, slug: ownSlug } = island
  const { update } = useOwnIslandChanges()
  const showToast = useToast()
  const [typed, setTyped] = useState('')
  const [error, setError] = useState<string>()
  const input = useRef<HTMLInputElement>(null)
  const saving = useMutation({
    mutationFn: (neighbours: readonly string[]) => update(id, { neighbours: [...neighbours] }),
    scope: { id: `neighbours-${id}` },
  })
  const shown = saving.isPending ? saving.variables : island.neighbours

  const add = () => {
    const slug = slugIn(typed)
    const problem =
      slug === undefined
        ? 'Enter the address of an island, such as harbor-books.'
        : slug === ownSlug
          ? 'That is this island.'
          : shown.includes(slug)
            ? 'That island is already a neighbour.'
            : undefined
    setError(problem)
    if (problem !== undefined || slug === undefined) {
      input.current?.focus()
      return
    }
    saving.mutate([...shown, slug], {
      onSuccess: () => {
        setTyped('')
        showToast({ title: `${slug} is a neighbour now` })
      },
      onError: (failure) => {
        setError(fieldErrors(failure)['neighbours'] ?? failureText(failure))
        input.current?.focus()
      },
    })
  }

  return (
    <Card aria-labelledby={headingId}>
      <CardHeader
        id={headingId}
        title="Neighbours"
        description={`Up to ${neighboursPerIsland} islands that you recommend to your visitors. They appear on your page and as routes on the star chart. Visitors only see islands there that they may see anyway.`}
      />
      {shown.length === 0 ? (
        <EmptyState icon={<Waypoints aria-hidden />} title="No neighbour yet">
          Add an island that your visitors may like too.
        </EmptyState>
      ) : (
        <ol aria-label="Neighbours" className="flex min-w-0 flex-col border-y border-line">
          {shown.map((slug, index) => (
            <li
              key={slug}
              className="flex min-w-0 items-center justify-between gap-4 border-b border-line py-2.5 last:border-0"
            >
              <Link
                to={paths.island(slug)}
                className="min-w-0 text-sm font-medium wrap-anywhere text-ink underline decoration-transparent underline-offset-4 hover:decoration-current"
              >
                {slug}
              </Link>
              <span className="flex shrink-0 gap-1">
                <Button
                  variant="ghost"
                  size="icon"
                  aria-label={`Move ${slug} up`}
                  disabled={index === 0}
                  onClick={() => saving.mutate(moved(shown, index, -1))}
                >
                  <ArrowUp aria-hidden />
                </Button>
                <Button
                  variant="ghost"
                  size="icon"
                  aria-label={`Move ${slug} down`}
                  disabled={index === shown.length - 1}
                  onClick={() => saving.mutate(moved(shown, index, 1))}
                >
                  <ArrowDown aria-hidden />
                </Button>
                <Button
                  variant="ghost"
                  size="icon"
                  aria-label={`Remove ${slug}`}
                  onClick={() => {
                    saving.mutate(shown.filter((other) => other !== slug))
                    input.current?.focus()
                  }}
                >
                  <X aria-hidden />
                </Button>
              </span>
            </li>
          ))}
        </ol>
      )}
      {saving.isError && error === undefined && <FormError>{failureText(saving.error)}</FormError>}
      {shown.length >= neighboursPerIsland ? (
        <p className="text-sm text-muted">
          An island can’t have more neighbours than this. Remove one to add another.
        </p>
      ) : (
        <form
          noValidate
          aria-label="Another neighbour"
          className="flex flex-col items-start gap-4 sm:flex-row"
          onSubmit={(event) => {
            event.preventDefault()
            if (!saving.isPending) add()
          }}
        >
          <TextField
            ref={input}
            className="w-full sm:max-w-96"
            label="Its address"
            hint="Such as harbor-books, or the whole address from your browser."
            error={error}
            name="neighbour"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            value={typed}
            onChange={(text) => {
              setTyped(text)
              setError(undefined)
            }}
          />
          <Button type="submit" variant="outline" busy={saving.isPending} className="sm:mt-7">
            Add
          </Button>
        </form>
      )}
    </Card>
  )
}
