import { entryValueMaxBytes, llmBodyMaxBytes } from '@astropelago/contract/limits'
import type { Route } from '@astropelago/contract/route'
import { expect, test } from 'vitest'
import { readConfig } from '../config.ts'
import { contractRoutes, routeName } from '../test/contract-routes.ts'
import { createTestApp } from '../test/create-test-app.ts'
import { pastMainThreadBudgetMs, processorMs } from '../test/main-thread-budget.ts'

const maxAnswerBytes = 16 * 1024

const { llm } = readConfig({ LLM_BASE_URL: 'http://127.0.0.1:9/v1', LLM_MODELS: 'a=b' })

/** JSON that fills a body: what it says is repeated, between its start and its end. */
function filled(start: string, piece: (at: number) => string, end: string, bytes: number): string {
  let text = start
  for (let at = 0; ; at += 1) {
    const next = piece(at)
    if (text.length + next.length + end.length > bytes) return text + end
    text += next
  }
}

function fieldsOf({ body }: Route): string[] {
  return body !== undefined && 'entries' in body && typeof body.entries === 'object'
    ? Object.keys(body.entries ?? {})
    : []
}

const comma = (at: number) => (at === 0 ? '' : ',')

/** What could cost much: many errors, long names, depth, and for each field long texts and lists. */
function worstBodies(route: Route, bytes: number): [name: string, text: string][] {
  return [
    ['unknown fields', filled('{', (at) => `${comma(at)}"k${at}":1`, '}', bytes)],
    ['a long name', filled('{"', () => 'n'.repeat(1000), '":1}', bytes)],
    ['depth', filled('', () => '['.repeat(1000), '', bytes)],
    ['a list', filled('[1', () => ',1', ']', bytes)],
    ['escapes', filled('{"k":"', () => String.raw`\u0041`, '"}', bytes)],
    ...fieldsOf(route).flatMap((field): [string, string][] => [
      [`a long ${field}`, filled(`{"${field}":"`, () => 'a'.repeat(100), '"}', bytes)],
      [`${field} of marks`, filled(`{"${field}":"`, () => 'à̖́', '"}', bytes / 3)],
      [
        `${field} of one pile of marks`,
        filled(`{"${field}":"a`, () => '\u0301\u0323', '"}', bytes / 2),
      ],
      [
        `${field} of lines`,
        filled(`{"${field}":"`, () => String.raw`a\n`.repeat(100), '"}', bytes),
      ],
      [`${field} as a list`, filled(`{"${field}":[{}`, () => ',{}', ']}', bytes)],
      [`${field} of names`, filled(`{"${field}":{`, (at) => `${comma(at)}"k${at}":1`, '}}', bytes)],
    ]),
    [
      'messages of unknown fields',
      filled('{"messages":[{}', (at) => `,{"k${at}":{"role":1}}`, ']}', Math.min(bytes, 1500)),
    ],
  ]
}

const limitOf: Readonly<Record<string, number>> = {
  'POST /_spark/llm': llmBodyMaxBytes,
  'POST /_spark/kv/:key': entryValueMaxBytes,
}
const defaultLimit = 64 * 1024

const withBody = contractRoutes.filter(({ body }) => body !== undefined)

test('S47 no body takes a route more than 20 ms or gets an answer of more than 16 kB', async () => {
  const { signUp } = await createTestApp({ config: { llm } })
  const { inject } = await signUp()
  const tooMuch: string[] = []
  for (const route of withBody) {
    const name = routeName(route)
    const { method, path: url, bodyType = 'application/json' } = route
    for (const [what, payload] of worstBodies(route, limitOf[name] ?? defaultLimit)) {
      const pastMs = await pastMainThreadBudgetMs(async () => {
        const before = process.threadCpuUsage()
        const answer = await inject({ method, url, payload, headers: { 'content-type': bodyType } })
        const tookMs = processorMs(before)
        const { length } = answer.rawPayload
        if (length > maxAnswerBytes) tooMuch.push(`${name}: ${what}: ${length} bytes`)
        return tookMs
      })
      if (pastMs !== undefined) tooMuch.push(`${name}: ${what}: ${pastMs} ms`)
    }
  }
  expect(tooMuch).toEqual([])
})
