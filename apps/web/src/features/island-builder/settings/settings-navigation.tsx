import type { OwnIsland } from '@astropelago/contract/islands'
import { Link } from 'react-router'
import { paths } from '../../../paths.ts'
import { bringIntoRow } from '../../../ui/bring-into-row.ts'
import { type SettingsPart, settingsParts } from './settings-parts.ts'

interface SettingsNavigationProps {
  island: OwnIsland
  current: SettingsPart
}

/** Links to the parts: a column on a wide screen, else a row that scrolls. */
export function SettingsNavigation({ island, current }: SettingsNavigationProps) {
  const { slug, requestCount } = island
  return (
    <nav aria-label="Settings" className="min-w-0 lg:sticky lg:top-24 lg:self-start">
      <ul className="relative flex overflow-x-auto border-b border-line-strong lg:flex-col lg:overflow-visible lg:border-b-0">
        {settingsParts.map((part) => {
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
                    className="rounded-full bg-island-soft px-2 text-xs text-ink lg:ml-auto"
                  >
                    {requestCount}
                    <span className="sr-only"> waiting</span>
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
