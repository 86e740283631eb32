import { expect, test } from 'vitest'
import { publishDraft, type HostedPages } from '@astropelago/contract/hosted-pages'
import { deploy, makeHostedDraft, sendZip, zipFiles } from '../../test/api-pages.ts'
import { createTestApp } from '../../test/create-test-app.ts'
import { parseRules } from './page-rules.ts'

const parse = (text: string) => parseRules(Buffer.from(text))

test.each([
  ['{}', { shared: {}, rooms: {} }],
  ['\uFEFF{"rooms":{"a":"anyone"}}', { shared: {}, rooms: { a: 'anyone' } }],
  ['{"shared":{"a/":"append","":"host"}}', { shared: { 'a/': 'append', '': 'host' }, rooms: {} }],
  // For what pages may say in times to come.
  ['{"more":1}', { shared: {}, rooms: {} }],
])('%s says who writes', (text, rules) => {
  expect(parse(text)).toEqual(rules)
})

test.each([
  ['', '“astropelago.json” is not valid JSON.'],
  ['{\n  "rooms": {\n  a }}', '“astropelago.json” is not valid JSON: look at line 3.'],
  ['null', '“astropelago.json”: It holds an object with “shared” and “rooms”, or one of them.'],
  [
    '{"shared":{"a/":"everybody"}}',
    '“astropelago.json”, “shared”, “a/”: Shared values are written by: own, anyone, append or host.',
  ],
  [
    '{"shared":"host"}',
    '“astropelago.json”, “shared”: Shared values are written by: own, anyone, append or host.',
  ],
  [
    '{"rooms":{"chat":"append"}}',
    '“astropelago.json”, “rooms”, “chat”: Rooms are written by: visitors, anyone or host.',
  ],
  ['{"rooms":{"a b":"host"}}', expect.stringMatching(/“rooms”, “a b”: A room’s name has 1 to 64/)],
  [' '.repeat(64 * 1024 + 1), '“astropelago.json” is larger than 64 kB.'],
])('%.40s says nothing', (text, sentence) => {
  expect(parse(text)).toEqual(sentence)
})

const page = { 'index.html': 'x' }
const wrong = '{"rooms":{"chat":"everybody"}}'
const refusal = {
  code: 'pages_refused',
  fields: {
    files: '“astropelago.json”, “rooms”, “chat”: Rooms are written by: visitors, anyone or host.',
  },
}

test('pages whose rules make no sense do not go live', async () => {
  const { signUp } = await createTestApp()
  const host = await signUp()
  const { id } = await makeHostedDraft(host)
  const first = await deploy(host, id, { ...page, 'astropelago.json': '{}' })
  for (const folder of ['', 'site/']) {
    const zip = zipFiles({ [`${folder}index.html`]: 'y', [`${folder}astropelago.json`]: wrong })
    expect((await sendZip(host, id, zip)).json()).toMatchObject(refusal)
  }
  const pages = (await host.inject({ url: `/api/islands/${id}/pages` })).json<HostedPages>()
  expect(pages.deployments).toMatchObject([{ id: first.id, isLive: true }])
  // Elsewhere it is a file like any other.
  await deploy(host, id, { ...page, 'a/astropelago.json': wrong })
})

test('a draft keeps them while they are written, and is not published with them', async () => {
  const { signUp } = await createTestApp()
  const host = await signUp()
  const { id } = await makeHostedDraft(host)
  const change = async (text: string) => {
    const changes = [
      { path: 'index.html', text: 'x' },
      { path: 'astropelago.json', text },
    ]
    const url = `/api/islands/${id}/pages/draft`
    const changed = await host.inject({ method: 'POST', url, payload: { changes } })
    expect(changed.statusCode).toBe(200)
  }
  const publish = () =>
    host.inject({ method: publishDraft.method, url: publishDraft.path.replace(':id', id) })
  await change(wrong)
  expect((await publish()).json()).toMatchObject(refusal)
  for (const [text, sentence] of [
    ['', 'is not valid JSON'],
    [`{"x":"${'x'.repeat(300_000)}"}`, 'is larger than 64 kB'],
  ] as const) {
    await change(text)
    expect((await publish()).json()).toMatchObject({
      fields: { files: expect.stringContaining(sentence) },
    })
  }
  await change('{"rooms":{"chat":"host"}}')
  expect((await publish()).statusCode).toBe(201)
})
