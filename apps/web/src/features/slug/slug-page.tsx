import { loungeSlug } from '@astropelago/contract/pages'
import { Slug } from '@astropelago/contract/slugs'
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Navigate, useLocation, useParams } from 'react-router'
import * as v from 'valibot'
import { islandQuery } from '../../islands/island-queries.ts'
import { returnState } from '../../lib/return-path.ts'
import { useSession } from '../../lib/session.ts'
import { unknownState } from '../../lib/unknown-address.ts'
import { usePageTitle } from '../../lib/use-page-title.ts'
import { keepWayBack } from '../../lib/way-back.ts'
import { paths } from '../../paths.ts'

/** Redirects an island's slug to its page, and any other slug to Discover. */
export function SlugPage() {
  const { pathname } = useLocation()
  const { slug = pathname.replaceAll('/', '') } = useParams()
  const { success, output } = v.safeParse(Slug, slug)
  // The server redirects page loads of the lounge's slug. This handles links within the app.
  if (output === loungeSlug) return <Navigate to={paths.island(loungeSlug)} replace />
  return success ? <IslandLead slug={output} /> : <ToDiscover slug={slug} />
}

/** An island that not everybody may know about. The server has already redirected public ones. */
function IslandLead({ slug }: { slug: string }) {
  const { state } = useSession()
  const { data: island, isPending } = useQuery({
    ...islandQuery(slug),
    enabled: state === 'signed-in',
  })
  usePageTitle(t`On the way`)
  if (state === 'signed-out') return <SignInFirst />
  if (state === 'checking' || isPending) return null
  return island === undefined ? (
    <ToDiscover slug={slug} />
  ) : (
    <Navigate to={paths.island(island.slug)} replace />
  )
}

function ToDiscover({ slug }: { slug: string }) {
  const [state] = useState(() => unknownState(`/${slug}`))
  return <Navigate to={paths.discover()} replace state={state} />
}

/** The same for every slug, so that it does not reveal which slugs are islands. */
function SignInFirst() {
  const location = useLocation()
  // A new object on each render would navigate again and again.
  const [state] = useState(() => returnState(location))
  const { returnTo } = state
  useEffect(() => keepWayBack(returnTo), [returnTo])
  return <Navigate to={paths.discover()} replace state={state} />
}
