import { Link } from 'react-router'
import { bringIntoRow } from '../../ui/bring-into-row.ts'
import { type AccountPart, accountParts } from './account-parts.ts'

/** The parts of Account are links, so that each has an address and the browser's Back button works. */
export function AccountNavigation({ current }: { current: AccountPart }) {
  return (
    <nav aria-label="Account">
      <ul className="relative flex overflow-x-auto border-b border-line-strong">
        {accountParts.map((part) => {
          const isCurrent = part.id === current.id
          return (
            <li key={part.id} className="shrink-0">
              <Link
                ref={isCurrent ? bringIntoRow : undefined}
                to={part.path}
                preventScrollReset
                aria-current={isCurrent ? 'page' : undefined}
                className="flex h-11 items-center border-b-2 border-transparent px-2.5 text-sm font-medium text-muted no-underline -outline-offset-2 transition-colors hover:text-ink aria-[current=page]:border-accent aria-[current=page]:text-ink sm:px-4"
              >
                {part.name}
              </Link>
            </li>
          )
        })}
      </ul>
    </nav>
  )
}
