import * as v from 'valibot'
import { IslandId } from './island-id.ts'
import { IslandCard, IslandRole } from './islands.ts'
import {
  invitationDaysMax,
  invitationUsesMax,
  joinTextMaxLength,
  labelMaxLength,
} from './limits.ts'
import { OneTimeCode } from './one-time-code.ts'
import { pages } from './pages.ts'
import { defineRoute } from './route.ts'
import { LongText, ShortText } from './text-fields.ts'
import { WholeNumber } from './whole-number.ts'

/** The link of an invitation. The part after # never reaches a server or its logs. */
export function invitationPath(code: string): string {
  return `${pages.invitation}#${code}`
}

/** Members per page. */
export const memberPageLength = 50

const own = ['signed_out', 'not_found'] as const
const Person = v.object({
  username: v.string(),
  name: v.nullable(v.string()),
  /** The path of the picture; null if there is none. */
  avatar: v.nullable(v.string()),
})
const MemberParams = v.strictObject({
  id: v.pipe(v.string(), v.maxLength(64)),
  username: v.pipe(v.string(), v.maxLength(64)),
})

export const Member = v.object({ ...Person.entries, joinedAt: v.string() })
export type Member = v.InferOutput<typeof Member>

export const listMembers = defineRoute({
  method: 'GET',
  path: '/api/islands/:id/members',
  summary: 'The members, last joined first; for the host and for members',
  tag: 'Island members',
  access: 'user',
  params: IslandId,
  query: v.strictObject({
    /** The last username of the previous page. */
    after: v.optional(v.pipe(v.string(), v.maxLength(64, 'This is at most 64 characters long.'))),
  }),
  answers: {
    200: v.object({ members: v.array(Member), total: v.number(), hasMore: v.boolean() }),
  },
  errors: [...own, 'invalid_input'],
})

export const removeMember = defineRoute({
  method: 'DELETE',
  path: '/api/islands/:id/members/:username',
  summary: 'Remove a member from the user’s own island',
  tag: 'Island members',
  access: 'user',
  params: MemberParams,
  answers: { 204: null },
  errors: own,
})

const joinMessage = `This has at most ${joinTextMaxLength} characters, all of them text.`

export const joinIsland = defineRoute({
  method: 'POST',
  path: '/api/islands/:id/join',
  summary: 'Become a member or, if access is `invited`, ask the host',
  tag: 'Island members',
  access: 'user',
  params: IslandId,
  body: v.strictObject({ text: v.optional(LongText(joinTextMaxLength, joinMessage), '') }),
  answers: { 200: v.object({ role: IslandRole }) },
  errors: [
    'demo_account',
    ...own,
    'invalid_input',
    'member_limit',
    'membership_limit',
    'request_limit',
    'rate_limited',
  ],
})

export const leaveIsland = defineRoute({
  method: 'POST',
  path: '/api/islands/:id/leave',
  summary: 'Leave an island, or withdraw the request to join',
  tag: 'Island members',
  access: 'user',
  params: IslandId,
  answers: { 204: null },
  errors: own,
})

export const JoinRequest = v.object({ ...Person.entries, text: v.string(), at: v.string() })
export type JoinRequest = v.InferOutput<typeof JoinRequest>

export const listJoinRequests = defineRoute({
  method: 'GET',
  path: '/api/islands/:id/requests',
  summary: 'Requests to join the user’s own island, longest waiting first',
  tag: 'Island members',
  access: 'user',
  params: IslandId,
  answers: { 200: v.array(JoinRequest) },
  errors: own,
})

export const answerJoinRequest = defineRoute({
  method: 'POST',
  path: '/api/islands/:id/requests/:username',
  summary: 'Accept or refuse a request to join',
  tag: 'Island members',
  access: 'user',
  params: MemberParams,
  body: v.strictObject({ isLetIn: v.boolean() }),
  answers: { 204: null },
  errors: [...own, 'invalid_input', 'member_limit', 'membership_limit'],
})

export const Block = v.object({ ...Person.entries, at: v.string() })
export type Block = v.InferOutput<typeof Block>

export const listBlocks = defineRoute({
  method: 'GET',
  path: '/api/islands/:id/blocks',
  summary: 'The users blocked from the user’s own island, last blocked first',
  tag: 'Island members',
  access: 'user',
  params: IslandId,
  answers: { 200: v.array(Block) },
  errors: own,
})

export const blockUser = defineRoute({
  method: 'POST',
  path: '/api/islands/:id/blocks/:username',
  summary:
    'Block a user, who can no longer join, ask or leave notes and sees only what strangers see',
  tag: 'Island members',
  access: 'user',
  params: MemberParams,
  answers: { 204: null },
  errors: [...own, 'block_limit'],
})

export const unblockUser = defineRoute({
  method: 'DELETE',
  path: '/api/islands/:id/blocks/:username',
  summary: 'Unblock a user',
  tag: 'Island members',
  access: 'user',
  params: MemberParams,
  answers: { 204: null },
  errors: own,
})

export const Invitation = v.object({
  id: v.string(),
  note: v.nullable(v.string()),
  maxUses: v.number(),
  uses: v.number(),
  createdAt: v.string(),
  expiresAt: v.string(),
})
export type Invitation = v.InferOutput<typeof Invitation>

const noteMessage = `A note has 1 to ${labelMaxLength} characters, all of them visible.`
const defaultUses = 1
const defaultDays = 7

export const listInvitations = defineRoute({
  method: 'GET',
  path: '/api/islands/:id/invitations',
  summary: 'The invitations to the user’s own island, newest first, without their codes',
  tag: 'Island members',
  access: 'user',
  params: IslandId,
  answers: { 200: v.array(Invitation) },
  errors: own,
})

export const createInvitation = defineRoute({
  method: 'POST',
  path: '/api/islands/:id/invitations',
  summary: 'Make an invitation; only this answer shows its link',
  tag: 'Island members',
  access: 'user',
  params: IslandId,
  body: v.strictObject({
    uses: v.optional(WholeNumber(invitationUsesMax), defaultUses),
    days: v.optional(WholeNumber(invitationDaysMax), defaultDays),
    note: v.optional(v.nullable(ShortText(labelMaxLength, noteMessage)), null),
  }),
  answers: { 201: v.object({ ...Invitation.entries, code: v.string(), link: v.string() }) },
  errors: [...own, 'demo_account', 'invalid_input', 'invitation_limit', 'server_full'],
})

export const revokeInvitation = defineRoute({
  method: 'DELETE',
  path: '/api/islands/invitations/:id',
  summary: 'Revoke an invitation; members who joined with it stay',
  tag: 'Island members',
  access: 'user',
  params: IslandId,
  answers: { 204: null },
  errors: own,
})

export const readInvitation = defineRoute({
  method: 'POST',
  path: '/api/invitations/read',
  summary: 'The island that an invitation leads to, without using the invitation',
  tag: 'Island members',
  access: 'anyone',
  body: v.strictObject({ code: OneTimeCode }),
  /** By joining, a user accepts the island's rules. They may be empty. */
  answers: { 200: v.object({ ...IslandCard.entries, rules: v.string() }) },
  errors: ['invalid_input', 'invalid_invitation', 'rate_limited'],
})

export const acceptInvitation = defineRoute({
  method: 'POST',
  path: '/api/invitations/accept',
  summary: 'Become a member by an invitation; members use nothing up',
  tag: 'Island members',
  access: 'user',
  body: v.strictObject({ code: OneTimeCode }),
  answers: { 200: v.object({ slug: v.string() }) },
  errors: [
    'demo_account',
    'signed_out',
    'invalid_input',
    'invalid_invitation',
    'member_limit',
    'membership_limit',
    'rate_limited',
  ],
})
