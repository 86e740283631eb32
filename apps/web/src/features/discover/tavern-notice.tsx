import { useSearchParams } from 'react-router'
import Info from 'virtual:icon/info'
import { tavernNotice } from '../../paths.ts'

/** Why somebody who wanted to the tavern ended up here. */
export function TavernNotice() {
  const [searchParams] = useSearchParams()
  if (searchParams.get(tavernNotice.parameter) !== tavernNotice.value) return null
  return (
    <p className="flex gap-3 rounded-card border border-line-strong bg-panel p-4 text-sm text-ink">
      <Info aria-hidden className="mt-0.5 size-4 shrink-0 text-accent" />
      <span>
        The Travelers Tavern has a subdomain of its own, and this site is being visited at a bare IP
        address, which can’t have one. Open the site by its name to get there.
      </span>
    </p>
  )
}
