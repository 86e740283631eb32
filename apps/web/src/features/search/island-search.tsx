import type { IslandCard } from '@astropelago/contract/islands'
import { searchMaxLength } from '@astropelago/contract/limits'
import { plural, t } from '@lingui/core/macro'
import { useState } from 'react'
import { StateMark } from '../../islands/island-marks.tsx'
import { islandState } from '../../islands/island-words.ts'
import { Combobox } from '../../ui/combobox.tsx'
import { type Search, useNetworkSearch } from './network-query.ts'

type NamedIsland = Pick<IslandCard, 'slug' | 'name'>

interface IslandSearchProps {
  chosen: NamedIsland | undefined
  /** Called with undefined if the field is emptied. */
  onChoose: (island: NamedIsland | undefined) => void
}

export function IslandSearch({ chosen, onChoose }: IslandSearchProps) {
  /** Undefined until the user types. The field shows the chosen island until then. */
  const [typed, setTyped] = useState<string>()
  const search = useNetworkSearch(typed ?? '', { isUrgent: false })
  const islands = ('results' in search ? search.results?.islands : undefined) ?? []
  return (
    <Combobox
      type="search"
      aria-label={t`Island`}
      placeholder={t`All islands, or one by its name`}
      maxLength={searchMaxLength}
      text={typed ?? chosen?.name ?? ''}
      onType={(text) => {
        setTyped(text)
        if (text === '' && chosen !== undefined) onChoose(undefined)
      }}
      options={islands}
      keyOf={({ id }) => id}
      optionContent={IslandOption}
      onPick={(island) => {
        setTyped(undefined)
        onChoose(island)
      }}
      onLeave={() => setTyped(undefined)}
      listName={t`Islands`}
      message={messageOf(search, islands.length)}
      onRetry={search.state === 'failed' ? search.retry : undefined}
    />
  )
}

function IslandOption({ option: island }: { option: IslandCard }) {
  return (
    <>
      <span dir="auto" className="min-w-0 flex-1 font-medium wrap-anywhere">
        {island.name}
      </span>
      <StateMark state={islandState(island)} />
    </>
  )
}

function messageOf({ state }: Search, count: number): string {
  if (state === 'failed') return t`The search did not answer.`
  if (count > 0) return plural(count, { one: '# island found', other: '# islands found' })
  return state === 'searching' ? t`Searching…` : t`No island that you can see has this name.`
}
