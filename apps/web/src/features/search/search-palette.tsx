import { searchMaxLength } from '@astropelago/contract/limits'
import { t } from '@lingui/core/macro'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { paths } from '../../paths.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Input } from '../../ui/input.tsx'
import { type Search, useNetworkSearch } from './network-query.ts'
import { findScreens, SearchAnswer } from './search-answer.tsx'
import { useArrowKeys } from './use-arrow-keys.ts'

export function SearchPalette(props: { open: boolean; onOpenChange: (open: boolean) => void }) {
  const { open, onOpenChange } = props
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={t`Search`} wide>
      <Palette onDone={() => onOpenChange(false)} />
    </Dialog>
  )
}

function Palette({ onDone }: { onDone: () => void }) {
  const navigate = useNavigate()
  const area = useRef<HTMLElement>(null)
  useArrowKeys(area)
  const [typed, setTyped] = useState('')
  /** The text submitted with Enter. Its first result opens. */
  const [entered, setEntered] = useState<string>()
  const isUrgent = entered === typed
  const search = useNetworkSearch(typed, { isUrgent })
  const screens = findScreens(typed)
  const first = isUrgent && search.state !== 'searching' ? firstOf(search, screens) : undefined

  useEffect(() => {
    if (first === undefined) return
    onDone()
    void navigate(first)
  }, [first, navigate, onDone])

  const submit = (event: FormEvent) => {
    event.preventDefault()
    setEntered(typed)
  }

  return (
    <search ref={area} className="flex min-w-0 flex-col gap-3">
      <form onSubmit={submit}>
        <Input
          type="search"
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
          maxLength={searchMaxLength}
          autoComplete="off"
          enterKeyHint="go"
          aria-label={t`Search the network`}
          placeholder={t`Search islands, satellites, and routes...`}
          className="h-12! text-ellipsis"
        />
      </form>
      <div className="-mx-3 flex h-[min(24rem,50dvh)] flex-col gap-3 overflow-y-auto px-3">
        <SearchAnswer
          typed={typed}
          search={search}
          hint={t`Arrow keys go through what is found, Enter opens it.`}
          onOpen={onDone}
        />
      </div>
    </search>
  )
}

/** The address of the first result, in the list's order. */
function firstOf(search: Search, screens: ReturnType<typeof findScreens>): string | undefined {
  if (search.state === 'found') {
    const { islands, satellites } = search.results
    if (islands[0] !== undefined) return paths.island(islands[0].slug)
    if (satellites[0] !== undefined) return paths.device(satellites[0].id)
  }
  const [screen] = screens
  if (screen !== undefined) return screen.path
  const route = search.state === 'found' ? search.results.routes[0] : undefined
  return route && paths.island(route.to.slug)
}
