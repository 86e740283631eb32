import * as v from 'valibot'
import { ChannelSettings } from './alert-channels.ts'
import { CheckTarget } from './checks.ts'
import { checkImportEntriesMax, labelMaxLength, nameMaxLength } from './limits.ts'
import { defineRoute } from './route.ts'
import { ShortText } from './text-fields.ts'

export const CheckImportSource = v.picklist(
  ['kuma', 'healthchecks'],
  'This is kuma or healthchecks.',
)
export type CheckImportSource = v.InferOutput<typeof CheckImportSource>

const Subject = v.picklist(['monitor', 'tag', 'channel', 'status-page', 'maintenance', 'history'])

const Name = ShortText(labelMaxLength, 'A name can’t be shown.')
const Text = v.pipe(v.string(), v.maxLength(400))

const Read = {
  of: Subject,
  /** Its name in the file, shortened to 150 characters, each of which can be two units of UTF-16. */
  name: v.pipe(v.string(), v.maxLength(300)),
  /** Its kind, in the words of the program that wrote the file. */
  kind: v.pipe(v.string(), v.maxLength(128)),
  /** Sentences of `checkImportNotes`. */
  notes: v.array(Text),
}

/** Something in a file, and what it can be here. */
export const CheckImportEntry = v.object({
  ...Read,
  becomes: v.variant('kind', [
    v.object({
      kind: v.literal('check'),
      /** The same each time it is read, so that importing again changes the check that it became. */
      sourceId: v.pipe(v.string(), v.maxLength(128)),
      name: Name,
      target: CheckTarget,
      isPaused: v.boolean(),
      /** SHA-256 of the secret in the address that scripts report to, in hexadecimal. */
      pushHash: v.nullable(v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/))),
    }),
    v.object({ kind: v.literal('channel'), name: Name, settings: ChannelSettings }),
    v.object({
      kind: v.literal('status-page'),
      title: ShortText(nameMaxLength, 'A title can’t be shown.'),
      sourceIds: v.array(v.string()),
    }),
    v.object({ kind: v.literal('nothing') }),
  ]),
})
export type CheckImportEntry = v.InferOutput<typeof CheckImportEntry>

export const CheckImportAction = v.picklist(['create', 'update', 'unchanged', 'leave'])
export type CheckImportAction = v.InferOutput<typeof CheckImportAction>

export const CheckImportReport = v.object({
  /** Whether nothing was changed. */
  isDryRun: v.boolean(),
  created: v.number(),
  updated: v.number(),
  unchanged: v.number(),
  /** What can't be imported; each line says why. */
  left: v.number(),
  /** How many new checks there are, and how many the account has room for. With too little room nothing is imported. */
  newChecks: v.number(),
  room: v.number(),
  lines: v.array(
    v.object({
      ...Read,
      action: CheckImportAction,
      /** The kind of check or channel that it becomes; null for a status page and for what is left. */
      becomes: v.nullable(v.string()),
      isPaused: v.boolean(),
    }),
  ),
})
export type CheckImportReport = v.InferOutput<typeof CheckImportReport>

const dryRun = v.optional(v.picklist(['true', 'false'], 'This is true or false.'), 'false')

const errors = [
  'invalid_input',
  'invalid_import',
  'check_limit',
  'too_large',
  'overloaded',
] as const

export const importChecks = defineRoute({
  method: 'POST',
  path: `/api/me/checks/import`,
  summary:
    'Make checks, channels and a status page of Uptime Kuma’s database or of Healthchecks’ list of checks; importing again changes what was made',
  tag: 'Checks',
  access: 'user',
  query: v.strictObject({ from: CheckImportSource, dryRun }),
  body: v.instance(Uint8Array),
  bodyType: 'application/octet-stream',
  answers: { 200: CheckImportReport },
  errors: [...errors, 'signed_out', 'demo_account', 'rate_limited'],
})

export const importUserChecks = defineRoute({
  method: 'POST',
  path: `/api/operator/users/:username/checks/import`,
  summary: 'The same for a user, of what the command line has read from a file',
  tag: 'Operators',
  access: 'operator',
  params: v.strictObject({ username: v.pipe(v.string(), v.maxLength(64)) }),
  query: v.strictObject({ dryRun }),
  body: v.strictObject({
    entries: v.pipe(v.array(CheckImportEntry), v.maxLength(checkImportEntriesMax)),
  }),
  answers: { 200: CheckImportReport },
  errors: [...errors, 'not_found'],
})
