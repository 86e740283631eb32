import {
  answerJoinRequest,
  type Block,
  blockUser,
  createInvitation,
  type Invitation,
  type JoinRequest,
  listBlocks,
  listInvitations,
  listJoinRequests,
  listMembers,
  type Member,
  memberPageLength,
  removeMember,
  revokeInvitation,
  unblockUser,
} from '@astropelago/contract/island-members'
import { answerApi, refused } from '../../../test/answer-api.ts'

const at = '2026-01-02T03:04:05.000Z'

interface People {
  readonly members?: Member[]
  readonly requests?: JoinRequest[]
  readonly blocks?: Block[]
  readonly invitations?: Invitation[]
}

export function samplePerson(username: string) {
  return { username, name: null, avatar: null, joinedAt: at, at, text: '' }
}

export function sampleInvitation(details: Partial<Invitation> = {}): Invitation {
  return {
    id: crypto.randomUUID(),
    note: 'The book club',
    maxUses: 5,
    uses: 2,
    createdAt: at,
    expiresAt: '2099-01-02T03:04:05.000Z',
    ...details,
  }
}

export const givenLink = `https://astropelago.example/invitation#${'a'.repeat(43)}`

function without<P extends { readonly username: string }>(all: readonly P[], username: string) {
  return all.filter((person) => person.username !== username)
}

/** The people of an island, with changes kept as the server keeps them. */
export function answerPeople(people: People = {}) {
  let { members = [], requests = [], blocks = [], invitations = [] } = people

  answerApi(listMembers, ({ query: { after } }) => {
    const start = members.findIndex(({ username }) => username === after) + 1
    const end = start + memberPageLength
    return {
      status: 200,
      body: {
        members: members.slice(start, end),
        total: members.length,
        hasMore: members.length > end,
      },
    }
  })
  const removed = answerApi(removeMember, ({ params: { username } }) => {
    members = without(members, username)
    return { status: 204 }
  })
  answerApi(listJoinRequests, () => ({ status: 200, body: requests }))
  const answered = answerApi(answerJoinRequest, ({ params: { username } }) => {
    requests = without(requests, username)
    return { status: 204 }
  })
  answerApi(listBlocks, () => ({ status: 200, body: blocks }))
  const blocked = answerApi(blockUser, ({ params: { username } }) => {
    if (username === 'nobody') return refused('not_found')
    members = without(members, username)
    requests = without(requests, username)
    blocks = [{ username, name: null, avatar: null, at }, ...blocks]
    return { status: 204 }
  })
  const unblocked = answerApi(unblockUser, ({ params: { username } }) => {
    blocks = without(blocks, username)
    return { status: 204 }
  })
  answerApi(listInvitations, () => ({ status: 200, body: invitations }))
  const invited = answerApi(createInvitation, ({ body: { uses, note } }) => {
    const invitation = sampleInvitation({ note, maxUses: uses, uses: 0 })
    invitations = [invitation, ...invitations]
    return { status: 201, body: { ...invitation, code: 'a'.repeat(43), link: givenLink } }
  })
  const revoked = answerApi(revokeInvitation, ({ params: { id } }) => {
    invitations = invitations.filter((invitation) => invitation.id !== id)
    return { status: 204 }
  })
  return { removed, answered, blocked, unblocked, invited, revoked }
}
