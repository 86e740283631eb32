import { seedOf } from '@astropelago/island-picture/seeded-random'
import { type ReactNode, useDeferredValue } from 'react'
import { useUser } from '../../../lib/use-user.ts'
import { IslandCard } from '../../../ui/island-card.tsx'
import { draftSlug, type IslandDraft } from '../details/island-draft.ts'

interface CardPreviewProps {
  draft: IslandDraft
  /** The one that it has; one that is new gets that of its address. */
  picture: number | undefined
}

/** The card that others will see in lists, on screens that have room for it beside the form. */
export function CardPreview({ draft, picture }: CardPreviewProps) {
  const { username, name } = useUser()
  // Drawing it anew must not hold up the typing.
  const shown = useDeferredValue(draft)
  const isThere = shown.way !== 'none'
  return (
    <aside aria-label="Preview" className="sticky top-24 flex flex-col gap-3 max-lg:hidden">
      <p className="text-xs font-medium text-muted">Its card, as others will see it</p>
      <IslandCard
        link={Title}
        to=""
        island={{
          id: 'preview',
          slug: draftSlug(shown) || 'island',
          name: shown.name.trim() || 'Your island',
          // Something has to be drawn before a kind is chosen.
          kind: shown.kind || 'social',
          picture: picture ?? seedOf(draftSlug(shown)),
          tagline: shown.tagline.trim(),
          door: 'public',
          host: name ?? username,
          isOpen: isThere,
          isWatched: isThere && shown.carrier !== '',
          since: null,
          deviceId: null,
          publishedAt: null,
        }}
      />
    </aside>
  )
}

/** It leads nowhere yet. */
function Title({ children }: { children: ReactNode }) {
  return <>{children}</>
}
