import { sql } from 'kysely'
import type { Database } from '../../storage/storage.ts'
import type { IslandPause } from './island-pause.ts'
import type { FoundIsland, IslandRecord, RelayOpening, RelayStop } from './islands-store.ts'

/** Islands with their hosts and carriers, as access rules and cards need them. */
export function selectIslandCards(db: Database) {
  return db
    .selectFrom('islands')
    .leftJoin('users', 'users.key', 'islands.user_key')
    .leftJoin('devices', 'devices.key', 'islands.carrier_key')
    .leftJoin('relay_openings', 'relay_openings.island_key', 'islands.key')
    .leftJoin('island_visible_since', 'island_visible_since.island_key', 'islands.key')
    .select([
      'islands.key',
      'islands.id',
      'islands.user_key',
      'islands.slug',
      'islands.name',
      'islands.kind',
      'islands.picture',
      'islands.tagline',
      'islands.access',
      'islands.is_listed',
      'islands.is_relayed',
      'islands.published_ms',
      'islands.hidden_ms',
      'islands.paused_ms',
      'islands.paused_until_ms',
      'islands.pause_text',
      'islands.relay_stopped_ms',
      'islands.relay_stopped_reason',
      'users.username as host_username',
      'users.name as host_name',
      'users.disabled_ms as host_disabled_ms',
      'users.relay_stopped_ms as host_stopped_ms',
      'users.relay_stopped_reason as host_stopped_reason',
      'users.relay_trusted_ms as host_trusted_ms',
      'devices.key as carrier_key',
      'devices.id as carrier_id',
      'devices.visibility as carrier_visibility',
      'devices.hidden_ms as carrier_hidden_ms',
      'relay_openings.is_open as relay_is_open',
      'relay_openings.since_ms as relay_since_ms',
      'island_visible_since.members_ms as known_members_ms',
      'island_visible_since.users_ms as known_users_ms',
      'island_visible_since.everybody_ms as known_everybody_ms',
    ])
}

type CardRow = Awaited<ReturnType<ReturnType<typeof selectIslandCards>['executeTakeFirstOrThrow']>>

export function toIslandCard(row: CardRow) {
  return {
    key: row.key,
    id: row.id,
    hostKey: row.user_key,
    hostName: row.host_name ?? row.host_username,
    hostDisabledMs: row.host_disabled_ms,
    slug: row.slug,
    name: row.name,
    kind: row.kind,
    picture: row.picture,
    tagline: row.tagline,
    access: row.access,
    isListed: row.is_listed === 1,
    isRelayed: row.is_relayed === 1,
    relayStop: relayStopOf(row),
    relayOpening: relayOpeningOf(row),
    pause: pauseOf(row),
    isHostTrusted: row.host_trusted_ms !== null,
    publishedMs: row.published_ms,
    hiddenMs: row.hidden_ms,
    knownSince: {
      membersMs: row.known_members_ms,
      usersMs: row.known_users_ms,
      everybodyMs: row.known_everybody_ms,
    },
  }
}

/** An operator's order for the island takes precedence over the one for its host. */
function relayStopOf(row: CardRow): RelayStop | null {
  if (row.relay_stopped_ms !== null) {
    return { ofHost: false, atMs: row.relay_stopped_ms, reason: row.relay_stopped_reason ?? '' }
  }
  if (row.host_stopped_ms === null) return null
  return { ofHost: true, atMs: row.host_stopped_ms, reason: row.host_stopped_reason ?? '' }
}

function relayOpeningOf(row: CardRow): RelayOpening | null {
  const { is_relayed, relay_is_open, relay_since_ms } = row
  if (is_relayed === 0 || relay_is_open === null || relay_since_ms === null) return null
  return { isOpen: relay_is_open === 1, sinceMs: relay_since_ms }
}

function pauseOf({ paused_ms, paused_until_ms, pause_text }: CardRow): IslandPause | null {
  if (paused_ms === null) return null
  return { fromMs: paused_ms, untilMs: paused_until_ms, text: pause_text }
}

/** Whether everybody may see the carrier. */
export function isPublicCarrier(
  row: Pick<CardRow, 'carrier_visibility' | 'carrier_hidden_ms'>,
): boolean {
  // Its owner is the island's host. If the host is disabled, nobody sees the island.
  return row.carrier_visibility === 'public' && row.carrier_hidden_ms === null
}

/** The columns that `toIsland` reads. */
export function selectIslands(db: Database) {
  return selectIslandCards(db).select([
    'users.avatar as host_avatar',
    'islands.about',
    'islands.rules_text',
    'islands.rules_changed_ms',
    'islands.address',
    'islands.created_ms',
    'islands.hidden_reason',
    'devices.label as carrier_label',
  ])
}

type IslandRow = Awaited<ReturnType<ReturnType<typeof selectIslands>['executeTakeFirstOrThrow']>>

export function toIsland(row: IslandRow): IslandRecord {
  return {
    ...toIslandCard(row),
    hostUsername: row.host_username,
    hostAvatar: row.host_avatar,
    about: row.about,
    rules: row.rules_text,
    rulesChangedMs: row.rules_changed_ms,
    address: row.address,
    carrier: carrierOf(row),
    createdMs: row.created_ms,
    hiddenReason: row.hidden_reason,
  }
}

function carrierOf(row: IslandRow): IslandRecord['carrier'] {
  const { carrier_key, carrier_id, carrier_label } = row
  if (carrier_key === null || carrier_id === null || carrier_label === null) return null
  return { key: carrier_key, id: carrier_id, label: carrier_label, isPublic: isPublicCarrier(row) }
}

/** Adds what the viewer is to each island, in one query, even if the viewer may not see it. */
export function selectFoundIslands(db: Database, viewerKey: number | null) {
  // No key is 0.
  const key = viewerKey ?? 0
  const isIn = (table: 'island_members' | 'island_blocks' | 'island_requests') =>
    sql<number>`(
      select count(*) from ${sql.table(table)} as own
      where own.island_key = islands.key and own.user_key = ${key}
    )`
  return selectIslands(db).select([
    isIn('island_members').as('is_member'),
    isIn('island_blocks').as('is_blocked'),
    isIn('island_requests').as('has_asked'),
    memberCount.as('member_count'),
  ])
}

export const memberCount = sql<number>`(
  select count(*) from island_members where island_members.island_key = islands.key
)`

type FoundRow = Awaited<
  ReturnType<ReturnType<typeof selectFoundIslands>['executeTakeFirstOrThrow']>
>

export function toFoundIsland(viewerKey: number | null, row: FoundRow): FoundIsland {
  return {
    island: toIsland(row),
    viewer: {
      userKey: viewerKey,
      isMember: row.is_member === 1,
      isBlocked: row.is_blocked === 1,
      hasAsked: row.has_asked === 1,
    },
    memberCount: row.member_count,
  }
}
