import type { OwnIsland } from '@astropelago/contract/islands'
import { t } from '@lingui/core/macro'
import { Plural } from '@lingui/react/macro'
import { Link, useNavigate } from 'react-router'
import { formatNumber } from '../../../language/format.ts'
import { usePagePart } from '../../../lib/router/page-parts.ts'
import { type IslandSettingsPart, paths } from '../../../paths.ts'
import { bringIntoRow } from '../../../ui/bring-into-row.ts'

const settingsParts = [
  { id: 'details', name: t`Details` },
  { id: 'pages', name: t`Pages` },
  { id: 'rooms', name: t`Rooms` },
  { id: 'runtime', name: t`Storage and model` },
  { id: 'picture', name: t`Picture and address` },
  { id: 'door', name: t`Door` },
  { id: 'pause', name: t`Pause` },
  { id: 'members', name: t`Members` },
  { id: 'invitations', name: t`Invitations` },
  { id: 'requests', name: t`Requests` },
  { id: 'neighbours', name: t`Neighbours` },
  { id: 'close', name: t`Delete` },
] as const satisfies readonly { id: IslandSettingsPart; name: string }[]

/** What works on pages on the island's own host name only. */
const onOwnHost: ReadonlySet<IslandSettingsPart> = new Set(['pages', 'rooms', 'runtime'])

export type SettingsPart = (typeof settingsParts)[number]

/** The part in the address, or Details without one. */
export function useSettingsPart(): SettingsPart {
  return usePagePart(settingsParts) ?? settingsParts[0]
}

/** Follows a changed slug to the new address, at the same part. */
export function useFollowSlug() {
  const navigate = useNavigate()
  const { id } = useSettingsPart()
  return ({ slug }: OwnIsland) =>
    void navigate(paths.islandSettings(slug, id), { replace: true, preventScrollReset: true })
}

/** Links to the parts: a column on a wide screen, else a row that scrolls. */
export function SettingsNavigation({ island }: { island: OwnIsland }) {
  const { slug, requestCount, isHosted, isRelayed } = island
  const current = useSettingsPart()
  return (
    <nav aria-label={t`Settings`} className="min-w-0 lg:sticky lg:top-24 lg:self-start">
      <ul className="relative flex overflow-x-auto border-b border-line-strong lg:flex-col lg:overflow-visible lg:border-b-0">
        {settingsParts.map((part) => {
          if (onOwnHost.has(part.id) && !isHosted && !isRelayed) return null
          const isCurrent = part.id === current.id
          return (
            <li key={part.id} className="shrink-0">
              <Link
                ref={isCurrent ? bringIntoRow : undefined}
                to={paths.islandSettings(slug, part.id)}
                preventScrollReset
                aria-current={isCurrent ? 'page' : undefined}
                className="flex h-11 items-center gap-2 border-b-2 border-transparent px-2.5 text-sm font-medium text-muted no-underline -outline-offset-2 transition-colors hover:text-ink aria-[current=page]:border-accent aria-[current=page]:text-ink sm:px-4 lg:h-9 lg:rounded-control lg:border-b-0 lg:px-3 lg:hover:bg-hover lg:aria-[current=page]:bg-hover"
              >
                {part.name}
                {part.id === 'requests' && requestCount > 0 && (
                  <span
                    data-numeric
                    className="rounded-full bg-island-soft px-2 text-xs text-ink lg:ms-auto"
                  >
                    <span aria-hidden>{formatNumber(requestCount)}</span>
                    <span className="sr-only">
                      <Plural value={requestCount} one="# waiting" other="# waiting" />
                    </span>
                  </span>
                )}
              </Link>
            </li>
          )
        })}
      </ul>
    </nav>
  )
}
