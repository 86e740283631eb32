import { classNames } from '../../ui/class-names.ts'
import { ErrorLine } from '../../ui/error-line.tsx'
import { FoundList } from './found-list.tsx'
import type { Search } from './network-query.ts'
import type { findScreens } from './screens.ts'

interface SearchAnswerProps {
  typed: string
  search: Search
  screens: ReturnType<typeof findScreens>
  /** Shown before anything is typed. */
  hint: string
  /** The list's class name. */
  className?: string
  onOpen?: () => void
}

/** The state of a search, in a line that is always present, and its results. */
export function SearchAnswer({
  typed,
  search,
  screens,
  hint,
  className,
  onOpen,
}: SearchAnswerProps) {
  const results = 'results' in search ? search.results : undefined
  const isSomethingFound = countOf(results) + screens.length > 0
  return (
    <>
      <div className="min-h-6 text-sm text-muted">
        {search.state === 'failed' ? (
          <ErrorLine onRetry={search.retry}>The search did not answer.</ErrorLine>
        ) : (
          <output className="block">{lineOf({ typed, search, screens, hint })}</output>
        )}
      </div>
      {isSomethingFound && typed.trim() !== '' && (
        <div
          aria-busy={search.state === 'searching'}
          className={classNames('flex flex-col gap-4', className)}
        >
          <FoundList results={results} screens={screens} onOpen={onOpen} />
        </div>
      )}
    </>
  )
}

function lineOf({
  typed,
  search,
  screens,
  hint,
}: Omit<SearchAnswerProps, 'className' | 'onOpen'>): string {
  if (typed.trim() === '') return hint
  if (search.state === 'searching') return 'Searching…'
  const {
    islands = [],
    satellites = [],
    routes = [],
  } = ('results' in search ? search.results : undefined) ?? {}
  const found = [
    counted(islands.length, 'island'),
    counted(satellites.length, 'satellite'),
    counted(routes.length + screens.length, 'route'),
  ].filter((part) => part !== '')
  return found.length === 0
    ? `Nothing that you can see is called “${typed.trim()}”. Try a part of its name.`
    : `Found ${found.join(', ')}.`
}

function counted(count: number, what: string): string {
  return count === 0 ? '' : `${count} ${what}${count === 1 ? '' : 's'}`
}

function countOf(results: Extract<Search, { results: unknown }>['results']): number {
  if (results === undefined) return 0
  return results.islands.length + results.satellites.length + results.routes.length
}
