import type { InjectOptions } from 'fastify'
import { expect, test, vi } from 'vitest'
import { createTestToken, deviceDetails, registerTestDevice } from '../test/api-devices.ts'
import { contractRoutes, routeName } from '../test/contract-routes.ts'
import {
  createTestInvitation,
  makeTestIsland,
  publishTestIsland,
  sendTestSignal,
} from '../test/api-islands.ts'
import { makeTestCheck } from '../test/api-checks.ts'
import { createTestChannel } from '../test/api-channels.ts'
import { createTestApiKey, injectByKey } from '../test/api-keys.ts'
import { createTestApp, type TestApp, type TestBrowser } from '../test/create-test-app.ts'
import { testPassword } from '../test/factories.ts'

// Some hundred users sign up, on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

interface Owned {
  readonly username: string
  readonly deviceId: string
  /** One that scripts report to, and a private one like all. */
  readonly checkId: string
  readonly tokenId: string
  readonly apiKeyId: string
  readonly channelId: string
  readonly maintenanceId: string
  readonly sessionId: string
  readonly islandId: string
  readonly islandSlug: string
  /** An island that is a draft, whatever the other one is. */
  readonly draftId: string
  readonly draftSlug: string
  readonly invitationId: string
  readonly signalId: string
  readonly strangerName: string
}

/** What each caller gets: the status of the answer. */
interface Access {
  readonly request?: (
    owned: Owned,
  ) => Pick<InjectOptions, 'url' | 'payload' | 'headers' | 'payloadAsStream'>
  readonly owner: number
  readonly stranger: number
  readonly signedOut: number
  readonly deviceToken: number
}

const anyone = (status: number) => ({
  owner: status,
  stranger: status,
  signedOut: status,
  deviceToken: status,
})
const signedIn = (status: number) => ({ ...anyone(401), owner: status, stranger: status })
const ownerAlone = (status: number) => ({ ...signedIn(404), owner: status })

const table: Readonly<Record<string, Access>> = {
  'GET /healthz': anyone(200),
  'GET /.well-known/astropelago': anyone(200),
  'GET /api/directory': anyone(401),
  'GET /readyz': anyone(200),
  'GET /metrics': anyone(404),
  'GET /metrics/devices': signedIn(200),
  // The device is private: features/embeds/embeds-feature.test.ts has public ones.
  'GET /badges/:id/status.svg': {
    ...anyone(404),
    request: ({ deviceId }) => ({ url: `/badges/${deviceId}/status.svg` }),
  },
  'GET /badges/:id/uptime.svg': {
    ...anyone(404),
    request: ({ deviceId }) => ({ url: `/badges/${deviceId}/uptime.svg` }),
  },
  'GET /badges/islands/:slug/status.svg': {
    ...anyone(404),
    request: ({ draftSlug }) => ({ url: `/badges/islands/${draftSlug}/status.svg` }),
  },
  'GET /badges/islands/:slug/uptime.svg': {
    ...anyone(404),
    request: ({ draftSlug }) => ({ url: `/badges/islands/${draftSlug}/uptime.svg` }),
  },
  // The check is private, too.
  'GET /badges/checks/:id/status.svg': {
    ...anyone(404),
    request: ({ checkId }) => ({ url: `/badges/checks/${checkId}/status.svg` }),
  },
  'GET /badges/checks/:id/uptime.svg': {
    ...anyone(404),
    request: ({ checkId }) => ({ url: `/badges/checks/${checkId}/uptime.svg` }),
  },
  'GET /feeds/checks/:id/status.atom': {
    ...anyone(404),
    request: ({ checkId }) => ({ url: `/feeds/checks/${checkId}/status.atom` }),
  },
  'GET /feeds/:id/status.atom': {
    ...anyone(404),
    request: ({ deviceId }) => ({ url: `/feeds/${deviceId}/status.atom` }),
  },
  'GET /feeds/islands/:slug/status.atom': {
    ...anyone(404),
    request: ({ draftSlug }) => ({ url: `/feeds/islands/${draftSlug}/status.atom` }),
  },
  'GET /embeds/devices.geojson': anyone(200),
  'GET /embeds/meshviewer.json': anyone(200),
  'GET /embeds/nodes.json': anyone(200),
  'GET /embeds/graph.json': anyone(200),
  // Of an island that the relay carries it knows more: features/relay/certificates-routes.test.ts has that.
  'GET /relay/tls-allowed': anyone(404),

  'GET /api/me': signedIn(200),
  'PATCH /api/me': { ...signedIn(200), request: () => ({ payload: { name: 'Nova' } }) },
  'POST /api/me/avatar': {
    ...signedIn(400),
    request: () => ({ payload: 'x', headers: { 'content-type': 'application/octet-stream' } }),
  },
  'DELETE /api/me/avatar': signedIn(200),
  // That of nobody: features/accounts/avatars has those of users.
  'GET /api/avatars/:name': anyone(404),
  'POST /api/auth/password-login': {
    ...anyone(200),
    request: ({ username }) => ({ payload: { username, password: testPassword } }),
  },
  'POST /api/auth/register': {
    ...anyone(409),
    request: ({ username }) => ({ payload: { username, password: testPassword } }),
  },
  'POST /api/auth/demo': anyone(200),
  'GET /api/auth/options': anyone(200),
  'POST /api/auth/forgot-password': {
    ...anyone(403),
    request: ({ username }) => ({ payload: { account: username } }),
  },
  'POST /api/auth/reset-password': {
    ...anyone(400),
    request: () => ({ payload: { code: 'none', newPassword: 'another horse' } }),
  },
  'POST /api/auth/confirm-email': {
    ...anyone(400),
    request: () => ({ payload: { code: 'none' } }),
  },
  'GET /api/me/sessions': signedIn(200),
  'DELETE /api/me/sessions': signedIn(200),
  'DELETE /api/me/sessions/:id': {
    ...ownerAlone(204),
    request: ({ sessionId }) => ({ url: `/api/me/sessions/${sessionId}` }),
  },
  'POST /api/me/password': {
    ...signedIn(204),
    request: () => ({ payload: { password: testPassword, newPassword: 'another horse' } }),
  },
  'GET /api/me/email': signedIn(200),
  'POST /api/me/email': {
    ...signedIn(200),
    request: () => ({ payload: { address: null, password: testPassword } }),
  },
  'GET /api/me/data': signedIn(200),
  'GET /api/me/export': signedIn(200),
  'POST /api/me/delete': {
    ...signedIn(204),
    request: () => ({ payload: { password: testPassword } }),
  },
  'POST /api/me/devices/tokens/renew': signedIn(200),
  'GET /api/auth/logout': anyone(204),

  'GET /api/devices': anyone(200),
  // Told to reload it ends at once; with a sequence it would go on for ever.
  'GET /api/devices/stream': {
    ...anyone(200),
    request: () => ({ url: '/api/devices/stream?since=unknown' }),
  },
  'GET /api/devices/live': anyone(426),
  // A token that reports is told that it does; what one for the relay gets is tested there.
  'GET /api/relay/connect': { ...anyone(401), deviceToken: 403 },
  // Who may go in is in the tests of doors.
  'GET /api/relay/access/:slug': {
    ...ownerAlone(200),
    request: ({ draftSlug }) => ({ url: `/api/relay/access/${draftSlug}` }),
  },
  // No relay carries it.
  'POST /api/relay/access/:slug/tickets': {
    ...signedIn(404),
    request: ({ draftSlug }) => ({
      url: `/api/relay/access/${draftSlug}/tickets`,
      payload: { state: 'x'.repeat(43), tellsName: false },
    }),
  },
  'DELETE /api/relay/access/:slug/answer': {
    ...ownerAlone(204),
    request: ({ draftSlug }) => ({ url: `/api/relay/access/${draftSlug}/answer` }),
  },
  'GET /api/me/devices': signedIn(200),
  'GET /api/me/devices.csv': signedIn(200),
  'GET /api/me/devices/strips': signedIn(200),
  'POST /api/me/checks/import': {
    ...signedIn(400),
    request: () => ({
      url: '/api/me/checks/import?from=kuma',
      payload: 'x',
      headers: { 'content-type': 'application/octet-stream' },
    }),
  },
  'POST /api/me/devices.csv': {
    ...signedIn(200),
    request: () => ({ payload: 'label,lat,lon\nPi,1,2', headers: { 'content-type': 'text/csv' } }),
  },
  'GET /api/me/check-locations': signedIn(200),
  'PUT /api/me/check-locations/:device': {
    ...ownerAlone(204),
    request: ({ deviceId }) => ({
      url: `/api/me/check-locations/${deviceId}`,
      payload: { isLending: true },
    }),
  },
  // Scripts report to it, so there is no address to prove.
  'GET /api/me/checks/:id/proof': {
    ...ownerAlone(400),
    request: ({ checkId }) => ({ url: `/api/me/checks/${checkId}/proof` }),
  },
  'POST /api/me/checks/:id/proof': {
    ...ownerAlone(400),
    request: ({ checkId }) => ({ url: `/api/me/checks/${checkId}/proof` }),
  },
  'GET /api/me/checks': signedIn(200),
  'POST /api/me/checks': {
    ...signedIn(201),
    request: () => ({ payload: { name: 'Backup', target: { kind: 'push' } } }),
  },
  'GET /api/me/checks/:id': {
    ...ownerAlone(200),
    request: ({ checkId }) => ({ url: `/api/me/checks/${checkId}` }),
  },
  'PATCH /api/me/checks/:id': {
    ...ownerAlone(200),
    request: ({ checkId }) => ({ url: `/api/me/checks/${checkId}`, payload: { name: 'Other' } }),
  },
  'DELETE /api/me/checks/:id': {
    ...ownerAlone(204),
    request: ({ checkId }) => ({ url: `/api/me/checks/${checkId}` }),
  },
  // Nobody can look at it.
  'POST /api/me/checks/:id/run': {
    ...ownerAlone(400),
    request: ({ checkId }) => ({ url: `/api/me/checks/${checkId}/run` }),
  },
  'POST /api/me/checks/:id/push-address': {
    ...ownerAlone(200),
    request: ({ checkId }) => ({ url: `/api/me/checks/${checkId}/push-address` }),
  },
  // Of an unknown secret: features/checks/push/push-routes.test.ts has known ones.
  'GET /ping/:secret': anyone(404),
  'POST /ping/:secret': anyone(404),
  'GET /ping/:secret/:event': anyone(404),
  'POST /ping/:secret/:event': anyone(404),
  'GET /api/push/:secret': anyone(404),
  'POST /api/push/:secret': anyone(404),
  // It is private: features/checks/checks-routes.test.ts has public ones.
  'GET /api/checks/:id': {
    ...anyone(404),
    owner: 200,
    request: ({ checkId }) => ({ url: `/api/checks/${checkId}` }),
  },
  'GET /api/checks/:id/history': {
    ...anyone(404),
    owner: 200,
    request: ({ checkId }) => ({ url: `/api/checks/${checkId}/history` }),
  },
  // features/checks/locations/locations-routes.test.ts has who sees which.
  'GET /api/check-arcs/:of/:id': {
    ...anyone(200),
    request: ({ checkId }) => ({ url: `/api/check-arcs/checks/${checkId}` }),
  },
  'GET /api/me/api-keys': signedIn(200),
  'POST /api/me/api-keys': {
    ...signedIn(201),
    request: () => ({ payload: { name: 'Fleet', scopes: ['devices:read'] } }),
  },
  'DELETE /api/me/api-keys/:id': {
    ...ownerAlone(204),
    request: ({ apiKeyId }) => ({ url: `/api/me/api-keys/${apiKeyId}` }),
  },
  'GET /api/me/alerts': signedIn(200),
  'PATCH /api/me/alerts': { ...signedIn(200), request: () => ({ payload: { graceS: 60 } }) },
  'GET /api/me/alerts/messages': signedIn(200),
  'GET /api/me/alerts/devices/:id': {
    ...ownerAlone(200),
    request: ({ deviceId }) => ({ url: `/api/me/alerts/devices/${deviceId}` }),
  },
  'PATCH /api/me/alerts/devices/:id': {
    ...ownerAlone(200),
    request: ({ deviceId }) => ({
      url: `/api/me/alerts/devices/${deviceId}`,
      payload: { graceS: 60 },
    }),
  },
  // It is a draft: features/alerts/island-alerts.test.ts has those that others may know of.
  'GET /api/me/alerts/checks/:id': {
    ...ownerAlone(200),
    request: ({ checkId }) => ({ url: `/api/me/alerts/checks/${checkId}` }),
  },
  'PATCH /api/me/alerts/checks/:id': {
    ...ownerAlone(200),
    request: ({ checkId }) => ({
      url: `/api/me/alerts/checks/${checkId}`,
      payload: { graceS: 60 },
    }),
  },
  'GET /api/me/alerts/islands/:id': {
    ...ownerAlone(200),
    request: ({ draftId }) => ({ url: `/api/me/alerts/islands/${draftId}` }),
  },
  'PATCH /api/me/alerts/islands/:id': {
    ...ownerAlone(200),
    request: ({ draftId }) => ({
      url: `/api/me/alerts/islands/${draftId}`,
      payload: { graceS: 60 },
    }),
  },
  'POST /api/me/alerts/maintenance': {
    ...ownerAlone(201),
    request: ({ deviceId }) => ({
      payload: { until: '2026-01-02T00:00:00Z', devices: [deviceId] },
    }),
  },
  'DELETE /api/me/alerts/maintenance/:id': {
    ...ownerAlone(204),
    request: ({ maintenanceId }) => ({ url: `/api/me/alerts/maintenance/${maintenanceId}` }),
  },
  'GET /api/me/alerts/channels': signedIn(200),
  'POST /api/me/alerts/channels': {
    ...signedIn(201),
    request: () => ({
      payload: { name: 'Hook', settings: { kind: 'webhook', url: 'https://hook.invalid/' } },
    }),
  },
  'PATCH /api/me/alerts/channels/:id': {
    ...ownerAlone(200),
    request: ({ channelId }) => ({
      url: `/api/me/alerts/channels/${channelId}`,
      payload: { name: 'Mine' },
    }),
  },
  'DELETE /api/me/alerts/channels/:id': {
    ...ownerAlone(204),
    request: ({ channelId }) => ({ url: `/api/me/alerts/channels/${channelId}` }),
  },
  'POST /api/me/alerts/channels/:id/test': {
    ...ownerAlone(200),
    request: ({ channelId }) => ({ url: `/api/me/alerts/channels/${channelId}/test` }),
  },
  'POST /api/me/alerts/channels/:id/secret': {
    ...ownerAlone(200),
    request: ({ channelId }) => ({ url: `/api/me/alerts/channels/${channelId}/secret` }),
  },
  // It is no e-mail address that waits for a code.
  'POST /api/me/alerts/channels/:id/code': {
    ...signedIn(404),
    request: ({ channelId }) => ({ url: `/api/me/alerts/channels/${channelId}/code` }),
  },
  'POST /api/alerts/confirm': { ...anyone(400), request: () => ({ payload: { code: 'none' } }) },
  'POST /unsubscribe': {
    ...anyone(400),
    request: () => ({ url: '/unsubscribe?code=none' }),
  },
  'GET /api/me/status-page': signedIn(200),
  'PATCH /api/me/status-page': { ...signedIn(200), request: () => ({ payload: { isOn: true } }) },
  // It is off: features/status-pages/status-pages-routes.test.ts has some that are on.
  'GET /api/status/:username': {
    ...anyone(404),
    request: ({ username }) => ({ url: `/api/status/${username}` }),
  },
  'GET /api/schedules/next': {
    ...signedIn(200),
    request: () => ({ url: '/api/schedules/next?expression=0+4+*+*+*&timeZone=UTC' }),
  },
  'POST /api/devices/register': { ...signedIn(201), request: () => ({ payload: deviceDetails }) },
  'GET /api/devices/:id': {
    ...anyone(404),
    owner: 200,
    request: ({ deviceId }) => ({ url: `/api/devices/${deviceId}` }),
  },
  'GET /api/devices/:id/history': {
    ...anyone(404),
    owner: 200,
    request: ({ deviceId }) => ({ url: `/api/devices/${deviceId}/history` }),
  },
  'GET /api/devices/:id/uptime': {
    ...anyone(404),
    owner: 200,
    request: ({ deviceId }) => ({ url: `/api/devices/${deviceId}/uptime` }),
  },
  'PATCH /api/devices/:id': {
    ...ownerAlone(200),
    request: ({ deviceId }) => ({ url: `/api/devices/${deviceId}`, payload: { label: 'Mine' } }),
  },
  'DELETE /api/devices/:id': {
    ...ownerAlone(204),
    request: ({ deviceId }) => ({ url: `/api/devices/${deviceId}` }),
  },
  'POST /api/devices/token': {
    ...ownerAlone(201),
    request: ({ deviceId }) => ({ payload: { deviceId } }),
  },
  'GET /api/devices/:id/tokens': {
    ...ownerAlone(200),
    request: ({ deviceId }) => ({ url: `/api/devices/${deviceId}/tokens` }),
  },
  'DELETE /api/devices/tokens/:id': {
    ...ownerAlone(204),
    request: ({ tokenId }) => ({ url: `/api/devices/tokens/${tokenId}` }),
  },
  'POST /api/devices/heartbeat': {
    ...ownerAlone(204),
    request: ({ deviceId }) => ({ url: `/api/devices/heartbeat?id=${deviceId}` }),
  },
  'POST /api/devices/heartbeat-token': { ...anyone(401), deviceToken: 204 },

  'GET /api/relay/agent': anyone(200),
  'GET /api/relay': signedIn(200),
  // The relay carries none of them: features/relay/host-state/host-state-routes.test.ts has those that it does.
  'GET /api/islands/:id/relay': {
    ...signedIn(404),
    request: ({ islandId }) => ({ url: `/api/islands/${islandId}/relay` }),
  },
  'POST /api/islands/:id/relay/check': {
    ...signedIn(404),
    request: ({ islandId }) => ({ url: `/api/islands/${islandId}/relay/check` }),
  },

  // features/relay/domains/own-domain.test.ts has the domains of islands that the relay carries.
  'GET /api/islands/:id/domain': {
    ...signedIn(404),
    request: ({ islandId }) => ({ url: `/api/islands/${islandId}/domain` }),
  },
  'POST /api/islands/:id/domain': {
    ...signedIn(404),
    request: ({ islandId }) => ({
      url: `/api/islands/${islandId}/domain`,
      payload: { name: 'bar.example', isInLogs: true },
    }),
  },
  'POST /api/islands/:id/domain/check': {
    ...signedIn(404),
    request: ({ islandId }) => ({ url: `/api/islands/${islandId}/domain/check` }),
  },
  'DELETE /api/islands/:id/domain': {
    ...signedIn(404),
    request: ({ islandId }) => ({ url: `/api/islands/${islandId}/domain` }),
  },

  'GET /api/islands/:id/pages': {
    ...ownerAlone(200),
    request: ({ islandId }) => ({ url: `/api/islands/${islandId}/pages` }),
  },
  'PUT /api/islands/:id/pages': {
    ...ownerAlone(400),
    request: ({ islandId }) => ({
      url: `/api/islands/${islandId}/pages`,
      payload: 'x',
      headers: { 'content-type': 'application/zip' },
    }),
  },
  'POST /api/islands/:id/pages/template': {
    ...ownerAlone(201),
    request: ({ islandId }) => ({
      url: `/api/islands/${islandId}/pages/template`,
      payload: { template: 'links' },
    }),
  },
  'GET /api/islands/:id/rooms': {
    ...ownerAlone(200),
    request: ({ islandId }) => ({ url: `/api/islands/${islandId}/rooms` }),
  },
  'GET /api/islands/:id/rooms/:room': {
    ...signedIn(404),
    request: ({ islandId }) => ({ url: `/api/islands/${islandId}/rooms/chat` }),
  },
  'POST /api/islands/:id/rooms/:room/moderation': {
    ...signedIn(404),
    request: ({ islandId }) => ({
      url: `/api/islands/${islandId}/rooms/chat/moderation`,
      payload: { kind: 'delete', message: 1 },
    }),
  },
  'GET /api/islands/attendance': anyone(200),
  'GET /api/islands/:id/runtime': {
    ...ownerAlone(200),
    request: ({ islandId }) => ({ url: `/api/islands/${islandId}/runtime` }),
  },
  'PATCH /api/islands/:id/runtime': {
    ...ownerAlone(200),
    request: ({ islandId }) => ({
      url: `/api/islands/${islandId}/runtime`,
      payload: { llmDailyTokens: 0 },
    }),
  },
  'GET /api/me/islands-data': signedIn(200),
  'GET /api/me/islands-data/:id': signedIn(404),
  'DELETE /api/me/islands-data/:id': signedIn(404),
  // Of an island without any: features/hosted-pages/pages-routes.test.ts has those with deployments and drafts.
  'POST /api/islands/:id/pages/live': {
    ...signedIn(404),
    request: ({ islandId }) => ({
      url: `/api/islands/${islandId}/pages/live`,
      payload: { deployment: 'x' },
    }),
  },
  'DELETE /api/islands/:id/pages': {
    ...ownerAlone(204),
    request: ({ islandId }) => ({ url: `/api/islands/${islandId}/pages` }),
  },
  'GET /api/islands/:id/pages/zip': {
    ...signedIn(404),
    request: ({ islandId }) => ({ url: `/api/islands/${islandId}/pages/zip?of=draft` }),
  },
  'GET /api/islands/:id/pages/files': {
    ...signedIn(404),
    request: ({ islandId }) => ({ url: `/api/islands/${islandId}/pages/files?of=draft` }),
  },
  'GET /api/islands/:id/pages/file': {
    ...signedIn(404),
    request: ({ islandId }) => ({ url: `/api/islands/${islandId}/pages/file?of=draft&path=x` }),
  },
  'POST /api/islands/:id/pages/draft': {
    ...ownerAlone(200),
    request: ({ islandId }) => ({
      url: `/api/islands/${islandId}/pages/draft`,
      payload: { changes: [{ path: 'a.html', text: 'x' }] },
    }),
  },
  'PUT /api/islands/:id/pages/draft': {
    ...ownerAlone(400),
    request: ({ islandId }) => ({
      url: `/api/islands/${islandId}/pages/draft`,
      payload: 'x',
      headers: { 'content-type': 'application/zip' },
    }),
  },
  'DELETE /api/islands/:id/pages/draft': {
    ...ownerAlone(204),
    request: ({ islandId }) => ({ url: `/api/islands/${islandId}/pages/draft` }),
  },
  'POST /api/islands/:id/pages/draft/publish': {
    ...signedIn(404),
    request: ({ islandId }) => ({ url: `/api/islands/${islandId}/pages/draft/publish` }),
  },
  'POST /api/islands/:id/pages/draft/preview': {
    ...signedIn(404),
    request: ({ islandId }) => ({ url: `/api/islands/${islandId}/pages/draft/preview` }),
  },

  'GET /api/search': { ...anyone(200), request: () => ({ url: '/api/search?q=pi' }) },

  'GET /api/me/islands': signedIn(200),
  'GET /api/me/memberships': signedIn(200),
  'GET /api/me/slugs/:slug': signedIn(200),
  'POST /api/islands': {
    ...signedIn(201),
    request: () => ({ payload: { name: 'Bar', kind: 'social', slug: 'a-bar' } }),
  },
  'GET /api/islands/:id': {
    ...ownerAlone(200),
    request: ({ islandId }) => ({ url: `/api/islands/${islandId}` }),
  },
  'PATCH /api/islands/:id': {
    ...ownerAlone(200),
    request: ({ islandId }) => ({ url: `/api/islands/${islandId}`, payload: { name: 'Pub' } }),
  },
  'POST /api/islands/:id/publish': {
    ...ownerAlone(200),
    request: ({ islandId }) => ({
      url: `/api/islands/${islandId}/publish`,
      payload: { access: 'members', isListed: false },
    }),
  },
  'POST /api/islands/:id/slug': {
    ...ownerAlone(200),
    request: ({ islandId, islandSlug }) => ({
      url: `/api/islands/${islandId}/slug`,
      payload: { slug: `new-${islandSlug.split('-', 2).join('-')}` },
    }),
  },
  'POST /api/islands/:id/pause': {
    ...ownerAlone(200),
    request: ({ islandId }) => ({ url: `/api/islands/${islandId}/pause`, payload: {} }),
  },
  'POST /api/islands/:id/continue': {
    ...ownerAlone(200),
    request: ({ islandId }) => ({ url: `/api/islands/${islandId}/continue` }),
  },
  'POST /api/islands/:id/close': {
    ...ownerAlone(204),
    request: ({ islandId, islandSlug }) => ({
      url: `/api/islands/${islandId}/close`,
      payload: { slug: islandSlug },
    }),
  },
  'GET /api/islands': anyone(200),
  'GET /api/islands/chart': anyone(200),
  'GET /api/islands/carried': anyone(200),
  'GET /api/islands/signals': anyone(200),
  'GET /api/islands/logs': anyone(200),
  'GET /api/guides': anyone(200),
  'GET /api/guides/:name': {
    ...anyone(404),
    request: () => ({ url: '/api/guides/treasure' }),
  },
  // They go on until the app ends.
  'GET /api/me/stream': { ...signedIn(200), request: () => ({ payloadAsStream: true }) },
  'GET /api/islands/:id/stream': {
    ...anyone(404),
    owner: 200,
    request: ({ draftId }) => ({ url: `/api/islands/${draftId}/stream`, payloadAsStream: true }),
  },
  'GET /api/islands/by-slug/:slug': {
    ...anyone(404),
    owner: 200,
    request: ({ islandSlug }) => ({ url: `/api/islands/by-slug/${islandSlug}` }),
  },

  // No port is given out here: features/relay/tcp/ports-feature.test.ts has who gets one.
  'GET /api/islands/:id/port': {
    ...anyone(404),
    owner: 200,
    request: ({ draftId }) => ({ url: `/api/islands/${draftId}/port` }),
  },
  'POST /api/islands/:id/port': {
    ...ownerAlone(403),
    request: ({ islandId }) => ({ url: `/api/islands/${islandId}/port` }),
  },
  'DELETE /api/islands/:id/port': {
    ...ownerAlone(204),
    request: ({ islandId }) => ({ url: `/api/islands/${islandId}/port` }),
  },

  'GET /api/islands/:id/members': {
    ...ownerAlone(200),
    request: ({ islandId }) => ({ url: `/api/islands/${islandId}/members` }),
  },
  // Who is no member can’t be removed: features/islands/people/members-routes.test.ts has who is.
  'DELETE /api/islands/:id/members/:username': {
    ...signedIn(404),
    request: ({ islandId, strangerName }) => ({
      url: `/api/islands/${islandId}/members/${strangerName}`,
    }),
  },
  'POST /api/islands/:id/join': {
    ...ownerAlone(200),
    request: ({ draftId }) => ({ url: `/api/islands/${draftId}/join`, payload: {} }),
  },
  'POST /api/islands/:id/leave': {
    ...signedIn(404),
    request: ({ islandId }) => ({ url: `/api/islands/${islandId}/leave` }),
  },
  'GET /api/islands/:id/requests': {
    ...ownerAlone(200),
    request: ({ islandId }) => ({ url: `/api/islands/${islandId}/requests` }),
  },
  'POST /api/islands/:id/requests/:username': {
    ...signedIn(404),
    request: ({ islandId, strangerName }) => ({
      url: `/api/islands/${islandId}/requests/${strangerName}`,
      payload: { isLetIn: true },
    }),
  },
  'GET /api/islands/:id/blocks': {
    ...ownerAlone(200),
    request: ({ islandId }) => ({ url: `/api/islands/${islandId}/blocks` }),
  },
  'POST /api/islands/:id/blocks/:username': {
    ...ownerAlone(204),
    request: ({ islandId, strangerName }) => ({
      url: `/api/islands/${islandId}/blocks/${strangerName}`,
    }),
  },
  'DELETE /api/islands/:id/blocks/:username': {
    ...signedIn(404),
    request: ({ islandId, strangerName }) => ({
      url: `/api/islands/${islandId}/blocks/${strangerName}`,
    }),
  },
  'GET /api/islands/:id/invitations': {
    ...ownerAlone(200),
    request: ({ islandId }) => ({ url: `/api/islands/${islandId}/invitations` }),
  },
  'POST /api/islands/:id/invitations': {
    ...ownerAlone(201),
    request: ({ islandId }) => ({ url: `/api/islands/${islandId}/invitations`, payload: {} }),
  },
  'DELETE /api/islands/invitations/:id': {
    ...ownerAlone(204),
    request: ({ invitationId }) => ({ url: `/api/islands/invitations/${invitationId}` }),
  },
  'POST /api/invitations/read': { ...anyone(404), request: () => ({ payload: { code: 'none' } }) },
  'POST /api/invitations/accept': {
    ...signedIn(404),
    request: () => ({ payload: { code: 'none' } }),
  },
  'GET /api/islands/:id/log': {
    ...anyone(404),
    owner: 200,
    request: ({ draftId }) => ({ url: `/api/islands/${draftId}/log` }),
  },
  'GET /api/islands/:id/history': {
    ...anyone(404),
    owner: 200,
    request: ({ draftId }) => ({ url: `/api/islands/${draftId}/history` }),
  },
  'GET /api/islands/:id/uptime': {
    ...anyone(404),
    owner: 200,
    request: ({ draftId }) => ({ url: `/api/islands/${draftId}/uptime` }),
  },
  // Visitors leave them: features/islands/log/log-routes.test.ts has who may.
  'POST /api/islands/:id/notes': {
    ...signedIn(404),
    request: ({ draftId }) => ({ url: `/api/islands/${draftId}/notes`, payload: { text: 'Hi' } }),
  },
  'POST /api/islands/:id/signals': {
    ...ownerAlone(201),
    request: ({ islandId }) => ({
      url: `/api/islands/${islandId}/signals`,
      payload: { text: 'Hi' },
    }),
  },
  'DELETE /api/islands/log/:id': {
    ...ownerAlone(204),
    request: ({ signalId }) => ({ url: `/api/islands/log/${signalId}` }),
  },
  'GET /api/me/activity': signedIn(200),

  // Nobody here is one: authenticate-operator.test.ts has those who are.
  'GET /api/operator/alerts': anyone(404),
  'GET /api/operator/check-doubts': anyone(404),
  'POST /api/operator/alerts/pause': anyone(404),
  'POST /api/operator/alerts/resume': anyone(404),
  'GET /api/operator/users/:username/alerts': anyone(404),
  'GET /api/operator/users': anyone(404),
  'POST /api/operator/users': anyone(404),
  'GET /api/operator/users/:username': anyone(404),
  'DELETE /api/operator/users/:username': anyone(404),
  'DELETE /api/operator/users/:username/avatar': anyone(404),
  'POST /api/operator/users/:username/disable': anyone(404),
  'POST /api/operator/users/:username/enable': anyone(404),
  'POST /api/operator/users/:username/stop-relay': anyone(404),
  'POST /api/operator/users/:username/start-relay': anyone(404),
  'POST /api/operator/users/:username/checks/import': anyone(404),
  'POST /api/operator/users/:username/trust': anyone(404),
  'POST /api/operator/users/:username/distrust': anyone(404),
  'DELETE /api/operator/users/:username/sessions': anyone(404),
  'GET /api/operator/users/:username/devices': anyone(404),
  'GET /api/operator/devices': anyone(404),
  'DELETE /api/operator/devices/:id': anyone(404),
  'GET /api/operator/stats': anyone(404),
  'POST /api/operator/mail/test': anyone(404),
  'GET /api/operator/audit': anyone(404),
  'POST /api/operator/users/:username/reset-code': anyone(404),
  'GET /api/operator/invites': anyone(404),
  'POST /api/operator/invites': { ...anyone(404), request: () => ({ payload: {} }) },
  'DELETE /api/operator/invites/:id': anyone(404),
  'GET /api/operator/reports': anyone(404),
  'POST /api/operator/reports/:kind/:id/dismiss': anyone(404),
  'POST /api/operator/hidden/:kind/:id': anyone(404),
  'DELETE /api/operator/hidden/:kind/:id': anyone(404),
  'GET /api/neighbours': anyone(200),
  'GET /api/neighbours/devices': anyone(200),
  'GET /api/neighbours/islands': anyone(200),
  'GET /api/operator/neighbours': anyone(404),
  'POST /api/operator/neighbours': anyone(404),
  'POST /api/operator/neighbours/preview': anyone(404),
  'PATCH /api/operator/neighbours/:id': anyone(404),
  'DELETE /api/operator/neighbours/:id': anyone(404),
  'PUT /api/operator/neighbours/:id/hidden': anyone(404),
  'POST /api/operator/neighbours/:id/shown': anyone(404),
  'POST /api/operator/installation-key': anyone(404),
  'GET /api/operator/islands': anyone(404),
  'GET /api/operator/pages-reviews': anyone(404),
  'GET /api/operator/islands/:id/rooms': anyone(404),
  'GET /api/operator/islands/:id/rooms/:room': anyone(404),
  'POST /api/operator/islands/:id/rooms/:room/moderation': anyone(404),
  'POST /api/operator/pages-reviews/:deployment': anyone(404),
  'POST /api/operator/pages-reviews/:deployment/preview': anyone(404),
  'POST /api/operator/islands/:id/hand-over': anyone(404),
  'POST /api/operator/islands/:id/stop-relay': anyone(404),
  'POST /api/operator/islands/:id/start-relay': anyone(404),
  'GET /api/operator/announcements': anyone(404),
  'POST /api/operator/announcements': anyone(404),
  'PATCH /api/operator/announcements/:id': anyone(404),
  'DELETE /api/operator/announcements/:id': anyone(404),

  'GET /api/announcements': anyone(200),
  // Nobody may know of it: features/reports/reports-routes.test.ts has what can be reported.
  'POST /api/reports': {
    ...signedIn(404),
    request: () => ({ payload: { kind: 'device', id: 'unknown', reason: 'spam' } }),
  },

  'GET /_spark/kv': signedIn(200),
  'GET /_spark/kv/:key': signedIn(404),
  'POST /_spark/kv/:key': {
    ...signedIn(204),
    request: () => ({ payload: '1', headers: { 'content-type': 'text/plain' } }),
  },
  'DELETE /_spark/kv/:key': signedIn(204),
  'GET /_spark/user': anyone(200),
  'POST /_spark/llm': {
    ...signedIn(503),
    request: () => ({ payload: { messages: [{ role: 'user', content: 'Hi' }], model: 'any' } }),
  },
  'POST /_spark/loaded': {
    ...anyone(204),
    request: () => ({ payload: { url: 'http://localhost:3000/', load_ms: 5 } }),
  },
}

interface World {
  readonly owner: TestBrowser
  readonly stranger: TestBrowser
  /** Of the owner's device. */
  readonly token: string
  readonly owned: Owned
}

/** Two new users, and things of the first. */
async function makeWorld(
  { signUp }: Pick<TestApp, 'signUp'>,
  visibility: 'public' | 'private',
): Promise<World> {
  const [owner, stranger] = [await signUp(), await signUp()]
  const { id: deviceId } = await registerTestDevice(owner, { visibility })
  const { id: tokenId, token } = await createTestToken(owner, deviceId)
  const { id: apiKeyId } = await createTestApiKey(owner)
  const { id: channelId } = await createTestChannel(owner)
  const { id: checkId } = await makeTestCheck(owner)
  const planned = await owner.inject({
    method: 'POST',
    url: '/api/me/alerts/maintenance',
    payload: { until: '2026-01-02T00:00:00Z' },
  })
  const maintenanceId = planned.json<{ id: string }>().id
  const sessions = await owner.inject({ url: '/api/me/sessions' })
  const sessionId = sessions.json<{ id: string }[]>()[0]?.id ?? ''
  const island =
    visibility === 'private'
      ? await makeTestIsland(owner)
      : await publishTestIsland(owner, { access: 'public', isListed: true })
  const draft = visibility === 'private' ? island : await makeTestIsland(owner)
  const { id: invitationId } = await createTestInvitation(owner, island.id)
  const { id: signalId } = await sendTestSignal(owner, island.id)
  const devices = { deviceId, checkId, tokenId, apiKeyId, channelId, maintenanceId, sessionId }
  const islands = { islandId: island.id, draftId: draft.id, draftSlug: draft.slug }
  const names = { username: owner.username, strangerName: stranger.username }
  const posted = { invitationId, signalId, islandSlug: island.slug }
  return { owner, stranger, token, owned: { ...names, ...devices, ...islands, ...posted } }
}

const changesNothing = (name: string) => name.startsWith('GET ') && name !== 'GET /api/auth/logout'

/** The world for a route: a new one where somebody may change it, else the one that all others share. */
function privateWorlds(testApp: Pick<TestApp, 'signUp'>, isRefused: (name: string) => boolean) {
  let shared: Promise<World> | undefined
  return (name: string) =>
    changesNothing(name) || isRefused(name)
      ? (shared ??= makeWorld(testApp, 'private'))
      : makeWorld(testApp, 'private')
}

/** The call of a route that names what somebody owns. */
function callOf(name: string, owned: Owned) {
  const route = contractRoutes.find((one) => routeName(one) === name)
  if (route === undefined) throw new Error(`${name} is not in the contract`)
  return { method: route.method, url: route.path, ...table[name]?.request?.(owned) }
}

test('S23 the table names every route of the contract, and the server has no other', async () => {
  const names = contractRoutes.map(routeName).toSorted()
  expect(Object.keys(table).toSorted()).toEqual(names)
  const { inject } = await createTestApp()
  const { paths } = (await inject({ url: '/api/openapi.json' })).json<{
    paths: Record<string, object>
  }>()
  const served = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map(
      (method) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
    ),
  )
  expect(served.toSorted()).toEqual(names)
})

/** What something gives for each route, by the route's name. */
async function ofEach<T>(
  names: readonly string[],
  take: (name: string, access: Access) => Promise<T> | T,
): Promise<Record<string, T>> {
  const all: Record<string, T> = {}
  for (const name of names) all[name] = await take(name, table[name] ?? anyone(0))
  return all
}

const names = Object.keys(table)

const isRefusedToOwners = (name: string) => (table[name]?.owner ?? 0) >= 400

async function askAsEverybody() {
  const { inject, signUp } = await createTestApp()
  const worldOf = privateWorlds({ signUp }, isRefusedToOwners)
  return await ofEach(names, async (name) => {
    const { owner, stranger, token, owned } = await worldOf(name)
    const call = callOf(name, owned)
    const headers = { ...call.headers, authorization: `Bearer ${token}` }
    const { cookies: sessionAndHint } = owner
    const cookies = Object.fromEntries(Object.keys(sessionAndHint).map((one) => [one, token]))
    return {
      signedOut: await inject(call),
      deviceToken: await inject({ ...call, headers }),
      // A device token in the session's cookie is nobody.
      tokenAsCookie: await inject({ ...call, cookies }),
      stranger: await stranger.inject(call),
      owner: await owner.inject(call),
    }
  })
}

let asked: ReturnType<typeof askAsEverybody> | undefined
/** The answers of every route to everybody, for all tests that look at them. */
const answersToEverybody = () => (asked ??= askAsEverybody())

function mapValues<T, U>(of: Readonly<Record<string, T>>, map: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(of).map(([name, value]) => [name, map(value)]))
}

test('S21 S23 every route answers every kind of caller as the table says', async () => {
  const answers = await answersToEverybody()
  const statuses = mapValues(answers, (of) => mapValues(of, ({ statusCode }) => statusCode))
  const expected = await ofEach(names, (_, { request: _request, ...access }) => ({
    ...access,
    tokenAsCookie: access.signedOut,
  }))
  expect(statuses).toEqual(expected)
})

const scopes = [
  'devices:read',
  'devices:write',
  'checks:read',
  'checks:write',
  'pages:write',
  'metrics',
] as const
const scopeOf = (name: string) => contractRoutes.find((one) => routeName(one) === name)?.scope

test('S21 S23 every route answers API keys as the table says', async () => {
  const { app, signUp } = await createTestApp()
  const worldOf = privateWorlds({ signUp }, (name) => scopeOf(name) === undefined)
  const statuses = await ofEach(names, async (name) => {
    const { owner, stranger, owned } = await worldOf(name)
    const other = scopeOf(name) === 'devices:read' ? 'devices:write' : 'devices:read'
    const by = async (browser: TestBrowser, of: readonly (typeof scopes)[number][]) => {
      const { id, key } = await createTestApiKey(browser, of)
      const answer = await injectByKey(app, key)(callOf(name, owned))
      await browser.inject({ method: 'DELETE', url: `/api/me/api-keys/${id}` })
      return answer.statusCode
    }
    return {
      strangers: await by(stranger, scopes),
      ofAnotherScope: await by(owner, [other]),
      owners: await by(owner, scopes),
    }
  })
  const expected = await ofEach(names, (name, { signedOut, stranger, owner }) =>
    scopeOf(name) === undefined
      ? { strangers: signedOut, ofAnotherScope: signedOut, owners: signedOut }
      : { strangers: stranger, ofAnotherScope: 403, owners: owner },
  )
  expect(statuses).toEqual(expected)
})

test('AL1 CH1 S54 S23 every route answers for a stranger’s item as for a missing one', async () => {
  const testApp = await createTestApp()
  const ownerOnly = names.filter(
    (name) => table[name]?.signedOut === 401 && table[name].stranger === 404,
  )
  const answers = async (take: 'strangers' | 'missing', { stranger, owned }: World) =>
    await ofEach(ownerOnly, async (name) => {
      const id = crypto.randomUUID()
      const missing = {
        ...owned,
        deviceId: id,
        checkId: id,
        tokenId: id,
        apiKeyId: id,
        channelId: id,
        maintenanceId: id,
        sessionId: id,
        islandId: id,
        draftId: id,
        draftSlug: 'none-there',
        invitationId: id,
        signalId: id,
      }
      const of = take === 'missing' ? missing : owned
      const { statusCode, body, headers } = await stranger.inject(callOf(name, of))
      return { statusCode, body, headers: { ...headers, date: '' } }
    })
  for (const visibility of ['public', 'private'] as const) {
    // Nothing changes: a stranger is refused all of it.
    const world = await makeWorld(testApp, visibility)
    expect(await answers('strangers', world)).toEqual(await answers('missing', world))
  }
})

test('S30 no cache may store answers for signed-in users', async () => {
  const testApp = await createTestApp()
  const signedInOnly = names.filter((name) => table[name]?.signedOut === 401)
  const ofPrivate = await answersToEverybody()
  const { owner, token, owned } = await makeWorld(testApp, 'public')
  const kept = await ofEach(signedInOnly, async (name) => {
    const call = callOf(name, owned)
    const headers = { ...call.headers, authorization: `Bearer ${token}` }
    const ofPublic = changesNothing(name)
      ? [
          await testApp.inject(call),
          await testApp.inject({ ...call, headers }),
          await owner.inject(call),
        ]
      : []
    const answers = [...Object.values(ofPrivate[name] ?? {}), ...ofPublic]
    return [...new Set(answers.map((answer) => answer.headers['cache-control']))]
  })
  expect(kept).toEqual(await ofEach(signedInOnly, () => ['no-store']))
})
