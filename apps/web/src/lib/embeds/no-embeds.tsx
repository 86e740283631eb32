import { type ReactNode, useId } from 'react'
import { Card, CardHeader } from '../../ui/card.tsx'

/** Replaces `EmbedCard` for the owner of something that is not public, and says why. */
export function NoEmbeds({ children }: { children: ReactNode }) {
  const titleId = useId()
  return (
    <Card aria-labelledby={titleId}>
      <CardHeader id={titleId} title="Show it elsewhere" description={children} />
    </Card>
  )
}
