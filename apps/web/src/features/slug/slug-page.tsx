import { loungeSlug } from '@astropelago/contract/pages'
import { Slug } from '@astropelago/contract/slugs'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Navigate, useLocation, useParams } from 'react-router'
import * as v from 'valibot'
import { islandQuery } from '../../lib/islands/island-query.ts'
import { returnState } from '../../lib/return-path.ts'
import { useSession } from '../../lib/session.ts'
import { usePageTitle } from '../../lib/use-page-title.ts'
import { unknownState } from '../../lib/unknown-address.ts'
import { keepWayBack } from '../../lib/way-back.ts'
import { paths } from '../../paths.ts'

/** An island's slug leads to its page, any other one to Discover. */
export function SlugPage() {
  const { slug = '' } = useParams()
  const { success, output } = v.safeParse(Slug, slug)
  // The server has led to the lounge before this page; a link within the app leads to its own page.
  if (output === loungeSlug) return <Navigate to={paths.island(loungeSlug)} replace />
  return success ? <IslandLead slug={output} /> : <ToDiscover slug={slug} />
}

/**
 * An island that everybody may know of is none of them: the server has led there before this page. What is asked
 * here is asked for who is signed in; where they may not know of it they go where one leads that is not there.
 */
function IslandLead({ slug }: { slug: string }) {
  const { state } = useSession()
  const { data: island, isPending } = useQuery({
    ...islandQuery(slug),
    enabled: state === 'signed-in',
  })
  usePageTitle('On the way')
  if (state === 'signed-out') return <SignInFirst />
  if (state === 'checking' || isPending) return null
  return island === undefined ? (
    <ToDiscover slug={slug} />
  ) : (
    <Navigate to={paths.island(island.slug)} replace />
  )
}

/** Of what is not there, or not for who asks: Discover says that it is nothing. */
function ToDiscover({ slug }: { slug: string }) {
  const [state] = useState(() => unknownState(`/${slug}`))
  return <Navigate to={paths.discover()} replace state={state} />
}

/**
 * Of every slug alike, so that it tells nothing of which are islands: who signs in comes back here, and also who
 * closes the dialog and signs in later.
 */
function SignInFirst() {
  const location = useLocation()
  // Another one would lead there anew, again and again until the page has loaded: so it is below, too.
  const [state] = useState(() => returnState(location))
  const { returnTo } = state
  useEffect(() => keepWayBack(returnTo), [returnTo])
  return <Navigate to={paths.discover()} replace state={state} />
}
