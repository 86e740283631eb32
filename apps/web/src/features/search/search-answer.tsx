import { safeLink } from '@astropelago/contract/devices'
import type { SearchResults } from '@astropelago/contract/search'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type ReactNode, useId } from 'react'
import { Link } from 'react-router'
import ArrowRight from 'virtual:icon/arrow-right'
import Compass from 'virtual:icon/compass'
import Route from 'virtual:icon/route'
import Satellite from 'virtual:icon/satellite'
import { StateMark } from '../../islands/island-marks.tsx'
import { IslandPicture } from '../../islands/island-picture.tsx'
import { islandState } from '../../islands/island-words.ts'
import { isNoted, PauseLine } from '../../islands/pause-note.tsx'
import { searchText } from '../../lib/search-text.ts'
import { elsewhere } from '../../neighbours/elsewhere.ts'
import { NeighbourName } from '../../neighbours/neighbour-name.tsx'
import { useNeighbours } from '../../neighbours/use-neighbours.ts'
import { paths } from '../../paths.ts'
import { classNames } from '../../ui/class-names.ts'
import { ErrorLine } from '../../ui/error-line.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import type { Search } from './network-query.ts'

interface SearchAnswerProps {
  typed: string
  search: Search
  hint: string
  className?: string
  onOpen?: () => void
}

const iconStyle = 'size-4 text-muted'

/** The line with the search's state is always present. */
export function SearchAnswer({ typed, search, hint, className, onOpen }: SearchAnswerProps) {
  const found = 'results' in search ? search.results : undefined
  const { islands = [], satellites = [], routes = [] } = found ?? {}
  const { neighbourIslands, neighbourSatellites } = useOfNeighbours(found)
  const ofNeighbours = neighbourIslands.length + neighbourSatellites.length
  const screens = findScreens(typed)
  const ways = routes.length + screens.length
  const counts = [
    islands.length > 0 && plural(islands.length, { one: '# island', other: '# islands' }),
    satellites.length > 0 &&
      plural(satellites.length, { one: '# satellite', other: '# satellites' }),
    ways > 0 && plural(ways, { one: '# route', other: '# routes' }),
    ofNeighbours > 0 && t`${ofNeighbours} at neighbours`,
  ].filter((text) => text !== false)
  const line = () => {
    const name = typed.trim()
    if (name === '') return hint
    if (search.state === 'searching') return t`Searching…`
    const list = counts.join(', ')
    return list === ''
      ? t`Nothing that you can see is called “${name}”. Try a part of its name.`
      : t`Found ${list}.`
  }
  return (
    <>
      <div className="min-h-6 text-sm text-muted">
        {search.state === 'failed' ? (
          <ErrorLine onRetry={search.retry}>
            <Trans>The search did not answer.</Trans>
          </ErrorLine>
        ) : (
          <output className="block">{line()}</output>
        )}
      </div>
      {counts.length > 0 && typed.trim() !== '' && (
        <div
          aria-busy={search.state === 'searching'}
          className={classNames('flex flex-col gap-4', className)}
        >
          <Group name={t`Islands`} count={islands.length}>
            {islands.map((island) => (
              <Found
                key={island.id}
                to={paths.island(island.slug)}
                onOpen={onOpen}
                mark={<IslandPicture picture={island.picture} kind={island.kind} className="h-9" />}
                name={island.name}
                about={isNoted(island.pause) ? <PauseLine pause={island.pause} /> : island.tagline}
                end={<StateMark state={islandState(island)} />}
              />
            ))}
          </Group>
          <Group name={t`Satellites`} count={satellites.length}>
            {satellites.map(({ id, label, status }) => (
              <Found
                key={id}
                to={paths.device(id)}
                onOpen={onOpen}
                mark={<Satellite aria-hidden className={iconStyle} strokeWidth={1.75} />}
                name={label}
                end={<StatusBadge status={status} />}
              />
            ))}
          </Group>
          <Group name={t`Islands of neighbours`} count={neighbourIslands.length}>
            {neighbourIslands.map(({ subject, neighbour, url }) => (
              <Found
                key={subject.id}
                to={url}
                isElsewhere
                onOpen={onOpen}
                mark={
                  <IslandPicture picture={subject.picture} kind={subject.kind} className="h-9" />
                }
                name={subject.name}
                about={<NeighbourName neighbour={neighbour} className="max-w-full" />}
                end={<StateMark state={subject.isOpen ? 'open' : 'closed'} />}
              />
            ))}
          </Group>
          <Group name={t`Satellites of neighbours`} count={neighbourSatellites.length}>
            {neighbourSatellites.map(({ subject, neighbour, url }) => (
              <Found
                key={subject.id}
                to={url}
                isElsewhere
                onOpen={onOpen}
                mark={<Satellite aria-hidden className={iconStyle} strokeWidth={1.75} />}
                name={subject.label}
                about={<NeighbourName neighbour={neighbour} className="max-w-full" />}
                end={<StatusBadge status={subject.status} />}
              />
            ))}
          </Group>
          <Group name={t`Routes`} count={ways}>
            {screens.map(({ name, path }) => (
              <Found
                key={path}
                to={path}
                onOpen={onOpen}
                mark={<Compass aria-hidden className={iconStyle} strokeWidth={1.75} />}
                name={name}
                end={
                  <span className="text-sm text-muted">
                    <Trans>Screen</Trans>
                  </span>
                }
              />
            ))}
            {routes.map(({ from, to }) => (
              <Found
                key={`${from.slug}/${to.slug}`}
                to={paths.island(to.slug)}
                onOpen={onOpen}
                mark={<Route aria-hidden className={iconStyle} strokeWidth={1.75} />}
                name={
                  <>
                    {from.name}{' '}
                    <ArrowRight
                      aria-label={t({ context: 'From one island to another', message: 'to' })}
                      className="inline size-4 align-[-0.15em] text-muted"
                    />{' '}
                    {to.name}
                  </>
                }
              />
            ))}
          </Group>
        </div>
      )}
    </>
  )
}

/** What was found at the neighbours that the user wants to see, with its page there. */
function useOfNeighbours(found: SearchResults | undefined) {
  const { neighbourIslands = [], neighbourSatellites = [] } = found ?? {}
  const { shown } = useNeighbours(neighbourIslands.length + neighbourSatellites.length > 0)
  const at = (id: string) => shown.find((neighbour) => neighbour.id === id)
  return {
    neighbourIslands: neighbourIslands.flatMap((subject) => {
      const neighbour = at(subject.neighbour)
      const url = safeLink(subject.url)
      return neighbour === undefined || url === undefined ? [] : [{ subject, neighbour, url }]
    }),
    neighbourSatellites: neighbourSatellites.flatMap((subject) => {
      const end = subject.id.indexOf(':')
      const neighbour = at(subject.id.slice(0, end))
      if (neighbour === undefined) return []
      const url = paths.neighbourDevice(neighbour.address, subject.id.slice(end + 1))
      return [{ subject, neighbour, url }]
    }),
  }
}

function Group({ name, count, children }: { name: string; count: number; children: ReactNode }) {
  const titleId = useId()
  if (count === 0) return null
  return (
    <section aria-labelledby={titleId} className="flex flex-col gap-1">
      <h3 id={titleId} className="px-3 text-sm font-medium text-muted">
        {name}
      </h3>
      <ul className="flex flex-col">{children}</ul>
    </section>
  )
}

interface FoundProps {
  to: string
  mark: ReactNode
  name: ReactNode
  about?: ReactNode
  end?: ReactNode
  /** Whether it leads to another installation. */
  isElsewhere?: boolean
  onOpen: (() => void) | undefined
}

function Found({ to, mark, name, about = '', end, isElsewhere = false, onOpen }: FoundProps) {
  return (
    <li>
      <Link
        to={to}
        {...(isElsewhere && elsewhere)}
        onClick={onOpen}
        className="flex min-h-12 flex-wrap items-center gap-x-3 rounded-control px-3 py-1.5 text-ink no-underline -outline-offset-2 hover:bg-raised focus-visible:bg-raised"
      >
        <span className="grid w-12 shrink-0 place-items-center overflow-hidden">{mark}</span>
        <span className="flex min-w-0 flex-1 flex-col">
          <span dir="auto" className="truncate">
            {name}
            {isElsewhere && (
              <span className="sr-only">
                {' '}
                <Trans>(opens in a new tab)</Trans>
              </span>
            )}
          </span>
          {about !== '' && (
            <span dir="auto" className="truncate text-sm text-muted">
              {about}
            </span>
          )}
        </span>
        {end !== undefined && (
          // Below the name on a phone, because there is no room beside it.
          <span className="basis-full ps-15 sm:basis-auto sm:ps-0">{end}</span>
        )}
      </Link>
    </li>
  )
}

interface Screen {
  readonly name: string
  readonly path: string
  /** Other names for the screen, and what users look for there. */
  readonly words: string
}

const screens: readonly Screen[] = [
  { name: t`Home`, path: paths.landing(), words: t`start how it works safety faq` },
  { name: t`Explore`, path: paths.explore(), words: t`open now community lounge modules` },
  { name: t`Dashboard`, path: paths.dashboard(), words: t`recent activity your islands requests` },
  { name: t`Make an island`, path: paths.newIsland(), words: t`builder host new publish` },
  { name: t`Connect`, path: paths.connect(), words: t`add a device token heartbeat setup` },
  { name: t`Discover`, path: paths.discover(), words: t`search directory categories` },
  { name: t`Observatory`, path: paths.observatory(), words: t`globe map satellites status` },
  { name: t`Harbor Logs`, path: paths.harborLogs(), words: t`notes signals openings who joined` },
  { name: t`Library`, path: paths.library(), words: t`guides help how to` },
  { name: t`Account`, path: paths.account(), words: t`settings profile password my devices` },
]

/** Screens with words that start with what was typed. None for an empty text. */
export function findScreens(typed: string): readonly Screen[] {
  const asked = searchText(typed).split(/\s+/).filter(Boolean)
  if (asked.length === 0) return []
  return screens.filter(({ name, words }) => {
    const all = searchText(`${name} ${words}`).split(' ')
    return asked.every((word) => all.some((one) => one.startsWith(word)))
  })
}
