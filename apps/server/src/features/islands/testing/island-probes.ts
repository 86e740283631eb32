import type { InjectOptions } from 'fastify'
import type { IslandModel, ModelIsland, ModelViewer } from './island-model.ts'

/** The names of an island and its parts in requests. */
export interface ProbeTarget {
  readonly id: string
  readonly slug: string
  readonly entryId: string
  readonly invitationId: string
  readonly code: string
}

/** A call that names an island and could reveal something about it. */
export interface IslandProbe {
  readonly request: (target: ProbeTarget, username: string) => InjectOptions
  /** Whether the call should succeed. If not, its answer must be that for an island that does not exist. */
  readonly isFor: (model: IslandModel, viewer: ModelViewer, island: ModelIsland) => boolean
  /** Whether it changes nothing, so that it can also be made where it is allowed. */
  readonly isRead: boolean
  /** Whether its answer is the same for everybody. */
  readonly isForEverybody?: boolean
}

type Options = Omit<InjectOptions, 'url'>

const host = (url: string, options: Options = {}): IslandProbe => ({
  request: (target, username) => ({ url: named(url, target, username), ...options }),
  isFor: (model, viewer, island) => model.isHost(viewer, island),
  isRead: (options.method ?? 'GET') === 'GET',
})
const post = (payload: object = {}): Options => ({ method: 'POST', payload })
const remove: Options = { method: 'DELETE' }
const own = '/api/islands/:id'

/** By route. Has every route that names an island. */
export const islandProbes: Readonly<Record<string, IslandProbe>> = {
  'GET /api/islands/:id': host(own),
  'PATCH /api/islands/:id': host(own, { method: 'PATCH', payload: { name: 'Mine' } }),
  'POST /api/islands/:id/publish': host(
    `${own}/publish`,
    post({ access: 'public', isListed: true }),
  ),
  'POST /api/islands/:id/slug': host(`${own}/slug`, post({ slug: 'mine-alone' })),
  'POST /api/islands/:id/pause': host(`${own}/pause`, post()),
  'POST /api/islands/:id/continue': host(`${own}/continue`, post()),
  'POST /api/islands/:id/close': {
    ...host(own),
    request: ({ id, slug }) => ({ url: `/api/islands/${id}/close`, ...post({ slug }) }),
    isRead: false,
  },
  'GET /api/islands/by-slug/:slug': {
    request: ({ slug }) => ({ url: `/api/islands/by-slug/${slug}` }),
    isFor: (model, viewer, island) => model.knows(viewer, island),
    isRead: true,
  },

  'GET /api/islands/:id/port': {
    ...host(`${own}/port`),
    isFor: (model, viewer, island) => model.enters(viewer, island),
  },
  'POST /api/islands/:id/port': {
    ...host(`${own}/port`, post()),
    // No port is given out here, and only the host may learn that.
    isRead: false,
  },
  'DELETE /api/islands/:id/port': host(`${own}/port`, remove),

  'GET /api/islands/:id/members': {
    ...host(`${own}/members`),
    isFor: (model, viewer, island) => model.knowsMembers(viewer, island),
  },
  'DELETE /api/islands/:id/members/:username': host(`${own}/members/:username`, remove),
  'POST /api/islands/:id/join': {
    ...host(`${own}/join`, post()),
    isFor: (model, viewer, island) => model.knows(viewer, island) && !isBlocked(viewer, island),
  },
  'POST /api/islands/:id/leave': {
    ...host(`${own}/leave`, post()),
    isFor: (model, viewer, island) =>
      model.knows(viewer, island) &&
      viewer !== null &&
      (island.members.has(viewer) || island.askers.has(viewer)),
  },
  'GET /api/islands/:id/requests': host(`${own}/requests`),
  'POST /api/islands/:id/requests/:username': host(
    `${own}/requests/:username`,
    post({ isLetIn: true }),
  ),
  'GET /api/islands/:id/blocks': host(`${own}/blocks`),
  'POST /api/islands/:id/blocks/:username': host(`${own}/blocks/:username`, post()),
  'DELETE /api/islands/:id/blocks/:username': host(`${own}/blocks/:username`, remove),
  'GET /api/islands/:id/invitations': host(`${own}/invitations`),
  'POST /api/islands/:id/invitations': host(`${own}/invitations`, post()),
  'DELETE /api/islands/invitations/:id': host('/api/islands/invitations/:invitation', remove),
  'POST /api/invitations/read': {
    request: ({ code }) => ({ url: '/api/invitations/read', ...post({ code }) }),
    isFor: (model, viewer, island) => model.isInvited(viewer, island),
    isRead: false,
  },
  'POST /api/invitations/accept': {
    request: ({ code }) => ({ url: '/api/invitations/accept', ...post({ code }) }),
    isFor: (model, viewer, island) => model.isInvited(viewer, island),
    isRead: false,
  },

  'GET /api/islands/:id/log': {
    ...host(`${own}/log`),
    isFor: (model, viewer, island) => model.enters(viewer, island),
  },
  'GET /api/islands/logs of one island': {
    request: ({ slug }) => ({ url: `/api/islands/logs?island=${slug}` }),
    isFor: (model, viewer, island) => model.enters(viewer, island),
    isRead: true,
  },
  'GET /api/islands/:id/history': {
    ...host(`${own}/history`),
    isFor: (model, viewer, island) => model.knows(viewer, island),
  },
  'GET /api/islands/:id/uptime': {
    ...host(`${own}/uptime`),
    isFor: (model, viewer, island) => model.knows(viewer, island),
  },
  'GET /api/me/alerts/islands/:id': {
    ...host('/api/me/alerts/islands/:id'),
    isFor: (model, viewer, island) => viewer !== null && model.knows(viewer, island),
  },
  'PATCH /api/me/alerts/islands/:id': {
    ...host('/api/me/alerts/islands/:id', { method: 'PATCH', payload: { isOn: true } }),
    isFor: (model, viewer, island) => viewer !== null && model.knows(viewer, island),
  },
  'POST /api/islands/:id/notes': {
    ...host(`${own}/notes`, post({ text: 'Hello' })),
    isFor: (model, viewer, island) =>
      model.enters(viewer, island) && !isBlocked(viewer, island) && viewer !== island.host,
  },
  'POST /api/islands/:id/signals': host(`${own}/signals`, post({ text: 'Hello' })),
  'DELETE /api/islands/log/:id': {
    ...host('/api/islands/log/:entry', remove),
    // Authors may delete their entries even when they no longer host the island.
    isFor: (model, viewer, island) => model.isHost(viewer, island) || viewer === island.author,
  },
  'GET /api/islands/:id/stream': {
    ...host(`${own}/stream`),
    isFor: (model, viewer, island) => model.knows(viewer, island),
    // Other tests check what it sends to those who may read it.
    isRead: false,
  },

  'GET /api/relay/access/:slug': {
    request: ({ slug }) => ({ url: `/api/relay/access/${slug}` }),
    isFor: (model, viewer, island) => viewer !== null && model.knows(viewer, island),
    isRead: true,
  },
  'POST /api/relay/access/:slug/tickets': {
    request: ({ slug }) => ({
      url: `/api/relay/access/${slug}/tickets`,
      ...post({ state: 'x'.repeat(43), tellsName: true }),
    }),
    // No relay carries any of them.
    isFor: () => false,
    isRead: false,
  },
  'DELETE /api/relay/access/:slug/answer': {
    request: ({ slug }) => ({ url: `/api/relay/access/${slug}/answer`, ...remove }),
    isFor: (model, viewer, island) => viewer !== null && model.knows(viewer, island),
    isRead: false,
  },

  'POST /api/reports': {
    request: ({ id }) => report('island', id),
    isFor: (model, viewer, island) => model.knows(viewer, island) && viewer !== island.host,
    isRead: false,
  },
  'POST /api/reports of a line in a log': {
    request: ({ entryId }) => report('log-entry', entryId),
    isFor: (model, viewer, island) => model.enters(viewer, island) && viewer !== island.author,
    isRead: false,
  },

  'GET /islands/:slug': {
    request: ({ slug }) => ({ url: `/islands/${slug}` }),
    isFor: (model, viewer, island) => model.knows(viewer, island),
    isRead: true,
    isForEverybody: true,
  },
  'GET /islands/:slug/settings': {
    request: ({ slug }) => ({ url: `/islands/${slug}/settings` }),
    isFor: () => false,
    isRead: true,
  },
  'GET /islands/:slug/picture.png': {
    // This ETag matches any picture, so the server need not draw one.
    request: ({ slug }) => ({
      url: `/islands/${slug}/picture.png`,
      headers: { 'if-none-match': '*' },
    }),
    isFor: (model, _, island) => model.knows(null, island),
    isRead: true,
    isForEverybody: true,
  },
  'GET /:slug': {
    request: ({ slug }) => ({ url: `/${slug}` }),
    isFor: (model, _, island) => model.knows(null, island),
    isRead: true,
    isForEverybody: true,
  },
}

function isBlocked(viewer: ModelViewer, { blocked }: ModelIsland): boolean {
  return viewer === null || blocked.has(viewer)
}

function report(kind: string, id: string): InjectOptions {
  return { url: '/api/reports', ...post({ kind, id, reason: 'spam' }) }
}

function named(path: string, target: ProbeTarget, username: string): string {
  return path
    .replace(':id', target.id)
    .replace(':entry', target.entryId)
    .replace(':invitation', target.invitationId)
    .replace(':username', username)
}
