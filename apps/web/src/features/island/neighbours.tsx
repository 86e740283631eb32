import type { IslandCard as Island } from '@astropelago/contract/islands'
import { useId } from 'react'
import { Link } from 'react-router'
import { paths } from '../../paths.ts'
import { Card, CardHeader } from '../../ui/card.tsx'
import { IslandLine } from '../../islands/island-line.tsx'

/** The islands that this one's host links to. Empty if the viewer can see none of them. */
export function Neighbours({ islands }: { islands: readonly Island[] }) {
  const titleId = useId()
  if (islands.length === 0) return null
  return (
    <Card aria-labelledby={titleId}>
      <CardHeader id={titleId} title="Neighbours" description="Islands that its host recommends." />
      <ul className="-mx-3 -mb-3 flex flex-col">
        {islands.map((island) => (
          <li key={island.id}>
            <IslandLine island={island} link={Link} to={paths.island(island.slug)} />
          </li>
        ))}
      </ul>
    </Card>
  )
}
