import { type ReactNode, useId } from 'react'
import { Card, CardHeader } from '../../ui/card.tsx'

/** Stands where `EmbedCard` would, for the owner of what not everybody may know of: says why. */
export function NoEmbeds({ children }: { children: ReactNode }) {
  const titleId = useId()
  return (
    <Card aria-labelledby={titleId}>
      <CardHeader id={titleId} title="Show it elsewhere" description={children} />
    </Card>
  )
}
