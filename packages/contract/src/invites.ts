import * as v from 'valibot'
import { inviteDaysMax, inviteUsesMax, labelMaxLength } from './limits.ts'
import { pages } from './pages.ts'
import { defineRoute } from './route.ts'
import { codePointLength, normalizeShortText } from './text.ts'
import { WholeNumber } from './whole-number.ts'

/** The page where an invite is used: it opens the sign-in dialog, which sends the code on registration. */
export function invitePath(code: string): string {
  return `${pages.explore}?${new URLSearchParams({ signin: '1', invite: code }).toString()}`
}

export const Invite = v.object({
  id: v.string(),
  note: v.nullable(v.string()),
  maxUses: v.number(),
  uses: v.number(),
  /** The operator who made it. */
  createdBy: v.string(),
  createdAt: v.string(),
  expiresAt: v.string(),
})
export type Invite = v.InferOutput<typeof Invite>

const Note = v.pipe(
  v.string(),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    const note = normalizeShortText(dataset.value)
    if (note === undefined || codePointLength(note) > labelMaxLength) {
      addIssue({ message: `A note has at most ${labelMaxLength} characters, all of them visible.` })
      return NEVER
    }
    return note === '' ? null : note
  }),
)

const defaultUses = 1
const defaultDays = 7

export const listInvites = defineRoute({
  method: 'GET',
  path: '/api/operator/invites',
  summary: 'The invites to register, newest first, without their codes',
  tag: 'Operators',
  access: 'operator',
  answers: { 200: v.array(Invite) },
  errors: ['not_found'],
})

export const createInvite = defineRoute({
  method: 'POST',
  path: '/api/operator/invites',
  summary: 'Make an invite; only this answer shows its code',
  tag: 'Operators',
  access: 'operator',
  body: v.strictObject({
    uses: v.optional(WholeNumber(inviteUsesMax), defaultUses),
    days: v.optional(WholeNumber(inviteDaysMax), defaultDays),
    note: v.optional(v.nullable(Note), null),
  }),
  answers: { 201: v.object({ ...Invite.entries, code: v.string(), link: v.string() }) },
  errors: ['not_found', 'invalid_input', 'server_full'],
})

export const revokeInvite = defineRoute({
  method: 'DELETE',
  path: '/api/operator/invites/:id',
  summary: 'Withdraw an invite; accounts registered with it stay',
  tag: 'Operators',
  access: 'operator',
  params: v.strictObject({ id: v.string() }),
  answers: { 204: null },
  errors: ['not_found'],
})
