import type { ServerResponse } from 'node:http'
import { rulesAnchor } from '@astropelago/contract/islands'
import { loungeSlug } from '@astropelago/contract/pages'
import { markup } from '../../../http/markup.ts'
import type { AccountsFeature } from '../../accounts/public.ts'
import type { RelayBase } from '../relay-base.ts'
import type { RelayedIsland } from '../relayed-islands.ts'
import { nothingHere, redirect, sendLine } from '../visitors/island-pages.ts'
import type { IslandHost } from '../visitors/read-host.ts'
import type { Transfers } from '../visitors/transfers.ts'
import { createAdmission } from './admission.ts'
import { opensPage } from './browser-requests.ts'
import { createAccessCookies } from './access-cookies.ts'
import { GrantConnections, Grants, type Grant } from './grants.ts'
import type { GrantsStore } from './grants-store.ts'
import { createEntryFlow, goOnPath } from './entry-flow.ts'

/** Not cookies, because that would clear them for the whole domain. */
const clearStored = { 'clear-site-data': '"cache", "storage"' }

interface RelayAccessOptions extends RelayBase {
  readonly store: GrantsStore
  readonly accounts: Pick<AccountsFeature, 'findSessionHolder' | 'watchSessionOf'>
}

export type RelayAccess = ReturnType<typeof createRelayAccess>

/** Lets visitors in to islands, leads them through signing in, and makes them leave. */
export function createRelayAccess(options: RelayAccessOptions) {
  const { config, pages, islands, accounts } = options
  const { publicUrl } = config
  const cookies = createAccessCookies(publicUrl)
  const grants = new Grants({ ...options, findSessionHolder: accounts.findSessionHolder })
  const connections = new GrantConnections({
    ...options,
    watchSessionOf: accounts.watchSessionOf,
  })
  const admission = createAdmission(options, grants, cookies)
  /** The lounge's host name redirects to its page unless somebody hosts it at home. */
  const isLoungeAlone = (slug: string) =>
    slug === loungeSlug && islands.findBySlug(slug) === undefined
  const entryFlow = createEntryFlow({ ...options, cookies, admission })

  return {
    admit: admission.admit,
    entryFlow,
    transfersOf: (grant: Grant | null): Pick<Transfers, 'begin'> => ({
      begin: connections.of(grant),
    }),
    recheck: (islandKey: number) => {
      grants.forget(islandKey)
      void connections.check(islandKey)
    },
    /** Only the site knows the user, so page requests go there. Everything else gets 404. */
    sendElsewhere: (response: ServerResponse, host: IslandHost) => {
      // Here the cookie was looked up and refused, so what the island stored is cleared. Other sites'
      // pages can't cause that, because their requests carry none of our cookies.
      const headers = cookies.read(response.req, 'visit') === undefined ? {} : clearStored
      if (!opensPage(response.req)) sendLine(response, { ...nothingHere, headers })
      else if (isLoungeAlone(host.slug)) {
        sendLine(response, redirect(`${publicUrl}/islands/${loungeSlug}`, headers))
      } else entryFlow.leadToSite(response, host, { headers })
    },
    sendFirstVisit: (
      response: ServerResponse,
      { path }: IslandHost,
      { slug, name, hostName, hasRules }: RelayedIsland,
    ) => {
      if (!opensPage(response.req)) {
        const text =
          'This island is on somebody’s own device. Open its address in this browser first, and go on from there.\n'
        sendLine(response, { status: 403, text })
        return
      }
      const goOn = `${goOnPath}?${new URLSearchParams({ to: path }).toString()}`
      const frontPage = `${publicUrl}/islands/${slug}`
      const host = markup`<bdi>${hostName ?? 'The operator of this server'}</bdi>`
      const rules = markup`<p>Its host asks visitors to keep to <a href="${frontPage}#${rulesAnchor}">the rules of this island</a>.</p>
`
      pages.send(response, {
        status: 403,
        hasForm: true,
        title: `${name} is on somebody’s own device`,
        main: markup`<p>${host} hosts this island on their own device. They alone decide what it shows, and what happens to
anything that you type or upload there.</p>
<p>Never type your ${pages.siteName} password there.</p>
${hasRules ? rules : null}<form method="post" action="${goOn}"><button>Go on to <bdi>${name}</bdi></button></form>
<p><a href="${frontPage}">About this island</a></p>`,
      })
    },
  }
}
