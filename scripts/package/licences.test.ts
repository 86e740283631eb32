import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { asCycloneDx, licenceDocument, takeInventory, unknownLicences } from './licences.ts'

const root = resolve(import.meta.dirname, '../..')
const inventory = takeInventory(root)

test('everything that ships has an allowed licence', () => {
  const names = inventory.map(({ name }) => name)
  expect(names).toEqual(
    expect.arrayContaining(['fastify', 'find-my-way', 'react', 'scheduler', 'tailwindcss']),
  )
  expect(names.filter((name) => /^(vitest|typescript|@playwright\/.*)$/.test(name))).toEqual([])
  expect(unknownLicences(inventory)).toEqual([])
})

test('an unreviewed licence is reported', () => {
  const copyleft = {
    name: 'left',
    version: '1.0.0',
    licence: 'AGPL-3.0',
    integrity: undefined,
    location: '',
    remark: undefined,
  }
  const unknown = unknownLicences([copyleft])
  expect(unknown).toEqual(['left 1.0.0: AGPL-3.0'])
})

test('each package ships with its licence text', () => {
  const text = licenceDocument(inventory, root)
  for (const { name, version } of inventory) expect(text).toContain(`${name} ${version} (`)
  expect(text).toContain('CC BY 4.0')
  expect(text).toContain('Lucide Icons and Contributors')
  expect(text).toContain('https://github.com/thx/resvg-js')
  expect(text).toContain('https://github.com/lovell/sharp-libvips')
  expect(text).toContain('GNU LESSER GENERAL PUBLIC LICENSE')
  expect(text.split('Permission is hereby granted').length).toBeGreaterThan(100)
})

test('the bill of materials lists each package with its hash', () => {
  const bom = asCycloneDx(inventory, '1.2.3')
  expect(bom).toMatchObject({
    bomFormat: 'CycloneDX',
    metadata: { component: { version: '1.2.3' } },
  })
  const text = JSON.stringify(bom)
  for (const { name } of inventory) expect(text).toContain(`pkg:npm/${name.replace('@', '%40')}@`)
  expect(text.match(/"content":"[0-9a-f]{128}"/g)).toHaveLength(inventory.length)
})
