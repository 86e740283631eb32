import * as v from 'valibot'
import {
  collectionMaxLength,
  entryKeyMaxBytes,
  entryValueMaxBytes,
  entryValueMaxDepth,
  llmMessagesMax,
  llmTokensMax,
} from './limits.ts'
import { jsonDepth } from './json-depth.ts'
import { defineRoute } from './route.ts'

const keyMessage = `A key has 1 to ${entryKeyMaxBytes} bytes.`
// PostgreSQL's text holds no NUL, and no database half of a surrogate pair: two keys could become one.
export const StorableText = v.check<string, string>(
  (text) => !text.includes('\0') && text.isWellFormed(),
  'Text can’t hold a NUL or half of a character.',
)
// A path can't contain '.' and '..'.
export const EntryKey = v.pipe(
  v.string(keyMessage),
  v.nonEmpty(keyMessage),
  v.maxBytes(entryKeyMaxBytes, keyMessage),
  StorableText,
  v.notValues(['.', '..'], 'A key can’t be . or ..'),
)

const EntryParams = v.strictObject({ key: EntryKey })

/** A separate set of keys. Without it, the user's ordinary keys. */
const CollectionQuery = v.strictObject({
  collection: v.exactOptional(
    v.pipe(
      v.string(),
      v.regex(
        new RegExp(`^[A-Za-z0-9._-]{1,${collectionMaxLength}}$`),
        `A collection has 1 to ${collectionMaxLength} letters, digits, dots, underscores and hyphens.`,
      ),
    ),
  ),
})

/** JSON as text, stored as it was sent. */
export const JsonText = (maxBytes: number) =>
  v.pipe(
    v.string('A value is JSON.'),
    v.maxBytes(maxBytes, `A value has at most ${maxBytes} bytes.`),
    v.rawCheck(({ dataset, addIssue }) => {
      if (!dataset.typed) return
      const depth = jsonDepth(dataset.value, entryValueMaxDepth)
      if (depth === undefined) addIssue({ message: 'A value is JSON.' })
      else if (depth > entryValueMaxDepth) {
        addIssue({ message: `A value is nested at most ${entryValueMaxDepth} deep.` })
      }
    }),
  )

const EntryValue = JsonText(entryValueMaxBytes)

export const listKeys = defineRoute({
  method: 'GET',
  path: '/_spark/kv',
  summary: 'The keys of the user’s own key-value store, in order',
  tag: 'Platform runtime',
  access: 'user',
  query: CollectionQuery,
  answers: { 200: v.array(v.string()) },
  errors: ['signed_out', 'invalid_input'],
})

export const readEntry = defineRoute({
  method: 'GET',
  path: '/_spark/kv/:key',
  summary: 'The value of a key: JSON as text/plain',
  tag: 'Platform runtime',
  access: 'user',
  params: EntryParams,
  query: CollectionQuery,
  answerType: 'text/plain',
  answers: { 200: v.string() },
  errors: ['signed_out', 'invalid_input', 'not_found'],
})

export const writeEntry = defineRoute({
  method: 'POST',
  path: '/_spark/kv/:key',
  summary:
    'Set a key to the JSON in the text/plain body; with X-Spark-Initial: true only if it is absent',
  tag: 'Platform runtime',
  access: 'user',
  params: EntryParams,
  query: CollectionQuery,
  body: EntryValue,
  bodyType: 'text/plain',
  answers: { 204: null },
  errors: ['signed_out', 'invalid_input', 'too_large', 'quota_exceeded', 'overloaded'],
})

export const deleteEntry = defineRoute({
  method: 'DELETE',
  path: '/_spark/kv/:key',
  summary: 'Delete a key, whether it exists or not',
  tag: 'Platform runtime',
  access: 'user',
  params: EntryParams,
  query: CollectionQuery,
  answers: { 204: null },
  errors: ['signed_out', 'invalid_input'],
})

/** `login` and `avatarUrl` repeat `username` and `avatar`, for pages that expect those names. */
const SparkUser = v.object({
  username: v.string(),
  name: v.nullable(v.string()),
  avatar: v.nullable(v.string()),
  login: v.string(),
  avatarUrl: v.nullable(v.string()),
})
export type SparkUser = v.InferOutput<typeof SparkUser>

export const readSparkUser = defineRoute({
  method: 'GET',
  path: '/_spark/user',
  summary: 'Who is signed in, or null',
  tag: 'Platform runtime',
  access: 'anyone',
  answers: { 200: v.nullable(SparkUser) },
  errors: ['rate_limited'],
})

export const LlmRequest = v.strictObject({
  messages: v.pipe(
    // The count is checked first, because each of too many messages would cost an error.
    v.array(v.unknown()),
    v.minLength(1, 'There has to be a message.'),
    v.maxLength(llmMessagesMax, `There are at most ${llmMessagesMax} messages.`),
    v.examples([[{ role: 'user', content: 'Why is the sky dark at night?' }]]),
    v.array(
      v.strictObject({
        role: v.picklist(['system', 'user', 'assistant']),
        content: v.string(),
      }),
    ),
  ),
  temperature: v.exactOptional(v.pipe(v.number(), v.minValue(0), v.maxValue(2))),
  top_p: v.exactOptional(v.pipe(v.number(), v.minValue(0), v.maxValue(1))),
  max_tokens: v.optional(
    v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(llmTokensMax)),
    1000,
  ),
  model: v.pipe(v.string(), v.nonEmpty(), v.maxLength(128)),
  response_format: v.exactOptional(v.strictObject({ type: v.picklist(['json_object', 'text']) })),
})
export type LlmRequest = v.InferOutput<typeof LlmRequest>

/** The parts of a chat completion that are used. */
export const LlmAnswer = v.object({
  choices: v.pipe(
    v.array(v.object({ message: v.object({ content: v.nullable(v.string()) }) })),
    v.minLength(1),
  ),
})
export type LlmAnswer = v.InferOutput<typeof LlmAnswer>

export const askLlm = defineRoute({
  method: 'POST',
  path: '/_spark/llm',
  summary: 'Ask the language model that this server is connected to',
  tag: 'Platform runtime',
  access: 'user',
  body: LlmRequest,
  answers: { 200: LlmAnswer },
  errors: [
    'signed_out',
    'invalid_input',
    'too_large',
    'llm_not_configured',
    'llm_demo',
    'llm_budget',
    'llm_failed',
  ],
})

export const reportLoaded = defineRoute({
  method: 'POST',
  path: '/_spark/loaded',
  summary: 'Report that a page has loaded, and how long it took',
  tag: 'Platform runtime',
  access: 'anyone',
  body: v.strictObject({
    url: v.pipe(v.string(), v.url(), v.maxLength(4096)),
    load_ms: v.pipe(v.number(), v.minValue(0), v.maxValue(3_600_000)),
  }),
  answers: { 204: null },
  errors: ['invalid_input', 'rate_limited'],
})
