import { invitationShownDays } from '@astropelago/contract/limits'
import type { FastifyInstance } from 'fastify'
import type { FeatureBase } from '../../../feature-base.ts'
import { dayMs } from '../../../history/time-spans.ts'
import { hourlyLimit } from '../../../http/rate-limits.ts'
import type { IslandsRoutesContext } from '../islands-context.ts'
import { invitationsRoutes } from './invitations-routes.ts'
import { membersRoutes } from './members-routes.ts'
import { sqlInvitationsStore } from './sql-invitations-store.ts'
import { sqlPeopleStore } from './sql-people-store.ts'

const pruneMs = 3_600_000
/** Each time a user joins or leaves, the members are notified. */
const joinsPerHour = 60

export function islandPeopleFeature(
  { storage, cluster, clock, schedule }: FeatureBase,
  publicUrl: string,
) {
  const people = sqlPeopleStore(storage)
  const invitations = sqlInvitationsStore(storage)
  const limitJoins = hourlyLimit(joinsPerHour, cluster.size)

  schedule.everyOnLeader(pruneMs, 'old invitations were not deleted', () =>
    invitations.deleteExpired(clock() - invitationShownDays * dayMs),
  )

  return {
    people,
    routes: async (app: FastifyInstance, context: IslandsRoutesContext) => {
      await membersRoutes(app, { ...context, people, limitJoins })
      await invitationsRoutes(app, { ...context, invitations, publicUrl })
    },
  }
}
