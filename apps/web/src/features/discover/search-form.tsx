import { Search } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Input } from '../../ui/input.tsx'
import { categoriesId } from './categories-id.ts'

const noteId = 'search-note'

/** The search of the network. Nothing is searched yet, and the form says so. */
export function SearchForm() {
  const [wasAsked, setWasAsked] = useState(false)

  const answer = (event: FormEvent) => {
    event.preventDefault()
    setWasAsked(true)
  }

  return (
    <search className="flex flex-col gap-3">
      <form onSubmit={answer} className="flex flex-wrap gap-3">
        <div className="relative min-w-full flex-1 sm:min-w-64">
          <Search
            aria-hidden
            className="pointer-events-none absolute top-1/2 left-4 size-5 -translate-y-1/2 text-muted"
          />
          <Input
            type="search"
            name="q"
            maxLength={200}
            autoComplete="off"
            enterKeyHint="search"
            aria-label="Search the network"
            aria-describedby={noteId}
            placeholder="Search islands, satellites, and routes..."
            onChange={() => setWasAsked(false)}
            className="h-12! pl-12! text-ellipsis"
          />
        </div>
        <Button type="submit" size="lg" className="flex-1 sm:flex-none">
          Discover
        </Button>
        <Button
          variant="outline"
          size="lg"
          className="flex-1 sm:flex-none"
          onClick={showCategories}
        >
          Categories
        </Button>
      </form>
      <output id={noteId} className="block min-h-11 text-sm text-muted sm:min-h-6">
        {wasAsked
          ? 'Nothing was searched: there is no index to look in yet. The chart below shows what there will be.'
          : 'Search is coming. Until then, the chart below shows what there will be to find.'}
      </output>
    </search>
  )
}

function showCategories(): void {
  document.getElementById(categoriesId)?.focus()
}
