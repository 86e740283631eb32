import { execFileSync } from 'node:child_process'
import { mkdir, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { listGuides, readGuide } from '@astropelago/contract/guides'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { createTestApp } from '../../test/create-test-app.ts'
import { makeWebDir } from '../../test/make-web-dir.ts'
import { makeTempDir } from '../../test/open-test-storage.ts'

type Files = Readonly<Record<string, string | Uint8Array>>

async function setUp(files: Files = {}) {
  const parent = await makeTempDir()
  const guidesDir = join(parent, 'guides')
  await mkdir(guidesDir)
  const write = async (written: Files) => {
    for (const [name, text] of Object.entries(written)) await writeFile(join(guidesDir, name), text)
  }
  await write(files)
  const webDir = await makeWebDir({ guides: ['nginx'] })
  const start = async () => {
    const testApp = await createTestApp({ webDir, config: { guidesDir } })
    const { inject, clock, logged } = testApp
    const list = async () => {
      // The folder is read once a second.
      clock.move(1000)
      const { json } = await inject({ url: listGuides.path })
      return v.parse(listGuides.answers[200], json())
    }
    return {
      ...testApp,
      list,
      names: async () => (await list()).map(({ name }) => name),
      get: (name: string) => inject({ url: readGuide.path.replace(':name', name) }),
      faults: () => Array.from(logged().matchAll(/"fault":"([^"]+)"/g), ([, fault = '']) => fault),
    }
  }
  return { parent, guidesDir, write, start }
}

const rules = '# House rules\n\nBe kind.\n\nSee [nginx](nginx.md) and [tea](tea.md).'

test('a folder’s Markdown files are public guides by name, and in the sitemap', async () => {
  const { start } = await setUp({
    'tea.md': '# Tea',
    'rules.md': rules,
    'README.md': '# Of the folder',
    '.draft.md': '# Of an editor',
    'notes.txt': 'no guide',
  })
  const { list, get, inject, faults } = await start()
  expect(await list()).toEqual([
    { name: 'rules', title: 'House rules', summary: 'Be kind.' },
    { name: 'tea', title: 'Tea', summary: '' },
  ])
  expect((await get('rules')).json()).toEqual({
    name: 'rules',
    title: 'House rules',
    summary: 'Be kind.',
    blocks: [
      {
        kind: 'text',
        html: '<p>Be kind.</p>\n<p>See <a href="/library/nginx">nginx</a> and <a href="/library/tea">tea</a>.</p>',
      },
    ],
  })
  const sitemap = (await inject({ url: '/sitemap.xml' })).body
  for (const name of ['nginx', 'rules', 'tea']) expect(sitemap).toContain(`/library/${name}<`)
  expect(faults()).toEqual([])
})

test('without a folder there are no guides', async () => {
  const { inject } = await createTestApp()
  expect((await inject({ url: listGuides.path })).json()).toEqual([])
})

test('changed files are shown within a second', async () => {
  const { guidesDir, write, start } = await setUp({ 'rules.md': rules })
  const { names, list } = await start()
  expect(await names()).toEqual(['rules'])
  await write({ 'tea.md': '# Tea' })
  expect(await names()).toEqual(['rules', 'tea'])
  await write({ 'tea.md': '# Te!' })
  await utimes(join(guidesDir, 'tea.md'), 5, 5)
  expect((await list())[1]).toMatchObject({ title: 'Te!' })
  await rm(join(guidesDir, 'tea.md'))
  expect(await names()).toEqual(['rules'])
  await rename(guidesDir, `${guidesDir}-away`)
  expect(await names()).toEqual([])
  await rename(`${guidesDir}-away`, guidesDir)
  expect(await names()).toEqual(['rules'])
})

test('GU2 a file that can’t be shown is logged once, and the others are shown', async () => {
  const { guidesDir, write, start } = await setUp({
    'rules.md': rules,
    'empty.md': '',
    'House Rules.md': '# A',
    [`${'a'.repeat(70)}.md`]: '# A',
    'nginx.md': '# Another',
    'large.md': `# Large\n\n${'a'.repeat(100_000)}`,
    'binary.md': Buffer.from([0x89, 0x50, 0x4e, 0x47, 0xff, 0, 0]),
    'nested.md': `# Nested\n\n${'>'.repeat(20_000)}`,
    'latin.md': Buffer.from('# Gr\xFC\xDFe', 'latin1'),
  })
  await mkdir(join(guidesDir, 'folder.md'))
  execFileSync('mkfifo', [join(guidesDir, 'pipe.md')])
  const { names, faults } = await start()
  expect(await names()).toEqual(['rules'])
  expect(await names()).toEqual(['rules'])
  const named = 'a guide is named by a to z, 0 to 9 and single hyphens, such as house-rules.md'
  expect(faults().toSorted()).toEqual(
    [
      named,
      named,
      'it has no heading',
      'it is larger than 100 kB',
      'it is no file',
      'it is no file',
      'it is not UTF-8',
      'it is not UTF-8',
      'Maximum call stack size exceeded',
      'the Library has a guide of that name already',
    ].toSorted(),
  )
  await write({ 'empty.md': '# Mended' })
  expect(await names()).toEqual(['empty', 'rules'])
  await write({ 'empty.md': '' })
  expect(await names()).toEqual(['rules'])
  expect(faults()).toHaveLength(11)
})

test('GU2 only the first hundred files are shown, and a missing folder is logged once', async () => {
  const many = Array.from({ length: 103 }, (_, at) => [`g${100 + at}.md`, `# ${at}`] as const)
  const { guidesDir, start } = await setUp(Object.fromEntries(many))
  const { names, faults } = await start()
  expect(await names()).toHaveLength(100)
  expect(faults()).toEqual(['GUIDES_DIR has 103 guides: the first 100 are shown'])
  await rm(guidesDir, { recursive: true })
  for (let look = 0; look < 3; look += 1) expect(await names()).toEqual([])
  expect(faults()[1]).toMatch(/^GUIDES_DIR can’t be read: ENOENT/)
  expect(faults()).toHaveLength(2)
})

test('GU2 nothing outside the folder is read, neither by a symlink nor by a name', async () => {
  const { parent, guidesDir, start } = await setUp({ 'rules.md': rules })
  await writeFile(join(parent, 'secret.md'), '# Secret')
  await mkdir(join(parent, 'guides-beside'))
  await writeFile(join(parent, 'guides-beside', 'near.md'), '# Secret')
  await symlink('../secret.md', join(guidesDir, 'out.md'))
  await symlink(join(parent, 'guides-beside', 'near.md'), join(guidesDir, 'near.md'))
  await symlink('nowhere.md', join(guidesDir, 'dangling.md'))
  // Kubernetes lays out mounted files like this.
  await mkdir(join(guidesDir, '..data'))
  await writeFile(join(guidesDir, '..data', 'inside.md'), '# Inside')
  await symlink('..data/inside.md', join(guidesDir, 'inside.md'))
  const { names, get, faults, inject } = await start()
  expect(await names()).toEqual(['inside', 'rules'])
  expect(faults().filter((fault) => fault === 'it leads out of the folder')).toHaveLength(2)
  expect(faults()).toHaveLength(3)
  for (const name of [
    '..%2Fsecret',
    '..%2F..%2Fetc%2Fpasswd',
    '%2Fetc%2Fpasswd',
    'secret',
    'out',
    'rules.md',
    '..data%2Finside',
    '__proto__',
    'rules%00',
  ]) {
    const refused = await get(name)
    expect({ name, status: refused.statusCode }).toEqual({ name, status: 404 })
    expect(refused.json()).toMatchObject({ code: 'not_found' })
    expect(refused.body).not.toContain('Secret')
  }
  expect((await inject({ url: '/api/guides/../secret' })).body).not.toContain('Secret')
})
