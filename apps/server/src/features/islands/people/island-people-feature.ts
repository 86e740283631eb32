import { invitationShownDays } from '@astropelago/contract/limits'
import type { FastifyInstance } from 'fastify'
import type { FeatureBase } from '../../../feature-base.ts'
import { hourlyLimit } from '../../../http/rate-limits.ts'
import type { CarrierPresence } from '../island-openness.ts'
import type { IslandsStore } from '../islands-store.ts'
import { invitationsRoutes, type InvitationsRoutesOptions } from './invitations-routes.ts'
import { membersRoutes, type MembersRoutesOptions } from './members-routes.ts'
import { ownMembershipsData } from './own-memberships-data.ts'
import { sqlInvitationsStore } from './sql-invitations-store.ts'
import { sqlPeopleStore } from './sql-people-store.ts'

const invitationShownMs = invitationShownDays * 86_400_000
const pruneMs = 3_600_000
/** Each time somebody joins or leaves, the members are notified. */
const joinsPerHour = 60

interface IslandPeopleOptions {
  readonly store: IslandsStore
  readonly presence: CarrierPresence
  readonly publicUrl: string
}

/** What the app hands in for the routes of members and invitations. */
export type IslandPeopleParts = Pick<
  MembersRoutesOptions & InvitationsRoutesOptions,
  'serve' | 'findUser' | 'findUserKey' | 'limits'
>

/** Members of islands, requests to join, invitations and blocks. */
export function islandPeopleFeature(
  { storage, cluster, clock, schedule }: FeatureBase,
  { store: islands, ...options }: IslandPeopleOptions,
) {
  const people = sqlPeopleStore(storage)
  const invitations = sqlInvitationsStore(storage)
  const limitJoins = hourlyLimit(joinsPerHour, cluster.size)

  schedule.everyOnLeader(pruneMs, 'old invitations were not deleted', () =>
    invitations.deleteExpired(clock() - invitationShownMs),
  )

  return {
    ownData: ownMembershipsData({ people, islands }),
    routes: async (app: FastifyInstance, parts: IslandPeopleParts) => {
      const all = { ...options, ...parts, islands, clock }
      await membersRoutes(app, { ...all, people, limitJoins })
      await invitationsRoutes(app, { ...all, invitations })
    },
  }
}
