import type { ServerResponse } from 'node:http'
import { relayPath } from '@astropelago/contract/relay-access'
import type { FastifyRequest } from 'fastify'
import type { Clock } from '../../clock.ts'
import { previewSlug, type RelayAddress } from '../../relay-address.ts'
import { CallLimit } from '../../http/call-limit.ts'
import { redirect, sendLine, tooMany } from '../../http/short-answers.ts'
import { hashToken, makeToken } from '../../secret-token.ts'
import type { PreviewsStore } from './previews-store.ts'
import type { ServePages } from './serve-pages.ts'

const openPath = `${relayPath}preview`
const ticketMs = 60_000
const previewMs = 12 * 3_600_000
/** Of one network. */
const ticketsPerMinute = 300
/** For one session: editors that are open in several tabs. */
const previewsPerSession = 20
/** Frames of the editor are of another site than the preview, so that `Lax` would keep the cookie back. */
const cookieName = '__Host-astropelago_preview'
const cookiePattern = new RegExp(`(?:^|;\\s*)${cookieName}=([A-Za-z0-9_-]{43})(?:;|$)`)

export type Previews = ReturnType<typeof createPreviews>

export function createPreviews({
  store,
  servePages,
  relayAddress,
  publicUrl,
  clock,
  sessionHashOf,
}: {
  readonly store: PreviewsStore
  readonly servePages: ServePages
  readonly relayAddress: RelayAddress
  readonly publicUrl: string
  readonly clock: Clock
  readonly sessionHashOf: (request: FastifyRequest) => Uint8Array
}) {
  const tickets = new CallLimit({ maxCalls: ticketsPerMinute, windowMs: 60_000 })

  const open = async (response: ServerResponse, ticket: string, network: string): Promise<void> => {
    // Otherwise its host could lead anybody to a draft, which nobody reviews or hides.
    if (URL.parse(response.req.headers.referer ?? '')?.origin !== publicUrl) {
      sendLine(response, ended)
      return
    }
    const waitMs = tickets.take(network)
    if (waitMs > 0) {
      sendLine(response, tooMany(waitMs))
      return
    }
    const token = makeToken()
    const nowMs = clock()
    const to = { tokenHash: hashToken(token), nowMs, expiresMs: nowMs + previewMs }
    if ((await store.redeem(hashToken(ticket), to)) === undefined) {
      sendLine(response, ended)
      return
    }
    const attributes = 'Path=/; HttpOnly; Secure; SameSite=None; Partitioned'
    const headers = {
      'set-cookie': `${cookieName}=${token}; Max-Age=${previewMs / 1000}; ${attributes}`,
      // What the draft of another island has stored is not this one's.
      'clear-site-data': '"storage"',
    }
    sendLine(response, redirect('/', headers, 303))
  }

  return {
    /**
     * @param deploymentKey what an operator reviews; null for the island's draft
     * @returns the address that opens it, once and within a minute
     */
    makeTicket: async (
      { islandKey, deploymentKey = null }: { islandKey: number; deploymentKey?: number | null },
      request: FastifyRequest,
    ): Promise<string> => {
      const ticket = makeToken()
      const sessionHash = sessionHashOf(request)
      const held = { tokenHash: hashToken(ticket), islandKey, deploymentKey, sessionHash }
      await store.insertTicket({ ...held, expiresMs: clock() + ticketMs }, previewsPerSession)
      const address = new URL(openPath, relayAddress(previewSlug) ?? publicUrl)
      address.searchParams.set('ticket', ticket)
      return address.href
    },
    /** @throws StorageUnavailable */
    answer: async (response: ServerResponse, path: string, network: string): Promise<void> => {
      const [, ticket] = path.split(`${openPath}?ticket=`)
      if (ticket !== undefined && path.startsWith(openPath)) {
        await open(response, ticket, network)
        return
      }
      const [, token] = cookiePattern.exec(response.req.headers.cookie ?? '') ?? []
      const draft = token && (await store.find(hashToken(token), clock()))
      if (!draft) {
        sendLine(response, ended)
        return
      }
      const { islandKey, deploymentKey, isTrusted } = draft
      servePages(response, path, {
        islandKey,
        deploymentKey,
        policy: { isTrusted, framedBy: publicUrl, isFindable: false },
        isPrivate: true,
        // Its only reader is the host.
        beginTransfer: () => ({ end: () => undefined }),
      })
    },
  }
}

const ended = {
  status: 403,
  text: 'This preview has ended. Open it again from the editor.\n',
}
